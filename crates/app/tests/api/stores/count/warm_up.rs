//! Offline data of a device, and photos.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbImage};
use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, Shop};
use crate::support::{Engine, one_engine};
use crate::users::store;

#[rstest]
#[tokio::test]
async fn the_warm_up_has_all_data_for_counting(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    shop.settle(json!({ "restrictDate": false })).await;
    let ana = shop.counter().await;
    let mut before = [shop.save("tab:1", 0, 7), shop.save("tab:2", 0, 6), shop.save("tab:3", 1, 5)];
    before[0]["date"] = json!(shop.today().plus(-9));
    before[1]["date"] = json!(shop.today().plus(-4));
    before[2]["date"] = json!(shop.today().plus(-1));
    shop.send(&ana, &before).await;
    shop.send(&ana, &[shop.save("tab:4", 2, 4)]).await;

    let path = format!("{PATH}/warm-up?storeId={}", shop.store);
    let answer = ana.get(&path).await;
    let etag = answer.headers["etag"].to_str().expect("text").to_owned();
    let seen = answer.expect(200);
    assert_eq!((&seen["store"]["name"], &seen["today"]), (&json!("MKT"), &json!(shop.today())));
    let names: Vec<&Value> =
        seen["items"].as_array().expect("items").iter().map(|item| &item["name"]).collect();
    assert_eq!(names, ["Rice", "Tea", "Bread"]);
    assert_eq!(seen["settings"]["storeId"], json!(shop.store));
    let mut previous: Vec<(String, i64)> = seen["previous"]
        .as_array()
        .expect("counts")
        .iter()
        .map(|one| {
            (one["itemId"].as_str().expect("an id").to_owned(), one["qty"].as_i64().expect("a number"))
        })
        .collect();
    previous.sort();
    let mut expected = vec![(shop.items[0].clone(), 6), (shop.items[1].clone(), 5)];
    expected.sort();
    assert_eq!(previous, expected, "the last known one of each");
    assert_eq!(seen["entries"].as_array().map(Vec::len), Some(2), "yesterday's and today's");
    assert!(seen["serverTime"].is_string());

    let again = ana
        .send(ana.request(reqwest::Method::GET, &path).header("if-none-match", format!("\"x\", W/{etag}")))
        .await;
    assert_eq!((again.status, again.bytes.len()), (304, 0));
    shop.send(&ana, &[shop.save("tab:5", 2, 3)]).await;
    let changed = ana.send(ana.request(reqwest::Method::GET, &path).header("if-none-match", etag)).await;
    assert_eq!(changed.status, 200);
}

/// A product of a single root item is counted as the item that stands for it.
#[rstest]
#[tokio::test]
async fn items_have_the_barcodes_of_their_products(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let make = async |path: &str, body: Value| shop.admin.post(path, &body).await.expect(201)["id"].clone();
    let pc = make("/api/lists/uoms", json!({ "name": "Piece", "code": "pc" })).await;
    let case = make("/api/lists/uoms", json!({ "name": "Case", "code": "case" })).await;
    let milk = make("/api/lists/root-items", json!({ "name": "Coconut milk" })).await;
    let rice = make("/api/lists/root-items", json!({ "name": "Rice" })).await;
    make("/api/lists/store-inventory-items", json!({ "name": "Milk", "uomId": pc, "rootItemId": milk }))
        .await;
    let product = async |name: &str, roots: &[&Value], codes: Value, inactive: bool| {
        let roots: Vec<Value> = roots.iter().map(|root| json!({ "rootItemId": root, "factor": 1 })).collect();
        let body = json!({
            "name": name, "baseUom": pc, "otherUoms": [{ "uomId": case, "whole": true }], "inactive": inactive,
            "conversions": [{ "fromUomId": case, "toUomId": pc, "factor": 24 }],
            "rootItemConversions": roots, "barcodes": codes,
        });
        make("/api/products", body).await;
    };
    let codes = json!([{ "code": "111111", "uomId": pc }, { "code": "222222", "uomId": case }]);
    product("Coconut milk, 400 ml", &[&milk], codes.clone(), false).await;
    product("Rice in coconut milk", &[&milk, &rice], json!([{ "code": "333333", "uomId": pc }]), false).await;
    product("Coconut milk (old)", &[&milk], json!([{ "code": "444444", "uomId": pc }]), true).await;

    let seen = shop.admin.get(&format!("{PATH}/warm-up?storeId={}", shop.store)).await.expect(200);
    let items = seen["items"].as_array().expect("items");
    let of = |name: &str| {
        items.iter().find(|item| item["name"] == name).expect("an item")["productBarcodes"].clone()
    };
    assert_eq!((of("Milk"), of("Tea")), (codes, Value::Null));
}

