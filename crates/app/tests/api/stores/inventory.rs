//! Expected stock of a store, compared with a plain replay, in any order of arrival.

use std::collections::BTreeMap;

use larder_domain::ledger::{DocumentType, Item, ItemKind, Leg, Movement, Place, PlaceKind};
use larder_domain::sales::day::{DayLine, SoldItem};
use larder_domain::sales::{Kind, StoreDay};
use larder_domain::{Action, BusinessDay, Qty, Timestamp};
use larder_ledgers::sales::{Prepared, replace_store_days};
use larder_ledgers::stock::{Document, Posting, post};
use larder_platform::http::ApiError;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, actor};

const PATH: &str = "/api/stores/inventory";

pub async fn make(client: &Client, path: &str, body: Value) -> String {
    client.post(path, &body).await.expect(201)["id"].as_str().expect("an id").to_owned()
}

/// A store that counts rice in kilos and in sacks of five.
pub struct Stage {
    pub app: App,
    pub admin: Client,
    pub store: String,
    pub rice: String,
    pub loose: String,
    pub sack: String,
    pub meal: String,
    documents: usize,
}

/// A count: day, whether it is the closing one, quantity in thousandths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted {
    pub day: i32,
    pub closing: bool,
    pub qty: i64,
}

/// Inserts a count as if sent by Ana's phone, at 07:00 or 21:00.
pub async fn count(app: &App, store: &str, item: &str, count: Counted) {
    let hour = if count.closing { 21 } else { 7 };
    count_at(app, store, item, count, hour * 60).await;
}

/// A business time of a day, in minutes from midnight.
fn moment(day: i32, minute: i64) -> Timestamp {
    Timestamp(i64::from(day) * 86_400_000 + (minute - 8 * 60) * 60_000)
}

/// Inserts a count as if sent by Ana's phone, at some minute of its day.
async fn count_at(app: &App, store: &str, item: &str, count: Counted, minute: i64) {
    let session = if count.closing { "closing" } else { "opening" };
    let (qty, day) = (Qty(count.qty * 1_000), i64::from(count.day));
    let at = moment(count.day, minute);
    let by = &larder_db::Json(json!({ "uid": "ana", "name": "Ana", "email": "ana@example.com" }));
    let who = actor(app.state.now());
    let counted = app.db.write(&who, async |tx| {
        tx.sql(
            "insert into store_counts (store_id, date, session, item_id, qty, revision, op, stands_at, \
             counted_at, device_id, device_seq, late, counted_by, updated_at, updated_by) \
             values ($1, $2, $3, $4, $5, 1, 'd:1', $6, $6, 'd', 1, false, $7, $6, $7)",
        )
        .bind(store)
        .bind(day)
        .bind(session)
        .bind(item)
        .bind(qty)
        .bind(at)
        .bind(by)
        .execute()
        .await
    });
    counted.await.expect("a count");
}

/// An event, in thousandths.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Loose rice and sacks together.
    Count(Counted, i64),
    Move(i32, i64),
    Sell(i32, i64),
}

impl Stage {
    pub async fn build(on: Engine) -> Self {
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        let store = make(&admin, "/api/stores/locations", json!({ "name": "Makati", "code": "M" })).await;
        let rice = make(&admin, "/api/lists/root-items", json!({ "name": "Rice", "price": 50 })).await;
        let items = "/api/lists/store-inventory-items";
        let loose = make(&admin, items, json!({ "name": "Rice, loose", "rootItemId": rice })).await;
        let sack = json!({ "name": "Rice, sack", "rootItemId": rice, "rootQtyPerUnit": 5 });
        let sack = make(&admin, items, sack).await;
        let bom = json!([{ "rootProductId": rice, "multiplier": 0.25 }]);
        let meal = make(&admin, "/api/lists/pos-items", json!({ "description": "Meal", "bom": bom })).await;
        Self { app, admin, store, rice, loose, sack, meal, documents: 0 }
    }

    pub fn today(&self) -> i32 {
        BusinessDay::of(self.app.state.now()).0
    }

    pub async fn count(&self, item: &str, counted: Counted) {
        count(&self.app, &self.store, item, counted).await;
    }

    /// A receipt at noon, between the counts of its day.
    pub async fn bring(&mut self, day: i32, qty: i64) {
        self.bring_at(day, 12 * 60, qty).await;
    }

