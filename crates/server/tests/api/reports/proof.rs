//! Every figure of every report of sales, reckoned again from the lines that stand in the book, line by line and by
//! plain counting: over random sales with voids, returns, discounts, items nobody knows, days that came again and late
//! corrections. And reports that say the same thing say it with the same figure.

use std::collections::{BTreeMap, BTreeSet};

use larder_domain::BusinessDay;
use larder_domain::sales::names::key;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use crate::stores::inventory::make;
use crate::support::{App, Client, Engine};
use crate::tools::import_sales_product::{HOME, agree, upload, validate};

const STORES: [&str; 3] = ["Makati", "Pasig", "Quezon"];
/// What tills name; the last two are not mapped at first.
const ITEMS: [&str; 5] = ["Rice", "Tea", "Bread", "Mystery", "Other"];
const TILLS: [&str; 3] = ["T1", "T2", ""];
/// A Monday.
const FIRST: i32 = 18_568; // 2 Nov 2020
const DAYS: i32 = 42;
const YEAR: i32 = 364;
/// Root units in one of each POS item, in millionths: flour, sugar.
const BILLS: [[i64; 2]; 3] = [[250_000, 0], [125_000, 500_000], [0, 0]];
/// Centavos.
const PRICES: [i64; 2] = [5_000, 1_234];
const MILLION: i64 = 1_000_000;

/// A line as it stands in the book.
#[derive(Debug, Clone)]
struct Line {
    store: usize,
    day: i32,
    /// A POS item's id; none where it is not mapped.
    item: Option<String>,
    source_item: String,
    /// The till and the number.
    receipt: Option<(String, String)>,
    /// Whether it is a sale, a return, or takes something back: a void of nothing sold counts nowhere.
    counts: bool,
    /// Millionths.
    qty: i64,
    /// Centavos.
    net: i64,
}

struct World {
    app: App,
    admin: Client,
    area: String,
    stores: Vec<String>,
    items: Vec<String>,
    roots: Vec<String>,
    random: StdRng,
    batches: Vec<String>,
}

impl World {
    async fn build(on: Engine, seed: u64) -> Self {
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
        let mut world = Self { app, admin, area, stores, items, roots, random, batches: Vec::new() };
        for _ in 0..3 {
            world.import(60).await;
        }
        // A later file has some of the same days again.
        world.import(8).await;
        world.correct().await;
        let mystery = json!({ "items": [{ "key": key("Mystery"), "posItemId": world.items[0] }] });
        let answer = world.admin.post(&format!("{HOME}/unmapped/resolve"), &mystery).await;
        assert!(matches!(answer.status, 200 | 422), "{}", answer.text());
        world.app.drain().await;
        world.correct().await;
        world
    }

    fn line(&mut self) -> String {
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
        // Some rows stand on no receipt, and then on no till either.
        let (till, receipt) = match random.random_range(0..8) {
            0 => (String::new(), String::new()),
            _ => (till.to_owned(), format!("{till}-{number}")),
        };
        let money = |centavos: i32| larder_domain::Money(i64::from(centavos));
        format!(
            "{day},{},{till},{receipt},{},{qty},{},{},{kind},Cash\n",
            STORES[store],
            ITEMS[item],
            money(price),
            money(off)
        )
    }

    async fn import(&mut self, lines: usize) {
        let mut file =
            String::from("Date,Store,Register,Receipt,Item,Quantity,Price,Discount,Type,Payment Type\n");
        for _ in 0..lines {
            file.push_str(&self.line());
        }
        let batch = upload(&self.admin, &format!("file{}.csv", self.batches.len()), file).await;
        let mapping = json!({
            "hasHeader": true,
            "columns": { "date": 0, "store": 1, "terminal": 2, "receipt": 3, "item": 4, "quantity": 5,
                         "unitPrice": 6, "discount": 7, "kind": 8, "tender": 9 },
            "once": [],
            "answered": ["once"],
            "dateFormat": "ymd",
        });
        let batch = validate(&self.app, &self.admin, &batch, &mapping).await;
        assert_eq!(batch["summary"]["problemLines"], 0, "{batch}");
        let id = batch["id"].as_str().expect("an id").to_owned();
        self.admin.post(&format!("{HOME}/batches/{id}/post"), &json!({ "replace": true })).await.expect(200);
        self.app.drain().await;
        self.batches.push(id);
    }

