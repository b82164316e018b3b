//! Parses printed text into values. Glyphs that engines confuse are read as the intended digit.

use larder_domain::{BusinessDay, Money};
use serde::{Deserialize, Serialize};

use super::field::{Field, Kind, Value};

/// The order of a date's parts when it does not begin with the year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// Month, day, year, as most tills in the Philippines print.
    #[default]
    Mdy,
    Dmy,
}

/// A value and whether its form is doubtful: a glyph was replaced, a separator is missing or misplaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    pub value: Value,
    pub weak: bool,
}

/// Maximum length of text searched for a value.
const MOST_CHARS: usize = 40;
/// An accumulated total wraps after 9,999,999,999.99; no printed figure has more digits.
const MOST_DIGITS: usize = 12;

/// Parses the text after a label as the field's value.
#[must_use]
pub fn parse(field: Field, text: &str, order: DateOrder) -> Option<Parsed> {
    if text.chars().count() > MOST_CHARS {
        return None;
    }
    match field.kind() {
        Kind::Money => amount(text),
        Kind::Count => {
            digits(text, 1..=18).map(|(digits, weak)| Parsed { value: Value::Count(digits), weak })
        }
        Kind::Digits => {
            let lengths = if field == Field::Tin { 9..=14 } else { 14..=20 };
            digits(text, lengths).map(|(digits, weak)| Parsed { value: Value::Digits(digits), weak })
        }
        Kind::Date => date(text, order),
    }
}

/// The digit of a glyph, and whether it is exactly that digit.
fn digit(glyph: char) -> Option<(char, bool)> {
    let meant = match glyph {
        '0'..='9' => return Some((glyph, true)),
        'O' | 'o' | 'D' | 'Q' | 'C' | '°' | 'Ø' | 'ø' | '@' => '0',
        'I' | 'l' | '|' | 'i' | '!' | ']' | '[' | 'L' | 'j' | 'J' => '1',
        'Z' | 'z' => '2',
        'S' | 's' | '$' | '§' => '5',
        'G' | 'b' => '6',
        '?' | 'T' => '7',
        'B' | '&' => '8',
        'g' | 'q' => '9',
        'A' => '4',
        _ => return None,
    };
    Some((meant, false))
}

/// Whether a text can be part of a printed figure: at least as many digits as other glyphs, and only known ones.
#[must_use]
pub fn figure_like(text: &str) -> bool {
    let (mut sure, mut other) = (0, 0);
    for glyph in text.chars() {
        match digit(glyph) {
            Some((_, true)) => sure += 1,
            Some(_) => other += 1,
            None if ".,-/:;'’‘`()*#~_—–+=\"“”".contains(glyph) => {}
            None => return false,
        }
    }
    sure > 0 && sure >= other
}

/// Whether a text is only punctuation, like a fragment of a split figure.
#[must_use]
pub fn only_marks(text: &str) -> bool {
    text.chars().all(|glyph| ".,-:;'’‘`".contains(glyph))
}

fn digits(text: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<(String, bool)> {
    let mut out = String::new();
    let mut replaced = 0;
    for glyph in text.chars() {
        match digit(glyph) {
            Some((meant, sure)) => {
                out.push(meant);
                replaced += usize::from(!sure);
            }
            None if " -.:#,;'_—–/~".contains(glyph) => {}
            None => return None,
        }
    }
    (lengths.contains(&out.len()) && replaced * 3 <= out.len()).then_some((out, replaced > 0))
}

/// An amount with two decimals: the last separator is the decimal mark, others group thousands.
fn amount(text: &str) -> Option<Parsed> {
    let text = text.trim();
    let bare = text.trim_start_matches(['P', 'p', '₱', 'H', ' ']);
    let negative = bare.starts_with(['-', '(', '—', '–']) || bare.ends_with('-') || bare.ends_with(')');
    let mut weak = bare.len() + 3 < text.len();
    let (mut whole, mut replaced) = (String::new(), 0usize);
    let mut marks: Vec<usize> = Vec::new();
    for glyph in
        bare.trim_matches(['-', '(', ')', '—', '–', '*', '+', '=', '~', '_', '"', '“', '”', '#']).chars()
    {
        match digit(glyph) {
            Some((meant, sure)) => {
                whole.push(meant);
                replaced += usize::from(!sure);
            }
            None if ".,:;'’‘`".contains(glyph) => {
                // Punctuation read twice is one.
                if marks.last() != Some(&whole.len()) && !whole.is_empty() {
                    marks.push(whole.len());
                }
                weak |= !".,".contains(glyph);
            }
            None if " -_".contains(glyph) => {}
            None => return None,
        }
    }
    marks.retain(|&at| at < whole.len());
    if whole.len() < 3 || whole.len() > MOST_DIGITS || replaced * 2 > whole.len() {
        return None;
    }
    weak |= replaced > 0;
    let point = whole.len() - 2;
    if marks.last() == Some(&point) {
        marks.pop();
    } else {
        weak = true;
    }
    // Thousands are in groups of three, all separated or none.
    let grouped = marks.iter().all(|&at| at < point && (point - at) % 3 == 0);
    let complete = marks.is_empty() || marks.len() == (point - 1) / 3;
    weak |= !grouped || !complete || (point > 1 && whole.starts_with('0'));
    let centavos: i64 = whole.parse().ok()?;
    Some(Parsed { value: Value::Money(Money(if negative { -centavos } else { centavos })), weak })
}

const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/// A date in any usual format; a time after it is ignored.
fn date(text: &str, order: DateOrder) -> Option<Parsed> {
    if let Some(named) = named_month(text) {
        return Some(named);
    }
    let (mut parts, mut weak) = (vec![String::new()], false);
    for glyph in text.trim().chars() {
        match digit(glyph) {
            Some((meant, sure)) => {
                // A leading year has four digits, other parts two: unseparated parts are split here.
                let part = parts.last_mut()?;
                part.push(meant);
                weak |= !sure;
            }
            None if parts.last().is_some_and(String::is_empty) => {}
            None if parts.len() == 3 => break,
            None if "-/. —–".contains(glyph) => parts.push(String::new()),
            None => return None,
        }
    }
    parts.retain(|part| !part.is_empty());
    if let [whole] = parts.as_slice() {
        let cut = match (whole.len(), whole.starts_with("20")) {
            (8, true) => [0..4, 4..6, 6..8],
            (8, false) => [0..2, 2..4, 4..8],
            _ => return None,
        };
        parts = cut.map(|range| whole[range].to_owned()).to_vec();
        weak = true;
    }
    let [a, b, c] = parts.get(..3)? else { return None };
    let number = |part: &String| part.parse::<i16>().ok();
    let (year, month, day) = match (a.len(), c.len(), order) {
        (4, ..) => (number(a)?, number(b)?, number(c)?),
        (1..=2, 2 | 4, DateOrder::Mdy) => (number(c)?, number(a)?, number(b)?),
        (1..=2, 2 | 4, DateOrder::Dmy) => (number(c)?, number(b)?, number(a)?),
        _ => return None,
    };
    day_of(year, month, day).map(|day| Parsed { value: Value::Date(day), weak })
}

/// `12 Nov 2025`, `Nov. 12, 2025`, `12-NOV-25`.
fn named_month(text: &str) -> Option<Parsed> {
    let upper = text.to_uppercase();
    let words: Vec<&str> =
        upper.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| {
        word.len() >= 3 && word.len() <= 9 && MONTHS.iter().any(|month| word.starts_with(month))
    })?;
    let month = MONTHS.iter().position(|month| words[at].starts_with(month))? + 1;
    let number =
        |at: usize| words.get(at).filter(|word| word.len() <= 4).and_then(|word| word.parse::<i16>().ok());
    let (day, year) = match at {
        0 => (number(1)?, number(2)?),
        _ => (number(at - 1)?, number(at + 1)?),
    };
    let day = day_of(year, i16::try_from(month).ok()?, day)?;
    Some(Parsed { value: Value::Date(day), weak: false })
}

