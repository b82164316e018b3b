//! How a store's stock came about, day by day: the path from one count to the next.
//!
//! Every range between two counts of an item is computed from the last counts at its end, as the store's inventory of
//! that day was; the last range, and the flow since, from the counts up to the last requested day. A day's part is the
//! difference of [`compute`](super::compute) at its end and its beginning, so the parts of a range add up exactly.

use super::{
    BaselineCount, Counted, Flow, Moment, Part, Passed, Stretch, Versions, converted, in_units, parts, share,
};
use crate::{BusinessDay, Factor, Qty, Span};

/// A counted item with all its counts.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The root items it represents, by index into the flows, and how much of each is in one counted unit.
    pub roots: Versions<Vec<(usize, Factor)>>,
    /// Its counts up to the last requested day, in order, each moment once; at least the last two before the first
    /// requested day.
    pub counts: Vec<BaselineCount>,
}

impl History {
    /// The item as of two of its counts; if it was never counted, as of a moment.
    fn counted(
        &self,
        (last, earlier): (Option<BaselineCount>, Option<BaselineCount>),
        at: Moment,
    ) -> Counted {
        let of = |count: BaselineCount| self.roots.at(count.moment.time());
        let roots = last.map_or_else(|| self.roots.at(at.time()), of);
        let before = earlier.map(of).filter(|then| *then != roots).cloned();
        Counted { roots: roots.clone(), last, earlier, before }
    }
}

/// The subject of the series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// A counted item, in its counted units.
    Item(usize),
    /// A root item, in its own units: the sum of all items that represent it.
    Root(usize),
}

/// A count and its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub item: usize,
    /// Index of the count.
    pub count: usize,
    pub qty: Qty,
    /// Expected stock; `None` without an earlier count.
    pub expected: Option<Qty>,
    /// The flow of its day up to it, from the item's count before it on that day if there is one. What followed the last
    /// count is the rest of the day's flow.
    pub passed: Passed,
}

impl Found {
    /// Counted less expected.
    #[must_use]
    pub fn variance(&self) -> Option<Qty> {
        self.qty.checked_sub(self.expected?)
    }
}

/// A business day of the series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    pub date: BusinessDay,
    /// The flow; for an item that shares a root item with others, its part.
    pub passed: Passed,
    /// The counts, in order.
    pub found: Vec<Found>,
    /// Stock at its end; `None` if never counted until then.
    pub balance: Option<Qty>,
}

/// The path from opening to closing stock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Stock before the first day.
    pub start: Option<Qty>,
    pub days: Vec<Day>,
}

/// The counts known at a moment.
#[must_use]
pub fn known_at(items: &[History], at: Moment) -> Vec<Counted> {
    known_with(items, at, |moment| moment <= at)
}

/// The counts up to the last one for which `known` holds.
fn known_with(items: &[History], at: Moment, known: impl Fn(Moment) -> bool) -> Vec<Counted> {
    let known = |item: &History| {
        let upto = item.counts.iter().rposition(|count| known(count.moment)).map_or(0, |last| last + 1);
        let back = |n: usize| upto.checked_sub(n).map(|place| item.counts[place]);
        item.counted((back(1), back(2)), at)
    };
    items.iter().map(known).collect()
}

/// The days of a span. `None` on overflow.
#[must_use]
pub fn series(items: &[History], flows: &[Flow], of: Of, span: Span) -> Option<Series> {
    match of {
        Of::Item(item) => Strand { items, flows, item, root: None, span }.series(),
        Of::Root(root) => of_root(items, flows, root, span),
    }
}

