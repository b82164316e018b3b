//! The time-phased plan against the worked case of `testdata/oracle/drp_fixture.json`, and its rules as properties.

use std::collections::BTreeMap;

use larder_domain::production::{Batch, Kitchen, Maker};
use larder_domain::{Factor, Qty};
use larder_planning::Refusal;
use larder_planning::drp::{Commissary, Grid, PastDue, Place, commissary_gross, explode, network, plan};
use proptest::prelude::*;
use serde_json::{Value, json};

const A: Place<'_> = Place {
    gross: &[20.0; 8],
    scheduled: &[0.0, 60.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    on_hand: 45.0,
    safety_stock: 10.0,
    lead: 2,
    pack: 30.0,
};

const B: Place<'_> = Place {
    gross: &[15.0, 15.0, 25.0, 15.0, 15.0, 25.0, 15.0, 15.0],
    scheduled: &[0.0; 8],
    on_hand: 60.0,
    safety_stock: 8.0,
    lead: 1,
    pack: 20.0,
};

const ABOVE: Commissary<'_> =
    Commissary { scheduled: &[0.0; 8], on_hand: 70.0, safety_stock: 20.0, lead: 1, pack: 50.0 };

/// A grid in the reference's format, whose figures are integers.
fn as_json(grid: &Grid) -> Value {
    let whole = |row: &[f64]| -> Value {
        assert!(row.iter().all(|figure| figure.fract() == 0.0));
        row.iter().map(|figure| *figure as i64).collect()
    };
    json!({
        "gross": whole(&grid.gross),
        "sched": whole(&grid.scheduled),
        "poh": whole(&grid.on_hand),
        "net": whole(&grid.net),
        "planned_receipt": whole(&grid.receipt),
        "planned_release": whole(&grid.release),
        "past_due": grid.past_due.iter().map(|late| json!([late.needed, late.quantity])).collect::<Vec<_>>(),
    })
}

#[test]
fn the_worked_plan_is_met_to_the_digit() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/oracle/drp_fixture.json");
    let text = std::fs::read_to_string(path).expect("the reference figures");
    let fixture: Value = serde_json::from_str(&text).expect("JSON");
    let network = network(&[A, B], &ABOVE).expect("sound");
    assert_eq!(as_json(&network.stores[0]), fixture["storeA"]);
    assert_eq!(as_json(&network.stores[1]), fixture["storeB"]);
    assert_eq!(as_json(&network.commissary)["gross"], fixture["commissary_gross"]);
    assert_eq!(as_json(&network.commissary), fixture["commissary"]);
}

#[test]
fn past_due_releases_are_kept_and_go_into_the_first_bucket() {
    let grid = plan(&Place { on_hand: 5.0, ..A }).expect("sound");
    assert_eq!(grid.past_due, [PastDue { needed: 0, late_by: 2, quantity: 30.0 }]);
    assert_eq!(grid.receipt[0], 30.0);
    assert_eq!(grid.release[0], 0.0, "it is not among what can still be released in time");
    assert_eq!(commissary_gross(&[grid]).expect("sound")[0], 30.0);
}

#[test]
fn an_invalid_plan_is_refused_with_a_message() {
    let refused = |place: Place<'_>| plan(&place).expect_err("refused").to_string();
    assert_eq!(refused(Place { pack: 0.0, ..A }), "A pack has to hold more than nothing.");
    assert_eq!(refused(Place { gross: &[1.0], ..A }), "All rows of a plan need the same number of buckets.");
    let words = "A bucket's requirement or receipt is not a number, or below nothing.";
    assert_eq!(refused(Place { gross: &[f64::NAN; 8], ..A }), words);
    assert_eq!(refused(Place { scheduled: &[-1.0; 8], ..A }), words);
    let words = "Stock or safety stock is not a number, or below nothing.";
    assert_eq!(refused(Place { on_hand: f64::INFINITY, ..A }), words);
    assert_eq!(refused(Place { safety_stock: -1.0, ..A }), words);
    let short = Place { gross: &[1.0], scheduled: &[0.0], ..A };
    let uneven = commissary_gross(&[plan(&A).expect("sound"), plan(&short).expect("sound")]);
    assert_eq!(uneven, Err(Refusal::Invalid("All rows of a plan need the same number of buckets.")));
    let alone = network(&[], &ABOVE).expect("sound");
    assert_eq!(alone.commissary.on_hand, [70.0; 8]);
}

#[derive(Debug, Clone)]
struct Drawn {
    gross: Vec<f64>,
    scheduled: Vec<f64>,
    on_hand: f64,
    safety_stock: f64,
    lead: usize,
    pack: f64,
}

impl Drawn {
    fn place(&self) -> Place<'_> {
        let Self { on_hand, safety_stock, lead, pack, .. } = *self;
        Place { gross: &self.gross, scheduled: &self.scheduled, on_hand, safety_stock, lead, pack }
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let row = |most| prop::collection::vec(0f64..most, 10);
    (row(60.0), row(20.0), -30f64..90.0, 0f64..40.0, 0usize..13, 1u32..5_000).prop_map(
        |(gross, scheduled, on_hand, safety_stock, lead, pack)| Drawn {
            gross,
            scheduled,
            on_hand,
            safety_stock,
            lead,
            pack: f64::from(pack) / 100.0,
        },
    )
}

