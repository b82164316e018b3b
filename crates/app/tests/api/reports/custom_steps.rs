//! The report builder's changes by step, rolling ranges, running totals, shares of parents and top rows.

use larder_domain::Action::{Create, Delete, Edit, Export, View};
use larder_domain::BusinessDay;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use super::custom::{PATH, asked, preview, rows};
use crate::support::{App, Client, Engine, one_engine};
use crate::tools::import_sales_product::import;

/// March 2 and 9, 2020 are Mondays. By month: 150 in January, 240 in February, 420 in March.
const FILE: &str = "Date,Store,Terminal,Receipt,Item,Qty,Price\n\
    12/03/2019 10:00,Makati,T1,1,Rice,15,10\n10/12/2019 10:00,Makati,T1,2,Rice,8,10\n\
    10/01/2020 10:00,Makati,T1,3,Rice,10,10\n31/01/2020 10:00,Makati,T1,4,Rice,5,10\n\
    10/02/2020 10:00,Makati,T1,5,Rice,20,10\n29/02/2020 10:00,Pasig,T2,1,Rice,4,10\n\
    01/03/2020 10:00,Pasig,T2,2,Rice,1,10\n03/03/2020 10:00,Pasig,T2,3,Rice,5,10\n\
    10/03/2020 10:00,Makati,T1,6,Rice,30,10\n31/03/2020 10:00,Pasig,T2,4,Tea,3,20\n";

async fn stage(on: Engine, file: &str) -> (App, Client) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for item in ["Rice", "Tea", "Bread"] {
        admin.post("/api/lists/pos-items", &json!({ "description": item })).await.expect(201);
    }
    import(&app, &admin, "mix.csv", file).await;
    (app, admin)
}

/// Days without sales are those on which the stores were closed, so that changes leave none out.
async fn close_otherwise(admin: &Client) {
    for year in ["2019", "2020"] {
        let closure = json!({ "name": "Closed", "kind": "closure", "from": format!("{year}-01-01"),
            "to": format!("{year}-12-31") });
        admin.post("/api/tools/forecast/events", &closure).await.expect(201);
    }
}

const MARCH: (&str, &str) = ("2020-03-01", "2020-03-31");
const QUARTER: (&str, &str) = ("2020-01-01", "2020-03-31");

/// Net sales and their change: from the sums of days, and from those of items.
async fn changes(admin: &Client, range: (&str, &str), compare: &str, axes: Value) -> Value {
    let mut body = asked("sales", range, axes);
    body["measures"] = json!([{ "field": "net" }, { "field": "net", "rule": "change" }]);
    body["compare"] = json!(compare);
    let answer = preview(admin, &body).await;
    body["filters"] = json!([{ "field": "item", "op": "contains", "values": ["e"] }]);
    let of_items = preview(admin, &body).await;
    for part in ["columns", "rows", "totals", "before"] {
        assert_eq!(of_items[part], answer[part], "{body}");
    }
    answer
}

