//! Answers to the questions about a file, and how they change its mapping.

use larder_domain::sales::mapping::{Field, Mapping};
use serde_json::{Map, Value, json};

use super::midnight::DAY_START;
use super::questions::{AMOUNT, Ask, Choice};

/// Questions whose choices set a member that stays absent until they are answered.
const ABSENT: [&str; 5] = ["once", "fillDown", "totals", "sheets", "quotes"];
/// The same of questions that the rows raise; nothing suggests these members, so that a mapping that has them is an answer.
const RAISED: [&str; 5] = ["splitTenders", "negativeLines", "hiddenRows", "modifiers", "markedParts"];
/// Members that are always there, of which another value than the suggested one is an answer.
const PRESENT: [&str; 1] = ["dateFormat"];
/// The maps among those that the rows raise; each question is about some of their keys.
const RAISED_KEYS: [&str; 2] = ["words", "dayStarts"];

impl Ask {
    /// The choice that a mapping names as its answer; `None` also if the question has no such choice.
    #[must_use]
    pub fn chosen(&self, mapping: &Mapping) -> Option<&Choice> {
        let id = mapping.answers.get(&self.id)?;
        self.choices.iter().find(|choice| choice.id == *id)
    }

    /// Whether a mapping leaves it open: not answered, not obsolete, and not decided by the mapping itself in another
    /// way than suggested. An answer of which the mapping has nothing leaves it open too: it was given before the
    /// question was known, or to the same question about something else.
    #[must_use]
    pub fn is_open(&self, mapping: &Mapping) -> bool {
        if self.choices.is_empty() {
            return false;
        }
        if let Some(chosen) = self.chosen(mapping) {
            return !is_applied(mapping, &chosen.set);
        }
        // A net column other than the suggested one was chosen.
        let suggested_net = self.choices[0]
            .set
            .get("columns")
            .and_then(|set| set["net"].as_u64())
            .and_then(|at| at.try_into().ok());
        let net = mapping.column(Field::Net);
        if suggested_net.is_some() && net.is_some() && net != suggested_net {
            return false;
        }
        if self.id == AMOUNT && mapping.column(Field::UnitPrice).is_some() {
            return false;
        }
        if self.id.strip_prefix("word:").is_some_and(|word| mapping.words.contains_key(word)) {
            return false;
        }
        let Ok(Value::Object(now)) = serde_json::to_value(mapping) else { return true };
        let suggested = self.choices.first().map(|choice| &choice.set);
        let decided = suggested.into_iter().flatten().any(|(name, value)| {
            let there = now.get(name);
            let otherwise = ABSENT.contains(&name.as_str()) || PRESENT.contains(&name.as_str());
            (otherwise && there.is_some_and(|there| there != value))
                || (RAISED.contains(&name.as_str()) && there.is_some())
        });
        !decided
    }
}

/// A mapping as sent, with its answers applied: those that are new or differ from what was stored, and those whose fields
/// are still as the file's suggestion has them. What is not answered is read as suggested.
#[must_use]
pub fn answered(
    sent: &Mapping,
    before: Option<&Mapping>,
    suggested: Option<&Mapping>,
    asks: &[Ask],
) -> Mapping {
    let mut mapping = sent.clone();
    for ask in asks {
        let Some(chosen) = ask.chosen(sent) else {
            if let Some(first) = ask.choices.first().filter(|_| ask.is_open(sent)) {
                fill(&mut mapping, &first.set);
            }
            continue;
        };
        let stored = before.and_then(|before| before.answers.get(&ask.id));
        let untouched = suggested.is_some_and(|suggested| same(sent, suggested, &chosen.set));
        if stored != Some(&chosen.id) || untouched {
            mapping = with(&mapping, &chosen.set);
        }
    }
    mapping
}

