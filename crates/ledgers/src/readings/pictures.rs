//! The pictures of readings, by what they are known: the SHA-256 of the file as it came. They are kept upright and
//! without what the camera wrote beside them, large enough to be read again.

use bytes::{Bytes, BytesMut};
use futures::StreamExt;

use larder_platform::files::Files;
use larder_platform::files::pictures::{PictureSize, Upload, make_in};
use larder_platform::http::{ApiError, ApiResult};

/// What is read, what is looked at, what stands in a row: the longest side in pixels.
const SIDES: &[u32] = &[larder_tillread::LONGEST_SIDE, 2_000, 160];
const NAMES: [&str; 3] = ["source", "full", "thumb"];

/// Keeps a picture and answers what it is known by.
///
/// # Errors
/// 415 for what is no picture, 422 for one that cannot be read.
pub async fn keep(files: &Files, upload: Upload) -> ApiResult<String> {
    let known = upload.fingerprint(16);
    let sizes = make_in(upload, SIDES).await?;
    for (name, size) in NAMES.iter().zip(sizes) {
        files.put(&format!("readings/{known}-{name}"), size.into()).await?;
    }
    Ok(known)
}

/// Whether a text can name a picture.
#[must_use]
pub fn is_picture(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Where a picture is kept for looking at.
#[must_use]
pub fn key(picture: &str, size: PictureSize) -> String {
    format!("readings/{picture}-{}", size.as_str())
}

/// A picture as it is read from.
///
/// # Errors
/// When it is not there.
pub async fn source(files: &Files, picture: &str) -> ApiResult<Bytes> {
    let mut parts = files.open(&format!("readings/{picture}-source")).await?;
    let mut bytes = BytesMut::new();
    while let Some(part) = parts.next().await {
        bytes.extend_from_slice(&part.map_err(ApiError::internal)?);
    }
    Ok(bytes.freeze())
}
