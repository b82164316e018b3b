//! Properties of every series and every method.

#![allow(clippy::unwrap_used, reason = "a refusal where none is allowed fails the test")]

use larder_planning::Refusal;
use larder_planning::errors::{Errors, Scale, Tally};
use larder_planning::evaluate::evaluate;
use larder_planning::events::EventDays;
use larder_planning::intervals::{Residuals, summed_shortfall};
use larder_planning::method::{Input, Method, Workspace, forecast};
use larder_planning::rolling::{Roll, cuts};
use larder_planning::select::choose;
use proptest::prelude::*;

const NAMES: [&str; 33] = [
    "naive",
    "rw_drift",
    "snaive",
    "hist_avg",
    "sma7",
    "sma28",
    "swa_4",
    "dow_ma",
    "dow_ma4",
    "dow_ma_weighted",
    "ses_0.3",
    "ses_opt",
    "seas_es_0.3",
    "croston",
    "croston_opt",
    "sba",
    "tsb_0.1_0.1",
    "adida",
    "imapa",
    "weekly",
    "monthly",
    "combined",
    "advanced",
    "ets_ANN",
    "holt_AAN",
    "ets_ANA",
    "ets_MNM",
    "auto_ets",
    "theta_stm",
    "otm",
    "dotm",
    "mstl_ets",
    "mstl_naive",
];

/// A day's demand: mostly ordinary, sometimes zero, rarely enormous or tiny.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => 0.0..50.0_f64,
        2 => Just(0.0),
        1 => (0_u8..9).prop_map(f64::from),
        1 => prop_oneof![Just(1e12), Just(1e-300), 1e6..1e9_f64],
    ]
}

fn series(most: usize) -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        prop::collection::vec(value(), 1..most),
        (value(), 1..most).prop_map(|(value, n)| vec![value; n]),
        // A repeating week, with a small change now and then.
        (prop::collection::vec(0.0..20.0_f64, 7), prop::collection::vec(0.0..2.0_f64, 8..most)).prop_map(
            |(week, noise)| noise.iter().enumerate().map(|(t, it)| week[t % 7] + it.floor()).collect()
        ),
    ]
}

