//! When a store gets deliveries, and the cut-off of its orders.

use crate::business_day::BUSINESS_UTC_OFFSET_HOURS;
use crate::{BusinessDay, Qty, Span, Timestamp, holidays};

/// How many days ahead trucks are looked for.
pub const IN_VIEW: i32 = 62;

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

/// The truck that an order sent now is for, and the truck after it. The order has to last from one to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle {
    /// T₁: the first truck that the order can still make.
    pub first: Choice,
    /// T₂: the next truck.
    pub next: Choice,
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

    /// The day on which orders for a day close.
    #[must_use]
    pub fn closes(self, day: BusinessDay) -> BusinessDay {
        day.plus(i32::try_from(-self.cutoff_days).unwrap_or(i32::MIN))
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

    /// Whether a day comes before every truck that can still be ordered for: what is asked for it is urgent.
    #[must_use]
    pub fn is_urgent(self, day: BusinessDay, now: Timestamp) -> bool {
        self.choices(now, 1, IN_VIEW).first().is_none_or(|next| day < next.date)
    }

    /// T₁ and T₂ of an order sent at a moment; trucks before `from` do not count. `None` with fewer than two trucks in
    /// view ([`IN_VIEW`]).
    #[must_use]
    pub fn cycle(self, now: Timestamp, from: BusinessDay) -> Option<Cycle> {
        let mut trucks =
            self.choices(now, usize::MAX, IN_VIEW).into_iter().filter(|truck| truck.date >= from);
        Some(Cycle { first: trucks.next()?, next: trucks.next()? })
    }

    /// The delivery days within a span, whether they can still be ordered for or not.
    pub fn trucks(self, span: Span) -> impl Iterator<Item = BusinessDay> {
        span.each().filter(move |day| self.delivers(*day))
    }

    /// The first delivery day from a day on; `None` if there is none in view ([`IN_VIEW`]).
    #[must_use]
    pub fn truck_from(self, day: BusinessDay) -> Option<BusinessDay> {
        self.trucks(Span { from: day, to: day.plus(IN_VIEW) }).next()
    }
}

/// How far a quantity due to a store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Dispatched.
    Sent,
    /// On a delivery that has not left yet.
    Loading,
    /// Ordered, and on no delivery yet.
    Ordered,
    /// Ordered, and not on the delivery that was packed for the order: no truck brings it.
    LeftBehind,
}

/// The day on which a quantity arrives; `None` if no truck is planned for it. `rule`: the calendar of its source, if it
/// has one; without one it arrives on its own day.
///
/// What was sent and is overdue arrives today: it left, and what is unloaded at the store counts as on its way until it
/// is received.
#[must_use]
pub fn arrival(
    stage: Stage,
    due: BusinessDay,
    today: BusinessDay,
    rule: Option<Rule>,
) -> Option<BusinessDay> {
    let by_truck = |day: BusinessDay| rule.map_or(Some(day), |rule| rule.truck_from(day));
    match stage {
        Stage::Sent => Some(due.max(today)),
        Stage::Loading => by_truck(due.max(today)),
        Stage::Ordered if due >= today => by_truck(due),
        Stage::Ordered | Stage::LeftBehind => None,
    }
}

/// A quantity due to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// As by [`arrival`].
    pub arrives: Option<BusinessDay>,
    pub qty: Qty,
    /// Whether it is in transit; otherwise on order.
    pub sent: bool,
}

/// What is due to a store, by what it counts for when the stock has to last until a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// What trucks carry, whenever it arrives.
    pub in_transit: Qty,
    /// What of that arrives on that day or later: counts for nothing yet.
    pub in_transit_later: Qty,
    /// Not sent yet, and arrives before that day.
    pub on_order: Qty,
    /// Not sent yet, and arrives on that day or later: counts for nothing yet.
    pub later: Qty,
    /// No truck brings it: counts for nothing until it is delivered, produced, bought or closed short.
    pub short: Qty,
}

