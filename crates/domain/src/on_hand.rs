//! Stock on hand of a store: counts are baselines, movements add and remove between them, and sales use stock up.
//!
//! Flows are of root items, counts of the items that represent them. Where several counted items represent one root
//! item, each takes its share of the flow since it was counted: in proportion to the last count of each, equally where
//! that is zero. So the stock of the items adds up to the stock of the root item.

pub mod in_unit;
pub mod lots;
pub mod movement;
pub mod series;
pub mod timeline;
pub mod versions;

pub use timeline::{EventTime, Flow, Moment};
pub use versions::Versions;

use crate::decimal::div_round;
use crate::{BusinessDay, Factor, Qty};

/// The flow of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Passed {
    /// Net movements.
    pub moved: Qty,
    /// Usage by sales, by the bills of materials.
    pub used: Qty,
}

impl Passed {
    /// The net change in stock.
    #[must_use]
    pub fn net(self) -> Option<Qty> {
        self.moved.checked_sub(self.used)
    }

    fn plus(self, other: Self) -> Option<Self> {
        Some(Self { moved: self.moved.checked_add(other.moved)?, used: self.used.checked_add(other.used)? })
    }

    fn less(self, other: Self) -> Option<Self> {
        Some(Self { moved: self.moved.checked_sub(other.moved)?, used: self.used.checked_sub(other.used)? })
    }
}

/// A time range.
#[derive(Debug, Clone, Copy)]
enum Stretch {
    /// From a moment on, regardless of counts.
    From(Moment),
    /// From an item's last count on.
    Since,
    /// Between an item's last count and the one before it.
    Compared,
}

impl Stretch {
    /// The range up to a moment, for one item; `None` where its counts are missing.
    fn of(self, item: &Counted, until: Moment) -> Option<(Moment, Moment)> {
        match self {
            Self::From(from) => Some((from, until)),
            Self::Since => Some((item.last?.moment, until)),
            Self::Compared => {
                let (earlier, last) = (item.earlier?, item.last?);
                (earlier.moment < last.moment).then(|| (earlier.moment, last.moment.min(until)))
            }
        }
    }
}

/// A count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BaselineCount {
    pub moment: Moment,
    /// In counted units.
    pub qty: Qty,
}

/// A counted item.
#[derive(Debug, Clone, Default)]
pub struct Counted {
    /// The root items it represents, by index into the flows, and how much of each is in one counted unit: those in
    /// force when it was last counted.
    pub roots: Vec<(usize, Factor)>,
    pub last: Option<BaselineCount>,
    /// The count its last one is compared with.
    pub earlier: Option<BaselineCount>,
    /// What was in force at the earlier count, if that was something else.
    pub before: Option<Vec<(usize, Factor)>>,
}

impl Counted {
    /// What was in force at the earlier count.
    fn roots_before(&self) -> &[(usize, Factor)] {
        self.before.as_deref().unwrap_or(&self.roots)
    }
}

/// The stock of something, and its comparison with the last count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// Expected stock; `None` if never counted.
    pub on_hand: Option<Qty>,
    /// The flow since it was counted: stock less this is what was counted, of all items together.
    pub since: Passed,
    /// The last count.
    pub counted: Option<Qty>,
    /// When it was counted.
    pub moment: Option<Moment>,
    /// Expected stock at that time, from the previous count and the flow between the two.
    pub expected: Option<Qty>,
    /// Stock at the previous count.
    pub opening: Option<Qty>,
    /// The flow between the two counts.
    pub passed: Passed,
}

impl Figures {
    /// Counted less expected.
    #[must_use]
    pub fn variance(&self) -> Option<Qty> {
        self.counted?.checked_sub(self.expected?)
    }
}

/// Every counted item and every root item of a store.
#[derive(Debug, Clone, Default)]
pub struct Computed {
    /// In counted units, in the order of the items.
    pub items: Vec<Figures>,
    /// In root units, in the order of the flows.
    pub roots: Vec<Figures>,
}

/// One item's part in one root item.
#[derive(Clone, Copy)]
struct Part {
    item: usize,
    factor: Factor,
    /// That at the earlier count; `None` if the item did not represent the root item then.
    before: Option<Factor>,
    weight: Qty,
}

