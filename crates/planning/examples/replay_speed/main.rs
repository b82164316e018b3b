//! Speed of a replay: `cargo run --release -p larder-planning --example replay_speed [STORES ITEMS DAYS THREADS]`.
//!
//! Synthetic demand with a weekday pattern, 84 days of history, five policies: weekday averages at three service
//! levels, a plain average, and actual receipts. Forecasts are recomputed on every review day.

mod cases;

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use larder_planning::Refusal;
use larder_planning::replay::{
    ChunkResult, Cushion, Forecast, Item, Orders, Past, Policy, Replay, Rule, Scratch,
};

const HISTORY: usize = 84;
const CHUNK: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, file, turns] = arguments.as_slice()
        && mode == "cases"
    {
        return cases::play(file, turns.parse()?);
    }
    let mut sizes = [200, 180, 182, 2];
    for (size, given) in sizes.iter_mut().zip(&arguments) {
        *size = given.parse()?;
    }
    let [stores, items, replayed, threads] = sizes;
    let (series, days) = (stores * items, HISTORY + replayed);
    let (sold, lost, received, items) = made(series, days);
    let past = Past {
        days,
        start: HISTORY,
        sold: &sold,
        lost: &lost,
        received: &received,
        items: &items,
        ..Past::default()
    };
    let policies = policies();
    let replay = Replay::new(past, &policies)?;

    let began = Instant::now();
    let next = AtomicUsize::new(0);
    let empty = || ChunkResult::empty(policies.len(), replayed, 0);
    let work = || -> Result<ChunkResult, Refusal> {
        let (mut scratch, mut all) = (Scratch::default(), empty());
        loop {
            let from = next.fetch_add(CHUNK, Ordering::Relaxed);
            if from >= series {
                return Ok(all);
            }
            all = all.merge(replay.chunk(from..series.min(from + CHUNK), &mut scratch)?)?;
        }
    };
    let result = std::thread::scope(|scope| -> Result<ChunkResult, Refusal> {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_fold(empty(), |all, worker| {
            all.merge(worker.join().map_err(|_| Refusal::Invalid("A thread ended."))??)
        })
    })?;
    let took = began.elapsed();

    let names = ["weekdays 90%", "weekdays 95%", "weekdays 98%", "plain average 95%", "as it was"];
    for (name, figures) in names.iter().zip(&result.totals) {
        println!(
            "{name:18} served {:6.2}%  out {:8} days  average stock {:12.0}  expired {:12.0}  orders {:8}",
            figures.service_level().unwrap_or(0.0) * 100.0,
            figures.out_days,
            figures.average_stock.0 as f64 / 1e6,
            figures.expired.0 as f64 / 1e6,
            figures.orders,
        );
    }
    let steps = (series * replayed * policies.len()) as f64;
    println!(
        "{series} series × {replayed} days × {} policies in {:.2} s on {threads} threads: {:.0} ns a day and policy",
        policies.len(),
        took.as_secs_f64(),
        took.as_secs_f64() * threads as f64 / steps * 1e9
    );
    Ok(())
}

fn policies() -> [Policy<'static>; 5] {
    let rule = |forecast, level| Policy {
        orders: Orders::Advised(Rule {
            forecast,
            cushion: Cushion::Level(level),
            lead: None,
            review: None,
            first_review: 0,
            pack: None,
            most_days: None,
        }),
    };
    let weekdays = Forecast::Weekday { weeks: 8, decay: 0.8 };
    [
        rule(weekdays, 0.9),
        rule(weekdays, 0.95),
        rule(weekdays, 0.98),
        rule(Forecast::Average { days: 28 }, 0.95),
        Policy { orders: Orders::Actual },
    ]
}

/// Sales, estimated lost sales, receipts and items.
fn made(series: usize, days: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<Item>) {
    let mut state = 7u64;
    let mut chance = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31)
    };
    let cells = series * days;
    let (mut sold, mut lost, mut received) =
        (Vec::with_capacity(cells), Vec::with_capacity(cells), Vec::with_capacity(cells));
    let mut items = Vec::with_capacity(series);
    for at in 0..series {
        let (level, pack) = (2.0 + chance() * 60.0, (1.0 + chance() * 23.0).floor());
        for day in 0..days {
            let rhythm = [0.8, 0.8, 0.9, 1.0, 1.2, 1.5, 1.3][day % 7];
            let closed = chance() < 0.01;
            sold.push(if closed { f64::NAN } else { (level * rhythm * (0.5 + chance())).floor() });
            lost.push(if chance() < 0.03 { level * chance() } else { 0.0 });
            received.push(if day % 3 == 0 { (level * 3.2 / pack).round() * pack } else { 0.0 });
        }
        items.push(Item {
            opening: level * 4.0,
            opening_life_days: None,
            pack,
            min: 0.0,
            max: None,
            lead: 1 + at as u32 % 2,
            review: 2 + at as u32 % 3,
            shelf_life_days: (at % 2 == 0).then_some(5 + at as u32 % 20),
            unit_cost: 12.5,
        });
    }
    (sold, lost, received, items)
}
