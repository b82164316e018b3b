//! Starting, finding, listing and cancelling runs.

use std::collections::HashMap;

use axum::http::StatusCode;
use larder_db::{Actor, Change, ChangeAction, Tx};
use larder_domain::{Action, StoreScope, Timestamp};
use serde_json::json;

use super::model::{CalculationCard, Cards, Kept, Run, RunState, Runs};
use super::{Ask, Declared, PAGE, queries, schedules};
use crate::AppState;
use crate::http::session::system_actor;
use crate::http::{ApiError, ApiResult, FieldError, Who};
use crate::jobs;

/// The noun in «not found» messages.
const ONE: &str = "run";

fn declared(state: &AppState, name: &str) -> ApiResult<Declared> {
    state.calculations.get(name).copied().ok_or_else(|| ApiError::not_found("service"))
}

/// The services a user may see.
///
/// # Errors
/// If the database fails.
pub async fn cards(state: &AppState, who: &Who) -> ApiResult<Cards> {
    let newest = queries::newest(&state.db, &who.scope).await?;
    let mut newest: HashMap<String, Kept> =
        newest.into_iter().map(|kept| (kept.service.clone(), kept)).collect();
    let mut set = schedules::all(&state.db).await?;
    let may = who.can(PAGE, Action::Edit);
    let card = |service: &Declared| {
        let schedule = set.remove(service.name).or_else(|| schedules::default_of(service));
        CalculationCard {
            service: service.name,
            title: service.title,
            answers: service.answers,
            page: service.page,
            last_run: newest.remove(service.name).map(|kept| kept.shown(&who.scope)),
            next_run_at: schedule.as_ref().and_then(|it| it.next(who.at)),
            schedule: schedule.map(|it| it.shown()),
            can_run: may,
            can_schedule: may && who.scope == StoreScope::All,
        }
    };
    Ok(Cards { items: state.calculations.iter().map(card).collect() })
}

/// A service whose last run failed.
#[derive(Debug, Clone)]
pub struct Failing {
    pub id: String,
    /// Label of the service.
    pub title: &'static str,
    pub page: &'static str,
    /// The reason, where it may be shown.
    pub error: String,
    pub at: Timestamp,
}

/// The services whose newest run visible to a user failed.
///
/// # Errors
/// If the database fails.
pub async fn failing(state: &AppState, who: &Who) -> ApiResult<Vec<Failing>> {
    let newest = queries::newest(&state.db, &who.scope).await?;
    let failed = newest.into_iter().filter_map(|kept| {
        let service = state.calculations.get(&kept.service)?;
        let run = kept.shown(&who.scope);
        (run.state == RunState::Failed).then(|| Failing {
            title: service.title,
            page: service.page,
            error: run.error.unwrap_or_default(),
            at: run.finished_at.unwrap_or(run.created_at),
            id: run.id,
        })
    });
    Ok(failed.collect())
}

/// Starts a run for a user, over the stores they may see.
///
/// # Errors
/// 404 for an unknown service, 403 for a store the user may not see, 409 while it is running, 422 for invalid
/// parameters.
pub async fn start(state: &AppState, who: &Who, name: &str, mut ask: Ask) -> ApiResult<Run> {
    let service = declared(state, name)?;
    ask.check(&service)?;
    ask.store_ids = who.stores(ask.store_ids.as_deref())?;
    check_ids(state, &ask).await?;
    (service.check)(state, &ask).await?;
    let id = begin(state, who.actor(), service, ask, None).await?;
    find(state, who, name, &id.ok_or_else(already)?).await
}

/// Starts a run on behalf of the server, over all stores unless some are given.
///
/// # Errors
/// As [`start`].
pub async fn start_by_itself(state: &AppState, name: &str, ask: Ask, at: Timestamp) -> ApiResult<String> {
    let service = declared(state, name)?;
    ask.check(&service)?;
    check_ids(state, &ask).await?;
    (service.check)(state, &ask).await?;
    let actor = system_actor("services", at);
    begin(state, actor, service, ask, None).await?.ok_or_else(already)
}

/// Queues a run over all stores inside the caller's transaction: it is started if that commits, and never if not. Call
/// [`Jobs::wake`](jobs::Jobs::wake) after the commit. The service does not check the parameters; the caller has.
///
/// # Errors
/// 404 for an unknown service, 409 while it is running, 422 for invalid parameters.
pub async fn start_in(tx: &mut Tx<'_>, state: &AppState, name: &str, ask: &Ask) -> ApiResult<String> {
    let service = declared(state, name)?;
    ask.check(&service)?;
    queue(tx, state, service, ask, None).await?.ok_or_else(already)
}

/// Whether a run of a service is queued or running.
///
/// # Errors
/// If the database fails.
pub async fn is_running(tx: &mut Tx<'_>, name: &str) -> ApiResult<bool> {
    Ok(queries::is_open(tx, name).await?)
}

