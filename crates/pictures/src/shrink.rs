//! Area-averaging reduction of a decoder's pixels.

use std::borrow::Cow;

use image::{ColorType, DynamicImage, GrayImage, RgbImage, RgbaImage};

/// Subdivisions of a pixel where an area begins or ends within it.
const PARTS: u64 = 256;

/// Pixels with eight bits per channel.
pub struct Raw<'a> {
    width: usize,
    height: usize,
    /// Grey, grey and alpha, colour, colour and alpha.
    channels: usize,
    pixels: Cow<'a, [u8]>,
}

/// The pixels an area covers, the first and last partially.
struct Span {
    from: usize,
    to: usize,
    first: u64,
    last: u64,
}

impl Span {
    fn weight(&self, at: usize) -> u64 {
        if at == self.from {
            self.first
        } else if at + 1 == self.to {
            self.last
        } else {
            PARTS
        }
    }
}

/// The areas of `to` pixels among `from`.
fn spans(from: usize, to: usize) -> Vec<Span> {
    let at = |nth: usize| nth as u64 * from as u64 * PARTS / to as u64;
    let span = |nth: usize| {
        let (begin, end) = (at(nth), at(nth + 1));
        let (from, to) = ((begin / PARTS) as usize, end.div_ceil(PARTS) as usize);
        let first = (PARTS - begin % PARTS).min(end - begin);
        let last = if end.is_multiple_of(PARTS) { PARTS } else { end % PARTS };
        Span { from, to, first, last }
    };
    (0..to).map(span).collect()
}

/// Width and height with the longest side at most `side`.
pub fn scaled(width: usize, height: usize, side: usize) -> (usize, usize) {
    let longest = width.max(height);
    if longest <= side {
        return (width, height);
    }
    let scaled = |length: usize| ((2 * length * side + longest) / (2 * longest)).max(1);
    (scaled(width), scaled(height))
}

impl<'a> Raw<'a> {
    /// From a decoder's buffer; sixteen bits are converted to eight in place.
    pub fn of(width: u32, height: u32, color: ColorType, pixels: impl Into<Cow<'a, [u8]>>) -> Option<Self> {
        let mut pixels = pixels.into();
        let channels = usize::from(color.channel_count());
        match color {
            ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8 => {}
            ColorType::L16 | ColorType::La16 | ColorType::Rgb16 | ColorType::Rgba16 => {
                let all = pixels.to_mut();
                let samples = all.len() / 2;
                for at in 0..samples {
                    all[at] = u16::from_ne_bytes([all[2 * at], all[2 * at + 1]]).to_be_bytes()[0];
                }
                all.truncate(samples);
            }
            _ => return None,
        }
        let (width, height) = (width as usize, height as usize);
        let whole = width.checked_mul(height)?.checked_mul(channels)? == pixels.len() && !pixels.is_empty();
        whole.then_some(Self { width, height, channels, pixels })
    }

    /// Reduced to a longest side of at most `side`.
    pub fn shrunk(self, side: u32) -> Self {
        let (width, height) = scaled(self.width, self.height, side as usize);
        if (width, height) == (self.width, self.height) {
            return self;
        }
        let (across, down) = (spans(self.width, width), spans(self.height, height));
        let (channels, row_len) = (self.channels, self.width * self.channels);
        let mut out = Vec::with_capacity(across.len() * down.len() * channels);
        let mut sums = vec![0u64; row_len];
        for rows in &down {
            sums.fill(0);
            let mut deep = 0;
            for at in rows.from..rows.to {
                let weight = rows.weight(at);
                deep += weight;
                add(&mut sums, &self.pixels[at * row_len..(at + 1) * row_len], weight, channels);
            }
            for columns in &across {
                average(&sums, columns, deep, channels, &mut out);
            }
        }
        Self { width: across.len(), height: down.len(), channels, pixels: out.into() }
    }

    /// As a picture, without a fully opaque alpha channel.
    pub fn into_image(self) -> Option<DynamicImage> {
        let (width, height, channels) = (self.width as u32, self.height as u32, self.channels);
        let alpha = channels.is_multiple_of(2);
        let transparent =
            alpha && self.pixels.chunks_exact(channels).any(|pixel| pixel[channels - 1] < u8::MAX);
        let mut pixels = self.pixels.into_owned();
        match (channels, transparent) {
            (2, true) => {
                let spread = pixels.chunks_exact(2).flat_map(|it| [it[0], it[0], it[0], it[1]]).collect();
                return RgbaImage::from_raw(width, height, spread).map(DynamicImage::from);
            }
            (4, true) => return RgbaImage::from_raw(width, height, pixels).map(DynamicImage::from),
            (2 | 4, false) => {
                let kept = channels - 1;
                let count = pixels.len() / channels;
                for at in 0..count {
                    pixels.copy_within(at * channels..at * channels + kept, at * kept);
                }
                pixels.truncate(count * kept);
            }
            _ => {}
        }
        if channels < 3 {
            GrayImage::from_raw(width, height, pixels).map(DynamicImage::from)
        } else {
            RgbImage::from_raw(width, height, pixels).map(DynamicImage::from)
        }
    }
}

