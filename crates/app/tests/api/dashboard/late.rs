//! Each task has a deadline of its own, and only few are urgent.

use larder_domain::Action;
use rstest::rstest;
use serde_json::json;

use super::home::tile;
use crate::documents::{ORDERS, Site, made};
use crate::sales::{Reading, put_reading, z_reading};
use crate::support::{Client, Engine, one_engine};

const HOME: &str = "/api/dashboard/main";

/// A user who sees the tiles of these tests; sessions end when the clock is moved far ahead.
async fn viewer(site: &Site) -> Client {
    let rights: &[(&str, &[Action])] = &[
        ("dashboard/home", &[Action::View]),
        ("stores/storeOrders", &[Action::View, Action::Approve]),
        ("commissary/orders", &[Action::View, Action::Approve]),
        ("sales/tenderReport", &[Action::View]),
        ("lists/allLists", &[Action::View]),
    ];
    site.app.user(rights, None).await
}

/// A tile's count, late and urgent tasks.
async fn figures(client: &Client, name: &str) -> (i64, i64, i64) {
    let home = client.get(HOME).await.expect(200);
    let waiting = &tile(&home, name)["waiting"];
    let figure = |field: &str| waiting[field].as_i64().unwrap_or(-1);
    (figure("count"), figure("late"), figure("urgent"))
}

#[rstest]
#[tokio::test]
async fn an_order_is_late_after_its_cut_off(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let calendar = format!("/api/stores/delivery-calendar/{}/commissary/{}", site.store, site.kitchen);
    let daily = json!({ "weekdays": [1, 2, 3, 4, 5, 6, 7], "cutoffTime": "16:00", "cutoffDays": 1 });
    site.admin.put(&calendar, &daily).await.expect(200);
    let order = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 1 }]));
    let order = site.admin.post(ORDERS, &order).await.expect(201);
    site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    assert_eq!(figures(&viewer(&site).await, "ordersToApprove").await, (1, 0, 0));
    // On the day before it is needed: an hour before the cut-off, and an hour after it.
    site.app.clock.advance(24 * 3_600);
    site.app.clock.advance_to_hour(15);
    assert_eq!(figures(&viewer(&site).await, "ordersToApprove").await, (1, 0, 0));
    site.app.clock.advance_to_hour(17);
    let viewer = viewer(&site).await;
    assert_eq!(figures(&viewer, "ordersToApprove").await, (1, 1, 0));
    let home = viewer.get(HOME).await.expect(200);
    let waiting = &tile(&home, "ordersToApprove")["waiting"];
    assert_eq!(waiting["words"], "1 past their cut-off");
    let item = &waiting["items"][0];
    assert_eq!((&item["late"], &item["urgent"], &item["count"]), (&json!(true), &json!(false), &json!(1)));
}

#[rstest]
#[tokio::test]
async fn an_order_asked_for_after_its_cut_off_is_called_urgent(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    site.app.clock.stand_still();
    let calendar = format!("/api/stores/delivery-calendar/{}/commissary/{}", site.store, site.kitchen);
    let daily = json!({
        "weekdays": [1, 2, 3, 4, 5, 6, 7], "cutoffTime": "08:00", "cutoffDays": 1, "skipHolidays": false,
    });
    site.admin.put(&calendar, &daily).await.expect(200);
    // At 09:00 the truck of tomorrow can no longer be ordered for.
    let mut order = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 1 }]));
    order["neededDate"] = json!(site.soon().plus(-1));
    order["urgentReason"] = json!("A party of forty came");
    let order = site.admin.post(ORDERS, &order).await.expect(201);
    site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let home = viewer(&site).await.get(HOME).await.expect(200);
    let item = &tile(&home, "ordersToApprove")["waiting"]["items"][0];
    let text = item["text"].as_str().expect("a text");
    assert!(text.starts_with("Urgent, needed "), "{text}");
}

