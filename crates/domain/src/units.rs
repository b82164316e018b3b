//! The units of measure a product is counted in, and how they convert.
//!
//! A product has a base unit and lines «1 from = factor to». Every unit that a chain of lines ties to the
//! base has one exact ratio to it; [`check`] refuses lines that contradict each other, so every chain says
//! the same. Where nine decimals cannot hold a factor (1 piece = 0.333333333 packs) chains differ by what was
//! rounded away; then the chain with the fewest lines is used, and of equally long ones the one whose units
//! come first by id, whatever the order of the lines.
//!
//! Ratios are exact fractions. Rounding happens once, at the end, half away from zero: to the millionth in
//! [`Units::convert`], to nine decimals in [`Units::factor`]. Into a smaller unit and back a quantity stays
//! exactly itself; into a larger one it loses what a millionth of that unit cannot hold.

mod check;
mod ratio;
#[cfg(test)]
mod tests;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

pub use check::{Finding, Used, check};
pub use ratio::Ratio;
pub use whole::{comes_whole, is_measure};

use crate::{Factor, Qty};

/// A line of a product's conversions: 1 `from` is `factor` of `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conversion<'a> {
    /// The unit there is one of.
    pub from: &'a str,
    /// The unit it is counted in.
    pub to: &'a str,
    /// How many of it.
    pub factor: Factor,
}

/// The units of a product that are tied to its base unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Units<'a> {
    /// How many base units one of each is.
    ratios: BTreeMap<&'a str, Ratio>,
}

impl<'a> Units<'a> {
    /// Every unit that can be reached from `base`. Lines that [`check`] refuses for themselves count for nothing.
    #[must_use]
    pub fn new(base: &'a str, conversions: &[Conversion<'a>]) -> Self {
        let mut neighbours: BTreeMap<&str, BTreeMap<&str, Ratio>> = BTreeMap::new();
        let mut lines = conversions.to_vec();
        lines.sort_unstable();
        for line in lines.iter().filter(|line| line.from != line.to) {
            let Some(ratio) = Ratio::of(line.factor) else { continue };
            // From the unit that is known to the one that is not: how many of the known one is it?
            neighbours.entry(line.from).or_default().entry(line.to).or_insert(ratio.inverse());
            neighbours.entry(line.to).or_default().entry(line.from).or_insert(ratio);
        }
        let mut ratios = BTreeMap::from([(base, Ratio::one())]);
        let mut reached = BTreeSet::from([base]);
        while !reached.is_empty() {
            let mut next = BTreeSet::new();
            for unit in reached {
                let Some(known) = ratios.get(unit).cloned() else { continue };
                for (other, ratio) in neighbours.get(unit).into_iter().flatten() {
                    if !ratios.contains_key(other) {
                        ratios.insert(other, known.times(ratio));
                        next.insert(*other);
                    }
                }
            }
            reached = next;
        }
        Self { ratios }
    }

    /// Whether a unit is the base unit or tied to it.
    #[must_use]
    pub fn knows(&self, unit: &str) -> bool {
        self.ratios.contains_key(unit)
    }

    /// How many of `to` one `from` is, exactly.
    #[must_use]
    pub fn ratio(&self, from: &str, to: &str) -> Option<Ratio> {
        Some(self.ratios.get(from)?.times(&self.ratios.get(to)?.inverse()))
    }

    /// How many of `to` one `from` is, as it is copied onto a document's line: to nine decimals. `None` for
    /// unknown units, and where nine decimals cannot say it.
    #[must_use]
    pub fn factor(&self, from: &str, to: &str) -> Option<Factor> {
        self.ratio(from, to)?.factor()
    }

    /// A quantity counted in another unit, to the millionth. `None` for unknown units, and past what can be kept.
    #[must_use]
    pub fn convert(&self, qty: Qty, from: &str, to: &str) -> Option<Qty> {
        self.ratio(from, to)?.of_qty(qty)
    }
}
