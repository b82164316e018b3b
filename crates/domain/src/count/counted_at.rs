//! When a number was counted, as opposed to when it was saved, corrected, confirmed or chosen.

use super::Session;
use crate::business_day::BUSINESS_UTC_OFFSET_HOURS;
use crate::{BusinessDay, Qty, Timestamp};

const HOUR_MS: i64 = 3_600_000;

/// Counts of a date are made from its midnight until noon of the next day.
const HOURS: std::ops::Range<i64> = 0..36;

/// The hours assumed for a count whose time cannot be right.
const OPENING_HOUR: i64 = 7;
const CLOSING_HOUR: i64 = 23;

/// Another number within this time corrects the first one, unless its author says that it was counted again.
const CORRECTION_MS: std::ops::RangeInclusive<i64> = 0..=10 * 60_000;

/// The time of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedAt {
    pub at: Timestamp,
    /// Whether it was assumed, since the one given cannot be right.
    pub assumed: bool,
}

impl CountedAt {
    /// The time of a count of a date. One outside [00:00, 12:00 of the next day) becomes 07:00 for an opening count and
    /// 23:00 for any other.
    #[must_use]
    pub fn of(session: Session, date: BusinessDay, at: Timestamp) -> Self {
        let hour = |hour: i64| (i64::from(date.0) * 24 - BUSINESS_UTC_OFFSET_HOURS + hour) * HOUR_MS;
        if (hour(HOURS.start)..hour(HOURS.end)).contains(&at.0) {
            return Self { at, assumed: false };
        }
        let usual = match session {
            Session::Opening => OPENING_HOUR,
            Session::Whole | Session::Closing => CLOSING_HOUR,
        };
        Self { at: Timestamp(hour(usual)), assumed: true }
    }
}

/// The value that the author of a save saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// `None` if it was cleared.
    pub qty: Option<Qty>,
    pub counted_at: Timestamp,
}

/// A save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Saved {
    pub qty: Option<Qty>,
    /// When it was typed.
    pub at: Timestamp,
    /// Whether its author said that the item was counted again, or that only the number was wrong.
    pub recounted: Option<bool>,
}

/// When the number of a save was counted: when it was typed, unless it confirms or corrects the one its author saw.
/// Without a word from the author, the same number confirms, and another one corrects for ten minutes. What was typed
/// before the count it replaces corrects nothing: it has a time of its own, which [`CountedAt::of`] checks.
#[must_use]
pub fn counted_at(saved: Saved, seen: Option<Seen>) -> Timestamp {
    let Some(seen) = seen.filter(|seen| seen.qty.is_some()) else { return saved.at };
    let recounted = saved.recounted.unwrap_or_else(|| {
        let since = saved.at.0.saturating_sub(seen.counted_at.0);
        saved.qty != seen.qty && !CORRECTION_MS.contains(&since)
    });
    if recounted { saved.at } else { seen.counted_at }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(&format!("{text}+08:00")).expect("a time")
    }

    fn day() -> BusinessDay {
        "2026-11-19".parse().expect("a date")
    }

    #[test]
    fn a_time_that_cannot_be_right_is_assumed() {
        for (session, given, expected, assumed) in [
            (Session::Opening, "2026-11-19T00:00", "2026-11-19T00:00", false),
            (Session::Closing, "2026-11-20T11:59:59.999", "2026-11-20T11:59:59.999", false),
            (Session::Closing, "2026-11-20T12:00", "2026-11-19T23:00", true),
            (Session::Opening, "2026-11-18T23:59:59.999", "2026-11-19T07:00", true),
            (Session::Whole, "1970-01-01T00:00", "2026-11-19T23:00", true),
        ] {
            let found = CountedAt::of(session, day(), at(given));
            assert_eq!(found, CountedAt { at: at(expected), assumed }, "{session:?} at {given}");
        }
    }

    #[test]
    fn only_counting_again_moves_the_time() {
        let seen = Seen { qty: Some(Qty(12)), counted_at: at("2026-11-19T06:06") };
        let of = |qty: i64, time: &str, recounted: Option<bool>, seen: Option<Seen>| {
            counted_at(Saved { qty: Some(Qty(qty)), at: at(time), recounted }, seen)
        };
        let (first, nine, soon) = (seen.counted_at, at("2026-11-19T09:00"), "2026-11-19T06:16");
        // The first number, and the first after it was cleared.
        assert_eq!(of(12, "2026-11-19T09:00", None, None), nine);
        assert_eq!(of(12, "2026-11-19T09:00", None, Some(Seen { qty: None, ..seen })), nine);
        // Confirmed at any time; corrected at once, or later if said so.
        assert_eq!(of(12, "2026-11-19T09:00", None, Some(seen)), first);
        assert_eq!(of(21, soon, None, Some(seen)), first);
        assert_eq!(of(21, "2026-11-19T09:00", Some(false), Some(seen)), first);
        // Counted again, by word or by time.
        assert_eq!(of(12, soon, Some(true), Some(seen)), at(soon));
        assert_eq!(of(21, "2026-11-19T09:00", None, Some(seen)), nine);
        assert_eq!(of(21, "2026-11-19T06:16:00.001", None, Some(seen)), at("2026-11-19T06:16:00.001"));
        assert_eq!(of(21, "2026-11-19T06:06", None, Some(seen)), first);
    }

    #[test]
    fn a_time_before_the_count_it_replaces_corrects_nothing() {
        let seen = Seen { qty: Some(Qty(12)), counted_at: at("2026-11-19T06:06") };
        let of = |qty: i64, time: &str, recounted: Option<bool>| {
            counted_at(Saved { qty: Some(Qty(qty)), at: at(time), recounted }, Some(seen))
        };
        for (time, session, expected, assumed) in [
            ("2026-11-19T06:05:59.999", Session::Opening, "2026-11-19T06:05:59.999", false),
            ("2026-11-18T06:06", Session::Opening, "2026-11-19T07:00", true),
            ("1970-01-01T00:00", Session::Closing, "2026-11-19T23:00", true),
            ("1970-01-01T00:00", Session::Whole, "2026-11-19T23:00", true),
        ] {
            let found = CountedAt::of(session, day(), of(21, time, None));
            assert_eq!(found, CountedAt { at: at(expected), assumed }, "{session:?} at {time}");
            // The same number confirms, and a word from the author stands.
            assert_eq!(of(12, time, None), seen.counted_at);
            assert_eq!(of(21, time, Some(false)), seen.counted_at);
        }
    }

    proptest! {
        #[test]
        fn a_time_is_within_its_day_and_settled_at_once(
            ms in any::<i64>(),
            date in -100_000i32..100_000,
            session in prop::sample::select(Session::ALL.to_vec()),
        ) {
            let date = BusinessDay(date);
            let found = CountedAt::of(session, date, Timestamp(ms));
            prop_assert_eq!(found.assumed, found.at != Timestamp(ms));
            prop_assert!([date, date.plus(1)].contains(&BusinessDay::of(found.at)));
            prop_assert_eq!(CountedAt::of(session, date, found.at).at, found.at);
        }
    }
}
