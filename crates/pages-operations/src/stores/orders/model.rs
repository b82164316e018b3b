//! The guide on the wire.

use larder_domain::{BusinessDay, Factor, Money, Qty};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_documents::orders::Why;

/// For which store a guide is asked.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct GuideQuery {
    pub store_id: String,
    /// The order that is being written: its lines do not count as on order.
    pub order_id: Option<String>,
}

/// Everything a store can order, each with what is known of it there.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderGuide {
    pub items: Vec<GuideItem>,
}

/// A unit that a product can be ordered in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuideUnit {
    pub uom_id: String,
    pub code: String,
    /// How many base units one is.
    pub factor: Factor,
    /// Whether it is only ordered in whole numbers.
    pub whole: bool,
    /// What one costs the store.
    pub price: Option<Money>,
}

/// What was ordered last of a product.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastOrdered {
    pub qty: Qty,
    pub uom_code: String,
    /// The day it was needed.
    pub date: BusinessDay,
}

/// A product that can be ordered. Stock is in the unit it is counted in at the store (`stockUnit`).
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
    /// The usual unit; `units` has all of them, this one first.
    pub uom_id: String,
    pub uom_code: String,
    pub factor: Factor,
    pub whole: bool,
    pub units: Vec<GuideUnit>,
    pub unit_price: Option<Money>,
    /// What one base unit weighs (kg) and what room it takes (m³).
    pub weight: Option<Qty>,
    pub volume: Option<Qty>,
    /// What is advised, in the usual unit; nothing without a par level.
    pub suggested: Option<Qty>,
    pub why: Vec<Why>,
    pub stock_unit: Option<String>,
    pub par_level: Option<Qty>,
    pub on_hand: Option<Qty>,
    pub in_transit: Option<Qty>,
    pub on_order: Option<Qty>,
    /// What a day takes on average.
    pub daily_use: Option<Qty>,
    pub last_ordered: Option<LastOrdered>,
    /// What was ordered on average over the last orders that had it, in the usual unit.
    pub average_ordered: Option<Qty>,
}
