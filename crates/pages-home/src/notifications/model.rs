//! Notifications: requests and responses.

use larder_domain::{Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::tasks::Task;

/// A user's notifications.
#[derive(Debug, Serialize, ToSchema)]
pub struct Notifications {
    /// When they were read.
    pub at: Timestamp,
    /// Number of unread items.
    pub unread: i64,
    /// Unread first, then newest first; at most 200.
    pub items: Vec<Notification>,
    /// Titles of the task types that could not be read.
    pub failed: Vec<&'static str>,
}

/// An open task.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// Task type.
    pub kind: &'static str,
    /// Title of the task type.
    pub kind_title: &'static str,
    /// Whether it was read since it was raised.
    pub read: bool,
    /// The total value of the tasks it stands for, where they have one: cash not deposited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    #[serde(flatten)]
    pub item: Task,
}

/// Notifications to mark as read.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReadNotifications {
    /// The given ones.
    pub items: Vec<NotificationKey>,
    /// All open at this time: the `at` of the list the user saw.
    pub all_until: Option<Timestamp>,
}

/// Identifies a notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotificationKey {
    pub kind: String,
    pub id: String,
}

/// A user's notification settings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSettings {
    /// The task types the user may see.
    pub kinds: Vec<NotificationKind>,
    /// Whether to send a daily digest while there are open tasks.
    pub digest: bool,
    /// Hour of the digest, 0 to 23, in UTC+8.
    pub digest_hour: i64,
    /// The email address it is sent to.
    pub email: String,
    /// Whether emails are only written to a folder on the server.
    pub mail_stays_here: bool,
}

/// A type of notification.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotificationKind {
    pub name: &'static str,
    pub title: &'static str,
    /// Whether it is enabled.
    pub on: bool,
}

/// A change of notification settings; omitted fields stay unchanged.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NotificationSettingsChange {
    /// Names of all disabled types.
    pub muted: Option<Vec<String>>,
    pub digest: Option<bool>,
    /// From 0 to 23, in UTC+8.
    #[schema(minimum = 0, maximum = 23)]
    pub digest_hour: Option<i64>,
}
