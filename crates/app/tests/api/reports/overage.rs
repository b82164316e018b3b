//! The overage of a week is one figure, whichever report shows it.

use larder_domain::BusinessDay;
use rstest::rstest;
use serde_json::{Value, json};

use crate::reports::root_item_movement::range;
use crate::stores::inventory::{Counted, Stage, make};
use crate::support::{Engine, one_engine};

/// Root items at ₱0.33, so that the value of each variance has a part of a centavo.
const ITEMS: i64 = 40;
/// Centavos.
const PRICE: i64 = 33;
/// Thousandths that a day's sales use of each.
const USED: i64 = 600;

/// Thousandths counted before the week and at its end.
fn counted(item: i64) -> [i64; 2] {
    [10_000 + item, 4_123 + 71 * item + item * item % 29]
}

/// Centavos of thousandths at a price in centavos, rounded half away from zero.
fn round(exact: i64) -> i64 {
    (exact.abs() * 2 + 1_000) / 2_000 * exact.signum()
}

fn centavos(value: &Value) -> i64 {
    (value.as_f64().unwrap_or_else(|| panic!("an amount: {value}")) * 100.0).round() as i64
}

/// A week in which 40 cheap root items were counted at both ends.
async fn counted_week(on: Engine) -> (Stage, i32) {
    let mut stage = Stage::build(on).await;
    let monday = BusinessDay(stage.today()).week().0 - 7;
    let mut bom = vec![json!({ "rootProductId": stage.rice, "multiplier": 0.25 })];
    for item in 0..ITEMS {
        let root = json!({ "name": format!("Sachet {item}"), "price": 0.33 });
        let root = make(&stage.admin, "/api/lists/root-items", root).await;
        let body = json!({ "name": format!("Sachet {item}, counted"), "rootItemId": root });
        let counted_item = make(&stage.admin, "/api/lists/store-inventory-items", body).await;
        for (day, qty) in [monday - 1, monday + 6].into_iter().zip(counted(item)) {
            stage.count(&counted_item, Counted { day, closing: true, qty }).await;
        }
        bom.push(json!({ "rootProductId": root, "multiplier": 0.05 }));
    }
    let meal = json!({ "description": "Meal with sachets", "bom": bom });
    stage.meal = make(&stage.admin, "/api/lists/pos-items", meal).await;
    for day in monday..monday + 7 {
        // Twelve meals a day: 0.6 of each sachet.
        stage.sell(day, 3_000).await;
    }
    let make = format!("/api/tools/root-item-weekly-snapshot/weeks/{}/make", BusinessDay(monday));
    stage.admin.post(&make, &json!({})).await.expect(202);
    stage.app.drain().await;
    (stage, monday)
}

