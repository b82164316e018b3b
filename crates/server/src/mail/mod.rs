//! Letters to people: written inside the transaction that causes them, sent afterwards by a job, so that neither
//! a rolled-back change sends one nor a restart loses one. Without SMTP they go to a readable outbox folder.

use larder_db::{DbError, Tx};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::AppState;
use crate::jobs::NewJob;

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
}

/// To whom a letter goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recipient {
    /// Name.
    pub name: String,
    /// Address.
    pub email: String,
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
    let job = NewJob { kind: "mail.send", unique_key: None, args: json!({ "to": to, "letter": letter }) };
    state.jobs.enqueue(tx, state.new_id(), job).await.map(drop)
}
