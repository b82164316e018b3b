//! Orders created from a plan, and order suggestions.

use rstest::rstest;
use serde_json::json;

use super::{PLAN, Stage, figure, number};
use crate::documents::{ORDERS, made, path, step_as};
use crate::support::{Engine, one_engine};

#[rstest]
#[tokio::test]
async fn orders_are_created_once_with_the_same_explanation(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let run = stage.run(json!({ "storeIds": [stage.store] })).await;
    let line = stage.line().await;
    assert!(number(&line["suggested"]) > 0.0, "{line}");
    let made = stage.make_orders(json!({ "planRunId": run["id"] })).await;
    let order = &made["orders"][0];
    assert_eq!(
        (&order["lines"], &order["storeId"], &made["skipped"]),
        (&json!(1), &json!(stage.store), &json!([]))
    );
    let document = stage.admin.get(&path(ORDERS, order)).await.expect(200);
    let of_order = &document["lines"][0];
    assert_eq!((&document["status"], &document["planRunId"]), (&json!("draft"), &run["id"]));
    assert_eq!((&document["neededDate"], &document["amount"]), (&line["neededDate"], &line["amount"]));
    assert_eq!((&of_order["why"], &of_order["planRunId"]), (&line["why"], &run["id"]));
    assert_eq!(
        (&of_order["qtyOrdered"], &of_order["qtySuggested"]),
        (&line["suggested"], &line["suggested"])
    );
    assert_eq!(stage.line().await["orderId"], order["id"]);

    // Again: no new orders, and a reference to the existing ones.
    let again = stage.make_orders(json!({ "planRunId": run["id"] })).await;
    assert_eq!(again["orders"], json!([]));
    let number_of = order["number"].as_str().expect("a number");
    assert_eq!(again["skipped"][0]["why"], json!(format!("{number_of} has it already.")));
    let listed = stage.admin.get(&format!("{ORDERS}?storeId={}", stage.store)).await.expect(200);
    assert_eq!(listed["total"], 1);
    // A repeated request returns the same response.
    let stores = stage.admin.get(&format!("{PLAN}/stores")).await.expect(200);
    assert_eq!(stores["items"][0]["orders"][0]["number"], json!(number_of));
    // A second order for another day does not suggest the same quantity again.
    let guide = format!("{ORDERS}/guide?storeId={}", stage.store);
    let item = stage.admin.get(&guide).await.expect(200)["items"][0].clone();
    assert_eq!(item["suggested"], 0, "{item}");
    let own = format!("{guide}&orderId={}", order["id"].as_str().expect("an id"));
    let item = stage.admin.get(&own).await.expect(200)["items"][0].clone();
    assert_eq!((&item["suggested"], &item["why"]), (&line["suggested"], &line["why"]));

    // Changing the order keeps the plan's explanation.
    let body = json!({
        "revision": document["revision"],
        "lines": [{ "id": of_order["id"], "productId": stage.sacks, "uomId": stage.sack, "qty": 1 }],
    });
    let changed = stage.admin.patch(&path(ORDERS, order), &body).await.expect(200);
    assert_eq!((&changed["lines"][0]["why"], &changed["lines"][0]["qtyOrdered"]), (&line["why"], &json!(1)));
    assert_eq!(changed["lines"][0]["qtySuggested"], line["suggested"]);

    // After cancelling the order, the plan can be ordered again.
    step_as(&stage.admin, ORDERS, &changed, "cancel", json!({})).await.expect(200);
    let body = json!({ "planRunId": run["id"], "lines": [{ "lineId": line["id"], "qty": 3 }] });
    let made = stage.make_orders(body).await;
    let document = stage.admin.get(&path(ORDERS, &made["orders"][0])).await.expect(200);
    assert_eq!(document["lines"][0]["qtyOrdered"], 3);
    assert_eq!(document["lines"][0]["qtySuggested"], line["suggested"]);
}

#[rstest]
#[tokio::test]
async fn an_existing_draft_gets_missing_lines(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let run = stage.run(json!({})).await;
    let needed = stage.line().await["neededDate"].clone();
    let body = |product: &str| {
        json!({
            "storeId": stage.store, "sourceType": "commissary", "sourceId": stage.kitchen, "neededDate": needed,
            "lines": [{ "productId": product, "qty": 2 }],
        })
    };
    let napkins = json!({ "name": "Napkins", "baseUom": stage.kilo });
    let napkins = made(&stage.admin, "/api/products", napkins).await;
    let draft = stage.admin.post(ORDERS, &body(&napkins)).await.expect(201);
    let answer = stage.make_orders(json!({ "planRunId": run["id"] })).await;
    assert_eq!((&answer["orders"][0]["id"], &answer["orders"][0]["lines"]), (&draft["id"], &json!(1)));
    let both = stage.admin.get(&path(ORDERS, &draft)).await.expect(200);
    let names: Vec<&str> =
        both["lines"].as_array().expect("lines").iter().filter_map(|line| line["name"].as_str()).collect();
    assert_eq!(names, ["Napkins", "Rice, sacks"]);
    assert_eq!(both["lines"][0]["qtyOrdered"], 2);
    // Lines a user added to a draft are kept.
    step_as(&stage.admin, ORDERS, &both, "cancel", json!({})).await.expect(200);
    let draft = stage.admin.post(ORDERS, &body(&stage.sacks)).await.expect(201);
    let answer = stage.make_orders(json!({ "planRunId": run["id"] })).await;
    let words = format!("{} has it already; change it there.", draft["orderNo"].as_str().expect("a number"));
    assert_eq!((&answer["orders"], &answer["skipped"][0]["why"]), (&json!([]), &json!(words)));
    let same = stage.admin.get(&path(ORDERS, &draft)).await.expect(200);
    assert_eq!((&same["revision"], &same["lines"][0]["qtyOrdered"]), (&json!(1), &json!(2)));
}

#[rstest]
#[tokio::test]
async fn quantities_ordered_meanwhile_are_not_suggested_again(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    stage.run(json!({})).await;
    let line = stage.line().await;
    let planned = number(&line["suggested"]);
    stage.order(2, 2).await;
    let guide = format!("{ORDERS}/guide?storeId={}", stage.store);
    let item = stage.admin.get(&guide).await.expect(200)["items"][0].clone();
    assert_eq!(number(&item["suggested"]), planned - 2.0, "{item}");
    assert_eq!(figure(&item["why"], "Position now")["value"], json!(10));
    let plan = stage.plan(&format!("storeId={}", stage.store)).await;
    assert!(plan["stale"].as_str().is_some_and(|words| words.contains("Run the plan again")), "{plan}");
    // A plan is outdated after three days: suggestions use the par level.
    let par = json!({ "storeId": stage.store, "rootItemId": stage.rice, "parQty": 100 });
    stage.admin.post("/api/lists/store-root-items", &par).await.expect(201);
    stage.app.clock.advance(3 * 86_400);
    let later = stage.app.admin().await;
    let item = later.get(&guide).await.expect(200)["items"][0].clone();
    assert_eq!(item["why"][0]["figure"], "Par level", "{item}");
}
