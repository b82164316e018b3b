//! Concurrent writers: stored balances always equal the sum of movements.

use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Qty};
use larder_ledgers::stock;
use larder_ledgers::stock::{Document, Posting};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use rstest::rstest;
use serde_json::json;

use super::{id, make, make_commissary, make_product, path_of};
use crate::support::{App, Engine, actor};

/// A writer's action.
#[derive(Debug, Clone)]
enum Step {
    /// Sets a quantity.
    Adjust { product: usize, quantity: u32 },
    /// Moves products between places, each line from one to another.
    Transfer { lines: Vec<(usize, usize, usize, u32)>, back: bool },
}

const PRODUCTS: usize = 3;
const PLACES: usize = 4;

fn step() -> impl Strategy<Value = Step> {
    let line = (0..PRODUCTS, 0..PLACES, 0..PLACES, 1u32..1_000);
    prop_oneof![
        (0..PRODUCTS, 0u32..1_000).prop_map(|(product, quantity)| Step::Adjust { product, quantity }),
        (prop::collection::vec(line, 1..6), any::<bool>())
            .prop_map(|(lines, back)| Step::Transfer { lines, back }),
    ]
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn the_ledger_adds_up(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let cases = std::env::var("LARDER_STOCK_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..cases {
        let writers = prop::collection::vec(prop::collection::vec(step(), 1..6), 12);
        let writers = writers.new_tree(&mut runner).expect("steps").current();
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        let mut products = Vec::new();
        for n in 0..PRODUCTS {
            products.push(make_product(&admin, &format!("Product {n}")).await);
        }
        let place = |kind, record: &serde_json::Value| Place { kind, id: id(record) };
        let places = [
            place(PlaceKind::Commissary, &make_commissary(&admin, "Main").await),
            place(PlaceKind::Warehouse, &make(&admin, "/api/lists/warehouses", json!({ "name": "W" })).await),
            place(PlaceKind::Store, &make(&admin, "/api/stores/locations", json!({ "name": "S" })).await),
            Place { kind: PlaceKind::InTransit, id: "delivery".into() },
        ];
        let mut tasks = Vec::new();
        for (writer, steps) in writers.clone().into_iter().enumerate() {
            let (admin, db, products, places) =
                (admin.clone(), app.db.clone(), products.clone(), places.clone());
            let at = app.state.now();
            tasks.push(tokio::spawn(async move {
                for (n, step) in steps.into_iter().enumerate() {
                    match step {
                        Step::Adjust { product, quantity } => {
                            let path = format!("{}/adjust", path_of(&products[product]));
                            let done = admin.post(&path, &json!({ "quantity": quantity })).await;
                            if done.status == 200 {
                                let done = done.json();
                                assert!(done["product"]["quantity"].is_number());
                                let left = &done["movement"]["balanceAfter"];
                                assert!(left.is_null() || left.as_f64() >= Some(0.0), "{left} is below zero");
                            } else {
                                assert_eq!(done.expect(422)["fields"][0]["field"], "quantity");
                            }
                        }
                        Step::Transfer { lines, back } => {
                            let name = format!("{writer}-{n}");
                            let movements: Vec<Movement> = (1i64..)
                                .zip(&lines)
                                .flat_map(|(line, (product, from, to, qty))| {
                                    let side = |place: usize, leg, qty: i64| Movement {
                                        item: stock::product(&id(&products[*product])),
                                        place: places[place].clone(),
                                        qty: Qty(qty),
                                        unit_cost: None,
                                        line,
                                        leg,
                                        lot: None,
                                    };
                                    let qty = i64::from(*qty) * 1_000;
                                    [side(*from, Leg::From, -qty), side(*to, Leg::To, qty)]
                                })
                                .collect();
                            let document = Document::first(DocumentType::Transfer, &name);
                            let day = BusinessDay(20_000);
                            let posting = &Posting {
                                document,
                                business_date: day,
                                happened_at: None,
                                reason: None,
                                movements: &movements,
                            };
                            let by = actor(at);
                            db.write(&by, async |tx| stock::post(tx, posting).await).await.expect("posted");
                            if back {
                                let undo = format!("{name}-back");
                                let undo = Document::first(DocumentType::Transfer, &undo);
                                db.write(&by, async |tx| stock::reverse(tx, document, undo, day, None).await)
                                    .await
                                    .expect("reversed");
                            }
                        }
                    }
                }
            }));
        }
        // Concurrent readers see a ledger that adds up, too.
        while tasks.iter().any(|task| !task.is_finished()) {
            for kept in stock::verify(&app.db).await.expect("counted") {
                // The queries run one after the other; only one of them is consistent.
                assert!(!kept.what.starts_with("after movement"), "{kept:?} in {writers:?}");
            }
        }
        for task in tasks {
            task.await.expect("a writer");
        }
        let differences = stock::verify(&app.db).await.expect("counted");
        assert!(differences.is_empty(), "{differences:#?} after {writers:#?}");
        // The last quantity set is the one that counts.
        for (n, product) in products.iter().enumerate() {
            let path = format!("{}/adjust", path_of(product));
            let Place { kind, id } = &places[0];
            let body = json!({ "quantity": n, "placeKind": kind, "placeId": id });
            admin.post(&path, &body).await.expect(200);
            let stock = admin.get(&format!("{}/stock", path_of(product))).await.expect(200);
            let lies = stock["places"].as_array().expect("places").iter().find(|p| p["placeName"] == "Main");
            assert_eq!(lies.map_or(json!(0), |place| place["qty"].clone()), n);
        }
        assert_eq!(stock::verify(&app.db).await.expect("counted"), []);
    }
}
