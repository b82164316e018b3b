//! Emails: queued inside the transaction that causes them and sent by a job, so that a rollback sends none
//! and a restart loses none. Without SMTP they go to a readable outbox folder.

mod job;
mod outbox;
mod render;
mod smtp;

use larder_db::{DbError, Tx};
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use render::PICTURE;
pub use smtp::SmtpError;

use crate::AppState;
use crate::config::Config;
use crate::encryption::{Cipher, EMAIL};
use crate::jobs::{JobKinds, NewJob};

/// The content of an email; the wording is in `render`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "template")]
pub enum Email {
    /// A link to reset a password.
    Reset {
        /// Link to set the password.
        link: String,
        /// When the link expires; the email is not sent from then on. None in those queued by an older version.
        #[serde(default)]
        valid_until: Option<Timestamp>,
    },
    /// A first sign-in for a user an administrator added.
    Invitation {
        /// Link to set the password.
        link: String,
        /// As for `Reset`.
        #[serde(default)]
        valid_until: Option<Timestamp>,
        /// Name of the inviter.
        by: String,
    },
    /// An application for access was approved.
    Approved {
        /// Link to set the password.
        link: String,
        /// As for `Reset`.
        #[serde(default)]
        valid_until: Option<Timestamp>,
    },
    /// An application for access was rejected.
    Rejected {
        /// The administrator's reason; may be empty.
        reason: String,
    },
    /// A scheduled report, with its picture inline and its sheet attached for those who may export.
    Report {
        name: String,
        /// The days it covers.
        range: String,
        /// Name of the user who scheduled it.
        by: String,
        /// Their note; may be empty.
        note: String,
        /// The result, line by line.
        lines: Vec<String>,
        /// Link to the report.
        link: String,
        /// Text alternative of the picture; none without one.
        picture: Option<String>,
        /// The numbers and letters in the picture that stand for names it cannot write.
        #[serde(default)]
        names: Vec<(String, String)>,
        /// Whether its sheet is attached.
        #[serde(default = "enclosed")]
        sheet: bool,
        /// Whether this is a test email.
        test: bool,
    },
    /// The daily digest of a user's inbox tasks.
    Digest {
        /// Link to the inbox.
        link: String,
        /// By task type.
        parts: Vec<DigestPart>,
    },
}

impl Email {
    /// From when on it is of no use.
    fn valid_until(&self) -> Option<Timestamp> {
        match self {
            Self::Reset { valid_until, .. }
            | Self::Invitation { valid_until, .. }
            | Self::Approved { valid_until, .. } => *valid_until,
            Self::Rejected { .. } | Self::Report { .. } | Self::Digest { .. } => None,
        }
    }
}

/// Emails queued by an older version have their sheet.
fn enclosed() -> bool {
    true
}

/// A file sent with an email, stored until the email is handed over.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Enclosed {
    /// File name for the recipient.
    pub name: String,
    /// Media type.
    pub media: String,
    /// Key in the file store.
    pub key: String,
    /// Whether it is shown inline (`cid:` and its name) instead of attached.
    pub shown: bool,
}

/// The tasks of one type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestPart {
    /// Label of the task type.
    pub title: String,
    pub count: i64,
    /// The first tasks, one per line.
    pub lines: Vec<String>,
    /// Whether there are more.
    pub more: bool,
    /// Where they are listed. Emails queued by an older version have none.
    #[serde(default)]
    pub link: Option<String>,
}

/// The recipient of an email.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recipient {
    pub name: String,
    pub email: String,
}

/// A queued email.
#[derive(Debug, Serialize, Deserialize)]
struct Posted {
    to: Recipient,
    /// An encrypted [`Email`].
    letter: Value,
    #[serde(default)]
    enclosed: Vec<Enclosed>,
}

impl Posted {
    fn email(&self, cipher: &Cipher) -> anyhow::Result<Email> {
        // Emails queued before encryption was introduced are in clear.
        Ok(match &self.letter {
            Value::String(encrypted) => serde_json::from_str(&cipher.decrypt(EMAIL, encrypted)?)?,
            clear => serde_json::from_value(clear.clone())?,
        })
    }
}

/// Queues an email inside a transaction. Call `state.jobs.wake()` after the commit.
///
/// # Errors
/// If the job cannot be written.
pub async fn queue(tx: &mut Tx<'_>, state: &AppState, to: &Recipient, email: &Email) -> Result<(), DbError> {
    queue_with(tx, state, to, email, &[]).await.map(drop)
}

/// As [`queue`], with attachments; returns the id of the sending job. The attached files are deleted once the
/// email was sent or given up.
///
/// # Errors
/// If the job cannot be written.
pub async fn queue_with(
    tx: &mut Tx<'_>,
    state: &AppState,
    to: &Recipient,
    email: &Email,
    enclosed: &[Enclosed],
) -> Result<String, DbError> {
    // Its link grants access to an account.
    let email = state.cipher.encrypt(EMAIL, &json!(email).to_string());
    let args = json!({ "to": to, "letter": email, "enclosed": enclosed });
    let job = NewJob { kind: "mail.send", unique_key: None, args };
    state.jobs.enqueue(tx, state.new_id(), job).await
}

/// Registers the job that sends emails.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with_mail("mail.send", job::run)
}

/// Whether emails only go to a local folder.
#[must_use]
pub fn goes_to_outbox(config: &Config) -> bool {
    config.smtp_url.is_none()
}

/// The outbox folder used without SMTP.
#[must_use]
pub fn outbox_folder(config: &Config) -> std::path::PathBuf {
    config.data_dir.join("outbox")
}

/// Refuses mail settings that cannot work.
///
/// # Errors
/// What is wrong with `smtp_url` or `mail_from`, without the password.
pub fn check_settings(config: &Config) -> Result<(), SmtpError> {
    render::sender(config)?;
    if let Some(url) = &config.smtp_url {
        smtp::transport(&url.0)?;
    }
    Ok(())
}
