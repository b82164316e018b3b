//! What is posted: days per store, and tills.

use larder_domain::{BusinessDay, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Which days and stores.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct RangeQuery {
    /// The first day.
    #[param(value_type = Option<String>)]
    pub from: Option<BusinessDay>,
    /// The last day.
    #[param(value_type = Option<String>)]
    pub to: Option<BusinessDay>,
    /// Stores, separated by commas; all within reach if absent.
    pub store_ids: Option<String>,
}

/// Which days have sales, store by store.
#[derive(Debug, Serialize, ToSchema)]
pub struct Coverage {
    pub days: Vec<BusinessDay>,
    pub stores: Vec<StoreCoverage>,
}

/// One store's days.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoreCoverage {
    /// The store's id.
    pub id: String,
    pub name: String,
    /// A cell a day.
    pub cells: Vec<CoverageCell>,
}

/// One store-day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoverageCell {
    pub day: BusinessDay,
    /// What there is.
    pub state: CoverageState,
    pub net: Money,
    pub lines: i64,
    /// The batch it came with.
    pub batch_id: Option<String>,
}

/// Whether a store-day has sales.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CoverageState {
    None,
    /// Some of its items are not mapped.
    Partial,
    /// All of it.
    Posted,
}

/// What a store's tills sold.
#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalSummary {
    /// A row a store and till.
    pub items: Vec<TerminalRow>,
}

/// What one till sold.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TerminalRow {
    pub store_id: String,
    pub store_name: String,
    /// The till; empty when the file named none.
    pub terminal_id: String,
    /// Whether the store has this till.
    pub known: bool,
    /// «Unknown terminal {id}.»
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Days with sales.
    pub days: i64,
    pub receipts: i64,
    pub lines: i64,
    pub qty: Qty,
    pub net: Money,
    /// What was taken off, by what its receipts say; nothing where the file has lines only.
    pub discounts: Option<Money>,
    /// VAT.
    pub vat: Option<Money>,
    pub service_charge: Option<Money>,
    /// How many people ate.
    pub pax: Option<i64>,
    /// The first day.
    pub first: BusinessDay,
    /// The last day.
    pub last: BusinessDay,
}
