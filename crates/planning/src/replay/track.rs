//! Forecasts of one series by one method for one horizon, with their errors; policies that agree in both share it.

use super::known::Series;
use super::policy::{Cushion, Forecast, Known, Terms};
use crate::Refusal;
use crate::intervals::ORIGINS;
use crate::replenish::{Safety, at_least_nothing, demand_within, quantile};

/// Minimum history for a forecast to count among the errors.
const LEAST_HISTORY: usize = 7;
/// Number of newest errors used.
const ERRORS: usize = 91;
/// Maximum days requested from a [`super::Forecaster`] for the shelf life.
const LIFE: usize = 60;

/// The forecast on the morning of a day; NaN if there is none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outlook {
    /// Over lead and review days.
    pub demand: f64,
    /// For the day itself.
    first: f64,
    /// Within the shelf life.
    pub life: f64,
    /// Root mean square of past errors of one day.
    sigma: f64,
}

const NOTHING: Outlook = Outlook { demand: f64::NAN, first: f64::NAN, life: f64::NAN, sigma: 0.0 };

#[derive(Debug, Default)]
pub(super) struct Track {
    /// One per day.
    pub outlooks: Vec<Outlook>,
    /// The newest errors by age (a ring), and by size.
    ring: Vec<f64>,
    oldest: usize,
    sorted: Vec<f64>,
    squares: f64,
    squared: u32,
    /// The forecast of each weekday, by index of its days in the series.
    weekdays: [f64; 7],
    out: Vec<f64>,
}

/// What a track forecasts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim<'a> {
    pub forecast: Forecast<'a>,
    pub horizon: usize,
    pub life: Option<usize>,
    /// The days on which a [`super::Forecaster`] is used; averages are computed every day.
    pub terms: Terms<'a>,
    pub series: usize,
    /// Whether errors are needed.
    pub errors: bool,
}

impl Track {
    /// Resets for another series of `days` days.
    pub fn begin(&mut self, days: usize) {
        self.outlooks.clear();
        self.outlooks.resize(days, NOTHING);
        self.ring.clear();
        self.sorted.clear();
        (self.oldest, self.squares, self.squared) = (0, 0.0, 0);
    }

    /// The forecast on the morning of a day, and the errors of earlier forecasts. Days must be learned in order.
    pub fn learn(&mut self, day: usize, series: &Series, aim: &Aim<'_>) -> Result<(), Refusal> {
        let known = series.before(day);
        if known == 0 {
            return Ok(());
        }
        if aim.errors {
            self.take_errors(day, known, series, aim.horizon);
        }
        let (first, demand, life) = match aim.forecast {
            Forecast::Average { days } => {
                let days = days.min(known);
                let mean = series.sum(known - days, known).max(0.0) / days as f64;
                let over = |days: usize| mean * series.open_days(day, days) as f64;
                (over(1), over(aim.horizon), aim.life.map(over))
            }
            Forecast::Weekday { weeks, decay } => {
                self.weekdays[(known - 1) % 7] = weekday(&series.y[..known], weeks, decay);
                if known < 7 {
                    let mean = series.sum(0, known).max(0.0) / known as f64;
                    self.weekdays[known..].fill(mean);
                }
                let over = |days: usize| {
                    if series.ever_closed() {
                        let open = (0..days).filter(|ahead| !series.is_closed(day + ahead));
                        return open.map(|ahead| self.weekdays[(known + ahead) % 7]).sum::<f64>();
                    }
                    let rest: f64 = (0..days % 7).map(|ahead| self.weekdays[(known + ahead) % 7]).sum();
                    let weeks = days / 7;
                    if weeks == 0 { rest } else { self.weekdays.iter().sum::<f64>() * weeks as f64 + rest }
                };
                (over(1), over(aim.horizon), aim.life.map(over))
            }
            Forecast::Given(given) => {
                if !aim.terms.in_step(day) {
                    return Ok(());
                }
                self.out.clear();
                self.out.resize(aim.horizon.max(aim.life.unwrap_or(0).min(LIFE)), 0.0);
                let (y, masked) = (&series.y[..known], &series.masked[..known]);
                given.forecast(Known { series: aim.series, day, y, masked }, &mut self.out);
                if series.ever_closed() {
                    let closed = |(ahead, _): &(usize, &mut f64)| series.is_closed(day + *ahead);
                    self.out.iter_mut().enumerate().filter(closed).for_each(|(_, value)| *value = 0.0);
                }
                if !self.out.iter().all(|value| at_least_nothing(*value)) {
                    return Err(Refusal::Invalid("A forecast is not a number, or below nothing."));
                }
                let demand = self.out[..aim.horizon].iter().sum();
                (self.out[0], demand, aim.life.map(|life| demand_within(&self.out, life)))
            }
        };
        let sigma = if self.squared == 0 { 0.0 } else { (self.squares / f64::from(self.squared)).sqrt() };
        self.outlooks[day] = Outlook { demand, first, life: life.unwrap_or(f64::INFINITY), sigma };
        Ok(())
    }

