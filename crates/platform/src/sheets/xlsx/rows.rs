//! Batches of rows passed from the decompressing thread to the reading one.

use std::io::Write;

use calamine::DataRef;
use larder_domain::sheet::{Cell, CellState, Row};

use super::unsaid::Unsaid;
use super::values::{write_float, write_moment, write_padded};
use crate::sheets::{MAX_LINE, Refusal};

/// A batch is full at this many rows, cells or bytes of text.
const PART_ROWS: usize = 1_024;
const PART_CELLS: usize = 64 * 1_024;
const PART_TEXT: usize = 1 << 20;

/// Rows with their cells end to end in one buffer; numbers become text only on access.
#[derive(Default)]
pub struct Rows {
    text: Vec<u8>,
    cells: Vec<RawCell>,
    /// Number of each row, and the end of its cells and its text.
    ends: Vec<RowEnd>,
    /// Whether the current row holds anything.
    filled: bool,
}

/// End of a row's cells and of its text.
#[derive(Clone, Copy, Default)]
struct RowEnd {
    number: u32,
    hidden: bool,
    cells: usize,
    text: usize,
}

/// End of a cell's text, and its number if it is one.
#[derive(Clone, Copy)]
struct RawCell {
    end: usize,
    number: Option<f64>,
    is_number: bool,
    /// Digits that its format fills up with zeros; 0 without such a format.
    digits: u8,
    state: CellState,
}

impl RawCell {
    fn empty(end: usize) -> Self {
        Self { end, number: None, is_number: false, digits: 0, state: CellState::Plain }
    }
}

impl Rows {
    /// Clears the rows, keeping the allocation.
    pub fn clear(&mut self) {
        self.text.clear();
        self.cells.clear();
        self.ends.clear();
        self.filled = false;
    }

    /// Whether it should be sent once the current row has ended.
    pub fn is_full(&self) -> bool {
        self.ends.len() >= PART_ROWS || self.cells.len() >= PART_CELLS || self.text.len() >= PART_TEXT
    }

    /// Rows, cells and bytes of text.
    pub fn size(&self) -> [u64; 3] {
        [self.ends.len() as u64, self.cells.len() as u64, self.text.len() as u64]
    }

    /// Cells of the current row.
    pub fn width(&self) -> usize {
        self.cells.len() - self.last().cells
    }

    fn last(&self) -> RowEnd {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Appends a value to row `number`, in a column after the existing ones. `digits` is the number of zeros that its
    /// format consists of.
    pub fn put(
        &mut self,
        number: u32,
        column: usize,
        value: &DataRef<'_>,
        digits: u8,
    ) -> Result<(), Refusal> {
        // Many cells can share one long text of the workbook's table.
        if self.text.len() - self.last().text + length(value) > MAX_LINE {
            return Err(Refusal::new(format!("Row {number} is longer than 1 MiB.")));
        }
        while self.width() < column {
            self.cells.push(RawCell::empty(self.text.len()));
        }
        let before = self.text.len();
        let is_number = self.write(value);
        let number = if let DataRef::Float(number) = value { Some(*number) } else { None };
        self.filled |= number.is_some() || self.text.len() > before;
        let dated = matches!(value, DataRef::DateTime(_) | DataRef::DateTimeIso(_));
        let state = if dated { CellState::Date } else { CellState::Plain };
        self.cells.push(RawCell { end: self.text.len(), number, is_number, digits, state });
        Ok(())
    }

    /// Writes a value as text, except the most frequent kind of number; returns whether it was a number.
    fn write(&mut self, value: &DataRef<'_>) -> bool {
        match value {
            DataRef::Empty => false,
            DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
                self.text.extend_from_slice(text.as_bytes());
                false
            }
            DataRef::SharedString(text) => {
                self.text.extend_from_slice(text.as_bytes());
                false
            }
            DataRef::Int(number) => {
                let _ = write!(self.text, "{number}");
                true
            }
            DataRef::Float(_) => true,
            DataRef::Bool(yes) => {
                self.text.extend_from_slice(if *yes { b"TRUE" } else { b"FALSE" });
                false
            }
            DataRef::DateTime(moment) => {
                write_moment(&mut self.text, moment);
                true
            }
            DataRef::Error(error) => {
                let _ = write!(self.text, "{error}");
                false
            }
        }
    }

    /// Ends the current row; an empty one is dropped.
    pub fn end_row(&mut self, number: u32, unsaid: &mut Unsaid) {
        let last = self.last();
        if self.filled {
            let cells = &mut self.cells[last.cells..];
            let hidden = unsaid.of_row(number, |column| {
                if let Some(cell) = cells.get_mut(column) {
                    cell.state = CellState::NoValue;
                }
            });
            self.ends.push(RowEnd { number, hidden, cells: self.cells.len(), text: self.text.len() });
        } else {
            self.cells.truncate(last.cells);
            self.text.truncate(last.text);
        }
        self.filled = false;
    }

    /// Passes on every row with its number, until `take` breaks.
    pub fn each<B>(
        &self,
        cells: &mut Cells,
        mut take: impl FnMut(u32, &Cells) -> std::ops::ControlFlow<B>,
    ) -> std::ops::ControlFlow<B> {
        let mut start = RowEnd::default();
        for end in &self.ends {
            cells.read(&self.text, start.text, &self.cells[start.cells..end.cells]);
            cells.hidden = end.hidden;
            take(end.number, cells)?;
            start = *end;
        }
        std::ops::ControlFlow::Continue(())
    }
}

/// Length of a value's text, where it may be long.
fn length(value: &DataRef<'_>) -> usize {
    match value {
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.len(),
        DataRef::SharedString(text) => text.len(),
        _ => 0,
    }
}

/// The cells of one row as text.
#[derive(Default)]
pub struct Cells {
    text: Vec<u8>,
    /// End of each cell, whether it is a number, and what the workbook says about it.
    ends: Vec<(usize, bool, CellState)>,
    hidden: bool,
}

impl Cells {
    /// Loads a row whose cells' text begins at `start`.
    fn read(&mut self, text: &[u8], mut start: usize, cells: &[RawCell]) {
        self.text.clear();
        self.ends.clear();
        for cell in cells {
            match cell.number {
                Some(number) if cell.digits > 0 => write_padded(&mut self.text, number, cell.digits),
                Some(number) => write_float(&mut self.text, number),
                None => self.text.extend_from_slice(&text[start..cell.end]),
            }
            start = cell.end;
            self.ends.push((self.text.len(), cell.is_number, cell.state));
        }
    }
}

impl Row for Cells {
    fn width(&self) -> usize {
        self.ends.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let Some(&(end, number, state)) = self.ends.get(column) else { return Cell::of(b"") };
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before].0);
        Cell { text: &self.text[start..end], number, state }
    }

    fn hidden(&self) -> bool {
        self.hidden
    }
}
