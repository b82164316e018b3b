//! Errors that people make, planted into a story one at a time, and which rows of the table each may change.
//!
//! The story with an error is played beside its twin without one. Everything the pages say must be the same, except in
//! the rows that the error may touch; and there it must show.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::calendar::{DAY, at, day_of};
use crate::days::{Act, Step, Story};
use crate::pages::Row;
use crate::quantity::ONE;
use crate::truth::Settlement;

/// An error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Error {
    /// A delivery is on the shelf and is received in Larder two days later.
    LateReceipt,
    /// Waste is written down with ten times as many packs.
    WrongUnit,
    /// A person types nine units too many into a count.
    Miscount,
    /// A day's file is imported twice.
    SameFileTwice,
    /// A day's file comes two days later.
    LateFile,
    /// A day's tills come in a file each.
    FilePerTill,
    /// Goods vanish.
    Theft,
    /// A day's readings are never typed.
    NoReadings,
    /// The declared cash is a hundred pesos short.
    ShortCash,
}

impl Error {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::LateReceipt,
        Self::WrongUnit,
        Self::Miscount,
        Self::SameFileTwice,
        Self::LateFile,
        Self::FilePerTill,
        Self::Theft,
        Self::NoReadings,
        Self::ShortCash,
    ];

    /// What is done wrong, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LateReceipt => "a delivery received two days late",
            Self::WrongUnit => "waste in the wrong unit",
            Self::Miscount => "a miscount",
            Self::SameFileTwice => "a file imported twice",
            Self::LateFile => "a file two days late",
            Self::FilePerTill => "a file for each till",
            Self::Theft => "a theft",
            Self::NoReadings => "readings that nobody types",
            Self::ShortCash => "cash that is short",
        }
    }

    /// The rows it may change.
    #[must_use]
    pub fn rows(self) -> &'static [Row] {
        match self {
            Self::LateReceipt => {
                &[Row::Stock, Row::Variance, Row::Movement, Row::InTransit, Row::Lots, Row::Orders, Row::Plan]
            }
            Self::WrongUnit | Self::Miscount | Self::Theft => {
                &[Row::Stock, Row::Variance, Row::Movement, Row::Lots, Row::Plan]
            }
            Self::LateFile => &[
                Row::Stock,
                Row::Variance,
                Row::Movement,
                Row::Lots,
                Row::Plan,
                Row::Sales,
                Row::Tenders,
                Row::Usage,
                Row::FoodCost,
                Row::Readings,
            ],
            Self::SameFileTwice | Self::FilePerTill => &[],
            Self::NoReadings => &[Row::Readings],
            Self::ShortCash => &[Row::Money],
        }
    }

    /// Why today's Larder is known to get it wrong; take it out when it is mended.
    #[must_use]
    pub fn known(self) -> Option<&'static str> {
        match self {
            Self::FilePerTill => {
                Some("A second file of a store-day replaces the first, even of another till.")
            }
            _ => None,
        }
    }

    /// The story with the error, drawn by a seed; `None` if the story gives no occasion for it.
    #[must_use]
    pub fn plant(self, story: &Story, seed: u64) -> Option<Story> {
        let mut chance = StdRng::seed_from_u64(seed);
        // Early enough for its effects to show.
        let (first, last) = (story.days / 4, story.days / 2 + 1);
        let occasions: Vec<usize> = (0..story.steps.len())
            .filter(|at| {
                (first..last).contains(&day_of(story.steps[*at].at)) && self.fits(story, &story.steps[*at])
            })
            .collect();
        if occasions.is_empty() {
            return None;
        }
        let chosen = occasions[chance.random_range(0..occasions.len())];
        let mut planted = story.clone();
        self.change(&mut planted.steps, chosen);
        planted.sort();
        Some(planted)
    }

    fn fits(self, story: &Story, step: &Step) -> bool {
        match (self, &step.act) {
            (Self::LateReceipt, Act::Receive { truck, settlement: Settlement::WriteOff, timed: true }) => {
                story.steps.iter().any(|step| matches!(&step.act, Act::Load { truck: of, .. } if of == truck))
            }
            (Self::WrongUnit, Act::WriteDown { .. })
            | (Self::NoReadings, Act::TypeReadings { .. })
            | (Self::ShortCash, Act::Declare { .. })
            | (Self::SameFileTwice, Act::Upload { .. })
            | (Self::Theft, Act::Count { .. })
            | (Self::Miscount, Act::Count { wrong: None, .. }) => true,
            // Sales are read for three days.
            (Self::LateFile, Act::Upload { day, .. }) => day_of(step.at) == *day,
            (Self::FilePerTill, Act::Upload { store, .. }) => story.catalogue.stores[*store].tills.len() > 1,
            _ => false,
        }
    }

    fn change(self, steps: &mut Vec<Step>, chosen: usize) {
        let step = &mut steps[chosen];
        match (self, &mut step.act) {
            (Self::LateReceipt, _) => step.at = at(day_of(step.at) + 2, 9, 20),
            (Self::LateFile, _) => step.at += 2 * DAY,
            (Self::WrongUnit, Act::WriteDown { packs, .. }) => *packs *= 10,
            (Self::ShortCash, Act::Declare { short, .. }) => *short += 10_000,
            (Self::NoReadings, _) => {
                steps.remove(chosen);
            }
            (Self::Miscount, Act::Count { wrong, .. }) => *wrong = Some((0, 9)),
            (Self::SameFileTwice, Act::Upload { .. }) => {
                let again = Step { at: step.at + 10, act: step.act.clone() };
                steps.push(again);
            }
            (Self::FilePerTill, Act::Upload { store, day, till }) => {
                let second = Act::Upload { store: *store, day: *day, till: Some(1) };
                *till = Some(0);
                let second = Step { at: step.at + 10, act: second };
                steps.push(second);
            }
            (Self::Theft, Act::Count { store, .. }) => {
                let act = Act::Vanish { store: *store, root: 0, qty: ONE / 4, hand: 0 };
                let theft = Step { at: at(day_of(step.at), 23, 30), act };
                steps.push(theft);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_changes_one_thing() {
        let mut planted = 0;
        for seed in 0..20 {
            let story = Story::of(seed, 12);
            for error in Error::ALL {
                let Some(other) = error.plant(&story, seed) else { continue };
                planted += 1;
                let changed = other.steps.iter().filter(|step| !story.steps.contains(step)).count();
                // The same file again is an equal act at another time.
                let removed = story.steps.len().saturating_sub(other.steps.len());
                assert!((1..=2).contains(&(changed + removed)), "{error:?} changes {changed} steps");
                assert!(other.steps.is_sorted_by_key(|step| step.at));
            }
        }
        assert!(planted > 100, "{planted}");
    }
}
