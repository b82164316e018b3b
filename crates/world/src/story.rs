//! The shortest story that shows a difference: a story that failed is played again with less in it, as long as the same
//! row differs.

use std::time::{Duration, Instant};

use crate::calendar::day_of;
use crate::client::Done;
use crate::days::{Act, Story};

use crate::play::{Difference, Host, Look, Outcome, play};
use crate::quantity::shown;

/// Stories played side by side.
const AT_ONCE: usize = 8;
/// How often stories are played at most.
const ROUNDS: usize = 40;
/// After this time the shortest story so far will do.
const WITHIN: Duration = Duration::from_secs(240);

/// A story and the difference it shows.
#[derive(Debug, Clone)]
pub struct Shown {
    pub story: Story,
    pub difference: Difference,
    /// What happened, in sentences.
    pub journal: Vec<String>,
}

/// Shortens a story that shows a difference.
///
/// # Errors
/// If the server cannot be reached.
pub async fn shorten<H: Host>(host: &mut H, shown: Shown, tag: &str) -> Done<Shown> {
    let mut best = cut_at(shown);
    let (begun, mut rounds) = (Instant::now(), 0);
    for change in [without_stores as fn(&Story) -> Vec<Story>, without_kinds, without_items] {
        let candidates = change(&best.story);
        if let Some(better) =
            first_that_shows(host, &candidates, &best.difference, (tag, &mut rounds)).await?
        {
            best = better;
        }
    }
    let mut parts = AT_ONCE;
    while rounds < ROUNDS && begun.elapsed() < WITHIN {
        let candidates = without_parts(&best.story, parts);
        let found = first_that_shows(host, &candidates, &best.difference, (tag, &mut rounds)).await?;
        match found {
            Some(better) => {
                best = better;
                parts = AT_ONCE.max(parts / 2);
            }
            None if parts >= best.story.steps.len() => break,
            None => parts *= 2,
        }
    }
    Ok(best)
}

/// Without the days after the difference.
fn cut_at(mut shown: Shown) -> Shown {
    let last = shown.difference.day;
    shown.story.days = last + 1;
    shown.story.steps.retain(|step| day_of(step.at) <= last);
    shown
}

/// The shortest of some stories that shows a difference in a row.
async fn first_that_shows<H: Host>(
    host: &mut H,
    candidates: &[Story],
    shown: &Difference,
    (tag, rounds): (&str, &mut usize),
) -> Done<Option<Shown>> {
    let mut best: Option<Shown> = None;
    for some in candidates.chunks(AT_ONCE) {
        *rounds += 1;
        let tag = format!("{tag}r{rounds}");
        let stories: Vec<&Story> = some.iter().collect();
        let outcomes = play(host, &stories, &tag, Look::Once(shown.row, shown.day)).await?;
        for (story, outcome) in some.iter().zip(outcomes) {
            let Outcome { differences, journal, .. } = outcome;
            let Some(difference) = differences.into_iter().find(|found| found.row == shown.row) else {
                continue;
            };
            let found = cut_at(Shown { story: story.clone(), difference, journal });
            if best.as_ref().is_none_or(|best| found.story.steps.len() < best.story.steps.len()) {
                best = Some(found);
            }
        }
        if best.is_some() || *rounds >= ROUNDS {
            break;
        }
    }
    Ok(best)
}

/// With one store's doings only, transfers left out.
fn without_stores(story: &Story) -> Vec<Story> {
    let stores = 0..story.catalogue.stores.len();
    let only = |store: usize| {
        let mut less = story.clone();
        let trucks: Vec<usize> = story.steps.iter().filter_map(|step| truck_to(&step.act, store)).collect();
        let wastes: Vec<usize> = story.steps.iter().filter_map(|step| waste_of(&step.act, store)).collect();
        less.steps.retain(|step| match &step.act {
            Act::Unload { truck, .. }
            | Act::Receive { truck, .. }
            | Act::Settle { truck, .. }
            | Act::Recall { truck }
            | Act::CloseShort { truck } => trucks.contains(truck),
            Act::WriteDown { waste, .. } => wastes.contains(waste),
            Act::Merge | Act::Price { .. } | Act::Mix { .. } | Act::Make { .. } | Act::RecallBatch { .. } => {
                true
            }
            act => act.store() == Some(store),
        });
        less
    };
    stores.map(only).collect()
}

fn truck_to(act: &Act, store: usize) -> Option<usize> {
    match act {
        Act::Load { truck, store: to, .. } | Act::Buy { truck, store: to, .. } if *to == store => {
            Some(*truck)
        }
        _ => None,
    }
}

fn waste_of(act: &Act, store: usize) -> Option<usize> {
    match act {
        Act::Throw { waste, store: of, .. } if *of == store => Some(*waste),
        _ => None,
    }
}

