//! The order guide: requests and responses.

use larder_domain::{BusinessDay, Factor, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_documents::orders::Why;

/// Query parameters of the guide.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct GuideQuery {
    pub store_id: String,
    /// The order being edited: its lines do not count as on order.
    pub order_id: Option<String>,
}

/// Everything a store can order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderGuide {
    pub items: Vec<GuideItem>,
}

/// A unit a product can be ordered in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuideUnit {
    pub uom_id: String,
    pub code: String,
    /// Base units per unit.
    pub factor: Factor,
    /// Whether only whole numbers can be ordered.
    pub whole: bool,
    /// Price for the store.
    pub price: Option<Money>,
    /// Suggested quantity in this unit; null without a par level.
    pub suggested: Option<Qty>,
}

/// The last order of a product.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastOrdered {
    pub qty: Qty,
    pub uom_code: String,
    /// Day it was needed.
    pub date: BusinessDay,
}

/// An orderable product. Stock is in the store's counting unit (`stockUnit`).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuideItem {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub image_url: Option<String>,
    pub category_id: Option<String>,
    pub storage_requirement_id: Option<String>,
    pub storage_requirement: Option<String>,
    /// The default unit; first in `units`.
    pub uom_id: String,
    pub uom_code: String,
    pub factor: Factor,
    pub whole: bool,
    pub units: Vec<GuideUnit>,
    pub unit_price: Option<Money>,
    /// Weight (kg) and volume (m³) of a base unit.
    pub weight: Option<Qty>,
    pub volume: Option<Qty>,
    /// Suggested quantity in the default unit; null without a par level.
    pub suggested: Option<Qty>,
    pub why: Vec<Why>,
    pub stock_unit: Option<String>,
    /// How many of `stockUnit` are in a base unit; null if the product is not counted in one.
    pub stock_per_base: Option<Factor>,
    pub par_level: Option<Qty>,
    pub on_hand: Option<Qty>,
    /// Number of lines that came or left close to its last count and that nobody answered about.
    pub close: usize,
    /// What trucks carry, whenever it arrives.
    pub in_transit: Option<Qty>,
    /// What of that arrives with the delivery after the next one or later, by the delivery calendar.
    pub in_transit_later: Option<Qty>,
    /// Not sent yet, and brought by a truck before that delivery.
    pub on_order: Option<Qty>,
    /// Not sent yet, and due with that delivery or later.
    pub later: Option<Qty>,
    /// Ordered, and on no delivery.
    pub short: Option<Qty>,
    /// Average daily use.
    pub daily_use: Option<Qty>,
    pub last_ordered: Option<LastOrdered>,
    /// Average quantity over the last orders with this product, in the default unit.
    pub average_ordered: Option<Qty>,
}
