//! Home: requests and responses.

use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::tasks::{Task, TaskSummary};
use larder_ledgers::count_days::ComplianceState;

/// The page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Home {
    /// When the figures were read.
    pub at: Timestamp,
    /// The business date.
    pub today: BusinessDay,
    /// The tiles the user may see, in order; hidden tiles are included without figures.
    pub tiles: Vec<HomeTile>,
    /// Whether the user arranged the tiles.
    pub arranged: bool,
    /// Changes since the last visit; null on the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<SinceLast>,
}

/// A tile with one of three contents, or an error flag.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HomeTile {
    pub name: &'static str,
    pub title: &'static str,
    /// Whether the user hid it.
    pub hidden: bool,
    /// Whether loading it failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sales: Option<HomeSales>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stores: Option<StoresOfDay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<TaskSummary>,
}

/// Query parameters: the tile.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WaitingQuery {
    /// Name of the tile: `papers`.
    pub of: String,
}

/// All items of a tile.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingList {
    /// Title of the tile.
    pub title: &'static str,
    /// A short note beside the figure; may be empty.
    pub words: String,
    /// What the tile counts; more than `items` only past ten thousand.
    pub total: i64,
    pub items: Vec<Task>,
}

/// Sales of a day and its week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HomeSales {
    /// The last day with sales, at most today.
    pub day: BusinessDay,
    pub is_today: bool,
    /// Net sales of the day.
    pub net: Money,
    /// Net sales of the stores compared. A store is left out if its sales of the day or of the same weekday last week
    /// are missing; if it was closed, they are zero.
    pub net_compared: Money,
    /// Their net sales of the same weekday last week, up to the same time of day if known; null if there are none.
    pub before: Option<Money>,
    /// Number of stores compared.
    pub stores_compared: i64,
    /// Number of stores left out.
    pub stores_left_out: i64,
    /// The time of day both are compared up to, `14:35`; null if whole days are compared.
    pub until: Option<String>,
    /// Number of stores compared by whole days because their sales have no times.
    pub whole_days: i64,
    /// Number of stores with sales on the day.
    pub stores: i64,
    /// Number of stores that are open on the day.
    pub of: i64,
    /// Monday of the week.
    pub week_from: BusinessDay,
    /// Net sales from Monday to the day.
    pub week: Money,
    /// Net sales on the store-days compared: those that last week has too, as for the day.
    pub week_compared: Money,
    /// Net sales of the same store-days last week; null if there are none.
    pub week_before: Option<Money>,
    /// Number of store-days compared.
    pub week_days: i64,
    /// Number of store-days left out.
    pub week_left_out: i64,
    /// Daily net sales of the last two weeks, oldest first.
    pub days: Vec<Money>,
    /// When sales last changed.
    pub up_to: Option<Timestamp>,
}

/// The stores of a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoresOfDay {
    pub day: BusinessDay,
    /// Whether sales are included.
    pub with_sales: bool,
    /// Whether counts are included.
    pub with_counts: bool,
    /// Number of stores of which sales are expected: those open on the day.
    pub sales_due: i64,
    /// Of these, without sales.
    pub sales_missing: i64,
    /// Whether missing sales are late: they are due by noon of the next day.
    pub sales_late: bool,
    /// The page of the day by store, if the user may open one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Number of stores with a count due, its time over or not.
    pub counts_due: i64,
    /// Of these, with a missing or partial count.
    pub counts_missing: i64,
    /// Sorted by name.
    pub stores: Vec<StoreOfDay>,
}

/// A store's day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreOfDay {
    pub id: String,
    pub name: String,
    pub code: Option<String>,
    /// Whether the store is closed on the day.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    /// Net sales; null if there are none yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<Money>,
    /// Net sales of the same weekday last week, compared like the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Money>,
    /// State of the day's counts, the worst of them; null if none was due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<ComplianceState>,
    /// The page of the store's day, if the user may open one: where something is missing, the page to add it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
}

/// Changes since the user's last visit.
#[derive(Debug, Serialize, ToSchema)]
pub struct SinceLast {
    /// When the last visit ended.
    pub at: Timestamp,
    /// Changes, most important first.
    pub items: Vec<SinceItem>,
}

/// Changes of a type, or new tasks of a type.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SinceItem {
    /// Text, for example «3 new orders» or «Counts missing: 2».
    pub text: String,
    /// How many. Of more than 2,000 changes the newest are looked at; then the text has a plus sign.
    pub count: i64,
    /// Link to them.
    pub href: String,
    /// `good`, `bad` or `plain`.
    pub tone: &'static str,
}

/// The user's arrangement of the page.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HomeArrangement {
    /// Names of tiles in order; empty restores the default order.
    pub tiles: Vec<String>,
    /// Names of hidden tiles.
    pub hidden: Vec<String>,
}
