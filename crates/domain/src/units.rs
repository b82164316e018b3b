//! A product's units of measure, and their conversion.
//!
//! A product has a base unit and lines «1 from = factor to». Every unit connected to the base by a chain of lines has
//! one exact ratio to it; [`check`] refuses contradictory lines, so every chain gives the same ratio. Where nine
//! decimals cannot represent a factor (1 piece = 0.333333333 packs) chains differ by rounding; then the chain with the
//! fewest lines is used, and of equally long ones the one whose units come first by id, regardless of the order of
//! lines.
//!
//! Ratios are exact fractions. Rounding happens once, at the end, half away from zero: to the millionth in
//! [`Units::convert`], to nine decimals in [`Units::factor`]. Converting to a smaller unit and back is lossless;
//! converting to a larger one loses what a millionth of that unit cannot represent.

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
    /// The unit of which there is one.
    pub from: &'a str,
    /// The unit it is expressed in.
    pub to: &'a str,
    pub factor: Factor,
}

/// The units of a product that are connected to its base unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Units<'a> {
    /// Base units per unit.
    ratios: BTreeMap<&'a str, Ratio>,
}

impl<'a> Units<'a> {
    /// All units connected to `base`. Lines that [`check`] refuses on their own are ignored.
    #[must_use]
    pub fn new(base: &'a str, conversions: &[Conversion<'a>]) -> Self {
        let mut neighbours: BTreeMap<&str, BTreeMap<&str, Ratio>> = BTreeMap::new();
        let mut lines = conversions.to_vec();
        lines.sort_unstable();
        for line in lines.iter().filter(|line| line.from != line.to) {
            let Some(ratio) = Ratio::of(line.factor) else { continue };
            // From the known unit to the unknown one: how many known units is it?
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

    /// Whether a unit is the base unit or connected to it.
    #[must_use]
    pub fn knows(&self, unit: &str) -> bool {
        self.ratios.contains_key(unit)
    }

    /// `to` units per `from`, exactly.
    #[must_use]
    pub fn ratio(&self, from: &str, to: &str) -> Option<Ratio> {
        Some(self.ratios.get(from)?.times(&self.ratios.get(to)?.inverse()))
    }

    /// `to` units per `from`, to nine decimals, as copied onto document lines. `None` for unknown units, and where nine
    /// decimals cannot represent it.
    #[must_use]
    pub fn factor(&self, from: &str, to: &str) -> Option<Factor> {
        self.ratio(from, to)?.factor()
    }

    /// A quantity converted to another unit, to the millionth. `None` for unknown units, and on overflow.
    #[must_use]
    pub fn convert(&self, qty: Qty, from: &str, to: &str) -> Option<Qty> {
        self.ratio(from, to)?.of_qty(qty)
    }
}
