//! POS items by store, and the parts of a figure.

use rstest::rstest;
use serde_json::json;

use crate::support::{App, Engine};
use crate::tools::import_sales_product::import;

const FILE: &str = "Date,Store,Item,Qty,Price\n\
    28/02/2020,Makati,Rice,1,10\n01/03/2020,Makati,Rice,2,10\n15/04/2020,Makati,Tea,4,20\n\
    31/03/2020,Pasig,Rice,8,10\n02/05/2020,Pasig,Tea,16,20\n";

#[rstest]
#[tokio::test]
async fn odd_ranges_are_exact(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    import(&app, &admin, "two.csv", FILE).await;
    // Days, weeks and a whole month together cover exactly the requested range.
    for (from, to, qty, net) in [
        ("2020-02-01", "2020-05-31", 31, 510),
        ("2020-02-29", "2020-05-01", 14, 180),
        ("2020-03-01", "2020-03-31", 10, 100),
        ("2020-03-02", "2020-04-14", 8, 80),
        ("2020-04-15", "2020-04-15", 4, 80),
        ("2020-01-01", "2020-01-31", 0, 0),
    ] {
        let report =
            admin.get(&format!("/api/reports/product-sales-by-store?from={from}&to={to}")).await.expect(200);
        assert_eq!((&report["totalQty"], &report["totalNet"]), (&json!(qty), &json!(net)), "{from} {to}");
    }
    let export = admin
        .get("/api/reports/product-sales-by-store/export?from=2020-02-01&to=2020-05-31&format=xlsx")
        .await;
    assert_eq!(export.status, 200);
    assert!(export.bytes.starts_with(b"PK"));
}

#[rstest]
#[tokio::test]
async fn a_figure_leads_to_its_store_days(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    import(&app, &admin, "two.csv", FILE).await;
    let rice: (String,) =
        app.db.sql("select id from pos_items where description = 'Rice'").one().await.expect("an item");
    let path = format!("/api/reports/lines?from=2020-02-28&to=2020-03-02&posItemId={}", rice.0);
    let parts = admin.get(&path).await.expect(200);
    assert_eq!(parts["total"], 2, "{parts}");
    assert_eq!((&parts["qty"], &parts["net"]), (&json!(3), &json!(30)));
    // The head is of all parts, whatever the page has of them.
    let page = admin.get(&format!("{path}&pageSize=1")).await.expect(200);
    assert_eq!((page["items"].as_array().map(Vec::len), &page["net"]), (Some(1), &json!(30)));
    let days: Vec<&str> =
        parts["items"].as_array().expect("parts").iter().filter_map(|p| p["from"].as_str()).collect();
    assert!(days.contains(&"2020-02-28") && days.contains(&"2020-03-01"), "{days:?}");
    assert_eq!(admin.get("/api/reports/lines?from=2020-02-28&to=2020-03-02").await.status, 422);
}
