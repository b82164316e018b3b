//! Random store-days imported over HTTP, and plain counting of the rows that were written into their files.

use std::collections::{BTreeMap, BTreeSet};

use larder_domain::BusinessDay;
use larder_domain::sales::names::key;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use crate::stores::inventory::make;
use crate::support::{App, Client, Engine};
use crate::tools::import_sales_product::{HOME, upload, validate};

pub(super) const STORES: [&str; 3] = ["Makati", "Pasig", "Quezon"];
/// Item names on tills; the last two are initially unmapped.
pub(super) const ITEMS: [&str; 5] = ["Rice", "Tea", "Bread", "Mystery", "Other"];
pub(super) const TILLS: [&str; 3] = ["T1", "T2", ""];
/// A Monday.
pub(super) const FIRST: i32 = 18_568; // 2 Nov 2020
pub(super) const DAYS: i32 = 42;
pub(super) const YEAR: i32 = 364;
/// Root units per POS item, in millionths: flour, sugar.
pub(super) const BILLS: [[i64; 2]; 3] = [[250_000, 0], [125_000, 500_000], [0, 0]];
/// Centavos.
pub(super) const PRICES: [i64; 2] = [5_000, 1_234];
pub(super) const MILLION: i64 = 1_000_000;
/// Tender labels on tills.
const PAID: [&str; 4] = ["Cash", "Visa", "GCASH", "Meal voucher"];

/// A line that was sold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    pub(super) store: usize,
    pub(super) day: i32,
    /// POS item id; `None` if unmapped.
    pub(super) item: Option<String>,
    pub(super) source_item: String,
    /// Till and receipt number.
    pub(super) receipt: Option<(String, String)>,
    /// Whether it counts: a sale, a return, or a void of a sold item.
    pub(super) counts: bool,
    /// Millionths.
    pub(super) qty: i64,
    /// Centavos.
    pub(super) net: i64,
}

/// A row of a file, and what it means.
#[derive(Debug, Clone)]
struct Typed {
    line: Line,
    kind: &'static str,
    /// Centavos.
    price: i64,
    off: i64,
}

impl Typed {
    /// What counts and what it comes to, by its kind, quantity, price and discount.
    fn settle(&mut self) {
        let pieces = self.line.qty / MILLION;
        self.line.counts = self.kind != "void" || pieces < 0;
        self.line.net = pieces * self.price - self.off;
    }
}

pub(super) struct World {
    /// What the files and the corrections say, by store and day.
    typed: BTreeMap<(usize, i32), Vec<Typed>>,
    pub(super) app: App,
    pub(super) admin: Client,
    pub(super) area: String,
    pub(super) stores: Vec<String>,
    pub(super) items: Vec<String>,
    pub(super) roots: Vec<String>,
    pub(super) random: StdRng,
    pub(super) batches: Vec<String>,
}

impl World {
    pub(super) async fn build(on: Engine, seed: u64) -> Self {
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        let area =
            make(&admin, "/api/lists/operational-areas", json!({ "name": "South", "code": "S" })).await;
        let mut stores = Vec::new();
        for (at, name) in STORES.iter().enumerate() {
            let mut store = json!({ "name": name, "code": format!("S{at}"), "storeAreaM2": 80 + 10 * at });
            if at < 2 {
                store["operationalAreaId"] = json!(area);
                store["diningCapacityPax"] = json!(30 + at);
            }
            stores.push(make(&admin, "/api/stores/locations", store).await);
        }
        let mut roots = Vec::new();
        for (name, price) in [("Flour (kg)", 50.0), ("Sugar (kg)", 12.34)] {
            let root = make(&admin, "/api/lists/root-items", json!({ "name": name, "price": price })).await;
            let counted = json!({ "name": format!("{name}, loose"), "rootItemId": root });
            make(&admin, "/api/lists/store-inventory-items", counted).await;
            roots.push(root);
        }
        let mut items = Vec::new();
        for (at, name) in ITEMS[..3].iter().enumerate() {
            let lines = BILLS[at].iter().zip(&roots).filter(|(qty, _)| **qty > 0);
            let bom: Vec<Value> = lines
                .map(|(qty, root)| json!({ "rootProductId": root, "multiplier": *qty as f64 / 1e6 }))
                .collect();
            let category = ["Meals", "Drinks", ""][at];
            let category = if category.is_empty() { Value::Null } else { json!(category) };
            let body = json!({ "description": name, "category": category, "bom": bom });
            items.push(make(&admin, "/api/lists/pos-items", body).await);
        }
        let random = StdRng::seed_from_u64(seed);
        let (typed, batches) = (BTreeMap::new(), Vec::new());
        let mut world = Self { typed, app, admin, area, stores, items, roots, random, batches };
        for _ in 0..3 {
            world.import(60).await;
        }
        // A later file contains some of the same days again.
        world.import(8).await;
        world.correct().await;
        let mystery = json!({ "items": [{ "key": key("Mystery"), "posItemId": world.items[0] }] });
        let answer = world.admin.post(&format!("{HOME}/unmapped/resolve"), &mystery).await;
        assert!(matches!(answer.status, 200 | 422), "{}", answer.text());
        world.app.drain().await;
        for typed in world.typed.values_mut().flatten() {
            if typed.line.source_item == "Mystery" && typed.line.item.is_none() {
                typed.line.item = Some(world.items[0].clone());
            }
        }
        world.correct().await;
        world
    }

