//! How the stock of a root item in a store moved over a stretch of days: what lay there, what came and went, what was
//! used by the bills of materials and what must have been used by what was counted.
//!
//! `opening + received + transfers in − transfers out − waste − actual use = closing`. Opening and closing are what the
//! store's inventory of those days tells ([`reckon`](super::reckon)), so the closing of a day is the opening of the next
//! and the variance is the inventory's: what was counted more than had to be there.

use super::series::{History, known_at};
use super::{Flow, Moment, Passed, reckon};
use crate::ledger::DocumentType;
use crate::words::words;
use crate::{Qty, Span};

words! {
    /// How a document moved stock of a store.
    #[serde(rename_all = "camelCase")]
    Way {
        /// Came from a supplier or a kitchen, or was put right in the ledger.
        Received = "received",
        /// Came from another store.
        TransferIn = "transferIn",
        /// Went to another store.
        TransferOut = "transferOut",
        /// Was thrown away.
        Waste = "waste",
    }
}

impl Way {
    /// The way of a movement: what posted it, whether its document is the receipt of a transfer, and whether it is a
    /// movement of that receipt's own store. What a receipt moves at the other store, such as an overage kept, left it.
    #[must_use]
    pub fn of(document: Option<DocumentType>, of_transfer: bool, at_receiver: bool) -> Self {
        match document {
            Some(DocumentType::Waste) => Self::Waste,
            Some(DocumentType::Transfer) => Self::TransferOut,
            Some(DocumentType::Receipt) if of_transfer && at_receiver => Self::TransferIn,
            Some(DocumentType::Receipt) if of_transfer => Self::TransferOut,
            _ => Self::Received,
        }
    }

    /// A movement of this way as an amount: what left a store is told without its sign.
    #[must_use]
    pub fn amount(self, moved: Qty) -> Option<Qty> {
        match self {
            Self::Received | Self::TransferIn => Some(moved),
            Self::TransferOut | Self::Waste => Qty::ZERO.checked_sub(moved),
        }
    }
}

/// What of all that moved went a way of its own, as amounts. What was taken back is taken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Apart {
    pub transfers_in: Qty,
    pub transfers_out: Qty,
    pub waste: Qty,
}

impl Apart {
    /// With one more movement. `None` past what can be kept.
    #[must_use]
    pub fn plus(mut self, way: Way, moved: Qty) -> Option<Self> {
        let sum = match way {
            Way::Received => return Some(self),
            Way::TransferIn => &mut self.transfers_in,
            Way::TransferOut => &mut self.transfers_out,
            Way::Waste => &mut self.waste,
        };
        *sum = sum.checked_add(way.amount(moved)?)?;
        Some(self)
    }

    /// Both together. `None` past what can be kept.
    #[must_use]
    pub fn with(self, other: Self) -> Option<Self> {
        Some(Self {
            transfers_in: self.transfers_in.checked_add(other.transfers_in)?,
            transfers_out: self.transfers_out.checked_add(other.transfers_out)?,
            waste: self.waste.checked_add(other.waste)?,
        })
    }
}

/// What lies there of a root item at one end of a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct End {
    /// As the inventory tells it; nothing where it was never counted.
    pub on_hand: Option<Qty>,
    /// How many of the items that stand for it were counted until then.
    pub counted: usize,
}

/// A root item in a store over a stretch of days, in its own units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Movement {
    /// What lay there before the first day; nothing where it was never counted until then.
    pub opening: Option<Qty>,
    /// What suppliers and kitchens brought, and corrections of the ledger.
    pub received: Qty,
    pub transfers_in: Qty,
    pub transfers_out: Qty,
    pub waste: Qty,
    /// What sales used by the bills of materials.
    pub theoretical_use: Qty,
    /// What lies there after the last day.
    pub closing: Option<Qty>,
    /// What must have been used; nothing where something was counted for the first time in between, or never.
    pub actual_use: Option<Qty>,
    /// What was counted more than had to be there: theoretical less actual use.
    pub variance: Option<Qty>,
}

