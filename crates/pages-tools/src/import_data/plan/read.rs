//! Parses a cell to the value of a field, or an error.

use larder_db::{MOST_NESTED, nesting};
use larder_domain::decimal::{Mark, parse_scaled};
use larder_domain::sales::DateFormat;
use larder_domain::sales::dates::{DateError, moment};
use larder_domain::sales::names;
use larder_domain::sales::numbers::bare;
use larder_domain::{BusinessDay, Factor, Money, Qty};
use serde_json::{Map, Value, json};

use larder_lists::engine::{Field, Items, Kind, ListDef, fold, lines};
use larder_platform::http::text::FORMULA_STARTS;

/// Text that clears a field.
pub const EMPTY: &str = "(empty)";

/// Formats of cells.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Decimal mark in text.
    pub mark: Mark,
    /// Order of day, month and year.
    pub dates: DateFormat,
    /// Whether an apostrophe may precede formula-like text.
    pub quoted: bool,
}

/// The text of a cell without the apostrophe our exports put before formula-like text.
pub fn unquoted<'a>(text: &'a str, style: &Style) -> &'a str {
    let stripped = text.strip_prefix('\'').filter(|rest| rest.starts_with(FORMULA_STARTS));
    stripped.filter(|_| style.quoted).unwrap_or(text)
}

/// Whether a field holds codes: what identifies a record beside its name.
pub fn is_code(def: &ListDef, field: &Field) -> bool {
    let alone = |fields: &&[&str]| **fields == [field.name];
    def.code == Some(field.name) || (field.name != def.name && def.unique.iter().any(alone))
}

/// A code without the apostrophe that marks it as text in a spreadsheet.
pub fn code(text: &str) -> &str {
    std::str::from_utf8(names::code(text.as_bytes())).unwrap_or(text)
}

/// Whether a cell clears a field.
pub fn empties(text: &str) -> bool {
    fold(text) == EMPTY
}

/// Parses a non-empty cell. References and child records are parsed elsewhere, with access to existing
/// records.
pub fn read(field: &Field, text: &str, is_number: bool, style: &Style) -> Result<Value, String> {
    let mark = if is_number { Mark::Point } else { style.mark };
    let text = text.trim();
    match field.kind {
        Kind::Text | Kind::Lines | Kind::Ref | Kind::Items(_) => Ok(json!(text)),
        Kind::Qty => decimal(text, |digits| Qty::parse_with(digits, mark)),
        Kind::Money => decimal(text, |digits| Money::parse_with(digits, mark)),
        Kind::Factor => decimal(text, |digits| Factor::parse_with(digits, mark)),
        Kind::Int => decimal(text, |digits| parse_scaled(digits, 0, mark))
            .map_err(|_| "Enter a whole number from 0 to 1,000,000.".to_owned()),
        Kind::Bool => yes_or_no(text).map(Value::Bool),
        Kind::Day => day(text, style.dates),
    }
}

/// A decimal, with or without a currency sign, in parentheses for negative, as sales files write it.
fn decimal<T: serde::Serialize, E: std::fmt::Display>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Value, String> {
    parse(&bare(text)).map(|number| json!(number)).map_err(|error| error.to_string())
}

/// Yes or no in common spellings.
pub fn yes_or_no(text: &str) -> Result<bool, String> {
    match fold(text).as_str() {
        "yes" | "y" | "true" | "t" | "1" | "x" => Ok(true),
        "no" | "n" | "false" | "f" | "0" => Ok(false),
        _ => Err("Write yes or no.".to_owned()),
    }
}

fn day(text: &str, format: DateFormat) -> Result<Value, String> {
    if let Ok(day) = text.parse::<BusinessDay>() {
        return Ok(json!(day));
    }
    match moment(text.as_bytes(), format) {
        Ok(moment) => Ok(json!(BusinessDay(moment.day))),
        Err(DateError::NoSuchDay) => Err("There is no such day; check day and month.".to_owned()),
        Err(DateError::OutOfRange) => {
            Err("Enter a year from 1990 to 2100, or the date as YYYY-MM-DD.".to_owned())
        }
        Err(DateError::Empty | DateError::Shape) => {
            Err(format!("This is no date as {}; YYYY-MM-DD always is.", format.label()))
        }
    }
}

