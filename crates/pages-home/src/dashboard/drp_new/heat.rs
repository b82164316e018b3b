//! Projected stock-outs.

use std::collections::BTreeSet;

use axum::extract::State;
use larder_domain::BusinessDay;
use larder_planning::supply::first_below_zero;

use super::chosen::chosen;
use super::model::{HeatQuery, StockOutRow, StockOuts};
use super::plan::SHOWN;
use larder_ledgers::plans;
use larder_ledgers::plans::{Suggestion, Wanted};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Projected stock of each root item in a store at the end of the next 14 days, without the suggested orders.
#[utoipa::path(get, path = "/api/dashboard/drp-new/heat", tag = "replenishment plan", params(HeatQuery),
    responses((status = 200, body = StockOuts)))]
pub(crate) async fn get_stock_outs(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<HeatQuery>,
) -> ApiResult<Json<StockOuts>> {
    if query.store_id.is_empty() {
        return Err(ApiError::field("storeId", "Choose a store."));
    }
    let chosen = chosen(&state, &who, Some(&query.store_id), query.date.as_deref(), None).await?;
    let Some(day) = chosen.date else {
        return Ok(Json(StockOuts { plan_run_id: None, dates: Vec::new(), rows: Vec::new() }));
    };
    let pairs = chosen.pairs();
    let lines = plans::read_lines(&state.db, &Wanted { of: &pairs, ..Wanted::default() }).await?;
    let mut seen = BTreeSet::new();
    let mut rows: Vec<StockOutRow> = Vec::new();
    for line in lines.into_iter().filter(|line| seen.insert(line.root_item_id.clone())) {
        let ends = line.ends(day, SHOWN, Suggestion::Without);
        rows.push(StockOutRow {
            stock: ends.iter().map(|left| Some(round(*left))).collect(),
            forecast: line.ahead.forecast(day, SHOWN).into_iter().map(round).collect(),
            out_on: first_below_zero(ends).map(|out| day.plus(out as i32)),
            product_id: line.product_id,
            name: line.name,
            root_item_id: line.root_item_id,
            unit: line.unit,
        });
    }
    let last = |row: &StockOutRow| row.out_on.unwrap_or(BusinessDay(i32::MAX));
    rows.sort_by(|a, b| last(a).cmp(&last(b)).then_with(|| a.name.cmp(&b.name)));
    Ok(Json(StockOuts { plan_run_id: chosen.run_id(), dates: dates(day), rows }))
}

/// The days shown.
pub(super) fn dates(day: BusinessDay) -> Vec<BusinessDay> {
    (0..SHOWN as i32).map(|days| day.plus(days)).collect()
}

/// Rounds to six decimals, the precision of a quantity.
pub(super) fn round(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded == 0.0 { 0.0 } else { rounded }
}
