//! A Z-reading of several days: its days are compared together, on the last of them.

use larder_domain::BusinessDay;
use larder_platform::Clock as _;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Reading, day, put_paid, put_reading, store};
use crate::support::{App, Client, Engine, actor, one_engine};

const PATH: &str = "/api/sales/tender-report";

/// A source's receipts of till T1 on a day of February 2025: promo discounts, and tenders, which are its net sales; in
/// centavos.
async fn sell(app: &App, store: &str, (date, source): (&str, &str), promo: i64, tenders: &[(&str, i64)]) {
    let (at, net) = (app.clock.now(), tenders.iter().map(|(_, amount)| amount).sum::<i64>());
    let (who, date) = (actor(at), day(date));
    let written = app.db.write(&who, async |tx| {
        tx.sql(
            "insert into sales_day_facts (store_id, business_date, source, terminal_id, receipts, pax, gross, net,
               senior, pwd, naac, solo_parent, valor, employee, vip, promo, other_discount, vatable, vat, exempt,
               zero_rated, service_charge, local_tax, returns, voids)
             values ($1, $2, $3, 'T1', 1, 0, $4, $4, 0, 0, 0, 0, 0, 0, 0, $5, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
        )
        .bind(store)
        .bind(date)
        .bind(source)
        .bind(net)
        .bind(promo)
        .execute()
        .await?;
        put_paid(tx, at, (store, date, source, "T1"), (net, tenders)).await
    });
    written.await.expect("sales");
}

/// A verified reading of till T1 on February 8, 2025 that covers the two days before it, too; in centavos.
async fn read(app: &App, store: &str, cash: i64, card: i64) {
    let pesos = |centavos: i64| centavos as f64 / 100.0;
    let tenders = json!([
        { "kind": "cash", "label": "CASH", "amount": pesos(cash) },
        { "kind": "card", "label": "VISA", "amount": pesos(card) },
    ]);
    let net = cash + card;
    let reading = Reading { z: 8, gross: net + 9_000, net, other: 9_000, tenders, ..Reading::of(0) };
    put_reading(app, store, day("2025-02-08"), &reading).await;
    let covers = "update z_readings set covers_from = $1 where business_date = $2";
    let (first, last) = (day("2025-02-06"), day("2025-02-08"));
    let who = actor(app.clock.now());
    let written = app.db.write(&who, async |tx| tx.sql(covers).bind(first).bind(last).execute().await);
    written.await.expect("a reading of three days");
}

async fn declare(admin: &Client, store: &str, date: &str, hundreds: i64, card: i64) {
    let body = json!({ "storeId": store, "businessDate": date, "tenders": [{ "kind": "card", "amount": card }],
        "pieces": [{ "denomination": 100, "pieces": hundreds }], "override": true, "reason": "Found late" });
    admin.post(&format!("{PATH}/declarations"), &body).await.expect(201);
}

async fn deposit(admin: &Client, store: &str, date: &str, amount: i64) {
    let body = json!({ "storeId": store, "depositedOn": date, "bank": "BPI", "reference": format!("S-{date}"),
        "days": [{ "businessDate": date, "amount": amount }], "override": true, "reason": "Found late" });
    admin.post(&format!("{PATH}/deposits"), &body).await.expect(201);
}

/// The rows of a tender as date, words, missing, and pairs as state, left and right.
fn told(report: &Value, kind: &str) -> Vec<(String, String, Value, Vec<Value>)> {
    let rows = report["items"].as_array().expect("rows").iter().filter(|row| row["kind"] == kind);
    rows.map(|row| {
        let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
        let pairs = row["pairs"].as_array().expect("pairs").iter();
        let pairs = pairs.map(|pair| json!([pair["state"], pair["left"], pair["right"]])).collect();
        (text(&row["date"]), text(&row["compared"]["words"]), row["missing"].clone(), pairs)
    })
    .collect()
}

fn sixth() -> BusinessDay {
    day("2025-02-06")
}

