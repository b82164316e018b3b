//! Rows of a workbook's sheet, streamed cell by cell.

use std::fs::File;
use std::io::{BufReader, Seek, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use calamine::{DataRef, ExcelDateTime, Reader, SheetType, Xlsx, XlsxError};
use larder_domain::sales::dates::calendar;
use larder_domain::sheet::{Cell, Row};

use super::csv::too_many;
use super::scan::{self, Scanned};
use super::{MAX_COLUMNS, MAX_ROWS, Refusal, Visitor, unreadable};

fn refuse(error: &XlsxError) -> Refusal {
    tracing::debug!(%error, "a workbook was refused");
    match error {
        XlsxError::Password => Refusal::new("The workbook is protected by a password. Save it without one."),
        _ => Refusal::new("The workbook is damaged or was cut off. Save it again and upload it once more."),
    }
}

fn open(file: &mut File) -> Result<Xlsx<BufReader<File>>, Refusal> {
    file.rewind().map_err(|error| unreadable(&error))?;
    let file = file.try_clone().map_err(|error| unreadable(&error))?;
    Xlsx::new(BufReader::with_capacity(128 * 1024, file)).map_err(|error| refuse(&error))
}

/// The names of the sheets that hold cells.
pub fn sheets(file: &mut File) -> Result<Vec<String>, Refusal> {
    let book = open(file)?;
    let names: Vec<String> = book
        .sheets_metadata()
        .iter()
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| sheet.name.clone())
        .collect();
    if names.is_empty() {
        return Err(Refusal::new("The workbook has no sheet with cells."));
    }
    Ok(names)
}

/// Some rows, their cells end to end in one buffer; numbers become text only when somebody looks.
#[derive(Default)]
struct Rows {
    text: Vec<u8>,
    cells: Vec<RawCell>,
    /// The number of each row, and where its cells end.
    ends: Vec<(u32, usize)>,
    /// Whether the row being written holds anything.
    filled: bool,
}

/// Where a cell's text ends, and its number if it is one.
#[derive(Clone, Copy)]
struct RawCell {
    end: usize,
    number: Option<f64>,
    is_number: bool,
}

impl Rows {
    fn clear(&mut self) {
        self.text.clear();
        self.cells.clear();
        self.ends.clear();
        self.filled = false;
    }

    /// Cells of the row being written.
    fn width(&self) -> usize {
        self.cells.len() - self.start()
    }

    fn start(&self) -> usize {
        self.ends.last().map_or(0, |(_, end)| *end)
    }

    fn put(&mut self, column: usize, value: &DataRef<'_>) {
        while self.width() < column {
            self.cells.push(RawCell { end: self.text.len(), number: None, is_number: false });
        }
        let before = self.text.len();
        let is_number = self.write(value);
        let number = if let DataRef::Float(number) = value { Some(*number) } else { None };
        self.filled |= number.is_some() || self.text.len() > before;
        self.cells.push(RawCell { end: self.text.len(), number, is_number });
    }

    /// Writes a value as text, but for the most frequent kind of number; whether it was a number.
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

    /// Ends the row being written; one without anything in it is none.
    fn end_row(&mut self, number: u32) {
        if self.filled {
            self.ends.push((number, self.cells.len()));
        } else {
            self.cells.truncate(self.start());
            self.text.truncate(self.cells.last().map_or(0, |cell| cell.end));
        }
        self.filled = false;
    }
}

/// One row's cells as text.
#[derive(Default)]
struct Cells {
    text: Vec<u8>,
    /// Where each cell ends, and whether it is a number.
    ends: Vec<(usize, bool)>,
}

impl Cells {
    /// Takes over one row, whose cells' text begins at `start`.
    fn read(&mut self, text: &[u8], mut start: usize, cells: &[RawCell]) {
        self.text.clear();
        self.ends.clear();
        for cell in cells {
            match cell.number {
                Some(number) => write_float(&mut self.text, number),
                None => self.text.extend_from_slice(&text[start..cell.end]),
            }
            start = cell.end;
            self.ends.push((self.text.len(), cell.is_number));
        }
    }
}

impl Row for Cells {
    fn width(&self) -> usize {
        self.ends.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let Some(&(end, number)) = self.ends.get(column) else { return Cell { text: b"", number: false } };
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before].0);
        Cell { text: &self.text[start..end], number }
    }
}

/// The decimal a spreadsheet shows for a cell: the shortest one that is the same number, and of
/// what a formula computed only the 15 digits a spreadsheet keeps.
pub fn write_float(out: &mut Vec<u8>, number: f64) {
    let start = out.len();
    if number.fract() == 0.0 && number.abs() < 1e15 {
        // Exact, and much faster than the general way.
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 15 digits")]
        let whole = number as i64;
        let _ = write!(out, "{whole}");
        return;
    }
    let _ = write!(out, "{number}");
    let decimals = out[start..].iter().rposition(|b| *b == b'.').map_or(0, |at| out.len() - start - at - 1);
    if decimals > 6 && number.is_finite() && number.abs() < 1e15 {
        let whole = format!("{:.0}", number.abs().trunc()).len();
        out.truncate(start);
        let _ = write!(out, "{number:.*}", 15usize.saturating_sub(whole));
        while out.last() == Some(&b'0') {
            out.pop();
        }
        if out.last() == Some(&b'.') {
            out.pop();
        }
    }
}

