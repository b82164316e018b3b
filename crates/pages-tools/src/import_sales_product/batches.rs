//! Uploaded files: listing them, and deleting unposted ones.

use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::StoreScope;

use super::import::{Listed, SalesImport};
use super::model::{Batch, BatchState, Batches, PageQuery};
use super::queries;
use super::summary::refresh;
use larder_ledgers::sales_names::Directory;
use larder_lists::imports::batches;
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiResult, Json, Who};

/// Uploaded files, newest first.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches", tag = "import sales", params(PageQuery),
    responses((status = 200, body = Batches)))]
pub(crate) async fn list_sales_batches(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Batches>> {
    let (items, total) = batches::list::<Listed<false>>(&state, &who, query.limits()).await?;
    Ok(Json(Batches { items, total }))
}

/// Uploaded files with quantities of root items, newest first.
#[utoipa::path(get, path = "/api/tools/import-sales-product/root-item-qty/batches", tag = "import sales",
    params(PageQuery), responses((status = 200, body = Batches)))]
pub(crate) async fn list_root_item_qty_batches(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Batches>> {
    let (items, total) = batches::list::<Listed<true>>(&state, &who, query.limits()).await?;
    Ok(Json(Batches { items, total }))
}

/// An uploaded file and its state.
#[utoipa::path(get, path = "/api/tools/import-sales-product/batches/{id}", tag = "import sales",
    params(("id" = String, Path)), responses((status = 200, body = Batch)))]
pub(crate) async fn get_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Batch>> {
    Ok(Json(fresh(&state, &who, &id).await?))
}

/// Delete a file that was not posted.
#[utoipa::path(delete, path = "/api/tools/import-sales-product/batches/{id}", tag = "import sales",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn delete_sales_batch(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<StatusCode> {
    batches::remove::<SalesImport>(&state, &who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A batch with its summary updated for later decisions and postings, and the files that posted its store-days before.
pub async fn fresh(state: &AppState, who: &Who, id: &str) -> ApiResult<Batch> {
    let mut batch = batches::find::<SalesImport>(state, who, id).await?;
    let open = [BatchState::Validated, BatchState::Failed, BatchState::Superseded, BatchState::Reverted];
    if open.contains(&batch.state)
        && let (Some(summary), Some(_)) = (&mut batch.summary, &batch.mapping)
    {
        let directory = Directory::of(&state.db, batch.subject).await?;
        refresh(state, id, &mut summary.0, batch.subject, &directory).await?;
    }
    if batch.state == BatchState::Posted {
        let stores = match &who.scope {
            StoreScope::All => None,
            StoreScope::Only(stores) => Some(stores),
        };
        batch.posted_by = queries::batches::posted_by(&state.db, id, stores).await?;
    }
    Ok(batch)
}
