//! A store-day's sales from a file and from an API: every page counts the same source, once.

use larder_domain::BusinessDay;
use larder_ledgers::sales::duplicates::settle_earlier;
use larder_ledgers::sales::rebuild;
use rstest::rstest;
use serde_json::{Value, json};

use super::z_reading::{make, take, typed};
use crate::dashboard::home::tile;
use crate::stores::inventory::{Counted, Stage};
use crate::support::{Engine, actor, one_engine};
use crate::tools::import_sales_product::{HOME, agree, import};

/// A meal uses a quarter of a kilo of rice and costs 10 pesos.
fn sales(day: BusinessDay, till: &str, meals: u32) -> String {
    format!(
        "Date,Store,Register,Receipt,Item,Quantity,Price,Payment Type\n{day},Makati,{till},1,Meal,{meals},10,Cash\n"
    )
}

/// Twenty kilos of rice were counted yesterday evening.
async fn stage(on: Engine) -> (Stage, BusinessDay) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    stage.count(&stage.loose, Counted { day: today - 1, closing: true, qty: 20_000 }).await;
    (stage, BusinessDay(today))
}

/// A till's push.
async fn push(stage: &Stage, key: &str, body: String) {
    let nobody = stage.app.nobody();
    let request = nobody
        .request(reqwest::Method::POST, &format!("{HOME}/ingest"))
        .header("authorization", format!("Bearer {key}"))
        .header("content-type", "text/csv");
    let answer = nobody.send(request.body(body)).await.expect(200);
    assert_eq!((&answer["accepted"], &answer["problems"]), (&json!(1), &json!([])), "{answer}");
}

async fn key(stage: &Stage) -> String {
    let wish = json!({ "name": "Tills", "storeIds": [stage.store] });
    let made = stage.admin.post(&format!("{HOME}/ingest/keys"), &wish).await.expect(201);
    made["key"].as_str().expect("a key").to_owned()
}

async fn built(stage: &Stage, day: BusinessDay, dataset: &str, measure: &str) -> Value {
    let body = json!({ "dataset": dataset, "range": { "from": day, "to": day }, "rows": [],
        "measures": [{ "field": measure }] });
    let answer = stage.admin.post("/api/reports/custom/preview", &body).await.expect(200);
    answer["answer"]["totals"][0]["total"][0].clone()
}

/// Every page shows a number of meals sold on the day.
async fn shows(stage: &Stage, day: BusinessDay, meals: u32, when: &str) {
    let net = f64::from(meals) * 10.0;
    let range = format!("from={day}&to={day}");
    let get = async |path: &str| stage.admin.get(path).await.expect(200);
    let report = async |name: &str| get(&format!("/api/reports/{name}?{range}")).await;
    let comparison = report("sales-comparison").await;
    let terminals = get(&format!("{HOME}/terminal-summary?{range}")).await;
    let terminals: f64 =
        terminals["items"].as_array().expect("tills").iter().filter_map(|t| t["net"].as_f64()).sum();
    let year_month_day = format!("{HOME}/days/{}/{day}", stage.store);
    let pages = [
        ("score card", report("store-scorecard").await["total"]["net"].clone()),
        ("sales by terminal", report("sales-terminal").await["total"]["net"].clone()),
        ("product sales", report("product-sales-by-store").await["totalNet"].clone()),
        ("sales comparison", comparison["total"]["net"].clone()),
        ("terminal summary", json!(terminals)),
        ("day of sales", get(&year_month_day).await["totals"]["net"].clone()),
        ("coverage", get(&format!("{HOME}/coverage?{range}")).await["stores"][0]["cells"][0]["net"].clone()),
        ("home", tile(&get("/api/dashboard/main").await, "sales")["sales"]["net"].clone()),
        ("tender report", get(&format!("/api/sales/tender-report?{range}")).await["items"][0]["pos"].clone()),
        (
            "calendar",
            get(&format!("/api/sales/z-reading/calendar?{range}")).await["stores"][0]["days"][0]["sold"]
                .clone(),
        ),
        ("built sales", built(stage, day, "sales", "net").await),
        ("built store-days", built(stage, day, "storeDays", "net").await),
        ("built receipts", built(stage, day, "receipts", "net").await),
        ("built tenders", built(stage, day, "tenders", "amount").await),
    ];
    for (page, shown) in pages {
        assert_eq!(shown.as_f64(), Some(net), "{page}, {when}");
    }
    let used = f64::from(meals) * 0.25;
    let stock = stage.rows("").await;
    let row = stock["items"].as_array().expect("rows").iter().find(|row| row["id"] == stage.loose.as_str());
    let on_hand = row.expect("rice")["onHand"].as_f64().expect("a number");
    let uses = [
        ("sales by root items", report("sales-by-root-items").await["total"].as_f64()),
        ("built root items", built(stage, day, "rootUse", "qty").await.as_f64()),
        ("stock on hand", Some(20.0 - on_hand)),
    ];
    for (page, shown) in uses {
        assert_eq!(shown, Some(used), "{page}, {when}");
    }
    agree(&stage.app).await;
}