    async fn bring_at(&mut self, day: i32, minute: i64, qty: i64) {
        self.documents += 1;
        let id = format!("receipt{}", self.documents);
        let place = Place { kind: PlaceKind::Store, id: self.store.clone() };
        let rice = Item { kind: ItemKind::RootItem, id: self.rice.clone() };
        self.post_at(&id, (day, moment(day, minute)), (rice, place), qty).await;
    }

    async fn post(&self, id: &str, day: i32, place: Place, qty: i64) {
        let rice = Item { kind: ItemKind::RootItem, id: self.rice.clone() };
        self.post_of(id, day, (rice, place), qty).await;
    }

    /// A receipt at a place, at noon.
    pub async fn post_of(&self, id: &str, day: i32, at: (Item, Place), qty: i64) {
        self.post_at(id, (day, moment(day, 12 * 60)), at, qty).await;
    }

    async fn post_at(&self, id: &str, (day, at): (i32, Timestamp), (item, place): (Item, Place), qty: i64) {
        let movement = Movement {
            item,
            place,
            qty: Qty(qty * 1_000),
            unit_cost: None,
            line: 1,
            leg: Leg::Only,
            lot: None,
        };
        let posting = &Posting {
            document: Document::first(DocumentType::Receipt, id),
            business_date: BusinessDay(day),
            happened_at: Some(at),
            reason: None,
            movements: std::slice::from_ref(&movement),
        };
        self.app
            .db
            .write(&actor(self.app.state.now()), async |tx| post(tx, posting).await)
            .await
            .expect("posted");
    }

    /// Replaces a day's sales: this many thousandths of rice, four times as many of a meal.
    pub async fn sell(&self, day: i32, rice: i64) {
        self.sell_at(day, &[(-1, rice)]).await;
    }

    /// As [`Stage::sell`], with the second of the day at which each quantity was sold; -1 is unknown.
    async fn sell_at(&self, day: i32, sold: &[(i32, i64)]) {
        let line = |(seconds, rice): &(i32, i64)| DayLine {
            line_no: 0,
            receipt: -1,
            seconds: *seconds,
            item: 0,
            kind: Kind::Sale,
            qty: rice * 4 * 1_000,
            unit_price: 100,
            discount: 0,
            net: 100,
            parent: -1,
        };
        let day = StoreDay {
            store_id: self.store.as_str().into(),
            day,
            source: "file".into(),
            items: vec![SoldItem { pos_item_id: self.meal.as_str().into(), source_item: "x".into() }],
            receipts: Vec::new(),
            tenders: Vec::new(),
            facts: Vec::new(),
            lines: sold.iter().map(line).collect(),
        };
        let days = &[Prepared::new(day)];
        self.app
            .db
            .write(&actor(self.app.state.now()), async |tx| replace_store_days(tx, days, None).await)
            .await
            .map_err(|error: ApiError| error.to_string())
            .expect("posted");
    }

    pub async fn rows(&self, more: &str) -> Value {
        self.admin.get(&format!("{PATH}?storeId={}&{more}", self.store)).await.expect(200)
    }
}

/// A row by id, and one of its figures in thousandths.
fn figure(page: &Value, id: &str, field: &str) -> Option<i64> {
    let rows = page["items"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("no {id} in {page}"));
    row[field].as_f64().map(|number| (number * 1_000.0).round() as i64)
}

