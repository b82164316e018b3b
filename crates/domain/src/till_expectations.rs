//! Which tills must have a Z-reading on which days: those that sold, the active ones where sales name none, and those
//! whose counters or grand total skip the day.

use std::collections::{BTreeMap, BTreeSet};

use crate::words::words;
use crate::zreading::TOLERANCE;
use crate::{BusinessDay, Money, Span};

/// Days around a span within which a till's neighbouring readings are looked for.
pub const WINDOW: i32 = 62;

words! {
    /// Why a till must have a reading on a day.
    #[serde(rename_all = "camelCase")]
    #[cfg_attr(feature = "schema", schema(as = TillWhy))]
    Why {
        /// It sold something.
        Sold = "sold",
        /// It is in use, and nothing says that another till sold everything.
        Active = "active",
        /// Its counters or its grand total skip the day.
        Chain = "chain",
    }
}

/// A till's reading, as far as it says which days have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainPoint {
    /// The days it covers; the last one is its own.
    pub covers: Span,
    /// The Z counter; a reading without one covers its days and is no part of the chain.
    pub counter: Option<i64>,
    pub reset: i64,
    pub previous: Option<Money>,
    pub present: Option<Money>,
    /// Whether a grand total that does not continue says that a reading is missing: it is verified, without a reason.
    pub settled: bool,
}

/// What is known of a till.
#[derive(Debug, Clone, Copy)]
pub struct TillHistory<'a> {
    /// Whether it prints readings; a delivery app's does not.
    pub prints: bool,
    /// Whether it is known from the lists or from readings, and not from sales alone.
    pub listed: bool,
    /// The day of its first sale or reading.
    pub from: Option<BusinessDay>,
    /// The day from which it is no longer used.
    pub off_from: Option<BusinessDay>,
    /// Days of its sales, from sources that count.
    pub sold: &'a BTreeSet<BusinessDay>,
    /// Its readings except discarded ones, in any order.
    pub chain: &'a [ChainPoint],
    /// Days for which a user recorded that no reading exists.
    pub absent: &'a BTreeSet<BusinessDay>,
}

/// What is known of a store.
pub struct StoreHistory<'a> {
    pub tills: &'a [TillHistory<'a>],
    /// Days with sales that name no till, from sources that count.
    pub nameless: &'a BTreeSet<BusinessDay>,
    /// Days for which a user recorded that the store has no reading, naming no till.
    pub absent: &'a BTreeSet<BusinessDay>,
    /// Whether the store is open on a day; a day with sales always is.
    pub open: &'a dyn Fn(BusinessDay) -> bool,
    pub today: BusinessDay,
}

/// A till that must have a reading on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// Its place in [`StoreHistory::tills`]; `None` if a reading is due and no till is known.
    pub till: Option<usize>,
    pub why: Why,
    /// Whether one more reading is due than the day has: its counters skip one, and no day between is without.
    pub skipped: bool,
    /// Whether that one is recorded as not existing.
    pub excused: bool,
}

/// What a till's neighbouring readings say of a day between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    /// Readings are missing, and this is a day they may be of.
    Skipped,
    /// None is missing.
    Unbroken,
}

/// A till's readings, day by day.
#[derive(Default)]
struct Days {
    read: BTreeSet<BusinessDay>,
    between: BTreeMap<BusinessDay, Between>,
    /// Days with a reading before which one is missing, without a day between.
    skipped: BTreeSet<BusinessDay>,
    /// Those of them for which a user recorded that no reading exists.
    excused: BTreeSet<BusinessDay>,
}

/// The expected tills of each day of a span, in the order of days and of tills.
#[must_use]
pub fn expected(store: &StoreHistory<'_>, span: Span) -> Vec<Vec<Expected>> {
    let days: Vec<Days> = store.tills.iter().map(|till| days_of(store, till)).collect();
    (span.from.0..=span.to.0).map(|day| of_day(store, &days, BusinessDay(day))).collect()
}

