//! Receipts.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::transactions::image_bytes;
use super::{DELIVERIES, ORDERS, RECEIPTS, Site, made, path, said};
use crate::support::{Engine, one_engine};

/// Changes the first line of a receipt.
async fn change(site: &Site, receipt: &Value, mut line: Value) -> Value {
    line["id"] = receipt["lines"][0]["id"].clone();
    let body = json!({ "revision": receipt["revision"], "lines": [line] });
    site.admin.patch(&path(RECEIPTS, receipt), &body).await.expect(200)
}

#[rstest]
#[tokio::test]
async fn a_complete_receipt_is_posted_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 100).await;
    let order = site.approved(3).await;
    let delivery = site.dispatched(&order).await;
    let expected = site.admin.get(&format!("{RECEIPTS}/expected?storeId={}", site.store)).await.expect(200);
    assert_eq!(expected["items"][0]["deliveryNo"], delivery["deliveryNo"]);
    let receipt = site.receipt(&delivery).await;
    assert_eq!((&receipt["lines"][0]["expected"], &receipt["lines"][0]["received"]), (&json!(3), &json!(3)));
    let key = |step| {
        let at = format!("{}/{step}", path(RECEIPTS, &receipt));
        let body = json!({ "revision": receipt["revision"] });
        site.admin.request(reqwest::Method::POST, &at).header("idempotency-key", "once").json(&body)
    };
    let posted = site.admin.send(key("post")).await.expect(200);
    let again = site.admin.send(key("post")).await.expect(200);
    assert_eq!((&posted["status"], &posted["id"]), (&json!("posted"), &again["id"]));
    assert_eq!(site.places(&site.buns).await, (28, 72, 0));
    let delivery = site.fresh(DELIVERIES, &delivery).await;
    assert_eq!(delivery["status"], "received");
    let order = site.fresh(ORDERS, &order).await;
    assert_eq!((&order["status"], &order["lines"][0]["qtyReceived"]), (&json!("received"), &json!(3)));

    // Reconciling closes the order; a reconciled delivery keeps its receipts.
    let posted = site.step(RECEIPTS, &posted, "reconcile", json!({})).await.expect(200);
    assert_eq!(posted["status"], "reconciled");
    site.step(DELIVERIES, &delivery, "reconcile", json!({})).await.expect(200);
    assert_eq!(site.fresh(ORDERS, &order).await["status"], "closed");
    let late = json!({ "storeId": site.store, "sourceType": "delivery", "sourceId": delivery["id"] });
    let refused = site.admin.post(RECEIPTS, &late).await.expect(409);
    assert_eq!(refused["code"], "notOnItsWay");
}

#[rstest]
#[tokio::test]
async fn every_difference_needs_a_reason_and_a_resolution(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 1_000).await;
    let order = site.approved(10).await;
    let delivery = site.dispatched(&order).await;
    let receipt = site.receipt(&delivery).await;
    let receipt = change(&site, &receipt, json!({ "received": 8, "rejected": 1 })).await;
    let refused = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(422);
    assert_eq!(said(&refused, "lines.0.reason"), "Choose a reason for every difference.");
    let receipt = change(&site, &receipt, json!({ "received": 8, "rejected": 1, "reason": "damaged" })).await;
    let posted = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!((&posted["pendingLines"], &posted["lines"][0]["pending"]), (&json!(1), &json!(3)));
    assert_eq!(site.places(&site.buns).await, (760, 168, 72));
    assert_eq!(site.fresh(DELIVERIES, &delivery).await["status"], "partiallyReceived");
    assert_eq!(site.fresh(ORDERS, &order).await["status"], "partiallyReceived");
    let refused = site.step(RECEIPTS, &posted, "reconcile", json!({})).await.expect(409);
    assert_eq!(refused["detail"], "Settle every difference first.");
    // What did not arrive is on its way until that is decided; nothing is left to be received.
    let way = site.admin.get("/api/stock/in-transit").await.expect(200);
    assert_eq!((&way["items"][0]["undecided"], &way["late"]), (&json!(true), &json!(0)));
    assert_eq!(way["items"][0]["lines"][0]["qty"], 3);
    let expected = site.admin.get("/api/stores/receive/expected").await.expect(200);
    assert_eq!(expected["items"], json!([]));

    // Sent again: it goes back to the commissary, and the order includes it again.
    let body = json!({ "lines": [{ "id": posted["lines"][0]["id"], "resolution": "backorder" }] });
    let settled = site.step(RECEIPTS, &posted, "resolve", body).await.expect(200);
    assert_eq!(settled["pendingLines"], 0);
    assert_eq!(site.places(&site.buns).await, (832, 168, 0));
    let now = site.fresh(ORDERS, &order).await;
    assert_eq!(now["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!((&now["lines"][1]["qtyApproved"], &now["lines"][1]["qtyDispatched"]), (&json!(3), &json!(0)));
    assert_eq!(now["status"], "partiallyReceived");

    // After the reversal everything is as before; the additional order line is gone.
    let reversed =
        site.step(RECEIPTS, &settled, "reverse", json!({ "reason": "Wrong delivery" })).await.expect(200);
    assert_eq!(reversed["status"], "reversed");
    assert_eq!(site.places(&site.buns).await, (760, 0, 240));
    let now = site.fresh(ORDERS, &order).await;
    assert_eq!((now["lines"].as_array().map(Vec::len), &now["status"]), (Some(1), &json!("inFulfilment")));
    assert_eq!(site.fresh(DELIVERIES, &delivery).await["status"], "dispatched");
    assert!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified").is_empty());

    // It can be received again, with part of it lost for good.
    let receipt = site.receipt(&delivery).await;
    let line = json!({ "received": 9, "reason": "short", "resolution": "credit" });
    let receipt = change(&site, &receipt, line).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (760, 216, 0));
    assert_eq!(site.fresh(ORDERS, &order).await["status"], "received");
}

