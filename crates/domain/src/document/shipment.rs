//! Shipments between places: a commissary's delivery to a store, a transfer between stores.

use super::flow::Stage::{Cancelled, Done, Open};
use super::flow::{Flow, State, Step};
use crate::words::words;
use crate::{Action, Qty};

words! {
    /// State of a delivery or a transfer.
    #[serde(rename_all = "camelCase")]
    ShipmentState {
        Draft = "draft",
        Picking = "picking",
        Packed = "packed",
        Dispatched = "dispatched",
        PartiallyReceived = "partiallyReceived",
        Received = "received",
        Reconciled = "reconciled",
        Cancelled = "cancelled",
    }
}

words! {
    /// Step of a delivery or a transfer.
    #[serde(rename_all = "kebab-case")]
    ShipmentStep {
        Pick = "pick",
        Pack = "pack",
        Dispatch = "dispatch",
        Reconcile = "reconcile",
        Undispatch = "undispatch",
        /// Back to picking.
        Unpack = "unpack",
        Cancel = "cancel",
    }
}

const ON_ITS_WAY: &str = "This delivery has left; take the dispatch back first.";
const TAKEN_IN: &str = "The store took in part of this delivery, so its dispatch can't be taken back.";

/// The life cycle of a delivery. After dispatch, its state follows from its lines: [`progress`].
pub const DELIVERY: Flow<ShipmentState, ShipmentStep> = Flow {
    one: "delivery",
    states: &[
        State { state: ShipmentState::Draft, label: "a draft", stage: Open },
        State { state: ShipmentState::Picking, label: "being picked", stage: Open },
        State { state: ShipmentState::Packed, label: "packed", stage: Open },
        State { state: ShipmentState::Dispatched, label: "dispatched", stage: Open },
        State { state: ShipmentState::PartiallyReceived, label: "partially received", stage: Open },
        State { state: ShipmentState::Received, label: "received", stage: Open },
        State { state: ShipmentState::Reconciled, label: "reconciled", stage: Done },
        State { state: ShipmentState::Cancelled, label: "cancelled", stage: Cancelled },
    ],
    steps: &[
        Step {
            step: ShipmentStep::Pick,
            label: "start picking",
            from: &[ShipmentState::Draft],
            to: ShipmentState::Picking,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ShipmentStep::Pack,
            label: "pack",
            from: &[ShipmentState::Picking],
            to: ShipmentState::Packed,
            right: Action::Edit,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ShipmentStep::Dispatch,
            label: "dispatch",
            from: &[ShipmentState::Packed],
            to: ShipmentState::Dispatched,
            right: Action::Post,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ShipmentStep::Reconcile,
            label: "reconcile",
            from: &[ShipmentState::Received],
            to: ShipmentState::Reconciled,
            right: Action::Post,
            overrides: false,
            wants_reason: false,
            refused: &[(
                ShipmentState::PartiallyReceived,
                "Part of this delivery is still on its way; settle every difference first.",
            )],
        },
        Step {
            step: ShipmentStep::Undispatch,
            label: "take the dispatch back",
            from: &[ShipmentState::Dispatched],
            to: ShipmentState::Packed,
            right: Action::Post,
            overrides: false,
            wants_reason: false,
            refused: &[
                (ShipmentState::PartiallyReceived, TAKEN_IN),
                (ShipmentState::Received, TAKEN_IN),
                (ShipmentState::Reconciled, TAKEN_IN),
            ],
        },
        Step {
            step: ShipmentStep::Unpack,
            label: "unpack",
            from: &[ShipmentState::Packed],
            to: ShipmentState::Picking,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[(ShipmentState::Dispatched, ON_ITS_WAY)],
        },
        Step {
            step: ShipmentStep::Cancel,
            label: "cancel",
            from: &[ShipmentState::Draft, ShipmentState::Picking, ShipmentState::Packed],
            to: ShipmentState::Cancelled,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[(ShipmentState::Dispatched, ON_ITS_WAY)],
        },
    ],
};

