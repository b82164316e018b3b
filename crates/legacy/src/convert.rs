//! Converts a document to its list's form: decimal numbers, references by id, original times.

use larder_domain::decimal::DecimalError;
use larder_domain::{BusinessDay, Factor, Money, Qty, Timestamp};
use serde_json::{Map, Value, json};

use larder_lists::engine::{Editor, Field, Kind, ListDef, Made, Origin};
use larder_lists::imports::records::{Directory, Found};

/// A converted document.
#[derive(Debug)]
pub struct Taken {
    /// Content of the record.
    pub body: Map<String, Value>,
    /// Original author and times.
    pub made: Made,
    /// Whether the document has its own times.
    pub is_dated: bool,
    /// Its stock quantity, for ledgers that keep it.
    pub quantity: Option<Qty>,
    /// Notes for the report.
    pub notes: Vec<String>,
}

/// Members that every document may have and no list declares.
const FRAME: [&str; 7] = ["id", "_id", "createdAt", "updatedAt", "updatedBy", "createdBy", "revision"];
/// Custom field for a record's original author.
const MAKER: &str = "formerCreatedBy";

/// Converts a document; errors are per field.
pub fn convert(
    def: &'static ListDef,
    mut document: Map<String, Value>,
    directory: &Directory,
    now: Timestamp,
) -> Result<Taken, Vec<String>> {
    let created_at = document.get("createdAt").and_then(moment);
    let updated_at = document.get("updatedAt").and_then(moment);
    let editor = document.get("updatedBy").and_then(editor);
    let maker = document.get("createdBy").filter(|value| !value.is_null()).cloned();
    document.retain(|name, value| !FRAME.contains(&name.as_str()) && !value.is_null());
    let at = updated_at.or(created_at);
    let made = Made {
        created_at: created_at.or(updated_at).unwrap_or(now),
        updated_at: at.unwrap_or(now),
        revision: 1,
        editor,
    };
    let mut taken =
        Taken { body: Map::new(), made, is_dated: at.is_some(), quantity: None, notes: Vec::new() };
    let mut wrong = Vec::new();
    for field in def.fields {
        let Some(value) = document.shift_remove(field.name) else { continue };
        if field.origin != Origin::Given {
            if field.name == "quantity" {
                match quantity(&value) {
                    Ok(quantity) => taken.quantity = quantity,
                    Err(error) => taken.notes.push(format!("quantity: {error}")),
                }
            }
            continue;
        }
        match read(field, value, directory, &mut taken.notes) {
            Ok(Value::Null) => {}
            Ok(value) => drop(taken.body.insert(field.name.to_owned(), value)),
            Err(words) => wrong.push(format!("{}: {words}", field.name)),
        }
    }
    for (name, value) in document {
        let kept = name.trim_start_matches(['_', '$']);
        let kept = if kept.is_empty() || taken.body.contains_key(kept) {
            format!("former{name}")
        } else {
            kept.to_owned()
        };
        taken.body.insert(kept, value);
    }
    if let Some(maker) = maker.filter(|_| !def.tells_maker) {
        taken.body.insert(MAKER.to_owned(), maker);
    }
    if wrong.is_empty() { Ok(taken) } else { Err(wrong) }
}

fn read(
    field: &Field,
    value: Value,
    directory: &Directory,
    notes: &mut Vec<String>,
) -> Result<Value, String> {
    if value.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Ok(Value::Null);
    }
    match field.kind {
        Kind::Text | Kind::Lines => text(value),
        Kind::Qty => decimal(field, value, Qty::PLACES, notes),
        Kind::Money => decimal(field, value, Money::PLACES, notes),
        Kind::Factor => decimal(field, value, Factor::PLACES, notes),
        Kind::Int => whole(value),
        Kind::Bool => truth(value),
        Kind::Day => day(&value),
        Kind::Ref => reference(field.to, &value, directory),
        Kind::Items(rule) => items(value, rule.refs, directory),
    }
}

fn text(value: Value) -> Result<Value, String> {
    match value {
        Value::String(_) => Ok(value),
        Value::Number(number) => Ok(json!(number.to_string())),
        Value::Bool(yes) => Ok(json!(yes.to_string())),
        _ => Err("This is no text.".to_owned()),
    }
}