fn of_day(store: &StoreHistory<'_>, days: &[Days], day: BusinessDay) -> Vec<Expected> {
    let read = days.iter().filter(|one| one.read.contains(&day)).count();
    let nameless = store.nameless.contains(&day);
    let named = store.tills.iter().any(|till| till.prints && till.sold.contains(&day));
    let due = day < store.today && (store.open)(day);
    // Sales that name their tills say which ones traded. Otherwise every till in use may have.
    let any = nameless || (!named && (due || ((store.open)(day) && read > 0)));
    let mut found = Vec::new();
    let mut active = false;
    for (at, (till, own)) in store.tills.iter().zip(days).enumerate() {
        let sold = till.prints && till.sold.contains(&day);
        let in_use = any && is_active(till, day);
        active |= in_use;
        // Sales without a till may be of a till whose next reading covers them too, unless another one has a reading.
        let unbroken = !nameless || read > 0;
        let why = match own.between.get(&day) {
            _ if own.read.contains(&day) => Some(if sold { Why::Sold } else { Why::Active }),
            _ if sold => Some(Why::Sold),
            Some(Between::Skipped) => Some(Why::Chain),
            _ if till.absent.contains(&day) => Some(Why::Active),
            Some(Between::Unbroken) if unbroken => None,
            _ if in_use => Some(Why::Active),
            _ => None,
        };
        if let Some(why) = why {
            let (skipped, excused) = (own.skipped.contains(&day), own.excused.contains(&day));
            found.push(Expected { till: Some(at), why, skipped, excused });
        }
    }
    let absent = store.absent.contains(&day);
    if (any || absent) && !active && found.is_empty() {
        found = without_active(store, day, nameless || absent);
    }
    found
}

/// A day on which no till was in use yet: all that are listed, else one whose name nobody knows.
fn without_active(store: &StoreHistory<'_>, day: BusinessDay, is_sure: bool) -> Vec<Expected> {
    let of = |till| Expected { till, why: Why::Active, skipped: false, excused: false };
    if store.absent.contains(&day) {
        return vec![of(None)];
    }
    let listed = store.tills.iter().enumerate().filter(|(_, till)| till.listed);
    let (usable, gone): (Vec<_>, Vec<_>) =
        listed.partition(|(_, till)| till.prints && till.off_from.is_none_or(|off| day < off));
    match () {
        () if !usable.is_empty() => usable.into_iter().map(|(at, _)| of(Some(at))).collect(),
        () if gone.is_empty() || is_sure => vec![of(None)],
        () => Vec::new(),
    }
}

/// Whether a till is in use on a day. A till known from sales alone is so for some weeks after each of them.
fn is_active(till: &TillHistory<'_>, day: BusinessDay) -> bool {
    let recent = || till.sold.range(day.plus(-WINDOW)..=day).next_back().is_some();
    till.prints
        && till.off_from.is_none_or(|off| day < off)
        && till.from.is_some_and(|from| from <= day)
        && (till.listed || recent())
}

fn days_of(store: &StoreHistory<'_>, till: &TillHistory<'_>) -> Days {
    let mut days = Days::default();
    for point in till.chain {
        days.read.extend((point.covers.from.0..=point.covers.to.0).map(BusinessDay));
    }
    let mut chain: Vec<&ChainPoint> = till.chain.iter().filter(|point| point.counter.is_some()).collect();
    chain.sort_by_key(|point| (point.reset, point.counter, point.covers.to));
    for pair in chain.windows(2) {
        between(store, till, (pair[0], pair[1]), &mut days);
    }
    days
}

/// The number of readings missing between two neighbours; `None` if the till was reset, or they are of one counter.
fn skips(before: &ChainPoint, after: &ChainPoint) -> Option<i64> {
    let (first, second) = (before.counter?, after.counter?);
    let missing = second.saturating_sub(first).saturating_sub(1);
    if before.reset != after.reset || missing < 0 {
        return None;
    }
    let apart = match (before.present, after.previous) {
        (Some(ended), Some(began)) => {
            (i128::from(ended.0) - i128::from(began.0)).abs() > i128::from(TOLERANCE.0)
        }
        _ => false,
    };
    Some(if missing == 0 && apart && before.settled && after.settled { 1 } else { missing })
}

