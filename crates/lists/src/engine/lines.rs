//! Text format of sub-tables: `Regular = 713; Wholesale = 650`, `1 case = 12 jar`. Written by exports and
//! parsed by imports.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::define::{Items, Part};

const BETWEEN: &str = "; ";

/// The items as text; `name` returns the name of a referenced record.
pub fn written<'a>(items: &Items, value: &Value, name: impl Fn(&str, &str) -> Option<&'a str>) -> String {
    let mut text = String::new();
    for item in value.as_array().into_iter().flatten() {
        if !text.is_empty() {
            text.push_str(BETWEEN);
        }
        for part in items.line {
            match part {
                Part::Says(words) => text.push_str(words),
                Part::If(member, words) if item[*member] == true => text.push_str(words),
                Part::If(..) => {}
                Part::Member(member) => {
                    let table = items.refs.iter().find(|(known, _)| known == member).map(|(_, table)| *table);
                    let held = match &item[*member] {
                        Value::String(held) => Cow::Borrowed(held.as_str()),
                        Value::Null => Cow::Borrowed(""),
                        other => Cow::Owned(other.to_string()),
                    };
                    let called = table.and_then(|table| name(table, &held)).unwrap_or(&held);
                    // Writing to a string does not fail.
                    let _ = write!(text, "{}", quoted(items, called));
                }
            }
        }
    }
    text
}

/// In quotation marks where it would be ambiguous.
fn quoted<'a>(items: &Items, text: &'a str) -> Cow<'a, str> {
    let marks = items.line.iter().filter_map(|part| match part {
        Part::Says(words) | Part::If(_, words) => Some(words.trim()).filter(|words| !words.is_empty()),
        Part::Member(_) => None,
    });
    let mut marks = marks.chain([";", "\"", "\n", "["]);
    let spaced = items.line.iter().any(|part| matches!(part, Part::Says(" "))) && text.contains(' ');
    if spaced || text.trim() != text || marks.any(|mark| text.contains(mark) && mark != "1") {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

/// Parses what [`written`] wrote, with names in place of ids.
///
/// # Errors
/// The expected format of an item.
pub fn read(items: &Items, text: &str) -> Result<Vec<Value>, String> {
    let mut rest = text;
    let mut read = Vec::new();
    while !rest.trim().is_empty() {
        let end = outside(rest, |at| at.starts_with([';', '\n'])).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or_default();
        if !line.trim().is_empty() {
            read.push(item(items, line.trim()).ok_or_else(|| format!("Write {}.", example(items)))?);
        }
    }
    Ok(read)
}

fn item(items: &Items, line: &str) -> Option<Value> {
    let mut members = Map::new();
    let mut rest = line;
    for (i, part) in items.line.iter().enumerate() {
        rest = rest.trim_start();
        match part {
            Part::Says(words) => rest = rest.strip_prefix(words.trim())?,
            Part::If(member, words) => {
                let after = rest.strip_prefix(words.trim());
                members.insert((*member).to_owned(), json!(after.is_some()));
                rest = after.unwrap_or(rest);
            }
            Part::Member(member) => {
                let end = match items.line.get(i + 1) {
                    Some(Part::Says(" ")) => outside(rest, |at| at.starts_with(char::is_whitespace)),
                    Some(Part::Says(words) | Part::If(_, words)) => {
                        outside(rest, |at| at.starts_with(words.trim()))
                    }
                    _ => None,
                };
                let (held, after) = rest.split_at(end.unwrap_or(rest.len()));
                members.insert((*member).to_owned(), json!(bare(held.trim())));
                rest = after;
            }
        }
    }
    rest.trim().is_empty().then_some(Value::Object(members))
}

/// The first match outside quotation marks.
fn outside(text: &str, begins: impl Fn(&str) -> bool) -> Option<usize> {
    let mut inside = false;
    for (at, letter) in text.char_indices() {
        if letter == '"' {
            inside = !inside;
        } else if !inside && begins(&text[at..]) {
            return Some(at);
        }
    }
    None
}

fn bare(text: &str) -> String {
    match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inside) => inside.replace("\"\"", "\""),
        None => text.to_owned(),
    }
}

