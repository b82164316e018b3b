//! Replays: compared with a plain loop, without look-ahead, against actual orders, and refusals.

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use crate::stores::inventory::{Counted, Stage, make};
use crate::support::{Client, Engine, one_engine};

const SERVICE: &str = "/api/tools/services/replay";

/// Rice in sacks of four kilos, sold for half a year; counted 21 days ago.
async fn a_store(on: Engine, sold: impl Fn(i32) -> i64, counted: i64) -> Stage {
    let stage = Stage::build(on).await;
    let location = format!("/api/stores/locations/{}", stage.store);
    let record = stage.admin.get(&location).await.expect(200);
    let days = json!({ "revision": record["revision"], "leadTimeDays": 1, "reviewTimeDays": 1 });
    stage.admin.patch(&location, &days).await.expect(200);
    let kilo = make(&stage.admin, "/api/lists/uoms", json!({ "name": "Kilo", "code": "kg" })).await;
    let sack = make(&stage.admin, "/api/lists/uoms", json!({ "name": "Sack", "code": "sack" })).await;
    let product = json!({
        "name": "Rice, sacks", "sku": "RIC", "baseUom": kilo, "defaultSellingUom": sack,
        "conversions": [{ "fromUomId": sack, "toUomId": kilo, "factor": 4 }],
        "rootItemConversions": [{ "rootItemId": stage.rice, "factor": 1 }],
    });
    make(&stage.admin, "/api/products", product).await;
    let today = stage.today();
    for day in today - 120..today {
        stage.sell(day, sold(day)).await;
    }
    stage.count(&stage.loose, Counted { day: today - 21, closing: true, qty: counted }).await;
    stage
}

fn ask(stage: &Stage, policies: Value) -> Value {
    let today = stage.today();
    json!({ "from": BusinessDay(today - 20), "to": BusinessDay(today - 1), "policies": policies })
}

async fn run(stage: &Stage, client: &Client, ask: &Value) -> String {
    let run = client.post(&format!("{SERVICE}/runs"), ask).await.expect(202);
    stage.app.drain().await;
    let id = run["id"].as_str().expect("an id").to_owned();
    let run = client.get(&format!("{SERVICE}/runs/{id}")).await.expect(200);
    assert_eq!(run["state"], "done", "{run}");
    id
}

async fn result(client: &Client, id: &str) -> Value {
    client.get(&format!("{SERVICE}/runs/{id}/result")).await.expect(200)
}

async fn path_of(stage: &Stage, id: &str) -> Value {
    let of = format!("storeId={}&rootItemId={}", stage.store, stage.rice);
    stage.admin.get(&format!("{SERVICE}/runs/{id}/path?{of}")).await.expect(200)
}

fn numbers(of: &Value) -> Vec<f64> {
    of.as_array().expect("numbers").iter().map(|value| value.as_f64().expect("a number")).collect()
}

