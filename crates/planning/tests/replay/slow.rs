//! A second implementation of the replay, written for brevity instead of speed: everything is recomputed on every day.

use larder_planning::demand::clean_into;
use larder_planning::replay::{Cushion, Day, Forecast, Item, Orders, Policy, Rule};
use larder_planning::replenish::{Question, Safety, quantile};
use larder_planning::simple::seasonal_weighted;
use proptest::prelude::*;

use super::support::{Made, advised, long, made, paths};

/// A forecast from data known before a day.
fn forecast(how: Forecast<'_>, sold: &[f64], day: usize, days: usize) -> Option<Vec<f64>> {
    let (mut y, mut masked) = (Vec::new(), Vec::new());
    clean_into(sold[..day].iter().copied(), &mut y, &mut masked).expect("sound");
    if y.is_empty() {
        return None;
    }
    let mean = |y: &[f64]| y.iter().sum::<f64>() / y.len() as f64;
    let mut out = vec![0.0; days];
    match how {
        Forecast::Average { days } => out.fill(mean(&y[y.len().saturating_sub(days)..])),
        Forecast::Weekday { .. } if y.len() < 7 => {
            out.iter_mut().enumerate().for_each(|(ahead, value)| {
                // The same weekday one week earlier, or two or three for days further ahead.
                let place = (y.len() + ahead) % 7;
                *value = y.get(place).copied().unwrap_or_else(|| mean(&y));
            });
        }
        Forecast::Weekday { weeks, decay } => {
            seasonal_weighted(&y, 7, weeks, decay, &mut out).expect("a week")
        }
        Forecast::Given(_) => unreachable!(),
    }
    Some(out)
}

fn safety(rule: &Rule<'_>, sold: &[f64], day: usize, days: usize) -> Safety {
    let level = match rule.cushion {
        Cushion::Fixed(safety) => return safety,
        Cushion::Level(level) => level,
    };
    let skipped = sold.iter().take_while(|sold| sold.is_nan()).count();
    let missed = |origin: usize, days: usize| -> Option<f64> {
        let actual: f64 = sold[origin..origin + days].iter().sum();
        let made: f64 = forecast(rule.forecast, sold, origin, days)?.iter().sum();
        (!actual.is_nan()).then_some(actual - made)
    };
    let origins =
        |days: usize| (skipped + 7..=day.saturating_sub(days)).filter(move |origin| origin + days <= day);
    let summed: Vec<f64> = origins(days).filter_map(|origin| missed(origin, days)).collect();
    let mut newest = summed[summed.len().saturating_sub(91)..].to_vec();
    if newest.len() >= 12 {
        newest.sort_by(f64::total_cmp);
        let nth = ((newest.len() + 1) as f64 * level).ceil() as usize;
        return Safety::Quantile(newest[nth.min(newest.len()) - 1]);
    }
    let single: Vec<f64> = origins(1).filter_map(|origin| missed(origin, 1)).collect();
    let squares: f64 = single.iter().map(|error| error * error).sum();
    let sigma = if single.is_empty() { 0.0 } else { (squares / single.len() as f64).sqrt() };
    Safety::Normal { z: quantile(level).expect("a level"), sigma }
}

