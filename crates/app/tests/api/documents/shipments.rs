//! Deliveries.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{DELIVERIES, ORDERS, Site, made, path, said, step_as};
use crate::support::{Engine, one_engine};

#[rstest]
#[tokio::test]
async fn a_delivery_moves_stock_until_undispatched(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 100).await;
    let order = site.approved(3).await;
    let packed = site.packed(&order).await;
    assert_eq!(packed["lines"][0]["picked"], 3);
    // A second delivery of the same order has nothing left to send.
    let second = site.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(409);
    assert_eq!(second["code"], "nothingToSend");
    let sent = site.step(DELIVERIES, &packed, "dispatch", json!({})).await.expect(200);
    assert_eq!((&sent["status"], &sent["lines"][0]["inTransit"]), (&json!("dispatched"), &json!(3)));
    assert_eq!(site.places(&site.buns).await, (28, 0, 72));
    assert_eq!(site.fresh(ORDERS, &order).await["lines"][0]["qtyDispatched"], 3);

    let back =
        site.step(DELIVERIES, &sent, "undispatch", json!({ "reason": "Wrong truck" })).await.expect(200);
    assert_eq!(back["status"], "packed");
    assert_eq!(site.places(&site.buns).await, (100, 0, 0));
    assert_eq!(site.fresh(ORDERS, &order).await["status"], "approved");
    let again = site.step(DELIVERIES, &back, "dispatch", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (28, 0, 72));
    let refused = site.step(DELIVERIES, &again, "cancel", json!({})).await.expect(409);
    assert_eq!(refused["detail"], "This delivery has left; take the dispatch back first.");
    assert!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified").is_empty());
}

#[rstest]
#[tokio::test]
async fn missing_stock_cannot_be_dispatched(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 60).await;
    let packed = site.packed(&site.approved(3).await).await;
    let refused = site.step(DELIVERIES, &packed, "dispatch", json!({})).await.expect(409);
    assert_eq!(
        (&refused["code"], &refused["detail"]),
        (&json!("notEnough"), &json!("Only 2.5 case on hand."))
    );
    assert_eq!(said(&refused, "lines.0.picked"), "Only 2.5 case on hand.");
    let body = json!({ "override": true });
    let refused = site.step(DELIVERIES, &packed, "dispatch", body.clone()).await.expect(422);
    assert_eq!(said(&refused, "reason"), "Say why it is sent although it is not there.");
    let rights: &[(&str, &[Action])] =
        &[("commissary/deliveries", &[Action::View, Action::Edit, Action::Post])];
    let driver = site.app.user(rights, None).await;
    let body = json!({ "override": true, "reason": "Counted 80" });
    step_as(&driver, DELIVERIES, &packed, "dispatch", body.clone()).await.expect(403);
    assert_eq!(site.places(&site.buns).await, (60, 0, 0));
    let sent = site.step(DELIVERIES, &packed, "dispatch", body).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (-12, 0, 72));
    // The reason stays beside the line, until the dispatch is taken back.
    let line = &sent["lines"][0]["id"];
    assert_eq!(sent["overrides"], json!([{ "lineId": line, "check": "notEnough", "reason": "Counted 80" }]));
    let back = json!({ "reason": "Wrong truck" });
    let back = site.step(DELIVERIES, &sent, "undispatch", back).await.expect(200);
    assert_eq!(back["overrides"], json!([]));
}

#[rstest]
#[tokio::test]
async fn concurrent_dispatches_never_exceed_the_stock(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 100).await;
    let mut packed = Vec::new();
    for _ in 0..32 {
        let lines = json!([{ "productId": site.buns, "uomId": site.piece, "qty": 60 }]);
        let body = json!({ "commissaryId": site.kitchen, "storeId": site.store, "lines": lines });
        let delivery = site.admin.post(DELIVERIES, &body).await.expect(201);
        let delivery = site.step(DELIVERIES, &delivery, "pick", json!({})).await.expect(200);
        packed.push(site.step(DELIVERIES, &delivery, "pack", json!({})).await.expect(200));
    }
    let tries = packed.iter().map(|delivery| site.step(DELIVERIES, delivery, "dispatch", json!({})));
    let answers = futures::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for answer in answers.into_iter().filter(|answer| answer.status != 200) {
        assert_eq!(answer.expect(409)["detail"], "Only 40 pc on hand.");
    }
    assert_eq!(site.places(&site.buns).await, (40, 0, 60));
    let numbers: Vec<String> =
        packed.iter().filter_map(|it| it["deliveryNo"].as_str()).map(str::to_owned).collect();
    assert!(
        numbers.first().is_some_and(|it| it.ends_with("000001"))
            && numbers.last().is_some_and(|it| it.ends_with("000032"))
    );
}