/// A mapping with those answers applied that were sent before their questions were known, as only the rows raise them;
/// `None` if there are none. `asks` are the questions that the rows have raised. What the mapping decides in another way
/// than suggested stays, and so does an answer about the days of other stores.
#[must_use]
pub fn answered_before(mapping: &Mapping, suggested: Option<&Mapping>, asks: &[Ask]) -> Option<Mapping> {
    let base = Mapping::default();
    let suggested = suggested.unwrap_or(&base);
    let mut changed = mapping.clone();
    for ask in asks {
        let Some(chosen) = ask.chosen(mapping) else { continue };
        let of_others = ask.id == DAY_START && !mapping.day_starts.is_empty();
        if !of_others && same(mapping, suggested, &chosen.set) {
            changed = with(&changed, &chosen.set);
        }
    }
    (changed != *mapping).then_some(changed)
}

/// A mapping without answers to questions that are open all the same.
#[must_use]
pub fn without_stale(mapping: &Mapping, asks: &[Ask]) -> Mapping {
    let mut kept = mapping.clone();
    for ask in asks.iter().filter(|ask| ask.is_open(mapping)) {
        kept.answers.remove(&ask.id);
    }
    kept
}

/// Whether a mapping has the members that a choice sets and that only answers set, whatever their values are.
fn is_applied(mapping: &Mapping, set: &Map<String, Value>) -> bool {
    let Ok(now) = serde_json::to_value(mapping) else { return false };
    set.iter().all(|(name, value)| match value {
        Value::Object(members) if RAISED_KEYS.contains(&name.as_str()) => {
            members.keys().all(|key| now.get(name).and_then(|there| there.get(key)).is_some())
        }
        _ => !RAISED.contains(&name.as_str()) || now.get(name).is_some(),
    })
}

/// Whether two mappings agree in the members that a choice sets.
fn same(one: &Mapping, other: &Mapping, set: &Map<String, Value>) -> bool {
    let (Ok(one), Ok(other)) = (serde_json::to_value(one), serde_json::to_value(other)) else { return false };
    set.iter().all(|(name, value)| match value {
        Value::Object(members) => members.keys().all(|key| one[name].get(key) == other[name].get(key)),
        _ => one.get(name) == other.get(name),
    })
}

