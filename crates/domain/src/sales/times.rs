//! The sales of a store-day by time, so that a count during opening hours can be placed among them.

use std::collections::BTreeMap;

use super::Bom;
use super::day::{DayLine, Receipt, Unpacked};

/// The time of a line, else that of its receipt: seconds since midnight (UTC+8) of the business date. `None` if neither
/// is known.
fn time(line: &DayLine, receipts: &[Receipt]) -> Option<i32> {
    let of_receipt = || Some(receipts.get(usize::try_from(line.receipt).ok()?)?.seconds);
    Some(line.seconds).filter(|seconds| *seconds >= 0).or_else(of_receipt).filter(|seconds| *seconds >= 0)
}

/// The times of the first and the last sale; `None` if no time is known.
#[must_use]
pub fn first_and_last(lines: &[DayLine], receipts: &[Receipt]) -> Option<(i32, i32)> {
    let times = lines.iter().filter(|line| line.counts()).filter_map(|line| time(line, receipts));
    times.fold(None, |range, time| {
        let (first, last) = range.unwrap_or((time, time));
        Some((first.min(time), last.max(time)))
    })
}

/// What was sold within a part of a store-day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The time of its last sale; `None` for sales without a time.
    pub at: Option<i32>,
    /// Millionths, by index into the day's items.
    pub sold: BTreeMap<u32, i64>,
}

/// Splits a store-day at some times. A sale at exactly such a time belongs to the part before it. Parts without sales are
/// left out; sales without a time are a part of their own, the last one.
#[must_use]
pub fn parts(day: &Unpacked, cuts: &[i32]) -> Vec<Part> {
    let mut cuts = cuts.to_vec();
    cuts.sort_unstable();
    // By the number of cuts before it; untimed sales after all others.
    let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
    for line in day.lines.iter().filter(|line| line.counts()) {
        let at = time(line, &day.receipts);
        let place = at.map_or(usize::MAX, |at| cuts.partition_point(|cut| *cut < at));
        let part = parts.entry(place).or_insert_with(|| Part { at, sold: BTreeMap::new() });
        part.at = part.at.max(at);
        let sum = part.sold.entry(line.item).or_default();
        *sum = sum.saturating_add(line.qty);
    }
    parts.into_values().collect()
}

