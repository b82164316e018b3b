//! Store orders around their cut-off: taken back before it, moved to the next truck or asked for as urgent after it.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{DELIVERIES, ORDERS, Site, path, said, step_as};
use crate::support::{Engine, one_engine};

/// A kitchen that delivers every day, with the cut-off at 16:00 of the day before. It is 09:00.
async fn daily(on: Engine) -> Site {
    let site = Site::start(on).await;
    site.app.clock.stand_still();
    let rule = json!({
        "weekdays": [1, 2, 3, 4, 5, 6, 7], "cutoffTime": "16:00", "cutoffDays": 1, "skipHolidays": false,
    });
    let at = format!("/api/stores/delivery-calendar/{}/commissary/{}", site.store, site.kitchen);
    site.admin.put(&at, &rule).await.expect(200);
    site
}

/// A draft of two cases for tomorrow.
async fn for_tomorrow(site: &Site) -> Value {
    let mut body = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 2 }]));
    body["neededDate"] = json!(site.soon().plus(-1));
    site.admin.post(ORDERS, &body).await.expect(201)
}

/// Until 17:00.
fn past_the_cut_off(site: &Site) {
    site.app.clock.advance(8 * 3_600);
}

#[rstest]
#[tokio::test]
async fn a_submitted_order_can_be_taken_back_until_the_cut_off(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = daily(on).await;
    let draft = for_tomorrow(&site).await;
    let order = site.step(ORDERS, &draft, "submit", json!({})).await.expect(200);
    assert_eq!(order["can"], json!(["approve", "reject", "withdraw", "cancel"]));
    let viewer = site.app.user(&[("stores/storeOrders", &[Action::View])], None).await;
    step_as(&viewer, ORDERS, &order, "withdraw", json!({})).await.expect(403);
    let taken_back = site.step(ORDERS, &order, "withdraw", json!({})).await.expect(200);
    assert_eq!((&taken_back["status"], &taken_back["submittedAt"]), (&json!("draft"), &Value::Null));
    let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": 5 }]);
    let body = json!({ "revision": taken_back["revision"], "lines": lines });
    let changed = site.admin.patch(&path(ORDERS, &taken_back), &body).await.expect(200);
    let order = site.step(ORDERS, &changed, "submit", json!({})).await.expect(200);
    assert_eq!((&order["status"], &order["lines"][0]["qtyOrdered"]), (&json!("submitted"), &json!(5)));

    past_the_cut_off(&site);
    let refused = site.step(ORDERS, &order, "withdraw", json!({})).await.expect(409);
    assert_eq!(refused["code"], "cutoffPassed");
    let words = refused["detail"].as_str().expect("words");
    assert!(words.starts_with("Cut-off for ") && words.contains(", 16:00. Head office"), "{words}");
    let approved = site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
    let refused = site.step(ORDERS, &approved, "withdraw", json!({})).await.expect(409);
    assert_eq!(refused["code"], "wrongStep");
}

#[rstest]
#[tokio::test]
async fn taking_an_order_back_leaves_one_draft_for_the_day(#[from(one_engine)] on: Engine) {
    let site = daily(on).await;
    let draft = for_tomorrow(&site).await;
    let order = site.step(ORDERS, &draft, "submit", json!({})).await.expect(200);
    let second = for_tomorrow(&site).await;
    let refused = site.step(ORDERS, &order, "withdraw", json!({})).await.expect(409);
    assert_eq!((&refused["code"], &refused["id"]), (&json!("draftExists"), &second["id"]));
    // So does opening a rejected one again.
    let rejected =
        site.step(ORDERS, &order, "reject", json!({ "reason": "Ordered twice" })).await.expect(200);
    let refused = site.step(ORDERS, &rejected, "reopen", json!({})).await.expect(409);
    assert_eq!((&refused["code"], &refused["id"]), (&json!("draftExists"), &second["id"]));
}

#[rstest]
#[tokio::test]
async fn a_late_draft_moves_to_the_next_truck(#[from(one_engine)] on: Engine) {
    let site = daily(on).await;
    let draft = for_tomorrow(&site).await;
    past_the_cut_off(&site);
    let refused = site.step(ORDERS, &draft, "submit", json!({})).await.expect(422);
    assert!(said(&refused, "neededDate").starts_with("Cut-off for "));
    let body = json!({ "revision": draft["revision"], "neededDate": site.soon(), "urgentReason": "Fiesta" });
    let moved = site.admin.patch(&path(ORDERS, &draft), &body).await.expect(200);
    // What comes in time is not urgent.
    assert_eq!((&moved["neededDate"], &moved["urgentReason"]), (&json!(site.soon()), &Value::Null));
    assert_eq!(moved["lines"][0]["qtyOrdered"], 2);
    site.step(ORDERS, &moved, "submit", json!({})).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn an_urgent_order_is_granted_with_the_override_right(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = daily(on).await;
    let draft = for_tomorrow(&site).await;
    past_the_cut_off(&site);
    let body = json!({ "revision": draft["revision"], "urgentReason": "A party of forty came" });
    let asked = site.admin.patch(&path(ORDERS, &draft), &body).await.expect(200);
    let order = site.step(ORDERS, &asked, "submit", json!({})).await.expect(200);
    assert_eq!(
        (&order["status"], &order["urgentReason"], &order["cutoffAt"]),
        (&json!("submitted"), &json!("A party of forty came"), &draft["cutoffAt"])
    );
    // The kitchen sees the reason.
    let day = order["neededDate"].as_str().expect("a day");
    let matrix = format!("/api/commissary/orders?commissaryId={}&neededDate={day}", site.kitchen);
    let seen = site.admin.get(&matrix).await.expect(200);
    assert_eq!(seen["stores"][0]["orders"][0]["urgentReason"], "A party of forty came");

    let rights: &[(&str, &[Action])] =
        &[("stores/storeOrders", &[Action::View, Action::Edit, Action::Approve])];
    let clerk = site.app.user(rights, None).await;
    let refused = step_as(&clerk, ORDERS, &order, "approve", json!({})).await.expect(403);
    assert_eq!(refused["code"], "forbidden");
    assert_eq!(site.fresh(ORDERS, &order).await["status"], "submitted");
    let order = site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
    assert_eq!((&order["status"], &order["urgentReason"]), (&json!("approved"), &asked["urgentReason"]));
    site.stock(&site.buns, 240).await;
    site.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(201);
}

#[rstest]
#[tokio::test]
async fn only_what_no_truck_can_bring_in_time_is_urgent(#[from(one_engine)] on: Engine) {
    let site = daily(on).await;
    past_the_cut_off(&site);
    let mut body = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 1 }]));
    body["urgentReason"] = json!("Fiesta");
    let in_time = site.admin.post(ORDERS, &body).await.expect(201);
    assert_eq!(in_time["urgentReason"], Value::Null);
    body["neededDate"] = json!(site.soon().plus(-1));
    let urgent = site.admin.post(ORDERS, &body).await.expect(201);
    assert_eq!(urgent["urgentReason"], "Fiesta");
    body["urgentReason"] = json!(" ");
    let refused = site.admin.post(ORDERS, &body).await.expect(422);
    assert!(said(&refused, "neededDate").starts_with("Cut-off for "), "no reason, not urgent");
    // An urgent order is taken back as long as nobody granted it.
    let sent = site.step(ORDERS, &urgent, "submit", json!({})).await.expect(200);
    let back = site.step(ORDERS, &sent, "withdraw", json!({})).await.expect(200);
    assert_eq!(back["status"], "draft");
}
