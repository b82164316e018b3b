//! The life cycle of a reading.

use crate::Action;
use crate::document::Stage::{Cancelled, Done, Open};
use crate::document::{Flow, State, Step};
use crate::words::words;

words! {
    /// State of a reading.
    #[serde(rename_all = "camelCase")]
    ReadingState {
        Captured = "captured",
        NeedsReview = "needsReview",
        Verified = "verified",
        Reconciled = "reconciled",
        Disputed = "disputed",
        Discarded = "discarded",
    }
}

words! {
    /// Step of a reading.
    #[serde(rename_all = "kebab-case")]
    ReadingStep {
        Verify = "verify",
        Reconcile = "reconcile",
        Dispute = "dispute",
        Reopen = "reopen",
        Discard = "discard",
    }
}

const VERIFIED: &str = "This reading is verified already.";

/// Captured → needs review → verified → reconciled, or disputed with a reason, or discarded. Pictures are read
/// automatically; only a user verifies.
pub const FLOW: Flow<ReadingState, ReadingStep> = Flow {
    one: "Z-reading",
    states: &[
        State { state: ReadingState::Captured, label: "captured", stage: Open },
        State { state: ReadingState::NeedsReview, label: "waiting for review", stage: Open },
        State { state: ReadingState::Verified, label: "verified", stage: Done },
        State { state: ReadingState::Reconciled, label: "reconciled", stage: Done },
        State { state: ReadingState::Disputed, label: "disputed", stage: Open },
        State { state: ReadingState::Discarded, label: "discarded", stage: Cancelled },
    ],
    steps: &[
        Step {
            step: ReadingStep::Verify,
            label: "verify",
            from: &[ReadingState::NeedsReview, ReadingState::Captured, ReadingState::Disputed],
            to: ReadingState::Verified,
            right: Action::Approve,
            overrides: false,
            wants_reason: false,
            refused: &[(ReadingState::Verified, VERIFIED), (ReadingState::Reconciled, VERIFIED)],
        },
        Step {
            step: ReadingStep::Reconcile,
            label: "reconcile",
            from: &[ReadingState::Verified],
            to: ReadingState::Reconciled,
            right: Action::Approve,
            overrides: false,
            wants_reason: false,
            refused: &[
                (ReadingState::NeedsReview, "Verify this reading first."),
                (ReadingState::Captured, "Verify this reading first."),
            ],
        },
        Step {
            step: ReadingStep::Dispute,
            label: "dispute",
            from: &[
                ReadingState::NeedsReview,
                ReadingState::Captured,
                ReadingState::Verified,
                ReadingState::Reconciled,
            ],
            to: ReadingState::Disputed,
            right: Action::Edit,
            overrides: false,
            wants_reason: true,
            refused: &[],
        },
        Step {
            step: ReadingStep::Reopen,
            label: "reopen",
            from: &[
                ReadingState::Verified,
                ReadingState::Reconciled,
                ReadingState::Disputed,
                ReadingState::Discarded,
            ],
            to: ReadingState::NeedsReview,
            right: Action::Approve,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: ReadingStep::Discard,
            label: "discard",
            from: &[ReadingState::Captured, ReadingState::NeedsReview, ReadingState::Disputed],
            to: ReadingState::Discarded,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[
                (ReadingState::Verified, "Reopen this reading before it is discarded."),
                (ReadingState::Reconciled, "Reopen this reading before it is discarded."),
            ],
        },
    ],
};

/// The states in which figures can be changed.
pub const OPEN: &[ReadingState] =
    &[ReadingState::Captured, ReadingState::NeedsReview, ReadingState::Disputed];

/// The states in which a reading counts as the till's figures.
pub const COUNTS: &[&str] = &["verified", "reconciled"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::flow::testing;

    #[test]
    fn every_state_and_step() {
        testing::check(&FLOW, (&[], &[]));
        insta::assert_snapshot!(testing::table(&FLOW));
    }
}
