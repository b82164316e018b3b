//! Wire shapes of the way to a figure.

use larder_domain::count::Session;
use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::stores::inventory::model::is_whole;

/// Whose way is asked for.
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
    /// Up to the end of this business date (today).
    #[param(format = Date)]
    pub date: Option<String>,
    /// From this business date on, at most 400 days (that of the count before the last one, else 28 days before).
    #[param(format = Date)]
    pub from: Option<String>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// A root item that something stands for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerRoot {
    /// The root item.
    pub id: String,
    pub name: String,
    /// How much of it is in one unit.
    pub factor: Factor,
}

/// What the way leads to.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerItem {
    /// The item, or the root item.
    pub id: String,
    pub name: String,
    /// The same for short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// The root items it stands for; a root item itself.
    pub roots: Vec<LedgerRoot>,
    /// Other items that share these root items with it, or the items that stand for the root item.
    pub beside: Vec<String>,
}

/// What one line of a document did. It is told whole, whatever part of it is this item's.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerMovement {
    /// The movement's number; later ones are higher.
    pub seq: i64,
    /// What posted it: `delivery`, `receipt`, `transfer`, `waste`, `production` or `adjustment`.
    pub kind: String,
    /// That document's id.
    pub document_id: String,
    /// The root item that moved.
    pub root_item_id: String,
    /// The product that it moved in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_name: Option<String>,
    /// How many units came in all; negative when they went.
    pub qty: Qty,
    /// The same in units of the root item.
    pub root_qty: Qty,
    /// When it was posted.
    pub at: Timestamp,
    /// Who posted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why, where somebody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The number of the movement it takes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverses: Option<i64>,
}

/// What sales used of a root item on a day, by the bills of materials. It is told whole.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerSales {
    pub root_item_id: String,
    /// How many units that is in all.
    pub qty: Qty,
    /// The same in units of the root item.
    pub root_qty: Qty,
    /// How many were sold of the POS items that use it.
    pub sold: Qty,
    /// How many POS items those are.
    pub pos_items: usize,
}

/// A count, and what it found.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerCount {
    /// The item that was counted.
    pub item_id: String,
    pub item_name: String,
    /// Which count of the day, where the day is parted.
    #[serde(skip_serializing_if = "is_whole")]
    pub session: Session,
    /// Whether it stands before everything that came, went and was sold on its day; otherwise behind it.
    pub before: bool,
    pub qty: Qty,
    /// When it was made.
    pub at: Timestamp,
    /// Who counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What had to be there then, by the count before; null where there is none.
    pub expected: Option<Qty>,
    /// What was counted more.
    pub variance: Option<Qty>,
}

/// A business day on which something happened.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerDay {
    pub date: BusinessDay,
    /// What movements brought of this item, less what they took: its part where it shares a root item.
    pub moved: Qty,
    /// The same in all.
    pub moved_in_all: Qty,
    /// What sales used of this item: its part where it shares a root item.
    pub used: Qty,
    /// The same in all.
    pub used_in_all: Qty,
    /// The movements, in the order in which they were posted.
    pub movements: Vec<LedgerMovement>,
    /// What sales used, by root item.
    pub sales: Vec<LedgerSales>,
    /// The counts, in their order.
    pub counts: Vec<LedgerCount>,
    /// What lies there at the day's end: what lay there before, what moved, less what was used, and what counts found
    /// more; null where it was never counted until then.
    pub balance: Option<Qty>,
}

/// The way from what lay in a store to what lies there.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InventoryLedger)]
pub struct Ledger {
    pub store_id: String,
    pub store_name: String,
    /// What it leads to.
    pub item: LedgerItem,
    /// First business day.
    pub from: BusinessDay,
    /// Last business day.
    pub to: BusinessDay,
    /// What lay there before the first day; null where it was not counted before.
    pub start: Option<Qty>,
    /// The days on which something happened, the first one first.
    pub days: Vec<LedgerDay>,
    /// Whether movements of the earlier days are left out; the days' figures are whole all the same.
    pub truncated: bool,
    /// What lies there at the end of the last day, as the inventory of that day tells it.
    pub on_hand: Option<Qty>,
    /// What had to be there at the last count, as it tells.
    pub expected: Option<Qty>,
    /// What was counted more.
    pub variance: Option<Qty>,
    /// The same by the root items' prices; null without a price.
    pub variance_value: Option<Money>,
}
