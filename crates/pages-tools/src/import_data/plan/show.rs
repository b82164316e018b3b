//! Formats values as an export does, so that re-importing them changes nothing.

use larder_domain::{Factor, Money, Qty};
use serde::de::DeserializeOwned;
use serde_json::Value;

use larder_lists::engine::{Field, Kind, lines};
use larder_lists::imports::records::Directory;

/// A field's value as text in a CSV export.
pub fn shown(field: &Field, value: Option<&Value>, directory: &Directory) -> String {
    let Some(value) = value.filter(|value| !value.is_null()) else { return String::new() };
    match field.kind {
        Kind::Qty => decimal::<Qty>(value),
        Kind::Money => decimal::<Money>(value),
        Kind::Factor => decimal::<Factor>(value),
        Kind::Bool => if value == &Value::Bool(true) { "yes" } else { "no" }.to_owned(),
        Kind::Ref => {
            let id = value.as_str().unwrap_or_default();
            directory.name(field.to, id).unwrap_or(id).to_owned()
        }
        Kind::Items(items) => lines::written(items, value, |table, id| directory.name(table, id)),
        Kind::Text | Kind::Lines | Kind::Int | Kind::Day => plain(value),
    }
}

/// A change for display: references by name, only differing lines, everything else unchanged.
pub fn for_people(
    field: Option<&Field>,
    (before, after): (&Value, &Value),
    directory: &Directory,
) -> (Value, Value) {
    let Some(field) = field else { return (before.clone(), after.clone()) };
    let text = |value: &Value| match shown(field, Some(value), directory) {
        text if text.is_empty() => Value::Null,
        text => Value::String(text),
    };
    match field.kind {
        Kind::Ref => (text(before), text(after)),
        Kind::Items(_) => (text(&without(before, after)), text(&without(after, before))),
        _ => (before.clone(), after.clone()),
    }
}

/// The lines not among others; all lines if only their order differs.
fn without(lines: &Value, others: &Value) -> Value {
    let none = Vec::new();
    let (lines, others) = (lines.as_array().unwrap_or(&none), others.as_array().unwrap_or(&none));
    let mut sorted = [
        lines.iter().map(Value::to_string).collect::<Vec<_>>(),
        others.iter().map(Value::to_string).collect(),
    ];
    sorted.iter_mut().for_each(|texts| texts.sort());
    if sorted[0] == sorted[1] {
        return Value::Array(lines.clone());
    }
    Value::Array(lines.iter().filter(|line| !others.contains(line)).cloned().collect())
}

fn decimal<T: DeserializeOwned + ToString>(value: &Value) -> String {
    serde_json::from_value::<T>(value.clone()).map_or_else(|_| plain(value), |number| number.to_string())
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
