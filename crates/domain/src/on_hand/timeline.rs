//! The order of a store's counts, movements and sales, and the stock that follows from it.
//!
//! An event with a time is part of every count made at or after that time. An event without one goes by its business
//! date: after an opening count of that date and before a closing one. Each count therefore has two positions, one
//! among the timed and one among the untimed events, and what happened between two counts is the difference of the sums
//! up to each. Differences of sums add up over any sequence of counts, even where date and time disagree.

use super::{AFTERNOON_HOUR, Passed};
use crate::business_day::BUSINESS_UTC_OFFSET_HOURS;
use crate::count::Session;
use crate::{BusinessDay, Qty, Timestamp};

const HOUR_MS: i64 = 3_600_000;
const DAY_SECONDS: i32 = 86_400;

/// A movement this close to a count may have been counted or not, whatever their times.
const CLOSE_MS: i64 = 3 * HOUR_MS;

/// Midnight (UTC+8) at the beginning of a date.
fn midnight(date: BusinessDay) -> i64 {
    (i64::from(date.0) * 24 - BUSINESS_UTC_OFFSET_HOURS) * HOUR_MS
}

/// Whether a count comes before or after the events of its date that have no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Before,
    After,
}

/// When a count was made. Ordered by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountTime {
    pub at: Timestamp,
    /// Its business date.
    pub date: BusinessDay,
    pub side: Side,
}

impl CountTime {
    /// An opening count comes before the untimed events of its date, a closing one after them. A count without a
    /// session is an opening one if it was made before 14:00.
    #[must_use]
    pub fn of(session: Session, date: BusinessDay, at: Timestamp) -> Self {
        let afternoon = midnight(date) + AFTERNOON_HOUR * HOUR_MS;
        let side = match session {
            Session::Opening => Side::Before,
            Session::Whole if at.0 < afternoon => Side::Before,
            Session::Whole | Session::Closing => Side::After,
        };
        Self { at, date, side }
    }
}

/// When a movement or sale happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventTime {
    /// Its business date.
    pub date: BusinessDay,
    /// `None` if unknown.
    pub at: Option<Timestamp>,
}

impl EventTime {
    /// The time of a sale: seconds since midnight (UTC+8) of its business date, past 86,400 after midnight; negative if
    /// unknown.
    #[must_use]
    pub fn of_sale(date: BusinessDay, seconds: i32) -> Self {
        let at = (seconds >= 0).then(|| Timestamp(midnight(date) + i64::from(seconds) * 1_000));
        Self { date, at }
    }

    /// Whether a count made then includes it.
    #[must_use]
    pub fn is_before(self, count: CountTime) -> bool {
        match self.at {
            Some(at) => at <= count.at,
            None => self.date < count.date || self.date == count.date && count.side == Side::After,
        }
    }

    /// Whether a person should be asked if the count included it. Without a time, if their dates are the same.
    #[must_use]
    pub fn is_close_to(self, count: CountTime) -> bool {
        match self.at {
            Some(at) => at.0.abs_diff(count.at.0) <= CLOSE_MS.unsigned_abs(),
            None => self.date == count.date,
        }
    }
}

/// Seconds since midnight of the business date for a clock time of a day that begins at `begins`: a time before that is
/// one after midnight, 00:40 is 24:40. Negative times are unknown and stay.
#[must_use]
pub const fn within_day(seconds: i32, begins: i32) -> i32 {
    if seconds >= 0 && seconds < begins { seconds + DAY_SECONDS } else { seconds }
}

/// Whether the time of a movement is asked for: it was due before a count and is being entered after it.
#[must_use]
pub fn asks_for_time(
    due: Timestamp,
    entered: Timestamp,
    counts: impl IntoIterator<Item = CountTime>,
) -> bool {
    counts.into_iter().any(|count| due <= count.at && count.at <= entered)
}

/// Whether a day's events have to be read with their times. If not, all of them are on the side of every count on which
/// the date alone puts them. `first` and `last` are the times of the first and the last one.
#[must_use]
pub fn needs_times(
    date: BusinessDay,
    (first, last): (Timestamp, Timestamp),
    counts: impl IntoIterator<Item = CountTime>,
) -> bool {
    let by_date = EventTime { date, at: None };
    counts.into_iter().any(|count| if by_date.is_before(count) { last > count.at } else { first <= count.at })
}