    /// Some lines, days after they came: another quantity, another item.
    async fn correct(&mut self) {
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
            let change = json!({ "lineNo": line["lineNo"], "qty": self.random.random_range(1..20),
                "posItemId": self.items[self.random.random_range(0..3)] });
            let body = json!({ "revision": line["revision"], "lines": [change] });
            self.admin.patch(&format!("{path}/lines"), &body).await.expect(200);
        }
    }

    /// Every line of every store-day, as the page of the day has it.
    async fn lines(&self) -> Vec<Line> {
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

    async fn ask(&self, report: &str, range: &Range, more: &str) -> Value {
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

/// Which days of which stores.
#[derive(Debug, Clone)]
struct Range {
    from: i32,
    to: i32,
    stores: Vec<usize>,
}

impl Range {
    fn moved(&self, days: i32) -> Self {
        Self { from: self.from - days, to: self.to - days, ..self.clone() }
    }

    fn days(&self) -> i32 {
        self.to - self.from + 1
    }
}

/// The lines that count, by plain looking.
struct Book<'a>(&'a [Line]);

impl Book<'_> {
    fn within<'b>(&'b self, range: &'b Range) -> impl Iterator<Item = &'b Line> {
        self.0.iter().filter(|line| {
            line.counts && (range.from..=range.to).contains(&line.day) && range.stores.contains(&line.store)
        })
    }

    fn net(&self, range: &Range, of: impl Fn(&Line) -> bool) -> i64 {
        self.within(range).filter(|line| of(line)).map(|line| line.net).sum()
    }

    fn qty(&self, range: &Range, of: impl Fn(&Line) -> bool) -> i64 {
        self.within(range).filter(|line| of(line)).map(|line| line.qty).sum()
    }

    /// Millionths of a root item.
    fn used(&self, range: &Range, items: &[String], root: usize) -> i64 {
        let of = |at: usize| self.qty(range, |line| line.item.as_ref() == Some(&items[at]));
        (0..items.len()).map(|at| of(at) * BILLS[at][root] / MILLION).sum()
    }

    /// The receipts of a range: store, till, day and number; those struck off whole are receipts too.
    fn receipts(&self, range: &Range, of: impl Fn(&Line, &str) -> bool) -> BTreeSet<(usize, i32, String)> {
        let within =
            |line: &&Line| (range.from..=range.to).contains(&line.day) && range.stores.contains(&line.store);
        let on = |line: &Line| {
            let (till, number) = line.receipt.as_ref()?;
            of(line, till).then(|| (line.store, line.day, number.clone()))
        };
        self.0.iter().filter(within).filter_map(on).collect()
    }
}

fn centavos(value: &Value) -> i64 {
    (value.as_f64().unwrap_or_else(|| panic!("an amount: {value}")) * 100.0).round() as i64
}

fn millionths(value: &Value) -> i64 {
    (value.as_f64().unwrap_or_else(|| panic!("a quantity: {value}")) * 1e6).round() as i64
}

fn ratio(part: i64, whole: i64) -> Value {
    if whole == 0 {
        return Value::Null;
    }
    json!((part as f64 / whole as f64 * 10_000.0).round() / 10_000.0)
}

fn change(now: i64, before: i64) -> Value {
    ratio(now - before, before.abs())
}

/// So much for each, half away from zero.
fn each(net: i64, of: i64, scale: i64) -> Value {
    if of == 0 {
        return Value::Null;
    }
    let (net, of) = (i128::from(net) * i128::from(scale), i128::from(of));
    let whole = (net.abs() * 2 + of) / (of * 2) * net.signum();
    json!(whole as i64)
}

fn row<'a>(items: &'a Value, id: &str) -> &'a Value {
    let items = items.as_array().expect("rows");
    items.iter().find(|row| row["id"] == id).unwrap_or(&Value::Null)
}

