//! A file as people send it → an upright grey picture, within limits.

use image::{DynamicImage, GrayImage};

use crate::Refusal;

/// The largest file read, in bytes.
pub const MOST_BYTES: usize = 20 << 20;
/// The longest side that is looked at, in pixels: what a camera of twelve million makes.
pub const LONGEST_SIDE: u32 = 4_096;

/// Reads a JPEG, PNG, WebP or GIF and turns it upright as the camera says it was held.
///
/// # Errors
/// What it is not, or that it is too large or damaged.
pub fn decode(bytes: &[u8]) -> Result<GrayImage, Refusal> {
    if bytes.len() > MOST_BYTES {
        return Err(Refusal::TooLarge);
    }
    Ok(grey(larder_pictures::open(bytes, LONGEST_SIDE)?))
}

/// In grey, on white paper: as the picture is kept.
pub fn grey(image: DynamicImage) -> GrayImage {
    larder_pictures::on_white(image).into_luma8()
}
