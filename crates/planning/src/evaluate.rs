//! Forecast, interval and accuracy for a series supplied by the caller.

use crate::Refusal;
use crate::demand::clean_into;
use crate::errors::Errors;
use crate::method::{Input, Method, Workspace};
use crate::outlook::{Ask, outlook};
use crate::select::{Candidate, Class};

/// Maximum days of history: ten years.
pub const MOST_DAYS: usize = 3660;
/// Maximum forecast horizon in days.
pub const MOST_AHEAD: usize = 366;
/// Range of the first and last day of a history, so that every date can be formatted: 1900 to 2900.
const DAYS: std::ops::RangeInclusive<i32> = -25_567..=340_000;

/// The result for one series.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Days since 1970-01-01, one for each figure below.
    pub dates: Vec<i32>,
    /// Never negative.
    pub forecast: Vec<f64>,
    /// `None` where the history is too short for twelve evaluated forecasts; the same for `upper`.
    pub lower: Option<Vec<f64>>,
    pub upper: Option<Vec<f64>>,
    /// The method that made the forecast.
    pub method: Method,
    /// The class of the series and every candidate of the advanced forecast, its default first.
    pub class: Option<Class>,
    pub candidates: Vec<Candidate>,
    /// Errors of the method, over rolling origins within the history.
    pub errors: Errors,
    /// Number of known days in the history.
    pub known_days: usize,
    /// Whether screens flag it as a short history.
    pub short_history: bool,
}

/// Forecasts `horizon` days after a history of one value per day from `start_day` on (days since 1970-01-01); `None` is
/// a masked day. `method` is a name for [`Method::parse`], `level` the share of days expected within the interval.
///
/// # Errors
/// [`Refusal::TooShort`] where the method needs more days, [`Refusal::Invalid`] otherwise.
pub fn evaluate(
    start_day: i32,
    values: &[Option<f64>],
    method: &str,
    horizon: usize,
    level: f64,
) -> Result<Answer, Refusal> {
    let method = Method::parse(method).ok_or(Refusal::Invalid("There is no method of this name."))?;
    check(start_day, values, horizon)?;
    let (mut y, mut masked) = (Vec::new(), Vec::new());
    let skipped = clean_into(values.iter().map(|it| it.unwrap_or(f64::NAN)), &mut y, &mut masked)?;
    let input = Input { masked: &masked, ..Input::new(&y, start_day + skipped as i32) };
    let ask = Ask { method, horizon, level, protect: None, opening: None };
    let found = outlook(&input, &ask, &mut Workspace::default())?;
    let next_day = start_day + values.len() as i32;
    let (lower, upper) = found.bounds.unzip();
    let (class, candidates) = found.choice.map_or((None, Vec::new()), |it| (it.class, it.candidates));
    Ok(Answer {
        dates: (next_day..next_day + horizon as i32).collect(),
        forecast: found.forecast,
        lower,
        upper,
        method: found.method,
        class,
        candidates,
        errors: found.errors,
        known_days: input.known(),
        short_history: found.history.is_short(),
    })
}

fn check(start_day: i32, values: &[Option<f64>], horizon: usize) -> Result<(), Refusal> {
    if !DAYS.contains(&start_day) {
        return Err(Refusal::Invalid("The first day is out of range."));
    }
    if values.len() > MOST_DAYS {
        return Err(Refusal::Invalid("The history has more than 3,660 days."));
    }
    if horizon == 0 || horizon > MOST_AHEAD {
        return Err(Refusal::Invalid("The horizon is 1 to 366 days."));
    }
    if values.iter().flatten().any(|value| !value.is_finite()) {
        return Err(Refusal::Invalid("A day's quantity is no number."));
    }
    if values.iter().flatten().any(|value| *value < 0.0) {
        return Err(Refusal::Invalid("A day's quantity is below zero."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(n: usize) -> Vec<Option<f64>> {
        (0..n).map(|t| Some([5.0, 6.0, 7.0, 8.0, 12.0, 15.0, 11.0][t % 7] + (t % 3) as f64)).collect()
    }

    #[test]
    fn an_answer_has_dates_bounds_and_errors() {
        let mut values = days(120);
        values[0] = None;
        values[60] = None;
        let answer = evaluate(20_000, &values, "dow_ma", 10, 0.8).expect("an answer");
        assert_eq!(answer.dates, (20_120..20_130).collect::<Vec<_>>());
        assert_eq!(
            (answer.method, answer.known_days, answer.short_history),
            (Method::DowAverage, 118, false)
        );
        let (lower, upper) = (answer.lower.expect("bounds"), answer.upper.expect("bounds"));
        for (i, f) in answer.forecast.iter().enumerate() {
            assert!(0.0 <= lower[i] && lower[i] <= *f && *f <= upper[i]);
        }
        assert_eq!(answer.errors.origins, 12);
        assert!(answer.errors.wape.is_some_and(|wape| wape < 0.2), "{:?}", answer.errors);
    }

    #[test]
    fn errors_are_reported() {
        let refusal = |day, values: &[Option<f64>], method, horizon, level| {
            evaluate(day, values, method, horizon, level).expect_err("a refusal").to_string()
        };
        let values = days(60);
        assert_eq!(refusal(0, &values, "magic", 7, 0.8), "There is no method of this name.");
        assert_eq!(refusal(i32::MAX, &values, "naive", 7, 0.8), "The first day is out of range.");
        assert_eq!(refusal(0, &values, "naive", 0, 0.8), "The horizon is 1 to 366 days.");
        assert_eq!(refusal(0, &values, "naive", 7, 1.0), "The level is above 0 and under 1.");
        assert_eq!(refusal(0, &values, "naive", 7, f64::NAN), "The level is above 0 and under 1.");
        assert_eq!(refusal(0, &[Some(-1.0)], "naive", 7, 0.8), "A day's quantity is below zero.");
        assert_eq!(refusal(0, &[Some(f64::INFINITY)], "naive", 7, 0.8), "A day's quantity is no number.");
        assert_eq!(refusal(0, &[Some(1e300)], "naive", 7, 0.8), "A day's quantity is out of range.");
        assert_eq!(refusal(0, &values[..20], "sma28", 7, 0.8), "Not enough history: 20 of 28 days");
        assert_eq!(refusal(0, &values[..3], "advanced", 7, 0.8), "Not enough history: 3 of 7 days");
        assert_eq!(refusal(0, &[None, None], "naive", 7, 0.8), "Not enough history: 0 of 1 days");
    }

    #[test]
    fn a_short_history_is_marked_and_has_no_bounds() {
        let answer = evaluate(0, &days(20), "advanced", 7, 0.8).expect("a mean");
        assert!(answer.short_history);
        assert_eq!((answer.method, answer.lower), (Method::Mean, None));
    }
}
