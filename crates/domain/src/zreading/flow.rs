//! The life cycle of a reading.

use crate::document::{Flow, State, Step};

const VERIFIED: &str = "This reading is verified already.";

/// Captured → needs review → verified → reconciled, or disputed with a reason, or discarded. Pictures are read
/// automatically; only a user verifies.
pub const FLOW: Flow = Flow {
    one: "Z-reading",
    states: &[
        State { name: "captured", label: "captured" },
        State { name: "needsReview", label: "waiting for review" },
        State { name: "verified", label: "verified" },
        State { name: "reconciled", label: "reconciled" },
        State { name: "disputed", label: "disputed" },
        State { name: "discarded", label: "discarded" },
    ],
    steps: &[
        Step {
            name: "verify",
            label: "verify",
            from: &["needsReview", "captured", "disputed"],
            to: "verified",
            wants_reason: false,
            refused: &[("verified", VERIFIED), ("reconciled", VERIFIED)],
        },
        Step {
            name: "reconcile",
            label: "reconcile",
            from: &["verified"],
            to: "reconciled",
            wants_reason: false,
            refused: &[
                ("needsReview", "Verify this reading first."),
                ("captured", "Verify this reading first."),
            ],
        },
        Step {
            name: "dispute",
            label: "dispute",
            from: &["needsReview", "captured", "verified", "reconciled"],
            to: "disputed",
            wants_reason: true,
            refused: &[],
        },
        Step {
            name: "reopen",
            label: "reopen",
            from: &["verified", "reconciled", "disputed", "discarded"],
            to: "needsReview",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "discard",
            label: "discard",
            from: &["captured", "needsReview", "disputed"],
            to: "discarded",
            wants_reason: false,
            refused: &[
                ("verified", "Reopen this reading before it is discarded."),
                ("reconciled", "Reopen this reading before it is discarded."),
            ],
        },
    ],
};

/// The states in which figures can be changed.
pub const OPEN: &[&str] = &["captured", "needsReview", "disputed"];

/// The states in which a reading counts as the till's figures.
pub const COUNTS: &[&str] = &["verified", "reconciled"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::flow::testing;

    #[test]
    fn every_state_and_step() {
        testing::check(&FLOW);
        insta::assert_snapshot!(testing::table(&FLOW));
    }
}
