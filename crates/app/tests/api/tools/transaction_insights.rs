//! Transaction insights: average ticket, hours, items bought together; by store and daypart, against another
//! range.

use std::fmt::Write as _;

use larder_domain::Action::{Export, View};
use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::import;
use crate::support::{App, Client, Engine, actor, one_engine};

const PATH: &str = "/api/tools/transaction-insights";
const PAGE: &str = "tools/transactionInsights";
const HEAD: &str = "Date,Time,Store,Receipt,Type,Item,Qty,Price\n";

/// April 6, 2020 is a Monday. In Makati: a ticket of two items at 11:00, one with a voided line at 12:00, a
/// voided one, a refund, and one at 18:00 with two of an item.
const MAKATI: &str = "06/04/2020,11:05,Makati,1,SALE,Rice,1,50\n\
    06/04/2020,11:05,Makati,1,SALE,Tea,1,30\n\
    06/04/2020,12:10,Makati,2,SALE,Rice,1,50\n\
    06/04/2020,12:10,Makati,2,SALE,Cake,1,90\n\
    06/04/2020,12:10,Makati,2,VOID,Cake,-1,90\n\
    06/04/2020,12:30,Makati,3,VOID,Cake,1,90\n\
    06/04/2020,13:00,Makati,4,RETURN,Tea,-1,30\n\
    06/04/2020,18:40,Makati,5,SALE,Cake,2,90\n";
const PASIG: &str = "06/04/2020,18:10,Pasig,1,SALE,Rice,1,50\n07/04/2020,18:10,Pasig,2,SALE,Rice,3,50\n";

async fn stage(on: Engine, rows: &str) -> (App, Client) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for item in ["Rice", "Tea", "Cake"] {
        admin.post("/api/lists/pos-items", &json!({ "description": item })).await.expect(201);
    }
    import(&app, &admin, "tickets.csv", format!("{HEAD}{rows}")).await;
    (app, admin)
}

async fn store(app: &App, name: &str) -> String {
    let found: (String,) =
        app.db.sql("select id from locations where name = $1").bind(name).one().await.expect("a store");
    found.0
}

fn figures(value: &Value) -> Value {
    json!([value["tickets"], value["net"], value["average"], value["units"], value["itemsATicket"]])
}

