//! Documents over HTTP: store orders, commissary deliveries, receipts.

mod at_once;
pub mod backdating;
mod book;
mod close;
mod contract;
pub mod kitchen;
mod late_orders;
mod lives;
mod lots;
mod orders;
mod receipts;
mod retired;
mod shipments;
mod stock_takes;
mod supplier_returns;
mod transactions;

use larder_domain::BusinessDay;
use serde_json::{Value, json};

use crate::support::{Answer, App, Client, Engine};

pub const ORDERS: &str = "/api/stores/orders";
pub const DELIVERIES: &str = "/api/commissary/deliveries";
pub const RECEIPTS: &str = "/api/stores/receive";

/// A commissary, a store and a product: buns by the piece, 24 to a case.
pub struct Site {
    pub app: App,
    pub admin: Client,
    pub store: String,
    pub kitchen: String,
    pub piece: String,
    pub case: String,
    pub buns: String,
    pub rice: String,
}

/// Creates a record and returns its id.
pub async fn made(client: &Client, path: &str, body: Value) -> String {
    let record = client.post(path, &body).await.expect(201);
    record["id"].as_str().expect("an id").to_owned()
}

impl Site {
    pub async fn start(on: Engine) -> Site {
        Site::of(App::start(on).await).await
    }

    /// As [`Site::start`], with another server configuration.
    pub async fn of(app: App) -> Site {
        // Always in the morning: cut-offs depend on the hour of day. Set before sign-in, because sessions
        // would expire.
        app.clock.advance_to_hour(9);
        let admin = app.admin().await;
        let level = made(&admin, "/api/lists/price-levels", json!({ "name": "Own stores" })).await;
        let store = made(
            &admin,
            "/api/stores/locations",
            json!({ "name": "Cubao", "code": "CUB", "priceLevelId": level }),
        )
        .await;
        let kitchen = made(&admin, "/api/lists/commissaries", json!({ "name": "Pasig kitchen" })).await;
        let piece = made(&admin, "/api/lists/uoms", json!({ "name": "Piece", "code": "pc" })).await;
        let case = made(&admin, "/api/lists/uoms", json!({ "name": "Case", "code": "case" })).await;
        let conversions = json!([{ "fromUomId": case, "toUomId": piece, "factor": 24 }]);
        let product = |name: &str, sku: &str| {
            json!({
                "name": name, "sku": sku, "baseUom": piece, "defaultSellingUom": case, "conversions": conversions,
                "otherUoms": [{ "uomId": case, "whole": true }],
                "priceLevelPrices": [{ "priceLevelId": level, "price": 240 }],
            })
        };
        let buns = made(&admin, "/api/products", product("Buns", "BUN")).await;
        let rice = made(&admin, "/api/products", product("Rice cakes", "RIC")).await;
        Site { app, admin, store, kitchen, piece, case, buns, rice }
    }

    /// The day after tomorrow.
    pub fn soon(&self) -> BusinessDay {
        BusinessDay::of(self.app.state.now()).plus(2)
    }

    /// Adds pieces to the commissary's stock.
    pub async fn stock(&self, product: &str, pieces: i64) {
        let body = json!({ "quantity": pieces, "placeKind": "commissary", "placeId": self.kitchen });
        self.admin.post(&format!("/api/products/{product}/adjust"), &body).await.expect(200);
    }

    pub fn order(&self, lines: Value) -> Value {
        json!({
            "storeId": self.store, "sourceType": "commissary", "sourceId": self.kitchen,
            "neededDate": self.soon(), "lines": lines,
        })
    }

    /// An approved order of this many cases of buns.
    pub async fn approved(&self, cases: i64) -> Value {
        self.approved_for(self.soon(), cases).await
    }

    pub async fn approved_for(&self, day: BusinessDay, cases: i64) -> Value {
        let mut body = self.order(json!([{ "productId": self.buns, "uomId": self.case, "qty": cases }]));
        body["neededDate"] = json!(day);
        let order = self.admin.post(ORDERS, &body).await.expect(201);
        let order = self.step(ORDERS, &order, "submit", json!({})).await.expect(200);
        self.step(ORDERS, &order, "approve", json!({})).await.expect(200)
    }

    /// A packed delivery of an order.
    pub async fn packed(&self, order: &Value) -> Value {
        let delivery = self.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(201);
        let delivery = self.step(DELIVERIES, &delivery, "pick", json!({})).await.expect(200);
        self.step(DELIVERIES, &delivery, "pack", json!({})).await.expect(200)
    }

    /// A dispatched delivery.
    pub async fn dispatched(&self, order: &Value) -> Value {
        let packed = self.packed(order).await;
        self.step(DELIVERIES, &packed, "dispatch", json!({})).await.expect(200)
    }

    /// A draft receipt of a complete delivery.
    pub async fn receipt(&self, delivery: &Value) -> Value {
        let body = json!({ "storeId": self.store, "sourceType": "delivery", "sourceId": delivery["id"] });
        self.admin.post(RECEIPTS, &body).await.expect(201)
    }

    pub async fn step(&self, base: &str, document: &Value, step: &str, body: Value) -> Answer {
        step_as(&self.admin, base, document, step, body).await
    }

    pub async fn fresh(&self, base: &str, document: &Value) -> Value {
        self.admin.get(&path(base, document)).await.expect(200)
    }

    /// Stock of a product in pieces: at the commissary, in the store, in transit.
    pub async fn places(&self, product: &str) -> (i64, i64, i64) {
        let rows: Vec<(String, i64)> = self
            .app
            .db
            .sql("select place_kind, cast(sum(qty) as bigint) from stock_balances where item_id = $1 group by place_kind")
            .bind(product)
            .all()
            .await
            .expect("balances");
        let at = |kind: &str| rows.iter().find(|row| row.0 == kind).map_or(0, |row| row.1 / 1_000_000);
        (at("commissary"), at("store"), at("inTransit"))
    }
}

/// Path of a document.
pub fn path(base: &str, document: &Value) -> String {
    format!("{base}/{}", document["id"].as_str().expect("an id"))
}

/// Performs an action as a user, with the document's current revision.
pub async fn step_as(client: &Client, base: &str, document: &Value, step: &str, mut body: Value) -> Answer {
    if body["revision"].is_null() {
        body["revision"] = document["revision"].clone();
    }
    client.post(&format!("{}/{step}", path(base, document)), &body).await
}

/// The message at a field of a refusal.
#[track_caller]
pub fn said(refusal: &Value, field: &str) -> String {
    let fields = refusal["fields"].as_array().expect("fields");
    let found =
        fields.iter().find(|it| it["field"] == field).unwrap_or_else(|| panic!("no {field} in {refusal}"));
    found["message"].as_str().expect("words").to_owned()
}
