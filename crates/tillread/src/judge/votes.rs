//! The readings of each pass, field by field.

use std::collections::{BTreeMap, BTreeSet};

use larder_domain::Money;
use serde::{Deserialize, Serialize};

use crate::fields::extract::{Figure, Found, Seen};
use crate::fields::field::{Field, Value};
use crate::fields::parse::parse;
use crate::fields::template::Template;
use crate::text::Area;

/// A value read by at least one pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub value: Value,
    /// As printed, in the most confident reading.
    pub text: String,
    /// The highest confidence of a reading, 0 to 1.
    pub confidence: f32,
    pub area: Option<Area>,
    /// Which passes read it.
    pub passes: BTreeSet<usize>,
    /// Every reading of it replaced a glyph or lacked a separator.
    pub weak: bool,
    /// Its weight: the sum of the passes' confidences.
    pub weight: f32,
}

/// The readings of all passes for every field. As JSON they can be stored, and judged again when more is known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Votes {
    fields: BTreeMap<Field, Vec<Candidate>>,
    passes: usize,
}

/// Minimum overlap of one figure's positions in two passes.
const SAME_PLACE: f32 = 0.35;

impl Votes {
    /// Readings as if `passes` passes had each read exactly these values.
    #[must_use]
    pub fn agreed(values: &BTreeMap<Field, Value>, passes: usize) -> Self {
        let mut votes = Self { passes, ..Self::default() };
        for (field, value) in values {
            for pass in 0..passes {
                let text = value.to_string();
                votes.add(
                    *field,
                    Candidate {
                        value: value.clone(),
                        text,
                        confidence: 0.95,
                        area: None,
                        passes: [pass].into(),
                        weak: false,
                        weight: 0.95,
                    },
                );
            }
        }
        votes
    }

    /// From the results of passes. A pass that missed a label takes it from the others by position.
    pub(crate) fn of(passes: &[&Seen], template: &Template) -> Self {
        let mut votes = Self { passes: passes.len(), ..Self::default() };
        for (pass, seen) in passes.iter().enumerate() {
            for field in Field::ALL {
                let mut found: Vec<&Found> = seen.found.iter().filter(|it| it.field == field).collect();
                found.sort_by(|a, b| b.label.total_cmp(&a.label));
                for (rank, it) in found.into_iter().take(3).enumerate() {
                    let weight = seen.weight * it.label.min(1.0) * if rank == 0 { 1.0 } else { 0.4 };
                    let value = signed(field, &it.parsed.value, template);
                    votes.read(field, value, it.parsed.weak, &it.figure, pass, weight);
                }
            }
        }
        let mut known: BTreeMap<Field, Area> = votes
            .fields
            .iter()
            .filter_map(|(field, candidates)| Some((*field, candidates.first()?.area?)))
            .collect();
        // Where every pass misread a figure, the comparison of glyphs may still tell it.
        for (field, area) in passes.iter().flat_map(|seen| &seen.misread) {
            known.entry(*field).or_insert(*area);
        }
        for (field, area) in known {
            for (pass, seen) in passes.iter().enumerate() {
                if seen.found.iter().any(|it| it.field == field) {
                    continue;
                }
                let near = seen.figures.iter().map(|figure| (figure.area.shared(area), figure));
                let Some((shared, figure)) = near.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
                if shared > SAME_PLACE
                    && let Some(parsed) = parse(field, &figure.text, template.date_order)
                {
                    let value = signed(field, &parsed.value, template);
                    votes.read(field, value, parsed.weak, figure, pass, 0.9 * seen.weight);
                }
            }
        }
        votes
    }

    fn read(&mut self, field: Field, value: Value, weak: bool, figure: &Figure, pass: usize, weight: f32) {
        let sure = (0.3 + 0.7 * figure.confidence) * if weak { 0.5 } else { 1.0 };
        self.add(
            field,
            Candidate {
                value,
                text: figure.text.clone(),
                confidence: figure.confidence * if weak { 0.6 } else { 1.0 },
                area: Some(figure.area),
                passes: [pass].into(),
                weak,
                weight: sure * weight,
            },
        );
    }