#[rstest]
#[tokio::test]
async fn change_is_against_the_chosen_step(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (_app, admin) = stage(on, FILE).await;
    close_otherwise(&admin).await;

    // Each month against the one before it; January 31 counts for the last day of February.
    let spring = ("2020-02-01", "2020-03-31");
    let answer = changes(&admin, spring, "month", json!({ "columns": ["month"] })).await;
    assert_eq!(answer["before"], json!(["2020-01-01", "2020-02-29"]));
    assert_eq!(answer["measures"][1]["label"], "Net sales, change on the month before");
    assert_eq!(rows(&answer, "rows"), [json!([[], [240, 0.6, 420, 0.75], [660, 0.6923]])]);
    let answer = changes(&admin, spring, "month", json!({ "rows": ["store"], "columns": ["month"] })).await;
    assert_eq!(
        rows(&answer, "rows"),
        [
            json!([["Makati"], [200, 0.3333, 300, 0.5], [500, 0.4286]]),
            json!([["Pasig"], [40, null, 120, 2.0], [160, 3.0]]),
        ]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [240, 0.6, 420, 0.75], [660, 0.6923]])]);

    // Each week against the one before it.
    let weeks = ("2020-03-02", "2020-03-15");
    let answer = changes(&admin, weeks, "week", json!({ "rows": ["week"] })).await;
    let first = |row: &Value| json!([row["keys"][0], row["total"]]);
    let shown: Vec<Value> = answer["rows"].as_array().expect("rows").iter().map(first).collect();
    assert_eq!(shown, [json!(["2020-03-02", [50, 0.0]]), json!(["2020-03-09", [300, 5.0]])]);
    assert_eq!(answer["totals"][0]["total"], json!([350, 2.5]));

    // A month with the days a week before, which began in February.
    let answer = changes(&admin, MARCH, "week", json!({ "rows": ["month"] })).await;
    assert_eq!(answer["before"], json!(["2020-02-23", "2020-03-24"]));
    assert_eq!(rows(&answer, "rows"), [json!([["March 2020"], [], [420, 0.05]])]);

    let answer = changes(&admin, QUARTER, "quarter", json!({ "rows": ["quarter"] })).await;
    assert_eq!(answer["before"], json!(["2019-10-01", "2019-12-31"]));
    assert_eq!(rows(&answer, "rows"), [json!([["Q1 2020"], [], [810, 9.125]])]);

    // A year before: the same dates, or with weekdays the same weekdays.
    let answer = changes(&admin, MARCH, "year", json!({ "rows": ["month"] })).await;
    assert_eq!(answer["before"], json!(["2019-03-01", "2019-03-31"]));
    assert_eq!(rows(&answer, "rows"), [json!([["March 2020"], [], [420, 1.8]])]);
    let answer = changes(&admin, MARCH, "year", json!({ "rows": ["weekday"] })).await;
    assert_eq!(answer["before"], json!(["2019-03-03", "2019-04-02"]));
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Tuesday"], [], [410, 1.7333]]), json!([["Sunday"], [], [10, null]])]
    );

    // Without a step, against the range before, as ever.
    let answer = changes(&admin, MARCH, "range", json!({ "rows": ["month"] })).await;
    assert_eq!(answer["before"], json!(["2020-02-01", "2020-02-29"]));
    assert_eq!(rows(&answer, "rows"), [json!([["March 2020"], [], [420, 0.75]])]);

    assert_eq!((&answer["leftOut"], &answer["notices"]), (&json!(0), &json!([])));

    // The last days of March have none in February.
    let end = ("2019-03-29", "2019-03-31");
    let answer = changes(&admin, end, "month", json!({ "rows": ["store"] })).await;
    assert_eq!((&answer["before"], &answer["notices"][0]["code"]), (&Value::Null, &json!("left")));
}

#[rstest]
#[tokio::test]
async fn days_of_unequal_months_are_left_out_with_their_counterparts(#[from(one_engine)] on: Engine) {
    let (_app, admin) = stage(on, FILE).await;
    let answer = changes(&admin, MARCH, "range", json!({ "rows": ["store"] })).await;
    // Makati sold 200 and 300 on the tenth of both months. Of Pasig, only March 31 is compared: February has no such
    // day, so none is missing.
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Makati"], [], [300, 0.5]]), json!([["Pasig"], [], [120, null]])]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [], [420, 0.8]])]);
    assert_eq!(answer["leftOut"], 60, "31 days of two stores but two");
}

/// Two whole weeks, the first of them of two months.
#[rstest]
#[tokio::test]
async fn a_week_of_two_months_is_counted_by_day(#[from(one_engine)] on: Engine) {
    let (_app, admin) = stage(on, FILE).await;
    let more = json!({ "rows": ["month", "item"], "measures": [{ "field": "net" }] });
    let answer = preview(&admin, &asked("sales", ("2020-02-24", "2020-03-08"), more)).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["February 2020", "Rice"], [], [40]]), json!([["March 2020", "Rice"], [], [60]])]
    );
}

