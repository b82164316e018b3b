//! Parses a request body field by field, so that all errors are reported at once.

use std::collections::BTreeSet;

use larder_domain::barcode;
use larder_domain::decimal::{Mark, lone_comma, parse_scaled};
use larder_domain::quantity::MOST;
use larder_domain::sales::names;
use larder_domain::{BusinessDay, Factor, Money, Qty, with_article};
use serde_json::{Map, Value};

use super::define::{Field, Form, Found, Kind, ListDef, ListOption, Origin};
use super::text::{fold, has_unseen, has_unseen_in_lines};
use larder_platform::http::custom_fields;
use larder_platform::http::error::FieldError;

/// The value of one column.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Text(Option<String>),
    /// Decimals in their smallest unit, whole numbers, days.
    Int(Option<i64>),
    Bool(bool),
    Json(Value),
}

/// A request body parsed by a list's declaration.
#[derive(Debug)]
pub struct Draft {
    pub def: &'static ListDef,
    /// One cell per declared field, in order.
    pub cells: Vec<Cell>,
    pub extra: Map<String, Value>,
}

/// An error at a field.
pub fn wrong(field: &str, message: impl Into<String>) -> FieldError {
    FieldError::new(field, message)
}

impl Draft {
    /// Parses a whole record.
    ///
    /// # Errors
    /// Every invalid field, with what to do about it.
    pub fn read(def: &'static ListDef, mut body: Map<String, Value>) -> Result<Self, Vec<FieldError>> {
        let mut findings = Vec::new();
        let mut cells = Vec::with_capacity(def.fields.len());
        for field in def.fields {
            let value = body.remove(field.name).unwrap_or(Value::Null);
            cells.push(read_cell(field, &value).unwrap_or_else(|errors| {
                findings.extend(errors.into_iter().map(|(path, message)| wrong(&path, message)));
                Cell::Text(None)
            }));
        }
        let extra = custom_fields::read(body, &[], def.strips_empty, &mut findings);
        if findings.is_empty() { Ok(Self { def, cells, extra }) } else { Err(findings) }
    }

    /// The cell of a field, by its API name.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<&Cell> {
        self.def.fields.iter().position(|field| field.name == name).and_then(|i| self.cells.get(i))
    }

    /// The cell of a field, for changes.
    pub fn cell_mut(&mut self, name: &str) -> Option<&mut Cell> {
        let at = self.def.fields.iter().position(|field| field.name == name)?;
        self.cells.get_mut(at)
    }

    /// The number in a field, in its smallest unit.
    #[must_use]
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.cell(name) {
            Some(Cell::Int(value)) => *value,
            _ => None,
        }
    }

    /// The text in a field.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.cell(name) {
            Some(Cell::Text(value)) => value.as_deref(),
            _ => None,
        }
    }

    /// All searched fields, case-folded, one per line; of items their codes.
    #[must_use]
    pub fn search_key(&self) -> String {
        let searched = self.def.fields.iter().zip(&self.cells).filter(|(field, _)| field.searched);
        let folded: Vec<String> = searched
            .flat_map(|(_, cell)| match cell {
                Cell::Text(Some(text)) => vec![fold(text)],
                Cell::Json(items) => {
                    let codes =
                        items.as_array().into_iter().flatten().filter_map(|item| item["code"].as_str());
                    codes.flat_map(|code| BTreeSet::from([fold(code), barcode::key(code)])).collect()
                }
                _ => Vec::new(),
            })
            .collect();
        folded.join("\n")
    }
}

/// Drops fields from a body that clients do not set.
pub fn drop_kept(def: &ListDef, body: &mut Map<String, Value>) {
    for field in def.fields.iter().filter(|field| field.origin != Origin::Given) {
        body.remove(field.name);
    }
}

/// Takes the hook instructions out of a body.
pub fn take_options(
    options: &'static [ListOption],
    body: &mut Map<String, Value>,
) -> Result<Map<String, Value>, Vec<FieldError>> {
    let mut taken = Map::new();
    let mut findings = Vec::new();
    for option in options {
        let Some(value) = body.remove(option.name) else { continue };
        let fits = match option.kind {
            Kind::Bool => value.is_boolean(),
            _ => value.as_str().is_some_and(|text| text.parse::<BusinessDay>().is_ok()),
        };
        match option.kind {
            _ if value.is_null() => {}
            _ if fits => {
                taken.insert(option.name.to_owned(), value);
            }
            Kind::Bool => findings.push(wrong(option.name, "Say true or false.")),
            _ => findings.push(wrong(option.name, "Enter a date as YYYY-MM-DD.")),
        }
    }
    if findings.is_empty() { Ok(taken) } else { Err(findings) }
}

