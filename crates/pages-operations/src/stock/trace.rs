//! Tracing a lot from its origin to every place it reached.

use axum::extract::State;
use axum::response::Response;
use larder_domain::BusinessDay;

use super::model::{LotTrace, TraceQuery};
use larder_ledgers::place_stock::lot_places;
use larder_ledgers::stock::trace;
use larder_platform::AppState;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

async fn find(state: &AppState, who: &Who, lot: &str, query: &TraceQuery) -> ApiResult<LotTrace> {
    let product = query.product_id.as_deref().filter(|id| !id.is_empty());
    let found = trace::trace(&state.db, lot, product, &who.scope).await?;
    if found.lots.is_empty() {
        return Err(ApiError::not_found("lot"));
    }
    let there = lot_places(&state.db, &found.all, &who.scope, BusinessDay::of(who.at)).await?;
    let trace::LotTrace { lots, events, cut, .. } = found;
    Ok(LotTrace { lot: lot.to_owned(), lots, events, there, cut })
}

/// A lot's origin, the batches it went into, the places that received it and the remaining stock. Only
/// accessible stores.
#[utoipa::path(get, path = "/api/stock/lots/{lot}/trace", tag = "stock",
    params(("lot" = String, Path), TraceQuery), responses((status = 200, body = LotTrace)))]
pub(crate) async fn trace_lot(
    State(state): State<AppState>,
    who: Who,
    Path(lot): Path<String>,
    Query(query): Query<TraceQuery>,
) -> ApiResult<Json<LotTrace>> {
    Ok(Json(find(&state, &who, &lot, &query).await?))
}

/// The trace as a file, one row per event, with the key data elements of food-safety rules.
#[utoipa::path(get, path = "/api/stock/lots/{lot}/trace/export", tag = "stock",
    params(("lot" = String, Path), TraceQuery),
    responses((status = 200, content((String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
pub(crate) async fn export_lot_trace(
    State(state): State<AppState>,
    who: Who,
    Path(lot): Path<String>,
    Query(query): Query<TraceQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let found = find(&state, &who, &lot, &query).await?;
    let columns = [
        ("Lot", 18),
        ("Product", 32),
        ("Event", 12),
        ("Quantity", 12),
        ("Unit", 8),
        ("From", 24),
        ("To", 24),
        ("Date", 12),
        ("Time", 20),
        ("Document", 18),
        ("Document type", 14),
    ];
    let columns = columns.into_iter().map(|(title, width)| Column::new(title, width)).collect();
    let text = |text: &Option<String>| text.clone().map_or(Cell::Empty, Cell::Text);
    let rows: Vec<Vec<Cell>> = found
        .events
        .iter()
        .map(|event| {
            vec![
                Cell::Text(event.lot.clone()),
                Cell::Text(event.name.clone()),
                Cell::Text(event.event.as_str().to_owned()),
                Cell::Qty(event.qty),
                text(&event.uom_code),
                text(&event.from),
                text(&event.to),
                Cell::Day(event.date),
                Cell::Text(event.at.to_string()),
                text(&event.document_no),
                Cell::Text(event.document_kind.clone()),
            ]
        })
        .collect();
    let name = format!("lot-trace-{}", BusinessDay::of(who.at));
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}
