//! How far back the day of a movement of stock or of cash may be.

use crate::BusinessDay;

/// How many days back a day may be without an override.
pub const MOST_DAYS: i32 = 35;

/// What is known when a day is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    pub today: BusinessDay,
    /// The Monday of the newest week whose snapshot is frozen.
    pub newest_frozen: Option<BusinessDay>,
    /// Whether the week of the day itself is frozen.
    pub frozen: bool,
}

impl Known {
    /// The first day that needs no override: the day after the newest frozen week, and not more than [`MOST_DAYS`] ago.
    #[must_use]
    pub fn earliest(self) -> BusinessDay {
        let back = self.today.plus(-MOST_DAYS);
        self.newest_frozen.map_or(back, |monday| back.max(monday.plus(7)))
    }

    /// Whether something may be posted on a day.
    #[must_use]
    pub fn judge(self, day: BusinessDay) -> Verdict {
        if day > self.today {
            Verdict::Ahead
        } else if self.frozen {
            Verdict::Frozen(day.week())
        } else if day < self.earliest() {
            Verdict::NeedsOverride(self.earliest())
        } else {
            Verdict::Open
        }
    }
}

/// Whether something may be posted on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It may.
    Open,
    /// Only with the right to override and a reason. The first day that needs neither.
    NeedsOverride(BusinessDay),
    /// Not while the snapshot of its week is frozen: the Monday of that week.
    Frozen(BusinessDay),
    /// Not before that day has come.
    Ahead,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> BusinessDay {
        text.parse().expect("a day")
    }

    #[test]
    fn every_day_is_open_needs_an_override_or_is_refused() {
        // 25 Nov 2026 is a Wednesday; 35 days before it is 21 Oct.
        let none = None;
        let frozen = Some("2026-11-09");
        let old = Some("2026-09-07");
        for (of, newest, is_frozen, expected) in [
            ("2026-11-26", none, false, Verdict::Ahead),
            ("2026-11-26", frozen, true, Verdict::Ahead),
            ("2026-11-25", none, false, Verdict::Open),
            ("2026-10-21", none, false, Verdict::Open),
            ("2026-10-20", none, false, Verdict::NeedsOverride(day("2026-10-21"))),
            ("1900-01-01", none, false, Verdict::NeedsOverride(day("2026-10-21"))),
            // The newest frozen week ends on Sunday, 15 Nov.
            ("2026-11-16", frozen, false, Verdict::Open),
            ("2026-11-15", frozen, true, Verdict::Frozen(day("2026-11-09"))),
            ("2026-11-09", frozen, true, Verdict::Frozen(day("2026-11-09"))),
            // A week before it that nobody froze.
            ("2026-11-08", frozen, false, Verdict::NeedsOverride(day("2026-11-16"))),
            // One before it that is frozen too.
            ("2026-11-04", frozen, true, Verdict::Frozen(day("2026-11-02"))),
            // A frozen week of long ago does not reach further back than 35 days.
            ("2026-10-21", old, false, Verdict::Open),
            ("2026-10-20", old, false, Verdict::NeedsOverride(day("2026-10-21"))),
            ("2026-09-13", old, true, Verdict::Frozen(day("2026-09-07"))),
        ] {
            let known = Known { today: day("2026-11-25"), newest_frozen: newest.map(day), frozen: is_frozen };
            assert_eq!(known.judge(day(of)), expected, "{of} with {newest:?}");
        }
    }

    #[test]
    fn nothing_is_open_before_the_earliest_day() {
        let today = day("2026-11-25");
        for weeks in 0..8 {
            let monday = today.week().plus(-7 * weeks);
            let known = Known { today, newest_frozen: Some(monday), frozen: false };
            for ago in 0..70 {
                let of = today.plus(-ago);
                let open = known.judge(of) == Verdict::Open;
                assert_eq!(open, of >= known.earliest(), "{of} after the week of {monday}");
            }
        }
    }
}
