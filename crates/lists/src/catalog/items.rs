//! Validates sub-table fields.

use serde_json::{Map, Value, json};

use crate::engine::{Found, MovedUses};
use larder_platform::http::error::ApiError;
use larder_platform::http::text::has_unseen;

/// The most items of one field.
const MAX_ITEMS: usize = 200;

/// Parses a field of items; `one` parses an item, or returns the errors by member.
pub fn read_items(
    value: &Value,
    what: &str,
    mut one: impl FnMut(&Map<String, Value>, usize) -> Result<Option<Value>, Found>,
) -> Result<Value, Found> {
    let rows = match value {
        Value::Null => return Ok(json!([])),
        Value::Array(rows) if rows.len() <= MAX_ITEMS => rows,
        _ => return Err(vec![(String::new(), format!("List at most {MAX_ITEMS} {what}."))]),
    };
    let (mut read, mut findings) = (Vec::new(), Vec::new());
    for (i, row) in rows.iter().enumerate() {
        let Some(row) = row.as_object() else {
            findings.push((i.to_string(), format!("Each of the {what} is an object.")));
            continue;
        };
        let item = one(row, i).and_then(|item| match item {
            Some(item) => with_id(row, item).map(Some).map_err(|found| vec![found]),
            None => Ok(None),
        });
        match item {
            Ok(item) => read.extend(item),
            Err(found) => {
                findings.extend(found.into_iter().map(|(path, message)| (format!("{i}.{path}"), message)));
            }
        }
    }
    if findings.is_empty() { Ok(Value::Array(read)) } else { Err(findings) }
}

/// The id in a member; `missing` is the message without one.
pub fn id(row: &Map<String, Value>, member: &str, missing: &str) -> Result<String, (String, String)> {
    let text = row.get(member).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    if text.is_empty() || text.len() > 100 || text.chars().any(char::is_control) {
        return Err((member.to_owned(), missing.to_owned()));
    }
    Ok(text.to_owned())
}

/// Keeps the id an item was sent with: clients identify their lines by it.
pub fn with_id(row: &Map<String, Value>, mut item: Value) -> Result<Value, (String, String)> {
    let id = match row.get("id") {
        None | Some(Value::Null) => return Ok(item),
        Some(Value::String(id)) if id.is_empty() => return Ok(item),
        Some(Value::String(id)) if id.chars().count() <= 100 && !has_unseen(id) => id,
        Some(_) => return Err(("id".to_owned(), "Use a text of at most 100 visible characters.".to_owned())),
    };
    item["id"] = json!(id);
    Ok(item)
}

/// A decimal in a member, parsed exactly by its type.
pub fn decimal<T: serde::de::DeserializeOwned>(
    row: &Map<String, Value>,
    member: &str,
    missing: &str,
) -> Result<T, (String, String)> {
    let value = row.get(member).filter(|value| value.is_number() || value.is_string());
    let read = value.map(|value| serde_json::from_value::<T>(value.clone()));
    match read {
        Some(Ok(number)) => Ok(number),
        _ => Err((member.to_owned(), missing.to_owned())),
    }
}

/// Whether an id occurred before in the same field.
pub fn repeated(seen: &mut std::collections::HashSet<String>, id: &str) -> bool {
    !seen.insert(id.to_owned())
}

/// Places whose stock a merge moved.
pub fn stock_moved(places: i64) -> Result<Vec<MovedUses>, ApiError> {
    let moved = MovedUses { kind: "stockMovement", label: "places with stock", count: places };
    Ok((places > 0).then_some(moved).into_iter().collect())
}
