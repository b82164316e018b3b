//! Backdating of documents: up to the latest frozen week, 35 days at most, and further only with an override.

use larder_db::Json;
use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use super::kitchen::bakery;
use super::{DELIVERIES, RECEIPTS, Site, made, path, said, step_as};
use crate::support::{App, Client, Engine, one_engine};

const WASTE: &str = "/api/stores/waste";
const TRANSFERS: &str = "/api/stores/transfers";
const PRODUCTION: &str = "/api/commissary/production";

fn today(site: &Site) -> BusinessDay {
    BusinessDay::of(site.app.state.now())
}

/// Freezes or reopens the week of a day.
pub async fn freeze(app: &App, day: BusinessDay, frozen: bool) {
    let at = app.state.now();
    let by = &Json(json!({ "uid": "ana", "name": "Ana", "email": "ana@example.com" }));
    let frozen_at = frozen.then_some(at);
    let actor = crate::support::actor(at);
    let written = app.db.write(&actor, async |tx| {
        tx.sql(
            "insert into snapshot_weeks (week, made_at, made_by, frozen_at, frozen_by, revision)
             values ($1, $2, $3, $4, $3, 1) on conflict (week) do update set frozen_at = excluded.frozen_at",
        )
        .bind(day.week())
        .bind(at)
        .bind(by)
        .bind(frozen_at)
        .execute()
        .await
    });
    written.await.expect("a week");
}

/// Days of the movements of a document, by posting.
async fn days_of(site: &Site, document: &Value) -> Vec<BusinessDay> {
    let found: Vec<(BusinessDay,)> = site
        .app
        .db
        .sql("select business_date from stock_movements where document_id = $1 group by posting, business_date order by posting")
        .bind(document["id"].as_str().expect("an id"))
        .all()
        .await
        .expect("movements");
    found.into_iter().map(|(day,)| day).collect()
}

/// A document type: path, field of its date, draft body, posting action.
struct Kind {
    base: &'static str,
    field: &'static str,
    draft: Value,
    step: &'static str,
}

impl Kind {
    async fn make(&self, client: &Client, day: BusinessDay) -> crate::support::Answer {
        let mut draft = self.draft.clone();
        draft[self.field] = json!(day);
        client.post(self.base, &draft).await
    }

    async fn post(&self, client: &Client, document: &Value, body: Value) -> crate::support::Answer {
        step_as(client, self.base, document, self.step, body).await
    }
}

async fn kinds(site: &Site) -> Vec<Kind> {
    let supplier = made(&site.admin, "/api/lists/suppliers", json!({ "name": "Farm" })).await;
    let waste = json!({ "productId": site.buns, "uomId": site.piece, "qty": 1, "reason": "expired" });
    let came = json!({ "productId": site.buns, "uomId": site.piece, "expected": 1, "received": 1 });
    vec![
        Kind {
            base: WASTE,
            field: "businessDate",
            draft: json!({ "storeId": site.store, "lines": [waste] }),
            step: "submit",
        },
        Kind {
            base: RECEIPTS,
            field: "businessDate",
            draft: json!({
                "storeId": site.store, "sourceType": "supplier", "sourceId": supplier, "lines": [came],
            }),
            step: "post",
        },
    ]
}

fn clerks_rights() -> Vec<(&'static str, &'static [Action])> {
    const MAY: &[Action] = &[Action::View, Action::Create, Action::Edit, Action::Post];
    vec![("stores/storeTransactions", MAY), ("stores/storeReceive", MAY), ("commissary/orders", MAY)]
}

