//! Uploading, reading, changing and deleting a company's documents.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};

use super::model::{CompanyDocument, DocumentFields};
use super::queries::{self, NewFile};
use larder_platform::AppState;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::upload::{attachment, file_name, with_ending};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Maximum file size.
const LIMIT: u64 = 20 << 20;

/// A company's documents, earliest expiry first.
#[utoipa::path(get, path = "/api/lists/companies/{id}/documents", tag = "lists", params(("id" = String, Path)),
    responses((status = 200, body = Vec<CompanyDocument>)))]
pub(crate) async fn list_company_documents(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> ApiResult<Json<Vec<CompanyDocument>>> {
    Ok(Json(queries::of_company(&state.db, known_id(&id, "company")?).await?))
}

/// Upload a document: PDF, JPEG, PNG or WebP.
#[utoipa::path(post, path = "/api/lists/companies/{id}/documents", tag = "lists",
    params(("id" = String, Path), DocumentFields),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = CompanyDocument)))]
pub(crate) async fn add_company_document(
    State(state): State<AppState>,
    who: Who,
    Path(company): Path<String>,
    Query(said): Query<DocumentFields>,
    body: Body,
) -> ApiResult<(StatusCode, Json<CompanyDocument>)> {
    let company = known_id(&company, "company")?;
    let file_name = file_name(said.file_name.as_deref())?;
    let said = said.read(&file_name)?;
    // The type of a file is detected from its first bytes, not its name.
    let mut parts = body.into_data_stream();
    let first = loop {
        match parts.next().await {
            Some(Ok(part)) if part.is_empty() => {}
            Some(Ok(part)) => break part,
            _ => return Err(unsupported()),
        }
    };
    let content_type = content_type(&first).ok_or_else(unsupported)?;
    let file_name = with_ending(&file_name, endings(content_type));
    let id = state.new_id();
    let key = format!("companies/{company}/{id}");
    let whole = Box::pin(stream::once(async move { Ok(first) }).chain(parts));
    let stored = state.files.put_stream(&key, whole, LIMIT).await?;
    let size = i64::try_from(stored.size).unwrap_or(i64::MAX);
    let file = NewFile { id: &id, file_name: &file_name, content_type, size, key: &key };
    let (file, said) = (&file, &said);
    let written = state
        .db
        .write(&who.actor(), async |tx| {
            if !queries::company_exists(tx, company).await? {
                return Err(ApiError::not_found("company"));
            }
            Ok(queries::insert(tx, company, file, said).await?)
        })
        .await;
    if written.is_err() {
        state.files.delete(&key).await?;
    }
    Ok((StatusCode::CREATED, Json(written?)))
}

/// Change a document's metadata.
#[utoipa::path(patch, path = "/api/lists/companies/{id}/documents/{documentId}", tag = "lists",
    params(("id" = String, Path), ("documentId" = String, Path)), request_body = DocumentFields,
    responses((status = 200, body = CompanyDocument)))]
pub(crate) async fn update_company_document(
    State(state): State<AppState>,
    who: Who,
    Path((company, id)): Path<(String, String)>,
    Json(said): Json<DocumentFields>,
) -> ApiResult<Json<CompanyDocument>> {
    let (company, id) = (known_id(&company, "company")?, known_id(&id, "document")?);
    let revision = said
        .revision
        .ok_or_else(|| ApiError::field("revision", "Send the revision of the document you changed."))?;
    let said = &said;
    let written = state
        .db
        .write(&who.actor(), async |tx| {
            let before =
                queries::one(tx, company, id).await?.ok_or_else(|| ApiError::not_found("document"))?;
            let particulars = said.read(&before.file_name)?;
            let after = queries::update(tx, company, &before, &particulars, revision).await?;
            after.ok_or_else(|| {
                let current = serde_json::to_value(&before).unwrap_or_default();
                ApiError::stale("someone", current)
            })
        })
        .await?;
    Ok(Json(written))
}

/// Delete a document and its file.
#[utoipa::path(delete, path = "/api/lists/companies/{id}/documents/{documentId}", tag = "lists",
    params(("id" = String, Path), ("documentId" = String, Path)), responses((status = 204)))]
pub(crate) async fn delete_company_document(
    State(state): State<AppState>,
    who: Who,
    Path((company, id)): Path<(String, String)>,
) -> ApiResult<StatusCode> {
    let (company, id) = (known_id(&company, "company")?, known_id(&id, "document")?);
    let key = state
        .db
        .write(&who.actor(), async |tx| {
            let document =
                queries::one(tx, company, id).await?.ok_or_else(|| ApiError::not_found("document"))?;
            Ok::<_, ApiError>(queries::delete(tx, company, &document).await?)
        })
        .await?;
    if let Some(key) = key {
        state.files.delete(&key).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// A document's file.
#[utoipa::path(get, path = "/api/lists/companies/{id}/documents/{documentId}/file", tag = "lists",
    params(("id" = String, Path), ("documentId" = String, Path)),
    responses((status = 200, content((Vec<u8> = "application/pdf"), (Vec<u8> = "image/jpeg"),
        (Vec<u8> = "image/png"), (Vec<u8> = "image/webp")))))]
pub(crate) async fn get_company_document_file(
    State(state): State<AppState>,
    Path((company, id)): Path<(String, String)>,
) -> ApiResult<Response> {
    let found =
        queries::file_of(&state.db, known_id(&company, "company")?, known_id(&id, "document")?).await?;
    let (document, key) = found.ok_or_else(|| ApiError::not_found("document"))?;
    let parts = state.files.open(&key).await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_str(&document.content_type).map_err(ApiError::internal)?),
        (
            header::CONTENT_DISPOSITION,
            attachment(&with_ending(&document.file_name, endings(&document.content_type))),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
    ];
    Ok((headers, Body::from_stream(parts)).into_response())
}

fn content_type(first: &[u8]) -> Option<&'static str> {
    match first {
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("application/pdf"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

fn endings(content_type: &str) -> &'static [&'static str] {
    match content_type {
        "application/pdf" => &["pdf"],
        "image/jpeg" => &["jpg", "jpeg", "jfif"],
        "image/png" => &["png"],
        "image/webp" => &["webp"],
        _ => &["bin"],
    }
}

fn unsupported() -> ApiError {
    ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported",
        "Choose a PDF, or a picture as JPEG, PNG or WebP.",
    )
}
