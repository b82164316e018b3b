//! The replenishment plan: consistency with all other pages, settings, orders, refusals.

mod calendar;
mod figures;
mod kitchen_figures;
mod one_figure;
mod opening_days;
mod orders;
mod runs;
mod settings;
mod store_scope;

use larder_domain::BusinessDay;
use larder_domain::sales::day::{DayLine, SoldItem};
use larder_domain::sales::{Kind, StoreDay};
use larder_ledgers::sales::{Prepared, replace_store_days};
use larder_platform::http::ApiError;
use serde_json::{Value, json};

use crate::documents::{DELIVERIES, ORDERS, made, step_as};
use crate::stores::inventory::{self, Counted};
use crate::support::{App, Client, Engine, actor};

pub const PLAN: &str = "/api/dashboard/drp-new";
pub const RUNS: &str = "/api/tools/services/replenishment-plan/runs";
/// Sales per weekday in kilos, from Monday.
const WEEK: [i64; 7] = [8, 9, 7, 10, 14, 20, 18];

/// A commissary that sends rice in sacks of five kilos to two stores.
struct Stage {
    app: App,
    admin: Client,
    kitchen: String,
    store: String,
    other: String,
    rice: String,
    sacks: String,
    sack: String,
    kilo: String,
    meal: String,
    counted: String,
}

impl Stage {
    async fn build(on: Engine) -> Self {
        let app = App::start_idle(on).await;
        // Always in the morning: cut-offs depend on the hour of day.
        app.clock.advance_to_hour(9);
        let admin = app.admin().await;
        let level = made(&admin, "/api/lists/price-levels", json!({ "name": "Own stores" })).await;
        let location = |name: &str, code: &str, lead: i64| {
            json!({
                "name": name, "code": code, "priceLevelId": level, "leadTimeDays": lead,
                "reviewTimeDays": if lead > 0 { 2 } else { 0 },
            })
        };
        let store = made(&admin, "/api/stores/locations", location("Makati", "M", 1)).await;
        let other = made(&admin, "/api/stores/locations", location("Pasig", "P", 0)).await;
        let kitchen = made(&admin, "/api/lists/commissaries", json!({ "name": "Main kitchen" })).await;
        let kilo = made(&admin, "/api/lists/uoms", json!({ "name": "Kilo", "code": "kg" })).await;
        let sack = made(&admin, "/api/lists/uoms", json!({ "name": "Sack", "code": "sack" })).await;
        let rice = made(&admin, "/api/lists/root-items", json!({ "name": "Rice (kg)" })).await;
        let sacks = json!({
            "name": "Rice, sacks", "sku": "RIC", "baseUom": kilo, "defaultSellingUom": sack,
            "conversions": [{ "fromUomId": sack, "toUomId": kilo, "factor": 5 }],
            "rootItemConversions": [{ "rootItemId": rice, "factor": 1 }],
            "priceLevelPrices": [{ "priceLevelId": level, "price": 250 }],
        });
        let sacks = made(&admin, "/api/products", sacks).await;
        let counted = json!({ "name": "Rice", "rootItemId": rice, "uomId": kilo });
        let counted = made(&admin, "/api/lists/store-inventory-items", counted).await;
        let bom = json!([{ "rootProductId": rice, "multiplier": 0.25 }]);
        let meal = made(&admin, "/api/lists/pos-items", json!({ "description": "Meal", "bom": bom })).await;
        Self { app, admin, kitchen, store, other, rice, sacks, sack, kilo, meal, counted }
    }

    /// The kitchen delivers to the first store on these weekdays (Monday is 1); orders close at 16:00 of the day before.
    async fn deliver_on(&self, weekdays: &[u8]) {
        let rule = json!({ "weekdays": weekdays, "cutoffTime": "16:00", "cutoffDays": 1 });
        let at = format!("/api/stores/delivery-calendar/{}/commissary/{}", self.store, self.kitchen);
        self.admin.put(&at, &rule).await.expect(200);
    }

    fn today(&self) -> BusinessDay {
        BusinessDay::of(self.app.state.now())
    }

    /// Twelve identical weeks of sales until yesterday, and a count of this many kilos last night.
    async fn sold(&self, store: &str, kilos: i64) {
        self.sold_but(store, kilos, |_| false).await;
    }

    /// The same without sales on some days.
    async fn sold_but(&self, store: &str, kilos: i64, closed: impl Fn(BusinessDay) -> bool) {
        self.sales_but(store, closed).await;
        self.count(store, self.today().plus(-1), kilos).await;
    }

