//! A store's inventory: requests and responses.

use larder_domain::count::Session;
use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp, Worth};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::stores::marks::MarkedItem;

/// Row type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InventoryBy)]
pub enum By {
    /// Counted items.
    #[default]
    Items,
    /// Root items.
    RootItems,
}

/// Row filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InventoryOnly)]
pub enum Only {
    /// Negative stock.
    Negative,
    /// Never counted.
    NeverCounted,
    /// The last count differed from the expected stock.
    Different,
}

/// Query parameters of a store's inventory.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct InventoryQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
    /// By items (default) or root items.
    #[param(inline)]
    pub by: Option<By>,
    /// At the end of this business date; defaults to today.
    #[param(format = Date)]
    pub date: Option<String>,
    /// Part of name, code or storage area.
    pub q: Option<String>,
    /// Row filter.
    #[param(inline)]
    pub only: Option<Only>,
    /// `name`, `onHand`, `ageDays`, `inTransit`, `expected`, `variance`, `varianceValue` or `daysOfCover`,
    /// with `-` for descending; unknown values come last. By default in sheet order, or by name.
    pub sort: Option<String>,
    /// Page number, from 1.
    #[param(minimum = 1)]
    pub page: Option<usize>,
    /// Page size: 1 to 5,000; default 1,000.
    #[param(minimum = 1, maximum = 5_000)]
    pub page_size: Option<usize>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// The last count of something.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastCount {
    pub qty: Qty,
    /// Business day.
    pub date: BusinessDay,
    /// Session, if the day has sessions.
    #[serde(skip_serializing_if = "is_whole")]
    pub session: Session,
    /// When it was taken.
    pub at: Timestamp,
    /// Who counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The previous count, if this one differs widely from it and is unconfirmed; for items only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlike: Option<Qty>,
}

/// Whether it is a whole-day count.
pub fn is_whole(session: &Session) -> bool {
    *session == Session::Whole
}

/// Expected stock of an item or root item in a store.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InventoryRow {
    /// Id of the item or root item.
    pub id: String,
    pub name: String,
    /// Short code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// Storage area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<String>,
    /// The root items it maps to, or the items mapped to it.
    pub stands_for: Vec<String>,
    /// The last count plus all flows since; null if never counted.
    pub on_hand: Option<Qty>,
    /// What of it is likely expired or recalled; absent if nothing is, for past days, and for items that share a root item
    /// with others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unusable: Option<Qty>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_count: Option<LastCount>,
    /// Days since the last count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age_days: Option<i32>,
    /// In transit.
    pub in_transit: Qty,
    /// Expected at the last count, from the one before; null if there is none.
    pub expected: Option<Qty>,
    /// Counted less expected.
    pub variance: Option<Qty>,
    /// The variance at the root items' prices on the day of the last count; null without a price.
    pub variance_value: Option<Money>,
    /// The same before it was rounded.
    #[serde(skip)]
    pub worth: Option<Worth>,
    /// Average daily use by sales over the last 28 days.
    pub daily_use: Qty,
    /// Days it lasts at that rate; null if nothing is used.
    pub days_of_cover: Option<Qty>,
    /// Whether stock is negative.
    pub negative: bool,
    /// Number of lines that came or left so close to the last count that only a person can say if they were counted, and
    /// nobody did: the times decide.
    pub close: usize,
}

/// Expected stock of a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inventory {
    pub store_id: String,
    pub store_name: String,
    /// At the end of this day.
    pub as_of: BusinessDay,
    /// A page of rows.
    pub items: Vec<InventoryRow>,
    /// Number of rows on all pages.
    pub total: usize,
    /// Number of rows with negative stock.
    pub negative: usize,
    /// Number of rows never counted.
    pub never_counted: usize,
    /// Value of the variances of the last counts; null if no counted row has a price.
    pub variance_value: Option<Money>,
    /// The last day with sales; sales after it are not deducted from the expected stock.
    pub sold_until: Option<BusinessDay>,
}

impl InventoryRow {
    /// With what its variance is worth; `None` if that is too large to show.
    pub fn with_worth(self, worth: Option<Worth>) -> Option<Self> {
        let variance_value = match worth {
            Some(worth) => Some(worth.money()?),
            None => None,
        };
        Some(Self { variance_value, worth, ..self })
    }
}

/// Query parameters: store and range.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct GridQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
    /// First business date.
    #[param(format = Date)]
    pub start: Option<String>,
    /// Last business date; at most 92 days.
    #[param(format = Date)]
    pub end: Option<String>,
}

/// A count in the grid.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GridCount {
    pub date: BusinessDay,
    /// Session, if the day has sessions.
    #[serde(skip_serializing_if = "is_whole")]
    pub session: Session,
    pub qty: Qty,
    /// When it was taken.
    pub at: Timestamp,
    /// Who counted.
    pub by: String,
    /// It was received after its window.
    pub late: bool,
}

/// An item by day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GridItem {
    /// Item id.
    pub id: String,
    pub name: String,
    /// Unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// Storage area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<String>,
    /// Whether the store still counts it.
    pub counted_here: bool,
    /// Its counts, by day and session; days without a count are missing.
    pub counts: Vec<GridCount>,
}

/// A store's counts by day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountGrid {
    pub store_id: String,
    /// All days of the range.
    pub days: Vec<BusinessDay>,
    /// Items in sheet order; deleted ones last.
    pub items: Vec<GridItem>,
}

/// Query parameters: the store.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct SheetQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
}

/// A pack of an item on the sheet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SheetPack {
    pub uom_code: String,
    /// Counted units per pack.
    pub factor: Factor,
}

/// A line of the sheet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SheetItem {
    /// Item id.
    pub id: String,
    pub name: String,
    /// Short code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// Its packs.
    pub packs: Vec<SheetPack>,
    /// Storage area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<String>,
    /// Barcode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barcode: Option<String>,
    /// Why it has to be counted: more was taken than expected, and it was not counted since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marked: Option<MarkedItem>,
}

/// A count sheet for printing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountSheet {
    pub store_id: String,
    pub store_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_code: Option<String>,
    pub date: BusinessDay,
    /// Lines in sheet order.
    pub items: Vec<SheetItem>,
}
