//! Whether a reading can be relied on, and what in it cannot.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fields::field::{Field, Value};
use crate::fields::template::Template;
use crate::text::Area;

use super::checks::{Check, Context, checks, expected, same};
use super::choose::{Choice, choose};
use super::votes::Votes;

/// What may be done with a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every check holds, two passes agree on every field, and nothing rests on the picture alone.
    Holds,
    /// A person confirms the doubtful fields.
    Review,
    /// Too little was read to be worth confirming; the advice says what to do.
    Unreadable,
}

/// Why a field is not to be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Doubt {
    /// It was not found.
    Missing,
    /// A sum supplied it; no pass read it.
    Supplied,
    /// Its form is not that of such a number.
    Form,
    /// It is not what is known of the terminal.
    Unexpected,
    /// A sum it takes part in does not hold.
    Broken,
    /// Passes read different values, as often as this one.
    Differs,
    /// Only one pass read it.
    Once,
    /// It was read twofold and contradicts nothing, but neither a sum nor anything known would notice a wrong digit.
    Unproven,
}

/// A field of a reading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldReading {
    /// An ISO date, digits, or a decimal with two places; `None` where nothing was read or supplied.
    pub value: Option<Value>,
    /// As it was printed; empty where it was not read.
    pub text: String,
    /// 0 to 1: how sure the engine was, less where passes do not agree; at most 0.4 where a sum supplied it.
    pub confidence: f32,
    /// A person must look at it. `why` says why.
    pub doubtful: bool,
    pub why: Option<Doubt>,
    /// Where it stands on the picture.
    #[serde(rename = "box")]
    pub area: Option<Area>,
}

/// What was made of what passes read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    pub verdict: Verdict,
    /// Every field the terminal prints.
    pub fields: BTreeMap<Field, FieldReading>,
    pub checks: Vec<Check>,
}

impl Judgement {
    /// Whether every check holds to the centavo and nothing is doubtful but that some fields rest on the picture
    /// alone: the best a picture can do by itself.
    #[must_use]
    pub fn sums_hold(&self) -> bool {
        self.checks.iter().all(|check| check.exact)
            && self.fields.values().all(|field| matches!(field.why, None | Some(Doubt::Unproven)))
    }
}

/// Judges what passes read: chooses a value for each field, checks them, and marks what cannot be relied on.
#[must_use]
pub fn judge(votes: &Votes, template: &Template, context: &Context) -> Judgement {
    let choices = choose(votes, template, context);
    let values: BTreeMap<Field, Value> =
        choices.iter().map(|(field, it)| (*field, it.value.clone())).collect();
    let checks = checks(&values, template, context);
    let supplied: Vec<Field> = choices.iter().filter(|it| it.1.from.is_none()).map(|it| *it.0).collect();
    let proven = proven(&checks, &supplied);
    let mut fields = BTreeMap::new();
    for field in Field::ALL.into_iter().filter(|field| !template.absent.contains(field)) {
        let choice = choices.get(&field);
        let known = expected(context, field).zip(choice).is_some_and(|(wanted, it)| same(&it.value, &wanted));
        let why = doubt(field, choice, known, &checks, proven.contains(&field));
        fields.insert(field, reading(choice, why));
    }
    let read = fields.values().filter(|it| matches!(it.why, None | Some(Doubt::Unproven))).count();
    let by_itself = |check: &&Check| !check.fields.iter().any(|field| supplied.contains(field));
    let sums =
        checks.iter().filter(by_itself).filter(|it| it.holds && !it.known && it.fields.len() > 2).count();
    let whole = checks.iter().all(|check| check.exact) && fields.values().all(|it| !it.doubtful);
    let verdict = match () {
        () if whole && !fields.is_empty() => Verdict::Holds,
        () if votes.len() * 3 < fields.len() || (read * 5 < fields.len() * 2 && sums < 2) => {
            Verdict::Unreadable
        }
        () => Verdict::Review,
    };
    Judgement { verdict, fields, checks }
}

