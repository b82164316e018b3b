//! `/reports/sales-by-root-items`: root items ranked by what sales used of them, and how that changed.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use larder_db::DbError;
use larder_domain::sales::rollup::Grain;
use larder_domain::span::{self, Run};
use larder_domain::{BusinessDay, Qty, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::queries;
use super::question::{Asked, Question};
use super::weekly_root_item_sales::too_large;
use crate::AppState;
use crate::books::store_items;
use crate::http::Who;
use crate::http::error::ApiResult;
use crate::http::export::{self, Cell, Column, Format};
use crate::http::json::{Json, Query};

/// The chart follows this many items.
const IN_CHART: usize = 8;
/// Longer ranges are charted by week.
const CHARTED_BY_DAY: i32 = 62;

/// Beside range and stores, for files.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct Shape {
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// Root items, ranked.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RootItemSales {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// First day of the range before, as long as this one.
    pub previous_from: BusinessDay,
    /// Its last day.
    pub previous_to: BusinessDay,
    /// The largest first.
    pub items: Vec<RankedItem>,
    /// Sum of the quantities; null where they are of different units.
    pub total: Option<Qty>,
    /// Sum of the range before; null where the quantities are of different units.
    pub previous_total: Option<Qty>,
    /// The sums of each unit, that of the most items first.
    pub units: Vec<UnitTotal>,
    /// `day` or `week`.
    pub series_grain: &'static str,
    /// First day of each point of the chart.
    pub periods: Vec<BusinessDay>,
    /// The items that lead the ranking of each unit.
    pub series: Vec<ItemSeries>,
}

/// What the items of one unit add up to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnitTotal {
    /// The unit; null for items whose unit is not known.
    pub unit: Option<String>,
    /// How many items.
    pub items: usize,
    /// What sales used.
    pub qty: Qty,
    /// What sales used in the range before.
    pub previous_qty: Qty,
}

/// One root item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RankedItem {
    /// The root item.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Option<String>,
    /// The unit it is reckoned in, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What sales used.
    pub qty: Qty,
    /// Of all that is reckoned in the same unit, from 0 to 1.
    pub share: f64,
    /// What sales used in the range before.
    pub previous_qty: Qty,
    /// Change against the range before: 0.1 is a tenth more; null where there was nothing before.
    pub change: Option<f64>,
}

/// One item over time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemSeries {
    /// The root item.
    pub id: String,
    /// Its name.
    pub name: String,
    /// By period.
    pub quantities: Vec<Qty>,
}

/// Root items ranked by what sales used of them.
#[utoipa::path(get, path = "/api/reports/sales-by-root-items", tag = "reports", params(Asked),
    responses((status = 200, body = RootItemSales)))]
pub(crate) async fn sales_by_root_items(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
) -> ApiResult<Json<RootItemSales>> {
    let question = asked.check(&state, &who).await?;
    Ok(Json(answer(&state, &question).await?))
}

/// The same as a file.
#[utoipa::path(get, path = "/api/reports/sales-by-root-items/export", tag = "reports", params(Asked, Shape),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_sales_by_root_items(
    State(state): State<AppState>,
    who: Who,
    Query(asked): Query<Asked>,
    Query(shape): Query<Shape>,
) -> ApiResult<Response> {
    let format = Format::read(shape.format.as_deref())?;
    let question = asked.check(&state, &who).await?;
    let report = answer(&state, &question).await?;
    let columns = [
        ("Root item", 32),
        ("Type", 16),
        ("Unit", 8),
        ("Quantity", 12),
        ("Share of unit", 12),
        ("Previous", 12),
        ("Change", 10),
    ];
    let rows: Vec<Vec<Cell>> = report
        .items
        .iter()
        .map(|item| {
            vec![
                Cell::Text(item.name.clone()),
                item.kind.clone().map_or(Cell::Empty, Cell::Text),
                item.unit.clone().map_or(Cell::Empty, Cell::Text),
                Cell::Qty(item.qty),
                Cell::Number(item.share),
                Cell::Qty(item.previous_qty),
                item.change.map_or(Cell::Empty, Cell::Number),
            ]
        })
        .collect();
    let name = format!("sales-by-root-items-{}-{}", report.from, report.to);
    let columns = columns.into_iter().map(|(title, width)| Column::new(title, width)).collect();
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}

