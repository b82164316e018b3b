//! Stores with sales, for features that read demand.

use std::sync::Arc;

use larder_domain::BusinessDay;
use larder_domain::sales::day::{DayLine, SoldItem};
use larder_domain::sales::{Kind, StoreDay};
use larder_ledgers::sales::{Prepared, replace_store_days};
use larder_platform::http::ApiError;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, actor};

/// A server with some stores, and items of one root item each.
pub struct Stage {
    pub app: App,
    pub admin: Client,
    /// Sorted by id.
    pub stores: Vec<String>,
    pub pos: Vec<String>,
    pub root: Vec<String>,
    /// Today by the test clock.
    pub today: BusinessDay,
}

impl Stage {
    pub async fn of(app: App, stores: usize, items: usize) -> Stage {
        let admin = app.admin().await;
        let mut made = Stage {
            today: BusinessDay::of(app.state.now()),
            app,
            admin,
            stores: Vec::new(),
            pos: Vec::new(),
            root: Vec::new(),
        };
        for n in 0..stores {
            let body = json!({ "name": format!("Store {n}"), "code": format!("S{n}") });
            let id = made.made("/api/stores/locations", body).await;
            made.stores.push(id);
        }
        made.stores.sort();
        made.made("/api/lists/uoms", json!({ "name": "Kilogram", "code": "kg" })).await;
        for n in 0..items {
            let root = made
                .made("/api/lists/root-items", json!({ "name": format!("Item {n} (kg)"), "type": "Meat" }))
                .await;
            let bom = json!([{ "rootProductId": root, "multiplier": 0.5 }]);
            let pos = json!({ "description": format!("Meal {n}"), "bom": bom });
            let pos = made.made("/api/lists/pos-items", pos).await;
            made.root.push(root);
            made.pos.push(pos);
        }
        made
    }

    pub async fn new(on: Engine, stores: usize, items: usize) -> Stage {
        Stage::of(App::start_idle(on).await, stores, items).await
    }

    async fn made(&self, path: &str, body: Value) -> String {
        self.admin.post(path, &body).await.expect(201)["id"].as_str().expect("an id").to_owned()
    }

    /// Sells `qty(store, days ago, item)` meals, half a unit of the root item each; days without a quantity
    /// for the first item are not imported.
    pub async fn sell(&self, days: i32, source: &str, qty: impl Fn(usize, i32, usize) -> Option<i64>) {
        let mut all = Vec::new();
        for (at, store) in self.stores.iter().enumerate() {
            for ago in 1..=days {
                let sold: Vec<(usize, i64)> =
                    (0..self.pos.len()).filter_map(|item| Some((item, qty(at, ago, item)?))).collect();
                if !sold.is_empty() {
                    all.push(Prepared::new(self.day(store, self.today.0 - ago, source, &sold)));
                }
            }
        }
        post(&self.app, &all).await;
    }

    fn day(&self, store: &str, day: i32, source: &str, sold: &[(usize, i64)]) -> StoreDay {
        let sold: Vec<(&str, i64)> =
            sold.iter().map(|(item, qty)| (self.pos[*item].as_str(), *qty)).collect();
        store_day(store, day, source, &sold)
    }

    /// Runs a service to its end.
    pub async fn run(&self, service: &str, ask: Value) -> Value {
        let run = self.admin.post(&format!("/api/tools/services/{service}/runs"), &ask).await.expect(202);
        self.app.drain().await;
        self.look(service, run["id"].as_str().expect("an id")).await
    }

    /// The state of a run.
    pub async fn look(&self, service: &str, id: &str) -> Value {
        self.admin.get(&format!("/api/tools/services/{service}/runs/{id}")).await.expect(200)
    }
}

/// A store-day of some POS items at ten pesos each, without receipts.
pub fn store_day(store: &str, day: i32, source: &str, sold: &[(&str, i64)]) -> StoreDay {
    let line = |(n, (_, qty)): (usize, &(&str, i64))| DayLine {
        line_no: u32::try_from(n).expect("few"),
        receipt: -1,
        seconds: -1,
        item: u32::try_from(n).expect("few"),
        kind: Kind::Sale,
        qty: qty * 1_000_000,
        unit_price: 1_000,
        discount: 0,
        net: qty * 1_000,
        parent: -1,
    };
    let item =
        |(item, _): &(&str, i64)| SoldItem { pos_item_id: (*item).into(), source_item: Arc::from("x") };
    StoreDay {
        store_id: store.into(),
        day,
        source: source.into(),
        items: sold.iter().map(item).collect(),
        receipts: Vec::new(),
        tenders: Vec::new(),
        facts: Vec::new(),
        lines: sold.iter().enumerate().map(line).collect(),
    }
}

/// Posts store-days as an import does.
pub async fn post(app: &App, days: &[Prepared]) {
    let posted = async |tx: &mut larder_db::Tx<'_>| replace_store_days(tx, days, None).await;
    let posted = app.db.write(&actor(app.state.now()), posted).await;
    posted.map_err(|e: ApiError| e.to_string()).expect("posted");
}
