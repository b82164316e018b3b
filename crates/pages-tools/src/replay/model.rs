//! Replays: requests and responses.

use larder_domain::{BusinessDay, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::policies::ReplayPolicy;

/// Estimated duration of a run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayEstimate {
    /// On this machine, from timing a few root items.
    pub seconds: f64,
    /// Pairs of root item and store.
    pub series: i64,
    /// Number of the busiest store's root items that can be replayed.
    pub playable: i64,
    /// Number that cannot: they have no order parameters, or, when compared with actual orders, were not
    /// counted before the first day.
    pub left_out: i64,
    /// Number of days replayed.
    pub days: i32,
    pub from: BusinessDay,
    pub to: BusinessDay,
}

/// Results of a policy.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedPolicy {
    #[serde(flatten)]
    pub policy: ReplayPolicy,
    /// Share of demand served, by cost; null without demand.
    pub fill_rate: Option<f64>,
    /// Days with a shortage, summed over root items and stores.
    pub out_days: i64,
    /// Average closing stock.
    pub average_stock_amount: Money,
    /// Waste at the end of shelf life.
    pub waste_amount: Money,
    /// Unserved demand.
    pub lost_amount: Money,
    /// The estimated part of demand, on days actually out of stock.
    pub estimated_amount: Money,
    pub orders: i64,
    /// Days on which a store orders anything, summed over stores.
    pub order_days: i64,
    /// Days, summed over root items and stores.
    pub days: i64,
    /// It beside the actual orders, as a sentence; null if not compared.
    pub compared: Option<String>,
}

/// Results of a policy in a store.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedStore {
    pub store_id: String,
    /// Index of the policy.
    pub policy: usize,
    pub fill_rate: Option<f64>,
    pub out_days: i64,
    pub average_stock_amount: Money,
    pub lost_amount: Money,
    pub orders: i64,
}

/// Results of a replay.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayResult {
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// Number of stores completed.
    pub stores: usize,
    /// Number of root items.
    pub items: usize,
    /// Pairs of root item and store.
    pub series: i64,
    /// Pairs of root item and store that could not be replayed.
    pub left_out: i64,
    /// Days with known sales, summed over root items and stores: those that can be out of stock.
    pub item_days: i64,
    /// Pairs of root item and store with an estimated opening stock.
    pub estimated_openings: i64,
    /// Pairs of root item and store without a price, missing from all amounts.
    pub unpriced: i64,
    pub policies: Vec<ReplayedPolicy>,
    pub by_store: Vec<ReplayedStore>,
    /// Root items replayed, by store.
    pub root_items: Vec<ReplayedItems>,
    /// Whether a policy would have done better than the actual orders, as a sentence; null if not compared.
    pub verdict: Option<String>,
    /// The policy that did best beside the actual orders, and what was left out and why; null if there is nothing to
    /// say.
    pub conclusion: Option<String>,
}

/// The root items of a store that were replayed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedItems {
    pub store_id: String,
    pub root_item_ids: Vec<String>,
}

/// Query parameters: store and root item.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct PathQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
    #[param(value_type = String, required = true)]
    pub root_item_id: Option<String>,
}

/// The days under a policy.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedDays {
    pub name: String,
    /// Closing stock per day.
    pub stock: Vec<f64>,
    /// Ordered per day.
    pub ordered: Vec<f64>,
    /// Unserved demand per day.
    pub lost: Vec<f64>,
}

/// The days of one root item in one store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayPath {
    pub dates: Vec<BusinessDay>,
    /// Demand, including the estimated part.
    pub demand: Vec<f64>,
    /// The estimated part, on days actually out of stock.
    pub lost: Vec<f64>,
    pub policies: Vec<ReplayedDays>,
    /// Unit of the root item, if known.
    pub unit: Option<String>,
}

/// The policy to apply.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChoosePolicy {
    /// Index of the policy.
    pub policy: usize,
    /// This store; all if omitted.
    pub store_id: Option<String>,
}

/// The planning rule that was set.
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