/// Parses one field; errors are (path, message).
pub fn read_cell(field: &Field, value: &Value) -> Result<Cell, Found> {
    let empty = value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty());
    if let Kind::Items(items) = field.kind {
        return (items.read)(&composed(value)).map(Cell::Json).map_err(|errors| {
            errors.into_iter().map(|(path, message)| (join(field.name, &path), message)).collect()
        });
    }
    if empty {
        return read_empty(field).map_err(|message| vec![(field.name.to_owned(), message)]);
    }
    read_value(field, value).map_err(|message| vec![(field.name.to_owned(), message)])
}

/// A value with the accents of its texts composed, as names are compared.
fn composed(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(names::composed(text).into_owned()),
        Value::Array(items) => Value::Array(items.iter().map(composed).collect()),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), composed(value))).collect()
        }
        _ => value.clone(),
    }
}

fn join(field: &str, path: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{field}.{path}") }
}

/// The value of an empty field: nothing where allowed, or its default.
fn read_empty(field: &Field) -> Result<Cell, String> {
    match field.kind {
        Kind::Bool => Ok(Cell::Bool(field.on)),
        _ if field.usual.is_some() => Ok(Cell::Text(field.usual.map(str::to_owned))),
        _ if field.origin == Origin::Booked => Ok(Cell::Int(Some(0))),
        Kind::Int if field.required => Ok(Cell::Int(Some(0))),
        _ if field.required => Err(format!("Enter the {}.", field.in_sentence())),
        Kind::Text | Kind::Lines | Kind::Ref => Ok(Cell::Text(None)),
        _ => Ok(Cell::Int(None)),
    }
}

fn read_value(field: &Field, value: &Value) -> Result<Cell, String> {
    match field.kind {
        Kind::Text | Kind::Lines => read_text(field, value).map(|text| Cell::Text(Some(text))),
        Kind::Ref => match value.as_str() {
            Some(id) if id.len() <= 100 && !has_unseen(id) => Ok(Cell::Text(Some(id.to_owned()))),
            _ => Err(format!("Choose {} from the list.", with_article(&field.in_sentence()))),
        },
        Kind::Qty if field.decimal_comma => {
            decimal(field, value, read_decimal_comma(value).map(|n: Qty| n.0))
        }
        Kind::Money if field.decimal_comma => {
            decimal(field, value, read_decimal_comma(value).map(|n: Money| n.0))
        }
        Kind::Qty => decimal(field, value, serde_json::from_value::<Qty>(value.clone()).map(|n| n.0)),
        Kind::Money => decimal(field, value, serde_json::from_value::<Money>(value.clone()).map(|n| n.0)),
        Kind::Factor => decimal(field, value, serde_json::from_value::<Factor>(value.clone()).map(|n| n.0)),
        Kind::Int => read_int(value),
        Kind::Bool => value.as_bool().map(Cell::Bool).ok_or_else(|| "Say true or false.".to_owned()),
        Kind::Day => read_day(value),
        Kind::Items(_) => unreachable!("items are read by their own rule"),
    }
}

fn read_text(field: &Field, value: &Value) -> Result<String, String> {
    let Some(text) = value.as_str() else {
        return Err("Enter text.".to_owned());
    };
    let text = names::composed(text.trim());
    let text = text.as_ref();
    let unseen = match field.kind {
        Kind::Lines => has_unseen_in_lines(text),
        _ => has_unseen(text),
    };
    if unseen {
        return Err(
            "Remove the characters that cannot be seen (line breaks, tabs, control characters).".to_owned()
        );
    }
    let length = text.chars().count();
    if length > field.max {
        return Err(format!("Use at most {} characters; these are {length}.", field.max));
    }
    shaped(field, text)
}

