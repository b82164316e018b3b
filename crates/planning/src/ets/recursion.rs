//! The recursions of all models: one pass over a series gives the sum of squares, with or without its derivatives.
//!
//! Variables: α, β/α (trend), γ (season), φ (damped), level, slope (trend), all seasonal states but the last. With an
//! error e = y − f of one step, f = q + s or q·s and q = level + φ·slope:
//!
//! additive season (or none): level = q + αe, slope = φ·slope + βe, s = s + γe;
//! multiplicative season: level = q + αe/s, slope = φ·slope + βe/s, s = s + γe/q.
//!
//! A multiplicative error changes only what is summed: with G the geometric mean of |f|, n·log Σ(Ge/f)² is the reference's
//! n·log Σ(e/f)² + 2Σ log|f|, so every model is a least-squares problem.

use super::model::{Error, Model, Season, Trend};
use crate::optimise::SumOfSquares;

pub(super) const NO_SEASON: u8 = 0;
pub(super) const ADDED: u8 = 1;
pub(super) const MULTIPLIED: u8 = 2;

/// A level or forecast used as a divisor counts as zero below this share of the series' mean.
const ZERO: f64 = 1e-12;

/// The index of each variable; `usize::MAX` where the model has none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub beta: usize,
    pub gamma: usize,
    pub phi: usize,
    pub level: usize,
    pub slope: usize,
    pub season: usize,
    pub count: usize,
}

impl Places {
    /// The indexes of a model's states, for a season of `m`.
    pub fn of(model: Model, m: usize) -> Places {
        let mut next = 1;
        let mut take = |wanted: bool| {
            next += usize::from(wanted);
            if wanted { next - 1 } else { usize::MAX }
        };
        let trend = model.trend != Trend::None;
        let seasonal = model.season != Season::None;
        let (beta, gamma) = (take(trend), take(seasonal));
        let (phi, level, slope) = (take(model.trend == Trend::Damped), take(true), take(trend));
        Places { beta, gamma, phi, level, slope, season: next, count: model.parameters(m) }
    }
}

/// States after the last value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct States {
    pub level: f64,
    pub slope: f64,
    /// Σe² of one-step errors, relative ones where the error is multiplicative.
    pub squares: f64,
}

/// A model over a series, in the minimiser's form.
pub(super) struct Pass<'a> {
    pub model: Model,
    pub m: usize,
    pub places: Places,
    /// Values divided by their scale.
    pub y: &'a [f64],
    /// Seasonal states by index: that of `y[t]` is at `t mod m`.
    pub season: &'a mut Vec<f64>,
    /// Derivatives of the seasonal states, and rows of the Jacobian not yet accumulated.
    pub slopes: &'a mut Vec<f64>,
    pub rows: &'a mut Vec<f64>,
    pub states: States,
}

pub(super) struct Smoothing {
    pub alpha: f64,
    pub beta: f64,
    pub gamma: f64,
    pub phi: f64,
}

