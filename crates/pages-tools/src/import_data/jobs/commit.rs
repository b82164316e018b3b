//! `importData.commit`: writes the planned rows, a few hundred per transaction.
//!
//! A row and its state are written in one transaction, so a killed job resumes with the unwritten rows and no
//! row is written twice.

use larder_db::{DbError, Tx};
use larder_domain::StoreScope;
use serde_json::{Map, Value, json};

use super::super::import::DataImport;
use super::super::model::{ImportOutcome, ImportProblem, ImportSummary};
use super::super::plan::Plan;
use super::super::queries;
use super::super::queries::rows::{PlannedRow, revision_of};
use super::{list_of_kind, refuse_far};
use larder_lists::imports::jobs::{Work, part};
use larder_platform::http::ApiError;
use larder_platform::jobs::JobError;

/// Rows per transaction.
const AT_ONCE: i64 = 300;

/// Runs the step.
pub async fn commit(work: Work<DataImport>) -> Result<Value, JobError> {
    let (work, ctx, state, id) = (&work, &work.ctx, &work.ctx.state, work.batch.id.as_str());
    let mut done = queries::rows::count_in(&state.db, id, "done").await?;
    let all = done + queries::rows::count_in(&state.db, id, "planned").await?;
    loop {
        ctx.go_on()?;
        ctx.progress(done.unsigned_abs(), all.unsigned_abs(), "Writing rows");
        let rows = queries::rows::planned(&state.db, id, AT_ONCE).await?;
        if rows.is_empty() {
            break;
        }
        done += rows.len() as i64;
        if !together(work, &rows, done).await? {
            one_by_one(work, &rows, done).await?;
        }
    }
    let before = work.batch.summary.as_ref().map(|summary| summary.0.clone()).unwrap_or_default();
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
            work.end(tx, Some(&summary)).await?;
            Ok(summary)
        })
        .await?;
    ctx.progress(all.unsigned_abs(), all.unsigned_abs(), "Written");
    Ok(json!(summary))
}

/// Writes all of these rows or none; `false` if one was refused.
async fn together(work: &Work<DataImport>, rows: &[PlannedRow], done: i64) -> Result<bool, JobError> {
    let (batch, scope) = (work.batch.id.as_str(), &work.scope);
    let written = part(&work.ctx, json!({ "rows": done }), async |tx| {
        for row in rows {
            write(tx, batch, row, scope).await?;
        }
        Ok(note_done(tx, batch, rows).await?)
    });
    match written.await {
        Ok(()) => Ok(true),
        Err(JobError::Failed(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes these rows one by one, skipping those refused because something changed since the check.
async fn one_by_one(work: &Work<DataImport>, rows: &[PlannedRow], done: i64) -> Result<(), JobError> {
    let (batch, scope) = (work.batch.id.as_str(), &work.scope);
    part(&work.ctx, json!({ "rows": done }), async |tx| {
        for row in rows {
            match tx.savepoint(async |tx| write(tx, batch, row, scope).await).await {
                Ok(()) => {}
                Err(error) if error.status.is_server_error() => return Err(error.into()),
                Err(error) => queries::rows::set_failed(tx, batch, row.seq, &problems(error)).await?,
            }
        }
        Ok(note_done(tx, batch, rows).await?)
    })
    .await
}

async fn note_done(tx: &mut Tx<'_>, batch: &str, rows: &[PlannedRow]) -> Result<(), DbError> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(()) };
    queries::rows::set_done(tx, batch, first.seq, last.seq).await
}

/// Writes a row through its list's operations.
async fn write(tx: &mut Tx<'_>, batch: &str, row: &PlannedRow, scope: &StoreScope) -> Result<(), ApiError> {
    let def = list_of_kind(&row.list).map_err(|_| ApiError::not_found("list"))?;
    let (Some(plan), Some(id)) = (&row.plan, &row.record_id) else { return Ok(()) };
    let record = match &plan.0 {
        Plan::Create(body) => (def.ops().create)(tx, id, body.clone(), None).await?,
        Plan::Update { revision, patch, .. } => {
            (def.ops().update)(tx, id, with_revision(patch, *revision)).await?
        }
    };
    refuse_far(def, scope, &record)?;
    let revision = revision_of(&record);
    if revision != plan.0.revision() {
        queries::rows::set_revision(tx, batch, row.seq, revision).await?;
    }
    Ok(())
}

/// A patch with its revision.
pub fn with_revision(patch: &Map<String, Value>, revision: i64) -> Map<String, Value> {
    let mut patch = patch.clone();
    patch.insert("revision".to_owned(), json!(revision));
    patch
}

fn problems(error: ApiError) -> Vec<ImportProblem> {
    if error.fields.is_empty() {
        return vec![ImportProblem { field: String::new(), value: String::new(), message: error.detail }];
    }
    let problem = |found: larder_platform::http::FieldError| ImportProblem {
        field: found.field,
        value: String::new(),
        message: found.message,
    };
    error.fields.into_iter().map(problem).collect()
}
