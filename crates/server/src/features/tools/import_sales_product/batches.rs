//! Batches: seeing them and removing what was not posted.

use axum::extract::State;
use axum::http::StatusCode;

use super::directory::Directory;
use super::model::{Batch, BatchState, Batches, PageQuery};
use super::summary::refresh;
use super::{jobs, queries};
use crate::AppState;
use crate::http::json::{Path, Query};
use crate::http::{ApiError, ApiResult, Json, Who};

/// The files uploaded so far, newest first.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches", tag = "import sales", params(PageQuery),
    responses((status = 200, body = Batches)))]
pub(crate) async fn list_sales_batches(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Batches>> {
    let (limit, offset) = query.limits();
    let (items, total) = queries::batches::list(&state.db, &who, limit, offset).await?;
    Ok(Json(Batches { items, total }))
}

/// One uploaded file and what became of it.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches/{id}", tag = "import sales",
    params(("id" = String, Path)), responses((status = 200, body = Batch)))]
pub(crate) async fn get_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Batch>> {
    Ok(Json(fresh(&state, &who, &id).await?))
}

/// Remove a file that was not posted.
#[utoipa::path(delete, path = "/api/tools/import-sales-product/batches/{id}", tag = "import sales",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn delete_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let batch = find(&state, &who, &id).await?;
    if batch.posted_at.is_some() || matches!(batch.state, BatchState::Validating | BatchState::Posting) {
        return Err(refuse_state(&batch));
    }
    let key = queries::batches::file_key(&state.db, &id).await?;
    let batch = &batch;
    state
        .db
        .write(&who.actor(), async |tx| {
            if queries::batches::has_store_days(tx, &batch.id).await? {
                return Err(ApiError::conflict("state", "Some of this file was posted. Revert it first."));
            }
            queries::batches::delete(tx, batch).await?;
            Ok(())
        })
        .await?;
    if let Some(key) = key {
        state.files.delete(&jobs::lines_key(&key)).await?;
        state.files.delete(&key).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// A batch `who` may see.
pub(crate) async fn find(state: &AppState, who: &Who, id: &str) -> ApiResult<Batch> {
    queries::batches::find(&state.db, who, id).await?.ok_or_else(|| ApiError::not_found("batch"))
}

/// A batch whose summary knows what was decided and posted since it was checked.
pub(crate) async fn fresh(state: &AppState, who: &Who, id: &str) -> ApiResult<Batch> {
    let mut batch = find(state, who, id).await?;
    let open = [BatchState::Validated, BatchState::Failed, BatchState::Superseded, BatchState::Reverted];
    if open.contains(&batch.state)
        && let (Some(summary), Some(mapping)) = (&mut batch.summary, &batch.mapping)
    {
        let directory = Directory::load(&state.db).await?;
        refresh(state, id, &mut summary.0, &mapping.0.source, &directory).await?;
    }
    Ok(batch)
}

/// The step does not fit the state the batch is in.
pub fn refuse_state(batch: &Batch) -> ApiError {
    let words = match batch.state {
        BatchState::Uploaded => "Say how the file is read first.",
        BatchState::Validating => "The file is being checked. Wait until that is done, or stop it.",
        BatchState::Validated => "The file was checked but not posted.",
        BatchState::Posting => "The file is being posted. Wait until that is done, or stop it.",
        BatchState::Posted => "The file is posted. Revert it first.",
        BatchState::Superseded => "Later files have replaced all of this one.",
        BatchState::Reverted => "The file was reverted.",
        BatchState::Failed => "The last step failed. Confirm the mapping to check the file again.",
    };
    ApiError::conflict("state", words)
}
