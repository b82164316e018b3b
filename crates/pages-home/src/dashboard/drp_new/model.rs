//! The replenishment plan on the wire.

use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::plans;
use larder_ledgers::plans::Why;
use larder_platform::audit::Editor;

/// Which lines of which plan.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PlanQuery {
    /// All within reach when absent.
    pub store_id: Option<String>,
    /// The day of the plan; the last there is when absent.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
    /// One run instead of each store's newest of the day.
    pub plan_run_id: Option<String>,
    /// Part of a product's name or SKU.
    pub q: Option<String>,
    /// `order`, `risk` or `capped`.
    pub only: Option<String>,
    /// At most so many: 1 to 5,000, 1,000 where nothing is said.
    pub limit: Option<i64>,
    /// So many are left out first.
    pub offset: Option<i64>,
    /// Of a file: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// A plan's lines: those at risk first, then what is to be ordered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReplenishmentPlan)]
pub struct Plan {
    /// The newest of the runs that the lines are of.
    pub plan_run_id: Option<String>,
    pub date: Option<BusinessDay>,
    pub made_at: Option<Timestamp>,
    /// Why it should be made again.
    pub stale: Option<String>,
    pub lines: Vec<PlanLine>,
    /// Lines without the page.
    pub total: i64,
    /// What could not be planned, and what to do about it.
    pub notes: Vec<PlanNote>,
}

/// What could not be planned.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanNote {
    /// None where it holds for all stores.
    pub store_id: Option<String>,
    pub product_id: Option<String>,
    pub root_item_id: Option<String>,
    pub why: String,
}

/// A store's product. Figures are in `unit`, that of the root item; `suggested` is in `uomId`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanLine {
    pub id: String,
    pub plan_run_id: String,
    pub store_id: String,
    pub product_id: String,
    pub name: String,
    pub sku: Option<String>,
    pub root_item_id: String,
    pub unit: Option<String>,
    pub uom_id: String,
    pub uom_code: String,
    /// Base units in one of `uomId`.
    pub factor: Factor,
    pub lead_days: i64,
    pub review_days: i64,
    pub service_level: Qty,
    pub method: String,
    /// Over lead and review days.
    pub forecast: Qty,
    pub safety_stock: Qty,
    pub target: Qty,
    pub on_hand: Qty,
    pub in_transit: Qty,
    pub on_order: Qty,
    pub committed: Qty,
    /// On hand + in transit + on order − committed.
    pub position: Qty,
    /// What one of `uomId` brings, in `unit`.
    pub pack: Qty,
    /// The product's part of the root item's need, in percent.
    pub share: Qty,
    pub suggested: Qty,
    /// How long position and suggestion last.
    pub cover_days: Option<Qty>,
    /// The first day that ends with less than nothing, without what is suggested.
    pub stock_out_date: Option<BusinessDay>,
    /// Whether that is before the suggestion could arrive.
    pub at_risk: bool,
    /// `min`, `max`, `shelfLife`, `storage`.
    pub caps: Vec<String>,
    pub needed_date: BusinessDay,
    pub source_type: String,
    pub source_id: String,
    pub amount: Option<Money>,
    pub why: Vec<Why>,
    /// The order that was made of it.
    pub order_id: Option<String>,
    pub note: Option<String>,
}

impl From<plans::Line> for PlanLine {
    fn from(line: plans::Line) -> Self {
        Self {
            id: line.id,
            plan_run_id: line.run_id,
            store_id: line.store_id,
            product_id: line.product_id,
            name: line.name,
            sku: line.sku,
            root_item_id: line.root_item_id,
            unit: line.unit,
            uom_id: line.uom_id,
            uom_code: line.uom_code,
            factor: line.factor,
            lead_days: line.lead_days,
            review_days: line.review_days,
            service_level: line.service_level,
            method: line.method,
            forecast: line.forecast,
            safety_stock: line.safety_stock,
            target: line.target,
            on_hand: line.on_hand,
            in_transit: line.in_transit,
            on_order: line.on_order,
            committed: line.committed,
            position: line.position,
            pack: line.pack,
            share: line.share,
            suggested: line.suggested,
            cover_days: line.cover_days,
            stock_out_date: line.stock_out_date,
            at_risk: line.at_risk,
            caps: line.caps.0,
            needed_date: line.needed_date,
            source_type: line.source_type,
            source_id: line.source_id,
            amount: line.amount,
            why: line.why.0,
            order_id: line.order_id,
            note: line.note,
        }
    }
}

