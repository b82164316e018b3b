//! Home's sales of an unfinished day, compared with the same part of the day last week.

use std::fmt::Write as _;

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use super::home::tile;
use crate::support::{App, Client, Engine};
use crate::tools::import_sales_product::import;

const HOME: &str = "/api/dashboard/main";

/// A store's sale: days ago, time of day, pesos.
type Sold<'a> = (i32, &'a str, i64);

/// Imports sales, each on a receipt of its own; without a time if it is empty.
async fn sold(app: &App, admin: &Client, stores: &[(&str, &[Sold<'_>])], with_times: bool) {
    let today = BusinessDay::of(app.state.now());
    let time = if with_times { "Time," } else { "" };
    let mut rows = format!("Date,{time}Store,Receipt,Item,Qty,Price\n");
    for (store, receipts) in stores {
        for (at, (ago, time, pesos)) in receipts.iter().enumerate() {
            let time = if with_times { format!("{time},") } else { String::new() };
            writeln!(rows, "{},{time}{store},{at},Rice,1,{pesos}", today.plus(-ago)).expect("text");
        }
    }
    import(app, admin, "day.csv", rows).await;
}

async fn sales(client: &Client) -> (Value, Vec<Value>) {
    let home = client.get(HOME).await.expect(200);
    let of_store = |store: &Value| json!([store["name"], store["net"], store["before"]]);
    let stores = tile(&home, "stores")["stores"]["stores"].as_array().expect("stores").iter();
    (tile(&home, "sales")["sales"].clone(), stores.map(of_store).collect())
}

#[rstest]
#[tokio::test]
async fn a_day_is_compared_up_to_the_same_time_if_times_are_known(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    app.clock.advance_to_hour(12);
    let admin = app.admin().await;
    admin.post("/api/lists/pos-items", &json!({ "description": "Rice" })).await.expect(201);
    let timed: &[(&str, &[Sold<'_>])] = &[
        // Until 11:35 inclusive.
        (
            "Makati",
            &[
                (0, "09:10", 100),
                (0, "11:35", 50),
                (7, "08:00", 70),
                (7, "11:35", 20),
                (7, "11:36", 400),
                (7, "19:00", 30),
            ],
        ),
        // Each store until its own last receipt.
        ("Pasig", &[(0, "10:00", 10), (7, "10:00", 5), (7, "10:30", 500)]),
        // All of last week's sales came later in the day.
        ("Quezon", &[(0, "08:00", 3), (7, "18:00", 600)]),
        // Opened this week.
        ("Taguig", &[(0, "08:00", 1)]),
        // No sales today: left out of both sides.
        ("Zambales", &[(7, "08:00", 9_000)]),
    ];
    sold(&app, &admin, timed, true).await;
    let (reply, stores) = sales(&admin).await;
    assert_eq!((&reply["isToday"], &reply["until"]), (&json!(true), &json!("11:35")));
    assert_eq!((&reply["net"], &reply["before"]), (&json!(164), &json!(95)));
    assert_eq!((&reply["stores"], &reply["of"], &reply["wholeDays"]), (&json!(4), &json!(5), &json!(0)));
    assert_eq!(
        stores,
        [
            json!(["Makati", 150, 90]),
            json!(["Pasig", 10, 5]),
            json!(["Quezon", 3, 0]),
            json!(["Taguig", 1, null]),
            json!(["Zambales", null, null]),
        ]
    );
    // Taguig has nothing to be compared with, Zambales no sales yet.
    let compared =
        |reply: &Value| ["netCompared", "storesCompared", "storesLeftOut"].map(|of| reply[of].clone());
    assert_eq!(compared(&reply), [json!(163), json!(3), json!(2)]);
    // The week so far includes the day up to the same time.
    assert_eq!((&reply["week"], &reply["weekBefore"]), (&json!(164), &json!(95)));
    assert_eq!((&reply["weekCompared"], &reply["weekDays"]), (&json!(163), &json!(3)));
    let today = BusinessDay::of(app.state.now());
    let so_far = i64::from(today.0 - today.week().0 + 1);
    assert_eq!(reply["weekLeftOut"], json!(5 * so_far - 3));

    // Stores without times are compared by whole days, as are those with times on only one of the days.
    sold(&app, &admin, &[("Cubao", &[(0, "", 40), (7, "", 60), (7, "", 8)])], false).await;
    sold(&app, &admin, &[("Mandaluyong", &[(7, "", 2_000)])], false).await;
    sold(&app, &admin, &[("Mandaluyong", &[(0, "07:30", 4)])], true).await;
    let (reply, stores) = sales(&admin).await;
    assert_eq!(
        (&reply["net"], &reply["before"], &reply["until"]),
        (&json!(208), &json!(2_163), &json!("11:35"))
    );
    assert_eq!((&reply["stores"], &reply["wholeDays"]), (&json!(6), &json!(2)));
    assert_eq!(compared(&reply), [json!(207), json!(5), json!(2)]);
    assert_eq!(stores[0], json!(["Cubao", 40, 68]));
    assert_eq!(stores[2], json!(["Mandaluyong", 4, 2_000]));

    // A user of two stores: until the last receipt of those stores.
    let id = async |name: &str| -> String {
        app.db.sql("select id from locations where name = $1").bind(name).scalar().await.expect("a store")
    };
    let own = [id("Pasig").await, id("Cubao").await];
    let rights: &[(&str, &[Action])] =
        &[("dashboard/home", &[Action::View]), ("reports/reports", &[Action::View])];
    let (reply, stores) = sales(&app.user(rights, Some(&own)).await).await;
    assert_eq!((&reply["net"], &reply["before"], &reply["until"]), (&json!(50), &json!(73), &json!("10:00")));
    assert_eq!((&reply["stores"], &reply["of"], &reply["wholeDays"]), (&json!(2), &json!(2), &json!(1)));
    assert_eq!(stores, [json!(["Cubao", 40, 68]), json!(["Pasig", 10, 5])]);
    let (reply, _) = sales(&app.user(rights, Some(&own[1..])).await).await;
    assert_eq!(
        (&reply["before"], &reply["until"], &reply["wholeDays"]),
        (&json!(68), &json!(null), &json!(1))
    );

    // Once the day is over, it is compared as a whole.
    app.clock.advance(86_400);
    let (reply, _) = sales(&app.user(rights, Some(&own)).await).await;
    assert_eq!(
        (&reply["isToday"], &reply["until"], &reply["wholeDays"]),
        (&json!(false), &json!(null), &json!(0))
    );
    assert_eq!((&reply["net"], &reply["before"]), (&json!(50), &json!(573)));
}
