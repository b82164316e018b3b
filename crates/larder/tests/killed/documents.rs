//! Documents under kills: orders become deliveries and receipts while the server is killed repeatedly. A client without
//! a response retries with the same key; finally everything was done once, and at no moment half.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use larder_db::testing::Temp;
use larder_db::{Db, Engine};
use larder_ledgers::stock;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Caller, Home, Server, kills, pause};

const PEOPLE: i64 = 4;
const ORDERS: &str = "/api/stores/orders";
const DELIVERIES: &str = "/api/commissary/deliveries";
const RECEIPTS: &str = "/api/stores/receive";
const WASTE: &str = "/api/stores/waste";
/// Initial stock of the kitchen, and pieces in each order.
const AT_FIRST: i64 = 10_000_000;
const EACH: i64 = 7;

/// States that must never exist, even right after a kill.
const HALF_DONE: &[(&str, &str)] = &[
    (
        "a delivery that left without its goods, or the other way round",
        "select d.id from documents d where d.kind = 'delivery' and (d.state in ('dispatched', 'received')) <> exists (
           select 1 from stock_movements m where m.document_id = d.id)",
    ),
    (
        "a receipt or waste that is posted without its goods, or the other way round",
        "select d.id from documents d where d.kind in ('receipt', 'waste') and (d.state = 'posted') <> exists (
           select 1 from stock_movements m where m.document_id = d.id)",
    ),
    (
        "a delivery that is received without a receipt that is posted",
        "select d.id from documents d where d.kind = 'delivery' and (d.state = 'received') <> exists (
           select 1 from documents r where r.kind = 'receipt' and r.source_id = d.id and r.state = 'posted')",
    ),
    (
        "a document without lines",
        "select d.id from documents d where not exists (select 1 from order_lines l where l.document_id = d.id)
           and not exists (select 1 from shipment_lines l where l.document_id = d.id)
           and not exists (select 1 from receipt_lines l where l.document_id = d.id)
           and not exists (select 1 from waste_lines l where l.document_id = d.id)",
    ),
    (
        "a gap in the numbers, or a double",
        "select n.kind from document_numbers n where n.last <> (
           select count(distinct d.number) from documents d where d.kind = n.kind)",
    ),
];

/// The places of orders, production and deliveries.
struct World {
    store: String,
    kitchen: String,
    buns: String,
    piece: String,
    /// Order dates: each user orders for a different day.
    days: Vec<Value>,
}

impl World {
    async fn make(ana: &Caller) -> World {
        let make = async |path: &str, body: Value| {
            let made = ana.ask(Method::POST, path, Some(&body)).await.expect("it is made");
            made["id"].as_str().expect("an id").to_owned()
        };
        let store = make("/api/stores/locations", json!({ "name": "Makati" })).await;
        let kitchen = make("/api/lists/commissaries", json!({ "name": "Pasig kitchen" })).await;
        let piece = make("/api/lists/uoms", json!({ "name": "Piece", "code": "pc" })).await;
        let buns = make("/api/products", json!({ "name": "Buns", "baseUom": piece })).await;
        let stock = json!({ "quantity": AT_FIRST, "placeKind": "commissary", "placeId": kitchen });
        ana.ask(Method::POST, &format!("/api/products/{buns}/adjust"), Some(&stock))
            .await
            .expect("it is there");
        let dates =
            format!("/api/stores/delivery-dates?storeId={store}&sourceType=commissary&sourceId={kitchen}");
        let dates = ana.ask(Method::GET, &dates, None).await.expect("days");
        let days = dates["dates"].as_array().expect("days").iter().skip(3);
        let days: Vec<Value> = days.map(|day| day["date"].clone()).collect();
        World { store, kitchen, buns, piece, days }
    }

    async fn nothing_half_done(&self, db: &Db, when: &str) {
        let wrong = stock::verify(db).await.expect("verified");
        assert!(wrong.is_empty(), "{when}: {wrong:?}");
        for (what, query) in HALF_DONE {
            let found: Vec<(String,)> = db.sql(query).all().await.expect(what);
            assert!(found.is_empty(), "{when}: {what}: {found:?}");
        }
    }
}

/// A user who retries until there is a response.
struct Person {
    ana: Caller,
    url: Arc<RwLock<String>>,
    world: Arc<World>,
    nth: i64,
    asked: i64,
}

