//! `importData.undo`: undoes an import, last row first.
//!
//! A created record is deleted unless in use; a changed record is reverted unless changed since. As in the
//! commit, a row and its state are written in one transaction.

use larder_db::Tx;
use larder_domain::StoreScope;
use serde_json::{Value, json};

use super::super::import::DataImport;
use super::super::model::ImportSummary;
use super::super::plan::Plan;
use super::super::queries;
use super::super::queries::rows::{PlannedRow, revision_of};
use super::commit::with_revision;
use super::{list_of_kind, refuse_far};
use larder_lists::imports::jobs::{Work, part};
use larder_platform::http::ApiError;
use larder_platform::jobs::JobError;

/// Rows per transaction.
const AT_ONCE: i64 = 200;

/// Runs the step.
pub async fn undo(work: Work<DataImport>) -> Result<Value, JobError> {
    let (work, ctx, state, id) = (&work, &work.ctx, &work.ctx.state, work.batch.id.as_str());
    let scope = &work.scope;
    let count_in = |row_state| queries::rows::count_in(&state.db, id, row_state);
    let all = count_in("done").await?;
    let mut done = 0;
    loop {
        ctx.go_on()?;
        ctx.progress(done, all.unsigned_abs(), "Taking rows back");
        let rows = queries::rows::written(&state.db, id, AT_ONCE).await?;
        if rows.is_empty() {
            break;
        }
        done += rows.len() as u64;
        let rows = &rows;
        part(ctx, json!({ "rows": done }), async |tx| {
            for row in rows {
                let kept = match tx.savepoint(async |tx| take_back(tx, row, scope).await).await {
                    Ok(()) => None,
                    Err(error) if error.status.is_server_error() => return Err(error.into()),
                    Err(error) => Some(error.detail),
                };
                queries::rows::set_undone(tx, id, row.seq, kept.as_deref()).await?;
            }
            Ok(())
        })
        .await?;
    }
    let (undone, kept) = (count_in("undone").await?, count_in("kept").await?);
    let before = work.batch.summary.as_ref().map(|summary| summary.0.clone()).unwrap_or_default();
    let summary = &ImportSummary { undone: Some(undone), kept: Some(kept), ..before };
    state.db.write(&ctx.actor(), async |tx| work.end(tx, Some(summary)).await).await?;
    ctx.progress(all.unsigned_abs(), all.unsigned_abs(), "Taken back");
    Ok(json!(summary))
}

async fn take_back(tx: &mut Tx<'_>, row: &PlannedRow, scope: &StoreScope) -> Result<(), ApiError> {
    let def = list_of_kind(&row.list).map_err(|_| ApiError::not_found("list"))?;
    let (Some(plan), Some(id)) = (&row.plan, &row.record_id) else { return Ok(()) };
    let made = matches!(plan.0, Plan::Create(_));
    let Some(record) = (def.ops().get)(tx, id).await? else {
        // Already deleted; a changed record is not restored.
        return if made { Ok(()) } else { Err(ApiError::not_found(def.one)) };
    };
    refuse_far(def, scope, &record)?;
    if Some(revision_of(&record)) != row.record_revision {
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
