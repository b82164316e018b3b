//! Event days: paydays, holidays, promos.
//!
//! Demand of an event day is base × factor. The base of a day is the mean of up to eight earlier values of its weekday
//! without event; the factor of a kind is (Σ actual + 10ȳ) ÷ (Σ base + 10ȳ) over its past days, ȳ the mean of the days
//! without event, within 0.5 and 3. The 10ȳ shrink the factor of a rare kind towards 1.

use larder_domain::BusinessDay;

use crate::errors::is_masked;
use crate::method::Input;
use crate::simple::DOW_WEEKS;

/// Shrinkage of a factor, in average days of demand.
const SHRINK: f64 = 10.0;
/// Bounds of a factor.
const BOUNDS: (f64, f64) = (0.5, 3.0);
const KINDS: usize = 3;

/// The kind of event of a day. A day with several counts as the first of them in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Promo,
    Holiday,
    /// The 15th and the 30th; in February its last day.
    Payday,
}

/// The event days around a history and its forecast.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EventDays {
    first_day: i32,
    kinds: Vec<Option<Kind>>,
}

/// The factor of each kind, relative to a day without event; 1 for a kind not seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors([f64; KINDS]);

impl Factors {
    /// The factor of this kind.
    #[must_use]
    pub fn of(&self, kind: Kind) -> f64 {
        self.0[kind as usize]
    }
}

impl EventDays {
    /// The events of `days` days from `first_day` on: paydays by the calendar, holidays and promos as listed (days
    /// since 1970-01-01, in any order). Days outside have no event.
    #[must_use]
    pub fn new(first_day: i32, days: usize, holidays: &[i32], promos: &[i32], paydays: bool) -> Self {
        let mut kinds: Vec<Option<Kind>> = (0..days)
            .map(|at| (paydays && is_payday(first_day.saturating_add(at as i32))).then_some(Kind::Payday))
            .collect();
        for (list, kind) in [(holidays, Kind::Holiday), (promos, Kind::Promo)] {
            for day in list {
                let at = usize::try_from(i64::from(*day) - i64::from(first_day)).ok();
                if let Some(it) = at.and_then(|at| kinds.get_mut(at)) {
                    *it = Some(kind);
                }
            }
        }
        Self { first_day, kinds }
    }

    /// The event of a day.
    #[must_use]
    pub fn on(&self, day: i32) -> Option<Kind> {
        let at = usize::try_from(i64::from(day) - i64::from(self.first_day)).ok()?;
        *self.kinds.get(at)?
    }
}

fn is_payday(day: i32) -> bool {
    let date = BusinessDay(day).date();
    let second = date.days_in_month().min(30);
    date.day() == 15 || date.day() == second
}

/// Learns the factors of a history. `base` becomes the history without events: event days (and no others) get their
/// base instead of their value, so that no method takes them for the level. An event day without an earlier day of its
/// weekday keeps its value and is not used for learning, nor is a masked one.
pub fn learn(input: &Input<'_>, days: &EventDays, base: &mut Vec<f64>) -> Factors {
    base.clear();
    base.extend_from_slice(input.y);
    let on = |t: usize| days.on(input.first_day.saturating_add(t as i32));
    let mut sums = [(0.0, 0.0); KINDS];
    let (mut plain, mut plain_days) = (0.0, 0_usize);
    for t in 0..input.y.len() {
        let masked = is_masked(input.masked, t);
        let Some(kind) = on(t) else {
            if !masked {
                plain += input.y[t];
                plain_days += 1;
            }
            continue;
        };
        let Some(usual) = usual(base, t, input.season, |at| on(at).is_none()) else { continue };
        base[t] = usual;
        if !masked {
            let (actual, expected) = &mut sums[kind as usize];
            *actual += input.y[t];
            *expected += usual;
        }
    }
    let pull = if plain_days > 0 { SHRINK * plain / plain_days as f64 } else { 0.0 };
    Factors(sums.map(|(actual, expected)| {
        if expected + pull > 0.0 {
            ((actual + pull) / (expected + pull)).clamp(BOUNDS.0, BOUNDS.1)
        } else {
            1.0
        }
    }))
}

