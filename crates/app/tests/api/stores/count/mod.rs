//! Counting stores over HTTP.

mod batch;
mod days;
mod held;
mod hostile;
mod sessions;
mod simulation;
mod statements;
mod visible;
mod warm_up;

use larder_db::Json;
use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_domain::{Action, BusinessDay, Timestamp};
use serde_json::{Value, json};

use crate::support::{App, Client, Engine};
use crate::users::store;

const PATH: &str = "/api/stores/count";

/// A store with three items that can be counted at any hour.
struct Shop {
    app: App,
    admin: Client,
    store: String,
    items: Vec<String>,
}

impl Shop {
    async fn open(on: Engine) -> Shop {
        let app = App::start_idle(on).await;
        // Times below are relative to one day; the ends of days have tests of their own.
        app.clock.advance_to_hour(12);
        let admin = app.admin().await;
        let store = store(&app, "MKT").await;
        let mut items = Vec::new();
        for (n, name) in ["Rice", "Tea", "Bread"].iter().enumerate() {
            let item = json!({ "name": name, "sortOrder": n });
            items.push(id(&admin.post("/api/lists/store-inventory-items", &item).await.expect(201)));
        }
        let shop = Shop { app, admin, store, items };
        shop.settle(json!({ "enforceTimeWindow": false, "timeLockEnabled": false })).await;
        shop
    }

    /// Counts this many other items instead, each of its own root item.
    async fn fill(&mut self, many: usize) {
        self.items = (0..many).map(|n| format!("item{n:03}")).collect();
        let (at, stamp) = (self.now(), json!({ "uid": "t", "name": "T", "email": "t@example.com" }));
        let (stamp, packs, extra) = (Json(stamp), Json(json!([])), Json(json!({})));
        let root = |id| (id, id, id, true, id, &extra, 1i64, at, at, &stamp);
        let item = |id| (id, id, id, true, id, &extra, 1i64, at, at, &stamp, &packs, id);
        let (roots, items) = (
            self.items.iter().map(root).collect::<Vec<_>>(),
            self.items.iter().map(item).collect::<Vec<_>>(),
        );
        let columns = [
            "id",
            "name",
            "name_key",
            "production",
            "search_key",
            "extra",
            "revision",
            "created_at",
            "updated_at",
            "updated_by",
            "packs",
            "root_item_id",
        ];
        let by = crate::support::actor(at);
        let made = self.app.db.write(&by, async |tx| {
            tx.insert_rows("root_items", &columns[..10], &roots, "").await?;
            tx.insert_rows("store_inventory_items", &columns, &items, "").await
        });
        made.await.expect("items");
    }

    async fn settle(&self, change: Value) -> Value {
        self.admin.put(&format!("{PATH}/settings/{}", self.store), &change).await.expect(200)
    }

    /// A user who counts in this store.
    async fn counter(&self) -> Client {
        let rights: &[(&str, &[Action])] = &[("stores/storeCount", &[Action::View, Action::Count])];
        self.app.user(rights, Some(std::slice::from_ref(&self.store))).await
    }

    fn now(&self) -> Timestamp {
        self.app.state.now()
    }

    fn today(&self) -> BusinessDay {
        BusinessDay::of(self.now())
    }

    /// A save of today's opening count, made now.
    fn save(&self, op: &str, item: usize, qty: impl Into<Value>) -> Value {
        let seq: i64 = op.rsplit_once(':').expect("a name").1.parse().expect("a number");
        json!({ "op": op, "seq": seq, "storeId": self.store, "date": self.today(), "session": "opening",
            "itemId": self.items[item], "qty": qty.into(), "at": self.now(), "base": null, "prev": null })
    }

    /// Saves of one device, sent by it.
    fn batch(&self, saves: &[Value]) -> Value {
        let named = saves.first().and_then(|save| save["op"].as_str()?.split_once(':')).map(|op| op.0);
        let device =
            named.filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
        json!({ "sentAt": self.now(), "deviceId": device.filter(|name| !name.is_empty()).unwrap_or("tab"), "entries": saves })
    }

    /// Sends saves, and returns their results.
    async fn send(&self, client: &Client, saves: &[Value]) -> Vec<Value> {
        let mut results = Vec::new();
        let device = |save: &Value| save["op"].as_str().map(|op| op.split(':').next().map(str::to_owned));
        for part in saves.chunk_by(|one, next| device(one) == device(next)) {
            let answer = client.post(&format!("{PATH}/batch"), &self.batch(part)).await.expect(200);
            results.extend(answer["results"].as_array().expect("answers").clone());
        }
        assert_eq!(results.len(), saves.len());
        results
    }

    async fn entries(&self, client: &Client) -> Value {
        let path = format!("{PATH}/entries?storeId={}&date={}", self.store, self.today());
        client.get(&path).await.expect(200)
    }

    /// Sets the closing window to start at an offset in minutes from now, with a duration; returns its day.
    async fn closing(&self, offset: i64, minutes: i64) -> BusinessDay {
        let begin = self.now().plus_ms(offset * 60_000);
        let date = BusinessDay::of(begin);
        let midnight = (i64::from(date.0) * 24 - BUSINESS_UTC_OFFSET_HOURS) * 3_600_000;
        let from = (begin.0 - midnight) / 60_000;
        self.settle(json!({ "closingFrom": from, "closingTo": from + minutes,
            "enforceTimeWindow": true, "timeLockEnabled": true }))
            .await;
        date
    }
}

fn id(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}

fn outcomes(results: &[Value]) -> Vec<&str> {
    results.iter().map(|result| result["outcome"].as_str().expect("an outcome")).collect()
}
