//! Finds the page in a picture: cropped, upright and level, with a known line height.

use image::GrayImage;

use super::gray::{Plane, percentile, reduce};
use super::transform::Transform;
use super::{layout, paper};

/// Width of the page for measuring its layout.
const MEASURED: f64 = 640.0;
/// Maximum slope of lines where the paper's edges were found, in rows per column, and where they were not.
const SLOPE_ON_PAPER: f64 = 0.08;
const SLOPE: f64 = 0.36;
/// Margin cut off each side of found paper: its edge and the shadow beside it.
const EDGE: f64 = 0.006;
/// Minimum width of a till's paper, in line heights.
const LINES_WIDE: f64 = 16.0;
/// Maximum pixels of a prepared page.
const MOST_PIXELS: f64 = 9e6;

/// The page in a picture.
#[derive(Debug, Clone)]
pub struct Page {
    source: GrayImage,
    /// From the page to the source.
    map: Transform,
    /// Width and height, in pixels of about the source's size.
    pub width: f64,
    pub height: f64,
    /// The line pitch in the same pixels; a guess where none was found.
    pub pitch: f64,
    /// Whether the lines are periodic.
    pub rhythm: bool,
    /// It was assumed to be sideways, and rotated upright.
    pub turned: bool,
    pub quality: Quality,
}

/// Image quality measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// Brightness of the paper, 0 to 255.
    pub light: f32,
    /// Darkness of the ink relative to its paper, 0 to 1.
    pub contrast: f32,
    /// Ink relative to the picture's grain: below about 4 strokes are lost.
    pub clarity: f32,
    /// Steepness of stroke edges relative to their contrast, in shares of a line's height.
    pub sharpness: f32,
}

/// How to render a page for reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// The line pitch, in pixels.
    pub pitch: f64,
    /// Blur in pixels of the result.
    pub blur: f32,
    /// Whether to divide the background out and strengthen faint strokes.
    pub flat: bool,
}

/// A page rendered for reading.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub picture: GrayImage,
    /// From its pixels to fractions of the whole picture.
    pub to_whole: Transform,
}

impl Page {
    /// Finds the page. `turned` quarter turns clockwise make it upright, if known.
    pub fn find(source: GrayImage, turned: Option<u8>) -> Self {
        let corners = paper::find(&source);
        let (width, height) = (f64::from(source.width()), f64::from(source.height()));
        let whole = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
        let mut page = Self::between(source, corners.unwrap_or(whole), corners.is_some());
        match turned {
            Some(quarters) => (0..quarters % 4).for_each(|_| page.quarter_turn()),
            None if page.lies() => {
                page.quarter_turn();
                page.turned = true;
            }
            None => {}
        }
        page.level(if corners.is_some() { SLOPE_ON_PAPER } else { SLOPE });
        page.measure();
        page
    }

    /// The source picture.
    pub const fn source(&self) -> &GrayImage {
        &self.source
    }

    fn between(source: GrayImage, corners: paper::Corners, cut: bool) -> Self {
        let length = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
        let [a, b, c, d] = corners;
        let width = f64::midpoint(length(a, b), length(d, c)).max(1.0);
        let height = f64::midpoint(length(a, d), length(b, c)).max(1.0);
        let map =
            Transform::to_corners(width, height, corners).unwrap_or(Transform::scale(1.0, 1.0, 0.0, 0.0));
        let edge = if cut { EDGE * width.max(height) } else { 0.0 };
        Self {
            source,
            map: map.after(&Transform::scale(1.0, 1.0, edge, edge)),
            width: (width - 2.0 * edge).max(1.0),
            height: (height - 2.0 * edge).max(1.0),
            pitch: width / 20.0,
            rhythm: false,
            turned: false,
            quality: Quality { light: 0.0, contrast: 0.0, clarity: 0.0, sharpness: 0.0 },
        }
    }

    /// Whether lines run vertically.
    fn lies(&self) -> bool {
        let (small, _) = self.small(MEASURED / 2.0);
        let ink = layout::ink(&small, small.width().min(small.height()) as f32 / 12.0);
        let mut across = Plane::new(ink.height, ink.width);
        for y in 0..ink.height {
            for x in 0..ink.width {
                across.values[x * ink.height + y] = ink.values[y * ink.width + x];
            }
        }
        layout::slope(&across, 0.06).1 > 1.3 * layout::slope(&ink, 0.06).1
    }

