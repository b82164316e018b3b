//! A value as an export writes it: whoever brings that back changes nothing.

use larder_domain::{Factor, Money, Qty};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::directory::Directory;
use crate::lists::engine::{Field, Kind};

/// The text of a field's value in a CSV export.
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
        Kind::Items(_) => match value.as_array() {
            Some(items) if items.is_empty() => String::new(),
            _ => value.to_string(),
        },
        Kind::Text | Kind::Lines | Kind::Int | Kind::Day => plain(value),
    }
}

/// For people: a reference by its name, everything else as it is.
pub fn told(field: Option<&Field>, value: &Value, directory: &Directory) -> Value {
    match field.filter(|field| matches!(field.kind, Kind::Ref)) {
        Some(field) if value.is_string() => Value::String(shown(field, Some(value), directory)),
        _ => value.clone(),
    }
}

fn decimal<T: DeserializeOwned + ToString>(value: &Value) -> String {
    serde_json::from_value::<T>(value.clone()).map_or_else(|_| plain(value), |number| number.to_string())
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
