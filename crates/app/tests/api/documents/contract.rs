//! Responses of documents match the contract: every type in every state, in lists and alone.

use std::collections::BTreeSet;

use larder_domain::document::order::OrderState;
use larder_domain::ledger::DocumentType;
use larder_domain::{BusinessDay, Word};
use rstest::rstest;
use serde_json::{Value, json};

use super::kitchen::bakery;
use super::{DELIVERIES, ORDERS, RECEIPTS, Site, made, path, said};
use crate::contract;
use crate::support::{App, Engine, one_engine};

const TRANSFERS: &str = "/api/stores/transfers";
const WASTE: &str = "/api/stores/waste";
const TAKES: &str = "/api/commissary/stock-takes";
const BATCHES: &str = "/api/commissary/production";
const RETURNS: &str = "/api/commissary/supplier-returns";

const TYPES: [(&str, &str); 8] = [
    (ORDERS, "StoreOrder"),
    (DELIVERIES, "Delivery"),
    (RECEIPTS, "Receipt"),
    (TRANSFERS, "Transfer"),
    (WASTE, "Waste"),
    (BATCHES, "Production"),
    (RETURNS, "SupplierReturn"),
    (TAKES, "StockTake"),
];

/// A site with documents of every type in every state.
struct Full {
    site: Site,
    /// Number of order dates used: only one draft per date is allowed.
    days: i32,
}

impl Full {
    async fn of(site: Site) -> Full {
        site.stock(&site.buns, 5_000).await;
        let mut full = Full { site, days: 0 };
        full.orders().await;
        full.deliveries_and_receipts().await;
        full.transfers_and_waste().await;
        full.batches().await;
        full.supplier_returns().await;
        full.stock_takes().await;
        full
    }

    fn day(&mut self) -> BusinessDay {
        self.days += 1;
        self.site.soon().plus(self.days)
    }

    async fn order(&mut self, steps: &[&str]) -> Value {
        let mut body =
            self.site.order(json!([{ "productId": self.site.buns, "uomId": self.site.case, "qty": 2 }]));
        body["neededDate"] = json!(self.day());
        body["notes"] = json!("By the back door");
        let order = self.site.admin.post(ORDERS, &body).await.expect(201);
        self.steps(ORDERS, order, steps).await
    }

    async fn steps(&self, base: &str, mut document: Value, steps: &[&str]) -> Value {
        for step in steps {
            document = self.site.step(base, &document, step, json!({ "reason": "So" })).await.expect(200);
        }
        document
    }

    async fn orders(&mut self) {
        let lives: [&[&str]; 6] = [
            &[],
            &["submit"],
            &["submit", "reject"],
            &["submit", "approve"],
            &["submit", "approve", "close-short"],
            &["cancel"],
        ];
        for steps in lives {
            self.order(steps).await;
        }
    }

    /// A dispatched delivery of two cases, and its receipt.
    async fn sent(&mut self) -> (Value, Value) {
        let order = self.order(&["submit", "approve"]).await;
        let sent = self.site.dispatched(&order).await;
        let receipt = self.site.receipt(&sent).await;
        (sent, receipt)
    }

    /// Posts a receipt with one case missing.
    async fn short(&self, receipt: &Value) {
        let change = json!({ "revision": receipt["revision"], "lines": [{
            "id": receipt["lines"][0]["id"], "received": 1, "reason": "short", "resolution": "pending",
        }] });
        let receipt = self.site.admin.patch(&path(RECEIPTS, receipt), &change).await.expect(200);
        self.steps(RECEIPTS, receipt, &["post"]).await;
    }

