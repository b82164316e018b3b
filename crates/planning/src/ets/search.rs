//! One model fitted to one series.

use super::model::{Model, Season, Trend};
use super::recursion::{Pass, Places, States};
use super::start::{self, Heights, LEAST, MOST};
use crate::Refusal;
use crate::optimise::{LeastSquares, SumOfSquares, least_squares};

/// Workspace of fits: it grows to the longest series and season seen, and later fits allocate nothing.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(super) y: Vec<f64>,
    pub(super) scale: f64,
    season: Vec<f64>,
    slopes: Vec<f64>,
    rows: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    initial: Vec<f64>,
    trial: Vec<f64>,
    best: Vec<f64>,
    least_squares: LeastSquares,
}

/// Errors under this share of the series' mean are rounding noise and make no model more likely.
const NOISE: f64 = 1e-12;

/// The result of a search, in units of the series' scale.
pub(super) struct Found {
    pub model: Model,
    pub log_likelihood: f64,
    pub aicc: f64,
    pub sigma2: f64,
    /// α, β, γ, φ; those the model lacks are 0, and φ is 1.
    pub smoothing: [f64; 4],
    pub states: States,
}

impl Workspace {
    /// Loads a series, scaled by its mean size.
    pub(super) fn take(&mut self, y: &[f64]) -> Result<(), Refusal> {
        if y.iter().any(|v| !v.is_finite() || v.abs() > 1e100) {
            return Err(Refusal::Invalid("A series to be smoothed must be of finite figures under 1e100"));
        }
        let scale = y.iter().map(|v| v.abs() / y.len() as f64).sum::<f64>();
        self.scale = if scale > 1e-100 { scale } else { 1.0 };
        self.y.clear();
        self.y.extend(y.iter().map(|v| v / self.scale));
        Ok(())
    }

    /// Fits a model to the loaded series. The seasonal states after its last value are left in `season`. If one search
    /// from rest and one from elsewhere end above the AICc `beaten`, there is no further search.
    pub(super) fn search(&mut self, model: Model, m: usize, beaten: f64, season: &mut Vec<f64>) -> Found {
        let m = if model.season == Season::None { 1 } else { m };
        let places = Places::of(model, m);
        let n = self.y.len() as f64;
        self.bounds(model, places);
        self.season.resize(m, 0.0);
        self.initial.resize(places.count, 0.0);
        let first = usize::max(10, 2 * m).min(self.y.len());
        start::states(&self.y, first, model, places, &mut self.season, &mut self.initial);
        // At rest: the states of the whole series, and hardly any smoothing.
        self.trial.resize(places.count, 0.0);
        start::states(&self.y, self.y.len(), model, places, &mut self.season, &mut self.trial);
        start::put(&LEAST, places, &mut self.trial);

        let floor = n * NOISE * NOISE;
        let parameters = (places.count + 1) as f64;
        let left = n - parameters - 1.0;
        let scale = self.scale;
        let measure = |sum: f64| {
            let log_likelihood = -0.5 * n * sum.max(floor).ln() - n * scale.ln();
            let size = 2.0 * parameters + 2.0 * parameters * (parameters + 1.0) / left;
            (log_likelihood, size - 2.0 * log_likelihood)
        };
        let mut pass = Pass {
            model,
            m,
            places,
            y: &self.y,
            season: &mut self.season,
            slopes: &mut self.slopes,
            rows: &mut self.rows,
            states: States::default(),
        };
        let mut heights = Heights::of(model, |smoothing| {
            start::put(smoothing, places, &mut self.initial);
            pass.value(&self.initial)
        });
        if !pass.value(&self.trial).is_finite() {
            start::flat(pass.y, model, places, &mut self.trial);
        }
        let mut least = f64::INFINITY;
        let most = if model.trend == Trend::None { 3 } else { 4 };
        for nth in 1..=most {
            let (lower, upper) = (&self.lower, &self.upper);
            let sum = least_squares(&mut pass, &mut self.trial, lower, upper, floor, &mut self.least_squares);
            if sum < least || nth == 1 {
                least = if sum.is_nan() { f64::INFINITY } else { sum };
                self.best.clone_from(&self.trial);
            }
            if nth > 1 && measure(least).1 > beaten {
                break;
            }
            let Some(lowest) = heights.take_lowest() else { break };
            self.trial.clone_from(&self.initial);
            start::put(lowest, places, &mut self.trial);
        }

        pass.value(&self.best);
        let states = pass.states;
        season.clone_from(pass.season);
        let v = &self.best;
        let or = |place: usize, none: f64| v.get(place).copied().unwrap_or(none);
        let (log_likelihood, aicc) = measure(least);
        Found {
            model,
            log_likelihood,
            aicc,
            sigma2: states.squares / left,
            smoothing: [v[0], v[0] * or(places.beta, 0.0), or(places.gamma, 0.0), or(places.phi, 1.0)],
            states,
        }
    }

    fn bounds(&mut self, model: Model, places: Places) {
        self.lower.clear();
        self.lower.resize(places.count, f64::NEG_INFINITY);
        self.upper.clear();
        self.upper.resize(places.count, f64::INFINITY);
        start::put(&LEAST, places, &mut self.lower);
        start::put(&MOST, places, &mut self.upper);
        if model.season == Season::Multiplicative {
            self.lower[places.season..].fill(0.0);
        }
    }
}
