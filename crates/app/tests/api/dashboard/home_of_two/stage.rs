//! Three stores with the same Home tasks in each: half of them four days old, half of today.

use larder_domain::{Action, BusinessDay};
use larder_ledgers::sales::Prepared;
use larder_platform::config::Secret;
use serde_json::{Value, json};

use crate::dashboard::drp_new::{self, PLAN};
use crate::documents::kitchen::bakery;
use crate::documents::{DELIVERIES, ORDERS, RECEIPTS, Site, made, path};
use crate::mail::Server;
use crate::sales::{Reading, put_reading, z_reading};
use crate::support::{App, Client, Engine, actor};
use crate::tools::connectors;
use crate::tools::connectors::server::{Hostile, Reply};
use crate::tools::sold::{post, store_day};

const WASTE: &str = "/api/stores/waste";
const SERVICES: &str = "/api/tools/services";
/// Age of the first half in days.
const AGO: i32 = 4;
/// Failing services, one per store.
const FAIL: [&str; 3] = ["weekly-forecast", "monthly-forecast", "daily-moving-average"];
/// Access requests in the first half.
pub const APPLIED: i32 = 6;

/// A store, selling a multiple of the first one, so that the sums of any two differ.
pub struct Store {
    pub id: String,
    pub name: &'static str,
    pub times: i64,
}

pub struct Stage {
    pub site: Site,
    pub mail: Server,
    pub stores: Vec<Store>,
    /// POS items: one that deviates from its forecast, and one that matches it.
    pos: [String; 2],
    counted: String,
    dough: String,
    /// A product that stands for rice.
    sacks: String,
}

/// Meals sold this many days before Home is viewed.
pub fn meals(times: i64, ago: i32, item: usize) -> i64 {
    match (ago, item) {
        (0, _) => 10 * times,
        (1, 0) => 500 * times,
        (1, 1) => 32 * times,
        _ => times * (30 + i64::from((ago * 7 + 3 * item as i32) % 5)),
    }
}

impl Stage {
    pub async fn build(on: Engine) -> Self {
        let mail = Server::start("plain");
        let url = format!("smtp://127.0.0.1:{}", mail.port);
        let app = App::start_idle_with(on, |config| {
            config.smtp_url = Some(Secret(url));
            config.outgoing_allow = Some("127.0.0.1".into());
            config.mail_from = Some("Larder <larder@example.com>".into());
        });
        let mut stage = Self::of(Site::of(app.await).await, mail).await;
        stage.forecast().await;
        stage.documents().await;
        for n in 0..APPLIED {
            stage.apply(n).await;
        }
        stage.site.app.clock.advance(i64::from(AGO) * 86_400);
        stage.site.admin = stage.site.app.admin().await;
        stage
    }

    /// The stores with their sales, counts and deliveries.
    async fn of(site: Site, mail: Server) -> Self {
        let admin = &site.admin;
        let level = admin.get("/api/lists/price-levels").await.expect(200)["items"][0]["id"].clone();
        let mut stores = vec![Store { id: site.store.clone(), name: "Cubao", times: 1 }];
        for (name, times) in [("Makati", 2), ("Pasay", 4)] {
            let body = json!({ "name": name, "code": format!("{name}-1"), "priceLevelId": level });
            stores.push(Store { id: made(admin, "/api/stores/locations", body).await, name, times });
        }
        let (flour, dough, ..) = bakery(&site).await;
        site.stock(&site.buns, 2_400).await;
        site.stock(&flour, 100).await;
        // Not enough for any order.
        site.stock(&site.rice, 1).await;
        admin
            .put(&format!("{WASTE}/settings"), &json!({ "approvalAbove": 1, "revision": 0 }))
            .await
            .expect(200);

        let uoms = admin.get("/api/lists/uoms").await.expect(200);
        let kilo = uoms["items"].as_array().expect("units").iter().find(|unit| unit["code"] == "kg");
        let kilo = kilo.expect("a unit")["id"].clone();
        let (rice, beans) = (root_item(admin, "Rice").await, root_item(admin, "Beans").await);
        let counted = json!({ "name": "Rice", "rootItemId": rice, "uomId": kilo });
        let counted = made(admin, "/api/lists/store-inventory-items", counted).await;
        let sacks = json!({
            "name": "Rice, sacks", "sku": "SAC", "baseUom": kilo,
            "rootItemConversions": [{ "rootItemId": rice, "factor": 1 }],
            "priceLevelPrices": [{ "priceLevelId": level, "price": 50 }],
        });
        let sacks = made(admin, "/api/products", sacks).await;
        let daily = json!({ "weekdays": [1, 2, 3, 4, 5, 6, 7], "cutoffTime": "16:00", "cutoffDays": 1 });
        for Store { id, .. } in &stores {
            let calendar = format!("/api/stores/delivery-calendar/{id}/commissary/{}", site.kitchen);
            admin.put(&calendar, &daily).await.expect(200);
            let lead = json!({ "storeId": id, "leadDays": 1 });
            admin.put(&format!("{PLAN}/settings"), &lead).await.expect(200);
        }
        let pos = [meal(admin, "Rice meal", &rice).await, meal(admin, "Bean stew", &beans).await];
        Self { site, mail, stores, pos, counted, dough, sacks }
    }

