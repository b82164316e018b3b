//! A day of a store, worked by hand, and the figure of each page beside it.
//!
//! Cubao counts buns by the piece; a case is 24. Sales without a till's file are not known to Larder yet, so its stock
//! runs ahead of the shelf until the file comes.
//!
//! | time | what happens | on the shelf | in Larder |
//! |---|---|---|---|
//! | eve 21:00 | closing count: 100 | 100 | 100 |
//! | 03:00 | a truck with 10 cases leaves the kitchen | 100 | 100, 240 in transit |
//! | 05:10 | it is received | 340 | 340 |
//! | 06:30 | a supplier brings 48 of lot F-7 | 388 | 340 |
//! | 07:30–10:20 | 30 are sold | 358 | 340 |
//! | 10:30 | opening count: 356, two are missing | 356 | 356 |
//! | 11:30, 13:00 | 20 are sold | 336 | 356 |
//! | 12:00 | the supplier's receipt is typed, as of 06:30: the count had it | 336 | 356 |
//! | 14:00 | a case goes to Makati | 312 | 332 |
//! | 15:00 | 6 are thrown away | 306 | 326 |
//! | 15:30 | the receipt is typed again, as of 14:40 | 306 | 374 |
//! | 18:30–22:30 | 60 are sold | 246 | 374 |
//! | 23:50 | the till's file of the day: 110 sold, 80 of them since the count | 246 | 294 |
//! | 00:20 | 3 are sold | 243 | 294 |
//! | 00:40 | closing count on the tablet, which is offline: 242, one is missing | 242 | 294 |
//! | 00:50 | 2 are sold | 240 | 294 |
//! | 00:55 | closing count on a phone: 230 | 240 | 230 |
//! | next day 09:00 | the tablet's count is chosen: 242 at 00:40 | 240 | 242 |
//! | next day 11:00 | 25 are sold | 215 | 242 |
//! | day after 08:00 | the till's file of the next day: 30 sold, 3 of them before the count | 215 | 215 |
//! | day after 10:00 | the second receipt is reversed, as of 14:40 | 215 | 215 |
//!
//! Expected at the opening count: 100 + 240 + 48 − 30 = 358, so 2 are missing. Expected at the closing count:
//! 356 − 24 − 6 − 80 − 3 = 243, so 1 is missing. A bun costs 10 pesos: the variance of the day is −30.

use larder_domain::{BusinessDay, Timestamp};
use rstest::rstest;
use serde_json::{Value, json};

use crate::dashboard::drp_new::{PLAN, RUNS};
use crate::documents::{DELIVERIES, ORDERS, RECEIPTS, Site, made};
use crate::support::{App, Engine};
use crate::tools::import_sales_product::import;

const COUNT: &str = "/api/stores/count";
const TRANSFERS: &str = "/api/stores/transfers";
const WASTE: &str = "/api/stores/waste";

/// Cubao, and the day worked by hand.
struct Cubao {
    site: Site,
    makati: String,
    supplier: String,
    item: String,
    day: BusinessDay,
}

