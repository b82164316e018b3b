//! Wire shapes of a store's book.

use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::kind::{EntryKind, Stage};

/// What of a store's book is asked for.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct BookQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
    /// Kinds of entries, with commas between them: `order`, `delivery`, `receipt`, `transfer`, `waste`, `adjustment`,
    /// `count`, `salesDay`, `zReading`; all that may be seen when absent.
    pub kinds: Option<String>,
    /// `open`: somebody has something to do yet; `done`; `cancelled`.
    pub stage: Option<String>,
    /// In this state of its kind.
    pub state: Option<String>,
    /// Of this business date or later.
    #[param(value_type = Option<String>, format = Date)]
    pub from: Option<String>,
    /// Of this business date or earlier.
    #[param(value_type = Option<String>, format = Date)]
    pub to: Option<String>,
    /// Part of a document's number.
    pub q: Option<String>,
    /// Made or changed last by this account.
    pub person: Option<String>,
    /// What `next` of the page before said.
    pub after: Option<String>,
    /// At most 200, usually 100.
    pub limit: Option<i64>,
    /// Of a file: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// An entry of a store's book.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookEntry {
    pub kind: EntryKind,
    /// The document; of a count its session or `day`, of a sales day its source, of an adjustment the product or root
    /// item that was adjusted.
    pub id: String,
    /// What tells it from all others.
    pub key: String,
    /// A document's number, a Z-reading's counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The business date it is for.
    pub date: BusinessDay,
    /// A state of its kind.
    pub state: String,
    pub stage: Stage,
    /// What kind of place is at the other end: `store`, `commissary`, `warehouse`, `supplier`, `delivery` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_id: Option<String>,
    /// Whether the store sent it instead of getting it.
    pub sent: bool,
    /// What it is about, where it has no number: an item, a till.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Lines, counted items, receipts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<i64>,
    /// What it is worth, net sales.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// When it was changed last.
    pub at: Timestamp,
    /// Who changed it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<BookPerson>,
}

/// Somebody in a store's book.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookPerson {
    pub uid: String,
    pub name: String,
}

/// A page of a store's book.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookPage {
    /// The newest business date first.
    pub items: Vec<BookEntry>,
    /// Say it as `after` for what follows; missing on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The kinds that whoever asks may see.
    pub kinds: Vec<EntryKind>,
}

/// Of which product.
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
