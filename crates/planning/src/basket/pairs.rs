//! Pairs, counted in a matrix.

use super::Baskets;

/// Maximum counters at once: 64 MB of them. With more items the rows of the matrix are counted in batches.
const COUNTERS: usize = 1 << 24;

/// Two items, by index; `a` comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
    pub count: u32,
}

/// The pairs in at least `least` baskets, sorted. Baskets contain indexes below `items` in ascending order.
pub fn count(baskets: &Baskets, items: usize, least: u32) -> Vec<Pair> {
    let rows = (COUNTERS / items).max(1);
    let mut pairs = Vec::new();
    let mut first = 0;
    while first < items {
        let end = items.min(first + rows);
        strip(baskets, items, first..end, least, &mut pairs);
        first = end;
    }
    pairs
}

fn strip(baskets: &Baskets, items: usize, rows: std::ops::Range<usize>, least: u32, pairs: &mut Vec<Pair>) {
    let mut counts = vec![0u32; rows.len() * items];
    for basket in baskets.iter() {
        for (at, a) in basket.iter().enumerate() {
            let a = *a as usize;
            if !rows.contains(&a) {
                continue;
            }
            let row = &mut counts[(a - rows.start) * items..][..items];
            for b in &basket[at + 1..] {
                row[*b as usize] += 1;
            }
        }
    }
    for (a, row) in rows.zip(counts.chunks_exact(items)) {
        let found = row.iter().enumerate().filter(|(_, count)| **count >= least);
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        pairs.extend(found.map(|(b, count)| Pair { a: place(a), b: place(b), count: *count }));
    }
}
