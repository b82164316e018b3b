//! Unknown names and how they are resolved.

use larder_domain::{BusinessDay, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use larder_ledgers::sales_names::{ItemSuggestion, StoreSuggestion};

/// Unknown names of a file.
#[derive(Debug, Serialize, ToSchema)]
pub struct Unknowns {
    /// Store names; must be resolved before posting.
    pub stores: Vec<UnknownStore>,
    /// Item names; may stay unmapped.
    pub items: Vec<UnknownItem>,
}

/// An unknown store name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownStore {
    pub name: String,
    /// Code, if the file has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Number of lines.
    pub lines: i64,
    /// Net amount.
    pub net: Money,
    /// First business date.
    pub first: BusinessDay,
    /// Last business date.
    pub last: BusinessDay,
    /// The store whose code the name is: a name beside that code in the file, or a known store. Such a name is hardly a
    /// store of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code_of: Option<String>,
    /// Suggested store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<StoreSuggestion>,
}

/// An unknown item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownItem {
    /// Its normalized key.
    pub key: String,
    pub name: String,
    /// Code, if the file has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    pub lines: i64,
    pub qty: Qty,
    /// Suggested POS item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<ItemSuggestion>,
}

/// Resolutions of names.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveRequest {
    #[serde(default)]
    pub stores: Vec<ResolveStore>,
    #[serde(default)]
    pub items: Vec<ResolveItem>,
}

/// Resolution of a store name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveStore {
    /// The name in the file.
    pub name: String,
    /// An existing store.
    #[serde(default)]
    pub store_id: Option<String>,
    /// Create a store with this name.
    #[serde(default)]
    pub create: bool,
}

/// Resolution of an item.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveItem {
    /// Key of the item.
    pub key: String,
    /// An existing POS item.
    #[serde(default)]
    pub pos_item_id: Option<String>,
    /// Create a POS item with this name.
    #[serde(default)]
    pub create: bool,
}

/// The mapped names and the job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MapStarted {
    /// The job that maps posted lines.
    pub job_id: String,
}

/// Posted items without a POS item.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnmappedItems {
    /// Most sold first.
    pub items: Vec<UnmappedItem>,
    /// Number on all pages.
    pub total: i64,
    /// «{n} items are not mapped.»
    pub message: String,
}

/// A posted item without a POS item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnmappedItem {
    /// Its normalized key.
    pub key: String,
    pub name: String,
    /// Code, if the file has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    pub lines: i64,
    pub qty: Qty,
    pub net: Money,
    /// Suggested POS item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<ItemSuggestion>,
}