#[rstest]
#[tokio::test]
async fn a_policy_equals_a_plain_loop(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    // Always three kilos a day: the forecast is exact, and there are no stock-outs.
    let stage = a_store(on, |_| 3_000, 7_000).await;
    let policies = json!([
        { "name": "Plain", "method": "sma28", "serviceLevel": 0.9, "leadDays": 1, "reviewDays": 2 },
        { "name": "By the gram", "method": "sma28", "serviceLevel": 0.9, "leadDays": 1, "reviewDays": 2, "packs": false },
    ]);
    let id = run(&stage, &stage.admin, &ask(&stage, policies)).await;
    let reply = path_of(&stage, &id).await;
    assert_eq!(reply["dates"].as_array().map(Vec::len), Some(20));
    assert_eq!(numbers(&reply["demand"]), [3.0; 20]);
    let (mut stock, mut coming, mut sum, mut lost, mut orders) = (7.0_f64, 0.0, 0.0, 0.0, 0);
    let (mut path, mut ordered) = (Vec::new(), Vec::new());
    for day in 0..20 {
        stock += coming;
        coming = 0.0;
        let needed = 3.0 * 3.0 - stock;
        if day % 2 == 0 && needed > 0.0 {
            coming = (needed / 4.0).ceil() * 4.0;
            orders += 1;
        }
        ordered.push(coming);
        let served = stock.min(3.0);
        (stock, lost) = (stock - served, lost + 3.0 - served);
        path.push(stock);
        sum += stock;
    }
    assert_eq!(numbers(&reply["policies"][0]["stock"]), path);
    assert_eq!(numbers(&reply["policies"][0]["ordered"]), ordered);
    let result = result(&stage.admin, &id).await;
    let policy = &result["policies"][0];
    assert_eq!((&policy["orders"], &policy["days"]), (&json!(orders), &json!(20)));
    let amount = (sum / 20.0 * 50.0 * 100.0_f64).round() / 100.0;
    assert_eq!(policy["averageStockAmount"].as_f64(), Some(amount));
    assert_eq!(policy["lostAmount"].as_f64(), Some(lost * 50.0));
    assert_eq!(
        (&result["stores"], &result["items"], &result["verdict"]),
        (&json!(1), &json!(1), &Value::Null)
    );
    // Without whole packs, stock is lower.
    assert!(result["policies"][1]["averageStockAmount"].as_f64() < Some(amount));
    assert_eq!(result["byStore"][1]["policy"], 1);
    assert_eq!(result["rootItems"][0]["rootItemIds"], json!([stage.rice]));
}

