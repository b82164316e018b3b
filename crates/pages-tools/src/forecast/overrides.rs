//! Manual overrides.

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::{BusinessDay, Qty, Span};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::model::{Override, OverrideDraft, Overrides};
use larder_ledgers::forecasts::overrides as book;
use larder_ledgers::forecasts::overrides::{Entered, Wanted};
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who, scope};

const ONE: &str = "override";
/// Maximum length of an override, in days.
const MOST_DAYS: i32 = 366;
const MOST_REASON: usize = 500;
/// Maximum quantity per day.
const MOST_QTY: Qty = Qty(1_000_000_000_000_000);

/// Query parameters of overrides.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct OverridesQuery {
    store_id: Option<String>,
    root_item_id: Option<String>,
    /// Page size, 1 to 500; default 50.
    limit: Option<i64>,
    /// Number of rows to skip.
    offset: Option<i64>,
}

/// The overrides of accessible stores, latest days first.
#[utoipa::path(get, path = "/api/tools/forecast/overrides", tag = "forecasts", params(OverridesQuery),
    responses((status = 200, body = Overrides)))]
pub(crate) async fn list_forecast_overrides(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<OverridesQuery>,
) -> ApiResult<Json<Overrides>> {
    let some = |text: Option<String>| text.filter(|text| !text.is_empty());
    let store = some(query.store_id).map(|id| vec![id]);
    let wanted =
        Wanted { stores: who.stores(store.as_deref())?, root_item_id: some(query.root_item_id), span: None };
    let page = (query.limit.unwrap_or(50).clamp(1, 500), query.offset.unwrap_or(0).clamp(0, 10_000_000));
    let items = book::page(&state.db, &wanted, page).await?;
    let total = book::count(&state.db, &wanted).await?;
    Ok(Json(Overrides { items: items.into_iter().map(Into::into).collect(), total }))
}

/// Create an override of the forecast.
#[utoipa::path(post, path = "/api/tools/forecast/overrides", tag = "forecasts", request_body = OverrideDraft,
    responses((status = 201, body = Override)))]
pub(crate) async fn create_forecast_override(
    State(state): State<AppState>,
    who: Who,
    Json(draft): Json<OverrideDraft>,
) -> ApiResult<(StatusCode, Json<Override>)> {
    let entered = read(&draft, None)?;
    who.check_store(&entered.store_id)?;
    let (id, entered) = (state.new_id(), &entered);
    let id = id.as_str();
    let actor = who.actor();
    let made = state.db.write(&actor, async |tx| {
        book::insert(tx, id, entered).await.map_err(|error| unknown(error.into()))?;
        let after = find(tx, &who, id).await?;
        record(tx, ChangeAction::Created, None, Some(&after)).await?;
        Ok::<_, ApiError>(after)
    });
    Ok((StatusCode::CREATED, Json(made.await?.into())))
}

/// Change an override.
#[utoipa::path(patch, path = "/api/tools/forecast/overrides/{id}", tag = "forecasts",
    params(("id" = String, Path)), request_body = OverrideDraft, responses((status = 200, body = Override)))]
pub(crate) async fn update_forecast_override(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(draft): Json<OverrideDraft>,
) -> ApiResult<Json<Override>> {
    let (id, draft) = (id.as_str(), &draft);
    let actor = who.actor();
    let changed = state.db.write(&actor, async |tx| {
        let before = find(tx, &who, id).await?;
        let entered = read(draft, Some(&before))?;
        if !book::update(tx, id, &entered, false, draft.revision.unwrap_or(-1)).await? {
            return Err(stale(before));
        }
        let after = find(tx, &who, id).await?;
        record(tx, ChangeAction::Updated, Some(&before), Some(&after)).await?;
        Ok(after)
    });
    Ok(Json(changed.await?.into()))
}

/// Delete an override; runs that used it are unchanged.
#[utoipa::path(delete, path = "/api/tools/forecast/overrides/{id}", tag = "forecasts",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn delete_forecast_override(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let id = id.as_str();
    let actor = who.actor();
    let removed = state.db.write(&actor, async |tx| {
        let before = find(tx, &who, id).await?;
        let entered = read(&OverrideDraft::default(), Some(&before))?;
        if !book::update(tx, id, &entered, true, before.revision).await? {
            return Err(stale(before));
        }
        record(tx, ChangeAction::Deleted, Some(&before), None).await
    });
    removed.await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn find(tx: &mut Tx<'_>, who: &Who, id: &str) -> ApiResult<book::Override> {
    let found = book::find(tx, id).await?.ok_or_else(|| ApiError::not_found(ONE))?;
    scope::check(Some(&found.store_id), &who.scope)?;
    Ok(found)
}