/// Sets the members of a suggested choice that a mapping lacks.
fn fill(mapping: &mut Mapping, set: &Map<String, Value>) {
    let Ok(now) = serde_json::to_value(&*mapping) else { return };
    let lacking = |name: &str| ABSENT.contains(&name) && now.get(name).is_none();
    let lacks: Map<String, Value> = set
        .iter()
        .filter(|(name, _)| lacking(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if !lacks.is_empty() {
        *mapping = with(mapping, &lacks);
    }
}

/// A mapping with a choice applied.
#[must_use]
pub fn with(mapping: &Mapping, set: &Map<String, Value>) -> Mapping {
    let Ok(Value::Object(mut all)) = serde_json::to_value(mapping) else { return mapping.clone() };
    for (name, value) in set {
        let Value::Object(more) = value else {
            all.insert(name.clone(), value.clone());
            continue;
        };
        let members = all.entry(name.clone()).or_insert_with(|| json!({}));
        let Value::Object(members) = members else {
            *members = value.clone();
            continue;
        };
        for (key, member) in more {
            if member.is_null() {
                members.remove(key);
                continue;
            }
            // A column has one meaning.
            if name == "columns" {
                members.retain(|_, taken| taken != member);
            }
            members.insert(key.clone(), member.clone());
        }
    }
    serde_json::from_value(Value::Object(all)).unwrap_or_else(|_| mapping.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use larder_domain::{Money, Qty};

    fn choice(id: &str, set: &Value) -> Choice {
        let set = set.as_object().cloned().unwrap_or_default();
        let (label, days) = (id.to_owned(), Vec::new());
        Choice { id: id.to_owned(), label, set, lines: 0, qty: Qty(0), net: Money(0), days }
    }

    fn ask(id: &str, first: &Value, second: &Value) -> Ask {
        let choices = vec![choice("first", first), choice("second", second)];
        Ask { id: id.to_owned(), about: "Which?".to_owned(), rows: 0, choices }
    }

    fn saying(mapping: &Mapping, id: &str, choice: &str) -> Mapping {
        let answers = [(id.to_owned(), choice.to_owned())].into();
        Mapping { answers, ..mapping.clone() }
    }

    #[test]
    fn a_new_answer_is_applied_and_an_old_one_leaves_later_changes_alone() {
        let net = ask("net", &json!({ "columns": { "net": 5 } }), &json!({ "columns": { "net": 7 } }));
        let suggested = Mapping { columns: [(Field::Net, 5)].into(), ..Mapping::default() };
        let asks = [net];
        let sent = saying(&suggested, "net", "second");
        let first = answered(&sent, None, Some(&suggested), &asks);
        assert_eq!(first.column(Field::Net), Some(7));
        // The suggestion with the same answers is read the same way again.
        assert_eq!(answered(&sent, Some(&first), Some(&suggested), &asks), first);
        let changed = Mapping { columns: [(Field::Net, 9)].into(), ..first.clone() };
        assert_eq!(answered(&changed, Some(&first), Some(&suggested), &asks), changed);
    }

    #[test]
    fn what_is_not_answered_is_read_as_suggested_and_stays_open() {
        let once = ask("once", &json!({ "once": ["net"] }), &json!({ "once": [] }));
        let sent = Mapping::default();
        let read = answered(&sent, None, None, std::slice::from_ref(&once));
        assert_eq!(read.once, Some(vec![Field::Net]));
        assert!(once.is_open(&read));
        assert!(
            !once.is_open(&Mapping { once: Some(Vec::new()), ..Mapping::default() }),
            "decided otherwise"
        );
        assert!(!once.is_open(&saying(&read, "once", "first")));
    }

    #[test]
    fn answers_about_words_add_up() {
        let words = |word: &str| json!({ "words": { word: "counts" } });
        let asks = [ask("word:a", &json!({}), &words("a")), ask("word:b", &json!({}), &words("b"))];
        let answers = ["word:a", "word:b"].map(|id| (id.to_owned(), "second".to_owned())).into();
        let sent = Mapping { answers, ..Mapping::default() };
        let read = answered(&sent, None, None, &asks);
        assert_eq!(read.words.len(), 2);
        assert!(asks.iter().all(|ask| !ask.is_open(&read)));
    }

    #[test]
    fn an_answer_before_its_question_is_applied_once_it_is_raised() {
        let split = ask("splitTenders", &json!({ "splitTenders": false }), &json!({ "splitTenders": true }));
        let sent = saying(&Mapping::default(), "splitTenders", "second");
        let asks = [split];
        assert!(asks[0].is_open(&sent), "nothing of it is applied");
        let read = answered_before(&sent, None, &asks).expect("an answer");
        assert_eq!(read.split_tenders, Some(true));
        assert!(!asks[0].is_open(&read));
        assert_eq!(answered_before(&read, None, &asks), None);
        let decided = Mapping { split_tenders: Some(false), ..sent };
        assert_eq!(answered_before(&decided, None, &asks), None, "what is decided stays");
        // A choice that does not exist answers nothing.
        let unknown = saying(&Mapping::default(), "splitTenders", "third");
        assert!(asks[0].is_open(&unknown));
        assert_eq!(answered_before(&unknown, None, &asks), None);
        assert_eq!(without_stale(&unknown, &asks), Mapping::default());
    }

    #[test]
    fn an_answer_about_the_days_of_one_store_leaves_those_of_another_open() {
        let starts = |store: &str, minutes: i32| json!({ "dayStarts": { store: minutes } });
        let asks = [ask(DAY_START, &starts("pasig", 360), &starts("pasig", 0))];
        let said = saying(&Mapping::default(), DAY_START, "first");
        let mall = Mapping { day_starts: [("mall".to_owned(), 360)].into(), ..said.clone() };
        assert!(asks[0].is_open(&mall));
        assert_eq!(answered_before(&mall, None, &asks), None);
        assert!(without_stale(&mall, &asks).answers.is_empty());
        // Before any store was asked about, it is for those of the file.
        let read = answered_before(&said, None, &asks).expect("an answer");
        assert_eq!(read.day_starts, [("pasig".to_owned(), 360)].into());
        assert!(!asks[0].is_open(&read));
    }
}
