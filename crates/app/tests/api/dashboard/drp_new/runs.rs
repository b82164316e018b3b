//! Planner runs: what cannot be planned, retention of plans, resuming after a kill.

use larder_domain::sales::day::{DayLine, SoldItem};
use larder_ledgers::sales::{Prepared, replace_store_days};
use larder_platform::http::ApiError;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PLAN, RUNS, Stage, WEEK};
use crate::documents::made;
use crate::support::{Engine, actor, one_engine};

#[rstest]
#[tokio::test]
async fn planning_failures_are_listed_and_the_rest_is_planned(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    stage.sold(&stage.other, 0).await;
    made(&stage.admin, "/api/products", json!({ "name": "Napkins", "baseUom": stage.kilo })).await;
    // Salt has only three days of sales.
    let salt = made(&stage.admin, "/api/lists/root-items", json!({ "name": "Salt" })).await;
    let grains = json!({
        "name": "Salt, bags", "baseUom": stage.kilo, "rootItemConversions": [{ "rootItemId": salt, "factor": 1 }],
    });
    made(&stage.admin, "/api/products", grains).await;
    let bom = json!([{ "rootProductId": salt, "multiplier": 0.25 }]);
    let soup = made(&stage.admin, "/api/lists/pos-items", json!({ "description": "Soup", "bom": bom })).await;
    let days: Vec<Prepared> = (1..=3)
        .map(|back| {
            let day = stage.today().plus(-back);
            let mut sold = stage.store_day(&stage.store, day, WEEK[usize::from(day.weekday())] * 1_000);
            let soups = stage.store_day(&stage.store, day, 1_000).lines.remove(0);
            sold.items.push(SoldItem { pos_item_id: soup.as_str().into(), source_item: "y".into() });
            sold.lines.push(DayLine { line_no: 1, item: 1, ..soups });
            Prepared::new(sold)
        })
        .collect();
    let days = days.as_slice();
    stage
        .app
        .db
        .write(&actor(stage.app.state.now()), async |tx| replace_store_days(tx, days, None).await)
        .await
        .map_err(|error: ApiError| error.to_string())
        .expect("posted");
    let run = stage.run(json!({})).await;
    let plan = stage.plan("").await;
    let lines = plan["lines"].as_array().expect("lines");
    assert!(lines.iter().all(|line| line["storeId"] == json!(stage.store)), "{plan}");
    assert!(lines.iter().any(|line| line["productId"] == json!(stage.sacks)), "{plan}");
    let notes: Vec<(&Value, &str)> = plan["notes"]
        .as_array()
        .expect("notes")
        .iter()
        .map(|note| (&note["storeId"], note["why"].as_str().expect("words")))
        .collect();
    assert!(notes.contains(&(&json!(stage.other), "Set lead and review days for Pasig.")), "{notes:?}");
    assert!(
        notes.contains(&(&Value::Null, "Napkins: say which root item it brings, and how much.")),
        "{notes:?}"
    );
    let failed = run["outcome"]["failed"].as_array().expect("failures");
    let why: Vec<&str> = failed.iter().filter_map(|it| it["why"].as_str()).collect();
    assert!(why.contains(&"Set lead and review days for Pasig."), "{why:?}");
    let stores = stage.admin.get(&format!("{PLAN}/stores")).await.expect(200);
    let pasig =
        stores["items"].as_array().expect("stores").iter().find(|it| it["storeId"] == json!(stage.other));
    assert_eq!(pasig.expect("Pasig")["note"], "Set lead and review days for Pasig.");
}

#[rstest]
#[tokio::test]
async fn a_plan_is_unchanged_a_year_later(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let run = stage.run(json!({})).await;
    let before = stage.line().await;
    stage.make_orders(json!({ "planRunId": run["id"] })).await;
    // All of its inputs change.
    stage.admin.put(&format!("{PLAN}/settings"), &json!({ "leadDays": 9 })).await.expect(200);
    stage.count(&stage.store, stage.today(), 400).await;
    stage.app.clock.advance(365 * 86_400);
    let later = stage.app.admin().await;
    let second = later.post(RUNS, &json!({})).await.expect(202);
    stage.app.drain().await;
    assert_ne!(second["id"], run["id"]);
    let kept = format!("{PLAN}?planRunId={}", run["id"].as_str().expect("an id"));
    let plan = later.get(&kept).await.expect(200);
    let mut after = plan["lines"][0].clone();
    assert!(after["orderId"].is_string());
    after["orderId"] = Value::Null;
    assert_eq!(after, before);
    assert!(plan["stale"].as_str().is_some_and(|words| words.starts_with("This is the plan of")));
    // It can no longer be ordered from.
    let refused = later.post(&format!("{PLAN}/orders"), &json!({ "planRunId": run["id"] })).await.expect(409);
    assert_eq!(refused["code"], "oldPlan");
}

