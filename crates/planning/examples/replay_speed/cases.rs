//! `replay_speed cases FILE TURNS`: the cases of bench/parts/replay.py, simulated like the peer. Prints processor
//! seconds per turn and the sums of served and ordered quantities.

use std::error::Error;

use larder_planning::replay::{Cushion, Forecast, Item, Known, Orders, Past, Policy, Replay, Rule, Scratch};
use larder_planning::replenish::Safety;

pub fn play(file: &str, turns: u32) -> Result<(), Box<dyn Error>> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for row in csv::Reader::from_path(file)?.records() {
        rows.push(row?.iter().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect());
    }
    let (mut items, mut sold, mut forecasts, mut terms) = (Vec::new(), Vec::new(), Vec::new(), (0.0, 0.0));
    for case in rows.chunk_by(|one, other| one[0] == other[0]) {
        let &[_, lead, review, pack, z, sigma, opening, ..] = case[0].as_slice() else {
            return Err("a case has ten columns".into());
        };
        items.push(Item {
            opening,
            opening_life_days: None,
            pack,
            min: 0.0,
            max: None,
            lead: lead as u32 - 1, // the peer's evening is the next morning
            review: review as u32,
            shelf_life_days: None,
            unit_cost: 0.0,
        });
        sold.extend(case.iter().map(|row| row[8]).filter(|demand| !demand.is_nan()));
        forecasts.push(case.iter().map(|row| row[9]).collect::<Vec<f64>>());
        terms = (z, sigma);
    }
    let given = |known: Known<'_>, out: &mut [f64]| {
        out.copy_from_slice(&forecasts[known.series][known.day..known.day + out.len()]);
    };
    let policies = [Policy {
        orders: Orders::Advised(Rule {
            forecast: Forecast::Given(&given),
            cushion: Cushion::Fixed(Safety::Normal { z: terms.0, sigma: terms.1 }),
            lead: None,
            review: None,
            first_review: 1,
            pack: None,
            most_days: None,
        }),
    }];
    let days = sold.len() / items.len().max(1);
    let past = Past { days, start: 0, sold: &sold, items: &items, ..Past::default() };
    let replay = Replay::new(past, &policies)?;
    let mut scratch = Scratch::default();
    let began = spent()?;
    let mut figures = Default::default();
    for _ in 0..turns {
        figures = replay.chunk(0..items.len(), &mut scratch)?.totals[0];
    }
    let took = (spent()? - began) / f64::from(turns);
    println!("{took} {} {}", figures.served.0 as f64 / 1e6, figures.ordered.0 as f64 / 1e6);
    Ok(())
}

/// Processor seconds used by this process.
fn spent() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: f64 = text.split_whitespace().next().ok_or("no time in schedstat")?.parse()?;
    Ok(nanoseconds / 1e9)
}
