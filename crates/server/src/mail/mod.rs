//! Letters to people: written inside the transaction that causes them, sent afterwards by a job, so that neither
//! a rolled-back change sends one nor a restart loses one. Without SMTP they go to a readable outbox folder.

mod job;
mod outbox;
mod render;
mod smtp;

use larder_db::{DbError, Tx};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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
    /// What waits for somebody, once a day.
    Digest {
        /// Where it all is.
        link: String,
        /// By kind.
        parts: Vec<DigestPart>,
    },
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
    // Its link opens an account.
    let letter = state.seal.seal(LETTER, &json!(letter).to_string());
    let job = NewJob { kind: "mail.send", unique_key: None, args: json!({ "to": to, "letter": letter }) };
    state.jobs.enqueue(tx, state.new_id(), job).await.map(drop)
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
