//! Store orders.

use larder_domain::Action;
use rstest::rstest;
use serde_json::json;

use super::{DELIVERIES, ORDERS, Site, made, path, said, step_as};
use crate::support::{Engine, one_engine};

#[rstest]
#[tokio::test]
async fn an_order_goes_from_draft_to_approved(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let lines = json!([
        { "productId": site.buns, "uomId": site.case, "qty": 3 },
        { "productId": site.rice, "qty": 2 },
        { "productId": site.buns, "uomId": site.piece, "qty": 24 },
    ]);
    let order = site.admin.post(ORDERS, &site.order(lines)).await.expect(201);
    let year = site.soon().date().year();
    let today = larder_domain::BusinessDay::of(site.app.state.now()).date().year();
    assert!(
        order["orderNo"] == format!("SO-{today}-000001") || order["orderNo"] == format!("SO-{year}-000001")
    );
    assert_eq!(order["status"], "draft");
    assert_eq!(order["can"], json!(["submit", "cancel"]));
    // The same product twice becomes one line, in the unit of the first.
    assert_eq!(order["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(order["lines"][0]["qtyOrdered"], 4);
    assert_eq!((&order["lines"][0]["factor"], &order["lines"][0]["factorToBase"]), (&json!(24), &json!(24)));
    assert_eq!((&order["submittedBy"], &order["approvedBy"]), (&json!(null), &json!(null)));
    assert_eq!(order["lines"][0]["unitPrice"], 240);
    assert_eq!(order["amount"], 1440);

    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    assert_eq!(order["status"], "submitted");
    assert!(order["submittedAt"].is_string());
    assert_eq!(order["submittedBy"]["uid"], site.admin.uid);
    let line = order["lines"][0]["id"].clone();
    let unexplained = json!({ "lines": [{ "id": line, "qtyApproved": 2 }] });
    let refused = site.step(ORDERS, &order, "approve", unexplained).await.expect(422);
    assert_eq!(said(&refused, "lines.0.reason"), "Say why this differs from what was ordered.");
    let less = |at: usize| json!({ "id": order["lines"][at]["id"], "qtyApproved": 1 });
    let both = json!({ "lines": [less(0), less(1)] });
    let refused = site.step(ORDERS, &order, "approve", both).await.expect(422);
    assert_eq!(refused["detail"], "Say why 2 quantities were changed.");
    let body = json!({ "lines": [{ "id": line, "qtyApproved": 2, "reason": "Oven down" }] });
    let order = site.step(ORDERS, &order, "approve", body).await.expect(200);
    assert_eq!(order["status"], "approved");
    assert_eq!(order["lines"][0]["qtyApproved"], 2);
    assert_eq!(order["lines"][0]["reason"], "Oven down");
    assert_eq!(order["lines"][1]["qtyApproved"], 2);
    let steps: Vec<&str> =
        order["steps"].as_array().expect("steps").iter().filter_map(|it| it["step"].as_str()).collect();
    assert_eq!(steps, ["submit", "approve"]);
    assert!(order["approvedAt"].is_string());
    assert_eq!(order["approvedBy"]["uid"], site.admin.uid);

    let listed = site.admin.get(&format!("{ORDERS}?status=approved&q=cubao")).await.expect(200);
    assert_eq!((&listed["total"], &listed["counts"]), (&json!(1), &json!({ "approved": 1 })));
    assert_eq!(listed["items"][0]["lineCount"], 2);
    for name in ["submittedBy", "submittedAt", "approvedBy", "approvedAt"] {
        assert_eq!(listed["items"][0][name], order[name], "{name}");
    }
    let file = site.admin.get(&format!("{ORDERS}/export?format=csv")).await;
    let file = file.text();
    assert!(file.contains("Buns"), "{file}");
    let titles = file.lines().next().unwrap_or_default();
    assert!(titles.ends_with("Base units in one,Submitted,Submitted by,Approved,Approved by"), "{titles}");
    let name = order["approvedBy"]["name"].as_str().expect("a name");
    assert!(file.lines().nth(1).is_some_and(|row| row.ends_with(name) && row.contains(",24,")), "{file}");
    let history = site
        .admin
        .get(&format!("/api/history?kind=storeOrder&id={}", order["id"].as_str().unwrap_or("")))
        .await;
    assert!(history.expect(200)["items"].as_array().is_some_and(|items| items.len() == 3));
}

#[rstest]
#[tokio::test]
async fn errors_are_reported_at_their_fields(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let admin = &site.admin;
    let litre = made(admin, "/api/lists/uoms", json!({ "name": "Litre", "code": "L" })).await;
    let gone = json!({ "name": "Old rolls", "baseUom": site.piece });
    let gone = made(admin, "/api/products", gone).await;
    let revision = admin.get(&format!("/api/products/{gone}")).await.expect(200)["revision"].clone();
    let body = json!({ "revision": revision, "inactive": true });
    admin.patch(&format!("/api/products/{gone}"), &body).await.expect(200);
    let lines = json!([
        { "productId": gone, "qty": 1 },
        { "productId": site.buns, "uomId": litre, "qty": 1 },
        { "productId": site.rice, "uomId": site.case, "qty": 0 },
        { "productId": "none", "qty": 1 },
        { "qty": 1 },
        { "productId": site.buns, "uomId": site.case },
        { "productId": site.buns, "uomId": site.case, "qty": "many" },
    ]);
    let refused = admin.post(ORDERS, &site.order(lines)).await.expect(422);
    assert_eq!(said(&refused, "lines.0.productId"), "Old rolls is inactive.");
    assert!(said(&refused, "lines.1.uomId").contains("Buns is not counted in this unit"));
    assert_eq!(said(&refused, "lines.4.productId"), "Choose a product.");
    assert_eq!(said(&refused, "lines.5.qty"), "Enter a quantity.");
    for (qty, words) in [
        (json!(0), "Enter a quantity above zero."),
        (json!(-3), "Enter a quantity above zero."),
        (json!(1.5), "Enter a whole number: case is not split."),
        (json!(1_000_000_000_001_i64), "This quantity is too large."),
    ] {
        let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": qty }]);
        let refused = admin.post(ORDERS, &site.order(lines)).await.expect(422);
        assert_eq!(said(&refused, "lines.0.qty"), words, "{qty}");
    }
    let empty = admin.post(ORDERS, &site.order(json!([]))).await.expect(201);
    let refused = site.step(ORDERS, &empty, "submit", json!({})).await.expect(422);
    assert_eq!(said(&refused, "lines"), "Add at least one item.");
    let second = admin.post(ORDERS, &site.order(json!([]))).await.expect(409);
    assert_eq!((&second["code"], &second["id"]), (&json!("draftExists"), &empty["id"]));
    let mut past = site.order(json!([]));
    past["neededDate"] = json!("2020-01-01");
    assert_eq!(
        said(&admin.post(ORDERS, &past).await.expect(422), "neededDate"),
        "Choose today or a later day."
    );
    let nothing = admin.post(ORDERS, &json!({})).await.expect(422);
    assert_eq!(said(&nothing, "storeId"), "Choose a store.");
    // Refused requests use up no numbers.
    let next = site.approved_for(site.soon().plus(1), 1).await;
    assert!(
        next["orderNo"].as_str().is_some_and(|number| number.ends_with("-000002")),
        "{}",
        next["orderNo"]
    );
}

#[rstest]
#[tokio::test]
async fn misspelt_members_are_refused(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let admin = &site.admin;
    let line = json!({ "productId": site.buns, "quantitiy": 3 });
    let refused = admin.post(ORDERS, &site.order(json!([line]))).await.expect(422);
    assert_eq!(
        said(&refused, "lines.0.quantitiy"),
        "There is no such field here; there are id, productId, uomId, qty, reason."
    );
    let mut body = site.order(json!([]));
    body["needDate"] = body["neededDate"].clone();
    assert!(said(&admin.post(ORDERS, &body).await.expect(422), "needDate").contains("neededDate"));
    assert_eq!(admin.get(ORDERS).await.expect(200)["total"], 0, "no order was created");

    let order =
        admin.post(ORDERS, &site.order(json!([{ "productId": site.buns, "qty": 3 }]))).await.expect(201);
    let change = json!({ "revision": order["revision"], "note": "x" });
    assert!(said(&admin.patch(&path(ORDERS, &order), &change).await.expect(422), "note").contains("notes"));
    let refused = site.step(ORDERS, &order, "submit", json!({ "reson": "x" })).await.expect(422);
    assert!(said(&refused, "reson").contains("reason"));
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let granted = json!({ "lines": [{ "id": order["lines"][0]["id"], "qtyAproved": 2 }] });
    let refused = site.step(ORDERS, &order, "approve", granted).await.expect(422);
    assert!(said(&refused, "lines.0.qtyAproved").contains("qtyApproved"));
    assert_eq!(site.fresh(ORDERS, &order).await["status"], "submitted");

    let lines =
        json!([{ "productId": site.buns, "qty": 1 }, { "productId": site.rice, "qty": 1, "batch": "L1" }]);
    let transfer = json!({ "fromStoreId": site.store, "toStoreId": site.store, "lines": lines });
    let refused = admin.post("/api/stores/transfers", &transfer).await.expect(422);
    assert!(said(&refused, "lines.1.batch").contains("lot"));
}

#[rstest]
#[tokio::test]
async fn invalid_actions_and_old_revisions_change_nothing(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let order = site.approved(3).await;
    let refused = site.step(ORDERS, &order, "submit", json!({})).await.expect(409);
    assert_eq!((&refused["code"], &refused["state"]), (&json!("wrongStep"), &json!("approved")));
    assert_eq!(refused["can"], json!(["close-short", "cancel"]));
    assert_eq!(refused["detail"], "This order is approved; what can be done is: close short or cancel.");
    let refused = site
        .admin
        .patch(&path(ORDERS, &order), &json!({ "revision": order["revision"], "notes": "x" }))
        .await;
    assert_eq!(refused.expect(409)["detail"], "This order is approved and can no longer be changed.");
    let old = json!({ "revision": 1 });
    let stale = site.step(ORDERS, &order, "cancel", old).await.expect(409);
    assert_eq!((&stale["code"], &stale["current"]["status"]), (&json!("stale"), &json!("approved")));
    let cancelled = site.step(ORDERS, &order, "cancel", json!({})).await.expect(200);
    assert_eq!(cancelled["status"], "cancelled");

    site.stock(&site.buns, 240).await;
    let order = site.approved(3).await;
    site.dispatched(&order).await;
    let order = site.fresh(ORDERS, &order).await;
    assert_eq!(order["status"], "inFulfilment");
    let refused = site.step(ORDERS, &order, "cancel", json!({})).await.expect(409);
    assert_eq!(refused["detail"], "Dispatched orders can't be cancelled; close short instead.");
}

#[rstest]
#[tokio::test]
async fn granting_far_more_than_ordered_needs_an_override(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let rights: &[(&str, &[Action])] =
        &[("stores/storeOrders", &[Action::View, Action::Edit, Action::Approve])];
    let clerk = site.app.user(rights, None).await;
    let lines = json!([{ "productId": site.buns, "uomId": site.piece, "qty": 10 }]);
    let order = site.admin.post(ORDERS, &site.order(lines)).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let granted = |qty: i64, more: serde_json::Value| {
        let mut body = json!({ "lines": [{ "id": order["lines"][0]["id"], "qtyApproved": qty }] });
        body.as_object_mut().expect("a body").extend(more.as_object().expect("more").clone());
        body
    };
    // More than ordered needs a reason; ten times as much is treated as a typing error.
    let refused = step_as(&clerk, ORDERS, &order, "approve", granted(11, json!({}))).await.expect(422);
    assert_eq!(said(&refused, "lines.0.reason"), "Say why this differs from what was ordered.");
    let mut typed = granted(1_000_000_000, json!({}));
    typed["lines"][0]["reason"] = json!("Fiesta");
    let refused = step_as(&clerk, ORDERS, &order, "approve", typed.clone()).await.expect(422);
    assert_eq!(refused["code"], "muchMore");
    let words = "This is more than 10 times the 10 pc that were ordered. Check the quantity.";
    assert_eq!(said(&refused, "lines.0.qtyApproved"), words);
    let all_the_same = json!({ "override": true, "reason": "Fiesta" });
    step_as(&clerk, ORDERS, &order, "approve", granted(101, all_the_same.clone())).await.expect(403);
    let refused = site.step(ORDERS, &order, "approve", granted(101, json!({ "override": true }))).await;
    assert_eq!(said(&refused.expect(422), "reason"), "Say why.");
    assert_eq!(site.step(ORDERS, &order, "approve", typed).await.expect(422)["code"], "muchMore");
    let done = site.step(ORDERS, &order, "approve", granted(101, all_the_same)).await.expect(200);
    assert_eq!(
        (&done["lines"][0]["qtyApproved"], &done["lines"][0]["reason"]),
        (&json!(101), &json!("Fiesta"))
    );
}

#[rstest]
#[tokio::test]
async fn a_refused_action_reports_the_current_state(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let order = site.approved(3).await;
    let body = json!({ "orderIds": [order["id"]] });
    site.admin.post(DELIVERIES, &body).await.expect(201);
    for step in ["cancel", "close-short"] {
        let refused = site.step(ORDERS, &order, step, json!({})).await.expect(409);
        assert_eq!((&refused["code"], &refused["state"]), (&json!("beingDelivered"), &json!("approved")));
        assert_eq!(refused["status"], 409);
    }
}

#[rstest]
#[tokio::test]
async fn a_retried_order_is_created_once(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let body = site.order(json!([{ "productId": site.buns, "qty": 1 }]));
    let send =
        || site.admin.request(reqwest::Method::POST, ORDERS).header("idempotency-key", "k1").json(&body);
    let first = site.admin.send(send()).await.expect(201);
    let second = site.admin.send(send()).await.expect(201);
    assert_eq!(first["id"], second["id"]);
    assert_eq!(site.admin.get(ORDERS).await.expect(200)["total"], 1);
}

#[rstest]
#[tokio::test]
async fn a_suggestion_fills_up_to_the_par_level_with_an_explanation(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let admin = &site.admin;
    let flour = made(admin, "/api/lists/root-items", json!({ "name": "Buns (pc)" })).await;
    let product = admin.get(&format!("/api/products/{}", site.buns)).await.expect(200);
    let body = json!({
        "revision": product["revision"], "rootItemConversions": [{ "rootItemId": flour, "factor": 1 }],
    });
    admin.patch(&format!("/api/products/{}", site.buns), &body).await.expect(200);
    let par = json!({ "storeId": site.store, "rootItemId": flour, "parQty": 100 });
    admin.post("/api/lists/store-root-items", &par).await.expect(201);
    site.stock(&site.buns, 240).await;

    let guide = format!("{ORDERS}/guide?storeId={}", site.store);
    let of_buns = |guide: &serde_json::Value| {
        let items = guide["items"].as_array().expect("items").clone();
        items.into_iter().find(|item| item["productId"] == site.buns.as_str()).expect("buns")
    };
    let item = of_buns(&admin.get(&guide).await.expect(200));
    assert_eq!(
        (&item["suggested"], &item["parLevel"], &item["uomCode"]),
        (&json!(5), &json!(100), &json!("case"))
    );
    assert_eq!(item["why"].as_array().map(Vec::len), Some(5));
    // In each unit, and stock can be converted to it: a case is 24 pieces.
    let suggested: Vec<_> =
        item["units"].as_array().expect("units").iter().map(|it| &it["suggested"]).collect();
    assert_eq!((suggested, &item["stockPerBase"]), (vec![&json!(5), &json!(100)], &json!(1)));

    // Approved it is on order, dispatched in transit, received on hand.
    let order = site.approved(3).await;
    let item = of_buns(&admin.get(&guide).await.expect(200));
    assert_eq!((&item["suggested"], &item["onOrder"]), (&json!(2), &json!(72)));
    let own = of_buns(
        &admin.get(&format!("{guide}&orderId={}", order["id"].as_str().unwrap_or(""))).await.expect(200),
    );
    assert_eq!((&own["suggested"], &own["onOrder"]), (&json!(5), &json!(0)));
    site.dispatched(&order).await;
    let item = of_buns(&admin.get(&guide).await.expect(200));
    assert_eq!(
        (&item["suggested"], &item["inTransit"], &item["onOrder"]),
        (&json!(2), &json!(72), &json!(0))
    );
    assert_eq!(item["lastOrdered"]["qty"], 3);
    assert_eq!(item["averageOrdered"], 3);

    let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": 4 }]);
    let order = admin.post(ORDERS, &site.order(lines)).await.expect(201);
    assert_eq!(order["lines"][0]["qtySuggested"], 2);
    assert_eq!(order["differsFromSuggestion"], true);
    assert_eq!(order["lines"][0]["why"][0]["figure"], "Par level");
}

#[rstest]
#[tokio::test]
async fn orders_of_another_store_are_inaccessible(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let order = site.approved(3).await;
    site.stock(&site.buns, 240).await;
    let delivery = site.dispatched(&order).await;
    let rights: &[(&str, &[Action])] = &[
        (
            "stores/storeOrders",
            &[Action::View, Action::Create, Action::Edit, Action::Approve, Action::Export],
        ),
        ("commissary/deliveries", &[Action::View, Action::Edit, Action::Post]),
    ];
    let elsewhere = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati" })).await;
    let other = site.app.user(rights, Some(&[elsewhere])).await;
    for (base, document) in [(ORDERS, &order), (DELIVERIES, &delivery)] {
        other.get(&path(base, document)).await.expect(403);
        step_as(&other, base, document, "cancel", json!({})).await.expect(403);
        assert_eq!(other.get(base).await.expect(200)["total"], 0);
        other.get(&format!("{base}?storeId={}", site.store)).await.expect(403);
    }
    other.post(ORDERS, &site.order(json!([]))).await.expect(403);
    other.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(403);
    other.get(&format!("{ORDERS}/guide?storeId={}", site.store)).await.expect(403);
}

#[rstest]
#[tokio::test]
async fn orders_are_limited_to_delivery_days(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    site.app.clock.stand_still();
    let at = format!("/api/stores/delivery-calendar/{}/commissary/{}", site.store, site.kitchen);
    let bad = json!({ "weekdays": [8], "cutoffTime": "25:00", "cutoffDays": 99 });
    let refused = site.admin.put(&at, &bad).await.expect(422);
    assert_eq!(said(&refused, "cutoffTime"), "Enter a time, for example 16:00.");
    let rule = json!({ "weekdays": [1, 3, 5], "cutoffTime": "16:00", "cutoffDays": 1, "skipHolidays": true });
    let kept = site.admin.put(&at, &rule).await.expect(200);
    assert_eq!((&kept["weekdays"], &kept["revision"]), (&json!([1, 3, 5]), &json!(1)));
    assert_eq!(site.admin.put(&at, &rule).await.expect(409)["code"], "stale");
    let board = site.admin.get("/api/stores/delivery-calendar").await.expect(200);
    assert_eq!(board["items"].as_array().map(Vec::len), Some(1));

    let asked = format!(
        "/api/stores/delivery-dates?storeId={}&sourceType=commissary&sourceId={}",
        site.store, site.kitchen
    );
    let dates = site.admin.get(&asked).await.expect(200);
    assert_eq!((&dates["rule"], dates["dates"].as_array().map(Vec::len)), (&json!(true), Some(14)));
    let first = dates["dates"][0]["date"].clone();
    let cutoff = dates["dates"][0]["cutoffAt"].clone();
    let mut body = site.order(json!([{ "productId": site.buns, "qty": 1 }]));
    let tuesday =
        (2..10).map(|days| site.soon().plus(days)).find(|day| day.weekday() == 1).expect("a Tuesday");
    body["neededDate"] = json!(tuesday);
    let refused = site.admin.post(ORDERS, &body).await.expect(422);
    assert!(said(&refused, "neededDate").starts_with("Nothing is delivered on "), "{refused}");
    body["neededDate"] = first;
    let order = site.admin.post(ORDERS, &body).await.expect(201);
    assert_eq!(order["cutoffAt"], cutoff);
    // After the cut-off it cannot be submitted; the draft stays.
    let rule = json!({ "weekdays": [1, 2, 3, 4, 5, 6, 7], "cutoffTime": "16:00", "cutoffDays": 14 });
    let body = json!({
        "storeIds": [site.store], "sourceType": "commissary", "sourceId": site.kitchen, "rule": rule,
    });
    let applied = site.admin.post("/api/stores/delivery-calendar/apply", &body).await.expect(200);
    assert_eq!(applied["items"][0]["revision"], 2);
    let refused = site.step(ORDERS, &order, "submit", json!({})).await.expect(422);
    let words = said(&refused, "neededDate");
    assert!(words.starts_with("Cut-off for ") && words.ends_with(", 16:00."), "{words}");
    assert_eq!(site.fresh(ORDERS, &order).await["status"], "draft");
}

/// A tub is indivisible, as base unit or pack; a kilogram is divisible, even if it is not a base unit.
#[rstest]
#[tokio::test]
async fn divisibility_is_a_property_of_the_unit(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let admin = &site.admin;
    let unit = async |name: &str, code: &str| {
        let unit = admin.post("/api/lists/uoms", &json!({ "name": name, "code": code })).await.expect(201);
        (unit["id"].as_str().expect("an id").to_owned(), unit["wholeOnly"] == true)
    };
    let ((tub, tub_whole), (kg, kg_whole), (g, _)) =
        (unit("Tub", "tub").await, unit("Kilogram", "kg").await, unit("Gram", "g").await);
    assert!(tub_whole && !kg_whole);
    let yogurt = made(admin, "/api/products", json!({ "name": "Yogurt", "baseUom": tub })).await;
    let sugar = json!({ "name": "Sugar", "baseUom": g, "defaultSellingUom": kg,
        "conversions": [{ "fromUomId": kg, "toUomId": g, "factor": 1000 }] });
    let sugar = made(admin, "/api/products", sugar).await;
    let guide = format!("/api/stores/orders/guide?storeId={}", site.store);
    let guide = admin.get(&guide).await.expect(200);
    let whole = |id: &str| {
        let item = guide["items"].as_array().expect("items").iter().find(|item| item["productId"] == id);
        item.map(|item| item["whole"].clone())
    };
    assert_eq!((whole(&yogurt), whole(&sugar)), (Some(json!(true)), Some(json!(false))));
    let lines = |qty: f64| json!([{ "productId": yogurt, "qty": qty }, { "productId": sugar, "uomId": kg, "qty": 1.5 }]);
    let refused = admin.post(ORDERS, &site.order(lines(1.5))).await.expect(422);
    assert_eq!(refused["fields"].as_array().map(Vec::len), Some(1), "{refused}");
    assert_eq!(said(&refused, "lines.0.qty"), "Enter a whole number: tub is not split.");
    admin.post(ORDERS, &site.order(lines(2.0))).await.expect(201);
    // Waste applies the same rule.
    let waste =
        json!({ "storeId": site.store, "lines": [{ "productId": yogurt, "qty": 0.5, "reason": "expired" }] });
    let refused = admin.post("/api/stores/waste", &waste).await.expect(422);
    assert_eq!(said(&refused, "lines.0.qty"), "Enter a whole number: tub is not split.");
    // Once tubs are divisible, they are divisible everywhere.
    admin.patch(&format!("/api/lists/uoms/{tub}"), &json!({ "wholeOnly": false })).await.expect(200);
    let mut order = site.order(lines(1.5));
    order["neededDate"] = json!(site.soon().plus(1));
    admin.post(ORDERS, &order).await.expect(201);
}

#[rstest]
#[tokio::test]
async fn indivisible_units_are_granted_in_whole_numbers(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let admin = &site.admin;
    let makati = made(admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": 4 }]);
    let words = "Enter a whole number: case is not split.";

    let order = admin.post(ORDERS, &site.order(lines.clone())).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let granted = |qty: f64| json!({ "lines": [{ "id": order["lines"][0]["id"], "qtyApproved": qty, "reason": "Oven down" }] });
    let refused = site.step(ORDERS, &order, "approve", granted(1.5)).await.expect(422);
    assert_eq!(said(&refused, "lines.0.qtyApproved"), words);
    site.step(ORDERS, &order, "approve", granted(1.0)).await.expect(200);

    let draft = json!({ "fromStoreId": site.store, "toStoreId": makati, "lines": lines });
    let transfer = admin.post("/api/stores/transfers", &draft).await.expect(201);
    let at = path("/api/stores/transfers", &transfer);
    let changed = |qty: f64| json!({ "revision": transfer["revision"], "lines": [{ "id": transfer["lines"][0]["id"], "qty": qty }] });
    let refused = admin.patch(&at, &changed(1.5)).await.expect(422);
    assert_eq!(said(&refused, "lines.0.qty"), words);
    let transfer = admin.patch(&at, &changed(3.0)).await.expect(200);
    assert_eq!(transfer["lines"][0]["ordered"], 3);
}

/// An order placed before its unit became indivisible can still be granted as it was.
#[rstest]
#[tokio::test]
async fn a_fraction_ordered_before_can_be_granted(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let admin = &site.admin;
    let bag = json!({ "name": "Bag", "code": "bag", "wholeOnly": false });
    let bag = made(admin, "/api/lists/uoms", bag).await;
    let sugar = made(admin, "/api/products", json!({ "name": "Sugar", "baseUom": bag })).await;
    let order = site.order(json!([{ "productId": sugar, "qty": 1.5 }]));
    let order = admin.post(ORDERS, &order).await.expect(201);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    admin.patch(&format!("/api/lists/uoms/{bag}"), &json!({ "wholeOnly": true })).await.expect(200);
    let granted = |qty: f64| json!({ "lines": [{ "id": order["lines"][0]["id"], "qtyApproved": qty, "reason": "Oven down" }] });
    let refused = site.step(ORDERS, &order, "approve", granted(0.5)).await.expect(422);
    assert_eq!(said(&refused, "lines.0.qtyApproved"), "Enter a whole number: bag is not split.");
    let done = site.step(ORDERS, &order, "approve", granted(1.5)).await.expect(200);
    assert_eq!(done["lines"][0]["qtyApproved"], 1.5);
}
