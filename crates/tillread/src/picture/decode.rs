//! A file as people send it → an upright grey picture, within limits.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use crate::Refusal;

/// The largest file read, in bytes.
pub const MOST_BYTES: usize = 20 << 20;
/// The most pixels read: what the cameras of telephones make.
const MOST_PIXELS: u64 = 50_000_000;
/// The longest side read, in pixels.
const LONGEST_SIDE: u32 = 20_000;
/// The most memory a decoder may take, in bytes.
const MOST_MEMORY: u64 = 512 << 20;

/// Reads a JPEG, PNG, WebP or GIF and turns it upright as the camera says it was held.
///
/// # Errors
/// What it is not, or that it is too large or damaged.
pub fn decode(bytes: &[u8]) -> Result<GrayImage, Refusal> {
    if bytes.len() > MOST_BYTES {
        return Err(Refusal::TooLarge);
    }
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| Refusal::NotAPicture)?;
    let format = reader.format().ok_or(Refusal::NotAPicture)?;
    if !matches!(format, ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP | ImageFormat::Gif) {
        return Err(Refusal::NotAPicture);
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
    let orientation = decoder.orientation().ok();
    let mut image = DynamicImage::from_decoder(decoder).map_err(refusal)?;
    if let Some(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    Ok(grey(image))
}

/// What is transparent lies on white paper.
fn grey(image: DynamicImage) -> GrayImage {
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

fn refusal(error: ImageError) -> Refusal {
    match error {
        ImageError::Limits(_) => Refusal::TooManyPixels,
        _ => Refusal::Broken,
    }
}