#[rstest]
#[tokio::test]
async fn running_totals_run_along_the_last_date(#[from(one_engine)] on: Engine) {
    let (_app, admin) = stage(on, FILE).await;
    let both = json!([{ "field": "net" }, { "field": "net", "rule": "running" }]);
    let running = json!([{ "field": "net", "rule": "running" }]);
    let ask = async |range: (&str, &str), more: Value| preview(&admin, &asked("sales", range, more)).await;

    let answer = ask(QUARTER, json!({ "rows": ["month"], "measures": both })).await;
    assert_eq!(
        rows(&answer, "rows"),
        [
            json!([["January 2020"], [], [150, 150]]),
            json!([["February 2020"], [], [240, 390]]),
            json!([["March 2020"], [], [420, 810]]),
        ]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [], [810, 810]])]);

    // Along the columns; a column without sales keeps the total so far.
    let answer = ask(QUARTER, json!({ "rows": ["store"], "columns": ["month"], "measures": running })).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Makati"], [150, 350, 650], [650]]), json!([["Pasig"], [null, 40, 160], [160]])]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [150, 390, 810], [810]])]);
    let answer = ask(MARCH, json!({ "rows": ["store"], "columns": ["date"], "measures": running })).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Makati"], [null, null, 300, 300], [300]]), json!([["Pasig"], [10, 60, 60, 120], [120]])]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [10, 60, 360, 420], [420]])]);

    // Anew for each store; the rows stay in the order of dates.
    let by_size = json!({ "measure": 0, "descending": true });
    let more = json!({ "rows": ["store", "month"], "measures": both, "sort": by_size });
    let answer = ask(QUARTER, more).await;
    assert_eq!(
        rows(&answer, "rows"),
        [
            json!([["Makati", "January 2020"], [], [150, 150]]),
            json!([["Makati", "February 2020"], [], [200, 350]]),
            json!([["Makati", "March 2020"], [], [300, 650]]),
            json!([["Pasig", "February 2020"], [], [40, 40]]),
            json!([["Pasig", "March 2020"], [], [120, 160]]),
        ]
    );
    assert_eq!(
        (&answer["notices"][0]["code"], &answer["definition"]["sort"]),
        (&json!("order"), &json!(null))
    );

    // Month to date.
    let answer = ask(QUARTER, json!({ "rows": ["month", "date"], "measures": running })).await;
    let so_far: Vec<Value> =
        answer["rows"].as_array().expect("rows").iter().map(|row| row["total"][0].clone()).collect();
    assert_eq!(so_far, [100, 150, 200, 240, 10, 60, 360, 420].map(|net| json!(net)));
}

#[rstest]
#[tokio::test]
async fn shares_of_parents_are_of_their_column(#[from(one_engine)] on: Engine) {
    let (_app, admin) = stage(on, FILE).await;
    let parent = json!([{ "field": "net", "rule": "parent" }]);
    let both = json!([{ "field": "net" }, { "field": "net", "rule": "parent" }]);
    let ask = async |range: (&str, &str), more: Value| preview(&admin, &asked("sales", range, more)).await;

    let answer = ask(MARCH, json!({ "rows": ["store", "item"], "measures": both })).await;
    assert_eq!(answer["measures"][1]["label"], "Net sales, share of Store");
    assert_eq!(
        rows(&answer, "rows"),
        [
            json!([["Makati", "Rice"], [], [300, 1.0]]),
            json!([["Pasig", "Rice"], [], [60, 0.5]]),
            json!([["Pasig", "Tea"], [], [60, 0.5]]),
        ]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [], [420, null]])]);

    let spring = ("2020-02-01", "2020-03-31");
    let more = json!({ "rows": ["store", "item"], "columns": ["month"], "measures": parent });
    assert_eq!(
        rows(&ask(spring, more).await, "rows"),
        [
            json!([["Makati", "Rice"], [1.0, 1.0], [1.0]]),
            json!([["Pasig", "Rice"], [1.0, 0.5], [0.625]]),
            json!([["Pasig", "Tea"], [null, 0.5], [0.375]]),
        ]
    );

    // The parent of a single field is the total.
    let answer = ask(MARCH, json!({ "rows": ["item"], "measures": both })).await;
    assert_eq!(
        rows(&answer, "rows"),
        [json!([["Rice"], [], [360, 0.8571]]), json!([["Tea"], [], [60, 0.1429]])]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [], [420, 1.0]])]);
}