    fn today(&self) -> BusinessDay {
        BusinessDay::of(self.site.app.state.now())
    }

    /// A user with all permissions, in some stores or all.
    pub async fn person(&self, stores: Option<&[&Store]>) -> Client {
        let pages: Vec<String> = larder_domain::access::CATALOGUE
            .iter()
            .flat_map(|(category, pages)| pages.iter().map(move |page| format!("{category}/{page}")))
            .collect();
        let rights: Vec<(&str, &[Action])> = pages.iter().map(|page| (page.as_str(), Action::ALL)).collect();
        let ids: Option<Vec<String>> =
            stores.map(|stores| stores.iter().map(|store| store.id.clone()).collect());
        self.site.app.user(&rights, ids.as_deref()).await
    }

    /// Sales of a range of days before Home is viewed.
    async fn sold(&self, today: BusinessDay, days: std::ops::RangeInclusive<i32>) {
        let mut all = Vec::new();
        for store in &self.stores {
            for ago in days.clone() {
                let sold = [0, 1].map(|item| (self.pos[item].as_str(), meals(store.times, ago, item)));
                all.push(Prepared::new(store_day(&store.id, today.0 - ago, "file", &sold)));
            }
        }
        post(&self.site.app, &all).await;
    }

    /// Twelve weeks of sales, and a forecast of the following days.
    async fn forecast(&self) {
        self.sold(self.today().plus(AGO), AGO + 1..=AGO + 84).await;
        self.run("moving-average", json!({})).await;
    }

    async fn run(&self, service: &str, ask: Value) -> String {
        let runs = format!("{SERVICES}/{service}/runs");
        let run = self.site.admin.post(&runs, &ask).await.expect(202);
        self.site.app.drain().await;
        let id = run["id"].as_str().expect("an id").to_owned();
        let run = self.site.admin.get(&format!("{runs}/{id}")).await.expect(200);
        assert_eq!(run["state"], "done", "{run}");
        id
    }

