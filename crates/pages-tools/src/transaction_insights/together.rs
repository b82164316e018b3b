//! Item sets bought together: frequent and more than by chance, with names and shares.

use std::collections::HashMap;
use std::sync::Arc;

use larder_planning::basket::{Baskets, Itemset, itemsets};

use super::model::{BoughtItem, BoughtTogether, Sets, TogetherBefore};
use super::question::Order;
use larder_engines::reports::queries::ItemNames;

/// Minimum number of tickets of a set.
pub const LEAST_COUNT: u32 = 30;
/// Maximum number of sets kept per size.
pub const MOST_KEPT: usize = 5_000;
/// Maximum number of sets on a page.
const MOST_SHOWN: usize = 500;

/// Item sets by item id.
#[derive(Debug, Default)]
pub struct Together {
    tickets: u64,
    /// Number of tickets of each set, including single items.
    counts: HashMap<Vec<u32>, u32>,
    ids: Vec<Arc<str>>,
    /// Sets to show: pairs, then triples.
    shown: [Vec<Itemset>; 2],
}

impl Together {
    /// Mines the sets; takes a while.
    #[must_use]
    pub fn of(baskets: &Baskets, ids: Vec<Arc<str>>) -> Self {
        let sets = itemsets(baskets, LEAST_COUNT, 3);
        let tickets = baskets.len() as u64;
        let counts: HashMap<Vec<u32>, u32> = sets.iter().map(|set| (set.items.clone(), set.count)).collect();
        let mut shown = [Vec::new(), Vec::new()];
        for set in sets.into_iter().filter(|set| set.items.len() > 1) {
            if more_than_chance(&set, tickets, &counts) {
                shown[set.items.len() - 2].push(set);
            }
        }
        Self { tickets, counts, ids, shown }
    }

    /// Number of tickets with all of these.
    fn count(&self, items: &[u32]) -> u32 {
        self.counts.get(items).copied().unwrap_or_default()
    }

    fn lift(&self, set: &Itemset) -> f64 {
        let alone: f64 = set.items.iter().map(|item| f64::from(self.count(&[*item]))).product();
        let all = (self.tickets as f64).powi(i32::try_from(set.items.len()).unwrap_or(2) - 1);
        places(f64::from(set.count) * all / alone, 1e4)
    }

    fn support(&self, set: &Itemset) -> f64 {
        places(f64::from(set.count) / self.tickets as f64, 1e6)
    }

    fn bought_together(&self, set: &Itemset, names: &ItemNames) -> BoughtTogether {
        let item = |at: usize| {
            let mut others = set.items.clone();
            let number = others.remove(at);
            let id = &self.ids[number as usize];
            let confidence = places(f64::from(set.count) / f64::from(self.count(&others)), 1e4);
            BoughtItem { id: id.to_string(), name: names.name(id), confidence }
        };
        let mut items: Vec<BoughtItem> = (0..set.items.len()).map(item).collect();
        // The item that best predicts the others comes first: it has the lowest confidence itself.
        items.sort_by(|a, b| a.confidence.total_cmp(&b.confidence).then_with(|| a.id.cmp(&b.id)));
        BoughtTogether {
            items,
            count: set.count.into(),
            support: self.support(set),
            lift: self.lift(set),
            before: None,
        }
    }

    /// Identity of a set across ranges.
    fn key(&self, set: &Itemset) -> Vec<&str> {
        let mut ids: Vec<&str> = set.items.iter().map(|item| &*self.ids[*item as usize]).collect();
        ids.sort_unstable();
        ids
    }

    /// Pairs (0) or triples (1), compared with another range if given.
    #[must_use]
    pub fn sets(&self, which: usize, before: Option<&Self>, names: &ItemNames) -> Sets {
        let (ours, theirs) = (&self.shown[which], before.map(|before| (before, &before.shown[which])));
        let mut known: HashMap<Vec<&str>, &Itemset> = HashMap::new();
        if let Some((before, theirs)) = theirs {
            known.extend(theirs.iter().map(|set| (before.key(set), set)));
        }
        let mut items = Vec::with_capacity(ours.len());
        for set in ours {
            let mut bought_together = self.bought_together(set, names);
            if let (Some((before, _)), Some(old)) = (theirs, known.remove(&self.key(set))) {
                bought_together.before = Some(TogetherBefore {
                    count: old.count.into(),
                    support: before.support(old),
                    lift: before.lift(old),
                });
            }
            items.push(bought_together);
        }
        let mut went: Vec<BoughtTogether> = match theirs {
            Some((before, _)) => known.into_values().map(|set| before.bought_together(set, names)).collect(),
            None => Vec::new(),
        };
        let total = items.len() as i64;
        for list in [&mut items, &mut went] {
            sort(list, Order::Lift);
            list.truncate(MOST_KEPT);
        }
        Sets { items, total, went }
    }
}

/// Sorts and limits the sets for a page.
pub fn on_page(sets: &mut Sets, order: Order) {
    for list in [&mut sets.items, &mut sets.went] {
        sort(list, order);
        list.truncate(MOST_SHOWN);
    }
}

/// Sorts the sets.
pub fn sort(sets: &mut [BoughtTogether], order: Order) {
    sets.sort_by(|a, b| {
        let (by_lift, by_count) = (b.lift.total_cmp(&a.lift), b.count.cmp(&a.count));
        let first = match order {
            Order::Lift => by_lift.then(by_count),
            Order::Count => by_count.then(by_lift),
        };
        first.then_with(|| ids(a).cmp(ids(b)))
    });
}

fn ids(set: &BoughtTogether) -> impl Iterator<Item = &str> {
    set.items.iter().map(|item| item.id.as_str())
}

/// Whether the lift of a set exceeds 1.2, computed exactly.
fn more_than_chance(set: &Itemset, tickets: u64, counts: &HashMap<Vec<u32>, u32>) -> bool {
    let (mut ours, mut chance) = (u128::from(set.count) * 5, 6u128);
    for item in &set.items {
        chance = chance.saturating_mul(counts.get([*item].as_slice()).copied().unwrap_or_default().into());
    }
    for _ in 1..set.items.len() {
        ours = ours.saturating_mul(tickets.into());
    }
    ours > chance
}

fn places(number: f64, places: f64) -> f64 {
    (number * places).round() / places
}
