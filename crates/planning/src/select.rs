//! The advanced forecast: a default for each class of series, and another method only where it was clearly better.
//!
//! The defaults were chosen on the 200 store × item series with the highest sales in a chain of restaurants, 26
//! cut-offs a week apart in each of three half years, 14 days ahead. `examples/accuracy` repeats the choice on half of
//! the series and days and shows it on the other (`docs/planning.md`). Mean MASE of the smooth and erratic series, in
//! sample:
//!
//! | | to Aug 2019 | to Feb 2019 | to Aug 2018 |
//! |---|---|---|---|
//! | DOW-MA(8) | 0.766 | 0.785 | 0.790 |
//! | ETS(A,N,A) | 0.724 | 0.751 | 0.758 |
//! | DOTM | 0.746 | 0.774 | 0.773 |
//! | mean of these three | 0.731 | 0.759 | 0.763 |
//! | level × shares of weekdays (0.05) | 0.720 | 0.753 | 0.761 |
//! | mean of it and ETS(A,N,A): the default | 0.720 | 0.749 | 0.758 |
//!
//! For the intermittent and lumpy ones TSB had 0.880, 1.192 and 2.296, SBA 1.412, 1.181 and 1.838, level × shares
//! 0.821, 1.107 and 2.117: food sells by weekday even where it sells rarely, which a flat rate cannot express.
//!
//! Twelve origins three days apart follow a change of level sooner than a week apart: for the smooth and erratic series
//! the 80% intervals covered 81.7, 77.8 and 79.8% of the days, and 82.5, 78.3 and 82.0% with origins a week apart.

use std::ops::Range;

use crate::Refusal;
use crate::errors::{Errors, is_masked};
use crate::intervals::ORIGINS;
use crate::method::{Input, Method, Workspace};
use crate::rolling::{Roll, cuts, step_for};
use crate::short::{History, WEEKDAY_DAYS};

/// Mean days between two sales from which demand is intermittent (Syntetos, Boylan and Croston 2005).
const ADI: f64 = 1.32;
/// Squared coefficient of variation of demand sizes from which demand is erratic or lumpy (the same).
const CV2: f64 = 0.49;
/// Maximum WAPE of another method, relative to the default's, for replacing it.
const CLEARLY: f64 = 0.8;

/// Maximum days between two origins.
const APART: usize = 3;

/// The demand class of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Sells most days, in similar quantities.
    Smooth,
    /// Sells most days, in widely varying quantities.
    Erratic,
    /// Sells on few days, in similar quantities.
    Intermittent,
    /// Sells on few days, in widely varying quantities.
    Lumpy,
}

impl Class {
    /// Of the known days of a history; intermittent without a sale.
    #[must_use]
    pub fn of(input: &Input<'_>) -> Self {
        let (mut days, mut sales, mut sum, mut squares) = (0_usize, 0_usize, 0.0, 0.0);
        for (_, &value) in input.y.iter().enumerate().filter(|(t, _)| !is_masked(input.masked, *t)) {
            days += 1;
            if value > 0.0 {
                sales += 1;
                sum += value;
                squares += value * value;
            }
        }
        if sales == 0 {
            return Self::Intermittent;
        }
        let mean = sum / sales as f64;
        let dispersion = (squares / sales as f64 - mean * mean).max(0.0) / (mean * mean);
        match (days as f64 / sales as f64 >= ADI, dispersion >= CV2) {
            (false, false) => Self::Smooth,
            (false, true) => Self::Erratic,
            (true, false) => Self::Intermittent,
            (true, true) => Self::Lumpy,
        }
    }

    /// The default first, then its alternatives. Methods that forecast zero on most days are excluded: on a day without
    /// sales they are right, and nothing would be ordered.
    #[must_use]
    pub fn methods(self) -> &'static [Method] {
        match self {
            Self::Smooth | Self::Erratic => &[
                Method::Combined,
                Method::DowLevel(0.05),
                Method::DowAverage,
                Method::DowWeighted,
                Method::SeasonalSes(0.1),
                Method::MovingAverage(28),
                Method::SesOptimised,
                Method::SeasonalNaive,
            ],
            Self::Intermittent | Self::Lumpy => &[
                Method::DowLevel(0.05),
                Method::Tsb(0.1, 0.1),
                Method::Sba,
                Method::Adida,
                Method::DowAverage,
                Method::MovingAverage(28),
                Method::Mean,
            ],
        }
    }
}

/// An evaluated method.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub method: Method,
    /// Over the rolling origins of all candidates.
    pub errors: Errors,
}

/// The chosen method, and the candidates.
#[derive(Debug, Clone)]
pub struct Choice {
    pub method: Method,
    /// `None` for a short history, where there is no choice.
    pub class: Option<Class>,
    pub history: History,
    /// The default first. If another method was chosen, its WAPE is at most 80% of the default's.
    pub candidates: Vec<Candidate>,
    /// Forecasts at earlier days: the origins of each half by the method that the other half alone would choose, so that
    /// their errors are not those by which their method was chosen.
    pub roll: Roll,
}

/// The cut-offs for evaluating a history of `n` days: at most twelve, three days apart where they fit, so that each
/// weekday is the first day ahead of some; closer otherwise.
pub fn origins(n: usize, horizon: usize) -> impl Iterator<Item = usize> + Clone {
    let (step, least) = match step_for(n, horizon, ORIGINS, WEEKDAY_DAYS, APART) {
        0 => (1, 7),
        step => (step, WEEKDAY_DAYS),
    };
    cuts(n, horizon, step, ORIGINS, least)
}