/// Refuses unknown stores and items.
async fn check_ids(state: &AppState, ask: &Ask) -> ApiResult<()> {
    let mut wrong = Vec::new();
    if let Some(ids) = &ask.store_ids
        && !queries::all_stores_exist(&state.db, ids).await?
    {
        wrong.push(FieldError::new("storeIds", "One of these stores does not exist, or no longer does."));
    }
    if let Some(ids) = &ask.item_ids
        && !queries::all_items_exist(&state.db, ids).await?
    {
        wrong.push(FieldError::new("itemIds", "One of these items does not exist, or no longer does."));
    }
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

/// Queues a run and its job in one transaction; `None` if another node did for the same scheduled time.
pub(super) async fn begin(
    state: &AppState,
    actor: Actor,
    service: Declared,
    ask: Ask,
    due_at: Option<Timestamp>,
) -> ApiResult<Option<String>> {
    let ask = &ask;
    let begun = state.db.write(&actor, async |tx| queue(tx, state, service, ask, due_at).await).await?;
    state.jobs.wake();
    Ok(begun)
}

/// Inserts a run and its job; `None` if another node did for the same scheduled time.
async fn queue(
    tx: &mut Tx<'_>,
    state: &AppState,
    service: Declared,
    ask: &Ask,
    due_at: Option<Timestamp>,
) -> ApiResult<Option<String>> {
    if queries::is_open(tx, service.name).await? {
        return if due_at.is_some() { Ok(None) } else { Err(already()) };
    }
    let (id, job_id) = (state.new_id(), state.new_id());
    let new = queries::New { id: &id, service: service.name, job_id: &job_id, due_at, asked: ask };
    if !queries::insert(tx, &new).await? {
        return Ok(None);
    }
    state.jobs.enqueue(tx, job_id, queries::job(json!({ "runId": id }))).await?;
    record(tx, &id, ChangeAction::Created, json!({ "service": service.title, "asked": ask })).await?;
    Ok(Some(id))
}

/// A run a user may see.
///
/// # Errors
/// 404, also for one they may not see.
pub async fn find(state: &AppState, who: &Who, service: &str, id: &str) -> ApiResult<Run> {
    let kept = queries::find(&state.db, &who.scope, service, id).await?;
    Ok(kept.ok_or_else(|| ApiError::not_found(ONE))?.shown(&who.scope))
}

/// A page of a service's runs that a user may see, newest first.
///
/// # Errors
/// 404 for an unknown service.
pub async fn list(
    state: &AppState,
    who: &Who,
    service: &str,
    (limit, offset): (i64, i64),
) -> ApiResult<Runs> {
    declared(state, service)?;
    let (items, total) = queries::list(&state.db, &who.scope, Some(service), limit, offset).await?;
    Ok(Runs { items: items.into_iter().map(|kept| kept.shown(&who.scope)).collect(), total })
}

pub(super) async fn of_id(state: &AppState, id: &str) -> ApiResult<Run> {
    let kept = queries::of_id(&state.db, id).await?;
    Ok(kept.ok_or_else(|| ApiError::not_found(ONE))?.shown(&StoreScope::All))
}

/// The newest runs of all services.
pub(super) async fn last(state: &AppState, limit: i64) -> ApiResult<Vec<Run>> {
    let (items, _) = queries::list(&state.db, &StoreScope::All, None, limit, 0).await?;
    Ok(items.into_iter().map(|kept| kept.shown(&StoreScope::All)).collect())
}

/// Cancels a run: at once if queued, after the current part if running.
///
/// # Errors
/// 404, 403 if it covers stores the user may not see, 409 if it has ended.
pub async fn cancel(state: &AppState, who: &Who, service: &str, id: &str) -> ApiResult<Run> {
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            let kept = queries::find_in(tx, &who.scope, service, id).await?;
            let kept = kept.ok_or_else(|| ApiError::not_found(ONE))?;
            authorize_stores(who, &kept)?;
            use super::RunState::{Queued, Running};
            if !matches!(kept.state, Queued | Running) {
                return Err(ApiError::conflict("state", "This run has ended already."));
            }
            jobs::queries::request_cancel(tx, &kept.job_id).await?;
            if kept.state == Queued {
                queries::end(tx, id, "cancelled", None, None).await?;
            }
            record(tx, id, ChangeAction::Updated, json!({ "cancelled": true })).await
        })
        .await?;
    find(state, who, service, id).await
}

/// A run over all stores may be cancelled by users of all stores and by the one who started it.
fn authorize_stores(who: &Who, kept: &Kept) -> ApiResult<()> {
    let stores = kept.asked.store_ids.as_ref();
    let allowed = match stores {
        Some(stores) => stores.iter().all(|store| who.scope.contains(store)),
        None => who.scope == StoreScope::All,
    };
    if allowed || kept.created_by.uid == who.uid {
        return Ok(());
    }
    let words = "This run is for stores you don't have access to, so others have to stop it.";
    Err(ApiError::new(StatusCode::FORBIDDEN, "outOfScope", words))
}

fn already() -> ApiError {
    ApiError::conflict("running", "This service is running already. Wait until it is done, or stop it.")
}

async fn record(tx: &mut Tx<'_>, id: &str, action: ChangeAction, after: serde_json::Value) -> ApiResult<()> {
    let change = Change {
        kind: "serviceRun",
        id: id.to_owned(),
        store_id: None,
        action,
        before: None,
        after: Some(after),
    };
    Ok(tx.record(change).await?)
}