/// An amount that may be absent, in centavos.
fn some_centavos(value: &Value) -> Value {
    if value.is_null() { Value::Null } else { json!(centavos(value)) }
}

#[rstest]
#[tokio::test]
async fn every_figure_is_what_the_lines_add_up_to(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let seed = 20_261_125;
    let mut world = World::build(on, seed).await;
    agree(&world.app).await;
    let lines = world.lines().await;
    let book = Book(&lines);
    assert!(lines.iter().any(|line| !line.counts) && lines.iter().any(|line| line.net < 0));
    assert!(lines.iter().any(|line| line.item.is_none()) && lines.iter().any(|line| line.receipt.is_none()));
    for round in 0..12 {
        let from = FIRST + world.random.random_range(-3..DAYS - 2);
        let to = (from + world.random.random_range(0..30)).min(FIRST + DAYS - 1);
        let stores = [vec![0, 1, 2], vec![1], vec![0, 2]][round % 3].clone();
        let range = Range { from, to: to.max(from), stores };
        let what = format!("seed {seed}, {range:?}");
        products(&world, &book, &range, &what).await;
        roots(&world, &book, &range, &what).await;
        mix(&world, &book, &range, &what).await;
        tills(&world, &book, &range, &what).await;
        comparison(&world, &book, &range, &what).await;
        food(&world, &book, &range, &what).await;
        scorecard(&world, &book, &range, &what).await;
        movement(&world, &book, &range, &what).await;
        alike(&world, &range, &what).await;
    }
}

/// Product sales by store.
async fn products(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let told = world.ask("product-sales-by-store", range, "").await;
    let columns = told["stores"].as_array().expect("stores");
    let place = |id: &str| columns.iter().position(|column| column["id"] == id).expect("a column");
    let mut seen = 0;
    for item in told["items"].as_array().expect("items") {
        let of = |line: &Line| match &line.item {
            Some(id) => item["id"] == id.as_str(),
            None => item["id"].as_str().is_some_and(|id| id.ends_with(&key(&line.source_item))),
        };
        assert_eq!(millionths(&item["qty"]), book.qty(range, of), "{what}: {item}");
        assert_eq!(centavos(&item["net"]), book.net(range, of), "{what}: {item}");
        for store in
            range.stores.iter().filter(|at| columns.iter().any(|one| one["id"] == world.stores[**at]))
        {
            let (at, one) = (place(&world.stores[*store]), Range { stores: vec![*store], ..range.clone() });
            assert_eq!(millionths(&item["quantities"][at]), book.qty(&one, of), "{what}: {item}");
            assert_eq!(centavos(&item["nets"][at]), book.net(&one, of), "{what}: {item}");
        }
        seen += 1;
    }
    let sold: BTreeSet<_> =
        book.within(range).map(|line| line.item.clone().unwrap_or(key(&line.source_item))).collect();
    assert_eq!(seen, sold.len(), "{what}");
    assert_eq!(centavos(&told["totalNet"]), book.net(range, |_| true), "{what}");
    assert_eq!(millionths(&told["totalQty"]), book.qty(range, |_| true), "{what}");
}

/// Weekly root item sales, and sales by root items.
async fn roots(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let ranked = world.ask("sales-by-root-items", range, "").await;
    let before = range.moved(range.days());
    for (at, root) in world.roots.iter().enumerate() {
        let (now, then) = (book.used(range, &world.items, at), book.used(&before, &world.items, at));
        let row = row(&ranked["items"], root);
        if row.is_null() {
            // What is not used in the range has no row, whatever was used before.
            assert_eq!(now, 0, "{what}");
            continue;
        }
        assert_eq!((millionths(&row["qty"]), millionths(&row["previousQty"])), (now, then), "{what}");
        assert_eq!(row["change"], change(now, then), "{what}");
    }
    let weekly = world.ask("weekly-root-item-sales", range, "").await;
    let products = world.ask("weekly-root-item-sales", range, "&by=pos").await;
    let mut whole = range.clone();
    (whole.from, whole.to) = (BusinessDay(range.from).week().0, BusinessDay(range.to).week().0 + 6);
    assert_eq!(centavos(&products["netTotal"]), book.net(&whole, |_| true), "{what}");
    for (n, monday) in weekly["weeks"].as_array().expect("weeks").iter().enumerate() {
        let monday = monday.as_str().expect("a day").parse::<BusinessDay>().expect("a day").0;
        let week = Range { from: monday, to: monday + 6, ..range.clone() };
        assert_eq!(centavos(&products["net"][n]), book.net(&week, |_| true), "{what}");
        for (at, root) in world.roots.iter().enumerate() {
            let row = row(&weekly["items"], root);
            let told = if row.is_null() { 0 } else { millionths(&row["quantities"][n]) };
            assert_eq!(told, book.used(&week, &world.items, at), "{what}, week {monday}");
        }
    }
}

