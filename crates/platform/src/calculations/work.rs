//! Executing a run.

use larder_db::Tx;
use larder_domain::BusinessDay;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::model::{Kept, RunState};
use super::{Ask, Outcome, queries};
use crate::AppState;
use crate::jobs;
use crate::jobs::{JobCtx, JobError};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    run_id: String,
}

/// A run being executed.
#[derive(Clone)]
pub struct Work {
    /// The job: server, progress, cancellation.
    pub ctx: JobCtx,
    run_id: String,
    asked: Ask,
    day: BusinessDay,
}

impl Work {
    /// The server's state.
    #[must_use]
    pub fn state(&self) -> &AppState {
        &self.ctx.state
    }

    /// The run's id.
    #[must_use]
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// The parameters. Stores are limited to those the user may see; absent is all.
    #[must_use]
    pub fn asked(&self) -> &Ask {
        &self.asked
    }

    /// The business day on which the run was started (UTC+8). It does not change when the run is resumed.
    #[must_use]
    pub fn day(&self) -> BusinessDay {
        self.day
    }

    /// The last checkpoint of an earlier attempt.
    #[must_use]
    pub fn checkpoint<T: DeserializeOwned>(&self) -> Option<T> {
        self.ctx.last_checkpoint()
    }

    /// Reports progress.
    pub fn progress(&self, done: usize, total: usize, message: &str) {
        self.ctx.progress(done as u64, total as u64, message);
    }

    /// One part of the work: its changes, the checkpoint and the event to open screens are one transaction.
    ///
    /// # Errors
    /// [`JobError::Cancelled`], [`JobError::Interrupted`], or the part's own error.
    pub async fn part<T, F>(&self, checkpoint: Value, part: F) -> Result<T, JobError>
    where
        F: AsyncFnOnce(&mut Tx<'_>) -> Result<T, JobError> + Clone,
    {
        let part = &part;
        jobs::part(&self.ctx, checkpoint, async |tx: &mut Tx<'_>| {
            tx.announce("serviceRun", &self.run_id, None);
            (part.clone())(tx).await
        })
        .await
    }
}

/// The job runner of every service.
pub(super) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let Args { run_id } = ctx.args()?;
    let gone = || JobError::Failed("The run this belongs to is gone.".to_owned());
    let kept = queries::of_job(&ctx.state.db, ctx.id(), &run_id).await?.ok_or_else(gone)?;
    if kept.state != RunState::Running {
        // The run had ended, but the job was cut off before recording it.
        return Ok(json!({ "runId": run_id }));
    }
    let Kept { service, asked, created_at, .. } = kept;
    let state = ctx.state.clone();
    let declared = state
        .calculations
        .get(&service)
        .ok_or_else(|| JobError::Failed("This server does not know the service any more.".to_owned()));
    let work =
        Work { ctx: ctx.clone(), run_id: run_id.clone(), asked: asked.0, day: BusinessDay::of(created_at) };
    announce(&ctx, &run_id).await?;
    let done = match declared {
        Ok(declared) => (declared.run)(work.clone()).await,
        Err(error) => Err(error),
    };
    end(&work, &service, done).await
}

/// Stores how the run ended; one to be resumed stays open.
async fn end(work: &Work, service: &str, done: Result<Outcome, JobError>) -> Result<Value, JobError> {
    let ctx = &work.ctx;
    let (state, words) = match &done {
        Ok(_) => ("done", None),
        Err(JobError::Interrupted | JobError::Again { .. } | JobError::Later { .. }) => {
            return done.map(|_| Value::Null);
        }
        Err(JobError::Cancelled) => ("cancelled", None),
        Err(JobError::Failed(words)) => ("failed", Some(words.as_str())),
        Err(JobError::Broken(_)) => ("failed", Some("Something went wrong on our side. Try again.")),
    };
    let outcome = done.as_ref().ok();
    ctx.state
        .db
        .write(&ctx.actor(), async |tx| -> Result<(), JobError> {
            let mut outcome = outcome.cloned();
            if let Some(outcome) = &mut outcome {
                let before = queries::done_before(tx, service, &work.run_id).await?;
                let same = before.iter().find(|(asked, _)| asked_alike(&asked.0, &work.asked));
                same.into_iter().for_each(|(_, before)| outcome.held_against(before));
            }
            queries::end(tx, &work.run_id, state, outcome.as_ref(), words).await?;
            tx.announce("serviceRun", &work.run_id, None);
            Ok(())
        })
        .await?;
    done.map(|_| json!({ "runId": work.run_id }))
}

/// Whether the parameters of two runs are equal except for the days.
fn asked_alike(one: &Ask, other: &Ask) -> bool {
    let of = |ask: &Ask| Ask { from: None, to: None, ..ask.clone() };
    of(one) == of(other)
}

/// Tells open screens about the run.
async fn announce(ctx: &JobCtx, run_id: &str) -> Result<(), JobError> {
    ctx.state
        .db
        .write(&ctx.actor(), async |tx| -> Result<(), JobError> {
            tx.announce("serviceRun", run_id, None);
            Ok(())
        })
        .await
}
