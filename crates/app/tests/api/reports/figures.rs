//! Reports compared with plain sums: for any range and stores, stored sums equal a count of the lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use larder_domain::sales::day::{DayLine, SoldItem};
use larder_domain::sales::{Kind, StoreDay};
use larder_domain::{Action, BusinessDay};
use larder_ledgers::sales::{Prepared, replace_store_days};
use larder_platform::http::ApiError;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, actor, one_engine};

struct Stage {
    app: App,
    admin: Client,
    stores: Vec<String>,
    pos: Vec<String>,
    root: Vec<String>,
    /// store, day, POS item → whole units.
    sold: BTreeMap<(usize, i32, usize), i64>,
}

/// Root units (thousandths) per POS item: `MULTIPLIERS[pos][root]`.
const MULTIPLIERS: [[i64; 2]; 3] = [[1500, 0], [250, 2000], [0, 0]];
const FIRST: i32 = 17_800; // 26 Sep 2018
const DAYS: i32 = 150;
/// Centavos.
const PRICE: i64 = 1250;

async fn stage(on: Engine, random: &mut StdRng) -> Stage {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let area = id(&admin, "/api/lists/regional-areas", json!({ "name": "South" })).await;
    let mut stores = Vec::new();
    for n in 0..3 {
        let mut body = json!({ "name": format!("Store {n}"), "code": format!("S{n}") });
        if n == 0 {
            body["regionalAreaId"] = json!(area);
        }
        stores.push(id(&admin, "/api/stores/locations", body).await);
    }
    let mut root = Vec::new();
    for name in ["Rice", "Chicken"] {
        root.push(id(&admin, "/api/lists/root-items", json!({ "name": name })).await);
    }
    let mut pos = Vec::new();
    for (n, multipliers) in MULTIPLIERS.iter().enumerate() {
        let bom: Vec<Value> = multipliers
            .iter()
            .zip(&root)
            .filter(|(m, _)| **m > 0)
            .map(|(m, root)| json!({ "rootProductId": root, "multiplier": *m as f64 / 1000.0 }))
            .collect();
        pos.push(
            id(&admin, "/api/lists/pos-items", json!({ "description": format!("Meal {n}"), "bom": bom }))
                .await,
        );
    }
    let mut sold = BTreeMap::new();
    let mut days = Vec::new();
    for (store, store_id) in stores.iter().enumerate() {
        for day in FIRST..FIRST + DAYS {
            if random.random_bool(0.2) {
                continue;
            }
            let lines: Vec<(usize, i64)> =
                (0..3).map(|item| (item, random.random_range(0..20))).filter(|(_, q)| *q > 0).collect();
            for (item, qty) in &lines {
                *sold.entry((store, day, *item)).or_insert(0) += qty;
            }
            days.push(Prepared::new(store_day(store_id, day, &pos, &lines)));
        }
    }
    let days = &days;
    app.db
        .write(&actor(app.state.now()), async |tx| replace_store_days(tx, days, None).await)
        .await
        .map_err(|e: ApiError| e.to_string())
        .expect("posted");
    Stage { app, admin, stores, pos, root, sold }
}

fn store_day(store: &str, day: i32, pos: &[String], lines: &[(usize, i64)]) -> StoreDay {
    StoreDay {
        store_id: store.into(),
        day,
        source: "file".into(),
        items: lines
            .iter()
            .map(|(item, _)| SoldItem {
                pos_item_id: pos[*item].as_str().into(),
                source_item: Arc::from("x"),
            })
            .collect(),
        receipts: Vec::new(),
        tenders: Vec::new(),
        facts: Vec::new(),
        lines: lines
            .iter()
            .enumerate()
            .map(|(n, (_, qty))| DayLine {
                line_no: u32::try_from(n).expect("few"),
                receipt: -1,
                seconds: -1,
                item: u32::try_from(n).expect("few"),
                kind: Kind::Sale,
                qty: qty * 1_000_000,
                unit_price: PRICE,
                discount: 0,
                net: qty * PRICE,
                parent: -1,
            })
            .collect(),
    }
}

