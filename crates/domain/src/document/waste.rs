//! Goods thrown away, given away or eaten by staff: the reason, and whether approval is needed.

use super::flow::Stage::{Cancelled, Done, Open};
use super::flow::{Flow, State, Step};
use crate::words::words;
use crate::{Action, Money};

words! {
    /// State of a waste report.
    #[serde(rename_all = "camelCase")]
    WasteState {
        Draft = "draft",
        Submitted = "submitted",
        Posted = "posted",
        Rejected = "rejected",
        Reversed = "reversed",
        Cancelled = "cancelled",
    }
}

words! {
    /// Step of a waste report.
    #[serde(rename_all = "kebab-case")]
    WasteStep {
        Submit = "submit",
        Approve = "approve",
        Reject = "reject",
        Reopen = "reopen",
        Reverse = "reverse",
        Cancel = "cancel",
    }
}

words! {
    /// Why goods were thrown away.
    #[serde(rename_all = "camelCase")]
    WasteReason {
        /// Past its expiry date.
        Expired = "expired",
        /// Spoiled before its expiry date.
        Spoiled = "spoiled",
        Damaged = "damaged",
        /// Dropped on the floor.
        Dropped = "dropped",
        Overproduced = "overproduced",
        /// From a recalled lot.
        Recalled = "recalled",
        /// Returned by a customer.
        Returned = "returned",
        StaffMeal = "staffMeal",
        /// Anything else, explained in a note.
        Other = "other",
    }
}

const POSTED: &str = "This waste is posted; reverse it, then enter it again.";

/// The life cycle of a waste report. Submitting posts it at once if its value needs no approval.
pub const WASTE: Flow<WasteState, WasteStep> = Flow {
    one: "waste report",
    states: &[
        State { state: WasteState::Draft, label: "a draft", stage: Open },
        State { state: WasteState::Submitted, label: "waiting for approval", stage: Open },
        State { state: WasteState::Posted, label: "posted", stage: Done },
        State { state: WasteState::Rejected, label: "rejected", stage: Cancelled },
        State { state: WasteState::Reversed, label: "reversed", stage: Cancelled },
        State { state: WasteState::Cancelled, label: "cancelled", stage: Cancelled },
    ],
    steps: &[
        Step {
            step: WasteStep::Submit,
            label: "submit",
            from: &[WasteState::Draft],
            to: WasteState::Submitted,
            right: Action::Post,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: WasteStep::Approve,
            label: "approve",
            from: &[WasteState::Submitted],
            to: WasteState::Posted,
            right: Action::Approve,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: WasteStep::Reject,
            label: "reject",
            from: &[WasteState::Submitted],
            to: WasteState::Rejected,
            right: Action::Approve,
            overrides: false,
            wants_reason: true,
            refused: &[],
        },
        Step {
            step: WasteStep::Reopen,
            label: "reopen",
            from: &[WasteState::Rejected],
            to: WasteState::Draft,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: WasteStep::Reverse,
            label: "reverse",
            from: &[WasteState::Posted],
            to: WasteState::Reversed,
            right: Action::Approve,
            overrides: false,
            wants_reason: true,
            refused: &[],
        },
        Step {
            step: WasteStep::Cancel,
            label: "cancel",
            from: &[WasteState::Draft, WasteState::Submitted, WasteState::Rejected],
            to: WasteState::Cancelled,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[(WasteState::Posted, POSTED)],
        },
    ],
};

/// Whether waste of this value needs approval; `above` is the maximum that does not.
#[must_use]
pub fn needs_approval(worth: Money, above: Option<Money>) -> bool {
    above.is_some_and(|above| worth > above)
}

#[cfg(test)]
mod tests {
    use super::super::flow::testing;
    use super::*;

    #[test]
    fn every_state_and_step() {
        testing::check(&WASTE, (&[], &[]));
        insta::assert_snapshot!(testing::table(&WASTE));
    }

    #[test]
    fn only_waste_above_the_limit_needs_approval() {
        assert!(!needs_approval(Money(50_000), None));
        assert!(!needs_approval(Money(50_000), Some(Money(50_000))));
        assert!(needs_approval(Money(50_001), Some(Money(50_000))));
    }
}