#[rstest]
#[tokio::test]
async fn days_of_one_reading_are_compared_together(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    sell(&app, &makati, ("2025-02-06", "file"), 0, &[("CASH", 30_000), ("VISA", 10_000)]).await;
    sell(&app, &makati, ("2025-02-07", "file"), 0, &[("CASH", 40_000)]).await;
    sell(&app, &makati, ("2025-02-08", "file"), 0, &[("CASH", 30_000), ("VISA", 35_000)]).await;
    read(&app, &makati, 100_000, 45_000).await;
    // The cash of the first day was counted with that of the second.
    declare(&admin, &makati, "2025-02-07", 7, 0).await;
    declare(&admin, &makati, "2025-02-08", 3, 450).await;
    deposit(&admin, &makati, "2025-02-07", 700).await;
    deposit(&admin, &makati, "2025-02-08", 200).await;

    let asked = |from: &str, to: &str| format!("{PATH}?from={from}&to={to}");
    let report = admin.get(&asked("2025-02-06", "2025-02-08")).await.expect(200);
    let later = |date: &str, pairs: Value| {
        let words = "In the reading of 8 Feb 2025".to_owned();
        (date.to_owned(), words, Value::Null, pairs.as_array().cloned().unwrap_or_default())
    };
    let cash = told(&report, "cash");
    assert_eq!(
        cash,
        [
            later(
                "2025-02-06",
                json!([["readLater", 300, null], ["readLater", null, null], ["readLater", null, null]])
            ),
            later(
                "2025-02-07",
                json!([["readLater", 400, null], ["readLater", null, 700], ["readLater", 700, 700]])
            ),
            (
                "2025-02-08".to_owned(),
                "Declared–deposited −₱100.00".to_owned(),
                json!(100),
                vec![
                    json!(["agrees", 1000, 1000]),
                    json!(["agrees", 1000, 1000]),
                    json!(["differs", 1000, 900])
                ]
            ),
        ]
    );
    let card = told(&report, "card");
    assert_eq!(
        card.iter().map(|(date, ..)| date.as_str()).collect::<Vec<_>>(),
        ["2025-02-06", "2025-02-07", "2025-02-08"]
    );
    assert_eq!((&card[2].1, &card[2].2), (&"Not settled".to_owned(), &json!(450)));
    assert_eq!(card[2].3[0], json!(["agrees", 450, 450]));
    assert_eq!(report["listed"]["missing"], 550);
    let last = report["items"].as_array().expect("rows").iter().find(|row| row["date"] == "2025-02-08");
    let last = last.expect("the last day");
    assert_eq!((&last["pos"], &last["z"], &last["coversFrom"]), (&json!(300), &json!(1000), &json!(sixth())));

    // A range that ends before the last day, or begins with it, says the same of its days.
    let before = admin.get(&asked("2025-02-06", "2025-02-07")).await.expect(200);
    assert_eq!((told(&before, "cash"), &before["listed"]["missing"]), (cash[..2].to_vec(), &json!(0)));
    let alone = admin.get(&asked("2025-02-08", "2025-02-08")).await.expect(200);
    assert_eq!((told(&alone, "cash"), told(&alone, "card")), (cash[2..].to_vec(), card[2..].to_vec()));
    // Something of the three days was declared.
    let undeclared = format!("{}&only=undeclared", asked("2025-02-06", "2025-02-08"));
    assert_eq!(admin.get(&undeclared).await.expect(200)["items"], json!([]));
}

#[rstest]
#[tokio::test]
async fn a_source_counts_on_each_day_of_a_reading(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    for (date, api, file) in
        [("2025-02-06", 30_000, 35_000), ("2025-02-07", 40_000, 45_000), ("2025-02-08", 30_000, 39_000)]
    {
        sell(&app, &makati, (date, "api"), 3_000, &[("CASH", api)]).await;
        sell(&app, &makati, (date, "file"), 5_000, &[("CASH", file)]).await;
    }
    read(&app, &makati, 100_000, 0).await;
    let month = admin.get(&format!("/api/sales/cmsr?storeId={makati}&month=2025-02")).await.expect(200);
    assert_eq!(month["undecided"], json!([]), "{}", month["blocker"]);
    let days = &month["content"]["days"];
    let doubled = json!([{ "sources": ["api", "file"], "counted": "api", "open": false }]);
    assert_eq!(days[7]["doubled"], doubled);
    // The receipts of all three days explain what the reading took off.
    assert_eq!(days[7]["figures"]["approvedPromo"], 90);
    assert_eq!(days[6]["figures"]["approvedPromo"], 0);
    let said: Vec<_> = (5..8).map(|at| (days[at]["readOn"].clone(), days[at]["missing"].clone())).collect();
    let later = (json!("2025-02-08"), json!(false));
    assert_eq!(said, [later.clone(), later, (Value::Null, json!(false))]);

    let report = admin.get(&format!("{PATH}?from=2025-02-06&to=2025-02-08&kinds=cash")).await.expect(200);
    let pos = report["items"].as_array().expect("rows").iter().map(|row| json!([row["pos"], row["posLeft"]]));
    let counted = |amount: i64| json!([amount, ["file"]]);
    assert_eq!(pos.collect::<Vec<_>>(), [counted(300), counted(400), counted(300)]);
    assert_eq!(told(&report, "cash")[2].3[0], json!(["agrees", 1000, 1000]));
}

#[rstest]
#[tokio::test]
async fn a_day_that_is_not_in_is_no_difference_of_the_others(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    sell(&app, &makati, ("2025-02-06", "file"), 0, &[("CASH", 30_000)]).await;
    sell(&app, &makati, ("2025-02-08", "file"), 0, &[("CASH", 30_000)]).await;
    read(&app, &makati, 100_000, 0).await;
    let at = format!("{PATH}?from=2025-02-06&to=2025-02-08&kinds=cash");
    let report = admin.get(&at).await.expect(200);
    assert_eq!(told(&report, "cash")[2].3[0], json!(["missing", 600, 1000]));
    sell(&app, &makati, ("2025-02-07", "file"), 0, &[("CASH", 30_000)]).await;
    let report = admin.get(&at).await.expect(200);
    assert_eq!(told(&report, "cash")[2].3[0], json!(["differs", 900, 1000]));
}
