//! What is at a place is one figure, wherever it is shown or decides.

use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
use larder_domain::{BusinessDay, Qty, Timestamp};
use larder_ledgers::sales::{Prepared, replace_store_days};
use larder_ledgers::stock::lots::{self, Lot};
use larder_ledgers::stock::{self, Document, Posting};
use larder_platform::http::ApiError;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PLAN, Stage, close, figure, number, numbers};
use crate::dashboard::home::tile;
use crate::documents::{ORDERS, RECEIPTS, made, step_as};
use crate::support::{Engine, actor, one_engine};

/// Sales of today before the store opens its books: this many kilos at six in the morning.
async fn sold_at_six(stage: &Stage, kilos: i64) {
    let mut day = stage.store_day(&stage.store, stage.today(), kilos * 1_000);
    day.lines[0].seconds = 6 * 3_600;
    let days = &[Prepared::new(day)];
    stage
        .app
        .db
        .write(&actor(stage.app.state.now()), async |tx| replace_store_days(tx, days, None).await)
        .await
        .map_err(|error: ApiError| error.to_string())
        .expect("posted");
}

#[rstest]
#[tokio::test]
async fn a_stores_stock_is_the_same_figure_everywhere(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    let admin = &stage.admin;
    // A kilo is counted last night, a sack of five comes, and two kilos are sold.
    stage.sold(&stage.store, 1).await;
    let delivery = stage.send(1).await;
    let body = json!({ "storeId": stage.store, "sourceType": "delivery", "sourceId": delivery["id"] });
    let receipt = admin.post(RECEIPTS, &body).await.expect(201);
    step_as(admin, RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    sold_at_six(&stage, 2).await;
    let there = json!(4);

    let inventory = format!("/api/stores/inventory?storeId={}", stage.store);
    for by in ["items", "rootItems"] {
        let page = admin.get(&format!("{inventory}&by={by}")).await.expect(200);
        assert_eq!(page["items"][0]["onHand"], there, "{by}");
    }
    let ledger = format!("/api/stores/inventory/ledger?storeId={}&itemId={}", stage.store, stage.counted);
    let ledger = admin.get(&ledger).await.expect(200);
    assert_eq!(ledger["onHand"], there);
    let balance = |day: &Value| day["balance"].clone();
    assert_eq!(ledger["days"].as_array().and_then(|days| days.last()).map(balance), Some(there.clone()));

    let guide = admin.get(&format!("{ORDERS}/guide?storeId={}", stage.store)).await.expect(200);
    assert_eq!(guide["items"][0]["onHand"], there);

    let sheet = admin.get(&format!("/api/stores/count/warm-up?storeId={}", stage.store)).await.expect(200);
    let due =
        |one: &&Value| (&one["date"], &one["session"]) == (&sheet["countingDate"], &sheet["countingSession"]);
    let due = sheet["expectedOf"].as_array().and_then(|all| all.iter().find(due)).expect("the count due");
    assert_eq!(due["items"][&stage.counted], there);

    let product = admin.get(&format!("/api/products/{}/stock", stage.sacks)).await.expect(200);
    assert_eq!(
        (&product["stores"][0]["storeId"], &product["stores"][0]["qty"]),
        (&json!(stage.store), &there)
    );

    // More than that is asked about, for a transfer and for waste.
    let line = json!({ "productId": stage.sacks, "uomId": stage.sack, "qty": 1, "reason": "expired" });
    let transfer = json!({
        "fromStoreId": stage.store, "toStoreId": stage.other,
        "lines": [{ "productId": stage.sacks, "uomId": stage.sack, "qty": 1 }],
    });
    let waste = json!({ "storeId": stage.store, "lines": [line] });
    for (path, body, step) in
        [("/api/stores/transfers", transfer, "dispatch"), ("/api/stores/waste", waste, "submit")]
    {
        let document = admin.post(path, &body).await.expect(201);
        let refused = step_as(admin, path, &document, step, json!({})).await.expect(409);
        assert_eq!((&refused["code"], &refused["expected"]), (&json!("moreThanExpected"), &there), "{path}");
    }

    // The plan starts from it. At least five kilos are still sold today, so Home warns.
    stage.run(json!({ "storeIds": [stage.store] })).await;
    let line = stage.line().await;
    assert_eq!((&line["onHand"], &figure(&line["why"], "On hand")["value"]), (&there, &there));
    assert_eq!((&line["stockOutDate"], &line["atRisk"]), (&json!(stage.today()), &json!(true)));
    let home = admin.get("/api/dashboard/main").await.expect(200);
    assert_eq!(tile(&home, "stockAtRisk")["waiting"]["count"], 1, "{home}");
}

/// Sacks came an hour before last night's count, and nobody said if they were counted.
#[rstest]
#[tokio::test]
async fn a_figure_that_hangs_on_an_open_question_is_marked(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    let admin = &stage.admin;
    stage.sold(&stage.store, 10).await;
    let guide = async || {
        let guide = admin.get(&format!("{ORDERS}/guide?storeId={}", stage.store)).await.expect(200);
        guide["items"][0]["close"].clone()
    };
    let planned = async || {
        stage.run(json!({ "storeIds": [stage.store] })).await;
        let line = stage.line().await;
        let source = figure(&line["why"], "On hand")["source"].as_str().expect("words").to_owned();
        (line["close"].clone(), source.contains("nobody has said"))
    };
    assert_eq!((guide().await, planned().await), (json!(0), (json!(0), false)));
    let day = stage.today().plus(-1);
    let at = Timestamp((i64::from(day.0) * 24 - 8 + 20) * 3_600_000);
    let farm = made(admin, "/api/lists/suppliers", json!({ "name": "Farm" })).await;
    let line = json!({ "productId": stage.sacks, "uomId": stage.sack, "expected": 1, "received": 1 });
    let body = json!({
        "storeId": stage.store, "sourceType": "supplier", "sourceId": farm, "businessDate": day,
        "receivedAt": at, "lines": [line],
    });
    let receipt = admin.post(RECEIPTS, &body).await.expect(201);
    let posted = step_as(admin, RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    assert_eq!((guide().await, planned().await), (json!(1), (json!(1), true)));
    let file = admin.get(&format!("{PLAN}/export?storeId={}&format=csv", stage.store)).await;
    assert!(file.text().contains("Not answered"), "{}", file.text());
    let answer = json!({ "lineId": posted["lines"][0]["id"], "included": true });
    let body = json!({ "storeId": stage.store, "date": day, "session": "closing", "answers": [answer] });
    admin.post("/api/stores/count/close-goods", &body).await.expect(200);
    assert_eq!((guide().await, planned().await), (json!(0), (json!(0), false)));
}

#[rstest]
#[case(2)]
#[case(0)]
#[tokio::test]
async fn a_draft_commits_no_more_than_is_there(#[from(one_engine)] on: Engine, #[case] kilos: i64) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, kilos).await;
    // A hundred sacks are typed where kilos are meant; nothing is sent, and the drafts stay.
    for _ in 0..2 {
        let transfer = json!({
            "fromStoreId": stage.store, "toStoreId": stage.other,
            "lines": [{ "productId": stage.sacks, "uomId": stage.sack, "qty": 100 }],
        });
        let transfer = stage.admin.post("/api/stores/transfers", &transfer).await.expect(201);
        step_as(&stage.admin, "/api/stores/transfers", &transfer, "dispatch", json!({})).await.expect(409);
    }
    stage.run(json!({ "storeIds": [stage.store] })).await;
    let line = stage.line().await;
    assert_eq!(
        (&line["onHand"], &line["committed"], &line["position"]),
        (&json!(kilos), &json!(kilos), &json!(0))
    );
    let packs = (stage.sells(3) as f64 / 5.0).ceil();
    assert_eq!(number(&line["suggested"]), packs);
    let heat = stage.admin.get(&format!("{PLAN}/heat?storeId={}", stage.store)).await.expect(200);
    assert!(close(numbers(&heat["rows"][0]["stock"])[0], -stage.sells(1) as f64), "{heat}");
}

/// Sacks of rice, in kilos, by lot: they came five days ago and expired yesterday.
async fn expired(stage: &Stage, place: Place, parts: &[(Option<&str>, i64)]) {
    let movement = |((lot, kilos), line): (&(Option<&str>, i64), i64)| Movement {
        item: stock::product(&stage.sacks),
        place: place.clone(),
        qty: Qty(kilos * 1_000_000),
        unit_cost: None,
        line,
        leg: Leg::Only,
        lot: lot.map(str::to_owned),
    };
    let movements: Vec<Movement> = parts.iter().zip(1..).map(movement).collect();
    let (id, yesterday) = (&place.id, stage.today().plus(-1));
    let lot = |code: &str| Lot { code: code.to_owned(), expiry: Some(yesterday) };
    let known: &Vec<Lot> = &parts.iter().filter_map(|(code, _)| code.map(lot)).collect();
    let posting = &Posting {
        document: Document::first(DocumentType::Receipt, id),
        business_date: stage.today().plus(-5),
        happened_at: None,
        reason: None,
        movements: &movements,
    };
    let product = &stage.sacks;
    let by = actor(stage.app.state.now());
    let posted = stage.app.db.write(&by, async |tx| {
        for lot in known {
            lots::register(tx, product, lot, DocumentType::Receipt, id).await?;
        }
        stock::post(tx, posting).await
    });
    posted.await.expect("posted");
}

#[rstest]
#[tokio::test]
async fn sales_that_are_not_estimated_are_named(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    // Counted forty days ago; since then the files of sixteen days are missing.
    stage.sales_but(&stage.store, |day| (20..=35).contains(&(today.0 - day.0))).await;
    stage.count(&stage.store, today.plus(-40), 500).await;
    stage.run(json!({ "storeIds": [stage.store] })).await;
    let line = stage.line().await;
    assert_eq!(line["estimatedDays"], 0);
    let counted = today.plus(-40).display();
    assert_eq!(
        figure(&line["why"], "On hand")["source"],
        json!(format!(
            "count of {counted}, and what came and was used since; the sales of 16 days since are not known and not \
             estimated"
        ))
    );
}

#[rstest]
#[tokio::test]
async fn nobody_plans_with_expired_lots(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let admin = &stage.admin;
    // Ten of the fourteen kilos that were counted last night have expired.
    let store = Place { kind: PlaceKind::Store, id: stage.store.clone() };
    expired(&stage, store, &[(Some("L-1"), 10)]).await;
    stage.sold(&stage.store, 14).await;
    stage.run(json!({ "storeIds": [stage.store] })).await;
    let line = stage.line().await;
    assert_eq!((&line["onHand"], &line["position"]), (&json!(14), &json!(4)));
    assert_eq!((&figure(&line["why"], "Not usable")["value"], &line["unusable"]), (&json!(10), &json!(10)));
    for by in ["items", "rootItems"] {
        let path = format!("/api/stores/inventory?storeId={}&by={by}", stage.store);
        let row = admin.get(&path).await.expect(200)["items"][0].clone();
        assert_eq!((&row["onHand"], &row["unusable"]), (&json!(14), &json!(10)), "{row}");
        let before = admin.get(&format!("{path}&date={}", stage.today().plus(-1))).await.expect(200);
        assert_eq!(before["items"][0].get("unusable"), None, "not known of past days");
    }
    assert_eq!(
        figure(&line["why"], "Position")["source"],
        "on hand − not usable + in transit + on order − committed"
    );
    let packs = ((stage.sells(3) - 4) as f64 / 5.0).ceil();
    assert_eq!(number(&line["suggested"]), packs);
    let heat = admin.get(&format!("{PLAN}/heat?storeId={}", stage.store)).await.expect(200);
    assert!(close(numbers(&heat["rows"][0]["stock"])[0], (4 - stage.sells(1)) as f64), "{heat}");
    let guide = admin.get(&format!("{ORDERS}/guide?storeId={}", stage.store)).await.expect(200);
    let item = &guide["items"][0];
    assert_eq!((&item["onHand"], &item["suggested"]), (&json!(14), &line["suggested"]));

    // A kitchen with seven good kilos and five expired ones is three short of two sacks.
    let kitchen = Place { kind: PlaceKind::Commissary, id: stage.kitchen.clone() };
    expired(&stage, kitchen, &[(Some("L-2"), 5), (None, 7)]).await;
    stage.order(2, 1).await;
    let tomorrow: BusinessDay = stage.today().plus(1);
    let matrix = format!("/api/commissary/orders?commissaryId={}&neededDate={tomorrow}", stage.kitchen);
    let matrix = admin.get(&matrix).await.expect(200);
    let product = &matrix["products"][0];
    let figures = ["toSend", "onHand", "unusable", "short"].map(|name| number(&product[name]));
    assert_eq!(figures, [10.0, 7.0, 5.0, 3.0]);
    let grid = format!("{PLAN}/grid?productId={}&commissaryId={}", stage.sacks, stage.kitchen);
    assert_eq!(number(&admin.get(&grid).await.expect(200)["opening"]), 7.0);
}
