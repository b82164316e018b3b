//! What stores ordered of a kitchen, on the wire.

use larder_domain::{BusinessDay, Factor, Qty};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use larder_documents::orders::{Share, ShareMethod};

/// Of which kitchen, and until which day.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct MatrixQuery {
    pub commissary_id: String,
    /// Orders needed on this day, and those of days before that were not sent yet.
    #[param(value_type = String, format = Date)]
    pub needed_date: String,
}

/// What stores ordered of a kitchen: products × stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommissaryOrders {
    pub commissary_id: String,
    pub needed_date: BusinessDay,
    /// By name.
    pub stores: Vec<MatrixStore>,
    /// By storage requirement, then name.
    pub products: Vec<MatrixProduct>,
    pub cells: Vec<MatrixCell>,
}

/// A store and its orders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatrixStore {
    pub store_id: String,
    pub name: String,
    pub orders: Vec<MatrixOrder>,
}

/// An order that is not sent yet.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatrixOrder {
    pub id: String,
    pub order_no: String,
    /// `submitted`, `approved`, `inFulfilment` or `partiallyReceived`.
    pub status: String,
    pub needed_date: BusinessDay,
    pub revision: i64,
    /// Whether it was needed before today.
    pub late: bool,
}

/// A product over all stores; quantities are base units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatrixProduct {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub image_url: Option<String>,
    pub storage_requirement_id: Option<String>,
    pub storage_requirement: Option<String>,
    /// The unit to show figures in.
    pub uom_id: String,
    pub uom_code: String,
    /// Whether the product is only handled in whole numbers of it.
    pub whole: bool,
    /// How many base units one is.
    pub factor: Factor,
    pub base_uom_code: String,
    /// Whether a recipe makes it.
    pub made: bool,
    pub ordered: Qty,
    /// What is still to be sent.
    pub to_send: Qty,
    pub on_hand: Qty,
    /// What is being made for this day.
    pub incoming: Qty,
    /// What is missing: to send − on hand − incoming.
    pub short: Qty,
    /// What covers it in whole batches; nothing without a recipe.
    pub to_produce: Qty,
}

/// What a store is to be sent of a product; quantities are in the line's unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatrixCell {
    pub store_id: String,
    pub product_id: String,
    pub order_id: String,
    pub order_line_id: String,
    pub uom_code: String,
    pub factor: Factor,
    pub ordered: Qty,
    pub approved: Option<Qty>,
    pub to_send: Qty,
    /// How it came to what it got, where there was too little.
    pub share: Option<Share>,
}

/// How what there is is to be shared out.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ShareOrders)]
pub struct ShareBody {
    pub commissary_id: String,
    #[schema(format = Date)]
    pub needed_date: String,
    /// `proportional` or `equalCover`.
    #[serde(default)]
    pub method: ShareMethod,
    /// Only answers what would be.
    #[serde(default)]
    pub dry_run: bool,
    /// Counts what is being made as there.
    #[serde(default)]
    pub with_incoming: bool,
    /// Only these products; all without.
    #[serde(default)]
    pub product_ids: Option<Vec<String>>,
    /// All orders of the matrix with the revisions that were seen.
    #[serde(default)]
    pub orders: Vec<SeenOrder>,
    /// Lines whose share somebody decided.
    #[serde(default)]
    pub lines: Vec<HandLine>,
}

/// An order as it was seen.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenOrder {
    pub id: String,
    pub revision: i64,
}

/// A share that somebody decided.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HandLine {
    pub order_line_id: String,
    /// In the line's unit.
    #[schema(value_type = Qty)]
    pub qty: Value,
}

/// How it is shared out.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedOut {
    /// Whether it was written into the orders.
    pub written: bool,
    pub products: Vec<SharedProduct>,
    /// The orders it was written into, as they stand then.
    pub orders: Vec<SharedOrder>,
}

/// An order that was changed.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedOrder {
    pub id: String,
    pub order_no: String,
    pub status: String,
    pub revision: i64,
}

/// A product's shares; quantities are base units.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedProduct {
    pub product_id: String,
    pub available: Qty,
    pub wanted: Qty,
    pub given: Qty,
    /// How long everybody's stock lasts then, in days to the tenth; only for equal cover of what is short.
    pub days: Option<Qty>,
    pub lines: Vec<SharedLine>,
}

/// A line's share, in its unit.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedLine {
    pub store_id: String,
    pub order_id: String,
    pub order_line_id: String,
    pub wanted: Qty,
    pub share: Qty,
    /// Whether somebody decided it.
    pub by_hand: bool,
    /// What the store has and what is on its way, in base units; only for equal cover.
    pub position: Option<Qty>,
    /// What a day takes there, in base units; only for equal cover.
    pub daily_use: Option<Qty>,
}

/// Which orders are to be delivered.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliverOrders {
    /// Orders of any stores; each store gets one delivery.
    pub order_ids: Vec<String>,
}

/// What became of each store.
#[derive(Debug, Serialize, ToSchema)]
pub struct MadeDeliveries {
    pub items: Vec<MadeDelivery>,
}

/// A store's delivery, or why there is none.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeDelivery {
    pub store_id: String,
    pub delivery_id: Option<String>,
    pub delivery_no: Option<String>,
    pub problem: Option<String>,
}

/// What a kitchen has to make for a day's orders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductionList {
    pub items: Vec<ToMake>,
    pub ingredients: Vec<Ingredient>,
    /// What is missing and no recipe makes.
    pub without_recipe: Vec<NotMade>,
}

/// A product to make; quantities are base units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToMake {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub uom_code: String,
    pub recipe_id: String,
    pub recipe_name: String,
    /// 0 for what stores ordered, 1 for what goes into that, and so on.
    pub level: usize,
    pub needed: Qty,
    pub on_hand: Qty,
    pub incoming: Qty,
    /// What is not there.
    pub net: Qty,
    /// What a batch yields.
    pub yield_qty: Qty,
    pub batches: i64,
    pub makes: Qty,
}

/// What goes into it of a root item that is bought, in root units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ingredient {
    pub root_item_id: String,
    pub name: String,
    pub uom_code: Option<String>,
    pub needed: Qty,
    /// What lies there of products that stand for it.
    pub on_hand: Qty,
    pub missing: Qty,
}

/// What is missing of a product that no recipe makes, in base units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotMade {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub uom_code: String,
    pub net: Qty,
}
