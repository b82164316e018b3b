//! Letters to people: written inside the transaction that causes them, sent afterwards by a job, so that neither
//! a rolled-back change sends one nor a restart loses one. Without SMTP they go to a readable outbox folder.

mod job;
mod outbox;
mod render;
mod smtp;

use larder_db::{DbError, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use render::PICTURE;
pub use smtp::SmtpError;

use crate::AppState;
use crate::config::Config;
use crate::jobs::{JobKinds, NewJob};
use crate::seal::{LETTER, Seal};

/// What a letter says; its words stand in the templates.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "template")]
pub enum Letter {
    /// A link to set a new password.
    Reset {
        /// Where the password is set.
        link: String,
    },
    /// A first sign-in for somebody an administrator added.
    Invitation {
        /// Where the password is set.
        link: String,
        /// Who invites.
        by: String,
    },
    /// An application for access was approved.
    Approved {
        /// Where the password is set.
        link: String,
    },
    /// An application for access was rejected.
    Rejected {
        /// Why, in the administrator's words; may be empty.
        reason: String,
    },
    /// A report that goes out by itself, its picture inside and its sheet enclosed for those who may export.
    Report {
        /// What it is called.
        name: String,
        /// Which days it is about.
        range: String,
        /// Who has it sent.
        by: String,
        /// What they write to it; may be empty.
        note: String,
        /// What it comes to, line by line.
        lines: Vec<String>,
        /// Where it is opened.
        link: String,
        /// What the picture shows, in words; none where there is no picture.
        picture: Option<String>,
        /// Whether its sheet is enclosed.
        #[serde(default = "enclosed")]
        sheet: bool,
        /// Whether somebody tries out how it arrives.
        test: bool,
    },
    /// What waits for somebody, once a day.
    Digest {
        /// Where it all is.
        link: String,
        /// By kind.
        parts: Vec<DigestPart>,
    },
}

/// Letters that were queued by an older version have their sheet.
fn enclosed() -> bool {
    true
}

/// Something that goes with a letter: it lies among the files until the letter is handed over.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Enclosed {
    /// What the file is called for whoever gets it.
    pub name: String,
    /// Its media type.
    pub media: String,
    /// Where it lies among the files.
    pub key: String,
    /// Whether the letter shows it, as `cid:` and its name, instead of having it attached.
    pub shown: bool,
}

/// What waits of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestPart {
    /// What the kind is called.
    pub title: String,
    /// How many there are.
    pub count: i64,
    /// The first of them, each in a line.
    pub lines: Vec<String>,
    /// Whether there are others.
    pub more: bool,
}

/// To whom a letter goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recipient {
    pub name: String,
    pub email: String,
}

/// A letter on its way.
#[derive(Debug, Serialize, Deserialize)]
struct Posted {
    to: Recipient,
    /// A sealed [`Letter`].
    letter: Value,
    #[serde(default)]
    enclosed: Vec<Enclosed>,
}

impl Posted {
    fn letter(&self, seal: &Seal) -> anyhow::Result<Letter> {
        // Letters that were queued before there were seals stand here as they are.
        Ok(match &self.letter {
            Value::String(sealed) => serde_json::from_str(&seal.open(LETTER, sealed)?)?,
            clear => serde_json::from_value(clear.clone())?,
        })
    }
}

/// Queues a letter inside a transaction. Call `state.jobs.wake()` after the commit.
///
/// # Errors
/// When the job cannot be written.
pub async fn queue(
    tx: &mut Tx<'_>,
    state: &AppState,
    to: &Recipient,
    letter: &Letter,
) -> Result<(), DbError> {
    queue_with(tx, state, to, letter, &[]).await.map(drop)
}

/// As [`queue`], with what goes along; answers the id of the job that hands it over. What is enclosed is removed from
/// the files once the letter is gone or given up.
///
/// # Errors
/// When the job cannot be written.
pub async fn queue_with(
    tx: &mut Tx<'_>,
    state: &AppState,
    to: &Recipient,
    letter: &Letter,
    enclosed: &[Enclosed],
) -> Result<String, DbError> {
    // Its link opens an account.
    let letter = state.seal.seal(LETTER, &json!(letter).to_string());
    let args = json!({ "to": to, "letter": letter, "enclosed": enclosed });
    let job = NewJob { kind: "mail.send", unique_key: None, args };
    state.jobs.enqueue(tx, state.new_id(), job).await
}

/// The background work of this room.
#[must_use]
pub fn job_kinds(kinds: JobKinds) -> JobKinds {
    kinds.with("mail.send", job::run)
}

/// Whether letters only go to a folder of this machine.
#[must_use]
pub fn goes_to_outbox(config: &Config) -> bool {
    config.smtp_url.is_none()
}

/// The folder letters go to without SMTP.
#[must_use]
pub fn outbox_folder(config: &Config) -> std::path::PathBuf {
    config.data_dir.join("outbox")
}

/// Refuses settings that no letter could be sent with.
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
