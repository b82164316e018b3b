//! Shipments between places: a commissary's delivery to a store, a transfer between stores.

use super::flow::{Flow, State, Step};
use crate::Qty;

const ON_ITS_WAY: &str = "This delivery has left; take the dispatch back first.";
const TAKEN_IN: &str = "The store took in part of this delivery, so its dispatch can't be taken back.";

/// The life cycle of a delivery. After dispatch, its state follows from its lines: [`progress`].
pub const DELIVERY: Flow = Flow {
    one: "delivery",
    states: &[
        State { name: "draft", label: "a draft" },
        State { name: "picking", label: "being picked" },
        State { name: "packed", label: "packed" },
        State { name: "dispatched", label: "dispatched" },
        State { name: "partiallyReceived", label: "partially received" },
        State { name: "received", label: "received" },
        State { name: "reconciled", label: "reconciled" },
        State { name: "cancelled", label: "cancelled" },
    ],
    steps: &[
        Step {
            name: "pick",
            label: "start picking",
            from: &["draft"],
            to: "picking",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "pack",
            label: "pack",
            from: &["picking"],
            to: "packed",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "dispatch",
            label: "dispatch",
            from: &["packed"],
            to: "dispatched",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "reconcile",
            label: "reconcile",
            from: &["received"],
            to: "reconciled",
            wants_reason: false,
            refused: &[(
                "partiallyReceived",
                "Part of this delivery is still on its way; settle every difference first.",
            )],
        },
        Step {
            name: "undispatch",
            label: "take the dispatch back",
            from: &["dispatched"],
            to: "packed",
            wants_reason: false,
            refused: &[("partiallyReceived", TAKEN_IN), ("received", TAKEN_IN), ("reconciled", TAKEN_IN)],
        },
        Step {
            name: "cancel",
            label: "cancel",
            from: &["draft", "picking", "packed"],
            to: "cancelled",
            wants_reason: false,
            refused: &[("dispatched", ON_ITS_WAY)],
        },
    ],
};

const TRANSFER_ON_ITS_WAY: &str = "This transfer has left; take the dispatch back first.";
const TRANSFER_TAKEN_IN: &str =
    "The store took in part of this transfer, so its dispatch can't be taken back.";

/// The life cycle of a transfer between stores: like a delivery's, without picking and packing.
pub const TRANSFER: Flow = Flow {
    one: "transfer",
    states: &[
        State { name: "draft", label: "a draft" },
        State { name: "dispatched", label: "dispatched" },
        State { name: "partiallyReceived", label: "partially received" },
        State { name: "received", label: "received" },
        State { name: "reconciled", label: "reconciled" },
        State { name: "cancelled", label: "cancelled" },
    ],
    steps: &[
        Step {
            name: "dispatch",
            label: "dispatch",
            from: &["draft"],
            to: "dispatched",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "reconcile",
            label: "reconcile",
            from: &["received"],
            to: "reconciled",
            wants_reason: false,
            refused: &[(
                "partiallyReceived",
                "Part of this transfer is still on its way; settle every difference first.",
            )],
        },
        Step {
            name: "undispatch",
            label: "take the dispatch back",
            from: &["dispatched"],
            to: "draft",
            wants_reason: false,
            refused: &[
                ("partiallyReceived", TRANSFER_TAKEN_IN),
                ("received", TRANSFER_TAKEN_IN),
                ("reconciled", TRANSFER_TAKEN_IN),
            ],
        },
        Step {
            name: "cancel",
            label: "cancel",
            from: &["draft"],
            to: "cancelled",
            wants_reason: false,
            refused: &[("dispatched", TRANSFER_ON_ITS_WAY)],
        },
    ],
};

/// The figures of a dispatched line, in its unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    pub dispatched: Qty,
    /// Overage received and accepted.
    pub over: Qty,
    /// Received and kept.
    pub accepted: Qty,
    pub returned: Qty,
    pub written_off: Qty,
}

impl Sent {
    /// Still in transit: dispatched + over − accepted − returned − written off.
    #[must_use]
    pub fn in_transit(self) -> Qty {
        Qty(self.dispatched.0 + self.over.0 - self.accepted.0 - self.returned.0 - self.written_off.0)
    }

    /// Dispatched and no longer in transit.
    #[must_use]
    pub fn arrived(self) -> Qty {
        Qty(self.dispatched.0 - self.in_transit().0)
    }

    /// Whether any of it was settled.
    #[must_use]
    pub fn touched(self) -> bool {
        [self.over, self.accepted, self.returned, self.written_off].iter().any(|qty| !qty.is_zero())
    }
}

/// The state of a dispatched delivery. `taken_in`: it has a posted receipt.
#[must_use]
pub fn progress(lines: &[Sent], taken_in: bool) -> &'static str {
    let on_the_way = lines.iter().any(|line| line.in_transit().0 != 0);
    let touched = taken_in || lines.iter().any(|line| line.touched());
    match (touched, on_the_way) {
        (false, _) => "dispatched",
        (true, true) => "partiallyReceived",
        (true, false) => "received",
    }
}

#[cfg(test)]
mod tests {
    use super::super::flow::testing;
    use super::*;

    #[test]
    fn every_state_and_step() {
        testing::check(&DELIVERY);
        insta::assert_snapshot!(testing::table(&DELIVERY));
        testing::check(&TRANSFER);
        insta::assert_snapshot!("transfer", testing::table(&TRANSFER));
    }

    #[test]
    fn a_deliverys_state_follows_its_lines() {
        let sent = |dispatched, accepted, returned| Sent {
            dispatched: Qty(dispatched),
            accepted: Qty(accepted),
            returned: Qty(returned),
            ..Sent::default()
        };
        assert_eq!(progress(&[sent(10, 0, 0)], false), "dispatched");
        assert_eq!(progress(&[sent(10, 8, 0)], true), "partiallyReceived");
        assert_eq!(progress(&[sent(10, 8, 2)], true), "received");
        assert_eq!(progress(&[sent(10, 0, 0)], true), "partiallyReceived");
        let over = Sent { dispatched: Qty(10), over: Qty(2), accepted: Qty(12), ..Sent::default() };
        assert_eq!((over.in_transit(), over.arrived()), (Qty(0), Qty(10)));
    }
}
