//! Fitted methods against reference figures: one-sided on the objective, never on forecasts.

#![allow(clippy::unwrap_used, reason = "what helps a test is a test")]

use std::collections::HashMap;

use larder_planning::{Refusal, ets, mstl, theta};
use proptest::prelude::*;

/// A table of reference figures as rows of named cells.
fn table(name: &str) -> Vec<HashMap<String, String>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/oracle");
    let mut reader = csv::Reader::from_path(format!("{folder}/{name}")).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn number(row: &HashMap<String, String>, name: &str) -> f64 {
    row[name].parse().unwrap_or_else(|_| panic!("{name} in {row:?}"))
}

/// Each series' values as input to the methods, in order.
fn series() -> HashMap<String, Vec<f64>> {
    let mut all: HashMap<String, Vec<f64>> = HashMap::new();
    for row in table("series.csv") {
        all.entry(row["unique_id"].clone()).or_default().push(number(&row, "y_model"));
    }
    all
}

/// «AAN» of «AANN», «AAdA» of «AAAD»: the reference writes the damping last.
fn model(components: &str) -> ets::Model {
    let (letters, damped) = components.split_at(3);
    let trend = if damped == "D" { "Ad" } else { &letters[1..2] };
    ets::Model::parse(&format!("{}{trend}{}", &letters[..1], &letters[2..])).unwrap()
}

#[test]
fn ets_is_at_least_as_likely_as_the_reference() {
    let (series, reference) = (series(), table("params.csv"));
    let mut work = ets::Workspace::default();
    let mut seen = 0;
    for row in reference.iter().filter(|row| !row["loglik"].is_empty()) {
        let (y, m) = (&series[&row["unique_id"]], number(row, "m") as usize);
        let fit = ets::fit(model(&row["components"]), y, m, &mut work).unwrap();
        let (found, wanted) = (fit.log_likelihood, number(row, "loglik"));
        assert!(found >= wanted - 0.05, "{found} for {row:?}");
        assert!(fit.aicc <= number(row, "aicc") + 0.1, "{} for {row:?}", fit.aicc);
        seen += 1;
    }
    assert!(seen > 0);
}

/// Automatic choice minimises AICc; a model that is likelier with fewer parameters has a lower AICc.
#[test]
fn automatic_choice_is_no_worse_than_the_references() {
    let (series, reference) = (series(), table("params.csv"));
    let mut work = ets::Workspace::default();
    for row in reference.iter().filter(|row| row["method"] == "auto_ets") {
        let (y, m) = (&series[&row["unique_id"]], number(row, "m") as usize);
        let fit = ets::auto(y, m, &mut work).unwrap();
        assert!(fit.aicc <= number(row, "aicc") + 0.1, "{fit:?} for {row:?}");
        assert!(fit.log_likelihood >= number(row, "loglik") - 0.05, "{fit:?} for {row:?}");
    }
}

/// The reference used additive seasons, so these fits do, too: errors after another decomposition are not comparable.
#[test]
fn theta_errs_no_more_than_the_reference() {
    let (series, reference) = (series(), table("params.csv"));
    let mut work = theta::Workspace::default();
    let mut seen = 0;
    for row in reference.iter().filter(|row| row["loglik"].is_empty()) {
        let kind = match row["components"].as_str() {
            "STM" => theta::Kind::Stm,
            "OTM" => theta::Kind::Otm,
            "DSTM" => theta::Kind::Dstm,
            "DOTM" => theta::Kind::Dotm,
            other => panic!("a kind {other}"),
        };
        let (y, m) = (&series[&row["unique_id"]], number(row, "m") as usize);
        let fit = theta::fit_with(kind, y, m, theta::Join::Added, &mut work).unwrap();
        let wanted = number(row, "sigma2_or_mse");
        assert!(fit.mse <= wanted * 1.001, "{} for {row:?}", fit.mse);
        assert_eq!(fit.season.is_some(), row["p4_phi_or_flag"] == "decompose=True", "{row:?}");
        seen += 1;
    }
    assert!(seen > 0);
}