impl Movement {
    /// Of what lay there, what passed, and what of that went its own way. `None` past what can be kept.
    #[must_use]
    pub fn of((opening, closing): (End, End), passed: Passed, apart: Apart) -> Option<Self> {
        let Apart { transfers_in, transfers_out, waste } = apart;
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
        // Only what was counted at both ends tells what was used in between.
        if let (Some(lay), Some(lies), true) =
            (opening.on_hand, closing.on_hand, opening.counted == closing.counted)
        {
            let actual = lay.checked_add(passed.moved)?.checked_sub(lies)?;
            movement.actual_use = Some(actual);
            movement.variance = Some(passed.used.checked_sub(actual)?);
        }
        Some(movement)
    }

    /// Whether there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What lies there of every root item at a moment, in the order of the flows. `None` past what can be kept.
#[must_use]
pub fn ends(items: &[History], flows: &[Flow], at: Moment) -> Option<Vec<End>> {
    let counted = known_at(items, at);
    let mut ends: Vec<End> = reckon(&counted, flows, at)?
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

/// The movements of every root item over periods that follow one another: by root item, then by period.
/// `apart(root, period)` is what went its own way. `None` past what can be kept.
#[must_use]
pub fn movements(
    items: &[History],
    flows: &[Flow],
    periods: &[Span],
    apart: impl Fn(usize, Span) -> Option<Apart>,
) -> Option<Vec<Vec<Movement>>> {
    let mut told: Vec<Vec<Movement>> = vec![Vec::with_capacity(periods.len()); flows.len()];
    let Some(first) = periods.first() else { return Some(told) };
    // A count that opens the first day is a part of it: the day before had closed.
    let mut before = ends(items, flows, Moment::after(first.from.plus(-1)))?;
    for period in periods {
        let after = ends(items, flows, Moment::after(period.to))?;
        for (root, flow) in flows.iter().enumerate() {
            let passed = flow.between(Moment::before(period.from), Moment::after(period.to))?;
            let ends = (before[root], after[root]);
            told[root].push(Movement::of(ends, passed, apart(root, *period)?)?);
        }
        before = after;
    }
    Some(told)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::on_hand::Anchor;
    use crate::{BusinessDay, Factor};

    const ONE: Factor = Factor(1_000_000_000);

    fn days(from: i32, to: i32) -> Vec<Span> {
        (from..=to).map(|day| Span { from: BusinessDay(day), to: BusinessDay(day) }).collect()
    }

    fn closing(day: i32, qty: i64) -> Anchor {
        Anchor { moment: Moment::after(BusinessDay(day)), qty: Qty(qty) }
    }

    #[test]
    fn a_stretch_between_two_counts_is_told_by_hand() {
        let item = History { roots: vec![(0, ONE)], counts: vec![closing(0, 20), closing(2, 9)] };
        let passed = |moved, used| Passed { moved: Qty(moved), used: Qty(used) };
        let flow = Flow::of(vec![(BusinessDay(1), passed(8, 6)), (BusinessDay(2), passed(0, 5))]);
        // Of the eight that came in all, twelve were received and four left.
        let apart = Apart { transfers_in: Qty(3), transfers_out: Qty(5), waste: Qty(2) };
        let week = [Span { from: BusinessDay(1), to: BusinessDay(2) }];
        let told = movements(&[item], &[flow], &week, |_, _| Some(apart)).expect("small numbers");
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
        assert_eq!(told, [[expected]]);
    }

    #[test]
    fn what_was_counted_for_the_first_time_in_between_tells_no_use() {
        let item = |counts| History { roots: vec![(0, ONE)], counts };
        let items = [item(vec![closing(0, 5)]), item(vec![closing(1, 7)])];
        let told = movements(&items, &[Flow::default()], &days(1, 2), |_, _| Some(Apart::default()));
        let told = &told.expect("small numbers")[0];
        assert_eq!((told[0].opening, told[0].closing, told[0].variance), (Some(Qty(5)), Some(Qty(12)), None));
        assert_eq!((told[1].actual_use, told[1].variance), (Some(Qty(0)), Some(Qty(0))));
    }

    #[test]
    fn a_movement_goes_one_way() {
        use DocumentType::{Adjustment, Delivery, Receipt, Transfer, Waste};
        let way = |kind, of_transfer, at_receiver| Way::of(Some(kind), of_transfer, at_receiver);
        assert_eq!(way(Receipt, false, true), Way::Received);
        assert_eq!(way(Receipt, true, true), Way::TransferIn);
        assert_eq!(way(Receipt, true, false), Way::TransferOut);
        assert_eq!(way(Transfer, false, false), Way::TransferOut);
        assert_eq!(way(Waste, false, false), Way::Waste);
        assert_eq!(
            (way(Adjustment, false, false), way(Delivery, false, false)),
            (Way::Received, Way::Received)
        );
        // An overage that the receiver kept left the sender; what came back takes some of it off.
        let sent =
            Apart::default().plus(Way::TransferOut, Qty(-9)).and_then(|it| it.plus(Way::TransferOut, Qty(2)));
        assert_eq!(sent.map(|it| it.transfers_out), Some(Qty(7)));
    }

    fn counts() -> impl Strategy<Value = Vec<Anchor>> {
        prop::collection::btree_map(0i32..40, 0i64..1_000_000, 0..6).prop_map(|counts: BTreeMap<_, _>| {
            counts.into_iter().map(|(at, qty)| Anchor { moment: Moment(at), qty: Qty(qty) }).collect()
        })
    }

    fn history() -> impl Strategy<Value = History> {
        let roots = prop::collection::btree_map(0usize..3, 1i64..5_000_000_000, 0..3);
        (roots, counts()).prop_map(|(roots, counts)| History {
            roots: roots.into_iter().map(|(root, factor)| (root, Factor(factor))).collect(),
            counts,
        })
    }

    fn flows() -> impl Strategy<Value = Vec<Flow>> {
        let one = (0i32..20, -1_000_000i64..1_000_000, -1_000_000i64..1_000_000);
        let one = one
            .prop_map(|(day, moved, used)| (BusinessDay(day), Passed { moved: Qty(moved), used: Qty(used) }));
        prop::collection::vec(prop::collection::vec(one, 0..20).prop_map(Flow::of), 3)
    }

    /// Some of every day went each way.
    fn some(root: usize, period: Span) -> Option<Apart> {
        let of = |n: i64| (period.from.0..=period.to.0).map(|day| i64::from(day % 5) * n).sum();
        let n = i64::try_from(root).ok()?;
        Some(Apart { transfers_in: Qty(of(n)), transfers_out: Qty(of(n + 1)), waste: Qty(of(2)) })
    }

    fn identity(it: &Movement) -> bool {
        let (Some(opening), Some(closing), Some(actual)) = (it.opening, it.closing, it.actual_use) else {
            return it.actual_use.is_none() && it.variance.is_none();
        };
        let moved = it.received.0 + it.transfers_in.0 - it.transfers_out.0 - it.waste.0;
        opening.0 + moved - actual.0 == closing.0 && it.variance == Some(Qty(it.theoretical_use.0 - actual.0))
    }

    proptest! {
        /// The identity holds for every row, a day begins where the one before ended, and days come to their range.
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

        /// From one count to the next the variance is what the store's inventory tells of it.
        #[test]
        fn the_variance_is_that_of_the_inventory(
            quantities in prop::collection::vec(prop::collection::vec(0i64..1_000_000, 3), 1..4),
            flows in flows(),
            at in prop::collection::btree_set(0i32..40, 3),
        ) {
            let at: Vec<i32> = at.into_iter().collect();
            let anchor = |(qty, at): (&i64, &i32)| Anchor { moment: Moment(*at), qty: Qty(*qty) };
            let items: Vec<History> = quantities
                .iter()
                .map(|of| History { roots: vec![(0, ONE)], counts: of.iter().zip(&at).map(anchor).collect() })
                .collect();
            for two in at.windows(2) {
                let (from, to) = (Moment(two[0]), Moment(two[1]));
                let end = |at| ends(&items, &flows, at).expect("small numbers")[0];
                let passed = flows[0].between(from, to).expect("small numbers");
                let told = Movement::of((end(from), end(to)), passed, Apart::default()).expect("small numbers");
                let known = reckon(&known_at(&items, to), &flows, to).expect("small numbers");
                prop_assert_eq!(told.variance, known.roots[0].variance());
            }
        }
    }
}