#[rstest]
#[tokio::test]
async fn on_hand_is_the_last_count_plus_later_flows(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut stage = Stage::build(on).await;
    let today = stage.today();
    // Two closing counts, three days of sales, a receipt after the last count.
    stage.count(&stage.loose, Counted { day: today - 4, closing: true, qty: 20_000 }).await;
    stage.count(&stage.loose, Counted { day: today - 2, closing: true, qty: 12_000 }).await;
    for (day, rice) in [(today - 4, 99_000), (today - 3, 4_000), (today - 2, 3_000), (today - 1, 2_800)] {
        stage.sell(day, rice).await;
    }
    stage.bring(today - 1, 10_000).await;
    let transit = Place { kind: PlaceKind::InTransit, id: format!("{}_delivery", stage.store) };
    stage.post("coming", today, transit, 7_000).await;
    stage.post("far", today, Place { kind: PlaceKind::InTransit, id: "other_delivery".into() }, 9_000).await;
    let page = stage.rows("").await;
    let row = &page["items"][0];
    assert_eq!(row["name"], "Rice, loose");
    assert_eq!((&row["onHand"], &row["inTransit"]), (&json!(19.2), &json!(7)));
    assert_eq!(
        (&row["expected"], &row["variance"], &row["varianceValue"]),
        (&json!(13), &json!(-1), &json!(-50))
    );
    assert_eq!((&row["ageDays"], &row["lastCount"]["qty"]), (&json!(2), &json!(12)));
    assert_eq!((&row["lastCount"]["session"], &row["lastCount"]["by"]), (&json!("closing"), &json!("Ana")));
    assert_eq!(row["standsFor"], json!([stage.rice]));
    // 108.8 in 28 days.
    assert_eq!((&row["dailyUse"], &row["daysOfCover"]), (&json!(3.885714), &json!(4.9)));
    // The sack was never counted and has no share.
    let sack = &page["items"][1];
    assert_eq!((&sack["onHand"], &sack["negative"]), (&json!(null), &json!(false)));
    assert_eq!((&page["neverCounted"], &page["varianceValue"]), (&json!(1), &json!(-50)));
    let roots = stage.rows("by=rootItems").await;
    assert_eq!(figure(&roots, &stage.rice, "onHand"), Some(19_200));
    assert_eq!(figure(&roots, &stage.rice, "varianceValue"), Some(-50_000));
    // Before the receipt, and before any count.
    let then = stage.rows(&format!("date={}", BusinessDay(today - 2))).await;
    assert_eq!(figure(&then, &stage.loose, "onHand"), Some(12_000));
    let then = stage.rows(&format!("date={}", BusinessDay(today - 9))).await;
    assert_eq!(figure(&then, &stage.loose, "onHand"), None);
    // From then on the sack's own share counts.
    stage.count(&stage.sack, Counted { day: today - 2, closing: true, qty: 1_000 }).await;
    let roots = stage.rows("by=rootItems").await;
    assert_eq!(figure(&roots, &stage.rice, "onHand"), Some(24_200));
    stage.sell(today - 1, 50_000).await;
    let negative = stage.rows("only=negative&sort=-onHand").await;
    assert_eq!((&negative["total"], &negative["negative"]), (&json!(2), &json!(2)));
    let found = stage.rows("q=SACK").await;
    assert_eq!((&found["total"], &found["items"][0]["id"]), (&json!(1), &json!(stage.sack)));
    let refused = stage.admin.get(&format!("{PATH}?storeId={}&sort=colour", stage.store)).await;
    assert_eq!(refused.expect(422)["fields"][0]["field"], "sort");
    let file = stage.admin.get(&format!("{PATH}/export?storeId={}&format=csv", stage.store)).await;
    assert!(file.text().contains("\"Rice, sack\""), "{}", file.text());
    let book =
        stage.admin.get(&format!("{PATH}/export?storeId={}&format=xlsx&by=rootItems", stage.store)).await;
    assert!(book.bytes.starts_with(b"PK"));
}