/// Sales Mix By Category, Daily.
async fn mix(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let told = world.ask("smbcd", range, "").await;
    let before = range.moved(7);
    for (category, item) in [("Meals", Some(0)), ("Drinks", Some(1)), ("", None)] {
        let of = |line: &Line| match (&line.item, item) {
            (Some(id), Some(at)) => id == &world.items[at],
            (Some(id), None) => id == &world.items[2],
            (None, at) => at.is_none(),
        };
        let row = row(&told["items"], category);
        if row.is_null() {
            assert_eq!(book.net(range, of), 0, "{what}: {category}");
            continue;
        }
        let (net, all) = (book.net(range, of), book.net(range, |_| true));
        assert_eq!((centavos(&row["net"]), millionths(&row["qty"])), (net, book.qty(range, of)), "{what}");
        assert_eq!(
            (&row["mix"], &row["change"]),
            (&ratio(net, all), &change(net, book.net(&before, of))),
            "{what}"
        );
        for n in 0..range.days() {
            let day = Range { from: range.from + n, to: range.from + n, ..range.clone() };
            let at = usize::try_from(n).expect("a day");
            let net = book.net(&day, of);
            assert_eq!(centavos(&row["nets"][at]), net, "{what}: {category} {n}");
            assert_eq!(millionths(&row["quantities"][at]), book.qty(&day, of), "{what}: {category} {n}");
            assert_eq!(row["mixes"][at], ratio(net, book.net(&day, |_| true)), "{what}: {category} {n}");
            let then = book.net(&day.moved(7), of);
            assert_eq!(row["changes"][at], change(net, then), "{what}: {category} {n}");
        }
    }
    let unmapped: BTreeSet<&str> =
        book.within(range).filter(|line| line.item.is_none()).map(|line| line.source_item.as_str()).collect();
    assert_eq!(told["unmapped"]["items"], json!(unmapped.len()), "{what}");
    assert_eq!(millionths(&told["unmapped"]["qty"]), book.qty(range, |line| line.item.is_none()), "{what}");
}

/// Sales by terminal.
async fn tills(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let told = world.ask("sales-terminal", range, "").await;
    let rows = told["items"].as_array().expect("tills");
    let all = book.net(range, |_| true);
    let mut net = 0;
    for till in rows {
        let store =
            range.stores.iter().copied().find(|at| till["storeId"] == world.stores[*at]).expect("a store");
        let name = till["terminal"].as_str().expect("a till");
        let one = Range { stores: vec![store], ..range.clone() };
        let of = |line: &Line| line.receipt.as_ref().map_or("", |(till, _)| till) == name;
        let on_receipt = |line: &Line| line.receipt.is_some() && of(line);
        assert_eq!(centavos(&till["net"]), book.net(&one, of), "{what}: {till}");
        let receipts = book.receipts(&one, |_, till| till == name).len();
        assert_eq!(till["receiptCount"], json!(receipts), "{what}: {till}");
        let count = i64::try_from(receipts).expect("few");
        assert_eq!(
            some_centavos(&till["ticket"]),
            each(book.net(&one, on_receipt), count, 1),
            "{what}: {till}"
        );
        assert_eq!(till["share"], ratio(book.net(&one, of), all), "{what}: {till}");
        for n in 0..range.days() {
            let day = Range { from: range.from + n, to: range.from + n, ..one.clone() };
            let at = usize::try_from(n).expect("a day");
            let receipts = book.receipts(&day, |_, till| till == name).len();
            assert_eq!(centavos(&till["nets"][at]), book.net(&day, of), "{what}: {till}");
            assert_eq!(till["receipts"][at], json!(receipts), "{what}: {till}");
            let count = i64::try_from(receipts).expect("few");
            assert_eq!(
                some_centavos(&till["tickets"][at]),
                each(book.net(&day, on_receipt), count, 1),
                "{what}"
            );
            let whole = Range { stores: range.stores.clone(), ..day.clone() };
            assert_eq!(till["shares"][at], ratio(book.net(&day, of), book.net(&whole, |_| true)), "{what}");
        }
        net += centavos(&till["net"]);
    }
    assert_eq!((net, centavos(&told["total"]["net"])), (all, all), "{what}");
    assert_eq!(told["total"]["receiptCount"], json!(book.receipts(range, |_, _| true).len()), "{what}");
}

