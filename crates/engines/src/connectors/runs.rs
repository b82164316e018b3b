//! Starting, listing and cancelling runs, by hand and on schedule; retrying and discarding dead letters.

use std::time::Duration;

use larder_db::{Actor, ChangeAction, Tx};
use larder_domain::sales::names::key;
use larder_domain::{BusinessDay, Timestamp};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::allowance::open_days;
use super::asked::Answers;
use super::model::{
    ConnectorNames, ConnectorRun, ConnectorRunDraft, ConnectorRunLog, ConnectorRuns, DeadLetters, Kept,
    KeptRun, RunParams,
};
use super::settings::Kind;
use super::store::{self, record};
use super::{Family, READ, TAKE, folder, queries};
use larder_ledgers::sales_names;
use larder_platform::AppState;
use larder_platform::http::session::system_actor;
use larder_platform::http::{ApiError, ApiResult, FieldError, Who};
use larder_platform::jobs;
use larder_platform::jobs::NewJob;

/// The most days per run.
pub(super) const MOST_DAYS: i32 = 400;
/// Days read back at first, if no first day is set.
const FIRST_DAYS: i32 = 7;
/// A scheduled run missed while no server was up is made up for within this time.
const MISSED_MS: i64 = 12 * 3_600_000;
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// Queues a run and its job. `None` if a reading run is open already.
pub(super) async fn begin(
    tx: &mut Tx<'_>,
    state: &AppState,
    kept: &Kept,
    cause: &str,
    params: &RunParams,
    (id, job_id): (&str, &str),
) -> ApiResult<bool> {
    let reads = params.file_key.is_none();
    let unique_key = reads.then(|| format!("connector:{}", kept.id));
    let open: i64 = match &unique_key {
        Some(key) => {
            let query = tx.sql("select cast(count(*) as bigint) from jobs where unique_key = $1");
            query.bind(key.as_str()).scalar().await?
        }
        None => 0,
    };
    if open > 0 {
        return Ok(false);
    }
    queries::insert_run(tx, id, &kept.id, job_id, cause, params).await?;
    let new = NewJob {
        kind: if reads { READ } else { TAKE },
        unique_key,
        args: json!({ "runId": id, "connectorId": kept.id }),
    };
    state.jobs.enqueue(tx, job_id.to_owned(), new).await?;
    tx.announce("connectorRun", id, None);
    Ok(true)
}

/// The default days of a run.
pub(super) fn usual_days(kept: &Kept, today: BusinessDay) -> (BusinessDay, BusinessDay) {
    let yesterday = today.plus(-1);
    let (first, again) = kept.settings.0.span();
    let again = i32::try_from(again).unwrap_or(0);
    let from = match kept.cursor_day {
        Some(read) => read.plus(1 - again),
        None => first.unwrap_or(yesterday.plus(1 - FIRST_DAYS)),
    };
    let from = first.map_or(from, |first| from.max(first)).min(yesterday);
    (from, from.plus(MOST_DAYS - 1).min(yesterday))
}

