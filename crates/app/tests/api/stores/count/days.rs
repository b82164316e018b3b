//! Day summaries, ranges, and count settings.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, Shop};
use crate::support::{Engine, one_engine};
use crate::users::store;

#[rstest]
#[tokio::test]
async fn a_day_has_opening_and_closing_counts(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    shop.settle(json!({ "restrictDate": false, "autoSessionByTime": false })).await;
    let ana = shop.counter().await;
    let on_day = |op: &str, days: i32, item: usize, session: Value| {
        let mut save = shop.save(op, item, 1);
        save["date"] = json!(shop.today().plus(days));
        save["session"] = session;
        save
    };
    let saves = [
        on_day("tab:1", -3, 0, Value::Null),
        on_day("tab:2", -2, 0, json!("closing")),
        on_day("tab:3", -2, 1, json!("closing")),
        on_day("tab:4", 0, 0, json!("opening")),
        on_day("tab:5", 0, 1, json!("closing")),
        on_day("tab:6", 0, 1, json!("opening")),
    ];
    shop.send(&ana, &saves).await;
    let (start, end) = (shop.today().plus(-3), shop.today());
    let path = |what: &str, start: &str, end: &str| {
        format!("{PATH}/{what}?storeId={}&start={start}&end={end}", shop.store)
    };
    let days = ana.get(&path("summary", &start.to_string(), &end.to_string())).await.expect(200);
    let reported: Vec<_> = days["days"]
        .as_array()
        .expect("days")
        .iter()
        .map(|day| {
            (day["opening"].as_bool(), day["closing"].as_bool(), day["counted"].as_i64(), day["of"].as_i64())
        })
        .collect();
    let (yes, no) = (Some(true), Some(false));
    let of = Some(3);
    assert_eq!(
        reported,
        [(yes, no, Some(1), of), (no, yes, Some(2), of), (no, no, Some(0), of), (yes, yes, Some(2), of)]
    );
    assert_eq!((&days["days"][3]["by"], &days["days"][2]["firstAt"]), (&json!(["Ana Cruz"]), &Value::Null));
    let one = ana.get(&format!("{PATH}/summary?storeId={}&date={end}", shop.store)).await.expect(200);
    assert_eq!(
        (one["days"].as_array().map(Vec::len), &one["days"][0]["openingCounted"]),
        (Some(1), &json!(2))
    );

    let range = ana.get(&path("range", &start.to_string(), &end.to_string())).await.expect(200);
    let dates: Vec<&str> = range["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .filter_map(|entry| entry["date"].as_str())
        .collect();
    assert_eq!(dates.len(), 6);
    assert!(dates.is_sorted());
    // Without a session its id has no session part.
    let whole = &range["entries"][0];
    assert_eq!(whole["id"], format!("{}_{start}_{}", shop.store, shop.items[0]));
    assert_eq!(whole.get("session"), None);

    // Missing or reversed ranges are empty.
    let (start, end) = (start.to_string(), end.to_string());
    for query in [
        path("range", &end, &start),
        format!("{PATH}/range?storeId={}&start={start}", shop.store),
        format!("{PATH}/range?start={start}&end={end}"),
        format!("{PATH}/range"),
    ] {
        assert_eq!(ana.get(&query).await.expect(200)["entries"], json!([]), "{query}");
    }
    let refusal = ana.get(&path("range", "2020-01-01", "2021-01-01")).await.expect(422);
    assert_eq!(refusal["fields"][0]["field"], "end");
    ana.get(&path("range", "yesterday", &end)).await.expect(422);
    let elsewhere = store(&shop.app, "OTHER").await;
    let range = format!("&start={start}&end={end}");
    let day = format!("&date={end}");
    for (what, more) in [
        ("entries", &day),
        ("range", &range),
        ("summary", &range),
        ("history", &format!("{day}&itemId=x")),
        ("state", &day),
        ("warm-up", &String::new()),
        ("expected", &day),
    ] {
        let query = format!("{PATH}/{what}?storeId={elsewhere}{more}");
        assert_eq!(ana.get(&query).await.expect(403)["code"], "outOfScope", "{what}");
    }
}

#[rstest]
#[tokio::test]
async fn a_store_has_the_default_settings_until_changed(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let other = store(&shop.app, "OTHER").await;
    let path = format!("{PATH}/settings/{other}");
    let site = shop.admin.get(&path).await.expect(200);
    for on in ["restrictDate", "timeLockEnabled", "enforceTimeWindow", "autoSessionByTime", "userLockEnabled"]
    {
        assert_eq!(site[on], true, "{on}");
    }
    assert_eq!((&site["blind"], &site["revision"]), (&json!(false), &json!(0)));
    let hours = ["openingFrom", "openingTo", "closingFrom", "closingTo"].map(|field| site[field].as_i64());
    assert_eq!(hours, [Some(300), Some(660), Some(1_080), Some(1_560)]);

    let changed = shop.admin.put(&path, &json!({ "blind": true, "openingFrom": 240 })).await.expect(200);
    assert_eq!((&changed["blind"], &changed["openingFrom"]), (&json!(true), &json!(240)));
    assert_eq!((&changed["restrictDate"], &changed["revision"]), (&json!(true), &json!(1)));
    assert_eq!(changed["updatedBy"]["uid"], json!(shop.admin.uid));
    let stale = shop.admin.put(&path, &json!({ "blind": false, "revision": 0 })).await.expect(409);
    assert_eq!((&stale["code"], &stale["current"]["blind"]), (&json!("stale"), &json!(true)));
    let wrong = json!({ "openingTo": 200, "closingFrom": 1_440, "outlierFactor": 0 });
    let refusal = shop.admin.put(&path, &wrong).await.expect(422);
    let fields: Vec<&Value> =
        refusal["fields"].as_array().expect("fields").iter().map(|field| &field["field"]).collect();
    assert_eq!(fields, ["openingTo", "closingFrom", "outlierFactor"]);
    shop.admin.get(&format!("{PATH}/settings/none")).await.expect(404);

    let bulk = format!("{PATH}/settings/bulk");
    let both = json!({ "storeIds": [shop.store, other, other], "change": { "userLockEnabled": false } });
    assert_eq!(shop.admin.post(&bulk, &both).await.expect(200)["stores"], 2);
    assert_eq!(shop.admin.get(&path).await.expect(200)["userLockEnabled"], false);
    assert_eq!(shop.admin.get(&path).await.expect(200)["blind"], true);
    let editor =
        shop.app.user(&[("stores/storeCount", Action::ALL)], Some(std::slice::from_ref(&shop.store))).await;
    assert_eq!(editor.post(&bulk, &both).await.expect(403)["code"], "outOfScope");
    assert_eq!(editor.put(&path, &json!({ "blind": false })).await.expect(403)["code"], "outOfScope");
    shop.counter().await.put(&path, &json!({})).await.expect(403);
    shop.admin.post(&bulk, &json!({ "storeIds": [], "change": {} })).await.expect(422);
    // serde would read the values in the order of the fields.
    let list = json!({ "storeIds": [shop.store], "change": [true, null, null] });
    let refused = shop.admin.post(&bulk, &list).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "change");
    assert_eq!(refused["fields"][0]["message"], "Send an object with named members, not a list.");
}

#[rstest]
#[tokio::test]
async fn the_session_follows_the_time_unless_configured_otherwise(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let mut save = shop.save("tab:1", 0, 1);
    save.as_object_mut().expect("a save").remove("session");
    // The item field of older devices is accepted too.
    let item = save.as_object_mut().expect("a save").remove("itemId");
    save["rootProductId"] = item.expect("an item");
    shop.send(&shop.admin, std::slice::from_ref(&save)).await;
    let seen = shop.entries(&shop.admin).await;
    let minute = (shop.now().0 / 60_000 + 8 * 60).rem_euclid(1_440);
    let expected = if minute < 14 * 60 { "opening" } else { "closing" };
    assert_eq!(seen["entries"][0]["session"], expected);
    assert_eq!(seen["entries"][0]["itemId"], shop.items[0].as_str());
    shop.settle(json!({ "autoSessionByTime": false })).await;
    save["op"] = json!("tab:2");
    save["seq"] = json!(2);
    shop.send(&shop.admin, &[save]).await;
    assert_eq!(shop.entries(&shop.admin).await["entries"].as_array().map(Vec::len), Some(2));
}
