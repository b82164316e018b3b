//! Supplier returns: stock, refused goods and settlement.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{RECEIPTS, Site, made, path, said, step_as};
use crate::support::{Engine, one_engine};

const RETURNS: &str = "/api/commissary/supplier-returns";

struct Bought {
    site: Site,
    supplier: String,
}

impl Bought {
    async fn start(on: Engine) -> Bought {
        let site = Site::start(on).await;
        let supplier =
            made(&site.admin, "/api/lists/suppliers", json!({ "name": "Divisoria Dry Goods" })).await;
        Bought { site, supplier }
    }

    /// A posted receipt of six cases of lot B-7, two of them damaged and refused.
    async fn receipt(&self) -> Value {
        let site = &self.site;
        let line = json!({
            "productId": site.buns, "uomId": site.case, "expected": 6, "received": 6, "rejected": 2,
            "reason": "damaged", "resolution": "credit", "lot": "B-7",
        });
        let body = json!({
            "storeId": site.store, "sourceType": "supplier", "sourceId": self.supplier, "lines": [line],
        });
        let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
        site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200)
    }

    fn of_store(&self, lines: Value) -> Value {
        json!({
            "placeKind": "store", "placeId": self.site.store, "supplierId": self.supplier, "lines": lines,
        })
    }

    fn of_kitchen(&self, lines: Value) -> Value {
        json!({
            "placeKind": "commissary", "placeId": self.site.kitchen, "supplierId": self.supplier, "lines": lines,
        })
    }

    fn line(&self, cases: i64, lot: &str) -> Value {
        json!({
            "productId": self.site.buns, "uomId": self.site.case, "qty": cases, "reason": "quality", "lot": lot,
        })
    }

    async fn step(&self, document: &Value, step: &str, body: Value) -> crate::support::Answer {
        self.site.step(RETURNS, document, step, body).await
    }

    /// Returns of a receipt.
    async fn following(&self, receipt: &Value) -> Value {
        let id = receipt["id"].as_str().expect("an id");
        self.site.admin.get(&format!("{RETURNS}?originId={id}")).await.expect(200)
    }

    async fn verified(&self) {
        assert!(larder_ledgers::stock::verify(&self.site.app.db).await.expect("verified").is_empty());
    }
}

