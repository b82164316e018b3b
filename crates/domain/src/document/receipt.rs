//! Store receiving: expected, received and accepted quantities, and how differences are resolved.

use super::flow::Stage::{Cancelled, Done, Open};
use super::flow::{Flow, State, Step};
use crate::words::words;
use crate::{Action, Factor, Money, Qty};

words! {
    /// State of a receipt.
    #[serde(rename_all = "camelCase")]
    ReceiptState {
        Draft = "draft",
        Posted = "posted",
        Reconciled = "reconciled",
        Reversed = "reversed",
        Cancelled = "cancelled",
    }
}

words! {
    /// Step of a receipt.
    #[serde(rename_all = "kebab-case")]
    ReceiptStep {
        Post = "post",
        Resolve = "resolve",
        Reconcile = "reconcile",
        Reverse = "reverse",
        Cancel = "cancel",
    }
}

words! {
    /// Why a line differs from the expected quantity.
    #[serde(rename_all = "camelCase")]
    Reason {
        /// Less arrived.
        Short = "short",
        /// More arrived.
        Over = "over",
        Damaged = "damaged",
        Expired = "expired",
        WrongItem = "wrongItem",
        /// Too warm.
        Temperature = "temperature",
        NotOrdered = "notOrdered",
    }
}

words! {
    /// How a difference is resolved.
    #[serde(rename_all = "camelCase")]
    Resolution {
        /// Undecided: it stays in transit.
        Pending = "pending",
        /// Sent again: a line of the order.
        Backorder = "backorder",
        /// Written off, and claimed from the sender.
        Credit = "credit",
        /// Returned to the sender.
        Return = "return",
        /// Written off.
        WriteOff = "writeOff",
        /// The overage is kept.
        AcceptOver = "acceptOver",
    }
}

/// The life cycle of a receipt.
pub const FLOW: Flow<ReceiptState, ReceiptStep> = Flow {
    one: "receipt",
    states: &[
        State { state: ReceiptState::Draft, label: "a draft", stage: Open },
        State { state: ReceiptState::Posted, label: "posted", stage: Done },
        State { state: ReceiptState::Reconciled, label: "reconciled", stage: Done },
        State { state: ReceiptState::Reversed, label: "reversed", stage: Cancelled },
        State { state: ReceiptState::Cancelled, label: "cancelled", stage: Cancelled },
    ],
    steps: &[
        Step {
            step: ReceiptStep::Post,
            label: "post",
            from: &[ReceiptState::Draft],
            to: ReceiptState::Posted,
            right: Action::Post,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ReceiptStep::Resolve,
            label: "settle differences",
            from: &[ReceiptState::Posted],
            to: ReceiptState::Posted,
            right: Action::Post,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ReceiptStep::Reconcile,
            label: "reconcile",
            from: &[ReceiptState::Posted],
            to: ReceiptState::Reconciled,
            right: Action::Approve,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ReceiptStep::Reverse,
            label: "reverse",
            from: &[ReceiptState::Posted],
            to: ReceiptState::Reversed,
            right: Action::Approve,
            overrides: true,
            wants_reason: true,
            refused: &[],
        },
        Step {
            step: ReceiptStep::Cancel,
            label: "discard",
            from: &[ReceiptState::Draft],
            to: ReceiptState::Cancelled,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[(ReceiptState::Posted, "Posted receipts are reversed, not discarded.")],
        },
    ],
};

/// A line, in its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Quantity in transit.
    pub expected: Qty,
    pub received: Qty,
    /// Part of `received`: refused.
    pub rejected: Qty,
    pub reason: Option<Reason>,
    pub resolution: Option<Resolution>,
}

/// A line's effect on goods in transit, in its unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effect {
    /// Kept by the store, overage included.
    pub accepted: Qty,
    /// Part of `accepted`: beyond what was sent.
    pub over: Qty,
    /// Back to the sender.
    pub returned: Qty,
    pub written_off: Qty,
    /// Undecided, stays in transit.
    pub pending: Qty,
    /// To be sent again; part of `returned`.
    pub backordered: Qty,
    /// To be claimed; part of `written_off`.
    pub credited: Qty,
}

/// Why a line cannot be posted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    RejectedTooMuch,
    NoReason,
    /// The resolution does not fit the difference.
    NotForThis,
    /// Overage beyond the tolerance; by how much.
    Over(Qty),
}

impl Wrong {
    /// The message; `tolerance` is in percent.
    #[must_use]
    pub fn message(self, tolerance: Qty) -> String {
        match self {
            Self::RejectedTooMuch => "You cannot refuse more than what came.".to_owned(),
            Self::NoReason => "Choose a reason for every difference.".to_owned(),
            Self::NotForThis => "This cannot settle the difference; choose another way.".to_owned(),
            Self::Over(by) => format!("Over by {by}; tolerance is {tolerance}%."),
        }
    }
}

impl Line {
    /// Expected but not received.
    #[must_use]
    pub fn short(self) -> Qty {
        Qty((self.expected.0 - self.received.0).max(0))
    }

    /// Received beyond the expected.
    #[must_use]
    pub fn over(self) -> Qty {
        Qty((self.received.0 - self.expected.0).max(0))
    }

    /// Whether there is a difference.
    #[must_use]
    pub fn differs(self) -> bool {
        self.received != self.expected || !self.rejected.is_zero()
    }