    fn add(&mut self, field: Field, new: Candidate) {
        let candidates = self.fields.entry(field).or_default();
        match candidates.iter_mut().find(|it| it.value == new.value) {
            Some(it) => {
                if new.confidence > it.confidence {
                    (it.text, it.confidence, it.area) = (new.text, new.confidence, new.area);
                }
                it.weight += if it.passes.is_superset(&new.passes) { 0.0 } else { new.weight };
                it.passes.extend(new.passes);
                it.weak &= new.weak;
            }
            None => candidates.push(new),
        }
        candidates.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    }

    /// The readings of a field, most likely first.
    #[must_use]
    pub fn of_field(&self, field: Field) -> &[Candidate] {
        self.fields.get(&field).map_or(&[], Vec::as_slice)
    }

    /// The number of fields read at all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether nothing was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The number of passes.
    #[must_use]
    pub const fn passes(&self) -> usize {
        self.passes
    }
}

/// Some tills print deductions with a minus and others without.
fn signed(field: Field, value: &Value, template: &Template) -> Value {
    match value {
        Value::Money(money) if template.deductions.contains(&field) => {
            Value::Money(Money(money.0.saturating_abs()))
        }
        other => other.clone(),
    }
}

/// Votes as JSON: one list, in the order of their fields.
#[derive(Serialize, Deserialize)]
struct Stored {
    passes: usize,
    read: Vec<StoredCandidate>,
}

/// A [`Candidate`] with its field; the value in plain form.
#[derive(Serialize, Deserialize)]
struct StoredCandidate {
    field: Field,
    value: String,
    text: String,
    confidence: f32,
    area: Option<Area>,
    passes: BTreeSet<usize>,
    weak: bool,
    weight: f32,
}

impl From<Votes> for Stored {
    fn from(votes: Votes) -> Self {
        let of_field = |(field, candidates): (Field, Vec<Candidate>)| {
            candidates.into_iter().map(move |it| StoredCandidate {
                field,
                value: it.value.to_string(),
                text: it.text,
                confidence: it.confidence,
                area: it.area,
                passes: it.passes,
                weak: it.weak,
                weight: it.weight,
            })
        };
        Self { passes: votes.passes, read: votes.fields.into_iter().flat_map(of_field).collect() }
    }
}

impl From<Stored> for Votes {
    /// A value that its field cannot have is left out, as if no pass had read it.
    fn from(stored: Stored) -> Self {
        let mut votes = Self { passes: stored.passes, ..Self::default() };
        for it in stored.read {
            let Some(value) = Value::plain(it.field, &it.value) else { continue };
            votes.fields.entry(it.field).or_default().push(Candidate {
                value,
                text: it.text,
                confidence: it.confidence,
                area: it.area,
                passes: it.passes,
                weak: it.weak,
                weight: it.weight,
            });
        }
        votes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pass that read a date, and where its label was found without one.
    fn seen(date: &str, misread: bool, weight: f32) -> Seen {
        let area = Area { x: 0.7, y: 0.2, w: 0.2, h: 0.02 };
        let figure = Figure { text: date.into(), confidence: 0.9, area, parts: Vec::new() };
        let misread = misread.then_some((Field::Date, area)).into_iter().collect();
        Seen { weight, found: Vec::new(), figures: vec![figure], misread }
    }

    #[test]
    fn a_date_that_every_pass_misread_is_told_by_its_glyphs() {
        let dates = |passes: &[Seen]| -> Vec<(String, usize)> {
            let passes: Vec<&Seen> = passes.iter().collect();
            let votes = Votes::of(&passes, &Template::default());
            let read = votes.of_field(Field::Date).iter();
            read.map(|it| (it.value.to_string(), it.passes.len())).collect()
        };
        let misread = || seen("06/29/2626", true, 1.0);
        let compared = || seen("06/29/2026", false, 3.0);
        assert_eq!(dates(&[misread(), misread(), compared(), compared()]), [("2026-06-29".to_owned(), 2)]);
        assert_eq!(dates(&[misread(), misread()]), [], "no pass read a date");
        let unnamed = || seen("06/29/2626", false, 1.0);
        assert_eq!(
            dates(&[unnamed(), unnamed(), compared(), compared()]),
            [],
            "no label says that it is one"
        );
    }
}