#[rstest]
#[tokio::test]
async fn a_count_includes_what_happened_before_it(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut stage = Stage::build(on).await;
    let day = stage.today() - 1;
    let count = async |stage: &Stage, closing: bool, minute: i64, qty: i64| {
        count_at(&stage.app, &stage.store, &stage.loose, Counted { day, closing, qty }, minute).await;
    };
    let figures = async |stage: &Stage| {
        let page = stage.rows("").await;
        let of = |field: &str| figure(&page, &stage.loose, field);
        (of("onHand"), of("expected"), of("variance"))
    };
    // 200 came at 02:51, and 397.5 were counted at 06:06.
    stage.count(&stage.loose, Counted { day: day - 1, closing: true, qty: 197_500 }).await;
    stage.bring_at(day, 2 * 60 + 51, 200_000).await;
    count(&stage, false, 6 * 60 + 6, 397_500).await;
    assert_eq!(figures(&stage).await, (Some(397_500), Some(397_500), Some(0)));
    // Sold at 09:00 and at 15:00, both after that count.
    stage.sell_at(day, &[(9 * 3_600, 2_000), (15 * 3_600, 3_000)]).await;
    assert_eq!(figures(&stage).await, (Some(392_500), Some(397_500), Some(0)));
    // A closing count at noon includes what was sold until then: 395.5 were expected.
    count(&stage, true, 12 * 60, 390_000).await;
    assert_eq!(figures(&stage).await, (Some(387_000), Some(395_500), Some(-5_500)));
    // What came at 11:30 was there already; what came at 12:30 was not.
    stage.bring_at(day, 11 * 60 + 30, 10_000).await;
    stage.bring_at(day, 12 * 60 + 30, 4_000).await;
    assert_eq!(figures(&stage).await, (Some(391_000), Some(405_500), Some(-15_500)));
    let roots = stage.rows("by=rootItems").await;
    assert_eq!(figure(&roots, &stage.rice, "onHand"), Some(391_000));
    // The same on the item's ledger, and a day earlier.
    let path = format!("{PATH}/ledger?storeId={}&itemId={}", stage.store, stage.loose);
    let ledger = stage.admin.get(&path).await.expect(200);
    assert_eq!((&ledger["onHand"], &ledger["variance"]), (&json!(391), &json!(-15.5)));
    let then = stage.rows(&format!("date={}", BusinessDay(day - 1))).await;
    assert_eq!(figure(&then, &stage.loose, "onHand"), Some(197_500));
}

#[rstest]
#[tokio::test]
async fn a_mix_resolves_to_the_root_items_of_its_recipes(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    let lines = json!([{ "rootItemId": stage.rice, "qty": 6 }]);
    let bowl = json!({ "name": "Bowl", "yieldQty": 10, "rootItems": lines });
    let bowl = make(&stage.admin, "/api/lists/recipes", bowl).await;
    let mix = format!("/api/lists/store-inventory-items/mixes/{}_{}", stage.store, stage.sack);
    let splits = json!([{ "recipeId": bowl, "percent": 50 }]);
    stage.admin.put(&mix, &json!({ "splits": splits })).await.expect(200);
    stage.count(&stage.sack, Counted { day: today - 1, closing: true, qty: 10_000 }).await;
    stage.sell(today, 600).await;
    // Half a bowl per unit, each 0.6 of rice: 0.3.
    let roots = stage.rows("by=rootItems").await;
    assert_eq!(figure(&roots, &stage.rice, "onHand"), Some(3_000 - 600));
    let items = stage.rows("").await;
    assert_eq!(figure(&items, &stage.sack, "onHand"), Some(8_000));
}

#[rstest]
#[tokio::test]
async fn the_grid_and_the_sheet_show_what_a_store_counts(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    stage.count(&stage.loose, Counted { day: today - 3, closing: true, qty: 2_000 }).await;
    stage.count(&stage.loose, Counted { day: today - 1, closing: true, qty: 3_000 }).await;
    stage.count(&stage.loose, Counted { day: today - 1, closing: false, qty: 2_500 }).await;
    stage.count(&stage.sack, Counted { day: today - 1, closing: true, qty: 1_000 }).await;
    let choice = format!("/api/lists/store-inventory-items/visibility/{}", stage.store);
    stage.admin.put(&choice, &json!({ "itemIds": [stage.loose] })).await.expect(200);
    let (start, end) = (BusinessDay(today - 3), BusinessDay(today));
    let grid = format!("{PATH}/grid?storeId={}", stage.store);
    let found = stage.admin.get(&format!("{grid}&start={start}&end={end}")).await.expect(200);
    assert_eq!(found["days"].as_array().map(Vec::len), Some(4));
    let counts: Vec<(&Value, &Value)> = found["items"][0]["counts"]
        .as_array()
        .expect("counts")
        .iter()
        .map(|c| (&c["session"], &c["qty"]))
        .collect();
    let (opening, closing) = (json!("opening"), json!("closing"));
    assert_eq!(counts, [(&closing, &json!(2)), (&opening, &json!(2.5)), (&closing, &json!(3))]);
    assert_eq!(
        (&found["items"][1]["id"], &found["items"][1]["countedHere"]),
        (&json!(stage.sack), &json!(false))
    );
    for nothing in [String::new(), format!("&start={end}&end={start}"), format!("&start={start}")] {
        let found = stage.admin.get(&format!("{grid}{nothing}")).await.expect(200);
        assert_eq!((&found["days"], &found["items"]), (&json!([]), &json!([])), "{nothing}");
    }
    assert_eq!(stage.admin.get(&format!("{grid}&start=2020-01-01&end={end}")).await.status, 422);
    let sheet = stage.admin.get(&format!("{PATH}/sheet?storeId={}", stage.store)).await.expect(200);
    assert_eq!((&sheet["storeName"], &sheet["storeCode"]), (&json!("Makati"), &json!("M")));
    assert_eq!(sheet["items"].as_array().map(Vec::len), Some(1));
    // A user of another store sees none of it.
    let far = make(&stage.admin, "/api/stores/locations", json!({ "name": "Far" })).await;
    let user = stage.app.user(&[("stores/storeInventory", Action::ALL)], Some(&[far])).await;
    for path in
        [grid, format!("{PATH}?storeId={}", stage.store), format!("{PATH}/sheet?storeId={}", stage.store)]
    {
        assert_eq!(user.get(&path).await.expect(403)["code"], "outOfScope");
    }
    assert_eq!(stage.admin.get(&format!("{PATH}?storeId=nowhere")).await.status, 404);
    assert_eq!(stage.admin.get(PATH).await.status, 422);
}

