//! The replenishment plan: requests and responses.

use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::plans;
use larder_ledgers::plans::Why;
use larder_platform::audit::Editor;

/// Query parameters: which plan and which of its lines.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PlanQuery {
    /// All accessible stores if omitted.
    pub store_id: Option<String>,
    /// Day of the plan; the latest if omitted.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
    /// One run, instead of each store's latest of the day.
    pub plan_run_id: Option<String>,
    /// Part of a product's name or SKU.
    pub q: Option<String>,
    /// `order`, `risk` or `capped`.
    pub only: Option<String>,
    /// Page size, 1 to 5,000; default 1,000.
    pub limit: Option<i64>,
    /// Number of lines to skip.
    pub offset: Option<i64>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// A plan's lines: those at risk first, then those with a suggestion.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReplenishmentPlan)]
pub struct Plan {
    /// The latest of the runs the lines belong to.
    pub plan_run_id: Option<String>,
    pub date: Option<BusinessDay>,
    pub made_at: Option<Timestamp>,
    /// Why it should be recalculated.
    pub stale: Option<String>,
    pub lines: Vec<PlanLine>,
    /// Number of lines on all pages.
    pub total: i64,
    /// What could not be planned, and what to do about it.
    pub notes: Vec<PlanNote>,
}

/// What could not be planned.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanNote {
    /// Null if it applies to all stores.
    pub store_id: Option<String>,
    pub product_id: Option<String>,
    pub root_item_id: Option<String>,
    pub why: String,
}

/// A product in a store. Figures are in `unit`, the root item's unit; `suggested` is in `uomId`.
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
    /// Forecast over lead time plus review period; by a delivery calendar, up to `nextDate`.
    pub forecast: Qty,
    pub safety_stock: Qty,
    pub target: Qty,
    pub on_hand: Qty,
    /// What of `onHand` is expired or recalled: does not count.
    pub unusable: Qty,
    /// Number of lines that came or left close to its last count and that nobody had answered about when it was planned.
    pub close: usize,
    /// What trucks carry, whenever it arrives.
    pub in_transit: Qty,
    /// What of that arrives on `nextDate` or later: does not count.
    pub in_transit_later: Qty,
    /// Not sent yet, and brought by a truck before `nextDate`.
    pub on_order: Qty,
    pub committed: Qty,
    /// On hand − unusable − estimated use + in transit − in transit later + on order − committed.
    pub position: Qty,
    /// Expected use on days whose sales are not known yet, since the last count, and the number of these days.
    pub estimated_use: Qty,
    pub estimated_days: usize,
    /// Not sent yet, and due on `nextDate` or later: does not count.
    pub later: Qty,
    /// Ordered, and on no delivery: does not count.
    pub short: Qty,
    /// Content of one `uomId`, in `unit`.
    pub pack: Qty,
    /// The product's share of the root item's requirement, in percent.
    pub share: Qty,
    pub suggested: Qty,
    /// Days that position plus suggestion last.
    pub cover_days: Option<Qty>,
    /// The first day that ends below zero without the suggested order.
    pub stock_out_date: Option<BusinessDay>,
    /// Whether that is before the suggested order could arrive.
    pub at_risk: bool,
    /// Limits applied: `min`, `max`, `shelfLife`, `storage`.
    pub caps: Vec<String>,
    pub needed_date: BusinessDay,
    /// By the delivery calendar: the next delivery, until which the suggestion has to last. Null where lead and review
    /// days apply.
    pub next_date: Option<BusinessDay>,
    /// The first days before `nextDate` that end below zero.
    pub out_without_order: Option<BusinessDay>,
    pub out_with_order: Option<BusinessDay>,
    /// These days as sentences, with what was estimated and what does not count.
    pub outlook: Option<String>,
    pub source_type: String,
    pub source_id: String,
    pub amount: Option<Money>,
    pub why: Vec<Why>,
    /// The order created from it.
    pub order_id: Option<String>,
    pub note: Option<String>,
}

