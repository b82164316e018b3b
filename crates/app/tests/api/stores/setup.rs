//! What a store needs before it can order, count and sell.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use crate::lists::make_all;
use crate::support::{App, Client, Engine};

/// What is missing: each key, with what it is needed for.
async fn missing(client: &Client, store: &str) -> Vec<(String, String)> {
    let setup = client.get(&format!("/api/stores/setup/{store}")).await.expect(200);
    assert_eq!(setup["storeId"], store);
    let items = setup["items"].as_array().expect("items");
    assert_eq!(items.len(), 8);
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let works = |item: &Value| {
        let works = item["neededFor"].as_array().expect("a list").iter();
        works.map(text).collect::<Vec<_>>().join(" ")
    };
    items.iter().filter(|item| item["done"] == false).map(|item| (text(&item["key"]), works(item))).collect()
}

async fn made(client: &Client, path: &str, body: Value) -> String {
    client.post(path, &body).await.expect(201)["id"].as_str().expect("an id").to_owned()
}

#[rstest]
#[tokio::test]
async fn a_new_store_says_what_is_missing_until_all_is_set(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let store = made(&admin, "/api/stores/locations", json!({ "name": "Cubao" })).await;
    let other = made(&admin, "/api/stores/locations", json!({ "name": "Makati", "posCode": "07" })).await;
    // A user of another store is not one of this store.
    let theirs = app.user(&[("stores/storeList", &[Action::View])], Some(std::slice::from_ref(&other))).await;
    let expected = [
        ("priceLevel", "order"),
        ("source", "order"),
        ("deliveryDays", "order"),
        ("products", "order"),
        ("items", "count"),
        ("openingDays", ""),
        ("tills", "sell"),
        ("people", "order count"),
    ];
    let expected = expected.map(|(key, works)| (key.to_owned(), works.to_owned()));
    assert_eq!(missing(&admin, &store).await, expected);

    let level = make_all(&app, "price-levels", &[json!({ "name": "Standard" })]).await.remove(0);
    let warehouse = make_all(&app, "warehouses", &[json!({ "name": "Taguig" })]).await.remove(0);
    let piece = make_all(&app, "uoms", &[json!({ "name": "Piece", "code": "pc" })]).await.remove(0);
    make_all(&app, "store-inventory-items", &[json!({ "name": "Buns", "code": "B1" })]).await;
    let path = format!("/api/stores/locations/{store}");
    let revision = admin.get(&path).await.expect(200)["revision"].clone();
    let tills = json!([{ "posCode": "08", "terminalId": "01" }]);
    let patch = json!({ "revision": revision, "priceLevelId": level, "posTerminals": tills });
    admin.patch(&path, &patch).await.expect(200);
    let rule = json!({ "weekdays": [1, 3], "cutoffTime": "16:00", "cutoffDays": 1 });
    let at = format!("/api/stores/delivery-calendar/{store}/warehouse/{warehouse}");
    admin.put(&at, &rule).await.expect(200);
    made(&admin, "/api/products", json!({ "name": "Buns", "type": "Non-inventory", "baseUom": piece })).await;
    let left = [("openingDays", ""), ("people", "order count")];
    let left = left.map(|(key, works)| (key.to_owned(), works.to_owned()));
    assert_eq!(missing(&admin, &store).await, left);

    let days = json!({ "weekdays": [1, 2, 3, 4, 5, 6, 7] });
    admin.put(&format!("/api/stores/opening-days/{store}/2025-01-06"), &days).await.expect(200);
    let own = app.user(&[("stores/storeList", &[Action::View])], Some(std::slice::from_ref(&store))).await;
    assert_eq!(missing(&own, &store).await, []);

    assert_eq!(theirs.get(&format!("/api/stores/setup/{store}")).await.status, 403);
    assert_eq!(admin.get("/api/stores/setup/nowhere").await.status, 404);
}