#[rstest]
#[tokio::test]
async fn a_policy_is_compared_with_actual_orders(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut stage = a_store(on, |day| 2_000 + i64::from(day.rem_euclid(7)) * 500, 12_000).await;
    let today = stage.today();
    // One large delivery came in the middle; before it the shelf was empty for days.
    stage.bring(today - 8, 60_000).await;
    let policies = json!([
        { "name": "Really", "actual": true },
        { "name": "Plan", "method": "dow_ma", "serviceLevel": 0.98 },
        { "name": "Fitted", "method": "ses_0.3", "serviceLevel": 0.98 },
    ]);
    let asked = ask(&stage, policies);
    let estimate = stage.admin.post(&format!("{SERVICE}/estimate"), &asked).await.expect(200);
    assert_eq!((&estimate["series"], &estimate["days"]), (&json!(1), &json!(20)));
    assert_eq!((&estimate["playable"], &estimate["leftOut"]), (&json!(1), &json!(0)));
    assert!(estimate["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    let id = run(&stage, &stage.admin, &asked).await;
    let result = result(&stage.admin, &id).await;
    let out = |at: usize| result["policies"][at]["outDays"].as_i64().unwrap_or(-1);
    assert!(out(0) > 3 && out(1) < out(0) && out(2) < out(0), "{result}");
    let verdict = result["verdict"].as_str().expect("a verdict");
    assert!(verdict.starts_with("“") && verdict.contains(&format!("instead of {}", out(0))), "{verdict}");
    // Every count is said with what it is a count of.
    assert_eq!(result["itemDays"], 20);
    let conclusion = result["conclusion"].as_str().expect("a conclusion");
    let fewer = format!("{} fewer empty day", out(0) - out(1).min(out(2)));
    assert!(conclusion.contains(&fewer) && conclusion.contains("of 20 item-days, "), "{conclusion}");
    assert_eq!(result["policies"][0]["compared"], Value::Null);
    assert!(result["policies"][1]["compared"].as_str().is_some_and(|words| words.starts_with("With Plan: ")));
    let really = path_of(&stage, &id).await;
    let ordered = numbers(&really["policies"][0]["ordered"]);
    assert_eq!(ordered.iter().filter(|qty| **qty > 0.0).collect::<Vec<_>>(), [&60.0]);

    // Items not counted before the first day are left out, with a reason.
    let mut early = asked.clone();
    early["from"] = json!(BusinessDay(today - 40));
    let estimate = stage.admin.post(&format!("{SERVICE}/estimate"), &early).await.expect(200);
    assert_eq!((&estimate["playable"], &estimate["leftOut"]), (&json!(0), &json!(1)));
    let id = run(&stage, &stage.admin, &early).await;
    let outcome = stage.admin.get(&format!("{SERVICE}/runs/{id}")).await.expect(200)["outcome"].clone();
    assert_eq!(outcome["failedTotal"], 1);
    assert!(
        outcome["failed"][0]["why"].as_str().is_some_and(|why| why.starts_with("It was not counted before"))
    );
    // With nothing replayed there is no verdict.
    let empty = self::result(&stage.admin, &id).await;
    assert_eq!((&empty["series"], &empty["verdict"]), (&json!(0), &Value::Null));
    let left_out = "Left out: 1 of 1 item, because they were not counted before the first day.";
    assert_eq!(empty["conclusion"], left_out);
}

#[rstest]
#[tokio::test]
async fn orders_follow_the_delivery_calendar(#[from(one_engine)] on: Engine) {
    let stage = a_store(on, |_| 3_000, 40_000).await;
    let kitchen = make(&stage.admin, "/api/lists/commissaries", json!({ "name": "Main kitchen" })).await;
    // Orders for Monday and Thursday close on Sunday and Wednesday.
    let rule = json!({ "weekdays": [1, 4], "cutoffTime": "16:00", "cutoffDays": 1 });
    let at = format!("/api/stores/delivery-calendar/{}/commissary/{kitchen}", stage.store);
    stage.admin.put(&at, &rule).await.expect(200);
    let policies = json!([
        { "name": "By calendar", "method": "sma28", "serviceLevel": 0.9, "packs": false },
        { "name": "Every day", "method": "sma28", "serviceLevel": 0.9, "packs": false, "leadDays": 1, "reviewDays": 1 },
    ]);
    let id = run(&stage, &stage.admin, &ask(&stage, policies)).await;
    let reply = path_of(&stage, &id).await;
    let (by_calendar, every_day) =
        (numbers(&reply["policies"][0]["ordered"]), numbers(&reply["policies"][1]["ordered"]));
    let first = stage.today() - 20;
    let mut begun = false;
    for (day, qty) in (first..).zip(&by_calendar) {
        match BusinessDay(day).weekday() {
            // From Wednesday until Monday, and from Sunday until Thursday: five days and four.
            2 | 6 if begun => assert_eq!(*qty, if BusinessDay(day).weekday() == 2 { 12.0 } else { 9.0 }),
            2 | 6 => begun = *qty > 0.0,
            _ => assert_eq!(*qty, 0.0, "{}", BusinessDay(day)),
        }
    }
    assert!(begun && every_day.iter().filter(|qty| **qty > 0.0).count() > 4, "{every_day:?}");
}

#[rstest]
#[tokio::test]
async fn policies_do_not_look_ahead(#[from(one_engine)] on: Engine) {
    let stage = a_store(on, |day| 1_500 + i64::from(day.rem_euclid(5)) * 700, 9_000).await;
    let policies = json!([
        { "name": "Mean", "method": "sma28" },
        { "name": "Weekdays", "method": "dow_ma_weighted", "serviceLevel": 0.9 },
        { "name": "Fitted", "method": "ses_opt" },
    ]);
    let asked = ask(&stage, policies);
    let before = path_of(&stage, &run(&stage, &stage.admin, &asked).await).await;
    // A spike on the twelfth day changes no decision before it.
    stage.sell(stage.today() - 20 + 12, 90_000).await;
    let after = path_of(&stage, &run(&stage, &stage.admin, &asked).await).await;
    for policy in 0..3 {
        for (field, same) in [("ordered", 13), ("stock", 12)] {
            let of = |reply: &Value| numbers(&reply["policies"][policy][field])[..same].to_vec();
            assert_eq!(of(&before), of(&after), "{field} of {policy}");
        }
        assert_ne!(before["policies"][policy]["stock"], after["policies"][policy]["stock"]);
    }
}

#[rstest]
#[tokio::test]
async fn a_policy_can_be_applied_as_planning_rule(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = a_store(on, |_| 3_000, 7_000).await;
    let policies = json!([
        { "name": "Really", "actual": true },
        { "name": "Careful", "method": "dow_ma", "serviceLevel": 0.99, "reviewDays": 3 },
    ]);
    let id = run(&stage, &stage.admin, &ask(&stage, policies)).await;
    let choose = format!("{SERVICE}/runs/{id}/choose");
    let refused = stage.admin.post(&choose, &json!({ "policy": 0 })).await.expect(422);
    assert_eq!(refused["fields"][0]["message"], "What was really ordered is no policy. Choose another.");
    stage.admin.post(&choose, &json!({ "policy": 9 })).await.expect(422);
    let rule = stage.admin.post(&choose, &json!({ "policy": 1 })).await.expect(200);
    assert_eq!(
        (&rule["storeId"], &rule["serviceLevel"], &rule["reviewDays"]),
        (&Value::Null, &json!(0.99), &json!(3))
    );
    let rule = stage.admin.post(&choose, &json!({ "policy": 1, "storeId": stage.store })).await.expect(200);
    assert_eq!(
        (&rule["storeId"], &rule["method"], &rule["leadDays"]),
        (&json!(stage.store), &json!("dow_ma"), &Value::Null)
    );
    let again = stage.admin.post(&choose, &json!({ "policy": 1, "storeId": stage.store })).await.expect(200);
    assert_eq!(again["revision"], 2);
    let settings = stage.admin.get("/api/dashboard/drp-new/settings").await.expect(200);
    assert_eq!(settings["rules"].as_array().map(Vec::len), Some(2));
    let rights: &[(&str, &[Action])] = &[("tools/services", Action::ALL), ("dashboard/drpNew", Action::ALL)];
    let here = stage.app.user(rights, Some(std::slice::from_ref(&stage.store))).await;
    assert_eq!(here.post(&choose, &json!({ "policy": 1 })).await.expect(403)["code"], "allStores");
    here.post(&choose, &json!({ "policy": 1, "storeId": stage.store })).await.expect(200);
    let viewer = stage.app.user(&[("tools/services", &[Action::View])], None).await;
    viewer.post(&choose, &json!({ "policy": 1 })).await.expect(403);
}

#[rstest]
#[tokio::test]
async fn items_that_cannot_be_replayed_are_reported(#[from(one_engine)] on: Engine) {
    let stage = a_store(on, |_| 3_000, 7_000).await;
    let plain = json!([{ "name": "Plain" }]);
    let post = async |ask: Value| {
        stage.admin.post(&format!("{SERVICE}/runs"), &ask).await.expect(422)["fields"][0].clone()
    };
    assert_eq!(post(json!({})).await["message"], "Add at least one policy.");
    let today = BusinessDay(stage.today());
    assert_eq!(
        post(json!({ "policies": plain, "to": today })).await["message"],
        "Choose days that are over."
    );
    assert_eq!(post(json!({ "policies": plain, "method": "dow_ma" })).await["field"], "method");
    let bad = json!([{ "name": "Plain" }, { "name": "Plain", "serviceLevel": 2 }]);
    assert_eq!(post(json!({ "policies": bad })).await["field"], "policies.1.name");
    // Without lead time and review period a store is left out and named; the others continue.
    let location = format!("/api/stores/locations/{}", stage.store);
    let record = stage.admin.get(&location).await.expect(200);
    let none = json!({ "revision": record["revision"], "leadTimeDays": 0, "reviewTimeDays": 0 });
    stage.admin.patch(&location, &none).await.expect(200);
    let id = run(&stage, &stage.admin, &ask(&stage, plain)).await;
    let outcome = stage.admin.get(&format!("{SERVICE}/runs/{id}")).await.expect(200)["outcome"].clone();
    assert_eq!(outcome["failed"][0]["why"], "Set lead and review days.");
    let of = format!("{SERVICE}/runs/{id}/path?storeId={}&rootItemId={}", stage.store, stage.rice);
    assert_eq!(stage.admin.get(&of).await.expect(422)["fields"][0]["message"], "Set lead and review days.");

    let there = stage.app.user(&[("tools/services", Action::ALL)], Some(&["elsewhere".to_owned()])).await;
    // A run for all stores shows each user their accessible ones: here none.
    let result = there.get(&format!("{SERVICE}/runs/{id}/result")).await.expect(200);
    assert_eq!((&result["stores"], &result["byStore"]), (&json!(0), &json!([])));
    there.get(&of).await.expect(403);
}