/// Limits the nesting depth to that of request bodies.
fn flat(text: &str) -> Result<(), String> {
    if nesting(text.as_bytes()) <= MOST_NESTED {
        return Ok(());
    }
    Err(format!("Lists and objects within each other go at most {MOST_NESTED} levels deep."))
}

/// A JSON object of custom fields.
pub fn custom(text: &str) -> Result<Map<String, Value>, String> {
    flat(text)?;
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => Ok(members),
        _ => Err("Write the custom fields as a JSON object, like {\"shelf\": \"A1\"}.".to_owned()),
    }
}

/// Child records in a field, as an export writes them, or as a JSON array as in older exports.
pub fn items(rule: &Items, text: &str) -> Result<Vec<Value>, String> {
    flat(text)?;
    match serde_json::from_str(text) {
        Ok(Value::Array(items)) => Ok(items),
        _ => lines::read(rule, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { mark: Mark::Point, dates: DateFormat::Dmy, quoted: true };

    fn field(kind: Kind) -> Field {
        Field::new("a", "a_key", "a", "A", kind, false)
    }

    #[test]
    fn parses_common_number_formats() {
        let money = |text: &str| read(&field(Kind::Money), text, false, &STYLE);
        assert_eq!(money("₱1,234.50"), Ok(json!(1234.5)));
        assert_eq!(money("(1,200.00)"), Ok(json!(-1200)));
        assert_eq!(money("-₱5"), Ok(json!(-5)));
        assert_eq!(money("PHP 12"), Ok(json!(12)));
        assert_eq!(money("₱(120.00)"), Ok(json!(-120)));
        assert_eq!(money("'120.50"), Ok(json!(120.5)));
        assert_eq!(money("１２０．５０"), Ok(json!(120.5)));
        assert!(money("12.345").is_err() && money("a dozen").is_err() && money("=1+1").is_err());
        let comma = Style { mark: Mark::Comma, ..STYLE };
        assert_eq!(read(&field(Kind::Qty), "1.234,5", false, &comma), Ok(json!(1234.5)));
        assert_eq!(read(&field(Kind::Qty), "1234.5", true, &comma), Ok(json!(1234.5)));
    }

    #[test]
    fn parses_common_date_and_boolean_formats() {
        let day = |text: &str| read(&field(Kind::Day), text, false, &STYLE);
        assert_eq!(day("03/08/2019"), Ok(json!("2019-08-03")));
        assert_eq!(day("1950-01-02"), Ok(json!("1950-01-02")));
        assert!(day("31/02/2019").is_err());
        assert_eq!((yes_or_no("TRUE"), yes_or_no(" No ")), (Ok(true), Ok(false)));
        assert!(yes_or_no("maybe").is_err() && empties(" (EMPTY) "));
    }

    #[test]
    fn codes_are_known_by_their_lists() {
        use larder_lists::catalog::{Product, Uom};
        let codes = |def: &ListDef| -> Vec<&str> {
            def.fields.iter().filter(|field| is_code(def, field)).map(|field| field.name).collect()
        };
        assert_eq!(codes(&Product::DEF), ["sku"]);
        assert_eq!(codes(&Uom::DEF), ["code"]);
        assert_eq!((code("'000777"), code("000777"), code("''1")), ("000777", "000777", "''1"));
    }

    #[test]
    fn strips_the_apostrophe_of_exports() {
        assert_eq!(unquoted("'=1+1", &STYLE), "=1+1");
        assert_eq!(unquoted("'tis", &STYLE), "'tis");
        assert_eq!(unquoted("'=1+1", &Style { quoted: false, ..STYLE }), "'=1+1");
    }
}