/// Of which day.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DayQuery {
    /// The last there is a plan of when absent.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// The plans of all stores within reach.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanStores {
    /// The newest of the runs.
    pub plan_run_id: Option<String>,
    pub date: Option<BusinessDay>,
    pub made_at: Option<Timestamp>,
    pub items: Vec<PlanStore>,
}

/// A store's plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanStore {
    pub store_id: String,
    pub plan_run_id: String,
    pub made_at: Timestamp,
    pub lines: i64,
    /// Lines with something to order.
    pub to_order: i64,
    pub amount: Money,
    /// Lines that run out before the suggestion could arrive.
    pub at_risk: i64,
    /// Lines that were held back.
    pub capped: i64,
    pub note: Option<String>,
    /// Orders that were made of it.
    pub orders: Vec<PlanStoreOrder>,
}

/// An order that was made of a plan.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlanStoreOrder {
    pub id: String,
    pub number: String,
    pub state: String,
}

/// Of which store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct HeatQuery {
    pub store_id: String,
    /// The day of the plan; the last there is when absent.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// What is left of each root item at the end of the next days, without what is suggested.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockOuts {
    pub plan_run_id: Option<String>,
    pub dates: Vec<BusinessDay>,
    /// What runs out first stands first.
    pub rows: Vec<StockOutRow>,
}

/// A root item, by the product that it is ordered as.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockOutRow {
    pub product_id: String,
    pub name: String,
    pub root_item_id: String,
    pub unit: Option<String>,
    /// At the end of each day, in `unit`.
    pub stock: Vec<Option<f64>>,
    /// What is expected to be used on each day.
    pub forecast: Vec<f64>,
    /// The first day that ends with less than nothing.
    pub out_on: Option<BusinessDay>,
}

/// Of which product, in which store or for which commissary.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct GridQuery {
    pub product_id: String,
    pub store_id: Option<String>,
    pub commissary_id: Option<String>,
    /// The day of the plan; the last there is when absent.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// A product over the next days, in its base unit.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanGrid {
    pub unit: Option<String>,
    pub dates: Vec<BusinessDay>,
    /// What is used, or sent to stores.
    pub gross: Vec<f64>,
    /// What arrives already, or is being made.
    pub scheduled: Vec<f64>,
    /// What lay there before the first day.
    pub opening: f64,
    /// What is left at the end of each day.
    pub on_hand: Vec<f64>,
    pub net: Vec<f64>,
    /// The net requirement in whole packs.
    pub receipts: Vec<f64>,
    /// Receipts, the lead time earlier.
    pub releases: Vec<f64>,
    pub past_due: Vec<PastDueRelease>,
    /// Base units of a pack, or of a batch.
    pub pack: f64,
    pub lead_days: i64,
    pub safety_stock: f64,
    /// Of a commissary: what each store releases.
    pub children: Vec<GridChild>,
}

/// A receipt that is too late to be released in time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PastDueRelease {
    /// When it would have had to be released.
    pub date: BusinessDay,
    /// When it is needed.
    pub needed_date: BusinessDay,
    pub qty: f64,
}

/// What a store releases of a product.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GridChild {
    pub store_id: String,
    pub releases: Vec<f64>,
}

/// Of which commissary.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct KitchenQuery {
    pub commissary_id: String,
    /// The day of the plan; the last there is when absent.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// What a kitchen has to make on the next days, and what goes into it.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KitchenPlan {
    pub dates: Vec<BusinessDay>,
    /// What stores want first, then what goes into it.
    pub products: Vec<KitchenProduct>,
    pub ingredients: Vec<KitchenIngredient>,
}

