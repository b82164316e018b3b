//! Pictures as people upload them → small ones without metadata. Knows nothing of what they show.

use std::io::Cursor;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use super::Files;
use crate::http::{ApiError, ApiResult};

/// The largest file taken.
const LIMIT: usize = 10 << 20;
/// Pictures being made small at once: a large one takes some hundred megabytes meanwhile.
static TURNS: Semaphore = Semaphore::const_new(2);

/// The most pixels taken: what the cameras of telephones make.
const MOST_PIXELS: u64 = 50_000_000;
/// The longest side taken.
const LONGEST_SIDE: u32 = 20_000;
/// The most memory a decoder may take.
const MOST_MEMORY: u64 = 512 << 20;
/// How good JPEGs are made: no difference is seen on a screen.
const QUALITY: u8 = 85;

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

/// The whole body of an upload, as long as it is no larger than taken here.
///
/// # Errors
/// 400 when it breaks off, 413 past the limit.
pub async fn receive(body: Body) -> ApiResult<Bytes> {
    let mut parts = body.into_data_stream();
    let mut bytes = BytesMut::new();
    while let Some(part) = parts.next().await {
        let part = part.map_err(|error| {
            ApiError::bad_request(format!("The upload stopped: {error}. Upload the picture again."))
        })?;
        if bytes.len() + part.len() > LIMIT {
            return Err(ApiError::too_large(format!("A picture has at most {} MiB.", LIMIT >> 20)));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes.freeze())
}

/// Makes a picture small, in its turn.
///
/// # Errors
/// 415 for what is no picture, 422 for one that cannot be read.
pub(crate) async fn make_small(bytes: Bytes) -> ApiResult<Picture> {
    let turn = TURNS.acquire().await.map_err(ApiError::internal)?;
    let shrunk = tokio::task::spawn_blocking(move || {
        // Held by the work itself: it goes on when whoever asked has gone.
        let _turn = turn;
        shrink(&bytes)
    });
    shrunk.await.map_err(ApiError::internal)?.map_err(refuse)
}

/// A picture in these sizes, as the longest side in pixels, each upright and without metadata; a smaller one stays as
/// large as it is.
///
/// # Errors
/// As [`make_small`].
pub(crate) async fn make_in(bytes: Bytes, sides: &'static [u32]) -> ApiResult<Vec<Vec<u8>>> {
    let turn = TURNS.acquire().await.map_err(ApiError::internal)?;
    let made = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let whole = read(&bytes)?;
        sides.iter().map(|side| write(&fit_in(whole.clone(), *side))).collect::<Result<Vec<_>, _>>()
    });
    made.await.map_err(ApiError::internal)?.map_err(refuse)
}

/// The first `bytes` bytes of a picture's SHA-256, in hexadecimal: what it is known by.
#[must_use]
pub fn fingerprint(picture: &[u8], bytes: usize) -> String {
    Sha256::digest(picture).iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}

/// A stored picture as an answer; one that never changes may be kept by whoever asked.
///
/// # Errors
/// When there is no such file.
pub(crate) async fn answer(files: &Files, key: &str, lasting: bool) -> ApiResult<Response> {
    let mut parts = files.open(key).await?;
    let mut bytes = BytesMut::new();
    while let Some(part) = parts.next().await {
        bytes.extend_from_slice(&part.map_err(ApiError::internal)?);
    }
    let kept = if lasting { "private, max-age=31536000, immutable" } else { "private, no-cache" };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type(&bytes))),
        (header::CACHE_CONTROL, HeaderValue::from_static(kept)),
    ];
    Ok((headers, bytes.freeze()).into_response())
}

fn refuse(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::NotAPicture => ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported",
            "This is not a picture. Choose a JPEG, PNG, WebP or GIF file.",
        ),
        Refusal::Broken => ApiError::unprocessable("broken", "This picture is damaged. Choose another file."),
        Refusal::TooManyPixels => ApiError::unprocessable(
            "tooManyPixels",
            "This picture has more than 50 million pixels. Make it smaller first.",
        ),
    }
}

