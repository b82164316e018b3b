//! Forecasts by fitted methods, updated weekly: daily fitting takes seven times as long with little benefit.

use std::sync::{Mutex, PoisonError};

use larder_planning::method::{self, Input, Method, Workspace};
use larder_planning::replay::{Forecaster, Known};

const WEEK: usize = 7;
/// Days of sales history used.
const HISTORY: usize = 364;
/// Days averaged as fallback for a method that needs more history.
const RECENT: usize = 28;

/// A method's forecasts for some series, used by one thread.
pub struct Weekly {
    method: Method,
    /// First day of the series, in days since 1970-01-01.
    first_day: i32,
    last: Mutex<Last>,
}

/// The forecast of the current week.
#[derive(Default)]
struct Last {
    series: usize,
    /// The day it was made on.
    day: Option<usize>,
    values: Vec<f64>,
    ws: Workspace,
}

impl Weekly {
    /// For a method, and series starting on a day.
    #[must_use]
    pub fn new(method: Method, first_day: i32) -> Self {
        Self { method, first_day, last: Mutex::default() }
    }
}

impl Forecaster for Weekly {
    fn forecast(&self, known: Known<'_>, out: &mut [f64]) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let still = last.day.filter(|day| {
            let age = known.day.checked_sub(*day);
            last.series == known.series
                && age.is_some_and(|age| age < WEEK && last.values.len() >= age + out.len())
        });
        let made = still.unwrap_or(known.day);
        if still.is_none() {
            let mut values = std::mem::take(&mut last.values);
            values.clear();
            values.resize(out.len() + WEEK - 1, 0.0);
            self.make(known, &mut last.ws, &mut values);
            (last.series, last.day, last.values) = (known.series, Some(known.day), values);
        }
        let from = known.day - made;
        out.copy_from_slice(&last.values[from..from + out.len()]);
    }
}

impl Weekly {
    fn make(&self, known: Known<'_>, ws: &mut Workspace, values: &mut [f64]) {
        let begins = known.day - known.y.len();
        let first_day = self.first_day.saturating_add(i32::try_from(begins).unwrap_or(i32::MAX));
        let input =
            Input { y: known.y, masked: known.masked, first_day, season: WEEK, events: None }.last(HISTORY);
        if known.y.is_empty() || method::forecast(self.method, &input, ws, values).is_err() {
            let recent = &known.y[known.y.len().saturating_sub(RECENT)..];
            let mean = recent.iter().sum::<f64>() / recent.len().max(1) as f64;
            values.fill(mean.max(0.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_is_forecast_from_its_first_day() {
        let weekly = Weekly::new(Method::SeasonalNaive, 0);
        let y: Vec<f64> = (0..28).map(|day| f64::from(day % 7)).collect();
        let masked = vec![false; y.len()];
        let ask = |day: usize, days: usize| {
            let mut out = vec![0.0; days];
            weekly.forecast(Known { series: 0, day, y: &y[..day], masked: &masked[..day] }, &mut out);
            out
        };
        assert_eq!(ask(21, 3), [0.0, 1.0, 2.0]);
        assert_eq!(ask(24, 3), [3.0, 4.0, 5.0]);
        assert_eq!(ask(28, 2), [0.0, 1.0]);
        // Too short for the method: the mean.
        assert_eq!(ask(3, 1), [1.0]);
    }
}