impl Cubao {
    /// Two days before, with four weeks of sales.
    async fn open(on: Engine) -> Self {
        let site = Site::of(App::start_idle(on).await).await;
        let admin = &site.admin;
        let bun = made(admin, "/api/lists/root-items", json!({ "name": "Bun", "price": 10 })).await;
        let item = json!({ "name": "Buns", "rootItemId": bun, "uomId": site.piece });
        let item = made(admin, "/api/lists/store-inventory-items", item).await;
        let burger = json!({ "description": "Burger", "bom": [{ "rootProductId": bun, "multiplier": 1 }] });
        made(admin, "/api/lists/pos-items", burger).await;
        let parts = json!({ "rootItemConversions": [{ "rootItemId": bun, "factor": 1 }] });
        let days = json!({ "leadTimeDays": 1, "reviewTimeDays": 2 });
        for (at, mut patch) in [
            (format!("/api/products/{}", site.buns), parts),
            (format!("/api/stores/locations/{}", site.store), days),
        ] {
            patch["revision"] = admin.get(&at).await.expect(200)["revision"].clone();
            admin.patch(&at, &patch).await.expect(200);
        }
        let supplier = made(admin, "/api/lists/suppliers", json!({ "name": "Farm" })).await;
        let makati = made(admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
        let today = BusinessDay::of(site.app.state.now());
        // Its days end at midnight, although it sells until one.
        let start = format!("/api/stores/day-starts/{}/{}", site.store, today.plus(-60));
        admin.put(&start, &json!({ "minutes": 0 })).await.expect(200);
        let cubao = Self { makati, supplier, item, day: today.plus(2), site };
        let weeks: Vec<(i32, &str, i64)> = (-30..-2).map(|day| (day, "", 100)).collect();
        cubao.till(&weeks).await;
        cubao
    }

    /// A time of the day, in UTC+8; days and hours after its midnight.
    fn time(&self, days: i32, hour: i64, minute: i64) -> Timestamp {
        let midnight = i64::from(self.day.plus(days).0) * 24 - 8;
        Timestamp(((midnight + hour) * 60 + minute) * 60_000)
    }

    /// Lets time pass until then. Sessions end meanwhile.
    async fn wait(&mut self, days: i32, hour: i64, minute: i64) {
        let ahead = self.time(days, hour, minute).0 - self.site.app.state.now().0;
        assert!(ahead > 0, "it is later than that");
        self.site.app.clock.advance((ahead + 999) / 1_000);
        self.site.admin = self.site.app.admin().await;
    }

    /// Imports a till's file: day, time, burgers sold.
    async fn till(&self, sold: &[(i32, &str, i64)]) {
        let mut file = String::from("Date,Store,Terminal,Receipt,Item,Qty,Price\n");
        for (number, (day, time, qty)) in (1..).zip(sold) {
            let at = format!("{} {time}", self.day.plus(*day));
            file.push_str(&format!("{},Cubao,T1,{number},Burger,{qty},25\n", at.trim_end()));
        }
        import(&self.site.app, &self.site.admin, "till.csv", file).await;
    }

    /// A count that a device made `at`, sent now.
    async fn count(&self, device: &str, of: (i32, &str), pieces: i64, at: Timestamp) -> Value {
        let (day, session) = of;
        let save = json!({
            "op": format!("{device}:1"), "seq": 1, "storeId": self.site.store, "itemId": self.item,
            "date": self.day.plus(day), "session": session, "qty": pieces, "at": at,
        });
        let batch = json!({ "deviceId": device, "sentAt": self.site.app.state.now(), "entries": [save] });
        let taken = self.site.admin.post(&format!("{COUNT}/batch"), &batch).await.expect(200);
        taken["results"][0]["outcome"].clone()
    }

    /// Types the supplier's receipt of 48.
    async fn receive(&self, at: Timestamp) -> Value {
        let line = json!({
            "productId": self.site.buns, "uomId": self.site.piece, "expected": 48, "received": 48,
            "lot": "F-7", "expiry": self.day.plus(9),
        });
        let draft = json!({
            "storeId": self.site.store, "sourceType": "supplier", "sourceId": self.supplier,
            "receivedAt": at, "lines": [line],
        });
        let draft = self.site.admin.post(RECEIPTS, &draft).await.expect(201);
        let posted = self.site.step(RECEIPTS, &draft, "post", json!({})).await.expect(200);
        assert_eq!(posted.get("close"), None, "more than three hours from any count");
        posted
    }

    async fn transfer(&self, cases: i64) -> Value {
        let line = json!({ "productId": self.site.buns, "uomId": self.site.case, "qty": cases });
        let draft = json!({ "fromStoreId": self.site.store, "toStoreId": self.makati, "lines": [line] });
        self.site.admin.post(TRANSFERS, &draft).await.expect(201)
    }

    async fn waste(&self, pieces: i64) -> Value {
        let line = json!({
            "productId": self.site.buns, "uomId": self.site.piece, "qty": pieces, "reason": "dropped",
        });
        let draft = json!({ "storeId": self.site.store, "lines": [line] });
        self.site.admin.post(WASTE, &draft).await.expect(201)
    }

    /// What a transfer and waste of more than that are asked about.
    async fn asked(&self, pieces: i64) {
        for (path, document, step) in [
            (TRANSFERS, self.transfer(pieces / 24 + 1).await, "dispatch"),
            (WASTE, self.waste(pieces + 1).await, "submit"),
        ] {
            let refused = self.site.step(path, &document, step, json!({})).await.expect(409);
            assert_eq!(
                (&refused["code"], &refused["expected"]),
                (&json!("moreThanExpected"), &json!(pieces)),
                "{path}"
            );
        }
    }

    async fn page(&self, path: &str) -> Value {
        self.site.admin.get(path).await.expect(200)
    }

    async fn inventory(&self) -> Value {
        let path = format!("/api/stores/inventory?storeId={}&by=rootItems", self.site.store);
        self.page(&path).await["items"][0].clone()
    }

    /// The stock, on every page that shows it.
    async fn has(&self, pieces: i64) {
        self.counts_have(pieces).await;
        let product = self.page(&format!("/api/products/{}/stock", self.site.buns)).await;
        let store = row(&product["stores"], "storeId", &self.site.store);
        assert_eq!(store["qty"], json!(pieces), "product");
    }

    /// The stock, on every page but the product's: that names only stores to which it came.
    async fn counts_have(&self, pieces: i64) {
        let (store, buns, pieces) = (&self.site.store, &self.site.buns, json!(pieces));
        for by in ["items", "rootItems"] {
            let page = self.page(&format!("/api/stores/inventory?storeId={store}&by={by}")).await;
            assert_eq!(page["items"][0]["onHand"], pieces, "{by}");
        }
        let path = format!("/api/stores/inventory/ledger?storeId={store}&itemId={}", self.item);
        let ledger = self.page(&path).await;
        let last = ledger["days"].as_array().and_then(|days| days.last()).expect("a day");
        assert_eq!((&ledger["onHand"], &last["balance"]), (&pieces, &pieces), "{ledger}");
        let guide = self.page(&format!("{ORDERS}/guide?storeId={store}")).await;
        assert_eq!(row(&guide["items"], "productId", buns)["onHand"], pieces, "order guide");
    }

    /// What the last count came to, less what was expected.
    async fn differs(&self, counted: i64, expected: i64) {
        let row = self.inventory().await;
        assert_eq!(
            (&row["expected"], &row["variance"]),
            (&json!(expected), &json!(counted - expected)),
            "{row}"
        );
    }

    /// What the sheet says is expected.
    async fn sheet(&self, pieces: i64) {
        let sheet = self.page(&format!("{COUNT}/warm-up?storeId={}", self.site.store)).await;
        let due = |one: &&Value| {
            (&one["date"], &one["session"]) == (&sheet["countingDate"], &sheet["countingSession"])
        };
        let due = sheet["expectedOf"].as_array().and_then(|all| all.iter().find(due)).expect("the count due");
        assert_eq!(due["items"][&self.item], json!(pieces), "{sheet}");
    }

    /// Shipments on the road: kind, store, cases.
    async fn on_the_road(&self) -> Vec<(Value, Value, Value)> {
        let page = self.page("/api/stock/in-transit").await;
        let items = page["items"].as_array().expect("shipments").iter();
        items.map(|it| (it["kind"].clone(), it["storeId"].clone(), it["lines"][0]["qty"].clone())).collect()
    }

    /// What is there of the supplier's lot: likely, at least, at most.
    async fn lot(&self) -> [Value; 3] {
        let page = self.page("/api/stock/lots?q=F-7").await;
        let place = row(&page["items"][0]["places"], "placeId", &self.site.store);
        ["qty", "atLeast", "atMost"].map(|name| place[name].clone())
    }

    /// Until the opening count.
    async fn morning(&mut self) {
        self.site.stock(&self.site.buns, 480).await;
        let order = self.site.approved_for(self.day, 10).await;
        let packed = self.site.packed(&order).await;
        self.wait(-1, 21, 0).await;
        let now = self.site.app.state.now();
        assert_eq!(self.count("eve", (-1, "closing"), 100, now).await, "applied");
        self.counts_have(100).await;

        self.wait(0, 3, 0).await;
        let sent = self.site.step(DELIVERIES, &packed, "dispatch", json!({})).await.expect(200);
        self.counts_have(100).await;
        assert_eq!(self.inventory().await["inTransit"], 240);
        let truck = (json!("delivery"), json!(self.site.store), json!(10));
        assert_eq!(self.on_the_road().await, [truck]);

        self.wait(0, 5, 10).await;
        let receipt = self.site.receipt(&sent).await;
        self.site.step(RECEIPTS, &receipt, "post", json!({})).await.expect(200);
        self.has(340).await;
        assert_eq!(self.inventory().await["inTransit"], 0);
        assert!(self.on_the_road().await.is_empty());

        self.wait(0, 10, 30).await;
        self.sheet(340).await;
        let now = self.site.app.state.now();
        assert_eq!(self.count("open", (0, "opening"), 356, now).await, "applied");
        self.has(356).await;
        self.differs(356, 340).await;
    }

    /// From the opening count to the till's file. Returns the second receipt.
    async fn afternoon(&mut self) -> Value {
        self.wait(0, 12, 0).await;
        self.receive(self.time(0, 6, 30)).await;
        self.has(356).await;
        self.differs(356, 388).await;
        self.sheet(388).await;

        self.wait(0, 14, 0).await;
        self.asked(356).await;
        let transfer = self.transfer(1).await;
        self.site.step(TRANSFERS, &transfer, "dispatch", json!({})).await.expect(200);
        self.has(332).await;
        let case = (json!("transfer"), json!(self.makati), json!(1));
        assert_eq!(self.on_the_road().await, [case]);

        self.wait(0, 15, 0).await;
        let waste = self.waste(6).await;
        self.site.step(WASTE, &waste, "submit", json!({})).await.expect(200);
        self.has(326).await;
        self.asked(326).await;

        self.wait(0, 15, 30).await;
        let twice = self.receive(self.time(0, 14, 40)).await;
        self.has(374).await;
        let [likely, _, at_most] = self.lot().await;
        assert_eq!((likely, at_most), (json!(96), json!(96)));

        self.wait(0, 23, 50).await;
        let sold = [
            (0, "07:30", 10),
            (0, "09:15", 8),
            (0, "10:20", 12),
            (0, "11:30", 12),
            (0, "13:00", 8),
            (0, "18:30", 25),
            (0, "20:00", 20),
            (0, "22:30", 15),
        ];
        self.till(&sold).await;
        self.has(294).await;
        self.differs(356, 358).await;
        self.sheet(294).await;
        self.asked(294).await;
        twice
    }

    /// The closing count, and what is known of it the day after.
    async fn night(&mut self, twice: &Value) {
        self.wait(1, 0, 55).await;
        let now = self.site.app.state.now();
        assert_eq!(self.count("phone", (0, "closing"), 230, now).await, "applied");
        self.wait(1, 1, 0).await;
        let counted = self.time(1, 0, 40);
        assert_eq!(self.count("tablet", (0, "closing"), 242, counted).await, "superseded");
        self.has(230).await;
        self.differs(230, 294).await;
        self.sheet(294).await;

        self.wait(1, 9, 0).await;
        let chosen = json!({ "op": "tablet:1", "revision": 1 });
        self.site.admin.post(&format!("{COUNT}/entries/choose"), &chosen).await.expect(200);
        self.has(242).await;
        self.differs(242, 294).await;

        // Chosen at 09:00, it is a count of 00:40: what was sold at 00:50 came after it.
        self.wait(2, 8, 0).await;
        self.till(&[(1, "00:20", 3), (1, "00:50", 2), (1, "11:00", 25)]).await;
        self.has(215).await;
        self.differs(242, 291).await;

        self.wait(2, 10, 0).await;
        let why = json!({ "reason": "Entered twice" });
        let back = self.site.step(RECEIPTS, twice, "reverse", why).await.expect(200);
        assert_eq!(back["reversed"], json!({ "businessDate": self.day }));
        self.has(215).await;
        self.differs(242, 243).await;
        self.sheet(215).await;
    }

    /// The ledger of the day.
    async fn ledger(&self) {
        let path = format!(
            "/api/stores/inventory/ledger?storeId={}&itemId={}&from={}",
            self.site.store, self.item, self.day
        );
        let ledger = self.page(&path).await;
        assert_eq!(ledger["start"], 100, "{ledger}");
        let days = ledger["days"].as_array().expect("days");
        let figures = |day: &Value| ["moved", "used", "balance"].map(|name| day[name].clone());
        // 240 + 48 − 24 − 6. At midnight there were three more than at 00:40.
        assert_eq!(figures(&days[0]), [258, 110, 245].map(|qty| json!(qty)), "{ledger}");
        assert_eq!(figures(&days[1]), [0, 30, 215].map(|qty| json!(qty)), "{ledger}");
        assert_eq!(days.len(), 2, "{ledger}");
        let counts = days[0]["counts"].as_array().expect("counts").iter();
        let counts: Vec<[Value; 4]> = counts
            .map(|count| ["qty", "expected", "variance", "close"].map(|name| count[name].clone()))
            .collect();
        let [opening, closing] = [[356, 358, -2, 0], [242, 243, -1, 0]];
        assert_eq!(counts, [opening, closing].map(|count| count.map(|qty| json!(qty))), "{ledger}");
    }

    /// The variance and movement reports, from the day to today and of the day alone.
    async fn reports(&self) {
        let range = |to: i32| {
            let (store, from) = (&self.site.store, self.day);
            format!("storeIds={store}&from={from}&to={}", self.day.plus(to))
        };
        for to in [0, 2] {
            let report = self.page(&format!("/api/reports/count-variance?{}", range(to))).await;
            let found = row(&report["items"], "storeId", &self.site.store);
            let figures = ["opening", "moved", "used", "expected", "counted", "variance", "varianceValue"];
            let figures = figures.map(|name| found[name].clone());
            assert_eq!(figures, [100, 258, 113, 245, 242, -3, -30].map(|qty| json!(qty)), "{report}");
        }
        let names =
            ["opening", "received", "transfersIn", "transfersOut", "waste", "theoreticalUse", "closing"];
        for (to, used, closing) in [(0, 110, 245), (2, 140, 215)] {
            let path = format!("/api/reports/root-item-movement-by-store?{}", range(to));
            let report = self.page(&path).await;
            let found = row(&report["items"], "storeId", &self.site.store);
            let figures = names.map(|name| found[name].clone());
            assert_eq!(figures, [100, 288, 0, 24, 6, used, closing].map(|qty| json!(qty)), "{report}");
            let figures = ["actualUse", "variance", "varianceValue"].map(|name| found[name].clone());
            assert_eq!(figures, [used + 3, -3, -30].map(|qty| json!(qty)), "{report}");
        }
    }

    /// The plan of the store.
    async fn plan(&self) {
        self.site.admin.post(RUNS, &json!({ "storeIds": [self.site.store] })).await.expect(202);
        self.site.app.drain().await;
        let plan = self.page(&format!("{PLAN}?storeId={}", self.site.store)).await;
        let line = row(&plan["lines"], "productId", &self.site.buns);
        let figures = ["onHand", "estimatedDays", "inTransit", "onOrder"];
        let figures = figures.map(|name| line[name].clone());
        assert_eq!(figures, [215, 0, 0, 0].map(|qty| json!(qty)), "{plan}");
    }
}

/// The row whose field has this text.
#[track_caller]
fn row<'a>(rows: &'a Value, field: &str, text: &str) -> &'a Value {
    let found = rows.as_array().into_iter().flatten().find(|row| row[field] == text);
    found.unwrap_or_else(|| panic!("no {text} in {rows}"))
}

#[rstest]
#[tokio::test]
async fn every_page_says_what_is_worked_by_hand(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut cubao = Cubao::open(on).await;
    cubao.morning().await;
    let twice = cubao.afternoon().await;
    cubao.night(&twice).await;
    cubao.ledger().await;
    cubao.reports().await;
    cubao.plan().await;
    assert_eq!(cubao.lot().await, [48, 0, 48].map(|qty| json!(qty)));
    let case = (json!("transfer"), json!(cubao.makati), json!(1));
    assert_eq!(cubao.on_the_road().await, [case]);
    cubao.asked(215).await;
    assert!(larder_ledgers::stock::verify(&cubao.site.app.db).await.expect("verified").is_empty());
}
