//! A store's day: requests and responses.

use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_documents::shipments::ExpectedDelivery;

/// Query parameters: the store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct TodayQuery {
    pub store_id: String,
}

/// Query parameters: store and day.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SalesQuery {
    pub store_id: String,
    /// Defaults to today.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// A store's open tasks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BranchToday {
    pub store_id: String,
    pub store_name: String,
    pub date: BusinessDay,
    pub count: CountDue,
    /// The next order still before its cut-off, for each source with delivery days.
    pub orders: Vec<OrderDue>,
    /// The store's open orders, drafts past their cut-off included, and those settled that were needed in the last week;
    /// the latest needed first, at most 100.
    pub placed: Vec<PlacedOrder>,
    /// Expected deliveries, oldest first.
    pub expected: Vec<ExpectedItem>,
    pub waste: WasteOpen,
    pub sales: SalesSoFar,
}

/// The current count.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountDue {
    /// Its business day.
    pub date: BusinessDay,
    /// `opening`, `closing` or `whole`; null if it is finished, its window has closed, or none is due on that day.
    pub due: Option<String>,
    /// `before`, `open` or `after`.
    pub window: &'static str,
    pub from: Timestamp,
    pub to: Timestamp,
    pub counted: i64,
    pub to_count: usize,
    pub finished: bool,
}

/// An order still before its cut-off.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderDue {
    pub source_type: String,
    pub source_id: String,
    pub source_name: Option<String>,
    pub needed_date: BusinessDay,
    pub cutoff_at: Option<Timestamp>,
    /// The existing order for that day, if any.
    pub order_id: Option<String>,
    pub order_no: Option<String>,
    pub status: Option<String>,
}

/// An order of the store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacedOrder {
    pub id: String,
    pub order_no: String,
    pub status: String,
    pub source_type: Option<String>,
    pub source_id: Option<String>,
    pub source_name: Option<String>,
    pub needed_date: BusinessDay,
    pub cutoff_at: Option<Timestamp>,
    /// Whether it can no longer be sent for its day, unless it is urgent.
    pub past: bool,
    pub line_count: i64,
    /// Number of lines granted less than was ordered.
    pub cut: i64,
    /// Why it is asked for after its cut-off.
    pub urgent_reason: Option<String>,
    /// Its deliveries, without cancelled ones, by number.
    pub deliveries: Vec<PlacedDelivery>,
}

/// A delivery of an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacedDelivery {
    pub delivery_no: String,
    pub status: String,
}

/// An expected delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpectedItem {
    #[serde(flatten)]
    pub shipment: ExpectedDelivery,
    /// Document number.
    pub number: String,
    /// Whether it was due before today.
    pub late: bool,
}

/// Unposted waste.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct WasteOpen {
    pub drafts: i64,
    /// Of these, pending approval.
    pub waiting: i64,
}

/// Sales of a day imported so far.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SalesSoFar {
    pub net: Money,
    /// Quantity of items sold.
    pub sold: Qty,
    /// Net sales of the same weekday last week; null if unknown.
    pub last_week: Option<Money>,
    /// When the figures last changed; null if there are none.
    pub up_to: Option<Timestamp>,
}

/// A store's sales on a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BranchSales {
    pub date: BusinessDay,
    #[serde(flatten)]
    pub so_far: SalesSoFar,
    /// Sorted by net sales, largest first; at most 200.
    pub items: Vec<SoldPart>,
    /// The total of all other items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<MoreSold>,
    pub categories: Vec<SoldPart>,
}

/// Items beyond the listed ones.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MoreSold {
    pub count: usize,
    pub qty: Qty,
    pub net: Money,
}

/// A POS item or a category of POS items.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SoldPart {
    pub name: String,
    pub qty: Qty,
    pub net: Money,
}
