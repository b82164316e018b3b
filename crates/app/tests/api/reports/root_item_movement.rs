//! Root item movement in stores, compared with manual counts, the inventory, and documents of two stores.

use larder_domain::{Action, BusinessDay};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use crate::documents::{RECEIPTS, Site, made, path};
use crate::stores::inventory::{Counted, Stage};
use crate::support::{Client, Engine, one_engine};

pub const PATH: &str = "/api/reports/root-item-movement-by-store";

pub fn range(from: i32, to: i32) -> String {
    format!("from={}&to={}", BusinessDay(from), BusinessDay(to))
}

/// A figure in thousandths.
fn figure(row: &Value, field: &str) -> Option<i64> {
    row[field].as_f64().map(|number| (number * 1_000.0).round() as i64)
}

fn rows(report: &Value) -> &[Value] {
    report["items"].as_array().expect("rows")
}

/// `opening + received + in − out − waste − actual use = closing`, and variance is theoretical less actual
/// use.
pub fn assert_adds_up(row: &Value) {
    let of = |field| figure(row, field);
    let some = |field| of(field).unwrap_or_else(|| panic!("{field} in {row}"));
    let (Some(opening), Some(closing), Some(actual)) = (of("opening"), of("closing"), of("actualUse")) else {
        assert_eq!((of("actualUse"), of("variance")), (None, None), "{row}");
        return;
    };
    let moved = some("received") + some("transfersIn") - some("transfersOut") - some("waste");
    assert_eq!(opening + moved - actual, closing, "{row}");
    assert_eq!(some("variance"), some("theoreticalUse") - actual, "{row}");
}

#[rstest]
#[tokio::test]
async fn figures_equal_a_manual_calculation(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut stage = Stage::build(on).await;
    let today = stage.today();
    for (day, qty) in [(today - 9, 30_000), (today - 5, 21_000), (today - 1, 11_000)] {
        stage.count(&stage.loose, Counted { day, closing: true, qty }).await;
    }
    for day in today - 9..today {
        stage.sell(day, 2_000).await;
    }
    stage.bring(today - 3, 4_000).await;
    // 30 at first, four received, eight days of two, 11 counted: 23 used instead of 16.
    let ask = format!("{PATH}?{}", range(today - 8, today - 1));
    let report = stage.admin.get(&ask).await.expect(200);
    let [row] = rows(&report) else { panic!("one row: {report}") };
    let reported = [
        "opening",
        "received",
        "transfersIn",
        "transfersOut",
        "waste",
        "theoreticalUse",
        "closing",
        "actualUse",
    ];
    let reported = reported.map(|field| row[field].as_i64());
    assert_eq!(reported, [30, 4, 0, 0, 0, 16, 11, 23].map(Some));
    assert_eq!(
        (&row["variance"], &row["varianceValue"], &row["name"]),
        (&json!(-7), &json!(-350), &json!("Rice"))
    );
    assert_eq!(
        (&report["value"]["loss"], &report["value"]["net"], &report["total"]),
        (&json!(-350), &json!(-350), &json!(1))
    );
    assert_eq!(
        (&report["units"][0]["theoreticalUse"], &report["units"][0]["received"]),
        (&json!(16), &json!(4))
    );
    assert_eq!(report["units"][0]["varianceValue"], -350);

    // By day: each day starts where the previous one ended, and they add up to the range.
    let by_day = stage.admin.get(&format!("{ask}&by=day")).await.expect(200);
    let days = rows(&by_day);
    assert_eq!(days.len(), 8);
    days.iter().for_each(assert_adds_up);
    for two in days.windows(2) {
        assert_eq!(two[0]["closing"], two[1]["opening"]);
    }
    let sum = |field: &str| days.iter().filter_map(|day| figure(day, field)).sum::<i64>();
    assert_eq!((sum("theoreticalUse"), sum("received"), sum("variance")), (16_000, 4_000, -7_000));
    assert_eq!((&days[3]["from"], &days[3]["variance"]), (&json!(BusinessDay(today - 5)), &json!(-1)));

    // The variance between two counts equals that of the inventory.
    let stretch = stage.admin.get(&format!("{PATH}?{}", range(today - 4, today - 1))).await.expect(200);
    let inventory = stage.rows("by=rootItems").await;
    let known = &inventory["items"][0];
    assert_eq!(
        (&rows(&stretch)[0]["variance"], &rows(&stretch)[0]["closing"]),
        (&known["variance"], &json!(11))
    );
    assert_eq!(known["variance"], -6);

    // Before the first count, stock is unknown, but movements are reported.
    let before = stage.admin.get(&format!("{PATH}?{}", range(today - 9, today - 6))).await.expect(200);
    let first = &rows(&before)[0];
    assert_eq!(
        (&first["opening"], &first["closing"], &first["variance"]),
        (&Value::Null, &json!(24), &Value::Null)
    );
    assert_eq!(first["theoreticalUse"], 8);
}