#[rstest]
#[tokio::test]
async fn lots_are_proposed_by_expiry_and_kept_in_transit(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 240).await;
    let (first, second) = (site.soon().plus(3), site.soon().plus(9));
    // A delivery assigns lots to stock without any; after a reversal, the commissary has stock with lots.
    let lines = json!([
        { "productId": site.buns, "uomId": site.case, "qty": 2, "lot": "B", "expiry": second },
        { "productId": site.buns, "uomId": site.case, "qty": 1, "lot": "A", "expiry": first },
    ]);
    let body = json!({ "commissaryId": site.kitchen, "storeId": site.store, "lines": lines });
    let delivery = site.admin.post(DELIVERIES, &body).await.expect(201);
    assert_eq!(delivery["lines"].as_array().map(Vec::len), Some(2));
    let delivery = site.step(DELIVERIES, &delivery, "pick", json!({})).await.expect(200);
    let delivery = site.step(DELIVERIES, &delivery, "pack", json!({})).await.expect(200);
    let delivery = site.step(DELIVERIES, &delivery, "dispatch", json!({})).await.expect(200);
    let receipt = site.receipt(&delivery).await;
    let lines = json!([
        { "id": receipt["lines"][0]["id"], "received": 2, "rejected": 2, "reason": "wrongItem", "resolution": "return" },
        { "id": receipt["lines"][1]["id"], "received": 1, "rejected": 1, "reason": "wrongItem", "resolution": "return" },
    ]);
    let body = json!({ "revision": receipt["revision"], "lines": lines });
    let receipt = site.admin.patch(&path(super::RECEIPTS, &receipt), &body).await.expect(200);
    site.step(super::RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (240, 0, 0));

    let order = site.approved(5).await;
    let delivery = site.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(201);
    // Quantities picked before lots were known are distributed over the lines of the lots.
    let picked = |qty: f64| {
        let lines = json!([{ "id": delivery["lines"][0]["id"], "picked": qty }]);
        json!({ "revision": delivery["revision"], "lines": lines })
    };
    let half = site.admin.patch(&path(DELIVERIES, &delivery), &picked(3.5)).await.expect(422);
    assert_eq!(said(&half, "lines.0.picked"), "Enter a whole number: case is not split.");
    let delivery = site.admin.patch(&path(DELIVERIES, &delivery), &picked(4.0)).await.expect(200);
    let delivery = site.step(DELIVERIES, &delivery, "pick", json!({})).await.expect(200);
    let lots: Vec<Value> = delivery["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| json!([line["lot"], line["ordered"], line["picked"]]))
        .collect();
    assert_eq!(lots, [json!(["A", 1, 1]), json!(["B", 2, 2]), json!([null, 2, 1])]);
    let delivery = site.step(DELIVERIES, &delivery, "pack", json!({})).await.expect(200);
    site.step(DELIVERIES, &delivery, "dispatch", json!({})).await.expect(200);
    assert!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified").is_empty());
    assert_eq!(site.fresh(ORDERS, &order).await["lines"][0]["qtyDispatched"], 4);

    // Stock in transit belongs to its destination store.
    let other =
        made(&site.admin, "/api/stores/locations", json!({ "name": "Elsewhere", "code": "ELS" })).await;
    let rights: &[(&str, &[Action])] = &[("products/products", &[Action::View])];
    for (store, sees) in [(&site.store, true), (&other, false)] {
        let user = site.app.user(rights, Some(std::slice::from_ref(store))).await;
        for (list, name) in [("movements", "items"), ("stock", "places")] {
            let answer = user.get(&format!("/api/products/{}/{list}", site.buns)).await.expect(200);
            let rows = answer[name].as_array().expect("rows");
            assert_eq!(rows.iter().any(|row| row["placeKind"] == "inTransit"), sees, "{list}: {answer}");
        }
    }
}

/// A packed delivery is unpacked: what was picked stays, quantity and lot of one line are corrected, and it leaves so.
#[rstest]
#[tokio::test]
async fn a_packed_delivery_is_unpacked_and_corrected(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 72).await;
    site.stock(&site.rice, 10).await;
    let expiry = site.soon().plus(5);
    let lines = json!([
        { "productId": site.buns, "uomId": site.case, "qty": 2, "lot": "B-1", "expiry": expiry },
        { "productId": site.rice, "uomId": site.piece, "qty": 10, "lot": "R-1", "expiry": expiry },
    ]);
    let draft = json!({ "commissaryId": site.kitchen, "storeId": site.store, "lines": lines });
    let mut delivery = site.admin.post(DELIVERIES, &draft).await.expect(201);
    for step in ["pick", "pack"] {
        delivery = site.step(DELIVERIES, &delivery, step, json!({})).await.expect(200);
    }
    let line = json!({ "id": delivery["lines"][0]["id"], "picked": 1, "lot": "B-2", "expiry": expiry });
    let change = json!({ "revision": delivery["revision"], "lines": [line] });
    site.admin.patch(&path(DELIVERIES, &delivery), &change).await.expect(409);

    let delivery = site.step(DELIVERIES, &delivery, "unpack", json!({})).await.expect(200);
    let picked = |document: &Value| {
        let lines = document["lines"].as_array().expect("lines").iter();
        lines.map(|line| (line["picked"].clone(), line["lot"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(picked(&delivery), [(json!(2), json!("B-1")), (json!(10), json!("R-1"))]);
    let other = json!({ "id": delivery["lines"][1]["id"] });
    let change = json!({ "revision": delivery["revision"], "lines": [line, other] });
    let mut delivery = site.admin.patch(&path(DELIVERIES, &delivery), &change).await.expect(200);
    for step in ["pack", "dispatch"] {
        delivery = site.step(DELIVERIES, &delivery, step, json!({})).await.expect(200);
    }
    assert_eq!(picked(&delivery), [(json!(1), json!("B-2")), (json!(10), json!("R-1"))]);
    assert_eq!(site.places(&site.buns).await, (48, 0, 24));
    assert_eq!(site.places(&site.rice).await, (0, 0, 10));
}
