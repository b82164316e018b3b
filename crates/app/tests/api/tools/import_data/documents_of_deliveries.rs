//! Import of store orders, deliveries and receipts in their final state.

use std::path::Path;

use larder_legacy as import_documents;
use larder_legacy::{Options, Report};
use rstest::rstest;
use serde_json::{Value, json};

use super::documents::{import, tally, write};
use crate::support::{App, Client, Engine, actor};

const ORDERS: &str = "/api/stores/orders";
const DELIVERIES: &str = "/api/commissary/deliveries";
const RECEIPTS: &str = "/api/stores/receive";

/// Referenced records: two stores, a commissary, a supplier, a product by the piece and in cases of 24.
fn site(folder: &Path) {
    write(
        folder,
        "uoms",
        &["pc", "case", "kg"].map(|id| json!({ "id": id, "name": id, "code": id.to_uppercase() })),
    );
    write(folder, "commissaries", &[json!({ "id": "k1", "name": "Kitchen" })]);
    write(folder, "suppliers", &[json!({ "id": "v1", "name": "Veggies" })]);
    write(
        folder,
        "locations",
        &["s1", "s2"].map(|id| json!({ "id": id, "name": format!("Store {id}"), "code": id })),
    );
    let buns = json!({ "id": "bun", "name": "Buns", "sku": "B-1", "baseUom": "pc", "quantity": 500,
        "otherUoms": [{ "uomId": "case", "whole": true }],
        "conversions": [{ "fromUomId": "case", "toUomId": "pc", "factor": 24 }] });
    let kale = json!({ "id": "kale", "name": "Kale", "baseUom": "kg", "quantity": 40 });
    write(folder, "products", &[buns, kale]);
}

fn ana() -> Value {
    json!({ "uid": "old-1", "name": "Ana Reyes", "email": "ana@former.example" })
}

/// An order of ten cases and five kilos, with overrides.
fn order(change: &Value) -> Value {
    let mut order = json!({ "id": "o1", "orderNo": "SO-2025-000041", "storeId": "s1", "sourceType": "commissary",
        "sourceId": "k1", "orderDate": "2025-03-01", "neededDate": "2025-03-04", "status": "Received",
        "submittedAt": "2025-03-01T02:00:00Z", "submittedBy": ana(), "approvedAt": "2025-03-02T02:00:00Z",
        "createdAt": "2025-03-01T01:00:00Z", "updatedAt": "2025-03-05T01:00:00Z", "updatedBy": ana(), "channel": "viber",
        "lines": [
            { "id": "1", "productId": "bun", "uomId": "case", "factorToBase": 24, "qtyOrdered": 10, "qtyApproved": 10,
              "qtyDispatched": 10, "qtyReceived": 8, "unitPrice": 120.5 },
            { "productId": "kale", "qty": 5, "shelf": "B" },
        ] });
    change.as_object().into_iter().flatten().for_each(|(name, value)| order[name] = value.clone());
    order
}

fn delivery(change: &Value) -> Value {
    let mut delivery = json!({ "id": "d1", "deliveryNo": "DL-2025-000007", "commissaryId": "k1", "storeId": "s1",
        "orderIds": ["o1", "gone"], "status": "received", "plannedDate": "2025-03-04", "driver": "Ben",
        "dispatchedAt": "2025-03-04T00:00:00Z", "createdAt": "2025-03-03T00:00:00Z", "updatedAt": "2025-03-04T09:00:00Z",
        "lines": [
            { "id": "a", "orderLineId": "1", "productId": "bun", "uomId": "case", "factor": 24, "picked": 10, "dispatched": 10,
              "lot": "L1", "expiry": "2025-03-20" },
            { "id": "b", "productId": "kale", "uomId": "kg", "dispatched": 5 },
        ] });
    change.as_object().into_iter().flatten().for_each(|(name, value)| delivery[name] = value.clone());
    delivery
}

fn receipt(change: &Value) -> Value {
    let mut receipt = json!({ "id": "r1", "receiptNo": "GR-2025-000009", "storeId": "s1", "sourceType": "delivery",
        "sourceId": "d1", "status": "posted", "receivedAt": "2025-03-04T08:00:00Z", "businessDate": "2025-03-04",
        "tempC": -18.5, "postedAt": "2025-03-04T08:10:00Z", "postedBy": ana(),
        "lines": [
            { "sourceLineId": "a", "productId": "bun", "uomId": "case", "expected": 10, "received": 9, "rejected": 1,
              "reason": "Damaged", "resolution": "return" },
            { "productId": "kale", "uomId": "kg", "expected": 5, "received": 6, "reason": "over" },
        ] });
    change.as_object().into_iter().flatten().for_each(|(name, value)| receipt[name] = value.clone());
    receipt
}

