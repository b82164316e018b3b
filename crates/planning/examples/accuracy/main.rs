//! Accuracy of the methods on real sales, out of sample: what is chosen on one half is shown on the other.
//!
//! cargo run --release -p larder-planning --example accuracy -- ORDERS BAKERY [--series NUMBER] [--dump FILE]
//!
//! ORDERS and BAKERY are the files of `testdata/sales`, unpacked. Of each it takes the 60 store × item series (or
//! NUMBER) with the highest sales in the year before the first cut-off. A hash of the name puts each in half `a` or `b`; the 64
//! cut-offs, two weeks apart, are 32 older and 32 newer ones. So a choice made on the older cut-offs of one half can be
//! shown on the newer ones of the other: neither its series nor its days were part of the choice. BAKERY is of another
//! business, and no choice was made on it. At each cut-off a method sees the preceding 365 days (the bakery has fewer)
//! and forecasts 14; no day is forecast twice. A forecast belongs to the class of its history.
//!
//! One line per part, class and method or rule, with tabs between its figures, all sums so that parts can be joined:
//! Σ MASE of a series × its forecasts, Σ forecasts, Σ absolute errors, Σ sold, Σ shares of days within the 80% interval,
//! number of intervals, series, refusals; and the median milliseconds of a forecast (the product's with its choice and
//! interval). `--dump` writes the same series and cut-offs as lines of JSON, so that other tools can be measured on them.

mod halves;
mod rules;
mod sales;
mod tally;
mod trial;

use larder_planning::demand::{Panel, Series};
use larder_planning::method::Workspace;

use crate::halves::Part;
use crate::tally::Table;

/// Days of history before a cut-off.
const HISTORY: usize = 365;
/// Days forecast after it, and days between two cut-offs.
const HORIZON: usize = 14;
const LEVEL: f64 = 0.8;

fn main() -> Result<(), String> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let dump_to = option(&mut args, "--dump");
    let most = option(&mut args, "--series").map_or(Ok(60), |it| it.parse::<usize>());
    let most = most.map_err(|_| "How many series?")?;
    let Ok([orders, bakery]) = <[String; 2]>::try_from(args) else {
        return Err("Which files of orders and of the bakery?".into());
    };
    let mut sets = Vec::new();
    for (file, parts) in [(orders, Part::OF_ORDERS.as_slice()), (bakery, &[Part::Bakery])] {
        let (first, mut items) = sales::read(&file)?;
        halves::keep_largest(&mut items, parts[0], most);
        let mut panel = Panel::with_capacity(items.len(), items.first().map_or(0, |it| it.raw.len()));
        for item in &items {
            panel.push(first, item.raw.iter().copied()).map_err(|why| why.to_string())?;
        }
        sets.push((parts, items, panel));
    }
    let series = || {
        sets.iter().flat_map(|(parts, items, panel)| {
            panel.iter().zip(items).flat_map(|(series, item)| {
                let own = parts.iter().filter(|part| part.has(&item.name));
                own.map(move |part| (*part, item.name.as_str(), series))
            })
        })
    };
    if let Some(file) = dump_to {
        let lines: Vec<String> = series().map(|(part, name, series)| line(part, name, &series)).collect();
        std::fs::write(file, lines.join("\n")).map_err(|why| why.to_string())?;
    }
    let (mut table, mut ws) = (Table::default(), Workspace::default());
    for (part, _, series) in series() {
        trial::of_series(part, &series, &mut table, &mut ws)?;
    }
    table.print();
    Ok(())
}

/// Removes an option and returns its value.
fn option(args: &mut Vec<String>, name: &str) -> Option<String> {
    let at = args.iter().position(|it| it == name)?;
    args.remove(at);
    (at < args.len()).then(|| args.remove(at))
}

/// A series with its classes at the cut-offs of a part.
fn line(part: Part, name: &str, series: &Series<'_>) -> String {
    let class = |cut| halves::class_of(&halves::history(series, cut)).map(|it| (cut, halves::title(it)));
    let cuts: Vec<(usize, &str)> = part.cuts(series.y.len()).filter_map(class).collect();
    let (y, masked) = (series.y, series.masked);
    serde_json::json!({ "name": name, "part": part.name(), "y": y, "masked": masked, "cuts": cuts })
        .to_string()
}
