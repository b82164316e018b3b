//! What products cost, by day and price level.

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use crate::documents::{Site, path};
use crate::support::{App, Client, Engine, actor, one_engine};

const WASTE: &str = "/api/stores/waste";
const RETURNS: &str = "/api/commissary/supplier-returns";

/// Each price with its level, first day and source, newest first.
async fn prices(client: &Client, product: &str) -> Vec<(String, String, Value, String)> {
    let found = client.get(&format!("{}/{product}/prices", super::PATH)).await.expect(200);
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let items = found["items"].as_array().expect("prices").iter();
    let price =
        |it: &Value| (text(&it["priceLevelId"]), text(&it["from"]), it["price"].clone(), text(&it["source"]));
    items.map(price).collect()
}

fn kept(level: &str, from: impl ToString, price: Value, source: &str) -> (String, String, Value, String) {
    (level.to_owned(), from.to_string(), price, source.to_owned())
}

/// Saves the prices of a product in its form.
async fn save(client: &Client, product: &str, lines: &[(&str, f64)]) -> Value {
    let record = format!("{}/{product}", super::PATH);
    let revision = client.get(&record).await.expect(200)["revision"].clone();
    let lines: Vec<Value> =
        lines.iter().map(|(level, price)| json!({ "priceLevelId": level, "price": price })).collect();
    client.patch(&record, &json!({ "priceLevelPrices": lines, "revision": revision })).await.expect(200)
}

async fn make_level(client: &Client, name: &str) -> String {
    super::id(&super::make(client, "/api/lists/price-levels", json!({ "name": name })).await)
}

async fn count(app: &App) -> i64 {
    app.db.sql("select cast(count(*) as bigint) from product_prices").scalar().await.expect("a number")
}

#[rstest]
#[tokio::test]
async fn saved_prices_are_kept_by_day_and_level(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let today = BusinessDay::of(app.state.now());
    let (own, mall) = (make_level(&admin, "Own").await, make_level(&admin, "Mall").await);
    let line = json!([{ "priceLevelId": own, "price": 240 }]);
    let body = json!({ "name": "Buns", "type": "Non-inventory", "priceLevelPrices": line });
    let buns = super::id(&super::make(&admin, super::PATH, body).await);
    // The first price holds for all days.
    let first = kept(&own, "1970-01-01", json!(240), "set");
    assert_eq!(prices(&admin, &buns).await, std::slice::from_ref(&first));

    // Another counts from today on; saved again, the same row changes. What did not change has no new row.
    save(&admin, &buns, &[(&own, 250.5), (&mall, 300.0)]).await;
    save(&admin, &buns, &[(&own, 251.5), (&mall, 300.0)]).await;
    let found = prices(&admin, &buns).await;
    assert_eq!(found[0], kept(&own, today, json!(251.5), "set"));
    assert!(found.contains(&first) && found.contains(&kept(&mall, "1970-01-01", json!(300), "set")));
    assert_eq!(found.len(), 3);
    let whole = admin.get(&format!("{}/{buns}/prices", super::PATH)).await.expect(200);
    assert_eq!(
        (&whole["items"][0]["updatedBy"]["name"], &whole["items"][0]["fromStart"]),
        (&json!("Ana Cruz"), &json!(false))
    );
    // A level without a price.
    save(&admin, &buns, &[(&mall, 300.0)]).await;
    assert_eq!(prices(&admin, &buns).await[0], kept(&own, today, Value::Null, "set"));
    // Fields besides the prices leave them alone.
    let record = format!("{}/{buns}", super::PATH);
    let revision = admin.get(&record).await.expect(200)["revision"].clone();
    admin.patch(&record, &json!({ "shelfLife": 3, "revision": revision })).await.expect(200);
    assert_eq!(prices(&admin, &buns).await.len(), 3);

    // Prices from before they were kept hold for all days; changed, they stay those of the days before.
    let who = actor(app.state.now());
    let emptied = app.db.write(&who, async |tx| tx.sql("delete from product_prices").execute().await);
    emptied.await.expect("emptied");
    assert_eq!(prices(&admin, &buns).await, [kept(&mall, "1970-01-01", json!(300), "start")]);
    save(&admin, &buns, &[(&mall, 310.0)]).await;
    let both = [kept(&mall, today, json!(310), "set"), kept(&mall, "1970-01-01", json!(300), "start")];
    assert_eq!(prices(&admin, &buns).await, both);

    // Merged levels: the one that stays keeps its own prices; the other's go with it.
    let revision = async |level: &str| {
        admin.get(&format!("/api/lists/price-levels/{level}")).await.expect(200)["revision"].clone()
    };
    let merge =
        json!({ "into": own, "revision": revision(&mall).await, "intoRevision": revision(&own).await });
    admin.post(&format!("/api/lists/price-levels/{mall}/merge"), &merge).await.expect(200);
    assert_eq!(prices(&admin, &buns).await, [kept(&own, "1970-01-01", json!(310), "set")]);
    // They go with their product.
    admin.delete(&format!("{}/{buns}", super::PATH)).await.expect(204);
    admin.get(&format!("{}/{buns}/prices", super::PATH)).await.expect(404);
    assert_eq!(count(&app).await, 0);
}

