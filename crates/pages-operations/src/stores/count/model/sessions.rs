//! Windows, leases and reopening of sessions.

use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_ledgers::counts as book;
use larder_platform::audit::Editor;

/// The window of a count.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountWindow {
    /// Start, inclusive.
    pub from: Timestamp,
    /// End, exclusive.
    pub to: Timestamp,
}

/// A lease on a session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountLease {
    /// Its holder.
    pub uid: String,
    pub name: String,
    /// Device id.
    pub device_id: String,
    /// When it expires.
    pub until: Timestamp,
}

impl From<book::Lease> for CountLease {
    fn from(lease: book::Lease) -> Self {
        let book::Lease { uid, name, device_id, until } = lease;
        Self { uid, name, device_id, until }
    }
}

/// A finished session.
#[derive(Debug, Serialize, ToSchema)]
pub struct FinishedCount {
    /// When it was marked as finished.
    pub at: Timestamp,
    pub by: Editor,
}

/// State of a session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountSessionState {
    /// Whether its window is over and it was not reopened.
    pub locked: bool,
    /// When it was locked.
    pub locked_since: Option<Timestamp>,
    /// Who reopened it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlocked_by: Option<Editor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlocked_at: Option<Timestamp>,
    /// Reason for reopening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlock_reason: Option<String>,
    /// Its window.
    pub window: CountWindow,
    /// Whether a count is accepted now.
    pub open: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_because: Option<String>,
    /// Its lease.
    pub lease: Option<CountLease>,
    /// When it was finished.
    pub finished: Option<FinishedCount>,
    pub server_time: Timestamp,
}

/// A session of a day.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionOfDay {
    #[schema(required)]
    pub store_id: Option<String>,
    #[schema(required, format = Date)]
    pub date: Option<String>,
    /// `opening` or `closing`; omitted for a whole-day count.
    pub session: Option<String>,
}

/// Start or continue counting a session.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LeaseCount {
    /// Session.
    #[serde(flatten)]
    pub place: SessionOfDay,
    /// Device id.
    #[schema(required)]
    pub device_id: Option<String>,
    /// Take over from the current holder.
    pub take_over: bool,
}

/// Reopening of a locked session.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UnlockCount {
    /// Session.
    #[serde(flatten)]
    pub place: SessionOfDay,
    /// Reason, up to 500 characters.
    #[schema(required)]
    pub reason: Option<String>,
}
