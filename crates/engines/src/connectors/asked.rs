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
}

/// Counts one set of the lines of each receipt.
pub const ONCE: &str = "once";

impl Asked {
    const ALL: [Self; 3] = [Self::SplitTenders, Self::Hidden, Self::Future];

    /// The stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SplitTenders => "splitTenders",
            Self::Hidden => "hidden",
            Self::Future => "future",
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
        }
    }

    /// Whether an answer is one to this question.
    #[must_use]
    pub fn is_answered_by(self, answer: Option<&str>) -> bool {
        self.choices().iter().any(|(id, _)| Some(*id) == answer)
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
        assert!(Asked::SplitTenders.is_answered_by(Some(ONCE)) && !Asked::Hidden.is_answered_by(Some(ONCE)));
        assert!(!Asked::Future.is_answered_by(None));
        for asked in Asked::ALL {
            assert_eq!(Asked::parse(asked.as_str()), Some(asked));
        }
    }
}
