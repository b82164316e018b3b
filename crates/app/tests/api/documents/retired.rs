//! Products that are inactive, or merged into others.

use rstest::rstest;
use serde_json::{Value, json};

use super::{DELIVERIES, ORDERS, RECEIPTS, Site, made, said};
use crate::support::{Engine, one_engine};

const WASTE: &str = "/api/stores/waste";
const TRANSFERS: &str = "/api/stores/transfers";

async fn product(site: &Site, id: &str) -> Value {
    site.admin.get(&format!("/api/products/{id}")).await.expect(200)
}

async fn retire(site: &Site) {
    let revision = product(site, &site.buns).await["revision"].clone();
    let body = json!({ "revision": revision, "inactive": true });
    site.admin.patch(&format!("/api/products/{}", site.buns), &body).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn an_inactive_product_is_not_ordered_but_all_else_goes_on(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 240).await;
    let packed = site.packed(&site.approved(3).await).await;
    let mut later = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 2 }]));
    later["neededDate"] = json!(site.soon().plus(1));
    let later = site.admin.post(ORDERS, &later).await.expect(201);
    let later = site.step(ORDERS, &later, "submit", json!({})).await.expect(200);
    let mut draft = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 1 }]));
    draft["neededDate"] = json!(site.soon().plus(2));
    let draft = site.admin.post(ORDERS, &draft).await.expect(201);
    retire(&site).await;

    // No new order lines.
    let mut new = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 1 }]));
    new["neededDate"] = json!(site.soon().plus(3));
    let refused = site.admin.post(ORDERS, &new).await.expect(422);
    assert_eq!(said(&refused, "lines.0.productId"), "Buns is inactive.");
    let refused = site.step(ORDERS, &draft, "submit", json!({})).await.expect(422);
    assert_eq!(said(&refused, "lines.0.productId"), "Buns is inactive.");

    // What was submitted, packed and sent goes on.
    site.step(ORDERS, &later, "approve", json!({})).await.expect(200);
    let sent = site.step(DELIVERIES, &packed, "dispatch", json!({})).await.expect(200);
    let receipt = site.receipt(&sent).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (168, 72, 0));

    // What is in stock can be thrown away and moved.
    let line = json!({ "productId": site.buns, "uomId": site.case, "qty": 1, "reason": "spoiled" });
    let waste = json!({ "storeId": site.store, "lines": [line] });
    let waste = site.admin.post(WASTE, &waste).await.expect(201);
    site.step(WASTE, &waste, "submit", json!({})).await.expect(200);
    let makati = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    let line = json!({ "productId": site.buns, "uomId": site.case, "qty": 1 });
    let transfer = json!({ "fromStoreId": site.store, "toStoreId": makati, "lines": [line] });
    let transfer = site.admin.post(TRANSFERS, &transfer).await.expect(201);
    site.step(TRANSFERS, &transfer, "dispatch", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (168, 24, 24));
    assert_eq!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified"), []);
}

#[rstest]
#[tokio::test]
async fn a_product_that_is_still_due_is_not_merged(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 240).await;
    let merge = async || {
        let (gone, stays) = (product(&site, &site.buns).await, product(&site, &site.rice).await);
        let body = json!({
            "into": site.rice, "revision": gone["revision"], "intoRevision": stays["revision"],
        });
        site.admin.post(&format!("/api/products/{}/merge", site.buns), &body).await
    };
    let named = |document: &Value, number: &str| {
        let number = document[number].as_str().expect("a number");
        format!("{number}. Finish or cancel that first.")
    };
    let order = site.approved(3).await;
    let refused = merge().await.expect(422);
    assert_eq!(said(&refused, "into"), format!("It is still in {}", named(&order, "orderNo")));
    let sent = site.dispatched(&order).await;
    let refused = merge().await.expect(422);
    let words = said(&refused, "into");
    assert!(words.contains(sent["deliveryNo"].as_str().expect("a number")), "{words}");
    let receipt = site.receipt(&sent).await;
    let refused = merge().await.expect(422);
    let words = said(&refused, "into");
    assert!(words.contains(receipt["receiptNo"].as_str().expect("a number")), "{words}");
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!(site.fresh(DELIVERIES, &sent).await["lines"][0]["inTransit"], 0);

    // A draft is named, and cancelled.
    let line = json!({ "productId": site.buns, "uomId": site.case, "qty": 1, "reason": "spoiled" });
    let waste = json!({ "storeId": site.store, "lines": [line] });
    let waste = site.admin.post(WASTE, &waste).await.expect(201);
    let refused = merge().await.expect(422);
    assert_eq!(said(&refused, "into"), format!("It is still in {}", named(&waste, "wasteNo")));
    site.step(WASTE, &waste, "cancel", json!({})).await.expect(200);
    merge().await.expect(200);
    assert_eq!((site.places(&site.buns).await, site.places(&site.rice).await), ((0, 0, 0), (168, 72, 0)));
    assert_eq!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified"), []);
}