    /// The line's effect. `tolerance` is the overage allowed, in percent of the expected; zero allows none, unless
    /// `override_over` says that an authorised user accepts it.
    ///
    /// # Errors
    /// Why it cannot be posted.
    pub fn effect(self, tolerance: Qty, override_over: bool) -> Result<Effect, Wrong> {
        if self.rejected > self.received {
            return Err(Wrong::RejectedTooMuch);
        }
        if self.differs() && self.reason.is_none() {
            return Err(Wrong::NoReason);
        }
        // Refused goods were sent or are overage: overage first, since it is not expected.
        let refused_over = Qty(self.rejected.0.min(self.over().0));
        let over = Qty(self.over().0 - refused_over.0);
        let beyond =
            i128::from(over.0) * 100 * 1_000_000 > i128::from(self.expected.0) * i128::from(tolerance.0);
        if over.0 > 0 && beyond && !override_over {
            return Err(Wrong::Over(over));
        }
        let open = Qty(self.short().0 + self.rejected.0 - refused_over.0);
        let accepted = Qty(self.received.0 - self.rejected.0);
        let mut effect = Effect { accepted, over, ..Effect::default() };
        match self.resolution.unwrap_or(Resolution::Pending) {
            Resolution::Pending => effect.pending = open,
            Resolution::AcceptOver if open.is_zero() => {}
            Resolution::AcceptOver => return Err(Wrong::NotForThis),
            Resolution::Backorder => (effect.returned, effect.backordered) = (open, open),
            Resolution::Return => effect.returned = open,
            Resolution::Credit => (effect.written_off, effect.credited) = (open, open),
            Resolution::WriteOff => effect.written_off = open,
        }
        Ok(effect)
    }
}

/// The price of a root item's unit at a price of a line's unit, rounded half up to the centavo: `factor` base units are in
/// the line's unit, `in_root` units of the root item in a base unit. `price` is not negative. `None` for factors of zero.
#[must_use]
pub fn root_price(price: Money, factor: Factor, in_root: Factor) -> Option<Money> {
    const ONE: i128 = 1_000_000_000;
    let units = i128::from(factor.0) * i128::from(in_root.0);
    if factor.0 <= 0 || in_root.0 <= 0 {
        return None;
    }
    let price = i128::from(price.0).checked_mul(ONE * ONE)?;
    i64::try_from(price.checked_add(units / 2)? / units).ok().map(Money)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::flow::testing;
    use super::super::shipment::Sent;
    use super::*;

    #[test]
    fn a_price_is_converted_to_the_unit_of_the_root_item() {
        const ONE: i64 = 1_000_000_000;
        let price = |price, factor, in_root| root_price(Money(price), Factor(factor), Factor(in_root));
        // A sack of 25 packs of two kilos at ₱1,350.00.
        assert_eq!(price(135_000, 25 * ONE, 2 * ONE), Some(Money(2_700)));
        // A third of ₱1.00, and half a centavo, rounded up.
        assert_eq!(price(100, 3 * ONE, ONE), Some(Money(33)));
        assert_eq!(price(1, 2 * ONE, ONE), Some(Money(1)));
        assert_eq!(price(100, ONE, ONE / 4), Some(Money(400)));
        assert_eq!((price(100, 0, ONE), price(100, ONE, 0)), (None, None));
        assert_eq!(price(i64::MAX, 1, 1), None);
    }

    #[test]
    fn every_state_and_step() {
        testing::check(&FLOW, (&[], &[]));
        insta::assert_snapshot!(testing::table(&FLOW));
    }

    fn line(expected: i64, received: i64, rejected: i64) -> Line {
        Line {
            expected: Qty(expected),
            received: Qty(received),
            rejected: Qty(rejected),
            reason: Some(Reason::Short),
            resolution: None,
        }
    }

    #[test]
    fn differences_need_a_reason_and_overage_a_tolerance() {
        let plain = Line { reason: None, ..line(10, 10, 0) };
        assert_eq!(plain.effect(Qty(0), false).map(|it| it.accepted), Ok(Qty(10)));
        assert_eq!(Line { reason: None, ..line(10, 8, 0) }.effect(Qty(0), false), Err(Wrong::NoReason));
        assert_eq!(line(10, 8, 9).effect(Qty(0), false), Err(Wrong::RejectedTooMuch));
        assert_eq!(line(10, 12, 0).effect(Qty(0), false), Err(Wrong::Over(Qty(2))));
        assert_eq!(line(10, 12, 0).effect(Qty(20_000_000), false).map(|it| it.over), Ok(Qty(2)));
        assert_eq!(line(10, 13, 0).effect(Qty(20_000_000), false), Err(Wrong::Over(Qty(3))));
        assert_eq!(line(10, 13, 0).effect(Qty(0), true).map(|it| it.accepted), Ok(Qty(13)));
        // Refused overage has no owner.
        assert_eq!(
            line(10, 12, 2).effect(Qty(0), false).map(|it| (it.accepted, it.over)),
            Ok((Qty(10), Qty(0)))
        );
        assert_eq!(line(10, 12, 1).effect(Qty(0), false), Err(Wrong::Over(Qty(1))));
        assert_eq!(Wrong::Over(Qty(2_000_000)).message(Qty(0)), "Over by 2; tolerance is 0%.");
    }

    proptest! {
        #[test]
        fn every_received_quantity_is_accounted_for(
            expected in 0i64..1_000, received in 0i64..1_200, refused in 0i64..1_200,
            resolution in prop::option::of(prop::sample::select(Resolution::ALL)),
        ) {
            let line = Line { resolution, ..line(expected, received, refused.min(received)) };
            let Ok(effect) = line.effect(Qty(0), true) else { return Ok(()) };
            let sent = Sent {
                dispatched: line.expected,
                over: effect.over,
                accepted: effect.accepted,
                returned: effect.returned,
                written_off: effect.written_off,
            };
            prop_assert_eq!(sent.in_transit(), effect.pending);
            prop_assert!(effect.backordered <= effect.returned && effect.credited <= effect.written_off);
            prop_assert!([effect.accepted, effect.over, effect.pending].iter().all(|qty| qty.0 >= 0));
        }
    }
}
