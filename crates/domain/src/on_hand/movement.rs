//! Movement of a root item in a store over a range of days: opening stock, flows in and out, theoretical usage by the
//! bills of materials and actual usage by the counts.
//!
//! `opening + received + transfers in − transfers out − waste − actual use = closing`. Opening and closing are those of
//! the store's inventory ([`compute`](super::compute)), so the closing of a day is the opening of the next and the
//! variance is the inventory's: counted less expected.

use super::series::{History, known_at};
use super::{Flow, Moment, Passed, compute};
use crate::document::kind::Counts;
use crate::ledger::DocumentType;
use crate::words::words;
use crate::{Qty, Span};

words! {
    /// How a document moved a store's stock.
    #[serde(rename_all = "camelCase")]
    #[cfg_attr(feature = "schema", schema(as = Way))]
    MovementKind {
        /// Received from a supplier or a kitchen, or corrected in the ledger.
        Received = "received",
        /// From another store.
        TransferIn = "transferIn",
        /// To another store.
        TransferOut = "transferOut",
        /// Thrown away.
        Waste = "waste",
    }
}

impl MovementKind {
    /// The kind of a movement: by its document, whether that is the receipt of a transfer, and whether the movement is
    /// at that receipt's own store. What a receipt moves at the other store, such as accepted overage, left it.
    #[must_use]
    pub fn of(document: DocumentType, of_transfer: bool, at_receiver: bool) -> Self {
        match document.posts().counts {
            Counts::Wasted => Self::Waste,
            Counts::Sent => Self::TransferOut,
            Counts::TakenIn if !of_transfer => Self::Received,
            Counts::TakenIn if at_receiver => Self::TransferIn,
            Counts::TakenIn => Self::TransferOut,
            Counts::Received => Self::Received,
        }
    }

    /// A movement of this kind as an amount: outflows are unsigned.
    #[must_use]
    pub fn amount(self, moved: Qty) -> Option<Qty> {
        match self {
            Self::Received | Self::TransferIn => Some(moved),
            Self::TransferOut | Self::Waste => Qty::ZERO.checked_sub(moved),
        }
    }
}

/// Transfers and waste, as amounts; reversals are deducted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TransfersAndWaste {
    pub transfers_in: Qty,
    pub transfers_out: Qty,
    pub waste: Qty,
}

impl TransfersAndWaste {
    /// Adds a movement. `None` on overflow.
    #[must_use]
    pub fn plus(mut self, way: MovementKind, moved: Qty) -> Option<Self> {
        let sum = match way {
            MovementKind::Received => return Some(self),
            MovementKind::TransferIn => &mut self.transfers_in,
            MovementKind::TransferOut => &mut self.transfers_out,
            MovementKind::Waste => &mut self.waste,
        };
        *sum = sum.checked_add(way.amount(moved)?)?;
        Some(self)
    }

    /// The sum of both. `None` on overflow.
    #[must_use]
    pub fn with(self, other: Self) -> Option<Self> {
        Some(Self {
            transfers_in: self.transfers_in.checked_add(other.transfers_in)?,
            transfers_out: self.transfers_out.checked_add(other.transfers_out)?,
            waste: self.waste.checked_add(other.waste)?,
        })
    }
}

/// The stock of a root item at one end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct End {
    /// As in the inventory; `None` if never counted.
    pub on_hand: Option<Qty>,
    /// How many of its items were counted until then.
    pub counted: usize,
}

/// A root item in a store over a range of days, in its own units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Movement {
    /// Stock before the first day; `None` if never counted until then.
    pub opening: Option<Qty>,
    /// From suppliers and kitchens, and corrections of the ledger.
    pub received: Qty,
    pub transfers_in: Qty,
    pub transfers_out: Qty,
    pub waste: Qty,
    /// Usage by sales, by the bills of materials.
    pub theoretical_use: Qty,
    /// Stock after the last day.
    pub closing: Option<Qty>,
    /// Usage by the counts; `None` where an item was counted for the first time in between, or never.
    pub actual_use: Option<Qty>,
    /// Counted less expected: theoretical less actual use.
    pub variance: Option<Qty>,
}

