//! Product pictures: uploaded, scaled down, stored, served.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use larder_db::Tx;
use serde_json::{Map, Value, json};

use super::model::PictureQuery;
use super::queries;
use larder_lists::catalog::Product;
use larder_lists::engine;
use larder_platform::AppState;
use larder_platform::files::pictures;
use larder_platform::files::pictures::PictureSize;
use larder_platform::http::json::{Path, Query};
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Upload a product's picture: JPEG, PNG, WebP or GIF. It is scaled down and stripped of camera metadata.
#[utoipa::path(post, path = "/api/products/{id}/picture", tag = "products", params(("id" = String, Path)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = ref("#/components/schemas/Product"))))]
pub(crate) async fn upload_product_picture(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    body: Body,
) -> ApiResult<Json<Product>> {
    known(&state, &id).await?;
    let upload = pictures::receive(&who, body).await?;
    let hash = upload.fingerprint(8);
    let picture = pictures::make_small(upload).await?;
    state.files.put(&key(&id, &hash, PictureSize::Full), picture.full.into()).await?;
    state.files.put(&key(&id, &hash, PictureSize::Thumb), picture.thumb.into()).await?;
    let url = format!("/api/products/{id}/picture?v={hash}");
    change(&state, &who, &id, Some(&url)).await
}

/// Delete a product's picture.
#[utoipa::path(delete, path = "/api/products/{id}/picture", tag = "products", params(("id" = String, Path)),
    responses((status = 200, body = ref("#/components/schemas/Product"))))]
pub(crate) async fn delete_product_picture(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<Product>> {
    known(&state, &id).await?;
    change(&state, &who, &id, None).await
}

/// A product's picture. Browsers may cache it but must revalidate each time.
#[utoipa::path(get, path = "/api/products/{id}/picture", tag = "products",
    params(("id" = String, Path), PictureQuery),
    responses((status = 200, content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png")))))]
pub(crate) async fn get_product_picture(
    State(state): State<AppState>,
    _who: Who,
    Path(id): Path<String>,
    Query(query): Query<PictureQuery>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let url = known(&state, &id).await?.unwrap_or_default();
    let hash = hash_of(&id, &url).ok_or_else(|| ApiError::not_found("picture"))?;
    pictures::answer(&state.files, &key(&id, hash, query.size.unwrap_or_default()), &headers).await
}

/// URL of a product's picture.
async fn known(state: &AppState, id: &str) -> ApiResult<Option<String>> {
    let head = queries::head(&state.db, id).await?.ok_or_else(|| ApiError::not_found("product"))?;
    Ok(head.image_url)
}

/// Sets or removes the picture in the record; deletes the previous files after the commit.
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

/// Writes the URL of a picture and returns the previous one.
async fn set(tx: &mut Tx<'_>, id: &str, url: Option<&str>) -> ApiResult<Option<String>> {
    let head = queries::head_in(tx, id).await?.ok_or_else(|| ApiError::not_found("product"))?;
    let patch: Map<String, Value> = [("revision", json!(head.revision)), ("imageUrl", json!(url))]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    (Product::DEF.ops().update)(tx, id, patch).await?;
    Ok(head.image_url)
}

/// Deletes the files of a picture unless it is the current one.
async fn forget(state: &AppState, id: &str, url: Option<&str>, stays: Option<&str>) -> ApiResult<()> {
    let Some(hash) = url.filter(|url| stays != Some(*url)).and_then(|url| hash_of(id, url)) else {
        return Ok(());
    };
    for size in [PictureSize::Full, PictureSize::Thumb] {
        state.files.delete(&key(id, hash, size)).await?;
    }
    Ok(())
}

/// The hash of the product's picture in a URL; `None` if the URL points elsewhere.
fn hash_of<'a>(id: &str, url: &'a str) -> Option<&'a str> {
    let hash = url.strip_prefix("/api/products/")?.strip_prefix(id)?.strip_prefix("/picture?v=")?;
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(hash)
}

fn key(id: &str, hash: &str, size: PictureSize) -> String {
    format!("products/{id}/{hash}-{}", size.as_str())
}
