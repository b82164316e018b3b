//! `sales.revert`: takes a batch out of its store-days. What it replaced comes back.

use serde_json::{Value, json};

use super::super::import::SalesImport;
use super::super::queries;
use larder_ledgers::sales::revert_batch;
use larder_lists::imports::jobs::{Work, part};
use larder_platform::jobs::JobError;

/// Store-days per transaction.
const AT_ONCE: i64 = 200;

/// Runs the step.
pub async fn revert(work: Work<SalesImport>) -> Result<Value, JobError> {
    let (work, ctx, db, id) = (&work, &work.ctx, &work.ctx.state.db, work.batch.id.as_str());
    let all = queries::batches::count_store_days(db, id).await?;
    let mut done = 0;
    loop {
        let checkpoint = json!({ "storeDays": done });
        let gone = part(ctx, checkpoint, async |tx| Ok(revert_batch(tx, id, AT_ONCE).await?)).await?;
        done += gone;
        ctx.progress(done, u64::try_from(all).unwrap_or(done), "Taking back store-days");
        if gone == 0 {
            break;
        }
    }
    db.write(&ctx.actor(), async |tx| -> Result<(), JobError> {
        work.end(tx, None).await?;
        // What it replaced is there again.
        queries::batches::supersede(tx).await?;
        Ok(())
    })
    .await?;
    Ok(json!({ "storeDays": done }))
}
