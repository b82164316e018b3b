//! Count settings: requests and responses.

use larder_domain::{Factor, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use larder_ledgers::counts as book;
use larder_platform::audit::Editor;

/// A store's count settings.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountSettings {
    pub store_id: String,
    /// Only today and yesterday can be counted.
    pub restrict_date: bool,
    /// Sessions are locked when their window is over.
    pub time_lock_enabled: bool,
    /// Counts are only accepted within the windows.
    pub enforce_time_window: bool,
    /// The session follows the time: opening before 14:00, else closing.
    pub auto_session_by_time: bool,
    /// Only one user counts a session at a time.
    pub user_lock_enabled: bool,
    /// Blind count: expected quantities are hidden.
    pub blind: bool,
    /// Start of the opening count, in minutes from midnight.
    pub opening_from: i64,
    /// Its end.
    pub opening_to: i64,
    /// Start of the closing count, in minutes from midnight.
    pub closing_from: i64,
    /// Its end; above 1,440 on the next day.
    pub closing_to: i64,
    /// The console asks for confirmation if a count is this many times higher or lower than the last one.
    pub outlier_factor: Factor,
    /// Number of changes; 0 for the default settings.
    pub revision: i64,
    /// When they were last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<Editor>,
}

impl CountSettings {
    /// For a store.
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

/// A change of count settings; omitted fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CountSettingsChange {
    /// Only today and yesterday can be counted.
    pub restrict_date: Option<bool>,
    /// Sessions are locked when their window is over.
    pub time_lock_enabled: Option<bool>,
    /// Counts are only accepted within the windows.
    pub enforce_time_window: Option<bool>,
    /// The session follows the time.
    pub auto_session_by_time: Option<bool>,
    /// Only one user counts a session at a time.
    pub user_lock_enabled: Option<bool>,
    /// Blind count: expected quantities are hidden.
    pub blind: Option<bool>,
    /// Start of the opening count, in minutes from midnight.
    pub opening_from: Option<i64>,
    /// Its end.
    pub opening_to: Option<i64>,
    /// Start of the closing count, in minutes from midnight.
    pub closing_from: Option<i64>,
    /// Its end; above 1,440 on the next day.
    pub closing_to: Option<i64>,
    /// The console asks for confirmation if a count is this many times higher or lower than the last one.
    pub outlier_factor: Option<Factor>,
    /// The revision it is based on; the latest if omitted.
    pub revision: Option<i64>,
}

/// The same change for several stores.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BulkCountSettings {
    /// The stores: 1 to 1,000.
    #[serde(default)]
    pub store_ids: Vec<String>,
    /// The change; its revision is ignored.
    #[serde(default)]
    pub change: CountSettingsChange,
}

/// Number of stores changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedStores {
    pub stores: usize,
}
