//! A month calculated by hand: thirty days of two tills, and the resulting certified month under two leases,
//! tender report and three NetSuite files. `fixtures/month` documents the calculation.

use std::collections::BTreeMap;

use larder_db::Json;
use larder_domain::Money;
use larder_platform::Clock as _;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Reading, day, put_reading, store};
use crate::support::{App, Engine, actor};

const READINGS: &str = include_str!("../../fixtures/month/readings.csv");
const EXPECTED: &str = include_str!("../../fixtures/month/expected.json");
const RANGE: &str = "from=2025-06-01&to=2025-06-30";

fn centavos(value: &Value) -> i64 {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Money::parse(&text).unwrap_or_else(|_| panic!("{value} is no amount")).0
}

/// Inserts the sheet's readings and receipts.
async fn load(app: &App, store: &str) {
    let mut sheet = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(READINGS.as_bytes());
    let heads = sheet.headers().expect("heads").clone();
    let at = app.clock.now();
    for row in sheet.records() {
        let row = row.expect("a row");
        let cell = |name: &str| row.get(heads.iter().position(|head| head == name).expect(name)).expect(name);
        let amount = |name: &str| Money::parse(cell(name)).expect(name).0;
        let date = day(cell("date"));
        let pesos = |name: &str| json!(Money(amount(name)));
        let reading = Reading {
            terminal: cell("terminal").to_owned(),
            state: "verified".to_owned(),
            z: cell("z").parse().expect("a counter"),
            gross: amount("gross"),
            net: amount("net"),
            vatable: amount("vatable"),
            vat: amount("vat"),
            exempt: amount("exempt"),
            zero: amount("zero"),
            senior: amount("senior"),
            pwd: amount("pwd"),
            naac: amount("naac"),
            solo: amount("solo"),
            valor: amount("valor"),
            other: amount("other"),
            voids: amount("voids"),
            returns: amount("returns"),
            vadj: amount("vadj"),
            service: amount("sc"),
            tenders: json!([
                { "kind": "cash", "label": "CASH", "amount": pesos("cash") },
                { "kind": "card", "label": "CARD", "amount": pesos("card") },
                { "kind": "eWallet", "label": "GCASH", "amount": pesos("ewallet") },
            ]),
        };
        put_reading(app, store, date, &reading).await;
        let who = actor(at);
        let reported = app.db.write(&who, async |tx| {
            tx.sql(
                "insert into sales_day_facts (store_id, business_date, source, terminal_id, receipts, pax, gross, net,
                   senior, pwd, naac, solo_parent, valor, employee, vip, promo, other_discount, vatable, vat, exempt,
                   zero_rated, service_charge, local_tax, returns, voids)
                 values ($1, $2, 'file', $3, 1, 0, 0, 0, 0, 0, 0, 0, 0, $4, $5, $6, 0, 0, 0, 0, 0, 0, $7, 0, 0)",
            )
            .bind(store)
            .bind(date)
            .bind(cell("terminal"))
            .bind(amount("employee"))
            .bind(amount("vip"))
            .bind(amount("promo"))
            .bind(amount("localtax"))
            .execute()
            .await
        });
        reported.await.expect("facts");
    }
    let who = actor(at);
    let inside = app.db.write(&who, async |tx| {
        tx.sql(
            "insert into z_terminals (store_id, terminal_id, basis, vat, revision, updated_at, updated_by)
             values ($1, 'T2', 'net', 'inclusive', 1, $2, $3)",
        )
        .bind(store)
        .bind(at)
        .bind(Json(json!({ "uid": "u", "name": "Ana", "email": "" })))
        .execute()
        .await
    });
    inside.await.expect("a till");
}

