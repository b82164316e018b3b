//! Uploading a file: it is stored unchanged and its layout is detected.

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;

use super::import::DataImport;
use super::layout::{self, ImportLayout};
use super::model::{ImportBatch, UploadQuery};
use super::{fields, lists};
use larder_lists::engine::ListDef;
use larder_lists::imports::files;
use larder_lists::imports::files::{Detected, NewFile};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Upload a file for a list. Its layout is detected at once; nothing is imported yet.
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
    let detect = async |file: &NewFile| {
        let layout = look(&state, def, &file.key, None).await?;
        Ok(Detected { layout, mapping: None, new: fields::slug(def) })
    };
    files::upload::<DataImport, ImportLayout>(&state, &who, query.file_name.as_deref(), body, detect).await
}

/// Detects the layout of a stored file.
pub async fn look(
    state: &AppState,
    def: &'static ListDef,
    key: &str,
    sheet: Option<String>,
) -> ApiResult<ImportLayout> {
    let targets = fields::targets(&state.db, def).await?;
    files::read(state, key, None, move |file, source| {
        layout::describe(file, source, sheet.as_deref(), def, &targets)
    })
    .await
}
