//! Pictures of readings, identified by the SHA-256 of the uploaded file. Stored upright and without metadata,
//! large enough to be read again.

use bytes::{Bytes, BytesMut};
use futures::StreamExt;

use larder_platform::files::Files;
use larder_platform::files::pictures::{PictureSize, Upload, make_in};
use larder_platform::http::{ApiError, ApiResult};

/// Sizes for OCR, viewing and thumbnails: the longest side in pixels.
const SIDES: &[u32] = &[larder_tillread::LONGEST_SIDE, 2_000, 160];
const NAMES: [&str; 3] = ["source", "full", "thumb"];

/// Stores a picture and returns its id.
///
/// # Errors
/// 415 if it is not a picture, 422 if it cannot be decoded.
pub async fn keep(files: &Files, upload: Upload) -> ApiResult<String> {
    let known = upload.fingerprint(16);
    let sizes = make_in(upload, SIDES).await?;
    for (name, size) in NAMES.iter().zip(sizes) {
        files.put(&format!("readings/{known}-{name}"), size.into()).await?;
    }
    Ok(known)
}

/// Whether a text has the form of a picture id.
#[must_use]
pub fn is_picture(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The key of a picture for viewing.
#[must_use]
pub fn key(picture: &str, size: PictureSize) -> String {
    format!("readings/{picture}-{}", size.as_str())
}

/// A picture for OCR.
///
/// # Errors
/// If there is no such picture.
pub async fn source(files: &Files, picture: &str) -> ApiResult<Bytes> {
    let mut parts = files.open(&format!("readings/{picture}-source")).await?;
    let mut bytes = BytesMut::new();
    while let Some(part) = parts.next().await {
        bytes.extend_from_slice(&part.map_err(ApiError::internal)?);
    }
    Ok(bytes.freeze())
}