#[rstest]
#[tokio::test]
async fn over_receipts_beyond_the_tolerance_are_refused(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 1_000).await;
    let delivery = site.dispatched(&site.approved(10).await).await;
    let receipt = site.receipt(&delivery).await;
    let receipt =
        change(&site, &receipt, json!({ "received": 12, "reason": "over", "resolution": "acceptOver" }))
            .await;
    let refused = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(422);
    assert_eq!(said(&refused, "lines.0.received"), "Over by 2; tolerance is 0%.");
    let body = json!({ "override": true, "reason": "Driver says keep it" });
    site.step(RECEIPTS, &receipt, "post", body).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (712, 288, 0));
    let line = site.fresh(DELIVERIES, &delivery).await["lines"][0].clone();
    assert_eq!((&line["overage"], &line["accepted"], &line["inTransit"]), (&json!(2), &json!(12), &json!(0)));
}

#[rstest]
#[tokio::test]
async fn what_came_too_much_is_not_in_the_kitchens_stock(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let rule = json!({ "overTolerance": 50, "revision": 0 });
    site.admin.put("/api/stores/receive/settings", &rule).await.expect(200);
    site.stock(&site.buns, 264).await;
    let delivery = site.dispatched(&site.approved(10).await).await;
    let receipt = site.receipt(&delivery).await;
    let more = json!({ "received": 12, "reason": "over", "resolution": "acceptOver" });
    let receipt = change(&site, &receipt, more).await;
    let refused = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(422);
    assert_eq!(
        said(&refused, "lines.0.received"),
        "10 case were expected and 12 came, but the kitchen has only 1 case left for the rest. Reject what is too much, \
         or ask the kitchen to correct its stock."
    );
    // What came too much is rejected, and stays the kitchen's.
    let less = json!({ "received": 12, "rejected": 1, "reason": "over", "resolution": "acceptOver" });
    let receipt = change(&site, &receipt, less).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (0, 264, 0));
}

#[rstest]
#[tokio::test]
async fn a_supplier_receipt_follows_the_delivery_note(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let supplier = made(&site.admin, "/api/lists/suppliers", json!({ "name": "Mega Mills" })).await;
    let lines = json!([{ "productId": site.rice, "uomId": site.case, "qty": 2, "lot": "M7" }]);
    let body = json!({
        "storeId": site.store, "sourceType": "supplier", "sourceId": supplier, "supplierDrNo": "4711", "lines": lines,
    });
    let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
    assert_eq!((&receipt["lines"][0]["expected"], &receipt["lines"][0]["received"]), (&json!(2), &json!(2)));
    let posted = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!(site.places(&site.rice).await, (0, 48, 0));
    site.step(RECEIPTS, &posted, "reverse", json!({})).await.expect(422);
    site.step(RECEIPTS, &posted, "reverse", json!({ "reason": "Twice" })).await.expect(200);
    assert_eq!(site.places(&site.rice).await, (0, 0, 0));
}

