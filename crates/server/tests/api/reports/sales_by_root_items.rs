//! Root items ranked by what sales used of them.

use larder_domain::Factor;
use larder_server::books::sales::bom::{self, BomFrom};
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
        27/02/2020,Makati,Bread,10,1\n09/03/2020,Makati,Bread,20,1\n10/03/2020,Makati,Soup,15,1\n";
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
    assert_eq!((&items[0]["change"], &items[1]["change"]), (&json!(null), &json!(1.0)));
    assert_eq!(report["total"], 40);
}
