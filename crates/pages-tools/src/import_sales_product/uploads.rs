//! Uploading a file: it is stored unchanged and its layout is detected.

use std::fs::File;

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use larder_domain::{BusinessDay, StoreScope};

use super::import::{New, SalesImport};
use super::layout::{self, Layout};
use super::memory;
use super::model::{Batch, Subject, UploadQuery};
use super::sayings;
use larder_ledgers::sales_names::Directory;
use larder_lists::imports::files;
use larder_lists::imports::files::{Detected, NewFile};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Json, Who};
use larder_platform::sheets::Source;

/// Upload a till's file. Its layout is detected at once; nothing is imported yet.
#[utoipa::path(post, path = "/api/tools/import-sales-product/uploads", tag = "import sales", params(UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Batch)))]
pub(crate) async fn upload_sales_file(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<UploadQuery>,
    body: Body,
) -> ApiResult<(StatusCode, Json<Batch>)> {
    take(&state, &who, &query, body, Subject::PosItems).await
}

/// Upload a file with daily quantities of root items. The next steps are those of a till's file.
#[utoipa::path(post, path = "/api/tools/import-sales-product/root-item-qty/uploads", tag = "import sales",
    params(UploadQuery), request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Batch)))]
pub(crate) async fn upload_root_item_qty(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<UploadQuery>,
    body: Body,
) -> ApiResult<(StatusCode, Json<Batch>)> {
    take(&state, &who, &query, body, Subject::RootItems).await
}

async fn take(
    state: &AppState,
    who: &Who,
    query: &UploadQuery,
    body: Body,
    subject: Subject,
) -> ApiResult<(StatusCode, Json<Batch>)> {
    let detect = async |file: &NewFile| {
        let mut layout = look(state, &who.scope, &file.key, &file.name, None).await?;
        let mapping = memory::recall(state, &mut layout).await?;
        Ok(Detected { layout, mapping, new: New { sha256: file.sha256.clone(), subject } })
    };
    files::upload::<SalesImport, Layout>(state, who, query.file_name.as_deref(), body, detect).await
}

/// Detects the layout of a stored file. Only a store in scope is suggested for it.
pub async fn look(
    state: &AppState,
    scope: &StoreScope,
    key: &str,
    name: &str,
    sheet: Option<String>,
) -> ApiResult<Layout> {
    let (name, today) = (name.to_owned(), BusinessDay::of(state.now()));
    let describe = move |file: &mut File, source: &Source| {
        layout::describe(file, source, sheet.as_deref(), &name, today)
    };
    let mut layout = files::read(state, key, None, describe).await?;
    sayings::suggest_store(&mut layout, &Directory::load(&state.db).await?, scope);
    Ok(layout)
}
