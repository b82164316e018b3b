//! How stores count.

use larder_domain::{Factor, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_ledgers::counts as book;
use larder_platform::audit::Editor;

/// How a store counts.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountSettings {
    pub store_id: String,
    /// Only today and yesterday.
    pub restrict_date: bool,
    /// A session is locked when its window is over.
    pub time_lock_enabled: bool,
    /// Counts are taken inside the windows only.
    pub enforce_time_window: bool,
    /// The session comes from the time: opening before 14:00, else closing.
    pub auto_session_by_time: bool,
    /// One person counts a session at a time.
    pub user_lock_enabled: bool,
    /// Who counts does not see what is expected.
    pub blind: bool,
    /// When the opening count begins, in minutes from midnight.
    pub opening_from: i64,
    /// When it ends.
    pub opening_to: i64,
    /// When the closing count begins.
    pub closing_from: i64,
    /// When it ends; past 1,440 on the next day.
    pub closing_to: i64,
    /// How many times more or less than before makes the screen ask.
    pub outlier_factor: Factor,
    /// How often they were changed; 0 while they are the house's.
    pub revision: i64,
    /// When they were changed last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<Editor>,
}

impl CountSettings {
    /// Of a store.
    pub fn of(store_id: &str, stored: book::Stored) -> Self {
        let book::Stored { settings, revision, updated } = stored;
        let (updated_at, updated_by) = updated.unzip();
        Self {
            store_id: store_id.to_owned(),
            restrict_date: settings.restrict_date,
            time_lock_enabled: settings.time_lock_enabled,
            enforce_time_window: settings.enforce_time_window,
            auto_session_by_time: settings.auto_session_by_time,
            user_lock_enabled: settings.user_lock_enabled,
            blind: settings.blind,
            opening_from: settings.opening.from,
            opening_to: settings.opening.to,
            closing_from: settings.closing.from,
            closing_to: settings.closing.to,
            outlier_factor: settings.outlier_factor,
            revision,
            updated_at,
            updated_by,
        }
    }
}

/// What to change; what is left out stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CountSettingsChange {
    /// Only today and yesterday.
    pub restrict_date: Option<bool>,
    /// A session is locked when its window is over.
    pub time_lock_enabled: Option<bool>,
    /// Counts are taken inside the windows only.
    pub enforce_time_window: Option<bool>,
    /// The session comes from the time.
    pub auto_session_by_time: Option<bool>,
    /// One person counts a session at a time.
    pub user_lock_enabled: Option<bool>,
    /// Who counts does not see what is expected.
    pub blind: Option<bool>,
    /// When the opening count begins, in minutes from midnight.
    pub opening_from: Option<i64>,
    /// When it ends.
    pub opening_to: Option<i64>,
    /// When the closing count begins.
    pub closing_from: Option<i64>,
    /// When it ends; past 1,440 on the next day.
    pub closing_to: Option<i64>,
    /// How many times more or less than before makes the screen ask.
    pub outlier_factor: Option<Factor>,
    /// The revision the change starts from; without it the latest is meant.
    pub revision: Option<i64>,
}

/// The same change for several stores.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BulkCountSettings {
    /// The stores: 1 to 1,000.
    #[serde(default)]
    pub store_ids: Vec<String>,
    /// What to change; a revision in it is left out of account.
    #[serde(default)]
    pub change: CountSettingsChange,
}

/// How many stores were changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedStores {
    /// As many.
    pub stores: usize,
}
