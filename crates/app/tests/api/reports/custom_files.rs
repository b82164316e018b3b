//! The report builder's files and pictures: dates, length, names as files wrote them.

use calamine::{Data, Reader as _};
use larder_domain::Action::{Create, Export, View};
use larder_platform::config::Secret;
use rstest::rstest;
use serde_json::{Value, json};

use super::custom::{PATH, asked, preview, urlencoded};
use crate::mail::Server;
use crate::support::{App, Client, Engine, one_engine};
use crate::tools::import_sales_product::{HOME, post, suggested, upload, validate};

/// May 28, 2020 is a Thursday; June 1 and 8 are Mondays.
const FILE: &str = "Date,Store,Terminal,Receipt,Item,Qty,Price\n\
    28/05/2020 10:00,Makati,T1,1,Rice,10,10\n01/06/2020 10:00,Makati,T1,2,Piña Colada Ñoño,1,150\n\
    10/06/2020 10:00,Makati,T1,3,Rice,2,10\n10/06/2020 11:00,Pasig,T2,1,Rice,3,10\n";
const SUMMER: (&str, &str) = ("2020-05-01", "2020-06-30");

/// Imports a file whose items stay unmapped unless there is a POS item of that name.
async fn import_unmapped(app: &App, client: &Client, file: &str) {
    let batch = upload(client, "bar.csv", file).await;
    let batch = validate(app, client, &batch, &suggested(&batch, None)).await;
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let unknowns = client.get(&format!("{path}/unknowns")).await.expect(200);
    let stores = unknowns["stores"].as_array().expect("stores").iter();
    let stores: Vec<Value> = stores.map(|store| json!({ "name": store["name"], "create": true })).collect();
    client.post(&format!("{path}/resolve"), &json!({ "stores": stores, "items": [] })).await.expect(200);
    let posted = post(app, client, &batch, true).await;
    assert_eq!(posted["state"], "posted", "{posted}");
}

async fn stage(on: Engine) -> (App, Client) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    admin.post("/api/lists/pos-items", &json!({ "description": "Rice" })).await.expect(201);
    import_unmapped(&app, &admin, FILE).await;
    (app, admin)
}

