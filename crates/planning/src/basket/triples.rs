//! Triples, counted with bitsets.

use super::Baskets;
use super::pairs::Pair;

/// Words of 64 baskets processed together, so that the bits of all items stay in cache.
const WORDS: usize = 4_096;

/// The triples in at least `least` baskets, sorted, given the frequent pairs. Baskets contain indexes below `items` in
/// ascending order.
pub fn count(baskets: &Baskets, items: usize, pairs: &[Pair], least: u32) -> Vec<([u32; 3], u32)> {
    let candidates = Candidates::of(items, pairs);
    let mut counts = vec![0u32; candidates.thirds.len()];
    let mut bits = vec![0u64; items * WORDS];
    let (mut at, mut used) = (0usize, false);
    for basket in baskets.iter().filter(|basket| basket.len() > 2) {
        let (word, bit) = (at / 64, 1u64 << (at % 64));
        for item in basket {
            bits[*item as usize * WORDS + word] |= bit;
        }
        (at, used) = (at + 1, true);
        if at == WORDS * 64 {
            candidates.add(&bits, &mut counts);
            bits.fill(0);
            (at, used) = (0, false);
        }
    }
    if used {
        candidates.add(&bits, &mut counts);
    }
    let mut found = Vec::new();
    for (pair, range) in candidates.of_pair() {
        for at in range.filter(|at| counts[*at] >= least) {
            found.push(([pair.a, pair.b, candidates.thirds[at]], counts[at]));
        }
    }
    found
}

/// For each pair, the later third items that may complete a triple: those frequent with both.
struct Candidates<'a> {
    pairs: &'a [Pair],
    /// For each pair, the end of its third items.
    ends: Vec<usize>,
    thirds: Vec<u32>,
}

impl<'a> Candidates<'a> {
    fn of(items: usize, pairs: &'a [Pair]) -> Self {
        // Where the pairs of each first item begin.
        let mut from = vec![0usize; items + 1];
        for pair in pairs {
            from[pair.a as usize + 1] += 1;
        }
        for at in 0..items {
            from[at + 1] += from[at];
        }
        let of = |item: u32| &pairs[from[item as usize]..from[item as usize + 1]];
        let (mut ends, mut thirds) = (Vec::with_capacity(pairs.len()), Vec::new());
        for pair in pairs {
            let (mut one, mut other) = (of(pair.a).iter().peekable(), of(pair.b).iter().peekable());
            while let (Some(x), Some(y)) = (one.peek(), other.peek()) {
                match x.b.cmp(&y.b) {
                    std::cmp::Ordering::Less => drop(one.next()),
                    std::cmp::Ordering::Greater => drop(other.next()),
                    std::cmp::Ordering::Equal => {
                        thirds.push(x.b);
                        one.next();
                        other.next();
                    }
                }
            }
            ends.push(thirds.len());
        }
        Self { pairs, ends, thirds }
    }

    fn of_pair(&self) -> impl Iterator<Item = (&Pair, std::ops::Range<usize>)> {
        let mut from = 0;
        self.pairs.iter().zip(&self.ends).map(move |(pair, end)| {
            let range = from..*end;
            from = *end;
            (pair, range)
        })
    }

    /// Adds the counts of some baskets' bits.
    fn add(&self, bits: &[u64], counts: &mut [u32]) {
        let of = |item: u32| &bits[item as usize * WORDS..][..WORDS];
        let mut shared: Vec<(usize, u64)> = Vec::with_capacity(WORDS);
        for (pair, range) in self.of_pair().filter(|(_, range)| !range.is_empty()) {
            shared.clear();
            let both = of(pair.a).iter().zip(of(pair.b)).map(|(a, b)| a & b).enumerate();
            shared.extend(both.filter(|(_, word)| *word != 0));
            if shared.is_empty() {
                continue;
            }
            for at in range {
                let third = of(self.thirds[at]);
                counts[at] +=
                    shared.iter().map(|(word, both)| (both & third[*word]).count_ones()).sum::<u32>();
            }
        }
    }
}
