//! The calendar of special days.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::StatusCode;
use larder_db::{Change, ChangeAction, Tx};
use larder_domain::{BusinessDay, Factor, Span, StoreScope};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::model::{Event, EventDraft, Events, Evidence};
use larder_ledgers::forecasts::events as book;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::text::has_unseen;
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

const ONE: &str = "event";
/// Maximum length in days of an event and of the listed range.
const MOST_DAYS: i32 = 366;
const MOST_NAME: usize = 100;
/// Range of a manual factor: 0 to 10 times an ordinary day.
const FACTORS: std::ops::RangeInclusive<i64> = 0..=10_000_000_000;

/// Query parameters of events.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct EventsQuery {
    /// Range, at most a year; defaults to the next 90 days.
    from: Option<String>,
    to: Option<String>,
    /// `payday`, `holiday`, `promotion` or `closure`.
    kind: Option<String>,
}

/// Paydays, holidays, promotions and closures in a range, with their measured effect on sales.
#[utoipa::path(get, path = "/api/tools/forecast/events", tag = "forecasts", params(EventsQuery),
    responses((status = 200, body = Events)))]
pub(crate) async fn list_forecast_events(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<EventsQuery>,
) -> ApiResult<Json<Events>> {
    let today = BusinessDay::of(who.at);
    let mut wrong = Vec::new();
    let from = day("from", query.from.as_deref(), Some(today), &mut wrong);
    let to = day("to", query.to.as_deref(), from.map(|from| from.plus(90)), &mut wrong);
    let (Some(from), Some(to), true) = (from, to, wrong.is_empty()) else {
        return Err(ApiError::invalid(wrong));
    };
    if from > to || to.0 - from.0 > MOST_DAYS {
        return Err(ApiError::field("to", "Choose a range of at most a year."));
    }
    let evidence = book::evidence(&state.db, today).await?;
    let events = book::within(&state.db, Span { from, to }).await?;
    let of_kind =
        |event: &book::Event| query.kind.as_deref().is_none_or(|kind| kind.is_empty() || kind == event.kind);
    let items: Vec<Event> = events
        .into_iter()
        .filter(|event| of_kind(event) && may_see(&who, event))
        .map(|event| shown(event, &who, &evidence))
        .collect();
    let total = items.len() as i64;
    Ok(Json(Events { items, total }))
}

/// Create a holiday, promotion or closure.
#[utoipa::path(post, path = "/api/tools/forecast/events", tag = "forecasts", request_body = EventDraft,
    responses((status = 201, body = Event)))]
pub(crate) async fn create_forecast_event(
    State(state): State<AppState>,
    who: Who,
    Json(draft): Json<EventDraft>,
) -> ApiResult<(StatusCode, Json<Event>)> {
    let event = read(&draft, None, &state.new_id())?;
    may_change(&who, &event)?;
    let event = &event;
    let actor = who.actor();
    let made = state.db.write(&actor, async |tx| {
        put(tx, event, 0).await?;
        let after = find(tx, &who, &event.id).await?;
        record(tx, ChangeAction::Created, None, Some(&after)).await?;
        Ok::<_, ApiError>(after)
    });
    Ok((StatusCode::CREATED, Json(shown(made.await?, &who, &HashMap::new()))))
}

/// Change an event; for built-in events, only the factor.
#[utoipa::path(patch, path = "/api/tools/forecast/events/{id}", tag = "forecasts",
    params(("id" = String, Path)), request_body = EventDraft, responses((status = 200, body = Event)))]
