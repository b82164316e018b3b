//! `importData.commit`: writes what was found out, some hundred rows in a transaction.
//!
//! A row and the note that it is written are one transaction, so a job that was killed goes on with the rows
//! that are not noted, and no row is written twice.

use larder_db::{DbError, Tx};
use larder_domain::StoreScope;
use serde_json::{Map, Value, json};

use super::super::model::{ImportOutcome, ImportProblem, ImportState, ImportSummary};
use super::super::plan::Plan;
use super::super::queries;
use super::super::queries::rows::{Step, revision_of};
use super::{Args, list_of_kind, note_failure, refuse_far};
use crate::http::ApiError;
use crate::jobs::{JobCtx, JobError};

/// Rows in one transaction.
const AT_ONCE: i64 = 300;
/// What a batch says that was stopped half-way.
const STOPPED: &str = "Stopped on request. Commit again to write the rest, or undo what was written.";

/// Runs the job.
pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let args: Args = ctx.args()?;
    let done = commit(&ctx, &args).await;
    if let Err(error) = &done {
        let stopped = (ImportState::Failed, STOPPED);
        note_failure(&ctx.state, &ctx.actor(), &args.batch_id, error, stopped).await?;
    }
    done
}

async fn commit(ctx: &JobCtx, args: &Args) -> Result<Value, JobError> {
    let state = &ctx.state;
    let (batch, _) = super::batch(state, &args.batch_id).await?;
    let id = batch.id.as_str();
    let scope = &args.scope();
    let mut done = queries::rows::count_in(&state.db, id, "done").await?;
    let all = done + queries::rows::count_in(&state.db, id, "planned").await?;
    loop {
        ctx.go_on()?;
        ctx.progress(done.unsigned_abs(), all.unsigned_abs(), "Writing rows");
        let steps = queries::rows::planned(&state.db, id, AT_ONCE).await?;
        if steps.is_empty() {
            break;
        }
        done += steps.len() as i64;
        if !together(ctx, id, &steps, scope, done).await? {
            one_by_one(ctx, id, &steps, scope, done).await?;
        }
    }
    let before = batch.summary.as_ref().map(|summary| summary.0.clone()).unwrap_or_default();
    let before = &before;
    let summary = state
        .db
        .write(&ctx.actor(), async |tx| -> Result<ImportSummary, JobError> {
            let counts = queries::rows::counts(tx, id).await?;
            let count = |wanted| counts.iter().find(|(known, _)| *known == wanted).map_or(0, |(_, n)| *n);
            let summary = ImportSummary {
                created: count(ImportOutcome::Created),
                updated: count(ImportOutcome::Updated),
                unchanged: count(ImportOutcome::Unchanged),
                failed: count(ImportOutcome::Failed),
                ..before.clone()
            };
            queries::batches::end(tx, id, ImportState::Committed, Some(&summary), None).await?;
            Ok(summary)
        })
        .await?;
    ctx.progress(all.unsigned_abs(), all.unsigned_abs(), "Written");
    Ok(json!(summary))
}

/// Writes all of these rows or none; `false` when one of them was refused.
async fn together(
    ctx: &JobCtx,
    batch: &str,
    steps: &[Step],
    scope: &StoreScope,
    done: i64,
) -> Result<bool, JobError> {
    let checkpoint = &json!({ "rows": done });
    let written = ctx
        .state
        .db
        .write(&ctx.actor(), async |tx| -> Result<bool, ApiError> {
            if !ctx.checkpoint(tx, checkpoint).await? {
                return Ok(false);
            }
            for step in steps {
                write(tx, batch, step, scope).await?;
            }
            note_done(tx, batch, steps).await?;
            Ok(true)
        })
        .await;
    match written {
        Ok(true) => Ok(true),
        Ok(false) => Err(JobError::Interrupted),
        Err(error) if error.status.is_server_error() => Err(error.into()),
        Err(_) => Ok(false),
    }
}

/// Writes these rows, leaving out those that are refused: something changed since they were checked.
async fn one_by_one(
    ctx: &JobCtx,
    batch: &str,
    steps: &[Step],
    scope: &StoreScope,
    done: i64,
) -> Result<(), JobError> {
    let checkpoint = &json!({ "rows": done });
    ctx.state
        .db
        .write(&ctx.actor(), async |tx| -> Result<(), JobError> {
            if !ctx.checkpoint(tx, checkpoint).await? {
                return Err(JobError::Interrupted);
            }
            for step in steps {
                match tx.part(async |tx| write(tx, batch, step, scope).await).await {
                    Ok(()) => {}
                    Err(error) if error.status.is_server_error() => return Err(error.into()),
                    Err(error) => queries::rows::set_failed(tx, batch, step.seq, &problems(error)).await?,
                }
            }
            Ok(note_done(tx, batch, steps).await?)
        })
        .await
}

async fn note_done(tx: &mut Tx<'_>, batch: &str, steps: &[Step]) -> Result<(), DbError> {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return Ok(()) };
    queries::rows::set_done(tx, batch, first.seq, last.seq).await
}

/// Writes a row through the operations of its list.
async fn write(tx: &mut Tx<'_>, batch: &str, step: &Step, scope: &StoreScope) -> Result<(), ApiError> {
    let def = list_of_kind(&step.list).map_err(|_| ApiError::not_found("list"))?;
    let (Some(plan), Some(id)) = (&step.plan, &step.record_id) else { return Ok(()) };
    let record = match &plan.0 {
        Plan::Create(body) => (def.ops().create)(tx, id, body.clone(), None).await?,
        Plan::Update { revision, patch, .. } => {
            (def.ops().update)(tx, id, with_revision(patch, *revision)).await?
        }
    };
    refuse_far(def, scope, &record)?;
    let revision = revision_of(&record);
    if revision != plan.0.revision() {
        queries::rows::set_revision(tx, batch, step.seq, revision).await?;
    }
    Ok(())
}

/// A patch as an operation takes it.
pub fn with_revision(patch: &Map<String, Value>, revision: i64) -> Map<String, Value> {
    let mut patch = patch.clone();
    patch.insert("revision".to_owned(), json!(revision));
    patch
}

fn problems(error: ApiError) -> Vec<ImportProblem> {
    if error.fields.is_empty() {
        return vec![ImportProblem { field: String::new(), value: String::new(), message: error.detail }];
    }
    let problem = |found: crate::http::FieldError| ImportProblem {
        field: found.field,
        value: String::new(),
        message: found.message,
    };
    error.fields.into_iter().map(problem).collect()
}