#[rstest]
#[tokio::test]
async fn only_supplier_goods_have_a_price(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 240).await;
    let receipt = site.receipt(&site.dispatched(&site.approved(2).await).await).await;
    let line = json!({ "id": receipt["lines"][0]["id"], "unitPrice": 5 });
    let body = json!({ "revision": receipt["revision"], "lines": [line] });
    let refused = site.admin.patch(&path(RECEIPTS, &receipt), &body).await.expect(422);
    assert_eq!(said(&refused, "lines.0.unitPrice"), "Only supplier goods have a price.");

    let supplier = made(&site.admin, "/api/lists/suppliers", json!({ "name": "Mega Mills" })).await;
    let draft = |price: Value| {
        let line = json!({ "productId": site.rice, "uomId": site.case, "qty": 2, "unitPrice": price });
        json!({ "storeId": site.store, "sourceType": "supplier", "sourceId": supplier, "lines": [line] })
    };
    let negative = site.admin.post(RECEIPTS, &draft(json!(-1))).await.expect(422);
    assert_eq!(said(&negative, "lines.0.unitPrice"), "Enter zero or more.");
    let receipt = site.admin.post(RECEIPTS, &draft(json!("12.5"))).await.expect(201);
    assert_eq!(receipt["lines"][0]["unitPrice"], 12.5);
    // Left out it stays, and an empty text clears it.
    for (more, price) in [(json!({ "lot": "M7" }), json!(12.5)), (json!({ "unitPrice": "" }), Value::Null)] {
        let mut line = more;
        line["id"] = receipt["lines"][0]["id"].clone();
        let revision = site.fresh(RECEIPTS, &receipt).await["revision"].clone();
        let body = json!({ "revision": revision, "lines": [line] });
        let changed = site.admin.patch(&path(RECEIPTS, &receipt), &body).await.expect(200);
        assert_eq!(changed["lines"][0]["unitPrice"], price);
    }
}

#[rstest]
#[tokio::test]
async fn open_differences_cannot_be_received_again(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 1_000).await;
    let delivery = site.dispatched(&site.approved(10).await).await;
    let receipt = site.receipt(&delivery).await;
    let late = site.receipt(&delivery).await;
    let receipt = change(&site, &receipt, json!({ "received": 7, "reason": "short" })).await;
    let posted = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let body = json!({ "storeId": site.store, "sourceType": "delivery", "sourceId": delivery["id"] });
    let refused = site.admin.post(RECEIPTS, &body).await.expect(409);
    assert_eq!(refused["code"], "takenIn");
    let refused = site.step(RECEIPTS, &late, "post", json!({})).await.expect(409);
    assert_eq!(refused["code"], "takenInMeanwhile");
    let body = json!({ "lines": [{ "id": posted["lines"][0]["id"], "resolution": "writeOff" }] });
    site.step(RECEIPTS, &posted, "resolve", body).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (760, 168, 0));
    assert_eq!(site.fresh(DELIVERIES, &delivery).await["status"], "received");
}

#[rstest]
#[tokio::test]
async fn received_deliveries_are_no_longer_expected(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 10 * 24).await;
    let order = site.approved(3).await;
    let delivery = site.dispatched(&order).await;
    let asked = format!("{RECEIPTS}/expected?storeId={}&lines=true", site.store);
    let expected = async || site.admin.get(&asked).await.expect(200)["items"].as_array().map(Vec::len);
    let receipt = site.receipt(&delivery).await;
    assert_eq!(expected().await, Some(1));
    let lines = async || site.admin.get(&asked).await.expect(200)["items"][0]["lines"].clone();
    let line = lines().await[0].clone();
    let sent = &delivery["lines"][0];
    for (name, wanted) in
        [("id", &sent["id"]), ("productId", &sent["productId"]), ("uomCode", &sent["uomCode"])]
    {
        assert_eq!(&line[name], wanted, "{name}");
    }
    assert_eq!((&line["expected"], &line["factor"], &line["whole"]), (&json!(3), &json!(24), &json!(true)));
    let plain = format!("{RECEIPTS}/expected?storeId={}", site.store);
    assert_eq!(
        site.admin.get(&plain).await.expect(200)["items"][0].get("lines"),
        None,
        "only where asked for"
    );
    // One case is missing and undecided: it stays in transit, but cannot be received.
    let line = json!({ "id": receipt["lines"][0]["id"], "received": 2, "reason": "short" });
    let body = json!({ "revision": receipt["revision"], "lines": [line] });
    let receipt = site.admin.patch(&path(RECEIPTS, &receipt), &body).await.expect(200);
    let receipt = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await.2, 24);
    assert_eq!(expected().await, Some(0));
    site.step(RECEIPTS, &receipt, "reverse", json!({ "reason": "Wrong store" })).await.expect(200);
    assert_eq!(expected().await, Some(1));
    assert_eq!(lines().await[0]["expected"], 3);
}

