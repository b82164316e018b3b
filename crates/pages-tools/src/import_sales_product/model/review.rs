//! Posted data: days by store, and tills.

use larder_domain::{BusinessDay, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Query parameters: range and stores.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct RangeQuery {
    /// The first day.
    #[param(value_type = Option<String>)]
    pub from: Option<BusinessDay>,
    /// The last day.
    #[param(value_type = Option<String>)]
    pub to: Option<BusinessDay>,
    /// Comma-separated store ids; all accessible stores if omitted.
    pub store_ids: Option<String>,
}

/// Days with sales, by store.
#[derive(Debug, Serialize, ToSchema)]
pub struct Coverage {
    pub days: Vec<BusinessDay>,
    pub stores: Vec<StoreCoverage>,
}

/// A store's days.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoreCoverage {
    pub id: String,
    pub name: String,
    /// One cell per day.
    pub cells: Vec<CoverageCell>,
}

/// One store-day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoverageCell {
    pub day: BusinessDay,
    /// Coverage.
    pub state: CoverageState,
    pub net: Money,
    pub lines: i64,
    /// The batch it was posted with.
    pub batch_id: Option<String>,
}

/// Coverage of a store-day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CoverageState {
    None,
    /// Some of its items are unmapped.
    Partial,
    /// Complete.
    Posted,
}

/// Sales by till.
#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalSummary {
    /// One row per store and till.
    pub items: Vec<TerminalRow>,
}

/// A till's sales.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TerminalRow {
    pub store_id: String,
    pub store_name: String,
    /// The till; empty if the file has none.
    pub terminal_id: String,
    /// Whether the store has this till.
    pub known: bool,
    /// «Unknown terminal {id}.»
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Number of days with sales.
    pub days: i64,
    pub receipts: i64,
    pub lines: i64,
    pub qty: Qty,
    pub net: Money,
    /// Discounts from receipt data; null if the file only has lines.
    pub discounts: Option<Money>,
    /// VAT.
    pub vat: Option<Money>,
    pub service_charge: Option<Money>,
    /// Number of guests.
    pub pax: Option<i64>,
    /// The first day.
    pub first: BusinessDay,
    /// The last day.
    pub last: BusinessDay,
}