    fn quarter_turn(&mut self) {
        // The lower left corner becomes the upper left.
        let turn = Transform::turn(-std::f64::consts::FRAC_PI_2, (0.0, 0.0));
        let moved = Transform::scale(1.0, 1.0, 0.0, self.height).after(&turn);
        self.map = self.map.after(&moved);
        (self.width, self.height) = (self.height, self.width);
    }

    /// Rotates the page so that its lines are level.
    fn level(&mut self, most: f64) {
        let (small, _) = self.small(MEASURED);
        let ink = layout::ink(&small, small.width() as f32 / 12.0);
        let (rise, _) = layout::slope(&ink, most);
        self.map = self.map.after(&Transform::turn(rise.atan(), (self.width / 2.0, self.height / 2.0)));
    }

    /// The page scaled to at most this width, and the scale factor.
    fn small(&self, width: f64) -> (GrayImage, f64) {
        let factor = (self.width / width).max(self.height / (8.0 * width)).max(1.0);
        let small = self.draw(self.width / factor, self.height / factor, factor);
        (small.to_gray(), factor)
    }

    fn measure(&mut self) {
        let (small, factor) = self.small(MEASURED);
        let ink = layout::ink(&small, small.width() as f32 / 12.0);
        if let Some(pitch) = layout::pitch(&layout::profile(&ink)) {
            self.pitch = f64::from(pitch) * factor;
            self.rhythm = true;
        }
        // Blur can hide the lines and leave a longer period; paper is at least this many lines wide.
        let line = (self.pitch / factor).min(f64::from(small.width()) / LINES_WIDE);
        self.quality = quality(&small, &ink, line as f32);
    }

    /// Renders the page.
    pub fn prepare(&self, style: Style) -> Prepared {
        let most = (MOST_PIXELS / (self.width * self.height)).sqrt();
        let scale = (style.pitch / self.pitch).min(4.0).min(most);
        let (width, height) = ((self.width * scale).max(1.0), (self.height * scale).max(1.0));
        let mut drawn = self.draw(width, height, 1.0 / scale);
        if style.blur > 0.0 {
            drawn = drawn.blurred(style.blur);
        }
        let picture =
            if style.flat { flattened(&drawn, (self.pitch * scale) as f32) } else { drawn.to_gray() };
        let (w, h) = (f64::from(self.source.width().max(1)), f64::from(self.source.height().max(1)));
        let to_page = Transform::scale(1.0 / scale, 1.0 / scale, 0.0, 0.0);
        Prepared {
            picture,
            to_whole: Transform::scale(1.0 / w, 1.0 / h, 0.0, 0.0).after(&self.map.after(&to_page)),
        }
    }

    /// The page sampled every `step` of its pixels.
    fn draw(&self, width: f64, height: f64, step: f64) -> Plane {
        let shrink = step.floor().max(1.0);
        let (sw, sh) = (f64::from(self.source.width()), f64::from(self.source.height()));
        let reduced;
        let from = if shrink > 1.0 {
            reduced = reduce(&self.source, (sw / shrink) as u32, (sh / shrink) as u32);
            &reduced
        } else {
            &self.source
        };
        let (fx, fy) = (f64::from(from.width()) / sw, f64::from(from.height()) / sh);
        let map = Transform::scale(fx, fy, -0.5, -0.5).after(&self.map).after(&Transform::scale(
            step,
            step,
            0.5 * step,
            0.5 * step,
        ));
        let mut out = Plane::new(width.round().max(1.0) as usize, height.round().max(1.0) as usize);
        let samples = Samples::of(from);
        let width = out.width;
        for (y, row) in out.values.chunks_exact_mut(width).enumerate() {
            for (x, value) in row.iter_mut().enumerate() {
                *value = samples.cubic(map.apply(x as f64, y as f64));
            }
        }
        out
    }
}

/// A picture for interpolation, with its edge extended so that four pixels are around every place.
struct Samples {
    /// Values of a row.
    stride: usize,
    values: Vec<f32>,
    right: f64,
    bottom: f64,
}

/// How far the edge is extended, in pixels.
const MARGIN: usize = 4;

impl Samples {
    fn of(from: &GrayImage) -> Self {
        let (width, height) = (from.width() as usize, from.height() as usize);
        let stride = width + 2 * MARGIN;
        let mut values = Vec::with_capacity(stride * (height + 2 * MARGIN));
        for y in 0..height + 2 * MARGIN {
            let y = y.saturating_sub(MARGIN).min(height - 1);
            let row = &from.as_raw()[y * width..(y + 1) * width];
            values.extend([f32::from(row[0]); MARGIN]);
            values.extend(row.iter().map(|pixel| f32::from(*pixel)));
            values.extend([f32::from(row[width - 1]); MARGIN]);
        }
        Self { stride, values, right: width as f64 + 1.0, bottom: height as f64 + 1.0 }
    }

