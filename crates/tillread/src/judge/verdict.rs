//! The verdict on a reading, and its doubtful fields.

use std::collections::BTreeMap;

use larder_domain::BusinessDay;
use serde::Serialize;

use crate::fields::field::{Field, Value};
use crate::fields::template::Template;
use crate::text::Area;

use super::checks::{Check, Context, checks, expected, same};
use super::choose::{Choice, choose};
use super::votes::Votes;

/// How far a reading can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every check holds, two passes agree on every field, and no field is proven by the picture alone.
    Holds,
    /// A user confirms the doubtful fields.
    Review,
    /// Too little was read to be worth confirming; the advice tells what to improve.
    Unreadable,
}

/// Why a field is doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Doubt {
    Missing,
    /// Derived from a sum; no pass read it.
    Supplied,
    /// Its format is wrong for this field.
    Form,
    /// It differs from prior knowledge about the terminal.
    Unexpected,
    /// A sum it is part of fails.
    Broken,
    /// Passes read different values, equally often.
    Differs,
    /// Only one pass read it.
    Once,
    /// It was read twice and contradicts nothing, but neither a sum nor prior knowledge would reveal a wrong digit.
    Unproven,
}

/// A field of a reading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldReading {
    /// An ISO date, digits, or a decimal with two places; `None` where nothing was read or derived.
    pub value: Option<Value>,
    /// As printed; empty where it was not read.
    pub text: String,
    /// 0 to 1: the engine's confidence, reduced where passes disagree; at most 0.4 where it was derived from a sum.
    pub confidence: f32,
    /// A user must check it; `why` gives the reason.
    pub doubtful: bool,
    pub why: Option<Doubt>,
    /// Its position on the picture.
    #[serde(rename = "box")]
    pub area: Option<Area>,
}

/// The judgement of all passes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    pub verdict: Verdict,
    /// Every field the terminal prints.
    pub fields: BTreeMap<Field, FieldReading>,
    pub checks: Vec<Check>,
}

impl Judgement {
    /// Whether every check holds to the centavo and the only doubt is that some fields are proven by the picture alone:
    /// the best possible from a picture.
    #[must_use]
    pub fn sums_hold(&self) -> bool {
        self.checks.iter().all(|check| check.exact)
            && self.fields.values().all(|field| matches!(field.why, None | Some(Doubt::Unproven)))
    }
}