/// A day of this century; two-digit years belong to it.
fn day_of(year: i16, month: i16, day: i16) -> Option<BusinessDay> {
    let year = if (0..100).contains(&year) { 2000 + year } else { year };
    if !(2000..2100).contains(&year) {
        return None;
    }
    BusinessDay::from_ymd(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("63,204.54", "63204.54", false)]
    #[case("0.00", "0.00", false)]
    #[case("1234.50", "1234.50", false)]
    #[case("P 1,234.50", "1234.50", false)]
    #[case("(587.61)", "-587.61", false)]
    #[case("587.61-", "-587.61", false)]
    #[case("6O,2O4.S4", "60204.54", true)]
    #[case("73. 634.519.19", "73634519.19", false)]
    #[case("73,634,519,19", "73634519.19", false)]
    #[case("1,23.45", "123.45", true)]
    #[case("11,274609.17", "11274609.17", true)]
    #[case("6320454", "63204.54", true)]
    #[case("B.00", "8.00", true)]
    fn amounts(#[case] text: &str, #[case] value: &str, #[case] weak: bool) {
        let parsed = parse(Field::Net, text, DateOrder::Mdy).expect("it is an amount");
        assert_eq!((parsed.value.to_string().as_str(), parsed.weak), (value, weak));
    }

    #[rstest]
    #[case("NET")]
    #[case("12")]
    #[case("OOO")]
    #[case("1,234,567,890,123.00")]
    #[case("")]
    fn no_amounts(#[case] text: &str) {
        assert_eq!(parse(Field::Net, text, DateOrder::Mdy), None);
    }

    #[rstest]
    #[case("05/01/2025", DateOrder::Mdy, "2025-05-01")]
    #[case("05/01/2025", DateOrder::Dmy, "2025-01-05")]
    #[case("2025-07-01", DateOrder::Mdy, "2025-07-01")]
    #[case("2025/07/01 23:59", DateOrder::Mdy, "2025-07-01")]
    #[case("7/1/25", DateOrder::Mdy, "2025-07-01")]
    #[case("12-NOV-25", DateOrder::Mdy, "2025-11-12")]
    #[case("Nov. 12, 2025 10:15 PM", DateOrder::Mdy, "2025-11-12")]
    #[case("20250701", DateOrder::Mdy, "2025-07-01")]
    fn dates(#[case] text: &str, #[case] order: DateOrder, #[case] iso: &str) {
        let parsed = parse(Field::Date, text, order).expect("it is a date");
        assert_eq!(parsed.value.to_string(), iso);
    }

    #[test]
    fn numbers_that_name_things() {
        let tin = parse(Field::Tin, "911-932-295-00064", DateOrder::Mdy).expect("a TIN");
        assert_eq!(tin, Parsed { value: Value::Digits("91193229500064".into()), weak: false });
        assert_eq!(parse(Field::Tin, "911-932", DateOrder::Mdy), None);
        let slashed = parse(Field::Tin, "681-@59-819-00019", DateOrder::Mdy).expect("a TIN");
        assert_eq!(slashed, Parsed { value: Value::Digits("68105981900019".into()), weak: true });
        let beg = parse(Field::Beg, "0070323S", DateOrder::Mdy).expect("a counter");
        assert_eq!(beg, Parsed { value: Value::Count("00703235".into()), weak: true });
        assert_eq!(parse(Field::Date, "13/45/2025", DateOrder::Mdy), None);
    }
}