#[rstest]
#[tokio::test]
async fn others_complete_the_total(#[from(one_engine)] on: Engine) {
    let file = "Date,Store,Terminal,Receipt,Item,Qty,Price\n\
        16/03/2020 10:00,Makati,T1,1,Rice,10,10\n16/03/2020 10:00,Makati,T1,1,Tea,6,10\n\
        16/03/2020 10:00,Makati,T1,1,Bread,4,10\n16/03/2020 10:00,Pasig,T2,1,Tea,30,10\n\
        16/03/2020 10:00,Pasig,T2,1,Rice,2,10\n16/03/2020 10:00,Pasig,T2,1,Bread,1,10\n";
    let (_app, admin) = stage(on, file).await;
    let both = json!([{ "field": "net" }, { "field": "net", "rule": "parent" }]);
    let ask = async |top: Value| {
        let more = json!({ "rows": ["store", "item"], "measures": both, "top": top });
        preview(&admin, &asked("sales", MARCH, more)).await
    };

    // Stores in the order of their sums, 330 and 200.
    let answer = ask(json!({ "rows": 1, "other": true, "by": "parent" })).await;
    assert_eq!(
        rows(&answer, "rows"),
        [
            json!([["Pasig", "Tea"], [], [300, 0.9091]]),
            json!([["Pasig", "Other (2)"], [], [30, 0.0909]]),
            json!([["Makati", "Rice"], [], [100, 0.5]]),
            json!([["Makati", "Other (2)"], [], [100, 0.5]]),
        ]
    );
    assert_eq!(rows(&answer, "totals"), [json!([["Total"], [], [530, null]])]);
    let of_pasig = &answer["rows"][1];
    assert_eq!(
        (&of_pasig["other"], &of_pasig["keys"]),
        (&json!(true), &json!([answer["rows"][0]["keys"][0]]))
    );

    let answer = ask(json!({ "rows": 2, "other": true })).await;
    assert_eq!(
        rows(&answer, "rows"),
        [
            json!([["Pasig", "Tea"], [], [300, 0.9091]]),
            json!([["Makati", "Rice"], [], [100, 0.5]]),
            json!([["Other (4)"], [], [130, null]]),
        ]
    );
    let answer = ask(json!({ "rows": 2, "other": false, "by": "parent" })).await;
    let names: Vec<&Value> =
        answer["rows"].as_array().expect("rows").iter().map(|row| &row["labels"][1]).collect();
    assert_eq!(names, ["Tea", "Rice", "Rice", "Tea"]);
}

