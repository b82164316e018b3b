//! Count batches of devices: applied once, in any order, and which save becomes current.

use larder_domain::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, Shop, outcomes};
use crate::support::{Engine, one_engine};

#[rstest]
#[tokio::test]
async fn a_save_is_applied_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let saves = [shop.save("tab:1", 0, 12.5), shop.save("tab:2", 1, "1,5"), shop.save("tab:3", 2, "many")];
    let results = shop.send(&ana, &saves).await;
    assert_eq!(outcomes(&results), ["applied", "applied", "applied"]);
    assert_eq!(results[0]["op"], "tab:1");
    assert_eq!((&results[0]["revision"], &results[0]["current"]["qty"]), (&json!(1), &json!(12.5)));
    assert_eq!(results[0]["current"]["by"], "Ana Cruz");
    let seen = shop.entries(&ana).await;
    let quantities: Vec<&Value> =
        seen["entries"].as_array().expect("entries").iter().map(|e| &e["qty"]).collect();
    assert_eq!(quantities.len(), 3);
    for qty in [json!(12.5), json!(1.5), json!(0)] {
        assert!(quantities.contains(&&qty), "{qty} in {quantities:?}");
    }
    let first =
        &seen["entries"].as_array().expect("entries").iter().find(|e| e["itemId"] == shop.items[0].as_str());
    let first = first.expect("the first");
    assert_eq!(first["id"], format!("{}_{}_opening_{}", shop.store, shop.today(), shop.items[0]));
    assert_eq!(
        (&first["session"], &first["late"], first.get("others")),
        (&json!("opening"), &json!(false), None)
    );
    assert_eq!((&first["countedBy"]["uid"], &first["updatedBy"]["uid"]), (&json!(ana.uid), &json!(ana.uid)));

    // The response was lost: the device sends everything again, and something new.
    let again = [saves[1].clone(), saves[0].clone(), shop.save("tab:4", 0, 13), shop.save("tab:4", 0, 13)];
    let mut again = again.to_vec();
    again[3] = again[2].clone();
    let results = shop.send(&ana, &again).await;
    assert_eq!(outcomes(&results), ["duplicate", "duplicate", "applied", "duplicate"]);
    assert_eq!((&results[1]["was"], &results[1]["current"]["qty"]), (&json!("applied"), &json!(12.5)));
    assert_eq!(shop.entries(&ana).await["entries"].as_array().map(Vec::len), Some(3));
    let events: i64 = shop
        .app
        .db
        .sql("select cast(count(*) as bigint) from store_count_events")
        .scalar()
        .await
        .expect("a count");
    assert_eq!(events, 4);

    // Reusing an id for another save is a device error, and nothing is overwritten.
    let results = shop.send(&ana, &[shop.save("tab:1", 0, 99)]).await;
    assert_eq!((outcomes(&results), &results[0]["fields"][0]["field"]), (vec!["rejected"], &json!("op")));
    assert!(shop.entries(&ana).await["revisionOfDay"].as_i64() > seen["revisionOfDay"].as_i64());
}

#[rstest]
#[tokio::test]
async fn what_is_no_number_counts_as_zero_with_a_warning(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let sums = [shop.save("tab:1", 0, "12*3"), shop.save("tab:2", 1, 1e-7), shop.save("tab:3", 2, 0)];
    let results = shop.send(&shop.admin, &sums).await;
    assert_eq!(outcomes(&results), ["applied", "applied", "applied"]);
    assert!(results.iter().all(|result| result["current"]["qty"] == 0), "{results:?}");
    assert_eq!(results[0]["warning"], "This is not a number: it counts as 0.");
    assert_eq!(results[1]["warning"], "This is too little to be counted: it counts as 0.");
    assert_eq!(results[2].get("warning"), None);
    // It is said again with a duplicate.
    let again = shop.send(&shop.admin, &sums[..1]).await;
    assert_eq!((&again[0]["outcome"], &again[0]["warning"]), (&json!("duplicate"), &results[0]["warning"]));
}

