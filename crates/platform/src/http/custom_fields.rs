//! Undeclared fields: stored as sent, within bounds.

use serde_json::{Map, Value};

use super::FieldError;
use super::text::{has_unseen, has_unseen_in_lines};

/// The most bytes of all custom fields of a record, as JSON text.
const MAX_BYTES: usize = 64 * 1024;
/// Longest name of a custom field.
const MAX_NAME: usize = 100;
/// Members only the server sets, or that would be confused with others.
const RESERVED: &[&str] = &[
    "id",
    "createdAt",
    "createdBy",
    "updatedAt",
    "updatedBy",
    "revision",
    "extra",
    "constructor",
    "prototype",
];

/// The rest of a body after its declared fields; `more` are further reserved names.
pub fn read(
    body: Map<String, Value>,
    more: &[&str],
    strips_empty: bool,
    findings: &mut Vec<FieldError>,
) -> Map<String, Value> {
    let mut extra = Map::new();
    for (name, value) in body {
        if value.is_null() || (strips_empty && is_empty(&value)) {
            continue;
        }
        if let Some(message) = refuse_name(&name, more).or_else(|| refuse_value(&value)) {
            let shown: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
            findings.push(FieldError::new(shown, message));
            continue;
        }
        extra.insert(name, value);
    }
    // Measured as stored; the body limit keeps this small.
    if Value::Object(extra.clone()).to_string().len() > MAX_BYTES {
        findings.push(FieldError::new("extra", "Custom fields hold at most 64 KB together; shorten some."));
    }
    extra
}

/// Whether only the server sets a member of this name.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

fn refuse_name(name: &str, more: &[&str]) -> Option<String> {
    if is_reserved(name) || more.contains(&name) {
        return Some(format!("«{name}» is set by the server; leave it out."));
    }
    if name.starts_with(['_', '$']) {
        return Some("Names of custom fields cannot begin with _ or $.".to_owned());
    }
    if name.trim().is_empty() || name.chars().count() > MAX_NAME || has_unseen(name) {
        return Some("Name the custom field with 1 to 100 visible characters.".to_owned());
    }
    None
}

fn refuse_value(value: &Value) -> Option<String> {
    let fits = match value {
        Value::String(text) => !has_unseen_in_lines(text),
        Value::Array(items) => items.iter().all(|item| refuse_value(item).is_none()),
        Value::Object(members) => {
            members.iter().all(|(name, member)| !has_unseen(name) && refuse_value(member).is_none())
        }
        _ => true,
    };
    (!fits).then(|| "Remove the characters that cannot be seen.".to_owned())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        other => other.is_null(),
    }
}
