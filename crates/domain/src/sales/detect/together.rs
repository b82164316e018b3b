//! Correlations between columns.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use crate::sales::numbers::{Decimal, millionths};

/// Rows kept for correlation.
const KEPT_ROWS: usize = 4_000;

/// Correlated columns in the first rows: a code and its name, a price and its item.
#[derive(Debug, Clone, Default)]
pub struct Together {
    rows: Vec<Vec<Kept>>,
}

/// A cell, reduced to what comparison needs.
#[derive(Debug, Clone, Copy)]
struct Kept {
    hash: u64,
    number: Option<i64>,
    /// The number with a decimal comma, where that is another one.
    comma: Option<i64>,
}

impl Together {
    /// Adds a row.
    pub fn see<'a>(&mut self, cells: impl Iterator<Item = &'a [u8]>) {
        if self.rows.len() < KEPT_ROWS {
            let kept = |cell: &[u8]| {
                let cell = cell.trim_ascii();
                let number = millionths(cell, Decimal::Point).or_else(|_| millionths(cell, Decimal::Comma));
                let marked = cell.iter().any(|byte| matches!(byte, b'.' | b','));
                let comma = if marked { millionths(cell, Decimal::Comma).ok() } else { number.ok() };
                Kept { hash: hash_of(cell), number: number.ok(), comma }
            };
            self.rows.push(cells.map(kept).collect());
        }
    }

    /// Whether `from` determines `to`: of every hundred rows with a repeated value of `from`, at least 98 have the same
    /// value of `to`. Empty cells say nothing.
    pub(super) fn tells(&self, from: usize, to: usize) -> bool {
        let empty = empty_hash();
        let mut first: HashMap<u64, u64> = HashMap::new();
        let (mut again, mut same) = (0u32, 0u32);
        for row in &self.rows {
            let (Some(from), Some(to)) = (row.get(from), row.get(to)) else { continue };
            if from.hash == empty || to.hash == empty {
                continue;
            }
            match first.get(&from.hash) {
                None => {
                    first.insert(from.hash, to.hash);
                }
                Some(known) => {
                    again += 1;
                    same += u32::from(*known == to.hash);
                }
            }
        }
        same * 100 >= again * 98
    }

    /// Whether `tells` had evidence: values that occur more than once.
    pub(super) fn repeats(&self, column: usize) -> bool {
        let cells: HashSet<u64> = self.rows.iter().filter_map(|row| Some(row.get(column)?.hash)).collect();
        cells.len() * 10 <= self.rows.len() * 9
    }

    /// Whether a column can be the line amount: at most quantity × price, and not a small part of it. A receipt total
    /// repeated on each line cannot.
    pub(super) fn is_line_amount(&self, net: usize, price: usize, quantity: Option<usize>) -> bool {
        let (mut seen, mut fit) = (0u32, 0u32);
        for row in &self.rows {
            let number = |column: usize| row.get(column).and_then(|cell| cell.number).map(i128::from);
            let quantity = quantity.map_or(Some(1_000_000), number);
            let (Some(net), Some(price), Some(quantity)) = (number(net), number(price), quantity) else {
                continue;
            };
            // A discount on a line of its own has no price.
            if price == 0 && net < 0 {
                continue;
            }
            let gross = (price * quantity / 1_000_000).abs();
            let line = gross.max(price.abs());
            seen += 1;
            fit +=
                u32::from(net.abs() <= line + line / 20 + 20_000 && net.abs() * 2 >= gross.min(price.abs()));
        }
        fit * 10 >= seen * 8
    }

    /// Whether a column is the net amount and the discount in every row that has all three, some of them with a discount.
    pub(super) fn is_before_discount(&self, column: usize, net: usize, discount: usize) -> bool {
        let mut taken_off = false;
        for row in &self.rows {
            let number = |at: usize| row.get(at).and_then(|cell| cell.number).map(i128::from);
            let (Some(gross), Some(net), Some(off)) = (number(column), number(net), number(discount)) else {
                continue;
            };
            if gross.abs() != net.abs() + off.abs() {
                return false;
            }
            taken_off |= off != 0;
        }
        taken_off
    }

    /// A column's cells on receipts with several lines: receipts with the same amount on all lines, and receipts with
    /// different ones. An amount on one line only is neither. A receipt is told by its number's column and those `with`
    /// it: tills may count the same numbers.
    pub(super) fn on_receipts(&self, receipt: usize, with: &[usize], column: usize) -> (u32, u32) {
        let (mut same, mut varied) = (0, 0);
        let key = |row: &Vec<Kept>| -> Vec<Option<u64>> {
            std::iter::once(&receipt).chain(with).map(|at| row.get(*at).map(|cell| cell.hash)).collect()
        };
        for lines in self.rows.chunk_by(|a, b| key(a) == key(b)) {
            let empty = lines[0].get(receipt).is_none_or(|cell| cell.hash == empty_hash());
            if lines.len() < 2 || empty {
                continue;
            }
            let amounts: Vec<i64> =
                lines.iter().map(|row| row.get(column).and_then(|cell| cell.number).unwrap_or(0)).collect();
            let there = amounts.iter().filter(|amount| **amount != 0).count();
            if there == lines.len() && amounts.iter().all(|amount| *amount == amounts[0]) {
                same += 1;
            } else if there > 1 {
                varied += 1;
            }
        }
        (same, varied)
    }

    /// Of the rows that repeat an item with another quantity, the number with the same price, and the number with a
    /// price that grew with the quantity.
    pub(super) fn price_and_quantity(&self, item: usize, price: usize, quantity: usize) -> (u32, u32) {
        let mut first: HashMap<u64, (i128, i128)> = HashMap::new();
        let (mut same, mut scaled) = (0, 0);
        for row in &self.rows {
            let number = |column: usize| row.get(column).and_then(|cell| cell.number).map(i128::from);
            let (Some(item), Some(price), Some(quantity)) = (row.get(item), number(price), number(quantity))
            else {
                continue;
            };
            let (was, of) = *first.entry(item.hash).or_insert((price, quantity));
            if quantity == of || price == 0 {
                continue;
            }
            same += u32::from(price == was);
            scaled += u32::from(price * of == was * quantity);
        }
        (same, scaled)
    }

    /// Whether a column is filled on the first of several lines of each receipt, and empty on the others.
    pub(super) fn first_lines_only(&self, receipt: usize, column: usize) -> bool {
        let key = |row: &Vec<Kept>| row.get(receipt).map(|cell| cell.hash);
        let filled = |row: &Vec<Kept>| row.get(column).is_some_and(|cell| cell.hash != empty_hash());
        let mut several = self
            .rows
            .chunk_by(|a, b| key(a) == key(b))
            .filter(|lines| lines.len() > 1 && key(&lines[0]) != Some(empty_hash()))
            .peekable();
        several.peek().is_some() && several.all(|lines| filled(&lines[0]) && !lines[1..].iter().any(filled))
    }

    /// Whether all rows with a word have a positive quantity, and no receipt of theirs has rows with another word: the
    /// word is about the sale itself, not about a return of it.
    pub(super) fn given_back(
        &self,
        column: usize,
        word: &[u8],
        quantity: usize,
        receipt: Option<usize>,
    ) -> bool {
        let word = hash_of(word);
        let cell = |row: &[Kept], at: usize| row.get(at).copied();
        let says = |row: &&Vec<Kept>| cell(row, column).is_some_and(|cell| cell.hash == word);
        let sold = |row: &Vec<Kept>| cell(row, quantity).and_then(|cell| cell.number).is_some_and(|n| n > 0);
        let receipts: HashSet<u64> = self
            .rows
            .iter()
            .filter(says)
            .filter_map(|row| Some(cell(row, receipt?)?.hash))
            .filter(|receipt| *receipt != empty_hash())
            .collect();
        let other = |row: &Vec<Kept>| {
            let of = receipt.and_then(|at| cell(row, at)).is_some_and(|cell| receipts.contains(&cell.hash));
            of && cell(row, column).is_some_and(|cell| cell.hash != word && cell.hash != empty_hash())
        };
        let mut rows = self.rows.iter().filter(says).peekable();
        rows.peek().is_some() && rows.all(sold) && !self.rows.iter().any(other)
    }

    /// The decimal marks of quantity, price and net with which quantity × price is the net on most rows, if it is not with
    /// `mark` for all of them and with one other choice only.
    pub(super) fn marks(&self, places: [usize; 3], mark: Decimal) -> Option<[Decimal; 3]> {
        let fit = |marks: [Decimal; 3]| {
            let (mut seen, mut fit) = (0u32, 0u32);
            for row in &self.rows {
                let number = |at: usize| {
                    let cell = row.get(places[at])?;
                    let read = if marks[at] == Decimal::Comma { cell.comma } else { cell.number };
                    read.map(i128::from)
                };
                if row.get(places[1]).is_none_or(|cell| cell.hash == empty_hash()) {
                    continue;
                }
                seen += 1;
                let (Some(qty), Some(price), Some(net)) = (number(0), number(1), number(2)) else { continue };
                fit += u32::from((qty * price / 1_000_000 - net).abs() <= 10_000);
            }
            (seen > 0 && fit * 10 >= seen * 6).then_some(fit)
        };
        if fit([mark; 3]).is_some() {
            return None;
        }
        let both = [Decimal::Point, Decimal::Comma];
        let all = both.into_iter().flat_map(|qty| {
            both.into_iter().flat_map(move |price| both.into_iter().map(move |net| [qty, price, net]))
        });
        let mut fitting: Vec<(u32, usize, [Decimal; 3])> = all
            .filter_map(|marks| Some((fit(marks)?, marks.iter().filter(|own| **own == mark).count(), marks)))
            .collect();
        // The most rows, then the fewest exceptions.
        fitting.sort_by_key(|(fit, same, _)| (*fit, *same));
        fitting.pop().map(|(_, _, marks)| marks)
    }

    /// Whether a column is the sum of others in every row where it is set.
    pub(super) fn is_sum(&self, column: usize, of: &[usize]) -> bool {
        let number = |row: &[Kept], at: usize| row.get(at).and_then(|cell| cell.number).map(i128::from);
        let mut stated = self.rows.iter().filter_map(|row| Some((number(row, column)?, row))).peekable();
        stated.peek().is_some()
            && stated.all(|(sum, row)| of.iter().map(|at| number(row, *at).unwrap_or(0)).sum::<i128>() == sum)
    }
}

fn hash_of(cell: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    cell.hash(&mut hasher);
    hasher.finish()
}

fn empty_hash() -> u64 {
    hash_of(b"")
}
