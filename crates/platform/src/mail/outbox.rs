//! The outbox folder used without a mail server: each email as `.eml` and as readable text.

use std::fmt::Write as _;

use larder_domain::Timestamp;

use super::Recipient;
use super::render::Rendered;
use crate::config::Config;
use crate::files::private;
use crate::jobs::JobError;

/// Stores an email as `….eml` and `….txt`.
pub async fn keep(
    config: &Config,
    to: &Recipient,
    rendered: &Rendered,
    message: &[u8],
    id: &str,
    at: Timestamp,
) -> Result<(), JobError> {
    let folder = super::outbox_folder(config);
    private::folder(&folder).map_err(anyhow::Error::from)?;
    let stamp = jiff::Timestamp::from_millisecond(at.0).map(|at| at.strftime("%Y%m%d-%H%M%S").to_string());
    let name = format!("{}-{}-{id}", stamp.unwrap_or_default(), rendered.template);
    let mut text = String::new();
    let _ = writeln!(text, "To: {} <{}>\nSubject: {}\n", to.name, to.email, rendered.subject);
    text.push_str(&rendered.text);
    for (ending, bytes) in [("eml", message), ("txt", text.as_bytes())] {
        let path = folder.join(format!("{name}.{ending}"));
        // Emails contain links that set passwords, so they are never readable by others, not even for a
        // moment.
        private::new_file(&path).map_err(anyhow::Error::from)?;
        tokio::fs::write(&path, bytes).await.map_err(anyhow::Error::from)?;
    }
    tracing::info!(job = id, folder = %folder.display(), "an email was written to the outbox folder; set smtp-url to send emails");
    Ok(())
}