/// A source chosen on the monthly report.
async fn choose(stage: &Stage, day: BusinessDay, source: &str, revision: Option<i64>) {
    let body = json!({ "storeId": stage.store, "date": day, "source": source, "revision": revision });
    stage.admin.put("/api/sales/cmsr/days", &body).await.expect(200);
}

/// A verified reading of till T1 of a number of meals.
async fn read(stage: &Stage, day: BusinessDay, meals: f64) -> Value {
    let net = meals * 10.0;
    let vat = (net * 12.0 / 112.0 * 100.0).round() / 100.0;
    let mut draft = typed(&stage.app, &stage.store, 1, 0);
    for (field, amount) in [
        ("gross", net),
        ("net", net),
        ("vat", vat),
        ("presentTotal", 10_000.0 + net),
        ("senior", 0.0),
        ("pwd", 0.0),
    ] {
        draft[field] = json!(amount);
    }
    draft["vatable"] = json!(((net - vat) * 100.0).round() / 100.0);
    draft["businessDate"] = json!(day);
    draft["tenders"] = json!([{ "kind": "cash", "label": "CASH", "amount": net }]);
    let made = make(&stage.admin, &draft).await;
    take(&stage.admin, &made, "verify").await
}

#[rstest]
#[tokio::test]
async fn two_sources_of_a_day_count_once_everywhere(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (stage, day) = stage(on).await;
    let key = key(&stage).await;
    let batch = import(&stage.app, &stage.admin, "till.csv", sales(day, "T1", 8)).await;
    shows(&stage, day, 8, "of one source").await;

    push(&stage, &key, sales(day, "T1", 12)).await;
    shows(&stage, day, 12, "the higher of two").await;
    let seen = stage.admin.get(&format!("{HOME}/days/{}/{day}", stage.store)).await.expect(200);
    let sources: Vec<Value> = (seen["sources"].as_array().expect("sources").iter())
        .map(|one| json!([one["source"], one["countedSource"]]))
        .collect();
    assert_eq!(sources, [json!(["api", null]), json!(["file", "api"])], "both are kept");
    assert_eq!(seen["lines"].as_array().map(Vec::len), Some(2));

    read(&stage, day, 8.0).await;
    shows(&stage, day, 8, "the one that was read").await;
    choose(&stage, day, "api", None).await;
    shows(&stage, day, 12, "the one that was chosen").await;
    choose(&stage, day, "", Some(1)).await;
    shows(&stage, day, 8, "the one that was read, once more").await;

    // What is left out changes without being counted, and makes up the sums anew.
    push(&stage, &key, sales(day, "T1", 16)).await;
    shows(&stage, day, 8, "while the other grows").await;
    let who = actor(stage.app.state.now());
    assert_eq!(rebuild(&stage.app.db, &who).await.expect("rebuilt"), 2);
    shows(&stage, day, 8, "rebuilt").await;

    let path = format!("{HOME}/batches/{}/revert", batch["id"].as_str().expect("an id"));
    stage.admin.post(&path, &json!({})).await.expect(200);
    stage.app.drain().await;
    shows(&stage, day, 16, "the one that is left").await;
    // From the API once more, after the file is back.
    import(&stage.app, &stage.admin, "again.csv", sales(day, "T1", 8)).await;
    shows(&stage, day, 8, "the file is back").await;
}

#[rstest]
#[tokio::test]
async fn two_sources_of_different_tills_both_count(#[from(one_engine)] on: Engine) {
    let (stage, day) = stage(on).await;
    let key = key(&stage).await;
    import(&stage.app, &stage.admin, "till.csv", sales(day, "T2", 4)).await;
    push(&stage, &key, sales(day, "T1", 12)).await;
    shows(&stage, day, 16, "of two tills").await;
}

/// Days of two sources that were posted before the answer was kept.
#[rstest]
#[tokio::test]
async fn two_sources_of_an_earlier_day_are_settled(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (stage, day) = stage(on).await;
    let key = key(&stage).await;
    import(&stage.app, &stage.admin, "till.csv", sales(day, "T1", 8)).await;
    push(&stage, &key, sales(day, "T1", 12)).await;
    let who = actor(stage.app.state.now());
    let (store, till) = (&stage.store, super::Reading { ..super::Reading::of(0) });
    super::put_reading(&stage.app, store, day, &super::Reading { gross: 8_000, net: 8_000, ..till }).await;
    let written = stage.app.db.write(&who, async |tx| {
        tx.sql("insert into sales_unsettled (store_id, business_date) values ($1, $2)")
            .bind(store)
            .bind(day)
            .execute()
            .await
    });
    written.await.expect("a day to settle");
    agree(&stage.app).await;
    assert_eq!(settle_earlier(&stage.app.db, &who, 10).await.expect("settled"), 1);
    shows(&stage, day, 8, "settled").await;
    assert_eq!(settle_earlier(&stage.app.db, &who, 10).await.expect("settled"), 0);
}
