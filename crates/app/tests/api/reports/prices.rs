//! Figures of past days keep the prices of their days.

use larder_domain::BusinessDay;
use rstest::rstest;
use serde_json::{Value, json};

use crate::reports::root_item_movement::range;
use crate::stores::inventory::{Counted, Stage};
use crate::support::{Engine, one_engine};

/// Last week: rice at ₱50, counted at both ends, three kilos a day used by sales.
async fn counted_week(on: Engine) -> (Stage, i32) {
    let stage = Stage::build(on).await;
    let monday = BusinessDay(stage.today()).week().0 - 7;
    for (day, qty) in [(monday - 1, 40_000), (monday + 6, 15_000)] {
        stage.count(&stage.loose, Counted { day, closing: true, qty }).await;
    }
    for day in monday..monday + 7 {
        stage.sell(day, 3_000).await;
    }
    make(&stage, monday).await;
    (stage, monday)
}

async fn make(stage: &Stage, monday: i32) {
    let make = format!("/api/tools/root-item-weekly-snapshot/weeks/{}/make", BusinessDay(monday));
    stage.admin.post(&make, &json!({})).await.expect(202);
    stage.app.drain().await;
}

/// Writes the price of rice from a past day, and makes its weeks anew.
async fn put(stage: &Stage, from: i32, price: Value) {
    let path = format!("/api/lists/root-items/{}/prices/{}", stage.rice, BusinessDay(from));
    let body = json!({ "price": price, "recompute": true, "reason": "The invoice says so" });
    stage.admin.put(&path, &body).await.expect(200);
    stage.app.drain().await;
}

/// Everything that has prices of the week.
async fn figures(stage: &Stage, monday: i32) -> Vec<(String, String)> {
    let week = range(monday, monday + 6);
    let sunday = BusinessDay(monday + 6);
    let mut asked: Vec<String> = ["store", "area", "region", "format", "item"]
        .iter()
        .flat_map(|by| ["", "/export"].map(|file| format!("/api/reports/food-cost{file}?{week}&by={by}")))
        .collect();
    for report in
        ["count-variance", "root-item-movement-by-store", "root-item-weekly-snapshot", "store-scorecard"]
    {
        asked.extend(["", "/export"].map(|file| format!("/api/reports/{report}{file}?{week}")));
    }
    asked.push(format!("/api/reports/count-variance?{week}&by=items"));
    asked.push(format!("/api/reports/root-item-movement-by-store?{week}&by=day"));
    for by in ["items", "rootItems"] {
        asked.push(format!("/api/stores/inventory?storeId={}&by={by}&date={sunday}", stage.store));
    }
    let mut found = Vec::new();
    for path in asked {
        let reply = stage.admin.get(&path).await;
        assert_eq!(reply.status, 200, "{path}");
        found.push((path, reply.text()));
    }
    found
}

#[rstest]
#[tokio::test]
async fn todays_price_changes_no_past_figure(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (stage, monday) = counted_week(on).await;
    let before = figures(&stage, monday).await;
    let food = stage.admin.get(&before[0].0).await.expect(200);
    // 21 kilos at ₱50 by the recipes, 25 by the counts.
    assert_eq!(
        (&food["total"]["theoretical"], &food["total"]["counted"]["over"], &food["pricesChanged"]),
        (&json!(1_050), &json!(200), &json!(0))
    );
    // In the form of the root item, in its history, and without any price.
    let record = format!("/api/lists/root-items/{}", stage.rice);
    let revision = stage.admin.get(&record).await.expect(200)["revision"].clone();
    stage.admin.patch(&record, &json!({ "revision": revision, "price": 80 })).await.expect(200);
    assert_eq!(figures(&stage, monday).await, before);
    // Made again, the week is the same, too.
    make(&stage, monday).await;
    assert_eq!(figures(&stage, monday).await.len(), before.len());
    let again = stage.admin.get(&before[0].0).await.expect(200);
    assert_eq!(again["total"], food["total"]);
    let revision = stage.admin.get(&record).await.expect(200)["revision"].clone();
    stage.admin.patch(&record, &json!({ "revision": revision, "price": null })).await.expect(200);
    let bare = stage.admin.get(&before[0].0).await.expect(200);
    assert_eq!((&bare["total"], &bare["unpriced"]), (&food["total"], &json!([])));
}

