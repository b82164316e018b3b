//! Prices of root items: requests and responses.

use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::prices::{Kept, START};
use larder_platform::audit::Editor;
use larder_platform::http::text::{has_unseen, said};
use larder_platform::http::{ApiError, ApiResult};

/// Maximum length of a reason, in characters.
const MAX_REASON: usize = 500;

/// A price to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RootItemPriceDraft {
    /// Of a unit; null if it has no price from that day on.
    #[serde(deserialize_with = "Option::deserialize")]
    pub price: Option<Money>,
    /// The revision it changes; null for a new day.
    #[serde(default)]
    pub revision: Option<i64>,
    /// Confirms a change of past days: the weekly snapshots of these days are made again.
    #[serde(default)]
    pub recompute: bool,
    /// Why past days change. Required with `recompute`.
    #[serde(default)]
    pub reason: Option<String>,
}

/// How a change of past days was confirmed.
#[derive(Debug, Clone, Copy)]
pub struct PastChange<'a> {
    /// Whether the snapshots of these days are to be made again.
    pub recompute: bool,
    /// Why they change.
    pub reason: Option<&'a str>,
}

impl<'a> PastChange<'a> {
    /// From the members of a request.
    ///
    /// # Errors
    /// A field error if the reason is too long or has invisible characters.
    pub fn read(recompute: bool, reason: Option<&'a str>) -> ApiResult<Self> {
        let reason = said(reason);
        match reason {
            Some(reason) if reason.chars().count() > MAX_REASON || has_unseen(reason) => {
                let words = format!("Use one line of at most {MAX_REASON} characters.");
                Err(ApiError::field("reason", words))
            }
            _ => Ok(Self { recompute, reason }),
        }
    }
}

/// Query parameters of a removal.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RemovedPrice {
    /// The revision that is removed.
    pub revision: i64,
    /// Confirms a change of past days: the weekly snapshots of these days are made again.
    #[serde(default)]
    pub recompute: bool,
    /// Why past days change. Required with `recompute`.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A price of a root item.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RootItemPrice {
    /// The first day it holds for.
    pub from: BusinessDay,
    /// Whether it holds for all days before the next one; `from` is 1970-01-01 then.
    pub from_start: bool,
    /// Of a unit; null if it has no price from then on.
    pub price: Option<Money>,
    /// `start` (before prices were kept), `set`, `import` or `receipt`.
    pub source: String,
    /// The receipt that proposed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_no: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub revision: i64,
    pub updated_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<Editor>,
}

impl From<Kept> for RootItemPrice {
    fn from(kept: Kept) -> Self {
        Self {
            from: kept.from_date,
            from_start: kept.from_date == START,
            price: kept.price,
            source: kept.source,
            receipt_id: kept.receipt_id,
            receipt_no: kept.receipt_no,
            reason: kept.reason,
            revision: kept.revision,
            updated_at: kept.updated_at,
            updated_by: kept.updated_by.map(|by| by.0),
        }
    }
}

/// The prices of a root item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RootItemPrices {
    /// Newest first.
    pub items: Vec<RootItemPrice>,
    /// Mondays of the weekly snapshots that this change has made again.
    pub weeks: Vec<BusinessDay>,
}

/// From which day on weekly snapshots are made again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecomputePrices {
    pub from: BusinessDay,
}

/// The weekly snapshots that are made again.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecomputedPrices {
    /// Their Mondays.
    pub weeks: Vec<BusinessDay>,
    /// Mondays of the frozen weeks since that day, which stay as they are.
    pub frozen_weeks: Vec<BusinessDay>,
}