    async fn deliveries_and_receipts(&mut self) {
        let lives: [&[&str]; 4] = [&[], &["pick"], &["pick", "pack"], &["cancel"]];
        for steps in lives {
            let order = self.order(&["submit", "approve"]).await;
            let body = json!({ "orderIds": [order["id"]] });
            let delivery = self.site.admin.post(DELIVERIES, &body).await.expect(201);
            self.steps(DELIVERIES, delivery, steps).await;
        }
        self.sent().await;
        let (_, receipt) = self.sent().await;
        self.short(&receipt).await;
        let lives: [&[&str]; 4] = [&["post"], &["post", "reverse"], &["cancel"], &["post", "reconcile"]];
        for steps in lives {
            let (_, receipt) = self.sent().await;
            self.steps(RECEIPTS, receipt, steps).await;
        }
        let (sent, receipt) = self.sent().await;
        self.steps(RECEIPTS, receipt, &["post", "reconcile"]).await;
        let received = self.site.fresh(DELIVERIES, &sent).await;
        self.steps(DELIVERIES, received, &["reconcile"]).await;
    }

    async fn transfers_and_waste(&mut self) {
        let site = &self.site;
        let makati =
            made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
        let supplier =
            made(&site.admin, "/api/lists/suppliers", json!({ "name": "Divisoria Dry Goods" })).await;
        let lines = json!([{ "productId": site.buns, "uomId": site.case, "received": 90 }]);
        let bought = json!({
            "storeId": site.store, "sourceType": "supplier", "sourceId": supplier, "lines": lines,
        });
        let receipt = site.admin.post(RECEIPTS, &bought).await.expect(201);
        self.steps(RECEIPTS, receipt, &["post"]).await;
        let across = json!({
            "fromStoreId": site.store, "toStoreId": makati,
            "lines": [{ "productId": site.buns, "uomId": site.case, "qty": 2 }],
        });
        let lives: [(&[&str], &str, &[&str]); 6] = [
            (&[], "", &[]),
            (&["cancel"], "", &[]),
            (&["dispatch"], "", &[]),
            (&["dispatch"], "short", &[]),
            (&["dispatch"], "whole", &[]),
            (&["dispatch"], "whole", &["reconcile"]),
        ];
        for (steps, taken_in, end) in lives {
            let transfer = site.admin.post(TRANSFERS, &across).await.expect(201);
            let transfer = self.steps(TRANSFERS, transfer, steps).await;
            if taken_in.is_empty() {
                continue;
            }
            let body = json!({ "storeId": makati, "sourceType": "transfer", "sourceId": transfer["id"] });
            let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
            match taken_in {
                "short" => self.short(&receipt).await,
                _ => drop(self.steps(RECEIPTS, receipt, &["post"]).await),
            }
            let transfer = site.fresh(TRANSFERS, &transfer).await;
            self.steps(TRANSFERS, transfer, end).await;
        }
        let settings = site.admin.get(&format!("{WASTE}/settings")).await.expect(200);
        let rule = json!({ "revision": settings["revision"], "approvalAbove": 300 });
        site.admin.put(&format!("{WASTE}/settings"), &rule).await.expect(200);
        // A case is worth 240: one is posted at once, two need approval.
        let lives: [(i64, &[&str]); 6] = [
            (1, &[]),
            (1, &["submit"]),
            (1, &["submit", "reverse"]),
            (1, &["cancel"]),
            (2, &["submit"]),
            (2, &["submit", "reject"]),
        ];
        for (cases, steps) in lives {
            let line = json!({
                "productId": site.buns, "uomId": site.case, "qty": cases, "reason": "expired", "lot": "A-1",
            });
            let body = json!({ "storeId": site.store, "lines": [line], "notes": "Past its day" });
            let waste = site.admin.post(WASTE, &body).await.expect(201);
            self.steps(WASTE, waste, steps).await;
        }
    }

    async fn batches(&self) {
        let site = &self.site;
        let (_, dough, _, recipe) = bakery(site).await;
        site.stock(&dough, 500).await;
        let lives: [&[&str]; 5] = [&[], &["start"], &["start", "post"], &["post", "reverse"], &["cancel"]];
        for steps in lives {
            let plan = json!({ "commissaryId": site.kitchen, "recipeId": recipe, "batches": 1 });
            let batch = site.admin.post(BATCHES, &plan).await.expect(201);
            self.steps(BATCHES, batch, steps).await;
        }
    }