fn of_root(items: &[History], flows: &[Flow], root: usize, span: Span) -> Option<Series> {
    let add = |sum: &mut Option<Qty>, more: Option<Qty>| {
        if let Some(more) = more {
            *sum = Some(sum.unwrap_or_default().checked_add(more)?);
        }
        Some(())
    };
    let mut whole = Series::empty(span);
    for (item, history) in items.iter().enumerate() {
        if !history.roots.all().flatten().any(|(of, _)| *of == root) {
            continue;
        }
        let strand = Strand { items, flows, item, root: Some(root), span }.series()?;
        add(&mut whole.start, strand.start)?;
        for (sum, day) in whole.days.iter_mut().zip(strand.days) {
            sum.passed = sum.passed.plus(day.passed)?;
            sum.found.extend(day.found);
            add(&mut sum.balance, day.balance)?;
        }
    }
    for day in &mut whole.days {
        day.found.sort_by_key(|found| (items[found.item].counts[found.count].moment, found.item));
        if day.balance.is_none() {
            // No balance to add to yet.
            day.passed = flows.get(root)?.on(day.date)?;
        }
    }
    Some(whole)
}

impl Series {
    fn empty(span: Span) -> Self {
        let day = |n: i32| Day {
            date: span.from.plus(n),
            passed: Passed::default(),
            found: Vec::new(),
            balance: None,
        };
        Self { start: None, days: (0..span.days()).map(day).collect() }
    }

    fn day(&mut self, date: BusinessDay) -> Option<&mut Day> {
        let from = self.days.first()?.date;
        self.days.get_mut(usize::try_from(date.0.checked_sub(from.0)?).ok()?)
    }
}

/// The series of one item, or of its part in one root item, in units of that.
#[derive(Clone, Copy)]
struct Strand<'a> {
    items: &'a [History],
    flows: &'a [Flow],
    item: usize,
    root: Option<usize>,
    span: Span,
}

/// The known counts of a range between two counts.
struct Known {
    stretch: Stretch,
    counted: Vec<Counted>,
    parts: Vec<Vec<Part>>,
}

