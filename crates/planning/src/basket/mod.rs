//! Frequent itemsets: sets of up to three items that occur together in at least a minimum number of baskets.
//!
//! Single items and pairs are counted basket by basket in a matrix of frequent items. Triples are counted with bitsets:
//! for every item a bit per basket, and for each frequent pair the common bits once, for all third items.

mod pairs;
mod triples;

use std::collections::HashMap;

/// Concatenated baskets: the items of the first, then those of the second, and the end of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baskets {
    items: Vec<u32>,
    ends: Vec<usize>,
}

impl Baskets {
    /// Adds a basket; an item that occurs twice counts once. An empty one counts as a basket too.
    pub fn push(&mut self, items: &[u32]) {
        let from = self.items.len();
        for item in items {
            if !self.items[from..].contains(item) {
                self.items.push(*item);
            }
        }
        self.ends.push(self.items.len());
    }

    /// The number of baskets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no baskets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The items of each basket.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut from = 0;
        self.ends.iter().map(move |end| {
            let basket = &self.items[from..*end];
            from = *end;
            basket
        })
    }

    /// The number of baskets with each item, by item number.
    #[must_use]
    pub fn singles(&self) -> Vec<u32> {
        let most = self.items.iter().max().map_or(0, |most| *most as usize + 1);
        // Sparse numbers would make a long, empty list.
        if most <= self.items.len().saturating_mul(4).max(1 << 16) {
            let mut counts = vec![0; most];
            for item in &self.items {
                counts[*item as usize] += 1;
            }
            return counts;
        }
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for item in &self.items {
            *counts.entry(*item).or_default() += 1;
        }
        let mut all = vec![0; most];
        counts.into_iter().for_each(|(item, count)| all[item as usize] = count);
        all
    }
}

/// Items that occur together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Itemset {
    /// One to three of them, in ascending order.
    pub items: Vec<u32>,
    /// The number of baskets that contain all of them.
    pub count: u32,
}

/// The sets of at most `size` items (at most three) in at least `least` baskets (at least one), sorted by size, then by
/// items. The order of baskets does not matter.
#[must_use]
pub fn itemsets(baskets: &Baskets, least: u32, size: usize) -> Vec<Itemset> {
    let least = least.max(1);
    let often = Often::of(baskets, least);
    let mut sets: Vec<Itemset> = Vec::new();
    if size >= 1 {
        sets.extend(
            often
                .items
                .iter()
                .zip(&often.counts)
                .map(|(item, count)| Itemset { items: vec![*item], count: *count }),
        );
    }
    if size >= 2 && often.items.len() > 1 {
        let short = often.shortened(baskets);
        let pairs = pairs::count(&short, often.items.len(), least);
        let named = |places: &[u32]| places.iter().map(|place| often.items[*place as usize]).collect();
        sets.extend(pairs.iter().map(|pair| Itemset { items: named(&[pair.a, pair.b]), count: pair.count }));
        if size >= 3 {
            let triples = triples::count(&short, often.items.len(), &pairs, least);
            sets.extend(triples.into_iter().map(|(places, count)| Itemset { items: named(&places), count }));
        }
    }
    sets
}

/// The frequent items, in ascending order; others are in no set.
struct Often {
    items: Vec<u32>,
    counts: Vec<u32>,
    /// The index of an item number among them.
    place: Vec<u32>,
}

const NOT: u32 = u32::MAX;

impl Often {
    fn of(baskets: &Baskets, least: u32) -> Self {
        let singles = baskets.singles();
        let mut often = Self { items: Vec::new(), counts: Vec::new(), place: vec![NOT; singles.len()] };
        for (item, count) in (0u32..).zip(singles) {
            if count >= least {
                often.place[item as usize] = u32::try_from(often.items.len()).unwrap_or(NOT);
                often.items.push(item);
                often.counts.push(count);
            }
        }
        often
    }

    /// The baskets by index, in ascending order, without infrequent items; only those with at least two items left.
    fn shortened(&self, baskets: &Baskets) -> Baskets {
        let mut short = Baskets {
            items: Vec::with_capacity(baskets.items.len()),
            ends: Vec::with_capacity(baskets.len()),
        };
        for basket in baskets.iter() {
            let from = short.items.len();
            let places = basket.iter().map(|item| self.place[*item as usize]);
            short.items.extend(places.filter(|place| *place != NOT));
            if short.items.len() - from < 2 {
                short.items.truncate(from);
                continue;
            }
            short.items[from..].sort_unstable();
            short.ends.push(short.items.len());
        }
        short
    }
}