async fn id(client: &Client, path: &str, body: Value) -> String {
    client.post(path, &body).await.expect(201)["id"].as_str().expect("an id").to_owned()
}

impl Stage {
    /// Quantities sold in a range and stores, by POS item.
    fn count(&self, from: i32, to: i32, stores: &[usize]) -> [i64; 3] {
        let mut sums = [0; 3];
        for ((store, day, item), qty) in &self.sold {
            if (from..=to).contains(day) && stores.contains(store) {
                sums[*item] += qty;
            }
        }
        sums
    }

    /// The same in thousandths of root units.
    fn count_root(&self, from: i32, to: i32, stores: &[usize]) -> [i64; 2] {
        let pos = self.count(from, to, stores);
        [0, 1].map(|root| (0..3).map(|item| pos[item] * MULTIPLIERS[item][root]).sum())
    }

    fn query(&self, from: i32, to: i32, stores: &[usize]) -> String {
        let mut query = format!("from={}&to={}", BusinessDay(from), BusinessDay(to));
        if stores.len() < 3 {
            let ids: Vec<&str> = stores.iter().map(|s| self.stores[*s].as_str()).collect();
            query.push_str(&format!("&storeIds={}", ids.join(",")));
        }
        query
    }
}

fn number(value: &Value, what: &str) -> i64 {
    (value[what].as_f64().unwrap_or_default() * 1000.0).round() as i64
}

fn row<'a>(report: &'a Value, id: &str) -> &'a Value {
    report["items"].as_array().expect("items").iter().find(|item| item["id"] == id).unwrap_or(&Value::Null)
}

#[rstest]
#[tokio::test]
async fn every_report_equals_a_count_of_the_lines(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let seed = 20_261_120;
    let mut random = StdRng::seed_from_u64(seed);
    let stage = stage(on, &mut random).await;
    for round in 0..25 {
        let from = FIRST + random.random_range(-10..DAYS);
        let to = from + random.random_range(0..100);
        let stores: &[usize] = [&[0, 1, 2][..], &[1], &[0, 2]][round % 3];
        let query = stage.query(from, to, stores);
        let what = format!("seed {seed}, {query}");

        let ranked = stage.admin.get(&format!("/api/reports/sales-by-root-items?{query}")).await.expect(200);
        let root = stage.count_root(from, to, stores);
        for (at, id) in stage.root.iter().enumerate() {
            assert_eq!(number(row(&ranked, id), "qty"), root[at], "{what}");
        }
        assert_eq!(number(&ranked, "total"), root.iter().sum::<i64>(), "{what}");
        let days = to - from + 1;
        assert_eq!(
            number(&ranked, "previousTotal"),
            stage.count_root(from - days, from - 1, stores).iter().sum::<i64>(),
            "{what}"
        );

        let by_store =
            stage.admin.get(&format!("/api/reports/product-sales-by-store?{query}")).await.expect(200);
        let pos = stage.count(from, to, stores);
        for (at, id) in stage.pos.iter().enumerate() {
            assert_eq!(number(row(&by_store, id), "qty"), pos[at] * 1000, "{what}");
            assert_eq!(number(row(&by_store, id), "net"), pos[at] * PRICE * 10, "{what}");
        }

        let (monday, sunday) = (BusinessDay(from).week().0, BusinessDay(to).week().0 + 6);
        let weekly =
            stage.admin.get(&format!("/api/reports/weekly-root-item-sales?{query}")).await.expect(200);
        assert_eq!(
            number(&weekly, "grandTotal"),
            stage.count_root(monday, sunday, stores).iter().sum::<i64>(),
            "{what}"
        );
        assert_eq!(
            number(&weekly, "netTotal"),
            stage.count(monday, sunday, stores).iter().sum::<i64>() * PRICE * 10,
            "{what}"
        );
        let weeks = weekly["weeks"].as_array().expect("weeks");
        assert_eq!(weeks.len() as i32, (sunday + 1 - monday) / 7, "{what}");
        for (at, week) in weeks.iter().enumerate() {
            let week = week.as_str().expect("a date").parse::<BusinessDay>().expect("a date").0;
            let shown = (weekly["totals"][at].as_f64().expect("a number") * 1000.0).round() as i64;
            assert_eq!(
                shown,
                stage.count_root(week, week + 6, stores).iter().sum::<i64>(),
                "{what}, week {week}"
            );
        }

        let lines = stage
            .admin
            .get(&format!("/api/reports/lines?{query}&rootItemId={}&pageSize=500", stage.root[0]))
            .await
            .expect(200);
        assert_eq!(number(&lines, "qty"), root[0], "the parts of a root item: {what}");
        let lines = stage
            .admin
            .get(&format!("/api/reports/lines?{query}&posItemId={}&pageSize=500", stage.pos[1]))
            .await
            .expect(200);
        assert_eq!(number(&lines, "qty"), pos[1] * 1000, "the parts of a POS item: {what}");
    }
    assert_eq!(larder_ledgers::sales::verify(&stage.app.db).await.expect("readable"), []);
}

