//! Held counts.

use larder_domain::BusinessDay;
use larder_domain::count::{Outcome, Session};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::batch::CurrentCount;
use super::entries::CountEvent;

/// Query parameters of held counts.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct HeldQuery {
    /// This store only.
    pub store_id: Option<String>,
    /// Page number, from 1.
    pub page: Option<i64>,
    /// Page size, up to 500.
    pub page_size: Option<i64>,
}

/// A page of held counts, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldCounts {
    pub items: Vec<HeldCount>,
    /// Number on all pages.
    pub total: i64,
}

/// A held count.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldCount {
    pub store_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_name: Option<String>,
    /// Business day.
    pub date: BusinessDay,
    /// Session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    pub item_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_name: Option<String>,
    /// Unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// The held save.
    #[serde(flatten)]
    pub event: CountEvent,
    /// Current count.
    pub current: Option<CurrentCount>,
}

/// The held counts to decide.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DecideCounts {
    /// Ids of the saves: 1 to 500.
    #[serde(default)]
    pub ops: Vec<String>,
    /// Reason, up to 500 characters.
    pub reason: Option<String>,
}

/// The decisions.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedCounts {
    /// One per save, in order.
    pub results: Vec<DecidedCount>,
}

/// The decision on a save.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedCount {
    /// Id of the save.
    pub op: String,
    /// Result; null if there is no such save.
    pub outcome: Option<Outcome>,
    /// Current count.
    pub current: Option<CurrentCount>,
}
