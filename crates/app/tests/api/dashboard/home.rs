//! Home: each tile's figures for the user's stores, the saved order of tiles, and changes since the last
//! visit.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use crate::documents::{ORDERS, Site, made};
use crate::sales::z_reading::{self, sell, typed};
use crate::support::{App, Client, Engine, one_engine};

const HOME: &str = "/api/dashboard/main";

/// Everything Home shows, without the permission to manage users.
const ALL: &[(&str, &[Action])] = &[
    ("dashboard/home", &[Action::View]),
    ("reports/reports", &[Action::View]),
    ("stores/storeOrders", &[Action::View, Action::Approve]),
    ("stores/storeReceive", &[Action::View, Action::Post]),
    ("stores/storeCount", &[Action::View]),
    ("stores/storeTransactions", &[Action::View, Action::Approve]),
    ("commissary/deliveries", &[Action::View]),
    ("sales/zReading", &[Action::View, Action::Approve]),
    ("sales/tenderReport", &[Action::View]),
    ("lists/allLists", &[Action::View]),
    ("dashboard/drpNew", &[Action::View]),
    ("tools/services", &[Action::View]),
];

pub fn tile<'a>(home: &'a Value, name: &str) -> &'a Value {
    let tiles = home["tiles"].as_array().expect("tiles");
    tiles.iter().find(|tile| tile["name"] == name).unwrap_or(&Value::Null)
}

fn waiting(home: &Value, name: &str) -> (i64, i64) {
    let of = &tile(home, name)["waiting"];
    (of["count"].as_i64().unwrap_or(-1), of["late"].as_i64().unwrap_or(-1))
}

async fn home(client: &Client) -> Value {
    let home = client.get(HOME).await.expect(200);
    for tile in home["tiles"].as_array().expect("tiles") {
        assert!(tile.get("failed").is_none(), "{tile}");
    }
    home
}

/// Two stores with the same data in each: an order to approve, an overdue delivery, missing counts, a reading
/// to verify, a disputed one, sales.
struct Stage {
    site: Site,
    other: String,
}

impl Stage {
    async fn build(on: Engine) -> Self {
        let site = Site::start(on).await;
        let levels = site.admin.get("/api/lists/price-levels").await.expect(200);
        let level = levels["items"][0]["id"].clone();
        let other = json!({ "name": "Makati", "code": "MKT", "priceLevelId": level });
        let other = made(&site.admin, "/api/stores/locations", other).await;
        made(&site.admin, "/api/lists/store-inventory-items", json!({ "name": "Buns", "uomId": site.piece }))
            .await;
        site.stock(&site.buns, 480).await;
        for (store, net) in [(&site.store, 100_000), (&other, 900_000)] {
            let mut body = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 2 }]));
            body["storeId"] = json!(store);
            let order = site.admin.post(ORDERS, &body).await.expect(201);
            site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
            body["neededDate"] = json!(site.soon().plus(1));
            let order = site.admin.post(ORDERS, &body).await.expect(201);
            let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
            let order = site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
            site.dispatched(&order).await;
            let reading = typed(&site.app, store, 1, 4);
            z_reading::make(&site.admin, &reading).await;
            let reading = z_reading::make(&site.admin, &typed(&site.app, store, 2, 3)).await;
            z_reading::take(&site.admin, &reading, "dispute").await;
            sell(&site.app, store, 0, net).await;
            sell(&site.app, store, 7, net / 2).await;
        }
        Self { site, other }
    }
}