    /// The safety stock for a horizon with this many open days, as of the last learned day.
    pub fn safety_stock(&self, day: usize, cushion: Cushion, open_days: usize) -> f64 {
        match cushion {
            Cushion::Fixed(safety) => safety.over(open_days),
            Cushion::Level(level) => self.shortfall(level).unwrap_or_else(|| {
                let z = quantile(level).unwrap_or(0.0);
                Safety::Normal { z, sigma: self.outlooks[day].sigma }.over(open_days)
            }),
        }
    }

    /// The `level` quantile of shortfalls over lead and review days; `None` with too few errors.
    fn shortfall(&self, level: f64) -> Option<f64> {
        let errors = self.sorted.len();
        // A product that is integral except for its last binary digit counts as integral.
        let nth = ((errors + 1) as f64 * level - 1e-9).ceil() as usize;
        (errors >= ORIGINS).then(|| self.sorted[nth.clamp(1, errors) - 1].max(0.0))
    }

    /// Adds the errors that became known with the day before `day`.
    fn take_errors(&mut self, day: usize, known: usize, series: &Series, horizon: usize) {
        let forecast = |before: usize| {
            let there = known >= before + LEAST_HISTORY;
            there.then(|| self.outlooks[day - before]).filter(|outlook| !outlook.demand.is_nan())
        };
        let one = forecast(1).zip(series.known_sum(known - 1, known)).map(|(made, sold)| sold - made.first);
        let summed = forecast(horizon)
            .zip(series.known_sum(known.saturating_sub(horizon), known))
            .map(|(made, sold)| sold - made.demand);
        if let Some(error) = one
            && !series.is_closed(day - 1)
        {
            self.squares += error * error;
            self.squared += 1;
        }
        if let Some(error) = summed {
            self.keep(error);
        }
    }

    fn keep(&mut self, error: f64) {
        let place = |sorted: &[f64], error: f64| sorted.partition_point(|other| *other < error);
        if self.ring.len() < ERRORS {
            self.ring.push(error);
            let at = place(&self.sorted, error);
            self.sorted.insert(at, error);
            return;
        }
        let gone = std::mem::replace(&mut self.ring[self.oldest], error);
        self.oldest = (self.oldest + 1) % ERRORS;
        let (from, to) = (place(&self.sorted, gone), place(&self.sorted, error));
        if from < to {
            self.sorted.copy_within(from + 1..to, from);
            self.sorted[to - 1] = error;
        } else {
            self.sorted.copy_within(to..from, to + 1);
            self.sorted[to] = error;
        }
    }
}

/// The weighted mean of the last day and the same weekdays before it.
fn weekday(y: &[f64], weeks: usize, decay: f64) -> f64 {
    let (mut sum, mut weights, mut weight) = (0.0, 0.0, 1.0);
    for value in y.iter().rev().step_by(7).take(weeks) {
        sum += weight * value;
        weights += weight;
        weight *= decay;
    }
    sum / weights
}
