//! The store ledger: requests and responses.

use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::kind::{EntryKind, Stage};

/// Query parameters of the store ledger.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct BookQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
    /// Comma-separated entry types, as `EntryKind` names them; all visible ones if omitted.
    pub kinds: Option<String>,
    /// `open`: needs action; `done`; `cancelled`.
    pub stage: Option<String>,
    /// A state of its type.
    pub state: Option<String>,
    /// First business date.
    #[param(value_type = Option<String>, format = Date)]
    pub from: Option<String>,
    /// Last business date.
    #[param(value_type = Option<String>, format = Date)]
    pub to: Option<String>,
    /// Part of a document number.
    pub q: Option<String>,
    /// Account that created or last changed it.
    pub person: Option<String>,
    /// `next` of the previous page.
    pub after: Option<String>,
    /// Page size, at most 200; default 100.
    pub limit: Option<i64>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// An entry of the store ledger.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookEntry {
    pub kind: EntryKind,
    /// Document id; for a count its session or `day`, for a sales day its source, for an adjustment the
    /// product or root item.
    pub id: String,
    /// Unique key.
    pub key: String,
    /// Document number, or a Z-reading's counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Business date.
    pub date: BusinessDay,
    /// A state of its type.
    pub state: String,
    pub stage: Stage,
    /// Type of the counterparty: `store`, `commissary`, `warehouse`, `supplier`, `delivery` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_id: Option<String>,
    /// Whether the store is the sender.
    pub sent: bool,
    /// Subject of an entry without a number: an item, a till.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Number of lines, counted items or receipts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<i64>,
    /// Value or net sales.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// When it was last changed.
    pub at: Timestamp,
    /// Who last changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<BookPerson>,
}

/// A person in the store ledger.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookPerson {
    pub uid: String,
    pub name: String,
}

/// A page of the store ledger.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookPage {
    /// Newest business date first.
    pub items: Vec<BookEntry>,
    /// Pass as `after` for the next page; omitted on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The types the caller may see.
    pub kinds: Vec<EntryKind>,
}

/// Query parameters: the product.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct RootsQuery {
    #[param(value_type = String, required = true)]
    pub product_id: Option<String>,
}

/// A root item in a product.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookRoot {
    pub id: String,
    pub name: String,
}