/// Chooses the method for the days after a history, from rolling origins of `horizon` days within it.
///
/// # Errors
/// [`Refusal::TooShort`] with less than 7 known days; refusals of the default method.
pub fn choose(input: &Input<'_>, horizon: usize, ws: &mut Workspace) -> Result<Choice, Refusal> {
    let known = input.known();
    let history = History::of(known);
    let (class, methods) = match history.method(known)? {
        Some(method) => (None, vec![method]),
        None => {
            let class = Class::of(input);
            (Some(class), class.methods().to_vec())
        }
    };
    let cuts = origins(input.y.len(), horizon);
    let mut rolls = std::mem::take(&mut ws.rolls);
    if rolls.len() < methods.len() {
        rolls.resize_with(methods.len(), Roll::default);
    }
    let (first, others) = rolls.split_at_mut(1);
    first[0].run(methods[0], input, cuts.clone(), horizon, ws)?;
    let mut tried: Vec<(Method, &Roll)> = vec![(methods[0], &first[0])];
    for (&method, roll) in methods[1..].iter().zip(others) {
        // A method that cannot forecast all of the same days is not comparable.
        if roll.run(method, input, cuts.clone(), horizon, ws).is_ok() && roll.cuts == first[0].cuts {
            tried.push((method, roll));
        }
    }
    let count = first[0].cuts.len();
    let (newer, older) = (0..count / 2, count / 2..count);
    let mut roll = Roll { horizon, cuts: first[0].cuts.clone(), forecasts: Vec::new() };
    for (half, other) in [(newer.clone(), older.clone()), (older, newer)] {
        let (_, chosen) = tried[best(&tried, other, input)];
        roll.forecasts.extend_from_slice(&chosen.forecasts[half.start * horizon..half.end * horizon]);
    }
    let (method, _) = tried[best(&tried, 0..count, input)];
    let candidates = tried
        .iter()
        .map(|(method, roll)| Candidate { method: *method, errors: roll.errors(input) })
        .collect();
    ws.rolls = rolls;
    Ok(Choice { method, class, history, candidates, roll })
}

/// Which of the methods to choose by some of the origins: the first, or the best of those that are clearly better.
fn best(tried: &[(Method, &Roll)], origins: Range<usize>, input: &Input<'_>) -> usize {
    let (mut chosen, mut bar) = (0, None);
    for (at, (_, roll)) in tried.iter().enumerate() {
        let Some(wape) = roll.wape(origins.clone(), input) else { continue };
        if at == 0 {
            bar = Some(wape * CLEARLY);
        } else if bar.is_some_and(|most| wape <= most) {
            (chosen, bar) = (at, Some(wape));
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(y: &[f64]) -> Class {
        Class::of(&Input::new(y, 0))
    }

    #[test]
    fn classes_by_interval_and_spread() {
        assert_eq!(class(&[5.0, 6.0, 4.0, 5.0]), Class::Smooth);
        assert_eq!(class(&[1.0, 20.0, 1.0, 1.0]), Class::Erratic);
        assert_eq!(class(&[5.0, 0.0, 4.0, 0.0]), Class::Intermittent);
        assert_eq!(class(&[1.0, 0.0, 20.0, 0.0, 1.0, 0.0]), Class::Lumpy);
        assert_eq!(class(&[0.0; 9]), Class::Intermittent);
        // Masked days count neither as days nor as sales.
        let masked = [false, true, false, true];
        assert_eq!(
            Class::of(&Input { masked: &masked, ..Input::new(&[5.0, 0.0, 4.0, 0.0], 0) }),
            Class::Smooth
        );
    }

    #[test]
    fn another_method_replaces_the_default_where_it_is_clearly_better_and_it_shows_why() {
        // Sold on Tuesdays and Fridays for long, then on two other days: shares over a year still include both.
        let sells = |t: usize| matches!((t < 140, t % 7), (true, 2 | 5) | (false, 0 | 3));
        let y: Vec<f64> = (0..260).map(|t| if sells(t) { 9.0 } else { 0.0 }).collect();
        let choice = choose(&Input::new(&y, 0), 14, &mut Workspace::default()).expect("a choice");
        assert_eq!((choice.class, choice.method), (Some(Class::Intermittent), Method::DowAverage));
        let default = &choice.candidates[0];
        assert_eq!(default.method, Method::DowLevel(0.05));
        assert!(default.errors.wape.is_some_and(|wape| wape > 0.5));
        let chosen = choice.candidates.iter().find(|it| it.method == choice.method);
        assert_eq!(chosen.and_then(|it| it.errors.wape), Some(0.0));
        assert!(choice.candidates.iter().all(|it| it.errors.origins == 12));
        assert_eq!(choice.roll.forecasts.len(), 12 * 14);
    }

    #[test]
    fn a_method_that_is_a_little_better_does_not() {
        let y: Vec<f64> = (0..140).map(|t| if t % 3 == 0 { 2.0 + f64::from(t % 2) } else { 0.0 }).collect();
        let choice = choose(&Input::new(&y, 0), 14, &mut Workspace::default()).expect("a choice");
        assert_eq!(choice.method, choice.candidates[0].method);
        let wapes: Vec<f64> = choice.candidates.iter().filter_map(|it| it.errors.wape).collect();
        assert!(wapes.iter().any(|wape| *wape < wapes[0]), "{wapes:?}");
        assert!(wapes.iter().all(|wape| *wape > 0.8 * wapes[0]), "{wapes:?}");
    }

    #[test]
    fn a_short_history_leaves_no_choice() {
        let y = [3.0; 40];
        let choice = choose(&Input::new(&y, 0), 7, &mut Workspace::default()).expect("forty days");
        assert_eq!((choice.class, choice.method), (None, Method::DowAverageOf(4)));
        let few = choose(&Input::new(&y[..6], 0), 7, &mut Workspace::default()).expect_err("six days");
        assert_eq!(few, Refusal::TooShort { have: 6, need: 7 });
    }
}
