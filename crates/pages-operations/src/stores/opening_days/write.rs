//! Changing opening days.

use axum::extract::State;
use larder_db::{Change as Changed, ChangeAction, Tx};
use larder_domain::BusinessDay;
use larder_domain::opening_days::Change;
use serde_json::{Value, json};

use super::model::{OpeningDaysChange, OpeningDaysDraft, StoreOpeningDays};
use super::queries;
use super::read::of_stores;
use larder_ledgers::opening_days as book;
use larder_ledgers::opening_days::Kept;
use larder_platform::AppState;
use larder_platform::http::json::Path;
use larder_platform::http::{ApiError, ApiResult, Json, Who, scope};

/// Set the weekdays on which a store opens from a day on. The answer has all its opening days.
#[utoipa::path(put, path = "/api/stores/opening-days/{storeId}/{from}", tag = "opening days",
    params(("storeId" = String, Path), ("from" = String, Path)), request_body = OpeningDaysDraft,
    responses((status = 200, body = StoreOpeningDays)))]
pub(crate) async fn set_opening_days(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, from)): Path<(String, String)>,
    Json(draft): Json<OpeningDaysDraft>,
) -> ApiResult<Json<StoreOpeningDays>> {
    scope::check(Some(&store_id), &who.scope)?;
    let change = Change { from: day(&from)?, weekdays: draft.read()? };
    let (actor, id) = (who.actor(), store_id.as_str());
    let written = state.db.write(&actor, async |tx| {
        if !queries::is_store(tx, id).await? {
            return Err(ApiError::not_found("store"));
        }
        let before = book::of_in(tx, id, change.from).await?;
        if !book::set(tx, id, change, draft.revision).await? {
            let now =
                book::of_in(tx, id, change.from).await?.ok_or_else(|| ApiError::not_found("opening days"))?;
            return Err(ApiError::stale(&now.updated_by.name, json!(OpeningDaysChange::from(&now))));
        }
        let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
        let after = book::of_in(tx, id, change.from).await?;
        record(tx, id, change.from, action, before.as_ref(), after.as_ref()).await
    });
    written.await?;
    answer(&state, &who, store_id).await
}

/// Remove the change of a day: the weekdays set before it stay in force.
#[utoipa::path(delete, path = "/api/stores/opening-days/{storeId}/{from}", tag = "opening days",
    params(("storeId" = String, Path), ("from" = String, Path)),
    responses((status = 200, body = StoreOpeningDays)))]
pub(crate) async fn remove_opening_days(
    State(state): State<AppState>,
    who: Who,
    Path((store_id, from)): Path<(String, String)>,
) -> ApiResult<Json<StoreOpeningDays>> {
    scope::check(Some(&store_id), &who.scope)?;
    let from = day(&from)?;
    let (actor, id) = (who.actor(), store_id.as_str());
    let removed = state.db.write(&actor, async |tx| {
        let before = book::of_in(tx, id, from).await?.ok_or_else(|| ApiError::not_found("opening days"))?;
        book::remove(tx, id, from).await?;
        record(tx, id, from, ChangeAction::Deleted, Some(&before), None).await
    });
    removed.await?;
    answer(&state, &who, store_id).await
}

async fn answer(state: &AppState, who: &Who, store_id: String) -> ApiResult<Json<StoreOpeningDays>> {
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

fn audit_snapshot(kept: &Kept) -> Value {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let weekdays = kept.change().weekdays;
    let days: Vec<&str> =
        names.iter().enumerate().filter(|(at, _)| weekdays & (1 << at) != 0).map(|(_, name)| *name).collect();
    json!({ "from": kept.from_date, "weekdays": days.join(", ") })
}

async fn record(
    tx: &mut Tx<'_>,
    store_id: &str,
    from: BusinessDay,
    action: ChangeAction,
    before: Option<&Kept>,
    after: Option<&Kept>,
) -> ApiResult<()> {
    tx.record(Changed {
        kind: "openingDays",
        id: format!("{store_id}_{from}"),
        store_id: Some(store_id.to_owned()),
        action,
        before: before.map(audit_snapshot),
        after: after.map(audit_snapshot),
    })
    .await?;
    Ok(())
}
