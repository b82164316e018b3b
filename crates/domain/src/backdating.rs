//! How far back a stock movement or cash entry may be dated.

use crate::BusinessDay;

/// Maximum number of days back without an override.
pub const MOST_DAYS: i32 = 35;

/// The facts for judging a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    pub today: BusinessDay,
    /// The Monday of the newest frozen week.
    pub newest_frozen: Option<BusinessDay>,
    /// Whether the day's own week is frozen.
    pub frozen: bool,
}

impl Known {
    /// The first day that needs no override: the day after the newest frozen week, and at most [`MOST_DAYS`] ago.
    #[must_use]
    pub fn earliest(self) -> BusinessDay {
        let back = self.today.plus(-MOST_DAYS);
        self.newest_frozen.map_or(back, |monday| back.max(monday.plus(7)))
    }

    /// Whether posting on a day is allowed.
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

/// Whether posting on a day is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Allowed.
    Open,
    /// Only with the override permission and a reason. The first day that needs neither.
    NeedsOverride(BusinessDay),
    /// Not while its week is frozen: the Monday of that week.
    Frozen(BusinessDay),
    /// The day is in the future.
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
            // An earlier week that is not frozen.
            ("2026-11-08", frozen, false, Verdict::NeedsOverride(day("2026-11-16"))),
            // An earlier week that is frozen too.
            ("2026-11-04", frozen, true, Verdict::Frozen(day("2026-11-02"))),
            // An old frozen week does not extend the limit beyond 35 days.
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
