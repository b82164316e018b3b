//! Reading and changing the prices of a root item.

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::{BusinessDay, Span};
use serde_json::json;

use super::model::{
    PastChange, RecomputePrices, RecomputedPrices, RemovedPrice, RootItemPrice, RootItemPriceDraft,
    RootItemPrices,
};
use super::queries;
use super::recompute::{Weeks, follow, may_change};
use larder_ledgers::prices;
use larder_ledgers::prices::{Kept, NewPrice, Source};
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// The prices of a root item, newest first.
#[utoipa::path(get, path = "/api/lists/root-items/{id}/prices", tag = "lists", params(("id" = String, Path)),
    responses((status = 200, body = RootItemPrices)))]
pub(crate) async fn list_root_item_prices(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> ApiResult<Json<RootItemPrices>> {
    answer(&state, known_id(&id, "root item")?, Vec::new()).await
}

/// Set what a root item costs from a day on, up to the day before its next price. Answers with all its prices. A past
/// day is refused with 409 `past` until `recompute` and a reason are sent, and with 409 `frozen` if the price holds in a
/// frozen week.
#[utoipa::path(put, path = "/api/lists/root-items/{id}/prices/{from}", tag = "lists",
    params(("id" = String, Path), ("from" = String, Path)), request_body = RootItemPriceDraft,
    responses((status = 200, body = RootItemPrices)))]
pub(crate) async fn set_root_item_price(
    State(state): State<AppState>,
    who: Who,
    Path((id, from)): Path<(String, String)>,
    Json(draft): Json<RootItemPriceDraft>,
) -> ApiResult<Json<RootItemPrices>> {
    let (id, from) = (known_id(&id, "root item")?, day(&from)?);
    if draft.price.is_some_and(|price| price.0 < 0) {
        return Err(ApiError::field("price", "Enter zero or more."));
    }
    let past = PastChange::read(draft.recompute, draft.reason.as_deref())?;
    let (actor, draft, state) = (who.actor(), &draft, &state);
    let written = state.db.write(&actor, async |tx| {
        queries::root_item(tx, id).await?.ok_or_else(|| ApiError::not_found("root item"))?;
        let weeks = may_change(tx, id, from, past).await?;
        let new = NewPrice {
            root_item_id: id,
            from,
            price: draft.price,
            source: Source::Set,
            receipt_id: None,
            reason: past.reason,
        };
        if !prices::set(tx, &new, draft.revision).await? {
            let now = prices::of_item_on(tx, id, from).await?.ok_or_else(|| ApiError::not_found("price"))?;
            return Err(stale(now));
        }
        follow(tx, id).await?;
        weeks.make_again(tx, state).await?;
        Ok(weeks)
    });
    let weeks = written.await?;
    state.jobs.wake();
    answer(state, id, weeks.open).await
}

/// Remove a price: the one before it holds on. Past days as with PUT.
#[utoipa::path(delete, path = "/api/lists/root-items/{id}/prices/{from}", tag = "lists",
    params(("id" = String, Path), ("from" = String, Path), RemovedPrice),
    responses((status = 200, body = RootItemPrices)))]
pub(crate) async fn remove_root_item_price(
    State(state): State<AppState>,
    who: Who,
    Path((id, from)): Path<(String, String)>,
    Query(removed): Query<RemovedPrice>,
) -> ApiResult<Json<RootItemPrices>> {
    let (id, from) = (known_id(&id, "root item")?, day(&from)?);
    let past = PastChange::read(removed.recompute, removed.reason.as_deref())?;
    let (actor, revision, state) = (who.actor(), removed.revision, &state);
    let written = state.db.write(&actor, async |tx| {
        let kept = prices::of_item_on(tx, id, from).await?.ok_or_else(|| ApiError::not_found("price"))?;
        if kept.revision != revision {
            return Err(stale(kept));
        }
        let weeks = may_change(tx, id, from, past).await?;
        prices::remove(tx, &kept, past.reason).await?;
        follow(tx, id).await?;
        weeks.make_again(tx, state).await?;
        Ok(weeks)
    });
    let weeks = written.await?;
    state.jobs.wake();
    answer(state, id, weeks.open).await
}

/// Make the weekly snapshots from a day on again, at the prices of their days. Frozen weeks stay as they are; 409
/// `frozen` if all are frozen.
#[utoipa::path(post, path = "/api/lists/root-items/prices/recompute", tag = "lists", request_body = RecomputePrices,
    responses((status = 202, body = RecomputedPrices)))]
pub(crate) async fn recompute_root_item_prices(
    State(state): State<AppState>,
    who: Who,
    Json(body): Json<RecomputePrices>,
) -> ApiResult<(StatusCode, Json<RecomputedPrices>)> {
    let days = Span { from: body.from, to: BusinessDay::of(who.at) };
    let (actor, state) = (who.actor(), &state);
    let found = state.db.write(&actor, async |tx| {
        let weeks = Weeks::of(tx, days).await?;
        if weeks.open.is_empty() && !weeks.frozen.is_empty() {
            return Err(weeks.refusal());
        }
        weeks.refuse_unmakeable(tx).await?;
        weeks.make_again(tx, state).await?;
        Ok(weeks)
    });
    let weeks = found.await?;
    state.jobs.wake();
    let answer = RecomputedPrices { weeks: weeks.open, frozen_weeks: weeks.frozen };
    Ok((StatusCode::ACCEPTED, Json(answer)))
}

async fn answer(state: &AppState, id: &str, weeks: Vec<BusinessDay>) -> ApiResult<Json<RootItemPrices>> {
    if !queries::exists(&state.db, id).await? {
        return Err(ApiError::not_found("root item"));
    }
    let items = prices::of_item(&state.db, id).await?.into_iter().map(RootItemPrice::from).collect();
    Ok(Json(RootItemPrices { items, weeks }))
}

fn day(text: &str) -> ApiResult<BusinessDay> {
    match text.parse::<BusinessDay>() {
        Ok(day) if (1900..=2200).contains(&day.date().year()) => Ok(day.max(prices::START)),
        Ok(_) => Err(ApiError::field("from", "Enter a year between 1900 and 2200.")),
        Err(why) => Err(ApiError::field("from", why)),
    }
}

fn stale(now: Kept) -> ApiError {
    let name = now.updated_by.as_ref().map_or_else(|| "someone".to_owned(), |by| by.name.clone());
    ApiError::stale(&name, json!(RootItemPrice::from(now)))
}
