//! Loads a small demo and checks it through the public API.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use larder_app as app;
use larder_db::testing::clock;
use larder_ledgers::{sales, stock};
use larder_platform::{AppState, Config};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::demand::Extent;
use super::people::PEOPLE;
use super::{SignIn, lists_are_empty, load, welcome, yesterday};

const TINY: Extent = Extent { stores: 3, days: 21, receipt_days: 6, receipt_stores: 1, products: 40 };

/// A temporary data folder.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("larder-demo-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        Self(std::env::temp_dir().join(name))
    }

    pub(super) async fn demo(&self, seed: u64) -> AppState {
        self.demo_of(TINY, seed).await
    }

    /// A demo whose last day is yesterday, as a user loads it.
    pub(super) async fn demo_to_yesterday(&self, seed: u64) -> AppState {
        let state = self.open().await;
        load(&state, TINY, seed, yesterday(&state), SignIn::All).await.expect("it loads");
        state
    }

    async fn demo_of(&self, extent: Extent, seed: u64) -> AppState {
        let state = self.open().await;
        load(&state, extent, seed, "2026-11-18".parse().expect("a day"), SignIn::All)
            .await
            .expect("it loads");
        state
    }

    async fn open(&self) -> AppState {
        let config =
            Config { data_dir: self.0.clone(), clock_shift_ms: clock::shift_ms(), ..Config::default() };
        app::open(config).await.expect("it opens")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Row counts and sums that two loads must share.
const FIGURES: &[&str] = &[
    "select 'ids ' || (select group_concat(id) from (select id from locations union all select id from pos_items))",
    "select 'bom ' || count(*) || ' ' || sum(multiplier) from bom_lines",
    "select 'days ' || count(*) || ' ' || sum(qty) || ' ' || sum(net) || ' ' || group_concat(digest) from sales_days",
    "select 'items ' || count(*) || ' ' || group_concat(hex(packed)) from sales_day_items",
    "select 'lines ' || count(*) || ' ' || group_concat(hex(packed)) from sales_lines",
    "select 'tills ' || count(*) || ' ' || sum(receipts) || ' ' || sum(net) from sales_tills",
    "select 'facts ' || count(*) || ' ' || sum(gross) || ' ' || sum(senior) || ' ' || sum(vat) from sales_day_facts",
    "select 'paid ' || count(*) || ' ' || sum(amount) || ' ' || group_concat(kind || reference) from sales_tenders",
    "select 'months ' || count(*) || ' ' || sum(qty) || ' ' || sum(net) from sales_rollup_pos",
    "select 'packed ' || count(*) || ' ' || group_concat(hex(packed)) from sales_sums_pos",
    "select 'packed ' || count(*) || ' ' || group_concat(hex(packed)) from sales_sums_root",
    "select 'files ' || group_concat(sha256 || state) from sales_batches",
    "select 'products ' || count(*) || ' ' || sum(quantity) || ' ' || group_concat(id || conversions || price_level_prices) from products",
    "select 'stock ' || count(*) || ' ' || sum(qty) || ' ' || group_concat(posted_at || document_id || coalesce(reason, '')) from stock_movements",
    "select 'shelves ' || count(*) || ' ' || sum(par_qty) || ' ' || sum(min_qty) from store_root_items",
    "select 'papers ' || count(*) || ' ' || group_concat(id || file_key || size) from company_documents",
    "select 'weeks ' || count(*) || ' ' || sum(received) || ' ' || sum(variance) || ' ' || sum(actual_use) from root_item_snapshots",
    "select 'prices ' || count(*) || ' ' || sum(price) || ' ' || group_concat(root_item_id || from_date || source) from root_item_prices",
    "select 'proposed ' || count(*) || ' ' || sum(price) || ' ' || group_concat(id || state) from price_proposals",
    "select 'levels ' || count(*) || ' ' || sum(price) from product_prices",
    "select 'audit ' || count(*) || ' ' || max(at) from audit where kind not in ('user', 'serviceRun')",
];

async fn figures(state: &AppState) -> Vec<String> {
    let mut all = Vec::new();
    for text in FIGURES.iter().copied() {
        all.push(state.db.sql(text).scalar::<String>().await.expect("figures"));
    }
    all
}

async fn count(state: &AppState, text: &'static str) -> i64 {
    state.db.sql(text).scalar().await.expect("a count")
}

#[tokio::test]
async fn a_seed_reproduces_the_demo_and_its_sums_agree() {
    let (one, two) = (Folder::new(), Folder::new());
    let (first, again) = (one.demo(7).await, two.demo(7).await);
    assert_eq!(figures(&first).await, figures(&again).await);
    assert_eq!(sales::verify(&first.db).await.expect("counted"), []);
    assert_eq!(stock::verify(&first.db).await.expect("counted"), []);
    let tables: [(&str, &'static str); 13] = [
        ("uoms", "select cast(count(*) as bigint) from uoms"),
        ("categories", "select cast(count(*) as bigint) from categories where parent_id is not null"),
        ("food types", "select cast(count(*) as bigint) from food_types"),
        ("product types", "select cast(count(*) as bigint) from product_types"),
        ("storage requirements", "select cast(count(*) as bigint) from storage_requirements"),
        ("price levels", "select cast(count(*) as bigint) from price_levels"),
        ("store formats", "select cast(count(*) as bigint) from store_formats"),
        ("regional areas", "select cast(count(*) as bigint) from regional_areas"),
        (
            "operational areas",
            "select cast(count(*) as bigint) from operational_areas where parent_id is not null",
        ),
        ("root items", "select cast(count(*) as bigint) from root_items where production"),
        ("inactive stores", "select cast(count(*) as bigint) from locations where inactive"),
        (
            "open and decided applications",
            "select cast(count(distinct state) - 2 as bigint) from applications where decided_at is null or note <> '' or user_id <> ''",
        ),
        ("audit", "select cast(count(*) as bigint) from audit"),
    ];
    for (name, text) in tables {
        assert!(count(&first, text).await > 0, "{name}");
    }
    let items = count(&first, "select cast(count(*) as bigint) from pos_items").await;
    let versions = "select cast(count(distinct pos_item_id) as bigint) from bom_versions";
    assert_eq!(
        count(&first, versions).await,
        items,
        "every dish has its bill of materials in the sales book"
    );
    let unmapped = "select cast(sum(unmapped) as bigint) from sales_day_items";
    assert_eq!(count(&first, unmapped).await, 3);
    let corrected = "select cast(count(*) as bigint) from sales_days where corrected_at is not null";
    assert_eq!(count(&first, corrected).await, 1);
}

#[tokio::test]
async fn the_demo_has_consistent_masters_and_stock() {
    let folder = Folder::new();
    let state = folder.demo(3).await;
    for (expected, text) in [
        (3, "select cast(count(*) as bigint) from companies where tin is not null"),
        (10, "select cast(count(*) as bigint) from company_documents"),
        (25, "select cast(count(*) as bigint) from suppliers"),
        (1, "select cast(count(*) as bigint) from commissaries where is_default"),
        (2, "select cast(count(*) as bigint) from warehouses"),
        (2, "select cast(count(*) as bigint) from cold_storages"),
        (40, "select cast(count(*) as bigint) from products"),
        (20, "select cast(count(*) as bigint) from recipes"),
        (1, "select cast(count(*) as bigint) from root_items where price is null"),
        (4 * 60, "select cast(count(*) as bigint) from store_root_items where par_qty > min_qty"),
        (0, "select cast(count(*) as bigint) from stock_balances where qty < 0 and place_kind <> 'store'"),
        // The last day is 18 Nov 2026: day 20,775.
        (
            0,
            "select cast(count(*) as bigint) from lot_balances b
             join lots l on l.product_id = b.product_id and l.lot = b.lot
             where b.place_kind = 'commissary' and b.qty > 0 and l.expiry < 20775 and l.recalled_at is null",
        ),
        (
            2,
            "select cast(count(distinct reason) + count(distinct reverses) as bigint) from stock_movements
             where reverses is not null and document_type = 'adjustment'",
        ),
    ] {
        assert_eq!(count(&state, text).await, expected, "{text}");
    }
    for (least, text) in [
        (60, "select cast(count(*) as bigint) from chart_accounts where classification is not null"),
        (150, "select cast(count(*) as bigint) from store_inventory_items where root_item_id is not null"),
        (3, "select cast(count(*) as bigint) from store_inventory_items where barcode is not null"),
        (
            1,
            "select cast(count(*) as bigint) from categories c where not exists
               (select 1 from products p where p.category_id = c.id) and name like 'Fiesta%'",
        ),
        (1, "select cast(count(*) as bigint) from products where inactive"),
        (2, "select cast(count(*) as bigint) from products where quantity < reorder_point"),
        (3, "select cast(count(distinct place_kind) as bigint) from stock_balances"),
        (
            1,
            "select cast(count(distinct document_id) as bigint) from stock_movements
             where reverses is not null and document_type = 'production'",
        ),
        (1, "select cast(count(*) as bigint) from lots where recalled_at is not null"),
        (100, "select cast(count(*) as bigint) from root_item_snapshots where variance is not null"),
        (4, "select cast(count(distinct actor) as bigint) from stock_movements"),
        (10, "select cast(count(*) as bigint) from root_item_prices where source = 'set'"),
        (2, "select cast(count(*) as bigint) from root_item_prices where source = 'receipt'"),
        (1, "select cast(count(*) as bigint) from price_proposals where state = 'open'"),
        (4, "select cast(count(*) as bigint) from product_prices where from_date > 0"),
    ] {
        assert!(count(&state, text).await >= least, "{text}");
    }

    let service = Service::open(&state).await;
    let admin = service.sign_in(PEOPLE[0].email, PEOPLE[0].password).await;
    let products = admin.get("/api/products?includeInactive=true&pageSize=all").await;
    let products = products["items"].as_array().expect("products");
    every_reference_holds(&admin, products).await;
    let pictured = products.iter().find_map(|product| product["imageUrl"].as_str()).expect("a picture");
    for path in [pictured.to_owned(), format!("{pictured}&size=thumb")] {
        let (head, body) = admin.ask("GET", &path, None).await;
        assert!(
            head.contains("content-type: image/png") && head.contains("cache-control: private, no-cache"),
            "{head}"
        );
        assert!(body.len() > 100);
    }
    documents_can_be_read(&admin).await;
    let costs = admin.get("/api/lists/recipes/costs").await;
    let costs = costs.as_array().expect("costs");
    let missing = |cost: &&Value| cost["missing"].as_array().is_some_and(|missing| !missing.is_empty());
    assert_eq!(costs.iter().filter(missing).count(), 1, "puto bumbong mix has no price");
    assert!(costs.iter().all(|cost| cost["cost"].as_f64().is_some_and(|cost| cost > 0.0)));
    state.db.close().await;
}

/// Long enough for the whole of October.
const TWO_MONTHS: Extent = Extent { stores: 3, days: 60, receipt_days: 20, receipt_stores: 1, products: 40 };

#[tokio::test]
async fn tills_agree_with_the_sales_files_and_a_month_can_be_certified() {
    let folder = Folder::new();
    let state = folder.demo_of(TWO_MONTHS, 5).await;
    let readings: Vec<(String, String, i64)> = state
        .db
        .sql("select store_id, tenders, net from z_readings where state in ('verified', 'reconciled')")
        .all()
        .await
        .expect("readings");
    assert!(!readings.is_empty());
    for (store, tenders, net) in &readings {
        let tenders: Value = serde_json::from_str(tenders).expect("tenders");
        let tenders = tenders.as_array().expect("tenders").iter();
        let paid: i64 =
            tenders.map(|tender| (tender["amount"].as_f64().expect("pesos") * 100.0).round() as i64).sum();
        assert_eq!(paid, *net, "a reading of {store}");
    }

    let service = Service::open(&state).await;
    let admin = service.sign_in(PEOPLE[0].email, PEOPLE[0].password).await;
    let stores = admin.get("/api/stores/locations").await;
    let stores: Vec<&str> =
        stores["items"].as_array().expect("stores").iter().filter_map(|store| store["id"].as_str()).collect();
    let paid = admin.get("/api/sales/tender-report?from=2026-10-30&to=2026-11-08").await;
    let both = |row: &&Value| row["pos"].is_number() && row["z"].is_number();
    let both: Vec<&Value> = paid["items"].as_array().expect("rows").iter().filter(both).collect();
    assert!(!both.is_empty(), "no till of a store with receipts was read");
    for row in both {
        assert_eq!(row["pos"], row["z"], "{row}");
    }

    let mut certifiable = 0;
    for store in &stores {
        let month = admin.get(&format!("/api/sales/cmsr?storeId={store}&month=2026-10")).await;
        certifiable += usize::from(month["blocker"].is_null());
    }
    assert!(certifiable > 0, "no store's October can be certified");
    // All open every day, and each has a delivery calendar.
    let opening = admin.get("/api/stores/opening-days").await;
    for store in opening["items"].as_array().expect("stores") {
        assert!(store["proposed"].is_null(), "{store}");
    }
    let calendars = admin.get("/api/stores/delivery-calendar").await.to_string();
    assert!(stores.iter().all(|store| calendars.contains(store)), "{calendars}");
    state.db.close().await;
}

/// References inside JSON fields have no foreign keys in the database.
async fn every_reference_holds(admin: &Client, products: &[Value]) {
    for (list, members) in [
        ("uoms", &["/otherUoms/uomId", "/conversions/fromUomId", "/conversions/toUomId"][..]),
        ("root-items", &["/rootItemConversions/rootItemId"]),
        ("price-levels", &["/priceLevelPrices/priceLevelId"]),
    ] {
        let names = admin.get(&format!("/api/names/{list}")).await;
        let known: Vec<&str> =
            names.as_array().expect("names").iter().filter_map(|name| name["id"].as_str()).collect();
        for (product, member) in products.iter().flat_map(|product| members.iter().map(move |m| (product, m)))
        {
            let (field, member) = member[1..].split_once('/').expect("two parts");
            for row in product[field].as_array().expect("rows") {
                let id = row[member].as_str().expect("an id");
                assert!(known.contains(&id), "{}: {field}.{member}", product["name"]);
            }
        }
    }
    for product in products.iter().filter(|product| product["type"] == "Inventory") {
        assert!(product["defaultSellingUom"].is_string() && product["baseUom"].is_string(), "{product}");
        assert!(!product["priceLevelPrices"].as_array().expect("prices").is_empty(), "{product}");
    }
}

/// One has expired, one expires within the month, and all files can be opened.
async fn documents_can_be_read(admin: &Client) {
    let companies = admin.get("/api/lists/companies").await;
    let mut days = Vec::new();
    for company in companies["items"].as_array().expect("companies") {
        let home = format!("/api/lists/companies/{}/documents", company["id"].as_str().expect("an id"));
        for document in admin.get(&home).await.as_array().expect("documents") {
            days.extend(document["expires"].as_str().map(str::to_owned));
            let file = format!("{home}/{}/file", document["id"].as_str().expect("an id"));
            let (head, body) = admin.ask("GET", &file, None).await;
            assert!(head.starts_with("HTTP/1.0 200") && body.starts_with("%PDF-"), "{head}");
            assert_eq!(document["size"], json!(body.chars().count()));
        }
    }
    let within = |from: &str, to: &str| days.iter().filter(|day| (from..to).contains(&day.as_str())).count();
    assert_eq!((within("", "2026-11-18"), within("2026-11-18", "2026-12-18")), (1, 1), "{days:?}");
}

#[tokio::test]
async fn everyone_can_sign_in_and_see_what_is_theirs() {
    let folder = Folder::new();
    let state = folder.demo(1).await;
    let words = welcome(&state).await.expect("who can sign in");
    assert!(PEOPLE.iter().all(|person| words.contains(person.email) && words.contains(person.password)));
    let refused = super::load_if_empty(&state).await.expect("nothing to do");
    assert_eq!(refused.as_deref(), Some(words.as_str()), "loading again changes nothing");
    assert!(!lists_are_empty(&state.db).await.expect("read"));

    let service = Service::open(&state).await;
    for person in PEOPLE {
        let client = service.sign_in(person.email, person.password).await;
        let me = client.get("/api/me").await;
        assert_eq!(me["user"]["superAdmin"], json!(person.role.is_none()), "{}", person.email);
        assert_eq!(me["user"]["storeIds"].as_array().map(Vec::len), person.stores.map(<[_]>::len));
        let stores = client.get("/api/stores/locations?includeInactive=true").await;
        assert_eq!(stores["total"], json!(person.stores.map_or(4, <[_]>::len)), "{}", person.email);
        if person.role == Some("Store manager") {
            // The store's manager records and submits its waste and transfers.
            let office = service.sign_in(PEOPLE[0].email, PEOPLE[0].password).await;
            let products = office.get("/api/products?pageSize=100").await;
            let handled = |one: &&Value| one["baseUom"].is_string() && one["inactive"] != true;
            let product =
                products["items"].as_array().and_then(|all| all.iter().find(handled)).expect("a product");
            let line = json!({ "productId": product["id"], "uomId": product["baseUom"], "qty": 1, "reason": "expired" });
            let waste = json!({ "storeId": me["user"]["storeIds"][0], "lines": [line] });
            let waste = client.send("POST", "/api/stores/waste", Some(&waste)).await;
            assert_eq!(waste["can"], json!(["submit", "cancel"]));
        }
    }

    let books = service.sign_in(PEOPLE[4].email, PEOPLE[4].password).await;
    let batches = books.get("/api/tools/import-sales-product/batches?pageSize=100").await;
    let of = |state: &str| -> Vec<Value> {
        let items = batches["items"].as_array().expect("batches").iter();
        items.filter(|batch| batch["state"] == state).cloned().collect()
    };
    assert!(of("posted").len() >= 5, "{batches}");
    assert_eq!((of("superseded").len(), of("reverted").len(), of("uploaded").len()), (1, 1, 1));
    let sums = |batch: &Value| batch["summary"]["goodLines"] == batch["summary"]["lines"];
    assert!(of("posted").iter().all(sums));
    let unmapped = books.get("/api/tools/import-sales-product/unmapped").await;
    assert_eq!(unmapped["total"], 3);
    import_what_waits(&state, &books, &of("uploaded")[0]).await;
    assert_eq!(sales::verify(&state.db).await.expect("counted"), []);
    state.db.close().await;
}

/// Imports the file of the last day with the suggested mapping.
async fn import_what_waits(state: &AppState, books: &Client, batch: &Value) {
    let path = format!("/api/tools/import-sales-product/batches/{}", batch["id"].as_str().expect("an id"));
    let columns = batch["layout"]["columns"].as_array().expect("columns");
    let mapping = json!({
        "hasHeader": true,
        "columns": columns
            .iter()
            .filter_map(|c| Some((c["suggested"].as_str()?.to_owned(), c["index"].clone())))
            .collect::<serde_json::Map<_, _>>(),
        "dateFormat": batch["layout"]["dateFormats"][0]["format"],
        "decimal": batch["layout"]["decimal"],
        "store": null,
        "priceMeans": "unit",
        "source": "file",
    });
    books.send("PUT", &format!("{path}/mapping"), Some(&mapping)).await;
    state.jobs.drain(state).await.expect("it is checked");
    let checked = books.get(&path).await;
    assert_eq!(checked["state"], "validated", "{checked}");
    assert_eq!(checked["summary"]["unmappedItems"], 0);
    assert_eq!(checked["summary"]["unmappedStores"], 0);
    books.send("POST", &format!("{path}/post"), Some(&json!({ "replace": false }))).await;
    state.jobs.drain(state).await.expect("it is posted");
    assert_eq!(books.get(&path).await["state"], "posted");
}

/// The service on a separate port.
pub(super) struct Service {
    address: SocketAddr,
}

impl Service {
    pub(super) async fn open(state: &AppState) -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let service = app::service(state).into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        Self { address }
    }

    pub(super) async fn sign_in(&self, email: &str, password: &str) -> Client {
        let nobody = Client { address: self.address, cookie: String::new() };
        let body = json!({ "email": email, "password": password });
        let (head, _) = nobody.ask("POST", "/v1/accounts:signInWithPassword", Some(&body)).await;
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a session");
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Client { cookie, ..nobody }
    }
}

pub(super) struct Client {
    address: SocketAddr,
    cookie: String,
}

impl Client {
    pub(super) async fn get(&self, path: &str) -> Value {
        self.send("GET", path, None).await
    }

    pub(super) async fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (head, body) = self.ask(method, path, body).await;
        let status = head.split(' ').nth(1).unwrap_or_default();
        assert!(status.starts_with('2'), "{method} {path}: {head}\n{body}");
        serde_json::from_str(&body).unwrap_or_default()
    }

    pub(super) async fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (String, String) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.0\r\nhost: {}\r\nx-larder: 1\r\nsec-fetch-site: same-origin\r\n\
             content-type: application/json\r\ncontent-length: {}\r\ncookie: {}\r\n\r\n{body}",
            self.address,
            body.len(),
            self.cookie
        );
        let mut stream = tokio::net::TcpStream::connect(self.address).await.expect("it listens");
        stream.write_all(request.as_bytes()).await.expect("it takes the request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("it answers");
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        (head.to_owned(), body.to_owned())
    }
}
