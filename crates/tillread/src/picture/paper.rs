//! Finds the paper: bright, on a darker background, with four straight sides.

use image::GrayImage;

use super::gray::{Plane, reduce};

/// Four corners, clockwise from the upper left one, in pixels of the picture.
pub type Corners = [(f64, f64); 4];

/// Longest side of the picture for finding the paper.
const LOOKED_AT: u32 = 480;
/// A side is straight if this share of its points is on one line.
const STRAIGHT: f64 = 0.5;

/// The paper's corners; `None` where no edge is clear, as when paper fills the picture or the background is white.
pub fn find(picture: &GrayImage) -> Option<Corners> {
    let longest = picture.width().max(picture.height());
    let factor = f64::from(LOOKED_AT.min(longest)) / f64::from(longest.max(1));
    let size = |side: u32| (f64::from(side) * factor).round().max(1.0) as u32;
    let small = reduce(picture, size(picture.width()), size(picture.height()));
    if small.width() < 40 || small.height() < 40 {
        return None;
    }
    let smooth = Plane::of(&small).blurred(1.5).to_gray();
    let bright = bright(&smooth)?;
    let shape = largest(&bright, small.width() as usize, small.height() as usize)?;
    let corners = shape.corners()?;
    let (sx, sy) = (
        f64::from(picture.width()) / f64::from(small.width()),
        f64::from(picture.height()) / f64::from(small.height()),
    );
    Some(corners.map(|(x, y)| (x * sx, y * sy)))
}

/// The pixels brighter than the threshold of Otsu (1979), if light and dark separate clearly and the edge is dark.
fn bright(picture: &GrayImage) -> Option<Vec<bool>> {
    let mut counts = [0u64; 256];
    picture.as_raw().iter().for_each(|&pixel| counts[usize::from(pixel)] += 1);
    let total: u64 = counts.iter().sum();
    let sum: u64 = counts.iter().zip(0..).map(|(count, value)| count * value).sum();
    let (mut best, mut threshold, mut means) = (-1.0, 0, (0.0, 0.0));
    let (mut below, mut below_sum) = (0u64, 0u64);
    for (value, count) in counts.iter().enumerate().take(255) {
        below += count;
        below_sum += count * value as u64;
        if below == 0 || below == total {
            continue;
        }
        let dark = below_sum as f64 / below as f64;
        let light = (sum - below_sum) as f64 / (total - below) as f64;
        let between = below as f64 * (total - below) as f64 * (light - dark).powi(2);
        if between > best {
            (best, threshold, means) = (between, value, (dark, light));
        }
    }
    let (dark, light) = means;
    if light - dark < 20.0 || light < dark * 1.4 {
        return None;
    }
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let mask: Vec<bool> = picture.as_raw().iter().map(|&pixel| usize::from(pixel) > threshold).collect();
    let edge = (0..width).flat_map(|x| [x, x + (height - 1) * width]);
    let edge = edge.chain((0..height).flat_map(|y| [y * width, y * width + width - 1]));
    let (lit, all) = edge.fold((0, 0), |(lit, all), at| (lit + usize::from(mask[at]), all + 1));
    (lit * 2 < all).then_some(mask)
}

/// A connected shape, by its outermost points.
struct Shape {
    /// The first and last column of each row.
    rows: Vec<Option<(usize, usize)>>,
    /// The first and last row of each column.
    columns: Vec<Option<(usize, usize)>>,
    width: usize,
    height: usize,
}

/// The largest connected shape, if it fills enough of the picture.
fn largest(mask: &[bool], width: usize, height: usize) -> Option<Shape> {
    let mut seen = vec![false; mask.len()];
    let mut best: Vec<usize> = Vec::new();
    let mut stack = Vec::new();
    for start in 0..mask.len() {
        if !mask[start] || seen[start] {
            continue;
        }
        let mut members = Vec::new();
        seen[start] = true;
        stack.push(start);
        while let Some(at) = stack.pop() {
            members.push(at);
            let (x, y) = (at % width, at / width);
            let beside = [
                (x > 0).then(|| at - 1),
                (x + 1 < width).then(|| at + 1),
                (y > 0).then(|| at - width),
                (y + 1 < height).then(|| at + width),
            ];
            for next in beside.into_iter().flatten() {
                if mask[next] && !seen[next] {
                    seen[next] = true;
                    stack.push(next);
                }
            }
        }
        if members.len() > best.len() {
            best = members;
        }
    }
    if best.len() * 10 < mask.len() {
        return None;
    }
    let mut shape = Shape { rows: vec![None; height], columns: vec![None; width], width, height };
    for at in best {
        widen(&mut shape.rows[at / width], at % width);
        widen(&mut shape.columns[at % width], at / width);
    }
    Some(shape)
}

