//! Leases and finishing of sessions.

use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, Shop};
use crate::support::Engine;

#[rstest]
#[tokio::test]
async fn one_user_counts_a_session_at_a_time(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let (ana, ben) = (shop.counter().await, shop.counter().await);
    let lease = format!("{PATH}/lease");
    let wish = |device: &str| json!({ "storeId": shop.store, "date": shop.today(), "session": "opening", "deviceId": device });
    let path = format!("{PATH}/state?storeId={}&date={}&session=opening", shop.store, shop.today());
    let state = async || ben.get(&path).await.expect(200);
    assert_eq!((&state().await["lease"], &state().await["finished"]), (&Value::Null, &Value::Null));
    let held = ana.post(&lease, &wish("tab")).await.expect(200);
    assert_eq!((&held["uid"], &held["deviceId"]), (&json!(ana.uid), &json!("tab")));
    let refusal = ben.post(&lease, &wish("ben")).await.expect(409);
    assert_eq!((&refusal["code"], &refusal["lease"]["uid"]), (&json!("leased"), &json!(ana.uid)));
    assert_eq!(refusal["detail"], "Ana Cruz is counting here. Take over to count instead.");
    // Ben's counts are accepted anyway.
    assert_eq!(shop.send(&ben, &[shop.save("ben:1", 0, 1)]).await[0]["outcome"], "applied");

    // Counting renews the lease; without activity it expires.
    shop.app.clock.advance(10 * 60);
    shop.send(&ana, &[shop.save("tab:1", 1, 1)]).await;
    shop.app.clock.advance(10 * 60);
    ben.post(&lease, &wish("ben")).await.expect(409);
    shop.app.clock.advance(6 * 60);
    assert_eq!(ben.post(&lease, &wish("ben")).await.expect(200)["uid"], json!(ben.uid));
    let mut over = wish("tab");
    over["takeOver"] = json!(true);
    assert_eq!(ana.post(&lease, &over).await.expect(200)["uid"], json!(ana.uid));

    let done = ana.post(&format!("{PATH}/finish"), &wish("tab")).await.expect(200);
    assert_eq!((&done["finished"]["by"]["uid"], &done["lease"]), (&json!(ana.uid), &Value::Null));
    ben.post(&lease, &wish("ben")).await.expect(200);
    // With the lock disabled, everyone counts.
    shop.settle(json!({ "userLockEnabled": false })).await;
    ana.post(&lease, &wish("tab")).await.expect(200);

    let mut wrong = wish("t b");
    let refusal = ana.post(&lease, &wrong).await.expect(422);
    assert_eq!(refusal["fields"][0]["field"], "deviceId");
    wrong["session"] = json!("noon");
    wrong["date"] = json!("today");
    let refusal = ana.post(&lease, &wrong).await.expect(422);
    let fields: Vec<&Value> =
        refusal["fields"].as_array().expect("fields").iter().map(|field| &field["field"]).collect();
    assert_eq!(fields, ["date", "session"]);
    wrong["storeId"] = json!("other");
    for path in ["lease", "finish"] {
        assert_eq!(ana.post(&format!("{PATH}/{path}"), &wrong).await.expect(403)["code"], "outOfScope");
    }
}
