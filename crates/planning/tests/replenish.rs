//! Replenishment against the worked cases of `testdata/oracle/drp_fixture.json`, and its rules as properties.

use larder_domain::Qty;
use larder_domain::document::share::{days_of_cover, equal_cover};
use larder_planning::Refusal;
use larder_planning::replenish::products::{Source, by_percent, by_priority};
use larder_planning::replenish::storage::{Line, fit};
use larder_planning::replenish::{Advice, NO_DAYS, Question, Safety, fair, quantile};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::Value;

fn fixture() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/oracle/drp_fixture.json");
    let text = std::fs::read_to_string(path).expect("the reference figures");
    serde_json::from_str(&text).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number: {value}"))
}

fn close(value: f64, known: f64) {
    assert!((value - known).abs() <= 1e-12 * known.abs().max(1.0), "{value} and {known}");
}

/// Counted 64, sold 30 and wasted 2 since; the reference's order-up-to case.
fn question(forecast: &[f64]) -> Question<'_> {
    Question {
        forecast,
        lead: 2,
        review: 3,
        safety: Safety::Normal { z: quantile(0.95).expect("a level"), sigma: 8.0 },
        min: 0.0,
        max: None,
        on_hand: 64.0 - 30.0 - 2.0,
        in_transit: 24.0,
        on_order: 48.0,
        committed: 6.0,
        pack: 24.0,
        shelf_life_days: None,
    }
}

const WEEK: [f64; 5] = [30.0, 32.0, 31.0, 40.0, 55.0];

#[test]
fn the_worked_order_is_met_to_the_digit() {
    let fixture = fixture();
    let known = &fixture["order_up_to"];
    let question = question(&WEEK);
    let advice = question.advise().expect("sound");
    close(quantile(0.95).expect("a level"), number(&known["z"]));
    close(question.on_hand, number(&known["OH"]));
    close(advice.demand, number(&known["D"]));
    close(advice.safety_stock, number(&known["SS"]));
    close(advice.target, number(&known["S"]));
    close(advice.position, number(&known["IP"]));
    close(advice.need, number(&known["net"]));
    assert_eq!(advice.quantity, number(&known["q"]));
    let shelf_life_days = known["shelf_life_days"].as_u64().and_then(|days| u32::try_from(days).ok());
    let capped = Question { shelf_life_days, ..question }.advise().expect("sound");
    assert_eq!(capped.quantity, number(&known["q_after_life"]));
    assert_eq!(capped.shelf_life_demand, Some(number(&known["life_cap_position"])));
    assert!(capped.caps.shelf_life && !advice.caps.shelf_life);
}

#[test]
fn the_worked_storage_is_met_to_the_digit() {
    let fixture = fixture();
    let line = |id, position, rate, quantity, pack, size| Line { id, position, rate, quantity, pack, size };
    let lines = [
        line("A", 30.0, 10.0, 60.0, 12.0, 0.5),
        line("B", 10.0, 5.0, 40.0, 10.0, 1.0),
        line("C", 5.0, 8.0, 48.0, 24.0, 0.25),
    ];
    let fitted = fit(&lines, 70.0).expect("sound");
    for (line, quantity) in lines.iter().zip(&fitted.quantities) {
        assert_eq!(number(&fixture["storage_result"]["q"][line.id]), *quantity, "{}", line.id);
    }
    assert_eq!(fitted.used, number(&fixture["storage_result"]["kg"]));
    assert_eq!(fitted.packs_off, [1, 1, 0]);
}

#[test]
fn shortages_are_shared_by_equal_cover() {
    let fixture = fixture();
    let cases = [
        ("S1", 20.0, 10.0, 120.0),
        ("S2", 10.0, 20.0, 130.0),
        ("S3", 50.0, 5.0, 20.0),
        ("S4", 0.0, 8.0, 80.0),
    ];
    let asks: Vec<_> = cases
        .iter()
        .map(|(store, position, rate, need)| {
            // Two days of forecast and a target that leads to the need of the case.
            let forecast = [*rate; 2];
            let question = Question {
                forecast: &forecast,
                lead: 1,
                review: 1,
                safety: Safety::Quantile(0.0),
                min: position + need,
                max: None,
                on_hand: *position,
                in_transit: 0.0,
                on_order: 0.0,
                committed: 0.0,
                pack: 10.0,
                shelf_life_days: None,
            };
            fair::ask(store, &question, &question.advise().expect("sound")).expect("within reach")
        })
        .collect();
    for (ask, share) in asks.iter().zip(equal_cover(&asks, Qty(180_000_000))) {
        assert_eq!(fixture["fair_share"]["packs"][ask.store], share.0 / 1_000_000, "{}", ask.store);
    }
    let days = days_of_cover(&asks, Qty(180_000_000)).expect("short");
    assert!((days - number(&fixture["fair_share"]["T"])).abs() < 1e-9);
}