impl Strand<'_> {
    fn series(self) -> Option<Series> {
        let history = &self.items[self.item];
        let mut series = Series::empty(self.span);
        let start = Moment::after(self.span.from.plus(-1));
        // One range ends at each count, one at the end of the span.
        for at in 0..=history.counts.len() {
            let end = history.counts.get(at).copied();
            if end.is_some_and(|end| end.moment <= start) {
                continue;
            }
            let begin = at.checked_sub(1).map(|at| history.counts[at]);
            let known = self.known(at)?;
            let own = &known.counted[self.item].roots;
            // A range is in units of the count that it begins with.
            let made_of = begin.map_or(own, |begin| history.roots.at(begin.moment.time()));
            let until = end.map_or(Moment::after(self.span.to), |end| end.moment);
            let base = match begin {
                Some(begin) if self.has_part(&known) => self.units(begin.qty, made_of)?,
                _ => None,
            };
            let there = |passed: Passed| match base {
                Some(base) => base.checked_add(passed.net()?).map(Some),
                None => Some(None),
            };
            if begin.is_some_and(|begin| begin.moment <= start) {
                series.start = there(self.passed(&known, start, made_of)?)?;
            }
            // The days of both counts belong to the range in part.
            let first = begin.map_or(self.span.from, |begin| begin.moment.day().max(self.span.from));
            let last = end.map_or(self.span.to, |end| end.moment.day());
            let mut before = match begin {
                Some(begin) if begin.moment > start => Passed::default(),
                _ => self.passed(&known, start, made_of)?,
            };
            let mut of_day = Passed::default();
            for date in (first.0..=last.0).map(BusinessDay) {
                let passed = self.passed(&known, Moment::after(date).min(until), made_of)?;
                let day = series.day(date)?;
                // For a root item, only what adds to a known balance.
                if self.root.is_none() || base.is_some() {
                    of_day = passed.less(before)?;
                    day.passed = day.passed.plus(of_day)?;
                }
                day.balance = there(passed)?;
                before = passed;
            }
            if let Some(end) = end {
                let qty = self.units(end.qty, own)?;
                let expected = match base {
                    Some(base) if !own.is_empty() => {
                        Some(self.expected(&known, (base, made_of.as_slice()), end.moment)?)
                    }
                    _ => None,
                };
                let day = series.day(end.moment.day())?;
                let passed = of_day;
                day.found.extend(qty.map(|qty| Found { item: self.item, count: at, qty, expected, passed }));
                day.balance = qty;
            }
        }
        Some(series)
    }

    /// The known counts at the end of the range up to one of the counts, or up to the last day. Of a day with another
    /// count of the item, those of the same count, also where they were made a little later.
    fn known(&self, at: usize) -> Option<Known> {
        let counts = &self.items[self.item].counts;
        let end = counts.get(at).map(|end| end.moment);
        let then = match (end, counts.get(at + 1)) {
            (Some(end), Some(next)) if next.moment.day() == end.day() => end,
            (Some(end), Some(_)) => Moment::after(end.day()),
            _ => Moment::after(self.span.to),
        };
        let stretch = match at {
            _ if at == counts.len() && at > 0 => Stretch::Since,
            0 => Stretch::From(Moment::before(self.span.from)),
            _ => Stretch::Compared,
        };
        let with = |moment: Moment| moment <= then || moment.is_with(then);
        let mut counted = known_with(self.items, then, with);
        // The item itself: the two counts of the range.
        let last = counts.get(at).or(counts.last()).copied();
        let earlier = at.min(counts.len().saturating_sub(1)).checked_sub(1).map(|place| counts[place]);
        counted[self.item] = self.items[self.item].counted((last, earlier), then);
        let parts = parts(&counted, self.flows.len())?;
        Some(Known { stretch, counted, parts })
    }

    /// The flow from the beginning of the range up to a moment, in units that represent `made_of`.
    fn passed(&self, known: &Known, until: Moment, made_of: &[(usize, Factor)]) -> Option<Passed> {
        let mut sum = Passed::default();
        for (root, _) in &known.counted[self.item].roots {
            if self.root.is_some_and(|only| only != *root) {
                continue;
            }
            let (flow, parts) = (self.flows.get(*root)?, &known.parts[*root]);
            let Some(place) = parts.iter().position(|part| part.item == self.item) else { continue };
            let shared = share(flow, parts, &known.counted, known.stretch, until)?;
            sum = sum.plus(shared[place].unwrap_or_default())?;
        }
        match self.root {
            Some(_) => Some(sum),
            None => in_units(made_of, sum),
        }
    }

    /// What a count is expected to come to, in its own units, from the count before it.
    fn expected(&self, known: &Known, (base, made_of): (Qty, &[(usize, Factor)]), at: Moment) -> Option<Qty> {
        let own = &known.counted[self.item].roots;
        let base = if self.root.is_some() { base } else { converted(base, made_of, own)? };
        base.checked_add(self.passed(known, at, own)?.net()?)
    }

    /// Whether the item represents the root item in a range.
    fn has_part(&self, known: &Known) -> bool {
        let has_part = |root: usize| known.parts[root].iter().any(|part| part.item == self.item);
        self.root.is_none_or(has_part)
    }

    /// A quantity in units of the series; `Some(None)` if nothing of the root item is in it.
    fn units(&self, qty: Qty, made_of: &[(usize, Factor)]) -> Option<Option<Qty>> {
        let Some(root) = self.root else { return Some(Some(qty)) };
        match made_of.iter().find(|(of, _)| *of == root) {
            Some((_, factor)) => qty.scaled(*factor).map(Some),
            None => Some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::timeline::random;
    use super::*;
    use crate::on_hand::compute;

    const ONE: Factor = Factor(1_000_000_000);

    fn qty(whole: i64) -> Qty {
        Qty(whole * 1_000_000)
    }

    fn closing(day: i32, whole: i64) -> BaselineCount {
        BaselineCount { moment: Moment::half(day * 2 + 1), qty: qty(whole) }
    }

    fn span(from: i32, to: i32) -> Span {
        Span { from: BusinessDay(from), to: BusinessDay(to) }
    }

    fn flow(days: &[(i32, i64, i64)]) -> Flow {
        let passed = |moved, used| Passed { moved: qty(moved), used: qty(used) };
        Flow::of(days.iter().map(|(day, moved, used)| (BusinessDay(*day), passed(*moved, *used))).collect())
    }

    #[test]
    fn each_day_adds_to_the_one_before() {
        let opening = BaselineCount { moment: Moment::half(6), qty: qty(9) };
        let item = History {
            roots: Versions::new(vec![(0, ONE)]),
            counts: vec![closing(1, 20), opening, closing(3, 12)],
        };
        let flows = [flow(&[(1, 99, 0), (2, 0, 4), (3, 5, 3), (4, 10, 1)])];
        let computed =
            series(std::slice::from_ref(&item), &flows, Of::Item(0), span(1, 5)).expect("small numbers");
        assert_eq!(computed.start, None);
        let balances: Vec<_> =
            computed.days.iter().map(|day| day.balance.map(|qty| qty.0 / 1_000_000)).collect();
        assert_eq!(balances, [Some(20), Some(16), Some(12), Some(21), Some(21)]);
        let found: Vec<_> = computed.days.iter().flat_map(|day| &day.found).collect();
        assert_eq!(
            found.iter().map(|found| found.expected).collect::<Vec<_>>(),
            [None, Some(qty(16)), Some(qty(11))]
        );
        assert_eq!(found[2].variance(), Some(qty(1)));
        // What passed on the day of two counts was between them.
        let passed: Vec<_> = found.iter().map(|found| found.passed).collect();
        assert_eq!(passed[1..], [Passed::default(), Passed { moved: qty(5), used: qty(3) }]);
        // The flow before the first count is reported, though it adds to no balance.
        assert_eq!(computed.days[0].passed.moved, qty(99));
        let later =
            series(std::slice::from_ref(&item), &flows, Of::Item(0), span(3, 4)).expect("small numbers");
        assert_eq!((later.start, &later.days[..]), (Some(qty(16)), &computed.days[2..4]));
    }

    #[test]
    fn a_new_factor_holds_from_its_time_on() {
        // A sack was five until the end of the third day, and is ten from then on.
        let [five, ten] = [5_000_000_000, 10_000_000_000].map(|factor| vec![(0, Factor(factor))]);
        let changed = Moment::after(BusinessDay(3)).time();
        let counts = vec![closing(1, 10), closing(5, 4)];
        let before = History { roots: Versions::new(five.clone()), counts };
        let after =
            History { roots: Versions::new(ten).with_former(vec![(changed, five)]), ..before.clone() };
        let flows = [flow(&[(2, 0, 5), (4, 0, 5), (6, 0, 10)])];
        let of = |item: &History, of, to| {
            series(std::slice::from_ref(item), &flows, of, span(1, to)).expect("small numbers")
        };
        for subject in [Of::Item(0), Of::Root(0)] {
            let (was, is) = (of(&before, subject, 6), of(&after, subject, 6));
            assert_eq!((was.start, &was.days[..4]), (is.start, &is.days[..4]));
        }
        let roots = of(&after, Of::Root(0), 6);
        let balances: Vec<_> =
            roots.days.iter().map(|day| day.balance.map(|qty| qty.0 / 1_000_000)).collect();
        assert_eq!(balances, [50, 45, 45, 40, 40, 30].map(Some));
        assert_eq!(roots.days[4].found[0].variance(), Some(qty(0)));
        let own = of(&after, Of::Item(0), 6);
        assert_eq!(own.days[4].found[0].expected, Some(qty(4)));
        assert_eq!(own.days[5].balance, Some(qty(3)));
        // The inventory says the same.
        let known = known_at(std::slice::from_ref(&after), Moment::after(BusinessDay(6)));
        let found = compute(&known, &flows, Moment::after(BusinessDay(6))).expect("small numbers");
        assert_eq!((found.items[0].on_hand, found.roots[0].on_hand), (Some(qty(3)), Some(qty(30))));
        assert_eq!((found.items[0].expected, found.roots[0].expected), (Some(qty(4)), Some(qty(40))));
    }

    #[test]
    fn an_older_range_keeps_its_shares() {
        // Equal at first, all on one item now.
        let item = |counts: [i64; 3]| History {
            roots: Versions::new(vec![(0, ONE)]),
            counts: counts.into_iter().zip([1, 3, 5]).map(|(qty, day)| closing(day, qty)).collect(),
        };
        let items = [item([10, 8, 0]), item([10, 8, 6])];
        let computed =
            series(&items, &[flow(&[(2, 0, 4), (4, 0, 6)])], Of::Item(0), span(1, 6)).expect("small numbers");
        let used: Vec<_> = computed.days.iter().map(|day| day.passed.used).collect();
        assert_eq!(used, [qty(0), qty(2), qty(0), qty(0), qty(0), qty(0)]);
        assert_eq!(computed.days[2].found[0].expected, Some(qty(8)));
        assert_eq!(computed.days[4].found[0].expected, Some(qty(8)));
    }

    #[test]
    fn an_opening_count_is_compared_with_the_previous_closing() {
        // The other item was counted at the close of that day: the shares must not be rounded in two ways.
        let item = |factor: i64, moment: Moment, qty: i64| History {
            roots: Versions::new(vec![(0, Factor(factor))]),
            counts: vec![
                BaselineCount { moment: Moment::half(64), qty: Qty(0) },
                BaselineCount { moment, qty: Qty(qty) },
            ],
        };
        let (closed, opened) = (Moment::half(69), Moment::half(70));
        let items = [
            item(4_824_386_627, closed, 310_517),
            item(3_348_289_253, opened, 8_263),
            History {
                roots: Versions::new(vec![(0, Factor(1_207_233_172))]),
                counts: vec![BaselineCount { moment: Moment::half(0), qty: Qty(555_676) }],
            },
        ];
        let happened = Passed { moved: Qty(61_559), used: Qty(428) };
        let flows = [Flow::of(vec![(BusinessDay(32), happened)])];
        let computed = series(&items, &flows, Of::Item(1), span(0, 40)).expect("small numbers");
        assert_eq!(computed.days[35].found[0].expected, computed.days[34].balance);
    }

    fn counts() -> impl Strategy<Value = Vec<BaselineCount>> {
        (random::counts(6), prop::collection::vec(0i64..1_000_000, 6)).prop_map(|(moments, quantities)| {
            let counts = moments.into_iter().zip(quantities);
            counts.map(|(moment, qty)| BaselineCount { moment, qty: Qty(qty) }).collect()
        })
    }

    fn history() -> impl Strategy<Value = History> {
        let roots = prop::collection::btree_map(0usize..3, 1i64..5_000_000_000, 0..3);
        (roots, counts()).prop_map(|(roots, counts)| History {
            roots: Versions::new(roots.into_iter().map(|(root, factor)| (root, Factor(factor))).collect()),
            counts,
        })
    }

    fn flows() -> impl Strategy<Value = Vec<Flow>> {
        prop::collection::vec(random::events(20).prop_map(|events| Flow::timed(&events)), 3)
    }

    /// Stock after each day by plain sums of the series: what was there, what moved, and what the counts found beyond
    /// that. On the day of the first count only what happened after it matters.
    fn replayed(computed: &Series) -> Vec<Option<Qty>> {
        let mut there = computed.start;
        let mut after = Vec::new();
        for day in &computed.days {
            let found = day.found.iter().map(|found| found.variance().map_or(0, |qty| qty.0)).sum::<i64>();
            let passed = day.passed.net().expect("small numbers").0;
            there = there.map(|there| Qty(there.0 + passed + found)).or(day.balance);
            after.push(there);
        }
        after
    }

    /// Whether what passed up to each count leads to what was expected there, and the rest of each day to its balance.
    fn walks(computed: &Series) -> bool {
        let net = |passed: Passed| passed.net().expect("small numbers").0;
        let mut there = computed.start.map(|start| start.0);
        computed.days.iter().all(|day| {
            let mut rest = net(day.passed);
            let mut holds = true;
            for found in &day.found {
                rest -= net(found.passed);
                let expected = there.map(|there| there + net(found.passed));
                holds &= found.expected.map(|qty| qty.0) == expected;
                there = Some(found.qty.0);
            }
            there = there.map(|there| there + rest);
            holds && there == day.balance.map(|qty| qty.0)
        })
    }

    proptest! {
        /// The last day equals the inventory, and every day follows from the previous one.
        #[test]
        fn a_series_ends_at_the_inventorys_stock(
            items in prop::collection::vec(history(), 1..5),
            flows in flows(),
            from in 0i32..40,
        ) {
            let span = span(from, 40);
            let known = known_at(&items, Moment::after(span.to));
            let computed = compute(&known, &flows, Moment::after(span.to)).expect("small numbers");
            for (item, figures) in computed.items.iter().enumerate() {
                let computed = series(&items, &flows, Of::Item(item), span).expect("small numbers");
                prop_assert_eq!(computed.days.last().and_then(|day| day.balance), figures.on_hand);
                let last = computed.days.iter().flat_map(|day| &day.found).last();
                if let Some(last) = last {
                    prop_assert_eq!((Some(last.qty), last.expected), (figures.counted, figures.expected));
                    prop_assert_eq!(last.variance(), figures.variance());
                }
                if items[item].roots.all().any(|roots| !roots.is_empty()) {
                    let after: Vec<_> = computed.days.iter().map(|day| day.balance).collect();
                    prop_assert_eq!(replayed(&computed), after);
                    prop_assert!(walks(&computed), "{computed:?}");
                }
            }
            for (root, figures) in computed.roots.iter().enumerate() {
                let computed = series(&items, &flows, Of::Root(root), span).expect("small numbers");
                prop_assert_eq!(computed.days.last().and_then(|day| day.balance), figures.on_hand);
                let found = computed.days.iter().flat_map(|day| &day.found);
                // The last count of each item, where it belongs to the last count of the root item.
                let last: Vec<_> = found
                    .filter(|found| found.count + 1 == items[found.item].counts.len())
                    .filter(|found| {
                        let moment = items[found.item].counts[found.count].moment;
                        figures.moment.is_some_and(|last| last.is_with(moment))
                    })
                    .collect();
                let known: Vec<_> = last.iter().filter(|found| found.expected.is_some()).collect();
                if !known.is_empty() {
                    let sum = |of: fn(&Found) -> Option<Qty>| {
                        Some(Qty(known.iter().filter_map(|found| of(found)).map(|qty| qty.0).sum()))
                    };
                    prop_assert_eq!(sum(|found| found.expected), figures.expected);
                    prop_assert_eq!(sum(Found::variance), figures.variance());
                }
            }
        }

        /// A root item's days are the sum of its items' days.
        #[test]
        fn a_root_items_days_add_up(
            counted in prop::collection::vec(counts(), 1..5),
            flows in flows(),
            from in 0i32..40,
        ) {
            let items: Vec<_> =
                counted.into_iter().map(|counts| History { roots: Versions::new(vec![(0, ONE)]), counts }).collect();
            let computed = series(&items, &flows, Of::Root(0), span(from, 40)).expect("small numbers");
            let single: Vec<_> = (0..items.len())
                .map(|item| series(&items, &flows, Of::Item(item), span(from, 40)).expect("small numbers"))
                .collect();
            for (at, day) in computed.days.iter().enumerate() {
                let sum = single.iter().filter_map(|one| one.days[at].balance).map(|qty| qty.0).reduce(|a, b| a + b);
                prop_assert_eq!(day.balance, sum.map(Qty));
            }
        }

        /// Where everything is counted together, the parts add up to the whole.
        #[test]
        fn items_counted_together_take_the_whole_flow(
            quantities in prop::collection::vec(prop::collection::vec(0i64..1_000_000, 4), 1..5),
            events in random::events(60),
        ) {
            let untimed = events.iter().map(|(time, passed)| (time.date, *passed)).collect();
            let flows = [Flow::of(untimed), Flow::default(), Flow::default()];
            let items: Vec<_> = quantities
                .into_iter()
                .map(|quantities| History {
                    roots: Versions::new(vec![(0, ONE)]),
                    counts: quantities
                        .into_iter()
                        .zip([4, 21, 22, 51])
                        .map(|(qty, at)| BaselineCount { moment: Moment::half(at), qty: Qty(qty) })
                        .collect(),
                })
                .collect();
            let computed = series(&items, &flows, Of::Root(0), span(0, 40)).expect("small numbers");
            for day in &computed.days {
                prop_assert_eq!(Some(day.passed), flows[0].on(day.date), "day {}", day.date);
            }
        }
    }
}