/// Adds a row, with pixels weighted by their alpha.
fn add(sums: &mut [u64], row: &[u8], weight: u64, channels: usize) {
    match channels {
        2 => add_seen::<2>(sums, row, weight),
        4 => add_seen::<4>(sums, row, weight),
        _ => sums.iter_mut().zip(row).for_each(|(sum, sample)| *sum += u64::from(*sample) * weight),
    }
}

fn add_seen<const N: usize>(sums: &mut [u64], row: &[u8], weight: u64) {
    for (sums, pixel) in sums.as_chunks_mut::<N>().0.iter_mut().zip(row.as_chunks::<N>().0) {
        let alpha = u64::from(pixel[N - 1]) * weight;
        for at in 0..N - 1 {
            sums[at] += u64::from(pixel[at]) * alpha;
        }
        sums[N - 1] += alpha;
    }
}

/// The average of some columns of a row of sums.
fn average(sums: &[u64], columns: &Span, deep: u64, channels: usize, out: &mut Vec<u8>) {
    let (mut all, mut wide) = ([0u64; 4], 0);
    for at in columns.from..columns.to {
        let weight = columns.weight(at);
        wide += weight;
        for (sum, sample) in all.iter_mut().zip(&sums[at * channels..(at + 1) * channels]) {
            *sum += sample * weight;
        }
    }
    let area = wide * deep;
    let rounded = |sum: u64, by: u64| ((sum + by / 2) / by.max(1)).min(255) as u8;
    if channels.is_multiple_of(2) {
        let alpha = all[channels - 1];
        // Colours were weighted by alpha.
        out.extend(all[..channels - 1].iter().map(|sum| rounded(*sum, alpha)));
        out.push(rounded(alpha, area));
    } else {
        out.extend(all[..channels].iter().map(|sum| rounded(*sum, area)));
    }
}

#[cfg(test)]
mod tests {
    use image::{Luma, Rgba};
    use proptest::prelude::*;

    use super::*;

    fn shrunk(image: &DynamicImage, side: u32) -> DynamicImage {
        Raw::of(image.width(), image.height(), image.color(), image.as_bytes())
            .and_then(|raw| raw.shrunk(side).into_image())
            .expect("a picture")
    }

    #[test]
    fn a_pixel_is_the_average_of_what_it_covers() {
        let steps = GrayImage::from_fn(3, 3, |x, _| Luma([[0, 90, 240][x as usize]]));
        let two = shrunk(&steps.into(), 2);
        // One pixel and a half each: (0 + 45) / 1.5 and (45 + 240) / 1.5.
        assert_eq!(two.to_luma8().into_raw(), [30, 190, 30, 190]);
    }

    #[test]
    fn transparent_colours_do_not_shine_through() {
        let half = RgbaImage::from_fn(40, 40, |x, _| {
            if x % 2 == 0 { Rgba([0, 255, 0, 0]) } else { Rgba([200, 0, 0, 255]) }
        });
        let small = shrunk(&half.into(), 10).to_rgba8();
        assert!(small.pixels().all(|pixel| pixel.0 == [200, 0, 0, 128]), "{:?}", small.get_pixel(0, 0));
    }

    #[test]
    fn sixteen_bits_become_eight() {
        let fine = image::ImageBuffer::from_pixel(30, 20, Rgba([0x1234_u16, 0xabcd, 0xff00, u16::MAX]));
        let plain = shrunk(&DynamicImage::ImageRgba16(fine), 10);
        assert_eq!((plain.color(), plain.width(), plain.height()), (ColorType::Rgb8, 10, 7));
        assert!(plain.to_rgb8().pixels().all(|pixel| pixel.0 == [0x12, 0xab, 0xff]));
    }

    proptest! {
        #[test]
        fn one_colour_stays_itself(
            (width, height, side) in (1u32..300, 1u32..300, 1u32..120),
            [r, g, b] in any::<[u8; 3]>(), alpha in 1u8..,
        ) {
            let image = RgbaImage::from_pixel(width, height, Rgba([r, g, b, alpha]));
            let small = shrunk(&image.into(), side);
            prop_assert!(small.width().max(small.height()) <= side.max(1));
            for pixel in small.to_rgba8().pixels() {
                prop_assert_eq!(pixel.0[3], alpha);
                for (is, was) in pixel.0.iter().zip([r, g, b]) {
                    prop_assert_eq!(*is, was);
                }
            }
        }
    }
}