impl Person {
    /// Sends one request, retrying with the same key until there is a response.
    async fn ask(&mut self, path: &str, body: &Value) -> Value {
        self.asked += 1;
        let key = format!("person{}-{}", self.nth, self.asked);
        loop {
            let url = self.url.read().expect("the address").clone();
            let request = self
                .ana
                .http
                .post(format!("{url}{path}"))
                .bearer_auth(&self.ana.token)
                .header("idempotency-key", &key)
                .json(body);
            let answer = match request.send().await {
                Ok(answer) => {
                    let status = answer.status();
                    answer.text().await.ok().map(|text| (status, text))
                }
                Err(_) => None,
            };
            if let Some((status, text)) = answer {
                assert!(status.is_success(), "{path}: {status} {text}");
                return serde_json::from_str(&text).expect("JSON");
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn step(&mut self, base: &str, document: &Value, step: &str) -> Value {
        let path = format!("{base}/{}/{step}", document["id"].as_str().expect("an id"));
        self.ask(&path, &json!({ "revision": document["revision"] })).await
    }

    /// From an order to the waste of its goods.
    async fn chain(&mut self) {
        let World { store, kitchen, buns, piece, days } = &*Arc::clone(&self.world);
        let day = &days[usize::try_from(self.nth).expect("small")];
        let line = json!([{ "productId": buns, "uomId": piece, "qty": EACH }]);
        let order = json!({
            "storeId": store, "sourceType": "commissary", "sourceId": kitchen, "neededDate": day, "lines": line,
        });
        let order = self.ask(ORDERS, &order).await;
        let order = self.step(ORDERS, &order, "submit").await;
        let order = self.step(ORDERS, &order, "approve").await;
        let mut delivery = self.ask(DELIVERIES, &json!({ "orderIds": [order["id"]] })).await;
        for step in ["pick", "pack", "dispatch"] {
            delivery = self.step(DELIVERIES, &delivery, step).await;
        }
        let receipt = json!({ "storeId": store, "sourceType": "delivery", "sourceId": delivery["id"] });
        let receipt = self.ask(RECEIPTS, &receipt).await;
        self.step(RECEIPTS, &receipt, "post").await;
        let waste = json!({ "storeId": store, "lines": [
            { "productId": buns, "uomId": piece, "qty": 1, "reason": "dropped" },
        ] });
        let waste = self.ask(WASTE, &waste).await;
        self.step(WASTE, &waste, "submit").await;
    }
}

async fn documents_are_done_once(home: &Home) {
    let mut server = Server::start(home);
    let ana = Caller::sign_in(&server.url).await;
    let world = Arc::new(World::make(&ana).await);
    let url = Arc::new(RwLock::new(server.url.clone()));
    let (over, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)));
    let people: Vec<_> = (0..PEOPLE)
        .map(|nth| {
            let (over, done) = (Arc::clone(&over), Arc::clone(&done));
            let mut person =
                Person { ana: ana.clone(), url: Arc::clone(&url), world: Arc::clone(&world), nth, asked: 0 };
            tokio::spawn(async move {
                while !over.load(Ordering::Relaxed) {
                    person.chain().await;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for kill in 0..kills() {
        tokio::time::sleep(pause(kill)).await;
        server.kill();
        world.nothing_half_done(&home.open().await, &format!("after kill {kill}")).await;
        server = Server::start(home);
        url.write().expect("the address").clone_from(&server.url);
    }
    over.store(true, Ordering::Relaxed);
    for person in people {
        person.await.expect("a user's work ends");
    }
    server.kill();
    let db = home.open().await;
    world.nothing_half_done(&db, "in the end").await;
    let done = done.load(Ordering::Relaxed);
    let states: Vec<(String, i64)> = db
        .sql("select kind || ' ' || state, cast(count(*) as bigint) from documents group by kind, state order by 1")
        .all()
        .await
        .expect("states");
    let each = ["delivery received", "receipt posted", "storeOrder received", "waste posted"];
    assert_eq!(states, each.map(|state| (state.to_owned(), done)));
    let places: Vec<(String, i64)> = db
        .sql(
            "select place_kind, cast(sum(qty) as bigint) from stock_balances where item_id = $1
             group by place_kind having sum(qty) <> 0 order by 1",
        )
        .bind(&world.buns)
        .all()
        .await
        .expect("places");
    let at = |kind: &str, pieces: i64| (kind.to_owned(), pieces * 1_000_000);
    assert_eq!(places, [at("commissary", AT_FIRST - done * EACH), at("store", done * (EACH - 1))]);
    assert!(done >= PEOPLE, "{done} chains");
    println!("{done} orders through to their receipts, each done once, over {} kills", kills());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_is_done_once_or_not_at_all() {
    documents_are_done_once(&Home::new(None)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_is_done_once_or_not_at_all_on_postgres() {
    let temp = Temp::new(Engine::Postgres).await;
    documents_are_done_once(&Home::new(Some(temp.url.clone()))).await;
}
