//! The layout of text on paper: its ink, its slope, the line height.

use image::GrayImage;

use super::gray::{Plane, percentile};

/// Divides out the background light: 0 is paper, 1 black. `reach` is the extent of text, in pixels.
pub fn ink(picture: &GrayImage, reach: f32) -> Plane {
    let light = background(picture, reach);
    let mut out = Plane::of(picture);
    let (light, mut paper) = (light.stretched(out.width, out.height), Vec::new());
    for (y, row) in out.values.chunks_exact_mut(out.width.max(1)).enumerate() {
        light.row(y, &mut paper);
        for (value, paper) in row.iter_mut().zip(&paper) {
            *value = (1.0 - *value / paper.max(1.0)).clamp(0.0, 1.0);
        }
    }
    out
}

/// The light of the paper under the text: for each small block the mean of its brighter half, then the brightest
/// nearby, smoothed.
fn background(picture: &GrayImage, reach: f32) -> Plane {
    let block = (reach / 5.0).clamp(4.0, 16.0) as usize;
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let mut light = Plane::new(width.div_ceil(block).max(1), height.div_ceil(block).max(1));
    let pixels = picture.as_raw();
    for by in 0..light.height {
        for bx in 0..light.width {
            let mut counts = [0u32; 256];
            let mut all = 0;
            for y in by * block..((by + 1) * block).min(height) {
                for &pixel in &pixels[y * width + bx * block..y * width + ((bx + 1) * block).min(width)] {
                    counts[usize::from(pixel)] += 1;
                    all += 1;
                }
            }
            let (mut left, mut sum) = (all / 2 + 1, 0);
            let wanted = left;
            for value in (0..256u32).rev() {
                let taken = counts[value as usize].min(left);
                sum += taken * value;
                left -= taken;
            }
            light.values[by * light.width + bx] = sum as f32 / wanted as f32;
        }
    }
    let blocks = (reach / block as f32).max(1.0);
    light.spread(blocks.ceil() as usize, (blocks * 0.6).ceil() as usize).blurred(blocks)
}

/// The slope of the lines, in rows per column (positive goes down to the right), within `most` either way, and how
/// sharply rows separate there: where sheared rows of ink differ most from their neighbours.
pub fn slope(ink: &Plane, most: f64) -> (f64, f64) {
    let columns = Columns::of(ink, if ink.width < 400 { 1 } else { 2 });
    let factor = ink.width as f64 / columns.width.max(1) as f64;
    let search = |from: f64, to: f64, step: f64| {
        let mut best = (f64::MIN, 0.0);
        let steps = ((to - from) / step).round() as usize;
        for at in (0..=steps).map(|it| from + step * it as f64) {
            let found = sharpness(&columns.profile(at * factor));
            if found > best.0 {
                best = (found, at);
            }
        }
        best
    };
    let coarse = search(-most, most, 0.01).1;
    let (sharp, fine) = search(coarse - 0.01, coarse + 0.01, 0.001);
    (fine, sharp)
}

/// Ink column by column: sheared rows are sums of shifted columns.
struct Columns {
    width: usize,
    height: usize,
    values: Vec<f32>,
}

impl Columns {
    /// The columns of `ink`, `together` of them added to one.
    fn of(ink: &Plane, together: usize) -> Self {
        let (width, height) = (ink.width / together, ink.height);
        let mut values = vec![0.0; width * height];
        for y in 0..height {
            for (x, beside) in ink.row(y).chunks_exact(together).enumerate() {
                values[x * height + y] = beside.iter().sum();
            }
        }
        Self { width, height, values }
    }

    /// Ink by row, along lines that go down by `slope` rows per column.
    fn profile(&self, slope: f64) -> Vec<f32> {
        let mut rows = vec![0.0; self.height];
        let middle = self.width as f64 / 2.0;
        for (x, column) in self.values.chunks_exact(self.height.max(1)).enumerate() {
            let down = ((x as f64 - middle) * slope).round() as isize;
            let (skipped, first) = (down.max(0).unsigned_abs(), down.min(0).unsigned_abs());
            if skipped < self.height && first < self.height {
                for (sum, value) in rows[first..].iter_mut().zip(&column[skipped..]) {
                    *sum += value;
                }
            }
        }
        rows
    }
}

/// The difference of neighbouring rows, relative to the ink.
fn sharpness(profile: &[f32]) -> f64 {
    let total: f64 = profile.iter().map(|value| f64::from(*value).powi(2)).sum();
    profile.windows(2).map(|pair| f64::from(pair[1] - pair[0]).powi(2)).sum::<f64>() / total.max(1e-9)
}

/// Ink by row.
pub fn profile(ink: &Plane) -> Vec<f32> {
    (0..ink.height).map(|y| ink.row(y).iter().sum()).collect()
}

/// The line pitch in rows: the shortest lag at which the profile correlates with itself. `None` without periodicity.
pub fn pitch(profile: &[f32]) -> Option<f32> {
    let n = profile.len();
    let mean = profile.iter().sum::<f32>() / n.max(1) as f32;
    let high = percentile(profile, 0.95);
    // Rules and bars are no text: values above the usual are clipped.
    let level: Vec<f32> = profile.iter().map(|value| value.min(high) - mean).collect();
    let power: f32 = level.iter().map(|value| value * value).sum::<f32>() / n.max(1) as f32;
    if n < 60 || power <= 0.0 {
        return None;
    }
    let like: Vec<f32> = (0..n / 4)
        .map(|lag| {
            level.iter().zip(&level[lag..]).map(|(a, b)| a * b).sum::<f32>() / (n - lag) as f32 / power
        })
        .collect();
    let peaks: Vec<(usize, f32)> = (6..like.len().saturating_sub(1))
        .filter(|&lag| like[lag] > like[lag - 1] && like[lag] >= like[lag + 1] && like[lag] > 0.1)
        .map(|lag| (lag, like[lag]))
        .collect();
    let best = peaks.iter().map(|peak| peak.1).fold(0.0, f32::max);
    let (lag, _) = *peaks.iter().find(|peak| peak.1 > best * 0.7)?;
    let (before, at, after) = (like[lag - 1], like[lag], like[lag + 1]);
    let bend = before - 2.0 * at + after;
    Some(lag as f32 + if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_drawn_every_31_rows_and_rising_are_found() {
        let mut ink = Plane::new(600, 900);
        for line in 0..25 {
            for x in 20..580 {
                let middle = 60.0 + 31.0 * line as f64 + 0.05 * (x as f64 - 300.0);
                for y in (middle - 7.0) as usize..(middle + 7.0) as usize {
                    ink.values[y * 600 + x] = if x / 9 % 2 == 0 { 0.8 } else { 0.0 };
                }
            }
        }
        let (rise, _) = slope(&ink, 0.15);
        assert!((rise - 0.05).abs() < 0.004, "{rise}");
        let found = pitch(&Columns::of(&ink, 1).profile(rise)).expect("there is a rhythm");
        assert!((found - 31.0).abs() < 0.5, "{found}");
    }
}
