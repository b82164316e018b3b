//! Steps: what a batch goes from, where it stands while a job is at it, where it ends.

use larder_db::Tx;
use larder_domain::StoreScope;
use serde_json::{Map, Value, json};

use super::{Batch, Import, State, batches, queries, refuse_state};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::jobs::NewJob;

/// A step of an import.
pub struct Step<S: 'static> {
    /// The kind of job that does it.
    pub job: &'static str,
    /// From where it can be taken.
    pub from: &'static [S],
    /// While the job is at it.
    pub running: S,
    /// Once it is done.
    pub done: S,
    /// The column that keeps when it was done.
    pub done_at: Option<&'static str>,
    /// Where the batch stands once somebody stopped it, and what it then says.
    pub stopped: (S, &'static str),
}

impl<S: State> Step<S> {
    /// Refuses a batch that the step does not begin at. What is decided is decided by [`take`].
    ///
    /// # Errors
    /// 409.
    pub fn check(&self, batch: &impl Batch<State = S>) -> ApiResult<()> {
        if self.from.contains(&batch.state()) { Ok(()) } else { Err(refuse_state(batch.state())) }
    }
}

/// Takes a step of a batch as it was `seen` and queues its job, or does neither.
///
/// # Errors
/// 404 for whoever may not see it, 409 where it stands at another point by now.
pub async fn take<I: Import>(
    tx: &mut Tx<'_>,
    state: &AppState,
    who: &Who,
    seen: &I::Batch,
    step: &'static Step<I::State>,
    more: Map<String, Value>,
) -> ApiResult<()> {
    let batch = batches::find_in::<I>(tx, who, seen.id()).await?;
    let job_id = state.new_id();
    if !queries::take::<I>(tx, seen, step, &job_id).await? {
        step.check(&batch)?;
        return Err(taken_meanwhile());
    }
    let mut args = json!({ "batchId": seen.id(), "stores": stores(who) });
    args.as_object_mut().into_iter().for_each(|args| args.extend(more.clone()));
    // The batch's state lets one job at it: a key of the job's own would still be held for a moment after the batch
    // says that it is done, and refuse whoever goes on at once.
    let new = NewJob { kind: step.job, unique_key: None, args };
    state.jobs.enqueue_at(tx, job_id, new, &work(seen.id())).await?;
    Ok(())
}

/// What the jobs of all steps of a batch are at.
pub(super) fn work(batch_id: &str) -> String {
    format!("batch:{batch_id}")
}

/// Takes a step that needs nothing but the batch, and answers with how it stands then.
///
/// # Errors
/// As [`take`].
pub async fn go<I: Import>(
    state: &AppState,
    who: &Who,
    seen: &I::Batch,
    step: &'static Step<I::State>,
) -> ApiResult<Json<I::Batch>> {
    let taken = async |tx: &mut Tx<'_>| take::<I>(tx, state, who, seen, step, Map::new()).await;
    state.db.write(&who.actor(), taken).await?;
    under_way::<I>(state, who, seen.id()).await
}

/// Wakes the workers and answers with a batch whose job was queued.
///
/// # Errors
/// As [`batches::find`].
pub async fn under_way<I: Import>(state: &AppState, who: &Who, id: &str) -> ApiResult<Json<I::Batch>> {
    state.jobs.wake();
    Ok(Json(batches::find::<I>(state, who, id).await?))
}

/// Somebody else was quicker.
pub(super) fn taken_meanwhile() -> ApiError {
    ApiError::conflict("state", "Somebody else is at work on this file. Reload to see how it stands.")
}

/// The stores within reach, for the job; `null` is all.
fn stores(who: &Who) -> Value {
    match &who.scope {
        StoreScope::All => Value::Null,
        StoreScope::Only(stores) => json!(stores),
    }
}