/// Usage of each root item by the quantities of an item, in millionths, one after the other. The parts add up to the
/// usage by the whole quantity, to the millionth; `None` on overflow.
#[must_use]
pub fn uses(bom: &Bom, quantities: &[i64]) -> Option<Vec<Vec<(u32, i64)>>> {
    let mut sum = 0i64;
    let mut before: Vec<(u32, i64)> = bom.uses(0)?;
    let mut parts = Vec::with_capacity(quantities.len());
    for qty in quantities {
        sum = sum.checked_add(*qty)?;
        let after = bom.uses(sum)?;
        let part = after.iter().zip(&before);
        parts.push(part.map(|((root, after), (_, before))| (*root, after - before)).collect());
        before = after;
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Kind;
    use super::*;
    use crate::Factor;

    const MILLION: i64 = 1_000_000;

    fn line(receipt: i32, seconds: i32, item: u32, kind: Kind, whole: i64) -> DayLine {
        let qty = whole * MILLION;
        DayLine {
            line_no: 0,
            receipt,
            seconds,
            item,
            kind,
            qty,
            unit_price: 0,
            discount: 0,
            net: 0,
            parent: -1,
        }
    }

    fn day(receipts: &[i32], lines: Vec<DayLine>) -> Unpacked {
        let receipts = receipts.iter().map(|seconds| Receipt { seconds: *seconds, ..Receipt::default() });
        Unpacked { items: Vec::new(), receipts: receipts.collect(), lines, facts: Vec::new() }
    }

    #[test]
    fn a_day_is_split_at_the_times_of_its_counts() {
        let day = day(
            &[36_000, -1],
            vec![
                line(-1, 30_000, 0, Kind::Sale, 1),
                // The receipt's time.
                line(0, -1, 0, Kind::Sale, 2),
                line(-1, 40_000, 1, Kind::Sale, 5),
                line(-1, 88_800, 0, Kind::Sale, 7),
                // A void counts nothing, a line without a time belongs to no part.
                line(-1, 20_000, 0, Kind::Void, 9),
                line(1, -1, 1, Kind::Sale, 4),
            ],
        );
        assert_eq!(first_and_last(&day.lines, &day.receipts), Some((30_000, 88_800)));
        let part = |at, sold: &[(u32, i64)]| Part {
            at,
            sold: sold.iter().map(|(item, whole)| (*item, whole * MILLION)).collect(),
        };
        assert_eq!(
            parts(&day, &[86_400, 36_000]),
            [
                part(Some(36_000), &[(0, 3)]),
                part(Some(40_000), &[(1, 5)]),
                part(Some(88_800), &[(0, 7)]),
                part(None, &[(1, 4)]),
            ]
        );
        assert_eq!(parts(&day, &[]).len(), 2);
        assert_eq!(first_and_last(&day.lines[5..], &day.receipts), None);
    }

    #[test]
    fn parts_of_an_item_use_what_the_whole_uses() {
        // A third of one root item each: 0.333333 for one, 1 for three.
        let bom = Bom { seq: 1, valid_from: 0, lines: vec![(7, Factor(333_333_333))] };
        let parts = uses(&bom, &[MILLION, MILLION, MILLION]).expect("small numbers");
        assert_eq!(parts, [[(7, 333_333)], [(7, 333_334)], [(7, 333_333)]]);
        assert_eq!(bom.uses(3 * MILLION), Some(vec![(7, MILLION)]));
        assert_eq!(uses(&bom, &[]), Some(Vec::new()));
    }

    fn days() -> impl Strategy<Value = Unpacked> {
        let kinds = [Kind::Sale, Kind::Return, Kind::Void].to_vec();
        let one = (-1i32..3, -1i32..90, 0u32..3, prop::sample::select(kinds), -5i64..9);
        let lines = prop::collection::vec(one, 0..20);
        (prop::collection::vec(-1i32..90, 3), lines).prop_map(|(receipts, lines)| {
            let lines =
                lines.into_iter().map(|(receipt, at, item, kind, qty)| line(receipt, at, item, kind, qty));
            day(&receipts, lines.collect())
        })
    }

    proptest! {
        /// Up to every cut, the parts add up to what was sold until then; and all of them to the whole day.
        #[test]
        fn parts_add_up(day in days(), cuts in prop::collection::vec(0i32..90, 0..4)) {
            let parts = parts(&day, &cuts);
            let of_parts = |until: Option<i32>| {
                let within = parts.iter().filter(|part| until.is_none_or(|cut| part.at.is_some_and(|at| at <= cut)));
                within.flat_map(|part| part.sold.values()).sum::<i64>()
            };
            let of_lines = |until: Option<i32>| {
                let counted = day.lines.iter().filter(|line| line.counts());
                let within = counted.filter(|line| {
                    until.is_none_or(|cut| time(line, &day.receipts).is_some_and(|at| at <= cut))
                });
                within.map(|line| line.qty).sum::<i64>()
            };
            for cut in cuts.iter().map(|cut| Some(*cut)).chain([None]) {
                prop_assert_eq!(of_parts(cut), of_lines(cut));
            }
        }

        #[test]
        fn usage_by_parts_is_usage_by_the_whole(
            quantities in prop::collection::vec(-1_000_000_000i64..1_000_000_000, 0..6),
            multiplier in 1i64..10_000_000_000,
        ) {
            let bom = Bom { seq: 1, valid_from: 0, lines: vec![(1, Factor(multiplier))] };
            let parts = uses(&bom, &quantities).expect("small numbers");
            let sum: i64 = parts.iter().flatten().map(|(_, used)| used).sum();
            let whole = bom.uses(quantities.iter().sum()).expect("small numbers");
            prop_assert_eq!(sum, whole[0].1);
        }
    }
}
