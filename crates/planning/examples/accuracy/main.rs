//! Accuracy of the methods on real sales, and the cost per series.
//!
//! cargo run --release -p larder-planning --example accuracy -- FILE [--dump FILE] [--without DAYS] [METHOD …]
//!
//! FILE is `testdata/sales/restaurant_orders.csv.gz`, unpacked. For the 200 store × item series with the highest sales,
//! at each of 26 cut-offs a week apart, a method sees the preceding 365 days and forecasts 14. Series are grouped by
//! their class before the first cut-off. MASE is the mean over the series of a group, of h 1–7 and of h 1–14; WAPE and
//! bias are over all days, `in80` is the share of days within the 80% interval, `ms` the median time of a forecast (the
//! advanced one with its choice and interval). `--dump` writes the input, so that other tools can be measured at the
//! same cut-offs; `--without` leaves out the last days, so that parameters tuned on some days can be checked on others.

mod measure;
mod sales;

use std::fmt::Write as _;

use larder_planning::demand::Panel;
use larder_planning::method::Method;

use crate::measure::{GROUPS, Group, group_of, measure, whole};

const SERIES: usize = 200;
const METHODS: [&str; 21] = [
    "snaive",
    "hist_avg",
    "sma28",
    "swa_4",
    "dow_ma",
    "dow_ma_weighted",
    "dow_level_0.05",
    "ses_opt",
    "seas_es_0.1",
    "weekly",
    "croston",
    "sba",
    "tsb_0.1_0.1",
    "adida",
    "imapa",
    "ets_ANA",
    "auto_ets",
    "dotm",
    "mstl_ets",
    "combined",
    "advanced",
];

fn main() {
    if let Err(why) = run() {
        println!("{why}");
    }
}

fn run() -> Result<(), String> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let dump_to = option(&mut args, "--dump");
    let without = option(&mut args, "--without").map_or(Ok(0), |it| it.parse::<usize>());
    let without = without.map_err(|_| "How many days?")?;
    if args.is_empty() {
        return Err("Which file of orders?".into());
    }
    let (first, mut items) = sales::read(&args.remove(0), SERIES)?;
    items.iter_mut().for_each(|item| item.raw.truncate(item.raw.len().saturating_sub(without)));
    let mut panel = Panel::with_capacity(items.len(), items[0].raw.len());
    for item in &items {
        panel.push(first, item.raw.iter().copied()).map_err(|why| why.to_string())?;
    }
    if let Some(file) = &dump_to {
        dump(file, &panel, &items)?;
    }
    let names = if args.is_empty() { METHODS.map(String::from).to_vec() } else { args };
    let mut lines = GROUPS.map(|_| String::new());
    for name in names {
        let method = Method::parse(&name).ok_or_else(|| format!("There is no method {name}."))?;
        let mut groups = GROUPS.map(|_| Group::default());
        panel.iter().for_each(|series| measure(method, &series, &mut groups));
        for ((text, group), title) in lines.iter_mut().zip(&groups).zip(GROUPS) {
            let _ = writeln!(text, "{title:13} {name:16} {}", group.line());
        }
    }
    let last = larder_domain::BusinessDay(first + items[0].raw.len() as i32 - 1);
    println!("{} series to {last}", panel.len());
    for text in lines {
        println!("{:13} {:16} {}", "group", "method", Group::HEAD);
        println!("{text}");
    }
    Ok(())
}

/// Removes an option and returns its value.
fn option(args: &mut Vec<String>, name: &str) -> Option<String> {
    let at = args.iter().position(|it| it == name)?;
    args.remove(at);
    (at < args.len()).then(|| args.remove(at))
}

/// Group, value and mask of each day used for input or evaluation, one per line.
fn dump(file: &str, panel: &Panel, items: &[sales::Item]) -> Result<(), String> {
    let mut text = String::from("series,group,y,masked\n");
    for (series, item) in panel.iter().zip(items) {
        let group = group_of(&whole(&series)).map_or("none", |at| GROUPS[at]);
        let name = item.name.replace(',', " ");
        for (y, masked) in series.y.iter().zip(series.masked) {
            let _ = writeln!(text, "{name},{group},{y},{}", u8::from(*masked));
        }
    }
    std::fs::write(file, text).map_err(|why| why.to_string())
}
