//! A record's editable content: as stored, as a draft would make it, and their difference.

use larder_domain::{BusinessDay, Factor, Money, Qty};
use serde_json::{Map, Value, json};

use crate::engine::{Cell, Draft, Field, Kind, ListDef, Origin};

/// Members only the server sets.
pub const FRAME: [&str; 6] = ["id", "createdAt", "createdBy", "updatedAt", "updatedBy", "revision"];

/// A record without server-set members.
pub fn body_of(mut record: Map<String, Value>) -> Map<String, Value> {
    record.retain(|name, _| !FRAME.contains(&name.as_str()));
    record
}

/// The non-empty declared fields of a body.
fn given_of(def: &ListDef, body: &Map<String, Value>) -> Map<String, Value> {
    let given = def.fields.iter().filter(|field| field.origin == Origin::Given);
    let held = given.filter_map(|field| Some((field.name.to_owned(), body.get(field.name)?.clone())));
    held.filter(|(_, value)| holds_something(value)).collect()
}

/// The undeclared fields of a body.
pub fn custom_of(def: &ListDef, body: &Map<String, Value>) -> Map<String, Value> {
    let custom = body.iter().filter(|(name, _)| def.field(name).is_none() && !FRAME.contains(&name.as_str()));
    custom.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The editable part of a record.
pub fn written_of(def: &ListDef, body: &Map<String, Value>) -> Map<String, Value> {
    let mut written = given_of(def, body);
    written.extend(custom_of(def, body));
    written
}

fn holds_something(value: &Value) -> bool {
    !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty())
}

/// A draft as the record it would become in the API.
pub fn settled(draft: &Draft) -> Map<String, Value> {
    let mut body = Map::new();
    for (field, cell) in draft.def.fields.iter().zip(&draft.cells) {
        let value = value_of(field, cell);
        if field.origin == Origin::Given && holds_something(&value) {
            body.insert(field.name.to_owned(), value);
        }
    }
    body.extend(draft.extra.clone());
    body
}

fn value_of(field: &Field, cell: &Cell) -> Value {
    match (cell, field.kind) {
        (Cell::Text(text), _) => json!(text),
        (Cell::Bool(yes), _) => json!(yes),
        (Cell::Json(value), _) => value.clone(),
        (Cell::Int(None), _) => Value::Null,
        (Cell::Int(Some(number)), Kind::Qty) => json!(Qty(*number)),
        (Cell::Int(Some(number)), Kind::Money) => json!(Money(*number)),
        (Cell::Int(Some(number)), Kind::Factor) => json!(Factor(*number)),
        (Cell::Int(Some(number)), Kind::Day) => json!(BusinessDay(i32::try_from(*number).unwrap_or(0))),
        (Cell::Int(Some(number)), _) => json!(number),
    }
}

/// What of a normalised body differs from a record.
pub fn difference(
    def: &ListDef,
    held: &Map<String, Value>,
    settled: &Map<String, Value>,
) -> Map<String, Value> {
    differences(&written_of(def, held), settled).0
}

/// The fields that differ: new and old value.
pub fn differences(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
) -> (Map<String, Value>, Map<String, Value>) {
    let (mut patch, mut back) = (Map::new(), Map::new());
    for name in after.keys().chain(before.keys().filter(|name| !after.contains_key(*name))) {
        let (old, new) = (before.get(name).unwrap_or(&Value::Null), after.get(name).unwrap_or(&Value::Null));
        if old != new {
            patch.insert(name.clone(), new.clone());
            back.insert(name.clone(), old.clone());
        }
    }
    (patch, back)
}
