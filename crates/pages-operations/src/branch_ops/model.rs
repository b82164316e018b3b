//! A store's day, on the wire.

use larder_domain::{BusinessDay, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_documents::shipments::ExpectedDelivery;

/// Which store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct TodayQuery {
    pub store_id: String,
}

/// Which store and day.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SalesQuery {
    pub store_id: String,
    /// Today where none is said.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// What waits in a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BranchToday {
    pub store_id: String,
    pub store_name: String,
    pub date: BusinessDay,
    pub count: CountDue,
    /// The next order that can still be sent to each source that has delivery days.
    pub orders: Vec<OrderDue>,
    /// What is on its way, the oldest first.
    pub expected: Vec<ExpectedItem>,
    pub waste: WasteOpen,
    pub sales: SalesSoFar,
}

/// The count that is taken now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountDue {
    /// The day it belongs to.
    pub date: BusinessDay,
    /// `opening`, `closing` or `whole`; nothing where it is finished or its time is over.
    pub due: Option<String>,
    /// `before`, `open` or `after`.
    pub window: &'static str,
    pub from: Timestamp,
    pub to: Timestamp,
    pub counted: i64,
    pub to_count: usize,
    pub finished: bool,
}

/// An order that can still be sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderDue {
    pub source_type: String,
    pub source_id: String,
    pub source_name: Option<String>,
    pub needed_date: BusinessDay,
    pub cutoff_at: Option<Timestamp>,
    /// The order for that day, if there is one.
    pub order_id: Option<String>,
    pub order_no: Option<String>,
    pub status: Option<String>,
}

/// Something on its way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpectedItem {
    #[serde(flatten)]
    pub shipment: ExpectedDelivery,
    /// Its number, whichever it is.
    pub number: String,
    /// Whether it was to arrive before today.
    pub late: bool,
}

/// Waste that is not posted yet.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct WasteOpen {
    pub drafts: i64,
    /// Of that: what waits for approval.
    pub waiting: i64,
}

/// What was sold on a day, as far as it was imported.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SalesSoFar {
    pub net: Money,
    /// How many items were sold.
    pub sold: Qty,
    /// Net of the same weekday a week before; nothing where nothing is known of it.
    pub last_week: Option<Money>,
    /// When the figures last changed; nothing where none came.
    pub up_to: Option<Timestamp>,
}

/// What a store sold on a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BranchSales {
    pub date: BusinessDay,
    #[serde(flatten)]
    pub so_far: SalesSoFar,
    /// The largest net sales first, at most 200.
    pub items: Vec<SoldPart>,
    /// What the other items came to together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<MoreSold>,
    pub categories: Vec<SoldPart>,
}

/// Items beyond those that are listed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MoreSold {
    /// How many.
    pub count: usize,
    pub qty: Qty,
    pub net: Money,
}

/// A POS item, or a category of them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SoldPart {
    pub name: String,
    pub qty: Qty,
    pub net: Money,
}