proptest! {
    #[test]
    fn stock_is_opening_plus_receipts_less_usage(drawn in drawn()) {
        let place = drawn.place();
        let grid = plan(&place).expect("sound");
        let mut before = place.on_hand;
        for at in 0..place.gross.len() {
            let after = before + place.scheduled[at] - place.gross[at] + grid.receipt[at];
            prop_assert!((grid.on_hand[at] - after).abs() < 1e-9);
            prop_assert!(grid.on_hand[at] >= place.safety_stock - 1e-6, "never below the safety stock");
            let packs = grid.receipt[at] / place.pack;
            prop_assert!((packs - packs.round()).abs() < 1e-9, "whole packs");
            prop_assert!(grid.receipt[at] >= grid.net[at] - 1e-6 && grid.receipt[at] < grid.net[at] + place.pack);
            before = grid.on_hand[at];
        }
    }

    #[test]
    fn every_receipt_was_released_or_is_past_due(drawn in drawn()) {
        let grid = plan(&drawn.place()).expect("sound");
        for (at, receipt) in grid.receipt.iter().enumerate() {
            let late: f64 = grid.past_due.iter().filter(|late| late.needed == at).map(|late| late.quantity).sum();
            let released = at.checked_sub(drawn.lead).map_or(0.0, |release| grid.release[release]);
            prop_assert_eq!(late + released, *receipt);
        }
        let released = grid.release.iter().sum::<f64>() + grid.past_due.iter().map(|late| late.quantity).sum::<f64>();
        prop_assert!((released - grid.receipt.iter().sum::<f64>()).abs() < 1e-6);
        prop_assert!(grid.past_due.iter().all(|late| late.late_by >= 1 && late.needed + late.late_by == drawn.lead));
    }

    #[test]
    fn the_order_of_stores_changes_nothing(
        stores in prop::collection::vec(drawn(), 1..7).prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
    ) {
        let (stores, shuffled) = stores;
        let above = Commissary { scheduled: &[0.0; 10], ..ABOVE };
        let plan = |all: &[Drawn]| {
            let places: Vec<Place<'_>> = all.iter().map(Drawn::place).collect();
            network(&places, &above).expect("sound").commissary
        };
        prop_assert_eq!(plan(&stores), plan(&shuffled));
    }

    #[test]
    fn more_safety_stock_never_plans_less(drawn in drawn(), more in 0f64..50.0) {
        let place = drawn.place();
        let low = plan(&place).expect("sound");
        let high = plan(&Place { safety_stock: place.safety_stock + more, ..place }).expect("sound");
        let (mut below, mut above) = (0.0, 0.0);
        for at in 0..low.receipt.len() {
            below += low.receipt[at];
            above += high.receipt[at];
            prop_assert!(above >= below - 1e-6, "up to bucket {at}");
        }
    }

    #[test]
    fn batches_of_one_bucket_serve_the_next(
        released in prop::collection::vec(0i64..300, 1..8), buns in 0i64..200, dough in 0i64..30, boxes in 0i64..40,
    ) {
        let kitchen = bakery(buns, dough, boxes);
        let buckets: Vec<_> =
            released.iter().map(|buns| BTreeMap::from([("buns".to_owned(), qty(*buns))])).collect();
        let plans = explode(&kitchen, &buckets).expect("within reach");
        let runs = |product: &str, until: usize| -> i64 {
            plans[..=until].iter().flat_map(|plan| &plan.runs).filter(|run| run.product == product).map(|run| run.batches).sum()
        };
        for until in 0..plans.len() {
            // Production and stock cover the requirements up to here, and one batch less would not have.
            let asked: i64 = released[..=until].iter().sum();
            prop_assert_eq!(runs("buns", until), ((asked - buns).max(0) + 39) / 40);
            let kilos = runs("buns", until) as f64 * 2.4;
            prop_assert_eq!(runs("dough", until), ((kilos - dough as f64).max(0.0) / 10.0 - 1e-9).ceil() as i64);
            let missing: i64 = plans[..=until].iter().filter_map(|plan| plan.without_recipe.get("box")).map(|qty| qty.0).sum();
            prop_assert_eq!(missing, ((runs("buns", until) - boxes).max(0)) * 1_000_000);
        }
    }
}

fn qty(whole: i64) -> Qty {
    Qty(whole * 1_000_000)
}

/// 40 buns of 2.4 kg of dough and a box, dough in batches of 10 kg; boxes are a product without a recipe.
fn bakery(buns: i64, dough: i64, boxes: i64) -> Kitchen {
    let batch = |yields: i64, parts: &[(&str, i64)]| Batch {
        yields: qty(yields),
        parts: parts.iter().map(|(root, n)| ((*root).to_owned(), qty(*n))).collect(),
    };
    let maker = |product: &str, factor: i64| Maker {
        product: product.into(),
        factor: Factor(factor * 1_000_000_000),
    };
    Kitchen {
        recipes: BTreeMap::from([
            ("buns".to_owned(), batch(40, &[("dough g", 2_400), ("box each", 1)])),
            ("dough".to_owned(), batch(10, &[("flour g", 6_000)])),
        ]),
        makers: BTreeMap::from([
            ("dough g".to_owned(), maker("dough", 1_000)),
            ("box each".to_owned(), maker("box", 1)),
        ]),
        there: BTreeMap::from([
            ("buns".to_owned(), qty(buns)),
            ("dough".to_owned(), qty(dough)),
            ("box".to_owned(), qty(boxes)),
        ]),
    }
}