fn between(
    store: &StoreHistory<'_>,
    till: &TillHistory<'_>,
    (before, after): (&ChainPoint, &ChainPoint),
    days: &mut Days,
) {
    let Some(skips) = skips(before, after) else { return };
    let all: Vec<BusinessDay> = (before.covers.to.0 + 1..after.covers.from.0)
        .map(BusinessDay)
        .filter(|day| !days.read.contains(day))
        .collect();
    // Days known to be without a reading are the ones that were skipped.
    let is_known = |day: &BusinessDay| (till.prints && till.sold.contains(day)) || till.absent.contains(day);
    let (known, maybe): (Vec<BusinessDay>, Vec<BusinessDay>) = all.iter().partition(|day| is_known(day));
    let left = usize::try_from(skips).unwrap_or(usize::MAX).saturating_sub(known.len());
    let (open, closed): (Vec<BusinessDay>, Vec<BusinessDay>) =
        maybe.iter().partition(|day| (store.open)(**day));
    let may_be_closed = open.len() < left;
    days.between
        .extend(open.iter().map(|day| (*day, if left > 0 { Between::Skipped } else { Between::Unbroken })));
    let of_closed = if may_be_closed { Between::Skipped } else { Between::Unbroken };
    days.between.extend(closed.iter().map(|day| (*day, of_closed)));
    if left > 0 && maybe.is_empty() {
        let is_excused = till.absent.contains(&after.covers.to);
        let known = if is_excused { &mut days.excused } else { &mut days.skipped };
        known.insert(after.covers.to);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TODAY: BusinessDay = BusinessDay(40);

    fn days(days: &[i32]) -> BTreeSet<BusinessDay> {
        days.iter().map(|day| BusinessDay(*day)).collect()
    }

    fn point(counter: i64, day: i32) -> ChainPoint {
        let day = BusinessDay(day);
        ChainPoint {
            covers: Span { from: day, to: day },
            counter: Some(counter),
            reset: 0,
            previous: None,
            present: None,
            settled: true,
        }
    }

    /// A till with its own lists.
    #[derive(Clone, Default)]
    struct Kept {
        sold: BTreeSet<BusinessDay>,
        absent: BTreeSet<BusinessDay>,
        chain: Vec<ChainPoint>,
        from: Option<i32>,
        off_from: Option<i32>,
        is_app: bool,
    }

    impl Kept {
        fn read(points: &[(i64, i32)]) -> Self {
            let chain: Vec<ChainPoint> = points.iter().map(|(counter, day)| point(*counter, *day)).collect();
            Self { from: points.iter().map(|(_, day)| *day).min(), chain, ..Self::default() }
        }

        fn history(&self) -> TillHistory<'_> {
            TillHistory {
                prints: !self.is_app,
                listed: true,
                from: self.from.map(BusinessDay),
                off_from: self.off_from.map(BusinessDay),
                sold: &self.sold,
                chain: &self.chain,
                absent: &self.absent,
            }
        }
    }

    /// The expected tills of days 1 to 39 as `(day, till, why)`; -1 stands for no known till.
    fn ask(tills: &[Kept], nameless: &[i32], closed: &[i32]) -> Vec<(i32, i32, Why)> {
        all(tills, nameless, closed).into_iter().map(|(day, one)| (day, till_of(one), one.why)).collect()
    }

    fn till_of(one: Expected) -> i32 {
        one.till.map_or(-1, |at| at as i32)
    }

    fn all(tills: &[Kept], nameless: &[i32], closed: &[i32]) -> Vec<(i32, Expected)> {
        let histories: Vec<TillHistory<'_>> = tills.iter().map(Kept::history).collect();
        let nameless = days(nameless);
        let sold =
            |day: BusinessDay| nameless.contains(&day) || tills.iter().any(|till| till.sold.contains(&day));
        let open = |day: BusinessDay| sold(day) || !closed.contains(&day.0);
        let store = StoreHistory {
            tills: &histories,
            nameless: &nameless,
            absent: &BTreeSet::new(),
            open: &open,
            today: TODAY,
        };
        let found = expected(&store, Span { from: BusinessDay(1), to: BusinessDay(45) });
        let of_day = |(day, found): (i32, Vec<Expected>)| found.into_iter().map(move |one| (day, one));
        (1..).zip(found).flat_map(of_day).collect()
    }

    /// Those of one day.
    fn on(day: i32, found: &[(i32, i32, Why)]) -> Vec<(i32, Why)> {
        found.iter().filter(|one| one.0 == day).map(|one| (one.1, one.2)).collect()
    }

    #[test]
    fn a_till_that_sold_is_expected_and_an_idle_one_is_not() {
        let tills = [
            Kept { sold: days(&[10]), ..Kept::read(&[(1, 9), (2, 11)]) },
            Kept { from: Some(1), ..Kept::default() },
        ];
        assert_eq!(on(10, &ask(&tills, &[], &[])), [(0, Why::Sold)]);
    }

    #[test]
    fn sales_without_a_till_expect_every_active_one() {
        let tills = [
            Kept { from: Some(1), ..Kept::default() },
            Kept { from: Some(1), off_from: Some(10), ..Kept::default() },
            Kept { from: Some(20), ..Kept::default() },
            Kept { from: Some(1), is_app: true, ..Kept::default() },
        ];
        let found = ask(&tills, &[9, 10, 42], &[]);
        assert_eq!(on(9, &found), [(0, Why::Active), (1, Why::Active)]);
        assert_eq!(on(10, &found), [(0, Why::Active)]);
        assert_eq!(on(25, &found), [(0, Why::Active), (2, Why::Active)]);
        assert_eq!((on(41, &found), on(42, &found).len()), (vec![], 2), "ahead of time only if it sold");
    }

    #[test]
    fn a_store_without_active_tills_expects_those_it_has() {
        assert_eq!(on(5, &ask(&[], &[], &[])), [(-1, Why::Active)]);
        assert_eq!(on(5, &ask(&[], &[], &[5])), []);
        let late = Kept { from: Some(20), ..Kept::default() };
        assert_eq!(on(5, &ask(&[late, Kept::default()], &[], &[])), [(0, Why::Active), (1, Why::Active)]);
        let off = Kept { from: Some(1), off_from: Some(3), ..Kept::default() };
        let found = ask(&[off], &[6], &[]);
        assert_eq!((on(5, &found), on(6, &found)), (vec![], vec![(-1, Why::Active)]));
    }

    #[test]
    fn a_skipped_counter_is_of_a_day_between() {
        let found = ask(&[Kept::read(&[(1, 5), (3, 8)])], &[], &[6]);
        assert_eq!((on(6, &found), on(7, &found)), (vec![], vec![(0, Why::Chain)]));
        // More counters than open days: a closed day may have had one.
        let found = ask(&[Kept::read(&[(1, 5), (4, 8)])], &[], &[6]);
        assert_eq!(on(6, &found), [(0, Why::Chain)]);
        // Two counters, one day that sold: the other is of any other day, until one is entered.
        let sold = Kept { sold: days(&[6]), ..Kept::read(&[(1, 5), (4, 9)]) };
        let found = ask(std::slice::from_ref(&sold), &[], &[]);
        assert_eq!((on(6, &found), on(7, &found)), (vec![(0, Why::Sold)], vec![(0, Why::Chain)]));
        let entered = Kept { sold: days(&[6]), ..Kept::read(&[(1, 5), (3, 7), (4, 9)]) };
        let found = ask(std::slice::from_ref(&entered), &[], &[]);
        assert_eq!((on(6, &found), on(8, &found)), (vec![(0, Why::Sold)], vec![]));
        let absent = Kept { absent: days(&[8]), ..sold };
        let found = ask(&[absent], &[], &[]);
        assert_eq!((on(7, &found), on(8, &found)), (vec![], vec![(0, Why::Active)]));
    }

    #[test]
    fn a_skipped_counter_without_a_day_between_is_of_the_next_reading() {
        let skipped = |tills: &[Kept]| -> Vec<i32> {
            all(tills, &[], &[]).into_iter().filter(|(_, one)| one.skipped).map(|(day, _)| day).collect()
        };
        let till = Kept::read(&[(1, 5), (3, 6), (4, 7)]);
        assert_eq!(skipped(std::slice::from_ref(&till)), [6]);
        let recorded = [Kept { absent: days(&[6]), ..till.clone() }];
        assert_eq!(skipped(&recorded), [] as [i32; 0]);
        let excused: Vec<i32> =
            all(&recorded, &[], &[]).into_iter().filter(|(_, one)| one.excused).map(|(day, _)| day).collect();
        assert_eq!(excused, [6]);
        // Two counters and one day that could have had a reading, of which there is none.
        let two = Kept { absent: days(&[6]), ..Kept::read(&[(1, 5), (4, 7)]) };
        assert_eq!(skipped(&[two]), [7]);
        let mut reset = till;
        for point in &mut reset.chain[1..] {
            point.reset = 1;
        }
        assert_eq!(skipped(&[reset]), [] as [i32; 0]);
    }

    #[test]
    fn a_grand_total_that_does_not_continue_skips_one() {
        let mut till = Kept::read(&[(1, 5), (2, 8)]);
        (till.chain[0].present, till.chain[1].previous) = (Some(Money(500)), Some(Money(505)));
        assert_eq!(on(6, &ask(std::slice::from_ref(&till), &[], &[])), [], "within the tolerance");
        till.chain[1].previous = Some(Money(506));
        assert_eq!(on(6, &ask(std::slice::from_ref(&till), &[], &[])), [(0, Why::Chain)]);
        till.chain[1].settled = false;
        assert_eq!(on(6, &ask(&[till], &[], &[])), [], "explained");
    }

    #[test]
    fn an_unbroken_chain_expects_nothing_without_sales() {
        let till = Kept::read(&[(1, 5), (2, 8)]);
        assert_eq!(on(6, &ask(std::slice::from_ref(&till), &[], &[])), []);
        // Sales without a till on a day without any reading are of this one.
        assert_eq!(on(6, &ask(std::slice::from_ref(&till), &[6], &[])), [(0, Why::Active)]);
        let other = Kept::read(&[(1, 6), (2, 9)]);
        assert_eq!(on(6, &ask(&[till, other], &[6], &[])), [(1, Why::Active)]);
    }

    #[test]
    fn a_reading_covers_the_days_before_it() {
        let mut till = Kept { sold: days(&[6, 7, 8]), ..Kept::read(&[(1, 5), (2, 8)]) };
        till.chain[1].covers.from = BusinessDay(6);
        let found = ask(&[till], &[], &[]);
        assert_eq!(on(6, &found), [(0, Why::Sold)], "it is expected, and there");
    }

    #[test]
    fn a_second_till_is_due_with_the_first_until_its_chain_says_otherwise() {
        let one = Kept::read(&[(1, 5), (2, 6), (3, 7)]);
        let two = Kept::read(&[(1, 5)]);
        assert_eq!(on(6, &ask(&[one.clone(), two], &[], &[])), [(0, Why::Active), (1, Why::Active)]);
        let two = Kept::read(&[(1, 5), (2, 7)]);
        assert_eq!(on(6, &ask(&[one, two], &[], &[])), [(0, Why::Active)]);
    }

    fn chain() -> impl Strategy<Value = Vec<(i64, i32)>> {
        proptest::collection::btree_map(1i64..30, 0i32..3, 1..12).prop_map(|points| {
            points.into_iter().map(|(counter, more)| (counter, counter as i32 + more)).collect()
        })
    }

    proptest! {
        /// The order in which readings arrive does not matter.
        #[test]
        fn readings_may_come_in_any_order(points in chain(), turn in 0usize..12, sold in proptest::collection::vec(1i32..39, 0..9)) {
            let till = Kept { sold: days(&sold), ..Kept::read(&points) };
            let mut turned = till.clone();
            turned.chain.rotate_left(turn % points.len());
            prop_assert_eq!(ask(&[till], &[], &[]), ask(&[turned], &[], &[]));
        }

        /// A day read is never skipped, and entering every skipped counter leaves no skipped day.
        #[test]
        fn entering_what_is_missing_heals_the_chain(points in chain(), closed in proptest::collection::vec(1i32..39, 0..9)) {
            let (first, last) = (points[0], points[points.len() - 1]);
            let till = Kept::read(&points);
            let read: BTreeSet<i32> = points.iter().map(|(_, day)| *day).collect();
            for (day, till, why) in ask(std::slice::from_ref(&till), &[], &closed) {
                prop_assert!(why != Why::Chain || !read.contains(&day), "{day} of {till}");
            }
            let whole: Vec<(i64, i32)> =
                (first.0..=last.0).map(|counter| (counter, first.1 + (counter - first.0) as i32)).collect();
            let healed = all(&[Kept::read(&whole)], &[], &closed);
            prop_assert!(healed.iter().all(|(_, one)| one.why != Why::Chain && !one.skipped));
        }

        /// A delivery app's till is never expected, whatever it sold.
        #[test]
        fn an_app_is_never_expected(sold in proptest::collection::vec(1i32..39, 0..20), nameless in proptest::collection::vec(1i32..39, 0..9)) {
            let app = Kept { sold: days(&sold), from: Some(1), is_app: true, ..Kept::default() };
            let own = Kept { from: Some(1), ..Kept::default() };
            prop_assert!(ask(&[own, app], &nameless, &[]).iter().all(|(_, till, _)| *till == 0));
        }
    }
}
