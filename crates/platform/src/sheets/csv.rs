//! Rows of a delimited text.

mod lines;
mod swallowed;

use std::fs::File;

use larder_domain::sheet::{Cell, Quotes, Row};

use super::text::{Lines, Style, refuse};
use super::{MAX_LINE, MAX_ROWS, Refusal, Visitor};

pub use swallowed::{Swallowed, swallowed};

struct Record<'a>(&'a csv::ByteRecord);

impl Row for Record<'_> {
    fn width(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        Cell::of(self.0.get(column).unwrap_or_default())
    }
}

/// Passes every row to the visitor.
pub fn read(file: &File, style: &Style, visitor: &mut impl Visitor) -> Result<(), Refusal> {
    match style.quotes {
        Quotes::Cells => read_cells(file, style, visitor),
        Quotes::Rows => lines::read(file, style, visitor),
    }
}

fn read_cells(file: &File, style: &Style, visitor: &mut impl Visitor) -> Result<(), Refusal> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(style.delimiter)
        .buffer_capacity(256 * 1024)
        .from_reader(Lines::new(file, style.encoding));
    let mut record = csv::ByteRecord::new();
    let (mut rows, mut next) = (0, 1);
    loop {
        let more = reader.read_byte_record(&mut record).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => refuse(&error),
            other => {
                tracing::debug!(?other, "the CSV reader rejected a file");
                Refusal::new("The file could not be read as a table. Export it again.")
            }
        })?;
        if !more {
            return Ok(());
        }
        // The reader counts line feeds, and stops before the one after a carriage return.
        let within = record.as_slice().iter().filter(|byte| **byte == b'\n').count() as u64;
        let behind = within + u64::from(!reader.get_ref().ends_with_return());
        let line = reader.position().line().saturating_sub(behind).max(next);
        next = line + within + 1;
        let number = u32::try_from(line).unwrap_or(u32::MAX);
        if record.as_slice().len() > MAX_LINE {
            return Err(Refusal::new(format!(
                "The row that begins on line {number} is longer than 1 MiB. A quote (\") on it is probably never closed."
            )));
        }
        if record.iter().all(|cell| cell.trim_ascii().is_empty()) {
            continue;
        }
        rows += 1;
        if rows > MAX_ROWS {
            return Err(too_many());
        }
        if visitor.row(number, &Record(&record)).is_break() {
            return Ok(());
        }
    }
}

/// The refusal of a file with too many columns or rows.
pub fn too_many() -> Refusal {
    Refusal::new(format!(
        "The file has more than {MAX_ROWS} rows. Split it and import the parts one after the other."
    ))
}

#[cfg(test)]
mod tests;