impl Movement {
    /// From the stock at both ends, the flow, and its transfers and waste. `None` on overflow.
    #[must_use]
    pub fn of(
        (opening, closing): (End, End),
        passed: Passed,
        transfers_and_waste: TransfersAndWaste,
    ) -> Option<Self> {
        let TransfersAndWaste { transfers_in, transfers_out, waste } = transfers_and_waste;
        let went = transfers_out.checked_add(waste)?;
        let mut movement = Self {
            opening: opening.on_hand,
            received: passed.moved.checked_sub(transfers_in)?.checked_add(went)?,
            transfers_in,
            transfers_out,
            waste,
            theoretical_use: passed.used,
            closing: closing.on_hand,
            ..Self::default()
        };
        // Usage is known only if all items were counted at both ends.
        if let (Some(lay), Some(lies), true) =
            (opening.on_hand, closing.on_hand, opening.counted == closing.counted)
        {
            let actual = lay.checked_add(passed.moved)?.checked_sub(lies)?;
            movement.actual_use = Some(actual);
            movement.variance = Some(passed.used.checked_sub(actual)?);
        }
        Some(movement)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The stock of every root item at a moment, in the order of the flows. `None` on overflow.
#[must_use]
pub fn ends(items: &[History], flows: &[Flow], at: Moment) -> Option<Vec<End>> {
    let counted = known_at(items, at);
    let mut ends: Vec<End> = compute(&counted, flows, at)?
        .roots
        .into_iter()
        .map(|figures| End { on_hand: figures.on_hand, counted: 0 })
        .collect();
    for item in counted.iter().filter(|item| item.last.is_some()) {
        for (root, _) in &item.roots {
            ends.get_mut(*root)?.counted += 1;
        }
    }
    Some(ends)
}

/// The movements of every root item over consecutive periods: by root item, then by period.
/// `transfers_and_waste(root, period)` returns its transfers and waste.
#[must_use]
pub fn movements(
    items: &[History],
    flows: &[Flow],
    periods: &[Span],
    transfers_and_waste: impl Fn(usize, Span) -> Option<TransfersAndWaste>,
) -> Option<Vec<Vec<Movement>>> {
    let mut computed: Vec<Vec<Movement>> = vec![Vec::with_capacity(periods.len()); flows.len()];
    let Some(first) = periods.first() else { return Some(computed) };
    // A count that opens the first day is part of it: the day before had closed.
    let mut before = ends(items, flows, Moment::after(first.from.plus(-1)))?;
    for period in periods {
        let after = ends(items, flows, Moment::after(period.to))?;
        for (root, flow) in flows.iter().enumerate() {
            let passed = flow.between(Moment::before(period.from), Moment::after(period.to))?;
            let ends = (before[root], after[root]);
            computed[root].push(Movement::of(ends, passed, transfers_and_waste(root, *period)?)?);
        }
        before = after;
    }
    Some(computed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::on_hand::timeline::random;
    use crate::on_hand::{BaselineCount, Versions};
    use crate::{BusinessDay, Factor};

    const ONE: Factor = Factor(1_000_000_000);

    fn days(from: i32, to: i32) -> Vec<Span> {
        (from..=to).map(|day| Span { from: BusinessDay(day), to: BusinessDay(day) }).collect()
    }

    fn closing(day: i32, qty: i64) -> BaselineCount {
        BaselineCount { moment: Moment::half(day * 2 + 1), qty: Qty(qty) }
    }

    #[test]
    fn a_range_between_two_counts_matches_the_worked_example() {
        let item =
            History { roots: Versions::new(vec![(0, ONE)]), counts: vec![closing(0, 20), closing(2, 9)] };
        let passed = |moved, used| Passed { moved: Qty(moved), used: Qty(used) };
        let flow = Flow::of(vec![(BusinessDay(1), passed(8, 6)), (BusinessDay(2), passed(0, 5))]);
        // Of the net eight, twelve were received and four left.
        let transfers_and_waste =
            TransfersAndWaste { transfers_in: Qty(3), transfers_out: Qty(5), waste: Qty(2) };
        let week = [Span { from: BusinessDay(1), to: BusinessDay(2) }];
        let computed =
            movements(&[item], &[flow], &week, |_, _| Some(transfers_and_waste)).expect("small numbers");
        let expected = Movement {
            opening: Some(Qty(20)),
            received: Qty(12),
            transfers_in: Qty(3),
            transfers_out: Qty(5),
            waste: Qty(2),
            theoretical_use: Qty(11),
            closing: Some(Qty(9)),
            actual_use: Some(Qty(19)),
            variance: Some(Qty(-8)),
        };
        assert_eq!(computed, [[expected]]);
    }

    #[test]
    fn a_first_count_in_between_gives_no_actual_use() {
        let item = |counts| History { roots: Versions::new(vec![(0, ONE)]), counts };
        let items = [item(vec![closing(0, 5)]), item(vec![closing(1, 7)])];
        let computed =
            movements(&items, &[Flow::default()], &days(1, 2), |_, _| Some(TransfersAndWaste::default()));
        let computed = &computed.expect("small numbers")[0];
        assert_eq!(
            (computed[0].opening, computed[0].closing, computed[0].variance),
            (Some(Qty(5)), Some(Qty(12)), None)
        );
        assert_eq!((computed[1].actual_use, computed[1].variance), (Some(Qty(0)), Some(Qty(0))));
    }

    #[test]
    fn a_movement_has_one_kind() {
        use DocumentType::{Adjustment, Delivery, Receipt, Transfer, Waste};
        let way = |kind, of_transfer, at_receiver| MovementKind::of(kind, of_transfer, at_receiver);
        assert_eq!(way(Receipt, false, true), MovementKind::Received);
        assert_eq!(way(Receipt, true, true), MovementKind::TransferIn);
        assert_eq!(way(Receipt, true, false), MovementKind::TransferOut);
        assert_eq!(way(Transfer, false, false), MovementKind::TransferOut);
        assert_eq!(way(Waste, false, false), MovementKind::Waste);
        assert_eq!(
            (way(Adjustment, false, false), way(Delivery, false, false)),
            (MovementKind::Received, MovementKind::Received)
        );
        // Overage that the receiver accepted left the sender; returns reduce it.
        let sent = TransfersAndWaste::default()
            .plus(MovementKind::TransferOut, Qty(-9))
            .and_then(|it| it.plus(MovementKind::TransferOut, Qty(2)));
        assert_eq!(sent.map(|it| it.transfers_out), Some(Qty(7)));
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

    /// Some transfers in, transfers out and waste every day.
    fn some(root: usize, period: Span) -> Option<TransfersAndWaste> {
        let of = |n: i64| (period.from.0..=period.to.0).map(|day| i64::from(day % 5) * n).sum();
        let n = i64::try_from(root).ok()?;
        Some(TransfersAndWaste { transfers_in: Qty(of(n)), transfers_out: Qty(of(n + 1)), waste: Qty(of(2)) })
    }

    fn identity(it: &Movement) -> bool {
        let (Some(opening), Some(closing), Some(actual)) = (it.opening, it.closing, it.actual_use) else {
            return it.actual_use.is_none() && it.variance.is_none();
        };
        let moved = it.received.0 + it.transfers_in.0 - it.transfers_out.0 - it.waste.0;
        opening.0 + moved - actual.0 == closing.0 && it.variance == Some(Qty(it.theoretical_use.0 - actual.0))
    }

    proptest! {
        /// The identity holds for every row, a day begins where the previous one ended, and days add up to their range.
        #[test]
        fn figures_add_up(
            items in prop::collection::vec(history(), 1..5),
            flows in flows(),
            from in 0i32..15,
        ) {
            let whole = [Span { from: BusinessDay(from), to: BusinessDay(19) }];
            let single = days(from, 19);
            let by_day = movements(&items, &flows, &single, some).expect("small numbers");
            let in_all = movements(&items, &flows, &whole, some).expect("small numbers");
            for (days, whole) in by_day.iter().zip(&in_all) {
                let whole = whole[0];
                prop_assert!(days.iter().chain([&whole]).all(identity));
                prop_assert!(days.windows(2).all(|two| two[0].closing == two[1].opening));
                let sum = |of: fn(&Movement) -> Qty| Qty(days.iter().map(|day| of(day).0).sum());
                prop_assert_eq!(sum(|day| day.received), whole.received);
                prop_assert_eq!(sum(|day| day.transfers_in), whole.transfers_in);
                prop_assert_eq!(sum(|day| day.transfers_out), whole.transfers_out);
                prop_assert_eq!(sum(|day| day.waste), whole.waste);
                prop_assert_eq!(sum(|day| day.theoretical_use), whole.theoretical_use);
                prop_assert_eq!((days[0].opening, days.last().and_then(|day| day.closing)), (whole.opening, whole.closing));
                let later = movements(&items, &flows, &single[2..], some).expect("small numbers");
                prop_assert!(later.iter().zip(&by_day).all(|(later, days)| later[..] == days[2..]));
                if whole.variance.is_some() {
                    prop_assert!(days.iter().all(|day| day.variance.is_some()));
                    prop_assert_eq!(Some(sum(|day| day.variance.unwrap_or_default())), whole.variance);
                }
            }
        }

        /// From one count to the next the variance equals that of the store's inventory.
        #[test]
        fn the_variance_is_that_of_the_inventory(
            quantities in prop::collection::vec(prop::collection::vec(0i64..1_000_000, 3), 1..4),
            flows in flows(),
            at in prop::collection::btree_set(0i32..40, 3),
        ) {
            let at: Vec<i32> = at.into_iter().collect();
            let baseline = |(qty, at): (&i64, &i32)| BaselineCount { moment: Moment::half(*at), qty: Qty(*qty) };
            let items: Vec<History> = quantities
                .iter()
                .map(|of| History { roots: Versions::new(vec![(0, ONE)]), counts: of.iter().zip(&at).map(baseline).collect() })
                .collect();
            for two in at.windows(2) {
                let (from, to) = (Moment::half(two[0]), Moment::half(two[1]));
                let end = |at| ends(&items, &flows, at).expect("small numbers")[0];
                let passed = flows[0].between(from, to).expect("small numbers");
                let computed = Movement::of((end(from), end(to)), passed, TransfersAndWaste::default()).expect("small numbers");
                let known = compute(&known_at(&items, to), &flows, to).expect("small numbers");
                prop_assert_eq!(computed.variance, known.roots[0].variance());
            }
        }
    }
}
