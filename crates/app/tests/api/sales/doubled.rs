//! A store-day with sales from two sources: counted once, and reported.

use larder_platform::Clock as _;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Reading, day, put_paid, put_reading, store};
use crate::support::{App, Engine, actor, one_engine};

/// A source's receipts of a till on February 1, 2025: net sales, promo and employee discounts, cash; in
/// centavos.
pub(super) async fn put_sales(app: &App, store: &str, (source, till): (&str, &str), figures: [i64; 4]) {
    let [net, promo, employee, cash] = figures;
    let at = app.clock.now();
    let who = actor(at);
    let date = day("2025-02-01");
    let written = app.db.write(&who, async |tx| {
        tx.sql(
            "insert into sales_day_facts (store_id, business_date, source, terminal_id, receipts, pax, gross, net,
               senior, pwd, naac, solo_parent, valor, employee, vip, promo, other_discount, vatable, vat, exempt,
               zero_rated, service_charge, local_tax, returns, voids)
             values ($1, $2, $3, $4, 1, 0, $5, $5, 0, 0, 0, 0, 0, $6, 0, $7, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
        )
        .bind(store)
        .bind(date)
        .bind(source)
        .bind(till)
        .bind(net)
        .bind(employee)
        .bind(promo)
        .execute()
        .await?;
        put_paid(tx, at, (store, date, source, till), (net, &[("Cash", cash)][..])).await
    });
    written.await.expect("sales");
}

/// A reading of till T1: net 900.00, other discounts 100.00, all cash.
async fn read(app: &App, store: &str) {
    let reading = Reading { gross: 100_000, net: 90_000, other: 10_000, ..Reading::of(0) };
    let tenders = json!([{ "kind": "cash", "label": "CASH", "amount": 900 }]);
    put_reading(app, store, day("2025-02-01"), &Reading { tenders, ..reading }).await;
}

async fn first_day(admin: &crate::support::Client, store: &str) -> Value {
    let month = admin.get(&format!("/api/sales/cmsr?storeId={store}&month=2025-02")).await.expect(200);
    let figures = &month["content"]["days"][0];
    json!({ "promo": figures["figures"]["approvedPromo"], "employee": figures["figures"]["employee"],
        "doubled": figures["doubled"], "undecided": month["undecided"], "blocker": month["blocker"],
        "warnings": month["warnings"] })
}

async fn paid(admin: &crate::support::Client) -> Value {
    let at = "/api/sales/tender-report?from=2025-02-01&to=2025-02-01";
    admin.get(at).await.expect(200)["items"][0].clone()
}

#[rstest]
#[tokio::test]
async fn the_source_that_matches_the_reading_counts(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    read(&app, &makati).await;
    put_sales(&app, &makati, ("api", "T1"), [90_000, 3_000, 2_000, 90_000]).await;
    put_sales(&app, &makati, ("file", "T1"), [95_000, 4_000, 2_000, 95_000]).await;
    let first = first_day(&admin, &makati).await;
    assert_eq!((&first["promo"], &first["employee"]), (&json!(30), &json!(20)), "once, and those of the API");
    assert_eq!(first["doubled"], json!([{ "sources": ["api", "file"], "counted": "api", "open": false }]));
    assert_eq!(first["undecided"], json!([]));
    assert!(
        first["warnings"][0]
            .as_str()
            .expect("words")
            .starts_with("On 1 day the same sales came from api and file."),
        "{first}"
    );
    let row = paid(&admin).await;
    assert_eq!((&row["pos"], &row["z"], &row["posLeft"]), (&json!(900), &json!(900), &json!(["file"])));
    let at = format!("/api/sales/tender-report/sources?storeId={makati}&date=2025-02-01&kind=cash");
    let sources = admin.get(&at).await.expect(200);
    let counted: Vec<&Value> =
        sources["pos"].as_array().expect("rows").iter().map(|one| &one["counted"]).collect();
    assert_eq!(counted, [&json!(true), &json!(false)]);
    let calendar = admin.get("/api/sales/z-reading/calendar?from=2025-02-01&to=2025-02-01").await.expect(200);
    assert_eq!(calendar["stores"][0]["days"][0]["sold"], 900);
}

#[rstest]
#[tokio::test]
async fn without_a_matching_reading_a_source_must_be_chosen(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    read(&app, &makati).await;
    put_sales(&app, &makati, ("api", "T1"), [80_000, 3_000, 2_000, 80_000]).await;
    put_sales(&app, &makati, ("file", "T1"), [95_000, 4_000, 1_000, 95_000]).await;
    let first = first_day(&admin, &makati).await;
    assert_eq!(first["undecided"], json!(["2025-02-01"]));
    assert_eq!((&first["promo"], &first["employee"]), (&json!(40), &json!(10)), "never both");
    assert_eq!(
        first["blocker"],
        "27 days lack a verified Z-reading. 1 day has the same sales from several sources; choose which counts."
    );
    let year = admin.get("/api/sales/cmsr/year?year=2025").await.expect(200);
    assert_eq!(year["items"][0]["months"][1]["undecidedDays"], 1);
    let range = "from=2025-02-01&to=2025-02-01&layout=cashSale";
    let list = admin.get(&format!("/api/sales/netsuite?{range}")).await.expect(200);
    assert_eq!(list["items"][0]["state"], "blocked");
    assert!(
        list["items"][0]["reasons"][0]
            .as_str()
            .expect("words")
            .starts_with("The same sales came from several sources"),
        "{list}"
    );

    let body = json!({ "storeId": makati, "date": "2025-02-01", "source": "api" });
    admin.put("/api/sales/cmsr/days", &body).await.expect(200);
    let first = first_day(&admin, &makati).await;
    assert_eq!((&first["promo"], &first["employee"]), (&json!(30), &json!(20)));
    assert_eq!((&first["undecided"], &first["doubled"][0]["counted"]), (&json!([]), &json!("api")));
    assert_eq!(paid(&admin).await["pos"], 800, "the tender report follows");
    let list = admin.get(&format!("/api/sales/netsuite?{range}")).await.expect(200);
    assert_eq!(list["items"][0]["state"], "ready");
}

#[rstest]
#[tokio::test]
async fn sources_of_different_tills_are_added(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    read(&app, &makati).await;
    put_sales(&app, &makati, ("api", "T1"), [80_000, 3_000, 2_000, 80_000]).await;
    put_sales(&app, &makati, ("file", "T2"), [10_000, 1_000, 1_000, 10_000]).await;
    let first = first_day(&admin, &makati).await;
    assert_eq!(
        (&first["promo"], &first["employee"], &first["doubled"]),
        (&json!(40), &json!(30), &json!([]))
    );
    assert_eq!(paid(&admin).await["pos"], 900);
}