/// Starts a run by hand.
///
/// # Errors
/// 403, 404, 409 while it is running or paused, 422 for invalid days.
pub(super) async fn start<F: Family>(
    state: &AppState,
    who: &Who,
    id: &str,
    draft: &ConnectorRunDraft,
) -> ApiResult<ConnectorRun> {
    let kept = store::find::<F>(state, who, id).await?;
    if F::KIND == Kind::W3p {
        return Err(ApiError::conflict(
            "pushed",
            "A feed is not run: its data is pushed or put into its folder.",
        ));
    }
    let today = BusinessDay::of(who.at);
    let (from, to) = usual_days(&kept, today);
    let (from, to) =
        (draft.from.unwrap_or_else(|| draft.to.map_or(from, |to| from.min(to))), draft.to.unwrap_or(to));
    let mut wrong = Vec::new();
    if to >= today {
        wrong.push(FieldError::new("to", "A day is read when it is over: choose yesterday or earlier."));
    }
    if from > to {
        wrong.push(FieldError::new("from", "The first day has to be before the last."));
    } else if to.0 - from.0 >= MOST_DAYS {
        wrong.push(FieldError::new("from", format!("At most {MOST_DAYS} days are read at once.")));
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let params = RunParams { from: Some(from), to: Some(to), ..RunParams::default() };
    begin_for(state, who.actor(), &kept, "hand", &params).await
}

async fn begin_for(
    state: &AppState,
    actor: Actor,
    kept: &Kept,
    cause: &str,
    params: &RunParams,
) -> ApiResult<ConnectorRun> {
    let (id, job) = (state.new_id(), state.new_id());
    let ids = (id.as_str(), job.as_str());
    let begun = state.db.write(&actor, async |tx| begin(tx, state, kept, cause, params, ids).await).await?;
    if !begun {
        return Err(ApiError::conflict(
            "running",
            "This connector is at work already. Wait until it is done, or stop it.",
        ));
    }
    state.jobs.wake();
    Ok(kept_run(state, &kept.id, &id).await?.shown())
}

async fn kept_run(state: &AppState, connector: &str, id: &str) -> ApiResult<KeptRun> {
    let id = larder_platform::http::question::known_id(id, "run")?;
    queries::run(&state.db, connector, id).await?.ok_or_else(|| ApiError::not_found("run"))
}

pub(super) async fn list<F: Family>(
    state: &AppState,
    who: &Who,
    id: &str,
    page: (i64, i64),
) -> ApiResult<ConnectorRuns> {
    store::find::<F>(state, who, id).await?;
    let (items, total) = queries::runs(&state.db, id, page).await?;
    Ok(ConnectorRuns { items: items.into_iter().map(KeptRun::shown).collect(), total })
}

/// A run with its log.
///
/// # Errors
/// 403, 404.
pub(super) async fn get<F: Family>(
    state: &AppState,
    who: &Who,
    id: &str,
    run: &str,
) -> ApiResult<ConnectorRunLog> {
    store::find::<F>(state, who, id).await?;
    let found = kept_run(state, id, run).await?;
    let log = queries::log_of(&state.db, run).await?;
    Ok(ConnectorRunLog { run: found.shown(), log })
}

/// Cancels a run.
///
/// # Errors
/// 403, 404, 409 if it has ended.
pub(super) async fn cancel<F: Family>(
    state: &AppState,
    who: &Who,
    id: &str,
    run: &str,
) -> ApiResult<ConnectorRun> {
    store::find::<F>(state, who, id).await?;
    let found = kept_run(state, id, run).await?;
    if !matches!(found.state.as_str(), "queued" | "running") {
        return Err(ApiError::conflict("state", "This run has ended already."));
    }
    let found = &found;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            jobs::queries::request_cancel(tx, &found.job_id).await?;
            if found.state == "queued" {
                queries::end_run(tx, run, "cancelled", "Stopped on request.").await?;
            }
            tx.announce("connectorRun", run, None);
            record(tx, id, ChangeAction::Updated, None, Some(json!({ "runStopped": run }))).await
        })
        .await?;
    Ok(kept_run(state, id, run).await?.shown())
}

pub(super) async fn dead_letters<F: Family>(
    state: &AppState,
    who: &Who,
    id: &str,
    all: bool,
    page: (i64, i64),
) -> ApiResult<DeadLetters> {
    store::find::<F>(state, who, id).await?;
    let (items, total) = queries::dead_letters(&state.db, id, all, page).await?;
    Ok(DeadLetters { items: items.into_iter().map(super::model::KeptDeadLetter::shown).collect(), total })
}

/// Retries a dead letter, with the answer to its question if one is given.
///
/// # Errors
/// 403, 404, 409 if it is settled or a run is open, 422 for an answer that it does not offer.
pub(super) async fn retry<F: Family>(
    state: &AppState,
    who: &Who,
    id: &str,
    dead_letter: &str,
    answer: Option<&str>,
) -> ApiResult<ConnectorRun> {
    let kept = store::find::<F>(state, who, id).await?;
    let found = open_dead_letter(state, id, dead_letter).await?;
    if let Some(answer) = answer
        && !found.asked().is_some_and(|asked| asked.is_answered_by(answer))
    {
        return Err(ApiError::field("answer", "Choose one of the answers that are offered."));
    }
    let mut params = RunParams {
        letter: Some(found.id.clone()),
        answer: match found.asked() {
            Some(asked) => Some(Answers::new(found.answer.as_deref()).with(asked, answer)),
            None => found.answer.clone(),
        },
        ..RunParams::default()
    };
    if found.what == "day" {
        let mut days = found.unit.split('…').map(|day| day.parse::<BusinessDay>().ok());
        params.from = days.next().flatten();
        params.to = days.next().flatten().or(params.from);
    } else {
        params.file_key = found.file_key.clone();
        params.unit = Some(found.unit.clone());
        if params.file_key.is_none() {
            return Err(ApiError::conflict("gone", "The data is no longer stored. Have it sent again."));
        }
    }
    begin_for(state, who.actor(), &kept, "retry", &params).await
}

