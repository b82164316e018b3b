//! Decodes uploaded pictures into upright pixels of a bounded size, whatever their subject.
//!
//! A few kilobytes can decompress to gigabytes. So the header is read first ([`look`]): it gives the number of pixels
//! and the memory needed to decode them, which callers reserve before decoding ([`open`]). A picture is decoded once
//! and reduced once, straight from the decoder's buffer; smaller sizes are made from the reduced one ([`fit`]).

mod header;
mod shrink;

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{
    DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, ImageResult, Limits, RgbImage,
};

use shrink::Raw;

/// Maximum pixels: those of phone cameras.
pub const MOST_PIXELS: u64 = 60_000_000;
/// Maximum side.
const LONGEST_SIDE: u32 = 20_000;
/// Maximum memory for opening one picture: a file of 60 million pixels in eight-bit colour, and its reduced copy.
pub const MOST_MEMORY: u64 = 232 << 20;

/// JPEG quality: visually lossless on a screen.
const QUALITY: u8 = 85;

/// Why a file is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("This is not a picture. Choose a JPEG, PNG, WebP or GIF file.")]
    NotAPicture,
    #[error("This picture is damaged. Choose another file.")]
    Broken,
    #[error(
        "This picture has more than 60 million pixels, or a side longer than 20,000. Make it smaller first."
    )]
    TooManyPixels,
    #[error("This picture takes too much memory to open. Save it as a plain JPEG or make it smaller first.")]
    TooMuchMemory,
}

/// The maximum memory for opening a picture with this longest side, in bytes. Reads its header only.
///
/// # Errors
/// [`Refusal`]: not a picture, or above the limits.
pub fn look(bytes: &[u8], side: u32) -> Result<u64, Refusal> {
    decoder(bytes, side).map(|(memory, _)| memory)
}

/// Opens a picture with its longest side at most `side`: upright, eight bits per channel, and with an alpha channel
/// only if some pixel is transparent. Needs the memory given by [`look`].
///
/// # Errors
/// [`Refusal`].
pub fn open(bytes: &[u8], side: u32) -> Result<DynamicImage, Refusal> {
    let (_, mut decoder) = decoder(bytes, side)?;
    // Cameras store pictures sideways with an orientation tag.
    let orientation = decoder.orientation().ok();
    let ((width, height), color) = (decoder.dimensions(), decoder.color_type());
    let mut pixels = vec![0; usize::try_from(decoder.total_bytes()).map_err(|_| Refusal::TooMuchMemory)?];
    decoder.read_image(&mut pixels).map_err(refusal)?;
    let raw = Raw::of(width, height, color, pixels).ok_or(Refusal::Broken)?;
    let mut image = raw.shrunk(side).into_image().ok_or(Refusal::Broken)?;
    if let Some(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    Ok(image)
}

/// A reduced copy of an opened picture; a small one keeps its size.
#[must_use]
pub fn fit(image: &DynamicImage, side: u32) -> DynamicImage {
    if image.width().max(image.height()) <= side {
        return image.clone();
    }
    let raw = Raw::of(image.width(), image.height(), image.color(), image.as_bytes());
    raw.and_then(|raw| raw.shrunk(side).into_image()).unwrap_or_else(|| image.clone())
}

/// Encodes a picture as JPEG, or as PNG if it has transparency.
///
/// # Errors
/// None in practice: it writes to memory.
pub fn write(image: &DynamicImage) -> ImageResult<Vec<u8>> {
    let mut out = Vec::new();
    if image.color().has_alpha() {
        image.write_with_encoder(PngEncoder::new(&mut out))?;
    } else {
        image.write_with_encoder(JpegEncoder::new_with_quality(&mut out, QUALITY))?;
    }
    Ok(out)
}

/// Composites transparency onto white.
#[must_use]
pub fn on_white(image: DynamicImage) -> DynamicImage {
    if !image.color().has_alpha() {
        return image;
    }
    let seen = image.into_rgba8();
    let white = |sample: u8, alpha: u8| {
        ((u16::from(sample) * u16::from(alpha) + 255 * (255 - u16::from(alpha))) / 255) as u8
    };
    RgbImage::from_fn(seen.width(), seen.height(), |x, y| {
        let [r, g, b, alpha] = seen.get_pixel(x, y).0;
        image::Rgb([r, g, b].map(|sample| white(sample, alpha)))
    })
    .into()
}

fn decoder(bytes: &[u8], side: u32) -> Result<(u64, impl image::ImageDecoder + '_), Refusal> {
    let bytes = if bytes.starts_with(b"\x89PNG") { header::pixels_of_png(bytes) } else { bytes.into() };
    let size = bytes.len() as u64;
    let beside = match image::guess_format(&bytes) {
        Ok(ImageFormat::Jpeg) => header::of_jpeg(&bytes).ok_or(Refusal::Broken)?,
        Ok(ImageFormat::WebP) => header::of_webp(&bytes),
        Ok(ImageFormat::Gif) => header::Beside { halves: 8 },
        Ok(ImageFormat::Png) => header::Beside::default(),
        _ => return Err(Refusal::NotAPicture),
    };
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| Refusal::NotAPicture)?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(refusal)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MOST_PIXELS {
        return Err(Refusal::TooManyPixels);
    }
    let small = match shrink::scaled(width as usize, height as usize, side as usize) {
        (w, h) if (w, h) == (width as usize, height as usize) => 0,
        (w, h) => (w * h) as u64 * u64::from(decoder.color_type().channel_count()),
    };
    // A JPEG decoder keeps a copy of the file, and so does a PNG without its profile.
    let memory = size + decoder.total_bytes() + pixels * beside.halves / 2 + small;
    if memory > MOST_MEMORY {
        return Err(Refusal::TooMuchMemory);
    }
    Ok((memory, decoder))
}

fn refusal(error: ImageError) -> Refusal {
    match error {
        ImageError::Limits(limit) => match limit.kind() {
            image::error::LimitErrorKind::InsufficientMemory => Refusal::TooMuchMemory,
            _ => Refusal::TooManyPixels,
        },
        _ => Refusal::Broken,
    }
}