#[rstest]
#[tokio::test]
async fn every_figure_can_be_broken_down(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut stage = Stage::build(on).await;
    let today = stage.today();
    stage.count(&stage.sack, Counted { day: today - 4, closing: true, qty: 6_000 }).await;
    stage.count(&stage.sack, Counted { day: today - 1, closing: true, qty: 5_000 }).await;
    stage.sell(today - 2, 3_000).await;
    stage.bring(today - 2, 4_000).await;
    let ask = |from, to| {
        format!("{PATH}/parts?storeId={}&rootItemId={}&{}", stage.store, stage.rice, range(from, to))
    };
    let parts = stage.admin.get(&ask(today - 3, today - 1)).await.expect(200);
    assert_eq!(
        (&parts["name"], &parts["figures"]["opening"], &parts["figures"]["actualUse"]),
        (&json!("Rice"), &json!(30), &json!(9))
    );
    let opening = &parts["openingCounts"][0];
    assert_eq!(
        (&opening["qty"], &opening["rootQty"], &opening["by"]),
        (&json!(6), &json!(30), &json!("Ana"))
    );
    let days = parts["days"].as_array().expect("days");
    assert_eq!(days.len(), 2);
    days.iter().for_each(assert_adds_up);
    let document = &days[0]["documents"][0];
    assert_eq!(
        (&document["kind"], &document["way"], &document["qty"]),
        (&json!("receipt"), &json!("received"), &json!(4))
    );
    assert_eq!((&days[0]["sold"], &days[0]["posItems"]), (&json!(12), &json!(1)));
    assert_eq!((&days[1]["counts"][0]["rootQty"], &days[1]["variance"]), (&json!(25), &json!(-6)));

    stage
        .admin
        .get(&format!("{PATH}/parts?storeId={}&rootItemId=none&{}", stage.store, range(today, today)))
        .await
        .expect(404);
    let refused = stage.admin.get(&format!("{PATH}/parts?storeId={}", stage.store)).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "rootItemId");
    let long = stage.admin.get(&ask(today - 400, today)).await.expect(422);
    assert_eq!(long["fields"][0]["message"], "Choose a range of at most 366 days.");
    let other =
        stage.app.user(&[("reports/reports", &[Action::View])], Some(&["elsewhere".to_owned()])).await;
    assert_eq!(other.get(&ask(today, today)).await.expect(403)["code"], "outOfScope");
}

async fn row_of(client: &Client, store: &str, today: i32) -> Value {
    let report =
        client.get(&format!("{PATH}?storeIds={store}&{}", range(today - 6, today))).await.expect(200);
    rows(&report).first().cloned().unwrap_or_default()
}