#[rstest]
#[tokio::test]
async fn a_month_equals_the_manual_calculation(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    load(&app, &makati).await;
    let expected: Value = serde_json::from_str(EXPECTED).expect("JSON");
    let same = |what: &str, got: &Value, want: &Value| assert_eq!(centavos(got), centavos(want), "{what}");

    // The certified month, with the greater of two rents and with both.
    let cmsr = format!("/api/sales/cmsr?storeId={makati}&month=2025-06");
    let terms = |fixed: i64, percent: f64, mode: &str, backs: Value| {
        json!({ "storeId": makati, "validFrom": "2025-01-01", "terms": {
            "fixed": fixed, "percent": percent, "mode": mode, "breakpoints": [], "addBacks": backs } })
    };
    let lease =
        admin.post("/api/stores/leases", &terms(250_000, 6.0, "greaterOf", json!([]))).await.expect(201);
    let shown = admin.get(&cmsr).await.expect(200);
    assert_eq!(
        (&shown["blocker"], &shown["content"]["days"].as_array().map(Vec::len)),
        (&Value::Null, &Some(30))
    );
    let foot = &shown["content"]["foot"];
    for (name, want) in expected["foot"].as_object().expect("a foot") {
        same(name, &foot[name], want);
    }
    for (name, figure) in [
        ("unexplained", "unapprovedPromo"),
        ("promo", "approvedPromo"),
        ("employee", "employee"),
        ("vip", "vip"),
    ] {
        same(name, &shown["content"]["total"][figure], &expected[name]);
    }
    for (name, want) in expected["greaterOf"].as_object().expect("a rent") {
        same(name, &foot[name], want);
    }
    let at = format!("/api/stores/leases/{}", lease["id"].as_str().expect("an id"));
    let backs = json!([
        { "name": "Marketing fund", "amount": 5_000 },
        { "name": "Discounts not approved", "percent": 100, "of": "unapprovedPromo" },
    ]);
    let mut both = terms(80_000, 3.5, "additive", backs);
    both["revision"] = json!(1);
    admin.patch(&at, &both).await.expect(200);
    let foot = admin.get(&cmsr).await.expect(200)["content"]["foot"].clone();
    for (name, want) in expected["additive"].as_object().expect("a rent") {
        same(name, &foot[name], want);
    }

    // The tender report.
    let report = admin.get(&format!("/api/sales/tender-report?{RANGE}")).await.expect(200);
    let mut paid: BTreeMap<String, i64> = BTreeMap::new();
    for row in report["items"].as_array().expect("rows") {
        *paid.entry(row["kind"].as_str().expect("a kind").to_owned()).or_default() += centavos(&row["z"]);
    }
    for (kind, want) in expected["tenders"].as_object().expect("tenders") {
        assert_eq!(paid[kind], centavos(want), "{kind}");
    }

    // NetSuite's three files, by column.
    for layout in ["cashSale", "invoice"] {
        let (heads, rows) = file(&admin, layout, &makati).await;
        let column = |name: &str| heads.iter().position(|head| head == name).expect(name);
        let mut lines: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        let mut records: BTreeMap<String, i64> = BTreeMap::new();
        for row in &rows {
            let cents = |name: &str| Money::parse(&row[column(name)]).expect(name).0;
            let line = lines.entry(row[column("Description")].clone()).or_default();
            line.0 += cents("Amount");
            line.1 += cents("Tax Amount");
            *records.entry(row[column("External ID")].clone()).or_default() += cents("Gross Amount");
        }
        let names: Vec<&String> = rows.iter().map(|row| &row[column("External ID")]).collect();
        let mut once = names.clone();
        once.dedup();
        assert_eq!(once.len(), records.len(), "lines of a record are consecutive");
        assert_eq!((records.len(), records.values().sum::<i64>()), (30, centavos(&expected["net"])));
        let want = expected["lines"].as_object().expect("lines");
        assert_eq!(lines.len(), want.len(), "{:?}", lines.keys());
        for (kind, want) in want {
            assert_eq!(
                lines[title(kind)],
                (centavos(&want["amount"]), centavos(&want["tax"])),
                "{layout} {kind}"
            );
        }
    }
    let (heads, rows) = file(&admin, "journalEntry", &makati).await;
    let column = |name: &str| heads.iter().position(|head| head == name).expect(name);
    let mut accounts: BTreeMap<String, i64> = BTreeMap::new();
    let mut journals: BTreeMap<String, i64> = BTreeMap::new();
    for row in &rows {
        let cents = |name: &str| Money::parse(&row[column(name)]).map_or(0, |amount| amount.0);
        let amount = cents("Debit") - cents("Credit");
        *accounts.entry(row[column("Account")].clone()).or_default() += amount;
        *journals.entry(row[column("External ID")].clone()).or_default() += amount;
    }
    assert!(journals.len() == 30 && journals.values().all(|sum| *sum == 0), "every journal balances");
    let want = expected["journal"].as_object().expect("a journal");
    assert_eq!(accounts.len(), want.len(), "{:?}", accounts.keys());
    for (kind, want) in want {
        assert_eq!(accounts[title(kind)], centavos(want), "{kind}");
    }
}

/// Column titles and rows of a layout's export. Its days are withdrawn afterwards, so that they can go in the next one.
async fn file(admin: &crate::support::Client, layout: &str, store: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let body = json!({ "layout": layout, "from": "2025-06-01", "to": "2025-06-30" });
    let made = admin.post("/api/sales/netsuite/export", &body).await.expect(201);
    assert_eq!((&made["records"], &made["left"]), (&json!(30), &json!([])));
    let at = format!("/api/sales/netsuite/exports/{}/file", made["id"].as_str().expect("an id"));
    let text = admin.get(&at).await.text();
    let days: Vec<Value> =
        (1..=30).map(|date| json!({ "storeId": store, "date": format!("2025-06-{date:02}") })).collect();
    let back = json!({ "layout": layout, "days": days, "reason": "The next layout" });
    let back = admin.post("/api/sales/netsuite/withdraw", &back).await.expect(200);
    assert_eq!(back["externalIds"].as_array().map(Vec::len), Some(30));
    let mut sheet = csv::Reader::from_reader(text.as_bytes());
    let heads = sheet.headers().expect("heads").iter().map(str::to_owned).collect();
    let rows = sheet.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect();
    (heads, rows)
}

/// Name of a line in the files.
fn title(kind: &str) -> &'static str {
    larder_domain::netsuite::LINE_KINDS
        .into_iter()
        .find(|one| one.as_str() == kind)
        .map_or("", |one| one.title())
}