#[rstest]
#[tokio::test]
async fn reports_only_cover_accessible_stores(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on, &mut StdRng::seed_from_u64(7)).await;
    let rights: &[(&str, &[Action])] = &[("reports/reports", &[Action::View])];
    let scoped = stage.app.user(rights, Some(&[stage.stores[1].clone()])).await;
    let range = format!("from={}&to={}", BusinessDay(FIRST), BusinessDay(FIRST + DAYS));
    let own = stage.count_root(FIRST, FIRST + DAYS, &[1]).iter().sum::<i64>();
    let seen = scoped.get(&format!("/api/reports/sales-by-root-items?{range}")).await.expect(200);
    assert_eq!(number(&seen, "total"), own);
    let seen = scoped.get(&format!("/api/reports/product-sales-by-store?{range}")).await.expect(200);
    assert_eq!(seen["stores"].as_array().map(Vec::len), Some(1));
    for report in ["weekly-root-item-sales", "product-sales-by-store", "sales-by-root-items"] {
        let refused =
            scoped.get(&format!("/api/reports/{report}?{range}&storeIds={}", stage.stores[0])).await;
        assert_eq!(
            (refused.status, refused.json()["detail"].clone()),
            (403, json!("You don't have access to this store."))
        );
        assert_eq!(
            scoped.get(&format!("/api/reports/{report}/export?{range}")).await.status,
            403,
            "view is not export"
        );
    }
    let south = stage.admin.get("/api/names/regional-areas").await.expect(200)[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let in_area = stage
        .admin
        .get(&format!("/api/reports/sales-by-root-items?{range}&areaIds={south}"))
        .await
        .expect(200);
    assert_eq!(number(&in_area, "total"), stage.count_root(FIRST, FIRST + DAYS, &[0]).iter().sum::<i64>());
    let none =
        scoped.get(&format!("/api/reports/sales-by-root-items?{range}&areaIds={south}")).await.expect(200);
    assert_eq!(number(&none, "total"), 0, "an area does not widen the scope");
}

#[rstest]
#[tokio::test]
async fn invalid_parameters_are_refused_with_a_reason(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for (query, field) in [
        ("", "from"),
        ("from=2019-01-01", "to"),
        ("from=31/31/2019&to=2019-01-01", "from"),
        ("from=2019-01-02&to=2019-01-01", "to"),
        ("from=1990-01-01&to=2019-01-01", "to"),
        ("from=0001-01-01&to=2019-01-01", "from"),
    ] {
        let answer = admin.get(&format!("/api/reports/sales-by-root-items?{query}")).await.expect(422);
        assert_eq!(answer["fields"][0]["field"], field, "{query}: {answer}");
    }
    let answer = admin.get("/api/reports/lines?from=2019-01-01&to=2019-01-02").await.expect(422);
    assert_eq!(answer["fields"][0]["message"], "Choose a root item or a POS item.");
}