#[rstest]
#[tokio::test]
async fn figures_match_the_tickets(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (app, admin) = stage(on, &format!("{MAKATI}{PASIG}")).await;
    let reply = admin.get(&format!("{PATH}?from=2020-04-06&to=2020-04-07")).await.expect(200);
    assert_eq!(reply["state"], "ready");
    assert_eq!(reply["coverage"], json!({ "storeDays": 3, "withReceipts": 3, "receipts": 7 }));
    let makati = store(&app, "Makati").await;
    assert_eq!(reply["storesWithoutSales"], json!([{ "id": makati, "name": "Makati", "days": 1 }]));
    let answer = &reply["answer"];
    // 80 + 50 + 180 + 50 + 150 over five tickets, of 2 + 1 + 2 + 1 + 3 items.
    assert_eq!(figures(&answer["figures"]), json!([5, 510, 102, 9, 1.8]));
    assert_eq!(answer["figures"]["refunds"], 1);
    assert_eq!(answer["figures"]["refunded"], 30);
    // Makati from 11:00 to 18:00, Pasig one hour on each of two days.
    assert_eq!(answer["figures"]["openHours"], 10);
    assert_eq!(answer["figures"]["anHour"], 0.5);
    let stores: Vec<Value> = answer["stores"]
        .as_array()
        .expect("stores")
        .iter()
        .map(|row| json!([row["name"], figures(&row["figures"])]))
        .collect();
    assert_eq!(
        stores,
        [json!(["Makati", [3, 310, 103.33, 5, 1.6667]]), json!(["Pasig", [2, 200, 100, 4, 2.0]])]
    );
    let hours: Vec<Value> = answer["hours"]
        .as_array()
        .expect("hours")
        .iter()
        .filter(|cell| cell["tickets"] != 0)
        .map(|cell| {
            json!([cell["weekday"], cell["hour"], cell["tickets"], cell["openHours"], cell["anHour"]])
        })
        .collect();
    assert_eq!(
        hours,
        [
            json!([1, 11, 1, 1, 1.0]),
            json!([1, 12, 1, 1, 1.0]),
            json!([1, 18, 2, 2, 1.0]),
            json!([2, 18, 1, 1, 1.0])
        ]
    );
    let open = answer["hours"].as_array().expect("hours").len();
    assert_eq!(open, 9, "hours without a ticket between two with one are open");
    let sizes: Vec<&Value> =
        answer["sizes"].as_array().expect("sizes").iter().map(|size| &size["tickets"]).collect();
    assert_eq!(sizes[..4], [&json!(2), &json!(2), &json!(1), &json!(0)]);

    // For a daypart, against the previous day.
    let ask = "from=2020-04-07&to=2020-04-07&daypart=dinner&againstFrom=2020-04-06&againstTo=2020-04-06";
    let reply = admin.get(&format!("{PATH}?{ask}")).await.expect(200);
    let answer = &reply["answer"];
    assert_eq!(figures(&answer["figures"]), json!([1, 150, 150, 3, 3.0]));
    assert_eq!(figures(&answer["before"]), json!([2, 230, 115, 3, 1.5]));
    assert_eq!(answer["dayparts"].as_array().expect("parts").len(), 1);
    assert_eq!(figures(&answer["dayparts"][0]["before"]), json!([2, 230, 115, 3, 1.5]));
    assert_eq!(figures(&answer["stores"][0]["figures"]), json!([0, 0, null, 0, null]));

    // A user of one store only sees its tickets, in totals too.
    let pasig = store(&app, "Pasig").await;
    let limited = app.user(&[(PAGE, &[View])], Some(std::slice::from_ref(&pasig))).await;
    let seen = limited.get(&format!("{PATH}?from=2020-04-06&to=2020-04-07")).await.expect(200);
    assert_eq!(figures(&seen["answer"]["figures"]), json!([2, 200, 100, 4, 2.0]));
    assert_eq!(seen["coverage"], json!({ "storeDays": 2, "withReceipts": 2, "receipts": 2 }));
    assert_eq!(seen["answer"]["stores"].as_array().expect("stores").len(), 1);
    let makati = store(&app, "Makati").await;
    let other = limited.get(&format!("{PATH}?from=2020-04-06&to=2020-04-07&storeIds={makati}")).await;
    assert_eq!(other.status, 403);
    assert_eq!(limited.get(&format!("{PATH}/export?from=2020-04-06&to=2020-04-07")).await.status, 403);
    assert_eq!(
        app.user(&[], None).await.get(&format!("{PATH}?from=2020-04-06&to=2020-04-07")).await.status,
        403
    );
}

/// Sixty tickets of a day: 40 with A and B, of which 30 have C too, 10 with C alone, 10 with D alone.
fn together(day: &str, store: &str, c: usize) -> String {
    let mut rows = String::new();
    for at in 0..60 {
        let items: &[&str] = match at {
            _ if at < c => &["A", "B", "C"],
            _ if at < 40 => &["A", "B"],
            _ if at < 50 => &["C"],
            _ => &["D"],
        };
        for item in items {
            writeln!(rows, "{day},12:{at:02},{store},{at},SALE,{item},1,10").expect("text");
        }
    }
    rows
}

#[rstest]
#[tokio::test]
async fn items_bought_together_have_their_shares(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let rows = format!("{}{}", together("06/04/2020", "Makati", 30), together("05/04/2020", "Makati", 20));
    let (_app, admin) = stage(on, &rows).await;
    let ask = "from=2020-04-06&to=2020-04-06&againstFrom=2020-04-05&againstTo=2020-04-05";
    let reply = admin.get(&format!("{PATH}?{ask}")).await.expect(200);
    let pairs = &reply["answer"]["pairs"];
    // 40 · 60 ÷ (40 · 40) = 1.5; A and C: 30 · 60 ÷ (40 · 40) = 1.125, which is left out.
    assert_eq!((&pairs["total"], pairs["items"].as_array().map(Vec::len)), (&json!(1), Some(1)));
    let pair = &pairs["items"][0];
    assert_eq!(
        (&pair["count"], &pair["lift"], &pair["support"]),
        (&json!(40), &json!(1.5), &json!(0.666667))
    );
    assert_eq!(pair["items"][0]["confidence"], 1.0);
    assert_eq!(pair["before"], json!({ "count": 40, "support": 0.666667, "lift": 1.5 }));
    // 30 · 60² ÷ 40³ = 1.6875.
    let triple = &reply["answer"]["triples"]["items"][0];
    assert_eq!((&triple["count"], &triple["lift"]), (&json!(30), &json!(1.6875)));
    assert_eq!(triple["before"], Value::Null, "20 times on the previous day, below the minimum");
    let least: Vec<&Value> =
        triple["items"].as_array().expect("items").iter().map(|item| &item["confidence"]).collect();
    assert_eq!(least, [&json!(0.75), &json!(1.0), &json!(1.0)], "of 40 with A and B 30 have C");
    // With the ranges swapped, it is gone.
    let ask = "from=2020-04-05&to=2020-04-05&againstFrom=2020-04-06&againstTo=2020-04-06";
    let reply = admin.get(&format!("{PATH}?{ask}")).await.expect(200);
    assert_eq!(reply["answer"]["triples"]["items"], json!([]));
    assert_eq!(reply["answer"]["triples"]["went"][0]["count"], 30);
}

