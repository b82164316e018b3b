//! Grey pictures and the few operations on them: area reduction, sampling, blur.

use image::GrayImage;

/// Reduces a picture to `width` × `height` by averaging the area of each new pixel. Never enlarges.
pub fn reduce(from: &GrayImage, width: u32, height: u32) -> GrayImage {
    let (width, height) = (width.clamp(1, from.width().max(1)), height.clamp(1, from.height().max(1)));
    if (width, height) == from.dimensions() {
        return from.clone();
    }
    let across = spans(from.width() as usize, width as usize);
    let down = spans(from.height() as usize, height as usize);
    let row_len = from.width() as usize;
    let mut out = Vec::with_capacity(width as usize * height as usize);
    let mut columns = vec![0u32; row_len];
    for &(top, bottom) in &down {
        columns.fill(0);
        for row in from.as_raw().chunks_exact(row_len).take(bottom).skip(top) {
            for (sum, &pixel) in columns.iter_mut().zip(row) {
                *sum += u32::from(pixel);
            }
        }
        for &(left, right) in &across {
            let sum: u64 = columns[left..right].iter().map(|&it| u64::from(it)).sum();
            let count = ((right - left) * (bottom - top)) as u64;
            out.push(((sum + count / 2) / count) as u8);
        }
    }
    GrayImage::from_raw(width, height, out).unwrap_or_default()
}

/// The ranges of `from` pixels for each of `to`.
fn spans(from: usize, to: usize) -> Vec<(usize, usize)> {
    (0..to).map(|at| (at * from / to, ((at + 1) * from / to).max(at * from / to + 1))).collect()
}

/// A plane of single-precision values: a picture during processing.
#[derive(Debug, Clone)]
pub struct Plane {
    pub width: usize,
    pub height: usize,
    pub values: Vec<f32>,
}

impl Plane {
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, values: vec![0.0; width * height] }
    }

    /// The values of a grey picture, 0 to 255.
    pub fn of(picture: &GrayImage) -> Self {
        Self {
            width: picture.width() as usize,
            height: picture.height() as usize,
            values: picture.as_raw().iter().map(|&pixel| f32::from(pixel)).collect(),
        }
    }

    /// Back to eight bits, clamped.
    pub fn to_gray(&self) -> GrayImage {
        let pixels = self.values.iter().map(|&value| (value + 0.5).clamp(0.0, 255.0) as u8).collect();
        GrayImage::from_raw(self.width as u32, self.height as u32, pixels).unwrap_or_default()
    }

    /// The values of row `y`.
    pub fn row(&self, y: usize) -> &[f32] {
        &self.values[y * self.width..(y + 1) * self.width]
    }

    /// Gaussian blur; `sigma` in pixels. Below 0.2 it does nothing.
    #[must_use]
    pub fn blurred(&self, sigma: f32) -> Self {
        if sigma < 0.2 || self.values.is_empty() {
            return self.clone();
        }
        let reach = (sigma * 3.0).ceil() as usize;
        let mut kernel: Vec<f32> = (0..=reach).map(|at| (-0.5 * (at as f32 / sigma).powi(2)).exp()).collect();
        let total: f32 = kernel[0] + 2.0 * kernel[1..].iter().sum::<f32>();
        kernel.iter_mut().for_each(|weight| *weight /= total);
        let mut across = Self::new(self.width, self.height);
        let mut padded = vec![0.0; self.width + 2 * reach];
        for y in 0..self.height {
            let row = self.row(y);
            padded[..reach].fill(row[0]);
            padded[reach..reach + self.width].copy_from_slice(row);
            padded[reach + self.width..].fill(row[self.width - 1]);
            let out = &mut across.values[y * self.width..(y + 1) * self.width];
            for (it, middle) in out.iter_mut().zip(&padded[reach..]) {
                *it = kernel[0] * middle;
            }
            for (at, weight) in kernel.iter().enumerate().skip(1) {
                let beside = padded[reach - at..].iter().zip(&padded[reach + at..]);
                for (it, (left, right)) in out.iter_mut().zip(beside) {
                    *it += weight * (left + right);
                }
            }
        }
        let mut out = Self::new(self.width, self.height);
        let last = self.height - 1;
        for y in 0..self.height {
            let to = &mut out.values[y * self.width..(y + 1) * self.width];
            for (at, &weight) in kernel.iter().enumerate() {
                let above = across.row(y.saturating_sub(at));
                let below = across.row((y + at).min(last));
                let scale = if at == 0 { weight * 0.5 } else { weight };
                for ((it, &a), &b) in to.iter_mut().zip(above).zip(below) {
                    *it += scale * (a + b);
                }
            }
        }
        out
    }

    /// The maximum within `rx` columns and `ry` rows.
    #[must_use]
    pub fn spread(&self, rx: usize, ry: usize) -> Self {
        let mut across = self.clone();
        for y in 0..self.height {
            let row = self.row(y);
            for x in 0..self.width {
                let end = (x + rx + 1).min(self.width);
                across.values[y * self.width + x] =
                    row[x.saturating_sub(rx)..end].iter().copied().fold(f32::MIN, f32::max);
            }
        }
        let mut out = across.clone();
        for y in 0..self.height {
            for other in y.saturating_sub(ry)..(y + ry + 1).min(self.height) {
                for x in 0..self.width {
                    let at = y * self.width + x;
                    out.values[at] = out.values[at].max(across.values[other * self.width + x]);
                }
            }
        }
        out
    }

    /// This plane scaled to `width` × `height`, row by row, by linear interpolation, extending its edge.
    pub fn stretched(&self, width: usize, height: usize) -> Stretched<'_> {
        Stretched { plane: self, columns: places(self.width, width), rows: places(self.height, height) }
    }
}

/// See [`Plane::stretched`].
pub struct Stretched<'a> {
    plane: &'a Plane,
    columns: Vec<(usize, usize, f32)>,
    rows: Vec<(usize, usize, f32)>,
}

impl Stretched<'_> {
    /// Writes row `y` to `out`.
    pub fn row(&self, y: usize, out: &mut Vec<f32>) {
        let (above, below, down) = self.rows[y];
        let beside = self.plane.row(above).iter().zip(self.plane.row(below));
        let row: Vec<f32> = beside.map(|(a, b)| a + (b - a) * down).collect();
        out.clear();
        out.extend(
            self.columns.iter().map(|&(left, right, across)| row[left] + (row[right] - row[left]) * across),
        );
    }
}

/// For each of `to` places the two of `of` beside it, and how far it is from the first to the second.
fn places(of: usize, to: usize) -> Vec<(usize, usize, f32)> {
    let place = |at: usize| {
        let exact = (at as f32 + 0.5) * of as f32 / to as f32 - 0.5;
        let exact = exact.clamp(0.0, (of - 1) as f32);
        (exact as usize, (exact as usize + 1).min(of - 1), exact - exact.floor())
    };
    (0..to).map(place).collect()
}

/// The percentile at `share` (0 to 1); 0 if empty.
pub fn percentile(values: &[f32], share: f32) -> f32 {
    let mut kept: Vec<f32> = values.iter().copied().filter(|value| value.is_finite()).collect();
    if kept.is_empty() {
        return 0.0;
    }
    let at = ((kept.len() - 1) as f32 * share.clamp(0.0, 1.0)) as usize;
    *kept.select_nth_unstable_by(at, f32::total_cmp).1
}
