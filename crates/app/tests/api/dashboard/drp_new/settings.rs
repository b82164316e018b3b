//! Planning rules.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PLAN, Stage, figure, number};
use crate::documents::said;
use crate::support::{Engine, one_engine};

#[rstest]
#[tokio::test]
async fn the_most_specific_setting_applies(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let at = format!("{PLAN}/settings");
    let asked = format!("{at}?storeId={}&productId={}", stage.store, stage.sacks);
    let effective = async |field: &str| {
        let answer = stage.admin.get(&asked).await.expect(200);
        let rows = answer["effective"].as_array().expect("settings").clone();
        rows.into_iter().find(|row| row["field"] == field).unwrap_or_else(|| panic!("no {field}"))
    };
    let lead = effective("leadDays").await;
    assert_eq!(
        (&lead["value"], &lead["from"], &lead["ruleId"]),
        (&json!(1), &json!("location"), &Value::Null)
    );
    let mut last = Value::Null;
    for (place, from, days) in [
        (json!({}), "default", 3),
        (json!({ "storeId": stage.store }), "store", 4),
        (json!({ "productId": stage.sacks }), "product", 5),
        (json!({ "storeId": stage.store, "productId": stage.sacks }), "storeProduct", 6),
    ] {
        let mut body = place;
        body["leadDays"] = json!(days);
        last = stage.admin.put(&at, &body).await.expect(200);
        let lead = effective("leadDays").await;
        assert_eq!(
            (&lead["value"], &lead["from"], &lead["ruleId"]),
            (&json!(days), &json!(from), &last["id"])
        );
    }
    // An old revision is refused with the current record.
    let mut body = json!({ "storeId": stage.store, "productId": stage.sacks, "leadDays": 2, "revision": 9 });
    let stale = stage.admin.put(&at, &body).await.expect(409);
    assert_eq!(stale["current"]["leadDays"], 6);
    body["revision"] = last["revision"].clone();
    body["max"] = json!(20);
    stage.admin.put(&at, &body).await.expect(200);
    stage.run(json!({})).await;
    let line = stage.line().await;
    assert_eq!((&line["leadDays"], &line["target"], &line["caps"]), (&json!(2), &json!(20), &json!(["max"])));
    assert_eq!((&line["suggested"], &line["neededDate"]), (&json!(4), &json!(stage.today().plus(2))));
    assert_eq!(figure(&line["why"], "Lead days")["source"], "rule for the product in this store");
    assert_eq!(stage.plan("only=capped").await["total"], 1);
    assert_eq!(stage.plan("only=order&q=sacks").await["total"], 1);
    assert_eq!(stage.plan("q=beans").await["total"], 0);

    // A shelf life of two days: no more is sent than can be sold in time.
    let life = json!({ "productId": stage.sacks, "leadDays": 5, "shelfLifeDays": 2, "revision": 1 });
    stage.admin.put(&at, &life).await.expect(200);
    let gone =
        stage.admin.get(&asked).await.expect(200)["rules"][0]["id"].as_str().expect("an id").to_owned();
    stage.admin.delete(&format!("{at}/{gone}")).await;
    stage.run(json!({})).await;
    let line = stage.line().await;
    assert_eq!((&line["leadDays"], &line["caps"]), (&json!(5), &json!(["shelfLife"])));
    let most = (stage.sells(2) as f64 / 5.0).floor();
    assert_eq!(number(&line["suggested"]), most);
    let history = stage.admin.get("/api/history?kind=planRule").await.expect(200);
    assert!(history["items"].as_array().is_some_and(|items| items.len() >= 6), "{history}");
}

#[rstest]
#[tokio::test]
async fn invalid_settings_are_field_errors(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    let at = format!("{PLAN}/settings");
    for (body, field) in [
        (json!({ "serviceLevel": 95 }), "serviceLevel"),
        (json!({ "min": 5, "max": 4 }), "max"),
        (json!({ "leadDays": -1 }), "leadDays"),
        (json!({ "method": "magic" }), "method"),
        (json!({ "priority": 1 }), "priority"),
        (json!({ "storeId": stage.store }), "serviceLevel"),
        (json!({ "categoryId": "a", "productId": "b", "min": 1 }), "categoryId"),
    ] {
        let refused = stage.admin.put(&at, &body).await.expect(422);
        said(&refused, field);
    }
    let unknown = json!({ "productId": "nobody", "min": 1 });
    said(&stage.admin.put(&at, &unknown).await.expect(422), "productId");
    // Rules for all stores need access to all stores.
    let rights: &[(&str, &[Action])] = &[("dashboard/drpNew", Action::ALL)];
    let manager = stage.app.user(rights, Some(std::slice::from_ref(&stage.store))).await;
    let refused = manager.put(&at, &json!({ "leadDays": 2 })).await.expect(403);
    assert_eq!(refused["code"], "allStores");
    let own = json!({ "storeId": stage.store, "leadDays": 2 });
    manager.put(&at, &own).await.expect(200);
    let far = json!({ "storeId": stage.other, "leadDays": 2 });
    manager.put(&at, &far).await.expect(403);
    stage.admin.put(&at, &far).await.expect(200);
    assert_eq!(manager.get(&at).await.expect(200)["rules"].as_array().map(Vec::len), Some(1));
}
