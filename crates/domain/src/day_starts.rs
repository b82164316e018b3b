//! When the business day of a store begins.
//!
//! It decides to which business date a sale belongs whose date is one of the calendar: what is sold before the start
//! belongs to the evening before. Documents and counts keep their calendar date.

use crate::in_force::InForce;
use crate::on_hand::timeline::within_day;
use crate::{BusinessDay, Timestamp};

/// The latest start, in minutes after midnight: noon.
pub const LATEST_MINUTES: i32 = 12 * 60;
/// A start is a multiple of this, in minutes.
pub const STEP_MINUTES: i32 = 15;

const DAY_SECONDS: i32 = 86_400;

/// Whether a day can begin this many minutes after midnight.
#[must_use]
pub fn is_start(minutes: i32) -> bool {
    (0..=LATEST_MINUTES).contains(&minutes) && minutes % STEP_MINUTES == 0
}

/// A start as a clock shows it: `05:15`.
#[must_use]
pub fn clock(minutes: i32) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// When days begin from a day on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub from: BusinessDay,
    /// After midnight (UTC+8).
    pub minutes: i32,
}

/// When a store's days begin. Before the first change they begin at midnight.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DayStarts {
    changes: InForce<i32>,
}

impl DayStarts {
    /// From changes in any order; of several from the same day the last one given counts.
    #[must_use]
    pub fn new(changes: impl IntoIterator<Item = Change>) -> Self {
        Self { changes: InForce::new(changes.into_iter().map(|change| (change.from, change.minutes))) }
    }

    /// Whether a start was ever set, be it midnight.
    #[must_use]
    pub fn is_set(&self) -> bool {
        !self.changes.is_empty()
    }

    /// When a day begins, in minutes after midnight (UTC+8).
    #[must_use]
    pub fn start_on(&self, day: BusinessDay) -> i32 {
        self.changes.on(day).map_or(0, |(_, minutes)| minutes)
    }

    /// The business date of a calendar day and a clock time, and the seconds since its midnight: 00:40 of the 14th is
    /// 24:40 of the 13th, 88,800 seconds, if the 14th begins later. Seconds past 86,400 are already those of the evening
    /// before, and negative ones unknown; both stay.
    #[must_use]
    pub fn business_day(&self, day: BusinessDay, seconds: i32) -> (BusinessDay, i32) {
        if (0..60 * self.start_on(day)).contains(&seconds) {
            (day.plus(-1), seconds + DAY_SECONDS)
        } else {
            (day, seconds)
        }
    }

    /// The seconds since midnight of a business date for a clock time written beside it: a time before the day begins is
    /// one after midnight.
    #[must_use]
    pub fn seconds_within(&self, day: BusinessDay, seconds: i32) -> i32 {
        within_day(seconds, 60 * self.start_on(day))
    }

    /// The business date at a moment.
    #[must_use]
    pub fn day_at(&self, at: Timestamp) -> BusinessDay {
        let day = BusinessDay::of(at);
        let start = i64::from(self.start_on(day)) * 60_000;
        BusinessDay::of(at.plus_ms(-start))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIRST: BusinessDay = BusinessDay(20_770);
    const FIVE: i32 = 5 * 60;

    #[test]
    fn what_is_sold_before_the_start_belongs_to_the_evening_before() {
        let starts = DayStarts::new([Change { from: FIRST, minutes: FIVE }]);
        assert_eq!(starts.business_day(FIRST.plus(1), 2_400), (FIRST, 88_800));
        assert_eq!(starts.business_day(FIRST.plus(1), 17_999), (FIRST, 104_399));
        assert_eq!(starts.business_day(FIRST.plus(1), 18_000), (FIRST.plus(1), 18_000));
        assert_eq!(starts.business_day(FIRST, 87_300), (FIRST, 87_300), "24:15 is of the same business date");
        assert_eq!(starts.business_day(FIRST, -1), (FIRST, -1));
        assert_eq!(starts.business_day(FIRST.plus(-1), 2_400), (FIRST.plus(-1), 2_400), "not set yet");
        assert_eq!(starts.seconds_within(FIRST, 2_400), 88_800);
        assert_eq!(starts.seconds_within(FIRST.plus(-1), 2_400), 2_400);
    }

    #[test]
    fn a_start_holds_from_its_day_on() {
        let starts = DayStarts::new([
            Change { from: FIRST.plus(7), minutes: 0 },
            Change { from: FIRST, minutes: 240 },
            Change { from: FIRST, minutes: FIVE },
        ]);
        let on = [-1, 0, 6, 7].map(|days| starts.start_on(FIRST.plus(days)));
        assert_eq!(on, [0, FIVE, FIVE, 0]);
        assert!(starts.is_set() && !DayStarts::default().is_set());
        assert_eq!(clock(FIVE + 15), "05:15");
        assert_eq!([-15, 0, 7, 15, 720, 735].map(is_start), [false, true, false, true, true, false]);
    }

    #[test]
    fn a_moment_after_midnight_is_of_the_evening_before() {
        let starts = DayStarts::new([Change { from: FIRST, minutes: FIVE }]);
        // FIRST is 13 November 2026.
        let at = |text: &str| starts.day_at(Timestamp::parse(text).expect("a moment"));
        assert_eq!(at("2026-11-14T02:10:00+08:00"), FIRST);
        assert_eq!(at("2026-11-14T05:00:00+08:00"), FIRST.plus(1));
        assert_eq!(at("2026-11-13T23:00:00+08:00"), FIRST);
    }

    fn any_starts() -> impl Strategy<Value = DayStarts> {
        let change = (-3i32..6, 0i32..=48)
            .prop_map(|(from, steps)| Change { from: FIRST.plus(from), minutes: steps * STEP_MINUTES });
        prop::collection::vec(change, 0..4).prop_map(DayStarts::new)
    }

    proptest! {
        /// A shifted time is the same instant, no day overtakes another, and shifting again changes nothing.
        #[test]
        fn order_in_time_is_kept_and_nothing_is_lost(
            starts in any_starts(), mut times in prop::collection::vec((-4i32..8, 0i32..86_400), 0..40),
        ) {
            times.sort_unstable();
            let shifted: Vec<(BusinessDay, i32)> =
                times.iter().map(|(day, at)| starts.business_day(FIRST.plus(*day), *at)).collect();
            prop_assert_eq!(shifted.len(), times.len());
            prop_assert!(shifted.is_sorted(), "{:?}", shifted);
            for ((day, at), (date, seconds)) in times.iter().zip(&shifted) {
                prop_assert_eq!((day + FIRST.0) * 86_400 + at, date.0 * 86_400 + seconds);
                prop_assert!((0..=129_600).contains(seconds));
                prop_assert_eq!(starts.business_day(*date, *seconds), (*date, *seconds));
            }
        }

        #[test]
        fn a_day_from_midnight_is_the_calendar_day(day in -4i32..8, at in -1i32..129_600) {
            let day = FIRST.plus(day);
            for starts in [DayStarts::default(), DayStarts::new([Change { from: FIRST, minutes: 0 }])] {
                prop_assert_eq!(starts.business_day(day, at), (day, at));
                prop_assert_eq!(starts.seconds_within(day, at), at);
            }
        }

        #[test]
        fn a_moment_has_the_date_of_its_clock_time(starts in any_starts(), day in -4i32..8, at in 0i32..86_400) {
            let day = FIRST.plus(day);
            let moment = Timestamp((i64::from(day.0) * 86_400 + i64::from(at)) * 1_000 - 8 * 3_600_000);
            prop_assert_eq!(starts.day_at(moment), starts.business_day(day, at).0);
        }
    }
}