/// The lines of a definition's CSV file.
async fn csv(client: &Client, definition: &Value) -> Vec<String> {
    let answer = client.get(&format!("{PATH}/export?definition={}", urlencoded(definition))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text().replace('\u{feff}', "").lines().map(str::to_owned).collect()
}

#[rstest]
#[tokio::test]
async fn dates_are_dates_and_names_are_as_written(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (_app, admin) = stage(on).await;
    let net = json!([{ "field": "net" }]);
    let by_day = asked("sales", SUMMER, json!({ "rows": ["date", "item"], "measures": net }));
    assert_eq!(
        csv(&admin, &by_day).await,
        [
            "Date,POS item,Net sales",
            "2020-05-28,Rice,100",
            "2020-06-01,Piña Colada Ñoño (not mapped),150",
            "2020-06-10,Rice,50",
            "Total,,300",
        ]
    );
    let named = preview(&admin, &by_day).await["rows"][1]["labels"][1].clone();
    assert_eq!(named, "Piña Colada Ñoño (not mapped)");

    let path = format!("{PATH}/export?format=xlsx&definition={}", urlencoded(&by_day));
    let answer = admin.get(&path).await;
    assert_eq!(answer.status, 200);
    let mut book: calamine::Xlsx<_> =
        calamine::open_workbook_from_rs(std::io::Cursor::new(answer.bytes)).expect("a workbook");
    let sheet = book.worksheet_range_at(0).expect("a sheet").expect("readable");
    let dates: Vec<&Data> = sheet.rows().map(|row| &row[0]).collect();
    // Days since 1899-12-30.
    let days: Vec<String> = dates[1..4].iter().map(ToString::to_string).collect();
    assert!(dates[1..4].iter().all(|cell| matches!(cell, Data::DateTime(_))), "{dates:?}");
    assert_eq!(days, ["43979", "43983", "43992"]);
    assert_eq!(dates[4], &Data::String("Total".into()));

    let weeks = asked("sales", SUMMER, json!({ "rows": ["week"], "measures": net }));
    let by_week = ["Week,Net sales", "2020-05-25,100", "2020-06-01,150", "2020-06-08,50", "Total,300"];
    assert_eq!(csv(&admin, &weeks).await, by_week);
    let months = asked("sales", SUMMER, json!({ "rows": ["month"], "measures": net }));
    assert_eq!(
        csv(&admin, &months).await,
        ["Month,Net sales", "2020-05-01,100", "2020-06-01,200", "Total,300"]
    );
    let quarters = asked("sales", SUMMER, json!({ "rows": ["quarter"], "measures": net }));
    assert_eq!(csv(&admin, &quarters).await, ["Quarter,Net sales", "Q2 2020,300", "Total,300"]);
}

/// A file that begins with a date is read in parts of days; the page's table is made at once.
#[rstest]
#[tokio::test]
async fn a_file_made_in_parts_has_the_figures_of_the_page(#[from(one_engine)] on: Engine) {
    let (_app, admin) = stage(on).await;
    let all = json!([{ "field": "net" }, { "field": "net", "rule": "share" }, { "field": "net", "rule": "change" },
                     { "field": "net", "rule": "avgPerDay" }, { "field": "qty" }, { "field": "net", "rule": "parent" }]);
    let running = json!([{ "field": "net", "rule": "running" }, { "field": "qty" },
                         { "field": "qty", "rule": "running" }, { "field": "net", "rule": "change" }]);
    let cases = [
        (json!(["date", "store"]), json!([]), json!(null)),
        (json!(["date"]), json!(["store"]), json!(null)),
        (json!(["date", "item"]), json!(["weekday"]), json!({ "measure": null, "descending": true })),
        (json!(["week"]), json!(["store", "item"]), json!(null)),
        (json!(["month", "date"]), json!([]), json!({ "measure": null, "descending": true })),
        (json!(["date"]), json!([]), json!({ "measure": 0, "descending": true })),
        (json!(["date"]), json!(["store", "month"]), json!(null)),
    ];
    let wished = [(&all, "range"), (&all, "week"), (&running, "month")];
    for ((rows, columns, sort), (measures, compare)) in
        cases.iter().flat_map(|case| wished.iter().map(move |wish| (case, wish)))
    {
        let more = json!({ "rows": rows, "columns": columns, "measures": measures, "sort": sort, "compare": compare });
        let body = asked("sales", SUMMER, more);
        let answer = preview(&admin, &body).await;
        let lines = csv(&admin, &body).await;
        let labels = rows.as_array().expect("fields").len();
        let shown: Vec<&Value> =
            ["rows", "totals"].iter().flat_map(|of| answer[of].as_array().expect("rows")).collect();
        assert_eq!(lines.len(), shown.len() + 1, "{lines:?}");
        for (line, row) in lines[1..].iter().zip(shown) {
            let cells: Vec<Option<f64>> =
                line.split(',').skip(labels).map(|cell| cell.parse().ok()).collect();
            let figures = ["values", "total"].iter().flat_map(|of| row[of].as_array().expect("figures"));
            let figures: Vec<Option<f64>> = figures.map(Value::as_f64).collect();
            assert_eq!(cells, figures, "{line} of {rows} by {columns}");
        }
    }
}

/// The picture's font has Latin letters only: bars are numbered, and the email lists the names.
#[rstest]
#[tokio::test]
async fn names_the_picture_cannot_write_are_listed_in_the_email(#[from(one_engine)] on: Engine) {
    let server = Server::start("plain");
    let url = format!("smtp://127.0.0.1:{}", server.port);
    let app = App::start_idle_with(on, |config| {
        config.smtp_url = Some(Secret(url));
        config.mail_from = Some("Larder <larder@example.com>".into());
    })
    .await;
    let admin = app.admin().await;
    let owner = app.user(&[("reports/reports", &[View, Create, Export])], None).await;
    let file = "Date,Store,Terminal,Receipt,Item,Qty,Price\n\
        28/05/2020 10:00,Makati,T1,1,扬州炒饭,2,100\n28/05/2020 10:00,Makati,T1,1,Halo-halo & ube,1,90\n";
    import_unmapped(&app, &admin, file).await;
    let definition = asked("sales", SUMMER, json!({ "rows": ["item"], "measures": [{ "field": "net" }] }));
    let report = json!({ "name": "Mga benta — 报告 Ñ", "definition": definition });
    let made = owner.post(PATH, &report).await.expect(201);
    let test = format!("{PATH}/{}/test", made["id"].as_str().expect("an id"));
    owner.post(&test, &json!({})).await.expect(202);
    app.drain().await;
    app.drain().await;
    let mail = server.email_received().await;
    let (text, html) = (mail["text"].as_str().expect("words"), mail["html"].as_str().expect("a page"));
    assert!(text.contains("Mga benta — 报告 Ñ"), "{text}");
    assert!(
        text.replace("\r\n", "\n")
            .contains("In the picture:\n1: 扬州炒饭 (not mapped)\n2: Halo-halo & ube (not mapped)"),
        "{text}"
    );
    let (picture, table) = html.split_once("cid:picture.png").expect("a picture");
    assert!(!picture.contains("扬州炒饭") && table.contains(">扬州炒饭 (not mapped)</td>"), "{html}");
    assert!(table.contains(">Halo-halo &amp; ube (not mapped)</td>"), "{html}");
}
