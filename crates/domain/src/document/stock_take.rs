//! Stock-takes: what is counted in a kitchen, warehouse or cold storage, compared with the ledger.

use super::flow::Stage::{Cancelled, Done, Open};
use super::flow::{Flow, State, Step};
use crate::count::Op;
use crate::words::words;
use crate::{Action, Qty, Timestamp};

words! {
    /// State of a stock-take.
    #[serde(rename_all = "camelCase")]
    StockTakeState {
        /// Its place and areas can still be changed.
        Draft = "draft",
        Counting = "counting",
        Posted = "posted",
        Reversed = "reversed",
        Cancelled = "cancelled",
    }
}

words! {
    /// Step of a stock-take.
    #[serde(rename_all = "kebab-case")]
    StockTakeStep {
        Start = "start",
        Post = "post",
        Reverse = "reverse",
        Cancel = "cancel",
    }
}

const POSTED: &str = "This stock-take is posted; reverse it, then count again.";
const NOT_STARTED: &str = "Start counting first.";

/// The life cycle of a stock-take.
pub const STOCK_TAKE: Flow<StockTakeState, StockTakeStep> = Flow {
    one: "stock-take",
    states: &[
        State { state: StockTakeState::Draft, label: "not started", stage: Open },
        State { state: StockTakeState::Counting, label: "being counted", stage: Open },
        State { state: StockTakeState::Posted, label: "posted", stage: Done },
        State { state: StockTakeState::Reversed, label: "reversed", stage: Cancelled },
        State { state: StockTakeState::Cancelled, label: "cancelled", stage: Cancelled },
    ],
    steps: &[
        Step {
            step: StockTakeStep::Start,
            label: "start",
            from: &[StockTakeState::Draft],
            to: StockTakeState::Counting,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: StockTakeStep::Post,
            label: "post",
            from: &[StockTakeState::Counting],
            to: StockTakeState::Posted,
            right: Action::Post,
            overrides: true,
            wants_reason: false,
            refused: &[(StockTakeState::Draft, NOT_STARTED)],
        },
        Step {
            step: StockTakeStep::Reverse,
            label: "reverse",
            from: &[StockTakeState::Posted],
            to: StockTakeState::Reversed,
            right: Action::Approve,
            overrides: true,
            wants_reason: true,
            refused: &[],
        },
        Step {
            step: StockTakeStep::Cancel,
            label: "cancel",
            from: &[StockTakeState::Draft, StockTakeState::Counting],
            to: StockTakeState::Cancelled,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[(StockTakeState::Posted, POSTED)],
        },
    ],
};

/// What the ledger had when something was counted: its balance now, less what happened since. `since` are times and
/// quantities. `None` on overflow.
#[must_use]
pub fn book_at(
    balance: Qty,
    since: impl IntoIterator<Item = (Timestamp, Qty)>,
    counted_at: Timestamp,
) -> Option<Qty> {
    since
        .into_iter()
        .filter(|(at, _)| *at > counted_at)
        .try_fold(balance, |book, (_, qty)| book.checked_sub(qty))
}

/// A number on a sheet, or its removal: which device sent it, and when it was typed there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Typed<'a> {
    pub op: &'a Op,
    pub at: Timestamp,
}

/// What becomes of a number that arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// It stands from now on.
    Applied,
    /// It was applied already.
    Duplicate,
    /// A later one stands.
    Superseded,
}

/// Whether an arriving number stands: of one device the later number, otherwise the one typed later; the device's name
/// decides a tie, so that the order of arrival does not.
#[must_use]
pub fn arrives(typed: Typed<'_>, standing: Option<Typed<'_>>) -> Arrival {
    let Some(standing) = standing else { return Arrival::Applied };
    if typed.op == standing.op {
        return Arrival::Duplicate;
    }
    let newer = if typed.op.device_id == standing.op.device_id {
        typed.op.seq > standing.op.seq
    } else {
        (typed.at, &typed.op.device_id) > (standing.at, &standing.op.device_id)
    };
    if newer { Arrival::Applied } else { Arrival::Superseded }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::flow::testing;
    use super::*;

    fn op(device: &str, seq: i64) -> Op {
        Op { device_id: device.to_owned(), seq }
    }

    #[test]
    fn every_state_and_step() {
        testing::check(&STOCK_TAKE, (&[], &[]));
        insta::assert_snapshot!(testing::table(&STOCK_TAKE));
    }

    #[test]
    fn only_what_happened_after_the_count_is_taken_back() {
        let since = [(Timestamp(5), Qty(-30)), (Timestamp(10), Qty(-3)), (Timestamp(11), Qty(-2))];
        assert_eq!(book_at(Qty(65), since, Timestamp(10)), Some(Qty(67)));
        assert_eq!(book_at(Qty(65), since, Timestamp(0)), Some(Qty(100)));
        assert_eq!(book_at(Qty(65), since, Timestamp(11)), Some(Qty(65)));
        assert_eq!(book_at(Qty(i64::MAX), [(Timestamp(1), Qty(-1))], Timestamp(0)), None);
    }

    #[test]
    fn a_number_sent_twice_is_applied_once() {
        let (one, two) = (op("phone", 1), op("phone", 2));
        let first = Typed { op: &one, at: Timestamp(50) };
        // The device's clock was set back between the two.
        let second = Typed { op: &two, at: Timestamp(20) };
        assert_eq!(arrives(first, None), Arrival::Applied);
        assert_eq!(arrives(first, Some(first)), Arrival::Duplicate);
        assert_eq!(arrives(second, Some(first)), Arrival::Applied);
        assert_eq!(arrives(first, Some(second)), Arrival::Superseded);
    }

    proptest! {
        /// Posting counted less book leaves what was counted, with what happened since.
        #[test]
        fn the_difference_makes_the_balance_right(
            opening in -1_000_i64..1_000,
            moved in proptest::collection::vec((0_i64..20, -100_i64..100), 0..12),
            counted in 0_i64..1_000,
            counted_at in 0_i64..20,
        ) {
            let since = || moved.iter().map(|(at, qty)| (Timestamp(*at), Qty(*qty)));
            let balance = Qty(opening + moved.iter().map(|(_, qty)| qty).sum::<i64>());
            let book = book_at(balance, since(), Timestamp(counted_at)).expect("in range");
            let later: i64 = moved.iter().filter(|(at, _)| *at > counted_at).map(|(_, qty)| qty).sum();
            prop_assert_eq!(balance.0 + (counted - book.0), counted + later);
        }

        /// The same number stands whatever the order of arrival.
        #[test]
        fn the_order_of_arrival_does_not_matter(at in proptest::array::uniform2(0_i64..3)) {
            let (here, there) = (op("a", 1), op("b", 1));
            let (one, two) = (Typed { op: &here, at: Timestamp(at[0]) }, Typed { op: &there, at: Timestamp(at[1]) });
            prop_assert_ne!(
                arrives(one, Some(two)) == Arrival::Applied,
                arrives(two, Some(one)) == Arrival::Applied
            );
        }
    }
}
