//! Names that stand for nothing known yet, and what they are decided to stand for.

use larder_domain::{BusinessDay, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use larder_ledgers::sales_names::{ItemSuggestion, StoreSuggestion};

/// Names of a file that stand for nothing known yet.
#[derive(Debug, Serialize, ToSchema)]
pub struct Unknowns {
    /// Store names; they must be resolved before posting.
    pub stores: Vec<UnknownStore>,
    /// Item names; they may stay unmapped.
    pub items: Vec<UnknownItem>,
}

/// A store name of a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownStore {
    pub name: String,
    /// Its code, where the file has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Lines under it.
    pub lines: i64,
    /// Net amount under it.
    pub net: Money,
    /// The first business date.
    pub first: BusinessDay,
    /// The last business date.
    pub last: BusinessDay,
    /// The store it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<StoreSuggestion>,
}

/// An item of a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownItem {
    /// The form it is recognised by.
    pub key: String,
    pub name: String,
    /// Its code, where the file has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    pub lines: i64,
    pub qty: Qty,
    /// The POS item it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<ItemSuggestion>,
}

/// What names stand for, as decided.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveRequest {
    /// Store names.
    #[serde(default)]
    pub stores: Vec<ResolveStore>,
    #[serde(default)]
    pub items: Vec<ResolveItem>,
}

/// What a store name stands for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveStore {
    /// The name in the file.
    pub name: String,
    /// A store there is.
    #[serde(default)]
    pub store_id: Option<String>,
    /// A new store of this name.
    #[serde(default)]
    pub create: bool,
}

/// What an item stands for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveItem {
    /// The item's key.
    pub key: String,
    /// A POS item there is.
    #[serde(default)]
    pub pos_item_id: Option<String>,
    /// A new POS item of this name.
    #[serde(default)]
    pub create: bool,
}

/// Which posted names are mapped now, and by which job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MapStarted {
    /// The job that maps what was posted.
    pub job_id: String,
}

/// Posted items that no POS item is known for.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnmappedItems {
    /// The items, most sold first.
    pub items: Vec<UnmappedItem>,
    /// How many there are.
    pub total: i64,
    /// «{n} items are not mapped.»
    pub message: String,
}

/// A posted item that no POS item is known for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnmappedItem {
    /// The form it is recognised by.
    pub key: String,
    pub name: String,
    /// Its code, where the file has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    pub lines: i64,
    pub qty: Qty,
    pub net: Money,
    /// The POS item it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<ItemSuggestion>,
}