/// Sales against before and against a year before.
async fn comparison(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let last = book
        .0
        .iter()
        .filter(|line| (range.from..=range.to).contains(&line.day) && range.stores.contains(&line.store))
        .map(|line| line.day)
        .max();
    let now = Range { to: last.unwrap_or(range.to), ..range.clone() };
    let before = [now.moved((now.days() + 6) / 7 * 7), now.moved(YEAR)];
    let stood = |store: usize, range: &Range| {
        let days =
            book.0.iter().filter(|line| line.store == store && (range.from..=range.to).contains(&line.day));
        days.map(|line| line.day).max().is_some_and(|last| last > range.to - 7)
    };
    let first = |store: usize| book.0.iter().filter(|line| line.store == store).map(|line| line.day).min();
    for by in ["store", "area"] {
        let told = world.ask("sales-comparison", range, &format!("&by={by}")).await;
        let groups: Vec<(String, Vec<usize>)> = match by {
            "store" => now.stores.iter().map(|at| (world.stores[*at].clone(), vec![*at])).collect(),
            _ => {
                let (south, none) = now.stores.iter().partition::<Vec<usize>, _>(|at| **at < 2);
                vec![(world.area.clone(), south), (String::new(), none)]
            }
        };
        for (id, stores) in groups.into_iter().chain([("*".to_owned(), now.stores.clone())]) {
            let row = if id == "*" { &told["total"] } else { row(&told["items"], &id) };
            let of = |range: &Range| Range { stores: stores.clone(), ..range.clone() };
            let sold = book.net(&of(&now), |_| true);
            if row.is_null() {
                assert_eq!(sold, 0, "{what}");
                continue;
            }
            assert_eq!(centavos(&row["net"]), sold, "{what} by {by}: {row}");
            for (side, then) in [("previous", &before[0]), ("year", &before[1])] {
                let earlier = book.net(&of(then), |_| true);
                let row = &row[side];
                assert_eq!(centavos(&row["before"]), earlier, "{what} by {by}: {row}");
                assert_eq!(row["change"], change(sold, earlier), "{what}");
                let like = |at: &usize| {
                    stood(*at, &now) && stood(*at, then) && first(*at).is_some_and(|day| day <= then.from)
                };
                let like: Vec<usize> = stores.iter().copied().filter(like).collect();
                let of = |range: &Range| book.net(&Range { stores: like.clone(), ..range.clone() }, |_| true);
                assert_eq!(row["likeStores"], json!(like.len()), "{what} by {by}, {side}");
                assert_eq!(
                    (centavos(&row["likeNet"]), centavos(&row["likeBefore"])),
                    (of(&now), of(then)),
                    "{what}"
                );
                assert_eq!(row["likeChange"], change(of(&now), of(then)), "{what}");
            }
        }
        for (nets, days) in [
            (&told["nets"], &now),
            (&told["previous"]["nets"], &before[0]),
            (&told["year"]["nets"], &before[1]),
        ] {
            for (n, net) in nets.as_array().expect("days").iter().enumerate() {
                let day = days.from + i32::try_from(n).expect("a day");
                let day = Range { from: day, to: day, ..days.clone() };
                assert_eq!(centavos(net), book.net(&day, |_| true), "{what}");
            }
        }
    }
}

