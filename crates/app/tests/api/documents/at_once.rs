//! Concurrent requests for the same document, by several users or as retries: one succeeds, the others are
//! refused.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use super::{DELIVERIES, ORDERS, RECEIPTS, Site, path};
use crate::support::{Answer, Engine, one_engine};

/// Checks that one request succeeded and all others were refused with the current document.
#[track_caller]
fn one_of(answers: Vec<Answer>, now: &str) -> Value {
    let (done, reported): (Vec<Answer>, Vec<Answer>) =
        answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(done.len(), 1, "{} acted", done.len());
    for answer in reported {
        let refused = answer.expect(409);
        let status =
            if refused["code"] == "stale" { &refused["current"]["status"] } else { &refused["state"] };
        assert_eq!(status, now, "{refused}");
    }
    done.into_iter().next().expect("one").json()
}

#[rstest]
#[tokio::test]
async fn of_concurrent_approvals_or_dispatches_one_succeeds(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 240).await;
    let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": 4 }]);
    let order = site.admin.post(ORDERS, &site.order(lines)).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let tries = (1..=6).map(|granted| {
        let lines = json!([{ "id": order["lines"][0]["id"], "qtyApproved": granted, "reason": "By hand" }]);
        site.step(ORDERS, &order, "approve", json!({ "lines": lines }))
    });
    let approved = one_of(futures::future::join_all(tries).await, "approved");
    assert_eq!(site.fresh(ORDERS, &order).await["lines"], approved["lines"]);

    let packed = site.packed(&approved).await;
    let tries = (0..6).map(|_| site.step(DELIVERIES, &packed, "dispatch", json!({})));
    one_of(futures::future::join_all(tries).await, "dispatched");
    let granted = approved["lines"][0]["qtyApproved"].as_i64().expect("whole cases");
    assert_eq!(site.places(&site.buns).await, (240 - granted * 24, 0, granted * 24));
}

#[rstest]
#[tokio::test]
async fn concurrent_retries_post_a_receipt_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 240).await;
    let delivery = site.dispatched(&site.approved(3).await).await;
    let receipt = site.receipt(&delivery).await;
    let at = format!("{}/post", path(RECEIPTS, &receipt));
    let body = json!({ "revision": receipt["revision"] });
    let send = || {
        site.admin.send(site.admin.request(Method::POST, &at).header("idempotency-key", "once").json(&body))
    };
    let answers = futures::future::join_all((0..8).map(|_| send())).await;
    let done: Vec<Value> = answers.iter().filter(|it| it.status == 200).map(Answer::json).collect();
    assert!(!done.is_empty() && done.iter().all(|it| it == &done[0]));
    assert!(answers.iter().all(|it| matches!(it.status, 200 | 409)));
    assert_eq!(send().await.expect(200), done[0]);
    assert_eq!(site.places(&site.buns).await, (240 - 72, 72, 0));
}

#[rstest]
#[tokio::test]
async fn only_quantities_in_transit_can_be_received(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    site.stock(&site.buns, 240).await;
    let packed = site.packed(&site.approved(2).await).await;
    let body = json!({ "storeId": site.store, "sourceType": "delivery", "sourceId": packed["id"] });
    let refused = site.admin.post(RECEIPTS, &body).await.expect(409);
    assert_eq!((&refused["code"], &refused["state"]), (&json!("notOnItsWay"), &json!("packed")));
    let words = refused["detail"].as_str().expect("words");
    assert!(words.contains(packed["deliveryNo"].as_str().expect("a number")), "{words}");

    // Undispatched while its receipt is a draft: the receipt cannot be posted, but keeps its entries.
    let sent = site.step(DELIVERIES, &packed, "dispatch", json!({})).await.expect(200);
    let receipt = site.receipt(&sent).await;
    let lines = json!([{
        "id": receipt["lines"][0]["id"], "received": 1, "reason": "short", "resolution": "credit",
    }]);
    let body = json!({ "revision": receipt["revision"], "lines": lines });
    let receipt = site.admin.patch(&path(RECEIPTS, &receipt), &body).await.expect(200);
    site.step(DELIVERIES, &sent, "undispatch", json!({ "reason": "The van came back" })).await.expect(200);
    let refused = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(409);
    assert_eq!(refused["code"], "notOnItsWay");
    assert_eq!(site.fresh(RECEIPTS, &receipt).await["lines"][0]["received"], 1);
    assert_eq!(site.places(&site.buns).await, (240, 0, 0));
}
