//! Root items ranked by use in sales.

use larder_domain::Factor;
use larder_ledgers::sales::bom;
use larder_ledgers::sales::bom::BomFrom;
use rstest::rstest;
use serde_json::json;

use crate::support::{App, Engine, actor};
use crate::tools::import_sales_product::import;

#[rstest]
#[tokio::test]
async fn root_items_are_ranked_and_compared(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for (item, root, factor) in [("Bread", "Flour", 500_000_000), ("Soup", "Broth", 2_000_000_000)] {
        let root = admin.post("/api/lists/root-items", &json!({ "name": root })).await.expect(201);
        let item = admin.post("/api/lists/pos-items", &json!({ "description": item })).await.expect(201);
        let item = item["id"].as_str().expect("an id");
        let lines = &[(root["id"].as_str().expect("an id").to_owned(), Factor(factor))];
        app.db
            .write(&actor(app.state.now()), async |tx| bom::set(tx, item, lines, BomFrom::Now).await)
            .await
            .expect("a bill of materials");
    }
    let file = "Date,Store,Item,Qty,Price\n\
        24/02/2020,Makati,Bread,10,1\n09/03/2020,Makati,Bread,20,1\n10/03/2020,Makati,Soup,15,1\n";
    import(&app, &admin, "soup.csv", file).await;
    let report =
        admin.get("/api/reports/sales-by-root-items?from=2020-03-02&to=2020-03-15").await.expect(200);
    let items = report["items"].as_array().expect("items");
    let row = |at: usize| {
        (items[at]["name"].as_str(), items[at]["qty"].as_f64(), items[at]["previousQty"].as_f64())
    };
    assert_eq!(row(0), (Some("Broth"), Some(30.0), Some(0.0)));
    assert_eq!(row(1), (Some("Flour"), Some(10.0), Some(5.0)));
    assert_eq!(items[0]["share"], 0.75);
    // Only 24 February and 9 March have both.
    assert_eq!((&items[0]["change"], &items[1]["change"]), (&json!(null), &json!(1.0)));
    assert_eq!((&items[0]["comparedQty"], &items[1]["comparedQty"]), (&json!(0), &json!(10)));
    assert_eq!((&items[1]["comparedPrevious"], &report["leftOut"]), (&json!(5), &json!(13)));
    assert_eq!(report["total"], 40);
}

#[tokio::test]
async fn only_quantities_of_the_same_unit_are_added() {
    let app = App::start_idle(Engine::Sqlite).await;
    let admin = app.admin().await;
    let mut units = Vec::new();
    for (code, name) in [("kg", "Kilogram"), ("pc", "Piece")] {
        let unit = admin.post("/api/lists/uoms", &json!({ "code": code, "name": name })).await.expect(201);
        units.push(unit["id"].as_str().expect("an id").to_owned());
    }
    let mut bom = Vec::new();
    for (name, unit, factor) in [("Flour", 0, 0.5), ("Salt (KG)", 1, 0.25), ("Egg", 1, 2.0)] {
        let root = admin.post("/api/lists/root-items", &json!({ "name": name })).await.expect(201);
        // Salt is counted in pieces of a kilogram; its name says the unit.
        let counted = json!({ "name": name, "rootItemId": root["id"], "uomId": units[unit] });
        admin.post("/api/lists/store-inventory-items", &counted).await.expect(201);
        bom.push(json!({ "rootProductId": root["id"], "multiplier": factor }));
    }
    admin.post("/api/lists/pos-items", &json!({ "description": "Bread", "bom": bom })).await.expect(201);
    import(&app, &admin, "bread.csv", "Date,Store,Item,Qty,Price\n2020-03-09,Makati,Bread,20,1\n").await;

    let range = "from=2020-03-02&to=2020-03-15";
    let ranked = admin.get(&format!("/api/reports/sales-by-root-items?{range}")).await.expect(200);
    assert_eq!((&ranked["total"], &ranked["previousTotal"]), (&json!(null), &json!(null)));
    assert_eq!(
        ranked["units"],
        json!([
            { "unit": "kg", "items": 2, "qty": 15, "previousQty": 0, "comparedQty": 0, "comparedPrevious": 0 },
            { "unit": "pc", "items": 1, "qty": 40, "previousQty": 0, "comparedQty": 0, "comparedPrevious": 0 },
        ])
    );
    let shares: Vec<_> = ranked["items"].as_array().expect("items").iter().map(|row| &row["share"]).collect();
    assert_eq!(shares, [&json!(1.0), &json!(0.6667), &json!(0.3333)], "{ranked}");
    let text = admin.get(&format!("/api/reports/sales-by-root-items/export?{range}&format=csv")).await.text();
    assert!(text.contains("Flour,,kg,10,0.6667"), "{text}");
    assert!(text.ends_with("\r\nTotal,,kg,15,,0,0,0,\r\nTotal,,pc,40,,0,0,0,\r\n"), "{text}");

    let weekly = admin.get(&format!("/api/reports/weekly-root-item-sales?{range}")).await.expect(200);
    assert_eq!((&weekly["totals"], &weekly["grandTotal"]), (&json!(null), &json!(null)));
    assert_eq!(weekly["units"][0]["totals"], json!([0, 15]));
    assert_eq!(weekly["items"][0]["unit"], "pc");
    let text =
        admin.get(&format!("/api/reports/weekly-root-item-sales/export?{range}&format=csv")).await.text();
    assert!(text.contains("Total,,kg,0,15,15") && text.contains("Total,,pc,0,40,40"), "{text}");
}