#[rstest]
#[tokio::test]
async fn what_goes_back_leaves_the_stock_with_its_lot(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let receipt = bought.receipt().await;
    assert_eq!(site.places(&site.buns).await, (0, 96, 0));
    let lines = json!([bought.line(1, "B-7")]);
    let draft = site.admin.post(RETURNS, &bought.of_store(lines)).await.expect(201);
    assert_eq!(draft["returnNo"].as_str().map(|number| &number[..3]), Some("SR-"));
    assert_eq!(
        (&draft["storeId"], &draft["sourceId"], &draft["amount"]),
        (&json!(site.store), &json!(bought.supplier), &json!(240))
    );
    // The last piece of the lot goes back, not one more.
    let line = &draft["lines"][0]["id"];
    let change =
        json!({ "revision": draft["revision"], "notes": "Musty", "lines": [{ "id": line, "qty": 5 }] });
    let draft = site.admin.patch(&path(RETURNS, &draft), &change).await.expect(200);
    assert_eq!((&draft["lines"][0]["lot"], &draft["lines"][0]["reason"]), (&json!("B-7"), &json!("quality")));
    let refused = bought.step(&draft, "send", json!({})).await.expect(409);
    assert_eq!(refused["code"], "moreThanExpected");
    let words = "Larder expects at most 4 case of lot B-7 here. Send back 5 case anyway?";
    assert_eq!(said(&refused, "lines.0.lot"), words);
    let asked = &refused["lines"][0];
    assert_eq!(
        (&asked["lot"], &asked["asked"], &asked["expected"], &asked["unit"]),
        (&json!("B-7"), &json!(5), &json!(4), &json!("case"))
    );
    let change = json!({ "revision": draft["revision"], "lines": [{ "id": line, "qty": 4 }] });
    let draft = site.admin.patch(&path(RETURNS, &draft), &change).await.expect(200);
    // A recalled lot goes back too.
    let recall = json!({ "productId": site.buns, "reason": "Mould" });
    site.admin.post("/api/stock/lots/B-7/recall", &recall).await.expect(200);
    let sent = bought.step(&draft, "send", json!({})).await.expect(200);
    assert_eq!((&sent["status"], &sent["postings"]), (&json!("sent"), &json!(1)));
    assert_eq!(site.places(&site.buns).await, (0, 0, 0));
    bought.verified().await;

    // The lot's trace, the product's ledger and the store ledger show it.
    let trace = site.admin.get("/api/stock/lots/B-7/trace").await.expect(200);
    let events = trace["events"].as_array().expect("events");
    let event = events.last().expect("an event");
    assert_eq!(
        (&event["event"], &event["qty"], &event["from"], &event["to"], &event["documentKind"]),
        (
            &json!("sent"),
            &json!(96),
            &json!("Cubao"),
            &json!("Divisoria Dry Goods"),
            &json!("supplierReturn")
        )
    );
    let ledger = format!("/api/products/{}/movements", site.buns);
    let moved = &site.admin.get(&ledger).await.expect(200)["items"][0];
    assert_eq!(
        (&moved["documentType"], &moved["qty"], &moved["unitCost"]),
        (&json!("supplierReturn"), &json!(-96), &json!(10))
    );
    let book = format!("/api/stores/transactions?storeId={}&kinds=supplierReturn", site.store);
    let book = site.admin.get(&book).await.expect(200);
    let entry = &book["items"][0];
    assert_eq!(
        (&entry["number"], &entry["stage"], &entry["otherKind"], &entry["otherId"]),
        (&sent["returnNo"], &json!("open"), &json!("supplier"), &json!(bought.supplier))
    );

    // A return without the receipt does not appear on it.
    assert_eq!(bought.following(&receipt).await["total"], 0);
    let file = site.admin.get(&format!("{RETURNS}/export?format=csv")).await.text();
    assert!(file.contains("B-7") && file.contains("quality"), "{file}");
    assert!(file.lines().next().is_some_and(|titles| titles.contains("Sent at,Settlement")), "{file}");

    bought.step(&sent, "reverse", json!({})).await.expect(422);
    let back =
        bought.step(&sent, "reverse", json!({ "reason": "The driver left without it" })).await.expect(200);
    assert_eq!(back["status"], "reversed");
    assert_eq!(site.places(&site.buns).await, (0, 96, 0));
    bought.verified().await;
}