    fn row(&mut self) -> (Typed, String) {
        let random = &mut self.random;
        let back = if random.random_bool(0.25) { YEAR } else { 0 };
        let day = BusinessDay(FIRST + random.random_range(0..DAYS) - back);
        let (store, item) = (random.random_range(0..3), random.random_range(0..5));
        let (till, number) = (TILLS[random.random_range(0..3)], random.random_range(1..4));
        let (price, qty) = (random.random_range(100..5_000), random.random_range(1..9));
        let (qty, kind, off) = match random.random_range(0..10) {
            0 => (-qty, "return", 0),
            1 => (qty, "void", 0),
            2 => (-qty, "void", 0),
            3 | 4 => (qty, "sale", price / 3),
            _ => (qty, "sale", 0),
        };
        // Some rows have no receipt, and then no till either.
        let (till, receipt) = match random.random_range(0..8) {
            0 => (String::new(), String::new()),
            _ => (till.to_owned(), format!("{till}-{number}")),
        };
        let money = |centavos: i32| larder_domain::Money(i64::from(centavos));
        let row = format!(
            "{day},{},{till},{receipt},{},{qty},{},{},{kind},{}\n",
            STORES[store],
            ITEMS[item],
            money(price),
            money(off),
            PAID[random.random_range(0..PAID.len())]
        );
        let line = Line {
            store,
            day: day.0,
            item: self.items.get(item).cloned(),
            source_item: ITEMS[item].to_owned(),
            receipt: (!receipt.is_empty()).then_some((till, receipt)),
            counts: true,
            qty: i64::from(qty) * MILLION,
            net: 0,
        };
        let mut typed = Typed { line, kind, price: i64::from(price), off: i64::from(off) };
        typed.settle();
        (typed, row)
    }

    pub(super) async fn import(&mut self, lines: usize) {
        let mut file =
            String::from("Date,Store,Register,Receipt,Item,Quantity,Price,Discount,Type,Payment Type\n");
        let mut days: BTreeMap<(usize, i32), Vec<Typed>> = BTreeMap::new();
        for _ in 0..lines {
            let (typed, row) = self.row();
            file.push_str(&row);
            days.entry((typed.line.store, typed.line.day)).or_default().push(typed);
        }
        let batch = upload(&self.admin, &format!("file{}.csv", self.batches.len()), file).await;
        let mapping = json!({
            "hasHeader": true,
            "columns": { "date": 0, "store": 1, "terminal": 2, "receipt": 3, "item": 4, "quantity": 5,
                         "unitPrice": 6, "discount": 7, "kind": 8, "tender": 9 },
            "once": [],
            "splitTenders": false,
            "dateFormat": "ymd",
        });
        let batch = validate(&self.app, &self.admin, &batch, &mapping).await;
        assert_eq!(batch["summary"]["problemLines"], 0, "{batch}");
        let id = batch["id"].as_str().expect("an id").to_owned();
        self.admin.post(&format!("{HOME}/batches/{id}/post"), &json!({ "replace": true })).await.expect(200);
        self.app.drain().await;
        self.batches.push(id);
        // Each of its store-days replaces what was there.
        self.typed.extend(days);
    }

