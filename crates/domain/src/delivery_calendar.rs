//! When a store gets deliveries, and the cut-off of its orders.

use crate::business_day::BUSINESS_UTC_OFFSET_HOURS;
use crate::{BusinessDay, Timestamp, holidays};

/// A source's delivery schedule for a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Monday is bit 0.
    pub weekdays: u8,
    /// Days before the delivery on which orders close.
    pub cutoff_days: i64,
    /// Minutes after midnight (UTC+8) at which they close on that day.
    pub cutoff_minutes: i64,
    /// Whether there are no deliveries on regular holidays.
    pub skip_holidays: bool,
}

/// A possible delivery day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub date: BusinessDay,
    /// The order's cut-off.
    pub cutoff: Timestamp,
}

impl Rule {
    /// Whether a day's weekday is scheduled, holiday or not.
    #[must_use]
    pub fn names(self, day: BusinessDay) -> bool {
        self.weekdays & (1 << day.weekday()) != 0
    }

    /// Whether there is a delivery on a day.
    #[must_use]
    pub fn delivers(self, day: BusinessDay) -> bool {
        self.names(day) && !(self.skip_holidays && holidays::regular_on(day).is_some())
    }

    /// The cut-off of orders for a day.
    #[must_use]
    pub fn cutoff(self, day: BusinessDay) -> Timestamp {
        let closes = i64::from(day.0) - self.cutoff_days;
        Timestamp(((closes * 24 - BUSINESS_UTC_OFFSET_HOURS) * 60 + self.cutoff_minutes) * 60_000)
    }

    /// The days still open for ordering at a moment, at most `most` of them within `within` days.
    #[must_use]
    pub fn choices(self, now: Timestamp, most: usize, within: i32) -> Vec<Choice> {
        let today = BusinessDay::of(now);
        (0..within)
            .map(|days| today.plus(days))
            .filter(|day| self.delivers(*day))
            .map(|date| Choice { date, cutoff: self.cutoff(date) })
            .filter(|choice| choice.cutoff > now)
            .take(most)
            .collect()
    }
}

/// Why a day cannot be ordered for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    Closed(Timestamp),
    /// There is no delivery on that day; these are the next possible ones.
    NotDelivered(Vec<BusinessDay>),
}

/// The cut-off of orders for a day.
///
/// # Errors
/// Why the day cannot be ordered for.
pub fn check(rule: Rule, day: BusinessDay, now: Timestamp) -> Result<Timestamp, Refused> {
    if !rule.delivers(day) {
        return Err(Refused::NotDelivered(rule.choices(now, 3, 62).iter().map(|it| it.date).collect()));
    }
    let cutoff = rule.cutoff(day);
    if cutoff > now { Ok(cutoff) } else { Err(Refused::Closed(cutoff)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(y: i16, m: i8, d: i8) -> BusinessDay {
        BusinessDay::from_ymd(y, m, d).expect("a day")
    }

    /// Tuesdays, Thursdays and Saturdays, until 16:00 of the day before.
    const RULE: Rule =
        Rule { weekdays: 0b010_1010, cutoff_days: 1, cutoff_minutes: 16 * 60, skip_holidays: true };

    #[test]
    fn dates_and_cut_offs_follow_from_the_rule() {
        // Monday 23 November 2026, 15:59 and 16:00 in the stores.
        let before = Timestamp::parse("2026-11-23T07:59:00Z").expect("a moment");
        let after = Timestamp::parse("2026-11-23T08:00:00Z").expect("a moment");
        let dates = |now| RULE.choices(now, 3, 60).iter().map(|it| it.date).collect::<Vec<_>>();
        assert_eq!(dates(before), [day(2026, 11, 24), day(2026, 11, 26), day(2026, 11, 28)]);
        assert_eq!(dates(after)[0], day(2026, 11, 26));
        assert_eq!(check(RULE, day(2026, 11, 24), after), Err(Refused::Closed(after)));
        assert!(
            matches!(check(RULE, day(2026, 11, 25), after), Err(Refused::NotDelivered(next)) if next.len() == 3)
        );
        // Christmas 2026 is a Friday, Maundy Thursday 2026 the 2nd of April.
        assert!(!RULE.delivers(day(2026, 4, 2)));
        assert!(Rule { skip_holidays: false, ..RULE }.delivers(day(2026, 4, 2)));
        assert!(Rule { weekdays: 0, ..RULE }.choices(before, 5, 60).is_empty());
    }

    proptest! {
        #[test]
        fn choices_are_open_ordered_and_delivered(
            weekdays in 0u8..128, days in 0i64..8, minutes in 0i64..1_440, skip: bool, now in 1_700_000_000i64..1_900_000_000,
        ) {
            let rule = Rule { weekdays, cutoff_days: days, cutoff_minutes: minutes, skip_holidays: skip };
            let now = Timestamp(now * 1_000);
            let choices = rule.choices(now, 10, 40);
            prop_assert!(choices.windows(2).all(|two| two[0].date < two[1].date));
            for choice in choices {
                prop_assert!(choice.cutoff > now && rule.delivers(choice.date));
                prop_assert!(BusinessDay::of(choice.cutoff) <= choice.date);
                prop_assert_eq!(check(rule, choice.date, now), Ok(choice.cutoff));
            }
        }
    }
}
