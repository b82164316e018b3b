//! Rows of a text whose columns stand below each other, with nothing but spaces between them.

use std::fs::File;
use std::io::Read;

use larder_domain::sheet::{Cell, Row};

use super::text::{Lines, refuse};
use super::{MAX_ROWS, Refusal, Visitor};

/// Fewer columns are a text.
const LEAST_COLUMNS: usize = 4;
/// Fewer lines with figures show no columns.
const LEAST_LINES: usize = 3;
/// With so many lines one space shows where a column begins, with fewer it takes two.
const SURE: usize = 25;

/// Where the columns of a text begin, counted in letters; `None` where it has none.
pub fn cuts(sample: &str) -> Option<Vec<usize>> {
    let lines: Vec<Vec<char>> =
        sample.lines().take(400).map(|line| line.trim_end().chars().collect()).collect();
    if lines.iter().any(|line| line.contains(&'\t')) {
        return None;
    }
    let gaps = |line: &[char]| line.windows(2).filter(|two| two[0] != ' ' && two[1] == ' ').count();
    let figures: Vec<&Vec<char>> =
        lines.iter().filter(|line| gaps(line) >= 2 && line.iter().any(char::is_ascii_digit)).collect();
    // Lines as long as most are those of the table; a head above it has its own order.
    let mut lengths: Vec<usize> = figures.iter().map(|line| line.len()).collect();
    lengths.sort_unstable();
    let common = *lengths.get(lengths.len() / 2)?;
    let table: Vec<&Vec<char>> =
        figures.into_iter().filter(|line| line.len() + 4 >= common && line.len() <= common + 24).collect();
    if table.len() < LEAST_LINES {
        return None;
    }
    let words = |line: &&Vec<char>| gaps(line) >= 2 && !line.iter().any(char::is_ascii_digit);
    let long = |line: &&Vec<char>| line.len() * 2 > common;
    let names: Vec<&Vec<char>> = lines.iter().filter(words).filter(long).collect();
    let width = table.iter().map(|line| line.len()).max()?;
    let blank = |at: usize| table.iter().all(|line| line.get(at).is_none_or(|c| *c == ' '));
    let wide = if table.len() >= SURE { 1 } else { 2 };
    let mut cuts = vec![0];
    let mut run = 0;
    for at in 0..width {
        if blank(at) {
            run += 1;
            continue;
        }
        if run >= wide && at > run {
            // Names stand further left than figures, and may be longer than the words below them.
            let apart = |cut: &usize| names.iter().all(|line| line.get(cut - 1).is_none_or(|c| *c == ' '));
            cuts.push((at - run + 1..=at).find(apart).unwrap_or(at));
        }
        run = 0;
    }
    (cuts.len() >= LEAST_COLUMNS).then_some(cuts)
}

/// The cells of a line, cut where columns begin. A word that stands across a cut belongs to one cell as a whole:
/// to the one it begins in, if that is empty so far, else it is put behind the last column, where it is noticed.
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
        Cell { text: self.cells.get(column).map_or(b"", |text| text.as_bytes()), number: false }
    }
}

/// Hands every line that holds anything to the visitor.
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
    fn a_figure_across_a_cut_is_not_cut_in_two_unnoticed() {
        assert_eq!(Cut::of("Rice 123456", &[0, 8]).cells, ["Rice 123", "456", "Rice 123456"]);
    }

    #[test]
    fn a_text_has_no_columns() {
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