#[rstest]
#[tokio::test]
async fn overage_is_one_figure(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (stage, monday) = counted_week(on).await;
    let worth = |item: i64| {
        let [before, after] = counted(item);
        (after - before + 7 * USED) * PRICE
    };
    let net = round((0..ITEMS).map(worth).sum());
    let rounded: i64 = (0..ITEMS).map(|item| round(worth(item))).sum();
    assert_ne!(net, rounded, "the rows round to another sum");
    let sum_of = |kept: fn(&i64) -> bool| round((0..ITEMS).map(worth).filter(kept).sum());
    let values = [sum_of(|worth| *worth < 0), sum_of(|worth| *worth > 0), net];

    let week = range(monday, monday + 6);
    let ask =
        async |report: &str| stage.admin.get(&format!("/api/reports/{report}?{week}")).await.expect(200);
    for report in ["root-item-weekly-snapshot", "root-item-movement-by-store"] {
        let value = ask(report).await["value"].clone();
        let found = ["loss", "gain", "net"].map(|field| centavos(&value[field]));
        assert_eq!(found, values, "{report}: {value}");
    }
    let variance = ask("count-variance").await;
    assert_eq!(["loss", "gain", "net"].map(|field| centavos(&variance[field])), values);
    assert_eq!(centavos(&ask("store-scorecard").await["total"]["variance"]), net);
    let sunday = BusinessDay(monday + 6);
    for by in ["rootItems", "items"] {
        let inventory = stage.rows(&format!("by={by}&date={sunday}")).await;
        assert_eq!(centavos(&inventory["varianceValue"]), net, "inventory by {by}");
    }
    let year = BusinessDay(monday).iso_week().0;
    let path = format!("/api/tools/root-item-weekly-snapshot/weeks?year={year}");
    let weeks = stage.admin.get(&path).await.expect(200);
    let made = weeks["items"].as_array().expect("weeks").iter().find(|one| one["rows"] != 0);
    assert_eq!(centavos(&made.expect("a week")["varianceValue"]), net);
    let body = json!({
        "dataset": "snapshots", "measures": [{ "field": "varianceValue" }], "rows": ["store"],
        "range": { "from": BusinessDay(monday), "to": sunday },
    });
    let built = stage.admin.post("/api/reports/custom/preview", &body).await.expect(200);
    assert_eq!(centavos(&built["answer"]["rows"][0]["total"][0]), net, "{built}");

    // What was used beyond the recipes is what the variances lack, in every grouping.
    let rice = 7 * 3_000 * 5_000;
    let recipes = round(ITEMS * 7 * USED * PRICE + rice);
    for by in ["store", "area", "region", "format", "item"] {
        let food = ask_by(&stage, &week, by).await;
        let total = &food["total"];
        assert_eq!(centavos(&total["counted"]["over"]), -net, "by {by}: {total}");
        assert_eq!(centavos(&total["counted"]["theoretical"]), recipes, "by {by}: {total}");
        assert_eq!(centavos(&total["counted"]["actual"]), recipes - net, "by {by}: {total}");
        assert_eq!(centavos(&total["theoretical"]), recipes, "by {by}: {total}");
        assert_eq!(centavos(&food["weeks"][0]["over"]), -net, "by {by}: {food}");
    }
}

async fn ask_by(stage: &Stage, week: &str, by: &str) -> Value {
    stage.admin.get(&format!("/api/reports/food-cost?by={by}&{week}")).await.expect(200)
}

#[rstest]
#[tokio::test]
async fn nothing_counted_has_no_variance(#[from(one_engine)] on: Engine) {
    let mut stage = Stage::build(on).await;
    let monday = BusinessDay(stage.today()).week().0 - 7;
    stage.bring(monday + 1, 5_000).await;
    stage.sell(monday + 2, 2_000).await;
    let make = format!("/api/tools/root-item-weekly-snapshot/weeks/{}/make", BusinessDay(monday));
    stage.admin.post(&make, &json!({})).await.expect(202);
    stage.app.drain().await;
    let week = range(monday, monday + 6);
    let ask =
        async |report: &str| stage.admin.get(&format!("/api/reports/{report}?{week}")).await.expect(200);
    let none = json!({ "loss": null, "gain": null, "net": null });
    for report in ["root-item-weekly-snapshot", "root-item-movement-by-store"] {
        let found = ask(report).await;
        assert_eq!((&found["total"], &found["value"]), (&json!(1), &none), "{report}: {found}");
        let unit = &found["units"][0];
        assert_eq!((&unit["received"], &unit["theoreticalUse"]), (&json!(5), &json!(2)), "{report}: {unit}");
        for field in ["actualUse", "variance", "varianceValue"] {
            assert_eq!(unit[field], Value::Null, "{field}, {report}: {unit}");
        }
    }
    let variance = ask("count-variance").await;
    assert_eq!(["loss", "gain", "net"].map(|field| variance[field].clone()), [const { Value::Null }; 3]);
    assert_eq!(ask("store-scorecard").await["total"]["variance"], Value::Null);
    assert_eq!(ask("food-cost").await["total"]["counted"], Value::Null);
    assert_eq!(stage.rows("by=rootItems").await["varianceValue"], Value::Null);
    let year = BusinessDay(monday).iso_week().0;
    let path = format!("/api/tools/root-item-weekly-snapshot/weeks?year={year}");
    let weeks = stage.admin.get(&path).await.expect(200);
    let made = weeks["items"].as_array().expect("weeks").iter().find(|one| one["rows"] == 1);
    assert_eq!(made.expect("a week")["varianceValue"], Value::Null);
}