pub(crate) async fn update_forecast_event(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(draft): Json<EventDraft>,
) -> ApiResult<Json<Event>> {
    let (id, draft) = (id.as_str(), &draft);
    let actor = who.actor();
    let changed = state.db.write(&actor, async |tx| {
        let before = find(tx, &who, id).await?;
        may_change(&who, &before)?;
        let event = read(draft, Some(&before), id)?;
        may_change(&who, &event)?;
        let seen = draft.revision.unwrap_or(-1);
        if seen != before.revision || !put(tx, &event, seen).await? {
            return Err(stale(before, &who));
        }
        let after = find(tx, &who, id).await?;
        record(tx, ChangeAction::Updated, Some(&before), Some(&after)).await?;
        Ok(after)
    });
    Ok(Json(shown(changed.await?, &who, &HashMap::new())))
}

/// Delete an event; a built-in one is reset.
#[utoipa::path(delete, path = "/api/tools/forecast/events/{id}", tag = "forecasts",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn delete_forecast_event(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let id = id.as_str();
    let actor = who.actor();
    let removed = state.db.write(&actor, async |tx| {
        let before = find(tx, &who, id).await?;
        may_change(&who, &before)?;
        if before.built_in && before.revision == 0 {
            let words = "This day is of the calendar. Set its factor to 1 if it is like any other day.";
            return Err(ApiError::conflict("builtIn", words));
        }
        book::remove(tx, id).await?;
        record(tx, ChangeAction::Deleted, Some(&before), None).await
    });
    removed.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Saves an event; unknown stores are field errors.
async fn put(tx: &mut Tx<'_>, event: &book::Event, seen: i64) -> ApiResult<bool> {
    let unknown = |error: ApiError| match error.code {
        "reference" => ApiError::field("storeIds", "One of these stores does not exist, or no longer does."),
        _ => error,
    };
    book::put(tx, event, seen).await.map_err(|error| unknown(error.into()))
}

async fn find(tx: &mut Tx<'_>, who: &Who, id: &str) -> ApiResult<book::Event> {
    let found = book::find(tx, id).await?.ok_or_else(|| ApiError::not_found(ONE))?;
    if may_see(who, &found) { Ok(found) } else { Err(ApiError::out_of_scope()) }
}

/// Whether an event applies to all stores, an area, or an accessible store.
fn may_see(who: &Who, event: &book::Event) -> bool {
    event.store_ids.as_ref().is_none_or(|stores| stores.iter().any(|store| who.scope.contains(store)))
}

/// Events for all stores or an area need access to all stores; others need access to their stores.
fn may_change(who: &Who, event: &book::Event) -> ApiResult<()> {
    let all = match &event.store_ids {
        Some(stores) => stores.iter().all(|store| who.scope.contains(store)),
        None => who.scope == StoreScope::All,
    };
    if all {
        return Ok(());
    }
    let words = match &event.store_ids {
        Some(_) => "This is for stores you don't have access to.",
        None => "This holds for all stores, so only people of all stores can change it. Choose your stores.",
    };
    Err(ApiError::new(StatusCode::FORBIDDEN, "outOfScope", words))
}

