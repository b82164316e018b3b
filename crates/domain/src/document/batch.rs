//! Kitchen production: a batch, its inputs and outputs.

use super::flow::{Flow, State, Step};
use crate::Qty;
use crate::decimal::div_round;

const POSTED: &str = "This batch is posted; reverse it, then make a new one.";

/// The life cycle of a batch.
pub const PRODUCTION: Flow = Flow {
    one: "batch",
    states: &[
        State { name: "draft", label: "planned" },
        State { name: "inProgress", label: "in progress" },
        State { name: "posted", label: "posted" },
        State { name: "reversed", label: "reversed" },
        State { name: "cancelled", label: "cancelled" },
    ],
    steps: &[
        Step {
            name: "post",
            label: "post",
            from: &["draft", "inProgress"],
            to: "posted",
            wants_reason: false,
            refused: &[],
        },
        Step {
            name: "start",
            label: "start",
            from: &["draft"],
            to: "inProgress",
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
            from: &["draft", "inProgress"],
            to: "cancelled",
            wants_reason: false,
            refused: &[("posted", POSTED)],
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
        testing::check(&PRODUCTION);
        insta::assert_snapshot!(testing::table(&PRODUCTION));
    }

    #[test]
    fn a_yield_is_rounded_to_the_tenth() {
        assert_eq!(yield_percent(Qty(97), Qty(120)), Some(Qty(80_800_000)));
        assert_eq!(yield_percent(Qty(5), Qty(0)), None);
    }
}