/// The same history from scratch, day by day, with plain sums. Both items were always counted together.
struct Replay {
    on_hand: Option<i64>,
    variance: Option<i64>,
}

fn replay(steps: &[Step], upto: i32) -> Replay {
    let mut counts: BTreeMap<(i32, bool), i64> = BTreeMap::new();
    let (mut moved, mut sold): (BTreeMap<i32, i64>, BTreeMap<i32, i64>) = Default::default();
    for step in steps {
        match *step {
            Step::Count(loose, sacks) => {
                counts.insert((loose.day, loose.closing), loose.qty + sacks * 5);
            }
            Step::Move(day, qty) => *moved.entry(day).or_default() += qty,
            // The last file of a day replaces earlier ones.
            Step::Sell(day, qty) => {
                sold.insert(day, qty);
            }
        }
    }
    let first = counts.keys().map(|(day, _)| *day).min().unwrap_or(upto);
    let (mut on_hand, mut variance) = (None, None);
    for day in first..=upto {
        for closing in [false, true] {
            if closing {
                let net = moved.get(&day).unwrap_or(&0) - sold.get(&day).unwrap_or(&0);
                on_hand = on_hand.map(|qty: i64| qty + net);
            }
            if let Some(count) = counts.get(&(day, closing)) {
                variance = on_hand.map(|expected| count - expected);
                on_hand = Some(*count);
            }
        }
    }
    Replay { on_hand, variance }
}

/// Counts, late documents and repeated files in any order of arrival: the figures equal those of a replay.
#[rstest]
#[tokio::test]
async fn figures_equal_a_replay_in_any_order_of_arrival(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values(1, 2, 3)] seed: u64,
) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut stage = Stage::build(on).await;
    let today = stage.today();
    let mut steps: Vec<Step> = Vec::new();
    for day in today - 20..=today {
        for closing in [false, true] {
            if random.random_bool(0.25) {
                let qty = random.random_range(0..40) * 500;
                steps.push(Step::Count(Counted { day, closing, qty }, random.random_range(0..9) * 250));
            }
        }
        if random.random_bool(0.4) {
            steps.push(Step::Move(day, random.random_range(-10..30) * 250 + 125));
        }
        if random.random_bool(0.8) {
            steps.push(Step::Sell(day, random.random_range(1..40) * 250));
        }
    }
    steps.shuffle(&mut random);
    let third = steps.len() / 3;
    for (from, to) in [(0, third), (third, third * 2), (third * 2, steps.len())] {
        for step in &steps[from..to] {
            arrive(&mut stage, *step).await;
        }
        for upto in [today, today - 1, today - 7] {
            let seen: Vec<Step> = steps[..to].iter().copied().filter(|step| day_of(step) <= upto).collect();
            let replayed = replay(&seen, upto);
            let page = stage.rows(&format!("by=rootItems&date={}", BusinessDay(upto))).await;
            let reported = (figure(&page, &stage.rice, "onHand"), figure(&page, &stage.rice, "variance"));
            assert_eq!(reported, (replayed.on_hand, replayed.variance), "day {upto} of {seen:?}");
            let items = stage.rows(&format!("date={}", BusinessDay(upto))).await;
            let of = |id, factor| figure(&items, id, "onHand").map(|qty| qty * factor);
            let (loose, sacks) = (of(&stage.loose, 1), of(&stage.sack, 5));
            // Each is rounded to the thousandth here, and a sack is five.
            let off = loose.zip(sacks).zip(reported.0).map_or(0, |((loose, sacks), all)| loose + sacks - all);
            assert!(off.abs() <= 5, "{loose:?} and {sacks:?} add up to {:?}", reported.0);
        }
    }
}

