//! Store orders: life cycle and progress of lines.

use super::flow::Stage::{Cancelled, Done, Open};
use super::flow::{Flow, State, Step};
use crate::words::words;
use crate::{Action, Qty};

words! {
    /// State of an order.
    #[serde(rename_all = "camelCase")]
    OrderState {
        Draft = "draft",
        Submitted = "submitted",
        Rejected = "rejected",
        Approved = "approved",
        InFulfilment = "inFulfilment",
        PartiallyReceived = "partiallyReceived",
        Received = "received",
        Closed = "closed",
        Cancelled = "cancelled",
    }
}

words! {
    /// Step of an order.
    #[serde(rename_all = "kebab-case")]
    OrderStep {
        Submit = "submit",
        Approve = "approve",
        Reject = "reject",
        Withdraw = "withdraw",
        Reopen = "reopen",
        CloseShort = "close-short",
        Cancel = "cancel",
    }
}

const NO_MORE_CANCEL: &str = "Dispatched orders can't be cancelled; close short instead.";

/// The life cycle of a store order. From approval on its state follows from its lines: [`progress`].
pub const FLOW: Flow<OrderState, OrderStep> = Flow {
    one: "order",
    states: &[
        State { state: OrderState::Draft, label: "a draft", stage: Open },
        State { state: OrderState::Submitted, label: "submitted", stage: Open },
        State { state: OrderState::Rejected, label: "rejected", stage: Open },
        State { state: OrderState::Approved, label: "approved", stage: Open },
        State { state: OrderState::InFulfilment, label: "in fulfilment", stage: Open },
        State { state: OrderState::PartiallyReceived, label: "partially received", stage: Open },
        State { state: OrderState::Received, label: "received", stage: Done },
        State { state: OrderState::Closed, label: "closed", stage: Done },
        State { state: OrderState::Cancelled, label: "cancelled", stage: Cancelled },
    ],
    steps: &[
        Step {
            step: OrderStep::Submit,
            label: "submit",
            from: &[OrderState::Draft],
            to: OrderState::Submitted,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: OrderStep::Approve,
            label: "approve",
            from: &[OrderState::Submitted],
            to: OrderState::Approved,
            right: Action::Approve,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: OrderStep::Reject,
            label: "reject",
            from: &[OrderState::Submitted],
            to: OrderState::Rejected,
            right: Action::Approve,
            overrides: false,
            wants_reason: true,
            refused: &[],
        },
        Step {
            step: OrderStep::Withdraw,
            label: "take it back",
            from: &[OrderState::Submitted],
            to: OrderState::Draft,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: OrderStep::Reopen,
            label: "open it again",
            from: &[OrderState::Rejected],
            to: OrderState::Draft,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: OrderStep::CloseShort,
            label: "close short",
            from: &[OrderState::Approved, OrderState::InFulfilment, OrderState::PartiallyReceived],
            to: OrderState::Closed,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: OrderStep::Cancel,
            label: "cancel",
            from: &[OrderState::Draft, OrderState::Submitted, OrderState::Rejected, OrderState::Approved],
            to: OrderState::Cancelled,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[
                (OrderState::InFulfilment, NO_MORE_CANCEL),
                (OrderState::PartiallyReceived, NO_MORE_CANCEL),
                (OrderState::Received, NO_MORE_CANCEL),
            ],
        },
    ],
};

/// The figures of a line, in its unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Line {
    pub approved: Qty,
    pub dispatched: Qty,
    /// Of `dispatched`: no longer in transit, because it was received, returned or written off.
    pub arrived: Qty,
    /// Will not be sent any more.
    pub short_closed: Qty,
}

impl Line {
    /// The quantity still to be sent.
    #[must_use]
    pub fn to_send(self) -> Qty {
        Qty((self.approved.0 - self.dispatched.0 - self.short_closed.0).max(0))
    }
}

/// A quantity above this many times the requested one counts as a typing error, unless overridden.
pub const MUCH_MORE: i64 = 10;

/// Whether a quantity exceeds [`MUCH_MORE`] times the requested one; never if nothing was requested.
#[must_use]
pub fn is_much_more(asked: Qty, given: Qty) -> bool {
    asked.0 > 0 && i128::from(given.0) > i128::from(asked.0) * i128::from(MUCH_MORE)
}

