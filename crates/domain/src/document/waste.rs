//! Goods thrown away, given away or eaten by staff: the reason, and whether approval is needed.

use super::flow::{Flow, State, Step};
use crate::Money;
use crate::words::words;

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
pub const WASTE: Flow = Flow {
    one: "waste report",
    states: &[
        State { name: "draft", label: "a draft" },
        State { name: "submitted", label: "waiting for approval" },
        State { name: "posted", label: "posted" },
        State { name: "rejected", label: "rejected" },
        State { name: "reversed", label: "reversed" },
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
            to: "posted",
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
            label: "reopen",
            from: &["rejected"],
            to: "draft",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "reverse",
            label: "reverse",
            from: &["posted"],
            to: "reversed",
            wants_reason: true,
            refused: &[],
        },
        Step {
            name: "cancel",
            label: "cancel",
            from: &["draft", "submitted", "rejected"],
            to: "cancelled",
            wants_reason: false,
            refused: &[("posted", POSTED)],
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
        testing::check(&WASTE);
        insta::assert_snapshot!(testing::table(&WASTE));
    }

    #[test]
    fn only_waste_above_the_limit_needs_approval() {
        assert!(!needs_approval(Money(50_000), None));
        assert!(!needs_approval(Money(50_000), Some(Money(50_000))));
        assert!(needs_approval(Money(50_001), Some(Money(50_000))));
    }
}