/// What food cost by the bills of materials.
async fn food(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let told = world.ask("food-cost", range, "").await;
    let cost = |range: &Range, root: usize| {
        let worth = i128::from(book.used(range, &world.items, root)) * i128::from(PRICES[root]);
        ((worth.abs() * 2 + i128::from(MILLION)) / (2 * i128::from(MILLION)) * worth.signum()) as i64
    };
    let mut all = 0;
    for at in &range.stores {
        let one = Range { stores: vec![*at], ..range.clone() };
        let row = row(&told["items"], &world.stores[*at]);
        let (net, cost) = (book.net(&one, |_| true), cost(&one, 0) + cost(&one, 1));
        all += cost;
        if row.is_null() {
            assert_eq!((net, cost), (0, 0), "{what}");
            continue;
        }
        assert_eq!((centavos(&row["net"]), centavos(&row["theoretical"])), (net, cost), "{what}: {row}");
        assert_eq!(row["theoreticalShare"], ratio(cost, net), "{what}: {row}");
    }
    assert_eq!(centavos(&told["total"]["theoretical"]), all, "{what}");
    let bare = |line: &Line| line.item.as_ref().is_none_or(|id| id == &world.items[2]);
    assert_eq!(centavos(&told["netWithoutBom"]), book.net(range, bare), "{what}");
    let by_item = world.ask("food-cost", range, "&by=item").await;
    let of_store = |store: usize| Range { stores: vec![store], ..range.clone() };
    for (at, root) in world.roots.iter().enumerate() {
        let row = row(&by_item["items"], root);
        let used = book.used(range, &world.items, at);
        if row.is_null() {
            assert_eq!(used, 0, "{what}");
        } else {
            assert_eq!(
                (millionths(&row["use"]), centavos(&row["theoretical"])),
                (used, range.stores.iter().map(|store| cost(&of_store(*store), at)).sum::<i64>()),
                "{what}"
            );
        }
    }
}

/// What the scorecard says of sales.
async fn scorecard(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let told = world.ask("store-scorecard", range, "").await;
    for at in &range.stores {
        let one = Range { stores: vec![*at], ..range.clone() };
        let net = book.net(&one, |_| true);
        let row = row(&told["items"], &world.stores[*at]);
        if row.is_null() {
            assert_eq!(net, 0, "{what}");
            continue;
        }
        let receipts = i64::try_from(book.receipts(&one, |_, _| true).len()).expect("few");
        let on_receipts = book.net(&one, |line| line.receipt.is_some());
        let n = i64::try_from(*at).expect("few");
        assert_eq!((centavos(&row["net"]), &row["receipts"]), (net, &json!(receipts)), "{what}: {row}");
        assert_eq!(some_centavos(&row["perM2"]), each(net, 80 + 10 * n, 1), "{what}: {row}");
        let seats = if *at < 2 { each(net, 30 + n, 1) } else { Value::Null };
        assert_eq!(some_centavos(&row["perSeat"]), seats, "{what}: {row}");
        assert_eq!(some_centavos(&row["ticket"]), each(on_receipts, receipts, 1), "{what}: {row}");
    }
}

/// What sales used of root items, as their movement has it.
async fn movement(world: &World, book: &Book<'_>, range: &Range, what: &str) {
    let told = world.ask("root-item-movement-by-store", range, "").await;
    let mut used: BTreeMap<(String, String), i64> = BTreeMap::new();
    for row in told["items"].as_array().expect("rows") {
        let text = |field: &str| row[field].as_str().expect("an id").to_owned();
        used.insert((text("storeId"), text("rootItemId")), millionths(&row["theoreticalUse"]));
    }
    for at in &range.stores {
        let one = Range { stores: vec![*at], ..range.clone() };
        for (root, id) in world.roots.iter().enumerate() {
            let told = used.get(&(world.stores[*at].clone(), id.clone())).copied().unwrap_or_default();
            assert_eq!(told, book.used(&one, &world.items, root), "{what}: {id} in store {at}");
        }
    }
}

/// A figure that two reports tell.
type Pair<'a> = (&'a str, &'a str, Value, Value);