/// An example of a field's text format.
#[must_use]
pub fn example(items: &Items) -> String {
    let one = |n: usize| {
        let mut names = ["A", "B"].iter().cycle().skip(n);
        let parts = items.line.iter().map(|part| match part {
            Part::Says(words) => (*words).to_owned(),
            Part::If(_, words) => (*words).to_owned(),
            Part::Member(member) if items.refs.iter().any(|(known, _)| known == member) => {
                (*names.next().unwrap_or(&"A")).to_owned()
            }
            Part::Member(member) if member.ends_with("Id") || member.ends_with("Code") => {
                (*names.next().unwrap_or(&"A")).to_owned()
            }
            Part::Member(_) => "12".to_owned(),
        });
        parts.collect::<String>()
    };
    format!("«{}», one after the other with ;", one(0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::define::Kind;
    use super::*;
    use crate::catalog::{Location, Product};

    fn items(def: &super::super::define::ListDef, name: &str) -> &'static Items {
        match def.field(name).expect("a field").kind {
            Kind::Items(items) => items,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn prices_and_units_are_written_and_parsed() {
        let name = |_: &str, id: &str| match id {
            "r" => Some("Regular"),
            "j" => Some("jar"),
            "c" => Some("case of 12"),
            _ => None,
        };
        let prices = items(&Product::DEF, "priceLevelPrices");
        let value = json!([{ "priceLevelId": "r", "price": 713 }, { "priceLevelId": "gone", "price": 6.5 }]);
        assert_eq!(written(prices, &value, name), "Regular = 713; gone = 6.5");
        let units = items(&Product::DEF, "conversions");
        let value = json!([{ "fromUomId": "c", "toUomId": "j", "factor": 12 }]);
        assert_eq!(written(units, &value, name), "1 \"case of 12\" = 12 jar");
        let read = read(units, " 1 case=12 jar ;1 jar = 250 g").expect("two lines");
        assert_eq!(read[0], json!({ "fromUomId": "case", "factor": "12", "toUomId": "jar" }));
        assert_eq!(read[1]["factor"], "250");
        assert!(super::read(units, "a dozen").is_err());
        assert_eq!(example(units), "«1 A = 12 B», one after the other with ;");
    }

    proptest! {
        #[test]
        fn any_record_name_round_trips(
            names in prop::collection::vec("[a-z =/;\"1()\\[\\n]{1,12}", 1..4), whole in any::<bool>(),
        ) {
            let name = |_: &str, id: &str| names.get(id.parse::<usize>().ok()?).map(String::as_str);
            for (def, field) in [
                (&Product::DEF, "priceLevelPrices"), (&Product::DEF, "conversions"),
                (&Product::DEF, "otherUoms"), (&Location::DEF, "posTerminals"),
            ] {
                let items = items(def, field);
                let one = |n: usize| {
                    let member = |part: &Part| match part {
                        Part::Says(_) => None,
                        Part::If(member, _) => Some(((*member).to_owned(), json!(whole))),
                        Part::Member(member) if items.refs.iter().any(|(known, _)| known == member) => {
                            Some(((*member).to_owned(), json!(n.to_string())))
                        }
                        Part::Member(member) => Some(((*member).to_owned(), json!("12.5"))),
                    };
                    Value::Object(items.line.iter().filter_map(member).collect())
                };
                let value: Vec<Value> = (0..names.len()).map(one).collect();
                let text = written(items, &json!(value), name);
                let mut expected = value;
                for (n, item) in expected.iter_mut().enumerate() {
                    for (member, _) in items.refs {
                        item[*member] = json!(names[n]);
                    }
                }
                prop_assert_eq!(read(items, &text), Ok(expected), "{}", text);
            }
        }
    }
}
