//! Imported files: listing them, and deleting unwritten ones.

use axum::extract::State;
use axum::http::StatusCode;

use super::import::DataImport;
use super::model::{ImportBatch, ImportBatches, PageQuery};
use larder_lists::imports::batches;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiResult, Json, Who};

/// Uploaded files, newest first.
#[utoipa::path(get, path = "/api/tools/import-data/batches", tag = "import data", params(PageQuery),
    responses((status = 200, body = ImportBatches)))]
pub(crate) async fn list_import_batches(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<ImportBatches>> {
    let (items, total) = batches::list::<DataImport>(&state, &who, query.limits()).await?;
    Ok(Json(ImportBatches { items, total }))
}

/// An uploaded file and its state.
#[utoipa::path(get, path = "/api/tools/import-data/batches/{id}", tag = "import data",
    params(("id" = String, Path)), responses((status = 200, body = ImportBatch)))]
pub(crate) async fn get_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<ImportBatch>> {
    Ok(Json(batches::find::<DataImport>(&state, &who, &id).await?))
}

/// Delete a file that was not written.
#[utoipa::path(delete, path = "/api/tools/import-data/batches/{id}", tag = "import data",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn delete_import_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    batches::remove::<DataImport>(&state, &who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
