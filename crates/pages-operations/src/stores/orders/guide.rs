//! The order guide: everything a store can order, with stock and history.

use std::collections::HashMap;

use axum::extract::State;
use larder_domain::decimal::div_round;
use larder_domain::{BusinessDay, Qty};

use super::model::{GuideItem, GuideQuery, GuideUnit, LastOrdered, OrderGuide};
use super::queries::{self, Before};
use larder_documents::orders::suggestion::Situation;
use larder_documents::products;
use larder_documents::products::{Product, Unit};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who, scope};

/// Number of days of orders averaged.
const AVERAGE_DAYS: i32 = 56;

/// Everything a store can order: units, prices, stock, quantities in transit, previous orders, and a
/// suggestion with its explanation.
#[utoipa::path(get, path = "/api/stores/orders/guide", tag = "stores orders", params(GuideQuery),
    responses((status = 200, body = OrderGuide)))]
pub(crate) async fn get_order_guide(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<GuideQuery>,
) -> ApiResult<Json<OrderGuide>> {
    scope::check(Some(&query.store_id), &who.scope)?;
    let db = &state.db;
    let level = queries::price_level(db, &query.store_id).await?;
    let (level,) = level.ok_or_else(|| ApiError::not_found("store"))?;
    let today = BusinessDay::of(who.at);
    let found = products::orderable(db).await?;
    let but = query.order_id.as_deref();
    let situation = Situation::read(db, &query.store_id, (today, who.at), &found, but).await?;
    let mut before: HashMap<String, Vec<Before>> = HashMap::new();
    for line in queries::ordered_since(db, &query.store_id, today.plus(-AVERAGE_DAYS)).await? {
        before.entry(line.product_id.clone()).or_default().push(line);
    }
    let names: HashMap<String, String> = queries::names(db).await?.into_iter().collect();
    let guide = Guide { level, names, situation, before };
    let items = found.iter().filter_map(|product| guide.item(product)).collect();
    Ok(Json(OrderGuide { items }))
}

struct Guide {
    /// The store's price level.
    level: Option<String>,
    names: HashMap<String, String>,
    situation: Situation,
    before: HashMap<String, Vec<Before>>,
}

impl Guide {
    fn item(&self, product: &Product) -> Option<GuideItem> {
        let all = product.all_units();
        let unit = all.first()?.clone();
        let advice = self.situation.advise(product, &unit);
        let due = advice.as_ref().map(|advice| advice.due);
        let before = self.before.get(&product.id).map(Vec::as_slice).unwrap_or_default();
        let storage = product.storage_requirement_id.as_ref();
        let price = |unit: &Unit| product.price(self.level.as_deref(), &unit.uom_id);
        let code = |unit: &Unit| self.names.get(&unit.uom_id).cloned().unwrap_or_default();
        let units = all.iter().map(|unit| GuideUnit {
            uom_id: unit.uom_id.clone(),
            code: code(unit),
            factor: unit.factor,
            whole: unit.whole,
            price: price(unit),
            suggested: self.situation.advise(product, unit).and_then(|advice| advice.suggested),
        });
        Some(GuideItem {
            product_id: product.id.clone(),
            sku: product.sku.clone(),
            name: product.name.clone(),
            image_url: product.image_url.clone(),
            category_id: product.category_id.clone(),
            storage_requirement_id: storage.cloned(),
            storage_requirement: storage.and_then(|id| self.names.get(id)).cloned(),
            uom_code: code(&unit),
            factor: unit.factor,
            whole: unit.whole,
            units: units.collect(),
            unit_price: price(&unit),
            weight: product.base_uom_weight,
            volume: product.base_uom_volume,
            suggested: advice.as_ref().and_then(|advice| advice.suggested),
            why: advice.as_ref().map(|advice| advice.why.clone()).unwrap_or_default(),
            stock_unit: advice.as_ref().and_then(|advice| advice.unit.clone()),
            stock_per_base: advice.as_ref().map(|advice| advice.per_base),
            par_level: advice.as_ref().and_then(|advice| advice.par),
            on_hand: advice.as_ref().and_then(|advice| advice.on_hand),
            close: advice.as_ref().map_or(0, |advice| advice.close),
            in_transit: due.map(|due| due.in_transit),
            in_transit_later: due.map(|due| due.in_transit_later),
            on_order: due.map(|due| due.on_order),
            later: due.map(|due| due.later),
            short: due.map(|due| due.short),
            daily_use: advice.as_ref().map(|advice| advice.daily_use),
            last_ordered: before.first().map(|line| LastOrdered {
                qty: line.qty_ordered,
                uom_code: line.uom_code.clone(),
                date: line.on_date,
            }),
            average_ordered: average(before, &unit),
            uom_id: unit.uom_id,
        })
    }
}

/// Average quantity ordered, in the given unit, to the thousandth.
fn average(before: &[Before], unit: &Unit) -> Option<Qty> {
    let count = i128::try_from(before.len()).ok().filter(|count| *count > 0)?;
    let base: i128 =
        before.iter().map(|line| i128::from(line.qty_ordered.0) * i128::from(line.factor.0)).sum();
    let mean = div_round(base, i128::from(unit.factor.0) * count * 1_000)?;
    Some(Qty(mean.checked_mul(1_000)?))
}
