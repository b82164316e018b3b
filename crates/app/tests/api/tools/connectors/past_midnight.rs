//! Tills that sell past midnight, by keys, feeds and connectors: their receipts join the evening before.

use rstest::rstest;
use serde_json::{Value, json};

use super::server::{Hostile, Reply};
use super::{Stage, api, stage};
use crate::support::{Engine, one_engine};

const INGEST: &str = "/api/tools/import-sales-product/ingest";

/// A stage whose store «North» begins its days at five, and «South» at midnight.
async fn late(on: Engine) -> Stage {
    let stage = stage(on).await;
    for (store, minutes) in [(&stage.north, 300), (&stage.south, 0)] {
        let path = format!("/api/stores/day-starts/{store}/{}", stage.today.plus(-30));
        stage.admin.put(&path, &json!({ "minutes": minutes })).await.expect(200);
    }
    stage
}

/// A receipt at a clock time, of the store that sells past midnight and of one that does not.
fn receipts(day: &str, clock: &str) -> Vec<Value> {
    ["North", "South"]
        .map(|store| {
            json!({ "id": format!("{store}-{day}-{clock}"), "day": format!("{day}T{clock}:00+08:00"), "store": store,
                    "receipt": format!("{day} {clock}"), "item": "Rice", "qty": 1, "net": 10 })
        })
        .to_vec()
}

#[rstest]
#[tokio::test]
async fn a_connector_puts_a_day_together_from_two(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = late(on).await;
    let server = Hostile::start(|request, _| {
        let day = request.query("date").expect("a day");
        let all = ["00:40", "12:00", "23:10"].map(|clock| receipts(&day, clock)).concat();
        Reply::json(&json!({ "data": all }))
    })
    .await;
    let url = format!("{}/sales?date={{date}}", server.url);
    let id = stage.connector(api(&url, json!({ "kind": "none" }), Some("data[].id"))).await;
    let day = |ago: i32| stage.today.plus(-ago);
    let row = |store: &str, ago: i32, lines: i64| {
        (store.to_owned(), day(ago), lines, lines * 1_000_000, lines * 1_000)
    };
    let expected =
        [row("North", 3, 1), row("North", 2, 3), row("North", 1, 2), row("South", 2, 3), row("South", 1, 3)];
    // Read again, nothing is lost or doubled.
    for _ in 0..2 {
        let run = stage.run(&id, 2).await;
        assert_eq!(run["run"]["state"], "done", "{run}");
        assert_eq!(stage.posted("api").await, expected);
    }
}

#[rstest]
#[tokio::test]
async fn a_key_adds_receipts_to_the_evening_before(#[from(one_engine)] on: Engine) {
    let stage = late(on).await;
    let body = json!({ "name": "North till", "storeIds": [stage.north] });
    let key = stage.admin.post(&format!("{INGEST}/keys"), &body).await.expect(201);
    let secret = key["key"].as_str().expect("a key");
    let (evening, next) = (stage.today.plus(-2), stage.today.plus(-1));
    let line = |at: String, receipt: &str, date: &str| json!({ date: at, "store": "North", "receipt": receipt, "item": "Rice", "quantity": "1", "net": 10 });
    let push = async |lines: &[Value]| {
        let body: Vec<String> = lines.iter().map(Value::to_string).collect();
        let nobody = stage.app.nobody();
        let request = nobody
            .request(reqwest::Method::POST, INGEST)
            .header("authorization", format!("Bearer {secret}"))
            .header("content-type", "text/csv")
            .body(body.join("\n"));
        nobody.send(request).await.expect(200)
    };
    push(&[
        line(format!("{evening}T23:40:00+08:00"), "1", "date"),
        line(format!("{next}T00:40:00+08:00"), "2", "date"),
        line(format!("{next}T11:00:00+08:00"), "3", "date"),
    ])
    .await;
    let row = |day, lines: i64| ("North".to_owned(), day, lines, lines * 1_000_000, lines * 1_000);
    assert_eq!(stage.posted("api").await, [row(evening, 2), row(next, 1)]);
    // A business date stays.
    push(&[line(format!("{next}T00:50:00+08:00"), "4", "businessDate")]).await;
    assert_eq!(stage.posted("api").await, [row(evening, 2), row(next, 2)]);
}