#[rstest]
#[case::no_days(|q: &mut Question<'_>| (q.lead, q.review) = (0, 0), "Set lead and review days.")]
#[case::no_pack(|q: &mut Question<'_>| q.pack = 0.0, "A pack has to hold more than nothing.")]
#[case::pack_below_nothing(|q: &mut Question<'_>| q.pack = -1.0, "A pack has to hold more than nothing.")]
#[case::pack_without_end(|q: &mut Question<'_>| q.pack = f64::INFINITY, "A pack has to hold more than nothing.")]
#[case::too_far(|q: &mut Question<'_>| q.lead = 3, "The forecast is shorter than lead and review days.")]
#[case::stock(|q: &mut Question<'_>| q.on_hand = f64::NAN,
    "Stock, or what is on its way, is not a number, or below nothing.")]
#[case::on_order(|q: &mut Question<'_>| q.on_order = -1.0,
    "Stock, or what is on its way, is not a number, or below nothing.")]
#[case::safety(|q: &mut Question<'_>| q.safety = Safety::Quantile(f64::NAN), "The safety stock is not a number.")]
#[case::sigma(|q: &mut Question<'_>| q.safety = Safety::Normal { z: 1.0, sigma: -1.0 },
    "The safety stock is not a number.")]
#[case::least(|q: &mut Question<'_>| q.min = f64::NAN, "The least or the most is not a number, or below nothing.")]
#[case::least_above_most(|q: &mut Question<'_>| (q.min, q.max) = (9.0, Some(8.0)), "The least is above the most.")]
#[case::past_all(|q: &mut Question<'_>| (q.on_hand, q.committed) = (f64::MIN, f64::MAX),
    "The figures are past what can be worked out.")]
fn an_invalid_question_is_refused_with_a_message(#[case] spoil: fn(&mut Question<'_>), #[case] words: &str) {
    let mut question = question(&WEEK);
    spoil(&mut question);
    assert_eq!(question.advise().expect_err("refused").to_string(), words);
}

#[test]
fn a_store_without_lead_and_review_days_has_its_own_refusal() {
    let question = Question { lead: 0, review: 0, ..question(&WEEK) };
    assert_eq!(question.advise(), Err(NO_DAYS));
    let daily = Question { lead: 1, review: 0, ..question };
    assert_eq!(daily.days(), 2, "review days of 0 count as 1");
    for day in [f64::NAN, -1.0, f64::INFINITY] {
        let forecast = [1.0, day, 1.0, 1.0, 1.0];
        let refused = Question { forecast: &forecast, ..daily }.advise();
        assert_eq!(refused, Err(Refusal::Invalid("A day's forecast is not a number, or below nothing.")));
    }
}

#[test]
fn minimum_and_maximum_cap_the_target_and_are_reported() {
    let advise = |min, max| Question { min, max, ..question(&WEEK) }.advise().expect("sound");
    let raised = advise(400.0, None);
    assert!((raised.target, raised.caps.min, raised.caps.max) == (400.0, true, false));
    let lowered = advise(0.0, Some(150.0));
    assert!((lowered.target, lowered.caps.min, lowered.caps.max) == (150.0, false, true));
    assert_eq!(lowered.quantity, 72.0, "52 are needed: three packs");
    let free = advise(10.0, Some(1_000.0));
    assert!(!free.caps.min && !free.caps.max);
}

#[test]
fn a_need_that_is_over_a_pack_by_a_rounding_error_takes_no_further_pack() {
    let forecast = [0.1, 0.2];
    let question = Question {
        forecast: &forecast,
        lead: 1,
        review: 1,
        safety: Safety::Quantile(0.0),
        on_hand: 0.0,
        in_transit: 0.0,
        on_order: 0.0,
        committed: 0.0,
        pack: 0.3,
        ..question(&WEEK)
    };
    let advice = question.advise().expect("sound");
    assert!(advice.need > 0.3 && advice.quantity == 0.3, "{advice:?}");
}

#[test]
fn the_explanation_has_every_figure_and_follows_storage() {
    let question = question(&WEEK);
    let advice = question.advise().expect("sound");
    let mut why = question.why(&advice, "moving average", Some(0.2));
    assert_eq!((why.lead_days, why.review_days, why.sigma), (2, 3, Some(8.0)));
    assert_eq!((why.quantity, why.position, why.caps), (120.0, 98.0, advice.caps));
    why.without_room(2);
    assert_eq!((why.quantity, why.packs_without_room, why.caps.storage), (72.0, 2, true));
    close(why.cover_days.expect("used"), (98.0 + 72.0) / (188.0 / 5.0));
}

