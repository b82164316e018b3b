//! Wire shapes of a store's inventory.

use larder_domain::count::Session;
use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What is told apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InventoryBy)]
pub enum By {
    /// What is counted.
    #[default]
    Items,
    /// What it stands for.
    RootItems,
}

/// Which of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InventoryOnly)]
pub enum Only {
    /// Of which there should be less than nothing.
    Negative,
    /// That were never counted.
    NeverCounted,
    /// Whose last count was not what was expected.
    Different,
}

/// What is asked of a store's inventory.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct InventoryQuery {
    #[param(value_type = String, required = true)]
    pub store_id: Option<String>,
    /// By items or by root items (items).
    #[param(inline)]
    pub by: Option<By>,
    /// At the end of this business date (today).
    #[param(format = Date)]
    pub date: Option<String>,
    /// With this in name, code or storage area.
    pub q: Option<String>,
    /// Some of them only.
    #[param(inline)]
    pub only: Option<Only>,
    /// `name`, `onHand`, `ageDays`, `inTransit`, `expected`, `variance`, `varianceValue` or `daysOfCover`, with `-` for
    /// descending; what is not known comes last. Without it by the order of the sheet, or by name.
    pub sort: Option<String>,
    /// The page, from one.
    #[param(minimum = 1)]
    pub page: Option<usize>,
    /// Rows of a page: 1 to 5,000 (1,000).
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
    /// The day it belongs to.
    pub date: BusinessDay,
    /// Which count of the day, where the day is parted.
    #[serde(skip_serializing_if = "is_whole")]
    pub session: Session,
    /// When it was made.
    pub at: Timestamp,
    /// Who counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The count before, where this one is far from it and nobody has confirmed it; of an item only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlike: Option<Qty>,
}

/// Whether a day is not parted.
pub fn is_whole(session: &Session) -> bool {
    *session == Session::Whole
}

/// What must lie in a store of an item or a root item.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InventoryRow {
    /// The item, or the root item.
    pub id: String,
    pub name: String,
    /// The same for short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// Where it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<String>,
    /// The root items it stands for, or the items that stand for it.
    pub stands_for: Vec<String>,
    /// The last count and what passed since; null where it was never counted.
    pub on_hand: Option<Qty>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_count: Option<LastCount>,
    /// Days since then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age_days: Option<i32>,
    /// What is on the way.
    pub in_transit: Qty,
    /// What had to be there at the last count, by the one before; null where there is none.
    pub expected: Option<Qty>,
    /// What was counted more.
    pub variance: Option<Qty>,
    /// The same by the root items' prices; null without a price.
    pub variance_value: Option<Money>,
    /// What the sales of a day used on average, of the 28 days before.
    pub daily_use: Qty,
    /// For how many days it lasts at that; null where none was used.
    pub days_of_cover: Option<Qty>,
    /// There should be less than nothing.
    pub negative: bool,
}

/// What must lie in a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inventory {
    pub store_id: String,
    pub store_name: String,
    /// At the end of this day.
    pub as_of: BusinessDay,
    /// A page of the rows.
    pub items: Vec<InventoryRow>,
    /// How many there are without paging.
    pub total: usize,
    /// Of how many there should be less than nothing.
    pub negative: usize,
    /// How many were never counted.
    pub never_counted: usize,
    /// What the last counts differ by in all.
    pub variance_value: Money,
    /// The last day the store has sales of; what was sold since is missing in what is expected.
    pub sold_until: Option<BusinessDay>,
}

/// Which days of a store are asked for.
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
    /// Which count of the day, where the day is parted.
    #[serde(skip_serializing_if = "is_whole")]
    pub session: Session,
    pub qty: Qty,
    /// When it was made.
    pub at: Timestamp,
    /// Who counted.
    pub by: String,
    /// It came after its window.
    pub late: bool,
}

/// An item, day by day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GridItem {
    /// The item.
    pub id: String,
    pub name: String,
    /// The unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// Where it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<String>,
    /// Whether the store still counts it.
    pub counted_here: bool,
    /// Its counts, by day and session; a day without one is a gap.
    pub counts: Vec<GridCount>,
}

/// What a store counted, day by day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountGrid {
    pub store_id: String,
    /// Every day of the range.
    pub days: Vec<BusinessDay>,
    /// The items in the order of the sheet; what was counted and is no more comes last.
    pub items: Vec<GridItem>,
}

/// Which sheet is asked for.
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
    /// How many counted units are in it.
    pub factor: Factor,
}

/// A line of the sheet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SheetItem {
    /// The item.
    pub id: String,
    pub name: String,
    /// The same for short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// The packs it comes in.
    pub packs: Vec<SheetPack>,
    /// Where it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<String>,
    /// What a scanner reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barcode: Option<String>,
}

/// A sheet to count with, on paper.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountSheet {
    pub store_id: String,
    pub store_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_code: Option<String>,
    /// Today.
    pub date: BusinessDay,
    /// The lines, in their order.
    pub items: Vec<SheetItem>,
}