/// The state of an approved order. `reconciled`: all its deliveries are settled.
#[must_use]
pub fn progress(lines: &[Line], reconciled: bool) -> OrderState {
    let dispatched = lines.iter().any(|line| line.dispatched.0 > 0);
    let all_sent = lines.iter().all(|line| line.to_send().is_zero());
    let arrived = lines.iter().any(|line| line.arrived.0 > 0);
    let on_the_way = lines.iter().any(|line| line.arrived < line.dispatched);
    match (dispatched, all_sent) {
        (false, false) => OrderState::Approved,
        (false, true) => OrderState::Closed,
        (true, true) if !on_the_way => {
            if reconciled {
                OrderState::Closed
            } else {
                OrderState::Received
            }
        }
        (true, _) if arrived => OrderState::PartiallyReceived,
        (true, _) => OrderState::InFulfilment,
    }
}

/// Packs to suggest: the shortfall to the par level, in whole packs, never negative. All in base units; `pack` is base
/// units per pack. Source: par level − on hand − in transit − on order, rounded up.
#[must_use]
pub fn suggested_packs(par: Qty, on_hand: Qty, in_transit: Qty, on_order: Qty, pack: Qty) -> i64 {
    let missing = par.0.saturating_sub(on_hand.0).saturating_sub(in_transit.0).saturating_sub(on_order.0);
    if missing <= 0 || pack.0 <= 0 { 0 } else { (missing - 1) / pack.0 + 1 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::flow::testing;
    use super::*;

    #[test]
    fn every_state_and_step() {
        testing::check(&FLOW, (&[], &[]));
        insta::assert_snapshot!(testing::table(&FLOW));
    }

    #[test]
    fn more_than_ten_times_the_request_is_much_more() {
        for (asked, given, much) in [
            (10, 10, false),
            (10, 100, false),
            (10, 101, true),
            (10, i64::MAX, true),
            (i64::MAX, i64::MAX, false),
            (0, 1_000, false),
        ] {
            assert_eq!(is_much_more(Qty(asked), Qty(given)), much, "{given} of {asked}");
        }
    }

    fn line(approved: i64, dispatched: i64, arrived: i64, short_closed: i64) -> Line {
        Line {
            approved: Qty(approved),
            dispatched: Qty(dispatched),
            arrived: Qty(arrived),
            short_closed: Qty(short_closed),
        }
    }

    #[test]
    fn an_orders_state_follows_its_lines() {
        let at = |lines: &[Line]| progress(lines, false).as_str();
        assert_eq!(at(&[line(10, 0, 0, 0), line(5, 0, 0, 0)]), "approved");
        assert_eq!(at(&[line(10, 0, 0, 10)]), "closed");
        assert_eq!(at(&[line(10, 10, 0, 0), line(5, 0, 0, 0)]), "inFulfilment");
        assert_eq!(at(&[line(10, 10, 0, 0)]), "inFulfilment");
        assert_eq!(at(&[line(10, 10, 8, 0)]), "partiallyReceived");
        assert_eq!(at(&[line(10, 10, 10, 0), line(5, 0, 0, 0)]), "partiallyReceived");
        assert_eq!(at(&[line(10, 10, 10, 0), line(5, 0, 0, 5)]), "received");
        assert_eq!(progress(&[line(10, 12, 12, 0)], true), OrderState::Closed);
    }

    #[test]
    fn a_suggestion_fills_up_to_the_par_level_in_whole_packs() {
        let qty = |n: i64| Qty(n * 1_000_000);
        assert_eq!(suggested_packs(qty(100), qty(30), qty(0), qty(0), qty(24)), 3);
        assert_eq!(suggested_packs(qty(100), qty(28), qty(0), qty(0), qty(24)), 3);
        assert_eq!(suggested_packs(qty(100), qty(30), qty(24), qty(48), qty(24)), 0);
        assert_eq!(suggested_packs(qty(10), qty(-5), qty(0), qty(0), qty(24)), 1);
        assert_eq!(suggested_packs(qty(10), qty(0), qty(0), qty(0), qty(0)), 0);
    }

    proptest! {
        #[test]
        fn a_suggestion_reaches_the_par_level_and_no_pack_further(
            par in 0i64..10_000, on_hand in -100i64..10_000, coming in 0i64..1_000, pack in 1i64..100,
        ) {
            let packs = suggested_packs(Qty(par), Qty(on_hand), Qty(coming), Qty(0), Qty(pack));
            prop_assert!(packs == 0 || on_hand + coming + packs * pack >= par);
            prop_assert!(packs == 0 || on_hand + coming + (packs - 1) * pack < par);
        }
    }
}