fn day_of(step: &Step) -> i32 {
    match step {
        Step::Count(count, _) => count.day,
        Step::Move(day, _) | Step::Sell(day, _) => *day,
    }
}

async fn arrive(stage: &mut Stage, step: Step) {
    match step {
        Step::Count(loose, sacks) => {
            stage.count(&stage.loose, loose).await;
            stage.count(&stage.sack, Counted { qty: sacks, ..loose }).await;
        }
        Step::Move(day, qty) => stage.bring(day, qty).await,
        Step::Sell(day, qty) => {
            // It arrived before with other figures.
            stage.sell(day, qty + 777).await;
            stage.sell(day, qty).await;
        }
    }
}

#[tokio::test]
async fn the_inventory_reports_its_last_sales_day_and_units() {
    let stage = Stage::build(Engine::Sqlite).await;
    let unit = make(&stage.admin, "/api/lists/uoms", json!({ "code": "kg", "name": "Kilogram" })).await;
    let path = format!("/api/lists/store-inventory-items/{}", stage.loose);
    let item = stage.admin.get(&path).await.expect(200);
    let patch = json!({ "revision": item["revision"], "uomId": unit });
    stage.admin.patch(&path, &patch).await.expect(200);
    let ask = format!("{PATH}?storeId={}&by=rootItems", stage.store);
    assert_eq!(stage.admin.get(&ask).await.expect(200)["soldUntil"], json!(null));
    let today = stage.today();
    stage.sell(today - 1, 2_000).await;
    let found = stage.admin.get(&ask).await.expect(200);
    assert_eq!(found["soldUntil"], BusinessDay(today - 1).to_string());
    assert_eq!(found["items"][0]["uomCode"], "kg", "{found}");
}

/// What the count page expects, by item and session, for a day.
async fn expected_of(stage: &Stage, day: i32) -> BTreeMap<(String, String), Value> {
    let sheet = format!("/api/stores/count/warm-up?storeId={}", stage.store);
    let sheet = stage.admin.get(&sheet).await.expect(200);
    let date = json!(BusinessDay(day));
    let of_day: Vec<&Value> =
        sheet["expectedOf"].as_array().expect("counts").iter().filter(|one| one["date"] == date).collect();
    let asked = format!("/api/stores/count/expected?storeId={}&date={}", stage.store, BusinessDay(day));
    let asked = stage.admin.get(&asked).await.expect(200);
    assert_eq!(asked["expectedOf"], json!(of_day), "a day by itself");
    let mut found = BTreeMap::new();
    for one in of_day {
        let session = one["session"].as_str().unwrap_or("whole").to_owned();
        for (item, qty) in one["items"].as_object().expect("items") {
            found.insert((item.clone(), session.clone()), qty.clone());
        }
    }
    found
}

