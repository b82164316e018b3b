//! The outlook of one series: forecast, interval, safety stock, and accuracy of the method.

use larder_domain::BusinessDay;
use larder_domain::opening_days::OpeningDays;

use crate::Refusal;
use crate::errors::Errors;
use crate::intervals::{Residuals, summed_shortfall_of_open_days};
use crate::method::{Input, Method, Workspace, forecast};
use crate::rolling::Roll;
use crate::select::{Choice, choose, origins};
use crate::short::History;

/// Maximum horizon in days for evaluating errors.
pub const MOST_ROLLED: usize = 14;

/// The request for a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ask<'a> {
    pub method: Method,
    /// Forecast horizon in days, 1 or more.
    pub horizon: usize,
    /// Share of days within the interval, such as 0.8; above 0 and under 1.
    pub level: f64,
    /// Days whose summed demand is to be met, and the probability: lead and review days, 0.95.
    pub protect: Option<(usize, f64)>,
    /// The store's opening days: closed days are forecast 0, and change no other day. `None`: it opens every day.
    pub opening: Option<&'a OpeningDays>,
}

/// The result for a series.
#[derive(Debug, Clone)]
pub struct Outlook {
    /// Mean demand of each day after the history.
    pub forecast: Vec<f64>,
    /// Lower and upper bound of each day; `None` with fewer than twelve earlier forecasts to evaluate.
    pub bounds: Option<(Vec<f64>, Vec<f64>)>,
    /// Safety stock for the protected days; `None` as above.
    pub shortfall: Option<f64>,
    /// The method used: the chosen one for the advanced forecast.
    pub method: Method,
    /// Why it was chosen, if it was.
    pub choice: Option<Choice>,
    pub history: History,
    /// Errors of the method on this series, over earlier days.
    pub errors: Errors,
}

/// Computes the outlook.
///
/// # Errors
/// [`Refusal::Invalid`] for an `ask` out of range, and refusals of the method.
pub fn outlook(input: &Input<'_>, ask: &Ask<'_>, ws: &mut Workspace) -> Result<Outlook, Refusal> {
    if ask.horizon == 0 {
        return Err(Refusal::Invalid("The horizon is at least one day."));
    }
    if !(ask.level > 0.0 && ask.level < 1.0) {
        return Err(Refusal::Invalid("The level is above 0 and under 1."));
    }
    let rolled = ask.horizon.min(MOST_ROLLED).max(ask.protect.map_or(1, |(days, _)| days));
    let (method, roll, choice) = if ask.method == Method::Advanced {
        let mut choice = choose(input, rolled, ws)?;
        (choice.method, std::mem::take(&mut choice.roll), Some(choice))
    } else {
        let mut roll = Roll::default();
        roll.run(ask.method, input, origins(input.y.len(), rolled), rolled, ws)?;
        (ask.method, roll, None)
    };
    let mut ahead = vec![0.0; ask.horizon];
    forecast(method, input, ws, &mut ahead)?;
    let mut bounds = Residuals::of(&roll, input).map(|residuals| {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        residuals.around(&ahead, ask.level, &mut lower, &mut upper);
        (lower, upper)
    });
    let day = |t: usize| BusinessDay(input.first_day.saturating_add(i32::try_from(t).unwrap_or(i32::MAX)));
    if let Some(opening) = ask.opening {
        let next = day(input.y.len());
        opening.close(&mut ahead, next);
        for bound in bounds.iter_mut().flat_map(|(lower, upper)| [lower, upper]) {
            opening.close(bound, next);
        }
    }
    let closed = |t: usize| ask.opening.is_some_and(|opening| opening.is_closed(day(t)));
    Ok(Outlook {
        bounds,
        shortfall: ask
            .protect
            .and_then(|(days, q)| summed_shortfall_of_open_days(&roll, input, days, q, closed)),
        forecast: ahead,
        method,
        choice,
        history: History::of(input.known()),
        errors: roll.errors(input),
    })
}

#[cfg(test)]
mod tests {
    use larder_domain::opening_days::{Change, EVERY_DAY};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Sales of a store that is closed on one weekday, under a setting that does not know it and one that does.
        #[test]
        fn closing_a_weekday_sets_its_forecasts_to_0_and_changes_no_other_day(
            sold in prop::collection::vec(0u32..60, 30..140), weekday in 0u8..7, first in 20_000i32..20_007,
            method in prop::sample::select(vec![
                Method::DowAverage, Method::MovingAverage(28), Method::Mean, Method::DowWeighted,
                Method::Ses(0.3), Method::Sba, Method::Advanced,
            ]),
        ) {
            let on = |t: usize| BusinessDay(first + t as i32).weekday();
            // The history begins with a known day.
            let masked: Vec<bool> = (0..sold.len()).map(|t| t > 6 && on(t) == weekday).collect();
            let y: Vec<f64> = sold.iter().copied().map(f64::from).collect();
            let input = Input { masked: &masked, ..Input::new(&y, first) };
            let opening =
                OpeningDays::new([Change { from: BusinessDay(first), weekdays: EVERY_DAY & !(1 << weekday) }]);
            let ask = Ask { method, horizon: 21, level: 0.8, protect: Some((8, 0.95)), opening: None };
            let ws = &mut Workspace::default();
            let before = outlook(&input, &ask, ws).expect("a forecast");
            let after = outlook(&input, &Ask { opening: Some(&opening), ..ask }, ws).expect("a forecast");
            for (n, (before, after)) in before.forecast.iter().zip(&after.forecast).enumerate() {
                let closed = on(sold.len() + n) == weekday;
                prop_assert_eq!(*after, if closed { 0.0 } else { *before });
            }
            for (before, after) in before.bounds.iter().zip(&after.bounds) {
                for (n, (before, after)) in before.1.iter().zip(&after.1).enumerate() {
                    let closed = on(sold.len() + n) == weekday;
                    prop_assert_eq!(*after, if closed { 0.0 } else { *before });
                }
            }
            // Eight days always contain the closed weekday: only its setting makes their sums known.
            prop_assert!(before.shortfall.is_none() || masked.iter().all(|masked| !masked));
            if before.bounds.is_some() && sold.len() > 60 {
                prop_assert!(after.shortfall.is_some());
            }
        }
    }
}