/// Mean of up to eight earlier values of the same weekday that are `plain`.
fn usual(y: &[f64], t: usize, m: usize, plain: impl Fn(usize) -> bool) -> Option<f64> {
    let (mut sum, mut count, mut at) = (0.0, 0, t);
    while at >= m && count < DOW_WEEKS {
        at -= m;
        if plain(at) {
            sum += y[at];
            count += 1;
        }
    }
    (count > 0).then(|| sum / count as f64)
}

/// Multiplies the forecast, whose first value is of `first_day`, by the factors of its event days.
pub fn apply(factors: &Factors, days: &EventDays, first_day: i32, out: &mut [f64]) {
    for (i, f) in out.iter_mut().enumerate() {
        if let Some(kind) = days.on(first_day.saturating_add(i as i32)) {
            *f *= factors.of(kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::{Method, Workspace, forecast};

    fn day(y: i16, m: i8, d: i8) -> i32 {
        BusinessDay::from_ymd(y, m, d).expect("a day").0
    }

    #[test]
    fn paydays_are_the_15th_and_the_30th_and_the_end_of_february() {
        let days = EventDays::new(day(2026, 1, 1), 90, &[day(2026, 1, 15)], &[day(2026, 1, 2)], true);
        let of = |m, d| days.on(day(2026, m, d));
        assert_eq!((of(1, 15), of(1, 30), of(1, 31)), (Some(Kind::Holiday), Some(Kind::Payday), None));
        assert_eq!(
            (of(2, 15), of(2, 28), of(3, 30)),
            (Some(Kind::Payday), Some(Kind::Payday), Some(Kind::Payday))
        );
        assert_eq!((of(1, 2), days.on(day(2025, 12, 15)), of(6, 15)), (Some(Kind::Promo), None, None));
    }

    #[test]
    fn a_factor_is_learned_shrunk_to_one_and_applied_to_any_method() {
        let first = day(2026, 1, 1);
        let n = 118;
        let days = EventDays::new(first, n + 14, &[], &[], true);
        let y: Vec<f64> =
            (0..n).map(|t| if days.on(first + t as i32).is_some() { 20.0 } else { 10.0 }).collect();
        let mut base = Vec::new();
        let input = Input { events: Some(&days), ..Input::new(&y, first) };
        let factors = learn(&input, &days, &mut base);
        assert!(base.iter().all(|&it| it == 10.0));
        // Seven paydays up to 15 April: 20 each beside 10 each, shrunk by ten average days.
        let expect = (7.0 * 20.0 + 100.0) / (7.0 * 10.0 + 100.0);
        assert!((factors.of(Kind::Payday) - expect).abs() < 1e-12, "{factors:?}");
        assert_eq!(factors.of(Kind::Promo), 1.0);
        for method in [Method::Mean, Method::DowAverage, Method::Ses(0.3)] {
            let mut out = [0.0; 14];
            forecast(method, &input, &mut Workspace::default(), &mut out).expect("a forecast");
            // The first forecast day is 29 April, the second a payday.
            assert!((out[0] - 10.0).abs() < 1e-9 && (out[1] - 10.0 * expect).abs() < 1e-9, "{out:?}");
        }
    }

    #[test]
    fn a_factor_stays_within_its_bounds_and_masked_days_teach_nothing() {
        let first = day(2026, 1, 1);
        let promos: Vec<i32> = (60..100).step_by(3).map(|t| first + t).collect();
        let days = EventDays::new(first, 120, &[], &promos, false);
        let mut y = vec![1.0; 100];
        let mut masked = vec![false; 100];
        let mut base = Vec::new();
        promos.iter().for_each(|day| y[(day - first) as usize] = 900.0);
        let of = |y: &[f64], masked: &[bool], base: &mut Vec<f64>| {
            learn(&Input { masked, ..Input::new(y, first) }, &days, base).of(Kind::Promo)
        };
        assert_eq!(of(&y, &masked, &mut base), 3.0);
        promos.iter().for_each(|day| masked[(day - first) as usize] = true);
        assert_eq!(of(&y, &masked, &mut base), 1.0);
        assert_eq!(of(&[0.0; 100], &[], &mut base), 1.0);
    }
}
