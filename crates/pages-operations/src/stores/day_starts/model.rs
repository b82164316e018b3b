//! When days begin: requests and responses.

use larder_domain::day_starts::is_start;
use larder_domain::{BusinessDay, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::day_starts::Kept;
use larder_platform::http::{ApiError, ApiResult};

/// The start to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DayStartDraft {
    /// Minutes after midnight (UTC+8): 0 to 720, in steps of 15.
    pub minutes: i32,
    /// The revision it changes; null for a new day.
    #[serde(default)]
    pub revision: Option<i64>,
}

impl DayStartDraft {
    /// The minutes after midnight.
    ///
    /// # Errors
    /// A field error.
    pub fn read(&self) -> ApiResult<i32> {
        match is_start(self.minutes) {
            true => Ok(self.minutes),
            false => Err(ApiError::field("minutes", "Choose a quarter of an hour from 00:00 to 12:00.")),
        }
    }
}

/// When days begin from a day on.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayStartChange {
    pub from: BusinessDay,
    /// Minutes after midnight (UTC+8).
    pub minutes: i32,
    pub revision: i64,
    pub updated_at: Timestamp,
}

impl From<&Kept> for DayStartChange {
    fn from(kept: &Kept) -> Self {
        Self {
            from: kept.from_date,
            minutes: kept.change().minutes,
            revision: kept.revision,
            updated_at: kept.updated_at,
        }
    }
}

/// When a store's business days begin.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreDayStarts {
    pub store_id: String,
    /// When today begins, in minutes after midnight (UTC+8); 0 without a change.
    pub minutes: i32,
    /// By day. Before the first a day begins at midnight.
    pub changes: Vec<DayStartChange>,
}

/// When the days of all accessible stores begin.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayStartsOfStores {
    pub items: Vec<StoreDayStarts>,
}

/// Query parameters: the store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct DayStartsQuery {
    /// All accessible stores if omitted.
    pub store_id: Option<String>,
}
