//! Fill rate and waste: over random orders, deliveries and waste, by plain addition, and equal in the
//! scorecard and the report builder.

use larder_domain::BusinessDay;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use super::world::centavos;
use crate::documents::{ORDERS, RECEIPTS, Site, path};
use crate::support::Engine;

const WASTE: &str = "/api/stores/waste";
/// Centavos per case and per piece.
const CASE: i64 = 24_000;
const PIECE: i64 = 1_000;

/// Totals of completed orders and posted waste.
#[derive(Debug, Default)]
struct Known {
    ordered: Vec<(i64, i64)>,
    waste: i64,
}

/// An order of one or two products, which may be delivered fully or partially.
async fn order(site: &Site, chance: &mut StdRng, known: &mut Known) {
    let mut lines = vec![(&site.buns, chance.random_range(1..7))];
    if chance.random_bool(0.5) {
        lines.push((&site.rice, chance.random_range(1..7)));
    }
    let asked: Vec<Value> = lines
        .iter()
        .map(|(product, qty)| json!({ "productId": product, "uomId": site.case, "qty": qty }))
        .collect();
    let mut body = site.order(json!(asked));
    body["neededDate"] = json!(site.soon().plus(chance.random_range(0..3)));
    let order = site.admin.post(ORDERS, &body).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let order = site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
    if chance.random_bool(0.2) {
        return;
    }
    let receipt = site.receipt(&site.dispatched(&order).await).await;
    let mut changed = Vec::new();
    let mut arrived = Vec::new();
    for line in receipt["lines"].as_array().expect("lines") {
        let (_, qty) = *lines.iter().find(|(id, _)| line["productId"] == json!(id)).expect("ordered");
        let came: i64 = chance.random_range(0..=qty);
        arrived.push((qty, came));
        if came < qty {
            let end = ["pending", "credit", "writeOff"][chance.random_range(0..3)];
            changed.push(json!({ "id": line["id"], "received": came, "reason": "short", "resolution": end }));
        }
    }
    let body = json!({ "revision": receipt["revision"], "lines": changed });
    let receipt = site.admin.patch(&path(RECEIPTS, &receipt), &body).await.expect(200);
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let state = site.fresh(ORDERS, &order).await["status"].clone();
    if state == "received" || state == "closed" {
        known.ordered.extend(arrived);
    }
}

/// Waste; occasionally only a draft.
async fn waste(site: &Site, chance: &mut StdRng, known: &mut Known) {
    let (case, qty) = (chance.random_bool(0.3), chance.random_range(1..4));
    let uom = if case { &site.case } else { &site.piece };
    let line = json!({ "productId": site.buns, "uomId": uom, "qty": qty, "reason": "dropped" });
    let body = json!({ "storeId": site.store, "lines": [line] });
    let made = site.admin.post(WASTE, &body).await.expect(201);
    if chance.random_bool(0.8) {
        let sent = site.step(WASTE, &made, "submit", json!({})).await.expect(200);
        if sent["status"] == "posted" {
            known.waste += qty * if case { CASE } else { PIECE };
        }
    }
}

#[rstest]
#[tokio::test]
async fn every_figure_of_supply_matches_receipts_and_waste(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 24 * 200).await;
    site.stock(&site.rice, 24 * 200).await;
    let (mut chance, mut known) = (StdRng::seed_from_u64(20_261_125), Known::default());
    for _ in 0..12 {
        order(&site, &mut chance, &mut known).await;
        waste(&site, &mut chance, &mut known).await;
    }
    assert!(known.ordered.iter().any(|(qty, came)| came < qty) && known.waste > 0, "{known:?}");

    let today = BusinessDay::of(site.app.state.now());
    let (from, to) = (today, today.plus(6));
    let score =
        site.admin.get(&format!("/api/reports/store-scorecard?from={from}&to={to}")).await.expect(200);
    // The mean of the shares received, said with four decimals.
    let lines = i64::try_from(known.ordered.len()).expect("few");
    let mean = known.ordered.iter().map(|(qty, came)| *came as f64 / *qty as f64).sum::<f64>() / lines as f64;
    let said = &score["total"]["fillRate"];
    assert!((said.as_f64().expect("a share") - mean).abs() < 0.000_051, "{said}, not {mean}: {known:?}");
    assert_eq!(centavos(&score["total"]["waste"]), known.waste, "{known:?}");

    let built = async |dataset: &str, measures: &[&str], filters: Value| {
        let measures: Vec<Value> = measures.iter().map(|field| json!({ "field": field })).collect();
        let body = json!({ "dataset": dataset, "measures": measures, "rows": ["store"], "filters": filters,
            "range": { "from": from, "to": to } });
        let answer = site.admin.post("/api/reports/custom/preview", &body).await.expect(200);
        answer["answer"]["rows"].as_array().expect("rows").clone()
    };
    let done = json!([{ "field": "state", "op": "is", "values": ["received", "closed"] }]);
    let reply = built("orders", &["ordered", "received", "lines", "fillRate"], done).await;
    let sum = |of: fn(&(i64, i64)) -> i64| json!(known.ordered.iter().map(of).sum::<i64>());
    assert_eq!(
        reply[0]["total"],
        json!([sum(|line| line.0), sum(|line| line.1), lines, said]),
        "builder: completed orders, and the scorecard’s fill rate"
    );
    let reply = built("waste", &["value"], json!([])).await;
    let value: i64 = reply.iter().map(|row| centavos(&row["total"][0])).sum();
    assert_eq!(value, known.waste, "the scorecard’s waste, and the builder’s");
}
