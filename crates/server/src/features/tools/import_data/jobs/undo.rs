//! `importData.undo`: takes back what an import wrote, the last row first.
//!
//! A record it made goes, unless something uses it; a record it changed goes back, unless somebody changed it
//! since. As in the commit, a row and the note about it are one transaction.

use larder_db::{DbError, Tx};
use larder_domain::StoreScope;
use serde_json::{Value, json};

use super::super::model::{ImportState, ImportSummary};
use super::super::plan::Plan;
use super::super::queries;
use super::super::queries::rows::{Step, revision_of};
use super::commit::with_revision;
use super::{Args, list_of_kind, note_failure, refuse_far};
use crate::http::ApiError;
use crate::jobs::{JobCtx, JobError};

/// Rows in one transaction.
const AT_ONCE: i64 = 200;
/// What a batch says that was stopped half-way.
const STOPPED: &str = "Stopped on request. Undo again to take back the rest.";

/// Runs the job.
pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let args: Args = ctx.args()?;
    let done = undo(&ctx, &args).await;
    if let Err(error) = &done {
        let stopped = (ImportState::Failed, STOPPED);
        note_failure(&ctx.state, &ctx.actor(), &args.batch_id, error, stopped).await?;
    }
    done
}

async fn undo(ctx: &JobCtx, args: &Args) -> Result<Value, JobError> {
    let state = &ctx.state;
    let (batch, _) = super::batch(state, &args.batch_id).await?;
    let id = batch.id.as_str();
    let scope = &args.scope();
    let all = queries::rows::count_in(&state.db, id, "done").await?;
    let mut done = 0;
    loop {
        ctx.go_on()?;
        ctx.progress(done, all.unsigned_abs(), "Taking rows back");
        let steps = queries::rows::written(&state.db, id, AT_ONCE).await?;
        if steps.is_empty() {
            break;
        }
        done += steps.len() as u64;
        let (steps, checkpoint) = (&steps, &json!({ "rows": done }));
        state
            .db
            .write(&ctx.actor(), async |tx| -> Result<(), JobError> {
                if !ctx.checkpoint(tx, checkpoint).await? {
                    return Err(JobError::Interrupted);
                }
                for step in steps {
                    let kept = match tx.part(async |tx| take_back(tx, step, scope).await).await {
                        Ok(()) => None,
                        Err(error) if error.status.is_server_error() => return Err(error.into()),
                        Err(error) => Some(error.detail),
                    };
                    queries::rows::set_undone(tx, id, step.seq, kept.as_deref()).await?;
                }
                Ok(())
            })
            .await?;
    }
    let undone = queries::rows::count_in(&state.db, id, "undone").await?;
    let kept = queries::rows::count_in(&state.db, id, "kept").await?;
    let before = batch.summary.as_ref().map(|summary| summary.0.clone()).unwrap_or_default();
    let summary = &ImportSummary { undone: Some(undone), kept: Some(kept), ..before };
    state
        .db
        .write(&ctx.actor(), async |tx| -> Result<(), DbError> {
            queries::batches::end(tx, id, ImportState::Undone, Some(summary), None).await
        })
        .await?;
    ctx.progress(all.unsigned_abs(), all.unsigned_abs(), "Taken back");
    Ok(json!(summary))
}

async fn take_back(tx: &mut Tx<'_>, step: &Step, scope: &StoreScope) -> Result<(), ApiError> {
    let def = list_of_kind(&step.list).map_err(|_| ApiError::not_found("list"))?;
    let (Some(plan), Some(id)) = (&step.plan, &step.record_id) else { return Ok(()) };
    let made = matches!(plan.0, Plan::Create(_));
    let Some(record) = (def.ops().get)(tx, id).await? else {
        // Somebody removed it already; what it was changed from is not ours to bring back.
        return if made { Ok(()) } else { Err(ApiError::not_found(def.one)) };
    };
    refuse_far(def, scope, &record)?;
    if Some(revision_of(&record)) != step.record_revision {
        let by = record["updatedBy"]["name"].as_str().map_or(String::new(), |name| format!(" by {name}"));
        return Err(ApiError::conflict("changed", format!("Changed{by} since the import.")));
    }
    match &plan.0 {
        Plan::Create(_) => (def.ops().delete)(tx, id).await,
        Plan::Update { back, .. } => {
            let patch = with_revision(back, revision_of(&record));
            (def.ops().update)(tx, id, patch).await.map(drop)
        }
    }
}