/// Each pair of reports that say the same thing.
async fn alike(world: &World, range: &Range, what: &str) {
    let product = world.ask("product-sales-by-store", range, "").await;
    let mix = world.ask("smbcd", range, "").await;
    let till = world.ask("sales-terminal", range, "").await;
    let against = world.ask("sales-comparison", range, "").await;
    let food = world.ask("food-cost", range, "").await;
    let food_items = world.ask("food-cost", range, "&by=item").await;
    let place = world.ask("occupancy", range, "").await;
    let score = world.ask("store-scorecard", range, "").await;
    let ranked = world.ask("sales-by-root-items", range, "").await;
    let moved = world.ask("root-item-movement-by-store", range, "").await;
    let uses = |rows: &Value, root: &str, field: &str, id: &str| -> i64 {
        let rows = rows.as_array().expect("rows").iter().filter(|row| row[id] == root);
        rows.map(|row| millionths(&row[field])).sum()
    };
    let net = |value: &Value| json!(centavos(value));
    let total = net(&product["totalNet"]);
    let mut pairs: Vec<Pair<'_>> = vec![
        ("product sales by store, net", "SMBCD, net", total.clone(), net(&mix["total"]["net"])),
        (
            "product sales by store, quantity",
            "SMBCD, quantity",
            json!(millionths(&product["totalQty"])),
            json!(millionths(&mix["total"]["qty"])),
        ),
        ("product sales by store, net", "sales by terminal, net", total.clone(), net(&till["total"]["net"])),
        (
            "product sales by store, net",
            "sales against before, net",
            total.clone(),
            net(&against["total"]["net"]),
        ),
        ("product sales by store, net", "food cost, net", total.clone(), net(&food["total"]["net"])),
        ("product sales by store, net", "occupancy, net", total.clone(), net(&place["total"]["net"])),
        ("product sales by store, net", "store scorecard, net", total, net(&score["total"]["net"])),
        (
            "sales by terminal, receipts",
            "store scorecard, receipts",
            till["total"]["receiptCount"].clone(),
            score["total"]["receipts"].clone(),
        ),
        (
            "sales by terminal, ticket",
            "store scorecard, ticket",
            till["total"]["ticket"].clone(),
            score["total"]["ticket"].clone(),
        ),
    ];
    let by_item =
        food_items["items"].as_array().expect("rows").iter().map(|row| centavos(&row["theoretical"]));
    pairs.push((
        "food cost by store, theoretical",
        "food cost by root item, theoretical",
        net(&food["total"]["theoretical"]),
        json!(by_item.sum::<i64>()),
    ));
    for root in &world.roots {
        let ranked = uses(&ranked["items"], root, "qty", "id");
        pairs.push((
            "sales by root items, use",
            "root item movement, theoretical use",
            json!(ranked),
            json!(uses(&moved["items"], root, "theoreticalUse", "rootItemId")),
        ));
        pairs.push((
            "sales by root items, use",
            "food cost by root item, use",
            json!(ranked),
            json!(uses(&food_items["items"], root, "use", "id")),
        ));
    }
    if BusinessDay(range.from).is_monday() && range.days() % 7 == 0 {
        let weekly = world.ask("weekly-root-item-sales", range, "&by=pos").await;
        let (weekly, product) = (net(&weekly["netTotal"]), net(&product["totalNet"]));
        pairs.push(("weekly sales, net", "product sales by store, net", weekly, product));
    }
    // What receipts say beside their lines, by till, where they say anything.
    for at in &range.stores {
        for n in range.from..=range.to {
            let day = world.admin.get(&format!("{HOME}/days/{}/{}", world.stores[*at], BusinessDay(n))).await;
            if day.status != 200 {
                continue;
            }
            let day = day.json();
            let facts: i64 =
                day["facts"].as_array().expect("facts").iter().map(|till| centavos(&till["net"])).sum();
            pairs.push((
                "the day’s lines, net",
                "what its receipts say, net",
                net(&day["totals"]["net"]),
                json!(facts),
            ));
        }
    }
    for (one, other, left, right) in pairs {
        assert_eq!(left, right, "{one} and {other} differ, {what}");
    }
}
