//! The order of a store's counts, movements and sales.
//!
//! An event with a time is part of every count made at or after that time. An event without one goes by its business
//! date: after an opening count of that date and before a closing one. So a count has two positions, one among the timed
//! and one among the untimed events, and what happened between two counts is the difference of the sums up to each.
//! Differences of sums add up over any sequence of counts and days, even where date and time disagree.

use std::collections::BTreeMap;

use super::Passed;
use crate::business_day::BUSINESS_UTC_OFFSET_HOURS;
use crate::count::Session;
use crate::{BusinessDay, Qty, Span, Timestamp};

const HOUR_MS: i64 = 3_600_000;
const DAY_SECONDS: i32 = 86_400;

/// Business hour before which a count without a session is an opening one, and from which a closing one.
const AFTERNOON_HOUR: i64 = 14;

/// A movement this close to a count may have been counted or not, whatever their times.
const CLOSE_MS: i64 = 3 * HOUR_MS;

/// Midnight (UTC+8) at the beginning of a date.
fn midnight(date: BusinessDay) -> i64 {
    (i64::from(date.0) * 24 - BUSINESS_UTC_OFFSET_HOURS) * HOUR_MS
}

/// Whether a count comes before or after the events of its date that have no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Side {
    Before,
    After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Point {
    Count(Timestamp, Side),
    End,
}

/// A point in a store's history: a count, or the end of a business day. Ordered by business date, then by time; a day
/// ends after all its counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    day: BusinessDay,
    point: Point,
}

impl Moment {
    /// Before everything of a business day.
    #[must_use]
    pub const fn before(day: BusinessDay) -> Self {
        Self::after(BusinessDay(day.0.saturating_sub(1)))
    }

    /// After everything of a business day.
    #[must_use]
    pub const fn after(day: BusinessDay) -> Self {
        Self { day, point: Point::End }
    }

    /// The moment of a count made at `at`. An opening count comes before the untimed events of its date, a closing one
    /// after them; one without a session is an opening count if it was made before 14:00.
    #[must_use]
    pub fn of(session: Session, date: BusinessDay, at: Timestamp) -> Self {
        let afternoon = midnight(date) + AFTERNOON_HOUR * HOUR_MS;
        let side = match session {
            Session::Opening => Side::Before,
            Session::Whole if at.0 < afternoon => Side::Before,
            Session::Whole | Session::Closing => Side::After,
        };
        Self { day: date, point: Point::Count(at, side) }
    }

    /// Its business day.
    #[must_use]
    pub const fn day(self) -> BusinessDay {
        self.day
    }

    /// Whether it is an opening count.
    #[must_use]
    pub fn is_opening(self) -> bool {
        matches!(self.point, Point::Count(_, Side::Before))
    }

    /// Whether it is a count of this session of its day.
    #[must_use]
    pub fn is_of(self, session: Session) -> bool {
        match (self.point, session) {
            (Point::End, _) => false,
            (Point::Count(..), Session::Whole) => true,
            (Point::Count(_, side), Session::Opening) => side == Side::Before,
            (Point::Count(_, side), Session::Closing) => side == Side::After,
        }
    }

    /// Its time; that of the end of a business day is midnight (UTC+8).
    #[must_use]
    pub fn time(self) -> Timestamp {
        match self.point {
            Point::Count(at, _) => at,
            Point::End => Timestamp(midnight(self.day).saturating_add(i64::from(DAY_SECONDS) * 1_000)),
        }
    }

