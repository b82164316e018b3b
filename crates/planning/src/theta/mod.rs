//! Theta methods: a smoothed level drifting along a line through the deseasonalised series.
//!
//! After Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler, Models for optimising the theta method and their
//! relationship to state space models, International Journal of Forecasting 32 (2016); the objective, its bounds and
//! the seasonality test are statsforecast's. With level l, pull w = 1 − 1/θ and the line A + B·t, the forecast of the
//! value `t` (from 0) is l + w(A(1−α)^t + B(1 − (1−α)^(t+1))/α).

mod search;
pub(crate) mod season;

use crate::Refusal;
pub use season::{Join, is_seasonal};

/// The four variants: θ is 2 (standard) or optimised, and the line is fixed through all values or updated with them
/// (dynamic).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Standard.
    Stm,
    /// Optimised.
    Otm,
    /// Dynamic standard.
    Dstm,
    /// Dynamic optimised.
    Dotm,
}

/// The line A + B·t over the values so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Line {
    a: f64,
    b: f64,
}

impl Line {
    /// The line's contribution for a pull of 1, where `left` is (1−α)^t, `keep` 1−α and `over` 1/α.
    fn share(self, left: f64, keep: f64, over: f64) -> f64 {
        self.a * left + self.b * (1.0 - left * keep) * over
    }

    /// Least squares through all values, the first at 1.
    fn through(y: &[f64]) -> Line {
        let n = y.len() as f64;
        let mean = y.iter().sum::<f64>() / n;
        let weighted = y.iter().enumerate().map(|(t, v)| (t + 1) as f64 * v).sum::<f64>() / n;
        let b = 6.0 * (2.0 * weighted - (n + 1.0) * mean) / (n * n - 1.0);
        Line { a: mean - (n + 1.0) * b / 2.0, b }
    }

    /// The line and the mean after the value `t`, given those before it.
    fn follow(self, mean: f64, y: f64, t: usize) -> (Line, f64) {
        let t = t as f64;
        let b = ((t - 1.0) * self.b + 6.0 * (y - mean) / (t + 1.0)) / (t + 2.0);
        let mean = (t * mean + y) / (t + 1.0);
        (Line { a: mean - b * (t + 2.0) / 2.0, b }, mean)
    }
}

/// Workspace of fits; it grows to the longest series seen.
#[derive(Debug, Default)]
pub struct Workspace {
    /// Deseasonalised, over its mean size.
    y: Vec<f64>,
    scale: f64,
    lines: Vec<Line>,
}

/// A fitted method, ready to forecast.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    pub kind: Kind,
    pub alpha: f64,
    /// From 1 to 10¹⁰; 2 for the standard kinds.
    pub theta: f64,
    /// The level before the first value.
    pub initial: f64,
    /// The objective: Σe² from the fourth error on, over the mean size of the deseasonalised values.
    pub mse: f64,
    /// How the removed season combines, if there is one.
    pub season: Option<Join>,
    indices: Vec<f64>,
    level: f64,
    mean: f64,
    line: Line,
    length: usize,
}

/// Minimum values: one error is left to minimise.
pub const LEAST_VALUES: usize = 4;

/// Fits one kind to `y`, with a season of `m` values; the season is removed where [`is_seasonal`] finds one,
/// multiplicative for positive figures and additive for others. Refuses fewer than [`LEAST_VALUES`] values and figures
/// that are not finite.
pub fn fit(kind: Kind, y: &[f64], m: usize, work: &mut Workspace) -> Result<Fit, Refusal> {
    fit_with(kind, y, m, Join::Multiplied, work)
}

/// As [`fit`], with an additive season even where it could be multiplicative, if `join` says so. Errors are comparable
/// only between fits that removed the season in the same way.
pub fn fit_with(kind: Kind, y: &[f64], m: usize, join: Join, work: &mut Workspace) -> Result<Fit, Refusal> {
    let season = work.take(y, m, join)?;
    Ok(work.fit(kind, &season))
}

/// The kind with the least error. The standard kinds are the optimised ones with θ = 2, so only the optimised two are
/// compared.
pub fn auto(y: &[f64], m: usize, work: &mut Workspace) -> Result<Fit, Refusal> {
    let season = work.take(y, m, Join::Multiplied)?;
    let (otm, dotm) = (work.fit(Kind::Otm, &season), work.fit(Kind::Dotm, &season));
    Ok(if dotm.mse < otm.mse { dotm } else { otm })
}