impl Pass<'_> {
    pub(super) fn begin(&mut self, v: &[f64]) -> Smoothing {
        let places = self.places;
        let or = |place: usize, none: f64| v.get(place).copied().unwrap_or(none);
        if self.model.season != Season::None {
            let sum = if self.model.season == Season::Multiplicative { self.m as f64 } else { 0.0 };
            self.season.clear();
            self.season.extend_from_slice(&v[places.season..]);
            self.season.push(sum - self.season.iter().sum::<f64>());
        }
        self.states = States { level: v[places.level], slope: or(places.slope, 0.0), squares: 0.0 };
        Smoothing {
            alpha: v[0],
            beta: v[0] * or(places.beta, 0.0),
            gamma: or(places.gamma, 0.0),
            phi: or(places.phi, 1.0),
        }
    }

    fn sum<const TREND: bool, const SEASON: u8, const RELATIVE: bool>(&mut self, v: &[f64]) -> f64 {
        let Smoothing { alpha, beta, gamma, phi } = self.begin(v);
        let (mut level, mut slope) = (self.states.level, self.states.slope);
        let (mut squares, mut logs, mut product) = (0.0, 0.0, 1.0f64);
        let mut place = 0;
        for (t, &y) in self.y.iter().enumerate() {
            let drift = if TREND { phi * slope } else { 0.0 };
            let q = level + drift;
            let f = match SEASON {
                ADDED => q + self.season[place],
                MULTIPLIED => q * self.season[place],
                _ => q,
            };
            let error = y - f;
            if RELATIVE {
                if f.is_nan() || f < ZERO {
                    return f64::INFINITY;
                }
                let share = error / f;
                squares += share * share;
                product *= f;
                if t % 8 == 7 {
                    logs += product.ln();
                    product = 1.0;
                }
            } else {
                squares += error * error;
            }
            let mut pull = error;
            if SEASON == MULTIPLIED {
                let s = self.season[place];
                if s.is_nan() || s < ZERO || q < ZERO {
                    return f64::INFINITY;
                }
                pull = error / s;
                self.season[place] = s + gamma * error / q;
            }
            if SEASON == ADDED {
                self.season[place] += gamma * error;
            }
            level = q + alpha * pull;
            if TREND {
                slope = drift + beta * pull;
            }
            if SEASON != NO_SEASON {
                place += 1;
                if place == self.m {
                    place = 0;
                }
            }
        }
        self.states = States { level, slope, squares };
        let scaled = if RELATIVE {
            squares * (2.0 * (logs + product.ln()) / self.y.len() as f64).exp()
        } else {
            squares
        };
        if scaled.is_nan() { f64::INFINITY } else { scaled }
    }
}

/// Calls a method specialised for the model, so that the compiler generates a loop without branches on it.
macro_rules! by_model {
    ($pass:expr, $method:ident, [$($width:literal)?], ($($arg:expr),*)) => {{
        let trend = $pass.model.trend != Trend::None;
        let relative = $pass.model.error == Error::Multiplicative;
        match (trend, $pass.model.season, relative) {
            (false, Season::None, false) => $pass.$method::<$($width,)? false, NO_SEASON, false>($($arg),*),
            (true, Season::None, false) => $pass.$method::<$($width,)? true, NO_SEASON, false>($($arg),*),
            (false, Season::None, true) => $pass.$method::<$($width,)? false, NO_SEASON, true>($($arg),*),
            (true, Season::None, true) => $pass.$method::<$($width,)? true, NO_SEASON, true>($($arg),*),
            (false, Season::Additive, false) => $pass.$method::<$($width,)? false, ADDED, false>($($arg),*),
            (true, Season::Additive, false) => $pass.$method::<$($width,)? true, ADDED, false>($($arg),*),
            (false, Season::Additive, true) => $pass.$method::<$($width,)? false, ADDED, true>($($arg),*),
            (true, Season::Additive, true) => $pass.$method::<$($width,)? true, ADDED, true>($($arg),*),
            (false, Season::Multiplicative, _) => $pass.$method::<$($width,)? false, MULTIPLIED, true>($($arg),*),
            (true, Season::Multiplicative, _) => $pass.$method::<$($width,)? true, MULTIPLIED, true>($($arg),*),
        }
    }};
}

impl SumOfSquares for Pass<'_> {
    fn value(&mut self, v: &[f64]) -> f64 {
        by_model!(self, sum, [], (v))
    }

    /// Includes one more column, for the residuals.
    fn stride(&self) -> usize {
        let wanted = self.places.count + 1;
        [4, 8, 12, 16, 20, 32].into_iter().find(|&width| width >= wanted).unwrap_or(64)
    }

    fn normal(&mut self, v: &[f64], normal: &mut [f64], gradient: &mut [f64]) -> f64 {
        match self.stride() {
            4 => by_model!(self, derivatives, [4], (v, normal, gradient)),
            8 => by_model!(self, derivatives, [8], (v, normal, gradient)),
            12 => by_model!(self, derivatives, [12], (v, normal, gradient)),
            16 => by_model!(self, derivatives, [16], (v, normal, gradient)),
            20 => by_model!(self, derivatives, [20], (v, normal, gradient)),
            32 => by_model!(self, derivatives, [32], (v, normal, gradient)),
            _ => by_model!(self, derivatives, [64], (v, normal, gradient)),
        }
    }
}