impl From<plans::Line> for PlanLine {
    fn from(line: plans::Line) -> Self {
        let lasts = line.lasts().map(|(lasts, _)| lasts);
        let day = |day: usize| line.ahead.from.plus(i32::try_from(day).unwrap_or(i32::MAX));
        Self {
            next_date: line.ahead.trucks.as_ref().map(|trucks| trucks.next),
            out_without_order: lasts.and_then(|it| it.without_order).map(day),
            out_with_order: lasts.and_then(|it| it.with_order).map(day),
            outlook: line.outlook(),
            estimated_use: line.ahead.estimated,
            estimated_days: line.ahead.estimated_days,
            in_transit_later: line.ahead.in_transit_later,
            later: line.ahead.later,
            short: line.ahead.short,
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
            unusable: line.ahead.unusable,
            close: line.ahead.close,
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

/// Query parameters: the day.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DayQuery {
    /// The latest day with a plan if omitted.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// The plans of all accessible stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanStores {
    /// Id of the latest run.
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
    /// Number of lines with a suggested order.
    pub to_order: i64,
    pub amount: Money,
    /// Number of lines that run out before the suggested order could arrive.
    pub at_risk: i64,
    /// Number of lines reduced by a limit.
    pub capped: i64,
    pub note: Option<String>,
    /// Orders created from it.
    pub orders: Vec<PlanStoreOrder>,
}

/// An order created from a plan.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlanStoreOrder {
    pub id: String,
    pub number: String,
    pub state: String,
}

/// Query parameters: store and day.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct HeatQuery {
    pub store_id: String,
    /// Day of the plan; the latest if omitted.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// Projected stock of each root item at the end of the next days, without the suggested orders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockOuts {
    pub plan_run_id: Option<String>,
    pub dates: Vec<BusinessDay>,
    /// Earliest stock-out first.
    pub rows: Vec<StockOutRow>,
}

/// A root item, with the product it is ordered as.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockOutRow {
    pub product_id: String,
    pub name: String,
    pub root_item_id: String,
    pub unit: Option<String>,
    /// At the end of each day, in `unit`.
    pub stock: Vec<Option<f64>>,
    /// Expected use per day.
    pub forecast: Vec<f64>,
    /// The first day that ends below zero.
    pub out_on: Option<BusinessDay>,
}

/// Query parameters: product, and store or commissary.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct GridQuery {
    pub product_id: String,
    pub store_id: Option<String>,
    pub commissary_id: Option<String>,
    /// Day of the plan; the latest if omitted.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// A product over the next days, in its base unit.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanGrid {
    pub unit: Option<String>,
    pub dates: Vec<BusinessDay>,
    /// Gross requirements: used, or sent to stores.
    pub gross: Vec<f64>,
    /// Scheduled receipts: deliveries expected, or batches in progress.
    pub scheduled: Vec<f64>,
    /// Stock before the first day.
    pub opening: f64,
    /// Projected stock at the end of each day.
    pub on_hand: Vec<f64>,
    pub net: Vec<f64>,
    /// Net requirement in whole packs.
    pub receipts: Vec<f64>,
    /// Receipts, offset by the lead time.
    pub releases: Vec<f64>,
    pub past_due: Vec<PastDueRelease>,
    /// Base units in a pack or a batch.
    pub pack: f64,
    pub lead_days: i64,
    pub safety_stock: f64,
    /// By a delivery calendar: the delivery after the one that the suggestion is for, and all that can still be ordered
    /// for; null where lead days apply. Receipts then fall on delivery days and releases on the days orders close.
    pub next_date: Option<BusinessDay>,
    pub delivery_dates: Option<Vec<BusinessDay>>,
    /// For a store: projected stock at the end of each day without the suggestion, and with it alone.
    pub without_order: Vec<f64>,
    pub with_order: Vec<f64>,
    /// For a store with a delivery calendar: these figures up to the next delivery, as sentences.
    pub outlook: Option<String>,
    /// For a commissary: releases per store.
    pub children: Vec<GridChild>,
}

/// A receipt whose release date has passed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PastDueRelease {
    /// When it should have been released.
    pub date: BusinessDay,
    /// When it is needed.
    pub needed_date: BusinessDay,
    pub qty: f64,
}

/// A store's releases of a product.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GridChild {
    pub store_id: String,
    pub releases: Vec<f64>,
}

/// Query parameters: the commissary.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct KitchenQuery {
    pub commissary_id: String,
    /// Day of the plan; the latest if omitted.
    #[param(value_type = Option<String>, format = Date)]
    pub date: Option<String>,
}

/// What a commissary has to make in the next days, and the ingredients needed.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KitchenPlan {
    pub dates: Vec<BusinessDay>,
    /// Products stores need first, then their ingredients.
    pub products: Vec<KitchenProduct>,
    pub ingredients: Vec<KitchenIngredient>,
}

