//! The demo's tables: the CSV files of `crates/larder/demo`, embedded in the program.

use csv::{Reader, StringRecord};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The rows of one of the files, parsed on first use.
macro_rules! table {
    ($file:literal) => {
        std::sync::LazyLock::new(|| $crate::table::rows($crate::table::text!($file)))
    };
}

/// The content of one of the files.
macro_rules! text {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tables/", $file, ".csv"))
    };
}

pub(super) use {table, text};

/// The rows of a table, with static texts; a table is parsed once.
///
/// # Panics
/// When a row does not match its type. Tests read all tables.
pub fn rows<T: Deserialize<'static>>(text: &'static str) -> Vec<T> {
    let mut reader = Reader::from_reader(text.as_bytes());
    let header: &'static StringRecord = Box::leak(Box::new(reader.headers().expect("a header").clone()));
    let records: Vec<StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let row = |row: &'static StringRecord| row.deserialize(Some(header)).expect("a row of its kind");
    records.leak().iter().map(row).collect()
}

/// The rows of a table whose columns are fields of a list, as list records; empty cells are omitted.
///
/// # Panics
/// When the file is not a table.
pub fn records(text: &str) -> Vec<Value> {
    let mut reader = Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let record = |row: StringRecord| -> Value {
        let cells = header.iter().zip(&row).filter(|(_, cell)| !cell.is_empty());
        cells.map(|(field, cell)| (field.to_owned(), Value::from(cell))).collect::<Map<_, _>>().into()
    };
    reader.records().map(|row| record(row.expect("a row"))).collect()
}

/// The values of one text field of records.
pub fn texts(records: &[Value], field: &str) -> Vec<String> {
    records.iter().map(|record| record[field].as_str().unwrap_or_default().to_owned()).collect()
}