#[rstest]
#[tokio::test]
async fn reports_are_exported_as_files(#[from(one_engine)] on: Engine) {
    let stage = stage(on, &mut StdRng::seed_from_u64(3)).await;
    let range = format!("from={}&to={}", BusinessDay(FIRST), BusinessDay(FIRST + DAYS));
    for (report, row) in [
        ("weekly-root-item-sales", "Rice"),
        ("product-sales-by-store", "Meal 0"),
        ("sales-by-root-items", "Rice"),
    ] {
        let csv = stage.admin.get(&format!("/api/reports/{report}/export?{range}")).await;
        assert_eq!(csv.status, 200);
        let text = csv.text();
        assert!(text.contains(row), "{report}: {text}");
        let xlsx = stage.admin.get(&format!("/api/reports/{report}/export?{range}&format=xlsx")).await;
        assert_eq!(&xlsx.bytes[..2], b"PK");
    }
}

/// Merging items keeps all sales and uses: a recalculation gives the same, and totals are those of both.
#[rstest]
#[tokio::test]
async fn merged_items_keep_their_sales_and_use(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut random = StdRng::seed_from_u64(7);
    let stage = stage(on, &mut random).await;
    let range = format!("from={}&to={}", BusinessDay(FIRST), BusinessDay(FIRST + DAYS));
    let used = async || {
        let report = stage.admin.get(&format!("/api/reports/sales-by-root-items?{range}")).await.expect(200);
        let items = report["items"].as_array().expect("items").clone();
        let of = |item: &Value| (item["id"].as_str().expect("an id").to_owned(), item["qty"].as_f64());
        items.iter().map(of).collect::<BTreeMap<_, _>>()
    };
    let before = used().await;
    let merge = async |path: &str, from: &str, into: &str| {
        let revision =
            async |id: &str| stage.admin.get(&format!("{path}/{id}")).await.expect(200)["revision"].clone();
        let body =
            json!({ "into": into, "revision": revision(from).await, "intoRevision": revision(into).await });
        stage.admin.post(&format!("{path}/{from}/merge"), &body).await.expect(200)
    };
    let answer = merge("/api/lists/root-items", &stage.root[0], &stage.root[1]).await;
    assert_eq!(answer["moved"], json!([{ "kind": "posItem", "label": "POS items", "count": 2 }]));
    let both: f64 = stage.root.iter().filter_map(|id| before[id]).sum();
    let after = used().await;
    assert_eq!(after.keys().collect::<Vec<_>>(), [&stage.root[1]]);
    assert!((after[&stage.root[1]].expect("a quantity") - both).abs() < 1e-6);
    assert_eq!(larder_ledgers::sales::verify(&stage.app.db).await.expect("counted"), []);

    // After merging POS items, the remaining one's bill of materials applies to the sales of both.
    merge("/api/lists/pos-items", &stage.pos[2], &stage.pos[0]).await;
    assert_eq!(larder_ledgers::sales::verify(&stage.app.db).await.expect("counted"), []);
    let sold: i64 = stage.sold.values().sum();
    let report = stage.admin.get(&format!("/api/reports/product-sales-by-store?{range}")).await.expect(200);
    let items = report["items"].as_array().expect("items");
    assert_eq!(items.len(), 2);
    let total: f64 = items.iter().filter_map(|item| item["qty"].as_f64()).sum();
    assert!((total - sold as f64).abs() < 1e-6);
    assert_eq!(stage.admin.get(&format!("/api/lists/pos-items/{}", stage.pos[2])).await.status, 404);
}