#[rstest]
#[tokio::test]
async fn documents_can_be_backdated_to_the_latest_frozen_week(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let site = Site::start(on).await;
    let (today, clerk) = (today(&site), site.app.user(&clerks_rights(), None).await);
    let admin = &site.admin;
    for kind in kinds(&site).await {
        let (base, field) = (kind.base, kind.field);
        let refused = kind.make(&clerk, today.plus(1)).await.expect(422);
        assert_eq!(said(&refused, field), "Choose today or a day before it.", "{base}");
        for far in [today.plus(-36), "1900-01-01".parse().expect("a day")] {
            let refused = kind.make(&clerk, far).await.expect(422);
            let first = today.plus(-35).display();
            let words = format!(
                "Choose {first} or a later day. A user with the right to override can go further back."
            );
            assert_eq!(said(&refused, field), words, "{base}");
        }
        // The last day that needs no override.
        let document = kind.make(&clerk, today.plus(-35)).await.expect(201);
        kind.post(&clerk, &document, json!({})).await.expect(200);
        assert_eq!(days_of(&site, &document).await, [today.plus(-35)], "{base}");

        // Further back with the permission and a reason.
        let document = kind.make(admin, today.plus(-60)).await.expect(201);
        let refused = kind.post(admin, &document, json!({})).await.expect(422);
        assert_eq!(
            (&refused["code"], &refused["earliest"]),
            (&json!("backdated"), &json!(today.plus(-35))),
            "{base}"
        );
        let refused = kind.post(admin, &document, json!({ "override": true })).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], "reason", "{base}");
        let why = json!({ "override": true, "reason": "The slip was lost" });
        kind.post(&clerk, &document, why.clone()).await.expect(403);
        let done = kind.post(admin, &document, why.clone()).await.expect(200);
        assert_eq!(days_of(&site, &document).await, [today.plus(-60)], "{base}");
        let steps = done["steps"].as_array().expect("steps");
        assert_eq!(steps.last().expect("a step")["reason"], "The slip was lost", "{base}");

        // Never into a frozen week; before it an override is needed.
        let week = today.plus(-14).week();
        let early = kind.make(&clerk, week).await.expect(201);
        let before = kind.make(&clerk, week.plus(-1)).await.expect(201);
        freeze(&site.app, week, true).await;
        for far in [week, week.plus(6)] {
            let refused = kind.make(admin, far).await.expect(409);
            assert_eq!((&refused["code"], &refused["week"]), (&json!("frozenWeek"), &json!(week)), "{base}");
            assert!(said(&refused, field).contains(&week.display()), "{base}: {refused}");
        }
        let refused = kind.post(admin, &early, why.clone()).await.expect(409);
        assert_eq!(refused["code"], "frozenWeek", "{base}");
        kind.make(&clerk, week.plus(-1)).await.expect(422);
        kind.post(&clerk, &before, json!({})).await.expect(422);
        kind.post(admin, &before, why.clone()).await.expect(200);
        let after = kind.make(&clerk, week.plus(7)).await.expect(201);
        kind.post(&clerk, &after, json!({})).await.expect(200);
        freeze(&site.app, week, false).await;
        kind.post(&clerk, &early, json!({})).await.expect(200);
    }
}

#[rstest]
#[tokio::test]
async fn a_batch_is_dated_like_other_movements(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let (flour, dough, ..) = bakery(&site).await;
    let (today, clerk) = (today(&site), site.app.user(&clerks_rights(), None).await);
    let batch = async |day: BusinessDay| {
        let plan =
            json!({ "commissaryId": site.kitchen, "productId": dough, "batches": 1, "plannedDate": day });
        site.admin.post(PRODUCTION, &plan).await.expect(201)
    };
    let late = batch(today.plus(-36)).await;
    // Shortages are reported first: a reason for the date must not hide negative stock.
    let refused = site.step(PRODUCTION, &late, "post", json!({})).await.expect(409);
    assert_eq!(refused["code"], "notEnough");
    site.stock(&flour, 200_000).await;
    let refused = step_as(&clerk, PRODUCTION, &late, "post", json!({})).await.expect(422);
    assert!(said(&refused, "plannedDate").starts_with("Choose "), "{refused}");
    let refused = site.step(PRODUCTION, &late, "post", json!({})).await.expect(422);
    assert_eq!(refused["code"], "backdated");
    let why = json!({ "override": true, "reason": "Written down late" });
    site.step(PRODUCTION, &late, "post", why.clone()).await.expect(200);
    // A batch planned for another day is moved to the day it is made.
    let ahead = batch(today.plus(3)).await;
    step_as(&clerk, PRODUCTION, &ahead, "post", json!({})).await.expect(200);
    assert_eq!(days_of(&site, &ahead).await, [today]);
    let frozen = batch(today.plus(-14)).await;
    freeze(&site.app, today.plus(-14), true).await;
    let refused = site.step(PRODUCTION, &frozen, "post", why).await.expect(409);
    assert_eq!(refused["code"], "frozenWeek");
    assert!(said(&refused, "plannedDate").contains("frozen"), "{refused}");
}

#[rstest]
#[tokio::test]
async fn dispatches_are_dated_today_whatever_was_planned(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let today = today(&site);
    site.stock(&site.buns, 240).await;
    let packed = site.packed(&site.approved(3).await).await;
    let long_ago = json!({ "revision": packed["revision"], "plannedDate": "1900-01-01" });
    let packed = site.admin.patch(&path(DELIVERIES, &packed), &long_ago).await.expect(200);
    let sent = site.step(DELIVERIES, &packed, "dispatch", json!({})).await.expect(200);
    assert_eq!(days_of(&site, &sent).await, [today]);
    let receipt = site.receipt(&sent).await;
    site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);

    let makati = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": 1 }]);
    let draft = json!({
        "fromStoreId": site.store, "toStoreId": makati, "plannedDate": "1900-01-01", "lines": lines,
    });
    let transfer = site.admin.post(TRANSFERS, &draft).await.expect(201);
    let sent = site.step(TRANSFERS, &transfer, "dispatch", json!({})).await.expect(200);
    assert_eq!(days_of(&site, &sent).await, [today]);
}

