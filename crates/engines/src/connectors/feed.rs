//! Parses a delivery or file (CSV, a workbook, JSON or JSON lines) into a table.

use std::io::{Seek as _, Write as _};
use std::ops::ControlFlow;

use larder_domain::sales::numbers::Decimal;
use larder_domain::sheet::{CellState, Row};
use serde_json::Value;

use super::api::parse;
use super::lines::Table;
use super::path::{Path, Step, rows};
use super::settings::Reading;
use larder_platform::sheets;
use larder_platform::sheets::{MAX_COLUMNS, Refusal, Visitor};

/// Parses bytes into a table. JSON is read by the paths of `reading`; without any, every path becomes a
/// column.
///
/// # Errors
/// A message for the sender.
pub fn table(bytes: &[u8], reading: &Reading) -> Result<Table, String> {
    let begin = bytes.trim_ascii_start();
    let begin = begin.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(begin);
    if begin.is_empty() {
        return Err("Nothing came: the body is empty.".to_owned());
    }
    if matches!(begin[0], b'{' | b'[') { json(begin, reading) } else { sheet(bytes, reading) }
}

/// Parses JSON; JSON lines become a list.
fn json(bytes: &[u8], reading: &Reading) -> Result<Table, String> {
    let value = match parse(bytes)? {
        Ok(value @ Value::Array(_)) => value,
        Ok(value) if reading.fields.values().any(|path| path.starts_with('[')) => Value::Array(vec![value]),
        Ok(value) => value,
        Err(first) => {
            let lines = bytes.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty());
            let mut all = Vec::new();
            for (at, line) in lines.enumerate() {
                let line = serde_json::from_slice::<Value>(line).map_err(|error| {
                    if at == 0 {
                        format!("This is no JSON: {first}.")
                    } else {
                        format!("Line {} is no JSON: {error}.", at + 1)
                    }
                })?;
                all.push(line);
            }
            Value::Array(all)
        }
    };
    let (records, columns) = if reading.fields.is_empty() {
        let columns = leaves(&value);
        let records = columns.iter().map(Path::list).max_by_key(|list| list.0.len()).unwrap_or_default();
        let columns = columns.into_iter().filter(|column| records.begins_with(&column.list())).collect();
        (records, columns)
    } else {
        let columns: Vec<Path> =
            reading.fields.values().chain(&reading.key).map(|path| Path::parse(path)).collect();
        (reading.records()?, columns)
    };
    let found =
        rows(&value, &records, &columns).ok_or_else(|| format!("There is no list at «{records}»."))?;
    let names = if reading.fields.is_empty() {
        columns.iter().map(ToString::to_string).collect()
    } else {
        reading.fields.values().chain(&reading.key).cloned().collect()
    };
    Ok(Table { columns: names, rows: found, ..Table::default() })
}

/// Paths of all scalars in order of appearance; of a list, from its first twenty elements.
#[must_use]
pub fn leaves(value: &Value) -> Vec<Path> {
    let mut found = Vec::new();
    gather(value, &mut Vec::new(), &mut found);
    found
}

fn gather(value: &Value, way: &mut Vec<Step>, found: &mut Vec<Path>) {
    if found.len() >= 300 || way.len() > 12 {
        return;
    }
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                way.push(Step::Name(name.clone()));
                gather(value, way, found);
                way.pop();
            }
        }
        Value::Array(all) => {
            way.push(Step::Each);
            all.iter().take(20).for_each(|value| gather(value, way, found));
            way.pop();
        }
        _ => {
            let path = Path(way.clone());
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
}

struct Rows {
    table: Table,
    /// How numbers are written in text; those of a workbook always have a point.
    decimal: Decimal,
}

impl Visitor for Rows {
    fn row<R: Row>(&mut self, _: u32, row: &R) -> ControlFlow<()> {
        let width = row.width().min(MAX_COLUMNS);
        let cells = (0..width).map(|at| {
            let cell = row.cell(at);
            let text = String::from_utf8_lossy(cell.text);
            match self.decimal {
                Decimal::Comma if cell.number => text.replace('.', ","),
                _ => text.into_owned(),
            }
        });
        let cells: Vec<String> = cells.collect();
        if self.table.columns.is_empty() {
            self.table.columns = cells.iter().map(|cell| cell.trim().to_owned()).collect();
        } else if cells.iter().any(|cell| !cell.trim().is_empty()) {
            self.table.hidden += usize::from(row.hidden());
            let dated = (0..width).filter(|at| row.cell(*at).state == CellState::Date);
            self.table.dated.extend(dated);
            self.table.rows.push(cells);
        }
        ControlFlow::Continue(())
    }
}

fn sheet(bytes: &[u8], reading: &Reading) -> Result<Table, String> {
    let broken = |_| "The body could not be stored. Send it again.".to_owned();
    let mut file = tempfile::tempfile().map_err(broken)?;
    file.write_all(bytes).map_err(broken)?;
    file.rewind().map_err(broken)?;
    let mut found = Rows { table: Table::default(), decimal: reading.decimal };
    let read = || -> Result<(), Refusal> {
        let source = sheets::inspect(&mut file)?;
        sheets::read(&mut file, &source, None, None, &mut found)
    };
    let mut read = read;
    read().map_err(|Refusal(words)| words)?;
    if found.table.rows.is_empty() {
        return Err("There are column names and no rows. Send rows with a header above them.".to_owned());
    }
    Ok(found.table)
}
