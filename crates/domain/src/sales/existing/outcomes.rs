//! What the choices about a second file lead to, and which of them differ.

use super::{Composed, How, compose};
use crate::sales::day::{StoreDay, Totals};

/// What a store-day comes to after each choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcomes {
    /// For each of [`How::ALL`] the sums, and the place of the plainest one that leaves the same sales.
    each: [(Totals, usize); How::ALL.len()],
}

impl Outcomes {
    /// Of a store-day with these parts, in the order of posting, when `comes` brings further sales of it.
    #[must_use]
    pub fn of(parts: &[(How, &StoreDay)], comes: &StoreDay) -> Self {
        let mut parts = parts.to_vec();
        let after: [Option<Composed>; How::ALL.len()] = How::ALL.map(|how| {
            parts.push((how, comes));
            let composed = compose(&parts);
            parts.pop();
            composed
        });
        let each = std::array::from_fn(|at| {
            let sums = after[at].as_ref().map(|composed| composed.day.totals()).unwrap_or_default();
            (sums, after.iter().position(|plainer| *plainer == after[at]).unwrap_or(at))
        });
        Self { each }
    }

    /// The sums after each choice, the plainest first.
    pub fn sums(&self) -> impl Iterator<Item = (How, Totals)> {
        How::ALL.into_iter().zip(self.each.iter().map(|(sums, _)| *sums))
    }
}

/// The choices to offer for store-days that are asked about together: of those that leave the same sales on each of them,
/// the plainest.
#[must_use]
pub fn distinct(days: &[Outcomes]) -> Vec<How> {
    let same = |one: usize, other: usize| days.iter().all(|day| day.each[one].1 == day.each[other].1);
    let ways = How::ALL.into_iter().enumerate();
    ways.filter(|(at, _)| !(0..*at).any(|plainer| same(plainer, *at))).map(|(_, how)| how).collect()
}
