//! Projective maps of the plane, between positions in two pictures.

/// A projective map, row by row; the last entry is 1 unless it was composed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform([f64; 9]);

impl Transform {
    /// Scales and translates: `(x, y)` goes to `(x·sx + dx, y·sy + dy)`.
    pub const fn scale(sx: f64, sy: f64, dx: f64, dy: f64) -> Self {
        Self([sx, 0.0, dx, 0.0, sy, dy, 0.0, 0.0, 1.0])
    }

    /// Rotates by `angle` radians around a point.
    pub fn turn(angle: f64, (cx, cy): (f64, f64)) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self([cos, -sin, cx - cos * cx + sin * cy, sin, cos, cy - sin * cx - cos * cy, 0.0, 0.0, 1.0])
    }

    /// The map of a rectangle from (0, 0) to `(width, height)` onto four corners, given clockwise from the upper left
    /// one (Heckbert 1989). `None` where they span no area.
    pub fn to_corners(width: f64, height: f64, corners: [(f64, f64); 4]) -> Option<Self> {
        let [(x0, y0), (x1, y1), (x2, y2), (x3, y3)] = corners;
        let (dx1, dx2, sx) = (x1 - x2, x3 - x2, x0 - x1 + x2 - x3);
        let (dy1, dy2, sy) = (y1 - y2, y3 - y2, y0 - y1 + y2 - y3);
        let det = dx1 * dy2 - dx2 * dy1;
        if det.abs() < 1e-9 || width <= 0.0 || height <= 0.0 {
            return None;
        }
        let g = (sx * dy2 - dx2 * sy) / det;
        let h = (dx1 * sy - sx * dy1) / det;
        let unit =
            Self([x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h, 1.0]);
        Some(unit.after(&Self::scale(1.0 / width, 1.0 / height, 0.0, 0.0)))
    }

    /// The composition: first `inner`, then this.
    #[must_use]
    pub fn after(&self, inner: &Self) -> Self {
        let (a, b) = (&self.0, &inner.0);
        let mut out = [0.0; 9];
        for row in 0..3 {
            for column in 0..3 {
                out[row * 3 + column] = (0..3).map(|at| a[row * 3 + at] * b[at * 3 + column]).sum();
            }
        }
        Self(out)
    }

    /// The image of a point.
    pub fn apply(&self, x: f64, y: f64) -> (f64, f64) {
        let m = &self.0;
        // Most maps keep lines parallel and need no division.
        if (m[6], m[7], m[8]) == (0.0, 0.0, 1.0) {
            return (m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5]);
        }
        let w = m[6] * x + m[7] * y + m[8];
        let w = if w.abs() < 1e-12 { 1e-12 } else { w };
        ((m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_go_to_corners_and_back_through_a_composition() {
        let corners = [(10.0, 20.0), (210.0, 5.0), (230.0, 400.0), (0.0, 380.0)];
        let map = Transform::to_corners(100.0, 50.0, corners).expect("they span an area");
        for (at, want) in [(0.0, 0.0), (100.0, 0.0), (100.0, 50.0), (0.0, 50.0)].into_iter().zip(corners) {
            let got = map.apply(at.0, at.1);
            assert!((got.0 - want.0).abs() < 1e-6 && (got.1 - want.1).abs() < 1e-6, "{got:?} {want:?}");
        }
        let turned = Transform::turn(0.3, (7.0, 8.0)).apply(7.0, 8.0);
        assert!((turned.0 - 7.0).abs() < 1e-9 && (turned.1 - 8.0).abs() < 1e-9);
        assert_eq!(Transform::to_corners(10.0, 10.0, [(1.0, 1.0); 4]), None);
    }
}
