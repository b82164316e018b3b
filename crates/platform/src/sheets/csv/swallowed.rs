//! Finds a quote that is never closed on its line and makes one cell of several rows.

use std::fs::File;
use std::io::Read;

use super::{Lines, Refusal, Style, refuse};

/// A quoted cell that holds what looks like rows of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swallowed {
    /// The line on which the quote begins (from 1).
    pub first_row: u32,
    /// The line on which it is closed, or the last line of the file.
    pub last_row: u32,
    /// The rows read as one cell: from the first one to the last before the closing quote.
    pub lines: u32,
}

/// The first quoted cell of a text that holds line breaks and lines like the rows of the file.
///
/// A cell with an address of several lines has fewer delimiters on its lines than a row has.
pub fn swallowed(file: &File, style: &Style) -> Result<Option<Swallowed>, Refusal> {
    let mut lines = Lines::new(file, style.encoding);
    let mut buffer = vec![0; 256 * 1024];
    let mut search: Option<Search> = None;
    loop {
        let read = lines.read(&mut buffer).map_err(|error| refuse(&error))?;
        let bytes = &buffer[..read];
        if read == 0 {
            return Ok(search.and_then(Search::at_end));
        }
        let search =
            search.get_or_insert_with(|| Search::new(style.delimiter, usual(bytes, style.delimiter)));
        if let Some(found) = search.feed(bytes) {
            return Ok(Some(found));
        }
    }
}

/// The delimiters of a row in a sample: those of its first line, or the most frequent number if that is larger, as below
/// a title. Cells of several lines make the most frequent number too small.
fn usual(sample: &[u8], delimiter: u8) -> usize {
    let lines =
        sample.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.trim_ascii().is_empty());
    let counts = lines.map(|line| line.iter().filter(|byte| **byte == delimiter).count());
    let (mut first, mut seen) = (None, std::collections::BTreeMap::<usize, usize>::new());
    for count in counts {
        first.get_or_insert(count);
        *seen.entry(count).or_default() += 1;
    }
    let frequent = seen.into_iter().max_by_key(|(count, lines)| (*lines, std::cmp::Reverse(*count)));
    first.unwrap_or(0).max(frequent.map_or(0, |(count, _)| count))
}

/// Where in a cell the next byte is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Start,
    Plain,
    Quoted,
    /// After a quote within quotes: it closes the cell, unless another one follows.
    Quote,
}

/// A quoted cell that goes on past its line.
#[derive(Debug, Clone, Copy)]
struct Open {
    row: u32,
    /// Delimiters on its first line.
    first: usize,
    /// Whole lines within it that are not blank, and how many of them look like rows.
    lines: u32,
    alike: u32,
}

struct Search {
    delimiter: u8,
    /// Delimiters of a row.
    usual: usize,
    at: At,
    row: u32,
    /// Delimiters so far on the current line, and whether it holds anything else.
    delimiters: usize,
    filled: bool,
    /// Cells that go on past their line: the one that the current line is within, and one closed on this line.
    open: Option<Open>,
    closed: Option<Open>,
    returned: bool,
}

impl Search {
    fn new(delimiter: u8, usual: usize) -> Self {
        Self {
            delimiter,
            usual,
            at: At::Start,
            row: 1,
            delimiters: 0,
            filled: false,
            open: None,
            closed: None,
            returned: false,
        }
    }

    fn feed(&mut self, bytes: &[u8]) -> Option<Swallowed> {
        let mut bytes = bytes;
        let within =
            self.open.is_some() || self.closed.is_some() || matches!(self.at, At::Quoted | At::Quote);
        // Without quotes only the last line matters.
        if !within
            && !bytes.contains(&b'"')
            && !bytes.contains(&b'\r')
            && let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n')
        {
            let breaks = bytes[..last].iter().filter(|byte| **byte == b'\n').count();
            self.row = self.row.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
            self.at = At::Plain;
            self.returned = false;
            bytes = &bytes[last..];
        }
        bytes.iter().find_map(|byte| self.step(*byte))
    }

    fn step(&mut self, byte: u8) -> Option<Swallowed> {
        let after_return = std::mem::replace(&mut self.returned, byte == b'\r');
        if byte == b'\n' && after_return {
            return None;
        }
        if matches!(byte, b'\n' | b'\r') {
            return self.end_line();
        }
        let delimits = byte == self.delimiter;
        self.delimiters += usize::from(delimits);
        self.filled |= !delimits && !byte.is_ascii_whitespace();
        self.at = match self.at {
            At::Quoted if byte == b'"' => At::Quote,
            At::Quoted => At::Quoted,
            At::Start | At::Quote if byte == b'"' => At::Quoted,
            before => {
                if before == At::Quote {
                    self.close();
                }
                if delimits { At::Start } else { At::Plain }
            }
        };
        None
    }

    /// The cell that came from a line before has ended.
    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.closed = Some(open);
        }
    }

    fn end_line(&mut self) -> Option<Swallowed> {
        if self.at == At::Quote {
            self.close();
        }
        let quoted = self.at == At::Quoted;
        let found = self.closed.take().filter(|closed| self.holds_rows(closed, true));
        if let Some(closed) = found {
            return Some(self.found(closed));
        }
        match &mut self.open {
            Some(open) if self.filled || self.delimiters > 0 => {
                open.lines += 1;
                open.alike += u32::from(self.delimiters >= least(self.usual));
            }
            None if quoted => {
                self.open = Some(Open { row: self.row, first: self.delimiters, lines: 0, alike: 0 });
            }
            _ => {}
        }
        if !quoted {
            self.at = At::Start;
        }
        (self.delimiters, self.filled) = (0, false);
        self.row = self.row.saturating_add(1);
        None
    }

    /// Whether a cell holds lines like rows; if it is closed at once on the next line, whether both lines are whole rows.
    fn holds_rows(&self, cell: &Open, closed: bool) -> bool {
        if self.usual == 0 {
            return false;
        }
        if cell.lines > 0 {
            return cell.alike * 2 > cell.lines;
        }
        closed && cell.first >= self.usual && self.delimiters >= self.usual
    }

    fn found(&self, cell: Open) -> Swallowed {
        Swallowed { first_row: cell.row, last_row: self.row, lines: self.row - cell.row }
    }

    fn at_end(mut self) -> Option<Swallowed> {
        let unfinished = self.filled || self.delimiters > 0;
        if unfinished && let Some(found) = self.end_line() {
            return Some(found);
        }
        let open = self.open.filter(|open| self.holds_rows(open, false))?;
        // The line after the last one has been begun.
        self.row -= 1;
        Some(Swallowed { first_row: open.row, last_row: self.row, lines: self.row - open.row + 1 })
    }
}

/// The delimiters on a line that looks like a row of so many: one may be missing in a wide table.
fn least(usual: usize) -> usize {
    if usual > 2 { usual - 1 } else { usual }
}
