//! Reading and changing when days begin.

use axum::extract::State;
use larder_db::{Db, DbError};
use larder_domain::BusinessDay;
use larder_domain::day_starts::{Change, DayStarts};
use serde_json::json;

use super::model::{DayStartChange, DayStartDraft, DayStartsOfStores, DayStartsQuery, StoreDayStarts};
use super::queries;
use larder_ledgers::day_starts as book;
use larder_ledgers::day_starts::Kept;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiError, ApiResult, Json, Who, scope};

/// When the business days of every accessible store begin.
#[utoipa::path(get, path = "/api/stores/day-starts", tag = "day starts", params(DayStartsQuery),
    responses((status = 200, body = DayStartsOfStores)))]
pub(crate) async fn list_day_starts(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<DayStartsQuery>,
) -> ApiResult<Json<DayStartsOfStores>> {
    let wished = query.store_id.filter(|id| !id.is_empty()).map(|id| vec![id]);
    let stores = who.stores(wished.as_deref())?;
    let stores = queries::active(&state.db, stores.as_deref()).await?;
    let items = of_stores(&state.db, &stores, BusinessDay::of(who.at)).await?;
    Ok(Json(DayStartsOfStores { items }))
}

/// Set when a store's business days begin, from a day on: calendar times of sales before it belong to the evening before.
/// Days imported before keep theirs. The answer has all its starts.
#[utoipa::path(put, path = "/api/stores/day-starts/{storeId}/{from}", tag = "day starts",
    params(("storeId" = String, Path), ("from" = String, Path)), request_body = DayStartDraft,
    responses((status = 200, body = StoreDayStarts)))]
pub(crate) async fn set_day_start(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, from)): Path<(String, String)>,
    Json(draft): Json<DayStartDraft>,
) -> ApiResult<Json<StoreDayStarts>> {
    scope::check(Some(&store_id), &who.scope)?;
    let change = Change { from: day(&from)?, minutes: draft.read()? };
    let (actor, id) = (who.actor(), store_id.as_str());
    let written = state.db.write(&actor, async |tx| {
        if !queries::is_store(tx, id).await? {
            return Err(ApiError::not_found("store"));
        }
        if !book::set(tx, id, change, draft.revision).await? {
            let now = book::of_in(tx, id, change.from).await?;
            let now = now.ok_or_else(|| ApiError::not_found("start of the day"))?;
            return Err(ApiError::stale(&now.updated_by.name, json!(DayStartChange::from(&now))));
        }
        Ok(())
    });
    written.await?;
    answer(&state, &who, store_id).await
}

/// Remove the change of a day: the start set before it stays in force.
#[utoipa::path(delete, path = "/api/stores/day-starts/{storeId}/{from}", tag = "day starts",
    params(("storeId" = String, Path), ("from" = String, Path)),
    responses((status = 200, body = StoreDayStarts)))]
pub(crate) async fn remove_day_start(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, from)): Path<(String, String)>,
) -> ApiResult<Json<StoreDayStarts>> {
    scope::check(Some(&store_id), &who.scope)?;
    let from = day(&from)?;
    let (actor, id) = (who.actor(), store_id.as_str());
    let removed = state.db.write(&actor, async |tx| match book::remove(tx, id, from).await? {
        true => Ok::<_, ApiError>(()),
        false => Err(ApiError::not_found("start of the day")),
    });
    removed.await?;
    answer(&state, &who, store_id).await
}

/// The starts of some stores, in this order.
async fn of_stores(db: &Db, stores: &[String], today: BusinessDay) -> Result<Vec<StoreDayStarts>, DbError> {
    let kept = book::all(db, Some(stores)).await?;
    let store = |id: &String| {
        let own: Vec<&Kept> = kept.iter().filter(|it| it.store_id == *id).collect();
        StoreDayStarts {
            store_id: id.clone(),
            minutes: DayStarts::new(own.iter().map(|it| it.change())).start_on(today),
            changes: own.into_iter().map(DayStartChange::from).collect(),
        }
    };
    Ok(stores.iter().map(store).collect())
}

async fn answer(state: &AppState, who: &Who, store_id: String) -> ApiResult<Json<StoreDayStarts>> {
    let found = of_stores(&state.db, &[store_id], BusinessDay::of(who.at)).await?;
    found.into_iter().next().map(Json).ok_or_else(|| ApiError::not_found("store"))
}

fn day(text: &str) -> ApiResult<BusinessDay> {
    match text.parse::<BusinessDay>() {
        Ok(day) if (1900..=2200).contains(&day.date().year()) => Ok(day),
        Ok(_) => Err(ApiError::field("from", "Enter a year between 1900 and 2200.")),
        Err(why) => Err(ApiError::field("from", why)),
    }
}