fn widen(span: &mut Option<(usize, usize)>, at: usize) {
    let (low, high) = span.unwrap_or((at, at));
    *span = Some((low.min(at), high.max(at)));
}

/// A line: the coordinate across as a function of the one along.
#[derive(Debug, Clone, Copy)]
struct Line {
    at: f64,
    slope: f64,
}

impl Shape {
    fn corners(&self) -> Option<Corners> {
        let along = |spans: &[Option<(usize, usize)>], last: bool| -> Vec<(f64, f64)> {
            let places = spans.iter().enumerate();
            places
                .filter_map(|(at, span)| {
                    span.map(|(low, high)| {
                        (at as f64 + 0.5, if last { high as f64 + 1.0 } else { low as f64 })
                    })
                })
                .collect()
        };
        let left = straight(&along(&self.rows, false))?;
        let right = straight(&along(&self.rows, true))?;
        let top = straight(&along(&self.columns, false))?;
        let bottom = straight(&along(&self.columns, true))?;
        let corners = [meet(top, left), meet(top, right), meet(bottom, right), meet(bottom, left)];
        self.plausible(&corners).then_some(corners)
    }

    /// Whether the four sides enclose the shape: it fills them, and they are within the picture or slightly beyond.
    fn plausible(&self, corners: &Corners) -> bool {
        let (w, h) = (self.width as f64, self.height as f64);
        let near = |&(x, y): &(f64, f64)| x > -0.15 * w && x < 1.15 * w && y > -0.15 * h && y < 1.15 * h;
        let area = corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| a.0 * b.1 - b.0 * a.1);
        let area = area.sum::<f64>() / 2.0;
        let filled: usize = self.rows.iter().flatten().map(|(low, high)| high - low + 1).sum();
        let filled = filled as f64;
        corners.iter().all(near) && area > 0.08 * w * h && filled > 0.85 * area && filled < 1.12 * area
    }
}

/// The line through the most points: every sufficiently distant pair of points proposes one, and the best is refitted
/// to its points by least squares.
fn straight(places: &[(f64, f64)]) -> Option<Line> {
    if places.len() < 20 {
        return None;
    }
    let step = (places.len() / 40).max(1);
    let some: Vec<_> = places.iter().copied().step_by(step).collect();
    let on = |line: Line, it: &&(f64, f64)| (it.1 - line.at - line.slope * it.0).abs() < 2.0;
    let mut best = (0, Line { at: 0.0, slope: 0.0 });
    for (first, a) in some.iter().enumerate() {
        for b in some.iter().skip(first + some.len() / 6 + 1) {
            let slope = (b.1 - a.1) / (b.0 - a.0);
            if slope.abs() > 0.7 {
                continue;
            }
            let line = Line { at: a.1 - slope * a.0, slope };
            let held = some.iter().filter(|it| on(line, it)).count();
            if held > best.0 {
                best = (held, line);
            }
        }
    }
    let held: Vec<_> = places.iter().filter(|it| on(best.1, it)).collect();
    if (held.len() as f64) < STRAIGHT * places.len() as f64 {
        return None;
    }
    let n = held.len() as f64;
    let (mx, my) = (held.iter().map(|it| it.0).sum::<f64>() / n, held.iter().map(|it| it.1).sum::<f64>() / n);
    let above: f64 = held.iter().map(|it| (it.0 - mx) * (it.1 - my)).sum();
    let below: f64 = held.iter().map(|it| (it.0 - mx).powi(2)).sum();
    let slope = if below > 0.0 { above / below } else { 0.0 };
    Some(Line { at: my - slope * mx, slope })
}

/// The intersection of a line along x and one along y.
fn meet(along_x: Line, along_y: Line) -> (f64, f64) {
    let y = (along_x.at + along_x.slope * along_y.at) / (1.0 - along_x.slope * along_y.slope);
    (along_y.at + along_y.slope * y, y)
}
