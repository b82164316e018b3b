//! Natural-language questions, as users type them into the search: «sales makati last week», «kulang na benta».
//! Extracts the topic, the days, what narrows it, and the remaining words as names of stores and items. The vocabulary
//! is fixed: any other word is a name or stays unexplained; nothing is guessed.

mod days;
mod meaning;
mod words;

use crate::BusinessDay;
use crate::tender::Kind as TenderKind;
use meaning::Meaning;

pub use days::Days;
pub use meaning::{AskedAgainst, AskedBy, AskedDiscount, AskedEnd, AskedRank, AskedState, Topic};

/// Maximum number of words in a question.
const MOST_WORDS: usize = 24;
/// The longest ranking that may be asked for.
const MOST_RANKED: u16 = 500;

/// A parsed question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchQuery {
    /// Its topic, if given.
    pub topic: Option<Topic>,
    /// Its days, if given.
    pub days: Option<Days>,
    /// The state that it asks for.
    pub only: Option<AskedState>,
    /// What its figures are broken down by.
    pub by: Option<AskedBy>,
    pub rank: Option<AskedRank>,
    pub discount: Option<AskedDiscount>,
    /// How it was paid.
    pub tender: Option<TenderKind>,
    pub against: Option<AskedAgainst>,
    /// Other words, adjacent ones grouped, in lower case.
    pub names: Vec<Vec<String>>,
}

/// Parses a question asked on a day.
#[must_use]
pub fn read(typed: &str, today: BusinessDay) -> SearchQuery {
    read_with(typed, today, &|_| 0)
}

/// As [`read`], where the words of known names are names even if they are in the vocabulary: «cash and carry», «sun valley».
/// `begins`: how many of these words begin a record's name, 0 if it is fewer than two. Words that are all vocabulary, like
/// «last week», stay so.
#[must_use]
pub fn read_with(typed: &str, today: BusinessDay, begins: &dyn Fn(&[&str]) -> usize) -> SearchQuery {
    let lower = typed.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect();
    let mut reader = Reader {
        words,
        today,
        query: SearchQuery::default(),
        after: After::Other,
        together: false,
        versus: None,
        begins,
    };
    let mut at = 0;
    while at < reader.words.len() {
        at += reader.step(at);
    }
    reader.refuse_other_ranges();
    reader.query
}

/// Whether a word only says what kind of thing a name is: «makati store».
#[must_use]
pub fn adds_nothing(word: &str) -> bool {
    words::longest(&[word]).is_some_and(|(meanings, _)| {
        meanings.iter().all(|one| matches!(one, Meaning::Noun(_) | Meaning::Filler))
    })
}

/// What the last phrase leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Other,
    /// «by», «per», «which»: what the figures are broken down by.
    Each,
    /// «top»: a number, or what is ranked.
    Rank,
    /// «vs»: a range.
    Versus,
}

struct Reader<'a> {
    words: Vec<&'a str>,
    today: BusinessDay,
    query: SearchQuery,
    after: After,
    /// Whether the previous word was part of a name, too.
    together: bool,
    /// The week or month before that the figures are compared with.
    versus: Option<&'static str>,
    /// How many of these words begin a record's name.
    begins: &'a dyn Fn(&[&str]) -> usize,
}

