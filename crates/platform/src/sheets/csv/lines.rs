//! Rows of a delimited text of which each line is a row, whatever its quotes.

use std::fs::File;
use std::io::Read;

use super::{Cell, Row};
use super::{Lines, MAX_ROWS, Refusal, Style, Visitor, refuse, too_many};

/// The cells of a line end to end, and the end of each.
#[derive(Default)]
struct Line {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Line {
    /// Splits a line at its delimiters. A cell in quotes may hold them; a quote that is not closed is text.
    fn split(&mut self, line: &[u8], delimiter: u8) {
        self.text.clear();
        self.ends.clear();
        let mut rest = Some(line);
        while let Some(cell) = rest {
            let unquoted = match cell.strip_prefix(b"\"") {
                Some(inner) => self.quoted(inner),
                None => None,
            };
            let cell = unquoted.unwrap_or(cell);
            let end = cell.iter().position(|byte| *byte == delimiter);
            self.text.extend_from_slice(&cell[..end.unwrap_or(cell.len())]);
            self.ends.push(self.text.len());
            rest = end.map(|end| &cell[end + 1..]);
        }
    }

    /// Appends the text up to the closing quote, and returns what comes after it; `None` if there is no closing quote.
    fn quoted<'a>(&mut self, inner: &'a [u8]) -> Option<&'a [u8]> {
        let begins = self.text.len();
        let mut rest = inner;
        while let Some(end) = rest.iter().position(|byte| *byte == b'"') {
            self.text.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix(b"\"") {
                Some(more) => {
                    self.text.push(b'"');
                    rest = more;
                }
                None => return Some(rest),
            }
        }
        self.text.truncate(begins);
        None
    }
}

impl Row for Line {
    fn width(&self) -> usize {
        self.ends.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let Some(end) = self.ends.get(column) else { return Cell::of(b"") };
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before]);
        Cell::of(&self.text[start..*end])
    }
}

/// Passes every line that is not blank to the visitor, with its number.
pub fn read(file: &File, style: &Style, visitor: &mut impl Visitor) -> Result<(), Refusal> {
    let (mut cells, mut rows) = (Line::default(), 0);
    each(file, style, |number, line| {
        cells.split(line, style.delimiter);
        if cells.text.trim_ascii().is_empty() {
            return Ok(true);
        }
        rows += 1;
        if rows > MAX_ROWS {
            return Err(too_many());
        }
        Ok(visitor.row(number, &cells).is_continue())
    })
}

/// Passes every line with its number (from 1) and without its end, while `take` says so.
fn each(
    file: &File,
    style: &Style,
    mut take: impl FnMut(u32, &[u8]) -> Result<bool, Refusal>,
) -> Result<(), Refusal> {
    let mut lines = Lines::new(file, style.encoding);
    let mut buffer = vec![0; 256 * 1024];
    let (mut rest, mut number) = (Vec::new(), 0u32);
    loop {
        let read = lines.read(&mut buffer).map_err(|error| refuse(&error))?;
        rest.extend_from_slice(&buffer[..read]);
        let mut start = 0;
        // Lines end with a line feed, a carriage return or both.
        while let Some(end) = rest[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let end = start + end;
            let pair = rest[end] == b'\r' && rest.get(end + 1) == Some(&b'\n');
            if rest[end] == b'\r' && end + 1 == rest.len() && read > 0 {
                // The line feed may come with the next bytes.
                break;
            }
            number += 1;
            if !take(number, &rest[start..end])? {
                return Ok(());
            }
            start = end + 1 + usize::from(pair);
        }
        rest.drain(..start);
        if read == 0 {
            return if rest.is_empty() { Ok(()) } else { take(number + 1, &rest).map(drop) };
        }
    }
}
