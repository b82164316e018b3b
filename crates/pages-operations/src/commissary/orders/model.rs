//! Store orders to a commissary: requests and responses.

use larder_domain::{BusinessDay, Factor, Qty};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use larder_documents::orders::{Share, ShareMethod};

/// Query parameters: commissary and last day.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct MatrixQuery {
    pub commissary_id: String,
    /// Orders needed on this day, and earlier ones not sent yet.
    #[param(value_type = String, format = Date)]
    pub needed_date: String,
}

/// Store orders to a commissary: products × stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommissaryOrders {
    pub commissary_id: String,
    pub needed_date: BusinessDay,
    /// Sorted by name.
    pub stores: Vec<MatrixStore>,
    /// Sorted by storage requirement, then name.
    pub products: Vec<MatrixProduct>,
    pub cells: Vec<MatrixCell>,
}

/// Approved order lines that kitchens leave short.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShortLines {
    /// The earliest needed first.
    pub items: Vec<ShortOrderLine>,
}

/// An approved order line that neither stock nor production of its kitchen covers; quantities are in its unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShortOrderLine {
    pub id: String,
    pub order_id: String,
    pub order_no: String,
    pub store_id: String,
    pub store_name: String,
    pub commissary_id: String,
    pub commissary_name: String,
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub uom_code: String,
    pub needed_date: BusinessDay,
    /// Whether it is needed today or was needed before.
    pub late: bool,
    pub ordered: Qty,
    pub approved: Qty,
    /// Covered + short.
    pub to_send: Qty,
    pub covered: Qty,
    pub short: Qty,
}

/// A store and its orders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatrixStore {
    pub store_id: String,
    pub name: String,
    pub orders: Vec<MatrixOrder>,
}

/// An order not sent yet.
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
    /// Why it was asked for after its cut-off; null if it was in time.
    pub urgent_reason: Option<String>,
}

/// A product across all stores; quantities in base units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatrixProduct {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub image_url: Option<String>,
    pub storage_requirement_id: Option<String>,
    pub storage_requirement: Option<String>,
    /// The unit to display quantities in.
    pub uom_id: String,
    pub uom_code: String,
    /// Whether the product is only handled in whole multiples of that unit.
    pub whole: bool,
    /// Base units in one of that unit.
    pub factor: Factor,
    pub base_uom_code: String,
    /// Whether a recipe makes it.
    pub made: bool,
    /// What stores asked for: cut + approved.
    pub ordered: Qty,
    /// Asked and not approved; negative if more was approved.
    pub cut: Qty,
    /// Sent + to send + closed short. What waits for an answer counts as approved.
    pub approved: Qty,
    pub sent: Qty,
    pub closed_short: Qty,
    /// Quantity still to be sent: covered + short.
    pub to_send: Qty,
    /// Of that, what sharing leaves to be sent now; all of it if it was not shared.
    pub sendable: Qty,
    /// Usable stock: without recalled and expired lots.
    pub on_hand: Qty,
    /// What is there besides, recalled or expired.
    pub unusable: Qty,
    /// Quantity in production for this day.
    pub incoming: Qty,
    /// What stock and production cover.
    pub covered: Qty,
    /// Shortage: to send − on hand − incoming. Sharing leaves it as it is.
    pub short: Qty,
    /// Of that, what waits for an answer. The rest is of approved orders, as listed as short.
    pub short_waiting: Qty,
    /// Whole batches that cover the shortage; null without a recipe.
    pub to_produce: Qty,
}

/// A store's quantities of a product, in the line's unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatrixCell {
    pub store_id: String,
    pub product_id: String,
    pub order_id: String,
    pub order_line_id: String,
    pub uom_code: String,
    pub factor: Factor,
    /// Cut + approved.
    pub ordered: Qty,
    pub cut: Qty,
    /// Sent + to send + closed short. Until it is answered, everything that was ordered.
    pub approved: Qty,
    pub sent: Qty,
    pub to_send: Qty,
    /// Of that, what sharing leaves to be sent now. The rest stays short.
    pub sendable: Qty,
    pub closed_short: Qty,
    /// How the granted quantity was allocated, if there was a shortage.
    pub share: Option<Share>,
}

/// How to allocate the available stock.
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
    /// Only preview; write nothing.
    #[serde(default)]
    pub dry_run: bool,
    /// Whether quantities in production count as available.
    #[serde(default)]
    pub with_incoming: bool,
    /// Limit to these products; all if omitted.
    #[serde(default)]
    pub product_ids: Option<Vec<String>>,
    /// All orders of the matrix with the revisions the caller saw.
    #[serde(default)]
    pub orders: Vec<SeenOrder>,
    /// Manually allocated lines.
    #[serde(default)]
    pub lines: Vec<HandLine>,
}

