//! Differences between forecasts and the reference figures of statsforecast 2.1.1 in `testdata/oracle`, as the table in
//! docs/planning.md: `cargo run -p larder-planning --example gates`.

#![allow(clippy::unwrap_used, reason = "without its files there is nothing to show")]

#[path = "../tests/support/oracle.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod oracle;

use std::collections::BTreeMap;

use larder_planning::method::{Input, Method, Workspace, estimate};
use larder_planning::{ets, theta};

use crate::oracle::{Series, rows, series};

const METHODS: [(&str, f64); 18] = [
    ("naive", 1e-9),
    ("rw_drift", 1e-9),
    ("snaive", 1e-9),
    ("hist_avg", 1e-9),
    ("sma7", 1e-9),
    ("sma14", 1e-9),
    ("sma28", 1e-9),
    ("swa_4", 1e-9),
    ("ses_0.3", 1e-9),
    ("seas_es_0.3", 1e-9),
    ("croston", 1e-9),
    ("sba", 1e-9),
    ("tsb_0.1_0.1", 1e-9),
    ("ses_opt", 1e-6),
    ("adida", 1e-6),
    ("imapa", 1e-6),
    ("croston_opt", 1e-6),
    ("mstl_naive", 1e-6),
];

fn main() {
    let series = series();
    println!("| method | series × days | largest relative difference | gate |\n|---|---|---|---|");
    forecasts(&series);
    println!("\n| fitted model | series | objective, worst case | gate |\n|---|---|---|---|");
    fits(&series);
}

fn forecasts(series: &BTreeMap<String, Series>) {
    let mut expected: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for row in rows("forecast_h14.csv") {
        expected.entry((row.text("unique_id"), row.text("method"))).or_default().push(row.number("mean"));
    }
    let mut ws = Workspace::default();
    for (name, gate) in METHODS {
        let (mut most, mut compared) = (0.0f64, 0);
        for (id, it) in series {
            let expect = &expected[&(id.clone(), name.to_owned())];
            let mut out = vec![0.0; expect.len()];
            let input = Input { season: it.season, ..Input::new(&it.y, it.first_day) };
            if estimate(Method::parse(name).unwrap(), &input, &mut ws, &mut out).is_err() {
                continue;
            }
            for (ours, theirs) in out.iter().zip(expect) {
                most = most.max((ours - theirs).abs() / theirs.abs().max(1e-3));
                compared += 1;
            }
        }
        println!("| `{name}` | {compared} | {most:.1e} | {gate:.0e} |");
    }
}

/// The worst objective of each fitted model.
fn fits(series: &BTreeMap<String, Series>) {
    let (mut ets_work, mut theta_work) = (ets::Workspace::default(), theta::Workspace::default());
    let mut likelihoods: BTreeMap<String, (usize, f64)> = BTreeMap::new();
    let mut errors: BTreeMap<String, (usize, f64)> = BTreeMap::new();
    for row in rows("params.csv") {
        let (method, components) = (row.text("method"), row.text("components"));
        let (y, m) = (&series[&row.text("unique_id")].y, row.number("m") as usize);
        let wanted = row.number("loglik");
        if wanted.is_nan() {
            let kind = match components.as_str() {
                "STM" => theta::Kind::Stm,
                "OTM" => theta::Kind::Otm,
                "DSTM" => theta::Kind::Dstm,
                _ => theta::Kind::Dotm,
            };
            let fit = theta::fit_with(kind, y, m, theta::Join::Added, &mut theta_work).unwrap();
            let most = errors.entry(method).or_insert((0, 0.0));
            *most = (most.0 + 1, most.1.max(fit.mse / row.number("sigma2_or_mse")));
            continue;
        }
        let found = if method == "auto_ets" {
            ets::auto(y, m, &mut ets_work).unwrap().log_likelihood
        } else {
            let (letters, damped) = components.split_at(3);
            let trend = if damped == "D" { "Ad" } else { &letters[1..2] };
            let model = ets::Model::parse(&format!("{}{trend}{}", &letters[..1], &letters[2..])).unwrap();
            ets::fit(model, y, m, &mut ets_work).unwrap().log_likelihood
        };
        let least = likelihoods.entry(method).or_insert((0, f64::INFINITY));
        *least = (least.0 + 1, least.1.min(found - wanted));
    }
    for (method, (count, least)) in likelihoods {
        println!("| `{method}` | {count} | log-likelihood {least:+.4} against the reference's | ≥ −0.05 |");
    }
    for (method, (count, most)) in errors {
        println!("| `{method}` | {count} | squared error {most:.5} of the reference's | ≤ 1.001 |");
    }
}
