//! Which stores a plan includes, and refusals.

use larder_domain::Action;
use rstest::rstest;
use serde_json::json;

use super::{PLAN, Stage};
use crate::documents::said;
use crate::support::{Engine, one_engine};

#[rstest]
#[tokio::test]
async fn inaccessible_stores_stay_inaccessible(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let lead = json!({ "storeId": stage.other, "leadDays": 1 });
    stage.admin.put(&format!("{PLAN}/settings"), &lead).await.expect(200);
    stage.sold(&stage.other, 0).await;
    let run = stage.run(json!({})).await;
    let all: &[(&str, &[Action])] = &[("dashboard/drpNew", Action::ALL), ("stores/storeOrders", Action::ALL)];
    let manager = stage.app.user(all, Some(std::slice::from_ref(&stage.store))).await;
    let plan = manager.get(PLAN).await.expect(200);
    let lines = plan["lines"].as_array().expect("lines");
    assert!(!lines.is_empty() && lines.iter().all(|line| line["storeId"] == json!(stage.store)));
    manager.get(&format!("{PLAN}?storeId={}", stage.other)).await.expect(403);
    manager.get(&format!("{PLAN}/heat?storeId={}", stage.other)).await.expect(403);
    let grid = format!("{PLAN}/grid?productId={}&storeId={}", stage.sacks, stage.other);
    manager.get(&grid).await.expect(403);
    let grid = format!("{PLAN}/grid?productId={}&commissaryId={}", stage.sacks, stage.kitchen);
    let own = manager.get(&grid).await.expect(200);
    let whole = stage.admin.get(&grid).await.expect(200);
    assert_eq!(
        (own["children"].as_array().map(Vec::len), whole["children"].as_array().map(Vec::len)),
        (Some(1), Some(2))
    );
    let stores = manager.get(&format!("{PLAN}/stores")).await.expect(200);
    assert_eq!(stores["items"].as_array().map(Vec::len), Some(1));
    let far = format!("{}_{}_{}", run["id"].as_str().expect("an id"), stage.other, stage.sacks);
    let orders = format!("{PLAN}/orders");
    for body in [
        json!({ "planRunId": run["id"], "lines": [{ "lineId": far }] }),
        json!({ "planRunId": run["id"], "storeIds": [stage.other] }),
    ] {
        manager.post(&orders, &body).await.expect(403);
    }
    let made = manager.post(&orders, &json!({ "planRunId": run["id"] })).await.expect(200);
    assert_eq!(made["orders"].as_array().map(Vec::len), Some(1));
    // Creating orders also needs the permission for orders.
    let planner = stage.app.user(&[("dashboard/drpNew", Action::ALL)], None).await;
    planner.post(&orders, &json!({ "planRunId": run["id"] })).await.expect(403);
    let viewer = stage.app.user(&[("dashboard/drpNew", &[Action::View])], None).await;
    viewer.get(PLAN).await.expect(200);
    viewer.post(&orders, &json!({ "planRunId": run["id"] })).await.expect(403);
    viewer.get(&format!("{PLAN}/export")).await.expect(403);
    // Invalid plan, day and line.
    stage.admin.get(&format!("{PLAN}?planRunId=none")).await.expect(404);
    stage.admin.get(&format!("{PLAN}?date=soon")).await.expect(422);
    stage.admin.get(&format!("{PLAN}?only=some")).await.expect(422);
    stage.admin.post(&orders, &json!({ "planRunId": "none" })).await.expect(404);
    let unknown = json!({ "planRunId": run["id"], "lines": [{ "lineId": "no_line" }] });
    let answer = stage.make_orders(unknown).await;
    assert_eq!(answer["skipped"][0]["why"], "This line is not in the plan.");
    let wrong = json!({ "planRunId": run["id"], "lines": [{ "lineId": far, "qty": "many" }] });
    let refused = stage.admin.post(&orders, &wrong).await.expect(422);
    said(&refused, "lines.0.qty");
    let half = json!({ "planRunId": run["id"], "lines": [{ "lineId": far, "qty": 1.5 }] });
    let refused = stage.admin.post(&orders, &half).await.expect(422);
    assert_eq!(said(&refused, "lines.0.qty"), "Enter a whole number: sack is not split.");
}