#[rstest]
#[tokio::test]
async fn every_tile_matches_the_data_of_accessible_stores(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let Stage { site, other } = Stage::build(on).await;
    let everywhere = site.app.user(ALL, None).await;
    let here = site.app.user(ALL, Some(std::slice::from_ref(&site.store))).await;
    for (client, stores, net, names) in
        [(&everywhere, 2, 10_000.0, json!(["Cubao", "Makati"])), (&here, 1, 1_000.0, json!(["Cubao"]))]
    {
        let home = home(client).await;
        assert_eq!(waiting(&home, "ordersToApprove"), (stores, 0));
        assert_eq!(waiting(&home, "onTheWay"), (stores, 0));
        // Yesterday's two counts; at 09:00 the opening count may still be taken.
        assert_eq!(waiting(&home, "countsMissing"), (2 * stores, 2 * stores));
        assert_eq!(waiting(&home, "readingsToVerify"), (stores, stores));
        // Disputed today, they have two days.
        assert_eq!(waiting(&home, "readingsDisputed"), (stores, 0));
        assert_eq!(waiting(&home, "wasteToApprove"), (0, 0));
        assert_eq!(waiting(&home, "receiptDifferences"), (0, 0));
        assert_eq!(waiting(&home, "cashMissing"), (0, 0));
        assert_eq!(waiting(&home, "recalls"), (0, 0));
        let sales = &tile(&home, "sales")["sales"];
        assert_eq!(
            (sales["net"].as_f64(), sales["before"].as_f64(), &sales["stores"], &sales["wholeDays"]),
            (Some(net), Some(net / 2.0), &json!(stores), &json!(stores))
        );
        assert_eq!((&sales["isToday"], sales.get("until").is_none_or(Value::is_null)), (&json!(true), true));
        let map = &tile(&home, "stores")["stores"];
        let reported: Vec<&Value> =
            map["stores"].as_array().expect("stores").iter().map(|store| &store["name"]).collect();
        assert_eq!((json!(reported), &map["salesMissing"]), (names, &json!(0)));
        assert_eq!(map["stores"][0]["net"].as_f64(), Some(1_000.0));
        // Its count is still to be taken, so it leads to its sales of the day.
        let day = map["day"].as_str().expect("a day");
        let href = format!("/reports/product-sales-by-store?from={day}&to={day}&stores={}", site.store);
        assert_eq!(map["stores"][0]["href"], href);
        assert_eq!(map["href"], format!("/reports/sales-comparison?from={day}&to={day}"));
        let text = home.to_string();
        assert_eq!(text.contains("Makati") || text.contains(&other), stores == 2, "{text}");
    }

    // Three days later the delivery in transit is overdue.
    site.app.clock.advance(4 * 86_400);
    let here = site.app.user(ALL, Some(std::slice::from_ref(&site.store))).await;
    let late = home(&here).await;
    assert_eq!(waiting(&late, "onTheWay"), (1, 1));
    assert_eq!(waiting(&late, "ordersToApprove"), (1, 1));
}

#[rstest]
#[tokio::test]
async fn tiles_need_permission(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let only = app.user(&[("dashboard/home", &[Action::View])], None).await;
    let tiles = only.get(HOME).await.expect(200)["tiles"].clone();
    let names: Vec<&Value> = tiles.as_array().expect("tiles").iter().map(|tile| &tile["name"]).collect();
    // The user's own jobs may fail, whatever their permissions.
    assert_eq!(json!(names), json!(["failedWork"]));
    let waiting = |of: &str| format!("{HOME}/waiting?of={of}");
    assert_eq!(only.get(&waiting("failedWork")).await.expect(200)["total"], 0);
    only.get(&waiting("papers")).await.expect(403);
    only.get(&waiting("sales")).await.expect(422);
    let counter = app
        .user(
            &[("dashboard/home", &[Action::View]), ("stores/storeCount", &[Action::View, Action::Count])],
            None,
        )
        .await;
    made(&app.admin().await, "/api/stores/locations", json!({ "name": "Cubao", "code": "CUB" })).await;
    let home = home(&counter).await;
    let map = &tile(&home, "stores")["stores"];
    assert_eq!((&map["withSales"], map["stores"][0].get("net")), (&json!(false), None));
    assert_eq!(*tile(&home, "sales"), Value::Null);
    let none = app.user(&[("reports/reports", &[Action::View])], None).await;
    none.get(HOME).await.expect(403);
    app.nobody().get(HOME).await.expect(401);
}

