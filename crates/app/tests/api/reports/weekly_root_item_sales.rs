//! Quantities by week.

use larder_domain::{Action, Factor};
use larder_ledgers::sales::bom;
use larder_ledgers::sales::bom::BomFrom;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Engine, actor};
use crate::tools::import_sales_product::{import, real_file};

const PATH: &str = "/api/reports/weekly-root-item-sales";

fn week<'a>(report: &'a Value, label: &str) -> &'a Value {
    let at =
        report["weekLabels"].as_array().expect("labels").iter().position(|l| l == label).expect("a week");
    &report["totals"][at]
}

#[rstest]
#[tokio::test]
async fn a_real_year_gives_the_known_weeks(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let bytes = real_file("restaurant_orders.csv");
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    import(&app, &admin, "orders.csv", bytes).await;
    let report = admin.get(&format!("{PATH}?from=2018-01-01&to=2019-12-31&by=pos")).await.expect(200);
    assert_eq!(week(&report, "2019-W10"), &json!(700));
    assert_eq!(week(&report, "2018-W52"), &json!(672));

    // Single stores have their own sums; together they give the same.
    let stores: Vec<(String,)> = app.db.sql("select id from locations").all().await.expect("stores");
    let ids: Vec<&str> = stores.iter().map(|s| s.0.as_str()).collect();
    let by_store = format!("{PATH}?from=2018-01-01&to=2019-12-31&by=pos&storeIds={}", ids.join(","));
    let by_store = admin.get(&by_store).await.expect(200);
    assert_eq!((&by_store["totals"], &by_store["net"]), (&report["totals"], &report["net"]));

    // The complete file, to the centavo.
    let all = admin.get(&format!("{PATH}?from=2015-08-31&to=2019-08-04&by=pos")).await.expect(200);
    assert_eq!(all["grandTotal"], 93_041);
    assert_eq!(all["netTotal"], 446_517.45);
    let export = admin.get(&format!("{PATH}/export?from=2019-01-01&to=2019-03-31&by=pos&format=csv")).await;
    assert_eq!(export.status, 200);
    assert!(export.text().contains("2019-W10"));
}

#[rstest]
#[tokio::test]
async fn root_units_are_quantities_times_multipliers(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mut roots = Vec::new();
    for name in ["Flour", "Salt"] {
        let root = admin.post("/api/lists/root-items", &json!({ "name": name })).await.expect(201);
        roots.push(root["id"].as_str().expect("an id").to_owned());
    }
    let bread = admin.post("/api/lists/pos-items", &json!({ "description": "Bread" })).await.expect(201);
    let (bread, roots) = (bread["id"].as_str().expect("an id"), &roots);
    let lines = &[(roots[0].clone(), Factor(250_000_000)), (roots[1].clone(), Factor(5_000_000))];
    app.db
        .write(&actor(app.state.now()), async |tx| bom::set(tx, bread, lines, BomFrom::Now).await)
        .await
        .expect("a bill of materials");
    let file = "Date,Store,Item,Qty,Price\n\
        29/12/2019,Makati,Bread,3,10\n30/12/2019,Makati,Bread,4,10\n05/01/2020,Pasig,Bread,2,10\n06/01/2020,Pasig,Bread,1,10\n";
    import(&app, &admin, "bread.csv", file).await;
    let report = admin.get(&format!("{PATH}?from=2019-12-30&to=2020-01-12")).await.expect(200);
    assert_eq!(report["weekLabels"], json!(["2020-W01", "2020-W02"]));
    let flour = &report["items"][0];
    assert_eq!((flour["name"].as_str(), &flour["quantities"]), (Some("Flour"), &json!([1.5, 0.25])));
    assert_eq!(report["items"][1]["quantities"], json!([0.03, 0.005]));
    assert_eq!(report["net"], json!([60, 10]));

    // Inaccessible stores are in no figure.
    let pasig: (String,) =
        app.db.sql("select id from locations where name = 'Pasig'").one().await.expect("a store");
    let makati: (String,) =
        app.db.sql("select id from locations where name = 'Makati'").one().await.expect("a store");
    let limited = app.user(&[("reports/reports", Action::ALL)], Some(&[pasig.0])).await;
    let report = limited.get(&format!("{PATH}?from=2019-12-30&to=2020-01-12")).await.expect(200);
    assert_eq!(report["items"][0]["quantities"], json!([0.5, 0.25]));
    let refused = limited.get(&format!("{PATH}?from=2019-12-30&to=2020-01-12&storeIds={}", makati.0)).await;
    assert_eq!(refused.status, 403);
}

#[tokio::test]
async fn sales_without_a_bill_of_materials_are_not_missing_sales() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    import(&app, &admin, "bread.csv", "Date,Store,Item,Qty,Price\n30/12/2019,Makati,Bread,4,10\n").await;
    let report = admin.get(&format!("{PATH}?from=2019-12-30&to=2020-01-05")).await.expect(200);
    assert_eq!(report["items"], json!([]));
    assert_eq!(report["netTotal"], 40);
    assert_eq!(report["withoutBom"], json!({ "items": 1, "qty": 4 }));
}
