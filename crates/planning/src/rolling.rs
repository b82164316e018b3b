//! Rolling origins: a method's forecasts at earlier days, from the data known then.

use std::ops::Range;

use crate::Refusal;
use crate::errors::{Errors, Scale, Tally, is_masked};
use crate::method::{Input, Method, Workspace, forecast};

/// The cut-offs of a history, newest first.
///
/// `n` days of history, `horizon` days of each forecast, `step` days between two cuts, at most `count` of them, none
/// with fewer than `least` days before it. A cut at c means: known are days ..c, forecast are c..c+horizon.
pub fn cuts(
    n: usize,
    horizon: usize,
    step: usize,
    count: usize,
    least: usize,
) -> impl Iterator<Item = usize> + Clone {
    let last = n.checked_sub(horizon);
    (0..count).map_while(move |i| last?.checked_sub(i * step)).take_while(move |&cut| cut >= least.max(1))
}

/// Days between cuts so that `count` of them fit, at most `most`; 0 where they do not fit.
#[must_use]
pub fn step_for(n: usize, horizon: usize, count: usize, least: usize, most: usize) -> usize {
    let room = n.saturating_sub(horizon + least);
    (room / (count - 1).max(1)).min(most)
}

/// The forecasts of one method at some cuts of one series. Reuse it: it keeps its memory.
#[derive(Debug, Clone, Default)]
pub struct Roll {
    pub horizon: usize,
    pub cuts: Vec<usize>,
    /// `horizon` values for each cut.
    pub forecasts: Vec<f64>,
}

impl Roll {
    /// Forecasts `horizon` days from each cut, each from `input` as of that day. Cuts are given newest first; the first
    /// that leaves too little history ends them.
    ///
    /// # Errors
    /// Other refusals of the method at any of the cuts.
    pub fn run(
        &mut self,
        method: Method,
        input: &Input<'_>,
        cuts: impl IntoIterator<Item = usize>,
        horizon: usize,
        ws: &mut Workspace,
    ) -> Result<(), Refusal> {
        self.horizon = horizon;
        self.cuts.clear();
        self.forecasts.clear();
        for cut in cuts {
            let start = self.forecasts.len();
            self.forecasts.resize(start + horizon, 0.0);
            match forecast(method, &input.until(cut), ws, &mut self.forecasts[start..]) {
                Ok(()) => self.cuts.push(cut),
                Err(Refusal::TooShort { .. }) => {
                    self.forecasts.truncate(start);
                    break;
                }
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }

    /// Each cut with its forecast.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.cuts.iter().copied().zip(self.forecasts.chunks_exact(self.horizon.max(1)))
    }

    /// The errors over all cuts against `input`.
    #[must_use]
    pub fn errors(&self, input: &Input<'_>) -> Errors {
        let mut tally = Tally::default();
        for (cut, forecast) in self.iter() {
            let scale = Scale::of(&input.y[..cut], input.masked, input.season);
            let days = cut..(cut + self.horizon).min(input.y.len());
            tally.add(&input.y[days], input.masked.get(cut..).unwrap_or(&[]), forecast, scale);
        }
        tally.errors()
    }

    /// Σ|error| ÷ Σ sold over some of the cuts, by position; `None` without sales.
    #[must_use]
    pub fn wape(&self, of: Range<usize>, input: &Input<'_>) -> Option<f64> {
        let (mut errors, mut sold) = (0.0, 0.0);
        for (cut, forecast) in self.iter().skip(of.start).take(of.len()) {
            for (t, (actual, forecast)) in (cut..).zip(input.y[cut..].iter().zip(forecast)) {
                if !is_masked(input.masked, t) {
                    errors += (actual - forecast).abs();
                    sold += actual.abs();
                }
            }
        }
        (sold > 0.0).then(|| errors / sold)
    }

    /// Every error (sold − forecast) with its step from 0, without masked days.
    pub fn residuals<'a>(&'a self, input: &'a Input<'_>) -> impl Iterator<Item = (usize, f64)> + 'a {
        self.iter().flat_map(move |(cut, forecast)| {
            let known = move |(step, _): &(usize, &f64)| {
                cut + step < input.y.len() && !is_masked(input.masked, cut + step)
            };
            forecast.iter().enumerate().filter(known).map(move |(step, f)| (step, input.y[cut + step] - f))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_leave_the_horizon_behind_them_and_enough_before_them() {
        assert_eq!(cuts(100, 14, 7, 3, 56).collect::<Vec<_>>(), [86, 79, 72]);
        assert_eq!(cuts(100, 14, 7, 30, 70).collect::<Vec<_>>(), [86, 79, 72]);
        assert_eq!(cuts(10, 14, 7, 3, 1).count(), 0);
        assert_eq!(cuts(15, 14, 7, 3, 0).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn the_step_makes_the_cuts_fit() {
        assert_eq!(step_for(365, 14, 12, 56, 7), 7);
        assert_eq!(step_for(100, 14, 12, 56, 7), 2);
        assert_eq!(step_for(70, 14, 12, 56, 7), 0);
        for n in 60..200 {
            let step = step_for(n, 14, 12, 28, 7);
            if step > 0 {
                assert_eq!(cuts(n, 14, step, 12, 28).count(), 12, "{n}");
            }
        }
    }
}