#[rstest]
#[case(0.5, 0.0)]
#[case(0.95, 1.644_853_626_951_472_2)]
#[case(0.99, 2.326_347_874_040_841)]
#[case(0.001, -3.090_232_306_167_813_5)]
#[case(1e-10, -6.361_340_902_404_056)]
#[case(1e-20, -9.262_340_089_798_409)]
fn normal_quantiles_are_those_of_the_tables(#[case] level: f64, #[case] z: f64) {
    let known = quantile(level).expect("a level");
    assert!((known - z).abs() <= 1e-12 * z.abs().max(1.0), "{known} and {z}");
}

#[test]
fn a_level_of_nothing_or_all_has_no_quantile() {
    for level in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
        assert_eq!(quantile(level), None, "{level}");
    }
}

fn source(product: &str, factor: f64, pack: f64, most: Option<u64>) -> Source<'_> {
    Source { product, factor, pack, most }
}

#[test]
fn products_share_a_need_by_priority() {
    // 2,500 g of cheese: bags of 4 × 250 g, of which one is available, then blocks of 2,000 g.
    let sources = [source("bag", 250.0, 4.0, Some(1)), source("block", 2_000.0, 1.0, None)];
    let shares = by_priority(2_500.0, &sources, None).expect("sound");
    assert_eq!((shares.packs, shares.uncovered), (vec![1, 1], 0.0));
    let tight = by_priority(2_500.0, &sources, Some(2_900.0)).expect("sound");
    assert_eq!((tight.packs, tight.uncovered), (vec![1, 0], 1_500.0), "rounded down where there is no room");
    let none = by_priority(5.0, &[], None).expect("sound");
    assert_eq!((none.packs, none.uncovered), (vec![], 5.0));
}

#[test]
fn products_share_a_need_by_percent() {
    // 70 and 30 of 1,000: 700 and 300; packs of 120 and 90: 5 and 3 are 870, one of 120 more.
    let sources = [(source("a", 1.0, 120.0, None), 70.0), (source("b", 1.0, 90.0, None), 30.0)];
    let shares = by_percent(1_000.0, &sources, None).expect("sound");
    assert_eq!((shares.packs, shares.uncovered), (vec![6, 4], 0.0), "100 below, then 30 below");
    let tight = by_percent(1_000.0, &sources, Some(1_000.0)).expect("sound");
    assert_eq!((tight.packs, tight.uncovered), (vec![6, 3], 10.0));
    let refused = by_percent(1.0, &[(source("a", 1.0, 1.0, None), 99.0)], None);
    assert_eq!(refused, Err(Refusal::Invalid("The percentages have to be 100 together.")));
    for (factor, pack) in [(0.0, 1.0), (1.0, -1.0), (f64::NAN, 1.0)] {
        let refused = by_priority(1.0, &[source("a", factor, pack, None)], None);
        assert_eq!(refused, Err(Refusal::Invalid("A conversion or a pack has to be above nothing.")));
    }
}

fn advise(forecast: &[f64], level: f64, sigma: f64, on_hand: f64, pack: f64, life: Option<u32>) -> Advice {
    let safety = Safety::Normal { z: quantile(level).expect("a level"), sigma };
    Question { safety, on_hand, pack, shelf_life_days: life, ..question(forecast) }.advise().expect("sound")
}