    /// Whether both belong to the same count of a day: items of one count are counted one after the other.
    #[must_use]
    pub fn is_with(self, other: Self) -> bool {
        match (self.point, other.point) {
            (Point::Count(_, one), Point::Count(_, two)) => (self.day, one) == (other.day, two),
            _ => self == other,
        }
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

    /// Its time; noon (UTC+8) of its business date if unknown.
    #[must_use]
    pub fn or_noon(self) -> Timestamp {
        self.at.unwrap_or_else(|| Timestamp(midnight(self.date) + 12 * HOUR_MS))
    }

    /// Whether a count made at that moment includes it, or whether it belongs to the day that ends then or an earlier one.
    #[must_use]
    pub fn is_before(self, moment: Moment) -> bool {
        match (moment.point, self.at) {
            (Point::End, _) => self.date <= moment.day,
            (Point::Count(counted, _), Some(at)) => at <= counted,
            (Point::Count(_, side), None) => {
                self.date < moment.day || self.date == moment.day && side == Side::After
            }
        }
    }

    /// Whether a person should be asked if the count included it. Without a time, if their dates are the same.
    #[must_use]
    pub fn is_close_to(self, count: Moment) -> bool {
        match (count.point, self.at) {
            (Point::End, _) => false,
            (Point::Count(counted, _), Some(at)) => at.0.abs_diff(counted.0) <= CLOSE_MS.unsigned_abs(),
            (Point::Count(..), None) => self.date == count.day,
        }
    }
}

/// Seconds since midnight of the business date for a clock time of a day that begins at `begins`: a time before that is
/// one after midnight, 00:40 is 24:40. Negative times are unknown and stay.
#[must_use]
pub const fn within_day(seconds: i32, begins: i32) -> i32 {
    if seconds >= 0 && seconds < begins { seconds + DAY_SECONDS } else { seconds }
}

/// Where the counts of a business date cut its sales: seconds since midnight (UTC+8) of `date`; `None` if the count is
/// outside of anything that seconds can say.
#[must_use]
pub fn cut(date: BusinessDay, count: Moment) -> Option<i32> {
    match count.point {
        Point::End => None,
        Point::Count(at, _) => i32::try_from((at.0.checked_sub(midnight(date))?).div_euclid(1_000)).ok(),
    }
}

/// Whether the time of a movement is asked for: it was due before a count and is being entered after it.
#[must_use]
pub fn asks_for_time(
    due: Timestamp,
    entered: Timestamp,
    counts: impl IntoIterator<Item = Timestamp>,
) -> bool {
    counts.into_iter().any(|counted| due <= counted && counted <= entered)
}

/// Whether a day's events have to be read with their times. If not, all of them are on the side of every count on which
/// the date alone puts them. `first` and `last` are the times of the first and the last one.
#[must_use]
pub fn needs_times(
    date: BusinessDay,
    (first, last): (Timestamp, Timestamp),
    counts: impl IntoIterator<Item = Moment>,
) -> bool {
    let [by_date, first, last] = [None, Some(first), Some(last)].map(|at| EventTime { date, at });
    counts.into_iter().any(|count| {
        let all = by_date.is_before(count);
        first.is_before(count) != all || last.is_before(count) != all
    })
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

/// The sum of the first entries.
fn first<K>(sums: &[(K, i128, i128)], count: usize) -> (i128, i128) {
    count.checked_sub(1).map_or((0, 0), |last| (sums[last].1, sums[last].2))
}

/// Events up to a moment: among all by date, or among the timed and the untimed ones, with what people answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    Days(usize),
    Events(usize, usize, Passed),
}

/// The movements and sales of one root item in one store.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    /// All, by business date.
    days: Sums<BusinessDay>,
    timed: Sums<Timestamp>,
    untimed: Sums<BusinessDay>,
    /// What counts include beyond their times, by what people answered.
    answered: BTreeMap<Moment, Passed>,
}

impl Flow {
    /// From events without times, in any order.
    #[must_use]
    pub fn of(events: Vec<(BusinessDay, Passed)>) -> Self {
        let days = sums(events);
        Self { untimed: days.clone(), days, ..Self::default() }
    }

    /// From events in any order.
    #[must_use]
    pub fn timed(events: &[(EventTime, Passed)]) -> Self {
        let timed = |(time, passed): &(EventTime, Passed)| Some((time.at?, *passed));
        let untimed =
            |(time, passed): &(EventTime, Passed)| time.at.is_none().then_some((time.date, *passed));
        Self {
            days: sums(events.iter().map(|(time, passed)| (time.date, *passed)).collect()),
            timed: sums(events.iter().filter_map(timed).collect()),
            untimed: sums(events.iter().filter_map(untimed).collect()),
            answered: BTreeMap::new(),
        }
    }