#[rstest]
#[tokio::test]
async fn clearing_a_count_continues_its_revision(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let ask = async |saves: &[Value]| shop.send(&ana, saves).await.remove(0);
    assert_eq!(ask(&[shop.save("tab:1", 0, 5)]).await["revision"], 1);
    let emptied = ask(&[shop.save("tab:2", 0, "")]).await;
    assert_eq!((&emptied["outcome"], &emptied["revision"]), (&json!("applied"), &json!(2)));
    assert_eq!(shop.entries(&ana).await["entries"], json!([]));
    assert_eq!(ask(&[shop.save("tab:3", 0, 7)]).await["revision"], 3);
    assert_eq!(ask(&[shop.save("tab:4", 0, Value::Null)]).await["revision"], 4);
    assert_eq!(ask(&[shop.save("tab:5", 0, 0)]).await["current"]["qty"], 0);
    // Clearing a count that was never taken has no visible effect, but stays in the history.
    assert_eq!(ask(&[shop.save("tab:6", 1, Value::Null)]).await["outcome"], "applied");
    assert_eq!(shop.entries(&ana).await["entries"].as_array().map(Vec::len), Some(1));
    let path = format!(
        "{PATH}/history?storeId={}&date={}&session=opening&itemId={}",
        shop.store,
        shop.today(),
        shop.items[0]
    );
    let events = ana.get(&path).await.expect(200)["events"].clone();
    let reported: Vec<(&Value, &Value)> =
        events.as_array().expect("events").iter().map(|event| (&event["qty"], &event["stands"])).collect();
    let (no, yes) = (&json!(false), &json!(true));
    assert_eq!(
        reported,
        [(&json!(5), no), (&Value::Null, no), (&json!(7), no), (&Value::Null, no), (&json!(0), yes)]
    );
}

#[tokio::test]
async fn an_ambiguous_comma_is_refused() {
    let shop = Shop::open(Engine::Sqlite).await;
    let ana = shop.counter().await;
    let saves =
        [shop.save("tab:1", 0, "1,250"), shop.save("tab:2", 1, "1250"), shop.save("tab:3", 2, "1,250.5")];
    let results = shop.send(&ana, &saves).await;
    assert_eq!(outcomes(&results), ["rejected", "applied", "applied"]);
    let said = results[0].to_string();
    assert!(said.contains("\"qty\"") && said.contains("1250 or 1.25"), "{said}");
    assert_eq!(results[2]["current"]["qty"], 1250.5);
}

#[tokio::test]
async fn an_omitted_quantity_is_zero_and_uncounted_items_have_none() {
    let shop = Shop::open(Engine::Sqlite).await;
    let ana = shop.counter().await;
    let mut silent = shop.save("tab:1", 0, 1);
    silent.as_object_mut().expect("a save").remove("qty");
    let results = shop.send(&ana, &[silent.clone()]).await;
    assert_eq!((outcomes(&results), &results[0]["current"]["qty"]), (vec!["applied"], &json!(0)));
    // Sent again, it is the same save.
    assert_eq!(outcomes(&shop.send(&ana, &[silent]).await), ["duplicate"]);
    let entries = shop.entries(&ana).await["entries"].clone();
    assert_eq!(entries.as_array().map(Vec::len), Some(1), "the other two items are not counted: {entries}");
    assert_eq!(entries[0]["itemId"], shop.items[0].as_str());
}

