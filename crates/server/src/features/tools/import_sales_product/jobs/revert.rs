//! `sales.revert`: takes back what still stands as the batch posted it.

use serde_json::{Value, json};

use super::super::model::BatchState;
use super::super::queries;
use super::{BatchArgs, note_failure};
use crate::books::sales::revert_batch;
use crate::jobs::{JobCtx, JobError};

/// Store-days a transaction.
const AT_ONCE: i64 = 200;

/// Runs the job.
pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let BatchArgs { batch_id, .. } = ctx.args()?;
    let done = revert(&ctx, &batch_id).await;
    if let Err(error) = &done {
        note_failure(&ctx.state, &ctx.actor(), &batch_id, error, BatchState::Failed).await?;
    }
    done
}

async fn revert(ctx: &JobCtx, id: &str) -> Result<Value, JobError> {
    let db = &ctx.state.db;
    let all = queries::batches::count_store_days(db, id).await?;
    let mut done = 0;
    loop {
        ctx.go_on()?;
        let checkpoint = &json!({ "storeDays": done });
        let gone = db
            .write(&ctx.actor(), async |tx| -> Result<u64, JobError> {
                if !ctx.checkpoint(tx, checkpoint).await? {
                    return Err(JobError::Interrupted);
                }
                Ok(revert_batch(tx, id, AT_ONCE).await?)
            })
            .await?;
        done += gone;
        ctx.progress(done, u64::try_from(all).unwrap_or(done), "Taking back store-days");
        if gone == 0 {
            break;
        }
    }
    db.write(&ctx.actor(), async |tx| queries::steps::end(tx, id, BatchState::Reverted, None).await).await?;
    Ok(json!({ "storeDays": done }))
}
