//! What is thrown away, given away or eaten by staff: why, and whether somebody has to approve it.

use super::flow::{Flow, State, Step};
use crate::Money;
use crate::words::words;

words! {
    /// Why something was thrown away.
    #[serde(rename_all = "camelCase")]
    WasteReason {
        /// Past its last day.
        Expired = "expired",
        /// Gone bad before it.
        Spoiled = "spoiled",
        /// Broken, torn, crushed.
        Damaged = "damaged",
        /// Fallen to the floor.
        Dropped = "dropped",
        /// More was made than was sold.
        Overproduced = "overproduced",
        /// Of a lot that was recalled.
        Recalled = "recalled",
        /// A customer brought it back.
        Returned = "returned",
        /// Eaten by staff.
        StaffMeal = "staffMeal",
        /// Anything else; a note says what.
        Other = "other",
    }
}

const POSTED: &str = "This waste is posted; reverse it, then write it anew.";

/// The life of a waste report. Submitting posts it at once where it is worth no more than needs approval.
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

/// Whether waste worth so much waits for approval; `above` is the most that does not.
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
    fn only_what_is_worth_more_waits() {
        assert!(!needs_approval(Money(50_000), None));
        assert!(!needs_approval(Money(50_000), Some(Money(50_000))));
        assert!(needs_approval(Money(50_001), Some(Money(50_000))));
    }
}