/// Fields in which a wrong digit would have been noticed. What is known proves its field. A sum proves its fields, yet
/// the ends of a chain (first and last invoice, previous and present total) can be wrong alike and keep their
/// distance: they are proven only where one of them is known.
fn proven(checks: &[Check], supplied: &[Field]) -> Vec<Field> {
    let known: Vec<Field> = checks
        .iter()
        .filter(|check| check.known && check.exact)
        .flat_map(|check| check.fields.clone())
        .collect();
    let mut out = known.clone();
    // A sum that supplied one of its fields holds by itself and proves nothing.
    let read = |check: &&Check| !check.fields.iter().any(|field| supplied.contains(field));
    for check in checks.iter().filter(|check| check.exact && !check.known).filter(read) {
        // VAT beside VATable only rejects, unless nothing else holds the VAT.
        let ratio = check.fields == [Field::Vat, Field::Vatable];
        for field in &check.fields {
            let end = match field {
                Field::Beg | Field::End => Some(Field::Beg),
                Field::Old | Field::New => Some(Field::Old),
                _ => None,
            };
            let chained = end.is_none_or(|end| known.contains(&end));
            if chained && !(ratio && (*field == Field::Vatable || check.left != check.right)) {
                out.push(*field);
            }
        }
    }
    out
}

fn doubt(
    field: Field,
    choice: Option<&Choice>,
    known: bool,
    checks: &[Check],
    proven: bool,
) -> Option<Doubt> {
    let Some(choice) = choice else { return Some(Doubt::Missing) };
    let mut mine = checks.iter().filter(|check| check.fields.contains(&field) && !check.exact);
    if choice.from.is_none() {
        return Some(Doubt::Supplied);
    }
    if !well_formed(field, &choice.value) {
        return Some(Doubt::Form);
    }
    if checks.iter().any(|check| check.known && !check.exact && check.fields.contains(&field)) {
        return Some(Doubt::Unexpected);
    }
    // What is known is a reading of its own.
    let agreed = choice.agreed + usize::from(known);
    match () {
        () if mine.any(|check| !check.known) => Some(Doubt::Broken),
        // Where a sum would notice a wrong digit, two that agree are enough; elsewhere most must.
        () if agreed >= 1 && choice.against >= agreed && !(proven && agreed >= 2) => Some(Doubt::Differs),
        () if agreed < 2 => Some(Doubt::Once),
        () if !proven => Some(Doubt::Unproven),
        () => None,
    }
}

fn well_formed(field: Field, value: &Value) -> bool {
    match (field, value) {
        (Field::Tin, Value::Digits(digits)) => matches!(digits.len(), 9 | 12..=14),
        (Field::Min, Value::Digits(digits)) => (14..=17).contains(&digits.len()),
        (_, Value::Money(money)) => money.0 >= 0,
        _ => true,
    }
}

fn reading(choice: Option<&Choice>, why: Option<Doubt>) -> FieldReading {
    let doubtful = why.is_some();
    let Some(choice) = choice else {
        return FieldReading { value: None, text: String::new(), confidence: 0.0, doubtful, why, area: None };
    };
    let value = Some(choice.value.clone());
    let Some(from) = choice.from else {
        return FieldReading { value, text: String::new(), confidence: 0.4, doubtful, why, area: None };
    };
    let share = choice.agreed.max(1) as f32 / (choice.agreed.max(1) + choice.against) as f32;
    let twofold = if choice.agreed >= 2 { 1.0 } else { 0.7 };
    let broken = if why == Some(Doubt::Broken) { 0.7 } else { 1.0 };
    let confidence = (from.confidence * share * twofold * broken).clamp(0.0, 1.0);
    FieldReading { value, text: from.text.clone(), confidence, doubtful, why, area: from.area }
}