/// Without waste, thefts, transfers, deliveries or sales, and without all but one of them.
fn without_kinds(story: &Story) -> Vec<Story> {
    let kinds: [fn(&Act) -> bool; 6] = [
        |act| matches!(act, Act::Throw { .. } | Act::WriteDown { .. } | Act::Vanish { .. }),
        |act| matches!(act, Act::Carry { .. } | Act::Send { .. }),
        |act| {
            matches!(
                act,
                Act::Buy { .. }
                    | Act::Mix { .. }
                    | Act::Make { .. }
                    | Act::Load { .. }
                    | Act::Unload { .. }
                    | Act::Receive { .. }
                    | Act::Settle { .. }
            )
        },
        |act| matches!(act, Act::Order { .. } | Act::CloseShort { .. }),
        |act| matches!(act, Act::Sell { .. } | Act::Upload { .. }),
        |act| {
            matches!(
                act,
                Act::Close { .. } | Act::TypeReadings { .. } | Act::Declare { .. } | Act::Deposit { .. }
            )
        },
    ];
    let mut less: Vec<Story> = Vec::new();
    for kind in kinds {
        let mut without = story.clone();
        without.steps.retain(|step| !kind(&step.act));
        let mut alone = story.clone();
        alone
            .steps
            .retain(|step| kind(&step.act) || matches!(step.act, Act::Count { .. } | Act::Sync { .. }));
        less.extend([alone, without]);
    }
    less
}

/// With one dish on each receipt, and only one of its pieces.
fn without_items(story: &Story) -> Vec<Story> {
    let mut less = story.clone();
    for step in &mut less.steps {
        if let Act::Sell { dishes, .. } = &mut step.act {
            dishes.truncate(1);
            dishes.iter_mut().for_each(|sold| sold.pieces = 1);
        }
    }
    vec![less]
}

/// Without each of so many parts of its steps.
fn without_parts(story: &Story, parts: usize) -> Vec<Story> {
    let steps = story.steps.len();
    let size = steps.div_ceil(parts).max(1);
    let without = |from: usize| {
        let mut less = story.clone();
        less.steps.drain(from..(from + size).min(steps));
        less
    };
    (0..steps).step_by(size).map(without).collect()
}

impl Shown {
    /// The story as plain sentences, and what differs.
    #[must_use]
    pub fn tell(&self) -> String {
        let Self { story, difference, journal } = self;
        let names = &story.catalogue;
        let mut text = format!("The shortest story of seed {}:\n", story.seed);
        let used = |store: usize| story.steps.iter().any(|step| involves(&step.act, store));
        for (_, store) in names.stores.iter().enumerate().filter(|(at, _)| used(*at)) {
            let stock = names.roots.iter().zip(&store.begins_with);
            let stock: Vec<String> =
                stock.map(|(root, qty)| format!("{} {} of {}", shown(*qty), root.unit, root.name)).collect();
            text.push_str(&format!("  {} begins with {}.\n", store.name, stock.join(", ")));
        }
        for (at, dish) in names.dishes.iter().enumerate() {
            let sold = |act: &Act| matches!(act, Act::Sell { dishes, .. } if dishes.iter().any(|one| one.dish == at));
            if story.steps.iter().any(|step| sold(&step.act)) {
                let uses = dish.uses.iter().map(|(root, qty)| {
                    format!("{} {} of {}", shown(*qty), names.roots[*root].unit, names.roots[*root].name)
                });
                text.push_str(&format!("  {} uses {}.\n", dish.name, uses.collect::<Vec<_>>().join(" and ")));
            }
        }
        for sentence in journal {
            text.push_str(&format!("  {sentence}\n"));
        }
        text.push_str(&format!("On the evening of day {}: {}\n", difference.day + 1, difference.text));
        text
    }
}

fn involves(act: &Act, store: usize) -> bool {
    match act {
        Act::Carry { from, to, .. } => *from == store || *to == store,
        act => act.store() == Some(store),
    }
}

#[cfg(test)]
mod tests {
    use crate::pages::Row;

    use super::*;

    #[test]
    fn shorter_stories_are_parts_of_the_story() {
        let story = Story::of(3, 6);
        for parts in [2, 8, 500] {
            let less = without_parts(&story, parts);
            let left_out: usize = less.iter().map(|one| story.steps.len() - one.steps.len()).sum();
            assert_eq!(left_out, story.steps.len(), "each step is left out once");
        }
        for one in without_stores(&story).iter().chain(&without_kinds(&story)) {
            assert!(one.steps.iter().all(|step| story.steps.contains(step)));
        }
        let difference = Difference { day: 2, row: Row::Stock, text: "stock differs".to_owned() };
        let cut = cut_at(Shown { story, difference, journal: Vec::new() });
        assert_eq!((cut.story.days, cut.story.steps.iter().all(|step| day_of(step.at) <= 2)), (3, true));
        assert!(cut.tell().ends_with("On the evening of day 3: stock differs\n"));
    }
}
