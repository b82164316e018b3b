//! Which days count as missing: opening dates, closed weekdays and days with sales, the same on every page.

use larder_domain::BusinessDay;
use rstest::rstest;
use serde_json::{Value, json};

use super::home::tile;
use crate::sales::z_reading::{self, sell};
use crate::sales::{day, store};
use crate::stores::inventory::Stage;
use crate::support::{App, Engine, one_engine};

const HOME: &str = "/api/dashboard/main";
const OPENING_DAYS: &str = "/api/stores/opening-days";

/// Sales of 100 pesos on a day.
async fn sell_on(app: &App, store: &str, on: BusinessDay) {
    sell(app, store, z_reading::day(app, 0).0 - on.0, 10_000).await;
}

/// The days of a range on which a store is due: counts, sales files, and readings in the monthly report.
async fn due(stage: &Stage, store: &str, (from, to): (BusinessDay, BusinessDay)) -> [Vec<BusinessDay>; 3] {
    let admin = &stage.admin;
    let range = format!("from={from}&to={to}");
    let days = || (from.0..=to.0).map(BusinessDay);
    let counts =
        admin.get(&format!("/api/reports/count-compliance?{range}&storeIds={store}")).await.expect(200);
    let of_days = counts["stores"][0]["days"].as_array().expect("days");
    let counts = days().zip(of_days).filter(|(_, due)| **due != json!([])).map(|(day, _)| day).collect();
    let path = format!("/api/tools/services/daily-sales-coverage/days?{range}&storeId={store}");
    let sales = admin.get(&path).await.expect(200);
    let of_days = sales["stores"][0]["days"].as_array().expect("days");
    let why = "The store is closed on this day.";
    let sales = days().zip(of_days).filter(|(_, day)| day["why"] != why).map(|(day, _)| day).collect();
    let month = from.to_string()[..7].to_owned();
    let month = admin.get(&format!("/api/sales/cmsr?storeId={store}&month={month}")).await.expect(200);
    let readings = month["missing"].as_array().expect("days").iter();
    let readings: Vec<BusinessDay> =
        readings.map(|day| day.as_str().expect("a day").parse().expect("a day")).collect();
    [counts, sales, readings]
}

fn february() -> (BusinessDay, BusinessDay) {
    (day("2025-02-01"), day("2025-02-28"))
}

#[rstest]
#[tokio::test]
async fn a_store_is_due_from_its_opening_date_or_its_first_sale(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    let body = json!({ "name": "Pasig", "code": "PSG", "openingDate": "2025-02-10" });
    let made = stage.admin.post("/api/stores/locations", &body).await.expect(201);
    let pasig = made["id"].as_str().expect("an id");
    let since =
        |text: &str| -> Vec<BusinessDay> { (day(text).0..=february().1.0).map(BusinessDay).collect() };
    for days in due(&stage, pasig, february()).await {
        assert_eq!(days, since("2025-02-10"));
    }
    sell_on(&stage.app, pasig, day("2025-02-08")).await;
    for days in due(&stage, pasig, february()).await {
        assert_eq!(days, since("2025-02-08"));
    }
}

#[rstest]
#[tokio::test]
async fn a_closed_sunday_is_due_only_if_something_was_sold(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    let cubao = store(&stage.admin, "Cubao", "CUB").await;
    let weekdays = json!({ "weekdays": [1, 2, 3, 4, 5, 6] });
    stage.admin.put(&format!("{OPENING_DAYS}/{cubao}/2025-01-01"), &weekdays).await.expect(200);
    let open = |sold: &str| -> Vec<BusinessDay> {
        let (from, to) = february();
        let days = (from.0..=to.0).map(BusinessDay);
        days.filter(|day| day.weekday() != 6 || day.to_string() == sold).collect()
    };
    for days in due(&stage, &cubao, february()).await {
        assert_eq!(days, open(""));
    }
    // Whatever the setting says, or the monthly report: with sales it was open.
    sell_on(&stage.app, &cubao, day("2025-02-09")).await;
    for days in due(&stage, &cubao, february()).await {
        assert_eq!(days, open("2025-02-09"));
    }
}

#[rstest]
#[tokio::test]
async fn home_misses_nothing_of_a_closed_day(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let today = BusinessDay(stage.today());
    let closed = [today.plus(-1), today].map(|day| i64::from(day.weekday()) + 1);
    let weekdays: Vec<i64> = (1..=7).filter(|day| !closed.contains(day)).collect();
    let path = format!("{OPENING_DAYS}/{}/{}", stage.store, today.plus(-30));
    stage.admin.put(&path, &json!({ "weekdays": weekdays })).await.expect(200);
    let home = stage.admin.get(HOME).await.expect(200);
    let map = &tile(&home, "stores")["stores"];
    assert_eq!(map["stores"][0]["closed"], true);
    for (field, expected) in [("salesDue", 0), ("salesMissing", 0), ("countsDue", 0), ("countsMissing", 0)] {
        assert_eq!(map[field], expected, "{field} of {map}");
    }
    assert_eq!(tile(&home, "sales")["sales"]["of"], 0);
    let counts = &tile(&home, "countsMissing")["waiting"];
    assert_eq!((&counts["count"], &counts["empty"]), (&json!(0), &json!(true)), "{counts}");
    let branch = stage.admin.get(&format!("/api/branch-ops/today?storeId={}", stage.store)).await.expect(200);
    assert_eq!(branch["count"]["due"], Value::Null);

    sell_on(&stage.app, &stage.store, today.plus(-1)).await;
    let home = stage.admin.get(HOME).await.expect(200);
    let map = &tile(&home, "stores")["stores"];
    assert_eq!(map["stores"][0].get("closed"), None);
    for (field, expected) in [("salesDue", 1), ("salesMissing", 0), ("countsDue", 1), ("countsMissing", 1)] {
        assert_eq!(map[field], expected, "{field} of {map}");
    }
    assert_eq!(tile(&home, "countsMissing")["waiting"]["count"], 2);
}

#[rstest]
#[tokio::test]
async fn without_stores_nothing_is_all_clear(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let home = admin.get(HOME).await.expect(200);
    let map = &tile(&home, "stores")["stores"];
    assert_eq!((&map["stores"], &map["salesDue"], &map["countsDue"]), (&json!([]), &json!(0), &json!(0)));
    let empty = |home: &Value, name: &str| {
        let waiting = &tile(home, name)["waiting"];
        (waiting["empty"] == true, waiting["words"].as_str().unwrap_or_default().to_owned())
    };
    for name in ["countsMissing", "ordersToApprove", "cashMissing", "stockAtRisk"] {
        assert_eq!(empty(&home, name), (true, "No stores yet".to_owned()), "{name}");
    }
    assert!(!empty(&home, "applications").0);
    // A store that is not open yet is no store yet.
    let ahead = json!({ "name": "Ayala", "openingDate": z_reading::day(&app, -30).to_string() });
    admin.post("/api/stores/locations", &ahead).await.expect(201);
    let home = admin.get(HOME).await.expect(200);
    assert_eq!(tile(&home, "stores")["stores"]["stores"], json!([]));
    assert!(empty(&home, "ordersToApprove").0);
    store(&admin, "Makati", "MKT").await;
    let home = admin.get(HOME).await.expect(200);
    assert_eq!(empty(&home, "ordersToApprove"), (false, String::new()));
}