    /// The sales alone.
    async fn sales_but(&self, store: &str, closed: impl Fn(BusinessDay) -> bool) {
        let today = self.today();
        let days: Vec<Prepared> = (1..=84)
            .map(|back| today.plus(-back))
            .filter(|day| !closed(*day))
            .map(|day| Prepared::new(self.store_day(store, day, WEEK[usize::from(day.weekday())] * 1_000)))
            .collect();
        let days = days.as_slice();
        self.app
            .db
            .write(&actor(self.app.state.now()), async |tx| replace_store_days(tx, days, None).await)
            .await
            .map_err(|error: ApiError| error.to_string())
            .expect("posted");
    }

    fn store_day(&self, store: &str, day: BusinessDay, grams: i64) -> StoreDay {
        StoreDay {
            store_id: store.into(),
            day: day.0,
            source: "file".into(),
            items: vec![SoldItem { pos_item_id: self.meal.as_str().into(), source_item: "x".into() }],
            receipts: Vec::new(),
            tenders: Vec::new(),
            facts: Vec::new(),
            lines: vec![DayLine {
                line_no: 0,
                receipt: -1,
                seconds: -1,
                item: 0,
                kind: Kind::Sale,
                qty: grams * 4 * 1_000,
                unit_price: 100,
                discount: 0,
                net: 100,
                parent: -1,
            }],
        }
    }

    /// Counted in the evening.
    async fn count(&self, store: &str, day: BusinessDay, kilos: i64) {
        count(&self.app, store, &self.counted, day, kilos).await;
    }

    /// Runs the planner and returns the finished run.
    async fn run(&self, ask: Value) -> Value {
        let run = self.admin.post(RUNS, &ask).await.expect(202);
        self.app.drain().await;
        let at = format!("{RUNS}/{}", run["id"].as_str().expect("an id"));
        let run = self.admin.get(&at).await.expect(200);
        assert_eq!(run["state"], "done", "{run}");
        run
    }

    async fn plan(&self, more: &str) -> Value {
        self.admin.get(&format!("{PLAN}?{more}")).await.expect(200)
    }

    /// The line of rice in the first store.
    async fn line(&self) -> Value {
        let plan = self.plan(&format!("storeId={}", self.store)).await;
        plan["lines"]
            .as_array()
            .expect("lines")
            .first()
            .unwrap_or_else(|| panic!("no line in {plan}"))
            .clone()
    }

    /// Kilos sold in this many days from today on.
    fn sells(&self, days: i32) -> i64 {
        (0..days).map(|day| WEEK[usize::from(self.today().plus(day).weekday())]).sum()
    }

    async fn order(&self, sacks: i64, days: i32) -> Value {
        let body = json!({
            "storeId": self.store, "sourceType": "commissary", "sourceId": self.kitchen,
            "neededDate": self.today().plus(days),
            "lines": [{ "productId": self.sacks, "uomId": self.sack, "qty": sacks }],
        });
        let order = self.admin.post(ORDERS, &body).await.expect(201);
        step_as(&self.admin, ORDERS, &order, "submit", json!({})).await.expect(200)
    }

    /// A delivery of this many sacks dispatched by the commissary.
    async fn send(&self, sacks: i64) -> Value {
        self.send_for(sacks, 1).await
    }

    /// The same, ordered for a day.
    async fn send_for(&self, sacks: i64, days: i32) -> Value {
        let stock = json!({ "quantity": 500, "placeKind": "commissary", "placeId": self.kitchen });
        self.admin.post(&format!("/api/products/{}/adjust", self.sacks), &stock).await.expect(200);
        let order = self.order(sacks, days).await;
        let order = step_as(&self.admin, ORDERS, &order, "approve", json!({})).await.expect(200);
        let mut delivery =
            self.admin.post(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await.expect(201);
        for step in ["pick", "pack", "dispatch"] {
            delivery = step_as(&self.admin, DELIVERIES, &delivery, step, json!({})).await.expect(200);
        }
        delivery
    }

    async fn make_orders(&self, body: Value) -> Value {
        self.admin.post(&format!("{PLAN}/orders"), &body).await.expect(200)
    }
}

/// A closing count of an item.
pub async fn count(app: &App, store: &str, item: &str, day: BusinessDay, units: i64) {
    let counted = Counted { day: day.0, closing: true, qty: units * 1_000 };
    inventory::count(app, store, item, counted).await;
}

#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number: {value}"))
}

#[track_caller]
fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("figures").iter().map(number).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-5
}

/// The figure in an explanation.
#[track_caller]
fn figure<'a>(why: &'a Value, name: &str) -> &'a Value {
    let figures = why.as_array().expect("figures");
    figures.iter().find(|it| it["figure"] == name).unwrap_or_else(|| panic!("no {name} in {why}"))
}
