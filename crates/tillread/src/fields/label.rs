//! Comparison of labels read by an engine with printed labels.

use super::field::Field;
use super::template::Template;
use super::usual::usual_labels;

/// Minimum similarity of two labels, from 0 to 1.
const ALIKE: f32 = 0.68;
/// Bonus of a terminal's own label over a usual one.
const OWN: f32 = 0.08;

/// The normal form of a label: letters and digits only, with glyphs that engines confuse unified.
#[must_use]
pub fn normal(text: &str) -> String {
    text.chars()
        .flat_map(char::to_uppercase)
        .filter(|c| c.is_alphanumeric() || *c == '%')
        .map(|c| match c {
            '0' | 'Q' => 'O',
            '1' | 'L' | '|' => 'I',
            '5' => 'S',
            '8' => 'B',
            '2' => 'Z',
            other => other,
        })
        .collect()
}

/// The labels of a template, prepared for comparison.
#[derive(Debug)]
pub struct Labels {
    known: Vec<(Field, Vec<char>, bool)>,
}

impl Labels {
    /// All labels of a template's fields.
    pub fn of(template: &Template) -> Self {
        let mut known: Vec<(Field, Vec<char>, bool)> = Vec::new();
        for field in Field::ALL.into_iter().filter(|field| !template.absent.contains(field)) {
            let own = template.labels.get(&field).into_iter().flatten().map(String::as_str);
            known.extend(own.map(|label| (field, normal(label).chars().collect(), true)));
            // A usual label that the terminal assigned to another field means that one.
            let taken =
                |label: &str| template.labels.values().flatten().any(|own| normal(own) == normal(label));
            let usual = usual_labels(field).iter().filter(|label| template.usual && !taken(label));
            known.extend(usual.map(|label| (field, normal(label).chars().collect(), false)));
        }
        known.retain(|(_, label, _)| !label.is_empty());
        Self { known }
    }

    /// The field a text most likely names, and the similarity; `None` below the minimum.
    pub fn best(&self, text: &str) -> Option<(Field, f32)> {
        let text: Vec<char> = normal(text).chars().take(48).collect();
        if text.len() < 2 {
            return None;
        }
        let mut best: Option<(Field, f32)> = None;
        for (field, label, own) in &self.known {
            let longer = text.len().max(label.len());
            // Skip where the lengths alone rule it out.
            if text.len().abs_diff(label.len()) as f32 > (1.0 - ALIKE + OWN) * longer as f32 {
                continue;
            }
            let alike = 1.0 - distance(&text, label) as f32 / longer as f32;
            // Short labels must match exactly: one letter of four is too much.
            let needed = if longer <= 4 { 0.99 } else { ALIKE };
            let score = alike + if *own { OWN } else { 0.0 };
            if alike >= needed && best.is_none_or(|(_, other)| score > other) {
                best = Some((*field, score));
            }
        }
        best
    }
}

/// The edit distance (Levenshtein 1966).
pub fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = before + usize::from(x != y);
            before = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(before + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("VATABLE SALES", Some(Field::Vatable))]
    #[case("VAT AMOUNT", Some(Field::Vat))]
    #[case("VAT EXEMPT SALES", Some(Field::Exempt))]
    #[case("Less VAT Adj.", Some(Field::Vadj))]
    #[case("12% VAT", Some(Field::Vat))]
    #[case("DTHER D1SCOUNT", Some(Field::Other))]
    #[case("PWD D1SC0UNT", Some(Field::Pwd))]
    #[case("Beg. OR #", Some(Field::Beg))]
    #[case("8EG. SI N0", Some(Field::Beg))]
    #[case("Present Accum. Sale5", Some(Field::New))]
    #[case("CASH", Some(Field::Cash))]
    #[case("GCASH", Some(Field::Ewal))]
    #[case("TENDER SUMMARY", None)]
    #[case("END OF REPORT", None)]
    #[case("Terminal", None)]
    #[case("S/N", None)]
    fn labels_are_distinguished(#[case] text: &str, #[case] field: Option<Field>) {
        let labels = Labels::of(&Template::default());
        assert_eq!(labels.best(text).map(|it| it.0), field, "{text}");
    }

    #[test]
    fn every_usual_label_means_its_field() {
        let labels = Labels::of(&Template::default());
        for field in Field::ALL {
            for label in usual_labels(field) {
                let said = labels.best(label);
                if normal(label).chars().count() > 1 {
                    assert_eq!(said.map(|it| it.0), Some(field), "{label}");
                }
            }
        }
    }

    #[test]
    fn a_terminal_s_own_label_comes_first() {
        let taught = Template::default().teach("Day Total:", Field::Net).teach("GROSS SALES", Field::Net);
        let labels = Labels::of(&taught);
        assert_eq!(labels.best("DAY T0TAL").map(|it| it.0), Some(Field::Net));
        assert_eq!(labels.best("GROSS SALES").map(|it| it.0), Some(Field::Net));
        let changed = Labels::of(&taught.teach("gross sales", Field::Gross));
        assert_eq!(changed.best("GROSS SALES").map(|it| it.0), Some(Field::Gross));
        assert_eq!(Labels::of(&taught.without(Field::Void)).best("VOID"), None);
    }
}