    /// Corrects some lines days later: quantity and item.
    pub(super) async fn correct(&mut self) {
        for _ in 0..4 {
            let (store, day) = (self.random.random_range(0..3), FIRST + self.random.random_range(0..DAYS));
            let path = format!("{HOME}/days/{}/{}", self.stores[store], BusinessDay(day));
            let answer = self.admin.get(&path).await;
            if answer.status != 200 {
                continue;
            }
            let seen = answer.json();
            let lines = seen["lines"].as_array().expect("lines");
            let Some(line) = lines.get(self.random.random_range(0..9) % lines.len().max(1)) else { continue };
            let (pieces, item) = (self.random.random_range(1..20), self.random.random_range(0..3));
            let item = self.items[item].clone();
            let change = json!({ "lineNo": line["lineNo"], "qty": pieces, "posItemId": item });
            let body = json!({ "revision": line["revision"], "lines": [change] });
            self.admin.patch(&format!("{path}/lines"), &body).await.expect(200);
            let shown = read(store, day, line);
            let typed = self.typed.get_mut(&(store, day)).into_iter().flatten();
            let Some(typed) = typed.into_iter().find(|typed| typed.line == shown) else {
                panic!("no file has the line that is shown: {shown:?}")
            };
            (typed.line.qty, typed.line.item) = (pieces * MILLION, Some(item));
            // What came back and is now sold.
            if typed.kind == "return" {
                typed.kind = "sale";
            }
            typed.settle();
        }
    }

    /// Every line that was sold, as the files and the corrections say.
    pub(super) fn lines(&self) -> Vec<Line> {
        self.typed.values().flatten().map(|typed| typed.line.clone()).collect()
    }

    /// Every line of every store-day, from its page.
    pub(super) async fn shown(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let days = (FIRST..FIRST + DAYS).chain(FIRST - YEAR..FIRST - YEAR + DAYS);
        for day in days {
            for (store, id) in self.stores.iter().enumerate() {
                let answer = self.admin.get(&format!("{HOME}/days/{id}/{}", BusinessDay(day))).await;
                if answer.status == 404 {
                    continue;
                }
                for line in answer.expect(200)["lines"].as_array().expect("lines") {
                    lines.push(read(store, day, line));
                }
            }
        }
        lines
    }

    /// The report builder's measures, by a dimension or in total.
    pub(super) async fn built(
        &self,
        dataset: &str,
        range: &Range,
        (by, measures): (&[&str], &[&str]),
    ) -> Value {
        let stores: Vec<&String> = range.stores.iter().map(|at| &self.stores[*at]).collect();
        let measures: Vec<Value> = measures.iter().map(|field| json!({ "field": field })).collect();
        let question = json!({
            "dataset": dataset, "rows": by, "measures": measures,
            "range": { "from": BusinessDay(range.from), "to": BusinessDay(range.to) },
            "filters": [{ "field": "store", "op": "is", "values": stores }],
        });
        self.admin.post("/api/reports/custom/preview", &question).await.expect(200)["answer"].clone()
    }

    pub(super) async fn ask(&self, report: &str, range: &Range, more: &str) -> Value {
        let mut query = format!("from={}&to={}{more}", BusinessDay(range.from), BusinessDay(range.to));
        if range.stores.len() < STORES.len() {
            let ids: Vec<&str> = range.stores.iter().map(|at| self.stores[*at].as_str()).collect();
            query.push_str(&format!("&storeIds={}", ids.join(",")));
        }
        self.admin.get(&format!("/api/reports/{report}?{query}")).await.expect(200)
    }
}

fn read(store: usize, day: i32, line: &Value) -> Line {
    let text = |field: &str| line[field].as_str().map(str::to_owned);
    let (kind, qty) = (line["kind"].as_str().expect("a kind"), millionths(&line["qty"]));
    Line {
        store,
        day,
        item: text("posItemId"),
        source_item: text("sourceItem").expect("a name"),
        receipt: text("receiptNo").map(|number| {
            let till = number.split_once('-').expect("a till and a number").0;
            (till.to_owned(), number.clone())
        }),
        counts: kind != "void" || qty < 0,
        qty,
        net: centavos(&line["net"]),
    }
}