#[rstest]
#[tokio::test]
async fn a_price_counts_from_its_day(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (stage, monday) = counted_week(on).await;
    let admin = &stage.admin;
    // ₱60 from Thursday: three days of 3 kg at ₱50, four at ₱60.
    put(&stage, monday + 3, json!(60)).await;
    let week = range(monday, monday + 6);
    let ask = async |report: &str, more: &str| {
        admin.get(&format!("/api/reports/{report}?{week}{more}")).await.expect(200)
    };
    for by in ["store", "item"] {
        let food = ask("food-cost", &format!("&by={by}")).await;
        let total = &food["total"];
        assert_eq!((&total["theoretical"], &food["pricesChanged"]), (&json!(1_170), &json!(1)), "{food}");
        // 4 kilos too many, at Sunday's price.
        assert_eq!(
            (&total["counted"]["theoretical"], &total["counted"]["over"], &total["counted"]["actual"]),
            (&json!(1_170), &json!(240), &json!(1_410)),
            "{food}"
        );
    }
    let items = ask("food-cost", "&by=item").await;
    let rice = &items["items"][0];
    assert_eq!(
        (&rice["price"], &rice["priceChanged"], &rice["theoretical"]),
        (&json!(60), &json!(true), &json!(1_170))
    );
    for report in ["root-item-weekly-snapshot", "root-item-movement-by-store"] {
        assert_eq!(ask(report, "").await["value"]["net"], -240, "{report}");
    }
    assert_eq!(ask("count-variance", "").await["net"], -240);
    assert_eq!(ask("count-variance", "&by=items").await["net"], -240);
    assert_eq!(ask("store-scorecard", "").await["total"]["variance"], -240);
    let sunday = BusinessDay(monday + 6);
    for by in ["items", "rootItems"] {
        let inventory = stage.rows(&format!("by={by}&date={sunday}")).await;
        assert_eq!(inventory["varianceValue"], -240, "inventory by {by}");
    }
    // Before that Thursday nothing changed.
    let early = format!("/api/reports/food-cost?{}", range(monday, monday + 2));
    let early = admin.get(&early).await.expect(200);
    assert_eq!((&early["total"]["theoretical"], &early["pricesChanged"]), (&json!(450), &json!(0)));
}

#[rstest]
#[tokio::test]
async fn months_with_and_without_changes_add_up(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let (admin, today) = (&stage.admin, BusinessDay(stage.today()));
    // A change on the first of a month, two within one, none in the months before and after.
    let first = today.month().plus(-1).month();
    let (from, to) = (first.plus(-70), first.plus(20));
    let changes = [(first.plus(-35).month(), 60), (first.plus(4), 75), (first.plus(11), 40)];
    for day in from.0..=to.0 {
        stage.sell(day, 3_000).await;
    }
    for (day, price) in changes {
        put(&stage, day.0, json!(price)).await;
    }
    let price =
        |day: i32| changes.iter().rev().find(|(from, _)| from.0 <= day).map_or(50, |(_, price)| *price);
    let ask = async |from: i32, to: i32, by: &str| {
        admin.get(&format!("/api/reports/food-cost?{}&by={by}", range(from, to))).await.expect(200)
    };
    for (from, to) in [(from.0, to.0), (from.0 + 3, to.0 - 5), (first.0, first.0 + 11), (first.0 + 4, to.0)] {
        let cost: i64 = (from..=to).map(|day| 3 * price(day)).sum();
        for by in ["store", "item"] {
            let food = ask(from, to, by).await;
            assert_eq!(
                (&food["total"]["theoretical"], &food["pricesChanged"]),
                (&json!(cost), &json!(1)),
                "{food}"
            );
        }
    }
}

#[rstest]
#[tokio::test]
async fn days_without_a_price_are_named(#[from(one_engine)] on: Engine) {
    let (stage, monday) = counted_week(on).await;
    put(&stage, monday + 5, Value::Null).await;
    let food = format!("/api/reports/food-cost?{}&by=item", range(monday, monday + 6));
    let food = stage.admin.get(&food).await.expect(200);
    // Five days of 3 kg at ₱50; the weekend has no price.
    assert_eq!((&food["total"]["theoretical"], &food["items"][0]["use"]), (&json!(750), &json!(21)));
    assert_eq!(food["items"][0]["price"], Value::Null);
    assert_eq!(food["unpriced"], json!([{ "id": stage.rice, "name": "Rice" }]));
}
