//! The derivation of a figure: requests and responses.

use larder_domain::count::Session;
use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::stores::inventory::model::is_whole;

/// Query parameters of a derivation.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LedgerQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
    /// The item; this or `rootItemId`.
    pub item_id: Option<String>,
    /// The root item; this or `itemId`.
    pub root_item_id: Option<String>,
    /// Up to the end of this business date; defaults to today.
    #[param(format = Date)]
    pub date: Option<String>,
    /// First business date, at most 400 days back; defaults to that of the count before the last one, or 28
    /// days back.
    #[param(format = Date)]
    pub from: Option<String>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// A root item that an item maps to.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerRoot {
    /// Root item id.
    pub id: String,
    pub name: String,
    /// Root units per unit of the item.
    pub factor: Factor,
}

/// The subject of a derivation.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerItem {
    /// Id of the item or root item.
    pub id: String,
    pub name: String,
    /// Short code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// The root items it maps to; for a root item, itself.
    pub roots: Vec<LedgerRoot>,
    /// Other items that share these root items, or the items mapped to the root item.
    pub beside: Vec<String>,
}

/// A document line's movement, in full even if only a share belongs to this item.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerMovement {
    /// Sequence number of the movement, ascending.
    pub seq: i64,
    /// Type of the posting document, such as `delivery`; `adjustment` for an entered quantity.
    pub kind: String,
    /// Document id.
    pub document_id: String,
    /// The root item moved.
    pub root_item_id: String,
    /// The product moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_name: Option<String>,
    /// Total units; negative for outgoing.
    pub qty: Qty,
    /// The same in root units.
    pub root_qty: Qty,
    /// When it was posted.
    pub at: Timestamp,
    /// When it happened, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub happened_at: Option<Timestamp>,
    /// Number of the day's counts that do not include it: it comes after them.
    pub after_counts: usize,
    /// Who posted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Reason, if given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Sequence number of the movement it reverses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverses: Option<i64>,
}

/// Use of a root item by a day's sales, from bills of materials, in full.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerSales {
    pub root_item_id: String,
    /// Total units.
    pub qty: Qty,
    /// The same in root units.
    pub root_qty: Qty,
    /// Quantity sold of POS items that use it.
    pub sold: Qty,
    /// Number of those POS items.
    pub pos_items: usize,
}

/// A count and its result.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerCount {
    /// Item id.
    pub item_id: String,
    pub item_name: String,
    /// Session, if the day has sessions.
    #[serde(skip_serializing_if = "is_whole")]
    pub session: Session,
    /// Whether movements and sales of its day without a time come after it; otherwise before it.
    pub before: bool,
    /// Net movements of its day until then, since the item's count before it on that day; its share if it shares a root
    /// item.
    pub moved: Qty,
    /// Use by sales, likewise.
    pub used: Qty,
    pub qty: Qty,
    /// When it was taken.
    pub at: Timestamp,
    /// Who counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Expected then, from the previous count; null if there is none.
    pub expected: Option<Qty>,
    /// Counted less expected.
    pub variance: Option<Qty>,
    /// Number of lines that came or left so close to it that only a person can say if they were counted, and nobody did.
    pub close: usize,
}

/// A business day with movements, sales or counts.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerDay {
    pub date: BusinessDay,
    /// Net movements of this item; its share if it shares a root item.
    pub moved: Qty,
    /// Net movements in total.
    pub moved_in_all: Qty,
    /// Use of this item by sales; its share if it shares a root item.
    pub used: Qty,
    /// Use in total.
    pub used_in_all: Qty,
    /// Movements in the order they happened: those that a count includes come before it.
    pub movements: Vec<LedgerMovement>,
    /// Use by sales, by root item.
    pub sales: Vec<LedgerSales>,
    /// Counts in chronological order.
    pub counts: Vec<LedgerCount>,
    /// Closing stock of the day: opening plus movements less use plus count differences; null if never
    /// counted until then.
    pub balance: Option<Qty>,
}

/// The derivation of a store's stock.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InventoryLedger)]
pub struct Ledger {
    pub store_id: String,
    pub store_name: String,
    /// Its subject.
    pub item: LedgerItem,
    /// First business day.
    pub from: BusinessDay,
    /// Last business day.
    pub to: BusinessDay,
    /// Stock before the first day; null if not counted before.
    pub start: Option<Qty>,
    /// Days with movements, sales or counts, earliest first.
    pub days: Vec<LedgerDay>,
    /// Whether movements of earlier days are left out; the days' figures are still complete.
    pub truncated: bool,
    /// Stock at the end of the last day, as in that day's inventory.
    pub on_hand: Option<Qty>,
    /// Expected at the last count, as in the inventory.
    pub expected: Option<Qty>,
    /// Counted less expected.
    pub variance: Option<Qty>,
    /// The variance at the root items' prices; null without a price.
    pub variance_value: Option<Money>,
}
