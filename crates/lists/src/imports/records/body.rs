//! What a record holds, without its frame: as it stands, as a draft will make it, and how the two differ.

use larder_domain::{BusinessDay, Factor, Money, Qty};
use serde_json::{Map, Value, json};

use crate::engine::{Cell, Draft, Field, Kind, ListDef, Origin};

/// Members of a record that nobody writes.
pub const FRAME: [&str; 6] = ["id", "createdAt", "createdBy", "updatedAt", "updatedBy", "revision"];

/// A record without its frame.
pub fn body_of(mut record: Map<String, Value>) -> Map<String, Value> {
    record.retain(|name, _| !FRAME.contains(&name.as_str()));
    record
}

/// What a body says of the fields that are for it to say, as far as they hold something.
fn given_of(def: &ListDef, body: &Map<String, Value>) -> Map<String, Value> {
    let given = def.fields.iter().filter(|field| field.origin == Origin::Given);
    let held = given.filter_map(|field| Some((field.name.to_owned(), body.get(field.name)?.clone())));
    held.filter(|(_, value)| holds_something(value)).collect()
}

/// The fields of a body that the list does not declare.
pub fn custom_of(def: &ListDef, body: &Map<String, Value>) -> Map<String, Value> {
    let custom = body.iter().filter(|(name, _)| def.field(name).is_none() && !FRAME.contains(&name.as_str()));
    custom.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// What of a record is for people to write.
pub fn written_of(def: &ListDef, body: &Map<String, Value>) -> Map<String, Value> {
    let mut written = given_of(def, body);
    written.extend(custom_of(def, body));
    written
}

fn holds_something(value: &Value) -> bool {
    !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty())
}

/// A draft as the record it makes will be on the wire.
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

/// What of a settled body differs from what a record holds.
pub fn difference(
    def: &ListDef,
    held: &Map<String, Value>,
    settled: &Map<String, Value>,
) -> Map<String, Value> {
    differences(&written_of(def, held), settled).0
}

/// The fields that differ: what comes, and what stood.
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