#[rstest]
#[tokio::test]
async fn every_table_can_be_exported(#[from(one_engine)] on: Engine) {
    let (app, admin) = stage(on, &format!("{MAKATI}{PASIG}{}", together("08/04/2020", "Makati", 30))).await;
    let file = async |days: &str, table: &str| {
        let path = format!("{PATH}/export?{days}&table={table}");
        admin.get(&path).await.text().replace('\u{feff}', "")
    };
    let two = "from=2020-04-06&to=2020-04-07";
    let stores = file(two, "stores").await;
    assert!(stores.contains("\r\nPasig,2,200,100,4,2,0,0,2,1\r\n"), "{stores}");
    assert!(stores.contains("\r\nTotal,5,510,,9,,1,30,10,"), "{stores}");
    assert!(file(two, "hours").await.contains("\r\nMonday,18:00,2,230,2,1\r\n"));
    assert!(file(two, "sizes").await.contains("\r\n10 or more,0\r\n"));
    assert!(
        file(two, "dayparts").await.contains("\r\nLunch,2,130,65,3,1.5,1,30,"),
        "{}",
        file(two, "dayparts").await
    );
    let day = "from=2020-04-08&to=2020-04-08";
    let pairs = file(day, "pairs").await;
    assert!(pairs.starts_with("Item 1,Item 2,Tickets,Share of tickets,"), "{pairs}");
    assert!(pairs.contains(",40,0.666667,1,1,1.5\r\n"), "{pairs}");
    assert!(file(day, "triples").await.contains(",30,0.5,0.75,1,1,1.6875\r\n"));
    let sheet = admin.get(&format!("{PATH}/export?{day}&format=xlsx")).await;
    assert_eq!(sheet.status, 200);
    let wrong = admin.get(&format!("{PATH}/export?{day}&table=all")).await.expect(422);
    assert_eq!(wrong["fields"][0]["field"], "table");
    let viewer = app.user(&[(PAGE, &[View, Export])], Some(&[])).await;
    assert_eq!(viewer.get(&format!("{PATH}/export?{day}")).await.status, 200);
}

#[rstest]
#[tokio::test]
async fn invalid_parameters_are_field_errors(#[from(one_engine)] on: Engine) {
    let (_app, admin) = stage(on, MAKATI).await;
    let wrong = async |ask: &str| {
        let reply = admin.get(&format!("{PATH}?{ask}")).await.expect(422);
        reply["fields"][0]["field"].as_str().expect("a field").to_owned()
    };
    let day = "from=2020-04-06&to=2020-04-06";
    assert_eq!(wrong(&format!("{day}&daypart=brunch")).await, "daypart");
    assert_eq!(wrong(&format!("{day}&order=name")).await, "order");
    assert_eq!(wrong(&format!("{day}&againstFrom=2020-04-01")).await, "againstTo");
    assert_eq!(wrong(&format!("{day}&againstTo=2020-04-01")).await, "againstFrom");
    assert_eq!(wrong(&format!("{day}&againstFrom=2020-04-02&againstTo=2020-04-01")).await, "againstTo");
    assert_eq!(wrong(&format!("{day}&againstFrom=yesterday&againstTo=2020-04-01")).await, "againstFrom");
    assert_eq!(wrong("from=2019-01-01&to=2020-12-31").await, "to");
}