/// Cumulative sums of what moved and what was used.
type Sums<K> = Vec<(K, i128, i128)>;

fn sums<K: Ord + Copy>(mut events: Vec<(K, Passed)>) -> Sums<K> {
    events.sort_unstable_by_key(|(key, _)| *key);
    let mut sums: Sums<K> = Vec::with_capacity(events.len());
    let (mut moved, mut used) = (0, 0);
    for (key, passed) in events {
        moved += i128::from(passed.moved.0);
        used += i128::from(passed.used.0);
        match sums.last_mut() {
            Some(last) if last.0 == key => *last = (key, moved, used),
            _ => sums.push((key, moved, used)),
        }
    }
    sums
}

/// The sum of the leading entries for which `included` holds.
fn up_to<K: Copy>(sums: &[(K, i128, i128)], included: impl Fn(K) -> bool) -> Total {
    let count = sums.partition_point(|(key, ..)| included(*key));
    let sum = count.checked_sub(1).map_or((0, 0), |last| (sums[last].1, sums[last].2));
    Total { moved: sum.0, used: sum.1 }
}

/// A sum of movements and sales from the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Total {
    moved: i128,
    used: i128,
}

impl Total {
    /// What happened after `earlier` and up to this; `None` on overflow.
    #[must_use]
    pub fn since(self, earlier: Self) -> Option<Passed> {
        let qty = |now: i128, before: i128| i64::try_from(now.checked_sub(before)?).ok().map(Qty);
        Some(Passed { moved: qty(self.moved, earlier.moved)?, used: qty(self.used, earlier.used)? })
    }

    fn and(self, more: Passed) -> Self {
        Self { moved: self.moved + i128::from(more.moved.0), used: self.used + i128::from(more.used.0) }
    }

    fn plus(self, other: Self) -> Self {
        Self { moved: self.moved + other.moved, used: self.used + other.used }
    }
}

/// The movements and sales of one root item in one store.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// All, by business date.
    days: Sums<BusinessDay>,
    timed: Sums<Timestamp>,
    untimed: Sums<BusinessDay>,
}

impl Timeline {
    /// From events in any order.
    #[must_use]
    pub fn of(events: &[(EventTime, Passed)]) -> Self {
        let timed = |(time, passed): &(EventTime, Passed)| Some((time.at?, *passed));
        let untimed =
            |(time, passed): &(EventTime, Passed)| time.at.is_none().then_some((time.date, *passed));
        Self {
            days: sums(events.iter().map(|(time, passed)| (time.date, *passed)).collect()),
            timed: sums(events.iter().filter_map(timed).collect()),
            untimed: sums(events.iter().filter_map(untimed).collect()),
        }
    }

    /// Everything with a business date up to `day`, whatever its time.
    #[must_use]
    pub fn through(&self, day: BusinessDay) -> Total {
        up_to(&self.days, |date| date <= day)
    }

    /// Everything that a count includes, by the times alone.
    #[must_use]
    pub fn before(&self, count: CountTime) -> Total {
        let by_date = |date| EventTime { date, at: None }.is_before(count);
        up_to(&self.timed, |at| at <= count.at).plus(up_to(&self.untimed, by_date))
    }
}

/// A count of a root item, in root units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    pub time: CountTime,
    pub qty: Qty,
    /// What people answered about events close to the count: see [`answered`].
    pub answered: Passed,
}

/// The difference that answers make to what a count includes: events it included although they are later by time, less
/// those it did not although they are earlier. `None` on overflow.
#[must_use]
pub fn answered(
    count: CountTime,
    answers: impl IntoIterator<Item = (EventTime, Passed, bool)>,
) -> Option<Passed> {
    let mut sum = Passed::default();
    for (time, passed, included) in answers {
        sum = match (included, time.is_before(count)) {
            (true, false) => sum.plus(passed)?,
            (false, true) => Passed {
                moved: sum.moved.checked_sub(passed.moved)?,
                used: sum.used.checked_sub(passed.used)?,
            },
            _ => sum,
        };
    }
    Some(sum)
}