fn notes<'r>(report: &'r Report, id: &str) -> Vec<&'r str> {
    report.notes.iter().filter(|note| note.id == id).map(|note| note.reason.as_str()).collect()
}

/// Movements, balances, documents, numbers, lines, staged documents and history rows.
async fn everything(app: &App) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in [
        "stock_movements",
        "documents",
        "order_lines",
        "shipment_lines",
        "receipt_lines",
        "imported_documents",
        "audit",
    ] {
        let query = app.db.sql("select cast(count(*) as bigint) from ").push(table);
        counts.push(query.scalar::<i64>().await.expect("a count"));
    }
    counts
}

async fn one(admin: &Client, base: &str, id: &str) -> Value {
    admin.get(&format!("{base}/{id}")).await.expect(200)
}

#[rstest]
#[tokio::test]
async fn orders_deliveries_and_receipts_are_imported_in_their_final_state(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let folder = tempfile::tempdir().expect("a folder");
    site(folder.path());
    write(folder.path(), "storeOrders", &[order(&json!({}))]);
    write(folder.path(), "commissaryDeliveries", &[delivery(&json!({}))]);
    write(folder.path(), "storeReceipts", &[receipt(&json!({}))]);
    let report = import(&app, folder.path(), Options::default()).await;
    assert_eq!(report.broken, []);
    for collection in ["storeOrders", "commissaryDeliveries", "storeReceipts"] {
        let tally = tally(&report, collection);
        assert_eq!((tally.documents, tally.created, tally.kept_for_later), (1, 1, 0), "{report:#?}");
    }
    let fields: Vec<&str> =
        notes(&report, "o1").into_iter().filter(|words| words.contains("has the field")).collect();
    assert!(fields[0].contains("«channel»") && fields[1].contains("«lines.shelf»"), "{fields:?}");

    let came = one(&admin, ORDERS, "o1").await;
    assert_eq!(
        (&came["orderNo"], &came["status"], &came["neededDate"]),
        (&json!("SO-2025-000041"), &json!("closed"), &json!("2025-03-04"))
    );
    assert_eq!(
        (&came["createdAt"], &came["updatedBy"]["name"]),
        (&json!("2025-03-01T01:00:00.000Z"), &json!("Ana Reyes"))
    );
    assert_eq!(
        (&came["steps"][0]["step"], &came["steps"][0]["by"]["name"]),
        (&json!("submit"), &json!("Ana Reyes"))
    );
    assert_eq!(came["can"], json!([]), "nothing is pending");
    let buns = &came["lines"][0];
    assert_eq!(
        (
            &buns["qtyOrdered"],
            &buns["qtyReceived"],
            &buns["qtyShortClosed"],
            &buns["factor"],
            &buns["unitPrice"]
        ),
        (&json!(10), &json!(8), &json!(0), &json!(24), &json!(120.5))
    );
    assert_eq!(came["lines"][1]["qtyReceived"], 5, "a received order has no open kale");

    let sent = one(&admin, DELIVERIES, "d1").await;
    assert_eq!(
        (&sent["status"], &sent["orderIds"], &sent["linesInTransit"]),
        (&json!("reconciled"), &json!(["o1"]), &json!(0))
    );
    assert!(notes(&report, "d1")[0].contains("no order «gone»"), "{:?}", report.notes);
    let line = &sent["lines"][0];
    assert_eq!(
        (&line["dispatched"], &line["accepted"], &line["returned"], &line["overage"], &line["lot"]),
        (&json!(10), &json!(8), &json!(2), &json!(0), &json!("L1")),
        "its receipt has the outcome"
    );
    assert_eq!(line["orderLineId"], buns["id"]);
    let line = &sent["lines"][1];
    assert_eq!((&line["accepted"], &line["overage"]), (&json!(6), &json!(1)));

    let taken = one(&admin, RECEIPTS, "r1").await;
    assert_eq!(
        (&taken["status"], &taken["tempC"], &taken["pendingLines"]),
        (&json!("reconciled"), &json!(-18.5), &json!(0))
    );
    assert_eq!(
        (&taken["lines"][0]["accepted"], &taken["lines"][0]["reason"]),
        (&json!(8), &json!("damaged"))
    );
    assert_eq!(taken["lines"][0]["sourceLineId"], sent["lines"][0]["id"]);

    // The ledger only has the opening stock, and adds up.
    let moved: i64 = app
        .db
        .sql("select cast(count(*) as bigint) from stock_movements where document_type <> 'adjustment'")
        .scalar()
        .await
        .expect("a count");
    assert_eq!(moved, 0);
    assert_eq!(admin.get("/api/products/bun").await.expect(200)["quantity"], 500);

    let before = everything(&app).await;
    let again = import(&app, folder.path(), Options::default()).await;
    for collection in ["storeOrders", "commissaryDeliveries", "storeReceipts"] {
        let tally = tally(&again, collection);
        assert_eq!((tally.unchanged, tally.created, tally.updated), (1, 0, 0), "{collection}");
    }
    assert_eq!(everything(&app).await, before, "a second run changes nothing");
}

