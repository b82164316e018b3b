//! Returns to a supplier: reasons, refused goods of a receipt, and settlement.

use super::flow::Stage::{Cancelled, Done, Open};
use super::flow::{Flow, State, Step};
use super::receipt::{self, Resolution};
use crate::words::words;
use crate::{Action, Factor, Money, Qty};

words! {
    /// The state of a supplier return.
    #[serde(rename_all = "camelCase")]
    ReturnState {
        Draft = "draft",
        Sent = "sent",
        Settled = "settled",
        Reversed = "reversed",
        Cancelled = "cancelled",
    }
}

words! {
    /// What can be done with a supplier return.
    #[serde(rename_all = "kebab-case")]
    ReturnStep {
        Send = "send",
        Settle = "settle",
        Reverse = "reverse",
        Cancel = "cancel",
    }
}

words! {
    /// Why goods go back to their supplier.
    #[serde(rename_all = "camelCase")]
    ReturnReason {
        Damaged = "damaged",
        WrongItem = "wrongItem",
        Expired = "expired",
        /// Spoiled, too warm, or not as agreed.
        Quality = "quality",
        /// Anything else, explained in a note.
        Other = "other",
    }
}

words! {
    /// How the supplier settles a return.
    #[serde(rename_all = "camelCase")]
    ReturnSettlement {
        /// By a credit memo.
        Credited = "credited",
        /// By other goods, which arrive with a receipt of their own.
        Replaced = "replaced",
    }
}

const SENT: &str = "This return was sent; reverse it instead.";
const SETTLED: &str = "The supplier settled this return; it can no longer be reversed.";

/// Life cycle of a supplier return.
pub const RETURN: Flow<ReturnState, ReturnStep> = Flow {
    one: "supplier return",
    states: &[
        State { state: ReturnState::Draft, label: "a draft", stage: Open },
        State { state: ReturnState::Sent, label: "sent", stage: Open },
        State { state: ReturnState::Settled, label: "settled", stage: Done },
        State { state: ReturnState::Reversed, label: "reversed", stage: Cancelled },
        State { state: ReturnState::Cancelled, label: "cancelled", stage: Cancelled },
    ],
    steps: &[
        Step {
            step: ReturnStep::Send,
            label: "send",
            from: &[ReturnState::Draft],
            to: ReturnState::Sent,
            right: Action::Post,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ReturnStep::Settle,
            label: "settle",
            from: &[ReturnState::Sent],
            to: ReturnState::Settled,
            right: Action::Post,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ReturnStep::Reverse,
            label: "reverse",
            from: &[ReturnState::Sent],
            to: ReturnState::Reversed,
            right: Action::Approve,
            overrides: false,
            wants_reason: true,
            refused: &[(ReturnState::Settled, SETTLED)],
        },
        Step {
            step: ReturnStep::Cancel,
            label: "cancel",
            from: &[ReturnState::Draft],
            to: ReturnState::Cancelled,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[(ReturnState::Sent, SENT)],
        },
    ],
};

impl ReturnReason {
    /// The reason for goods that a receipt refused; [`ReturnReason::Other`] if it says nothing about the goods.
    #[must_use]
    pub const fn of(refused: Option<receipt::Reason>) -> Self {
        match refused {
            Some(receipt::Reason::Damaged) => Self::Damaged,
            Some(receipt::Reason::Expired) => Self::Expired,
            Some(receipt::Reason::WrongItem | receipt::Reason::NotOrdered) => Self::WrongItem,
            Some(receipt::Reason::Temperature) => Self::Quality,
            Some(receipt::Reason::Short | receipt::Reason::Over) | None => Self::Other,
        }
    }
}

/// Quantity of a receipt's line that can be claimed: refused and not written off. It never came into stock.
#[must_use]
pub fn claimed(line: receipt::Line) -> Qty {
    match line.resolution {
        Some(Resolution::WriteOff) => Qty::ZERO,
        Some(
            Resolution::Pending
            | Resolution::Backorder
            | Resolution::Credit
            | Resolution::Return
            | Resolution::AcceptOver,
        )
        | None => line.rejected,
    }
}

/// Cost of a base unit at a price of the line's unit, rounded half up to the centavo; `price` is not negative.
#[must_use]
pub fn unit_cost(price: Money, factor: Factor) -> Option<Money> {
    let (price, factor) = (i128::from(price.0) * 1_000_000_000, i128::from(factor.0));
    if factor <= 0 {
        return None;
    }
    i64::try_from((price + factor / 2) / factor).ok().map(Money)
}

#[cfg(test)]
mod tests {
    use super::super::flow::testing;
    use super::*;

    #[test]
    fn every_state_and_step() {
        testing::check(&RETURN, (&[], &[]));
        insta::assert_snapshot!(testing::table(&RETURN));
    }

    #[test]
    fn refused_goods_are_claimed_unless_written_off() {
        let line = receipt::Line {
            expected: Qty(10),
            received: Qty(9),
            rejected: Qty(4),
            reason: Some(receipt::Reason::Damaged),
            resolution: None,
        };
        assert_eq!(claimed(line), Qty(4));
        assert_eq!(claimed(receipt::Line { resolution: Some(Resolution::Credit), ..line }), Qty(4));
        assert_eq!(claimed(receipt::Line { resolution: Some(Resolution::WriteOff), ..line }), Qty(0));
    }

    #[test]
    fn a_price_is_the_cost_of_its_base_units() {
        assert_eq!(unit_cost(Money(24_000), Factor(24_000_000_000)), Some(Money(1_000)));
        assert_eq!(unit_cost(Money(1_000), Factor(3_000_000_000)), Some(Money(333)));
        assert_eq!(unit_cost(Money(500), Factor(1_000_000_000)), Some(Money(500)));
        assert_eq!(unit_cost(Money(500), Factor(0)), None);
    }
}
