//! Forecasts, errors and intervals compared with statsforecast 2.1.1, from `testdata/oracle`.

#![allow(clippy::unwrap_used, reason = "a file that cannot be read fails the test")]

#[path = "support/oracle.rs"]
mod oracle;

use std::collections::BTreeMap;

use larder_planning::Refusal;
use larder_planning::demand::clean_into;
use larder_planning::errors::{Errors, Scale, Tally};
use larder_planning::method::{Input, Method, Workspace, estimate};
use larder_planning::rolling::{Roll, cuts};

use crate::oracle::{Row, close, rows, series};

/// Methods without an optimiser, and those with one.
const EXACT: [&str; 12] = [
    "naive",
    "rw_drift",
    "snaive",
    "hist_avg",
    "sma7",
    "sma14",
    "sma28",
    "swa_4",
    "ses_0.3",
    "seas_es_0.3",
    "croston",
    "sba",
];
const OPTIMISED: [&str; 5] = ["ses_opt", "adida", "imapa", "croston_opt", "mstl_naive"];

#[test]
fn forecasts() {
    let series = series();
    let mut expected: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for row in rows("forecast_h14.csv") {
        expected.entry((row.text("unique_id"), row.text("method"))).or_default().push(row.number("mean"));
    }
    let mut ws = Workspace::default();
    let mut compared = 0;
    let exact = EXACT.iter().chain(&["tsb_0.1_0.1"]).map(|name| (*name, 1e-9));
    for (name, tolerance) in exact.chain(OPTIMISED.iter().map(|name| (*name, 1e-6))) {
        for (id, it) in &series {
            let expect = &expected[&(id.clone(), name.to_owned())];
            let mut out = vec![0.0; expect.len()];
            let input = Input { season: it.season, ..Input::new(&it.y, it.first_day) };
            let done = estimate(Method::parse(name).unwrap(), &input, &mut ws, &mut out);
            if expect[0].is_nan() {
                let have = it.y.len();
                assert!(
                    matches!(done, Err(Refusal::TooShort { have: h, .. }) if h == have),
                    "{id} {name}: {done:?}"
                );
                continue;
            }
            done.unwrap();
            for (h, (ours, theirs)) in out.iter().zip(expect).enumerate() {
                assert!(close(*ours, *theirs, tolerance), "{id} {name} {}: {ours} for {theirs}", h + 1);
                compared += 1;
            }
        }
    }
    // 18 methods × 5 series × 14 days, without two for which the new item is too short.
    assert_eq!(compared, 18 * 5 * 14 - 2 * 14);
}

#[test]
fn masked_days_are_filled_the_same() {
    let series = series();
    let mut filled = 0;
    for (id, it) in &series {
        let (mut y, mut masked) = (Vec::new(), Vec::new());
        let raw = it.raw.iter().zip(&it.closed).map(|(y, closed)| if *closed { f64::NAN } else { *y });
        assert_eq!(clean_into(raw, &mut y, &mut masked), Ok(0));
        assert_eq!(masked, it.closed);
        y.iter().zip(&it.y).for_each(|(ours, theirs)| assert!(close(*ours, *theirs, 1e-12), "{id}"));
        filled += masked.iter().filter(|&&it| it).count();
    }
    assert!(filled > 10, "{filled}");
}

#[test]
fn errors_by_origin() {
    let series = series();
    let mut ws = Workspace::default();
    let all = rows("cv_metrics.csv");
    for row in &all {
        let (id, name) = (row.text("unique_id"), row.text("method"));
        let it = &series[&id];
        let cut = row.number("cutoff_n") as usize;
        let mut out = vec![0.0; 14];
        let input = Input { season: it.season, ..Input::new(&it.y, it.first_day) }.until(cut);
        estimate(Method::parse(&name).unwrap(), &input, &mut ws, &mut out).unwrap();
        let scale = Scale::of(input.y, &[], it.season);
        let mut tally = Tally::default();
        tally.add(&it.y[cut..cut + 14], &[], &out, scale);
        let Errors { wape, bias, mae, mase, rmsse, .. } = tally.errors();
        // With an optimised α the errors are as close as the forecasts.
        let tolerance = if OPTIMISED.contains(&name.as_str()) { 1e-6 } else { 1e-9 };
        let figures =
            [("wape", wape), ("bias_f_minus_y", bias), ("mae", mae), ("mase_m", mase), ("rmsse_m5", rmsse)];
        for (what, ours) in figures {
            let theirs = row.number(what);
            assert!(
                close(ours.unwrap(), theirs, tolerance),
                "{id} {name} at {cut}, {what}: {ours:?} for {theirs}"
            );
        }
    }
    assert_eq!(all.len(), 160);
}

/// The reference takes its quantile for each step separately, from three origins, and interpolates; Larder pools by
/// week and takes a rank (tested by hand in `intervals`). Both must agree on the forecast and the errors behind the
/// intervals, so the reference's two ways are repeated here from Larder's errors.
#[test]
fn errors_behind_intervals() {
    let series = series();
    let mut ws = Workspace::default();
    let mut rolls: BTreeMap<(String, String), (Roll, Vec<f64>)> = BTreeMap::new();
    let all = rows("conformal_h14.csv");
    for row in &all {
        let (id, name) = (row.text("unique_id"), row.text("method"));
        let it = &series[&id];
        let input = Input { season: it.season, ..Input::new(&it.y, it.first_day) };
        let (roll, ahead) = rolls.entry((id.clone(), name.clone())).or_insert_with(|| {
            let method = Method::parse(&name).unwrap();
            let (mut roll, mut ahead) = (Roll::default(), vec![0.0; 14]);
            roll.run(method, &input, cuts(it.y.len(), 14, 14, 3, 1), 14, &mut ws).unwrap();
            estimate(method, &input, &mut ws, &mut ahead).unwrap();
            (roll, ahead)
        });
        let step = row.number("h") as usize - 1;
        let errors: Vec<f64> =
            roll.residuals(&input).filter(|(h, _)| *h == step).map(|(_, error)| error.abs()).collect();
        assert_eq!(errors.len(), 3);
        compare(&row_figures(row, ahead[step], &errors), &format!("{id} {name} {}", step + 1));
    }
    assert_eq!(all.len(), 560);
}

/// Pairs of Larder's and the reference's figure.
fn row_figures(row: &Row, mean: f64, errors: &[f64]) -> Vec<(f64, f64)> {
    let mut figures = vec![(mean, row.number("mean"))];
    for (level, low, high) in [(0.80, "lo80", "hi80"), (0.95, "lo95", "hi95")] {
        let (ours_low, ours_high) = if row.text("pi_method") == "conformal_error" {
            let half = oracle::quantile(errors.to_vec(), level);
            (mean - half, mean + half)
        } else {
            let both: Vec<f64> = errors.iter().flat_map(|e| [mean - e, mean + e]).collect();
            let tail = (1.0 - level) / 2.0;
            (oracle::quantile(both.clone(), tail), oracle::quantile(both, 1.0 - tail))
        };
        figures.extend([(ours_low, row.number(low)), (ours_high, row.number(high))]);
    }
    figures
}

fn compare(figures: &[(f64, f64)], what: &str) {
    for (ours, theirs) in figures {
        assert!(close(*ours, *theirs, 1e-9), "{what}: {ours} for {theirs}");
    }
}
