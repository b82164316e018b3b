//! Resizes uploaded pictures and strips their metadata. Independent of what they show.
//!
//! Memory is bounded: an upload takes a slot before its body is read, the body goes to a temporary file, and
//! a picture is decoded only when a slot and the memory its header asks for are free.

mod upload;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::BytesMut;
use futures::StreamExt;
use image::DynamicImage;
use larder_pictures::{MOST_MEMORY, Refusal, fit, on_white};
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::{IntoParams, ToSchema};

pub use upload::spool;
pub use upload::{Upload, place, receive};

use super::Files;
use crate::http::{ApiError, ApiResult, FieldError};

/// Pictures decoded at once.
static TURNS: Semaphore = Semaphore::const_new(2);
/// Memory of all decoded pictures, in MiB: one of the largest, or two phone photos.
static MEMORY: Semaphore = Semaphore::const_new(mib(MOST_MEMORY) as usize);

const fn mib(bytes: u64) -> u32 {
    bytes.div_ceil(1 << 20) as u32
}

/// Size of a stored picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PictureSize {
    /// At most 160 pixels wide and high.
    Thumb,
    /// At most 1,200 pixels.
    #[default]
    Full,
}

impl PictureSize {
    /// The longest side, in pixels.
    const fn side(self) -> u32 {
        match self {
            Self::Full => 1_200,
            Self::Thumb => 160,
        }
    }

    /// The suffix in file names.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Thumb => "thumb",
        }
    }
}

/// Query parameters: the size.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SizeQuery {
    /// Full size, or a thumbnail for a row.
    #[param(inline)]
    pub size: Option<PictureSize>,
}

/// Decodes a picture, its longest side at most `side` pixels, once a slot is free, and processes it.
///
/// # Errors
/// 415 if it is not a picture, 422 if it is too large or cannot be decoded.
pub async fn open<T: Send + 'static>(
    upload: impl Into<Upload>,
    side: u32,
    make: impl FnOnce(DynamicImage) -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let upload = upload.into();
    let turn = TURNS.acquire().await.map_err(ApiError::internal)?;
    let bytes = upload.bytes().await?;
    let memory = larder_pictures::look(&bytes, side).map_err(refuse)?;
    let memory = MEMORY.acquire_many(mib(memory)).await.map_err(ApiError::internal)?;
    let made = tokio::task::spawn_blocking(move || {
        // Held by the work itself, which continues if the request is dropped.
        let _held = (turn, memory);
        let image = larder_pictures::open(&bytes, side).map_err(refuse)?;
        drop(bytes);
        make(image)
    });
    made.await.map_err(ApiError::internal)?
}

/// A picture in both sizes, encoded.
#[derive(Debug)]
pub struct Picture {
    /// At most 1,200 pixels wide and high.
    pub full: Vec<u8>,
    /// At most 160 pixels.
    pub thumb: Vec<u8>,
}

/// Resizes a picture. The result is encoded from its pixels alone: no location, no camera data, nothing
/// hidden.
///
/// # Errors
/// As [`open`].
pub async fn make_small(upload: Upload) -> ApiResult<Picture> {
    let make = |full: DynamicImage| {
        let thumb = fit(&full, PictureSize::Thumb.side());
        Ok(Picture { full: write(&full)?, thumb: write(&thumb)? })
    };
    open(upload, PictureSize::Full.side(), make).await
}

/// A picture on a white background in these sizes, largest first, given as the longest side in pixels;
/// smaller pictures are not enlarged.
///
/// # Errors
/// As [`open`].
pub async fn make_in(upload: Upload, sides: &'static [u32]) -> ApiResult<Vec<Vec<u8>>> {
    let make = move |image: DynamicImage| {
        let mut image = on_white(image);
        let mut made = Vec::with_capacity(sides.len());
        for side in sides {
            image = fit(&image, *side);
            made.push(write(&image)?);
        }
        Ok(made)
    };
    open(upload, sides.first().copied().unwrap_or_default(), make).await
}

/// A stored picture as a response. It may be cached but must be revalidated: on a shared tablet it is not
/// shown after sign-out.
///
/// # Errors
/// If there is no such file.
pub async fn answer(files: &Files, key: &str, asked: &HeaderMap) -> ApiResult<Response> {
    // The file under a key never changes.
    let tag = format!("\"{}\"", key.rsplit('/').next().unwrap_or_default());
    let known = asked.get(header::IF_NONE_MATCH).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let headers = [
        (header::ETAG, HeaderValue::from_str(&tag).map_err(ApiError::internal)?),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
    ];
    let mut parts = files.open(key).await?;
    if known.split(',').any(|it| it.trim().trim_start_matches("W/") == tag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let mut bytes = BytesMut::new();
    while let Some(part) = parts.next().await {
        bytes.extend_from_slice(&part.map_err(ApiError::internal)?);
    }
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(content_type(&bytes)))];
    Ok((headers, kind, bytes.freeze()).into_response())
}

/// The field error for a refused picture.
pub fn refuse(refusal: Refusal) -> ApiError {
    let (status, code) = match refusal {
        Refusal::NotAPicture => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported"),
        Refusal::Broken => (StatusCode::UNPROCESSABLE_ENTITY, "broken"),
        Refusal::TooManyPixels => (StatusCode::UNPROCESSABLE_ENTITY, "tooManyPixels"),
        Refusal::TooMuchMemory => (StatusCode::UNPROCESSABLE_ENTITY, "tooMuchMemory"),
    };
    let words = refusal.to_string();
    ApiError::new(status, code, words.as_str()).at(vec![FieldError::new("picture", words)])
}

/// Content type of a picture this server wrote.
fn content_type(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" }
}

fn write(image: &DynamicImage) -> ApiResult<Vec<u8>> {
    larder_pictures::write(image).map_err(ApiError::internal)
}