/// A text in the format of its field.
fn shaped(field: &Field, text: &str) -> Result<String, String> {
    match field.form {
        Form::Free => Ok(text.to_owned()),
        Form::Email if is_email(text) => Ok(text.to_owned()),
        Form::Email => Err("Enter an email address, like name@example.com.".to_owned()),
        Form::Web => web_address(text)
            .ok_or_else(|| "Enter a web address that begins with http:// or https://.".to_owned()),
        Form::OneOf(words) => {
            let known = words.iter().find(|word| word.eq_ignore_ascii_case(text));
            known
                .map(|word| (*word).to_owned())
                .ok_or_else(|| format!("Choose one of: {}.", words.join(", ")))
        }
    }
}

/// One @ with something on both sides and a dot after it; only an email can tell whether it exists.
fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let plain = |part: &str| {
        !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || "@<>\"',;".contains(c))
    };
    plain(name) && plain(host) && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
}

/// A web address; a bare host gets https, and a path of this server stays as it is.
fn web_address(text: &str) -> Option<String> {
    if text.contains(|c: char| c.is_whitespace() || "<>\"'`\\".contains(c)) {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    if text.starts_with("/api/") {
        return Some(text.to_owned());
    }
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    match rest {
        Some(rest) if rest.starts_with(|c: char| c.is_alphanumeric() || c == '[') => Some(text.to_owned()),
        Some(_) => None,
        None => {
            let host = text.split(['/', '?', '#']).next().unwrap_or_default();
            let plausible = host.contains('.')
                && !host.contains(':')
                && host.chars().all(|c| c.is_alphanumeric() || "-.".contains(c));
            plausible.then(|| format!("https://{text}"))
        }
    }
}

/// A number whose only comma marks decimals.
fn read_decimal_comma<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    match value.as_str().and_then(lone_comma) {
        Some(text) => serde_json::from_value(Value::String(text.replace(',', "."))),
        None => serde_json::from_value(value.clone()),
    }
}

fn decimal(field: &Field, value: &Value, read: Result<i64, serde_json::Error>) -> Result<Cell, String> {
    if !value.is_number() && !value.is_string() {
        return Err("Enter a number.".to_owned());
    }
    match read {
        Err(error) => Err(error.to_string()),
        Ok(number) if number < 0 && !field.signed => Err("Enter zero or more.".to_owned()),
        Ok(number) if number.abs() >= MOST => Err("This number is too large.".to_owned()),
        Ok(number) => Ok(Cell::Int(Some(number))),
    }
}

fn read_int(value: &Value) -> Result<Cell, String> {
    let number = match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => parse_scaled(text, 0, Mark::Point).ok(),
        _ => None,
    };
    match number {
        Some(number @ 0..=1_000_000) => Ok(Cell::Int(Some(number))),
        _ => Err("Enter a whole number from 0 to 1,000,000.".to_owned()),
    }
}

fn read_day(value: &Value) -> Result<Cell, String> {
    let day = value.as_str().map(str::parse::<BusinessDay>);
    match day {
        Some(Ok(day)) if (1900..=2200).contains(&day.date().year()) => Ok(Cell::Int(Some(i64::from(day.0)))),
        Some(Ok(_)) => Err("Enter a year from 1900 to 2200.".to_owned()),
        _ => Err("Enter a date as YYYY-MM-DD.".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::catalog::{ALL, RootItem};

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_body_is_read_or_refused(value in value(), at in any::<prop::sample::Index>(), own in any::<String>()) {
            for def in ALL {
                let field = def.fields[at.index(def.fields.len())];
                let body = Map::from_iter([(field.name.to_owned(), value.clone()), (own.clone(), value.clone())]);
                match Draft::read(def, body) {
                    Ok(draft) => prop_assert_eq!(draft.cells.len(), def.fields.len()),
                    Err(findings) => prop_assert!(findings.iter().all(|found| !found.message.is_empty())),
                }
            }
        }
    }

    #[test]
    fn numbers_are_kept_exactly() {
        let body = json!({ "name": "Salt", "weightKg": "0,1", "price": 1_234.56 });
        let draft = Draft::read(&RootItem::DEF, body.as_object().expect("a body").clone()).expect("a draft");
        assert_eq!((draft.int("weightKg"), draft.int("price")), (Some(100_000), Some(123_456)));
        assert_eq!((draft.text("name"), draft.search_key().as_str()), (Some("Salt"), "salt"));
    }
}