#[rstest]
#[tokio::test]
async fn the_saved_order_of_tiles_is_kept(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let (mine, other) = (app.user(ALL, None).await, app.user(ALL, None).await);
    let names = |home: &Value| -> Vec<String> {
        let tiles = home["tiles"].as_array().expect("tiles");
        tiles.iter().map(|tile| tile["name"].as_str().expect("a name").to_owned()).collect()
    };
    let usual = home(&mine).await;
    assert_eq!(usual["arranged"], json!(false));
    let mut order = names(&usual);
    order.reverse();
    let path = format!("{HOME}/arrangement");
    mine.put(&path, &json!({ "tiles": order, "hidden": ["papers"] })).await.expect(204);
    let arranged = home(&mine).await;
    assert_eq!((names(&arranged), &arranged["arranged"]), (order.clone(), &json!(true)));
    let papers = tile(&arranged, "papers");
    assert_eq!(
        (&papers["hidden"], papers.get("waiting")),
        (&json!(true), None),
        "hidden tiles are not loaded"
    );
    assert_eq!(names(&home(&other).await), names(&usual), "arrangements are per user");
    // A tile added later takes its default position.
    let without: Vec<&String> = order.iter().filter(|name| *name != "stores").collect();
    mine.put(&path, &json!({ "tiles": without, "hidden": [] })).await.expect(204);
    let places = names(&home(&mine).await);
    let at = |name: &str| places.iter().position(|known| known == name).expect("there");
    assert_eq!(at("stores"), at("failedWork") + 1);
    for (field, body) in [
        ("tiles", json!({ "tiles": ["weather"], "hidden": [] })),
        ("tiles", json!({ "tiles": ["sales", "sales"], "hidden": [] })),
        ("hidden", json!({ "tiles": [], "hidden": ["nothing"] })),
    ] {
        let refused = mine.put(&path, &body).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], json!(field), "{refused}");
    }
    mine.put(&path, &json!({ "tiles": [], "hidden": [] })).await.expect(204);
    assert_eq!(names(&home(&mine).await), names(&usual));
}

#[rstest]
#[tokio::test]
async fn changes_since_the_last_visit_cover_accessible_stores(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let far = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    let here = site.app.user(ALL, Some(std::slice::from_ref(&site.store))).await;
    let away = site.app.user(ALL, Some(std::slice::from_ref(&far))).await;
    let orders: &[(&str, &[Action])] =
        &[("dashboard/home", &[Action::View]), ("stores/storeOrders", &[Action::View])];
    let looks = site.app.user(orders, None).await;
    for client in [&here, &away, &looks] {
        assert_eq!(home(client).await.get("since"), None, "a first visit has no previous one");
        client.post(&format!("{HOME}/visit"), &json!({})).await.expect(204);
    }
    site.app.clock.advance(3_600);
    for qty in [1, 2] {
        let mut body = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": qty }]));
        body["neededDate"] = json!(site.soon().plus(i32::from(qty as i8)));
        let order = site.admin.post(ORDERS, &body).await.expect(201);
        site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    }
    let reported = |home: &Value| home["since"]["items"].clone();
    let mine = reported(&home(&here).await);
    assert_eq!(
        mine,
        json!([{ "text": "Orders to approve: 2", "count": 2, "href": "/stores/orders?status=submitted", "tone": "plain" }])
    );
    assert_eq!(reported(&home(&away).await), json!([]));
    // Who may not approve orders has no such tile, and reads what happened.
    assert_eq!(
        reported(&home(&looks).await),
        json!([{ "text": "2 new orders", "count": 2, "href": "/stores/orders?status=submitted", "tone": "plain" }])
    );
    // The list stays during the visit; the next visit starts a new one.
    here.post(&format!("{HOME}/visit"), &json!({})).await.expect(204);
    assert_eq!(reported(&home(&here).await), mine);
    site.app.clock.advance(3_600);
    assert_eq!(reported(&home(&here).await), json!([]));
}