/// Computes the stock at a moment; the anchors must not include later counts. `None` on overflow.
#[must_use]
pub fn compute(items: &[Counted], flows: &[Flow], at: Moment) -> Option<Computed> {
    let parts = parts(items, flows.len())?;
    // Each item's flow since its last count, and between its two counts, in root units.
    let mut since = vec![Passed::default(); items.len()];
    let mut between = vec![Passed::default(); items.len()];
    let mut roots = Vec::with_capacity(flows.len());
    for (flow, parts) in flows.iter().zip(&parts) {
        let last = share(flow, parts, items, Stretch::Since, at)?;
        let compared = share(flow, parts, items, Stretch::Compared, at)?;
        roots.push(of_root(items, parts, &last, &compared)?);
        for ((part, last), compared) in parts.iter().zip(last).zip(compared) {
            since[part.item] = since[part.item].plus(last.unwrap_or_default())?;
            between[part.item] = between[part.item].plus(compared.unwrap_or_default())?;
        }
    }
    let mut figures = Vec::with_capacity(items.len());
    for ((item, since), between) in items.iter().zip(since).zip(between) {
        figures.push(of_item(item, since, between)?);
    }
    Some(Computed { items: figures, roots })
}

/// Usage of each item between two moments, in counted units, whether it was ever counted or not.
#[must_use]
pub fn used_of_items(items: &[Counted], flows: &[Flow], from: Moment, to: Moment) -> Option<Vec<Qty>> {
    let parts = parts(items, flows.len())?;
    let mut used = vec![Passed::default(); items.len()];
    for (flow, parts) in flows.iter().zip(&parts) {
        for (part, passed) in parts.iter().zip(share(flow, parts, items, Stretch::From(from), to)?) {
            used[part.item] = used[part.item].plus(passed.unwrap_or_default())?;
        }
    }
    items.iter().zip(used).map(|(item, passed)| Some(in_units(&item.roots, passed)?.used)).collect()
}

/// The items that represent each root item.
fn parts(items: &[Counted], roots: usize) -> Option<Vec<Vec<Part>>> {
    let mut parts: Vec<Vec<Part>> = vec![Vec::new(); roots];
    for (item, counted) in items.iter().enumerate() {
        for &(root, factor) in &counted.roots {
            let weight = counted.last.map_or(Some(Qty::ZERO), |last| last.qty.scaled(factor))?;
            let before = counted.roots_before().iter().find(|(of, _)| *of == root).map(|(_, then)| *then);
            parts.get_mut(root)?.push(Part { item, factor, before, weight: weight.max(Qty::ZERO) });
        }
    }
    // An uncounted item takes no share from counted ones.
    for parts in &mut parts {
        if parts.iter().any(|part| items[part.item].last.is_some()) {
            parts.retain(|part| items[part.item].last.is_some());
        }
    }
    Some(parts)
}

/// The flow of each part in its range up to a moment, allocated among all parts. Parts whose ranges cover the same days
/// add up exactly to the last millionth.
fn share(
    flow: &Flow,
    parts: &[Part],
    items: &[Counted],
    stretch: Stretch,
    until: Moment,
) -> Option<Vec<Option<Passed>>> {
    let moments = |item: usize| stretch.of(&items[item], until);
    // The allocation of the last millionths must not depend on the end of the range, or consecutive days would differ
    // by rounding. Items counted one after the other share what happened since, unless something happened in between.
    let range = |item: usize| {
        let (from, to) = stretch.of(&items[item], Moment::after(BusinessDay(i32::MAX)))?;
        Some((flow.position(from), flow.position(to)))
    };
    let all: i128 = parts.iter().map(|part| i128::from(part.weight.0)).sum();
    let weight = |part: &Part| if all == 0 { 1 } else { i128::from(part.weight.0) };
    let whole: i128 = parts.iter().map(weight).sum();
    let mut shared = vec![None; parts.len()];
    for first in 0..parts.len() {
        let Some((from, to)) = moments(parts[first].item) else { continue };
        if shared[first].is_some() {
            continue;
        }
        let passed = flow.between(from, to)?;
        let alike = |at: &usize| range(parts[*at].item) == range(parts[first].item);
        // Running sums leave no remainder.
        let mut sum = 0;
        let up_to = |qty: Qty, sum: i128| div_round(i128::from(qty.0) * sum, whole).map(Qty);
        for at in (first..parts.len()).filter(alike) {
            let (before, after) = (sum, sum + weight(&parts[at]));
            sum = after;
            let part = |qty: Qty| up_to(qty, after)?.checked_sub(up_to(qty, before)?);
            shared[at] = Some(Passed { moved: part(passed.moved)?, used: part(passed.used)? });
        }
    }
    Some(shared)
}

