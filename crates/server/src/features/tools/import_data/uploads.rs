//! A file arrives: it is stored as it is, and looked into.

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;

use super::layout::{self, ImportLayout};
use super::model::{ImportBatch, UploadQuery};
use super::queries::batches::NewBatch;
use super::{batches, fields, lists, queries};
use crate::AppState;
use crate::http::json::Query;
use crate::http::upload::file_name;
use crate::http::{ApiError, ApiResult, Json, Who};
use crate::lists::engine::ListDef;
use crate::sheets::{self, Refusal};

/// The largest file taken.
const LIMIT: u64 = 64 << 20;

/// Upload a file for a list. It is looked into at once; nothing is imported yet.
#[utoipa::path(post, path = "/api/tools/import-data/uploads", tag = "import data", params(UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = ImportBatch)))]
pub(crate) async fn upload_import_file(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<UploadQuery>,
    body: Body,
) -> ApiResult<(StatusCode, Json<ImportBatch>)> {
    let slug = query.list.as_deref().ok_or_else(|| ApiError::field("list", "Choose a list."))?;
    let def = lists::list(&who, slug)?;
    let file_name = file_name(query.file_name.as_deref())?;
    let id = state.new_id();
    let key = format!("imports/{id}");
    let stored = state.files.put_stream(&key, body.into_data_stream(), LIMIT).await?;
    let size = i64::try_from(stored.size).unwrap_or(i64::MAX);
    let taken = take(&state, &who, def, NewFile { id: &id, key: &key, name: &file_name, size }).await;
    if taken.is_err() {
        // A refused file is of no use to anybody.
        state.files.delete(&key).await?;
    }
    Ok((StatusCode::CREATED, Json(taken?)))
}

struct NewFile<'a> {
    id: &'a str,
    key: &'a str,
    name: &'a str,
    size: i64,
}

async fn take(
    state: &AppState,
    who: &Who,
    def: &'static ListDef,
    file: NewFile<'_>,
) -> ApiResult<ImportBatch> {
    let layout = look(state, def, file.key, None).await?;
    let new = &NewBatch {
        id: file.id,
        list: fields::slug(def),
        file_name: file.name,
        file_key: file.key,
        size: file.size,
        layout: &layout,
    };
    state.db.write(&who.actor(), async |tx| queries::batches::insert(tx, new).await).await?;
    batches::find(state, who, file.id).await
}

/// Looks into a stored file.
pub(crate) async fn look(
    state: &AppState,
    def: &'static ListDef,
    key: &str,
    sheet: Option<String>,
) -> ApiResult<ImportLayout> {
    let targets = fields::targets(&state.db, def).await?;
    let mut file = state.files.local_copy(key).await?;
    let looked = tokio::task::spawn_blocking(move || {
        let source = sheets::inspect(&mut file)?;
        layout::describe(&mut file, &source, sheet.as_deref(), def, &targets)
    });
    looked
        .await
        .map_err(ApiError::internal)?
        .map_err(|Refusal(words)| ApiError::unprocessable("notATable", words))
}