fn day(
    field: &str,
    text: Option<&str>,
    stood: Option<BusinessDay>,
    wrong: &mut Vec<FieldError>,
) -> Option<BusinessDay> {
    match (text.filter(|text| !text.is_empty()), stood) {
        (None, Some(stood)) => Some(stood),
        (text, _) => match text.unwrap_or_default().parse::<BusinessDay>() {
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
    }
}

/// Validates an event. For built-in events only the factor is used.
fn read(draft: &EventDraft, before: Option<&book::Event>, id: &str) -> ApiResult<book::Event> {
    let mut wrong = Vec::new();
    if draft.factor.is_some_and(|factor| !FACTORS.contains(&factor.0)) {
        wrong.push(FieldError::new("factor", "Enter a factor between 0 and 10; 1 is an ordinary day."));
    }
    if let Some(before) = before.filter(|it| it.built_in) {
        return if wrong.is_empty() {
            Ok(book::Event { factor: draft.factor, ..before.clone() })
        } else {
            Err(ApiError::invalid(wrong))
        };
    }
    let name = draft.name.as_deref().or_else(|| before.map(|it| it.name.as_str())).unwrap_or_default().trim();
    if name.is_empty() {
        wrong.push(FieldError::new("name", "Enter a name."));
    } else if name.chars().count() > MOST_NAME || has_unseen(name) {
        wrong.push(FieldError::new("name", format!("Enter one line of at most {MOST_NAME} characters.")));
    }
    let kind = draft.kind.as_deref().or_else(|| before.map(|it| it.kind.as_str())).unwrap_or_default();
    if !["holiday", "promotion", "closure"].contains(&kind) {
        wrong.push(FieldError::new("kind", "Choose holiday, promotion or closure."));
    }
    let from = day("from", draft.from.as_deref(), before.map(|it| it.from), &mut wrong);
    let to = day("to", draft.to.as_deref(), before.map(|it| it.to).or(from), &mut wrong);
    if let (Some(from), Some(to)) = (from, to) {
        if from > to {
            wrong.push(FieldError::new("to", "The last day must not come before the first."));
        } else if to.0 - from.0 >= MOST_DAYS {
            wrong.push(FieldError::new("to", format!("Choose a range of at most {MOST_DAYS} days.")));
        }
    }
    if draft.store_ids.is_some() && draft.area_id.is_some() {
        wrong.push(FieldError::new("areaId", "Choose stores or an area, not both."));
    }
    if draft.store_ids.as_ref().is_some_and(|stores| stores.is_empty() || stores.len() > 2_000) {
        wrong.push(FieldError::new("storeIds", "Choose at least one store, or leave it out for all."));
    }
    let (Some(from), Some(to), true) = (from, to, wrong.is_empty()) else {
        return Err(ApiError::invalid(wrong));
    };
    let mut store_ids = draft.store_ids.clone();
    if let Some(stores) = &mut store_ids {
        stores.sort();
        stores.dedup();
    }
    Ok(book::Event {
        id: id.to_owned(),
        name: name.to_owned(),
        kind: kind.to_owned(),
        from,
        to,
        store_ids,
        area_id: draft.area_id.clone().filter(|id| !id.is_empty()),
        factor: draft.factor,
        estimated: false,
        built_in: false,
        revision: 0,
        updated_at: None,
        updated_by: None,
    })
}

fn shown(event: book::Event, who: &Who, evidence: &HashMap<&'static str, book::Evidence>) -> Event {
    let learned = evidence.get(event.kind.as_str()).map(|it| Evidence {
        factor: it.factor,
        days: it.days,
        actual: it.actual,
        base: it.base,
    });
    let within = |stores: Vec<String>| stores.into_iter().filter(|store| who.scope.contains(store)).collect();
    Event {
        id: event.id,
        name: event.name,
        kind: event.kind,
        from: event.from,
        to: event.to,
        store_ids: event.store_ids.map(within),
        area_id: event.area_id,
        factor: event.factor,
        learned,
        estimated: event.estimated,
        built_in: event.built_in,
        revision: event.revision,
    }
}

fn stale(now: book::Event, who: &Who) -> ApiError {
    let name = now.updated_by.as_ref().map(|by| by.name.clone()).unwrap_or_default();
    ApiError::stale(&name, json!(shown(now, who, &HashMap::new())))
}

fn audit_snapshot(it: &book::Event) -> Value {
    let factor: Option<Factor> = it.factor;
    json!({
        "name": it.name, "kind": it.kind, "from": it.from, "to": it.to, "storeIds": it.store_ids, "areaId": it.area_id,
        "factor": factor,
    })
}

async fn record(
    tx: &mut Tx<'_>,
    action: ChangeAction,
    before: Option<&book::Event>,
    after: Option<&book::Event>,
) -> ApiResult<()> {
    let Some(it) = after.or(before) else { return Ok(()) };
    let change = Change {
        kind: "forecastEvent",
        id: it.id.clone(),
        store_id: None,
        action,
        before: before.map(audit_snapshot),
        after: after.map(audit_snapshot),
    };
    Ok(tx.record(change).await?)
}
