//! A store's open tasks, for the phone app.

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use crate::documents::{ORDERS, Site, made};
use crate::support::{App, Engine, one_engine};
use crate::tools::import_sales_product as sales;

#[rstest]
#[tokio::test]
async fn a_store_sees_its_open_tasks(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let rule = json!({ "weekdays": [1, 2, 3, 4, 5, 6, 7], "cutoffTime": "16:00", "cutoffDays": 1 });
    let at = format!("/api/stores/delivery-calendar/{}/commissary/{}", site.store, site.kitchen);
    site.admin.put(&at, &rule).await.expect(200);
    let rights: &[(&str, &[Action])] = &[("apps/branchOps", &[Action::View])];
    let theirs = site.app.user(rights, Some(std::slice::from_ref(&site.store))).await;
    let asked = format!("/api/branch-ops/today?storeId={}", site.store);
    let today = theirs.get(&asked).await.expect(200);
    assert_eq!((&today["storeName"], &today["expected"]), (&json!("Cubao"), &json!([])));
    let order = &today["orders"][0];
    assert_eq!((&order["sourceName"], &order["orderId"]), (&json!("Pasig kitchen"), &Value::Null));
    // At 09:00 the opening count is open.
    assert_eq!((&today["count"]["due"], &today["count"]["window"]), (&json!("opening"), &json!("open")));

    site.stock(&site.buns, 100).await;
    let mut body = site.order(json!([{ "productId": site.buns, "qty": 1 }]));
    body["neededDate"] = order["neededDate"].clone();
    let draft = site.admin.post(ORDERS, &body).await.expect(201);
    let today = theirs.get(&asked).await.expect(200);
    assert_eq!(
        (&today["orders"][0]["orderId"], &today["orders"][0]["status"]),
        (&draft["id"], &json!("draft"))
    );
    site.dispatched(&site.approved(1).await).await;
    let waste = json!({ "storeId": site.store, "lines": [{ "productId": site.buns, "qty": 1, "reason": "expired" }] });
    site.admin.post("/api/stores/waste", &waste).await.expect(201);
    let today = theirs.get(&asked).await.expect(200);
    assert_eq!(
        (&today["expected"][0]["kind"], &today["expected"][0]["late"]),
        (&json!("delivery"), &json!(false))
    );
    assert_eq!(today["waste"], json!({ "drafts": 1, "waiting": 0 }));
    assert_eq!((&today["sales"]["net"], &today["sales"]["lastWeek"]), (&json!(0), &Value::Null));
}

#[rstest]
#[tokio::test]
async fn a_store_sees_all_its_orders_with_their_states(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    site.app.clock.stand_still();
    let rule = json!({
        "weekdays": [1, 2, 3, 4, 5, 6, 7], "cutoffTime": "16:00", "cutoffDays": 1, "skipHolidays": false,
    });
    let at = format!("/api/stores/delivery-calendar/{}/commissary/{}", site.store, site.kitchen);
    site.admin.put(&at, &rule).await.expect(200);
    let rights: &[(&str, &[Action])] = &[("apps/branchOps", &[Action::View])];
    let theirs = site.app.user(rights, Some(std::slice::from_ref(&site.store))).await;
    let asked = format!("/api/branch-ops/today?storeId={}", site.store);
    let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": 4 }]);
    let mut tomorrow = site.order(lines.clone());
    tomorrow["neededDate"] = json!(site.soon().plus(-1));
    let draft = site.admin.post(ORDERS, &tomorrow).await.expect(201);
    let order = site.admin.post(ORDERS, &site.order(lines)).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let less = json!({ "id": order["lines"][0]["id"], "qtyApproved": 3, "reason": "Oven down" });
    let order = site.step(ORDERS, &order, "approve", json!({ "lines": [less] })).await.expect(200);
    site.stock(&site.buns, 240).await;
    let delivery = site.packed(&order).await;

    let today = theirs.get(&asked).await.expect(200);
    let placed = today["placed"].as_array().expect("orders");
    let numbers: Vec<&Value> = placed.iter().map(|it| &it["orderNo"]).collect();
    assert_eq!(numbers, [&order["orderNo"], &draft["orderNo"]], "the latest needed first");
    assert_eq!((&placed[0]["status"], &placed[0]["cut"]), (&json!("approved"), &json!(1)));
    let packed = json!([{ "deliveryNo": delivery["deliveryNo"], "status": "packed" }]);
    assert_eq!((&placed[0]["deliveries"], &placed[0]["sourceName"]), (&packed, &json!("Pasig kitchen")));
    assert_eq!((&placed[1]["past"], &placed[1]["cut"]), (&json!(false), &json!(0)));
    assert_eq!(placed[1]["cutoffAt"], draft["cutoffAt"]);

    // At 17:00 the draft is past its cut-off. It stays in the list.
    site.app.clock.advance(8 * 3_600);
    let today = theirs.get(&asked).await.expect(200);
    let late = today["placed"].as_array().expect("orders").iter().find(|it| it["id"] == draft["id"]);
    assert_eq!(late.map(|it| (&it["past"], &it["lineCount"])), Some((&json!(true), &json!(1))));
    assert_eq!(today["orders"][0]["neededDate"], json!(site.soon()), "the next truck");
}