/// An exact number. The legacy system stored binary fractions: their noise is dropped silently, and excess
/// decimal places are rounded with a note.
fn decimal(field: &Field, value: Value, places: u32, notes: &mut Vec<String>) -> Result<Value, String> {
    let Some(number) = value.as_f64().filter(|_| value.is_number() && !value.is_i64()) else {
        return if value.is_number() || value.is_string() {
            Ok(value)
        } else {
            Err("Enter a number.".to_owned())
        };
    };
    let rounded = format!("{number:.*}", places as usize);
    let kept: f64 = rounded.parse().unwrap_or(number);
    if (kept - number).abs() > number.abs().max(1.0) * 1e-9 {
        notes.push(format!("{}: {number} was rounded to {kept}.", field.name));
    }
    Ok(json!(rounded))
}

fn quantity(value: &Value) -> Result<Option<Qty>, DecimalError> {
    written(value, Qty::PLACES).map(|text| Qty::typed(&text)).transpose()
}

/// A number with this many places, without the noise of binary fractions.
pub fn written(value: &Value, places: u32) -> Option<String> {
    let number = value.as_f64().map(|number| format!("{number:.*}", places as usize));
    number.or_else(|| value.as_str().map(|text| text.trim().to_owned()))
}

fn whole(value: Value) -> Result<Value, String> {
    match value.as_f64() {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within bounds")]
        Some(number) if number.fract() == 0.0 && number.abs() < 1e15 => Ok(json!(number as i64)),
        Some(_) => Err("This is no whole number.".to_owned()),
        None if value.is_string() => Ok(value),
        None => Err("Enter a number.".to_owned()),
    }
}

/// A boolean, also in legacy spellings.
pub fn truth(value: Value) -> Result<Value, String> {
    let text = value.as_str().map(|text| text.trim().to_lowercase());
    match (&value, text.as_deref()) {
        (Value::Bool(_), _) => Ok(value),
        (_, Some("true" | "yes" | "1")) => Ok(json!(true)),
        (_, Some("false" | "no" | "0")) => Ok(json!(false)),
        (Value::Number(number), _) => Ok(json!(number.as_f64() != Some(0.0))),
        _ => Err("This is neither yes nor no.".to_owned()),
    }
}

/// A date: as text, or the business day of a time (UTC+8).
pub fn day(value: &Value) -> Result<Value, String> {
    if let Some(day) = value.as_str().and_then(|text| text.trim().parse::<BusinessDay>().ok()) {
        return Ok(json!(day));
    }
    moment(value).map(|at| json!(BusinessDay::of(at))).ok_or_else(|| "This is no date.".to_owned())
}

/// The record a value refers to: by id, the last part of a document path, a code or a name.
pub fn reference(table: &str, value: &Value, directory: &Directory) -> Result<Value, String> {
    let named = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Object(members) => match members.get("id").or_else(|| members.get("path")) {
            Some(Value::String(text)) => text.trim().to_owned(),
            _ => return Err("This names no record.".to_owned()),
        },
        _ => return Err("This names no record.".to_owned()),
    };
    let last = named.rsplit('/').next().unwrap_or(&named);
    match (directory.find(table, &named), directory.find(table, last)) {
        (Found::One(id), _) | (Found::None, Found::One(id)) => Ok(json!(id)),
        (Found::Several, _) | (_, Found::Several) => Err(format!("Several records are called «{named}».")),
        _ => Err(format!("There is no record «{named}» in {}.", table.replace('_', " "))),
    }
}

/// Sub-table rows: references are resolved, and members under older names are accepted.
fn items(
    value: Value,
    refs: &[(&'static str, &'static str)],
    directory: &Directory,
) -> Result<Value, String> {
    let Value::Array(items) = value else { return Err("This is no list.".to_owned()) };
    let mut read = Vec::with_capacity(items.len());
    for item in items {
        let mut members = match (item, refs.first()) {
            (Value::Object(members), _) => members,
            (named @ Value::String(_), Some((member, _))) => Map::from_iter([((*member).to_owned(), named)]),
            _ => return Err("Each of the list is an object.".to_owned()),
        };
        for (member, table) in refs {
            let Some(named) = older_names(member).find_map(|name| members.shift_remove(&name)) else {
                continue;
            };
            members.insert((*member).to_owned(), reference(table, &named, directory)?);
        }
        read.push(Value::Object(members));
    }
    Ok(Value::Array(read))
}

