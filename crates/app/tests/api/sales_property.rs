//! Imports, corrections, mappings and reverts in any order: stored sums equal a recalculation.

use std::collections::HashMap;

use larder_domain::sales::day::{DayLine, SoldItem};
use larder_domain::sales::names::key;
use larder_domain::sales::{Kind, StoreDay};
use larder_domain::{BusinessDay, Factor};
use larder_ledgers::sales::bom;
use larder_ledgers::sales::bom::BomFrom;
use larder_ledgers::sales::{Prepared, replace_store_days, revert_batch};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, actor};
use crate::tools::import_sales_product::{HOME, agree, suggested, upload, validate};

const STORES: [&str; 3] = ["Makati", "Pasig", "Quezon"];
/// Empty lets the readings decide.
const SOURCES: [&str; 3] = ["api", "file", ""];
/// The batch of what another source reports.
const PUSHED: &str = "pushed";
const ITEMS: [&str; 5] = ["Rice", "Tea", "Bread", "Mystery", "Other"];

/// A user action. Small numbers select among the current possibilities.
#[derive(Debug, Clone)]
enum Step {
    /// Lines of (store, day, item, quantity, price).
    Import(Vec<(usize, u8, usize, i64, i64)>),
    Revert(usize),
    Correct {
        day: usize,
        line: usize,
        qty: i64,
        remove: bool,
    },
    Map(usize),
    Recompute(usize, u8),
    Bom(usize, i64, u8),
    /// What another source reports of a day with sales: item, quantity, net.
    Push(usize, usize, i64, i64),
    /// Which source counts on a day with sales.
    Choose(usize, usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let line = (0..STORES.len(), 1u8..70, 0..ITEMS.len(), -3i64..9, 0i64..5_000);
    let step = prop_oneof![
        4 => prop::collection::vec(line, 1..25).prop_map(Step::Import),
        1 => (0usize..10).prop_map(Step::Revert),
        2 => (0usize..50, 0usize..10, -4i64..9, any::<bool>())
            .prop_map(|(day, line, qty, remove)| Step::Correct { day, line, qty, remove }),
        1 => (0..ITEMS.len()).prop_map(Step::Map),
        1 => (0..3usize, 1u8..70).prop_map(|(item, day)| Step::Recompute(item, day)),
        1 => (0..3usize, 1i64..2_000_000_000, 1u8..70).prop_map(|(item, factor, day)| Step::Bom(item, factor, day)),
        3 => (0usize..50, 0..3usize, 1i64..9, 1i64..90_000)
            .prop_map(|(day, item, qty, net)| Step::Push(day, item, qty, net)),
        2 => (0usize..50, 0..SOURCES.len()).prop_map(|(day, source)| Step::Choose(day, source)),
    ];
    prop::collection::vec(step, 4..12)
}

/// The n-th day from November 1, 2019, across a change of month and year.
fn date(n: u8) -> BusinessDay {
    BusinessDay(18_201 + i32::from(n))
}

struct World<'a> {
    app: &'a App,
    admin: Client,
    items: Vec<String>,
    root: String,
    batches: Vec<Value>,
    /// By store and day, how often a source was chosen.
    chosen: HashMap<(String, BusinessDay), i64>,
}