#[rstest]
#[tokio::test]
async fn old_plans_are_deleted_except_mondays_and_ordered_ones(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let mut runs = Vec::new();
    for _ in 0..7 {
        let admin = stage.app.admin().await;
        let run = admin.post(RUNS, &json!({})).await.expect(202);
        stage.app.drain().await;
        runs.push((stage.today(), run["id"].as_str().expect("an id").to_owned()));
        stage.app.clock.advance(86_400);
    }
    let ordered = runs.iter().position(|(day, _)| !day.is_monday()).expect("six of seven plans");
    let id = &runs[ordered].1;
    let by = actor(stage.app.state.now());
    let marked = stage.app.db.write(&by, async |tx| {
        tx.sql("update plan_lines set order_id = 'x' where run_id = $1").bind(id).execute().await
    });
    assert!(marked.await.expect("marked") > 0);
    stage.app.clock.advance(70 * 86_400);
    let admin = stage.app.admin().await;
    admin.post(RUNS, &json!({})).await.expect(202);
    stage.app.drain().await;
    for (at, (day, id)) in runs.iter().enumerate() {
        let status = admin.get(&format!("{PLAN}?planRunId={id}")).await.status;
        assert_eq!(status, if day.is_monday() || at == ordered { 200 } else { 404 }, "{day}");
    }
}

#[rstest]
#[tokio::test]
async fn a_killed_planner_run_resumes_with_the_same_result(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    let lead = json!({ "storeId": stage.other, "leadDays": 1 });
    stage.admin.put(&format!("{PLAN}/settings"), &lead).await.expect(200);
    stage.sold(&stage.store, 3).await;
    stage.sold(&stage.other, 4).await;
    let whole = stage.run(json!({})).await;
    let lines = async |run: &Value| {
        let plan = stage.plan(&format!("planRunId={}", run["id"].as_str().expect("an id"))).await;
        let mut lines = plan["lines"].as_array().expect("lines").clone();
        for line in &mut lines {
            line["id"] = Value::Null;
            line["planRunId"] = Value::Null;
        }
        lines
    };
    let expected = lines(&whole).await;
    assert_eq!(expected.len(), 2);
    // Another run, reset to its state after the first store, as after a kill.
    let again = stage.run(json!({})).await;
    let id = again["id"].as_str().expect("an id");
    let first = stage.store.clone().min(stage.other.clone());
    let progress = json!({
        "stores": 1, "after": first, "lines": 1, "to_order": 1, "at_risk": 0, "capped": 0, "amount": 0,
        "failures": { "named": [], "total": 0 },
    });
    let progress = &larder_db::Json(progress);
    let args = &larder_db::Json(json!({ "runId": id }));
    let by = actor(stage.app.state.now());
    let put_back = stage.app.db.write(&by, async |tx| {
        tx.sql("delete from plan_lines where run_id = $1 and store_id <> $2")
            .bind(id)
            .bind(&first)
            .execute()
            .await?;
        tx.sql(
            "update jobs set state = 'queued', lease_owner = null, lease_until = 0, checkpoint = $1, result = null, finished_at = null, \
                args = $3 where id = (select job_id from service_runs where id = $2)",
        )
        .bind(progress)
        .bind(id)
        .bind(args)
        .execute()
        .await?;
        tx.sql("update service_runs set state = 'open', outcome = null, finished_at = null where id = $1")
            .bind(id)
            .execute()
            .await
    });
    put_back.await.expect("reset");
    assert_eq!(lines(&again).await.len(), 1);
    stage.app.drain().await;
    let ended = stage.admin.get(&format!("{RUNS}/{id}")).await.expect(200);
    assert_eq!(
        (&ended["state"], &ended["outcome"]["words"]),
        (&json!("done"), &json!("2 stores planned.")),
        "{ended}"
    );
    assert_eq!(lines(&again).await, expected);
}
