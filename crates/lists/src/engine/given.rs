//! Validates bodies from clients: values that cannot be stored are refused, not dropped.

use serde_json::{Map, Value};

use super::define::{Field, Kind, ListDef, Origin};
use super::draft::{Cell, read_cell, wrong};
use larder_platform::http::error::FieldError;
use larder_platform::http::revision;
use larder_platform::http::revision::has_parts;

/// Removes server-set members and fields from a body.
pub fn take_fixed(def: &ListDef, body: &mut Map<String, Value>, frame: &[&str]) -> Map<String, Value> {
    let kept = def.fields.iter().filter(|field| field.origin != Origin::Given).map(|field| field.name);
    let names = kept.chain(frame.iter().copied());
    names.filter_map(|name| body.remove_entry(name)).filter(|(_, value)| !value.is_null()).collect()
}

/// Whether two values of a field are equal in any notation.
fn is_same(def: &ListDef, name: &str, one: &Value, other: &Value) -> bool {
    let read = |value| def.field(name).map(|field| read_cell(&Field { required: false, ..*field }, value));
    one == other || matches!((read(one), read(other)), (Some(Ok(one)), Some(Ok(other))) if one == other)
}

/// Refuses server-set fields in a body, unless they equal the value in one of `records`: clients often send a
/// record back whole.
///
/// # Errors
/// 422 at each field with another value.
pub fn refuse_other(
    def: &ListDef,
    said: &Map<String, Value>,
    records: &[&Value],
) -> Result<(), Vec<FieldError>> {
    let holds = |name: &str, value: &Value, record: &Value| {
        let none = if def.field(name).is_some_and(|field| matches!(field.kind, Kind::Items(_))) {
            Value::Array(Vec::new())
        } else {
            Value::Null
        };
        is_same(def, name, value, record.get(name).unwrap_or(&none))
    };
    let other = said.iter().filter(|(name, value)| !records.iter().any(|record| holds(name, value, record)));
    let wrong: Vec<FieldError> = other
        .map(|(name, _)| {
            let label = def.field(name).map_or(name.as_str(), |field| field.label);
            wrong(name, format!("{label} cannot be set here: the server keeps it. Leave it out."))
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Refuses unknown members of sub-table lines: they would be lost.
///
/// # Errors
/// 422 at each of them.
pub fn refuse_unknown_members(def: &ListDef, body: &Map<String, Value>) -> Result<(), Vec<FieldError>> {
    const MOST_NAMED: usize = 100;
    let mut findings = Vec::new();
    for field in def.fields {
        let (Kind::Items(items), Some(Value::Array(rows))) = (field.kind, body.get(field.name)) else {
            continue;
        };
        let known: Vec<&str> = items.line.iter().filter_map(|part| part.member()).collect();
        for (i, row) in rows.iter().enumerate() {
            let unknown = row.as_object().into_iter().flatten().filter(|(name, value)| {
                !value.is_null() && name.as_str() != "id" && !known.contains(&name.as_str())
            });
            for (name, _) in unknown.take(MOST_NAMED.saturating_sub(findings.len())) {
                let said = format!("This field is unknown; there are {} and id.", known.join(", "));
                findings.push(wrong(&format!("{}.{i}.{name}", field.name), said));
            }
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(findings) }
}

/// The initial value of a new record, in the smallest unit of its field; `None` if absent or zero.
///
/// # Errors
/// 422 at the field.
pub fn opening(def: &ListDef, body: &Map<String, Value>) -> Result<Option<i64>, Vec<FieldError>> {
    let Some(field) = def.opening.and_then(|name| def.field(name)) else { return Ok(None) };
    let Some(given) = body.get(field.name) else { return Ok(None) };
    match read_cell(&Field { signed: false, ..*field }, given) {
        Ok(Cell::Int(number)) => Ok(number.filter(|number| *number != 0)),
        Ok(_) => Ok(None),
        Err(found) => Err(found.into_iter().map(|(path, message)| wrong(&path, message)).collect()),
    }
}

/// Refuses a change without a revision to composite fields.
///
/// # Errors
/// 422 at `revision`, and at each field that requires one.
pub fn refuse_parts(
    def: &ListDef,
    patch: &Map<String, Value>,
    record: &Value,
) -> Result<(), Vec<FieldError>> {
    if !def.merges {
        return Err(vec![wrong("revision", revision::MISSING)]);
    }
    let of_parts = |name: &str, value: &Value| {
        def.options.iter().any(|option| option.name == name)
            || match def.field(name) {
                Some(field) => matches!(field.kind, Kind::Items(_)) || has_parts(value),
                None => has_parts(value) || record.get(name).is_some_and(has_parts),
            }
    };
    let fields = patch.iter().filter(|(name, value)| of_parts(name, value)).map(|(name, _)| {
        let label = def.field(name).map_or(name.as_str(), |field| field.label);
        (name.as_str(), label)
    });
    revision::refuse_parts(&fields.collect::<Vec<_>>())
}
