//! Opening days: requests and responses.

use larder_domain::{BusinessDay, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::opening_days::Kept;
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// The weekdays to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpeningDaysDraft {
    /// Monday is 1, Sunday 7.
    pub weekdays: Vec<u8>,
    /// The revision it changes; null for a new day.
    #[serde(default)]
    pub revision: Option<i64>,
}

impl OpeningDaysDraft {
    /// The weekdays as bits; Monday is bit 0.
    ///
    /// # Errors
    /// Field errors.
    pub fn read(&self) -> ApiResult<u8> {
        let mut weekdays = 0_u8;
        for day in &self.weekdays {
            match day {
                1..=7 => weekdays |= 1 << (day - 1),
                _ => {
                    let wrong = FieldError::new("weekdays", "Monday is 1, Sunday 7.");
                    return Err(ApiError::invalid(vec![wrong]));
                }
            }
        }
        if weekdays == 0 {
            return Err(ApiError::field("weekdays", "Choose at least one day."));
        }
        Ok(weekdays)
    }
}

/// Monday is 1, Sunday 7.
pub fn listed(weekdays: u8) -> Vec<u8> {
    (1..=7).filter(|day| weekdays & (1 << (day - 1)) != 0).collect()
}

/// The weekdays on which a store opens from a day on.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpeningDaysChange {
    pub from: BusinessDay,
    /// Monday is 1, Sunday 7.
    pub weekdays: Vec<u8>,
    pub revision: i64,
    pub updated_at: Timestamp,
}

impl From<&Kept> for OpeningDaysChange {
    fn from(kept: &Kept) -> Self {
        Self {
            from: kept.from_date,
            weekdays: listed(kept.change().weekdays),
            revision: kept.revision,
            updated_at: kept.updated_at,
        }
    }
}

/// A store's opening days.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreOpeningDays {
    pub store_id: String,
    /// The weekdays in force today; every day without a change. Monday is 1, Sunday 7.
    pub weekdays: Vec<u8>,
    /// By day. Before the first the store opens every day.
    pub changes: Vec<OpeningDaysChange>,
    /// The weekdays the store seems to open on: it sold nothing on the others for eight weeks. Null if they are those
    /// set.
    pub proposed: Option<Vec<u8>>,
}

/// The opening days of all accessible stores.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpeningDaysOfStores {
    pub items: Vec<StoreOpeningDays>,
}

/// Query parameters: the store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OpeningDaysQuery {
    /// All accessible stores if omitted.
    pub store_id: Option<String>,
}
