//! Notifications on the wire.

use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::waiting::WaitingItem;

/// What waits for somebody.
#[derive(Debug, Serialize, ToSchema)]
pub struct Notifications {
    /// When it was looked up.
    pub at: Timestamp,
    /// How many of the items were not read.
    pub unread: i64,
    /// What waits, what is not read first, then the newest first; at most 200.
    pub items: Vec<Notification>,
    /// Kinds that could not be read, by title.
    pub failed: Vec<&'static str>,
}

/// Something that waits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// Of which kind.
    pub kind: &'static str,
    /// What the kind is called.
    pub kind_title: &'static str,
    /// Whether it was read since it waits.
    pub read: bool,
    #[serde(flatten)]
    pub item: WaitingItem,
}

/// What was read.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReadNotifications {
    /// These.
    pub items: Vec<NotificationKey>,
    /// Everything that waited at this time: the `at` of the list that was looked at.
    pub all_until: Option<Timestamp>,
}

/// Names a notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotificationKey {
    pub kind: String,
    pub id: String,
}

/// What somebody wants to be told.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSettings {
    /// The kinds they may see.
    pub kinds: Vec<NotificationKind>,
    /// Whether they get a letter a day while something waits.
    pub digest: bool,
    /// At which hour, from 0 to 23, in UTC+8.
    pub digest_hour: i64,
    /// Where it goes.
    pub email: String,
    /// Whether letters only go to a folder of the server.
    pub mail_stays_here: bool,
}

/// A kind of notification.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotificationKind {
    pub name: &'static str,
    pub title: &'static str,
    /// Whether they are told of it.
    pub on: bool,
}

/// A change of what somebody wants to be told; what is left out stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NotificationSettingsChange {
    /// Names of all kinds they do not want to be told of.
    pub muted: Option<Vec<String>>,
    pub digest: Option<bool>,
    /// From 0 to 23, in UTC+8.
    #[schema(minimum = 0, maximum = 23)]
    pub digest_hour: Option<i64>,
}