/// A product to make or to buy, in its base unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KitchenProduct {
    pub product_id: String,
    pub name: String,
    pub sku: Option<String>,
    pub unit: String,
    /// What lies in the kitchen.
    pub on_hand: Qty,
    /// What is missing on each day.
    pub net: Vec<Qty>,
    /// Batches that cover it; none of what no recipe makes.
    pub batches: Vec<Option<i64>>,
    pub recipe_id: Option<String>,
    /// What a batch yields.
    #[serde(rename = "yield")]
    pub yields: Option<Qty>,
}

/// What goes into the batches of a root item that is bought, in its unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KitchenIngredient {
    pub root_item_id: String,
    /// A product that brings it.
    pub product_id: Option<String>,
    pub name: String,
    pub unit: Option<String>,
    pub needed: Qty,
    pub on_hand: Option<Qty>,
    pub to_buy: Qty,
}

/// Which orders are to be made: of marked lines, of some stores, or of the whole plan.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MakeOrders {
    pub plan_run_id: String,
    /// Marked lines; all with something to order when absent.
    #[serde(default)]
    pub lines: Option<Vec<MakeLine>>,
    /// Only of these stores.
    #[serde(default)]
    pub store_ids: Option<Vec<String>>,
}

/// A marked line.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = MakeOrderLine)]
pub struct MakeLine {
    pub line_id: String,
    /// How many of its unit; what is suggested when absent.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    pub qty: Option<Value>,
}

/// What became of it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MadeOrders {
    pub orders: Vec<MadeOrder>,
    pub skipped: Vec<SkippedLine>,
}

/// A draft that was made, or got more lines.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeOrder {
    pub id: String,
    pub number: String,
    pub store_id: String,
    pub needed_date: BusinessDay,
    /// Lines that were put into it.
    pub lines: usize,
}

/// A line that no order was made of.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkippedLine {
    pub line_id: String,
    pub why: String,
}

/// For which store and product settings are asked; all within reach when nothing is said.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SettingsQuery {
    pub store_id: Option<String>,
    pub product_id: Option<String>,
}

/// Rules, and what holds for the store and product that were asked for.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanSettings {
    pub rules: Vec<PlanRule>,
    pub effective: Vec<EffectiveSetting>,
}

/// A rule; what it leaves out is said elsewhere. Quantities are in the root item's unit.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanRule {
    pub id: String,
    pub store_id: Option<String>,
    pub category_id: Option<String>,
    pub product_id: Option<String>,
    /// Share of covers without a stock-out: 0.95.
    pub service_level: Option<Qty>,
    pub min: Option<Qty>,
    pub max: Option<Qty>,
    pub review_days: Option<i64>,
    pub lead_days: Option<i64>,
    pub shelf_life_days: Option<i64>,
    pub method: Option<String>,
    /// Of several products that bring a root item the one with the lowest comes first.
    pub priority: Option<i64>,
    /// Of several products: this one's part, in percent.
    pub percent: Option<Qty>,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
}

/// A value that holds, and where it was said.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EffectiveSetting {
    /// As in a rule.
    pub field: String,
    #[schema(value_type = Option<Object>)]
    pub value: Value,
    /// `default`, `location`, `store`, `category`, `product` or `storeProduct`.
    pub from: String,
    pub rule_id: Option<String>,
}

/// A rule as somebody writes it: the whole of it.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PlanRuleDraft {
    pub store_id: Option<String>,
    pub category_id: Option<String>,
    pub product_id: Option<String>,
    pub service_level: Option<Qty>,
    pub min: Option<Qty>,
    pub max: Option<Qty>,
    pub review_days: Option<i64>,
    pub lead_days: Option<i64>,
    pub shelf_life_days: Option<i64>,
    pub method: Option<String>,
    pub priority: Option<i64>,
    pub percent: Option<Qty>,
    /// The revision it changes; none for a new rule.
    pub revision: Option<i64>,
}