#[rstest]
#[tokio::test]
async fn a_claim_goes_back_once_and_moves_no_stock(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let receipt = bought.receipt().await;
    let claim = json!({ "receiptId": receipt["id"] });
    let draft = site.admin.post(RETURNS, &claim).await.expect(201);
    let line = &draft["lines"][0];
    assert_eq!(
        (&line["qty"], &line["refused"], &line["reason"], &line["lot"], &line["unitPrice"]),
        (&json!(2), &json!(true), &json!("damaged"), &json!("B-7"), &json!(240))
    );
    assert_eq!((&draft["storeId"], &draft["placeKind"]), (&json!(site.store), &json!("store")));
    assert_eq!(bought.following(&receipt).await["items"][0]["id"], draft["id"]);
    let again = site.admin.post(RETURNS, &claim).await.expect(201);
    assert_eq!(again["lines"], json!([]), "the first draft has all that was refused");
    let named = json!({ "revision": again["revision"], "lines": [{
        "productId": site.buns, "uomId": site.case, "qty": 1, "reason": "quality",
    }] });
    let again = site.admin.patch(&path(RETURNS, &again), &named).await.expect(200);
    assert_eq!(
        (&again["lines"][0]["receiptLineId"], &again["lines"][0]["lot"], &again["lines"][0]["refused"]),
        (&receipt["lines"][0]["id"], &json!("B-7"), &json!(false))
    );
    bought.step(&again, "cancel", json!({})).await.expect(200);

    // Some accepted goods are returned too.
    let kept = json!({ "receiptLineId": receipt["lines"][0]["id"], "qty": 5, "reason": "expired" });
    let lines = json!([{ "id": line["id"] }, kept]);
    let change = json!({ "revision": draft["revision"], "lines": lines });
    let draft = site.admin.patch(&path(RETURNS, &draft), &change).await.expect(200);
    assert_eq!((&draft["lines"][0]["qty"], &draft["lines"][1]["refused"]), (&json!(2), &json!(false)));
    // Two lines of an item are one entry of the history.
    let id = draft["id"].as_str().expect("an id");
    let history = site.admin.get(&format!("/api/history?kind=supplierReturn&id={id}")).await.expect(200);
    let changes = history["items"][0]["changes"].as_array().expect("changes");
    let buns = changes.iter().find(|change| change["after"].as_str().is_some_and(|to| to.contains("; ")));
    assert_eq!(buns.expect("the buns")["after"], "2 case, damaged, lot B-7; 5 case, expired, lot B-7");
    let number = receipt["receiptNo"].as_str().expect("a number");
    let refused = bought.step(&draft, "send", json!({})).await.expect(422);
    assert_eq!(
        said(&refused, "lines.1.qty"),
        format!("Only 4 case of what {number} took in can still be sent back.")
    );
    let lines = json!([{ "id": draft["lines"][0]["id"] }, { "id": draft["lines"][1]["id"], "qty": 1 }]);
    let change = json!({ "revision": draft["revision"], "lines": lines });
    let draft = site.admin.patch(&path(RETURNS, &draft), &change).await.expect(200);
    let sent = bought.step(&draft, "send", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (0, 72, 0));
    bought.verified().await;

    // The receipt cannot be reversed while a return of it was sent.
    let receipt = site.fresh(RECEIPTS, &receipt).await;
    let refused = site.step(RECEIPTS, &receipt, "reverse", json!({ "reason": "Twice" })).await.expect(409);
    assert_eq!(refused["code"], "inUse");
    let words = format!("{} goes back to this receipt", sent["returnNo"].as_str().unwrap_or_default());
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.starts_with(&words)), "{refused}");
    bought.step(&sent, "reverse", json!({ "reason": "They did not take it" })).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (0, 96, 0));
    let receipt = site.fresh(RECEIPTS, &receipt).await;
    site.step(RECEIPTS, &receipt, "reverse", json!({ "reason": "Twice" })).await.expect(200);
    assert_eq!(site.admin.post(RETURNS, &claim).await.expect(409)["code"], "wrongStep");
}

#[rstest]
#[tokio::test]
async fn only_what_the_receipt_brought_goes_back(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let receipt = bought.receipt().await;
    let of_receipt = |lines: Value| json!({ "receiptId": receipt["id"], "lines": lines });
    // Another unit, another item, refused goods that are none.
    let lines = json!([{ "productId": site.buns, "uomId": site.piece, "qty": 400, "reason": "damaged" }]);
    let refused = site.admin.post(RETURNS, &of_receipt(lines)).await.expect(422);
    let words = "The receipt has no such item in this unit. Send it back without a receipt.";
    assert_eq!(said(&refused, "lines.0.productId"), words);
    let lines = json!([{ "productId": site.buns, "qty": 1, "reason": "damaged", "refused": true }]);
    let refused = site.admin.post(RETURNS, &bought.of_store(lines)).await.expect(422);
    let words = "Only goods of a receipt can have been refused. Choose their receipt.";
    assert_eq!(said(&refused, "lines.0.refused"), words);
    let named = json!([{ "productId": site.buns, "qty": 1, "reason": "damaged", "refused": true }]);
    let draft = site.admin.post(RETURNS, &of_receipt(named)).await.expect(201);
    let line = &draft["lines"][0];
    assert_eq!(
        (&line["refused"], &line["receiptLineId"], &line["uomId"]),
        (&json!(true), &receipt["lines"][0]["id"], &json!(site.case))
    );
    // A line sent twice, another receipt, another day.
    let change = |more: Value| {
        let mut body = json!({ "revision": draft["revision"] });
        body.as_object_mut().expect("a body").extend(more.as_object().expect("members").clone());
        body
    };
    let twice = change(json!({ "lines": [{ "id": line["id"], "qty": 1 }, { "id": line["id"], "qty": 2 }] }));
    let refused = site.admin.patch(&path(RETURNS, &draft), &twice).await.expect(422);
    assert_eq!(said(&refused, "lines.1.id"), "This line was sent twice. Reload to continue.");
    let other = bought.receipt().await;
    let moved = change(json!({ "receiptId": other["id"] }));
    let refused = site.admin.patch(&path(RETURNS, &draft), &moved).await.expect(422);
    assert_eq!(said(&refused, "receiptId"), "A return keeps its receipt. Start another one for these goods.");
    let earlier = change(json!({ "returnDate": "2026-11-20" }));
    let refused = site.admin.patch(&path(RETURNS, &draft), &earlier).await.expect(422);
    assert!(said(&refused, "returnDate").starts_with("These goods came on "), "{refused}");
    bought.step(&draft, "send", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (0, 192, 0));
}

