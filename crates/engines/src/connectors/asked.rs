//! What all rows of a unit are asked about where a user can decide, and the answers.

/// A question about all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Whether lines are repeated for each tender of their receipt.
    SplitTenders,
    /// Whether rows that a workbook hides are sales.
    Hidden,
    /// Whether sales after today have the right date.
    Future,
    /// Whether days of which another connector or key sent sales are added.
    SentTwice,
}

/// Counts one set of the lines of each receipt.
pub const ONCE: &str = "once";

impl Asked {
    const ALL: [Self; 4] = [Self::SplitTenders, Self::Hidden, Self::Future, Self::SentTwice];

    /// The stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SplitTenders => "splitTenders",
            Self::Hidden => "hidden",
            Self::Future => "future",
            Self::SentTwice => "sentTwice",
        }
    }

    /// Parses a stored name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|asked| asked.as_str() == name)
    }

    /// Its answers: ids, unique among all questions, and labels. Each takes the rows.
    #[must_use]
    pub fn choices(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::SplitTenders => &[("each", "No, each line was sold"), (ONCE, "Yes, count one set")],
            Self::Hidden => &[("read", "They are sales")],
            Self::Future => &[("dated", "The date is right")],
            Self::SentTwice => &[("add", "Add them")],
        }
    }

    /// Whether an answer is one to this question.
    #[must_use]
    pub fn is_answered_by(self, answer: &str) -> bool {
        self.choices().iter().any(|(id, _)| *id == answer)
    }
}

/// What was said about a unit: answers, and the questions that were seen and passed by trying again.
#[derive(Debug, Clone, Copy, Default)]
pub struct Answers<'a>(Option<&'a str>);

impl<'a> Answers<'a> {
    /// Those stored with a unit.
    #[must_use]
    pub fn new(stored: Option<&'a str>) -> Self {
        Self(stored)
    }

    fn all(self) -> impl Iterator<Item = &'a str> {
        self.0.unwrap_or_default().split(',')
    }

    /// Whether a question was answered.
    #[must_use]
    pub fn answer(self, asked: Asked) -> bool {
        self.all().any(|said| asked.is_answered_by(said))
    }

    /// Whether an answer was given.
    #[must_use]
    pub fn say(self, answer: &str) -> bool {
        self.all().any(|said| said == answer)
    }

    /// Whether a question was seen, or answered.
    #[must_use]
    pub fn pass(self, asked: Asked) -> bool {
        self.say(asked.as_str()) || self.answer(asked)
    }

    /// As stored, with an answer to a question, or that it was seen. A new answer takes the place of an earlier one.
    #[must_use]
    pub fn with(self, asked: Asked, answer: Option<&str>) -> String {
        let said = answer.unwrap_or(asked.as_str());
        let earlier = self.all().filter(|old| !old.is_empty() && *old != asked.as_str());
        let earlier = earlier.filter(|old| answer.is_none() || !asked.is_answered_by(old));
        earlier.chain([said]).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_answer_belongs_to_one_question() {
        let ids: Vec<&str> = Asked::ALL.iter().flat_map(|asked| asked.choices()).map(|(id, _)| *id).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        assert!(Asked::SplitTenders.is_answered_by(ONCE) && !Asked::Hidden.is_answered_by(ONCE));
        for asked in Asked::ALL {
            assert_eq!(Asked::parse(asked.as_str()), Some(asked));
        }
    }

    #[test]
    fn answers_are_kept_question_by_question() {
        let seen = Answers::new(None).with(Asked::Hidden, None);
        let answered = Answers::new(Some(&seen)).with(Asked::SplitTenders, Some("each"));
        let now = Answers::new(Some(&answered));
        assert!(now.pass(Asked::Hidden) && !now.answer(Asked::Hidden) && now.answer(Asked::SplitTenders));
        assert!(!now.pass(Asked::Future) && !now.say(ONCE));
        let changed = now.with(Asked::SplitTenders, Some(ONCE));
        assert_eq!(changed, "hidden,once");
    }
}