fn slowly(made: &Made, series: usize, rule: Option<&Rule<'_>>) -> Vec<Day> {
    let item: Item = made.items[series];
    let of = |buffer: &[f64]| buffer[series * made.days..(series + 1) * made.days].to_vec();
    let (sold, lost) = (of(&made.sold), of(&made.lost));
    let mut arrivals = of(if rule.is_some() { &made.due } else { &made.received });
    arrivals[..made.start].fill(0.0);
    let mut on_way: f64 = if rule.is_some() { arrivals.iter().sum() } else { 0.0 };
    let never = usize::MAX;
    // (last day, quantity), the earliest first.
    let life = item.shelf_life_days.map(|days| days as usize);
    let opening = item.opening_life_days.map_or(life, |left| life.map(|life| life.min(left as usize)));
    let mut lots = vec![(opening.map_or(never, |left| made.start + left - 1), item.opening)];
    let mut path = Vec::new();
    for day in made.start..made.days {
        let mut passed = Day { day, arrived: arrivals[day], ..Day::default() };
        let stock = |lots: &[(usize, f64)]| lots.iter().map(|lot| lot.1).sum::<f64>();
        if let Some(rule) = rule {
            let (lead, review) = (rule.lead.unwrap_or(item.lead), rule.review.unwrap_or(item.review));
            let since = day as isize - (made.start + rule.first_review) as isize;
            if since >= 0 && since % review as isize == 0 {
                let days = (lead + review) as usize;
                let made = forecast(rule.forecast, &sold, day, days.max(life.unwrap_or(0)));
                let known = made.is_some();
                let forecast = made.unwrap_or_else(|| vec![0.0; days]);
                let safety = if known { safety(rule, &sold, day, days) } else { Safety::Quantile(0.0) };
                let by_days = rule
                    .most_days
                    .map(|most| (most * forecast[..days].iter().sum::<f64>() / days as f64).max(item.min));
                let question = Question {
                    forecast: &forecast,
                    lead,
                    review,
                    safety,
                    min: item.min,
                    max: match (item.max, by_days) {
                        (Some(one), Some(other)) => Some(one.min(other)),
                        (one, other) => one.or(other),
                    },
                    on_hand: stock(&lots),
                    in_transit: 0.0,
                    on_order: on_way,
                    committed: 0.0,
                    pack: rule.pack.unwrap_or(item.pack),
                    shelf_life_days: item.shelf_life_days,
                };
                let advice = question.advise().expect("sound");
                (passed.forecast, passed.safety_stock) = (advice.demand, advice.safety_stock);
                passed.ordered = advice.quantity;
                on_way += advice.quantity;
                if lead == 0 {
                    passed.arrived += advice.quantity;
                } else if let Some(arrival) = arrivals.get_mut(day + lead as usize) {
                    *arrival += advice.quantity;
                }
            }
            on_way -= passed.arrived;
        } else {
            passed.ordered = passed.arrived;
        }
        lots.push((life.map_or(never, |life| day + life - 1), passed.arrived));
        passed.available = stock(&lots);
        passed.demand = if sold[day].is_nan() { 0.0 } else { sold[day] } + lost[day];
        let mut open = passed.demand;
        for lot in &mut lots {
            let taken = lot.1.min(open);
            (lot.1, open) = (lot.1 - taken, open - taken);
        }
        passed.served = passed.demand - open;
        passed.expired = lots.iter().filter(|lot| lot.0 <= day).map(|lot| lot.1).sum();
        lots.retain(|lot| lot.0 > day);
        passed.closing = stock(&lots);
        path.push(passed);
    }
    path
}

fn rule() -> impl Strategy<Value = Rule<'static>> {
    let forecast = prop_oneof![
        (1usize..40).prop_map(|days| Forecast::Average { days }),
        (1usize..9, 0.5f64..=1.0).prop_map(|(weeks, decay)| Forecast::Weekday { weeks, decay }),
    ];
    let cushion = prop_oneof![
        4 => (0.05f64..0.99).prop_map(Cushion::Level),
        1 => (0.0f64..20.0).prop_map(|stock| Cushion::Fixed(Safety::Quantile(stock))),
    ];
    let terms = (prop::option::of(0u32..4), prop::option::of(1u32..9), 0usize..4);
    let own = (prop::option::of(prop::sample::select(vec![0.5, 3.0, 7.25])), prop::option::of(0.5f64..20.0));
    (forecast, cushion, terms, own).prop_map(
        |(forecast, cushion, (lead, review, first_review), (pack, most_days))| Rule {
            forecast,
            cushion,
            lead,
            review,
            first_review,
            pack,
            most_days,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_slow_replay_ends_the_same(made in made(), mut rules in prop::collection::vec(rule(), 1..4), level in 0.05f64..0.99) {
        // One that shares its forecasts with the first.
        rules.push(Rule { cushion: Cushion::Level(level), pack: None, ..rules[0] });
        compare(&made, &rules)?;
    }

    #[test]
    fn a_slow_replay_forgets_the_same(made in long(), rule in rule()) {
        compare(&made, &[rule])?;
    }
}

/// Runs every series under the rules and with the actual orders, in both implementations.
fn compare(made: &Made, rules: &[Rule<'_>]) -> Result<(), TestCaseError> {
    let mut policies: Vec<Policy<'_>> = rules.iter().copied().map(advised).collect();
    policies.push(Policy { orders: Orders::Actual });
    for (at, path) in paths(made.past(), &policies).iter().enumerate() {
        let (series, policy) = (at / policies.len(), at % policies.len());
        let slow = slowly(made, series, rules.get(policy));
        prop_assert_eq!(path.len(), slow.len());
        for (fast, slow) in path.iter().zip(&slow) {
            let apart =
                figures(fast).iter().zip(figures(slow)).any(|(one, other)| (one - other).abs() > 1e-6);
            prop_assert!(!apart, "series {series}, policy {policy}: {fast:?} and {slow:?}");
        }
    }
    Ok(())
}

fn figures(day: &Day) -> [f64; 9] {
    let Day { arrived, forecast, safety_stock, ordered, available, demand, served, expired, closing, .. } =
        *day;
    [arrived, forecast, safety_stock, ordered, available, demand, served, expired, closing]
}
