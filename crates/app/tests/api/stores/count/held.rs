//! Held counts: why, and how they are decided.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, Shop, outcomes};
use crate::support::{Engine, one_engine};
use crate::users::store;

#[rstest]
#[tokio::test]
async fn windows_apply_to_the_time_of_the_save(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    // The window was open from two hours ago to one hour ago.
    let date = shop.closing(-120, 60).await;
    let closing = |op: &str, item: usize, minutes_ago: i64| {
        let mut save = shop.save(op, item, 5);
        save["date"] = json!(date);
        save["session"] = json!("closing");
        save["at"] = json!(shop.now().plus_ms(-minutes_ago * 60_000));
        save
    };
    let results =
        shop.send(&ana, &[closing("tab:1", 0, 90), closing("tab:2", 1, 30), closing("tab:3", 2, 150)]).await;
    assert_eq!(outcomes(&results), ["applied", "held", "held"]);
    assert_eq!((&results[0]["late"], &results[1]["late"]), (&json!(true), &json!(false)));
    assert_eq!((&results[1]["heldFor"], &results[2]["heldFor"]), (&json!("locked"), &json!("window")));
    let [locked, window] = [1, 2].map(|n| results[n]["reason"].as_str().expect("a sentence"));
    assert!(locked.starts_with("The closing count of ") && locked.contains(" was locked at "), "{locked}");
    assert!(window.starts_with("Closing counts are taken from "), "{window}");
    // A held save is kept, and reported again.
    let again = shop.send(&ana, &[closing("tab:4", 0, 95)]).await;
    assert_eq!(outcomes(&again), ["applied"]);

    let state = format!("{PATH}/state?storeId={}&date={date}&session=closing", shop.store);
    let seen = ana.get(&state).await.expect(200);
    assert_eq!((&seen["locked"], &seen["open"]), (&json!(true), &json!(false)));
    // After reopening, saves made since are accepted.
    let unlock =
        json!({ "storeId": shop.store, "date": date, "session": "closing", "reason": "Late delivery" });
    ana.post(&format!("{PATH}/unlock"), &unlock).await.expect(403);
    let seen = shop.admin.post(&format!("{PATH}/unlock"), &unlock).await.expect(200);
    assert_eq!((&seen["locked"], &seen["open"]), (&json!(false), &json!(true)));
    assert_eq!(
        (&seen["unlockReason"], &seen["unlockedBy"]["name"]),
        (&json!("Late delivery"), &json!("Ana Cruz"))
    );
    assert_eq!(outcomes(&shop.send(&ana, &[closing("tab:5", 1, 20)]).await), ["applied"]);
    let no_reason = json!({ "storeId": shop.store, "date": date, "session": "closing", "reason": " " });
    let refusal = shop.admin.post(&format!("{PATH}/unlock"), &no_reason).await.expect(422);
    assert_eq!(refusal["fields"][0]["field"], "reason");
}

#[rstest]
#[tokio::test]
async fn invalid_days_items_and_stores_are_held(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let (ana, other) = (shop.counter().await, store(&shop.app, "OTHER").await);
    let on_day = |op: &str, days: i32| {
        let mut save = shop.save(op, 0, 1);
        save["date"] = json!(shop.today().plus(days));
        save
    };
    let mut gone = shop.save("tab:4", 0, 1);
    gone["itemId"] = json!("gone");
    let mut elsewhere = shop.save("tab:5", 0, 1);
    elsewhere["storeId"] = json!(other);
    let mut nowhere = shop.save("tab:6", 0, 1);
    nowhere["storeId"] = json!("nowhere");
    let saves =
        [on_day("tab:1", -1), on_day("tab:2", -2), on_day("tab:3", 1), gone, elsewhere, nowhere.clone()];
    let results = shop.send(&ana, &saves).await;
    assert_eq!(outcomes(&results), ["applied", "held", "held", "held", "held", "held"]);
    let why: Vec<&Value> = results[1..].iter().map(|result| &result["heldFor"]).collect();
    assert_eq!(why, ["window", "window", "item", "scope", "scope"]);
    assert_eq!(results[1]["reason"], "Counts are taken for today and yesterday.");
    assert_eq!(results[3]["reason"], "This item is not counted here any more.");
    assert_eq!(results[4]["reason"], "You don't have access to this store.");
    // Nothing is revealed about an inaccessible store.
    assert_eq!((results[4].get("current"), results[4].get("revision")), (None, None));
    // Users with access to all stores learn that it does not exist.
    nowhere["op"] = json!("adm:1");
    nowhere["seq"] = json!(1);
    let results = shop.send(&shop.admin, &[nowhere]).await;
    assert_eq!(
        (outcomes(&results), &results[0]["fields"][0]["field"]),
        (vec!["rejected"], &json!("storeId"))
    );

    // An inactive item cannot be counted.
    let path = format!("/api/lists/store-inventory-items/{}", shop.items[2]);
    shop.admin.patch(&path, &json!({ "production": false, "revision": 1 })).await.expect(200);
    assert_eq!(shop.send(&ana, &[shop.save("tab:7", 2, 1)]).await[0]["heldFor"], "item");
}

