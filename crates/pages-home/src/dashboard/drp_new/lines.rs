//! The lines of a plan.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use larder_domain::BusinessDay;

use super::chosen::{Chosen, chosen};
use super::model::{Plan, PlanLine, PlanNote, PlanQuery};
use super::queries;
use larder_ledgers::plans;
use larder_ledgers::plans::{Line, Only, Wanted};
use larder_platform::AppState;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::Query;
use larder_platform::http::question::like;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum number of lines per request.
const MOST: i64 = 5_000;
/// Default number of lines.
const USUAL: i64 = 1_000;

/// What stores should order, with every figure and the reason. Each store's latest plan of the day, or one
/// run as it was calculated.
#[utoipa::path(get, path = "/api/dashboard/drp-new", tag = "replenishment plan", params(PlanQuery),
    responses((status = 200, body = Plan)))]
pub(crate) async fn get_replenishment_plan(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PlanQuery>,
) -> ApiResult<Json<Plan>> {
    let (limit, offset) = (query.limit.unwrap_or(USUAL), query.offset.unwrap_or(0));
    let mut wrong = Vec::new();
    if !(1..=MOST).contains(&limit) {
        wrong.push(FieldError::new("limit", "Ask for 1 to 5,000 lines."));
    }
    if !(0..=1_000_000).contains(&offset) {
        wrong.push(FieldError::new("offset", "Lines are counted from 0."));
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let lines_query = LinesQuery::read(&state, &who, &query).await?;
    let wanted = Wanted { page: Some((limit, offset)), ..lines_query.wanted() };
    let lines = plans::read_lines(&state.db, &wanted).await?;
    let total = plans::count(&state.db, &wanted).await?;
    let LinesQuery { chosen, .. } = &lines_query;
    Ok(Json(Plan {
        plan_run_id: chosen.run_id(),
        date: chosen.date,
        made_at: chosen.made_at(),
        stale: chosen.stale(&state, BusinessDay::of(who.at)).await?,
        lines: lines.into_iter().map(PlanLine::from).collect(),
        total,
        notes: notes(&state, chosen).await?,
    }))
}

/// The plan's lines as a file.
#[utoipa::path(get, path = "/api/dashboard/drp-new/export", tag = "replenishment plan", params(PlanQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_replenishment_plan(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PlanQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let lines_query = LinesQuery::read(&state, &who, &query).await?;
    export::check_rows(plans::count(&state.db, &lines_query.wanted()).await?)?;
    let lines = plans::read_lines(&state.db, &lines_query.wanted()).await?;
    let ids: Vec<String> = lines_query.chosen.stores.iter().map(|store| store.store_id.clone()).collect();
    let stores = queries::stores(&state.db, Some(&ids)).await?;
    let names: HashMap<String, String> = stores.into_iter().map(|store| (store.id, store.name)).collect();
    let columns = COLUMNS.iter().map(|(title, width)| Column::new(*title, *width)).collect();
    let day = lines_query.chosen.date.map_or_else(String::new, |day| format!("-{day}"));
    let rows: Vec<Vec<Cell>> = lines.into_iter().map(|line| cells(line, &names)).collect();
    let name = format!("replenishment-plan{day}");
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}

/// A validated query.
struct LinesQuery {
    chosen: Chosen,
    pairs: Vec<(String, String)>,
    like: Option<String>,
    only: Only,
}

impl LinesQuery {
    async fn read(state: &AppState, who: &Who, query: &PlanQuery) -> ApiResult<Self> {
        let only = match query.only.as_deref().unwrap_or_default() {
            "" => Only::All,
            "order" => Only::Order,
            "risk" => Only::Risk,
            "capped" => Only::Capped,
            _ => return Err(ApiError::field("only", "Choose order, risk or capped.")),
        };
        let like = like(query.q.as_deref())?;
        let (store, day, run) =
            (query.store_id.as_deref(), query.date.as_deref(), query.plan_run_id.as_deref());
        let chosen = chosen(state, who, store, day, run).await?;
        Ok(Self { pairs: chosen.pairs(), chosen, like, only })
    }