#[rstest]
#[tokio::test]
async fn days_without_receipts_are_reported(#[from(one_engine)] on: Engine) {
    let (app, admin) = stage(on, MAKATI).await;
    import(&app, &admin, "totals.csv", "Date,Store,Item,Qty,Price\n07/04/2020,Makati,Rice,4,50\n").await;
    let reply = admin.get(&format!("{PATH}?from=2020-04-06&to=2020-04-07")).await.expect(200);
    assert_eq!(reply["coverage"], json!({ "storeDays": 2, "withReceipts": 1, "receipts": 5 }));
    let reply = admin.get(&format!("{PATH}?from=2020-04-07&to=2020-04-07")).await.expect(200);
    assert_eq!(reply["coverage"], json!({ "storeDays": 1, "withReceipts": 0, "receipts": 0 }));
    assert_eq!((&reply["state"], &reply["answer"]["figures"]["tickets"]), (&json!("ready"), &json!(0)));
    let none = admin.get(&format!("{PATH}?from=2021-04-07&to=2021-04-07")).await.expect(200);
    assert_eq!(none["coverage"]["storeDays"], 0);
}

async fn as_if_many(app: &App) {
    app.db
        .write(&actor(app.state.now()), async |tx| {
            tx.sql("update sales_days set receipts = 90000").execute().await.map(drop)
        })
        .await
        .expect("changed");
}

#[rstest]
#[tokio::test]
async fn a_large_query_is_computed_and_cached(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (app, admin) = stage(on, &format!("{MAKATI}{PASIG}")).await;
    as_if_many(&app).await;
    let ask = "from=2020-04-06&to=2020-04-07";
    let reply = admin.get(&format!("{PATH}?{ask}")).await.expect(200);
    assert_eq!((&reply["state"], &reply["answer"]), (&json!("large"), &Value::Null));
    assert_eq!(admin.get(&format!("{PATH}/export?{ask}")).await.expect(409)["code"], "notReady");
    for _ in 0..2 {
        // A repeated request starts no second job.
        assert_eq!(admin.post(&format!("{PATH}/work?{ask}"), &json!({})).await.status, 202);
    }
    let reply = admin.get(&format!("{PATH}?{ask}")).await.expect(200);
    assert_eq!((&reply["state"], &reply["work"]["done"]), (&json!("working"), &json!(0)));
    let jobs: i64 =
        app.db.sql("select count(*) from jobs where kind = 'insights.answer'").scalar().await.expect("jobs");
    assert_eq!(jobs, 1);
    app.drain().await;
    let reply = admin.get(&format!("{PATH}?{ask}&order=count")).await.expect(200);
    assert_eq!(reply["state"], "ready");
    assert_eq!(figures(&reply["answer"]["figures"]), json!([5, 510, 102, 9, 1.8]));
    assert!(reply["madeAt"].is_string() && reply["stale"] == false && reply["work"].is_null(), "{reply}");
    assert_eq!(admin.get(&format!("{PATH}/export?{ask}")).await.status, 200);
    let kept = admin.get(&format!("{PATH}/kept")).await.expect(200);
    assert_eq!(
        (&kept[0]["state"], &kept[0]["asked"]),
        (&json!("ready"), &json!({ "from": "2020-04-06", "to": "2020-04-07" }))
    );

    // A user of one store has another cache key.
    let pasig = store(&app, "Pasig").await;
    let limited = app.user(&[(PAGE, &[View])], Some(&[pasig])).await;
    assert_eq!(limited.get(&format!("{PATH}?{ask}")).await.expect(200)["state"], "large");
    assert_eq!(limited.get(&format!("{PATH}/kept")).await.expect(200), json!([]));

    // Posting a day again makes the result stale.
    app.clock.advance(60);
    import(&app, &admin, "more.csv", format!("{HEAD}07/04/2020,10:00,Makati,9,SALE,Rice,1,50\n")).await;
    let reply = admin.get(&format!("{PATH}?{ask}")).await.expect(200);
    assert_eq!((&reply["state"], &reply["stale"]), (&json!("ready"), &json!(true)));
    // After a week it is deleted.
    app.clock.advance(8 * 24 * 3_600);
    let admin = app.admin().await;
    let reply = admin.get(&format!("{PATH}?{ask}")).await.expect(200);
    assert_eq!(reply["state"], "large");
}

