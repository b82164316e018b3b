//! Against days recorded from the PyPI package replenishment 0.1.2 (bench/parts/replay.py makes them anew).
//!
//! The package orders in the evening, after the day's demand; Larder in the morning, before it. An evening's order with a
//! lead time of n days is on the shelf in the morning n days later, so it is the next morning's with n − 1 days; the
//! first review, in the evening of day 0, is in the morning of day 1. Between them nothing happens, so stock and units are
//! the same. The package knows no packs; what it orders was rounded up to them when the days were recorded.

use larder_planning::replay::{Cushion, Item, Known, Past, Rule};
use larder_planning::replenish::Safety;

use super::support::{ITEM, advised, advised_rule, paths};

#[test]
fn stock_goes_the_way_of_another_simulator_to_the_unit() {
    let rows: Vec<Vec<f64>> = csv::Reader::from_reader(include_str!("replenishment.csv").as_bytes())
        .records()
        .map(|row| row.expect("a row").iter().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect())
        .collect();
    let mut cases = 0;
    for case in rows.chunk_by(|one, other| one[0] == other[0]) {
        let &[_, lead, review, pack, z, sigma, opening, ..] = case[0].as_slice() else { panic!("columns") };
        let played: Vec<&[f64]> = case.iter().map(Vec::as_slice).filter(|row| !row[8].is_nan()).collect();
        let column = |at: usize| -> Vec<f64> { played.iter().map(|row| row[at]).collect() };
        let (sold, received, ordered, lost, closing) =
            (column(8), column(10), column(11), column(12), column(13));
        let forecasts = |known: Known<'_>, out: &mut [f64]| {
            out.iter_mut().zip(&case[known.day..]).for_each(|(day, row)| *day = row[9]);
        };
        let (lead, review) = (lead as u32 - 1, review as u32);
        let items = [Item { opening, pack, lead, review, ..ITEM }];
        let past = Past { days: sold.len(), start: 0, sold: &sold, items: &items, ..Past::default() };
        let cushion = Cushion::Fixed(Safety::Normal { z, sigma });
        let policy = advised(Rule { cushion, first_review: 1, ..advised_rule(&forecasts) });
        let days = paths(past, &[policy]).remove(0);
        for (at, day) in days.iter().enumerate() {
            assert_eq!(day.closing, closing[at], "case {cases}, day {at}: {day:?}");
            assert_eq!(day.demand - day.served, lost[at], "case {cases}, day {at}");
            assert_eq!(day.arrived, received[at], "case {cases}, day {at}");
            // The evening before.
            assert_eq!(day.ordered, if at == 0 { 0.0 } else { ordered[at - 1] }, "case {cases}, day {at}");
        }
        cases += 1;
    }
    assert_eq!(cases, 12);
}