    async fn stock_takes(&self) {
        let site = &self.site;
        let lives: [&[&str]; 5] =
            [&[], &["start"], &["start", "post"], &["start", "post", "reverse"], &["cancel"]];
        for steps in lives {
            let body = json!({ "placeKind": "commissary", "placeId": site.kitchen });
            let mut take = site.admin.post(TAKES, &body).await.expect(201);
            for step in steps {
                if *step == "post" {
                    let now = site.app.state.now();
                    let op = format!("desk:{}", steps.len());
                    let entry = json!({ "op": op, "at": now, "productId": site.buns, "counted": 3 });
                    let counts = json!({ "sentAt": now, "entries": [entry] });
                    site.admin.post(&format!("{}/counts", path(TAKES, &take)), &counts).await.expect(200);
                    take = site.fresh(TAKES, &take).await;
                }
                take = self.steps(TAKES, take, &[*step]).await;
            }
        }
    }

    async fn supplier_returns(&self) {
        let site = &self.site;
        let supplier = made(&site.admin, "/api/lists/suppliers", json!({ "name": "Quiapo Meats" })).await;
        let lives: [&[&str]; 5] = [&[], &["send"], &["send", "settle"], &["send", "reverse"], &["cancel"]];
        for steps in lives {
            let line = json!({
                "productId": site.buns, "uomId": site.case, "qty": 1, "reason": "other", "note": "Ants",
            });
            let body = json!({
                "placeKind": "commissary", "placeId": site.kitchen, "supplierId": supplier, "lines": [line],
            });
            let mut document = site.admin.post(RETURNS, &body).await.expect(201);
            for step in steps {
                if *step == "settle" {
                    let said = json!({ "revision": document["revision"], "settlement": "replaced" });
                    document = site.admin.patch(&path(RETURNS, &document), &said).await.expect(200);
                }
                document = self.steps(RETURNS, document, &[*step]).await;
            }
        }
    }
}

/// The enum values of a schema's member.
fn allowed(schema: &str, member: &str) -> BTreeSet<String> {
    let told = &contract::schema(schema)["properties"][member];
    let words = told["enum"].as_array().or_else(|| told["items"]["enum"].as_array());
    words.expect("words").iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
}