async fn answer(state: &AppState, question: &Question) -> ApiResult<RootItemSales> {
    let (span, before) = (question.span, question.span.before());
    let (now, then, names, unit_of) = tokio::try_join!(
        totals(state, span, question),
        totals(state, before, question),
        queries::root_names(&state.db),
        store_items::root_units(&state.db)
    )?;
    let units = units(&now, &then, &unit_of)?;
    let whole: HashMap<Option<&String>, Qty> = units.iter().map(|sum| (sum.unit.as_ref(), sum.qty)).collect();
    let mut items: Vec<RankedItem> = now
        .into_iter()
        .map(|(id, qty)| {
            let previous_qty = then.get(&id).copied().unwrap_or_default();
            let known = names.get(&id);
            RankedItem {
                name: known.map_or_else(|| id.clone(), |item| item.name.clone()),
                kind: known.and_then(|item| item.kind.clone()),
                share: whole.get(&unit_of.get(&id)).and_then(|whole| ratio(qty, *whole)).unwrap_or(0.0),
                unit: unit_of.get(&id).cloned(),
                change: ratio(Qty(qty.0.saturating_sub(previous_qty.0)), previous_qty),
                id,
                qty,
                previous_qty,
            }
        })
        .collect();
    items.sort_by(|a, b| b.qty.cmp(&a.qty).then_with(|| a.name.cmp(&b.name)));
    let mut led: HashMap<Option<&String>, usize> = HashMap::new();
    let leaders: Vec<&RankedItem> = items
        .iter()
        .filter(|item| {
            let led = led.entry(item.unit.as_ref()).or_default();
            *led += 1;
            *led <= IN_CHART
        })
        .collect();
    let (grain, periods, series) = series(state, question, &leaders).await?;
    let (total, previous_total) = match units.as_slice() {
        [] => (Some(Qty::ZERO), Some(Qty::ZERO)),
        [one] => (Some(one.qty), Some(one.previous_qty)),
        _ => (None, None),
    };
    Ok(RootItemSales {
        from: span.from,
        to: span.to,
        previous_from: before.from,
        previous_to: before.to,
        total,
        previous_total,
        units,
        series_grain: if grain == Grain::Day { "day" } else { "week" },
        periods,
        series,
        items,
    })
}

async fn totals(state: &AppState, span: Span, question: &Question) -> Result<HashMap<String, Qty>, DbError> {
    let mut totals: HashMap<String, Qty> = HashMap::new();
    for part in queries::root_totals(&state.db, &span.runs(), question.stores.as_deref()).await? {
        let qty = totals.entry(part.item_id).or_default();
        *qty = Qty(qty.0.saturating_add(part.qty.0));
    }
    Ok(totals)
}

/// What was used of each unit, now and before.
fn units(
    now: &HashMap<String, Qty>,
    then: &HashMap<String, Qty>,
    unit_of: &HashMap<String, String>,
) -> ApiResult<Vec<UnitTotal>> {
    let mut sums: HashMap<Option<&String>, UnitTotal> = HashMap::new();
    for (id, qty, is_now) in
        now.iter().map(|(id, qty)| (id, qty, true)).chain(then.iter().map(|(id, qty)| (id, qty, false)))
    {
        let unit = unit_of.get(id);
        let sum = sums.entry(unit).or_insert_with(|| UnitTotal {
            unit: unit.cloned(),
            items: 0,
            qty: Qty::ZERO,
            previous_qty: Qty::ZERO,
        });
        let figure = if is_now { &mut sum.qty } else { &mut sum.previous_qty };
        *figure = figure.checked_add(*qty).ok_or_else(too_large)?;
        sum.items += usize::from(is_now || !now.contains_key(id));
    }
    let mut units: Vec<UnitTotal> = sums.into_values().collect();
    units.sort_by(|a, b| b.items.cmp(&a.items).then_with(|| a.unit.cmp(&b.unit)));
    Ok(units)
}

/// For people to read, rounded to four places; nothing is reckoned on from it.
fn ratio(part: Qty, whole: Qty) -> Option<f64> {
    (whole.0 != 0).then(|| ((part.0 as f64 / whole.0 as f64) * 10_000.0).round() / 10_000.0)
}

async fn series(
    state: &AppState,
    question: &Question,
    leaders: &[&RankedItem],
) -> ApiResult<(Grain, Vec<BusinessDay>, Vec<ItemSeries>)> {
    let (grain, span) = if question.span.days() <= CHARTED_BY_DAY {
        (Grain::Day, question.span)
    } else {
        (Grain::Week, question.span.whole_weeks())
    };
    let run = Run { grain, first: span.from, last: grain.period(span.to) };
    let mut periods = vec![run.first];
    while let Some(&last) = periods.last()
        && last < run.last
    {
        periods.push(span::next(grain, last));
    }
    let place: HashMap<BusinessDay, usize> = periods.iter().enumerate().map(|(at, day)| (*day, at)).collect();
    let mut series: Vec<ItemSeries> = leaders
        .iter()
        .map(|item| ItemSeries {
            id: item.id.clone(),
            name: item.name.clone(),
            quantities: vec![Qty::ZERO; periods.len()],
        })
        .collect();
    for sum in queries::root_by_period(&state.db, run, question.stores.as_deref()).await? {
        if let (Some(line), Some(&at)) =
            (series.iter_mut().find(|s| s.id == sum.item_id), place.get(&sum.period))
        {
            line.quantities[at] = sum.qty;
        }
    }
    Ok((grain, periods, series))
}
