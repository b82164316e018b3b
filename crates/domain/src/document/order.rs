//! Store orders: life cycle and progress of lines.

use super::flow::{Flow, State, Step};
use crate::Qty;

const NO_MORE_CANCEL: &str = "Dispatched orders can't be cancelled; close short instead.";

/// The life cycle of a store order. From approval on its state follows from its lines: [`progress`].
pub const FLOW: Flow = Flow {
    one: "order",
    states: &[
        State { name: "draft", label: "a draft" },
        State { name: "submitted", label: "submitted" },
        State { name: "rejected", label: "rejected" },
        State { name: "approved", label: "approved" },
        State { name: "inFulfilment", label: "in fulfilment" },
        State { name: "partiallyReceived", label: "partially received" },
        State { name: "received", label: "received" },
        State { name: "closed", label: "closed" },
        State { name: "cancelled", label: "cancelled" },
    ],
    steps: &[
        Step {
            name: "submit",
            label: "submit",
            from: &["draft"],
            to: "submitted",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "approve",
            label: "approve",
            from: &["submitted"],
            to: "approved",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "reject",
            label: "reject",
            from: &["submitted"],
            to: "rejected",
            wants_reason: true,
            refused: &[],
        },
        Step {
            name: "reopen",
            label: "open it again",
            from: &["rejected"],
            to: "draft",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "close-short",
            label: "close short",
            from: &["approved", "inFulfilment", "partiallyReceived"],
            to: "closed",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "cancel",
            label: "cancel",
            from: &["draft", "submitted", "rejected", "approved"],
            to: "cancelled",
            wants_reason: false,
            refused: &[
                ("inFulfilment", NO_MORE_CANCEL),
                ("partiallyReceived", NO_MORE_CANCEL),
                ("received", NO_MORE_CANCEL),
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

/// From how many times the requested quantity on a value counts as a typing error, unless overridden.
pub const MUCH_MORE: i64 = 10;

/// Whether a quantity exceeds the requested one that far; never where nothing was requested.
#[must_use]
pub fn is_much_more(asked: Qty, given: Qty) -> bool {
    asked.0 > 0 && i128::from(given.0) > i128::from(asked.0) * i128::from(MUCH_MORE)
}

/// The state of an approved order. `reconciled`: all its deliveries are settled.
#[must_use]
pub fn progress(lines: &[Line], reconciled: bool) -> &'static str {
    let dispatched = lines.iter().any(|line| line.dispatched.0 > 0);
    let all_sent = lines.iter().all(|line| line.to_send().is_zero());
    let arrived = lines.iter().any(|line| line.arrived.0 > 0);
    let on_the_way = lines.iter().any(|line| line.arrived < line.dispatched);
    match (dispatched, all_sent) {
        (false, false) => "approved",
        (false, true) => "closed",
        (true, true) if !on_the_way => {
            if reconciled {
                "closed"
            } else {
                "received"
            }
        }
        (true, _) if arrived => "partiallyReceived",
        (true, _) => "inFulfilment",
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
        testing::check(&FLOW);
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
        let at = |lines: &[Line]| progress(lines, false);
        assert_eq!(at(&[line(10, 0, 0, 0), line(5, 0, 0, 0)]), "approved");
        assert_eq!(at(&[line(10, 0, 0, 10)]), "closed");
        assert_eq!(at(&[line(10, 10, 0, 0), line(5, 0, 0, 0)]), "inFulfilment");
        assert_eq!(at(&[line(10, 10, 0, 0)]), "inFulfilment");
        assert_eq!(at(&[line(10, 10, 8, 0)]), "partiallyReceived");
        assert_eq!(at(&[line(10, 10, 10, 0), line(5, 0, 0, 0)]), "partiallyReceived");
        assert_eq!(at(&[line(10, 10, 10, 0), line(5, 0, 0, 5)]), "received");
        assert_eq!(progress(&[line(10, 12, 12, 0)], true), "closed");
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