impl World<'_> {
    async fn new(app: &App) -> World<'_> {
        let admin = app.admin().await;
        for name in STORES {
            admin.post("/api/stores/locations", &json!({ "name": name })).await.expect(201);
        }
        let root = admin.post("/api/lists/root-items", &json!({ "name": "Flour" })).await.expect(201);
        let mut items = Vec::new();
        for name in &ITEMS[..3] {
            let item = admin.post("/api/lists/pos-items", &json!({ "description": name })).await.expect(201);
            items.push(item["id"].as_str().expect("an id").to_owned());
        }
        let root = root["id"].as_str().expect("an id").to_owned();
        World { app, admin, items, root, batches: Vec::new(), chosen: HashMap::new() }
    }

    async fn set_bom(&self, item: usize, factor: i64, from: BomFrom) {
        let (item, lines) = (&self.items[item], &vec![(self.root.clone(), Factor(factor))]);
        let at = self.app.state.now();
        self.app
            .db
            .write(&actor(at), async |tx| bom::set(tx, item, lines, from).await)
            .await
            .expect("a bill");
    }

    async fn take(&mut self, step: &Step) {
        match step {
            Step::Import(lines) => self.import(lines).await,
            Step::Revert(at) if !self.batches.is_empty() => {
                let id = self.batches[at % self.batches.len()]["id"].as_str().expect("an id");
                let answer = self.admin.post(&format!("{HOME}/batches/{id}/revert"), &json!({})).await;
                assert!(matches!(answer.status, 200 | 409), "{}", answer.text());
                self.app.drain().await;
            }
            Step::Correct { day, line, qty, remove } => self.correct(*day, *line, *qty, *remove).await,
            Step::Map(item) => {
                let wish = json!({ "items": [{ "key": key(ITEMS[*item]), "posItemId": self.items[0] }] });
                let answer = self.admin.post(&format!("{HOME}/unmapped/resolve"), &wish).await;
                assert!(matches!(answer.status, 200 | 422), "{}", answer.text());
                self.app.drain().await;
            }
            Step::Recompute(item, day) => {
                let (item, day) = (&self.items[*item], date(*day));
                let at = self.app.state.now();
                self.app
                    .db
                    .write(&actor(at), async |tx| bom::recompute(tx, item, day).await)
                    .await
                    .expect("anew");
            }
            Step::Push(day, item, qty, net) => self.push(*day, (*item, *qty, *net)).await,
            Step::Choose(day, source) => {
                let Some((store, day)) = self.day_with_sales(*day).await else { return };
                let times = self.chosen.entry((store.clone(), day)).or_default();
                let body = json!({ "storeId": store, "date": day, "source": SOURCES[*source],
                    "revision": (*times > 0).then_some(*times) });
                *times += 1;
                self.admin.put("/api/sales/cmsr/days", &body).await.expect(200);
            }
            Step::Bom(item, factor, day) => self.set_bom(*item, *factor, BomFrom::Day(date(*day))).await,
            Step::Revert(_) => {}
        }
    }

    async fn import(&mut self, lines: &[(usize, u8, usize, i64, i64)]) {
        let mut file = String::from(
            "Date,Store,Register,Receipt,Item,Quantity,Price,Guests,Senior Discount,VAT,Payment Type\n",
        );
        for (n, (store, day, item, qty, price)) in lines.iter().enumerate() {
            let price = larder_domain::Money(*price);
            file.push_str(&format!(
                "{},{},T{},{},{},{qty},{price},{},{}.50,{}.25,{}\n",
                date(*day),
                STORES[*store],
                n % 2,
                n / 3,
                ITEMS[*item],
                n % 4,
                n % 3,
                n % 5,
                ["Cash", "Card", ""][n % 3]
            ));
        }
        let batch = upload(&self.admin, "random.csv", file).await;
        let mapping = json!({
            "hasHeader": true,
            "columns": { "date": 0, "store": 1, "terminal": 2, "receipt": 3, "item": 4, "quantity": 5, "unitPrice": 6,
                         "pax": 7, "senior": 8, "vat": 9, "tender": 10 },
            // Small numbers may repeat on the lines of a receipt.
            "once": if lines.len().is_multiple_of(2) { json!([]) } else { json!(["pax", "senior"]) },
            "answers": { "once": if lines.len().is_multiple_of(2) { "line" } else { "once" } },
            "splitTenders": false,
            "dateFormat": "ymd",
        });
        assert_eq!(suggested(&batch, None)["columns"], mapping["columns"]);
        let batch = validate(self.app, &self.admin, &batch, &mapping).await;
        assert_eq!(batch["summary"]["problemLines"], 0, "{batch}");
        let path = format!("{HOME}/batches/{}/post", batch["id"].as_str().expect("an id"));
        // Every choice in turn, and the old name of the last.
        let modes = ["add", "replaceReceipts", "replaceTills", "replaceDays"];
        let choice = match modes.get(lines.len() % 5) {
            Some(mode) => json!({ "onExisting": mode }),
            None => json!({ "replace": true }),
        };
        self.admin.post(&path, &choice).await.expect(200);
        self.app.drain().await;
        self.batches.push(batch);
    }

    async fn day_with_sales(&self, at: usize) -> Option<(String, BusinessDay)> {
        let days: Vec<(String, BusinessDay)> = self
            .app
            .db
            .sql("select distinct store_id, business_date from sales_days order by store_id, business_date")
            .all()
            .await
            .expect("store-days");
        days.get(at % days.len().max(1)).cloned()
    }

    async fn push(&self, day: usize, (item, qty, net): (usize, i64, i64)) {
        let Some((store, day)) = self.day_with_sales(day).await else { return };
        let line = DayLine {
            line_no: 1,
            receipt: -1,
            seconds: -1,
            item: 0,
            kind: Kind::Sale,
            qty: qty * 1_000_000,
            unit_price: net / qty,
            discount: 0,
            net,
            parent: -1,
        };
        let pushed = StoreDay {
            store_id: store.into(),
            day: day.0,
            source: "api".into(),
            items: vec![SoldItem { pos_item_id: self.items[item].as_str().into(), source_item: "x".into() }],
            receipts: Vec::new(),
            tenders: Vec::new(),
            facts: Vec::new(),
            lines: vec![line],
        };
        let days = &[Prepared::new(pushed)];
        let who = actor(self.app.state.now());
        let posted = self.app.db.write(&who, async |tx| replace_store_days(tx, days, Some(PUSHED)).await);
        posted.await.expect("posted");
    }

    async fn correct(&self, day: usize, line: usize, qty: i64, remove: bool) {
        let Some((store, date)) = self.day_with_sales(day).await else { return };
        let path = format!("{HOME}/days/{store}/{date}");
        let seen = self.admin.get(&path).await.expect(200);
        let lines = seen["lines"].as_array().expect("lines");
        let lines: Vec<&Value> = lines.iter().filter(|line| line["source"] == "file").collect();
        let Some(line) = lines.get(line % lines.len().max(1)) else { return };
        let mut change = json!({ "lineNo": line["lineNo"], "remove": remove });
        if !remove {
            change["qty"] = json!(qty);
            change["posItemId"] = json!(self.items[1]);
        }
        let body = json!({ "revision": line["revision"], "lines": [change] });
        self.admin.patch(&format!("{path}/lines"), &body).await.expect(200);
    }
}

