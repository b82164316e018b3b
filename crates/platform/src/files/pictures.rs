//! Pictures as people upload them → small ones without metadata. Knows nothing of what they show.
//!
//! Uploads are kept short of memory: one has a place before its body is read, the body goes to a temporary file, and a
//! picture is opened when its turn has come and the memory that its header asks for is free.

mod upload;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::BytesMut;
use futures::StreamExt;
use image::DynamicImage;
use larder_pictures::{MOST_MEMORY, Refusal, fit, on_white};
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

pub use upload::spool;
pub use upload::{Upload, place, receive};

use super::Files;
use crate::http::{ApiError, ApiResult, FieldError};

/// Pictures opened at once.
static TURNS: Semaphore = Semaphore::const_new(2);
/// The memory of all pictures that are open, in MiB: one of the largest, or two that a phone makes.
static MEMORY: Semaphore = Semaphore::const_new(mib(MOST_MEMORY) as usize);

/// Bytes in whole MiB.
const fn mib(bytes: u64) -> u32 {
    bytes.div_ceil(1 << 20) as u32
}

/// How large.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PictureSize {
    /// At most 160 pixels wide and high.
    Thumb,
    /// At most 1,200.
    #[default]
    Full,
}

impl PictureSize {
    /// The longest side.
    const fn side(self) -> u32 {
        match self {
            Self::Full => 1_200,
            Self::Thumb => 160,
        }
    }

    /// As it stands in the name of a file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Thumb => "thumb",
        }
    }
}

/// Opens a picture in its turn, its longest side at most `side`, and makes something of it.
///
/// # Errors
/// 415 for what is no picture, 422 for one that is too large or cannot be read.
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
        // Held by the work itself: it goes on when the request is gone.
        let _held = (turn, memory);
        let image = larder_pictures::open(&bytes, side).map_err(refuse)?;
        drop(bytes);
        make(image)
    });
    made.await.map_err(ApiError::internal)?
}

/// A picture in both sizes.
#[derive(Debug)]
pub struct Picture {
    /// At most 1,200 pixels wide and high.
    pub full: Vec<u8>,
    /// At most 160.
    pub thumb: Vec<u8>,
}

/// Makes a picture small. What is written is made of its pixels alone: no place, no camera, nothing that was hidden
/// behind them.
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

/// A picture on white paper in these sizes, the largest first, as the longest side in pixels; a smaller one stays as
/// large as it is.
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

/// A stored picture as an answer. It may be kept, but is asked for again each time: on a shared tablet it is not shown
/// once the person has signed out.
///
/// # Errors
/// When there is no such file.
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

/// Says at the picture's field why it is not taken.
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

/// What a picture we wrote is.
fn content_type(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" }
}

fn write(image: &DynamicImage) -> ApiResult<Vec<u8>> {
    larder_pictures::write(image).map_err(ApiError::internal)
}