#[rstest]
#[tokio::test]
async fn held_saves_are_applied_or_declined(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let rights = [Action::View, Action::Approve];
    let manager =
        shop.app.user(&[("stores/storeCount", &rights)], Some(std::slice::from_ref(&shop.store))).await;
    let date = shop.closing(-120, 60).await;
    let closing = |op: &str, item: usize, minutes_ago: i64, qty: i64| {
        let mut save = shop.save(op, item, qty);
        save["date"] = json!(date);
        save["session"] = json!("closing");
        save["at"] = json!(shop.now().plus_ms(-minutes_ago * 60_000));
        save
    };
    let saves = [
        closing("tab:1", 0, 90, 10),
        closing("tab:2", 0, 30, 11),
        closing("ben:1", 1, 130, 20),
        closing("ben:2", 1, 100, 21),
        closing("ben:3", 2, 30, 30),
    ];
    let results = shop.send(&ana, &saves).await;
    assert_eq!(outcomes(&results), ["applied", "held", "held", "applied", "held"]);
    ana.get(&format!("{PATH}/held")).await.expect(403);
    let held = manager.get(&format!("{PATH}/held")).await.expect(200);
    let ops: Vec<&Value> = held["items"].as_array().expect("items").iter().map(|item| &item["op"]).collect();
    assert_eq!((ops, &held["total"]), (vec![&json!("tab:2"), &json!("ben:1"), &json!("ben:3")], &json!(3)));
    let first = &held["items"][0];
    assert_eq!(
        (&first["itemName"], &first["storeName"], &first["qty"]),
        (&json!("Rice"), &json!("MKT"), &json!(11))
    );
    assert_eq!((&first["current"]["qty"], &first["heldFor"]), (&json!(10), &json!("locked")));
    let page =
        manager.get(&format!("{PATH}/held?storeId={}&page=2&pageSize=2", shop.store)).await.expect(200);
    assert_eq!((page["items"].as_array().map(Vec::len), &page["total"]), (Some(1), &json!(3)));

    // Applied, the later one becomes current; one older than the current count does not replace it.
    let apply = json!({ "ops": ["tab:2", "ben:1", "tab:1", "none:1"] });
    let done = manager.post(&format!("{PATH}/held/apply"), &apply).await.expect(200);
    let reported: Vec<&Value> =
        done["results"].as_array().expect("answers").iter().map(|one| &one["outcome"]).collect();
    assert_eq!(reported, [&json!("applied"), &json!("superseded"), &json!("applied"), &Value::Null]);
    assert_eq!(done["results"][0]["current"]["qty"], 11);
    let declined = json!({ "ops": ["ben:3"], "reason": "Counted twice" });
    let done = manager.post(&format!("{PATH}/held/decline"), &declined).await.expect(200);
    assert_eq!(done["results"][0]["outcome"], "declined");
    assert_eq!(manager.get(&format!("{PATH}/held")).await.expect(200)["total"], 0);
    // A decision is final; the device is informed.
    let done = manager.post(&format!("{PATH}/held/apply"), &json!({ "ops": ["ben:3"] })).await.expect(200);
    assert_eq!(done["results"][0]["outcome"], "declined");
    let again = shop.send(&ana, std::slice::from_ref(&saves[4])).await;
    assert_eq!((&again[0]["outcome"], &again[0]["was"]), (&json!("duplicate"), &json!("declined")));
    let path =
        format!("{PATH}/history?storeId={}&date={date}&session=closing&itemId={}", shop.store, shop.items[2]);
    let event = ana.get(&path).await.expect(200)["events"][0].clone();
    assert_eq!((&event["outcome"], &event["decisionNote"]), (&json!("declined"), &json!("Counted twice")));
    assert_eq!((&event["stands"], &event["decidedBy"]["uid"]), (&json!(false), &json!(manager.uid)));

    let elsewhere = shop.app.user(&[("stores/storeCount", Action::ALL)], Some(&[])).await;
    for act in ["apply", "decline"] {
        let refusal =
            elsewhere.post(&format!("{PATH}/held/{act}"), &json!({ "ops": ["tab:2"] })).await.expect(403);
        assert_eq!(refusal["code"], "outOfScope");
        shop.admin.post(&format!("{PATH}/held/{act}"), &json!({ "ops": [] })).await.expect(422);
    }
    assert_eq!(elsewhere.get(&format!("{PATH}/held")).await.expect(200)["total"], 0);
}

#[rstest]
#[tokio::test]
async fn a_count_of_a_day_that_has_not_begun_stays_held(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let tomorrow = shop.today().plus(1);
    let mut early = shop.save("tab:1", 0, 5);
    early["date"] = json!(tomorrow);
    assert_eq!(outcomes(&shop.send(&shop.admin, &[early]).await), ["held"]);
    let (path, ops) = (format!("{PATH}/held/apply"), json!({ "ops": ["tab:1"] }));
    let refused = shop.admin.post(&path, &ops).await.expect(409);
    let words = format!(
        "The opening count of {} cannot be applied yet: its time has not come. Decline it, or apply it then.",
        tomorrow.display()
    );
    assert_eq!((&refused["code"], &refused["detail"]), (&json!("ahead"), &json!(words)));
    assert_eq!(shop.admin.get(&format!("{PATH}/held")).await.expect(200)["total"], 1);
    // The next morning its time has come.
    shop.app.clock.advance_to_hour(8);
    let done = shop.app.admin().await.post(&path, &ops).await.expect(200);
    assert_eq!(done["results"][0]["outcome"], "applied");
}

/// Received saves are never rewritten, not even directly in the database.
#[rstest]
#[tokio::test]
async fn received_saves_are_immutable(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    shop.send(&shop.admin, &[shop.save("tab:1", 0, 1)]).await;
    let (db, actor) = (&shop.app.db, crate::support::actor(shop.now()));
    let rewritten =
        db.write(&actor, async |tx| tx.sql("update store_count_events set qty = 2").execute().await).await;
    let why = format!("{:?}", rewritten.expect_err("refused"));
    assert!(why.contains("counts that arrived are never changed"), "{why}");
    let removed = db.write(&actor, async |tx| tx.sql("delete from store_count_events").execute().await).await;
    let why = format!("{:?}", removed.expect_err("refused"));
    assert!(why.contains("counts that arrived are never") && why.contains("removed"), "{why}");
}
