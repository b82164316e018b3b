//! A profile of one column's cells.

use std::collections::HashSet;

use crate::sales::dates::{DateEvidence, clock_seconds};
use crate::sales::numbers::{Decimal, DecimalEvidence, millionths};

/// A profile of one column's cells.
#[derive(Debug, Clone, Default)]
pub struct ColumnProfile {
    /// Non-empty cells.
    pub filled: u64,
    /// The first five different cells, for the user.
    pub samples: Vec<String>,
    /// The cells as dates.
    pub dates: DateEvidence,
    /// Evidence for the decimal mark.
    pub decimals: DecimalEvidence,
    pub(super) numbers: u64,
    pub(super) whole: u64,
    pub(super) small: u64,
    pub(super) negative: u64,
    pub(super) zeros: u64,
    pub(super) clocks: u64,
    pub(super) letters: u64,
    /// E-mail addresses.
    pub(super) addresses: u64,
    /// One word containing a digit: `32`, `A-17`.
    codes: u64,
    weekdays: u64,
    /// The sum of the numbers, in millionths.
    pub(super) sum: i128,
    /// Adjacent equal cells.
    pub(super) repeats: u64,
    pub(super) distinct: HashSet<Vec<u8>>,
    last: Vec<u8>,
}

/// Enough to distinguish a few stores from a menu and from receipt numbers.
pub(super) const DISTINCT: usize = 2_000;
/// Longer cells are truncated for display.
const SAMPLE: usize = 80;

impl ColumnProfile {
    /// Whether an unnamed column may be the stores: words in every one of `rows`, few different ones, repeated.
    #[must_use]
    pub fn may_be_stores(&self, rows: u64) -> bool {
        let names = self.distinct.len() as u64;
        let words =
            self.numbers + self.clocks + self.codes + self.weekdays == 0 && self.letters == self.filled;
        words && self.filled == rows && names > 1 && names * 2 <= rows
    }

    /// Adds a cell.
    pub fn see(&mut self, cell: &[u8]) {
        let cell = cell.trim_ascii();
        if cell.is_empty() {
            return;
        }
        self.filled += 1;
        if self.last == cell {
            self.repeats += 1;
        } else {
            self.last.clear();
            self.last.extend_from_slice(cell);
        }
        if self.distinct.len() < DISTINCT && !self.distinct.contains(cell) {
            if self.samples.len() < 5 {
                let text = String::from_utf8_lossy(cell);
                self.samples.push(text.chars().filter(|c| !c.is_control()).take(SAMPLE).collect());
            }
            self.distinct.insert(cell.to_vec());
        }
        let number = millionths(cell, Decimal::Point).or_else(|_| millionths(cell, Decimal::Comma));
        if let Ok(number) = number {
            self.numbers += 1;
            self.whole +=
                u64::from(number % 1_000_000 == 0 && cell.iter().all(|b| !matches!(b, b'.' | b',')));
            self.small += u64::from(number.abs() <= 100_000_000);
            self.sum += i128::from(number);
            self.negative += u64::from(number < 0);
            self.zeros += u64::from(number == 0);
            self.decimals.see(cell);
        }
        let clock = cell.contains(&b':') && clock_seconds(cell).is_some();
        self.clocks += u64::from(clock);
        if !clock {
            self.dates.see(cell);
        }
        if number.is_err() && cell.iter().any(|b| b.is_ascii_alphabetic() || *b >= 0x80) {
            self.letters += 1;
            self.weekdays += u64::from(is_weekday(cell));
            self.addresses += u64::from(is_address(cell));
        }
        self.codes += u64::from(cell.iter().any(u8::is_ascii_digit) && !cell.contains(&b' '));
    }

    /// The sum of the column's numbers, in millionths; `None` if there are none or on overflow.
    #[must_use]
    pub fn sum(&self) -> Option<i64> {
        if self.is_number() && !self.is_date() { i64::try_from(self.sum).ok() } else { None }
    }

    pub(super) fn mostly(&self, count: u64) -> bool {
        self.filled > 0 && count * 100 >= self.filled * 95
    }

    /// Whether the column contains days (or moments).
    #[must_use]
    pub fn is_date(&self) -> bool {
        self.filled > 0
            && self.clocks * 2 < self.filled
            && self.dates.percent() >= 80
            && !self.dates.only_serial()
    }

    /// Whether the cells are numbers that may be spreadsheet day numbers.
    pub(super) fn may_be_serial(&self) -> bool {
        self.filled > 0 && self.dates.percent() >= 95 && self.dates.only_serial()
    }

    /// Whether its cells are quantities with a unit: `2 pcs`, `0.5 kg`.
    pub(super) fn counts_in_words(&self) -> bool {
        !self.is_number() && self.samples.iter().any(|cell| cell.bytes().any(|byte| byte.is_ascii_digit()))
    }

    pub(super) fn is_number(&self) -> bool {
        self.mostly(self.numbers)
    }

    pub(super) fn is_text(&self) -> bool {
        self.mostly(self.letters) && !self.is_date() && !self.mostly(self.weekdays)
    }

    /// Whether the cells are codes rather than words.
    pub(super) fn is_code(&self) -> bool {
        self.mostly(self.codes)
    }
}

/// Whether a cell is an e-mail address.
fn is_address(cell: &[u8]) -> bool {
    let Some(at) = cell.iter().position(|byte| *byte == b'@') else { return false };
    at > 0 && cell[at..].contains(&b'.') && !cell.iter().any(u8::is_ascii_whitespace)
}

fn is_weekday(cell: &[u8]) -> bool {
    let Some(three) = cell.get(..3) else { return false };
    let three = three.to_ascii_lowercase();
    cell.len() <= 9
        && [&b"mon"[..], b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"].contains(&three.as_slice())
}
