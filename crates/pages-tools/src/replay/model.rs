//! Wire shapes of replays.

use larder_domain::{BusinessDay, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::policies::Asked;

/// How long a run would take.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayEstimate {
    /// On this machine, by a few root items that were tried.
    pub seconds: f64,
    /// Root items in stores.
    pub series: i64,
    /// Of the root items of the busiest store, how many can be played.
    pub playable: i64,
    /// And how many cannot: nothing says how they are ordered, or what was really ordered is compared and they were not
    /// counted before the first day.
    pub left_out: i64,
    /// Days that are played.
    pub days: i32,
    pub from: BusinessDay,
    pub to: BusinessDay,
}

/// How a policy did.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedPolicy {
    #[serde(flatten)]
    pub policy: Asked,
    /// The share of demand that was served, by what it had cost; null where nothing was asked for.
    pub fill_rate: Option<f64>,
    /// Days on which something was missing, summed over root items and stores.
    pub out_days: i64,
    /// Stock at the end of a day on average.
    pub average_stock_amount: Money,
    /// What was thrown away at the end of its shelf life.
    pub waste_amount: Money,
    /// What was asked for and not there.
    pub lost_amount: Money,
    /// The part of the demand that is estimated, since the shelf was really empty.
    pub estimated_amount: Money,
    pub orders: i64,
    /// Days, summed over root items and stores.
    pub days: i64,
}

/// How a policy did in a store.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedStore {
    pub store_id: String,
    /// Its place among the policies.
    pub policy: usize,
    pub fill_rate: Option<f64>,
    pub out_days: i64,
    pub average_stock_amount: Money,
    pub lost_amount: Money,
    pub orders: i64,
}

/// What a replay came to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayResult {
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// How many stores are played so far.
    pub stores: usize,
    /// How many root items.
    pub items: usize,
    /// Root items in stores.
    pub series: i64,
    /// Root items in stores that could not be played.
    pub left_out: i64,
    /// Root items in stores of which nobody knows what lay there at first.
    pub estimated_openings: i64,
    /// Root items in stores without a price, which no amount tells of.
    pub unpriced: i64,
    pub policies: Vec<ReplayedPolicy>,
    pub by_store: Vec<ReplayedStore>,
    /// The root items that were played, by store.
    pub root_items: Vec<ReplayedItems>,
    /// Whether a policy would have done better than what was really ordered, in a sentence; null where that was not asked.
    pub verdict: Option<String>,
}

/// The root items of a store that were played.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedItems {
    pub store_id: String,
    pub root_item_ids: Vec<String>,
}

/// Whose days are asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct PathQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
    #[param(value_type = String, required = true)]
    pub root_item_id: Option<String>,
}

/// The days of a policy.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedDays {
    pub name: String,
    /// Stock at the end of each day.
    pub stock: Vec<f64>,
    /// What was ordered on each day.
    pub ordered: Vec<f64>,
    /// What was not there of what was asked for.
    pub lost: Vec<f64>,
}

/// The days of one root item in one store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayPath {
    pub dates: Vec<BusinessDay>,
    /// What was asked for, the estimated part with it.
    pub demand: Vec<f64>,
    /// The estimated part: the shelf was really empty.
    pub lost: Vec<f64>,
    pub policies: Vec<ReplayedDays>,
    /// The unit of the root item, where it is known.
    pub unit: Option<String>,
}

/// Which policy becomes the setting.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChoosePolicy {
    /// Its place among the policies.
    pub policy: usize,
    /// For this store; for all where nothing is said.
    pub store_id: Option<String>,
}

/// The setting that a policy became.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChosenRule {
    pub id: String,
    pub store_id: Option<String>,
    pub service_level: Option<Qty>,
    pub review_days: Option<i64>,
    pub lead_days: Option<i64>,
    pub method: Option<String>,
    pub revision: i64,
}
