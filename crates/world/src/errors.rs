//! Errors that people make, planted into a story one at a time, and which rows of the table each may change.
//!
//! The story with an error is played beside its twin without one. Everything the pages say must be the same, except in
//! the rows that the error may touch; and there it must show.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::calendar::{DAY, at, day_of};
use crate::days::{Act, CASH, Step, Story};
use crate::pages::Row;
use crate::quantity::ONE;
use crate::truth::{Kind, Receipt, Settlement, Truth};

/// Cash that is short, in centavos.
const SHORT: i64 = 10_000;

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
    /// A price is typed with a digit too many.
    WrongPrice,
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
        Self::WrongPrice,
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
            Self::WrongPrice => "a price with a digit too many",
        }
    }

    /// The rows it may change.
    #[must_use]
    pub fn rows(self) -> &'static [Row] {
        match self {
            Self::LateReceipt => &[
                Row::Stock,
                Row::Variance,
                Row::Movement,
                Row::InTransit,
                Row::Lots,
                Row::Made,
                Row::Orders,
                Row::Plan,
            ],
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
                Row::Days,
            ],
            Self::SameFileTwice | Self::FilePerTill => &[],
            Self::NoReadings => &[Row::Readings, Row::Days, Row::Month],
            Self::ShortCash => &[Row::Money],
            Self::WrongPrice => &[Row::Variance, Row::FoodCost],
        }
    }

    /// The story with the error, drawn by a seed; `None` if the story gives no occasion for it. The story is rehearsed, so
    /// that an occasion is one: the waste was thrown away, the till sold something, and a page is asked that must show it.
    #[must_use]
    pub fn plant(self, story: &Story, seed: u64) -> Option<Story> {
        let mut chance = StdRng::seed_from_u64(seed);
        // It is not known yet whether Larder will merge the twins.
        let rehearse = |story: &Story| [true, false].map(|merges| Truth::rehearsed(story, merges));
        let truths = rehearse(story);
        // Early enough for its effects to show.
        let (first, last) = (story.days / 4, story.days / 2 + 1);
        let may = |step: &Step| {
            (first..last).contains(&day_of(step.at))
                && truths.iter().all(|truth| self.fits(story, truth, step))
        };
        // Any root item can be stolen.
        let roots = if self == Self::Theft { story.catalogue.roots.len() } else { 1 };
        let mut occasions: Vec<(usize, usize)> = (0..story.steps.len())
            .filter(|at| may(&story.steps[*at]))
            .flat_map(|at| (0..roots).map(move |root| (at, root)))
            .collect();
        while !occasions.is_empty() {
            let chosen = occasions.swap_remove(chance.random_range(0..occasions.len()));
            let mut planted = story.clone();
            self.change(&mut planted.steps, chosen);
            planted.sort();
            // Lives that differ in what people did cannot be compared.
            let alone =
                || truths.iter().zip(&rehearse(&planted)).all(|(one, other)| is_stolen_alone(one, other));
            if self != Self::Theft || alone() {
                return Some(planted);
            }
        }
        None
    }

    fn fits(self, story: &Story, truth: &Truth, step: &Step) -> bool {
        let today = day_of(step.at);
        let sold = |store: usize, day: usize| truth.receipts_of(store, day);
        match (self, &step.act) {
            (Self::LateReceipt, Act::Receive { truck, settlement: Settlement::WriteOff, timed: true }) => {
                let came =
                    truth.trucks.get(truck).is_some_and(|it| it.from.is_none() && it.unloaded.is_some());
                // An open document holds a merge up.
                let merges =
                    |other: &Step| other.act == Act::Merge && (today..today + 3).contains(&day_of(other.at));
                came && today + 2 < story.days && !story.steps.iter().any(merges)
            }
            (Self::WrongUnit, Act::WriteDown { waste, .. }) => {
                truth.waste.get(waste).is_some_and(|waste| is_asked(story, waste.store, day_of(waste.at)))
            }
            (Self::Miscount, Act::Count { store, session, wrong: None, .. }) => {
                // Only the last count of a session matters.
                let is_last = !story.steps.iter().any(|other| {
                    let again = matches!(&other.act, Act::Count { store: of, session: in_, .. } if (of, in_) == (store, session));
                    again && day_of(other.at) == today && other.at > step.at
                });
                is_last && is_sent(story, step) && is_asked(story, *store, today)
            }
            (Self::Theft, Act::Count { store, .. }) => {
                // The next count shows it.
                let shows = |other: &Step| {
                    let counts = matches!(&other.act, Act::Count { store: of, .. } if of == store);
                    let of = day_of(other.at);
                    counts && of > today && is_sent(story, other) && is_asked(story, *store, of)
                };
                story.steps.iter().any(shows)
            }
            (Self::SameFileTwice, Act::Upload { store, day, .. })
            | (Self::NoReadings, Act::TypeReadings { store, day }) => sold(*store, *day).next().is_some(),
            (Self::ShortCash, Act::Declare { store, day, .. }) => {
                let in_cash = sold(*store, *day).filter(|receipt| receipt.tender == CASH);
                in_cash.map(|receipt| receipt.net).sum::<i64>() > SHORT
            }
            // A store sells what uses it while the price holds, and its food cost is asked.
            (Self::WrongPrice, Act::Price { root, from, .. }) => {
                let uses = |receipt: &Receipt| {
                    let dishes = receipt.dishes.iter().map(|sold| &story.catalogue.dishes[sold.dish]);
                    dishes.flat_map(|dish| &dish.uses).any(|(used, _)| used == root)
                };
                let next = story.steps.iter().filter_map(|other| match other.act {
                    Act::Price { root: of, from: next, .. } if of == *root && next > *from => Some(next),
                    _ => None,
                });
                let until = next.min().map_or(today, |next| today.min(next - 1));
                (*from..=until).any(|day| {
                    let mut stores = 0..story.catalogue.stores.len();
                    stores.any(|store| is_asked(story, store, today) && sold(store, day).any(uses))
                })
            }
            // Sales are read for three days.
            (Self::LateFile, Act::Upload { store, day, .. }) => {
                today == *day && today + 2 < story.days && sold(*store, *day).next().is_some()
            }
            (Self::FilePerTill, Act::Upload { store, day, .. }) => {
                [0, 1].iter().all(|till| sold(*store, *day).any(|receipt| receipt.till == *till))
            }
            _ => false,
        }
    }

    fn change(self, steps: &mut Vec<Step>, (chosen, root): (usize, usize)) {
        let step = &mut steps[chosen];
        match (self, &mut step.act) {
            (Self::LateReceipt, _) => step.at = at(day_of(step.at) + 2, 9, 20),
            (Self::LateFile, _) => step.at += 2 * DAY,
            (Self::WrongUnit, Act::WriteDown { packs, .. }) => *packs *= 10,
            (Self::ShortCash, Act::Declare { short, .. }) => *short += SHORT,
            (Self::WrongPrice, Act::Price { price, .. }) => *price *= 10,
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
                let act = Act::Vanish { store: *store, root, qty: ONE / 8, hand: 0 };
                let theft = Step { at: at(day_of(step.at), 23, 30), act };
                steps.push(theft);
            }
            _ => {}
        }
    }
}

