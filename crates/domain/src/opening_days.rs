//! The weekdays on which a store opens.
//!
//! A setting says what is expected. A day with sales was open whatever the setting says.

use crate::BusinessDay;
use crate::in_force::InForce;

/// Every weekday. Monday is bit 0.
pub const EVERY_DAY: u8 = 0b111_1111;
/// Weeks without a sale on a weekday after which it is proposed as closed.
pub const PROPOSED_AFTER_WEEKS: usize = 8;

/// The weekdays on which a store opens from a day on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub from: BusinessDay,
    /// Monday is bit 0.
    pub weekdays: u8,
}

/// A store's opening days over time. Before the first change it opens every day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpeningDays {
    changes: InForce<u8>,
}

impl OpeningDays {
    /// From changes in any order; of several from the same day the last one given counts.
    #[must_use]
    pub fn new(changes: impl IntoIterator<Item = Change>) -> Self {
        Self { changes: InForce::new(changes.into_iter().map(|change| (change.from, change.weekdays))) }
    }

    /// The weekdays in force on a day. Monday is bit 0.
    #[must_use]
    pub fn weekdays(&self, day: BusinessDay) -> u8 {
        self.changes.on(day).map_or(EVERY_DAY, |(_, weekdays)| weekdays)
    }

    /// The day from which the weekdays in force on a day were set; `None` before the first change.
    #[must_use]
    pub fn since(&self, day: BusinessDay) -> Option<BusinessDay> {
        self.changes.on(day).map(|(from, _)| from)
    }

    /// Whether the setting has the store closed on a day.
    #[must_use]
    pub fn is_closed(&self, day: BusinessDay) -> bool {
        self.weekdays(day) & (1 << day.weekday()) == 0
    }

    /// Sets the figures of closed days to 0; the first figure is of `first`.
    pub fn close(&self, figures: &mut [f64], first: BusinessDay) {
        if self.changes.is_empty() {
            return;
        }
        for (figure, day) in figures.iter_mut().zip(first.0..) {
            if self.is_closed(BusinessDay(day)) {
                *figure = 0.0;
            }
        }
    }

    /// The number of open days among the `days` days from `first` on.
    #[must_use]
    pub fn open_days(&self, first: BusinessDay, days: usize) -> usize {
        (first.0..).take(days).filter(|day| !self.is_closed(BusinessDay(*day))).count()
    }
}

/// The weekdays that a store seems to open on, if they are fewer than those set: a weekday is proposed as closed after
/// eight weeks without a sale on it, if the store sold something in each of these weeks.
///
/// `sold`: whether anything was sold, per day up to `last`; only the newest eight weeks count. `set`: the weekdays in
/// force.
#[must_use]
pub fn proposed(sold: &[bool], last: BusinessDay, set: u8) -> Option<u8> {
    let newest = &sold[sold.len().checked_sub(7 * PROPOSED_AFTER_WEEKS)?..];
    if !newest.chunks(7).all(|week| week.contains(&true)) {
        return None;
    }
    let mut seen = 0_u8;
    for (sold, day) in newest.iter().rev().zip((0..).map(|back| last.plus(-back))) {
        if *sold {
            seen |= 1 << day.weekday();
        }
    }
    let open = set & seen;
    (open != set && open != 0).then_some(open)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Monday 5 October 2026.
    const MONDAY: BusinessDay = BusinessDay(20_731);
    const WITHOUT_SUNDAY: u8 = 0b011_1111;

    #[test]
    fn a_change_holds_from_its_day_on() {
        assert!(MONDAY.is_monday());
        let days = OpeningDays::new([
            Change { from: MONDAY.plus(14), weekdays: EVERY_DAY },
            Change { from: MONDAY.plus(6), weekdays: WITHOUT_SUNDAY },
        ]);
        let closed: Vec<i32> = (0..28).filter(|n| days.is_closed(MONDAY.plus(*n))).collect();
        assert_eq!(closed, [6, 13]);
        assert_eq!(days.open_days(MONDAY, 28), 26);
        let since = [5, 6, 13, 14].map(|n| days.since(MONDAY.plus(n)));
        assert_eq!(since, [None, Some(6), Some(6), Some(14)].map(|n| Some(MONDAY.plus(n?))));
        let mut figures = [1.0; 9];
        days.close(&mut figures, MONDAY.plus(5));
        assert_eq!(figures, [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
        assert!((0..7).all(|n| !OpeningDays::default().is_closed(MONDAY.plus(n))));
    }

    #[test]
    fn a_weekday_without_sales_for_eight_weeks_is_proposed_as_closed() {
        let last = MONDAY.plus(6);
        let mut sold: Vec<bool> = (0..70).map(|n| n % 7 != 6).collect();
        assert_eq!(proposed(&sold, last, EVERY_DAY), Some(WITHOUT_SUNDAY));
        assert_eq!(proposed(&sold, last, WITHOUT_SUNDAY), None);
        // Ten weeks back: too long ago to count.
        sold[6] = true;
        assert_eq!(proposed(&sold, last, EVERY_DAY), Some(WITHOUT_SUNDAY));
        sold[69 - 14] = true;
        assert_eq!(proposed(&sold, last, EVERY_DAY), None);
        assert_eq!(proposed(&sold[..55], last, EVERY_DAY), None, "too short a history");
        // A store that was shut for a week tells nothing about its weekdays.
        let mut shut: Vec<bool> = (0..56).map(|n| n % 7 != 6).collect();
        shut[14..21].fill(false);
        assert_eq!(proposed(&shut, last, EVERY_DAY), None);
    }

    proptest! {
        #[test]
        fn closing_a_weekday_sets_its_figures_to_nothing_and_changes_no_other_day(
            figures in prop::collection::vec(0.0f64..500.0, 1..60), first in 20_000i32..22_000, weekday in 0u8..7,
            from in -30i32..60,
        ) {
            let first = BusinessDay(first);
            let from = first.plus(from);
            let days = OpeningDays::new([Change { from, weekdays: EVERY_DAY & !(1 << weekday) }]);
            let mut closed = figures.clone();
            days.close(&mut closed, first);
            for (n, (before, after)) in figures.iter().zip(&closed).enumerate() {
                let day = first.plus(n as i32);
                let expected = if day.weekday() == weekday && day >= from { 0.0 } else { *before };
                prop_assert_eq!(*after, expected);
            }
        }

        #[test]
        fn a_weekday_with_sales_is_never_proposed_as_closed(
            sold in prop::collection::vec(any::<bool>(), 56), last in 20_000i32..22_000, set in 1u8..128,
        ) {
            let last = BusinessDay(last);
            if let Some(open) = proposed(&sold, last, set) {
                prop_assert!(open & !set == 0 && open != set && open != 0);
                for (n, sold) in sold.iter().rev().enumerate() {
                    let bit = 1u8 << last.plus(-(n as i32)).weekday();
                    prop_assert!(!*sold || set & bit == 0 || open & bit != 0);
                }
            }
        }
    }
}
