//! Held counts, to be applied or declined.

use axum::extract::State;

use super::model::{
    CountEvent, CurrentCount, DecideCounts, DecidedCount, DecidedCounts, HeldCount, HeldCounts, HeldQuery,
    named,
};
use super::sessions::reason;
use super::store;
use larder_ledgers::counts as book;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum number of decisions per request.
const MAX_OPS: usize = 500;

/// Held counts in accessible stores, oldest first.
#[utoipa::path(get, path = "/api/stores/count/held", tag = "counts", params(HeldQuery),
    responses((status = 200, body = HeldCounts)))]
pub(crate) async fn list_held_counts(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<HeldQuery>,
) -> ApiResult<Json<HeldCounts>> {
    let store_id = query.store_id.as_deref().filter(|id| !id.is_empty());
    let store_id = store_id.map(|id| store(&who, Some(id))).transpose()?;
    let (offset, limit) = page(&query)?;
    let (rows, total) = book::held(&state.db, &who.scope, store_id, offset, limit).await?;
    Ok(Json(HeldCounts { items: rows.into_iter().map(held).collect(), total }))
}

/// Offset and limit.
fn page(query: &HeldQuery) -> ApiResult<(i64, i64)> {
    let (page, size) = (query.page.unwrap_or(1), query.page_size.unwrap_or(50));
    let mut wrong = Vec::new();
    if !(1..=1_000_000).contains(&page) {
        wrong.push(FieldError::new("page", "Pages are counted from 1."));
    }
    if !(1..=500).contains(&size) {
        wrong.push(FieldError::new("pageSize", "Ask for 1 to 500 counts a page."));
    }
    if wrong.is_empty() { Ok(((page - 1) * size, size)) } else { Err(ApiError::invalid(wrong)) }
}

fn held(row: book::HeldRow) -> HeldCount {
    let current = row.current_revision.zip(row.current_at).map(|(revision, at)| CurrentCount {
        qty: row.current_qty,
        at,
        by: row.current_by.unwrap_or_default(),
        device_id: row.current_device.unwrap_or_default(),
        revision,
    });
    HeldCount {
        store_id: row.event.store_id.clone(),
        store_name: row.store_name,
        date: row.event.date,
        session: named(row.event.key().session),
        item_id: row.event.item_id.clone(),
        item_name: row.item_name,
        uom_code: row.uom_code,
        event: CountEvent::of(row.event, false),
        current,
    }
}

/// Apply held counts. A newer count remains current.
#[utoipa::path(post, path = "/api/stores/count/held/apply", tag = "counts", request_body = DecideCounts,
    responses((status = 200, body = DecidedCounts)))]
pub(crate) async fn apply_held_counts(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<DecideCounts>,
) -> ApiResult<Json<DecidedCounts>> {
    let (ops, note) = read(&body)?;
    let decided =
        state.db.write(&who.actor(), async |tx| book::apply(tx, &who.scope, ops, note).await).await?;
    Ok(Json(decided_counts(decided)))
}

/// Decline held counts. They stay in the history.
#[utoipa::path(post, path = "/api/stores/count/held/decline", tag = "counts", request_body = DecideCounts,
    responses((status = 200, body = DecidedCounts)))]
pub(crate) async fn decline_held_counts(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<DecideCounts>,
) -> ApiResult<Json<DecidedCounts>> {
    let (ops, note) = read(&body)?;
    let decided =
        state.db.write(&who.actor(), async |tx| book::decline(tx, &who.scope, ops, note).await).await?;
    Ok(Json(decided_counts(decided)))
}

fn read(body: &DecideCounts) -> ApiResult<(&[String], Option<&str>)> {
    if !(1..=MAX_OPS).contains(&body.ops.len()) {
        return Err(ApiError::field("ops", "Choose 1 to 500 counts."));
    }
    Ok((&body.ops, reason(body.reason.as_deref())?))
}

fn decided_counts(decided: Vec<book::Decided>) -> DecidedCounts {
    let results = decided.into_iter().map(|one| DecidedCount {
        op: one.op,
        outcome: one.outcome,
        current: one.current.map(CurrentCount::from),
    });
    DecidedCounts { results: results.collect() }
}
