//! What waits for a decision.

use larder_domain::BusinessDay;
use larder_domain::count::{Outcome, Session};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::batch::CurrentCount;
use super::entries::CountEvent;

/// Which held counts.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct HeldQuery {
    /// Only of this store.
    pub store_id: Option<String>,
    /// The page, from one.
    pub page: Option<i64>,
    /// Rows a page, up to 500.
    pub page_size: Option<i64>,
}

/// A page of held counts, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldCounts {
    /// The counts.
    pub items: Vec<HeldCount>,
    /// How many there are without paging.
    pub total: i64,
}

/// A count that somebody has to decide about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldCount {
    pub store_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_name: Option<String>,
    /// The day it belongs to.
    pub date: BusinessDay,
    /// Which count of the day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    pub item_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_name: Option<String>,
    /// The unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// What is held.
    #[serde(flatten)]
    pub event: CountEvent,
    /// What stands.
    pub current: Option<CurrentCount>,
}

/// What shall be decided.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DecideCounts {
    /// The saves: 1 to 500.
    #[serde(default)]
    pub ops: Vec<String>,
    /// Why, up to 500 characters.
    pub reason: Option<String>,
}

/// What was decided.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedCounts {
    /// One for each save, in their order.
    pub results: Vec<DecidedCount>,
}

/// What became of a save.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedCount {
    /// The save.
    pub op: String,
    /// What became of it; null where there is no such save.
    pub outcome: Option<Outcome>,
    /// What stands now.
    pub current: Option<CurrentCount>,
}
