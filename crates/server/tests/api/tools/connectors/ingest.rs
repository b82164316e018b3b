//! Tills that push with a key.

use rstest::rstest;
use serde_json::{Value, json};

use super::{Stage, stage};
use crate::support::{Answer, Engine, one_engine};

const HOME: &str = "/api/tools/import-sales-product/ingest";

async fn send(stage: &Stage, key: &str, body: &str, once: Option<&str>) -> Answer {
    let nobody = stage.app.nobody();
    let mut request =
        nobody.request(reqwest::Method::POST, HOME).header("authorization", format!("Bearer {key}"));
    if let Some(once) = once {
        request = request.header("idempotency-key", once);
    }
    nobody.send(request.header("content-type", "text/csv").body(body.to_owned())).await
}

async fn key(stage: &Stage, name: &str, stores: Value) -> (String, String) {
    let made = stage
        .admin
        .post(&format!("{HOME}/keys"), &json!({ "name": name, "storeIds": stores }))
        .await
        .expect(201);
    let text = |field: &str| made[field].as_str().expect("a text").to_owned();
    (text("id"), text("key"))
}

#[rstest]
#[tokio::test]
async fn a_till_pushes_its_receipts(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let (id, secret) = key(&stage, "North till", json!([stage.north])).await;
    let day = stage.today;
    let line = |receipt: i64, qty: &str, store: &str| {
        json!({ "date": format!("{day}T10:00:00+08:00"), "store": store, "receipt": receipt.to_string(), "item": "Rice", "quantity": qty, "net": 10 }).to_string()
    };
    let body = [line(1, "1", "North"), line(2, "2", "North")].join("\n");
    let first = send(&stage, &secret, &body, Some("a")).await.expect(200);
    assert_eq!(first, json!({ "accepted": 2, "storeDays": 1, "problems": [] }));
    assert_eq!(send(&stage, &secret, &body, Some("a")).await.expect(200), first);
    assert_eq!(
        send(&stage, &secret, &line(3, "1", "North"), Some("a")).await.expect(422)["code"],
        "keyReused"
    );
    // In another order, under another key, with one more, one that cannot be read and a store that is not the till's.
    let more = [
        line(2, "2", "North"),
        line(1, "1", "North"),
        line(3, "4", "North"),
        line(4, "much", "North"),
        line(5, "1", "South"),
    ];
    let second = send(&stage, &secret, &more.join("\n"), Some("b")).await.expect(200);
    assert_eq!((second["accepted"].clone(), second["storeDays"].clone()), (json!(3), json!(1)), "{second}");
    let problems = second["problems"].to_string();
    assert!(problems.contains("Quantity") && problems.contains("may not send South"), "{problems}");
    assert_eq!(stage.posted("api").await, [("North".to_owned(), day, 3, 7_000_000, 3_000)]);

    let keys = stage.admin.get(&format!("{HOME}/keys")).await.expect(200);
    assert!(keys["items"][0]["lastUsedAt"].is_string() && !keys.to_string().contains(&secret), "{keys}");
    for table in ["audit", "push_keys"] {
        let column = if table == "audit" { "changes" } else { "hash" };
        let rows: Vec<(String,)> = stage
            .app
            .db
            .sql("select coalesce(cast(")
            .push(column)
            .push(" as text), '') from ")
            .push(table)
            .all()
            .await
            .expect("rows");
        assert!(!rows.is_empty() && rows.iter().all(|(text,)| !text.contains(&secret)), "{table}");
    }
    stage.admin.post(&format!("{HOME}/keys/{id}/revoke"), &json!({})).await.expect(200);
    assert_eq!(send(&stage, &secret, &body, None).await.expect(401)["code"], "unknownKey");
    assert_eq!(send(&stage, "lkp_made-up", &body, None).await.status, 401);
}

#[rstest]
#[tokio::test]
async fn whole_days_as_csv_replace_each_other(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let (_, secret) = key(&stage, "One store", json!([stage.north])).await;
    let day = stage.today.plus(-1);
    let body = |qty: i64| format!("date,item,quantity,net\n{day},Rice,{qty},{qty}0\n{day},Soup,1,5\n");
    for qty in [2, 2, 7] {
        let said = send(&stage, &secret, &body(qty), None).await.expect(200);
        assert_eq!((said["accepted"].clone(), said["storeDays"].clone()), (json!(2), json!(1)), "{said}");
    }
    assert_eq!(stage.posted("api").await, [("North".to_owned(), day, 2, 8_000_000, 7_500)]);
    let unmapped = stage.admin.get("/api/tools/import-sales-product/unmapped").await.expect(200);
    assert_eq!(unmapped["items"][0]["key"], "soup", "{unmapped}");
    let said = send(&stage, &secret, "a,b\n1,2\n", None).await.expect(422);
    assert_eq!(said["code"], "notATable", "{said}");
    assert_eq!(
        stage.admin.post(&format!("{HOME}/keys"), &json!({ "name": "" })).await.expect(422)["fields"][0]["field"],
        "name"
    );
}