#[rstest]
#[tokio::test]
async fn the_over_receipt_limit_is_a_setting(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 20 * 24).await;
    let settings = format!("{RECEIPTS}/settings");
    let rule = site.admin.get(&settings).await.expect(200);
    assert_eq!((&rule["overTolerance"], &rule["revision"]), (&json!(0), &json!(0)));
    let order = site.approved(10).await;
    let delivery = site.dispatched(&order).await;
    let receipt = site.receipt(&delivery).await;
    let line = json!({ "id": receipt["lines"][0]["id"], "received": 11, "reason": "over" });
    let body = json!({ "revision": receipt["revision"], "lines": [line] });
    let receipt = site.admin.patch(&path(RECEIPTS, &receipt), &body).await.expect(200);
    let refused = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(422);
    assert_eq!(said(&refused, "lines.0.received"), "Over by 1; tolerance is 0%.");
    for (wrong, status) in [(json!(-1), 422), (json!(100.5), 422)] {
        let body = json!({ "overTolerance": wrong, "revision": 0 });
        let refused = site.admin.put(&settings, &body).await.expect(status);
        assert_eq!(said(&refused, "overTolerance"), "Enter a percentage from 0 to 100.");
    }
    let rule = json!({ "overTolerance": 10, "revision": 0 });
    let near = site
        .app
        .user(
            &[("stores/storeReceive", &[Action::View, Action::Approve])],
            Some(std::slice::from_ref(&site.store)),
        )
        .await;
    assert_eq!(near.put(&settings, &rule).await.expect(403)["code"], "allStores");
    assert_eq!(site.admin.put(&settings, &rule).await.expect(200)["revision"], 1);
    assert_eq!(site.admin.put(&settings, &rule).await.expect(409)["code"], "stale");
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    // The excess left the commissary too.
    assert_eq!(site.places(&site.buns).await, (9 * 24, 11 * 24, 0));
}

/// A picture may show a product of the receipt; the rest show all of it.
#[rstest]
#[tokio::test]
async fn pictures_show_products_of_the_receipt(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    for id in ["torn", "truck"] {
        let path = format!("/api/stores/photos?storeId={}&id={id}", site.store);
        site.admin.upload(&path, image_bytes()).await.expect(201);
    }
    let supplier = made(&site.admin, "/api/lists/suppliers", json!({ "name": "Mega Mills" })).await;
    let line = json!({ "productId": site.rice, "uomId": site.case, "qty": 2 });
    let body = |shows: Value| {
        json!({ "storeId": site.store, "sourceType": "supplier", "sourceId": supplier, "lines": [line],
            "photos": ["torn", "truck"], "photoProducts": shows })
    };
    let refused = site.admin.post(RECEIPTS, &body(json!({ "torn": "no-such-product" }))).await.expect(422);
    assert_eq!(said(&refused, "photoProducts"), "A picture shows a product that is not on this receipt.");
    let shows = json!({ "torn": site.rice, "gone": site.rice });
    let receipt = site.admin.post(RECEIPTS, &body(shows)).await.expect(201);
    assert_eq!(receipt["photoProducts"], json!({ "torn": site.rice }), "of pictures that it has");
    let without = json!({ "revision": receipt["revision"], "photos": ["truck"] });
    let receipt = site.admin.patch(&path(RECEIPTS, &receipt), &without).await.expect(200);
    assert_eq!((&receipt["photos"], &receipt["photoProducts"]), (&json!(["truck"]), &json!({})));
}