#[rstest]
#[tokio::test]
async fn users_of_products_see_their_prices(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let place = format!("{}/{}/prices", super::PATH, site.buns);
    let reader = site.app.user(&[("products/products", &[Action::View])], None).await;
    reader.get(&place).await.expect(200);
    let other = site.app.user(&[("stores/storeCount", &[Action::View])], None).await;
    other.get(&place).await.expect(403);
}

#[rstest]
#[tokio::test]
async fn documents_of_past_days_have_the_prices_of_their_days(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let admin = &site.admin;
    let today = BusinessDay::of(site.app.state.now());
    let store = admin.get(&format!("/api/stores/locations/{}", site.store)).await.expect(200);
    let level = store["priceLevelId"].as_str().expect("a level").to_owned();
    // ₱240 a case of 24 up to yesterday, ₱300 from today on.
    save(admin, &site.buns, &[(&level, 300.0)]).await;

    let line = json!({ "productId": site.buns, "uomId": site.piece, "qty": 2, "reason": "expired" });
    let waste = async |day: BusinessDay| {
        let draft = json!({ "storeId": site.store, "businessDate": day, "lines": [line] });
        admin.post(WASTE, &draft).await.expect(201)
    };
    let price = |document: &Value| document["lines"][0]["unitPrice"].clone();
    let (past, now) = (waste(today.plus(-3)).await, waste(today).await);
    assert_eq!((price(&past), price(&now)), (json!(10), json!(12.5)));
    // Saved again, and moved to another day.
    let lines = json!({ "revision": past["revision"], "lines": [line] });
    let past = admin.patch(&path(WASTE, &past), &lines).await.expect(200);
    assert_eq!(price(&past), 10);
    let moved = json!({ "revision": past["revision"], "businessDate": today });
    let moved = admin.patch(&path(WASTE, &past), &moved).await.expect(200);
    assert_eq!(price(&moved), 12.5);

    let supplier = super::id(&super::make(admin, "/api/lists/suppliers", json!({ "name": "Farm" })).await);
    let line = json!({ "productId": site.buns, "uomId": site.case, "qty": 1, "reason": "quality" });
    let back = async |day: BusinessDay| {
        let draft = json!({
            "placeKind": "store", "placeId": site.store, "supplierId": supplier, "returnDate": day, "lines": [line],
        });
        admin.post(RETURNS, &draft).await.expect(201)
    };
    assert_eq!((price(&back(today.plus(-3)).await), price(&back(today).await)), (json!(240), json!(300)));
    // An order is written today, whatever the day it is for.
    let order = admin
        .post(crate::documents::ORDERS, &site.order(json!([{ "productId": site.buns, "qty": 1 }])))
        .await
        .expect(201);
    assert_eq!(price(&order), 300);
}
