use larder_planning::replay::{ChunkResult, Cushion, Forecast, Known, Orders, Policy, Replay, Rule, Scratch};
use proptest::prelude::*;

use super::support::{Made, RULE, advised, advised_rule, made, paths};

/// Half of the sales of the last three days, like an external method.
fn outside(known: Known<'_>, out: &mut [f64]) {
    assert_eq!(known.y.len(), known.masked.len());
    assert!(known.y.len() <= known.day);
    out.fill(known.y.iter().rev().take(3).sum::<f64>() / 2.0);
}

fn policies() -> [Policy<'static>; 5] {
    let weekdays = Forecast::Weekday { weeks: 8, decay: 0.8 };
    let level = |level| Rule { forecast: weekdays, cushion: Cushion::Level(level), ..RULE };
    [
        advised(level(0.9)),
        advised(level(0.98)),
        advised(Rule { cushion: Cushion::Level(0.95), ..RULE }),
        advised(Rule { cushion: Cushion::Level(0.95), ..advised_rule(&outside) }),
        Policy { orders: Orders::Actual },
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn later_days_change_no_earlier_order(
        made in made(), cut in 0usize..90, change in prop::collection::vec(prop_oneof![1 => Just(f64::NAN), 4 => 0f64..900.0], 90),
    ) {
        let mut changed: Made = made.clone();
        for series in 0..made.items.len() {
            let days = series * made.days..(series + 1) * made.days;
            changed.sold[days.clone()][cut..].copy_from_slice(&change[cut..]);
            changed.lost[days][cut..].fill(0.0);
        }
        let policies = policies();
        for (one, other) in paths(made.past(), &policies).iter().zip(&paths(changed.past(), &policies)) {
            // Orders of the first changed day are computed before it begins.
            for (one, other) in one.iter().zip(other).filter(|(one, _)| one.day <= cut) {
                prop_assert_eq!(
                    (one.forecast, one.safety_stock, one.ordered, one.available),
                    (other.forecast, other.safety_stock, other.ordered, other.available)
                );
            }
        }
    }

    #[test]
    fn stock_is_conserved(made in made()) {
        let policies = policies();
        let replay = Replay::new(made.past(), &policies).expect("sound");
        let result = replay.chunk(0..made.items.len(), &mut Scratch::default()).expect("there");
        for series in 0..made.items.len() {
            for (policy, figures) in result.of(series).expect("there").iter().enumerate() {
                let out = figures.served.0 + figures.expired.0 + figures.closing.0;
                prop_assert!((figures.opening.0 + figures.received.0 - out).abs() <= 3, "policy {policy}: {figures:?}");
                prop_assert_eq!(figures.demand.0, figures.served.0 + figures.lost.0);
                prop_assert!(figures.served_estimated <= figures.estimated && figures.served_estimated <= figures.served);
                prop_assert!(figures.out_days <= figures.days && figures.orders <= figures.days);
            }
        }
        for policy in 0..policies.len() {
            let path = paths(made.past(), &policies[policy..=policy]);
            let average: f64 = path.iter().flatten().map(|day| day.closing).sum::<f64>() / (made.days - made.start) as f64;
            prop_assert!((result.totals[policy].average_stock.0 as f64 / 1e6 - average).abs() < 1e-5);
            let last: f64 = path.iter().filter_map(|days| days.last()).map(|day| day.closing).sum();
            let (stock, _) = result.stock(policy).last().expect("a day");
            prop_assert!((stock.0 as f64 / 1e6 - last).abs() < 1e-5);
        }
    }

    #[test]
    fn a_higher_service_level_keeps_no_less_in_safety(made in made()) {
        let policies = policies();
        let all = paths(made.past(), &policies);
        for series in all.chunks(policies.len()) {
            for (low, high) in series[0].iter().zip(&series[1]) {
                prop_assert!(low.forecast == high.forecast && low.safety_stock <= high.safety_stock);
            }
        }
    }

    #[test]
    fn chunks_can_be_split_anywhere_and_merged_in_any_order(
        made in made(), cuts in prop::collection::vec(0usize..5, 0..4), keys in prop::collection::vec(any::<u32>(), 6),
    ) {
        let policies = policies();
        let replay = Replay::new(made.past(), &policies).expect("sound");
        let series = replay.series();
        let whole = replay.chunk(0..series, &mut Scratch::default()).expect("there");
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(series)).chain([0, series]).collect();
        cuts.sort_unstable();
        let mut scratch = Scratch::default();
        let mut chunks: Vec<(u32, ChunkResult)> = cuts
            .windows(2)
            .zip(keys)
            .map(|(cut, key)| (key, replay.chunk(cut[0]..cut[1], &mut scratch).expect("there")))
            .collect();
        chunks.sort_by_key(|(key, _)| *key);
        let chunks: Vec<ChunkResult> = chunks.into_iter().map(|(_, chunk)| chunk).collect();
        let none = || ChunkResult::empty(policies.len(), made.days - made.start, 0);
        let one = chunks.iter().cloned().try_fold(none(), ChunkResult::merge).expect("apart");
        let other = chunks.into_iter().rev().try_fold(none(), |all, chunk| chunk.merge(all)).expect("apart");
        prop_assert_eq!(&one, &whole);
        prop_assert_eq!(&other, &whole);
    }

    #[test]
    fn a_supplied_average_equals_the_built_in_one(made in made(), level in 0.05f64..0.99) {
        let outside = |known: Known<'_>, out: &mut [f64]| {
            let newest = &known.y[known.y.len().saturating_sub(28)..];
            out.fill(newest.iter().sum::<f64>() / newest.len() as f64);
        };
        // Used every day, it has as many past errors as the built-in one.
        let daily = Rule { cushion: Cushion::Level(level), review: Some(1), ..RULE };
        let policies = [advised(daily), advised(Rule { forecast: Forecast::Given(&outside), ..daily })];
        for series in paths(made.past(), &policies).chunks(2) {
            for (own, other) in series[0].iter().zip(&series[1]) {
                prop_assert!((own.forecast - other.forecast).abs() < 1e-9 && (own.safety_stock - other.safety_stock).abs() < 1e-9);
                prop_assert!((own.ordered - other.ordered).abs() < 1e-9, "{own:?} and {other:?}");
            }
        }
    }
}