/// The same with masked days, as after cleaning.
fn masked(most: usize) -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
    series(most).prop_flat_map(|y| {
        let n = y.len();
        (Just(y), prop::collection::vec(prop::bool::weighted(0.1), n))
    })
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES[..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_forecast_is_finite_and_not_below_zero(y in series(120), name in name(), h in 1..40_usize, day in -9999..30_000) {
        let mut out = vec![f64::NAN; h];
        match forecast(Method::parse(name).unwrap(), &Input::new(&y, day), &mut Workspace::default(), &mut out) {
            Ok(()) => prop_assert!(out.iter().all(|f| f.is_finite() && *f >= 0.0), "{name}: {out:?}"),
            Err(Refusal::TooShort { have, need }) => prop_assert!(have < need && have <= y.len(), "{name}: {have} {need}"),
            Err(Refusal::Invalid(_)) => {}
        }
    }

    #[test]
    fn a_forecast_knows_nothing_from_after_the_cut((y, mask) in masked(100), later in series(30), name in name(), at in 0.1..0.9_f64) {
        let cut = ((y.len() as f64 * at) as usize).max(1);
        let method = Method::parse(name).unwrap();
        let said = |y: &[f64], mask: &[bool]| {
            let mut roll = Roll::default();
            let days = EventDays::new(0, 200, &[9, 40, 77], &[12, 13, 55], true);
            let input = Input { masked: mask, events: Some(&days), ..Input::new(y, 0) };
            let done = roll.run(method, &input, [cut], 7, &mut Workspace::default());
            (done, roll.forecasts)
        };
        // Another future: other values, other masked days, another length.
        let mut other = y[..cut].to_vec();
        other.extend(&later);
        let mut other_mask = mask[..cut].to_vec();
        other_mask.extend(later.iter().map(|it| *it > 25.0));
        prop_assert_eq!(said(&y, &mask), said(&other, &other_mask));
    }

    #[test]
    fn a_masked_day_changes_no_error((y, mask) in masked(150), change in series(150)) {
        // The forecasts stay; values of masked days after the first cut change.
        let horizon = 7;
        let first = cuts(y.len(), horizon, 3, 12, 7).last();
        prop_assume!(first.is_some());
        let input = Input { masked: &mask, ..Input::new(&y, 0) };
        let mut roll = Roll::default();
        roll.run(Method::DowAverage, &input, cuts(y.len(), horizon, 3, 12, 7), horizon, &mut Workspace::default()).unwrap();
        let mut other = y.clone();
        for t in 0..y.len() {
            if mask[t] {
                other[t] = change[t % change.len()];
            }
        }
        let changed = Input { masked: &mask, ..Input::new(&other, 0) };
        prop_assert_eq!(roll.errors(&input), roll.errors(&changed));
        prop_assert_eq!(Residuals::of(&roll, &input), Residuals::of(&roll, &changed));
        prop_assert_eq!(summed_shortfall(&roll, &input, 5, 0.9), summed_shortfall(&roll, &changed, 5, 0.9));
    }

    #[test]
    fn errors_keep_their_order(y in series(60), f in prop::collection::vec(0.0..60.0_f64, 60)) {
        let mut tally = Tally::default();
        tally.add(&y, &[], &f, Scale::of(&y, &[], 7));
        let Errors { wape, bias, mae, mase, rmsse, days, .. } = tally.errors();
        prop_assert_eq!(days, y.len());
        prop_assert!(bias.unwrap().abs() <= mae.unwrap() * (1.0 + 1e-12));
        for figure in [wape, mase, rmsse].into_iter().flatten() {
            prop_assert!(figure.is_finite() && figure >= 0.0);
        }
    }

    #[test]
    fn bounds_hold_the_forecast_between_them((y, mask) in masked(120), name in name(), level in 0.05..0.99_f64) {
        let values: Vec<Option<f64>> = y.iter().zip(&mask).map(|(y, mask)| (!mask).then_some(*y)).collect();
        let answer = match evaluate(100, &values, name, 16, level) {
            Ok(answer) => answer,
            Err(Refusal::TooShort { .. }) => return Ok(()),
            // A multiplicative model needs positive figures.
            Err(Refusal::Invalid(_)) if name == "ets_MNM" && values.iter().flatten().any(|it| *it <= 0.0) => {
                return Ok(());
            }
            Err(why) => return Err(TestCaseError::fail(format!("{name}: {why}"))),
        };
        prop_assert!(answer.forecast.len() == 16 && answer.dates[0] == 100 + y.len() as i32);
        if let (Some(lower), Some(upper)) = (answer.lower, answer.upper) {
            for (i, f) in answer.forecast.iter().enumerate() {
                prop_assert!(0.0 <= lower[i] && lower[i] <= *f && *f <= upper[i] && upper[i].is_finite());
            }
        }
    }

    #[test]
    fn the_choice_is_the_default_or_clearly_better((y, mask) in masked(130)) {
        let input = Input { masked: &mask, ..Input::new(&y, 0) };
        let choice = match choose(&input, 14, &mut Workspace::default()) {
            Ok(choice) => choice,
            Err(Refusal::TooShort { .. }) => return Ok(()),
            Err(why) => return Err(TestCaseError::fail(why.to_string())),
        };
        let of = |method| choice.candidates.iter().find(|it| it.method == method).and_then(|it| it.errors.wape);
        let default = &choice.candidates[0];
        if choice.method != default.method {
            prop_assert!(of(choice.method).unwrap() <= 0.8 * default.errors.wape.unwrap());
        }
        // The forecasts of each half of the origins are of one method, which the other half alone would choose.
        let count = choice.roll.cuts.len();
        let rolls: Vec<Roll> = choice.candidates.iter().map(|candidate| {
            let mut roll = Roll::default();
            let cuts = choice.roll.cuts.iter().copied();
            roll.run(candidate.method, &input, cuts, 14, &mut Workspace::default()).map(|()| roll)
        }).collect::<Result<_, _>>().expect("methods that were compared");
        for (half, other) in [(0..count / 2, count / 2..count), (count / 2..count, 0..count / 2)] {
            let shown = &choice.roll.forecasts[half.start * 14..half.end * 14];
            let bar = rolls[0].wape(other.clone(), &input).map(|wape| wape * 0.8);
            let is_of = |at: usize| rolls[at].forecasts[half.start * 14..half.end * 14] == *shown;
            let is_better = |at: usize| rolls[at].wape(other.clone(), &input) <= bar && bar.is_some();
            prop_assert!((0..rolls.len()).any(|at| is_of(at) && (at == 0 || is_better(at))));
        }
    }

    #[test]
    fn seven_known_days_are_enough_for_the_advanced_forecast((y, mask) in masked(130), h in 1..20_usize) {
        let input = Input { masked: &mask, ..Input::new(&y, 0) };
        let mut out = vec![f64::NAN; h];
        match forecast(Method::Advanced, &input, &mut Workspace::default(), &mut out) {
            Ok(()) => prop_assert!(input.known() >= 7),
            Err(why) => prop_assert_eq!(why, Refusal::TooShort { have: input.known(), need: 7 }),
        }
    }
}