/// The same smoothers in the same order: only rounding differs.
#[test]
fn components_are_the_references() {
    let (series, reference) = (series(), table("mstl_components.csv"));
    for id in ["air", "smooth", "closures"] {
        let y = &series[id];
        let found = mstl::decompose(y, if id == "air" { 12 } else { 7 }).unwrap();
        let rows: Vec<_> = reference.iter().filter(|row| row["unique_id"] == id).collect();
        assert_eq!(rows.len(), y.len());
        let most = y.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        for (t, row) in rows.iter().enumerate() {
            for (name, part) in
                [("trend", &found.trend), ("seasonal", &found.seasonal), ("remainder", &found.remainder)]
            {
                let off = (part[t] - number(row, name)).abs();
                assert!(off <= 1e-9 * most, "{id} {name} {t}: {} is not {}", part[t], row[name]);
            }
        }
    }
}

const MODELS: [&str; 15] = [
    "ANN", "AAN", "AAdN", "ANA", "AAA", "AAdA", "MNN", "MAN", "MAdN", "MNA", "MAA", "MAdA", "MNM", "MAM",
    "MAdM",
];
const KINDS: [theta::Kind; 4] = [theta::Kind::Stm, theta::Kind::Otm, theta::Kind::Dstm, theta::Kind::Dotm];

/// A series of 1 to 60 values of one of several kinds, and its season.
fn any_series() -> impl Strategy<Value = (Vec<f64>, usize)> {
    let value = prop_oneof![
        4 => 0.0..200.0,
        2 => (0..30u32).prop_map(f64::from),
        1 => Just(0.0),
        1 => -50.0..50.0,
    ];
    let values = prop_oneof![
        6 => prop::collection::vec(value, 1..60),
        2 => prop::collection::vec(0.5..90.0, 1..60),
        1 => (prop_oneof![Just(0.0), Just(7.0), Just(-3.5), Just(1e-300), Just(1e99)], 1..60usize)
            .prop_map(|(value, n)| vec![value; n]),
        1 => prop::collection::vec(-1e99..1e99, 1..60),
        1 => prop::collection::vec(1e-290..1e-280, 1..60),
        2 => (prop::collection::vec(0.0..40.0, 2..60), any::<prop::sample::Index>()).prop_map(|(mut all, at)| {
            *at.get_mut(&mut all) = 1e9;
            all
        }),
    ];
    (values, prop_oneof![4 => Just(7usize), 1 => Just(1usize), 2 => 2..13usize])
}

