//! Windows, leases and what opens a session again.

use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_ledgers::counts as book;
use larder_platform::audit::Editor;

/// When a count is taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountWindow {
    /// The first moment.
    pub from: Timestamp,
    /// The moment after the last.
    pub to: Timestamp,
}

/// Somebody is counting.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountLease {
    /// Who.
    pub uid: String,
    pub name: String,
    /// On which device.
    pub device_id: String,
    /// Until when they need not be asked.
    pub until: Timestamp,
}

impl From<book::Lease> for CountLease {
    fn from(lease: book::Lease) -> Self {
        let book::Lease { uid, name, device_id, until } = lease;
        Self { uid, name, device_id, until }
    }
}

/// A session that is done.
#[derive(Debug, Serialize, ToSchema)]
pub struct FinishedCount {
    /// When somebody said so.
    pub at: Timestamp,
    pub by: Editor,
}

/// How a session stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountSessionState {
    /// Its window is over and nobody opened it again.
    pub locked: bool,
    /// Since when.
    pub locked_since: Option<Timestamp>,
    /// Who opened it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlocked_by: Option<Editor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlocked_at: Option<Timestamp>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlock_reason: Option<String>,
    /// When it is counted.
    pub window: CountWindow,
    /// What is counted now would be taken.
    pub open: bool,
    /// Why it would not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_because: Option<String>,
    /// Who is counting.
    pub lease: Option<CountLease>,
    /// It is done.
    pub finished: Option<FinishedCount>,
    /// The server's time.
    pub server_time: Timestamp,
}

/// A session.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionOfDay {
    #[schema(required)]
    pub store_id: Option<String>,
    #[schema(required, format = Date)]
    pub date: Option<String>,
    /// `opening` or `closing`; neither for a day that is not parted.
    pub session: Option<String>,
}

/// Somebody begins to count a session, or goes on.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LeaseCount {
    /// Which session.
    #[serde(flatten)]
    pub place: SessionOfDay,
    /// On which device.
    #[schema(required)]
    pub device_id: Option<String>,
    /// Instead of whoever does now.
    pub take_over: bool,
}

/// A session that is over shall be opened again.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UnlockCount {
    /// Which session.
    #[serde(flatten)]
    pub place: SessionOfDay,
    /// Why, up to 500 characters.
    #[schema(required)]
    pub reason: Option<String>,
}
