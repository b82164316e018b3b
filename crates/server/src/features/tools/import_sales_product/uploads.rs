//! A file arrives: it is stored as it is, and looked into.

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;

use super::layout::{self, Layout};
use super::model::{Batch, UploadQuery};
use super::queries;
use super::queries::batches::NewBatch;
use crate::AppState;
use crate::http::json::Query;
use crate::http::upload::file_name;
use crate::http::{ApiError, ApiResult, Json, Who};
use crate::sheets::{self, Refusal};

/// The largest file taken.
const LIMIT: u64 = 64 << 20;

/// Upload a till's file. It is looked into at once; nothing is imported yet.
#[utoipa::path(post, path = "/api/tools/import-sales-product/uploads", tag = "import sales", params(UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Batch)))]
pub(crate) async fn upload_sales_file(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<UploadQuery>,
    body: Body,
) -> ApiResult<(StatusCode, Json<Batch>)> {
    let file_name = file_name(query.file_name.as_deref())?;
    let id = state.new_id();
    let key = format!("sales/{id}");
    let stored = state.files.put_stream(&key, body.into_data_stream(), LIMIT).await?;
    let taken = take(&state, &who, &id, &key, &file_name, &stored).await;
    if taken.is_err() {
        // A refused file is of no use to anybody.
        state.files.delete(&key).await?;
    }
    Ok((StatusCode::CREATED, Json(taken?)))
}

async fn take(
    state: &AppState,
    who: &Who,
    id: &str,
    key: &str,
    file_name: &str,
    stored: &crate::files::Stored,
) -> ApiResult<Batch> {
    let mut layout = look(state, key, None).await?;
    let remembered = queries::layouts::remembered(&state.db, &layout::fingerprint(&layout)).await?;
    if let Some((_, from)) = &remembered {
        layout.remembered_from = Some(from.clone());
    }
    let mapping = remembered.as_ref().map(|(mapping, _)| &mapping.0);
    let new = NewBatch {
        id,
        file_name,
        file_key: key,
        size: i64::try_from(stored.size).unwrap_or(i64::MAX),
        sha256: &stored.sha256,
        layout: &layout,
        mapping,
    };
    let new = &new;
    state.db.write(&who.actor(), async |tx| queries::batches::insert(tx, new).await).await?;
    queries::batches::find(&state.db, who, id).await?.ok_or_else(|| ApiError::not_found("batch"))
}

/// Looks into a stored file.
pub(crate) async fn look(state: &AppState, key: &str, sheet: Option<String>) -> ApiResult<Layout> {
    let mut file = state.files.local_copy(key).await?;
    let looked = tokio::task::spawn_blocking(move || {
        let source = sheets::inspect(&mut file)?;
        layout::describe(&mut file, &source, sheet.as_deref())
    });
    looked
        .await
        .map_err(ApiError::internal)?
        .map_err(|Refusal(words)| ApiError::unprocessable("notATable", words))
}
