//! The derivation of a store's stock: every count, document and day of sales.

mod export;
mod model;
mod read;

use axum::extract::State;
use larder_domain::{BusinessDay, Span};

pub(crate) use export::{__path_export_inventory_ledger, export_inventory_ledger};
pub use model::{Ledger, LedgerQuery};
use read::Target;

use super::store;
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::{date, is_id};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Maximum number of days.
const MAX_DAYS: i32 = 400;

/// The derivation of an item's figure in a store's inventory, by day. The figures add up: opening stock plus
/// movements less use plus count differences gives the closing stock. For an item that shares a root item
/// with others, days contain its share, while documents and sales are listed in full.
#[utoipa::path(get, path = "/api/stores/inventory/ledger", tag = "store inventory", params(LedgerQuery),
    responses((status = 200, body = Ledger)))]
pub(crate) async fn get_inventory_ledger(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<LedgerQuery>,
) -> ApiResult<Json<Ledger>> {
    Ok(Json(answer(&state, &who, &query).await?))
}

async fn answer(state: &AppState, who: &Who, query: &LedgerQuery) -> ApiResult<Ledger> {
    let store = store(state, who, query.store_id.as_deref()).await?;
    let (target, id, to, from) = asked(query, BusinessDay::of(who.at))?;
    let what = match target {
        Target::Item => "item",
        Target::Root => "root item",
    };
    if !is_id(id) {
        return Err(ApiError::not_found(what));
    }
    let ground = read::ground(&state.db, &store.id, target, id, to).await?;
    let ground = ground.ok_or_else(|| ApiError::not_found(what))?;
    let from = from.unwrap_or_else(|| ground.usual_from().max(to.plus(1 - MAX_DAYS)));
    read::ledger(&state.db, store, ground, Span { from, to }).await
}

/// The query: type, id, last day, first day.
fn asked(
    query: &LedgerQuery,
    today: BusinessDay,
) -> ApiResult<(Target, &str, BusinessDay, Option<BusinessDay>)> {
    let mut wrong = Vec::new();
    let chosen = |id: &'_ Option<String>| id.as_deref().is_some_and(|id| !id.is_empty());
    if chosen(&query.item_id) == chosen(&query.root_item_id) {
        wrong.push(FieldError::new("itemId", "Choose an item or a root item."));
    }
    let mut day = |field: &str, text: Option<&str>| date(field, text).map_err(|error| wrong.push(error)).ok();
    let to = day("date", query.date.as_deref()).map(|to| to.unwrap_or(today));
    let from = day("from", query.from.as_deref());
    if to.is_some_and(|to| to > today) {
        wrong.push(FieldError::new("date", "Choose today or a day before it."));
    }
    if let (Some(to), Some(Some(from))) = (to, from) {
        if from > to {
            wrong.push(FieldError::new("from", "Choose a first day that is not after the last one."));
        } else if (Span { from, to }).days() > MAX_DAYS {
            wrong.push(FieldError::new("from", format!("Choose a range of at most {MAX_DAYS} days.")));
        }
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let (target, id) = match query.item_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => (Target::Item, id),
        None => (Target::Root, query.root_item_id.as_deref().unwrap_or_default()),
    };
    Ok((target, id, to.unwrap_or(today), from.flatten()))
}
