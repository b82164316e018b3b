//! Exponential smoothing with errors, trends and seasons (ETS), fitted by maximum likelihood.
//!
//! Initial states and smoothing parameters are optimised together, from several starting points. The likelihood is that
//! of Hyndman et al. (2008) without its constant, −(n log Σe² + 2 Σ log|f|)/2 with the second sum for multiplicative
//! errors only, as in statsforecast and R's forecast; AICc counts the variance as a parameter.

mod derivatives;
mod model;
mod recursion;
mod search;
mod start;

pub use model::{Error, Model, Season, Trend};
pub use search::Workspace;

use crate::Refusal;
use search::Found;

/// The longest season: weeks of a year.
pub const LONGEST_SEASON: usize = 52;

/// How far above the best AICc a model must end to be abandoned after two searches. Local optima of one model differ by
/// up to some ten.
const HOPELESS: f64 = 20.0;

/// A fitted model, ready to forecast.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    pub model: Model,
    /// Smoothing of the level, the slope (relative to the level's errors) and the season; 0 where the model lacks it.
    pub alpha: f64,
    pub beta: f64,
    pub gamma: f64,
    /// Damping factor of the slope; 1 without damping.
    pub phi: f64,
    /// Without its constant; see the module.
    pub log_likelihood: f64,
    pub aicc: f64,
    /// Variance of one-step errors, relative to the forecast where the error is multiplicative.
    pub sigma2: f64,
    level: f64,
    slope: f64,
    /// By index; the first forecast uses `next`.
    season: Vec<f64>,
    next: usize,
}

/// Fits one model to `y` with a season of `m` values (1: none). Refuses a series shorter than [`Model::least_values`],
/// figures that are not finite, and non-positive figures where the model needs positive ones.
pub fn fit(model: Model, y: &[f64], m: usize, work: &mut Workspace) -> Result<Fit, Refusal> {
    if model.season() != Season::None && !(2..=LONGEST_SEASON).contains(&m) {
        return Err(Refusal::Invalid("A season has 2 to 52 values"));
    }
    let need = model.least_values(m);
    if y.len() < need {
        return Err(Refusal::TooShort { have: y.len(), need });
    }
    work.take(y)?;
    if model.is_for_positive() && y.iter().any(|v| *v <= 0.0) {
        return Err(Refusal::Invalid("A multiplicative model wants positive figures"));
    }
    let mut season = Vec::new();
    let found = work.search(model, m, f64::INFINITY, &mut season);
    if !found.log_likelihood.is_finite() {
        return Err(Refusal::Invalid("No parameters of this model suit the series"));
    }
    Ok(finish(found, season, y.len(), work.scale))
}

/// The model with the least AICc among those valid for the length and sign of `y`: six, or fifteen for positive
/// figures; without a season for `m` = 1 or above [`LONGEST_SEASON`]. A constant series gets simple smoothing.
pub fn auto(y: &[f64], m: usize, work: &mut Workspace) -> Result<Fit, Refusal> {
    let need = Model::ANN.least_values(1);
    if y.len() < need {
        return Err(Refusal::TooShort { have: y.len(), need });
    }
    work.take(y)?;
    let constant = y.iter().all(|v| *v == y[0]);
    let positive = y.iter().all(|v| *v > 0.0);
    let mut best: Option<Found> = None;
    let (mut season, mut trial) = (Vec::new(), Vec::new());
    for model in Model::all() {
        let seasonal = model.season() != Season::None;
        if (seasonal && !(2..=LONGEST_SEASON).contains(&m))
            || (model.is_for_positive() && !positive)
            || y.len() < model.least_values(m)
            || (constant && model != Model::ANN)
        {
            continue;
        }
        let beaten = best.as_ref().map_or(f64::INFINITY, |best| best.aicc + HOPELESS);
        let found = work.search(model, m, beaten, &mut trial);
        if best.as_ref().is_none_or(|best| found.aicc < best.aicc) {
            best = Some(found);
            std::mem::swap(&mut season, &mut trial);
        }
    }
    let best = best.ok_or(Refusal::TooShort { have: y.len(), need })?;
    Ok(finish(best, season, y.len(), work.scale))
}

fn finish(found: Found, mut season: Vec<f64>, n: usize, scale: f64) -> Fit {
    let [alpha, beta, gamma, phi] = found.smoothing;
    let relative = found.model.error() == Error::Multiplicative;
    match found.model.season() {
        Season::None => season.clear(),
        Season::Additive => season.iter_mut().for_each(|s| *s *= scale),
        Season::Multiplicative => (),
    }
    Fit {
        model: found.model,
        alpha,
        beta,
        gamma,
        phi,
        log_likelihood: found.log_likelihood,
        aicc: found.aicc,
        sigma2: if relative { found.sigma2 } else { found.sigma2 * scale * scale },
        level: found.states.level * scale,
        slope: found.states.slope * scale,
        next: if season.is_empty() { 0 } else { n % season.len() },
        season,
    }
}

impl Fit {
    /// Fills `out` with the forecasts of the next steps. An additive model may give negative ones.
    pub fn forecast(&self, out: &mut [f64]) {
        let mut level = self.level;
        let mut slope = self.slope;
        for (step, value) in out.iter_mut().enumerate() {
            slope *= self.phi;
            level += slope;
            let index =
                (!self.season.is_empty()).then(|| self.season[(self.next + step) % self.season.len()]);
            *value = match (self.model.season(), index) {
                (Season::Multiplicative, Some(index)) => level * index,
                (_, Some(index)) => level + index,
                _ => level,
            };
        }
    }
}
