//! POS item usage: bills of materials over time, applied to sales.

use super::names::QuickMap;
use crate::{Factor, Qty};

/// The start of an item's first bill of materials: before any possible sale.
pub const BEGINNING: i32 = -25_567; // 1900-01-01

/// The largest multiplier: a million units of a root item in one POS item.
pub const MAX_MULTIPLIER: Factor = Factor(1_000_000_000_000_000);

/// One version of an item's bill of materials. Items are referred to by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bom {
    /// Its position in the item's edit history.
    pub seq: i64,
    /// First business date it applies to, in days since 1970-01-01.
    pub valid_from: i32,
    /// Root items and the quantity of each per item.
    pub lines: Vec<(u32, Factor)>,
}

impl Bom {
    /// Usage of each root item by `qty` millionths of the item, each rounded to the millionth; `None` on overflow.
    #[must_use]
    pub fn uses(&self, qty: i64) -> Option<Vec<(u32, i64)>> {
        self.lines.iter().map(|(root, multiplier)| Some((*root, Qty(qty).scaled(*multiplier)?.0))).collect()
    }
}

/// All versions of the bills of materials of many items.
#[derive(Debug, Clone, Default)]
pub struct BomBook {
    items: QuickMap<u32, Vec<Bom>>,
}

impl BomBook {
    /// Adds a version of an item's bill of materials.
    pub fn add(&mut self, item: u32, bom: Bom) {
        let versions = self.items.entry(item).or_default();
        let at = versions.partition_point(|v| v.seq <= bom.seq);
        versions.insert(at, bom);
    }

    /// The version in force on a day: the latest edit that covers it.
    #[must_use]
    pub fn at(&self, item: u32, day: i32) -> Option<&Bom> {
        self.items.get(&item)?.iter().rev().find(|bom| bom.valid_from <= day)
    }

    /// A version by its position in the item's history.
    #[must_use]
    pub fn version(&self, item: u32, seq: i64) -> Option<&Bom> {
        self.items.get(&item)?.iter().find(|bom| bom.seq == seq)
    }
}

/// Normalises the lines of a bill of materials: one line per root item, no zeros.
///
/// # Errors
/// The line's position and what is wrong with it.
pub fn checked_lines(lines: &[(String, Factor)]) -> Result<Vec<(String, Factor)>, (usize, String)> {
    let mut merged: Vec<(String, Factor)> = Vec::new();
    for (at, (root, multiplier)) in lines.iter().enumerate() {
        if root.is_empty() {
            return Err((at, "Choose a root item.".to_owned()));
        }
        if multiplier.0 <= 0 {
            return Err((at, "The multiplier must be more than 0.".to_owned()));
        }
        if *multiplier > MAX_MULTIPLIER {
            return Err((at, "The multiplier must be at most 1,000,000.".to_owned()));
        }
        match merged.iter_mut().find(|(seen, _)| seen == root) {
            None => merged.push((root.clone(), *multiplier)),
            Some((_, sum)) => {
                *sum = sum
                    .checked_add(*multiplier)
                    .filter(|sum| *sum <= MAX_MULTIPLIER)
                    .ok_or_else(|| (at, "The multiplier must be at most 1,000,000.".to_owned()))?;
            }
        }
    }
    merged.sort();
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM: u32 = 7;

    fn bom(seq: i64, valid_from: i32, multiplier: i64) -> Bom {
        Bom { seq, valid_from, lines: vec![(8, Factor(multiplier))] }
    }

    #[test]
    fn the_version_in_force_on_the_day_is_used() {
        let mut book = BomBook::default();
        book.add(ITEM, bom(2, 100, 2));
        book.add(ITEM, bom(1, BEGINNING, 1));
        let seq = |day| book.at(ITEM, day).map(|b| b.seq);
        assert_eq!(seq(99), Some(1));
        assert_eq!(seq(100), Some(2));
        assert_eq!(seq(5_000), Some(2));
        // An edit that covers earlier days also wins on the later ones.
        let mut rewritten = book.clone();
        rewritten.add(ITEM, bom(3, 50, 3));
        assert_eq!(rewritten.at(ITEM, 49).map(|b| b.seq), Some(1));
        assert_eq!(rewritten.at(ITEM, 50).map(|b| b.seq), Some(3));
        assert_eq!(rewritten.at(ITEM, 100).map(|b| b.seq), Some(3));
        assert_eq!(book.at(1, 100), None);
        assert_eq!(book.version(ITEM, 1).map(|b| b.valid_from), Some(BEGINNING));
    }

    #[test]
    fn use_is_rounded_half_away_from_zero() {
        let third = bom(1, 0, 333_333_333);
        assert_eq!(third.uses(1_000_000).expect("small")[0].1, 333_333);
        assert_eq!(third.uses(-2_000_000).expect("small")[0].1, -666_667);
        assert_eq!(bom(1, 0, MAX_MULTIPLIER.0).uses(i64::MAX), None);
    }

    #[test]
    fn lines_of_one_root_item_are_one_line() {
        let lines = [("b".to_owned(), Factor(2)), ("a".to_owned(), Factor(1)), ("b".to_owned(), Factor(3))];
        assert_eq!(checked_lines(&lines), Ok(vec![("a".to_owned(), Factor(1)), ("b".to_owned(), Factor(5))]));
        assert!(checked_lines(&[("a".to_owned(), Factor(0))]).is_err());
        assert!(checked_lines(&[(String::new(), Factor(1))]).is_err());
    }
}