#[rstest]
#[tokio::test]
async fn numbering_continues_after_imported_numbers(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let folder = tempfile::tempdir().expect("a folder");
    site(folder.path());
    let today = larder_domain::BusinessDay::of(app.state.now());
    let year = today.date().year();
    let number = |n: i64| format!("SO-{year}-{n:06}");
    let numbered = |id: &str, n: i64| order(&json!({ "id": id, "orderNo": number(n) }));
    write(
        folder.path(),
        "storeOrders",
        &[
            numbered("o1", 41),
            numbered("o2", 7),
            // Its number is taken, and the last one has none.
            numbered("o3", 41),
            order(&json!({ "id": "o4", "orderNo": null })),
        ],
    );
    let report = import(&app, folder.path(), Options::default()).await;
    let tally = tally(&report, "storeOrders");
    assert_eq!((tally.created, tally.kept_for_later), (3, 1), "{report:#?}");
    assert!(notes(&report, "o3")[0].starts_with(&format!("The number {} belongs to another", number(41))));
    assert_eq!(one(&admin, ORDERS, "o4").await["orderNo"], "o4");
    let draft = json!({ "storeId": "s1", "sourceType": "commissary", "sourceId": "k1", "neededDate": today.plus(3),
        "lines": [{ "productId": "kale", "uomId": "kg", "qty": 1 }] });
    assert_eq!(admin.post(ORDERS, &draft).await.expect(201)["orderNo"], number(42));
}

