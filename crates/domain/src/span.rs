//! Ranges of business dates, and covering them with few stored sums.

use std::collections::BTreeSet;

use crate::BusinessDay;
use crate::sales::rollup::Grain;

/// Days from `from` to `to`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    pub from: BusinessDay,
    pub to: BusinessDay,
}

/// Consecutive periods of one grain, given by the first days of the first and the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub grain: Grain,
    pub first: BusinessDay,
    pub last: BusinessDay,
}

impl Span {
    /// Its days, in order.
    pub fn each(self) -> impl DoubleEndedIterator<Item = BusinessDay> + Clone {
        (self.from.0..=self.to.0).map(BusinessDay)
    }

    /// The number of days.
    #[must_use]
    pub fn days(self) -> i32 {
        self.to.0 - self.from.0 + 1
    }

    /// The range extended to whole weeks.
    #[must_use]
    pub fn whole_weeks(self) -> Self {
        Self { from: self.from.week(), to: self.to.week().plus(6) }
    }

    /// The same number of days right before it.
    #[must_use]
    pub fn before(self) -> Self {
        Self { from: self.from.plus(-self.days()), to: self.from.plus(-1) }
    }

    /// Covers it without gap or overlap: whole months, then whole weeks, then days.
    #[must_use]
    pub fn runs(self) -> Vec<Run> {
        let mut runs = Vec::with_capacity(7);
        self.cover(Grain::Month, &mut runs);
        runs
    }

    /// As [`runs`](Self::runs), for figures that may change from each of these days on: months with such a day after
    /// their first are covered by days, and no other period goes past the day before one.
    #[must_use]
    pub fn runs_between(self, days: &BTreeSet<BusinessDay>) -> Vec<Run> {
        let splits = |part: Self| days.range(part.from.plus(1)..part.to.plus(1)).next().is_some();
        // Stretches of months of either kind.
        let mut stretches: Vec<(bool, Self)> = Vec::new();
        let mut from = self.from;
        while from <= self.to {
            let to = next(Grain::Month, from.month()).plus(-1).min(self.to);
            let by_days = splits(Self { from, to });
            match stretches.last_mut() {
                Some((before, stretch)) if *before == by_days && (by_days || !days.contains(&from)) => {
                    stretch.to = to;
                }
                _ => stretches.push((by_days, Self { from, to })),
            }
            from = to.plus(1);
        }
        let mut runs = Vec::with_capacity(stretches.len());
        for (by_days, stretch) in stretches {
            stretch.cover(if by_days { Grain::Day } else { Grain::Month }, &mut runs);
        }
        runs
    }

    fn cover(self, grain: Grain, runs: &mut Vec<Run>) {
        if self.from > self.to {
            return;
        }
        let finer = match grain {
            Grain::Month => Grain::Week,
            Grain::Week | Grain::Day => Grain::Day,
        };
        if grain == Grain::Day {
            runs.push(Run { grain, first: self.from, last: self.to });
            return;
        }
        let begins = grain.period(self.from);
        let first = if begins == self.from { begins } else { next(grain, begins) };
        let end = next(grain, grain.period(self.to)).plus(-1);
        let past = if end == self.to { next(grain, grain.period(self.to)) } else { grain.period(self.to) };
        if first >= past {
            return self.cover(finer, runs);
        }
        Span { from: self.from, to: first.plus(-1) }.cover(finer, runs);
        runs.push(Run { grain, first, last: grain.period(past.plus(-1)) });
        Span { from: past, to: self.to }.cover(finer, runs);
    }
}

/// The first day of the period after the one beginning on `period`.
#[must_use]
pub fn next(grain: Grain, period: BusinessDay) -> BusinessDay {
    match grain {
        Grain::Day => period.plus(1),
        Grain::Week => period.plus(7),
        // The 32nd day from a first of the month is always in the next one.
        Grain::Month => period.plus(31).month(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day(text: &str) -> BusinessDay {
        text.parse().expect("a date")
    }

    #[test]
    fn a_year_is_twelve_months() {
        let runs = Span { from: day("2019-01-01"), to: day("2019-12-31") }.runs();
        assert_eq!(runs, [Run { grain: Grain::Month, first: day("2019-01-01"), last: day("2019-12-01") }]);
    }

    #[test]
    fn odd_edges_are_weeks_and_days() {
        let runs = Span { from: day("2019-01-20"), to: day("2019-03-05") }.runs();
        let run = |grain, first: &str, last: &str| Run { grain, first: day(first), last: day(last) };
        assert_eq!(
            runs,
            [
                run(Grain::Day, "2019-01-20", "2019-01-20"),
                run(Grain::Week, "2019-01-21", "2019-01-21"),
                run(Grain::Day, "2019-01-28", "2019-01-31"),
                run(Grain::Month, "2019-02-01", "2019-02-01"),
                run(Grain::Day, "2019-03-01", "2019-03-05"),
            ]
        );
    }

    #[test]
    fn a_change_within_a_year_costs_the_days_of_its_month() {
        let year = Span { from: day("2019-01-01"), to: day("2019-12-31") };
        let between = |days: &[&str]| year.runs_between(&days.iter().map(|text| day(text)).collect());
        let run = |grain, first: &str, last: &str| Run { grain, first: day(first), last: day(last) };
        assert_eq!(between(&[]), year.runs());
        assert_eq!(
            between(&["2019-01-01", "2019-06-05", "2019-06-20"]),
            [
                run(Grain::Month, "2019-01-01", "2019-05-01"),
                run(Grain::Day, "2019-06-01", "2019-06-30"),
                run(Grain::Month, "2019-07-01", "2019-12-01"),
            ]
        );
        assert_eq!(
            between(&["2019-07-01"]),
            [run(Grain::Month, "2019-01-01", "2019-06-01"), run(Grain::Month, "2019-07-01", "2019-12-01"),]
        );
    }

    proptest! {
        #[test]
        fn no_period_but_days_passes_a_change(
            from in 15_000i32..22_000,
            days in 0i32..900,
            changes in proptest::collection::btree_set(15_000i32..22_900, 0..40),
        ) {
            let span = Span { from: BusinessDay(from), to: BusinessDay(from + days) };
            let changes: BTreeSet<BusinessDay> = changes.into_iter().map(BusinessDay).collect();
            let runs = span.runs_between(&changes);
            let mut covered = Vec::new();
            for run in &runs {
                let mut period = run.first;
                while period <= run.last {
                    let after = next(run.grain, period);
                    let passed = changes.range(period.plus(1)..after).count();
                    prop_assert!(passed == 0, "{period} of {:?}", run.grain);
                    covered.extend(period.0..after.0);
                    period = after;
                }
            }
            prop_assert_eq!(covered, (span.from.0..=span.to.0).collect::<Vec<_>>());
            // At most one run for each month, and for the weeks and days at either end.
            prop_assert!(runs.len() <= usize::try_from(days).unwrap_or(0) / 28 + 12);
        }

        #[test]
        fn every_day_is_covered_once(from in 15_000i32..22_000, days in 0i32..900) {
            let span = Span { from: BusinessDay(from), to: BusinessDay(from + days) };
            let mut covered = Vec::new();
            for run in span.runs() {
                let mut period = run.first;
                while period <= run.last {
                    let after = next(run.grain, period);
                    prop_assert_eq!(run.grain.period(period), period);
                    covered.extend(period.0..after.0);
                    period = after;
                }
            }
            prop_assert_eq!(covered, (span.from.0..=span.to.0).collect::<Vec<_>>());
        }
    }
}
