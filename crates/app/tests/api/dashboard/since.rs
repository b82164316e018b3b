//! Changes since the last visit are counted one by one, from when each arose; and the lists that tasks link to.

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use crate::documents::{ORDERS, Site, made, step_as};
use crate::sales::{Reading, put_reading, z_reading};
use crate::support::{App, Client, Engine, actor, one_engine};

const HOME: &str = "/api/dashboard/main";
const RIGHTS: &[(&str, &[Action])] = &[
    ("dashboard/home", &[Action::View]),
    ("stores/storeOrders", &[Action::View, Action::Create, Action::Edit, Action::Approve]),
    ("stores/storeCount", &[Action::View, Action::Count, Action::Approve]),
    ("sales/zReading", &[Action::View, Action::Edit]),
    ("sales/tenderReport", &[Action::View]),
];

async fn order(site: &Site, client: &Client, days: i32) {
    let mut body = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 1 }]));
    body["neededDate"] = json!(site.soon().plus(days));
    let order = client.post(ORDERS, &body).await.expect(201);
    step_as(client, ORDERS, &order, "submit", json!({})).await.expect(200);
}

/// Sends a count of a day ahead, which is held.
async fn hold(app: &App, client: &Client, (store, item): (&str, &str), seq: i64) {
    let (now, device) = (app.state.now(), format!("tablet-{seq}"));
    let save = json!({ "op": format!("{device}:1"), "seq": 1, "storeId": store, "itemId": item,
        "date": BusinessDay::of(now).plus(2), "session": "opening", "qty": seq, "at": now, "base": null, "prev": null });
    let batch = json!({ "sentAt": now, "deviceId": device, "entries": [save] });
    let taken = client.post("/api/stores/count/batch", &batch).await.expect(200);
    assert_eq!(taken["results"][0]["outcome"], "held", "{taken}");
}

async fn told(client: &Client, about: &[&str]) -> Vec<String> {
    let home = client.get(HOME).await.expect(200);
    let items = home["since"]["items"].as_array().expect("items").iter();
    let texts = items.map(|item| item["text"].as_str().expect("words").to_owned());
    texts.filter(|text| about.iter().any(|title| text.starts_with(title))).collect()
}

#[rstest]
#[tokio::test]
async fn only_what_arose_is_new(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    site.app.clock.advance_to_hour(23);
    let (app, admin) = (&site.app, site.app.admin().await);
    let item = json!({ "name": "Buns", "uomId": site.piece });
    let item = made(&admin, "/api/lists/store-inventory-items", item).await;
    let viewer = app.user(RIGHTS, None).await;
    order(&site, &admin, 0).await;
    for seq in [1, 2] {
        hold(app, &admin, (&site.store, &item), seq).await;
    }
    let reading = z_reading::make(&admin, &z_reading::typed(app, &site.store, 1, 4)).await;
    let disputed = z_reading::take(&admin, &reading, "dispute").await;
    for ago in [10, 2, 1] {
        let reading = Reading { terminal: "T9".into(), ..Reading::of(100) };
        put_reading(app, &site.store, z_reading::day(app, ago), &reading).await;
    }
    viewer.post(&format!("{HOME}/visit"), &json!({})).await.expect(204);

    app.clock.advance(2 * 3_600);
    let about = ["Orders to approve", "Counts held", "Z-readings disputed", "Cash not deposited"];
    // Yesterday's cash became late; everything else is as it was, whatever was changed since.
    let note = json!({ "revision": disputed["revision"], "gross": 1_250 });
    admin.patch(&z_reading::at(&disputed), &note).await.expect(200);
    let who = actor(app.state.now());
    let touched = app
        .db
        .write(&who, async |tx| tx.sql("update documents set updated_at = $1").bind(who.at).execute().await);
    assert_eq!(touched.await.expect("a change"), 1);
    assert_eq!(told(&viewer, &about).await, ["Cash not deposited: 1"]);
    // One more of each, and the viewer's own.
    order(&site, &admin, 1).await;
    order(&site, &viewer, 2).await;
    hold(app, &admin, (&site.store, &item), 3).await;
    hold(app, &viewer, (&site.store, &item), 4).await;
    let reading = z_reading::make(&admin, &z_reading::typed(app, &site.store, 2, 3)).await;
    z_reading::take(&admin, &reading, "dispute").await;
    let mut told = told(&viewer, &about).await;
    told.sort();
    let expected =
        ["Cash not deposited: 1", "Counts held: 1", "Orders to approve: 1", "Z-readings disputed: 1"];
    assert_eq!(told, expected);
}

#[rstest]
#[tokio::test]
async fn a_task_s_list_opens_for_everyone_who_has_the_task(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    made(&site.admin, "/api/lists/store-inventory-items", json!({ "name": "Buns", "uomId": site.piece }))
        .await;
    z_reading::sell(&site.app, &site.store, 0, 100_000).await;
    site.app.clock.advance(86_400);
    // Without Home.
    let counter = site.app.user(&[("stores/storeCount", &[Action::View])], None).await;
    let bell = counter.get("/api/notifications").await.expect(200);
    let missing = bell["items"].as_array().expect("items").iter().find(|one| one["kind"] == "countsMissing");
    let href = missing.expect("missing counts")["href"].as_str().expect("a link");
    let list = counter.get(&format!("/api{href}")).await.expect(200);
    assert_eq!(list["title"], "Counts missing");
    assert_eq!(counter.get(&format!("{HOME}/waiting?of=papers")).await.status, 403);
    counter.get(HOME).await.expect(403);
}

#[rstest]
#[tokio::test]
async fn a_shortage_is_told_to_the_stores_that_it_touches(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let levels = site.admin.get("/api/lists/price-levels").await.expect(200);
    let level = &levels["items"][0]["id"];
    let far = json!({ "name": "Makati", "code": "MKT", "priceLevelId": level });
    let far = made(&site.admin, "/api/stores/locations", far).await;
    site.stock(&site.buns, 72).await;
    let kitchen: &[(&str, &[Action])] =
        &[("dashboard/home", &[Action::View]), ("commissary/orders", &[Action::View, Action::Approve])];
    let near = site.app.user(kitchen, Some(std::slice::from_ref(&site.store))).await;
    let away = site.app.user(kitchen, Some(std::slice::from_ref(&far))).await;
    let all = site.app.user(kitchen, None).await;
    let shared = async |client: &Client| -> Vec<Value> {
        let list = client.get(&format!("{HOME}/waiting?of=ordersToShare")).await.expect(200);
        list["items"].as_array().expect("items").iter().map(|one| one["text"].clone()).collect()
    };
    // Two of three cases for Cubao; three days later Makati wants two.
    for (store, days) in [(&site.store, 0), (&far, 3)] {
        let mut order = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 2 }]));
        (order["storeId"], order["neededDate"]) = (json!(store), json!(site.soon().plus(days)));
        let order = site.admin.post(ORDERS, &order).await.expect(201);
        site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    }
    let day = site.soon().plus(3).display();
    let words = json!(format!("Not enough for 2 stores, needed {day}"));
    assert_eq!(shared(&all).await, std::slice::from_ref(&words));
    assert_eq!(shared(&away).await, std::slice::from_ref(&words));
    assert_eq!(shared(&near).await, [] as [Value; 0], "Cubao gets all of its order");
}