#[rstest]
#[tokio::test]
async fn open_documents_are_closed_and_invalid_ones_staged(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let folder = tempfile::tempdir().expect("a folder");
    site(folder.path());
    let as_order = |id: &str, change: Value| {
        let mut order = order(&change);
        order["id"] = json!(id);
        order["orderNo"] = json!(format!("N-{id}"));
        order
    };
    write(
        folder.path(),
        "storeOrders",
        &[
            as_order("asked", json!({ "status": "submitted" })),
            as_order(
                "granted",
                json!({ "status": "approved", "lines": [{ "productId": "bun", "uomId": "CASE", "qtyOrdered": 4,
                "qtyApproved": 3, "qtyDispatched": 1 }] }),
            ),
            as_order("odd", json!({ "status": "frozen over" })),
            as_order("far", json!({ "storeId": "nowhere" })),
            as_order("empty", json!({ "lines": [] })),
            as_order("strange", json!({ "lines": [{ "productId": "moon", "qtyOrdered": 1 }] })),
            as_order("below", json!({ "lines": [{ "productId": "bun", "qtyOrdered": -1 }] })),
        ],
    );
    // The same order again, as the commissary saw it.
    write(folder.path(), "commissaryOrders", &[as_order("asked", json!({}))]);
    let on_its_way = json!({ "id": "d2", "deliveryNo": "D-2", "status": "dispatched" });
    let packed = json!({ "id": "d3", "deliveryNo": "D-3", "status": "packed", "orderIds": [] });
    write(folder.path(), "deliveries", &[delivery(&on_its_way), delivery(&packed)]);
    let supplied = json!({ "id": "r2", "receiptNo": "R-2", "sourceType": "supplier", "sourceId": "Veggies",
        "lines": [{ "productId": "kale", "received": 12.3 }] });
    let early = json!({ "id": "r3", "receiptNo": "R-3", "sourceId": "d2" });
    write(folder.path(), "receipts", &[receipt(&supplied), receipt(&early)]);
    let report = import(&app, folder.path(), Options::default()).await;
    assert_eq!(report.broken, []);
    let orders = tally(&report, "storeOrders");
    assert_eq!((orders.created, orders.kept_for_later), (2, 5), "{report:#?}");
    for (id, words) in [
        ("odd", "No order has the status «frozen over». It is kept as it came."),
        ("far", "no record «nowhere»"),
        ("empty", "no lines"),
        ("strange", "Line 1: There is no record «moon»"),
        ("below", "Line 1: qtyOrdered is below zero"),
        ("d2", "10 CASE of it is still on its way"),
        ("r3", "There is no delivery «d2»"),
    ] {
        assert!(notes(&report, id).iter().any(|note| note.contains(words)), "{id}: {:#?}", report.notes);
    }
    assert!(notes(&report, "asked").iter().any(|note| note.contains("«submitted» and is cancelled here")));
    assert_eq!(tally(&report, "commissaryOrders").created, 0, "one order stays one");
    let asked = one(&admin, ORDERS, "asked").await;
    let last = asked["steps"].as_array().and_then(|steps| steps.last()).expect("a step");
    assert_eq!((&asked["status"], &last["step"]), (&json!("cancelled"), &json!("cancel")));
    assert!(last["reason"].as_str().is_some_and(|reason| reason.contains("«submitted»")), "{last}");
    let granted = one(&admin, ORDERS, "granted").await;
    assert_eq!((&granted["status"], &granted["lines"][0]["qtyShortClosed"]), (&json!("closed"), &json!(2)));
    assert_eq!(one(&admin, DELIVERIES, "d3").await["status"], "cancelled");
    assert_eq!(one(&admin, RECEIPTS, "r2").await["lines"][0]["accepted"], 12.3);
    admin.get(&format!("{DELIVERIES}/d2")).await.expect(404);

    // None of them is lost, and a second import changes nothing.
    let before = everything(&app).await;
    assert_eq!(before[5], 7 + 1 + 2 + 2, "all are staged unchanged");
    let again = import(&app, folder.path(), Options::default()).await;
    assert_eq!(everything(&app).await, before);
    assert_eq!((tally(&again, "storeOrders").unchanged, tally(&again, "storeOrders").kept_for_later), (7, 0));

    // Once finished there, they are imported; an imported one is replaced by a newer version unless changed
    // here.
    let finished = json!({ "id": "d2", "deliveryNo": "D-2", "updatedAt": "2025-03-06T00:00:00Z" });
    write(folder.path(), "deliveries", &[delivery(&finished)]);
    let done = json!({ "status": "closed", "updatedAt": "2025-03-09T00:00:00Z" });
    write(folder.path(), "storeOrders", &[as_order("asked", done)]);
    let report = import(&app, folder.path(), Options::default()).await;
    assert_eq!(
        (tally(&report, "deliveries").created, tally(&report, "receipts").created),
        (1, 1),
        "{report:#?}"
    );
    assert_eq!(tally(&report, "storeOrders").updated, 1);
    assert_eq!(one(&admin, ORDERS, "asked").await["status"], "closed");
    let older = json!({ "status": "cancelled", "updatedAt": "2025-03-08T00:00:00Z" });
    write(folder.path(), "storeOrders", &[as_order("asked", older)]);
    assert_eq!(tally(&import(&app, folder.path(), Options::default()).await, "storeOrders").left_alone, 1);
    assert_eq!(one(&admin, ORDERS, "asked").await["status"], "closed");
}

/// Installations from before these tables existed import them from staging.
#[rstest]
#[tokio::test]
async fn documents_staged_by_earlier_versions_are_imported(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let folder = tempfile::tempdir().expect("a folder");
    site(folder.path());
    import(&app, folder.path(), Options::default()).await;
    let by = actor(app.state.now());
    let kept = [
        ("storeReceipts", "r1".to_owned(), larder_db::Json(receipt(&json!({}))), by.at),
        ("commissaryDeliveries", "d1".to_owned(), larder_db::Json(delivery(&json!({}))), by.at),
        ("storeOrders", "o1".to_owned(), larder_db::Json(order(&json!({}))), by.at),
    ];
    let columns = ["collection", "id", "document", "imported_at"];
    let rows = &kept;
    let written =
        app.db.write(&by, async |tx| tx.insert_rows("imported_documents", &columns, rows, "").await);
    written.await.expect("kept");
    let over = async || {
        import_documents::take_over(&app.state, &by, Options::default(), |_| ()).await.expect("it runs")
    };
    let report = over().await;
    let created: Vec<u64> = report.collections.iter().map(|tally| tally.created).collect();
    assert_eq!(created, [1, 1, 1], "{report:#?}");
    let before = everything(&app).await;
    let again = over().await;
    let unchanged: Vec<u64> = again.collections.iter().map(|tally| tally.unchanged).collect();
    assert_eq!(unchanged, [1, 1, 1], "{again:#?}");
    assert_eq!(everything(&app).await, before);
}
