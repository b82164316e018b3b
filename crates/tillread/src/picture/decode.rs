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

/// What is transparent lies on white paper.
pub fn grey(image: DynamicImage) -> GrayImage {
    if !image.color().has_alpha() {
        return image.into_luma8();
    }
    let with_alpha = image.into_luma_alpha8();
    let (width, height) = with_alpha.dimensions();
    let pixels = with_alpha.pixels().map(|pixel| {
        let [light, alpha] = pixel.0.map(u32::from);
        ((light * alpha + 255 * (255 - alpha)) / 255) as u8
    });
    GrayImage::from_raw(width, height, pixels.collect()).unwrap_or_default()
}
