//! Steps: the states they start from, pass through and end in.

use larder_db::Tx;
use larder_domain::StoreScope;
use serde_json::{Map, Value, json};

use super::{Batch, Import, State, batches, queries, refuse_state};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Json, Who};
use larder_platform::jobs::NewJob;

/// A step of an import: the states it leads from and to.
pub struct Step<S: 'static> {
    /// Its job kind.
    pub job: &'static str,
    /// States it can be taken from.
    pub from: &'static [S],
    /// State while the job works.
    pub running: S,
    /// State once done.
    pub done: S,
    /// The column for the time it was done.
    pub done_at: Option<&'static str>,
    /// State and message after it was cancelled.
    pub stopped: (S, &'static str),
}

impl<S: State> Step<S> {
    /// Refuses a batch in another state. [`take`] has the final say.
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
/// 404 for users who may not see it, 409 if it is in another state by now.
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
    // The batch's state admits only one job. A unique key would still be held for a moment after the batch is
    // done, and refuse the next step.
    let new = NewJob { kind: step.job, unique_key: None, args };
    state.jobs.enqueue_at(tx, job_id, new, &work(seen.id())).await?;
    Ok(())
}

/// The work that groups the jobs of all steps of a batch.
pub(super) fn work(batch_id: &str) -> String {
    format!("batch:{batch_id}")
}

/// Takes a step that needs nothing but the batch, and returns its new state.
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

/// Wakes the workers and returns the batch whose job was queued.
///
/// # Errors
/// As [`batches::find`].
pub async fn under_way<I: Import>(state: &AppState, who: &Who, id: &str) -> ApiResult<Json<I::Batch>> {
    state.jobs.wake();
    Ok(Json(batches::find::<I>(state, who, id).await?))
}

pub(super) fn taken_meanwhile() -> ApiError {
    ApiError::conflict("state", "Someone else is working on this file. Reload to see its state.")
}

/// The stores visible to the user, for the job; `null` is all.
fn stores(who: &Who) -> Value {
    match &who.scope {
        StoreScope::All => Value::Null,
        StoreScope::Only(stores) => json!(stores),
    }
}