/// The client checks every response for undeclared members; this checks states and required members.
#[rstest]
#[tokio::test]
async fn every_state_of_every_type_matches_the_contract(#[from(one_engine)] on: Engine) {
    let full = Full::of(Site::start(on).await).await;
    let admin = &full.site.admin;
    for (base, schema) in TYPES {
        let page = admin.get(&format!("{base}?pageSize=200")).await.expect(200);
        let there: BTreeSet<String> = page["counts"].as_object().expect("counts").keys().cloned().collect();
        assert_eq!(there, allowed(schema, "status"), "{schema}: states");
        for head in page["items"].as_array().expect("items") {
            let whole = full.site.fresh(base, head).await;
            for (answer, told) in [(head, format!("{schema}Head")), (&whole, schema.to_owned())] {
                let required = contract::schema(&told)["required"].as_array().expect("members");
                for name in required.iter().filter_map(Value::as_str) {
                    assert!(answer.get(name).is_some(), "{told} requires {name}: {answer}");
                }
            }
            for line in whole["lines"].as_array().expect("lines") {
                let line_of = contract::schema(schema)["properties"]["lines"]["items"]["$ref"].as_str();
                let line_of = line_of.and_then(|name| name.rsplit('/').next()).expect("a schema");
                for name in contract::schema(line_of)["required"].as_array().expect("members") {
                    let name = name.as_str().unwrap_or_default();
                    assert!(line.get(name).is_some(), "{line_of} requires {name}: {line}");
                }
            }
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_type_has_only_its_own_steps(#[from(one_engine)] on: Engine) {
    let full = Full::of(Site::start(on).await).await;
    let admin = &full.site.admin;
    let all: BTreeSet<String> = TYPES.iter().flat_map(|(_, schema)| allowed(schema, "can")).collect();
    for (base, schema) in TYPES {
        let page = admin.get(base).await.expect(200);
        let document = &page["items"][0];
        let own = allowed(schema, "can");
        let others = all.difference(&own).map(String::as_str);
        for step in others.chain(["frobnicate", "Cancel", "cancel%20", "close_short"]) {
            let refused = full.site.step(base, document, step, json!({})).await.expect(404);
            assert_eq!(refused["code"], "notFound", "{base} {step}");
        }
        assert_eq!(full.site.fresh(base, document).await["revision"], document["revision"], "{base}");
    }
}

/// An unknown value is never read as a known one.
#[rstest]
#[tokio::test]
async fn an_unknown_type_or_state_is_an_error_that_names_it(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    // Movements cannot be changed to an invalid type, so the test selects one.
    let app = App::start_idle(on).await;
    let error = app.db.sql("select 'letter' as document_type").scalar::<DocumentType>().await;
    let error = error.expect_err("an unknown type");
    assert!(error.to_string().contains("«letter» is none of adjustment, delivery"), "{error}");
    let error = app.db.sql("select 'lost' as state").scalar::<OrderState>().await;
    let error = error.expect_err("an unknown state");
    assert!(error.to_string().contains("«lost» is none of draft, submitted"), "{error}");
    assert!(OrderState::ALL.iter().all(|state| OrderState::read(state.as_str()) == Ok(*state)));
}

#[rstest]
#[tokio::test]
async fn notes_of_an_order_can_be_edited_while_it_is_a_draft(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let mut body = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 2 }]));
    body["notes"] = json!("  By the back door ");
    let order = site.admin.post(ORDERS, &body).await.expect(201);
    assert_eq!(order["notes"], "By the back door");
    let change = |order: &Value, notes: Value| json!({ "revision": order["revision"], "notes": notes });
    let order = site.admin.patch(&path(ORDERS, &order), &change(&order, json!(""))).await.expect(200);
    assert_eq!((&order["notes"], &order["lineCount"]), (&Value::Null, &json!(1)));
    let much = "x".repeat(2_001);
    let refused = site.admin.patch(&path(ORDERS, &order), &change(&order, json!(much))).await.expect(422);
    assert!(said(&refused, "notes").contains("2000"), "{refused}");
    let words = change(&order, json!("Two\nlines"));
    let order = site.admin.patch(&path(ORDERS, &order), &words).await.expect(200);
    let order = site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    assert_eq!(order["notes"], "Two\nlines");
    let refused = site.admin.patch(&path(ORDERS, &order), &change(&order, json!("Late"))).await.expect(409);
    assert_eq!(refused["code"], "wrongStep");
}

/// A refused change reads no products.
#[rstest]
#[tokio::test]
async fn an_order_is_checked_before_products_are_read(#[from(one_engine)] on: Engine) {
    let site = Site::start(on).await;
    let lines = json!([{ "productId": site.buns, "uomId": site.case, "qty": 2 }]);
    let order = site.admin.post(ORDERS, &site.order(lines.clone())).await.expect(201);
    let patch = async |revision: &Value, status: u16| {
        // Some requests also look up the session: take the minimum of three.
        let mut least = u64::MAX;
        for _ in 0..3 {
            let before = site.app.db.statements();
            let body = json!({ "revision": revision, "lines": lines });
            let answer = site.admin.patch(&path(ORDERS, &order), &body).await.expect(status);
            least = least.min(site.app.db.statements() - before);
            if status == 409 {
                let code = answer["code"].as_str().unwrap_or_default();
                assert!(["stale", "wrongStep"].contains(&code), "{answer}");
            }
        }
        least
    };
    let old = patch(&json!(7), 409).await;
    site.step(ORDERS, &order, "submit", json!({})).await.expect(200);
    let closed = patch(&order["revision"], 409).await;
    assert!(old <= 5 && closed <= 3, "{old} and {closed} statements");
}