const TRANSFER_ON_ITS_WAY: &str = "This transfer has left; take the dispatch back first.";
const TRANSFER_TAKEN_IN: &str =
    "The store took in part of this transfer, so its dispatch can't be taken back.";

/// The life cycle of a transfer between stores: like a delivery's, without picking and packing.
pub const TRANSFER: Flow<ShipmentState, ShipmentStep> = Flow {
    one: "transfer",
    states: &[
        State { state: ShipmentState::Draft, label: "a draft", stage: Open },
        State { state: ShipmentState::Dispatched, label: "dispatched", stage: Open },
        State { state: ShipmentState::PartiallyReceived, label: "partially received", stage: Open },
        State { state: ShipmentState::Received, label: "received", stage: Open },
        State { state: ShipmentState::Reconciled, label: "reconciled", stage: Done },
        State { state: ShipmentState::Cancelled, label: "cancelled", stage: Cancelled },
    ],
    steps: &[
        Step {
            step: ShipmentStep::Dispatch,
            label: "dispatch",
            from: &[ShipmentState::Draft],
            to: ShipmentState::Dispatched,
            right: Action::Post,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ShipmentStep::Reconcile,
            label: "reconcile",
            from: &[ShipmentState::Received],
            to: ShipmentState::Reconciled,
            right: Action::Post,
            overrides: false,
            wants_reason: false,
            refused: &[(
                ShipmentState::PartiallyReceived,
                "Part of this transfer is still on its way; settle every difference first.",
            )],
        },
        Step {
            step: ShipmentStep::Undispatch,
            label: "take the dispatch back",
            from: &[ShipmentState::Dispatched],
            to: ShipmentState::Draft,
            right: Action::Post,
            overrides: false,
            wants_reason: false,
            refused: &[
                (ShipmentState::PartiallyReceived, TRANSFER_TAKEN_IN),
                (ShipmentState::Received, TRANSFER_TAKEN_IN),
                (ShipmentState::Reconciled, TRANSFER_TAKEN_IN),
            ],
        },
        Step {
            step: ShipmentStep::Cancel,
            label: "cancel",
            from: &[ShipmentState::Draft],
            to: ShipmentState::Cancelled,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[(ShipmentState::Dispatched, TRANSFER_ON_ITS_WAY)],
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
pub fn progress(lines: &[Sent], taken_in: bool) -> ShipmentState {
    let on_the_way = lines.iter().any(|line| line.in_transit().0 != 0);
    let touched = taken_in || lines.iter().any(|line| line.touched());
    match (touched, on_the_way) {
        (false, _) => ShipmentState::Dispatched,
        (true, true) => ShipmentState::PartiallyReceived,
        (true, false) => ShipmentState::Received,
    }
}

#[cfg(test)]
mod tests {
    use super::super::flow::testing;
    use super::*;

    #[test]
    fn every_state_and_step() {
        testing::check(&DELIVERY, (&[], &[]));
        insta::assert_snapshot!(testing::table(&DELIVERY));
        let of_deliveries = (
            [ShipmentState::Picking, ShipmentState::Packed].as_slice(),
            [ShipmentStep::Pick, ShipmentStep::Pack, ShipmentStep::Unpack].as_slice(),
        );
        testing::check(&TRANSFER, of_deliveries);
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
        assert_eq!(progress(&[sent(10, 0, 0)], false), ShipmentState::Dispatched);
        assert_eq!(progress(&[sent(10, 8, 0)], true), ShipmentState::PartiallyReceived);
        assert_eq!(progress(&[sent(10, 8, 2)], true), ShipmentState::Received);
        assert_eq!(progress(&[sent(10, 0, 0)], true), ShipmentState::PartiallyReceived);
        let over = Sent { dispatched: Qty(10), over: Qty(2), accepted: Qty(12), ..Sent::default() };
        assert_eq!((over.in_transit(), over.arrived()), (Qty(0), Qty(10)));
    }
}
