//! The job of a step: loads the batch, processes it part by part and stores the result in the batch.

use std::collections::BTreeSet;

use larder_db::Tx;
use larder_domain::StoreScope;
use serde::Deserialize;
use serde_json::Value;

use super::{Batch, Import, State, Step, queries};
pub use larder_platform::jobs::part;
use larder_platform::jobs::{JobCtx, JobError};

/// The batch of a job, and the permissions of the user who started it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    batch_id: String,
    #[serde(default)]
    stores: Option<BTreeSet<String>>,
}

/// A step being executed.
pub struct Work<I: Import> {
    pub ctx: JobCtx,
    pub batch: I::Batch,
    /// The stores visible to the user who started it.
    pub scope: StoreScope,
    step: &'static Step<I::State>,
}

/// Runs the job of a step.
///
/// # Errors
/// Why the work stopped.
pub async fn run<I, Fut>(
    ctx: JobCtx,
    step: &'static Step<I::State>,
    work: impl FnOnce(Work<I>) -> Fut,
) -> Result<Value, JobError>
where
    I: Import,
    Fut: Future<Output = Result<Value, JobError>>,
{
    let Args { batch_id, stores } = ctx.args()?;
    let batch = queries::find::<I>(&ctx.state.db, None, &batch_id).await?;
    let batch = batch.ok_or_else(|| JobError::Failed("The file was removed meanwhile.".to_owned()))?;
    if batch.job_id() != Some(ctx.id()) {
        return Err(superseded());
    }
    let scope = stores.map_or(StoreScope::All, StoreScope::Only);
    let done = work(Work { ctx: ctx.clone(), batch, scope, step }).await;
    if let Err(error) = &done {
        note_failure::<I>(&ctx, step, &batch_id, error).await?;
    }
    done
}

/// Stores the failure of a step in the batch; one to be resumed stays as it is.
async fn note_failure<I: Import>(
    ctx: &JobCtx,
    step: &Step<I::State>,
    id: &str,
    error: &JobError,
) -> Result<(), JobError> {
    let (to, words) = match error {
        JobError::Interrupted | JobError::Again { .. } | JobError::Later { .. } => return Ok(()),
        JobError::Cancelled => (step.stopped.0, step.stopped.1),
        JobError::Failed(words) => (I::State::FAILED, words.as_str()),
        JobError::Broken(_) => (I::State::FAILED, "Something went wrong on our side. Try again."),
    };
    let end = queries::End { to, error: Some(words), summary: None, done_at: None };
    let end = &end;
    let ended = async |tx: &mut Tx<'_>| queries::end::<I>(tx, id, ctx.id(), step.running, end).await;
    ctx.state.db.write(&ctx.actor(), ended).await?;
    Ok(())
}

fn superseded() -> JobError {
    JobError::Failed("Another step of this file was begun meanwhile.".to_owned())
}

impl<I: Import> Work<I> {
    /// Id of the batch.
    pub fn id(&self) -> &str {
        self.batch.id()
    }

    /// Marks the step as done, inside the transaction of its last part.
    ///
    /// # Errors
    /// [`JobError::Failed`] if another job has taken the batch.
    pub async fn end(&self, tx: &mut Tx<'_>, summary: Option<&I::Summary>) -> Result<(), JobError> {
        let Step { running, done, done_at, .. } = *self.step;
        let end = queries::End { to: done, error: None, summary, done_at };
        match queries::end::<I>(tx, self.id(), self.ctx.id(), running, &end).await? {
            true => Ok(()),
            false => Err(superseded()),
        }
    }
}