#[rstest]
#[tokio::test]
async fn a_return_keeps_the_unit_of_its_receipt(#[from(one_engine)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let receipt = bought.receipt().await;
    // A case is smaller now, and the product is not ordered any more.
    let buns = site.admin.get(&format!("/api/products/{}", site.buns)).await.expect(200);
    let change = json!({
        "revision": buns["revision"], "inactive": true,
        "conversions": [{ "fromUomId": site.case, "toUomId": site.piece, "factor": 5 }],
    });
    site.admin.patch(&format!("/api/products/{}", site.buns), &change).await.expect(200);
    let line = json!({ "receiptLineId": receipt["lines"][0]["id"], "qty": 3, "reason": "quality" });
    let body = json!({ "receiptId": receipt["id"], "lines": [line] });
    let draft = site.admin.post(RETURNS, &body).await.expect(201);
    let line = json!({ "id": draft["lines"][0]["id"], "qty": 4 });
    let change = json!({ "revision": draft["revision"], "lines": [line] });
    let draft = site.admin.patch(&path(RETURNS, &draft), &change).await.expect(200);
    let sent = bought.step(&draft, "send", json!({})).await.expect(200);
    assert_eq!(sent["lines"][0]["moved"], 96);
    assert_eq!(site.places(&site.buns).await, (0, 0, 0));
    bought.verified().await;
}

#[rstest]
#[tokio::test]
async fn parts_of_a_unit_add_up(#[from(one_engine)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let third =
        made(&site.admin, "/api/lists/uoms", json!({ "name": "Third", "code": "third", "wholeOnly": false }))
            .await;
    let flour = json!({
        "name": "Flour", "sku": "FLR", "baseUom": site.piece, "otherUoms": [{ "uomId": third, "whole": false }],
        "conversions": [{ "fromUomId": third, "toUomId": site.piece, "factor": 0.333_333 }],
    });
    let flour = made(&site.admin, "/api/products", flour).await;
    let line = json!({ "productId": flour, "uomId": third, "expected": 1, "received": 1, "lot": "F-1" });
    let body = json!({
        "storeId": site.store, "sourceType": "supplier", "sourceId": bought.supplier, "lines": [line],
    });
    let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
    let receipt = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let half = json!({ "receiptId": receipt["id"], "lines": [
        { "receiptLineId": receipt["lines"][0]["id"], "qty": 0.5, "reason": "quality" },
    ] });
    let mut sent = Vec::new();
    for _ in 0..2 {
        let draft = site.admin.post(RETURNS, &half).await.expect(201);
        sent.push(bought.step(&draft, "send", json!({})).await.expect(200));
    }
    assert_eq!(sent[0]["lines"][0]["moved"], 0.166_667);
    assert_eq!(sent[1]["lines"][0]["moved"], 0.166_666);
    // The first is reversed and sent again: it takes what the second left.
    bought.step(&sent[0], "reverse", json!({ "reason": "Not fetched" })).await.expect(200);
    let draft = site.admin.post(RETURNS, &half).await.expect(201);
    let again = bought.step(&draft, "send", json!({})).await.expect(200);
    assert_eq!(again["lines"][0]["moved"], 0.166_667);
    bought.verified().await;
}