/// A moment as `2019-08-03 20:25:00`; without a day only the time, without a time only the day.
pub fn write_moment(out: &mut Vec<u8>, moment: &ExcelDateTime) {
    // Counted from 1899-12-30; whether the file counts from 1904 only the library knows.
    let serial = if moment.is_datetime() && moment.as_f64() >= 1.0 {
        let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
        let clock =
            (u32::from(hour) * 3_600 + u32::from(minute) * 60 + u32::from(second)) * 1_000 + u32::from(milli);
        let seconds = (clock + 500) / 1_000;
        let days = larder_domain::sales::dates::civil(i32::from(year), u32::from(month), u32::from(day));
        days.map(|days| (days, seconds))
    } else {
        None
    };
    match serial {
        Some((day, seconds)) => {
            let (day, seconds) = if seconds >= 86_400 { (day + 1, seconds - 86_400) } else { (day, seconds) };
            let (year, month, date) = calendar(day);
            let _ = write!(out, "{year:04}-{month:02}-{date:02}");
            if seconds > 0 {
                let _ = write!(out, " {:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
            }
        }
        None => {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a day")]
            let seconds = (moment.as_f64().fract().abs() * 86_400.0).round().clamp(0.0, 86_399.0) as u32;
            let _ = write!(out, "{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
        }
    }
}

/// Rows that travel together from the thread that unpacks to the one that reads them.
const ROWS_AT_ONCE: usize = 1_024;
/// Parts on the way.
const PARTS: usize = 4;

/// Hands every row of a sheet to the visitor. What the quick reader does not know is left to the full one,
/// which gives the same rows.
pub fn read(
    file: &mut File,
    sheet: &str,
    wanted: Option<&[usize]>,
    visitor: &mut impl Visitor,
) -> Result<(), Refusal> {
    match scan::read(file, sheet, wanted, visitor)? {
        Scanned::Whole => Ok(()),
        Scanned::Until(rows) => {
            tracing::debug!(rows, "a sheet is read by the full reader from here on");
            read_any(file, sheet, wanted, rows, visitor)
        }
    }
}

/// Hands every row after some to the visitor, whatever XML it is written in. The workbook is unpacked on a thread of its own.
pub fn read_any(
    file: &mut File,
    sheet: &str,
    wanted: Option<&[usize]>,
    after: u32,
    visitor: &mut impl Visitor,
) -> Result<(), Refusal> {
    let (full, parts) = sync_channel::<Rows>(PARTS);
    let (empty, spare) = sync_channel::<Rows>(PARTS + 2);
    std::thread::scope(|scope| {
        // Moved in here, so that a panic while reading ends the unpacking too.
        let parts = parts;
        let unpacking = scope.spawn(move || unpack(file, sheet, wanted, &full, &spare));
        let read = hand(&parts, &empty, after, visitor);
        // Who waits to hand over more hears that nobody takes it.
        drop(parts);
        let unpacked = match unpacking.join() {
            Ok(unpacked) => unpacked,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        read.and(unpacked)
    })
}

/// Hands rows that come in parts to the visitor.
fn hand(
    parts: &Receiver<Rows>,
    empty: &SyncSender<Rows>,
    after: u32,
    visitor: &mut impl Visitor,
) -> Result<(), Refusal> {
    let mut cells = Cells::default();
    let mut rows = 0;
    for mut part in parts {
        let (mut first, mut text) = (0, 0);
        for (number, end) in &part.ends {
            rows += 1;
            if rows > MAX_ROWS {
                return Err(too_many());
            }
            cells.read(&part.text, text, &part.cells[first..*end]);
            text = part.cells[..*end].last().map_or(0, |cell| cell.end);
            first = *end;
            if rows <= after {
                continue;
            }
            if visitor.row(*number, &cells).is_break() {
                return Ok(());
            }
        }
        part.clear();
        // Kept for the next rows, if it is needed.
        let _ = empty.try_send(part);
    }
    Ok(())
}

/// Unpacks a sheet's rows until nobody takes them any more.
fn unpack(
    file: &mut File,
    sheet: &str,
    wanted: Option<&[usize]>,
    full: &SyncSender<Rows>,
    spare: &Receiver<Rows>,
) -> Result<(), Refusal> {
    let mut book = open(file)?;
    let mut cells = book.worksheet_cells_reader(sheet).map_err(|error| refuse(&error))?;
    let mut rows = Rows::default();
    let mut at = 0;
    while let Some(cell) = cells.next_cell().map_err(|error| refuse(&error))? {
        let (number, column) = cell.get_position();
        if number != at {
            rows.end_row(at + 1);
            at = number;
            if rows.ends.len() >= ROWS_AT_ONCE {
                let next = spare.try_recv().unwrap_or_default();
                if full.send(std::mem::replace(&mut rows, next)).is_err() {
                    return Ok(());
                }
            }
        }
        let column = column as usize;
        let skipped = wanted.is_some_and(|wanted| !wanted.contains(&column));
        if column >= MAX_COLUMNS || column < rows.width() {
            continue;
        }
        rows.put(column, if skipped { &DataRef::Empty } else { cell.get_value() });
    }
    rows.end_row(at + 1);
    let _last = full.send(rows);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_a_spreadsheet_shows_them() {
        let text = |number: f64| {
            let mut out = Vec::new();
            write_float(&mut out, number);
            String::from_utf8(out).expect("digits")
        };
        assert_eq!(text(12.95), "12.95");
        assert_eq!(text(-3.0), "-3");
        assert_eq!(text(0.1 + 0.2), "0.3");
        assert_eq!(text(447.510_000_000_000_05), "447.51");
        assert_eq!(text(43_680.850_694_444_445), "43680.8506944444");
    }
}
