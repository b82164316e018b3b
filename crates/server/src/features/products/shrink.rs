//! Pictures as people upload them → small ones without metadata. Knows nothing of products.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::model::PictureSize;

/// The most pixels taken: what the cameras of telephones make.
const MOST_PIXELS: u64 = 50_000_000;
/// The longest side taken.
const LONGEST_SIDE: u32 = 20_000;
/// The most memory a decoder may take.
const MOST_MEMORY: u64 = 512 << 20;
/// How good JPEGs are made: no difference is seen on a screen.
const QUALITY: u8 = 85;

impl PictureSize {
    /// The longest side.
    const fn side(self) -> u32 {
        match self {
            Self::Full => 1_200,
            Self::Thumb => 160,
        }
    }
}

/// Why a file is no picture to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
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
pub fn shrink(bytes: &[u8]) -> Result<Picture, Refusal> {
    let full = fit(read(bytes)?, PictureSize::Full);
    let thumb = write(&fit(full.clone(), PictureSize::Thumb))?;
    Ok(Picture { full: write(&full)?, thumb })
}

/// What a picture we wrote is.
#[must_use]
pub fn content_type(bytes: &[u8]) -> &'static str {
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
    let side = size.side();
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