    fn wanted(&self) -> Wanted<'_> {
        Wanted { of: &self.pairs, like: self.like.as_deref(), only: self.only, ..Wanted::default() }
    }
}

/// Planning failures in the selected stores, and those that apply to all stores, from the latest run.
async fn notes(state: &AppState, chosen: &Chosen) -> ApiResult<Vec<PlanNote>> {
    let mut runs: Vec<&str> = chosen.stores.iter().map(|store| store.run_id.as_str()).collect();
    runs.sort_unstable();
    runs.dedup();
    let newest = chosen.run_id();
    let found = plans::notes(&state.db, &runs).await?;
    let of_store = |note: &plans::Note| match &note.store_id {
        None => Some(&note.run_id) == newest.as_ref(),
        Some(id) => chosen.stores.iter().any(|store| store.store_id == *id && store.run_id == note.run_id),
    };
    let wire = |note: plans::Note| PlanNote {
        store_id: note.store_id,
        product_id: note.product_id,
        root_item_id: note.root_item_id,
        why: note.why,
    };
    Ok(found.into_iter().filter(of_store).map(wire).collect())
}

const COLUMNS: &[(&str, u16)] = &[
    ("Store", 24),
    ("SKU", 12),
    ("Product", 32),
    ("Unit", 8),
    ("Forecast", 12),
    ("Safety stock", 12),
    ("Target", 12),
    ("On hand", 12),
    ("In transit", 12),
    ("On order", 12),
    ("Committed", 12),
    ("Position", 12),
    ("Pack", 10),
    ("Suggested", 12),
    ("Order unit", 10),
    ("Days of cover", 12),
    ("Runs out", 12),
    ("Needed", 12),
    ("Next delivery", 12),
    ("Runs out with it", 12),
    ("In transit, later", 14),
    ("Later", 12),
    ("Short", 12),
    ("Held back by", 18),
    ("Amount", 12),
    ("Method", 14),
    ("Close goods", 14),
];

fn cells(line: Line, names: &HashMap<String, String>) -> Vec<Cell> {
    let text = |text: Option<String>| text.map_or(Cell::Empty, Cell::Text);
    let next = line.ahead.trucks.as_ref().map(|trucks| trucks.next);
    let out = line.lasts().and_then(|(lasts, _)| lasts.with_order);
    let out = out.map(|day| line.ahead.from.plus(i32::try_from(day).unwrap_or(i32::MAX)));
    let (later, short) = (line.ahead.later, line.ahead.short);
    vec![
        text(names.get(&line.store_id).cloned()),
        text(line.sku),
        Cell::Text(line.name),
        text(line.unit),
        Cell::Qty(line.forecast),
        Cell::Qty(line.safety_stock),
        Cell::Qty(line.target),
        Cell::Qty(line.on_hand),
        Cell::Qty(line.in_transit),
        Cell::Qty(line.on_order),
        Cell::Qty(line.committed),
        Cell::Qty(line.position),
        Cell::Qty(line.pack),
        Cell::Qty(line.suggested),
        Cell::Text(line.uom_code),
        line.cover_days.map_or(Cell::Empty, Cell::Qty),
        line.stock_out_date.map_or(Cell::Empty, Cell::Day),
        Cell::Day(line.needed_date),
        next.map_or(Cell::Empty, Cell::Day),
        out.map_or(Cell::Empty, Cell::Day),
        Cell::Qty(line.ahead.in_transit_later),
        Cell::Qty(later),
        Cell::Qty(short),
        Cell::Text(line.caps.0.iter().map(|cap| words(cap)).collect::<Vec<_>>().join(", ")),
        line.amount.map_or(Cell::Empty, Cell::Money),
        Cell::Text(line.method),
        if line.ahead.close > 0 { Cell::Text("Not answered".to_owned()) } else { Cell::Empty },
    ]
}

fn words(cap: &str) -> &str {
    match cap {
        "min" => "least",
        "max" => "most",
        "shelfLife" => "shelf life",
        "storage" => "room",
        other => other,
    }
}
