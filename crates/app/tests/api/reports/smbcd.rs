//! Sales Mix By Category, Daily: sums, shares and changes by category and day.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Engine, one_engine};
use crate::tools::import_sales_product::{import, post, suggested, upload, validate};

const PATH: &str = "/api/reports/smbcd";
/// March 9 and 16, 2020 are Mondays.
const FILE: &str = "Date,Store,Item,Qty,Price\n\
    09/03/2020,Makati,Rice,10,10\n09/03/2020,Makati,Tea,5,20\n\
    16/03/2020,Makati,Rice,15,10\n16/03/2020,Pasig,Rice,5,10\n16/03/2020,Pasig,Tea,10,20\n\
    17/03/2020,Pasig,Bread,4,25\n";

async fn stage(on: Engine) -> (App, crate::support::Client) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for (item, category) in [("Rice", json!("Meals")), ("Tea", json!("Drinks")), ("Bread", json!(null))] {
        let item = json!({ "description": item, "category": category });
        admin.post("/api/lists/pos-items", &item).await.expect(201);
    }
    import(&app, &admin, "mix.csv", FILE).await;
    (app, admin)
}

fn row<'a>(report: &'a Value, name: &str) -> &'a Value {
    let items = report["items"].as_array().expect("items");
    items.iter().find(|item| item["name"] == name).unwrap_or(&Value::Null)
}

#[rstest]
#[tokio::test]
async fn each_category_has_its_share_of_the_day_and_its_change(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let (app, admin) = stage(on).await;
    let report = admin.get(&format!("{PATH}?from=2020-03-16&to=2020-03-17")).await.expect(200);
    assert_eq!(report["days"], json!(["2020-03-16", "2020-03-17"]));
    let names: Vec<&Value> =
        report["items"].as_array().expect("items").iter().map(|row| &row["name"]).collect();
    assert_eq!(names, [&json!("Drinks"), &json!("Meals"), &json!("No category")]);
    let (meals, drinks, none) = (row(&report, "Meals"), row(&report, "Drinks"), row(&report, "No category"));
    assert_eq!((&meals["quantities"], &meals["nets"]), (&json!([20, 0]), &json!([200, 0])));
    assert_eq!((&meals["mixes"], &none["mixes"]), (&json!([0.5, 0.0]), &json!([0.0, 1.0])));
    // Only Makati's Mondays are compared: 150 of meals against 100, and no drinks against 100.
    assert_eq!((&meals["changes"], &drinks["changes"]), (&json!([0.5, null]), &json!([-1.0, null])));
    assert_eq!(report["leftOut"], 3);
    assert_eq!((&none["id"], &none["net"], &none["mix"]), (&json!(""), &json!(100), &json!(0.2)));
    let total = &report["total"];
    assert_eq!((&total["nets"], &total["net"], &total["qty"]), (&json!([400, 100]), &json!(500), &json!(34)));
    assert_eq!((&total["changes"], &total["change"]), (&json!([-0.25, null]), &json!(-0.25)));

    // For one store, and for a user who only sees that store.
    let pasig: (String,) =
        app.db.sql("select id from locations where name = 'Pasig'").one().await.expect("a store");
    let ask = format!("{PATH}?from=2020-03-16&to=2020-03-16&storeIds={}", pasig.0);
    let report = admin.get(&ask).await.expect(200);
    assert_eq!(row(&report, "Meals")["mixes"], json!([0.2]));
    assert_eq!(row(&report, "Meals")["changes"], json!([null]));
    let limited = app.user(&[("reports/reports", &[larder_domain::Action::View])], Some(&[pasig.0])).await;
    let seen = limited.get(&format!("{PATH}?from=2020-03-16&to=2020-03-16")).await.expect(200);
    assert_eq!(seen["items"], report["items"]);
    assert_eq!(limited.get(&format!("{PATH}/export?from=2020-03-16&to=2020-03-16")).await.status, 403);
}

#[rstest]
#[tokio::test]
async fn unmapped_sales_have_no_category_and_are_reported(#[from(one_engine)] on: Engine) {
    let (app, admin) = stage(on).await;
    let line = "Date,Store,Item,Qty,Price\n18/03/2020,Makati,Rice,1,30\n18/03/2020,Makati,Halo-halo,2,35\n";
    let batch = upload(&admin, "new.csv", line).await;
    let batch = validate(&app, &admin, &batch, &suggested(&batch, None)).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    let report = admin.get(&format!("{PATH}?from=2020-03-18&to=2020-03-18")).await.expect(200);
    assert_eq!(report["unmapped"], json!({ "items": 1, "qty": 2 }));
    let none = row(&report, "No category");
    assert_eq!((&none["net"], &none["mix"]), (&json!(70), &json!(0.7)));
}

#[rstest]
#[tokio::test]
async fn a_file_has_totals_of_what_adds_up(#[from(one_engine)] on: Engine) {
    let (_app, admin) = stage(on).await;
    let file = async |measure: &str| {
        let path = format!("{PATH}/export?from=2020-03-16&to=2020-03-17{measure}");
        admin.get(&path).await.text().replace('\u{feff}', "")
    };
    let head = "Category,2020-03-16,2020-03-17,Total\r\n";
    assert_eq!(
        file("").await,
        format!(
            "{head}Drinks,200,0,200\r\nMeals,200,0,200\r\nNo category,0,100,100\r\nTotal,400,100,500\r\n"
        )
    );
    assert!(file("&measure=qty").await.ends_with("Total,30,4,34\r\n"));
    let shares = file("&measure=mix").await;
    assert!(shares.contains("Meals,0.5,0,0.4\r\n") && !shares.contains("\r\nTotal"), "{shares}");
    let changes = file("&measure=change").await;
    assert!(changes.contains("Meals,0.5,,0.5\r\n"), "{changes}");
    let wrong = admin.get(&format!("{PATH}?from=2019-01-01&to=2020-12-31")).await.expect(422);
    assert_eq!(wrong["fields"][0]["message"], "Choose a range of at most 366 days.");
}