#[rstest]
#[tokio::test]
async fn goods_are_claimed_or_written_off(#[from(one_engine)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let line = json!({
        "productId": site.buns, "uomId": site.case, "expected": 6, "received": 6, "rejected": 2,
        "reason": "damaged",
    });
    let body = json!({
        "storeId": site.store, "sourceType": "supplier", "sourceId": bought.supplier, "lines": [line],
    });
    let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
    let receipt = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let claim = site.admin.post(RETURNS, &json!({ "receiptId": receipt["id"] })).await.expect(201);
    let sent = bought.step(&claim, "send", json!({})).await.expect(200);
    let off = json!({ "lines": [{ "id": receipt["lines"][0]["id"], "resolution": "writeOff" }] });
    let receipt = site.fresh(RECEIPTS, &receipt).await;
    let refused = site.step(RECEIPTS, &receipt, "resolve", off.clone()).await.expect(422);
    let number = sent["returnNo"].as_str().expect("a number");
    assert_eq!(
        said(&refused, "lines.0.resolution"),
        format!("{number} sends these goods back to the supplier; reverse it first.")
    );
    bought.step(&sent, "reverse", json!({ "reason": "Not fetched" })).await.expect(200);
    let receipt = site.fresh(RECEIPTS, &receipt).await;
    site.step(RECEIPTS, &receipt, "resolve", off).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn a_kitchen_with_returns_stays(#[from(one_engine)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let other = made(&site.admin, "/api/lists/commissaries", json!({ "name": "Cavite kitchen" })).await;
    let body = json!({ "placeKind": "commissary", "placeId": other, "supplierId": bought.supplier });
    site.admin.post(RETURNS, &body).await.expect(201);
    let refused = site.admin.delete(&format!("/api/lists/commissaries/{other}")).await.expect(409);
    assert_eq!(refused["code"], "inUse");
}

#[rstest]
#[tokio::test]
async fn only_refused_goods_post_nothing(#[from(one_engine)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let receipt = bought.receipt().await;
    let draft = site.admin.post(RETURNS, &json!({ "receiptId": receipt["id"] })).await.expect(201);
    let sent = bought.step(&draft, "send", json!({})).await.expect(200);
    assert_eq!((&sent["status"], &sent["postings"]), (&json!("sent"), &json!(0)));
    assert_eq!(site.places(&site.buns).await, (0, 96, 0));
    let back = bought.step(&sent, "reverse", json!({ "reason": "Not fetched" })).await.expect(200);
    assert_eq!(back["status"], "reversed");
    // What was reversed can be claimed again.
    site.admin.post(RETURNS, &json!({ "receiptId": receipt["id"] })).await.expect(201);
}

