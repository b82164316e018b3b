//! Starting points of a search: initial states derived from the series, and a few values of the smoothing parameters.

use super::model::{Model, Season, Trend};
use super::recursion::Places;
use crate::theta::season::{Join, indices};

/// α, β/α, γ, φ.
pub(super) type Smoothing = [f64; 4];

/// Likelihoods often have two local optima: a level that hardly moves, and one that follows. Only the first half is
/// tried where there is neither trend nor season.
static SMOOTHINGS: [Smoothing; 12] = [
    [0.02, 0.02, 0.02, 0.95],
    [0.05, 0.05, 0.02, 0.95],
    [0.1, 0.02, 0.02, 0.95],
    [0.2, 0.02, 0.02, 0.95],
    [0.4, 0.02, 0.02, 0.95],
    [0.7, 0.05, 0.02, 0.9],
    [0.05, 0.3, 0.2, 0.85],
    [0.1, 0.2, 0.2, 0.9],
    [0.2, 0.2, 0.2, 0.9],
    [0.4, 0.2, 0.2, 0.9],
    [0.2, 0.5, 0.05, 0.82],
    [0.6, 0.5, 0.3, 0.85],
];

/// The objective at these points; searches start at the lowest.
pub(super) struct Heights([f64; SMOOTHINGS.len()]);

impl Heights {
    /// Evaluates each point that differs for the model; `sum` computes the objective.
    pub fn of(model: Model, mut sum: impl FnMut(&Smoothing) -> f64) -> Heights {
        let tried =
            if model.trend == Trend::None && model.season == Season::None { 6 } else { SMOOTHINGS.len() };
        let mut heights = [f64::INFINITY; SMOOTHINGS.len()];
        for (height, smoothing) in heights.iter_mut().zip(&SMOOTHINGS[..tried]) {
            *height = sum(smoothing);
        }
        Heights(heights)
    }

    /// The lowest point not taken yet that has a finite objective. All points of the same α are taken with it, so that
    /// the next search starts elsewhere.
    pub fn take_lowest(&mut self) -> Option<&'static Smoothing> {
        let known = SMOOTHINGS.iter().zip(self.0).filter(|(_, height)| height.is_finite());
        let (lowest, _) = known.min_by(|a, b| a.1.total_cmp(&b.1))?;
        for (height, other) in self.0.iter_mut().zip(&SMOOTHINGS) {
            if other[0] == lowest[0] {
                *height = f64::INFINITY;
            }
        }
        Some(lowest)
    }
}

/// Bounds of α, β/α, γ, φ. α and γ may be anywhere in the square, as in statsforecast: for a season without trend all
/// of it is stable (γ < 2 − α).
pub(super) const LEAST: Smoothing = [1e-4, 1e-4, 1e-4, 0.8];
pub(super) const MOST: Smoothing = [0.9999, 1.0, 0.9999, 0.98];

/// Writes each smoothing parameter of the model to its index.
pub(super) fn put(smoothing: &Smoothing, places: Places, v: &mut [f64]) {
    for (place, value) in [0, places.beta, places.gamma, places.phi].into_iter().zip(smoothing) {
        if let Some(at) = v.get_mut(place) {
            *at = *value;
        }
    }
}

/// Initial states: seasonal indices of the whole series, then the mean or the line of the first `count` values without
/// them. `index` must have the length of a season.
pub(super) fn states(
    y: &[f64],
    count: usize,
    model: Model,
    places: Places,
    index: &mut [f64],
    v: &mut [f64],
) {
    let m = index.len();
    match model.season {
        Season::None => index.fill(0.0),
        Season::Additive => indices(y, Join::Added, index),
        Season::Multiplicative => {
            indices(y, Join::Multiplied, index);
            for s in index.iter_mut() {
                *s = s.max(0.01);
            }
            let mean = index.iter().sum::<f64>() / m as f64;
            for s in index.iter_mut() {
                *s /= mean;
            }
        }
    }
    let adjusted = |t: usize| match model.season {
        Season::Multiplicative => y[t] / index[t % m],
        _ => y[t] - index[t % m],
    };
    let length = count as f64;
    let mean = (0..count).map(adjusted).sum::<f64>() / length;
    v[places.level] = mean;
    if model.trend != Trend::None {
        let middle = (length + 1.0) / 2.0;
        let (mut with, mut time) = (0.0, 0.0);
        for t in 0..count {
            let from = (t + 1) as f64 - middle;
            with += from * adjusted(t);
            time += from * from;
        }
        v[places.slope] = with / time;
        v[places.level] = mean - middle * v[places.slope];
    }
    if model.season != Season::None {
        v[places.season..].copy_from_slice(&index[..m - 1]);
    }
}

/// A point where every series has a likelihood: the mean, no slope, no season, and hardly any smoothing.
pub(super) fn flat(y: &[f64], model: Model, places: Places, v: &mut [f64]) {
    put(&LEAST, places, v);
    v[places.level] = y.iter().sum::<f64>() / y.len() as f64;
    if let Some(slope) = v.get_mut(places.slope) {
        *slope = 0.0;
    }
    if model.season != Season::None {
        v[places.season..].fill(if model.season == Season::Multiplicative { 1.0 } else { 0.0 });
    }
}