/// Validated fields; omitted ones keep their value.
fn read(draft: &OverrideDraft, before: Option<&book::Override>) -> ApiResult<Entered> {
    let mut wrong = Vec::new();
    let mut day = |field: &str, text: &Option<String>, stood: Option<BusinessDay>| match text.as_deref() {
        None if stood.is_some() => stood,
        text => match text.unwrap_or_default().parse::<BusinessDay>() {
            Ok(day) if (1900..=2200).contains(&day.date().year()) => Some(day),
            Ok(_) => {
                wrong.push(FieldError::new(field, "Enter a year between 1900 and 2200."));
                None
            }
            Err(why) => {
                wrong.push(FieldError::new(field, why));
                None
            }
        },
    };
    let from = day("from", &draft.from, before.map(|it| it.from_day));
    let to = day("to", &draft.to, before.map(|it| it.to_day));
    if let (Some(from), Some(to)) = (from, to) {
        if from > to {
            wrong.push(FieldError::new("to", "The last day must not come before the first."));
        } else if to.0 - from.0 >= MOST_DAYS {
            wrong.push(FieldError::new("to", format!("Choose a range of at most {MOST_DAYS} days.")));
        }
    }
    let qty = draft.qty.or_else(|| before.map(|it| it.qty));
    match qty {
        None => wrong.push(FieldError::new("qty", "Enter a quantity a day.")),
        Some(qty) if qty < Qty(0) || qty > MOST_QTY => {
            wrong.push(FieldError::new("qty", "Enter a quantity between 0 and 1,000,000,000."));
        }
        Some(_) => {}
    }
    let reason =
        draft.reason.as_deref().or_else(|| before.map(|it| it.reason.as_str())).unwrap_or_default().trim();
    if reason.is_empty() {
        wrong.push(FieldError::new("reason", "Say why, so that it can be judged later."));
    } else if reason.chars().count() > MOST_REASON || has_unseen(reason) {
        wrong.push(FieldError::new("reason", format!("Enter one line of at most {MOST_REASON} characters.")));
    }
    let mut id = |field: &str, of_draft: &Option<String>, stood: Option<&String>, words: &str| {
        let id = stood.or(of_draft.as_ref()).cloned().unwrap_or_default();
        if id.is_empty() {
            wrong.push(FieldError::new(field, words));
        }
        id
    };
    let store_id = id("storeId", &draft.store_id, before.map(|it| &it.store_id), "Choose a store.");
    let root_item_id =
        id("rootItemId", &draft.root_item_id, before.map(|it| &it.root_item_id), "Choose an item.");
    match (from, to, qty, wrong.is_empty()) {
        (Some(from), Some(to), Some(qty), true) => {
            Ok(Entered { store_id, root_item_id, span: Span { from, to }, qty, reason: reason.to_owned() })
        }
        _ => Err(ApiError::invalid(wrong)),
    }
}

/// Turns an unknown store or item into a field error.
fn unknown(error: ApiError) -> ApiError {
    match error.fields.first() {
        Some(at) if error.code == "reference" => ApiError::field(at.field.clone(), "Choose one that exists."),
        _ => error,
    }
}

fn stale(now: book::Override) -> ApiError {
    let name = now.updated_by.name.clone();
    ApiError::stale(&name, json!(Override::from(now)))
}

fn audit_snapshot(it: &book::Override) -> Value {
    json!({
        "rootItemId": it.root_item_id, "from": it.from_day, "to": it.to_day, "qty": it.qty, "reason": it.reason,
    })
}

async fn record(
    tx: &mut Tx<'_>,
    action: ChangeAction,
    before: Option<&book::Override>,
    after: Option<&book::Override>,
) -> ApiResult<()> {
    let Some(it) = after.or(before) else { return Ok(()) };
    let change = Change {
        kind: "forecastOverride",
        id: it.id.clone(),
        store_id: Some(it.store_id.clone()),
        action,
        before: before.map(audit_snapshot),
        after: after.map(audit_snapshot),
    };
    Ok(tx.record(change).await?)
}
