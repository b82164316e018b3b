//! States and steps as values.

/// A document's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The wire and stored name.
    pub name: &'static str,
    /// The label, mid-sentence: `partially received`.
    pub label: &'static str,
}

/// A step that users can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The name in the URL: `close-short`.
    pub name: &'static str,
    /// The label, mid-sentence: `close short`.
    pub label: &'static str,
    pub from: &'static [&'static str],
    /// The state it leads to. Documents whose state follows from their lines recompute it after the step.
    pub to: &'static str,
    /// Whether it needs a reason.
    pub wants_reason: bool,
    /// States in which it is refused with a specific message.
    pub refused: &'static [(&'static str, &'static str)],
}

/// The life cycle of a document type.
#[derive(Debug, Clone, Copy)]
pub struct Flow {
    /// One document, mid-sentence.
    pub one: &'static str,
    /// All states, in their usual order.
    pub states: &'static [State],
    /// All steps; of several available ones, the usual one comes first.
    pub steps: &'static [Step],
}

/// Why a step cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The message: the document's state and the available steps.
    pub message: String,
    pub can: Vec<&'static str>,
}

impl Flow {
    /// The state of this name.
    #[must_use]
    pub fn state(&self, name: &str) -> Option<&'static State> {
        self.states.iter().find(|state| state.name == name)
    }

    /// The step of this name.
    #[must_use]
    pub fn step(&self, name: &str) -> Option<&'static Step> {
        self.steps.iter().find(|step| step.name == name)
    }

    /// The steps available in a state, the usual one first.
    pub fn steps_from<'a>(&self, state: &'a str) -> impl Iterator<Item = &'static Step> + use<'a> {
        self.steps.iter().filter(move |step| step.from.contains(&state))
    }

    /// The step, if it is available in this state.
    ///
    /// # Errors
    /// The message with the available steps.
    pub fn take(&self, state: &str, step: &str) -> Result<&'static Step, Refused> {
        let can: Vec<&'static Step> = self.steps_from(state).collect();
        let names = can.iter().map(|step| step.name).collect();
        let refuse = |message| Err(Refused { message, can: names });
        let Some(wanted) = self.step(step) else {
            return refuse(format!("A {} has no step «{step}».", self.one));
        };
        if wanted.from.contains(&state) {
            return Ok(wanted);
        }
        if let Some((_, words)) = wanted.refused.iter().find(|(at, _)| *at == state) {
            return refuse((*words).to_owned());
        }
        let label = self.state(state).map_or(state, |state| state.label);
        let next: Vec<&str> = can.iter().map(|step| step.label).collect();
        let next = match next.as_slice() {
            [] => "nothing more can be done with it".to_owned(),
            [one] => format!("what can be done is: {one}"),
            [most @ .., last] => format!("what can be done is: {} or {last}", most.join(", ")),
        };
        refuse(format!("This {} is {label}; {next}.", self.one))
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Every state × step pair: `submitted + approve -> approved`, or the refusal.
    pub fn table(flow: &Flow) -> String {
        let mut lines = String::new();
        for state in flow.states {
            for step in flow.steps {
                let end = match flow.take(state.name, step.name) {
                    Ok(step) => format!("-> {}", step.to),
                    Err(refused) => format!("({})", refused.message),
                };
                lines.push_str(&format!("{} + {} {end}\n", state.name, step.name));
            }
        }
        lines
    }

    /// States and steps refer only to each other.
    pub fn check(flow: &Flow) {
        for step in flow.steps {
            let refused = step.refused.iter().map(|(state, _)| state);
            for state in step.from.iter().chain([&step.to]).chain(refused) {
                assert!(flow.state(state).is_some(), "{} names the state {state}", step.name);
            }
            assert!(step.refused.iter().all(|(state, _)| !step.from.contains(state)), "{}", step.name);
        }
        let first = flow.states[0].name;
        for state in flow.states.iter().filter(|state| state.name != first) {
            let reached = flow.steps.iter().any(|step| step.to == state.name);
            assert!(reached || !flow.steps.is_empty(), "{} is reached", state.name);
        }
    }
}