impl Reader<'_> {
    /// Reads the phrase at a word; the longest of those that fit. Returns the number of its words, at least one.
    fn step(&mut self, at: usize) -> usize {
        if let Some(used) = self.known_name(at) {
            return used;
        }
        let rest = &self.words[at..];
        let days = days::read(rest, self.today);
        let phrase = words::longest(rest).filter(|(_, used)| !self.denies(rest, *used));
        let length = phrase.map_or(0, |(_, used)| used);
        // «linggo» is Sunday, but «per linggo» a week.
        let noun = self.expects_noun() && phrase.is_some_and(|(meanings, _)| is_noun(meanings));
        if let Some(used) = self.count(at) {
            return used;
        }
        if let Some((days, used)) = days.filter(|(_, used)| *used > length || *used == length && !noun) {
            if self.day(days, at, used) {
                self.together = false;
                return used;
            }
        } else if let Some((meanings, used)) = phrase
            && self.say(meanings)
        {
            self.together = false;
            return used;
        }
        self.name(at);
        1
    }

    /// Takes the words of a known name.
    fn known_name(&mut self, at: usize) -> Option<usize> {
        let rest = &self.words[at..];
        let used = (self.begins)(rest).min(rest.len());
        if used < 2 || self.is_vocabulary(&rest[..used]) {
            return None;
        }
        let name = rest[..used].iter().map(|word| word.trim_matches('-')).filter(|word| !AND.contains(word));
        let name: Vec<String> = name.filter(|word| !word.is_empty()).map(str::to_owned).collect();
        self.query.names.push(name);
        self.after = After::Other;
        self.together = false;
        Some(used)
    }

    /// Whether «no» and «not in» deny a name that follows: «not in Makati». They are not understood then, instead of as the
    /// opposite.
    fn denies(&self, words: &[&str], used: usize) -> bool {
        let next = &words[used..];
        matches!(&words[..used], ["no"] | ["not", "in"])
            && !next.is_empty()
            && words::longest(next).is_none()
            && days::read(next, self.today).is_none()
    }

    /// Whether each of these words is part of a phrase.
    fn is_vocabulary(&self, words: &[&str]) -> bool {
        let mut at = 0;
        while at < words.len() {
            let rest = &words[at..];
            let days = days::read(rest, self.today).map_or(0, |(_, used)| used);
            let phrase = words::longest(rest).map_or(0, |(_, used)| used);
            match days.max(phrase) {
                0 => return false,
                used => at += used,
            }
        }
        true
    }

    const fn expects_noun(&self) -> bool {
        matches!(self.after, After::Each | After::Rank)
    }

    /// «10» after «top».
    fn count(&mut self, at: usize) -> Option<usize> {
        let rank =
            self.query.rank.as_mut().filter(|rank| self.after == After::Rank && rank.count.is_none())?;
        rank.count = Some(self.words[at].parse().ok().filter(|n| (1..=MOST_RANKED).contains(n))?);
        Some(1)
    }

    /// Takes days; `false` if they say nothing here, so that the words are a name.
    fn day(&mut self, days: Days, at: usize, used: usize) -> bool {
        if self.after == After::Versus {
            self.after = After::Other;
            let against = match days.named {
                Some("last-year") => AskedAgainst::YearBefore,
                Some("last-week" | "last-month") => {
                    self.versus = days.named;
                    AskedAgainst::Before
                }
                _ => return false,
            };
            return self.query.against.replace(against).is_none_or(|before| before == against);
        }
        // «may» is «there is» in Filipino, and a month only in a question without other days.
        if used == 1 && self.words[at] == "may" {
            let others =
                (at + 1..self.words.len()).any(|at| days::read(&self.words[at..], self.today).is_some());
            // It precedes what there is; before days or «vs», or at the end, it can only be the month.
            let next = &self.words[at + 1..];
            let versus =
                words::longest(next).is_some_and(|(meanings, _)| meanings.contains(&Meaning::Versus));
            let is_month = next.is_empty() || versus || days::read(next, self.today).is_some();
            if !is_month && (others || self.query.days.is_some()) {
                return true;
            }
        }
        self.after = After::Other;
        if self.query.days.is_some() {
            return false;
        }
        self.query.days = Some(days);
        true
    }

    /// Leaves a comparison that no page makes, of a day with a week or a week with a month, as words not understood.
    fn refuse_other_ranges(&mut self) {
        let Some(versus) = self.versus else { return };
        let fits = match self.query.days.as_ref().map(|days| days.named) {
            None => true,
            Some(Some("this-week")) => versus == "last-week",
            Some(Some("this-month")) => versus == "last-month",
            Some(_) => false,
        };
        if !fits {
            self.query.against = None;
            self.query.names.push(versus.split('-').map(str::to_owned).collect());
        }
    }

    /// Takes what a phrase says; `false` if the question already says something else of that kind, or the phrase says
    /// nothing here.
    fn say(&mut self, meanings: &[Meaning]) -> bool {
        if self.expects_noun() && self.query.by.is_none() {
            let noun = meanings.iter().find_map(|one| match one {
                Meaning::Noun(by) => Some(*by),
                _ => None,
            });
            if noun.is_some() {
                self.query.by = noun;
                self.after = After::Other;
                return true;
            }
        }
        let mut next = self.query.clone();
        let mut after = After::Other;
        let mut said = false;
        let narrows = meanings.iter().any(|one| !matches!(one, Meaning::Topic(_) | Meaning::Noun(_)));
        for meaning in meanings {
            let fits = match *meaning {
                Meaning::Noun(_) => continue,
                Meaning::Topic(topic) => match next.topic {
                    Some(known) if known != Topic::Sales || !narrows => {
                        known == topic || topic == Topic::Sales && known.of_sales()
                    }
                    _ => {
                        next.topic = Some(topic);
                        true
                    }
                },
                Meaning::State(state) => put(&mut next.only, state),
                Meaning::By(by) => put(&mut next.by, by),
                Meaning::Rank(end) => {
                    after = After::Rank;
                    match &next.rank {
                        Some(rank) => rank.end == end,
                        None => put(&mut next.rank, AskedRank { end, count: None }),
                    }
                }
                Meaning::Discount(discount) => put(&mut next.discount, discount),
                Meaning::Tender(tender) => put(&mut next.tender, tender),
                Meaning::Against(against) => put(&mut next.against, against),
                Meaning::Each => {
                    after = After::Each;
                    true
                }
                Meaning::Versus => {
                    after = After::Versus;
                    true
                }
                Meaning::Filler => {
                    // «per the store», «kaysa noong nakaraang taon».
                    after = self.after;
                    true
                }
                Meaning::When(_) => false,
            };
            if !fits {
                return false;
            }
            said = true;
        }
        if said {
            self.query = next;
            self.after = after;
        }
        said
    }

    /// Adds a word to the names.
    fn name(&mut self, at: usize) {
        self.after = After::Other;
        let word = self.words[at].trim_matches('-');
        if word.is_empty() {
            self.together = false;
        } else if self.together
            && let Some(name) = self.query.names.last_mut()
        {
            name.push(word.to_owned());
        } else {
            self.query.names.push(vec![word.to_owned()]);
            self.together = true;
        }
    }
}

