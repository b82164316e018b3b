//! Kitchen production: a batch, its inputs and outputs.

use super::flow::Stage::{Cancelled, Done, Open};
use super::flow::{Flow, State, Step};
use crate::decimal::div_round;
use crate::words::words;
use crate::{Action, Qty};

words! {
    /// State of a batch.
    #[serde(rename_all = "camelCase")]
    BatchState {
        Draft = "draft",
        InProgress = "inProgress",
        Posted = "posted",
        Reversed = "reversed",
        Cancelled = "cancelled",
    }
}

words! {
    /// Step of a batch.
    #[serde(rename_all = "kebab-case")]
    BatchStep {
        Post = "post",
        Start = "start",
        Reverse = "reverse",
        Cancel = "cancel",
    }
}

const POSTED: &str = "This batch is posted; reverse it, then make a new one.";

/// The life cycle of a batch.
pub const PRODUCTION: Flow<BatchState, BatchStep> = Flow {
    one: "batch",
    states: &[
        State { state: BatchState::Draft, label: "planned", stage: Open },
        State { state: BatchState::InProgress, label: "in progress", stage: Open },
        State { state: BatchState::Posted, label: "posted", stage: Done },
        State { state: BatchState::Reversed, label: "reversed", stage: Cancelled },
        State { state: BatchState::Cancelled, label: "cancelled", stage: Cancelled },
    ],
    steps: &[
        Step {
            step: BatchStep::Post,
            label: "post",
            from: &[BatchState::Draft, BatchState::InProgress],
            to: BatchState::Posted,
            right: Action::Post,
            overrides: true,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: BatchStep::Start,
            label: "start",
            from: &[BatchState::Draft],
            to: BatchState::InProgress,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[],
        },
        Step {
            step: BatchStep::Reverse,
            label: "reverse",
            from: &[BatchState::Posted],
            to: BatchState::Reversed,
            right: Action::Approve,
            overrides: true,
            wants_reason: true,
            refused: &[],
        },
        Step {
            step: BatchStep::Cancel,
            label: "cancel",
            from: &[BatchState::Draft, BatchState::InProgress],
            to: BatchState::Cancelled,
            right: Action::Edit,
            overrides: false,
            wants_reason: false,
            refused: &[(BatchState::Posted, POSTED)],
        },
    ],
};

/// Produced as a percentage of planned, to the tenth; `None` if nothing was planned.
#[must_use]
pub fn yield_percent(made: Qty, planned: Qty) -> Option<Qty> {
    if planned.0 <= 0 {
        return None;
    }
    let tenths = div_round(i128::from(made.0) * 1_000, i128::from(planned.0))?;
    Some(Qty(tenths.checked_mul(100_000)?))
}

#[cfg(test)]
mod tests {
    use super::super::flow::testing;
    use super::*;

    #[test]
    fn every_state_and_step() {
        testing::check(&PRODUCTION, (&[], &[]));
        insta::assert_snapshot!(testing::table(&PRODUCTION));
    }

    #[test]
    fn a_yield_is_rounded_to_the_tenth() {
        assert_eq!(yield_percent(Qty(97), Qty(120)), Some(Qty(80_800_000)));
        assert_eq!(yield_percent(Qty(5), Qty(0)), None);
    }
}
