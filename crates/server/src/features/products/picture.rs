//! A product's picture: taken, made small, kept, shown.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use larder_db::Tx;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::model::{PictureQuery, PictureSize};
use super::queries;
use super::shrink::{self, Picture, Refusal};
use crate::AppState;
use crate::http::json::{Path, Query};
use crate::http::{ApiError, ApiResult, Json, Who};
use crate::lists::catalog::Product;
use crate::lists::engine;

/// The largest file taken.
const LIMIT: usize = 10 << 20;
/// Pictures being made small at once: a large one takes some hundred megabytes meanwhile.
static TURNS: Semaphore = Semaphore::const_new(2);

/// Give a product a picture: JPEG, PNG, WebP or GIF. It is kept small and without what the camera wrote beside it.
#[utoipa::path(post, path = "/api/products/{id}/picture", tag = "products", params(("id" = String, Path)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = ref("#/components/schemas/Product"))))]
pub async fn upload_product_picture(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    body: Body,
) -> ApiResult<Json<Product>> {
    known(&state, &id).await?;
    let bytes = take(body).await?;
    let hash = hash(&bytes);
    let picture = shrink(bytes).await?;
    state.files.put(&key(&id, &hash, PictureSize::Full), picture.full.into()).await?;
    state.files.put(&key(&id, &hash, PictureSize::Thumb), picture.thumb.into()).await?;
    let url = format!("/api/products/{id}/picture?v={hash}");
    change(&state, &who, &id, Some(&url)).await
}

/// Take a product's picture away.
#[utoipa::path(delete, path = "/api/products/{id}/picture", tag = "products", params(("id" = String, Path)),
    responses((status = 200, body = ref("#/components/schemas/Product"))))]
pub async fn delete_product_picture(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Product>> {
    known(&state, &id).await?;
    change(&state, &who, &id, None).await
}

/// A product's picture. Named by `v` it never changes, and a browser may keep it.
#[utoipa::path(get, path = "/api/products/{id}/picture", tag = "products",
    params(("id" = String, Path), PictureQuery),
    responses((status = 200, content_type = "image/jpeg", body = Vec<u8>)))]
pub async fn get_product_picture(
    State(state): State<AppState>,
    _who: Who,
    Path(id): Path<String>,
    Query(query): Query<PictureQuery>,
) -> ApiResult<Response> {
    let url = known(&state, &id).await?.unwrap_or_default();
    let hash = hash_of(&id, &url).ok_or_else(|| ApiError::not_found("picture"))?;
    let mut parts = state.files.open(&key(&id, hash, query.size.unwrap_or_default())).await?;
    let mut bytes = BytesMut::new();
    while let Some(part) = parts.next().await {
        bytes.extend_from_slice(&part.map_err(ApiError::internal)?);
    }
    let kept = match query.v.as_deref() {
        Some(v) if v == hash => "private, max-age=31536000, immutable",
        _ => "private, no-cache",
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(shrink::content_type(&bytes))),
        (header::CACHE_CONTROL, HeaderValue::from_static(kept)),
    ];
    Ok((headers, bytes.freeze()).into_response())
}

/// The address of a product's picture.
async fn known(state: &AppState, id: &str) -> ApiResult<Option<String>> {
    let head = queries::head(&state.db, id).await?.ok_or_else(|| ApiError::not_found("product"))?;
    Ok(head.image_url)
}

/// The whole body, as long as it is no larger than taken here.
async fn take(body: Body) -> ApiResult<Bytes> {
    let mut parts = body.into_data_stream();
    let mut bytes = BytesMut::new();
    while let Some(part) = parts.next().await {
        let part = part.map_err(|error| {
            ApiError::bad_request(format!("The upload broke off: {error}. Send the picture again."))
        })?;
        if bytes.len() + part.len() > LIMIT {
            return Err(ApiError::too_large(format!("A picture has at most {} MiB.", LIMIT >> 20)));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes.freeze())
}

async fn shrink(bytes: Bytes) -> ApiResult<Picture> {
    let turn = TURNS.acquire().await.map_err(ApiError::internal)?;
    let shrunk = tokio::task::spawn_blocking(move || {
        // Held by the work itself: it goes on when whoever asked has gone.
        let _turn = turn;
        shrink::shrink(&bytes)
    });
    shrunk.await.map_err(ApiError::internal)?.map_err(refuse)
}

fn refuse(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::NotAPicture => ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported",
            "This is no picture. Choose a JPEG, PNG, WebP or GIF file.",
        ),
        Refusal::Broken => {
            ApiError::unprocessable("broken", "This picture cannot be read to its end. Choose another file.")
        }
        Refusal::TooManyPixels => ApiError::unprocessable(
            "tooManyPixels",
            "This picture has more than 50 million pixels. Make it smaller first.",
        ),
    }
}

/// Puts another picture, or none, into the record; the files of the one before go when that is settled.
async fn change(state: &AppState, who: &Who, id: &str, url: Option<&str>) -> ApiResult<Json<Product>> {
    let written = state.db.write(&who.actor(), async |tx| set(tx, id, url).await).await;
    let before = match written {
        Ok(before) => before,
        Err(refusal) => {
            forget(state, id, url, None).await?;
            return Err(refusal);
        }
    };
    forget(state, id, before.as_deref(), url).await?;
    let product = engine::get::<Product>(&state.db, id).await?;
    product.map(Json).ok_or_else(|| ApiError::not_found("product"))
}

/// Writes the address of a picture, and answers the one before.
async fn set(tx: &mut Tx<'_>, id: &str, url: Option<&str>) -> ApiResult<Option<String>> {
    let head = queries::head_in(tx, id).await?.ok_or_else(|| ApiError::not_found("product"))?;
    let patch: Map<String, Value> = [("revision", json!(head.revision)), ("imageUrl", json!(url))]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    (Product::DEF.ops().update)(tx, id, patch).await?;
    Ok(head.image_url)
}

/// Removes the files of a picture that is not the one to stay.
async fn forget(state: &AppState, id: &str, url: Option<&str>, stays: Option<&str>) -> ApiResult<()> {
    let Some(hash) = url.filter(|url| stays != Some(*url)).and_then(|url| hash_of(id, url)) else {
        return Ok(());
    };
    for size in [PictureSize::Full, PictureSize::Thumb] {
        state.files.delete(&key(id, hash, size)).await?;
    }
    Ok(())
}

/// Which of a product's pictures an address names; none of ours when it leads elsewhere.
fn hash_of<'a>(id: &str, url: &'a str) -> Option<&'a str> {
    let hash = url.strip_prefix("/api/products/")?.strip_prefix(id)?.strip_prefix("/picture?v=")?;
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(hash)
}

fn key(id: &str, hash: &str, size: PictureSize) -> String {
    let size = match size {
        PictureSize::Full => "full",
        PictureSize::Thumb => "thumb",
    };
    format!("products/{id}/{hash}-{size}")
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
