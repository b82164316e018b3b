//! Life cycles of documents: states and steps as values.

use crate::words::words;
use crate::{Action, Word};

words! {
    /// Progress of an entry.
    #[serde(rename_all = "camelCase")]
    Stage {
        /// Needs action.
        Open = "open",
        /// Completed.
        Done = "done",
        /// Cancelled or reversed.
        Cancelled = "cancelled",
    }
}

/// A state with its label and stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State<S> {
    pub state: S,
    /// The label, mid-sentence: `partially received`.
    pub label: &'static str,
    pub stage: Stage,
}

/// A step that users can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<S: 'static, T> {
    pub step: T,
    /// The label, mid-sentence: `close short`.
    pub label: &'static str,
    /// The states it can be taken in.
    pub from: &'static [S],
    /// The state it leads to. Documents whose state follows from their lines recompute it after the step.
    pub to: S,
    /// The right it needs, on the page of its type.
    pub right: Action,
    /// Whether a check can be bypassed with `override`, the override right on that page, and a reason.
    pub overrides: bool,
    /// Whether it needs a reason.
    pub wants_reason: bool,
    /// States in which it is refused with a specific message.
    pub refused: &'static [(S, &'static str)],
}

/// The life cycle of a document type.
#[derive(Debug, Clone, Copy)]
pub struct Flow<S: 'static, T: 'static> {
    /// One document, mid-sentence.
    pub one: &'static str,
    /// All states, in their usual order.
    pub states: &'static [State<S>],
    /// All steps; of several available ones, the usual one comes first.
    pub steps: &'static [Step<S, T>],
}

/// Why a step cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The message: the document's state and the available steps.
    pub message: String,
    pub can: Vec<&'static str>,
}

impl<S: Word, T: Word> Flow<S, T> {
    /// The state of this name.
    #[must_use]
    pub fn state(&self, name: &str) -> Option<S> {
        self.states.iter().map(|said| said.state).find(|state| state.as_str() == name)
    }

    /// The label of a state, mid-sentence.
    #[must_use]
    pub fn label(&self, state: S) -> &'static str {
        self.states.iter().find(|said| said.state == state).map_or_else(|| state.as_str(), |said| said.label)
    }

    /// The step of this name.
    #[must_use]
    pub fn step(&self, name: &str) -> Option<&'static Step<S, T>> {
        self.steps.iter().find(|step| step.step.as_str() == name)
    }

    /// The steps available in a state, the usual one first.
    pub fn steps_from(&self, state: S) -> impl Iterator<Item = &'static Step<S, T>> + use<S, T> {
        self.steps.iter().filter(move |step| step.from.contains(&state))
    }

    /// Checks that the step can be taken in this state.
    ///
    /// # Errors
    /// The message with the available steps.
    pub fn check(&self, state: S, wanted: &Step<S, T>) -> Result<(), Refused> {
        if wanted.from.contains(&state) {
            return Ok(());
        }
        let can: Vec<&'static Step<S, T>> = self.steps_from(state).collect();
        let names = can.iter().map(|step| step.step.as_str()).collect();
        let refuse = |message| Err(Refused { message, can: names });
        if let Some((_, words)) = wanted.refused.iter().find(|(at, _)| *at == state) {
            return refuse((*words).to_owned());
        }
        let label = self.label(state);
        let next: Vec<&str> = can.iter().map(|step| step.label).collect();
        let next = match next.as_slice() {
            [] => "nothing more can be done with it".to_owned(),
            [one] => format!("what can be done is: {one}"),
            [most @ .., last] => format!("what can be done is: {} or {last}", most.join(", ")),
        };
        refuse(format!("This {} is {label}; {next}.", self.one))
    }

    /// Names of the states in a stage.
    #[must_use]
    pub fn at(&self, stage: Stage) -> Vec<&'static str> {
        self.states.iter().filter(|said| said.stage == stage).map(|said| said.state.as_str()).collect()
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Every state × step pair: `submitted + approve -> approved`, or the refusal.
    pub fn table<S: Word, T: Word>(flow: &Flow<S, T>) -> String {
        let mut lines = String::new();
        for state in flow.states.iter().map(|said| said.state) {
            for step in flow.steps {
                let end = match flow.check(state, step) {
                    Ok(()) => format!("-> {}", step.to.as_str()),
                    Err(refused) => format!("({})", refused.message),
                };
                lines.push_str(&format!("{} + {} {end}\n", state.as_str(), step.step.as_str()));
            }
        }
        lines
    }

    /// Checks that a flow has each state and step once, except those in `but`, and refers to no others.
    pub fn check<S: Word, T: Word>(flow: &Flow<S, T>, but: (&[S], &[T])) {
        for state in S::ALL {
            let count = flow.states.iter().filter(|said| said.state == *state).count();
            assert_eq!(count, usize::from(!but.0.contains(state)), "{state:?}");
        }
        for step in T::ALL {
            let count = flow.steps.iter().filter(|said| said.step == *step).count();
            assert_eq!(count, usize::from(!but.1.contains(step)), "{step:?}");
        }
        for step in flow.steps {
            let refused = step.refused.iter().map(|(state, _)| state);
            for state in step.from.iter().chain([&step.to]).chain(refused) {
                assert!(flow.states.iter().any(|said| said.state == *state), "{step:?} names {state:?}");
            }
            assert!(step.refused.iter().all(|(state, _)| !step.from.contains(state)), "{step:?}");
        }
    }
}