fn of_root(
    items: &[Counted],
    parts: &[Part],
    since: &[Option<Passed>],
    between: &[Option<Passed>],
) -> Option<Figures> {
    let moments = parts.iter().filter_map(|part| items[part.item].last).map(|last| last.moment);
    let mut figures = Figures { moment: moments.max(), ..Figures::default() };
    let add = |sum: &mut Option<Qty>, more: Qty| {
        *sum = Some(sum.unwrap_or_default().checked_add(more)?);
        Some(())
    };
    for ((part, since), between) in parts.iter().zip(since).zip(between) {
        let item = &items[part.item];
        let (Some(last), Some(since)) = (item.last, since) else { continue };
        let counted = last.qty.scaled(part.factor)?;
        add(&mut figures.on_hand, counted.checked_add(since.net()?)?)?;
        figures.since = figures.since.plus(*since)?;
        // Only the last count of the root item is compared, not items left out of it.
        if !figures.moment.is_some_and(|moment| moment.is_with(last.moment)) {
            continue;
        }
        // What it did not represent at the earlier count was not counted then.
        let (Some(between), Some(earlier), Some(before)) = (between, item.earlier, part.before) else {
            continue;
        };
        let opening = earlier.qty.scaled(before)?;
        add(&mut figures.counted, counted)?;
        add(&mut figures.opening, opening)?;
        add(&mut figures.expected, opening.checked_add(between.net()?)?)?;
        figures.passed = figures.passed.plus(*between)?;
    }
    if figures.counted.is_none() {
        // Nothing to compare with: only the counted quantity is known.
        for part in parts {
            let with =
                |last: &BaselineCount| figures.moment.is_some_and(|moment| moment.is_with(last.moment));
            if let Some(last) = items[part.item].last.filter(with) {
                add(&mut figures.counted, last.qty.scaled(part.factor)?)?;
            }
        }
    }
    Some(figures)
}

fn of_item(item: &Counted, since: Passed, between: Passed) -> Option<Figures> {
    let Some(last) = item.last else { return Some(Figures::default()) };
    let mut figures = Figures { counted: Some(last.qty), moment: Some(last.moment), ..Figures::default() };
    figures.since = in_units(&item.roots, since)?;
    figures.on_hand = Some(last.qty.checked_add(figures.since.net()?)?);
    // An item that represents nothing has no expected stock.
    let earlier = item.earlier.filter(|earlier| earlier.moment < last.moment && !item.roots.is_empty());
    if let Some(earlier) = earlier {
        figures.passed = in_units(&item.roots, between)?;
        let opening = converted(earlier.qty, item.roots_before(), &item.roots)?;
        figures.opening = Some(opening);
        figures.expected = Some(opening.checked_add(figures.passed.net()?)?);
    }
    Some(figures)
}

/// Converts root units to counted units of an item that represents these root items. Of several, their average weighted
/// by how much of each is in a unit. `None` on overflow.
#[must_use]
pub fn in_units(roots: &[(usize, Factor)], passed: Passed) -> Option<Passed> {
    let in_one: i128 = roots.iter().map(|(_, factor)| i128::from(factor.0)).sum();
    if in_one <= 0 {
        return Some(Passed::default());
    }
    let units = |qty: Qty| div_round(i128::from(qty.0) * 1_000_000_000, in_one).map(Qty);
    Some(Passed { moved: units(passed.moved)?, used: units(passed.used)? })
}

/// A quantity in counted units that represented `then`, in units that represent `now`: as many as have as much in them.
/// `None` on overflow.
#[must_use]
pub fn converted(qty: Qty, then: &[(usize, Factor)], now: &[(usize, Factor)]) -> Option<Qty> {
    let in_one =
        |roots: &[(usize, Factor)]| roots.iter().map(|(_, factor)| i128::from(factor.0)).sum::<i128>();
    let (then, now) = (in_one(then), in_one(now));
    if then == now || then <= 0 || now <= 0 {
        return Some(qty);
    }
    div_round(i128::from(qty.0) * then, now).map(Qty)
}

