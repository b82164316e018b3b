//! Photos of counts.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use super::model::{CountPhoto, StoreQuery};
use super::{queries, store};
use larder_platform::AppState;
use larder_platform::files::pictures;
use larder_platform::files::pictures::PictureSize;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Query parameters: the size.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct PhotoQuery {
    #[param(required)]
    pub store_id: Option<String>,
    /// Full size, or a thumbnail for a row.
    #[param(inline)]
    pub size: Option<PictureSize>,
}

/// Upload a photo for a store's count: JPEG, PNG, WebP or GIF. It is scaled down and stripped of camera
/// metadata; uploading the same photo again returns the same id.
#[utoipa::path(post, path = "/api/stores/count/photos", tag = "counts", params(StoreQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = CountPhoto)))]
pub(crate) async fn upload_count_photo(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<StoreQuery>,
    body: Body,
) -> ApiResult<(StatusCode, Json<CountPhoto>)> {
    let store_id = store(&who, query.store_id.as_deref())?;
    if queries::stores(&state.db, &[store_id]).await? == 0 {
        return Err(ApiError::not_found("store"));
    }
    let upload = pictures::receive(&who, body).await?;
    let photo = upload.fingerprint(16);
    let picture = pictures::make_small(upload).await?;
    state.files.put(&key(store_id, &photo, PictureSize::Full), picture.full.into()).await?;
    state.files.put(&key(store_id, &photo, PictureSize::Thumb), picture.thumb.into()).await?;
    Ok((StatusCode::CREATED, Json(CountPhoto { photo })))
}

/// A photo of a store's count.
#[utoipa::path(get, path = "/api/stores/count/photos/{photo}", tag = "counts",
    params(("photo" = String, Path), PhotoQuery),
    responses((status = 200, content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png")))))]
pub(crate) async fn get_count_photo(
    State(state): State<AppState>,
    who: Who,
    Path(photo): Path<String>,
    Query(query): Query<PhotoQuery>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let store_id = store(&who, query.store_id.as_deref())?;
    if !is_photo(&photo) {
        return Err(ApiError::not_found("photo"));
    }
    pictures::answer(&state.files, &key(store_id, &photo, query.size.unwrap_or_default()), &headers).await
}

/// Whether the text is a valid photo id.
pub fn is_photo(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn key(store_id: &str, photo: &str, size: PictureSize) -> String {
    format!("counts/{store_id}/{photo}-{}", size.as_str())
}