fn finite(figures: &[f64]) -> bool {
    figures.iter().all(|figure| figure.is_finite())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn smoothing_answers_or_says_how_many_values_it_needs((y, m) in any_series()) {
        let mut work = ets::Workspace::default();
        let positive = y.iter().all(|v| *v > 0.0);
        for name in MODELS {
            let model = ets::Model::parse(name).unwrap();
            let need = model.least_values(m);
            match ets::fit(model, &y, m, &mut work) {
                Ok(fit) => {
                    let mut out = [0.0; 30];
                    fit.forecast(&mut out);
                    prop_assert!(finite(&out) && finite(&[fit.log_likelihood, fit.aicc, fit.sigma2]), "{fit:?} {out:?}");
                    prop_assert!((1e-4..=0.9999).contains(&fit.alpha) && (0.0..=fit.alpha).contains(&fit.beta));
                    prop_assert!((0.0..1.0).contains(&fit.gamma) && (0.8..=1.0).contains(&fit.phi));
                }
                Err(Refusal::TooShort { have, need: said }) => prop_assert!(have == y.len() && said == need && have < need),
                Err(Refusal::Invalid(_)) => prop_assert!((m == 1 && !name.ends_with('N')) || (!positive && model.is_for_positive())),
            }
        }
        match ets::auto(&y, m, &mut work) {
            Ok(fit) => {
                let mut out = [0.0; 30];
                fit.forecast(&mut out);
                prop_assert!(finite(&out) && fit.aicc.is_finite(), "{fit:?} {out:?}");
            }
            Err(refusal) => prop_assert!(y.len() < 5, "{refusal}"),
        }
    }

    #[test]
    fn theta_and_decomposition_answer_or_say_how_many_values_they_need((y, m) in any_series()) {
        let mut out = [0.0; 30];
        let mut work = theta::Workspace::default();
        for kind in KINDS {
            match theta::fit(kind, &y, m, &mut work) {
                Ok(fit) => {
                    fit.forecast(&mut out);
                    prop_assert!(finite(&out) && fit.mse.is_finite() && fit.mse >= 0.0, "{fit:?} {out:?}");
                    prop_assert!((0.1..=0.99).contains(&fit.alpha) && (1.0..=1.1e10).contains(&fit.theta));
                }
                Err(refusal) => prop_assert_eq!(refusal, Refusal::TooShort { have: y.len(), need: 4 }),
            }
        }
        match mstl::forecast(&y, m, &mut mstl::Workspace::default(), &mut out) {
            Ok(()) => prop_assert!(finite(&out), "{out:?}"),
            Err(refusal) => prop_assert!(y.len() < usize::max(5, 2 * m), "{refusal}"),
        }
    }

    /// Twice the demand is twice the forecast, exactly except for rounding near a tie.
    #[test]
    fn forecasts_scale_with_the_series(y in prop::collection::vec(1.0..100.0, 30..60)) {
        let doubled: Vec<f64> = y.iter().map(|v| 1024.0 * v).collect();
        let (mut a, mut b) = ([0.0; 9], [0.0; 9]);
        let (mut work, mut thetas) = (ets::Workspace::default(), theta::Workspace::default());
        ets::fit(ets::Model::ANA, &y, 7, &mut work).unwrap().forecast(&mut a);
        ets::fit(ets::Model::ANA, &doubled, 7, &mut work).unwrap().forecast(&mut b);
        prop_assert!(a.iter().zip(b).all(|(a, b)| (1024.0 * a - b).abs() <= 1e-9 * b.abs()), "{a:?} {b:?}");
        theta::fit(theta::Kind::Dotm, &y, 7, &mut thetas).unwrap().forecast(&mut a);
        theta::fit(theta::Kind::Dotm, &doubled, 7, &mut thetas).unwrap().forecast(&mut b);
        prop_assert!(a.iter().zip(b).all(|(a, b)| (1024.0 * a - b).abs() <= 1e-9 * b.abs()), "{a:?} {b:?}");
    }

    #[test]
    fn a_repeating_season_continues(season in prop::collection::vec(1.0..100.0, 7), weeks in 4..9usize) {
        let y = season.repeat(weeks);
        let (mut work, mut out) = (ets::Workspace::default(), [0.0; 10]);
        let repeats = |out: &[f64], within: f64| {
            out.iter().zip(season.iter().cycle()).all(|(f, s)| (f - s).abs() <= within)
        };
        for name in ["ANA", "MNA", "MNM"] {
            ets::fit(ets::Model::parse(name).unwrap(), &y, 7, &mut work).unwrap().forecast(&mut out);
            prop_assert!(repeats(&out, 1e-3), "{name} {season:?} {out:?}");
        }
        mstl::forecast(&y, 7, &mut mstl::Workspace::default(), &mut out).unwrap();
        prop_assert!(repeats(&out, 1e-6), "{season:?} {out:?}");
    }
}

#[test]
fn figures_that_are_not_finite_are_refused() {
    let mut y = vec![3.0; 40];
    y[20] = f64::NAN;
    assert!(matches!(ets::auto(&y, 7, &mut ets::Workspace::default()), Err(Refusal::Invalid(_))));
    assert!(matches!(theta::auto(&y, 7, &mut theta::Workspace::default()), Err(Refusal::Invalid(_))));
    assert!(matches!(mstl::decompose(&y, 7), Err(Refusal::Invalid(_))));
}