    /// In each store: an order to approve, one that the kitchen leaves short, a delivery in transit, one with a missing
    /// case, waste, and a count of tomorrow, which is held. In the kitchen a stock-take and a planned batch.
    async fn documents(&self) {
        let site = &self.site;
        let take = json!({ "placeKind": "commissary", "placeId": site.kitchen });
        made(&site.admin, "/api/commissary/stock-takes", take).await;
        let batch = json!({ "commissaryId": site.kitchen, "productId": self.dough, "batches": 1 });
        made(&site.admin, "/api/commissary/production", batch).await;
        for store in &self.stores {
            self.order(store).await;
            let short = self.order_of(store, &site.rice).await;
            site.step(ORDERS, &short, "approve", json!({})).await.expect(200);
            self.dispatched(store).await;
            let receipt = self.receipt(store, &self.dispatched(store).await).await;
            let line = json!({ "id": receipt["lines"][0]["id"], "received": 1, "reason": "short" });
            let short = json!({ "revision": receipt["revision"], "lines": [line] });
            let receipt = site.admin.patch(&path(RECEIPTS, &receipt), &short).await.expect(200);
            site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
            let line = json!({ "productId": site.buns, "uomId": site.case, "qty": 1, "reason": "expired" });
            let waste = json!({ "storeId": store.id, "lines": [line] });
            let waste = site.admin.post(WASTE, &waste).await.expect(201);
            site.step(WASTE, &waste, "submit", json!({})).await.expect(200);
            let (now, device) = (site.app.state.now(), format!("{}-{}", store.name, self.today().0));
            let save = json!({ "op": format!("{device}:1"), "seq": 1, "storeId": store.id, "itemId": self.counted,
                "date": self.today().plus(1), "session": "opening", "qty": 1, "at": now, "base": null, "prev": null });
            let batch = json!({ "sentAt": now, "deviceId": device, "entries": [save] });
            let taken = site.admin.post("/api/stores/count/batch", &batch).await.expect(200);
            assert_eq!(taken["results"][0]["outcome"], "held", "{taken}");
        }
    }

    /// An order of two cases of buns, pending approval.
    async fn order(&self, store: &Store) -> Value {
        self.order_of(store, &self.site.buns).await
    }

    async fn order_of(&self, store: &Store, product: &str) -> Value {
        let line = json!({ "productId": product, "uomId": self.site.case, "qty": 2 });
        let mut body = self.site.order(json!([line]));
        body["storeId"] = json!(store.id);
        let order = self.site.admin.post(ORDERS, &body).await.expect(201);
        self.site.step(ORDERS, &order, "submit", json!({})).await.expect(200)
    }

    async fn dispatched(&self, store: &Store) -> Value {
        let order = self.order(store).await;
        let order = self.site.step(ORDERS, &order, "approve", json!({})).await.expect(200);
        self.site.dispatched(&order).await
    }

    async fn receipt(&self, store: &Store, delivery: &Value) -> Value {
        let body = json!({ "storeId": store.id, "sourceType": "delivery", "sourceId": delivery["id"] });
        self.site.admin.post(RECEIPTS, &body).await.expect(201)
    }

    /// Submits an access request; the number per address and hour is limited.
    async fn apply(&self, n: i32) {
        let body = json!({ "name": "Dina Lim", "email": format!("dina{n}@example.com"), "position": "Cashier",
            "mobile": "0917 123 4567", "store": "Head office", "reason": "I count the till." });
        self.site.app.nobody().post("/api/apply", &body).await.expect(202);
        self.site.app.clock.advance(900);
    }

    /// The second half, and tasks of today only.
    pub async fn news(&self) {
        self.documents().await;
        self.apply(APPLIED).await;
        self.sold(self.today(), 1..=AGO).await;
        for store in &self.stores {
            drp_new::count(&self.site.app, &store.id, &self.counted, self.today().plus(-1), 0).await;
        }
        // While nothing was sold today, items running out today are at risk.
        self.run("replenishment-plan", json!({})).await;
        self.sold(self.today(), 0..=0).await;
        self.recalls().await;
        self.tills().await;
        self.papers().await;
        self.failures().await;
        self.prices().await;
    }

    /// In each store a receipt of supplier goods at a price that rice has not had.
    async fn prices(&self) {
        let site = &self.site;
        let supplier = made(&site.admin, "/api/lists/suppliers", json!({ "name": "Mega Mills" })).await;
        for store in &self.stores {
            let line = json!({ "productId": self.sacks, "received": 1, "unitPrice": 50 + store.times });
            let body = json!({ "storeId": store.id, "sourceType": "supplier", "sourceId": supplier, "lines": [line] });
            let receipt = site.admin.post(RECEIPTS, &body).await.expect(201);
            site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
        }
    }