#[rstest]
#[tokio::test]
async fn the_supplier_settles_it(#[from(one_engine)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    site.stock(&site.buns, 48).await;
    let line = json!({ "productId": site.buns, "qty": 1, "reason": "wrongItem", "unitPrice": 199.5 });
    let draft = site.admin.post(RETURNS, &bought.of_kitchen(json!([line]))).await.expect(201);
    assert_eq!((&draft["storeId"], &draft["amount"]), (&Value::Null, &json!(199.5)));
    let early = json!({ "revision": draft["revision"], "settlement": "credited" });
    let refused = site.admin.patch(&path(RETURNS, &draft), &early).await.expect(422);
    assert_eq!(said(&refused, "settlement"), "Send it first, then say how the supplier settled it.");
    let sent = bought.step(&draft, "send", json!({})).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (24, 0, 0));

    let late = json!({ "revision": sent["revision"], "notes": "Late" });
    assert_eq!(site.admin.patch(&path(RETURNS, &sent), &late).await.expect(409)["code"], "wrongStep");
    let refused = bought.step(&sent, "settle", json!({})).await.expect(422);
    assert_eq!(said(&refused, "settlement"), "Say how the supplier settled it.");
    let change = |document: &Value, more: Value| {
        let mut body = json!({ "revision": document["revision"] });
        body.as_object_mut().expect("a body").extend(more.as_object().expect("members").clone());
        body
    };
    let wrong = change(
        &sent,
        json!({ "settlement": "thanked", "creditedAmount": -1, "creditMemoNo": "x".repeat(61) }),
    );
    let refused = site.admin.patch(&path(RETURNS, &sent), &wrong).await.expect(422);
    assert_eq!(said(&refused, "settlement"), "Choose how the supplier settled it.");
    assert_eq!(said(&refused, "creditedAmount"), "Enter zero or more.");
    assert_eq!(said(&refused, "creditMemoNo"), "Use at most 60 characters, all of them visible.");
    let credited = change(&sent, json!({ "settlement": "credited", "creditedAmount": 150.25 }));
    let sent = site.admin.patch(&path(RETURNS, &sent), &credited).await.expect(200);
    let refused = bought.step(&sent, "settle", json!({})).await.expect(422);
    assert_eq!(said(&refused, "creditMemoNo"), "Enter the number of the credit memo.");
    let memo = change(&sent, json!({ "creditMemoNo": "CM-88", "settlementNote": "Less handling" }));
    let sent = site.admin.patch(&path(RETURNS, &sent), &memo).await.expect(200);
    let settled = bought.step(&sent, "settle", json!({})).await.expect(200);
    assert_eq!(
        (&settled["status"], &settled["creditedAmount"], &settled["creditMemoNo"], &settled["can"]),
        (&json!("settled"), &json!(150.25), &json!("CM-88"), &json!([]))
    );
    let refused = bought.step(&settled, "reverse", json!({ "reason": "No" })).await.expect(409);
    assert_eq!(refused["detail"], "The supplier settled this return; it can no longer be reversed.");

    let line = json!({ "productId": site.buns, "qty": 1, "reason": "damaged", "unitPrice": 100 });
    let other = site.admin.post(RETURNS, &bought.of_kitchen(json!([line]))).await.expect(201);
    let other = bought.step(&other, "send", json!({})).await.expect(200);
    let much =
        change(&other, json!({ "settlement": "credited", "creditedAmount": 5_000, "creditMemoNo": "CM-9" }));
    let other = site.admin.patch(&path(RETURNS, &other), &much).await.expect(200);
    let refused = bought.step(&other, "settle", json!({})).await.expect(422);
    assert_eq!(
        said(&refused, "creditedAmount"),
        "This is more than 10 times what the goods are worth. Check the amount."
    );
    let replaced = change(&other, json!({ "settlement": "replaced" }));
    let other = site.admin.patch(&path(RETURNS, &other), &replaced).await.expect(200);
    assert_eq!((&other["creditedAmount"], &other["creditMemoNo"]), (&Value::Null, &Value::Null));
    assert_eq!(bought.step(&other, "settle", json!({})).await.expect(200)["status"], "settled");
}