    /// Whether anything happened on these business dates.
    #[must_use]
    pub fn has_any(&self, span: Span) -> bool {
        self.days.iter().any(|(date, ..)| (span.from..=span.to).contains(date))
    }

    /// With a person's answer whether a count included one of the events. It takes precedence over the times for that
    /// count alone. `None` on overflow.
    #[must_use]
    pub fn with_answer(
        mut self,
        count: Moment,
        (time, passed): (EventTime, Passed),
        included: bool,
    ) -> Option<Self> {
        let known = self.answered.remove(&count).unwrap_or_default();
        let now = match (included, time.is_before(count)) {
            (true, false) => known.plus(passed)?,
            (false, true) => known.less(passed)?,
            _ => known,
        };
        self.answered.insert(count, now);
        Some(self)
    }

    pub(super) fn position(&self, moment: Moment) -> Position {
        let by_date = |date: BusinessDay| EventTime { date, at: None }.is_before(moment);
        match moment.point {
            Point::End => Position::Days(self.days.partition_point(|(date, ..)| by_date(*date))),
            Point::Count(counted, _) => Position::Events(
                self.timed.partition_point(|(at, ..)| *at <= counted),
                self.untimed.partition_point(|(date, ..)| by_date(*date)),
                self.answered.get(&moment).copied().unwrap_or_default(),
            ),
        }
    }

    /// The sum of everything up to a moment: moved, used.
    fn until(&self, moment: Moment) -> (i128, i128) {
        match self.position(moment) {
            Position::Days(days) => first(&self.days, days),
            Position::Events(timed, untimed, answered) => {
                let (timed, untimed) = (first(&self.timed, timed), first(&self.untimed, untimed));
                let (moved, used) = (i128::from(answered.moved.0), i128::from(answered.used.0));
                (timed.0 + untimed.0 + moved, timed.1 + untimed.1 + used)
            }
        }
    }

    /// The flow of a day; `None` on overflow.
    #[must_use]
    pub fn on(&self, day: BusinessDay) -> Option<Passed> {
        self.between(Moment::before(day), Moment::after(day))
    }

    /// The flow between two moments, negative if they are in the wrong order; `None` on overflow.
    #[must_use]
    pub fn between(&self, from: Moment, to: Moment) -> Option<Passed> {
        let ((moved, used), (moved_before, used_before)) = (self.until(to), self.until(from));
        let qty = |sum: i128, before: i128| i64::try_from(sum - before).ok().map(Qty);
        Some(Passed { moved: qty(moved, moved_before)?, used: qty(used, used_before)? })
    }
}

#[cfg(test)]
impl Moment {
    /// Every second one is an opening count at 07:00, the others closing counts at 21:00.
    pub(super) fn half(n: i32) -> Self {
        let (day, closing) = (BusinessDay(n.div_euclid(2)), n.rem_euclid(2) == 1);
        let (session, hour) = if closing { (Session::Closing, 21) } else { (Session::Opening, 7) };
        Self::of(session, day, Timestamp(midnight(day) + hour * HOUR_MS))
    }
}

/// Random counts and events of the first days, for the tests of all that is computed from them.
#[cfg(test)]
pub(super) mod random {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// In steps of 50 minutes, so that times coincide.
    fn time() -> impl Strategy<Value = Timestamp> {
        (0i64..29 * 20).prop_map(|step| Timestamp(midnight(BusinessDay(0)) + step * 50 * 60_000))
    }

    /// Sorted, each moment once. The date of a count is the day it was made on, or one beside it.
    pub fn counts(most: usize) -> impl Strategy<Value = Vec<Moment>> {
        let session = prop::sample::select(Session::ALL.to_vec());
        let one = (session, time(), -1i32..2)
            .prop_map(|(session, at, off)| Moment::of(session, BusinessDay::of(at).plus(off), at));
        prop::collection::vec(one, 0..most)
            .prop_map(|counts| counts.into_iter().collect::<BTreeSet<_>>().into_iter().collect())
    }

