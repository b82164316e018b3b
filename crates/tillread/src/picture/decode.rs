//! Decodes an uploaded file into an upright grey picture, within limits.

use image::{DynamicImage, GrayImage};

use crate::Refusal;

/// Maximum file size, in bytes.
pub const MOST_BYTES: usize = 20 << 20;
/// Maximum side in pixels: that of a twelve-megapixel camera.
pub const LONGEST_SIDE: u32 = 4_096;

/// Decodes a JPEG, PNG, WebP or GIF and rotates it upright by its EXIF orientation.
///
/// # Errors
/// The format is unsupported, or the picture is too large or damaged.
pub fn decode(bytes: &[u8]) -> Result<GrayImage, Refusal> {
    if bytes.len() > MOST_BYTES {
        return Err(Refusal::TooLarge);
    }
    Ok(grey(larder_pictures::open(bytes, LONGEST_SIDE)?))
}

/// In grey, on white paper, as stored.
pub fn grey(image: DynamicImage) -> GrayImage {
    larder_pictures::on_white(image).into_luma8()
}