#[rstest]
#[tokio::test]
async fn a_paper_is_late_once_it_has_run_out(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let company = made(&site.admin, "/api/lists/companies", json!({ "name": "Panaderia" })).await;
    let expires = z_reading::day(&site.app, -10);
    let query = format!("kind=bir&title=Paper&expires={expires}&fileName=paper.pdf");
    let at = format!("/api/lists/companies/{company}/documents?{query}");
    site.admin.upload(&at, &b"%PDF-1.7\n%hello"[..]).await.expect(201);
    assert_eq!(figures(&viewer(&site).await, "papers").await, (1, 0, 0));
    // It is good until its last day is over.
    site.app.clock.advance(10 * 86_400);
    assert_eq!(figures(&viewer(&site).await, "papers").await, (1, 0, 0));
    site.app.clock.advance(86_400);
    assert_eq!(figures(&viewer(&site).await, "papers").await, (1, 1, 1));
}

#[rstest]
#[tokio::test]
async fn cash_is_late_after_the_next_day_and_urgent_after_a_week(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    // With VAT ₱112, ₱224 and ₱448.
    for (ago, pesos) in [(1, 100), (2, 200), (10, 400)] {
        put_reading(&site.app, &site.store, z_reading::day(&site.app, ago), &Reading::of(pesos)).await;
    }
    let viewer = viewer(&site).await;
    assert_eq!(figures(&viewer, "cashMissing").await, (2, 2, 1));
    let home = viewer.get(HOME).await.expect(200);
    let waiting = &tile(&home, "cashMissing")["waiting"];
    assert_eq!((&waiting["amount"], &waiting["words"]), (&json!(672), &json!("2 days of 1 store")));
    // The head of the report sums the rows it lists, with or without a filter.
    let (from, to) = (z_reading::day(&site.app, 14), z_reading::day(&site.app, 1));
    let report = format!("/api/sales/tender-report?from={from}&to={to}");
    let late = viewer.get(&format!("{report}&only=late&kinds=cash")).await.expect(200);
    assert_eq!(late["listed"], json!({ "missing": 672, "rows": 2, "stores": 1, "oldest": 10 }));
    assert_eq!(late["items"].as_array().map(Vec::len), Some(2));
    let all = viewer.get(&report).await.expect(200);
    assert_eq!(all["listed"], json!({ "missing": 784, "rows": 3, "stores": 1, "oldest": 10 }));
    assert_eq!((&all["missingCash"], &late["missingCash"]), (&json!(784), &json!(672)));
    assert_eq!((&all["missingDays"], &late["missingDays"]), (&json!(3), &json!(2)));
}

#[rstest]
#[tokio::test]
async fn a_dispute_is_late_two_days_after_it_was_raised(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let reading = z_reading::make(&site.admin, &z_reading::typed(&site.app, &site.store, 1, 4)).await;
    let disputed = z_reading::take(&site.admin, &reading, "dispute").await;
    let rights: &[(&str, &[Action])] =
        &[("dashboard/home", &[Action::View]), ("sales/zReading", &[Action::View])];
    let viewer = async || site.app.user(rights, None).await;
    assert_eq!(figures(&viewer().await, "readingsDisputed").await, (1, 0, 0));
    let raised = viewer().await.get(HOME).await.expect(200);
    let raised = tile(&raised, "readingsDisputed")["waiting"]["items"][0]["at"].clone();
    site.app.clock.advance(3 * 86_400);
    // A change does not give more time.
    let change = json!({ "revision": disputed["revision"], "gross": 1_250 });
    site.app.admin().await.patch(&z_reading::at(&disputed), &change).await.expect(200);
    let viewer = viewer().await;
    assert_eq!(figures(&viewer, "readingsDisputed").await, (1, 1, 0));
    let home = viewer.get(HOME).await.expect(200);
    let waiting = &tile(&home, "readingsDisputed")["waiting"];
    assert_eq!(waiting["words"], "1 for more than 2 days");
    assert_eq!(waiting["items"][0]["at"], raised, "it does not ring again");
}

#[rstest]
#[tokio::test]
async fn a_paper_runs_out_within_two_weeks_as_it_rings(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let company = made(&site.admin, "/api/lists/companies", json!({ "name": "Panaderia" })).await;
    for (kind, days) in [("bir", 14), ("mayorPermit", 15)] {
        let expires = z_reading::day(&site.app, -days);
        let query = format!("kind={kind}&title=Paper&expires={expires}&fileName=paper.pdf");
        let at = format!("/api/lists/companies/{company}/documents?{query}");
        site.admin.upload(&at, &b"%PDF-1.7\n%hello"[..]).await.expect(201);
    }
    let home = viewer(&site).await.get(HOME).await.expect(200);
    let waiting = &tile(&home, "papers")["waiting"];
    assert_eq!(waiting["words"], "1 within two weeks");
    let rang_today = |item: &serde_json::Value| {
        let at = item["at"].as_str().and_then(larder_domain::Timestamp::parse).expect("a time");
        larder_domain::BusinessDay::of(at) == z_reading::day(&site.app, 0)
    };
    let items = waiting["items"].as_array().expect("items");
    assert_eq!(items.iter().map(rang_today).collect::<Vec<_>>(), [true, false]);
}