    pub fn events(most: usize) -> impl Strategy<Value = Vec<(EventTime, Passed)>> {
        let passed = (-1_000_000i64..1_000_000, -1_000_000i64..1_000_000)
            .prop_map(|(moved, used)| Passed { moved: Qty(moved), used: Qty(used) });
        let when = prop_oneof![
            time().prop_map(|at| EventTime { date: BusinessDay::of(at), at: Some(at) }),
            // Sales after midnight belong to the day before.
            time().prop_map(|at| EventTime { date: BusinessDay::of(at).plus(-1), at: Some(at) }),
            (0i32..20).prop_map(|date| EventTime { date: BusinessDay(date), at: None }),
        ];
        prop::collection::vec((when, passed), 0..most)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{BaselineCount, Counted, Figures, compute};
    use super::*;
    use crate::Factor;

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

    fn count(session: Session, date: &str, time: &str, quantity: &str) -> BaselineCount {
        BaselineCount { moment: Moment::of(session, day(date), at(time)), qty: qty(quantity) }
    }

    fn happened(time: &str) -> EventTime {
        EventTime { date: BusinessDay::of(at(time)), at: Some(at(time)) }
    }

    fn on(date: &str) -> EventTime {
        EventTime { date: day(date), at: None }
    }

    /// The figures of an item at the end of a day, of its counts up to that day.
    fn figures(counts: &[BaselineCount], flow: &Flow, end: &str) -> Figures {
        let end = Moment::after(day(end));
        let mut counts: Vec<_> = counts.iter().copied().filter(|count| count.moment <= end).collect();
        counts.sort_by_key(|count| count.moment);
        let (last, earlier) = (counts.pop(), counts.pop());
        let item = Counted { roots: vec![(0, Factor(1_000_000_000))], last, earlier, before: None };
        compute(&[item], std::slice::from_ref(flow), end).expect("small numbers").roots[0]
    }

    #[test]
    fn moments_are_ordered_by_date_and_time() {
        let of = |session, date: &str, time: &str| Moment::of(session, day(date), at(time));
        let opening = of(Session::Opening, "2026-11-19", "2026-11-19T06:06");
        let closing = of(Session::Closing, "2026-11-19", "2026-11-20T00:30");
        let next = of(Session::Opening, "2026-11-20", "2026-11-20T00:10");
        let end = Moment::after(day("2026-11-19"));
        assert!(
            Moment::before(day("2026-11-19")) < opening && opening < closing && closing < end && end < next
        );
        assert_eq!(end, Moment::before(day("2026-11-20")));
        assert!(opening.is_opening() && !closing.is_opening() && !end.is_opening());
        assert!(opening.is_of(Session::Opening) && opening.is_of(Session::Whole));
        assert!(!opening.is_of(Session::Closing) && !end.is_of(Session::Whole));
        // Items of one count are counted one after the other.
        assert!(opening.is_with(of(Session::Opening, "2026-11-19", "2026-11-19T06:40")));
        assert!(!opening.is_with(closing) && !opening.is_with(next) && end.is_with(end));
    }

    #[test]
    fn a_delivery_before_the_count_is_part_of_it() {
        // 200 wings came at 02:51, and 397.5 were counted at 06:06: 397.5 are there, not 597.5.
        let wings = [
            count(Session::Closing, "2026-11-18", "2026-11-18T22:00", "197.5"),
            count(Session::Opening, "2026-11-19", "2026-11-19T06:06", "397.5"),
        ];
        let came = Flow::timed(&[(happened("2026-11-19T02:51"), moved("200"))]);
        let found = figures(&wings, &came, "2026-11-19");
        assert_eq!((found.on_hand, found.expected), (Some(qty("397.5")), Some(qty("397.5"))));
        assert_eq!(found.variance(), Some(Qty::ZERO));
        // At the very moment of the count it is part of it; a second later it is not.
        for (time, expected) in [("2026-11-19T06:06", "397.5"), ("2026-11-19T06:06:01", "597.5")] {
            let came = Flow::timed(&[(happened(time), moved("200"))]);
            assert_eq!(figures(&wings, &came, "2026-11-19").on_hand, Some(qty(expected)), "{time}");
        }
        // Without its time it comes after an opening count.
        let came = Flow::timed(&[(on("2026-11-19"), moved("200"))]);
        let found = figures(&wings, &came, "2026-11-19");
        assert_eq!((found.on_hand, found.variance()), (Some(qty("597.5")), Some(qty("200"))));
    }

    #[test]
    fn an_answer_takes_precedence_over_the_times() {
        // Typed at 07:30, but already on the shelf at 06:06.
        let (late, early) = (happened("2026-11-19T07:30"), happened("2026-11-19T05:40"));
        let wings = count(Session::Opening, "2026-11-19", "2026-11-19T06:06", "397.5");
        let on_hand = |event: EventTime, included: Option<bool>| {
            let event = (event, moved("200"));
            let flow = Flow::timed(&[event]);
            let flow = match included {
                Some(included) => flow.with_answer(wings.moment, event, included).expect("small numbers"),
                None => flow,
            };
            figures(&[wings], &flow, "2026-11-19").on_hand
        };
        for (event, included, expected) in [
            (late, None, "597.5"),
            (late, Some(true), "397.5"),
            (late, Some(false), "597.5"),
            (early, None, "397.5"),
            (early, Some(true), "397.5"),
            (early, Some(false), "597.5"),
        ] {
            assert_eq!(on_hand(event, included), Some(qty(expected)), "{event:?} {included:?}");
        }
    }

    #[test]
    fn a_count_splits_the_sales_of_its_day_by_time() {
        let date = day("2026-11-19");
        let sold = |time: i32, text: &str| (EventTime::of_sale(date, time), used(text));
        // 2 before 10:00, 3 until 21:00, 1 at 24:40.
        let sales = Flow::timed(&[sold(36_000, "2"), sold(75_600, "3"), sold(86_400 + 2_400, "1")]);
        // An opening count at 12:00 includes what was sold until then, whatever its session.
        let opening = count(Session::Opening, "2026-11-19", "2026-11-19T12:00", "8");
        let closing = count(Session::Closing, "2026-11-19", "2026-11-20T00:30", "5");
        assert_eq!(figures(&[opening], &sales, "2026-11-19").on_hand, Some(qty("4")));
        // Between the two, 3 were sold; afterwards one more, at 24:40.
        let found = figures(&[opening, closing], &sales, "2026-11-19");
        assert_eq!((found.expected, found.on_hand), (Some(qty("5")), Some(qty("4"))));
    }

    #[test]
    fn sales_without_times_are_after_an_opening_and_before_a_closing_count() {
        let sales = Flow::timed(&[(on("2026-11-19"), used("6"))]);
        for (session, time, expected) in [
            (Session::Opening, "2026-11-19T23:00", "4"),
            (Session::Closing, "2026-11-19T06:00", "10"),
            (Session::Whole, "2026-11-19T13:59", "4"),
            (Session::Whole, "2026-11-19T14:00", "10"),
        ] {
            let count = count(session, "2026-11-19", time, "10");
            let found = figures(&[count], &sales, "2026-11-19");
            assert_eq!(found.on_hand, Some(qty(expected)), "{session:?} at {time}");
        }
    }

    #[test]
    fn a_day_ends_by_its_date_whatever_was_counted_after_midnight() {
        // Ten came on the 20th at 00:20; the closing count of the 19th was made at 00:30 and includes them.
        let closing = count(Session::Closing, "2026-11-19", "2026-11-20T00:30", "30");
        let came = Flow::timed(&[(happened("2026-11-20T00:20"), moved("10"))]);
        assert_eq!(figures(&[closing], &came, "2026-11-19").on_hand, Some(qty("20")));
        assert_eq!(figures(&[closing], &came, "2026-11-20").on_hand, Some(qty("30")));
    }

    #[test]
    fn a_closing_count_made_up_for_the_next_morning_stays_that_of_its_day() {
        let opening = count(Session::Opening, "2026-11-20", "2026-11-20T07:00", "10");
        let closing = count(Session::Closing, "2026-11-19", "2026-11-20T08:00", "7");
        // Two were sold in between.
        let sold = Flow::timed(&[(EventTime::of_sale(day("2026-11-20"), 27_000), used("2"))]);
        // At the end of the 19th they were still there.
        assert_eq!(figures(&[closing, opening], &sold, "2026-11-19").on_hand, Some(qty("9")));
        // The opening count found one more than the other one says.
        let found = figures(&[closing, opening], &sold, "2026-11-20");
        assert_eq!((found.expected, found.on_hand), (Some(qty("9")), Some(qty("8"))));
    }

    #[test]
    fn a_time_before_the_day_begins_is_after_midnight() {
        assert_eq!(within_day(2_400, 5 * 3_600), 88_800);
        assert_eq!(within_day(5 * 3_600, 5 * 3_600), 18_000);
        assert_eq!(within_day(2_400, 0), 2_400);
        assert_eq!(within_day(-1, 5 * 3_600), -1);
        assert_eq!(EventTime::of_sale(day("2026-11-19"), 88_800).at, Some(at("2026-11-20T00:40")));
        let count = Moment::of(Session::Closing, day("2026-11-19"), at("2026-11-20T00:40:00.999"));
        assert_eq!(cut(day("2026-11-19"), count), Some(88_800));
        assert_eq!(cut(day("2026-11-20"), count), Some(2_400));
    }

    #[test]
    fn a_person_is_asked_about_what_is_close() {
        let count = count(Session::Opening, "2026-11-19", "2026-11-19T06:06", "1").moment;
        assert!(happened("2026-11-19T03:06").is_close_to(count));
        assert!(!happened("2026-11-19T03:05:59").is_close_to(count));
        assert!(happened("2026-11-19T09:06").is_close_to(count));
        assert!(on("2026-11-19").is_close_to(count) && !on("2026-11-18").is_close_to(count));
        let counted = at("2026-11-19T06:06");
        assert!(asks_for_time(at("2026-11-19T05:00"), at("2026-11-19T09:00"), [counted]));
        assert!(!asks_for_time(at("2026-11-19T05:00"), at("2026-11-19T06:00"), [counted]));
        assert!(!asks_for_time(at("2026-11-19T06:07"), at("2026-11-19T09:00"), [counted]));
    }

    fn sum<'a>(events: impl Iterator<Item = &'a (EventTime, Passed)>) -> i64 {
        events.map(|(_, passed)| passed.moved.0 - passed.used.0).sum()
    }