/// A product to make, to buy or to send, in its base unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KitchenProduct {
    pub product_id: String,
    pub name: String,
    pub sku: Option<String>,
    pub unit: String,
    /// Usable stock at the commissary: without recalled and expired lots.
    pub on_hand: Qty,
    /// What open store orders ask for: cut + approved.
    pub ordered: Qty,
    /// Asked and not approved; negative if more was approved.
    pub cut: Qty,
    /// Sent + to send + closed short. What waits for an answer counts as approved.
    pub approved: Qty,
    pub sent: Qty,
    pub closed_short: Qty,
    /// What is still to be sent of store orders: covered + short.
    pub to_send: Qty,
    /// Of that, what stock and batches cover.
    pub covered: Qty,
    pub short: Qty,
    /// Shortage per day.
    pub net: Vec<Qty>,
    /// Batches that cover it; null for products without a recipe.
    pub batches: Vec<Option<i64>>,
    pub recipe_id: Option<String>,
    /// Yield of one batch.
    #[serde(rename = "yield")]
    pub yields: Option<Qty>,
    /// What to buy for the shortage of all days; null if a recipe makes it.
    pub to_buy: Option<ToOrder>,
}

/// A quantity in the unit a product is ordered in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToOrder {
    /// In whole units where it comes whole.
    pub qty: Qty,
    pub unit: String,
}

/// A bought root item used in the batches, in its unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KitchenIngredient {
    pub root_item_id: String,
    /// A product that supplies it.
    pub product_id: Option<String>,
    pub name: String,
    pub unit: Option<String>,
    pub needed: Qty,
    pub on_hand: Option<Qty>,
    pub to_buy: Qty,
    /// The same of `product_id`; null if nothing is to be bought or no product supplies it.
    pub order: Option<ToOrder>,
    /// The products it goes into, by name.
    pub goes_into: Vec<String>,
}

/// Which orders to create: from selected lines, for some stores, or for the whole plan.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MakeOrders {
    pub plan_run_id: String,
    /// Selected lines; all lines with a suggestion if omitted.
    #[serde(default)]
    pub lines: Option<Vec<MakeLine>>,
    /// Limit to these stores.
    #[serde(default)]
    pub store_ids: Option<Vec<String>>,
}

/// A selected line.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = MakeOrderLine)]
pub struct MakeLine {
    pub line_id: String,
    /// Quantity in its unit; the suggestion if omitted.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    pub qty: Option<Value>,
}

/// The orders created.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MadeOrders {
    pub orders: Vec<MadeOrder>,
    pub skipped: Vec<SkippedLine>,
}

/// A draft that was created or extended.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeOrder {
    pub id: String,
    pub number: String,
    pub store_id: String,
    pub needed_date: BusinessDay,
    /// Number of lines added to it.
    pub lines: usize,
}

/// A line no order was created from.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkippedLine {
    pub line_id: String,
    pub why: String,
}

/// Query parameters: store and product; all accessible ones if omitted.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SettingsQuery {
    pub store_id: Option<String>,
    pub product_id: Option<String>,
}

/// The planning rules, and the settings in effect for the requested store and product.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanSettings {
    pub rules: Vec<PlanRule>,
    pub effective: Vec<EffectiveSetting>,
}

/// A planning rule; fields left out fall back to more general rules. Quantities are in the root item's unit.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanRule {
    pub id: String,
    pub store_id: Option<String>,
    pub category_id: Option<String>,
    pub product_id: Option<String>,
    /// Share of cover periods without a stock-out, for example 0.95.
    pub service_level: Option<Qty>,
    pub min: Option<Qty>,
    pub max: Option<Qty>,
    pub review_days: Option<i64>,
    pub lead_days: Option<i64>,
    pub shelf_life_days: Option<i64>,
    pub method: Option<String>,
    /// Among several products supplying a root item, the lowest number comes first.
    pub priority: Option<i64>,
    /// Among several products, this one's share in percent.
    pub percent: Option<Qty>,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
}

/// A setting in effect and its origin.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EffectiveSetting {
    /// Name of the field in a rule.
    pub field: String,
    #[schema(value_type = Value)]
    pub value: Value,
    /// `default`, `location`, `store`, `category`, `product` or `storeProduct`.
    pub from: String,
    pub rule_id: Option<String>,
}

/// A rule to save; replaces the whole rule.
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
    /// The revision it changes; null for a new rule.
    pub revision: Option<i64>,
}