proptest! {
    #[test]
    fn an_order_covers_its_need_in_whole_packs_and_no_pack_too_many(
        forecast in prop::collection::vec(0f64..90.0, 5..30), sigma in 0f64..20.0,
        on_hand in -50f64..300.0, pack in 1u32..40, life in prop::option::of(0u32..40),
    ) {
        let pack = f64::from(pack);
        let free = advise(&forecast, 0.95, sigma, on_hand, pack, None);
        let packs = free.quantity / pack;
        prop_assert_eq!(packs.fract(), 0.0);
        prop_assert!(free.quantity >= free.need - 1e-6 && (packs == 0.0 || free.quantity - pack < free.need));
        prop_assert!((free.target - free.demand - free.safety_stock).abs() < 1e-9);
        let capped = advise(&forecast, 0.95, sigma, on_hand, pack, life);
        prop_assert!(capped.quantity <= free.quantity && (capped.quantity / pack).fract() == 0.0);
        prop_assert_eq!(capped.caps.shelf_life, capped.quantity < free.quantity);
        if let Some(sold_in_time) = capped.shelf_life_demand && capped.quantity > 0.0 {
            prop_assert!(capped.position + capped.quantity <= sold_in_time + 1e-6);
        }
    }

    #[test]
    fn a_higher_service_level_never_orders_less(
        one in 0.01f64..0.99, other in 0.01f64..0.99, sigma in 0f64..20.0, on_hand in 0f64..200.0,
    ) {
        let (low, high) = (one.min(other), one.max(other));
        let lower = advise(&WEEK, low, sigma, on_hand, 6.0, None);
        let higher = advise(&WEEK, high, sigma, on_hand, 6.0, None);
        prop_assert!(lower.safety_stock <= higher.safety_stock && lower.quantity <= higher.quantity);
    }

    #[test]
    fn the_quantile_inverts_the_normal_distribution(level in 0.0005f64..0.9995) {
        // Simpson's rule over the density from 0 to z.
        let z = quantile(level).expect("a level");
        let (steps, step) = (2_000, z / 2_000.0);
        let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let sum: f64 = (0..=steps)
            .map(|at| {
                let weight = if at == 0 || at == steps { 1.0 } else if at % 2 == 1 { 4.0 } else { 2.0 };
                weight * density(f64::from(at) * step)
            })
            .sum();
        prop_assert!((0.5 + sum * step / 3.0 - level).abs() < 1e-11);
    }

    #[test]
    fn storage_takes_no_pack_too_many_and_not_in_the_order_of_lines(
        drawn in prop::collection::vec((-20i32..60, 0i32..9, 0u32..12, 1u32..9, 0u32..5), 1..12),
        free in 0f64..400.0, turn in 0usize..12,
    ) {
        let ids: Vec<String> = (0..drawn.len()).map(|at| format!("line {at:02}")).collect();
        let lines: Vec<Line<'_>> = drawn.iter().zip(&ids).map(|((position, rate, packs, pack, size), id)| Line {
            id, position: f64::from(*position), rate: f64::from(*rate),
            quantity: f64::from(packs * pack), pack: f64::from(*pack), size: f64::from(*size) / 4.0,
        }).collect();
        let fitted = fit(&lines, free).expect("sound");
        prop_assert!(fitted.used <= free + 1e-6);
        // The slow way: find the line with the most cover before every pack.
        let mut slow: Vec<f64> = lines.iter().map(|line| line.quantity).collect();
        let used = |slow: &[f64]| slow.iter().zip(&lines).map(|(q, line)| q * line.size).sum::<f64>();
        while used(&slow) > free + 1e-9 {
            let cover = |at: usize| {
                let line = &lines[at];
                if line.rate > 0.0 { (line.position + slow[at]) / line.rate } else { f64::INFINITY }
            };
            let longest = (0..lines.len())
                .filter(|at| slow[*at] > 0.0 && lines[*at].size > 0.0)
                .max_by(|a, b| cover(*a).total_cmp(&cover(*b)).then(lines[*b].id.cmp(lines[*a].id)))
                .expect("something takes up room");
            slow[longest] -= lines[longest].pack;
        }
        prop_assert_eq!(&fitted.quantities, &slow);
        let mut turned = lines.clone();
        turned.rotate_left(turn % lines.len());
        let again = fit(&turned, free).expect("sound");
        for (line, quantity) in turned.iter().zip(&again.quantities) {
            let at = lines.iter().position(|other| other.id == line.id).expect("there");
            prop_assert_eq!(fitted.quantities[at], *quantity);
        }
    }

    #[test]
    fn shares_cover_a_need_and_no_pack_could_be_left_out(
        need in 0f64..5_000.0, packs in prop::collection::vec(1u32..400, 1..6), room in prop::option::of(0f64..6_000.0),
    ) {
        let names: Vec<String> = (0..packs.len()).map(|at| format!("product {at}")).collect();
        let percent = 100.0 / packs.len() as f64;
        let sources: Vec<(Source<'_>, f64)> = packs.iter().zip(&names)
            .map(|(pack, name)| (source(name, 0.5, f64::from(*pack), None), percent)).collect();
        let plain: Vec<Source<'_>> = sources.iter().map(|(source, _)| *source).collect();
        let largest = packs.iter().max().map_or(0.0, |pack| f64::from(*pack) * 0.5);
        for shares in [by_percent(need, &sources, room), by_priority(need, &plain, room)] {
            let shares = shares.expect("sound");
            let given: f64 = shares.packs.iter().zip(&packs).map(|(n, pack)| *n as f64 * f64::from(*pack) * 0.5).sum();
            prop_assert!(given < need + largest + 1e-6);
            prop_assert!(room.is_none_or(|room| given <= room + 1e-6));
            prop_assert!((shares.uncovered - (need - given).max(0.0)).abs() < 1e-5);
            prop_assert!(room.is_some() || shares.uncovered == 0.0);
        }
    }
}
