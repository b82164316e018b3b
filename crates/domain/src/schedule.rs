//! When daily work is due: at a business time (UTC+8), on chosen weekdays.

use crate::business_day::BUSINESS_UTC_OFFSET_HOURS;
use crate::{BusinessDay, Timestamp};

/// Every day of the week, as bits from Monday.
pub const EVERY_DAY: u8 = 0b111_1111;

const MINUTE_MS: i64 = 60_000;
const DAY_MINUTES: i64 = 1_440;

/// A daily time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Minutes after midnight, 0 to 1439.
    pub minutes: i64,
    /// Weekdays, as bits from Monday.
    pub weekdays: u8,
}

impl Schedule {
    /// A schedule for every day at this time.
    #[must_use]
    pub const fn daily(hour: i64, minute: i64) -> Self {
        Self { minutes: hour * 60 + minute, weekdays: EVERY_DAY }
    }

    /// The validation error, with its field.
    #[must_use]
    pub fn refusal(self) -> Option<(&'static str, &'static str)> {
        if !(0..DAY_MINUTES).contains(&self.minutes) {
            Some(("minutes", "Enter a time between 00:00 and 23:59."))
        } else if self.weekdays & EVERY_DAY == 0 {
            Some(("weekdays", "Choose at least one day."))
        } else {
            None
        }
    }

    /// The last due time, at `now` or before; `None` without a weekday.
    #[must_use]
    pub fn last(self, now: Timestamp) -> Option<Timestamp> {
        let today = BusinessDay::of(now);
        (0..=7).map(|back| today.plus(-back)).find_map(|day| self.on(day).filter(|due| *due <= now))
    }

    /// The next due time, after `now`; `None` without a weekday.
    #[must_use]
    pub fn next(self, now: Timestamp) -> Option<Timestamp> {
        let today = BusinessDay::of(now);
        (0..=7).map(|on| today.plus(on)).find_map(|day| self.on(day).filter(|due| *due > now))
    }

    fn on(self, day: BusinessDay) -> Option<Timestamp> {
        let minutes = i64::from(day.0) * DAY_MINUTES + self.minutes - BUSINESS_UTC_OFFSET_HOURS * 60;
        (self.weekdays & (1 << day.weekday()) != 0).then_some(Timestamp(minutes * MINUTE_MS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect("a moment")
    }

    #[test]
    fn it_is_due_in_business_time() {
        let nightly = Schedule::daily(2, 30);
        // 02:30 in UTC+8 is 18:30 in UTC the day before.
        assert_eq!(nightly.next(at("2026-11-24T18:29:59Z")), Some(at("2026-11-24T18:30:00Z")));
        assert_eq!(nightly.next(at("2026-11-24T18:30:00Z")), Some(at("2026-11-25T18:30:00Z")));
        assert_eq!(nightly.last(at("2026-11-24T18:30:00Z")), Some(at("2026-11-24T18:30:00Z")));
        assert_eq!(nightly.last(at("2026-11-24T18:29:59Z")), Some(at("2026-11-23T18:30:00Z")));
    }

    #[test]
    fn other_weekdays_are_passed_over() {
        let mondays = Schedule { minutes: 0, weekdays: 1 };
        // 23 Nov 2026 is a Monday; it begins in UTC+8 at 16:00 UTC the day before.
        assert_eq!(mondays.last(at("2026-11-24T00:00:00Z")), Some(at("2026-11-22T16:00:00Z")));
        assert_eq!(mondays.next(at("2026-11-24T00:00:00Z")), Some(at("2026-11-29T16:00:00Z")));
        let never = Schedule { minutes: 0, weekdays: 0 };
        assert_eq!(
            (never.last(at("2026-11-24T00:00:00Z")), never.next(at("2026-11-24T00:00:00Z"))),
            (None, None)
        );
        assert_eq!(never.refusal().map(|it| it.0), Some("weekdays"));
        assert_eq!(Schedule { minutes: 1_440, weekdays: 1 }.refusal().map(|it| it.0), Some("minutes"));
    }
}