/// `uomId`, also called `uom`; root items were called root products.
fn older_names(member: &str) -> impl Iterator<Item = String> {
    let bare = member.strip_suffix("Id").unwrap_or(member).to_owned();
    let other = match bare.as_str() {
        "rootItem" => "rootProduct".to_owned(),
        "rootProduct" => "rootItem".to_owned(),
        "fromUom" => "from".to_owned(),
        "toUom" => "to".to_owned(),
        same => same.to_owned(),
    };
    [member.to_owned(), bare, format!("{other}Id"), other].into_iter()
}

/// A time: as text, in milliseconds, or in the legacy system's export format.
pub fn moment(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => Timestamp::parse(text.trim()),
        Value::Number(number) => {
            let number = number.as_i64()?;
            Some(Timestamp(if number.unsigned_abs() < 100_000_000_000 { number * 1000 } else { number }))
        }
        Value::Object(members) => {
            let part = |name: &str| {
                members.get(name).or_else(|| members.get(&format!("_{name}"))).and_then(Value::as_i64)
            };
            match members.get("$date").or_else(|| members.get("timestampValue")) {
                Some(inner) => moment(inner),
                None => {
                    let whole = part("seconds")?.checked_mul(1000)?;
                    whole.checked_add(part("nanoseconds").unwrap_or(0) / 1_000_000).map(Timestamp)
                }
            }
        }
        _ => None,
    }
}

/// The author of a document.
pub fn editor(value: &Value) -> Option<Editor> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    match value {
        Value::String(name) if !name.trim().is_empty() => {
            Some(Editor { uid: String::new(), name: name.trim().to_owned(), email: String::new() })
        }
        Value::Object(_) => Some(Editor { uid: text("uid"), name: text("name"), email: text("email") }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_export_format() {
        let at = Some(Timestamp(1_700_000_000_123));
        assert_eq!(moment(&json!("2023-11-14T22:13:20.123Z")), at);
        assert_eq!(moment(&json!({ "_seconds": 1_700_000_000, "_nanoseconds": 123_000_000 })), at);
        assert_eq!(moment(&json!({ "seconds": 1_700_000_000, "nanoseconds": 123_000_000 })), at);
        assert_eq!(moment(&json!(1_700_000_000_123_i64)), at);
        assert_eq!(moment(&json!({ "seconds": i64::MAX })), None);
        assert_eq!(moment(&json!(i64::MIN)), Some(Timestamp(i64::MIN)));
        assert_eq!(moment(&json!(1_700_000_000)), Some(Timestamp(1_700_000_000_000)));
        assert_eq!((moment(&json!("soon")), moment(&json!([]))), (None, None));
    }

    #[test]
    fn the_noise_of_binary_fractions_goes_and_rounding_is_noted() {
        let field = Field::new("price", "", "price", "Price", Kind::Money, false);
        let mut notes = Vec::new();
        assert_eq!(decimal(&field, json!(0.1 + 0.2), 2, &mut notes), Ok(json!("0.30")));
        assert!(notes.is_empty());
        assert_eq!(decimal(&field, json!(12.345_6), 2, &mut notes), Ok(json!("12.35")));
        assert_eq!(notes, ["price: 12.3456 was rounded to 12.35."]);
        assert_eq!(decimal(&field, json!(7), 2, &mut notes), Ok(json!(7)));
        assert!(decimal(&field, json!([]), 2, &mut notes).is_err());
    }

    #[test]
    fn days_and_booleans_are_read() {
        assert_eq!(day(&json!("2019-08-03")), Ok(json!("2019-08-03")));
        assert_eq!(day(&json!("2019-08-02T16:00:00.000Z")), Ok(json!("2019-08-03")), "midnight in UTC+8");
        assert_eq!((truth(json!("Yes")), truth(json!(0))), (Ok(json!(true)), Ok(json!(false))));
        assert!(truth(json!("maybe")).is_err() && day(&json!("soon")).is_err());
    }
}