/// Judges the readings of passes: chooses a value for each field, checks them, and marks doubtful ones.
#[must_use]
pub fn judge(votes: &Votes, template: &Template, context: &Context) -> Judgement {
    let choices = choose(votes, template, context);
    let values: BTreeMap<Field, Value> =
        choices.iter().map(|(field, it)| (*field, it.value.clone())).collect();
    let checks = checks(&values, template, context);
    let supplied: Vec<Field> = choices.iter().filter(|it| it.1.from.is_none()).map(|it| *it.0).collect();
    let proven = proven(&checks, &supplied);
    let uneven = uneven(&choices);
    let is_known = |field: Field, choice: &Choice| {
        expected(context, field).is_some_and(|wanted| same(&choice.value, &wanted))
    };
    let contested = |(field, it): (&Field, &Choice)| {
        let agreed = it.agreed + usize::from(is_known(*field, it));
        (it.from.is_some() && it.against >= agreed).then_some(*field)
    };
    let contested: Vec<Field> = choices.iter().filter_map(contested).collect();
    let settled = settled(&checks, &supplied, &contested);
    let mut fields = BTreeMap::new();
    for field in Field::ALL.into_iter().filter(|field| !template.absent.contains(field)) {
        let choice = choices.get(&field);
        let known = choice.is_some_and(|it| is_known(field, it));
        let proof = Proof { proven: proven.contains(&field), settled: settled.contains(&field) };
        let why = match doubt(field, choice, known, &checks, proof) {
            None | Some(Doubt::Unproven) if uneven.contains(&field) => Some(Doubt::Form),
            why => why,
        };
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

/// As [`judge`], for a till whose previous reading is known with its day: `day` is the day after it. Where the chain
/// continues the previous reading (counter, invoices and accumulated total) and the passes read `day` without
/// contradiction, the date is proven too. `day` is a guess, so it never outvotes what was read.
#[must_use]
pub fn judge_next(votes: &Votes, template: &Template, context: &Context, day: BusinessDay) -> Judgement {
    let plain = judge(votes, template, context);
    let printed = plain.fields.get(&Field::Date).is_some_and(|it| {
        it.value == Some(Value::Date(day)) && matches!(it.why, None | Some(Doubt::Unproven))
    });
    if context.date.is_none() && printed {
        let judgement = judge(votes, template, &Context { date: Some(day), ..context.clone() });
        let proven = |field: &Field| {
            template.absent.contains(field) || judgement.fields.get(field).is_some_and(|it| !it.doubtful)
        };
        let continued =
            context.previous.is_some_and(|it| it.z.is_some() && it.end.is_some() && it.new.is_some());
        if continued && [Field::Date, Field::Z, Field::Beg, Field::Old].iter().all(proven) {
            return judgement;
        }
    }
    plain
}

/// Fields in which a wrong digit would have been noticed. Prior knowledge proves its field. A sum proves its fields,
/// but the ends of a chain (first and last invoice, previous and present total) can be wrong in the same way and keep
/// their difference: they are proven only where one of them is known.
fn proven(checks: &[Check], supplied: &[Field]) -> Vec<Field> {
    let known: Vec<Field> = checks
        .iter()
        .filter(|check| check.known && check.exact)
        .flat_map(|check| check.fields.clone())
        .collect();
    let mut out = known.clone();
    // A sum from which a field was derived holds trivially and proves nothing.
    let read = |check: &&Check| !check.fields.iter().any(|field| supplied.contains(field));
    for check in checks.iter().filter(|check| check.exact && !check.known).filter(read) {
        // VAT against VATable sales only rejects, unless nothing else checks the VAT.
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

/// Fields told by a sum, or prior knowledge, though as many passes read something else. Readings are chosen so that sums
/// hold: of two or more that are contested in one sum, wrong ones can cancel out.
fn settled(checks: &[Check], supplied: &[Field], contested: &[Field]) -> Vec<Field> {
    let ratio = |check: &Check| check.fields == [Field::Vat, Field::Vatable] && check.left != check.right;
    let read = |check: &&Check| {
        check.exact && !ratio(check) && !check.fields.iter().any(|field| supplied.contains(field))
    };
    let alone = |check: &&Check| check.fields.iter().filter(|field| contested.contains(field)).count() < 2;
    checks.iter().filter(read).filter(alone).flat_map(|check| check.fields.clone()).collect()
}

/// What speaks for a field.
#[derive(Debug, Clone, Copy)]
struct Proof {
    /// A wrong digit would have been noticed.
    proven: bool,
    /// A sum decides between its readings.
    settled: bool,
}

fn doubt(
    field: Field,
    choice: Option<&Choice>,
    known: bool,
    checks: &[Check],
    proof: Proof,
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
    // Prior knowledge counts as a reading.
    let agreed = choice.agreed + usize::from(known);
    match () {
        () if mine.any(|check| !check.known) => Some(Doubt::Broken),
        // Where a sum decides between its readings, two agreeing passes are enough; elsewhere a majority is needed.
        () if agreed >= 1 && choice.against >= agreed && !(proof.proven && proof.settled && agreed >= 2) => {
            Some(Doubt::Differs)
        }
        () if agreed < 2 => Some(Doubt::Once),
        () if !proof.proven => Some(Doubt::Unproven),
        () => None,
    }
}

/// The invoice numbers, if one has leading zeros and they are not equally wide: a zero was missed or read twice, which
/// no sum reveals.
fn uneven(choices: &BTreeMap<Field, Choice>) -> &'static [Field] {
    let text =
        |field: Field| choices.get(&field).filter(|it| it.from.is_some()).map(|it| it.value.to_string());
    match (text(Field::Beg), text(Field::End)) {
        (Some(beg), Some(end))
            if beg.len() != end.len() && (beg.starts_with('0') || end.starts_with('0')) =>
        {
            &[Field::Beg, Field::End]
        }
        _ => &[],
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