/// An order and the revision the caller saw.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenOrder {
    pub id: String,
    pub revision: i64,
}

/// A manual allocation.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HandLine {
    pub order_line_id: String,
    /// In the line's unit.
    #[schema(value_type = Qty)]
    pub qty: Value,
}

/// The allocation.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedOut {
    /// Whether it was written to the orders.
    pub written: bool,
    pub products: Vec<SharedProduct>,
    /// The orders it was written to, with their new revisions.
    pub orders: Vec<SharedOrder>,
}

/// A changed order.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedOrder {
    pub id: String,
    pub order_no: String,
    pub status: String,
    pub revision: i64,
}

/// A product's allocation; quantities in base units.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedProduct {
    pub product_id: String,
    #[serde(default)]
    pub name: String,
    /// The unit most of its lines are ordered in.
    #[serde(default)]
    pub uom_code: String,
    pub available: Qty,
    pub wanted: Qty,
    pub given: Qty,
    /// What stays short: wanted − given.
    #[serde(default)]
    pub short: Qty,
    /// What changes, in a sentence: «Shared 120 pc of Wings over 4 stores: Makati 50 → 38. 22 pc stay short: 120 pc for
    /// 142.» Null if nothing does and nothing is short.
    #[serde(default)]
    pub words: Option<String>,
    /// Days every store's stock lasts afterwards, to one decimal; only for equal cover of products in
    /// shortage.
    pub days: Option<Qty>,
    pub lines: Vec<SharedLine>,
}

/// A line's allocation, in its unit.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedLine {
    pub store_id: String,
    pub order_id: String,
    pub order_line_id: String,
    /// Still to be sent.
    pub wanted: Qty,
    /// What could be sent before.
    #[serde(default)]
    pub before: Qty,
    /// What can be sent now.
    pub share: Qty,
    /// What stays short: wanted − share.
    #[serde(default)]
    pub short: Qty,
    /// Whether it was set manually.
    pub by_hand: bool,
    /// The store's stock on hand and on its way, in base units; only for equal cover.
    pub position: Option<Qty>,
    /// The store's daily use, in base units; only for equal cover.
    pub daily_use: Option<Qty>,
}

/// The orders to deliver.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliverOrders {
    /// Orders of any stores; each store gets one delivery.
    pub order_ids: Vec<String>,
}

/// The result for each store.
#[derive(Debug, Serialize, ToSchema)]
pub struct MadeDeliveries {
    pub items: Vec<MadeDelivery>,
}

/// A store's delivery, or the reason it was not created.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeDelivery {
    pub store_id: String,
    pub delivery_id: Option<String>,
    pub delivery_no: Option<String>,
    pub problem: Option<String>,
}

/// What a commissary has to make for a day's orders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductionList {
    pub items: Vec<ToMake>,
    pub ingredients: Vec<Ingredient>,
    /// Products in shortage that no recipe makes.
    pub without_recipe: Vec<NotMade>,
}

/// A product to make; quantities in base units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToMake {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub uom_code: String,
    pub recipe_id: String,
    pub recipe_name: String,
    /// 0 for what stores ordered, 1 for its ingredients, and so on.
    pub level: usize,
    pub needed: Qty,
    /// Usable stock.
    pub on_hand: Qty,
    pub incoming: Qty,
    /// Shortage to cover.
    pub net: Qty,
    /// Yield of one batch.
    pub yield_qty: Qty,
    pub batches: i64,
    pub makes: Qty,
}

/// A bought ingredient, in root units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ingredient {
    pub root_item_id: String,
    pub name: String,
    pub uom_code: Option<String>,
    pub needed: Qty,
    /// Usable stock of products mapped to it.
    pub on_hand: Qty,
    pub missing: Qty,
    /// What to buy for that; null if no product brings it.
    pub to_buy: Option<ToBuy>,
    /// The products it goes into, by name.
    pub goes_into: Vec<String>,
}

/// A product to buy, in the unit it is ordered in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToBuy {
    pub product_id: String,
    pub name: String,
    /// Covers what is missing; in whole units where it comes whole.
    pub qty: Qty,
    pub uom_code: String,
}

/// A product in shortage that no recipe makes, in base units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotMade {
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub uom_code: String,
    pub net: Qty,
    /// How much to buy of it, in the unit it is ordered in.
    pub to_buy: Option<ToBuy>,
}