async fn open_dead_letter(
    state: &AppState,
    id: &str,
    dead_letter: &str,
) -> ApiResult<super::model::KeptDeadLetter> {
    let dead_letter = larder_platform::http::question::known_id(dead_letter, "entry")?;
    let found = queries::dead_letter(&state.db, id, dead_letter)
        .await?
        .ok_or_else(|| ApiError::not_found("entry"))?;
    if found.state != "open" {
        return Err(ApiError::conflict("state", "This is settled already."));
    }
    Ok(found)
}

/// Discards a dead letter.
///
/// # Errors
/// 403, 404, 409 if it is settled.
pub(super) async fn discard<F: Family>(
    state: &AppState,
    who: &Who,
    id: &str,
    dead_letter: &str,
) -> ApiResult<DeadLetters> {
    store::find::<F>(state, who, id).await?;
    let found = open_dead_letter(state, id, dead_letter).await?;
    let unit = &found.unit;
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            queries::discard(tx, dead_letter).await?;
            record(tx, id, ChangeAction::Updated, None, Some(json!({ "discarded": unit }))).await
        })
        .await?;
    if let Some(key) = &found.file_key {
        state.files.delete(key).await?;
    }
    dead_letters::<F>(state, who, id, false, (50, 0)).await
}

/// Maps store names, for all later files and deliveries.
///
/// # Errors
/// 403, 404, 422 for an unknown store.
pub(super) async fn name_stores<F: Family>(
    state: &AppState,
    who: &Who,
    id: &str,
    names: &ConnectorNames,
) -> ApiResult<DeadLetters> {
    store::find::<F>(state, who, id).await?;
    if names.stores.is_empty() || names.stores.len() > 200 {
        return Err(ApiError::field("stores", "Say which stores are meant, at most 200 at once."));
    }
    state
        .db
        .write(&who.actor(), async |tx| -> ApiResult<()> {
            for (at, name) in names.stores.iter().enumerate() {
                let (word, folded) = (name.name.trim(), key(&name.name));
                if folded.is_empty() || word.chars().count() > 200 {
                    return Err(ApiError::field(format!("stores.{at}.name"), "Say which name is meant."));
                }
                if !sales_names::queries::store_exists(tx, &name.store_id).await? {
                    return Err(ApiError::field(
                        format!("stores.{at}.storeId"),
                        "Choose a store that exists.",
                    ));
                }
                sales_names::queries::set_alias(tx, "store", &folded, word, &name.store_id).await?;
            }
            Ok(())
        })
        .await?;
    dead_letters::<F>(state, who, id, false, (50, 0)).await
}

/// Starts what is due and takes complete files. Returns the number of runs started.
///
/// # Errors
/// If the database fails.
pub async fn start_due(state: &AppState) -> ApiResult<usize> {
    let now = state.now();
    let mut started = 0;
    for kept in queries::awake(&state.db).await? {
        if kept.kind == Kind::W3p.as_str() {
            started += folder::look(state, &kept).await?;
            continue;
        }
        let its = kept.schedule();
        let Some(due) = store::schedule(its).last(now).filter(|_| its.enabled) else { continue };
        let before = kept.last_due.is_some_and(|last| last >= due)
            || kept.updated_at >= due && kept.last_due.is_none();
        if before || now.0 - due.0 > MISSED_MS {
            continue;
        }
        started += usize::from(start_one(state, &kept, due).await?);
    }
    if started > 0 {
        state.jobs.wake();
    }
    Ok(started)
}

async fn start_one(state: &AppState, kept: &Kept, due: Timestamp) -> ApiResult<bool> {
    let today = BusinessDay::of(state.now());
    // Older days require a run started by hand.
    let from = usual_days(kept, today).0.max(open_days(state).from).min(today.plus(-1));
    let to = from.plus(MOST_DAYS - 1).min(today.plus(-1));
    let params = &RunParams { from: Some(from), to: Some(to), ..RunParams::default() };
    let (id, job) = (state.new_id(), state.new_id());
    let ids = (id.as_str(), job.as_str());
    let actor = system_actor("connectors", state.now());
    state
        .db
        .write(&actor, async |tx| -> ApiResult<bool> {
            Ok(queries::claim_due(tx, &kept.id, due).await?
                && begin(tx, state, kept, "schedule", params, ids).await?)
        })
        .await
}

/// Checks for due runs every quarter of a minute. Every node does; only one starts each.
pub async fn follow(state: AppState, stop: CancellationToken) {
    let mut turns = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = turns.tick() => {}
        }
        if let Err(error) = start_due(&state).await {
            tracing::warn!(%error, "could not start due connector runs");
        }
    }
}
