//! Imported files: seeing them and removing what was not written.

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::StoreScope;

use super::model::{ImportBatch, ImportBatches, ImportState, PageQuery};
use super::{fields, lists, queries};
use crate::AppState;
use crate::http::json::{Path, Query};
use crate::http::{ApiError, ApiResult, Json, Who};
use crate::lists::catalog;

/// The files uploaded so far, newest first.
#[utoipa::path(get, path = "/api/tools/import-data/batches", tag = "import data", params(PageQuery),
    responses((status = 200, body = ImportBatches)))]
pub(crate) async fn list_import_batches(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<ImportBatches>> {
    let (limit, offset) = query.limits();
    let within = catalog::ALL.iter().copied().filter(|def| lists::may(&who, def)).map(fields::slug);
    let within: Vec<&str> = within.collect();
    let (items, total) = queries::batches::list(&state.db, &who, &within, limit, offset).await?;
    Ok(Json(ImportBatches { items, total }))
}

/// One uploaded file and what became of it.
#[utoipa::path(get, path = "/api/tools/import-data/batches/{id}", tag = "import data",
    params(("id" = String, Path)), responses((status = 200, body = ImportBatch)))]
pub(crate) async fn get_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ImportBatch>> {
    Ok(Json(find(&state, &who, &id).await?))
}

/// Remove a file of which nothing was written.
#[utoipa::path(delete, path = "/api/tools/import-data/batches/{id}", tag = "import data",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn delete_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    let batch = find(&state, &who, &id).await?;
    let may = matches!(batch.state, ImportState::Uploaded | ImportState::Checked | ImportState::Failed);
    if !may || queries::rows::count_in(&state.db, &id, "done").await? > 0 {
        return Err(refuse_state(&batch));
    }
    let key = queries::batches::file_key(&state.db, &id).await?;
    let batch = &batch;
    state.db.write(&who.actor(), async |tx| queries::batches::delete(tx, batch).await).await?;
    if let Some(key) = key {
        state.files.delete(&key).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// A batch that somebody may see: one of a list they may import into, and their own where stores limit them.
pub(crate) async fn find(state: &AppState, who: &Who, id: &str) -> ApiResult<ImportBatch> {
    let batch = queries::batches::find(&state.db, id).await?.ok_or_else(|| ApiError::not_found("import"))?;
    let own = batch.created_by.uid == who.uid;
    let may = catalog::by_slug(&batch.list).is_some_and(|def| lists::may(who, def));
    if may && (own || who.scope == StoreScope::All) { Ok(batch) } else { Err(ApiError::not_found("import")) }
}

/// What is wished does not fit where the batch stands.
pub fn refuse_state(batch: &ImportBatch) -> ApiError {
    let words = match batch.state {
        ImportState::Uploaded => "Say which columns are what first.",
        ImportState::Checking | ImportState::Committing | ImportState::Undoing => {
            "This file is being worked on. Wait until that is done, or stop it."
        }
        ImportState::Checked => "The rows of this file are checked and not written yet.",
        ImportState::Committed => "The rows of this file are written already. Undo that first.",
        ImportState::Undone => "This import was taken back. Upload the file again to import it once more.",
        ImportState::Failed => "The last step of this import did not end well. See what it says.",
    };
    ApiError::conflict("state", words)
}