impl Workspace {
    /// Loads a deseasonalised series, and returns the season.
    fn take(&mut self, y: &[f64], m: usize, wanted: Join) -> Result<Option<(Join, Vec<f64>)>, Refusal> {
        if y.len() < LEAST_VALUES {
            return Err(Refusal::TooShort { have: y.len(), need: LEAST_VALUES });
        }
        if y.iter().any(|v| !v.is_finite() || v.abs() > 1e100) {
            return Err(Refusal::Invalid("A theta method wants finite figures under 1e100"));
        }
        self.y.clear();
        self.y.extend_from_slice(y);
        let season = is_seasonal(y, m).then(|| {
            let mut indices = vec![0.0; m];
            let mut join = Join::Added;
            if wanted == Join::Multiplied && y.iter().all(|v| *v > 0.0) {
                season::indices(y, Join::Multiplied, &mut indices);
                if indices.iter().all(|index| *index >= 0.01) {
                    join = Join::Multiplied;
                }
            }
            if join == Join::Added {
                season::indices(y, join, &mut indices);
            }
            for (t, v) in self.y.iter_mut().enumerate() {
                match join {
                    Join::Added => *v -= indices[t % m],
                    Join::Multiplied => *v /= indices[t % m],
                }
            }
            (join, indices)
        });
        let scale = self.y.iter().map(|v| v.abs() / y.len() as f64).sum::<f64>();
        self.scale = if scale > 1e-100 { scale } else { 1.0 };
        for v in &mut self.y {
            *v /= self.scale;
        }
        Ok(season)
    }

    fn fit(&mut self, kind: Kind, season: &Option<(Join, Vec<f64>)>) -> Fit {
        let (y, n) = (&self.y, self.y.len());
        let dynamic = matches!(kind, Kind::Dstm | Kind::Dotm);
        let mut line = if dynamic { Line { a: y[0], b: 0.0 } } else { Line::through(y) };
        let mut mean = y[0];
        self.lines.clear();
        self.lines.push(Line::default());
        for (t, v) in y.iter().enumerate().skip(1) {
            self.lines.push(line);
            let (next, next_mean) = line.follow(mean, *v, t);
            mean = next_mean;
            if dynamic {
                line = next;
            }
        }
        let best = search::search(kind, y, &self.lines);
        let keep = 1.0 - best.alpha;
        let level = y.iter().fold(best.initial, |level, v| best.alpha * v + keep * level);
        Fit {
            kind,
            alpha: best.alpha,
            theta: if dynamic || kind == Kind::Otm { 1.0 / (1.0 - best.pull) } else { 2.0 },
            initial: best.initial * self.scale,
            mse: best.squares * self.scale,
            season: season.as_ref().map(|(join, _)| *join),
            indices: season.as_ref().map(|(_, indices)| indices.clone()).unwrap_or_default(),
            level: level * self.scale,
            mean: mean * self.scale,
            line: Line { a: line.a * self.scale, b: line.b * self.scale },
            length: n,
        }
    }
}

impl Fit {
    /// Fills `out` with the forecasts of the next steps. A dynamic line continues as if each of them had come true.
    pub fn forecast(&self, out: &mut [f64]) {
        let keep = 1.0 - self.alpha;
        let pull = 1.0 - 1.0 / self.theta;
        let (mut level, mut mean, mut line) = (self.level, self.mean, self.line);
        let mut left = search::fade(keep.powi(self.length as i32));
        for (step, value) in out.iter_mut().enumerate() {
            let f = level + pull * line.share(left, keep, 1.0 / self.alpha);
            level = self.alpha * f + keep * level;
            left = search::fade(left * keep);
            if matches!(self.kind, Kind::Dstm | Kind::Dotm) {
                (line, mean) = line.follow(mean, f, self.length + step);
            }
            let index = self.indices.get((self.length + step) % self.indices.len().max(1));
            *value = match (self.season, index) {
                (Some(Join::Multiplied), Some(index)) => f * index,
                (Some(Join::Added), Some(index)) => f + index,
                _ => f,
            };
        }
    }
}
