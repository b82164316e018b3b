//! The best parameters for one kind. For each α the errors are linear in the initial level and in 1 − 1/θ, so both
//! follow by least squares and only α is searched.

use super::{Kind, Line};
use crate::optimise::minimise;

/// Bounds of α, as in statsforecast.
const ALPHA: (f64, f64) = (0.1, 0.99);
/// 1 − 1/θ for the largest θ, 10¹⁰.
const MOST_PULL: f64 = 1.0 - 1e-10;
/// Steps within ALPHA evaluated before refining: the error may have several local minima.
const STEPS: usize = 24;
/// The first errors are left out, as in statsforecast: they depend on the initial level.
const LEFT_OUT: usize = 3;

/// The parameters with the least error.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub alpha: f64,
    /// 1 − 1/θ: the line's weight.
    pub pull: f64,
    pub initial: f64,
    /// Σe² from the fourth error on.
    pub squares: f64,
}

/// `lines` has the line known before each value of `y`: `lines[t]` goes with `y[t]`, `lines[0]` is unused.
pub(super) fn search(kind: Kind, y: &[f64], lines: &[Line]) -> Best {
    let free = matches!(kind, Kind::Otm | Kind::Dotm);
    let (alpha, _) = minimise(|alpha| profile(y, lines, alpha, free).squares, ALPHA.0, ALPHA.1, STEPS, 1e-6);
    let best = profile(y, lines, alpha, free);
    Best { squares: squares(y, lines, &best), ..best }
}

/// The best level and pull for one α. Its sum comes from products alone, so it is only approximate near a perfect fit.
fn profile(y: &[f64], lines: &[Line], alpha: f64, free: bool) -> Best {
    let keep = 1.0 - alpha;
    let over = 1.0 / alpha;
    // Level without its initial value, and the weight left of that: keep^t.
    let (mut level, mut left) = (alpha * y[0], 1.0);
    let [mut uu, mut up, mut ud, mut pp, mut pd, mut dd] = [0.0; 6];
    for (t, (&y, line)) in y.iter().zip(lines).enumerate().skip(1) {
        left = fade(left * keep);
        if t >= LEFT_OUT {
            let (u, d) = (y - level, line.share(left, keep, over));
            uu += u * u;
            up += u * left;
            ud += u * d;
            pp += left * left;
            pd += left * d;
            dd += d * d;
        }
        level = alpha * y + keep * level;
    }
    let mut pull = 0.5;
    let spread = dd * pp - pd * pd;
    if free && spread > 1e-12 * dd * pp {
        pull = ((ud * pp - up * pd) / spread).clamp(0.0, MOST_PULL);
    }
    let initial = ((up - pull * pd) / pp).clamp(-1e10, 1e10);
    let squares = uu + pull * pull * dd + initial * initial * pp
        - 2.0 * (pull * ud + initial * up - pull * initial * pd);
    Best { alpha, pull, initial, squares: squares.max(0.0) }
}

/// Σe² step by step.
fn squares(y: &[f64], lines: &[Line], best: &Best) -> f64 {
    let (alpha, keep) = (best.alpha, 1.0 - best.alpha);
    let (mut level, mut left) = (alpha * y[0] + keep * best.initial, 1.0);
    let mut sum = 0.0;
    for (t, (&y, line)) in y.iter().zip(lines).enumerate().skip(1) {
        left = fade(left * keep);
        if t >= LEFT_OUT {
            let error = y - level - best.pull * line.share(left, keep, 1.0 / alpha);
            sum += error * error;
        }
        level = alpha * y + keep * level;
    }
    sum
}

/// Flushes to zero before subnormal numbers slow the processor down.
pub(super) fn fade(left: f64) -> f64 {
    if left < 1e-200 { 0.0 } else { left }
}