    fn on_hand(moment: Moment, flow: &Flow, end: BusinessDay) -> Option<Qty> {
        let last = Some(BaselineCount { moment, qty: Qty::ZERO });
        let item = Counted { roots: vec![(0, Factor(1_000_000_000))], last, earlier: None, before: None };
        compute(&[item], std::slice::from_ref(flow), Moment::after(end)).expect("small numbers").roots[0]
            .on_hand
    }

    proptest! {
        /// Stock is the count, the events up to that day that it did not include, less those of later days that it did.
        #[test]
        fn stock_is_the_count_and_the_events_that_it_lacks(
            events in random::events(40),
            counts in random::counts(2),
            more in 0i32..9,
        ) {
            let Some(count) = counts.first() else { return Ok(()) };
            let end = count.day().plus(more);
            let lacks = events.iter().filter(|(time, _)| time.date <= end && !time.is_before(*count));
            let ahead = events.iter().filter(|(time, _)| time.date > end && time.is_before(*count));
            let plain = Qty(sum(lacks) - sum(ahead));
            prop_assert_eq!(on_hand(*count, &Flow::timed(&events), end), Some(plain));
        }

        /// Flows add up over any sequence of counts and ends of days.
        #[test]
        fn flows_add_up(events in random::events(40), counts in random::counts(8), ends in prop::collection::vec(-1i32..22, 0..8)) {
            let mut moments: Vec<Moment> = counts;
            moments.extend(ends.into_iter().map(|day| Moment::after(BusinessDay(day))));
            moments.sort();
            let flow = Flow::timed(&events);
            let parts = moments.windows(2).map(|two| flow.between(two[0], two[1]).expect("small numbers"));
            let sum = parts.fold(Passed::default(), |sum, part| sum.plus(part).expect("small numbers"));
            if let (Some(first), Some(last)) = (moments.first(), moments.last()) {
                prop_assert_eq!(flow.between(*first, *last), Some(sum));
            }
        }

        /// The order of arrival changes nothing.
        #[test]
        fn late_events_give_the_same_flow(events in random::events(40), counts in random::counts(6), turn in 0usize..40) {
            let mut other = events.clone();
            other.rotate_left(turn % events.len().max(1));
            let (one, two) = (Flow::timed(&events), Flow::timed(&other));
            for two_counts in counts.windows(2) {
                let (from, to) = (two_counts[0], two_counts[1]);
                prop_assert_eq!(one.between(from, to), two.between(from, to));
            }
        }

        /// Events without times are those of the plain days.
        #[test]
        fn untimed_events_go_by_their_dates(events in random::events(40), counts in random::counts(6)) {
            let by_date = |(time, passed): &(EventTime, Passed)| (EventTime { at: None, ..*time }, *passed);
            let untimed: Vec<_> = events.iter().map(by_date).collect();
            let days = Flow::of(untimed.iter().map(|(time, passed)| (time.date, *passed)).collect());
            let untimed = Flow::timed(&untimed);
            for two in counts.windows(2) {
                prop_assert_eq!(untimed.between(two[0], two[1]), days.between(two[0], two[1]));
            }
        }

        /// An answer moves a single event to the other side of a count, exactly.
        #[test]
        fn answers_equal_a_plain_partition(
            events in random::events(40),
            counts in random::counts(2),
            said in prop::collection::vec(prop::option::of(any::<bool>()), 40),
        ) {
            let Some(count) = counts.first().copied() else { return Ok(()) };
            let mut flow = Flow::timed(&events);
            for (event, said) in events.iter().zip(&said) {
                if let Some(included) = said {
                    flow = flow.with_answer(count, *event, *included).expect("small numbers");
                }
            }
            let lacks = events.iter().zip(&said);
            let lacks = lacks.filter(|((time, _), said)| !said.unwrap_or(time.is_before(count)));
            let plain = Qty(sum(lacks.map(|(event, _)| event)));
            prop_assert_eq!(on_hand(count, &flow, BusinessDay(40)), Some(plain));
        }

        /// A day whose times need not be read gives the same sums without them.
        #[test]
        fn times_are_only_read_where_they_matter(
            times in prop::collection::vec((0i32..36 * 60, -1_000i64..1_000), 1..20),
            date in 0i32..20,
            counts in random::counts(6),
        ) {
            let date = BusinessDay(date);
            let passed = |qty: i64| Passed { moved: Qty(qty), used: Qty::ZERO };
            let timed: Vec<_> = times
                .iter()
                .map(|(minute, qty)| (EventTime::of_sale(date, minute * 60), passed(*qty)))
                .collect();
            let untimed: Vec<_> =
                timed.iter().map(|(_, passed)| (EventTime { date, at: None }, *passed)).collect();
            let first = timed.iter().filter_map(|(time, _)| time.at).min().expect("some");
            let last = timed.iter().filter_map(|(time, _)| time.at).max().expect("some");
            let (timed, untimed) = (Flow::timed(&timed), Flow::timed(&untimed));
            for count in counts {
                if !needs_times(date, (first, last), [count]) {
                    prop_assert_eq!(timed.until(count), untimed.until(count));
                }
            }
        }
    }
}