/// Days with sales, by store.
#[derive(Debug, Clone)]
pub(super) struct Range {
    pub(super) from: i32,
    pub(super) to: i32,
    pub(super) stores: Vec<usize>,
}

impl Range {
    pub(super) fn moved(&self, days: i32) -> Self {
        Self { from: self.from - days, to: self.to - days, ..self.clone() }
    }

    pub(super) fn days(&self) -> i32 {
        self.to - self.from + 1
    }
}

/// The lines that count, by plain search.
pub(super) struct Book<'a>(pub(super) &'a [Line]);

impl Book<'_> {
    pub(super) fn within<'b>(&'b self, range: &'b Range) -> impl Iterator<Item = &'b Line> {
        self.0.iter().filter(|line| {
            line.counts && (range.from..=range.to).contains(&line.day) && range.stores.contains(&line.store)
        })
    }

    pub(super) fn net(&self, range: &Range, of: impl Fn(&Line) -> bool) -> i64 {
        self.within(range).filter(|line| of(line)).map(|line| line.net).sum()
    }

    pub(super) fn qty(&self, range: &Range, of: impl Fn(&Line) -> bool) -> i64 {
        self.within(range).filter(|line| of(line)).map(|line| line.qty).sum()
    }

    /// Millionths of a root item.
    pub(super) fn used(&self, range: &Range, items: &[String], root: usize) -> i64 {
        let of = |at: usize| self.qty(range, |line| line.item.as_ref() == Some(&items[at]));
        (0..items.len()).map(|at| of(at) * BILLS[at][root] / MILLION).sum()
    }

    /// The receipts of a range: store, till, day and number; fully voided receipts are included.
    pub(super) fn receipts(
        &self,
        range: &Range,
        of: impl Fn(&Line, &str) -> bool,
    ) -> BTreeSet<(usize, i32, String)> {
        let within =
            |line: &&Line| (range.from..=range.to).contains(&line.day) && range.stores.contains(&line.store);
        let on = |line: &Line| {
            let (till, number) = line.receipt.as_ref()?;
            of(line, till).then(|| (line.store, line.day, number.clone()))
        };
        self.0.iter().filter(within).filter_map(on).collect()
    }
}

#[track_caller]
pub(super) fn centavos(value: &Value) -> i64 {
    let Some(amount) = value.as_f64() else { panic!("an amount: {value}") };
    (amount * 100.0).round() as i64
}

pub(super) fn millionths(value: &Value) -> i64 {
    (value.as_f64().unwrap_or_else(|| panic!("a quantity: {value}")) * 1e6).round() as i64
}

pub(super) fn ratio(part: i64, whole: i64) -> Value {
    if whole == 0 {
        return Value::Null;
    }
    json!((part as f64 / whole as f64 * 10_000.0).round() / 10_000.0)
}

pub(super) fn change(now: i64, before: i64) -> Value {
    ratio(now - before, before.abs())
}

/// A quotient, rounded half away from zero.
pub(super) fn each(net: i64, of: i64, scale: i64) -> Value {
    if of == 0 {
        return Value::Null;
    }
    let (net, of) = (i128::from(net) * i128::from(scale), i128::from(of));
    let whole = (net.abs() * 2 + of) / (of * 2) * net.signum();
    json!(whole as i64)
}

pub(super) fn row<'a>(items: &'a Value, id: &str) -> &'a Value {
    let items = items.as_array().expect("rows");
    items.iter().find(|row| row["id"] == id).unwrap_or(&Value::Null)
}

/// An optional amount, in centavos.
pub(super) fn some_centavos(value: &Value) -> Value {
    if value.is_null() { Value::Null } else { json!(centavos(value)) }
}

/// The totals of a report builder result; `None` without rows.
pub(super) fn sums(answer: &Value) -> Vec<Value> {
    answer["totals"][0]["total"].as_array().cloned().unwrap_or_default()
}
