//! Chooses one value for each field: the likeliest that satisfies the sums.

use std::collections::BTreeMap;

use larder_domain::Money;

use crate::fields::field::{Field, Kind, Value};
use crate::fields::template::Template;

use super::checks::{Context, expected, same};
use super::equations::equations;
use super::solve::{Numbered, Options, solve};
use super::votes::{Candidate, Votes};

/// The value of a field, and its candidate; `None` where it was derived from an equation.
pub struct Choice<'a> {
    pub value: Value,
    pub from: Option<&'a Candidate>,
    /// Number of passes that read it.
    pub agreed: usize,
    /// Number of passes that read the strongest other value.
    pub against: usize,
}

/// The weight of prior knowledge, relative to the likeliest reading.
const KNOWN: f32 = 0.8;

/// Chooses among the readings.
pub fn choose<'a>(votes: &'a Votes, template: &Template, context: &Context) -> BTreeMap<Field, Choice<'a>> {
    let equations = equations(template);
    let mut options = Options::new();
    for field in Field::ALL.into_iter().filter(|field| !template.absent.contains(field)) {
        let list = numbered(votes.of_field(field), expected(context, field).and_then(|it| it.number()));
        if !list.is_empty() {
            options.insert(field, list);
        }
    }
    let solved = solve(&equations, &options, template);
    let mut out = BTreeMap::new();
    for field in Field::ALL.into_iter().filter(|field| !template.absent.contains(field)) {
        let candidates = votes.of_field(field);
        let wanted = expected(context, field);
        let choice = match solved.get(&field) {
            Some(chosen) if chosen.read => candidates
                .iter()
                .find(|it| it.value.number() == Some(chosen.number))
                .map(|it| counted(it, candidates)),
            Some(chosen) => Some(Choice {
                value: supplied(field, chosen.number, votes),
                from: None,
                agreed: 0,
                against: candidates.iter().map(|it| it.passes.len()).max().unwrap_or(0),
            }),
            None => {
                let known =
                    wanted.as_ref().and_then(|wanted| candidates.iter().find(|it| same(&it.value, wanted)));
                known.or(candidates.first()).map(|it| counted(it, candidates))
            }
        };
        if let Some(choice) = choice {
            out.insert(field, choice);
        }
    }
    widen(&mut out, votes);
    out
}

/// Tills print both invoice numbers equally wide: where one lacks leading zeros of the other and a pass read it with them,
/// that reading counts.
fn widen<'a>(choices: &mut BTreeMap<Field, Choice<'a>>, votes: &'a Votes) {
    let width = |choice: &Choice| choice.value.to_string().len();
    let Some(most) = [Field::Beg, Field::End].iter().filter_map(|field| choices.get(field).map(width)).max()
    else {
        return;
    };
    for field in [Field::Beg, Field::End] {
        let Some(choice) = choices.get_mut(&field).filter(|it| it.from.is_some() && width(it) < most) else {
            continue;
        };
        let candidates = votes.of_field(field);
        let wide =
            candidates.iter().find(|it| same(&it.value, &choice.value) && it.value.to_string().len() == most);
        if let Some(wide) = wide {
            *choice = counted(wide, candidates);
        }
    }
}

/// Readings as numbers with their costs, ignoring leading zeros.
fn numbered(candidates: &[Candidate], wanted: Option<i64>) -> Vec<Numbered> {
    let most = candidates.first().map_or(1.0, |it| it.weight).max(1e-3);
    let mut out: Vec<Numbered> = Vec::new();
    for candidate in candidates {
        let Some(number) = candidate.value.number() else { continue };
        if out.iter().any(|it| it.number == number) {
            continue;
        }
        let known = if wanted == Some(number) { KNOWN } else { 0.0 };
        out.push(Numbered { number, cost: 1.0 - candidate.weight / most - known });
    }
    out.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    out.truncate(5);
    out
}

fn counted<'a>(chosen: &'a Candidate, candidates: &'a [Candidate]) -> Choice<'a> {
    let alike = candidates.iter().filter(|it| same(&it.value, &chosen.value));
    let sure = alike.clone().any(|it| !it.weak);
    let agreed = alike.flat_map(|it| &it.passes).collect::<std::collections::BTreeSet<_>>().len();
    let others = candidates.iter().filter(|it| !same(&it.value, &chosen.value) && !it.weak);
    Choice {
        value: chosen.value.clone(),
        from: Some(chosen),
        // Glyphs replaced in every pass are no agreement.
        agreed: if sure { agreed } else { agreed.min(1) },
        against: others.map(|it| it.passes.len()).max().unwrap_or(0),
    }
}

/// A number derived from an equation, in the field's format; counters as wide as their neighbours.
fn supplied(field: Field, number: i64, votes: &Votes) -> Value {
    if field.kind() == Kind::Money {
        return Value::Money(Money(number));
    }
    let beside: &[Field] = match field {
        Field::Beg | Field::End => &[Field::Beg, Field::End],
        _ => &[],
    };
    let width =
        beside.iter().filter_map(|it| votes.of_field(*it).first()).map(|it| it.value.to_string().len()).max();
    Value::Count(format!("{number:0width$}", width = width.unwrap_or(1)))
}
