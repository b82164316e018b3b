//! Natural-language questions, as users type them into the search: «sales makati last week», «waste chicken october».
//! Extracts the topic, the days, and the remaining words as names of stores and items. The vocabulary is fixed: any
//! other word is a name or stays unexplained; nothing is guessed.

mod days;
mod topics;

use crate::BusinessDay;

pub use days::Days;
pub use topics::Topic;

/// Maximum number of words in a question.
const MOST_WORDS: usize = 24;

/// A parsed question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    /// Its topic, if given.
    pub topic: Option<Topic>,
    /// Its days, if given.
    pub days: Option<Days>,
    /// Other words, adjacent ones grouped, in lower case.
    pub names: Vec<Vec<String>>,
}

/// Words without meaning for the question.
const FILLERS: &[&str] = &[
    "a", "an", "and", "are", "at", "did", "do", "does", "for", "from", "give", "have", "how", "in", "is",
    "me", "much", "many", "of", "on", "our", "please", "report", "show", "than", "the", "to", "was", "we",
    "were", "what", "which", "who", "with", "by", "per", "during",
];

/// Parses a question asked on a day.
#[must_use]
pub fn read(typed: &str, today: BusinessDay) -> SearchQuery {
    let lower = typed.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect();
    let mut query = SearchQuery { topic: None, days: None, names: Vec::new() };
    let mut at = 0;
    // Whether the previous word was part of a name, too.
    let mut together = false;
    while at < words.len() {
        let rest = &words[at..];
        if query.days.is_none()
            && let Some((days, used)) = days::read(rest, today)
        {
            query.days = Some(days);
            at += used;
            together = false;
        } else if query.topic.is_none()
            && let Some((topic, used)) = topics::read(rest)
        {
            query.topic = Some(topic);
            at += used;
            together = false;
        } else {
            let word = rest[0].trim_matches('-');
            if FILLERS.contains(&word) || word.is_empty() {
                together = false;
            } else if together && let Some(name) = query.names.last_mut() {
                name.push(word.to_owned());
            } else {
                query.names.push(vec![word.to_owned()]);
                together = true;
            }
            at += 1;
        }
    }
    query
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A Wednesday.
    fn today() -> BusinessDay {
        BusinessDay::from_ymd(2026, 11, 25).expect("a day")
    }

    fn said(typed: &str) -> (Option<Topic>, Option<String>, Vec<String>) {
        let query = read(typed, today());
        let days = query.days.map(|days| match days.named {
            Some(name) => name.to_owned(),
            None => format!("{}..{}", days.span.from, days.span.to),
        });
        (query.topic, days, query.names.iter().map(|name| name.join(" ")).collect())
    }

    #[test]
    fn topics_days_and_names_are_distinguished() {
        let all = |topic, days: &str, names: &[&str]| {
            (
                Some(topic),
                Some(days.to_owned()),
                names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(),
            )
        };
        assert_eq!(said("sales makati last week"), all(Topic::Sales, "last-week", &["makati"]));
        assert_eq!(said("Waste chicken October"), all(Topic::Waste, "2026-10-01..2026-10-31", &["chicken"]));
        assert_eq!(
            said("how much chicken thigh did Bonifacio High Street sell yesterday?"),
            all(Topic::Sales, "2026-11-24..2026-11-24", &["chicken thigh", "bonifacio high street"])
        );
        assert_eq!(said("food cost this month in cebu"), all(Topic::FoodCost, "this-month", &["cebu"]));
        assert_eq!(said("orders 3 nov to 9 nov"), all(Topic::Orders, "2026-11-03..2026-11-09", &[]));
        assert_eq!(said("average ticket dec 2025").1.as_deref(), Some("2025-12-01..2025-12-31"));
        assert_eq!(
            said("december sales").1.as_deref(),
            Some("2025-12-01..2025-12-31"),
            "the last one there was"
        );
        assert_eq!(said("sales 2026-11-03").1.as_deref(), Some("2026-11-03..2026-11-03"));
        assert_eq!(said("sales last 10 days").1.as_deref(), Some("2026-11-15..2026-11-24"));
        assert_eq!(said("sales last 4 weeks").1.as_deref(), Some("last-4-weeks"));
        assert_eq!(said("sales monday").1.as_deref(), Some("2026-11-23..2026-11-23"));
        assert_eq!(said("sales since october").1.as_deref(), Some("2026-10-01..2026-11-25"));
        assert_eq!(said("sales last year").1.as_deref(), Some("last-year"));
        assert_eq!(
            said("sales 2025").1.as_deref(),
            Some("2025-01-01..2025-12-31"),
            "a year by its number is the same next year"
        );
        assert_eq!(said("sales 5 march 2024").1.as_deref(), Some("2024-03-05..2024-03-05"));
        assert_eq!(said("sales march 5").1.as_deref(), Some("2026-03-05..2026-03-05"));
        assert_eq!(said("makati"), (None, None, vec!["makati".to_owned()]));
        assert_eq!(said(""), (None, None, vec![]));
    }

    #[test]
    fn a_name_that_holds_a_small_number_or_a_month_like_word_stays_a_name() {
        assert_eq!(said("sales branch 12").2, ["branch 12"]);
        assert_eq!(said("sales maria").2, ["maria"], "not March");
        assert_eq!(said("stock 7-eleven").2, ["7-eleven"]);
    }

    proptest! {
        /// Spans always run forwards, and no word is lost or invented.
        #[test]
        fn anything_may_be_asked(typed in any::<String>(), words in proptest::collection::vec(
            "last|this|week|sales|to|[0-9]{1,4}|oct|since|days|makati|2026-02-3[01]|monday", 0..12)) {
            for typed in [typed, words.join(" ")] {
                let query = read(&typed, today());
                if let Some(days) = query.days {
                    prop_assert!(days.span.from <= days.span.to);
                }
                let lower = typed.to_lowercase();
                for word in query.names.iter().flatten() {
                    prop_assert!(lower.contains(word.as_str()));
                }
            }
        }
    }
}
