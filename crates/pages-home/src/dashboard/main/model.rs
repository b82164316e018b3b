//! Home on the wire.

use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::waiting::Waiting;
use larder_ledgers::count_days::ComplianceState;

/// The whole page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Home {
    /// When the figures were read.
    pub at: Timestamp,
    /// The business date.
    pub today: BusinessDay,
    /// What they may see, in their order; those put away are there, too, without figures.
    pub tiles: Vec<HomeTile>,
    /// Whether they arranged it themselves.
    pub arranged: bool,
    /// What changed since they were last here; nothing on the first visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<SinceLast>,
}

/// A tile: what stands in it is one of three things, or why it could not be read.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HomeTile {
    pub name: &'static str,
    pub title: &'static str,
    /// Whether they put it away.
    pub hidden: bool,
    /// That it could not be read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sales: Option<HomeSales>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stores: Option<StoresOfDay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Waiting>,
}

/// Sales of a day and its week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HomeSales {
    /// The last day that sales are known of, at most today.
    pub day: BusinessDay,
    /// Whether that is today.
    pub is_today: bool,
    /// Net sales of the day.
    pub net: Money,
    /// The same weekday a week before, until the same time of day where that is known; nothing where nothing is.
    pub before: Option<Money>,
    /// The time of day until which both are told, `14:35`; nothing where whole days are compared.
    pub until: Option<String>,
    /// Stores compared by whole days, because their sales have no times.
    pub whole_days: i64,
    /// Stores that have sales of the day.
    pub stores: i64,
    /// Stores that are open.
    pub of: i64,
    /// Monday of the week.
    pub week_from: BusinessDay,
    /// Net sales from Monday to the day.
    pub week: Money,
    /// The same days of the week before.
    pub week_before: Option<Money>,
    /// Net sales of the last two weeks, day by day, the day last.
    pub days: Vec<Money>,
    /// When the last of them came.
    pub up_to: Option<Timestamp>,
}

/// The stores of a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoresOfDay {
    pub day: BusinessDay,
    /// Whether sales are told.
    pub with_sales: bool,
    /// Whether counts are told.
    pub with_counts: bool,
    /// Stores without sales of the day.
    pub sales_missing: i64,
    /// Stores where a count is missing or in part.
    pub counts_missing: i64,
    /// By name.
    pub stores: Vec<StoreOfDay>,
}

/// A store's day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreOfDay {
    pub id: String,
    pub name: String,
    pub code: Option<String>,
    /// Net sales; nothing where none came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<Money>,
    /// The same weekday a week before, compared as the sum is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Money>,
    /// What became of the day's counts, the worst of them; nothing where none was due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<ComplianceState>,
}

/// What changed since somebody was last here.
#[derive(Debug, Serialize, ToSchema)]
pub struct SinceLast {
    /// When that was.
    pub at: Timestamp,
    /// What changed, the most telling first.
    pub items: Vec<SinceItem>,
}

/// One thing that changed, or several of a kind.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SinceItem {
    /// What, in words: «3 new orders».
    pub text: String,
    /// How many.
    pub count: i64,
    /// Where they are.
    pub href: String,
    /// `good`, `bad` or `plain`.
    pub tone: &'static str,
}

/// How somebody arranges the page.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HomeArrangement {
    /// Names of tiles in their order; nothing goes back to the usual order.
    pub tiles: Vec<String>,
    /// Names of those put away.
    pub hidden: Vec<String>,
}