#[rstest]
#[tokio::test]
async fn units_and_packs_are_marked_as_indivisible(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    let mut units = Vec::new();
    for (name, code) in [("Kilogram", "kg"), ("Sack", "sack")] {
        let made =
            shop.admin.post("/api/lists/uoms", &json!({ "name": name, "code": code })).await.expect(201);
        units.push(made["id"].clone());
    }
    let flour = json!({ "name": "Flour", "uomId": units[0], "packs": [{ "uomId": units[1], "factor": 25 }] });
    shop.admin.post("/api/lists/store-inventory-items", &flour).await.expect(201);
    let path = format!("{PATH}/warm-up?storeId={}", shop.store);
    let seen = shop.admin.get(&path).await.expect(200);
    let items = seen["items"].as_array().expect("items");
    let item = |name: &str| items.iter().find(|item| item["name"] == name).expect("an item");
    let flour = item("Flour");
    assert_eq!((&flour["uomCode"], &flour["whole"]), (&json!("kg"), &json!(false)));
    assert_eq!((&flour["packs"][0]["code"], &flour["packs"][0]["whole"]), (&json!("sack"), &json!(true)));
    assert_eq!(item("Rice").get("whole"), None, "it has no unit");
}

#[rstest]
#[tokio::test]
async fn a_photo_belongs_to_its_store(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let (ana, other) = (shop.counter().await, store(&shop.app, "OTHER").await);
    let mut file = Cursor::new(Vec::new());
    DynamicImage::from(RgbImage::new(2_000, 1_000)).write_to(&mut file, ImageFormat::Png).expect("a picture");
    let path = format!("{PATH}/photos?storeId={}", shop.store);
    let photo = ana.upload(&path, file.get_ref().clone()).await.expect(201)["photo"].clone();
    assert_eq!(ana.upload(&path, file.into_inner()).await.expect(201)["photo"], photo, "the same one");
    let photo = photo.as_str().expect("a name");
    let mut save = shop.save("tab:1", 0, 1);
    save["photo"] = json!(photo);
    shop.send(&ana, &[save]).await;
    assert_eq!(shop.entries(&ana).await["entries"][0]["photo"], photo);
    let seen = ana.get(&format!("{PATH}/photos/{photo}?storeId={}&size=thumb", shop.store)).await;
    assert_eq!((seen.status, seen.headers["content-type"].to_str().ok()), (200, Some("image/jpeg")));
    let thumb = image::load_from_memory(&seen.bytes).expect("a picture");
    assert_eq!((thumb.width(), thumb.height()), (160, 80));

    ana.get(&format!("{PATH}/photos/{photo}?storeId={other}")).await.expect(403);
    shop.admin.get(&format!("{PATH}/photos/{photo}?storeId={other}")).await.expect(404);
    for name in ["..%2F..%2Flarder.db", "none", "0123456789ABCDEF0123456789ABCDEF"] {
        ana.get(&format!("{PATH}/photos/{name}?storeId={}", shop.store)).await.expect(404);
    }
    ana.upload(&path, "no picture").await.expect(415);
    ana.upload(&format!("{PATH}/photos?storeId={other}"), "x").await.expect(403);
    ana.upload(&format!("{PATH}/photos"), "x").await.expect(422);
}