#[rstest]
#[tokio::test]
async fn an_outlier_is_marked_in_the_inventory_until_confirmed(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let mut before = [shop.save("tab:1", 0, 12), shop.save("tab:2", 1, 12), shop.save("tab:3", 2, 12)];
    for save in &mut before {
        save["date"] = json!(shop.today().plus(-1));
    }
    shop.send(&ana, &before).await;
    // An obvious typing error, and a plausible count.
    shop.send(&ana, &[shop.save("tab:4", 0, 9_999), shop.save("tab:5", 1, 14), shop.save("tab:6", 2, 0)])
        .await;
    let marked = async || {
        let path = format!("/api/stores/inventory?storeId={}", shop.store);
        let rows = shop.admin.get(&path).await.expect(200)["items"].clone();
        let of = |item: &String| {
            let row = rows.as_array().expect("rows").iter().find(|row| row["id"] == item.as_str());
            row.expect("the item")["lastCount"].get("unlike").cloned()
        };
        shop.items.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(marked().await, [Some(json!(12)), None, Some(json!(12))]);
    // «It's right» confirms it; another number asks again.
    shop.send(&ana, &[shop.save("tab:7", 0, 9_998), shop.save("tab:8", 2, 0)]).await;
    assert_eq!(marked().await, [Some(json!(12)), None, None]);
    shop.send(&ana, &[shop.save("tab:9", 0, 11)]).await;
    assert_eq!(marked().await, [None, None, None]);
}

#[rstest]
#[tokio::test]
async fn the_later_count_is_current_in_any_order_of_arrival(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let made = |op: &str, item: usize, qty: i64, minutes_ago: i64, base: Value| {
        let mut save = shop.save(op, item, qty);
        save["at"] = json!(shop.now().plus_ms(-minutes_ago * 60_000));
        save["base"] = base;
        save
    };
    // Ben's clock is an hour ahead; the batch says so.
    let ben = async |saves: &[Value]| {
        let mut batch = shop.batch(saves);
        batch["deviceId"] = json!("ben");
        batch["sentAt"] = json!(shop.now().plus_ms(3_600_000).0);
        for entry in batch["entries"].as_array_mut().expect("entries") {
            let at: larder_domain::Timestamp = serde_json::from_value(entry["at"].clone()).expect("a time");
            entry["at"] = json!(at.0 + 3_600_000);
        }
        ana.post(&format!("{PATH}/batch"), &batch).await.expect(200)["results"][0].clone()
    };
    let none = Value::Null;
    shop.send(&ana, &[made("tab:1", 0, 12, 10, none.clone())]).await;
    // Made earlier, sent later: Ben's wrong clock does not make it later.
    let older = ben(&[made("ben:1", 0, 10, 20, none.clone())]).await;
    assert_eq!((&older["outcome"], &older["current"]["qty"]), (&json!("superseded"), &json!(12)));
    let newer = ben(&[made("ben:2", 0, 11, 5, none.clone())]).await;
    assert_eq!((&newer["outcome"], &newer["revision"]), (&json!("applied"), &json!(2)));
    // A save made with knowledge of the current count wins, whatever the clock.
    let knowing = shop.send(&ana, &[made("tab:2", 0, 14, 9, json!(2))]).await;
    assert_eq!(outcomes(&knowing), ["applied"]);
    // Within a device, the higher sequence number wins, in any order of arrival.
    let saves = [made("tab:9", 1, 9, 30, none.clone()), made("tab:8", 1, 8, 1, none.clone())];
    assert_eq!(outcomes(&shop.send(&ana, &saves).await), ["applied", "superseded"]);
    let third = [made("tab:10", 2, 1, 0, none.clone()), made("tab:11", 2, 2, 0, none)];
    let results = shop.send(&ana, &third).await;
    assert_eq!((outcomes(&results), &results[1]["revision"]), (vec!["applied", "applied"], &json!(2)));
}

#[rstest]
#[tokio::test]
async fn concurrent_counts_are_shown_and_one_is_chosen(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let shop = Shop::open(on).await;
    let (ana, watcher) = (shop.counter().await, shop.admin.clone());
    let mut bens = shop.save("ben:1", 0, 10);
    bens["at"] = json!(shop.now().plus_ms(-60_000));
    bens["note"] = json!("behind the door");
    shop.send(&ana, &[shop.save("tab:1", 0, 12), bens.clone(), shop.save("tab:2", 1, 3)]).await;
    let seen = shop.entries(&ana).await;
    let entry = |seen: &Value| {
        let entries = seen["entries"].as_array().expect("entries").clone();
        entries.into_iter().find(|entry| entry["itemId"] == shop.items[0].as_str()).expect("the first item")
    };
    let rice = entry(&seen);
    assert_eq!((&rice["qty"], &rice["others"][0]["qty"]), (&json!(12), &json!(10)));
    assert_eq!((&rice["others"][0]["op"], &rice["others"][0]["by"]), (&json!("ben:1"), &json!("Ana Cruz")));

    let choose = format!("{PATH}/entries/choose");
    let stale = ana.post(&choose, &json!({ "op": "ben:1", "revision": 7 })).await.expect(409);
    assert_eq!((&stale["code"], &stale["current"]["qty"]), (&json!("stale"), &json!(12)));
    ana.post(&choose, &json!({ "op": "none:1", "revision": 1 })).await.expect(404);
    let chosen = ana.post(&choose, &json!({ "op": "ben:1", "revision": 1 })).await.expect(200);
    assert_eq!((&chosen["current"]["qty"], &chosen["current"]["revision"]), (&json!(10), &json!(2)));
    let rice = entry(&shop.entries(&watcher).await);
    assert_eq!(
        (&rice["qty"], &rice["note"], rice.get("others")),
        (&json!(10), &json!("behind the door"), None)
    );
    assert!(rice["deviceId"].as_str().expect("a device").starts_with("server:"));
    // Choosing the current count changes nothing; saves made before the choice do not override it.
    let op = rice["op"].as_str().expect("a name");
    let same = ana.post(&choose, &json!({ "op": op, "revision": 2 })).await.expect(200);
    assert_eq!(same["current"]["revision"], 2);
    let mut late = shop.save("cara:1", 0, 99);
    late["at"] = json!(shop.now().plus_ms(-3_600_000));
    assert_eq!(outcomes(&shop.send(&ana, &[late]).await), ["superseded"]);
    assert_eq!(entry(&shop.entries(&watcher).await)["others"][0]["qty"], 99);

    let elsewhere = shop.app.user(&[("stores/storeCount", larder_domain::Action::ALL)], Some(&[])).await;
    let refusal = elsewhere.post(&choose, &json!({ "op": "ben:1", "revision": 2 })).await.expect(403);
    assert_eq!(refusal["code"], "outOfScope");
}

#[rstest]
#[tokio::test]
async fn only_counting_again_moves_the_time_of_a_count(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let now = shop.now();
    let minutes_ago = |minutes: i64| json!(now.plus_ms(-minutes * 60_000));
    // Some milliseconds pass between sending and arriving.
    let ago = |entry: &Value| {
        let at = Timestamp::parse(entry["countedAt"].as_str().expect("a time")).expect("a time");
        (now.0 - at.0 + 30_000) / 60_000
    };
    let send = async |op: &str, qty: i64, minutes: i64, more: Value| {
        let mut save = shop.save(op, 0, qty);
        save["at"] = minutes_ago(minutes);
        for (member, value) in more.as_object().expect("members") {
            save[member] = value.clone();
        }
        assert_eq!(outcomes(&shop.send(&ana, &[save]).await), ["applied"], "{op}");
        let entry = shop.entries(&ana).await["entries"][0].clone();
        (entry["qty"].clone(), ago(&entry))
    };
    assert_eq!(send("tab:1", 12, 180, json!({})).await, (json!(12), 180));
    // The same number confirms it at any time, another one corrects it for ten minutes.
    assert_eq!(send("tab:2", 12, 120, json!({ "prev": "tab:1" })).await, (json!(12), 180));
    assert_eq!(send("tab:3", 21, 100, json!({ "prev": "tab:2" })).await, (json!(21), 100));
    assert_eq!(send("tab:4", 20, 92, json!({ "prev": "tab:3" })).await, (json!(20), 100));
    // What the author says decides.
    let said = json!({ "prev": "tab:4", "recount": false });
    assert_eq!(send("tab:5", 19, 40, said).await, (json!(19), 100));
    let said = json!({ "prev": "tab:5", "recount": true });
    assert_eq!(send("tab:6", 19, 30, said).await, (json!(19), 30));
    // Choosing another device's count keeps its time, whenever it is chosen.
    let mut bens = shop.save("ben:1", 0, 17);
    bens["at"] = minutes_ago(60);
    assert_eq!(outcomes(&shop.send(&ana, &[bens]).await), ["superseded"]);
    let chosen = json!({ "op": "ben:1", "revision": 6 });
    ana.post(&format!("{PATH}/entries/choose"), &chosen).await.expect(200);
    let entry = &shop.entries(&ana).await["entries"][0];
    assert_eq!((&entry["qty"], ago(entry)), (&json!(17), 60));
    assert_ne!(entry["at"], entry["countedAt"]);
    // A recount flag that is no yes or no is refused.
    let mut odd = shop.save("tab:7", 0, 1);
    odd["recount"] = json!("maybe");
    assert_eq!(outcomes(&shop.send(&ana, &[odd]).await), ["rejected"]);
}

#[rstest]
#[tokio::test]
async fn counter_and_sender_are_both_stored(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let (ana, ben) = (shop.counter().await, shop.counter().await);
    let mut batch = shop.batch(&[shop.save("tab:1", 0, 4)]);
    batch["countedBy"] = json!({ "uid": ben.uid });
    let answer = ana.post(&format!("{PATH}/batch"), &batch).await.expect(200);
    // Users who see the counter also see the sender.
    assert_eq!(answer["results"][0]["current"]["by"], "Ana Cruz, sent by Ana Cruz");
    let mut nobody = shop.batch(&[shop.save("tab:2", 1, 4)]);
    nobody["countedBy"] = json!({ "uid": "nobody" });
    ana.post(&format!("{PATH}/batch"), &nobody).await.expect(200);
    let seen = shop.entries(&ana).await;
    let entries = seen["entries"].as_array().expect("entries");
    assert_eq!(entries.len(), 2, "{seen}");
    for entry in entries {
        let counted = if entry["itemId"] == shop.items[0].as_str() { &ben.uid } else { &ana.uid };
        assert_eq!(
            (&entry["countedBy"]["uid"], &entry["updatedBy"]["uid"], &entry["sentBy"]["uid"]),
            (&json!(counted), &json!(ana.uid), &json!(ana.uid))
        );
    }
    // The audit trail has a row for each changed count, with its store.
    let trail = shop.admin.get("/api/history?kind=storeCount").await.expect(200);
    assert_eq!((&trail["total"], &trail["items"][0]["storeId"]), (&json!(2), &json!(shop.store)));
}

/// Everyone who reads counts sees the ids of devices.
#[rstest]
#[tokio::test]
async fn a_device_cannot_impersonate_another(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let (ana, eve) = (shop.counter().await, shop.counter().await);
    // An id of a device other than the sender.
    let mut batch = shop.batch(&[shop.save("tab:1", 0, 99)]);
    batch["deviceId"] = json!("eve");
    let answer = eve.post(&format!("{PATH}/batch"), &batch).await.expect(200);
    assert_eq!(
        (&answer["results"][0]["outcome"], &answer["results"][0]["fields"][0]["field"]),
        (&json!("rejected"), &json!("op")),
        "{answer}"
    );
    // As that device, and far ahead of its sequence.
    let mut forged = shop.save("tab:1", 0, 99);
    forged["at"] = json!(shop.now().plus_ms(-60_000));
    let mut ahead = shop.save("tab:999999", 0, 99);
    ahead["at"] = forged["at"].clone();
    assert_eq!(outcomes(&shop.send(&eve, &[forged, ahead]).await), ["applied", "applied"]);
    let own = [shop.save("tab:1", 0, 4)];
    let answers = shop.send(&ana, &own).await;
    assert_eq!(
        (outcomes(&answers), &answers[0]["op"], &answers[0]["current"]["qty"]),
        (vec!["applied"], &json!("tab:1"), &json!(4))
    );
    assert_eq!(outcomes(&shop.send(&ana, &own).await), ["duplicate"], "it is still applied once");
    assert_eq!(outcomes(&shop.send(&ana, &[shop.save("tab:2", 0, 5)]).await), ["applied"]);
    let other = shop.send(&ana, &[shop.save("tab:1", 0, 6)]).await;
    assert_eq!(outcomes(&other), ["rejected"], "an id is used once");
}

#[rstest]
#[tokio::test]
async fn a_whole_store_fits_in_one_batch(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut shop = Shop::open(on).await;
    shop.fill(400).await;
    let ana = shop.counter().await;
    let at = shop.now();
    let saves: Vec<Value> = (1..)
        .zip(&shop.items)
        .map(|(seq, item)| {
            json!({ "op": format!("tab:{seq}"), "storeId": shop.store, "date": shop.today(), "itemId": item,
                "qty": seq, "at": at })
        })
        .collect();
    let batch = json!({ "sentAt": at, "deviceId": "tab", "entries": saves });
    for expected in ["applied", "duplicate"] {
        let answer = ana.post(&format!("{PATH}/batch"), &batch).await.expect(200);
        let results = answer["results"].as_array().expect("answers");
        assert!(results.iter().all(|result| result["outcome"] == expected));
        assert_eq!((results.len(), &results[399]["op"]), (400, &json!("tab:400")));
    }
    assert_eq!(shop.entries(&ana).await["entries"].as_array().map(Vec::len), Some(400));
}

/// The same saves concurrently, as from two independent tabs.
#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_equal_batches_are_applied_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    for round in 0..5 {
        let saves: Vec<Value> =
            (0..3).map(|n| shop.save(&format!("tab:{}", round * 3 + n + 1), n, round)).collect();
        let batch = shop.batch(&saves);
        let tries = (0..4).map(|_| {
            let (ana, batch) = (ana.clone(), batch.clone());
            tokio::spawn(async move { ana.post(&format!("{PATH}/batch"), &batch).await.expect(200) })
        });
        let mut applied = 0;
        for answer in futures::future::join_all(tries).await {
            let answer = answer.expect("an answer");
            applied += outcomes(answer["results"].as_array().expect("answers"))
                .into_iter()
                .filter(|outcome| *outcome == "applied")
                .count();
        }
        assert_eq!(applied, 3);
    }
}