#[rstest]
#[tokio::test]
async fn the_job_of_a_large_query_is_cancelled_and_restarted(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let (app, _) = stage(on, &format!("{MAKATI}{PASIG}")).await;
    as_if_many(&app).await;
    let (asker, other) = (app.user(&[(PAGE, &[View])], None).await, app.user(&[(PAGE, &[View])], None).await);
    let ask = "from=2020-04-06&to=2020-04-07";
    let look = async |who: &Client| who.get(&format!("{PATH}?{ask}")).await.expect(200);
    let begin = async |who: &Client| {
        assert_eq!(who.post(&format!("{PATH}/work?{ask}"), &json!({})).await.status, 202);
        look(who).await["work"]["jobId"].as_str().expect("a job").to_owned()
    };
    let stop = async |who: &Client, job: &str| who.post(&format!("/api/jobs/{job}/cancel"), &json!({})).await;
    let kept = async || asker.get(&format!("{PATH}/kept")).await.expect(200)[0]["state"].clone();

    let first = begin(&asker).await;
    let reply = look(&other).await;
    assert_eq!((&reply["state"], &reply["work"]["jobId"]), (&json!("working"), &json!(first)));
    assert_eq!(
        (&reply["work"]["state"], &reply["work"]["startedBy"], &reply["work"]["startedByName"]),
        (&json!("queued"), &json!(asker.uid), &json!("Ana Cruz"))
    );
    assert_eq!(stop(&other, &first).await.status, 404, "another user's");
    assert_eq!(look(&asker).await["state"], "working");
    assert_eq!(stop(&asker, &first).await.status, 204);
    let reply = look(&asker).await;
    assert_eq!(
        (&reply["state"], &reply["work"]["state"], &reply["work"]["error"], &reply["answer"]),
        (&json!("stopped"), &json!("cancelled"), &Value::Null, &Value::Null)
    );
    assert_eq!(kept().await, "stopped");
    app.drain().await;
    assert_eq!(look(&asker).await["state"], "stopped", "a cancelled query is not computed");

    // The next request starts a new job.
    let second = begin(&other).await;
    assert_ne!(first, second);
    assert_eq!(look(&asker).await["work"]["startedBy"], json!(other.uid));
    app.drain().await;
    assert_eq!(look(&asker).await["state"], "ready");

    // Cancelling keeps an existing result.
    let third = begin(&asker).await;
    assert_eq!(look(&asker).await["state"], "ready");
    assert_eq!(stop(&asker, &third).await.status, 204);
    let reply = look(&asker).await;
    assert_eq!((&reply["state"], &reply["work"]["state"]), (&json!("ready"), &json!("cancelled")));
    assert_eq!(figures(&reply["answer"]["figures"]), json!([5, 510, 102, 9, 1.8]));
    begin(&asker).await;
    app.drain().await;
    let reply = look(&asker).await;
    assert_eq!((&reply["state"], &reply["work"]), (&json!("ready"), &Value::Null));
}

#[rstest]
#[tokio::test]
async fn a_failed_job_reports_the_reason(#[from(one_engine)] on: Engine) {
    let (app, admin) = stage(on, &format!("{MAKATI}{PASIG}")).await;
    as_if_many(&app).await;
    let ask = "from=2020-04-06&to=2020-04-07";
    let begin = async || {
        assert_eq!(admin.post(&format!("{PATH}/work?{ask}"), &json!({})).await.status, 202);
    };
    begin().await;
    app.db
        .write(&actor(app.state.now()), async |tx| {
            let wrong = "update jobs set args = '{}' where kind = 'insights.answer'";
            tx.sql(wrong).execute().await.map(drop)
        })
        .await
        .expect("changed");
    app.drain().await;
    let reply = admin.get(&format!("{PATH}?{ask}")).await.expect(200);
    assert_eq!((&reply["state"], &reply["work"]["state"]), (&json!("failed"), &json!("failed")));
    assert!(reply["work"]["error"].as_str().is_some_and(|why| why.contains("Try again")), "{reply}");
    begin().await;
    app.drain().await;
    assert_eq!(admin.get(&format!("{PATH}?{ask}")).await.expect(200)["state"], "ready");
}
