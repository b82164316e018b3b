//! When services run on their own.

use std::collections::HashMap;
use std::time::Duration;

use axum::http::StatusCode;
use larder_db::{Change, ChangeAction, Db, DbError, Tx};
use larder_domain::schedule::Schedule;
use larder_domain::{StoreScope, Timestamp};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::model::{CalculationSchedule, ScheduleDraft};
use super::queries::KeptSchedule;
use super::{Ask, Declared, queries, runs};
use crate::AppState;
use crate::http::session::system_actor;
use crate::http::{ApiError, ApiResult, FieldError, Who};

const LOOK_EVERY: Duration = Duration::from_secs(30);
/// A scheduled run missed while no server was up is made up for within this time.
const MISSED_MS: i64 = 12 * 3_600_000;

/// The schedule in effect for a service.
#[derive(Debug, Clone)]
pub(super) struct Effective {
    enabled: bool,
    schedule: Schedule,
    revision: i64,
    /// When it was set; `None` for the default.
    since: Option<Timestamp>,
}

impl Effective {
    fn of(kept: &KeptSchedule) -> Self {
        Self {
            enabled: kept.enabled,
            schedule: schedule(kept.minutes, kept.weekdays),
            revision: kept.revision,
            since: Some(kept.updated_at),
        }
    }

    /// The next time after a moment; `None` if off.
    pub fn next(&self, now: Timestamp) -> Option<Timestamp> {
        self.enabled.then(|| self.schedule.next(now))?
    }

    /// As the API shows it.
    pub fn shown(&self) -> CalculationSchedule {
        CalculationSchedule {
            enabled: self.enabled,
            minutes: self.schedule.minutes,
            weekdays: i64::from(self.schedule.weekdays),
            revision: self.revision,
        }
    }
}

fn schedule(minutes: i64, weekdays: i64) -> Schedule {
    Schedule { minutes, weekdays: u8::try_from(weekdays & 127).unwrap_or(0) }
}

/// The default schedule of a service.
pub(super) fn default_of(service: &Declared) -> Option<Effective> {
    let schedule = service.nightly?;
    Some(Effective { enabled: true, schedule, revision: 0, since: None })
}

/// Every schedule that was set, by service.
pub(super) async fn all(db: &Db) -> Result<HashMap<String, Effective>, DbError> {
    let kept = queries::schedules(db).await?;
    Ok(kept.iter().map(|kept| (kept.service.clone(), Effective::of(kept))).collect())
}

pub(super) async fn next(state: &AppState) -> ApiResult<Vec<(&'static str, Option<Timestamp>)>> {
    let (now, mut set) = (state.now(), all(&state.db).await?);
    let next = |service: &Declared| {
        let it = set.remove(service.name).or_else(|| default_of(service));
        (service.name, it.and_then(|it| it.next(now)))
    };
    Ok(state.calculations.iter().map(next).collect())
}

/// Sets a service's schedule. Scheduled runs cover all stores, so only users of all stores may set one.
///
/// # Errors
/// 404 for an unknown service, 403 for users of some stores, 409 for an old revision, 422 for an invalid
/// time.
pub async fn set(
    state: &AppState,
    who: &Who,
    name: &str,
    draft: &ScheduleDraft,
) -> ApiResult<CalculationSchedule> {
    let service = state.calculations.get(name).ok_or_else(|| ApiError::not_found("service"))?;
    if who.scope != StoreScope::All {
        let words = "The schedule is for all stores, so only people of all stores can change it.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "allStores", words));
    }
    if !(1..=127).contains(&draft.weekdays) {
        return Err(ApiError::field("weekdays", "Choose at least one day."));
    }
    if let Some((field, why)) = schedule(draft.minutes, draft.weekdays).refusal() {
        return Err(ApiError::invalid(vec![FieldError::new(field, why)]));
    }
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<CalculationSchedule> {
            let before = queries::schedule(tx, name).await?;
            let seen = before.as_ref().map_or(0, |kept| kept.revision);
            if seen != draft.revision || !queries::set_schedule(tx, name, draft).await? {
                return Err(stale(queries::schedule(tx, name).await?));
            }
            let previous = before.as_ref().map(Effective::of).or_else(|| default_of(service));
            let after = queries::schedule(tx, name).await?.as_ref().map(Effective::of);
            record(tx, name, previous.as_ref(), after.as_ref()).await?;
            after.map(|it| it.shown()).ok_or_else(|| ApiError::not_found("schedule"))
        })
        .await
}

fn stale(now: Option<KeptSchedule>) -> ApiError {
    let name = now.as_ref().map(|kept| kept.updated_by.name.clone()).unwrap_or_default();
    ApiError::stale(&name, now.map_or(Value::Null, |kept| json!(Effective::of(&kept).shown())))
}

async fn record(
    tx: &mut Tx<'_>,
    name: &str,
    before: Option<&Effective>,
    after: Option<&Effective>,
) -> ApiResult<()> {
    let audit_snapshot = |it: &Effective| {
        let Schedule { minutes, weekdays } = it.schedule;
        let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
        let days: Vec<&str> = days
            .iter()
            .enumerate()
            .filter(|(at, _)| weekdays & (1 << at) != 0)
            .map(|(_, day)| *day)
            .collect();
        let time = format!("{:02}:{:02}", minutes / 60, minutes % 60);
        json!({ "enabled": it.enabled, "time": time, "weekdays": days.join(", ") })
    };
    let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
    let (before, after) = (before.map(audit_snapshot), after.map(audit_snapshot));
    let change =
        Change { kind: "serviceSchedule", id: name.to_owned(), store_id: None, action, before, after };
    Ok(tx.record(change).await?)
}

/// Starts what is due now. `since` is the start of this server: a new installation does not make up for
/// earlier nights.
pub(super) async fn start_due(state: &AppState, since: Timestamp) -> ApiResult<Vec<String>> {
    let now = state.now();
    let set = all(&state.db).await?;
    let last: HashMap<String, Timestamp> = queries::last_due(&state.db).await?.into_iter().collect();
    let mut started = Vec::new();
    for service in state.calculations.iter() {
        let Some(it) = set.get(service.name).cloned().or_else(|| default_of(service)) else { continue };
        let Some(due) = it.schedule.last(now).filter(|_| it.enabled) else { continue };
        let last = last.get(service.name).copied();
        let missed = now.0 - due.0 > MISSED_MS || it.since.is_some_and(|since| due < since);
        let before_all = due <= since && last.is_none();
        if missed || before_all || last.is_some_and(|last| last >= due) || waits(state, service).await? {
            continue;
        }
        let actor = system_actor("services", now);
        started.extend(runs::begin(state, actor, *service, Ask::default(), Some(due)).await?);
    }
    Ok(started)
}

/// Whether the service this one runs after is still running.
async fn waits(state: &AppState, service: &Declared) -> ApiResult<bool> {
    let Some(after) = service.after else { return Ok(false) };
    Ok(queries::open_now(&state.db, after).await?)
}

/// Looks for due runs every half minute. Every node does; only one starts each.
pub async fn follow_schedules(state: AppState, stop: CancellationToken) {
    let mut turns = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = turns.tick() => {}
        }
        if let Err(error) = start_due(&state, state.started_at).await {
            tracing::warn!(%error, "could not start scheduled runs");
        }
    }
}