/// Over random sales, running totals, shares of parents and others follow from the plain sums.
#[rstest]
#[tokio::test]
async fn rules_follow_from_the_sums(#[from(one_engine)] on: Engine) {
    for seed in 0..3u64 {
        let mut random = StdRng::seed_from_u64(seed);
        let mut file = "Date,Store,Terminal,Receipt,Item,Qty,Net Sales\n".to_owned();
        for receipt in 1..=120 {
            let (day, month) = (random.random_range(1..=28), random.random_range(1..=3));
            let store = ["Makati", "Pasig", "Cebu"][random.random_range(0..3)];
            let item = ["Rice", "Tea", "Bread"][random.random_range(0..3)];
            let qty = random.random_range(1..20);
            let net = qty * random.random_range(1..300);
            file.push_str(&format!(
                "{day:02}/{month:02}/2020 10:00,{store},T1,{receipt},{item},{qty},{net}\n"
            ));
        }
        let (_app, admin) = stage(on, &file).await;
        let all = json!([{ "field": "net" }, { "field": "net", "rule": "running" },
            { "field": "net", "rule": "parent" }]);
        let more = json!({ "rows": ["store", "date"], "columns": ["item"], "measures": all });
        let answer = preview(&admin, &asked("sales", QUARTER, more)).await;
        let found = answer["rows"].as_array().expect("rows");
        let columns = answer["columns"].as_array().expect("columns").len();
        let centavos = |value: &Value| (value.as_f64().unwrap_or_default() * 100.0).round() as i64;
        let mut at = 0;
        while at < found.len() {
            let store = &found[at]["keys"][0];
            let rows: Vec<&Value> = found[at..].iter().take_while(|row| &row["keys"][0] == store).collect();
            at += rows.len();
            // The last place is the total of all columns.
            for column in 0..=columns {
                let of = |row: &Value, measure: usize| match row["values"].get(column * 3 + measure) {
                    Some(value) => value.clone(),
                    None => row["total"][measure].clone(),
                };
                let whole: i64 = rows.iter().map(|row| centavos(&of(row, 0))).sum();
                let (mut so_far, mut shares) = (0, 0.0);
                for row in &rows {
                    so_far += centavos(&of(row, 0));
                    assert_eq!(centavos(&of(row, 1)), so_far, "seed {seed}: {row}");
                    shares += of(row, 2).as_f64().unwrap_or_default();
                }
                assert!(whole == 0 || (shares - 1.0).abs() < 0.01, "seed {seed}: {store}, {shares}");
            }
        }
        assert_eq!(at, found.len());

        let net = json!([{ "field": "net" }]);
        for by in ["all", "parent"] {
            let top = json!({ "rows": 2, "other": true, "by": by });
            let more =
                json!({ "rows": ["item", "store"], "columns": ["month"], "measures": net, "top": top });
            let limited = preview(&admin, &asked("sales", QUARTER, more)).await;
            let shown = limited["rows"].as_array().expect("rows");
            let sum: i64 = shown.iter().map(|row| centavos(&row["total"][0])).sum();
            assert_eq!(sum, centavos(&answer["totals"][0]["total"][0]), "seed {seed}: {by}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn rolling_ranges_are_saved_run_and_exported(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (app, _admin) = stage(on, FILE).await;
    let owner = app.user(&[("reports/reports", &[View, Create, Edit, Delete, Export])], None).await;
    let today = BusinessDay::of(app.state.now());
    let months_ago = |months: i32| (0..months).fold(today.month(), |first, _| first.plus(-1).month());
    let definition = json!({
        "dataset": "sales", "range": { "last": 2, "unit": "month", "running": true }, "rows": ["store"],
        "columns": ["month"], "compare": "range", "top": { "rows": 5, "other": true, "by": "parent" },
        "measures": [{ "field": "net" }, { "field": "net", "rule": "running" }, { "field": "net", "rule": "change" }],
    });
    let made = owner.post(PATH, &json!({ "name": "So far", "definition": definition })).await.expect(201);
    for part in ["range", "compare", "top"] {
        assert_eq!(made["definition"][part], definition[part], "{part}");
    }
    let at = format!("{PATH}/{}", made["id"].as_str().expect("an id"));
    let answer = owner.get(&format!("{at}/run")).await.expect(200)["answer"].clone();
    assert_eq!((&answer["from"], &answer["to"]), (&json!(months_ago(2)), &json!(today)));
    // As much of the three months before.
    assert_eq!(answer["before"][0], json!(months_ago(5)));
    let file = owner.get(&format!("{at}/export")).await;
    assert_eq!(file.status, 200);
    assert!(file.text().contains("Net sales, running total"), "{}", file.text());
    let values = format!("{PATH}/values?dataset=sales&field=month&last=2&unit=month&running=true");
    assert_eq!(owner.get(&values).await.expect(200)["items"].as_array().map(Vec::len), Some(3));
    let patch = json!({ "revision": 1, "definition": { "dataset": "sales", "range": { "named": "this-quarter" },
        "rows": ["store"], "measures": [{ "field": "net" }] } });
    let patched = owner.patch(&at, &patch).await.expect(200);
    assert_eq!(patched["definition"]["range"], json!({ "named": "this-quarter" }));
    assert_eq!(patched["definition"]["compare"], "range");
}

#[rstest]
#[tokio::test]
async fn rules_that_cannot_be_calculated_are_field_errors(#[from(one_engine)] on: Engine) {
    let (_app, admin) = stage(on, FILE).await;
    let refuse = async |more: Value, field: &str| {
        let refused = admin.post(&format!("{PATH}/preview"), &asked("sales", MARCH, more)).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], field, "{refused}");
    };
    let running = json!([{ "field": "net" }, { "field": "net", "rule": "running" }]);
    refuse(json!({ "rows": ["store"], "measures": running }), "measures.1.rule").await;
    refuse(json!({ "rows": ["store", "weekday"], "measures": running }), "measures.1.rule").await;
    let top = json!({ "rows": 3, "other": true });
    refuse(json!({ "rows": ["date"], "measures": running, "top": top }), "top").await;
    refuse(
        json!({ "rows": ["date"], "measures": [{ "field": "price", "rule": "running" }] }),
        "measures.0.rule",
    )
    .await;
    let net = json!([{ "field": "net" }]);
    for range in [
        json!({ "last": 0, "unit": "month" }),
        json!({ "last": 3 }),
        json!({ "last": 401, "unit": "day" }),
        json!({ "last": 13, "unit": "year" }),
    ] {
        refuse(json!({ "measures": net, "range": range }), "range").await;
    }
}