#[rstest]
#[tokio::test]
async fn a_missing_reading_is_told_until_it_is_explained(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    // Each till's counters go on from day to day; the second one skips a day.
    for ago in 1..=20 {
        for till in ["T1", "T2"].into_iter().filter(|till| (*till, ago) != ("T2", 3)) {
            let reading = Reading { terminal: till.to_owned(), ..Reading::of(100) };
            put_reading(&site.app, &site.store, z_reading::day(&site.app, ago), &reading).await;
        }
    }
    let rights: &[(&str, &[Action])] =
        &[("dashboard/home", &[Action::View]), ("sales/zReading", &[Action::View, Action::Override])];
    let clerk = site.app.user(rights, None).await;
    assert_eq!(figures(&clerk, "readingsMissing").await, (1, 1, 0));
    let home = clerk.get(HOME).await.expect(200);
    let waiting = &tile(&home, "readingsMissing")["waiting"];
    assert_eq!((&waiting["words"], &waiting["items"][0]["title"]), (&json!("of 1 store"), &json!("Cubao")));
    let href = waiting["href"].as_str().expect("a link");
    let list = href.replace("/z-reading?view=calendar&only=missing&", "/z-reading/calendar?");
    let calendar = clerk.get(&format!("/api{list}")).await.expect(200);
    assert_eq!((&calendar["missingTills"], &calendar["counts"]["missing"]), (&json!(1), &json!(1)));
    let bell = clerk.get("/api/notifications").await.expect(200);
    assert_eq!(bell["items"][0]["title"], "Z-readings missing: 1");

    let day = z_reading::day(&site.app, 3);
    let at = format!("/api/sales/z-reading/absences/{}/{day}?terminalId=T2", site.store);
    clerk.put(&at, &json!({ "reason": "The printer was broken" })).await.expect(200);
    assert_eq!(figures(&clerk, "readingsMissing").await, (0, 0, 0));
    assert_eq!(clerk.get("/api/notifications").await.expect(200)["items"], json!([]));
}

#[rstest]
#[tokio::test]
async fn a_kitchen_shares_out_what_is_not_enough(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let levels = site.admin.get("/api/lists/price-levels").await.expect(200);
    let level = &levels["items"][0]["id"];
    let far = json!({ "name": "Makati", "code": "MKT", "priceLevelId": level });
    let far = made(&site.admin, "/api/stores/locations", far).await;
    site.stock(&site.buns, 72).await;
    let mut orders = Vec::new();
    for store in [&site.store, &far] {
        let mut order = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 2 }]));
        order["storeId"] = json!(store);
        let order = site.admin.post(ORDERS, &order).await.expect(201);
        let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
        orders.push(json!({ "id": order["id"], "revision": order["revision"] }));
        // Three cases are enough for one store, not for two.
        let expected = if orders.len() == 1 { (0, 0, 0) } else { (1, 0, 0) };
        assert_eq!(figures(&viewer(&site).await, "ordersToShare").await, expected);
    }
    let kitchen = viewer(&site).await;
    let list = kitchen.get(&format!("{HOME}/waiting?of=ordersToShare")).await.expect(200);
    let (day, item) = (site.soon(), &list["items"][0]);
    assert_eq!(item["title"], "Buns · Pasig kitchen");
    let href = format!("/commissary/orders?commissaryId={}&neededDate={day}&only=short", site.kitchen);
    assert_eq!(item["href"], href);
    // Shared out, nothing is left to share.
    let body = json!({ "commissaryId": site.kitchen, "neededDate": day, "method": "proportional",
        "orders": orders, "dryRun": false });
    site.admin.post("/api/commissary/orders/share", &body).await.expect(200);
    assert_eq!(figures(&kitchen, "ordersToShare").await, (0, 0, 0));
}