#[rstest]
#[tokio::test]
async fn transfers_and_waste_are_distinguished(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let makati = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    let bun = made(&site.admin, "/api/lists/root-items", json!({ "name": "Bun", "price": 10 })).await;
    let conversions = json!([{ "rootItemId": bun, "factor": 1 }]);
    let product = site.admin.get(&format!("/api/products/{}", site.buns)).await.expect(200);
    let change = json!({ "revision": product["revision"], "rootItemConversions": conversions });
    site.admin.patch(&format!("/api/products/{}", site.buns), &change).await.expect(200);
    site.stock(&site.buns, 10 * 24).await;
    let sent = site.dispatched(&site.approved(5).await).await;
    let receipt = site.receipt(&sent).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    // Two of the five cases go to Makati, which returns one; half a case is wasted.
    let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": 2 }]);
    let body = json!({ "fromStoreId": site.store, "toStoreId": makati, "lines": lines });
    let transfer = site.admin.post("/api/stores/transfers", &body).await.expect(201);
    let sent = site.step("/api/stores/transfers", &transfer, "dispatch", json!({})).await.expect(200);
    let body = json!({ "storeId": makati, "sourceType": "transfer", "sourceId": sent["id"] });
    let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
    let change = json!({ "revision": receipt["revision"], "lines": [{
        "id": receipt["lines"][0]["id"], "received": 2, "rejected": 1, "reason": "damaged", "resolution": "return",
    }] });
    let receipt = site.admin.patch(&path(RECEIPTS, &receipt), &change).await.expect(200);
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    let lines = json!([{ "productId": site.buns, "uomId": site.piece, "qty": 12, "reason": "dropped" }]);
    let waste = site
        .admin
        .post("/api/stores/waste", &json!({ "storeId": site.store, "lines": lines }))
        .await
        .expect(201);
    site.step("/api/stores/waste", &waste, "submit", json!({})).await.expect(200);

    let today = BusinessDay::of(site.app.state.now()).0;
    let figures =
        |row: &Value| ["received", "transfersIn", "transfersOut", "waste"].map(|field| row[field].as_i64());
    let cubao = row_of(&site.admin, &site.store, today).await;
    assert_eq!(figures(&cubao), [120, 0, 24, 12].map(Some), "{cubao}");
    let there = row_of(&site.admin, &makati, today).await;
    assert_eq!(figures(&there), [0, 24, 0, 0].map(Some), "{there}");
    // Documents add up to their figures.
    let ask = format!("{PATH}/parts?storeId={}&rootItemId={bun}&{}", site.store, range(today, today));
    let parts = site.admin.get(&ask).await.expect(200);
    let documents = parts["days"][0]["documents"].as_array().expect("documents");
    for (way, figure) in [("received", 120), ("transferOut", 24), ("waste", 12)] {
        let of_way = documents.iter().filter(|one| one["way"] == way);
        assert_eq!(of_way.filter_map(|one| one["qty"].as_i64()).sum::<i64>(), figure, "{way} in {parts}");
    }
    assert!(documents.iter().all(|one| one["number"].is_string()), "{parts}");
    // Reversed movements no longer count.
    site.step(
        "/api/stores/waste",
        &site.fresh("/api/stores/waste", &waste).await,
        "reverse",
        json!({ "reason": "Wrong" }),
    )
    .await
    .expect(200);
    assert_eq!(row_of(&site.admin, &site.store, today).await["waste"], 0);
}

#[rstest]
#[tokio::test]
async fn rows_add_up_after_random_events(#[from(one_engine)] on: Engine) {
    let mut stage = Stage::build(on).await;
    let today = stage.today();
    let mut chance = StdRng::seed_from_u64(7);
    for day in today - 20..=today {
        if chance.random_bool(0.7) {
            stage.sell(day, chance.random_range(0..9_000)).await;
        }
        if chance.random_bool(0.3) {
            stage.bring(day, chance.random_range(1..20_000)).await;
        }
        // Loose rice and sacks are counted together, as stores do.
        if chance.random_bool(0.5) {
            for item in [&stage.loose, &stage.sack] {
                stage.count(item, Counted { day, closing: true, qty: chance.random_range(0..40_000) }).await;
            }
        }
    }
    for from in [today - 20, today - 13, today - 6] {
        let ask = format!("{PATH}?by=day&{}", range(from, today));
        let report = stage.admin.get(&ask).await.expect(200);
        rows(&report).iter().for_each(assert_adds_up);
        for row in rows(&report) {
            let day = row["to"].as_str().expect("a day");
            let inventory = stage.rows(&format!("by=rootItems&date={day}")).await;
            assert_eq!(row["closing"], inventory["items"][0]["onHand"], "{day}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn invalid_requests_are_refused(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    stage.count(&stage.loose, Counted { day: today - 2, closing: true, qty: 5_000 }).await;
    let refused = async |ask: String| {
        stage.admin.get(&format!("{PATH}?{ask}")).await.expect(422)["fields"][0]["message"].clone()
    };
    assert_eq!(refused(range(today - 2, today + 1)).await, "Choose a last day that is not after today.");
    assert_eq!(
        refused(format!("by=day&{}", range(today - 40, today))).await,
        "Choose a range of at most 31 days."
    );
    assert_eq!(refused(format!("limit=0&{}", range(today - 2, today))).await, "Ask for 1 to 5,000 rows.");
    let file = stage.admin.get(&format!("{PATH}/export?by=day&{}", range(today - 2, today))).await.text();
    assert!(
        file.contains("Store,Day,Root item,Unit,Opening,Received,") && file.contains("Makati,"),
        "{file}"
    );
    assert!(file.contains("\nTotal,"), "{file}");
    let file = stage.admin.get(&format!("{PATH}/export?format=xlsx&{}", range(today - 2, today))).await;
    assert!(file.bytes.starts_with(b"PK"));
    let user = stage.app.user(&[("reports/reports", &[Action::View])], Some(&["elsewhere".to_owned()])).await;
    let ask = format!("{PATH}?{}", range(today - 2, today));
    assert_eq!(user.get(&ask).await.expect(200)["total"], 0);
    assert_eq!(user.get(&format!("{ask}&storeIds={}", stage.store)).await.expect(403)["code"], "outOfScope");
    user.get(&ask.replace("store?", "store/export?")).await.expect(403);
}