    /// Catmull–Rom cubic interpolation.
    fn cubic(&self, (x, y): (f64, f64)) -> f32 {
        let x = x.clamp(-2.0, self.right) + MARGIN as f64;
        let y = y.clamp(-2.0, self.bottom) + MARGIN as f64;
        // Neither is negative: truncating them is much faster than `floor`.
        let (left, top) = ((x as usize).max(1), (y as usize).max(1));
        let across = weights((x - left as f64) as f32);
        let down = weights((y - top as f64) as f32);
        let start = (top - 1) * self.stride + left - 1;
        let mut sum = 0.0;
        for (row, weight) in down.into_iter().enumerate() {
            let Some([a, b, c, d]) = self.values[start + row * self.stride..].first_chunk::<4>() else {
                continue;
            };
            sum += (a * across[0] + b * across[1] + c * across[2] + d * across[3]) * weight;
        }
        sum
    }
}

fn weights(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [-0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1.0, -1.5 * t3 + 2.0 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2]
}

/// Black strokes on white paper: illumination divided out, paper grain clipped, and faint strokes strengthened to a
/// uniform level.
fn flattened(drawn: &Plane, pitch: f32) -> GrayImage {
    let mut ink = layout::ink(&drawn.to_gray(), pitch * 1.2);
    let grain = grain(&ink);
    let strength = strength(&ink, pitch, grain);
    let (strength, mut full) = (strength.stretched(ink.width, ink.height), Vec::new());
    for (y, row) in ink.values.chunks_exact_mut(ink.width.max(1)).enumerate() {
        strength.row(y, &mut full);
        for (value, full) in row.iter_mut().zip(&full) {
            *value = 255.0 - 235.0 * ((*value - grain) / (full - grain)).clamp(0.0, 1.08);
        }
    }
    ink.to_gray()
}

/// The apparent darkness of bare paper from its grain: most of a page is paper, so it is that of the median pixel and a
/// little more.
fn grain(ink: &Plane) -> f32 {
    let some: Vec<f32> = ink.values.iter().step_by(7).copied().collect();
    let (low, middle) = (percentile(&some, 0.2), percentile(&some, 0.5));
    (middle + (middle - low)).min(0.5)
}

/// The darkness of nearby strokes: the darkest fourteenth of each block, the darkest within a line's height, smoothed;
/// never so low that the grain of empty paper would be amplified to strokes.
fn strength(ink: &Plane, pitch: f32, grain: f32) -> Plane {
    let smooth = ink.blurred(pitch / 30.0);
    let block = (pitch / 3.0).max(4.0) as usize;
    let mut out = Plane::new(ink.width.div_ceil(block).max(1), ink.height.div_ceil(block).max(1));
    let mut values = Vec::with_capacity(block * block);
    for by in 0..out.height {
        for bx in 0..out.width {
            values.clear();
            for y in by * block..((by + 1) * block).min(ink.height) {
                values.extend_from_slice(&smooth.row(y)[bx * block..((bx + 1) * block).min(ink.width)]);
            }
            out.values[by * out.width + bx] = percentile(&values, 0.93);
        }
    }
    let usual = percentile(&out.values, 0.95).max(grain + 0.02);
    out.values.iter_mut().for_each(|value| *value = value.max(grain + (usual - grain) * 0.4));
    out.spread(9, 1).blurred(1.5)
}

fn quality(small: &GrayImage, ink: &Plane, pitch: f32) -> Quality {
    let pixels: Vec<f32> = small.as_raw().iter().map(|&it| f32::from(it)).collect();
    let light = percentile(&pixels, 0.7);
    let contrast = percentile(&ink.values, 0.97);
    // The grain: the median distance of a pixel from the mean of its two neighbours.
    let apart: Vec<f32> =
        ink.values.windows(3).step_by(3).map(|it| (it[1] - (it[0] + it[2]) * 0.5).abs()).collect();
    let grain = percentile(&apart, 0.5) / 0.6745 / 1.2247;
    let smooth = ink.blurred(1.0);
    let steps: Vec<f32> = smooth.values.windows(2).step_by(2).map(|it| (it[1] - it[0]).abs()).collect();
    let steep = percentile(&steps, 0.985);
    Quality {
        light,
        contrast,
        clarity: contrast / grain.max(0.002),
        sharpness: steep / contrast.max(0.01) * pitch,
    }
}