/// Stock, with what it was computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stock {
    /// The count it was computed from.
    pub count: Option<Anchor>,
    /// What happened since that count.
    pub since: Passed,
    /// `None` if never counted.
    pub on_hand: Option<Qty>,
}

fn total(count: &Anchor, timeline: &Timeline) -> Total {
    timeline.before(count.time).and(count.answered)
}

fn from(count: Option<&Anchor>, timeline: &Timeline, until: Total) -> Option<Stock> {
    let Some(count) = count else { return Some(Stock::default()) };
    let since = until.since(total(count, timeline))?;
    Some(Stock { count: Some(*count), since, on_hand: Some(count.qty.checked_add(since.net()?)?) })
}

/// Stock at the end of a business day: the latest count up to that date, and what happened since. `None` on overflow.
#[must_use]
pub fn at_end_of(day: BusinessDay, counts: &[Anchor], timeline: &Timeline) -> Option<Stock> {
    let count = counts.iter().filter(|count| count.time.date <= day).max_by_key(|count| count.time);
    from(count, timeline, timeline.through(day))
}

/// Expected stock at a count, from the latest one before it. `None` on overflow.
#[must_use]
pub fn expected_at(count: &Anchor, counts: &[Anchor], timeline: &Timeline) -> Option<Stock> {
    let before = counts.iter().filter(|other| other.time < count.time).max_by_key(|other| other.time);
    from(before, timeline, total(count, timeline))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(&format!("{text}+08:00")).expect("a time")
    }

    fn day(text: &str) -> BusinessDay {
        text.parse().expect("a date")
    }

    fn qty(text: &str) -> Qty {
        Qty::parse(text).expect("a quantity")
    }

    fn moved(text: &str) -> Passed {
        Passed { moved: qty(text), used: Qty::ZERO }
    }

    fn used(text: &str) -> Passed {
        Passed { moved: Qty::ZERO, used: qty(text) }
    }

    fn count(session: Session, date: &str, time: &str, quantity: &str) -> Anchor {
        let time = CountTime::of(session, day(date), at(time));
        Anchor { time, qty: qty(quantity), answered: Passed::default() }
    }

    fn happened(time: &str) -> EventTime {
        EventTime { date: BusinessDay::of(at(time)), at: Some(at(time)) }
    }

    fn on(date: &str) -> EventTime {
        EventTime { date: day(date), at: None }
    }

    #[test]
    fn a_delivery_before_the_count_is_part_of_it() {
        // 200 wings came at 02:51, and 397.5 were counted at 06:06: 397.5, not 597.5.
        let wings = [
            count(Session::Closing, "2026-11-18", "2026-11-18T22:00", "197.5"),
            count(Session::Opening, "2026-11-19", "2026-11-19T06:06", "397.5"),
        ];
        let came = Timeline::of(&[(happened("2026-11-19T02:51"), moved("200"))]);
        let stock = at_end_of(day("2026-11-19"), &wings, &came).expect("small numbers");
        assert_eq!((stock.on_hand, stock.since), (Some(qty("397.5")), Passed::default()));
        let expected = expected_at(&wings[1], &wings, &came).expect("small numbers");
        assert_eq!(expected.on_hand, Some(qty("397.5")));
        // Without its time it comes after an opening count.
        let came = Timeline::of(&[(on("2026-11-19"), moved("200"))]);
        let stock = at_end_of(day("2026-11-19"), &wings, &came).expect("small numbers");
        assert_eq!(stock.on_hand, Some(qty("597.5")));
    }

    #[test]
    fn an_answer_takes_precedence_over_the_times() {
        // Typed at 07:30, but already on the shelf at 06:06.
        let late = happened("2026-11-19T07:30");
        let mut wings = count(Session::Opening, "2026-11-19", "2026-11-19T06:06", "397.5");
        let came = Timeline::of(&[(late, moved("200"))]);
        let on_hand =
            |wings: Anchor| at_end_of(day("2026-11-19"), &[wings], &came).expect("small numbers").on_hand;
        assert_eq!(on_hand(wings), Some(qty("597.5")));
        wings.answered = answered(wings.time, [(late, moved("200"), true)]).expect("small numbers");
        assert_eq!(on_hand(wings), Some(qty("397.5")));
        // An answer that agrees with the times changes nothing.
        assert_eq!(answered(wings.time, [(late, moved("200"), false)]), Some(Passed::default()));
        let early = happened("2026-11-19T06:00");
        assert_eq!(answered(wings.time, [(early, moved("5"), false)]), Some(moved("-5")));
        assert_eq!(answered(wings.time, [(early, moved("5"), true)]), Some(Passed::default()));
    }

    #[test]
    fn a_count_splits_the_sales_of_its_day_by_time() {
        let date = day("2026-11-19");
        let sold = |time: i32, text: &str| (EventTime::of_sale(date, time), used(text));
        // 2 before 10:00, 3 until 21:00, 1 at 24:40.
        let sales = Timeline::of(&[sold(36_000, "2"), sold(75_600, "3"), sold(86_400 + 2_400, "1")]);
        // An opening count at 12:00 includes what was sold until then, whatever its session.
        let opening = count(Session::Opening, "2026-11-19", "2026-11-19T12:00", "8");
        let closing = count(Session::Closing, "2026-11-19", "2026-11-20T00:30", "5");
        let end = |counts: &[Anchor]| at_end_of(date, counts, &sales).expect("small numbers").on_hand;
        assert_eq!(end(&[opening]), Some(qty("4")));
        // Between the two, 3 were sold; afterwards one more, at 24:40.
        let expected = expected_at(&closing, &[opening, closing], &sales).expect("small numbers");
        assert_eq!(expected.on_hand, Some(qty("5")));
        assert_eq!(end(&[opening, closing]), Some(qty("4")));
    }

    #[test]
    fn sales_without_times_are_after_an_opening_and_before_a_closing_count() {
        let sales = Timeline::of(&[(on("2026-11-19"), used("6"))]);
        let end =
            |counts: &[Anchor]| at_end_of(day("2026-11-19"), counts, &sales).expect("small numbers").on_hand;
        assert_eq!(end(&[count(Session::Opening, "2026-11-19", "2026-11-19T23:00", "10")]), Some(qty("4")));
        assert_eq!(end(&[count(Session::Closing, "2026-11-19", "2026-11-19T06:00", "10")]), Some(qty("10")));
        assert_eq!(end(&[count(Session::Whole, "2026-11-19", "2026-11-19T13:59", "10")]), Some(qty("4")));
        assert_eq!(end(&[count(Session::Whole, "2026-11-19", "2026-11-19T14:00", "10")]), Some(qty("10")));
    }

    #[test]
    fn a_day_ends_by_its_date_whatever_was_counted_after_midnight() {
        // Ten came on the 20th at 00:20; the closing count of the 19th was made at 00:30 and includes them.
        let closing = count(Session::Closing, "2026-11-19", "2026-11-20T00:30", "30");
        let came = Timeline::of(&[(happened("2026-11-20T00:20"), moved("10"))]);
        let end = |date: &str| at_end_of(day(date), &[closing], &came).expect("small numbers").on_hand;
        assert_eq!(end("2026-11-19"), Some(qty("20")));
        assert_eq!(end("2026-11-20"), Some(qty("30")));
    }

    #[test]
    fn the_latest_count_by_time_is_the_one_that_matters() {
        // The closing count of the 19th was made up for after the opening count of the 20th.
        let opening = count(Session::Opening, "2026-11-20", "2026-11-20T07:00", "10");
        let closing = count(Session::Closing, "2026-11-19", "2026-11-20T08:00", "7");
        let sold = Timeline::of(&[(EventTime::of_sale(day("2026-11-20"), 27_000), used("2"))]);
        let end = |date: &str| at_end_of(day(date), &[closing, opening], &sold).expect("small numbers");
        assert_eq!(end("2026-11-20").on_hand, Some(qty("7")));
        // At the end of the 19th, what was sold at 07:30 was still there.
        assert_eq!(end("2026-11-19").on_hand, Some(qty("9")));
        let expected = expected_at(&closing, &[closing, opening], &sold).expect("small numbers");
        assert_eq!(expected.on_hand, Some(qty("8")));
        assert_eq!(end("2026-11-18"), Stock::default());
    }

    #[test]
    fn a_time_before_the_day_begins_is_after_midnight() {
        assert_eq!(within_day(2_400, 5 * 3_600), 88_800);
        assert_eq!(within_day(5 * 3_600, 5 * 3_600), 18_000);
        assert_eq!(within_day(2_400, 0), 2_400);
        assert_eq!(within_day(-1, 5 * 3_600), -1);
        assert_eq!(EventTime::of_sale(day("2026-11-19"), 88_800).at, Some(at("2026-11-20T00:40")));
    }

    #[test]
    fn a_person_is_asked_about_what_is_close() {
        let time = count(Session::Opening, "2026-11-19", "2026-11-19T06:06", "1").time;
        assert!(happened("2026-11-19T03:06").is_close_to(time));
        assert!(!happened("2026-11-19T03:05:59").is_close_to(time));
        assert!(happened("2026-11-19T09:06").is_close_to(time));
        assert!(on("2026-11-19").is_close_to(time) && !on("2026-11-18").is_close_to(time));
        let due = at("2026-11-19T05:00");
        assert!(asks_for_time(due, at("2026-11-19T09:00"), [time]));
        assert!(!asks_for_time(due, at("2026-11-19T06:00"), [time]));
        assert!(!asks_for_time(at("2026-11-19T06:07"), at("2026-11-19T09:00"), [time]));
    }

    /// A time within the first days, in steps of 25 minutes so that times coincide.
    fn time() -> impl Strategy<Value = Timestamp> {
        (0i64..60 * 6).prop_map(|step| Timestamp(midnight(BusinessDay(0)) + step * 25 * 60_000))
    }

    fn events() -> impl Strategy<Value = Vec<(EventTime, Passed)>> {
        let passed = (-1_000_000i64..1_000_000, -1_000_000i64..1_000_000)
            .prop_map(|(moved, used)| Passed { moved: Qty(moved), used: Qty(used) });
        let when = prop_oneof![
            time().prop_map(|at| EventTime { date: BusinessDay::of(at), at: Some(at) }),
            // Sales after midnight belong to the day before.
            time().prop_map(|at| EventTime { date: BusinessDay::of(at).plus(-1), at: Some(at) }),
            (0i32..6).prop_map(|date| EventTime { date: BusinessDay(date), at: None }),
        ];
        prop::collection::vec((when, passed), 0..40)
    }

    fn counts() -> impl Strategy<Value = Vec<Anchor>> {
        let session = prop::sample::select(Session::ALL.to_vec());
        let one = (session, time(), -1i32..2, 0i64..1_000_000).prop_map(|(session, at, off, qty)| {
            let time = CountTime::of(session, BusinessDay::of(at).plus(off), at);
            Anchor { time, qty: Qty(qty), answered: Passed::default() }
        });
        prop::collection::vec(one, 0..8)
    }

    fn sum<'a>(events: impl Iterator<Item = &'a (EventTime, Passed)>) -> i64 {
        events.map(|(_, passed)| passed.moved.0 - passed.used.0).sum()
    }

    proptest! {
        /// Stock equals the plain sum of the events that the latest count did not include, less those that it included
        /// and that belong to later days.
        #[test]
        fn stock_is_the_count_and_the_events_that_it_lacks(
            events in events(),
            counts in counts(),
            day in -1i32..8,
        ) {
            let day = BusinessDay(day);
            let found = at_end_of(day, &counts, &Timeline::of(&events)).expect("small numbers");
            let last = counts.iter().filter(|count| count.time.date <= day).max_by_key(|count| count.time);
            let plain = last.map(|last| {
                let lacks = events.iter().filter(|(time, _)| time.date <= day && !time.is_before(last.time));
                let ahead = events.iter().filter(|(time, _)| time.date > day && time.is_before(last.time));
                Qty(last.qty.0 + sum(lacks) - sum(ahead))
            });
            prop_assert_eq!(found.on_hand, plain);
        }

        /// What was expected at each count, and what was found there, add up to the stock: counts never create or lose
        /// anything between them.
        #[test]
        fn variances_add_up_to_the_difference_between_two_counts(events in events(), counts in counts()) {
            let mut counts = counts;
            counts.sort_by_key(|count| count.time);
            counts.dedup_by_key(|count| count.time);
            let timeline = Timeline::of(&events);
            let mut variances = 0;
            for count in counts.iter().skip(1) {
                let expected = expected_at(count, &counts, &timeline).expect("small numbers");
                variances += count.qty.0 - expected.on_hand.expect("an earlier count").0;
            }
            if let (Some(first), Some(last)) = (counts.first(), counts.last()) {
                let passed = total(last, &timeline).since(total(first, &timeline)).expect("small numbers");
                let net = passed.net().expect("small numbers");
                prop_assert_eq!(last.qty.0 - first.qty.0 - net.0, variances);
            }
        }

        /// The order of arrival changes nothing.
        #[test]
        fn late_events_give_the_same_stock(
            events in events(),
            counts in counts(),
            turn in 0usize..40,
            day in 0i32..8,
        ) {
            let mut other = events.clone();
            other.rotate_left(turn % events.len().max(1));
            let stock = |events: &[(EventTime, Passed)]| {
                at_end_of(BusinessDay(day), &counts, &Timeline::of(events))
            };
            prop_assert_eq!(stock(&events), stock(&other));
        }

        /// An event that the latest count includes changes what was expected there, and not the stock.
        #[test]
        fn a_count_settles_what_came_before_it(
            events in events(),
            late in events(),
            counts in counts(),
        ) {
            let end = BusinessDay(9);
            let last = counts.iter().max_by_key(|count| count.time);
            let Some(last) = last else { return Ok(()) };
            let settled = late.into_iter().filter(|(time, _)| time.is_before(last.time));
            let with: Vec<_> = events.iter().copied().chain(settled).collect();
            let on_hand = |events: &[(EventTime, Passed)]| {
                at_end_of(end, &counts, &Timeline::of(events)).expect("small numbers").on_hand
            };
            prop_assert_eq!(on_hand(&events), on_hand(&with));
        }

        /// Answers move single events to the other side of a count, exactly.
        #[test]
        fn answers_equal_a_plain_partition(
            events in events(),
            counts in counts(),
            said in prop::collection::vec(prop::option::of(any::<bool>()), 40),
        ) {
            let Some(last) = counts.iter().max_by_key(|count| count.time) else { return Ok(()) };
            let answers = events.iter().zip(&said);
            let answers = answers.filter_map(|((time, passed), said)| Some((*time, *passed, (*said)?)));
            let difference = answered(last.time, answers).expect("small numbers");
            let count = Anchor { answered: difference, ..*last };
            let end = BusinessDay(9);
            let found = at_end_of(end, &[count], &Timeline::of(&events)).expect("small numbers");
            let lacks = events.iter().zip(&said);
            let lacks = lacks.filter(|((time, _), said)| !said.unwrap_or(time.is_before(last.time)));
            prop_assert_eq!(found.on_hand, Some(Qty(last.qty.0 + sum(lacks.map(|(event, _)| event)))));
        }

        /// A day whose times need not be read gives the same sums without them.
        #[test]
        fn times_are_only_read_where_they_matter(
            times in prop::collection::vec((time(), -1_000i64..1_000), 1..20),
            date in 0i32..6,
            counts in counts(),
        ) {
            let date = BusinessDay(date);
            let passed = |qty: i64| Passed { moved: Qty(qty), used: Qty::ZERO };
            let timed: Vec<_> =
                times.iter().map(|(at, qty)| (EventTime { date, at: Some(*at) }, passed(*qty))).collect();
            let untimed: Vec<_> =
                timed.iter().map(|(_, passed)| (EventTime { date, at: None }, *passed)).collect();
            let first = times.iter().map(|(at, _)| *at).min().expect("some");
            let last = times.iter().map(|(at, _)| *at).max().expect("some");
            let (timed, untimed) = (Timeline::of(&timed), Timeline::of(&untimed));
            for count in &counts {
                if !needs_times(date, (first, last), [count.time]) {
                    prop_assert_eq!(timed.before(count.time), untimed.before(count.time));
                }
            }
        }
    }
}