#[rstest]
#[tokio::test]
async fn a_store_sees_only_its_own_sales(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let store = made(&admin, "/api/stores/locations", json!({ "name": "Cubao", "code": "CUB" })).await;
    let day = BusinessDay::of(app.state.now()).plus(-1);
    let file =
        format!("date,item,quantity,net\n{day},Soup,3,30\n{day},Bread,2,50\n{},Soup,4,40\n", day.plus(-7));
    let batch = sales::upload(&admin, "sales.csv", file.as_str()).await;
    let mapping = sales::suggested(&batch, Some(&store));
    let batch = sales::validate(&app, &admin, &batch, &mapping).await;
    sales::create_unknowns(&admin, &batch).await;
    assert_eq!(sales::post(&app, &admin, &batch, true).await["state"], "posted");
    let rights: &[(&str, &[Action])] = &[("apps/branchOps", &[Action::View])];
    let theirs = app.user(rights, Some(std::slice::from_ref(&store))).await;
    let sold = theirs.get(&format!("/api/branch-ops/sales?storeId={}&date={day}", store)).await.expect(200);
    assert_eq!((&sold["net"], &sold["sold"], &sold["lastWeek"]), (&json!(80), &json!(5), &json!(40)));
    assert_eq!((sold["items"].as_array().map(Vec::len), &sold["items"][0]["net"]), (Some(2), &json!(50)));
    let far = admin.post("/api/stores/locations", &json!({ "name": "Makati" })).await.expect(201);
    let id = far["id"].as_str().expect("an id");
    theirs.get(&format!("/api/branch-ops/sales?storeId={id}")).await.expect(403);
    theirs.get(&format!("/api/branch-ops/today?storeId={id}")).await.expect(403);
    admin.get("/api/branch-ops/today?storeId=none").await.expect(404);
    admin.get(&format!("/api/branch-ops/sales?storeId={store}&date=tomorrow")).await.expect(422);
}

#[rstest]
#[tokio::test]
async fn items_beyond_the_limit_are_totalled(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let store = made(&admin, "/api/stores/locations", json!({ "name": "Cubao", "code": "CUB" })).await;
    let day = BusinessDay::of(app.state.now()).plus(-1);
    let mut file = "date,item,quantity,net\n".to_owned();
    for n in 1..=203 {
        file.push_str(&format!("{day},Dish {n},2,{n}\n"));
    }
    let batch = sales::upload(&admin, "sales.csv", file.as_str()).await;
    let batch = sales::validate(&app, &admin, &batch, &sales::suggested(&batch, Some(&store))).await;
    sales::create_unknowns(&admin, &batch).await;
    sales::post(&app, &admin, &batch, true).await;
    let sold = admin.get(&format!("/api/branch-ops/sales?storeId={store}&date={day}")).await.expect(200);
    assert_eq!(sold["items"].as_array().map(Vec::len), Some(200));
    assert_eq!(sold["more"], json!({ "count": 3, "qty": 6, "net": 6 }));
}