/// Counts what is due before a day. Sums saturate.
#[must_use]
pub fn counted(dues: &[Due], until: BusinessDay) -> Counted {
    let mut counted = Counted::default();
    for due in dues {
        let add = |sum: &mut Qty| sum.0 = sum.0.saturating_add(due.qty.0);
        match due.arrives {
            None => add(&mut counted.short),
            Some(day) if due.sent => {
                add(&mut counted.in_transit);
                if day >= until {
                    add(&mut counted.in_transit_later);
                }
            }
            Some(day) if day >= until => add(&mut counted.later),
            Some(_) => add(&mut counted.on_order),
        }
    }
    counted
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

    #[test]
    fn days_before_the_next_open_truck_are_urgent() {
        // Monday 23 November 2026, 16:00 in the stores: the truck of Tuesday can no longer be ordered for.
        let now = Timestamp::parse("2026-11-23T08:00:00Z").expect("a moment");
        assert!(RULE.is_urgent(day(2026, 11, 24), now));
        assert!(RULE.is_urgent(day(2026, 11, 25), now), "a day without a truck");
        assert!(!RULE.is_urgent(day(2026, 11, 26), now));
        assert!(!RULE.is_urgent(day(2026, 11, 27), now));
        assert!(Rule { weekdays: 0, ..RULE }.is_urgent(day(2026, 11, 27), now));
    }

    #[test]
    fn an_order_lasts_from_its_truck_to_the_next_one() {
        // Mondays, Wednesdays and Fridays, until 16:00 of the day before.
        let rule = Rule { weekdays: 0b001_0101, ..RULE };
        let cycle = |now: &str| {
            let now = Timestamp::parse(now).expect("a moment");
            rule.cycle(now, BusinessDay::of(now)).map(|it| (it.first.date, it.next.date))
        };
        // Friday 27 November 2026, 08:00 in the stores: the truck of today is gone. 30 November is Bonifacio Day, a
        // regular holiday without deliveries.
        assert_eq!(cycle("2026-11-27T00:00:00Z"), Some((day(2026, 12, 2), day(2026, 12, 4))));
        // Sunday, 15:59 and 16:00 in the stores.
        let daily = Rule { skip_holidays: false, ..rule };
        let on = |now: &str| {
            let now = Timestamp::parse(now).expect("a moment");
            daily.cycle(now, BusinessDay::of(now)).map(|it| (it.first.date, it.next.date))
        };
        assert_eq!(on("2026-11-29T07:59:00Z"), Some((day(2026, 11, 30), day(2026, 12, 2))));
        assert_eq!(on("2026-11-29T08:00:00Z"), Some((day(2026, 12, 2), day(2026, 12, 4))));
        let now = Timestamp::parse("2026-11-29T07:59:00Z").expect("a moment");
        assert_eq!(
            daily.cycle(now, day(2026, 12, 1)).map(|it| it.first.date),
            Some(day(2026, 12, 2)),
            "a truck before the first day does not count"
        );
        assert_eq!(Rule { weekdays: 0, ..rule }.cycle(now, day(2026, 11, 29)), None);
    }

    #[test]
    fn what_no_truck_brings_does_not_arrive() {
        let (friday, saturday) = (day(2026, 12, 4), day(2026, 12, 5));
        let rule = Some(Rule { weekdays: 0b001_0101, ..RULE });
        let at = |stage, due, rule| arrival(stage, due, saturday, rule);
        // A truck that left on Friday and was not received counts as here today.
        assert_eq!(at(Stage::Sent, friday, rule), Some(saturday));
        // A delivery that missed Friday's truck goes with Monday's.
        assert_eq!(at(Stage::Loading, friday, rule), Some(day(2026, 12, 7)));
        assert_eq!(at(Stage::Loading, friday, None), Some(saturday));
        assert_eq!(at(Stage::Ordered, day(2026, 12, 7), rule), Some(day(2026, 12, 7)));
        // The calendar changed after the order: the next truck brings it.
        assert_eq!(at(Stage::Ordered, day(2026, 12, 8), rule), Some(day(2026, 12, 9)));
        assert_eq!(at(Stage::Ordered, friday, rule), None);
        assert_eq!(at(Stage::Ordered, friday, None), None);
        assert_eq!(at(Stage::LeftBehind, day(2026, 12, 9), rule), None);
        assert_eq!(at(Stage::Ordered, day(2026, 12, 7), Some(Rule { weekdays: 0, ..RULE })), None);
    }

    #[test]
    fn only_what_comes_before_the_next_truck_counts() {
        let due = |arrives: Option<i8>, qty: i64, sent| Due {
            arrives: arrives.map(|n| day(2026, 12, n)),
            qty: Qty(qty),
            sent,
        };
        let dues = [
            due(Some(2), 5, true),
            due(Some(2), 7, false),
            due(Some(4), 11, false),
            due(None, 13, false),
            due(Some(4), 17, true),
        ];
        // What trucks carry is in transit, whenever it arrives.
        assert_eq!(
            counted(&dues, day(2026, 12, 4)),
            Counted {
                in_transit: Qty(22),
                in_transit_later: Qty(17),
                on_order: Qty(7),
                later: Qty(11),
                short: Qty(13),
            }
        );
    }

    fn rule() -> impl Strategy<Value = Rule> {
        (0u8..128, 0i64..8, 0i64..1_440, any::<bool>()).prop_map(
            |(weekdays, cutoff_days, cutoff_minutes, skip_holidays)| Rule {
                weekdays,
                cutoff_days,
                cutoff_minutes,
                skip_holidays,
            },
        )
    }

    proptest! {
        #[test]
        fn the_first_truck_is_the_first_one_still_open_and_the_next_one_follows(
            rule in rule(), now in 1_700_000_000i64..1_900_000_000, later in 0i32..3,
        ) {
            let now = Timestamp(now * 1_000);
            let from = BusinessDay::of(now).plus(later);
            let open = |day: &BusinessDay| rule.delivers(*day) && rule.cutoff(*day) > now;
            let days: Vec<BusinessDay> =
                (0..IN_VIEW - later).map(|n| from.plus(n)).filter(open).take(2).collect();
            let cycle = rule.cycle(now, from);
            prop_assert_eq!(
                cycle.map(|it| vec![it.first.date, it.next.date]),
                (days.len() == 2).then_some(days)
            );
            if let Some(Cycle { first, next }) = cycle {
                // No truck runs between the two.
                let between = Span { from: first.date.plus(1), to: next.date.plus(-1) };
                prop_assert_eq!(rule.trucks(between).next(), None);
                prop_assert!(first.cutoff > now && first.cutoff < next.cutoff);
            }
        }

        #[test]
        fn everything_that_is_not_sent_yet_arrives_on_a_truck_day_or_never(
            rule in rule(), today in 20_000i32..22_000, late in -20i32..20, stage in 0usize..4,
        ) {
            let stage = [Stage::Sent, Stage::Loading, Stage::Ordered, Stage::LeftBehind][stage];
            let (today, due) = (BusinessDay(today), BusinessDay(today + late));
            match arrival(stage, due, today, Some(rule)) {
                Some(day) => {
                    prop_assert!(day >= today && day >= due);
                    prop_assert!(stage == Stage::Sent || rule.delivers(day));
                }
                None => prop_assert!(
                    stage == Stage::LeftBehind
                        || (stage == Stage::Ordered && due < today)
                        || rule.truck_from(due.max(today)).is_none()
                ),
            }
        }

        #[test]
        fn every_quantity_due_counts_once(
            dues in prop::collection::vec((prop::option::of(0i32..30), 0i64..1_000_000, any::<bool>()), 0..20),
            until in 0i32..30,
        ) {
            let dues: Vec<Due> = dues
                .into_iter()
                .map(|(arrives, qty, sent)| Due { arrives: arrives.map(BusinessDay), qty: Qty(qty), sent })
                .collect();
            let found = counted(&dues, BusinessDay(until));
            let all: i64 = dues.iter().map(|due| due.qty.0).sum();
            prop_assert_eq!(found.in_transit.0 + found.on_order.0 + found.later.0 + found.short.0, all);
            let before = |due: &&Due| due.arrives.is_some_and(|arrives| arrives.0 < until);
            let counts: i64 = dues.iter().filter(before).map(|due| due.qty.0).sum();
            prop_assert_eq!(found.in_transit.0 - found.in_transit_later.0 + found.on_order.0, counts);
            let sent = dues.iter().filter(|due| due.sent && due.arrives.is_some());
            prop_assert_eq!(found.in_transit.0, sent.map(|due| due.qty.0).sum::<i64>());
        }

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
                prop_assert_eq!(BusinessDay::of(choice.cutoff), rule.closes(choice.date));
                prop_assert!(rule.closes(choice.date) <= choice.date);
                prop_assert_eq!(check(rule, choice.date, now), Ok(choice.cutoff));
            }
        }
    }
}
