//! Rows of a fixed-width text.

use std::fs::File;
use std::io::Read;

use larder_domain::sheet::{Cell, Row};

use super::text::{Lines, refuse};
use super::{MAX_ROWS, Refusal, Visitor};

/// The cells of a line, split at column positions. A word across a boundary stays whole: it goes to the cell
/// it begins in, if that is empty so far, else into an extra last column, where it is noticed.
struct Cut {
    cells: Vec<String>,
}

impl Cut {
    fn of(line: &str, cuts: &[usize]) -> Self {
        let mut cells = vec![String::new(); cuts.len()];
        let letters: Vec<char> = line.chars().collect();
        let mut odd = None;
        for (column, start) in cuts.iter().enumerate() {
            let end = cuts.get(column + 1).copied().unwrap_or(letters.len()).min(letters.len());
            if *start >= end {
                continue;
            }
            cells[column] = letters[*start..end].iter().collect::<String>().trim().to_owned();
            let across = *start > 0 && letters[*start - 1] != ' ' && letters[*start] != ' ';
            if across && (letters[*start].is_ascii_digit() || letters[*start - 1].is_ascii_digit()) {
                odd.get_or_insert(column);
            }
        }
        if let Some(column) = odd {
            cells.push(format!("{}{}", cells[column - 1], cells[column]));
        }
        Self { cells }
    }
}

impl Row for Cut {
    fn width(&self) -> usize {
        self.cells.len()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        Cell::of(self.cells.get(column).map_or(b"", |text| text.as_bytes()))
    }
}

/// Passes every line that is not blank to the visitor.
pub fn read(
    file: &File,
    encoding: &'static encoding_rs::Encoding,
    cuts: &[usize],
    visitor: &mut impl Visitor,
) -> Result<(), Refusal> {
    let mut lines = Lines::new(file, encoding);
    let mut buffer = vec![0; 256 * 1024];
    let mut rest: Vec<u8> = Vec::new();
    let (mut number, mut rows) = (0u32, 0u32);
    let mut hand = |line: &[u8], number: u32| {
        let text = String::from_utf8_lossy(line);
        let drawn = text.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '=' | '_' | '*' | '+' | '|'));
        if drawn {
            return Ok(true);
        }
        rows += 1;
        if rows > MAX_ROWS {
            return Err(super::csv::too_many());
        }
        Ok(visitor.row(number, &Cut::of(text.trim_end(), cuts)).is_continue())
    };
    loop {
        let read = lines.read(&mut buffer).map_err(|error| refuse(&error))?;
        if read == 0 {
            break;
        }
        rest.extend_from_slice(&buffer[..read]);
        let mut start = 0;
        while let Some(end) = rest[start..].iter().position(|byte| *byte == b'\n') {
            number += 1;
            if !hand(&rest[start..start + end], number)? {
                return Ok(());
            }
            start += end + 1;
        }
        rest.drain(..start);
    }
    if !rest.is_empty() {
        hand(&rest, number + 1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::cuts::cuts;
    use super::*;

    const REPORT: &str = "DAILY ITEM SALES   BRANCH: MAKATI\n\n\
        DATE        ITEM                 QTY     AMOUNT\n\
        ----------  ------------------  ----  ---------\n\
        2026-11-01  Iced Tea Large         2     150.00\n\
        2026-11-01  Rice                  12   1,200.00\n\
        2026-11-02  Chicken Inasal         1      99.50\n";

    #[test]
    fn columns_are_found_by_the_spaces_between_them() {
        let cuts = cuts(REPORT).expect("columns");
        let line = REPORT.lines().nth(5).expect("a line");
        assert_eq!(Cut::of(line, &cuts).cells, ["2026-11-01", "Rice", "12", "1,200.00"]);
    }

    #[test]
    fn a_figure_across_a_boundary_is_not_split() {
        assert_eq!(Cut::of("Rice 123456", &[0, 8]).cells, ["Rice 123", "456", "Rice 123456"]);
    }

    #[test]
    fn prose_has_no_columns() {
        assert_eq!(cuts("Dear all,\nplease find the 3 sales of today.\nBest, Ana 5\n"), None);
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(text in "[ a0-9\n\u{e9}]{0,200}") {
            if let Some(cuts) = cuts(&text) {
                for line in text.lines() {
                    let _ = Cut::of(line, &cuts);
                }
            }
        }
    }
}
