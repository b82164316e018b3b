//! Figures that several reports and pages show are the same figure.

use larder_ledgers::sales::{tickets, verify};
use rstest::rstest;
use serde_json::{Value, json};

use super::custom::{asked, preview};
use crate::stores::inventory::make;
use crate::support::{App, Client, Engine, actor};
use crate::tools::import_sales_product::{post, upload, validate};

const RANGE: (&str, &str) = ("2020-03-02", "2020-03-03");

/// On till T1 a ticket of two items, one with an item voided, one of a voided item only, and on the next day one of
/// three items; on T2 a return only, and a sale with a return. Rice is sold once without a receipt.
const SALES: &str = "Date,Store,Register,Receipt,Item,Quantity,Price,Discount,Type,Payment Type\n\
    2020-03-02,Makati,T1,1,Rice,1,50,0,sale,Cash\n\
    2020-03-02,Makati,T1,1,Tea,1,30,0,sale,Cash\n\
    2020-03-02,Makati,T1,2,Rice,1,50,0,sale,Cash\n\
    2020-03-02,Makati,T1,2,Cake,1,90,0,sale,Cash\n\
    2020-03-02,Makati,T1,2,Cake,-1,90,0,void,Cash\n\
    2020-03-02,Makati,T1,3,Cake,1,90,0,void,Cash\n\
    2020-03-02,Makati,T2,4,Tea,-1,30,0,return,Cash\n\
    2020-03-02,Makati,T2,5,Cake,2,90,0,sale,Cash\n\
    2020-03-02,Makati,T2,5,Tea,-1,30,0,return,Cash\n\
    2020-03-02,Makati,,,Rice,1,50,0,sale,Cash\n\
    2020-03-03,Makati,T1,6,Rice,3,50,0,sale,Cash\n";

async fn import(app: &App, admin: &Client) {
    for item in ["Rice", "Tea", "Cake"] {
        make(admin, "/api/lists/pos-items", json!({ "description": item })).await;
    }
    make(admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    let batch = upload(admin, "tickets.csv", SALES.to_owned()).await;
    let mapping = json!({
        "hasHeader": true,
        "columns": { "date": 0, "store": 1, "terminal": 2, "receipt": 3, "item": 4, "quantity": 5, "unitPrice": 6,
                     "discount": 7, "kind": 8, "tender": 9 },
        "once": [],
        "splitTenders": false,
        "dateFormat": "ymd",
    });
    let batch = validate(app, admin, &batch, &mapping).await;
    assert_eq!(batch["summary"]["problemLines"], 0, "{batch}");
    assert_eq!(post(app, admin, &batch, false).await["state"], "posted");
}

/// The average ticket, the number of tickets and their net sales, as each page has them.
async fn averages(admin: &Client) -> Vec<(&'static str, [Value; 3])> {
    let (from, to) = RANGE;
    let get = async |path: &str| admin.get(&format!("{path}?from={from}&to={to}")).await.expect(200);
    let score = get("/api/reports/store-scorecard").await["total"].clone();
    let till = get("/api/reports/sales-terminal").await["total"].clone();
    let insights = get("/api/tools/transaction-insights").await["answer"]["figures"].clone();
    let mut all = vec![
        ("store scorecard", [score["ticket"].clone(), score["tickets"].clone(), json!(460)]),
        ("sales by terminal", [till["ticket"].clone(), till["ticketCount"].clone(), json!(460)]),
        ("insights", [insights["average"].clone(), insights["tickets"].clone(), insights["net"].clone()]),
    ];
    for dataset in ["storeDays", "receipts"] {
        let measures =
            json!([{ "field": "averageTicket" }, { "field": "tickets" }, { "field": "ticketNet" }]);
        let answer =
            preview(admin, &asked(dataset, RANGE, json!({ "rows": [], "measures": measures }))).await;
        let total = answer["totals"][0]["total"].clone();
        all.push((dataset, [total[0].clone(), total[1].clone(), total[2].clone()]));
    }
    all
}

/// Receipts with an item sold and not voided are tickets: of 80, 50, 180 and 150, without the return.
#[rstest]
#[tokio::test]
async fn the_average_ticket_is_one_figure(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    import(&app, &admin).await;
    let expected = [json!(115), json!(4), json!(460)];
    for (page, figures) in averages(&admin).await {
        assert_eq!(figures, expected, "{page}");
    }
    let report = admin.get("/api/reports/sales-terminal?from=2020-03-02&to=2020-03-03").await.expect(200);
    let till = |name: &str| {
        let mut tills = report["items"].as_array().expect("tills").iter();
        let till = tills.find(|till| till["terminal"] == name).expect("a till");
        json!([till["net"], till["receiptCount"], till["ticketCount"], till["ticket"], till["tickets"]])
    };
    assert_eq!(till("T1"), json!([280, 4, 3, 93.33, [65, 150]]));
    assert_eq!(till("T2"), json!([120, 2, 1, 180, [180, null]]));
    assert_eq!(till(""), json!([50, 0, 0, null, [null, null]]));
    assert_eq!(report["total"]["net"], 450);

    // Days posted before tickets were kept have the same figure before and after they are counted.
    let clerk = actor(app.state.now());
    app.db
        .write(&clerk, async |tx| {
            tx.sql("update sales_tills set tickets = null, ticket_net = null").execute().await
        })
        .await
        .expect("tickets are forgotten");
    for (page, figures) in averages(&admin).await.into_iter().take(3) {
        assert_eq!(figures, expected, "{page} before days are counted");
    }
    assert_eq!(verify(&app.db).await.expect("differences"), []);
    for tills in [2, 1, 0] {
        assert_eq!(tickets::keep_uncounted(&app.db, &clerk, 2).await.expect("tills"), tills);
    }
    assert_eq!(verify(&app.db).await.expect("differences"), []);
    for (page, figures) in averages(&admin).await {
        assert_eq!(figures, expected, "{page} after days are counted");
    }
}
