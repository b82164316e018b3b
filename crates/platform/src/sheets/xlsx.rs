//! Rows of a workbook's sheet: calamine reads it cell by cell, never a whole sheet at once.

mod rows;
mod unsaid;
mod values;

use std::fs::File;
use std::io::{BufReader, Seek};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use calamine::{DataRef, Reader, SheetType, Style, Xlsx, XlsxError};

use rows::{Cells, Rows};
use unsaid::Unsaid;

use super::csv::too_many;
use super::{MAX_COLUMNS, MAX_ROWS, Refusal, Visitor, unreadable};

/// The most cells of a sheet: a million rows of thirty columns.
const MAX_CELLS: u64 = 32 << 20;
/// The most text of a sheet's cells, in bytes. Cells share texts, so the file size does not limit it.
const MAX_TEXT: u64 = 1 << 30;
/// Parts buffered between the two threads.
const PARTS: usize = 4;

/// Names of the sheets that hold cells.
pub fn sheets(file: &mut File) -> Result<Vec<String>, Refusal> {
    let book = unharmed(|| open(file))?;
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

/// Passes every row of a sheet to the visitor, while another thread decompresses the next ones.
pub fn read(
    file: &mut File,
    sheet: &str,
    wanted: Option<&[usize]>,
    visitor: &mut impl Visitor,
) -> Result<(), Refusal> {
    let (full, parts) = sync_channel::<Rows>(PARTS);
    let (empty, spare) = sync_channel::<Rows>(PARTS + 2);
    std::thread::scope(|scope| {
        // Moved in here, so that a panic while reading also ends the decompression.
        let parts = parts;
        let unpacking = scope.spawn(move || unharmed(|| unpack(file, sheet, wanted, &full, &spare)));
        let read = hand(&parts, &empty, visitor);
        // Lets a blocked sender fail.
        drop(parts);
        let unpacked = match unpacking.join() {
            Ok(unpacked) => unpacked,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        match read? {
            // Errors in rows nobody asked for do not matter.
            Read::Enough => Ok(()),
            Read::All => unpacked,
        }
    })
}

fn open(file: &mut File) -> Result<Xlsx<BufReader<File>>, Refusal> {
    file.rewind().map_err(|error| unreadable(&error))?;
    let file = file.try_clone().map_err(|error| unreadable(&error))?;
    Xlsx::new(BufReader::with_capacity(128 * 1024, file)).map_err(|error| refuse(&error))
}

fn refuse(error: &XlsxError) -> Refusal {
    tracing::debug!(%error, "a workbook was rejected");
    match error {
        XlsxError::Password => Refusal::new("The workbook is protected by a password. Save it without one."),
        _ => damaged(),
    }
}

fn damaged() -> Refusal {
    Refusal::new("The workbook is damaged or was cut off. Save it again and upload it once more.")
}

/// A workbook that makes calamine panic is damaged, like one that it rejects.
fn unharmed<T>(read: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    // What was half read is dropped with the closure, so no broken state is visible.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        tracing::warn!("reading a workbook panicked");
        Err(damaged())
    })
}

/// How far the visitor got.
enum Read {
    Enough,
    All,
}

/// Passes rows that arrive in parts to the visitor.
fn hand(
    parts: &Receiver<Rows>,
    empty: &SyncSender<Rows>,
    visitor: &mut impl Visitor,
) -> Result<Read, Refusal> {
    let mut cells = Cells::default();
    let mut seen = [0; 3];
    for mut part in parts {
        for (seen, more) in seen.iter_mut().zip(part.size()) {
            *seen += more;
        }
        let [rows, all, text] = seen;
        if all > MAX_CELLS || text > MAX_TEXT {
            return Err(Refusal::new(
                "The sheet has more cells or text than can be read. Split it, or export CSV.",
            ));
        }
        // Rows before the first excess one are still passed on.
        let mut left = u64::from(MAX_ROWS).saturating_sub(rows - part.size()[0]);
        let taken = part.each(&mut cells, |number, row| {
            if left == 0 {
                return ControlFlow::Break(Err(too_many()));
            }
            left -= 1;
            visitor.row(number, row).map_break(|()| Ok(Read::Enough))
        });
        if let ControlFlow::Break(outcome) = taken {
            return outcome;
        }
        part.clear();
        // Reused for later rows if needed.
        let _ = empty.try_send(part);
    }
    Ok(Read::All)
}

/// Decompresses a sheet's rows until the receiver is gone.
fn unpack(
    file: &mut File,
    sheet: &str,
    wanted: Option<&[usize]>,
    full: &SyncSender<Rows>,
    spare: &Receiver<Rows>,
) -> Result<(), Refusal> {
    let mut book = open(file)?;
    let nth = book.sheets_metadata().iter().position(|known| known.name == sheet).unwrap_or(0);
    let file = &*file;
    std::thread::scope(|scope| {
        let (sender, unsaid) = unsaid::channel();
        scope.spawn(move || unsaid::find(file, nth, &sender));
        unpack_cells(&mut book, sheet, wanted, unsaid, full, spare)
    })
}

fn unpack_cells(
    book: &mut Xlsx<BufReader<File>>,
    sheet: &str,
    wanted: Option<&[usize]>,
    mut unsaid: Unsaid,
    full: &SyncSender<Rows>,
    spare: &Receiver<Rows>,
) -> Result<(), Refusal> {
    let mut cells = book.worksheet_cells_reader(sheet).map_err(|error| refuse(&error))?;
    let format = |style: &Style| style.number_format.as_ref().map_or(0, |it| values::digits(&it.format_code));
    let digits: Vec<u8> = cells.styles().iter().map(format).collect();
    let mut rows = Rows::default();
    let mut at = 0;
    while let Some((cell, style)) = cells.next_cell_with_style_id().map_err(|error| refuse(&error))? {
        let (row, column) = cell.get_position();
        if row != at {
            rows.end_row(at + 1, &mut unsaid);
            at = row;
            if rows.is_full() {
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
        let value = if skipped { &DataRef::Empty } else { cell.get_value() };
        rows.put(at + 1, column, value, digits.get(style).copied().unwrap_or(0))?;
    }
    rows.end_row(at + 1, &mut unsaid);
    let _last = full.send(rows);
    Ok(())
}

#[cfg(test)]
mod tests;
