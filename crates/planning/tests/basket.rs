//! Itemset mining compared with mlxtend 0.25.0 and with naive counting.

#![allow(clippy::unwrap_used, reason = "a file that cannot be read fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use larder_planning::basket::{Baskets, Itemset, itemsets};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

#[path = "support/oracle.rs"]
#[allow(dead_code, reason = "series are of other tests")]
mod oracle;

/// The baskets of a file with one per line.
fn recorded() -> Baskets {
    let out = Command::new("gzip")
        .arg("-dc")
        .arg(oracle::path("basket_transactions.txt.gz"))
        .output()
        .expect("gzip");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).expect("text");
    let mut baskets = Baskets::default();
    for line in text.lines() {
        let items: Vec<u32> = line.split_whitespace().map(|item| item.parse().expect("a number")).collect();
        baskets.push(&items);
    }
    baskets
}

#[test]
fn the_same_sets_as_mlxtend() {
    let (baskets, rows) = (recorded(), oracle::rows("basket_itemsets_mlxtend.csv"));
    let mut theirs: Vec<Itemset> = rows
        .iter()
        .map(|row| {
            let mut items: Vec<u32> =
                row.text("k").split_whitespace().map(|item| item.parse().expect("a number")).collect();
            items.sort_unstable();
            Itemset { items, count: row.number("c") as u32 }
        })
        .collect();
    theirs.sort_by_key(|set| (set.items.len(), set.items.clone()));
    let least = (0.002 * baskets.len() as f64).ceil() as u32;
    let ours = itemsets(&baskets, least, 3);
    assert_eq!(ours.len(), theirs.len());
    assert_eq!(ours, theirs);
}

/// Every set of up to three items with its count, by naive counting.
fn counted(baskets: &[Vec<u32>], least: u32, size: usize) -> Vec<Itemset> {
    let mut counts: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    for basket in baskets {
        let items: Vec<u32> = basket.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
        for (at, a) in items.iter().enumerate() {
            *counts.entry(vec![*a]).or_default() += 1;
            for (then, b) in items.iter().enumerate().skip(at + 1) {
                *counts.entry(vec![*a, *b]).or_default() += 1;
                for c in &items[then + 1..] {
                    *counts.entry(vec![*a, *b, *c]).or_default() += 1;
                }
            }
        }
    }
    let found = counts.into_iter().filter(|(items, count)| *count >= least && items.len() <= size);
    let mut sets: Vec<Itemset> = found.map(|(items, count)| Itemset { items, count }).collect();
    sets.sort_by_key(|set| (set.items.len(), set.items.clone()));
    sets
}

fn packed<'a>(baskets: impl IntoIterator<Item = &'a Vec<u32>>) -> Baskets {
    let mut packed = Baskets::default();
    baskets.into_iter().for_each(|basket| packed.push(basket));
    packed
}

proptest! {
    #[test]
    fn counts_are_those_of_plain_counting(
        baskets in vec(vec(0u32..14, 0..8), 0..300),
        least in 1u32..9,
        size in 0usize..4,
    ) {
        prop_assert_eq!(itemsets(&packed(&baskets), least, size), counted(&baskets, least, size));
    }

    #[test]
    fn the_order_of_tickets_and_of_items_changes_nothing(
        baskets in vec(vec(0u32..14, 0..8), 0..120),
        least in 1u32..5,
        turn in any::<proptest::sample::Index>(),
    ) {
        let mut other = baskets.clone();
        other.reverse();
        if !other.is_empty() {
            let at = turn.index(other.len());
            other.rotate_left(at);
        }
        other.iter_mut().for_each(|basket| basket.reverse());
        prop_assert_eq!(itemsets(&packed(&baskets), least, 3), itemsets(&packed(&other), least, 3));
    }

    /// Sparse numbers, as where most items belong to other stores.
    #[test]
    fn item_numbers_may_be_sparse(baskets in vec(btree_set(0u32..9, 0..6), 1..60), least in 1u32..4) {
        let near: Vec<Vec<u32>> = baskets.iter().map(|basket| basket.iter().copied().collect()).collect();
        let far: Vec<Vec<u32>> =
            near.iter().map(|basket| basket.iter().map(|item| item * 90_001).collect()).collect();
        let spread = |set: Itemset| Itemset { items: set.items.iter().map(|item| item * 90_001).collect(), ..set };
        let expected: Vec<Itemset> = counted(&near, least, 3).into_iter().map(spread).collect();
        prop_assert_eq!(itemsets(&packed(&far), least, 3), expected);
    }
}

/// More baskets with three items than fit into one batch of bits.
#[test]
fn a_long_history_is_counted_in_parts() {
    let mut baskets = Baskets::default();
    for at in 0u32..600_000 {
        baskets.push(&[1, 2 + at % 2, 5, 7 + at % 3]);
    }
    let of = |items: &[u32]| {
        let sets = itemsets(&baskets, 1, 3);
        sets.into_iter().find(|set| set.items == items).map(|set| set.count)
    };
    assert_eq!(of(&[1, 2, 5]), Some(300_000));
    assert_eq!(of(&[3, 5, 9]), Some(100_000));
    assert_eq!(of(&[2, 3, 5]), None);
}