/// Words for «&» in a name.
pub const AND: &[&str] = &["and", "at"];

fn is_noun(meanings: &[Meaning]) -> bool {
    meanings.iter().any(|one| matches!(one, Meaning::Noun(_)))
}

/// Sets what is not yet set; whether it now has this value.
fn put<T: Copy + PartialEq>(slot: &mut Option<T>, value: T) -> bool {
    *slot.get_or_insert(value) == value
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
        assert_eq!(
            said("benta noong linggo").1.as_deref(),
            Some("2026-11-22..2026-11-22"),
            "the last Sunday"
        );
        assert_eq!(said("benta noong nakaraang linggo").1.as_deref(), Some("last-week"));
        assert_eq!(said("benta ng huling 7 na araw").1.as_deref(), Some("2026-11-18..2026-11-24"));
        assert_eq!(said("tapon noong isang araw").1.as_deref(), Some("2026-11-23..2026-11-23"));
        assert_eq!(said("benta oktubre hanggang nobyembre").1.as_deref(), Some("2026-10-01..2026-11-30"));
        assert_eq!(said("orders tomorrow").1.as_deref(), Some("2026-11-26..2026-11-26"));
    }

    #[test]
    fn comparisons_and_ranges_are_those_that_were_asked() {
        let against = |typed: &str| read(typed, today()).against;
        assert_eq!(against("sales this week vs last week"), Some(AskedAgainst::Before));
        assert_eq!(against("sales this month vs last month"), Some(AskedAgainst::Before));
        for typed in
            ["sales this week vs last month", "sales vs last week yesterday", "sales yesterday vs last week"]
        {
            let query = read(typed, today());
            assert_eq!((query.against, query.names.len()), (None, 1), "{typed}");
        }
        assert_eq!(said("sales october to december").1.as_deref(), Some("2026-10-01..2026-12-31"));
        assert_eq!(said("orders 28 dec to 3 jan").1.as_deref(), Some("2025-12-28..2026-01-03"));
        assert_eq!(said("sales nov 3-9").1.as_deref(), Some("2026-11-03..2026-11-09"));
        assert_eq!(said("sales 3-9 nov").1.as_deref(), Some("2026-11-03..2026-11-09"));
        assert_eq!(said("sales march, may").2, ["may"]);
        assert_eq!(said("may benta kahapon").2, [] as [String; 0]);
    }

    #[test]
    fn words_of_known_names_are_names() {
        let known: &[&[&str]] = &[
            &["cash", "and", "carry"],
            &["sun", "valley"],
            &["short", "ribs"],
            &["top", "round"],
            &["no", "1", "burger"],
            &["last", "week"],
        ];
        let begins =
            |words: &[&str]| known.iter().find(|name| words.starts_with(name)).map_or(0, |name| name.len());
        let said = |typed: &str| {
            let query = read_with(typed, today(), &begins);
            let names: Vec<String> = query.names.iter().map(|name| name.join(" ")).collect();
            (query.topic, query.only.is_some() || query.tender.is_some() || query.rank.is_some(), names)
        };
        let sales = |name: &str| (Some(Topic::Sales), false, vec![name.to_owned()]);
        assert_eq!(said("sales cash and carry yesterday"), sales("cash carry"));
        assert_eq!(said("sales sun valley"), sales("sun valley"));
        assert_eq!(read_with("sales sun valley", today(), &begins).days, None);
        assert_eq!(said("stock short ribs"), (Some(Topic::Stock), false, vec!["short ribs".to_owned()]));
        assert_eq!(said("sales top round"), sales("top round"));
        assert_eq!(said("sales no. 1 burger"), sales("no 1 burger"));
        // All of it is vocabulary.
        assert_eq!(said("sales last week"), (Some(Topic::Sales), false, vec![]));
    }

    #[test]
    fn what_is_denied_is_not_taken_for_the_opposite() {
        let only = |typed: &str| (read(typed, today()).only, said(typed).2);
        let none = |name: &str| (None, vec![name.to_owned()]);
        assert_eq!(only("sales not in makati"), (None, vec!["not".to_owned(), "makati".to_owned()]));
        assert_eq!(only("sales no makati"), none("no makati"));
        assert_eq!(only("no sales makati"), (Some(AskedState::Missing), vec!["makati".to_owned()]));
        assert_eq!(only("sales not in yet"), (Some(AskedState::Missing), vec![]));
    }

    #[test]
    fn the_kind_of_a_thing_adds_nothing_to_its_name() {
        assert!(adds_nothing("store") && adds_nothing("items") && adds_nothing("ng"));
        assert!(!adds_nothing("makati") && !adds_nothing("benta") && !adds_nothing("kaha"));
    }

    #[test]
    fn words_with_two_meanings_are_read_by_their_neighbours() {
        let by = |typed: &str| read(typed, today()).by;
        assert_eq!((by("benta kada linggo"), said("benta kada linggo").1), (Some(AskedBy::Week), None));
        assert_eq!(said("stock mayo makati").2, ["mayo makati"], "mayonnaise");
        assert_eq!(said("benta mayo 5").1.as_deref(), Some("2026-05-05..2026-05-05"));
        assert_eq!(said("sales may").1.as_deref(), Some("2026-05-01..2026-05-31"));
        assert_eq!(said("aling store ang may benta kahapon").1.as_deref(), Some("2026-11-24..2026-11-24"));
        let against = |typed: &str| {
            let query = read(typed, today());
            (query.against, said(typed).1, said(typed).2)
        };
        let year = Some(AskedAgainst::YearBefore);
        assert_eq!(against("sales last month vs last year"), (year, Some("last-month".to_owned()), vec![]));
        assert_eq!(against("benta kumpara noong nakaraang taon"), (year, None, vec![]));
        assert_eq!(against("sales vs october"), (None, None, vec!["october".to_owned()]), "not understood");
        // The first topic counts; a second is part of a name.
        assert_eq!(said("sales chicken stock today").2, ["chicken stock"]);
        assert_eq!(said("sales gcash yesterday").0, Some(Topic::Tenders));
    }

    /// What was understood, as the phrases of `testdata/questions.json` state it.
    fn understood(query: &SearchQuery) -> serde_json::Value {
        let days = query.days.map(|days| match days.named {
            Some(name) => name.to_owned(),
            None => format!("{}..{}", days.span.from, days.span.to),
        });
        let names: Vec<_> = query.names.iter().map(|name| name.join(" ")).collect();
        let mut all = serde_json::json!({
            "topic": query.topic,
            "only": query.only,
            "by": query.by,
            "rank": query.rank,
            "discount": query.discount,
            "tender": query.tender.map(TenderKind::as_str),
            "against": query.against,
            "days": days,
            "names": Some(names).filter(|names| !names.is_empty()),
        });
        all.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        all
    }

    #[test]
    fn the_known_phrases_are_understood() {
        let file: serde_json::Value =
            serde_json::from_str(include_str!("../../../testdata/questions.json")).expect("phrases");
        let today: BusinessDay = file["today"].as_str().expect("a day").parse().expect("a day");
        let questions = file["questions"].as_array().expect("questions");
        assert!(questions.len() >= 60, "{} phrases", questions.len());
        let wrong: Vec<String> = questions
            .iter()
            .filter_map(|question| {
                let typed = question["q"].as_str().expect("a phrase");
                let said = understood(&read(typed, today));
                (said != question["understood"]).then(|| format!("{typed}: {said}"))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    proptest! {
        /// Spans always run forwards, and no word is lost or invented.
        #[test]
        fn anything_may_be_asked(typed in any::<String>(), words in proptest::collection::vec(
            "last|this|week|sales|to|[0-9]{1,4}|oct|since|days|makati|2026-02-3[01]|monday|vs|top|kada|linggo|may|ng|huling|araw",
            0..12)) {
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