#[rstest]
#[tokio::test]
async fn a_draft_needs_a_place_a_supplier_and_reasons(#[from(one_engine)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let post = async |body: Value| site.admin.post(RETURNS, &body).await.expect(422);
    assert_eq!(said(&post(json!({})).await, "placeId"), "Choose where the goods are.");
    let transit = json!({ "placeKind": "inTransit", "placeId": "x" });
    assert_eq!(said(&post(transit).await, "placeKind"), "Choose a store or a kitchen.");
    let alone = json!({ "placeKind": "commissary", "placeId": site.kitchen });
    assert_eq!(said(&post(alone).await, "supplierId"), "Choose the supplier.");
    let nowhere = json!({ "placeKind": "commissary", "placeId": "none", "supplierId": bought.supplier });
    assert_eq!(said(&post(nowhere).await, "placeId"), "Choose where the goods are.");
    assert_eq!(
        said(&post(json!({ "receiptId": "none" })).await, "receiptId"),
        "This receipt does not exist."
    );
    let lines = json!([
        { "productId": site.buns, "uomId": site.case, "qty": 0.5 },
        { "productId": site.buns, "qty": 1, "reason": "other", "unitPrice": "much" },
        { "receiptLineId": "none", "productId": site.buns, "qty": 1, "reason": "damaged" },
    ]);
    let refused = post(bought.of_kitchen(lines)).await;
    assert_eq!(said(&refused, "lines.0.reason"), "Choose why it goes back.");
    assert_eq!(said(&refused, "lines.0.qty"), "Enter a whole number: case is not split.");
    assert_eq!(said(&refused, "lines.1.note"), "Say what is wrong with it.");
    assert!(!said(&refused, "lines.1.unitPrice").is_empty());
    assert_eq!(said(&refused, "lines.2.receiptLineId"), "The receipt has no such line. Reload to continue.");
    // A draft without lines is saved, and not sent.
    let empty = site.admin.post(RETURNS, &bought.of_kitchen(json!([]))).await.expect(201);
    let refused = bought.step(&empty, "send", json!({})).await.expect(422);
    assert_eq!(said(&refused, "lines"), "Add at least one item.");
    let cancelled = bought.step(&empty, "cancel", json!({})).await.expect(200);
    assert_eq!(cancelled["status"], "cancelled");
}

#[rstest]
#[tokio::test]
async fn a_kitchen_sends_no_more_than_it_has(#[from(one_engine)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    site.stock(&site.buns, 30).await;
    let line = json!({ "productId": site.buns, "uomId": site.case, "qty": 2, "reason": "expired" });
    let draft = site.admin.post(RETURNS, &bought.of_kitchen(json!([line]))).await.expect(201);
    let refused = bought.step(&draft, "send", json!({})).await.expect(409);
    assert_eq!(said(&refused, "lines.0.qty"), "Only 1.25 case on hand.");
    bought.step(&draft, "send", json!({ "override": true })).await.expect(422);
    let reason = json!({ "override": true, "reason": "Found behind the freezer" });
    bought.step(&draft, "send", reason).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (-18, 0, 0));
    bought.verified().await;
}

#[rstest]
#[tokio::test]
async fn returns_of_other_stores_and_of_kitchens_are_out_of_reach(#[from(one_engine)] on: Engine) {
    let bought = Bought::start(on).await;
    let site = &bought.site;
    let makati = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    let receipt = bought.receipt().await;
    let line = json!([bought.line(1, "B-7")]);
    let theirs = site.admin.post(RETURNS, &bought.of_store(line.clone())).await.expect(201);
    let kitchens = site.admin.post(RETURNS, &bought.of_kitchen(line.clone())).await.expect(201);
    let rights: &[(&str, &[Action])] =
        &[("stores/storeReceive", &[Action::View, Action::Create, Action::Edit, Action::Post])];
    let clerk = site.app.user(rights, Some(std::slice::from_ref(&makati))).await;
    assert_eq!(clerk.get(RETURNS).await.expect(200)["total"], 0);
    assert_eq!(clerk.get("/api/search?q=SR-2026").await.expect(200)["items"], json!([]));
    for document in [&theirs, &kitchens] {
        clerk.get(&path(RETURNS, document)).await.expect(403);
        step_as(&clerk, RETURNS, document, "send", json!({})).await.expect(403);
    }
    clerk.post(RETURNS, &bought.of_store(line.clone())).await.expect(403);
    clerk.post(RETURNS, &bought.of_kitchen(line)).await.expect(403);
    clerk.post(RETURNS, &json!({ "receiptId": receipt["id"] })).await.expect(403);
    let viewer = site.app.user(&[("stores/storeReceive", &[Action::View])], None).await;
    step_as(&viewer, RETURNS, &theirs, "send", json!({})).await.expect(403);
    assert_eq!(viewer.get(&path(RETURNS, &kitchens)).await.expect(200)["can"], json!([]));
}