/// Why a file is no picture to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// None of the formats.
    NotAPicture,
    /// It begins as one, and cannot be read to its end.
    Broken,
    /// It has more pixels than are taken.
    TooManyPixels,
}

/// A picture in both sizes.
#[derive(Debug)]
pub struct Picture {
    /// At most 1,200 pixels wide and high.
    pub full: Vec<u8>,
    /// At most 160.
    pub thumb: Vec<u8>,
}

/// Reads a picture and makes it small. What is written is made of its pixels alone: no place, no camera, nothing
/// that was hidden behind them. Takes up to a second and some hundred megabytes; not for an async thread.
///
/// # Errors
/// Why it is not taken.
fn shrink(bytes: &[u8]) -> Result<Picture, Refusal> {
    let full = fit(read(bytes)?, PictureSize::Full);
    let thumb = write(&fit(full.clone(), PictureSize::Thumb))?;
    Ok(Picture { full: write(&full)?, thumb })
}

/// What a picture we wrote is.
fn content_type(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" }
}

fn read(bytes: &[u8]) -> Result<DynamicImage, Refusal> {
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| Refusal::NotAPicture)?;
    let format = reader.format().ok_or(Refusal::NotAPicture)?;
    if !matches!(format, ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP | ImageFormat::Gif) {
        return Err(Refusal::NotAPicture);
    }
    if format == ImageFormat::Jpeg && !jpeg_is_whole(bytes) {
        return Err(Refusal::Broken);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(refusal)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(Refusal::TooManyPixels);
    }
    // Cameras write lying pictures and say beside them how to hold them.
    let orientation = decoder.orientation().ok();
    let mut image = DynamicImage::from_decoder(decoder).map_err(refusal)?;
    if let Some(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    Ok(image)
}

fn refusal(error: ImageError) -> Refusal {
    match error {
        ImageError::Limits(_) => Refusal::TooManyPixels,
        _ => Refusal::Broken,
    }
}

/// Whether a JPEG goes on to its end. Decoders fill what is missing with grey, which nobody wants to find later.
fn jpeg_is_whole(bytes: &[u8]) -> bool {
    let mut at = 2;
    let mut scanned = false;
    while let Some(&[first, marker]) = bytes.get(at..at + 2) {
        match (first, marker) {
            (0xff, 0xd9) => return scanned,
            // Padding, an escaped byte, a restart, or data of the scan.
            (0xff, 0xff) => at += 1,
            (0xff, 0x00 | 0x01 | 0xd0..=0xd8) => at += 2,
            (0xff, _) => {
                let Some(&[high, low]) = bytes.get(at + 2..at + 4) else { return false };
                scanned |= marker == 0xda;
                at += 2 + usize::from(u16::from_be_bytes([high, low]));
            }
            _ => at += 1,
        }
    }
    false
}

fn fit(image: DynamicImage, size: PictureSize) -> DynamicImage {
    fit_in(image, size.side())
}

fn fit_in(image: DynamicImage, side: u32) -> DynamicImage {
    if image.width().max(image.height()) <= side {
        return image;
    }
    // Averaging first, where much is left out: it takes a tenth of the time.
    let near = if image.width().max(image.height()) > side * 3 {
        image.thumbnail(side * 2, side * 2)
    } else {
        image
    };
    near.resize(side, side, FilterType::CatmullRom)
}

fn write(image: &DynamicImage) -> Result<Vec<u8>, Refusal> {
    let mut out = Vec::new();
    let transparent =
        image.color().has_alpha() && image.to_rgba8().pixels().any(|pixel| pixel.0[3] < u8::MAX);
    let written = if transparent {
        image.to_rgba8().write_with_encoder(PngEncoder::new(&mut out))
    } else {
        image.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut out, QUALITY))
    };
    written.map_err(|_| Refusal::Broken)?;
    Ok(out)
}