#[rstest]
#[tokio::test]
async fn stored_sums_equal_a_recalculation(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let cases = std::env::var("LARDER_SALES_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..cases {
        let steps = steps().new_tree(&mut runner).expect("steps").current();
        let app = App::start_idle(on).await;
        let mut world = World::new(&app).await;
        world.set_bom(0, 333_333_333, BomFrom::Now).await;
        world.set_bom(1, 1_500_000_000, BomFrom::Now).await;
        for (n, step) in steps.iter().enumerate() {
            world.take(step).await;
            let differences = larder_ledgers::sales::verify(&app.db).await.expect("counted");
            assert!(differences.is_empty(), "after step {n} of {steps:#?}: {differences:#?}");
        }
        // After reverting everything, the last first, nothing is left: what one replaced comes back with it.
        for batch in world.batches.iter().rev() {
            let id = batch["id"].as_str().expect("an id");
            world.admin.post(&format!("{HOME}/batches/{id}/revert"), &json!({})).await;
            app.drain().await;
        }
        let who = actor(app.state.now());
        app.db.write(&who, async |tx| revert_batch(tx, PUSHED, 1_000).await).await.expect("taken back");
        agree(&app).await;
        let left: i64 = app
            .db
            .sql(
                "select cast((select count(*) from sales_rollup_pos)
                   + (select count(*) from sales_sums_pos) + (select count(*) from sales_sums_root)
                   + (select count(*) from sales_day_items) + (select count(*) from sales_tills)
                   + (select count(*) from sales_day_facts) + (select count(*) from sales_tenders)
                   + (select count(*) from sales_days) + (select count(*) from sales_day_parts)
                   + (select count(*) from sales_left_out) as bigint)",
            )
            .scalar()
            .await
            .expect("a count");
        assert_eq!(left, 0, "{steps:#?}");
    }
}