#[rstest]
#[tokio::test]
async fn a_difference_in_a_frozen_week_is_resolved_today(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let today = today(&site);
    site.stock(&site.buns, 240).await;
    let sent = site.dispatched(&site.approved(4).await).await;
    let receipt = site.receipt(&sent).await;
    let change = json!({
        "revision": receipt["revision"], "businessDate": today.plus(-10),
        "lines": [{ "id": receipt["lines"][0]["id"], "received": 3, "reason": "short", "resolution": "pending" }],
    });
    let receipt = site.admin.patch(&path(RECEIPTS, &receipt), &change).await.expect(200);
    let posted = site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
    freeze(&site.app, today.plus(-10), true).await;
    let lines = json!([{ "id": posted["lines"][0]["id"], "resolution": "writeOff" }]);
    let settled = site.step(RECEIPTS, &posted, "resolve", json!({ "lines": lines })).await.expect(200);
    assert_eq!(settled["businessDate"], json!(today.plus(-10)));
    assert_eq!(days_of(&site, &posted).await, [today.plus(-10), today]);
    // The reversal is dated today as well.
    site.step(RECEIPTS, &settled, "reverse", json!({ "reason": "Wrong store" })).await.expect(200);
    assert_eq!(days_of(&site, &posted).await, [today.plus(-10), today, today, today]);
    assert!(larder_ledgers::stock::verify(&site.app.db).await.expect("verified").is_empty());
}

#[rstest]
#[tokio::test]
async fn a_large_over_receipt_from_a_supplier_needs_an_override(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let supplier = made(&site.admin, "/api/lists/suppliers", json!({ "name": "Farm" })).await;
    let clerk = site.app.user(&clerks_rights(), None).await;
    let line = json!({
        "productId": site.buns, "uomId": site.piece, "expected": 10, "received": 1_000_000, "reason": "over",
    });
    let draft = json!({
        "storeId": site.store, "sourceType": "supplier", "sourceId": supplier, "lines": [line],
    });
    let receipt = clerk.post(RECEIPTS, &draft).await.expect(201);
    let refused = step_as(&clerk, RECEIPTS, &receipt, "post", json!({})).await.expect(422);
    assert_eq!(refused["code"], "muchMore");
    let words = "This is more than 10 times the 10 pc that are expected. Check the quantity.";
    assert_eq!(said(&refused, "lines.0.received"), words);
    let why = json!({ "override": true, "reason": "A gift" });
    step_as(&clerk, RECEIPTS, &receipt, "post", why.clone()).await.expect(403);
    site.step(RECEIPTS, &receipt, "post", why).await.expect(200);
    assert_eq!(site.places(&site.buns).await, (0, 1_000_000, 0));
}

#[rstest]
#[tokio::test]
async fn waste_with_an_overflowing_value_is_refused(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let rule = json!({ "approvalAbove": 100, "revision": 0 });
    site.admin.put(&format!("{WASTE}/settings"), &rule).await.expect(200);
    let at = format!("/api/products/{}", site.buns);
    let product = site.admin.get(&at).await.expect(200);
    let level = product["priceLevelPrices"][0]["priceLevelId"].clone();
    let price = json!([{ "priceLevelId": level, "price": 9_000_000_000_000_i64 }]);
    let body = json!({ "revision": product["revision"], "priceLevelPrices": price });
    site.admin.patch(&at, &body).await.expect(200);
    let line =
        json!({ "productId": site.buns, "uomId": site.piece, "qty": 1_000_000_000, "reason": "expired" });
    let waste = site.admin.post(WASTE, &json!({ "storeId": site.store, "lines": [line] })).await.expect(201);
    assert_eq!(waste["amount"], Value::Null);
    let refused = site.step(WASTE, &waste, "submit", json!({})).await.expect(422);
    assert!(said(&refused, "lines").starts_with("This is worth more than can be stored."), "{refused}");
    assert_eq!(site.fresh(WASTE, &waste).await["status"], "draft");
}

#[rstest]
#[tokio::test]
async fn pending_waste_cannot_be_approved_into_a_frozen_week(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let today = today(&site);
    let rule = json!({ "approvalAbove": 1, "revision": 0 });
    site.admin.put(&format!("{WASTE}/settings"), &rule).await.expect(200);
    let line = json!({ "productId": site.buns, "uomId": site.case, "qty": 1, "reason": "expired" });
    let draft = json!({ "storeId": site.store, "businessDate": today.plus(-10), "lines": [line] });
    let waste = site.admin.post(WASTE, &draft).await.expect(201);
    let waits = site.step(WASTE, &waste, "submit", json!({})).await.expect(200);
    assert_eq!(waits["status"], "submitted");
    freeze(&site.app, today.plus(-10), true).await;
    let refused = site.step(WASTE, &waits, "approve", json!({})).await.expect(409);
    assert_eq!(refused["code"], "frozenWeek");
    freeze(&site.app, today.plus(-10), false).await;
    site.step(WASTE, &waits, "approve", json!({})).await.expect(200);
}
