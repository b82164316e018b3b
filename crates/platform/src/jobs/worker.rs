//! Claims jobs one by one, renews their leases and records how they ended.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use larder_domain::Timestamp;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::queries::{self, Claimed, JobState, Progress};
use super::{JobCtx, JobError, Jobs, Lane};
use crate::AppState;
use crate::http::ApiError;
use crate::http::session::system_actor;

/// A worker that does not renew within this time is considered dead.
const LEASE_MS: i64 = 15_000;
const RENEW_EVERY: Duration = Duration::from_millis(500);
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// A job that crashed its worker this often is given up.
pub(super) const ATTEMPTS: i64 = 5;

pub(super) async fn run(jobs: &Jobs, state: AppState, lane: Lane, stop: CancellationToken) {
    let owner: Arc<str> = state.new_id().into();
    while !stop.is_cancelled() {
        match step(jobs, &state, lane, &owner, &stop).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => tracing::error!(%error, "cannot access the job table"),
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = jobs.wake.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

pub(super) async fn drain(jobs: &Jobs, state: &AppState) -> Result<(), ApiError> {
    let owner: Arc<str> = state.new_id().into();
    while step(jobs, state, Lane::All, &owner, &CancellationToken::new()).await? {}
    Ok(())
}

async fn step(
    jobs: &Jobs,
    state: &AppState,
    lane: Lane,
    owner: &Arc<str>,
    stop: &CancellationToken,
) -> Result<bool, ApiError> {
    let actor = system_actor("jobs", state.now());
    let apart = jobs.kinds_apart((lane != Lane::Short).then_some(lane));
    let Some(claimed) = queries::claim(&state.db, &actor, (lane, apart), owner, LEASE_MS).await? else {
        return Ok(false);
    };
    let (id, kind) = (claimed.id.clone(), claimed.kind.clone());
    let outcome = work(jobs, state, owner, stop, claimed).await;
    let actor = system_actor("jobs", state.now());
    let (end, result, error) = match outcome {
        Ok(result) => (JobState::Done, Some(result), None),
        Err(JobError::Cancelled) => (JobState::Cancelled, None, None),
        Err(JobError::Interrupted) => {
            queries::put_back(&state.db, &actor, &id, owner, Timestamp(0), "").await?;
            return Ok(!stop.is_cancelled());
        }
        Err(JobError::Again { after_ms, why }) => {
            let due = actor.at.plus_ms(after_ms);
            queries::put_back(&state.db, &actor, &id, owner, due, &why).await?;
            return Ok(true);
        }
        Err(JobError::Later { after_ms, why }) => {
            let due = actor.at.plus_ms(after_ms);
            queries::put_back_whole(&state.db, &actor, &id, owner, due, &why).await?;
            return Ok(true);
        }
        Err(JobError::Failed(why)) => (JobState::Failed, None, Some(why)),
        Err(JobError::Broken(error)) => {
            tracing::error!(job = id, kind, error = format!("{error:#}"), "job failed");
            (JobState::Failed, None, Some(format!("Something went wrong on our side (job {id}). Try again.")))
        }
    };
    queries::finish(&state.db, &actor, &id, owner, end, result, error).await?;
    Ok(true)
}

async fn work(
    jobs: &Jobs,
    state: &AppState,
    owner: &Arc<str>,
    stop: &CancellationToken,
    claimed: Claimed,
) -> Result<Value, JobError> {
    let Some(runner) = jobs.runner(&claimed.kind) else {
        return Err(JobError::Failed(format!("This server cannot do “{}”.", claimed.kind)));
    };
    if claimed.attempts > ATTEMPTS {
        return Err(JobError::Failed(format!("Stopped after {ATTEMPTS} attempts.")));
    }
    let ctx = JobCtx::new(state.clone(), claimed, owner.clone());
    // In a task of its own, so that a panic ends the job and not the worker.
    let mut task = tokio::spawn(runner(ctx.clone()));
    let mut written = Progress::default();
    loop {
        tokio::select! {
            ended = &mut task => {
                return ended.unwrap_or_else(|e| Err(JobError::Broken(anyhow::anyhow!("the job panicked: {e}"))));
            }
            () = stop.cancelled(), if !ctx.lost.load(Ordering::Relaxed) => ctx.lost.store(true, Ordering::Relaxed),
            () = tokio::time::sleep(RENEW_EVERY) => keep(state, owner, &ctx, &mut written).await,
        }
    }
}

async fn keep(state: &AppState, owner: &str, ctx: &JobCtx, written: &mut Progress) {
    let shown = ctx.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    let actor = system_actor("jobs", state.now());
    match queries::renew(&state.db, &actor, ctx.id(), owner, LEASE_MS, &shown).await {
        Ok(Some(asked)) => {
            *written = shown;
            ctx.cancelled.store(asked, Ordering::Relaxed);
        }
        Ok(None) => ctx.lost.store(true, Ordering::Relaxed),
        Err(error) => tracing::warn!(%error, job = ctx.id(), "could not renew a job's lease"),
    }
}