/// Whether the figures of a store's day are asked: its sales are in Larder before the story ends.
fn is_asked(story: &Story, store: usize, day: usize) -> bool {
    story.steps.iter().all(|step| match &step.act {
        Act::Upload { store: of, day: sold_on, .. } if *of == store && *sold_on <= day => {
            day_of(step.at) < story.days
        }
        _ => true,
    })
}

/// Whether a count reaches Larder before the story ends.
fn is_sent(story: &Story, count: &Step) -> bool {
    let Act::Count { store, offline, .. } = &count.act else { return false };
    let sends = |step: &Step| step.act == Act::Sync { store: *store };
    let mut later = story.steps.iter().filter(|step| step.at > count.at && day_of(step.at) < story.days);
    !offline || later.any(sends)
}

/// Whether two lives differ in what vanished alone: nobody missed it.
fn is_stolen_alone(without: &Truth, with: &Truth) -> bool {
    let bought = |truth: &Truth| -> Vec<_> {
        truth.receipts.iter().map(|it| (it.at, it.store, it.till, it.number, it.net)).collect()
    };
    // By which lots customers took things does not matter: no document names them.
    let moved = |truth: &Truth| -> Vec<_> {
        let moved =
            truth.events.iter().filter(|event| event.kind != Kind::Sold && event.kind != Kind::Vanished);
        moved.map(|event| (event.at, event.store, event.root, event.happened, event.lot.clone())).collect()
    };
    let vanished = |truth: &Truth| -> i64 {
        truth.events.iter().filter(|event| event.kind == Kind::Vanished).map(|event| event.happened).sum()
    };
    bought(without) == bought(with) && moved(without) == moved(with) && vanished(without) != vanished(with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_changes_one_thing() {
        for seed in 0..20 {
            let story = Story::of(seed, 12);
            for error in Error::ALL {
                let Some(other) = error.plant(&story, seed) else { continue };
                let changed = other.steps.iter().filter(|step| !story.steps.contains(step)).count();
                // The same file again is an equal act at another time.
                let removed = story.steps.len().saturating_sub(other.steps.len());
                assert!((1..=2).contains(&(changed + removed)), "{error:?} changes {changed} steps");
                assert!(other.steps.is_sorted_by_key(|step| step.at));
            }
        }
    }

    #[test]
    fn stories_give_occasions_for_errors() {
        for error in Error::ALL {
            let planted = (0..40).filter(|seed| error.plant(&Story::of(*seed, 14), *seed).is_some()).count();
            assert!(planted >= 20, "{error:?} is planted in {planted} of 40 stories");
        }
    }

    #[test]
    fn only_waste_that_was_thrown_away_is_written_down_wrong() {
        // In most stories something is to be thrown away that is not there.
        for seed in 0..40 {
            let story = Story::of(seed, 14);
            let Some(other) = Error::WrongUnit.plant(&story, seed) else { continue };
            let wrong = other.steps.iter().find(|step| !story.steps.contains(step)).expect("a change");
            let Act::WriteDown { waste, .. } = &wrong.act else { panic!("{wrong:?}") };
            for merges in [true, false] {
                assert!(Truth::rehearsed(&story, merges).waste.contains_key(waste), "seed {seed}");
            }
        }
    }
}
