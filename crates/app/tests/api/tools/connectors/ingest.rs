//! Tills that push with a key.

use rstest::rstest;
use serde_json::{Value, json};

use super::{Stage, stage, stage_with};
use crate::support::{Answer, Engine, one_engine};

const HOME: &str = "/api/tools/import-sales-product/ingest";

pub(super) async fn send(stage: &Stage, key: &str, body: &str, once: Option<&str>) -> Answer {
    let nobody = stage.app.nobody();
    let mut request =
        nobody.request(reqwest::Method::POST, HOME).header("authorization", format!("Bearer {key}"));
    if let Some(once) = once {
        request = request.header("idempotency-key", once);
    }
    nobody.send(request.header("content-type", "text/csv").body(body.to_owned())).await
}

pub(super) async fn key(stage: &Stage, name: &str, stores: Value) -> (String, String) {
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
    // In another order, with another key, one more receipt, an unreadable one, and a store not allowed for
    // the key.
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
async fn a_number_with_zeros_is_the_same_receipt(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let (_, secret) = key(&stage, "North till", json!([stage.north])).await;
    let day = stage.today;
    let line = |receipt: &str, qty: &str| {
        json!({ "date": format!("{day}T10:00:00+08:00"), "store": "North", "receipt": receipt, "item": "Rice", "quantity": qty, "net": 10 }).to_string()
    };
    for body in [[line("1", "1"), line("2", "2")].join("\n"), line("0001", "1"), line("0002", "5")] {
        send(&stage, &secret, &body, None).await.expect(200);
    }
    assert_eq!(stage.posted("api").await, [("North".to_owned(), day, 2, 6_000_000, 2_000)]);
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
    let item = &unmapped["items"][0];
    assert_eq!((&item["key"], &item["name"]), (&json!("soup"), &json!("Soup")), "as the till wrote it");
    let said = send(&stage, &secret, "a,b\n1,2\n", None).await.expect(422);
    assert_eq!(said["code"], "notATable", "{said}");
    assert_eq!(
        stage.admin.post(&format!("{HOME}/keys"), &json!({ "name": "" })).await.expect(422)["fields"][0]["field"],
        "name"
    );
}

/// Days a till may write by itself: from 35 days ago to today.
#[rstest]
#[tokio::test]
async fn old_and_future_days_are_rejected(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let (_, secret) = key(&stage, "One store", json!([stage.north])).await;
    let today = stage.today;
    let days = [today, today.plus(-35), today.plus(-36), today.plus(1), "2000-01-01".parse().expect("a day")];
    let rows: Vec<String> = days.iter().map(|day| format!("{day},Rice,1,10")).collect();
    let body = format!("date,item,quantity,net\n{}\n", rows.join("\n"));
    let said = send(&stage, &secret, &body, None).await.expect(200);
    assert_eq!((&said["accepted"], &said["storeDays"]), (&json!(2), &json!(2)), "{said}");
    let words = said["problems"][0]["message"].as_str().expect("words");
    assert!(words.contains("3 lines of 3 days from 1 Jan 2000") && words.contains("left out"), "{words}");
    assert!(words.contains(&today.plus(-35).display()) && words.contains(&today.display()), "{words}");
    let posted: Vec<_> = stage.posted("api").await.iter().map(|day| day.1).collect();
    assert_eq!(posted, [today.plus(-35), today]);
    // The number of days is a setting.
    let strict = stage_with(on, |config| config.feed_days_back = 0).await;
    let (_, secret) = key(&strict, "One store", json!([strict.north])).await;
    let said = send(&strict, &secret, &body, None).await.expect(200);
    assert_eq!(said["accepted"], 1, "{said}");
}

#[rstest]
#[tokio::test]
async fn lines_and_names_are_limited_per_hour(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage_with(on, |config| {
        (config.feed_lines_per_hour, config.feed_names_per_hour) = (10, 3);
    })
    .await;
    let (_, secret) = key(&stage, "One store", json!([stage.north])).await;
    let (_, other) = key(&stage, "Another till", json!([stage.north])).await;
    let day = stage.today;
    let body = |items: &[&str]| {
        let rows: Vec<String> = items.iter().map(|item| format!("{day},{item},1,10")).collect();
        format!("date,item,quantity,net\n{}\n", rows.join("\n"))
    };
    let tell = |answer: Answer, status: u16| {
        let said = answer.expect(status);
        assert_eq!(said["code"], "tooMany", "{said}");
        said["detail"].as_str().expect("words").to_owned()
    };
    let words = tell(send(&stage, &secret, &body(&["Rice"; 11]), None).await, 422);
    assert!(words.contains("11 lines") && words.contains("10 in an hour"), "{words}");
    let sent = send(&stage, &secret, &body(&["Rice"; 6]), Some("sent")).await.expect(200);
    // A retry returns the first response and does not count against the hourly limit.
    assert_eq!(send(&stage, &secret, &body(&["Rice"; 6]), Some("sent")).await.expect(200), sent);
    let words = tell(send(&stage, &secret, &body(&["Rice"; 6]), None).await, 429);
    assert!(words.contains("minutes"), "{words}");
    send(&stage, &other, &body(&["Rice"; 6]), None).await.expect(200);
    stage.app.clock.advance(3_600);
    send(&stage, &secret, &body(&["Rice"; 6]), None).await.expect(200);

    stage.app.clock.advance(3_600);
    let words = tell(send(&stage, &secret, &body(&["A", "B", "C", "D"]), None).await, 422);
    assert!(words.contains("4 unknown names"), "{words}");
    send(&stage, &secret, &body(&["A", "B", "C"]), None).await.expect(200);
    // Known names are not new.
    send(&stage, &secret, &body(&["A", "B", "C", "Rice"]), None).await.expect(200);
    tell(send(&stage, &secret, &body(&["D"]), None).await, 429);
    let admin = stage.app.admin().await;
    let unmapped = admin.get("/api/tools/import-sales-product/unmapped").await.expect(200);
    assert_eq!(unmapped["total"], 3, "{unmapped}");
}

#[rstest]
#[tokio::test]
async fn a_push_refused_for_its_lines_counts_no_names(#[from(one_engine)] on: Engine) {
    let stage = stage_with(on, |config| {
        (config.feed_lines_per_hour, config.feed_names_per_hour) = (10, 3);
    })
    .await;
    stage.app.clock.stand_still();
    let (_, secret) = key(&stage, "One store", json!([stage.north])).await;
    let day = stage.today;
    let body = |items: &[&str]| {
        let rows: Vec<String> = items.iter().map(|item| format!("{day},{item},1,10")).collect();
        format!("date,item,quantity,net\n{}\n", rows.join("\n"))
    };
    send(&stage, &secret, &body(&["Rice"; 8]), None).await.expect(200);
    let new = body(&["A", "B", "C"]);
    let refused = send(&stage, &secret, &new, None).await.expect(429);
    assert!(refused["detail"].as_str().is_some_and(|words| words.contains("as many lines")), "{refused}");
    // One more line is allowed after six minutes, a name only after twenty.
    stage.app.clock.advance(6 * 60);
    send(&stage, &secret, &new, None).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn unmapped_names_are_paged(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let (_, secret) = key(&stage, "One store", json!([stage.north])).await;
    let day = stage.today;
    let body = format!("date,item,quantity,net\n{day},Soup,1,30\n{day},Tea,1,20\n{day},Cake,1,10\n");
    send(&stage, &secret, &body, None).await.expect(200);
    let rights: &[(&str, &[larder_domain::Action])] =
        &[("tools/importSalesProduct", &[larder_domain::Action::View])];
    let limited = stage.app.user(rights, Some(std::slice::from_ref(&stage.north))).await;
    for client in [&stage.admin, &limited] {
        for (page, keys) in [(1, vec!["soup", "tea"]), (2, vec!["cake"]), (3, vec![])] {
            let path = format!("/api/tools/import-sales-product/unmapped?page={page}&pageSize=2");
            let said = client.get(&path).await.expect(200);
            let seen: Vec<&str> =
                said["items"].as_array().expect("items").iter().filter_map(|it| it["key"].as_str()).collect();
            assert_eq!((seen, &said["total"]), (keys, &json!(3)), "{said}");
            assert_eq!(said["message"], "3 items are not mapped.");
        }
        for wrong in ["page=0", "pageSize=0", "pageSize=201", "page=x"] {
            let path = format!("/api/tools/import-sales-product/unmapped?{wrong}");
            assert!(matches!(client.get(&path).await.status, 400 | 422), "{wrong}");
        }
    }
}
