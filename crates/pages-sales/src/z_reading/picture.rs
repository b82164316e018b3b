//! Pictures of readings.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use larder_domain::zreading::FLOW;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::readings;
use larder_ledgers::readings::pictures;
use larder_platform::AppState;
use larder_platform::files::pictures::{SizeQuery, answer, receive};
use larder_platform::http::json::{Path, Query};
use larder_platform::http::question::known_id;
use larder_platform::http::scope;
use larder_platform::http::scope::authorize_store;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Query parameters: the store.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    #[param(required)]
    pub store_id: Option<String>,
}

/// An uploaded picture.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadingPicture {
    /// Its id, for creating a reading.
    pub picture: String,
}

/// Upload the picture of a reading: JPEG, PNG, WebP or GIF. Uploading the same picture again returns the same
/// id.
#[utoipa::path(post, path = "/api/sales/z-reading/photos", tag = "z-readings", params(UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = ReadingPicture)))]
pub(crate) async fn upload_z_reading_picture(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<UploadQuery>,
    body: Body,
) -> ApiResult<(StatusCode, Json<ReadingPicture>)> {
    let store = query.store_id.filter(|id| !id.is_empty());
    let store = store.ok_or_else(|| ApiError::field("storeId", "Choose a store."))?;
    scope::check(Some(&store), &who.scope)?;
    let picture = pictures::keep(&state.files, receive(&who, body).await?).await?;
    Ok((StatusCode::CREATED, Json(ReadingPicture { picture })))
}

/// The picture of a reading. Browsers may cache it but must revalidate each time.
#[utoipa::path(get, path = "/api/sales/z-reading/{id}/picture", tag = "z-readings",
    params(("id" = String, Path), SizeQuery),
    responses((status = 200, content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png")))))]
pub(crate) async fn get_z_reading_picture(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<SizeQuery>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let id = known_id(&id, FLOW.one)?;
    let reading = authorize_store(readings::find(&state.db, id).await?, FLOW.one, &who.scope)?;
    let picture = reading.picture.ok_or_else(|| ApiError::not_found("picture"))?;
    answer(&state.files, &pictures::key(&picture, query.size.unwrap_or_default()), &headers).await
}