#[rstest]
#[tokio::test]
async fn the_warm_up_has_expected_stock_unless_blind(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let shop = Shop::open(on).await;
    // The last window ends at midnight, so that counts taken now are of today.
    shop.settle(json!({ "restrictDate": false, "closingTo": 1440 })).await;
    let ana = shop.counter().await;
    let rice = &shop.items[0];
    let list = "/api/lists/store-inventory-items";
    let root = shop.admin.post("/api/lists/root-items", &json!({ "name": "Rice (kg)" })).await.expect(201);
    let known = shop.admin.get(&format!("{list}/{rice}")).await.expect(200);
    let change = json!({ "rootItemId": root["id"], "rootQtyPerUnit": 2, "revision": known["revision"] });
    shop.admin.patch(&format!("{list}/{rice}"), &change).await.expect(200);
    let path = format!("{PATH}/warm-up?storeId={}", shop.store);
    let expected = async || {
        let seen = ana.get(&path).await.expect(200);
        let counts = seen["expectedOf"].as_array().expect("counts").clone();
        assert_eq!(counts.len(), 6, "of two days");
        let due = counts
            .into_iter()
            .find(|one| (&one["date"], &one["session"]) == (&seen["countingDate"], &seen["countingSession"]));
        due.expect("the count due")["items"].clone()
    };
    assert_eq!(expected().await, json!({}), "never counted");
    let mut before = shop.save("tab:1", 0, 7);
    before["date"] = json!(shop.today().plus(-1));
    shop.send(&ana, &[before]).await;
    assert_eq!(expected().await, json!({ rice.as_str(): 7 }));
    // Of the session due: a closing count is based on the opening one.
    let due = ana.get(&path).await.expect(200);
    let mut own = shop.save("tab:2", 0, 3);
    (own["date"], own["session"]) = (due["countingDate"].clone(), due["countingSession"].clone());
    shop.send(&ana, &[own]).await;
    assert_eq!(expected().await, json!({ rice.as_str(): 7 }), "its own count changes nothing");
    shop.settle(json!({ "blind": true })).await;
    assert_eq!(ana.get(&path).await.expect(200)["expectedOf"], json!([]));
    let of_day = format!("{PATH}/expected?storeId={}&date={}", shop.store, shop.today());
    assert_eq!(ana.get(&of_day).await.expect(200)["expectedOf"], json!([]));
}

/// A blind count is worthless if the device has the previous count.
#[rstest]
#[tokio::test]
async fn a_blind_warm_up_has_no_previous_counts(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    // The last window ends at midnight, so that counts taken now are of today.
    shop.settle(json!({ "restrictDate": false, "blind": true, "closingTo": 1440 })).await;
    let ana = shop.counter().await;
    let path = format!("{PATH}/warm-up?storeId={}", shop.store);
    let reply = ana.get(&path).await.expect(200);
    let (date, session) = (reply["countingDate"].clone(), reply["countingSession"].clone());
    let now = |mut save: Value| {
        (save["date"], save["session"]) = (date.clone(), session.clone());
        save
    };
    let mut before =
        [shop.save("tab:1", 0, 7001), shop.save("tab:2", 1, 7002), now(shop.save("tab:3", 2, 7003))];
    before[0]["date"] = json!(shop.today().plus(-9));
    before[1]["date"] = json!(shop.today().plus(-1));
    // The other count of the same day.
    before[2]["session"] = json!(if session == "opening" { "closing" } else { "opening" });
    shop.send(&ana, &before).await;
    shop.send(&ana, &[now(shop.save("tab:4", 2, 4))]).await;
    for client in [&ana, &shop.admin] {
        let seen = client.get(&path).await.expect(200);
        assert_eq!((&seen["previous"], &seen["expectedOf"]), (&json!([]), &json!([])), "for every user");
        let entries = seen["entries"].as_array().expect("entries");
        assert_eq!(
            (entries.len(), &entries[0]["qty"]),
            (1, &json!(4)),
            "the current session's count: {entries:?}"
        );
        // With its colon, because the response's time may contain these digits too.
        assert!(!seen.to_string().contains(":700"), "{seen}");
    }
    shop.settle(json!({ "blind": false })).await;
    let seen = ana.get(&path).await.expect(200);
    assert_eq!(seen["previous"].as_array().map(Vec::len), Some(2));
}