#[rstest]
#[tokio::test]
async fn a_count_is_compared_as_the_inventory_compares_it(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let mut stage = Stage::build(on).await;
    let today = stage.today();
    let day = today - 1;
    stage.count(&stage.loose, Counted { day: today - 2, closing: true, qty: 20_000 }).await;
    stage.bring_at(day, 6 * 60, 1_000).await;
    stage.count(&stage.loose, Counted { day, closing: false, qty: 18_000 }).await;
    let closing = Counted { day, closing: true, qty: 9_000 };
    count_at(&stage.app, &stage.store, &stage.loose, closing, 21 * 60 + 30).await;
    // Sold between the two counts, and after the second.
    stage.sell_at(day, &[(10 * 3_600, 4_000), (22 * 3_600, 3_000)]).await;
    let key = |item: &str, session: &str| (item.to_owned(), session.to_owned());
    let found = expected_of(&stage, day).await;
    assert_eq!(found.get(&key(&stage.loose, "opening")), Some(&json!(21)), "{found:?}");
    assert_eq!(found.get(&key(&stage.loose, "closing")), Some(&json!(14)), "{found:?}");
    assert_eq!(found.get(&key(&stage.sack, "closing")), None, "never counted");
    // Not counted yet: as of now.
    let now = expected_of(&stage, today).await;
    for session in ["opening", "closing"] {
        assert_eq!(now.get(&key(&stage.loose, session)), Some(&json!(6)), "{now:?}");
    }
    assert_eq!(figure(&stage.rows("by=items").await, &stage.loose, "onHand"), Some(6_000));

    // Shared with another item, and with today's count after it.
    for counted in [
        Counted { day: today - 2, closing: true, qty: 1_000 },
        Counted { day, closing: false, qty: 700 },
        Counted { day, closing: true, qty: 500 },
    ] {
        stage.count(&stage.sack, counted).await;
    }
    let found = expected_of(&stage, day).await;
    for item in [&stage.loose, &stage.sack] {
        let path = format!("{PATH}/ledger?storeId={}&itemId={item}&from={}", stage.store, BusinessDay(day));
        let ledger = stage.admin.get(&path).await.expect(200);
        let date = json!(BusinessDay(day));
        let days = ledger["days"].as_array().expect("days").iter();
        let counts: Vec<&Value> = days
            .filter(|one| one["date"] == date)
            .flat_map(|one| one["counts"].as_array().expect("counts"))
            .collect();
        assert_eq!(counts.len(), 2, "{ledger}");
        for count in counts {
            let session = count["session"].as_str().expect("a session");
            assert_eq!(found.get(&key(item, session)), Some(&count["expected"]), "{item} {session}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_day_is_derived_in_order_of_time(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut stage = Stage::build(on).await;
    let day = stage.today() - 1;
    stage.count(&stage.loose, Counted { day: day - 1, closing: true, qty: 10_000 }).await;
    // Entered in the wrong order.
    stage.bring_at(day, 22 * 60 + 10, 5_000).await;
    stage.bring_at(day, 6 * 60, 2_000).await;
    let closing = Counted { day, closing: true, qty: 9_000 };
    count_at(&stage.app, &stage.store, &stage.loose, closing, 20 * 60 + 59).await;
    stage.sell_at(day, &[(10 * 3_600, 4_000), (21 * 3_600 + 1_800, 1_000)]).await;
    let of_item = format!("storeId={}&itemId={}&date={}", stage.store, stage.loose, BusinessDay(day));
    let ledger = stage.admin.get(&format!("{PATH}/ledger?{of_item}")).await.expect(200);
    let date = json!(BusinessDay(day));
    let days = ledger["days"].as_array().expect("days");
    let found = days.iter().find(|one| one["date"] == date).expect("the day");
    let moved: Vec<_> = found["movements"]
        .as_array()
        .expect("movements")
        .iter()
        .map(|one| (&one["documentId"], &one["happenedAt"], &one["afterCounts"]))
        .collect();
    let [early, late] = [6 * 60, 22 * 60 + 10].map(|minute| json!(moment(day, minute)));
    assert_eq!(moved, [(&json!("receipt2"), &early, &json!(0)), (&json!("receipt1"), &late, &json!(1))]);
    let count = &found["counts"][0];
    let figures = ["moved", "used", "expected", "qty", "variance"].map(|figure| count[figure].as_i64());
    assert_eq!(figures, [2, 4, 8, 9, 1].map(Some), "{ledger}");
    let figures = ["moved", "used", "balance"].map(|figure| found[figure].as_i64());
    assert_eq!(figures, [7, 5, 13].map(Some), "{ledger}");
    let file = stage.admin.get(&format!("{PATH}/ledger/export?{of_item}&format=csv")).await;
    let file = file.text();
    let of_day = file.lines().filter(|line| line.contains(&BusinessDay(day).to_string()));
    let of_day: Vec<&str> = of_day.collect();
    let place = |word: &str| of_day.iter().position(|line| line.contains(word)).expect("a line");
    assert!(
        place("receipt2") < place("Closing count") && place("Closing count") < place("receipt1"),
        "{file}"
    );
    assert_eq!(of_day.iter().filter(|line| line.contains("Used by sales")).count(), 2, "{file}");
}