    /// A recalled lot in each store, one in all of them, and one only at the commissary.
    async fn recalls(&self) {
        let (site, base) = (&self.site, "/api/commissary/production");
        for lot in ["L-0", "L-1", "L-2", "L-all", "L-kitchen"] {
            let batch =
                json!({ "commissaryId": site.kitchen, "productId": self.dough, "batches": 1, "lot": lot });
            let batch = site.admin.post(base, &batch).await.expect(201);
            site.step(base, &batch, "post", json!({})).await.expect(200);
        }
        for (at, store) in self.stores.iter().enumerate() {
            let line = |lot: &str| json!({ "productId": self.dough, "qty": 1, "lot": lot });
            let lines = [line(&format!("L-{at}")), line("L-all")];
            let body = json!({ "commissaryId": site.kitchen, "storeId": store.id, "lines": lines });
            let mut delivery = site.admin.post(DELIVERIES, &body).await.expect(201);
            for step in ["pick", "pack", "dispatch"] {
                delivery = site.step(DELIVERIES, &delivery, step, json!({})).await.expect(200);
            }
            let receipt = self.receipt(store, &delivery).await;
            site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
        }
        let body = json!({ "productId": self.dough, "reason": "Metal found" });
        for lot in ["L-0", "L-1", "L-2", "L-all", "L-kitchen"] {
            site.admin.post(&format!("/api/stock/lots/{lot}/recall"), &body).await.expect(200);
        }
    }

    /// In each store two readings to verify, a disputed one, and two days of cash not deposited.
    async fn tills(&self) {
        let (app, admin) = (&self.site.app, &self.site.admin);
        for store in &self.stores {
            z_reading::make(admin, &z_reading::typed(app, &store.id, 1, 6)).await;
            let disputed = z_reading::make(admin, &z_reading::typed(app, &store.id, 2, 5)).await;
            z_reading::take(admin, &disputed, "dispute").await;
            z_reading::make(admin, &z_reading::typed(app, &store.id, 3, 1)).await;
            for ago in [9, 3] {
                let reading = Reading { terminal: "T2".into(), ..Reading::of(100 * store.times) };
                put_reading(app, &store.id, self.today().plus(-ago), &reading).await;
            }
        }
    }

    /// Company documents that expire within a week, next month, and later.
    async fn papers(&self) {
        let company = made(&self.site.admin, "/api/lists/companies", json!({ "name": "Panaderia" })).await;
        for (kind, days) in [("mayorPermit", 5), ("bir", 30), ("other", 100)] {
            let expires = self.today().plus(days);
            let query = format!("kind={kind}&title=Paper&expires={expires}&fileName=paper.pdf");
            let at = format!("/api/lists/companies/{company}/documents?{query}");
            self.site.admin.upload(&at, &b"%PDF-1.7\n%hello"[..]).await.expect(201);
        }
    }

    /// For each store a service whose last run failed, and a connector that is refused.
    async fn failures(&self) {
        let (app, admin) = (&self.site.app, &self.site.admin);
        for (service, store) in FAIL.iter().zip(&self.stores) {
            let run = self.run(service, json!({ "storeIds": [store.id] })).await;
            let words = format!("{} could not be read.", store.name);
            let who = actor(app.state.now());
            let failed = app.db.write(&who, async |tx| {
                tx.sql("update service_runs set state = 'failed', error = $2 where id = $1")
                    .bind(&run)
                    .bind(&words)
                    .execute()
                    .await
            });
            assert_eq!(failed.await.expect("a failure"), 1);
        }
        let closed = Hostile::start(|_, _| Reply::status(403)).await;
        let settings =
            connectors::api(&format!("{}/sales?date={{date}}", closed.url), json!({ "kind": "none" }), None);
        let id = made(admin, connectors::HOME, connectors::draft("Tills", settings)).await;
        let ask = json!({ "from": self.today().plus(-1), "to": self.today().plus(-1) });
        admin.post(&format!("{}/{id}/runs", connectors::HOME), &ask).await.expect(202);
        app.drain().await;
    }
}

async fn root_item(admin: &Client, name: &str) -> String {
    made(admin, "/api/lists/root-items", json!({ "name": format!("{name} (kg)") })).await
}

/// A POS item using half a kilo.
async fn meal(admin: &Client, name: &str, root: &str) -> String {
    let bom = json!([{ "rootProductId": root, "multiplier": 0.5 }]);
    made(admin, "/api/lists/pos-items", json!({ "description": name, "bom": bom })).await
}