/// Days of cover, to a tenth; `None` without usage.
#[must_use]
pub fn days_of_cover(on_hand: Qty, used: Qty, days: i32) -> Option<Qty> {
    if used.0 <= 0 {
        return None;
    }
    let tenths = div_round(i128::from(on_hand.0.max(0)) * i128::from(days) * 10, i128::from(used.0))?;
    tenths.checked_mul(100_000).map(Qty)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ONE: Factor = Factor(1_000_000_000);

    fn qty(whole: i64) -> Qty {
        Qty(whole * 1_000_000)
    }

    fn passed(moved: i64, used: i64) -> Passed {
        Passed { moved: qty(moved), used: qty(used) }
    }

    fn opening(day: i32, whole: i64) -> Option<BaselineCount> {
        Some(BaselineCount { moment: Moment::half(day * 2), qty: qty(whole) })
    }

    fn closing(day: i32, whole: i64) -> Option<BaselineCount> {
        Some(BaselineCount { moment: Moment::half(day * 2 + 1), qty: qty(whole) })
    }

    fn item(
        roots: &[(usize, Factor)],
        earlier: Option<BaselineCount>,
        last: Option<BaselineCount>,
    ) -> Counted {
        Counted { roots: roots.to_vec(), last, earlier, before: None }
    }

    fn end(day: i32) -> Moment {
        Moment::after(BusinessDay(day))
    }

    #[test]
    fn a_days_flows_are_between_its_counts() {
        let flow = Flow::of(vec![(BusinessDay(2), passed(5, 1)), (BusinessDay(1), passed(0, 2))]);
        let between = |from, to| flow.between(from, to).expect("small numbers");
        assert_eq!(between(Moment::before(BusinessDay(1)), end(2)), passed(5, 3));
        assert_eq!(between(Moment::after(BusinessDay(1)), end(2)), passed(5, 1));
        assert_eq!(between(Moment::before(BusinessDay(2)), end(2)), passed(5, 1));
        assert_eq!(between(end(2), end(9)), Passed::default());
        assert_eq!(between(end(2), end(0)), passed(-5, -3));
    }

    #[test]
    fn stock_is_the_count_plus_the_flow_since() {
        // A sack is five of the root item.
        let sacks = item(&[(0, Factor(5_000_000_000))], opening(1, 10), closing(2, 8));
        let flow = Flow::of(vec![
            (BusinessDay(1), passed(0, 5)),
            (BusinessDay(2), passed(0, 10)),
            (BusinessDay(3), passed(25, 15)),
        ]);
        let found = compute(std::slice::from_ref(&sacks), &[flow], end(3)).expect("small numbers");
        let [sacks] = found.items[..] else { panic!("one item") };
        assert_eq!(
            (sacks.on_hand, sacks.expected, sacks.variance()),
            (Some(qty(10)), Some(qty(7)), Some(qty(1)))
        );
        let [root] = found.roots[..] else { panic!("one root item") };
        assert_eq!(
            (root.on_hand, root.counted, root.expected),
            (Some(qty(50)), Some(qty(40)), Some(qty(35)))
        );
        assert_eq!((root.opening, root.passed), (Some(qty(50)), passed(0, 15)));
    }

    #[test]
    fn each_count_is_of_what_was_in_a_unit_then() {
        // A sack was five, then ten.
        let five = vec![(0, Factor(5_000_000_000))];
        let mut sacks = item(&[(0, Factor(10_000_000_000))], opening(1, 10), closing(2, 3));
        sacks.before = Some(five);
        let flow = Flow::of(vec![(BusinessDay(1), passed(0, 10)), (BusinessDay(3), passed(0, 10))]);
        let found = compute(std::slice::from_ref(&sacks), &[flow], end(3)).expect("small numbers");
        let [root] = found.roots[..] else { panic!("one root item") };
        assert_eq!(
            (root.opening, root.expected, root.counted, root.on_hand),
            (Some(qty(50)), Some(qty(40)), Some(qty(30)), Some(qty(20)))
        );
        // Its own figures are in the units of the last count.
        let [own] = found.items[..] else { panic!("one item") };
        assert_eq!(
            (own.opening, own.expected, own.variance(), own.on_hand),
            (Some(qty(5)), Some(qty(4)), Some(qty(-1)), Some(qty(2)))
        );
        // What it did not represent before is not compared.
        sacks.before = Some(Vec::new());
        let found = compute(&[sacks], &[Flow::default()], end(3)).expect("small numbers");
        assert_eq!((found.roots[0].on_hand, found.roots[0].expected), (Some(qty(30)), None));
    }

    #[test]
    fn items_of_one_root_item_share_the_flow() {
        let flows = [Flow::of(vec![(BusinessDay(2), passed(0, 10))])];
        let three = [1, 1, 1].map(|whole| item(&[(0, ONE)], None, closing(1, whole)));
        let found = compute(&three, &flows, end(2)).expect("small numbers");
        assert_eq!(found.roots[0].on_hand, Some(qty(3 - 10)));
        let sum: i64 = found.items.iter().filter_map(|one| one.on_hand).map(|qty| qty.0).sum();
        assert_eq!(Qty(sum), qty(-7));
        // All counts are zero: equal shares. An uncounted item takes none.
        let mut none = [0, 0].map(|whole| item(&[(0, ONE)], None, closing(1, whole))).to_vec();
        none.push(item(&[(0, ONE)], None, None));
        let found = compute(&none, &flows, end(2)).expect("small numbers");
        let on_hand: Vec<_> = found.items.iter().map(|one| one.on_hand).collect();
        assert_eq!(on_hand, [Some(qty(-5)), Some(qty(-5)), None]);
        assert_eq!(used_of_items(&none, &flows, end(1), end(2)), Some(vec![qty(5), qty(5), Qty::ZERO]));
    }

    #[test]
    fn uncounted_stock_is_unknown() {
        let flows = [Flow::of(vec![(BusinessDay(2), passed(7, 10))])];
        let found = compute(&[item(&[(0, ONE)], None, None)], &flows, end(2)).expect("small numbers");
        assert_eq!((found.items[0], found.roots[0]), (Figures::default(), Figures::default()));
        let bare = item(&[], closing(1, 2), closing(2, 3));
        let found = compute(&[bare], &[], end(3)).expect("small numbers");
        assert_eq!((found.items[0].on_hand, found.items[0].expected), (Some(qty(3)), None));
    }

    #[test]
    fn cover_is_stock_over_usage() {
        assert_eq!(days_of_cover(qty(10), qty(56), 28), Some(qty(5)));
        assert_eq!(days_of_cover(qty(1), qty(84), 28), Some(Qty(300_000)));
        assert_eq!(days_of_cover(qty(-4), qty(84), 28), Some(Qty::ZERO));
        assert_eq!(days_of_cover(qty(4), Qty::ZERO, 28), None);
    }

    fn happenings() -> impl Strategy<Value = Vec<(BusinessDay, Passed)>> {
        let one = (0i32..40, -1_000_000i64..1_000_000, -1_000_000i64..1_000_000);
        let one = one
            .prop_map(|(day, moved, used)| (BusinessDay(day), Passed { moved: Qty(moved), used: Qty(used) }));
        prop::collection::vec(one, 0..60)
    }

    fn baselines() -> impl Strategy<Value = (Option<BaselineCount>, Option<BaselineCount>)> {
        let one = || {
            (0i32..80, 0i64..1_000_000)
                .prop_map(|(at, qty)| BaselineCount { moment: Moment::half(at), qty: Qty(qty) })
        };
        prop::option::of((one(), prop::option::of(one()))).prop_map(|found| match found {
            None => (None, None),
            Some((a, None)) => (None, Some(a)),
            Some((a, Some(b))) if a.moment < b.moment => (Some(a), Some(b)),
            Some((a, Some(b))) if a.moment > b.moment => (Some(b), Some(a)),
            Some((a, _)) => (None, Some(a)),
        })
    }

    fn counted() -> impl Strategy<Value = Counted> {
        let roots = prop::collection::btree_map(0usize..3, 1i64..5_000_000_000, 0..3);
        (roots, baselines()).prop_map(|(roots, (earlier, last))| Counted {
            roots: roots.into_iter().map(|(root, factor)| (root, Factor(factor))).collect(),
            earlier,
            last,
            before: None,
        })
    }

    proptest! {
        /// Day by day from nothing, and from the anchor in one step: the same result.
        #[test]
        fn one_step_is_as_good_as_a_replay(days in happenings(), start in 0i32..80, count in 0i64..1_000_000) {
            let baseline = BaselineCount { moment: Moment::half(start), qty: Qty(count) };
            let one = item(&[(0, ONE)], None, Some(baseline));
            let found = compute(&[one], &[Flow::of(days.clone())], end(40)).expect("small numbers");
            let (mut lies, mut counted) = (0i64, false);
            for moment in 0..=81 {
                if moment == start {
                    (lies, counted) = (count, true);
                }
                // The flows of a day come between its two moments.
                if counted && moment % 2 == 0 {
                    let today = days.iter().filter(|(day, _)| day.0 * 2 == moment);
                    lies += today.map(|(_, passed)| passed.moved.0 - passed.used.0).sum::<i64>();
                }
            }
            prop_assert_eq!(found.items[0].on_hand, Some(Qty(lies)));
            prop_assert_eq!(found.roots[0].on_hand, Some(Qty(lies)));
        }

        /// Late and out of order events give the same figures.
        #[test]
        fn the_order_of_arrival_changes_nothing(
            days in happenings(),
            items in prop::collection::vec(counted(), 0..6),
            turn in 0usize..60,
        ) {
            let flows = |days: &[(BusinessDay, Passed)]| {
                [0, 1, 2].map(|root| Flow::of(days.iter().skip(root).step_by(3).copied().collect()))
            };
            let mut other = flows(&days);
            for (root, flow) in other.iter_mut().enumerate() {
                let mut happened: Vec<_> = days.iter().skip(root).step_by(3).copied().collect();
                let turn = turn % (happened.len().max(1));
                happened.rotate_left(turn);
                *flow = Flow::of(happened);
            }
            let one = compute(&items, &flows(&days), end(40)).expect("small numbers");
            let two = compute(&items, &other, end(40)).expect("small numbers");
            prop_assert_eq!(one.items, two.items);
            prop_assert_eq!(one.roots, two.roots);
        }

        /// A flow posted before a count changes the expected stock then, not the current stock.
        #[test]
        fn a_count_resets_earlier_flows(
            days in happenings(),
            late in happenings(),
            items in prop::collection::vec(counted(), 1..6),
        ) {
            let first = items.iter().filter_map(|item| item.last).map(|last| last.moment).min();
            let Some(first) = first else { return Ok(()) };
            let late = late.into_iter().filter(|(date, _)| EventTime { date: *date, at: None }.is_before(first));
            let with: Vec<_> = days.iter().copied().chain(late).collect();
            let flows = |days: &[(BusinessDay, Passed)]| [0, 1, 2].map(|_| Flow::of(days.to_vec()));
            let without = compute(&items, &flows(&days), end(40)).expect("small numbers");
            let with = compute(&items, &flows(&with), end(40)).expect("small numbers");
            let on_hand = |found: &Computed| -> Vec<_> {
                found.items.iter().chain(&found.roots).map(|one| one.on_hand).collect()
            };
            prop_assert_eq!(on_hand(&without), on_hand(&with));
        }

        /// A root item's stock is the sum of its count items, and so is the flow since a count that included all of
        /// them.
        #[test]
        fn a_root_items_stock_is_the_sum_of_its_items(
            days in happenings(),
            counts in prop::collection::vec(0i64..1_000_000, 1..6),
            start in 0i32..80,
        ) {
            let baseline = |qty: &i64| Some(BaselineCount { moment: Moment::half(start), qty: Qty(*qty) });
            let items: Vec<_> = counts.iter().map(|qty| item(&[(0, ONE)], None, baseline(qty))).collect();
            let flow = Flow::of(days);
            let net = flow.between(Moment::half(start), end(40)).and_then(Passed::net).expect("small numbers");
            let found = compute(&items, &[flow], end(40)).expect("small numbers");
            let sum: i64 = found.items.iter().filter_map(|one| one.on_hand).map(|qty| qty.0).sum();
            prop_assert_eq!(found.roots[0].on_hand, Some(Qty(sum)));
            prop_assert_eq!(sum, counts.iter().sum::<i64>() + net.0);
        }
    }
}
