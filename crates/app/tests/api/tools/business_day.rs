//! The business day: when a store's day begins, and to which day sales after midnight belong.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, create_unknowns, import, post, suggested, upload, validate};
use crate::documents::said;
use crate::sales::store;
use crate::support::{App, Client, Engine, one_engine};

const AT: &str = "/api/stores/day-starts";
const ASK: &str = "dayStart";

/// A bar open to three: receipts of the 14th, 00:40 and 02:10, belong to the evening of the 13th.
const TOAST: &str = "Location,Order Id,Order #,Sent Date,Order Date,Check Id,Server,Table,Dining Option,Item Selection Id,Item Id,SKU,Menu Item,Sales Category,Gross Price,Discount,Net Price,Qty,Tax,Void?\n\
Larkspur Mall,90001,1,11/13/26 8:05 PM,11/13/26 8:05 PM,C1,Server A,4,Dine In,S1,INeg,,Negroni,Bar,300.00,0.00,300.00,1.0,0.00,false\n\
Larkspur Mall,90002,2,11/13/26 11:40 PM,11/13/26 11:40 PM,C2,Server A,4,Dine In,S2,INeg,,Negroni,Bar,600.00,0.00,600.00,2.0,0.00,false\n\
Larkspur Mall,90003,3,11/14/26 12:40 AM,11/14/26 12:40 AM,C3,Server A,4,Dine In,S3,INeg,,Negroni,Bar,900.00,0.00,900.00,3.0,0.00,false\n\
Larkspur Mall,90004,4,11/14/26 2:10 AM,11/14/26 2:10 AM,C4,Server A,4,Dine In,S4,ILag,,Lager,Bar,200.00,0.00,200.00,1.0,0.00,false\n\
Larkspur Mall,90005,5,11/14/26 7:10 PM,11/14/26 7:10 PM,C5,Server A,4,Dine In,S5,ILag,,Lager,Bar,200.00,0.00,200.00,1.0,0.00,true\n\
Larkspur Mall,90006,6,11/14/26 7:30 PM,11/14/26 7:30 PM,C6,Server A,4,Dine In,S6,ILag,,Lager,Bar,200.00,200.00,0.00,1.0,0.00,false\n";

const CLOCK24: &str = "Date,Time,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales\n\
2026-11-13,23:10,Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00\n\
2026-11-13,24:15,Larkspur Mall,2,A1,Tapsilog,1,120.00,120.00\n\
2026-11-13,25:30,Larkspur Mall,3,A1,Tapsilog,1,120.00,120.00\n";

const HEAD: &str = "Date,Time,Store,Receipt No,Item Name,Qty,Net Sales\n";

struct Stage {
    app: App,
    admin: Client,
    mall: String,
}

async fn stage(on: Engine) -> Stage {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mall = store(&admin, "Larkspur Mall", "LKM").await;
    Stage { app, admin, mall }
}

impl Stage {
    async fn begins(&self, from: &str, minutes: i64) -> Value {
        let path = format!("{AT}/{}/{from}", self.mall);
        self.admin.put(&path, &json!({ "minutes": minutes })).await.expect(200)
    }

    /// The starts of the store's days: from when, in minutes.
    async fn starts(&self) -> Vec<(Value, Value)> {
        let found = self.admin.get(&format!("{AT}?storeId={}", self.mall)).await.expect(200);
        let changes = found["items"][0]["changes"].as_array().expect("changes").iter();
        changes.map(|change| (change["from"].clone(), change["minutes"].clone())).collect()
    }

    /// The net sales of business dates, and the times at which they were sold.
    async fn sold(&self, date: &str) -> (Value, Vec<String>) {
        let found = self.admin.get(&format!("{HOME}/days/{}/{date}", self.mall)).await;
        if found.status == 404 {
            return (Value::Null, Vec::new());
        }
        let day = found.expect(200);
        let lines = day["lines"].as_array().expect("lines").iter();
        let mut times: Vec<String> =
            lines.filter_map(|line| line["soldAt"].as_str()).map(|at| at[..16].to_owned()).collect();
        times.sort();
        (day["totals"]["net"].clone(), times)
    }

    /// Uploads a file and checks it as suggested; then once more with answers, if there are any.
    async fn check(&self, name: &str, file: &str, answers: Value) -> Value {
        let batch = upload(&self.admin, name, file).await;
        let batch = validate(&self.app, &self.admin, &batch, &batch["layout"]["suggestion"]).await;
        if answers == json!({}) { batch } else { self.answer(&batch, answers).await }
    }

    async fn answer(&self, batch: &Value, answers: Value) -> Value {
        let mut mapping = batch["mapping"].clone();
        mapping["answers"] = answers;
        validate(&self.app, &self.admin, batch, &mapping).await
    }

    /// Checks and posts it.
    async fn import(&self, name: &str, file: &str, answers: Value) -> Value {
        let batch = self.check(name, file, answers).await;
        assert_eq!(batch["state"], "validated", "{batch}");
        create_unknowns(&self.admin, &batch).await;
        let posted = post(&self.app, &self.admin, &batch, true).await;
        assert_eq!(posted["state"], "posted", "{posted}");
        posted
    }
}

#[rstest]
#[tokio::test]
async fn a_start_is_set_from_a_day_on(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let (admin, mall) = (&stage.admin, &stage.mall);
    assert_eq!(stage.starts().await, Vec::new());
    let set = stage.begins("2026-11-13", 300).await;
    assert_eq!((&set["minutes"], &set["changes"][0]["revision"]), (&json!(300), &json!(1)));
    let later = stage.begins("2026-12-01", 0).await;
    assert_eq!((&later["minutes"], later["changes"].as_array().map(Vec::len)), (&json!(300), Some(2)));
    let path = format!("{AT}/{mall}/2026-11-13");
    // What was changed since is not overwritten.
    let stale = admin.put(&path, &json!({ "minutes": 360 })).await.expect(409);
    assert_eq!((&stale["code"], &stale["current"]["minutes"]), (&json!("stale"), &json!(300)));
    admin.put(&path, &json!({ "minutes": 360, "revision": 1 })).await.expect(200);
    let left = admin.delete(&path).await.expect(200);
    assert_eq!((&left["minutes"], left["changes"].as_array().map(Vec::len)), (&json!(0), Some(1)));
    admin.delete(&path).await.expect(404);
    for minutes in [-15, 7, 735] {
        let refused = admin.put(&path, &json!({ "minutes": minutes })).await.expect(422);
        assert_eq!(said(&refused, "minutes"), "Choose a quarter of an hour from 00:00 to 12:00.");
    }
    admin.put(&format!("{AT}/nowhere/2026-11-13"), &json!({ "minutes": 300 })).await.expect(404);
    let history = admin.get("/api/history?kind=dayStart").await.expect(200);
    assert_eq!(history["items"].as_array().map(Vec::len), Some(4), "{history}");
    let other = store(admin, "Pasig", "PSG").await;
    let scoped =
        stage.app.user(&[("stores/storeList", Action::ALL)], Some(std::slice::from_ref(&other))).await;
    scoped.put(&path, &json!({ "minutes": 300 })).await.expect(403);
    let viewer = stage.app.user(&[("stores/storeList", &[Action::View])], None).await;
    viewer.get(AT).await.expect(200);
    viewer.put(&path, &json!({ "minutes": 300 })).await.expect(403);
}

#[rstest]
#[tokio::test]
async fn a_bar_is_asked_once_when_its_day_ends(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let batch = stage.check("toast_midnight.csv", TOAST, json!({})).await;
    let asks = batch["summary"]["asks"].as_array().expect("questions");
    let ask = asks.iter().find(|ask| ask["id"] == ASK).expect("the question");
    assert_eq!(ask["about"], "Larkspur Mall sold until 02:10 after midnight. Does its day end then?");
    // The pause from 02:11 to noon has its middle at 07:05.
    let labels: Vec<&Value> =
        ask["choices"].as_array().expect("choices").iter().map(|choice| &choice["label"]).collect();
    assert_eq!(labels, [&json!("Yes: a day begins at 07:00"), &json!("No: a day begins at midnight")]);
    for choice in ask["choices"].as_array().expect("choices") {
        assert_eq!(choice["net"], 2_000, "{choice}");
    }
    // Of each choice, what is sold on the days concerned.
    let day = |day: &str, qty: i64, net: i64| json!({ "day": day, "qty": qty, "net": net });
    assert_eq!(
        ask["choices"][0]["days"],
        json!([day("2026-11-13", 7, 2_000), day("2026-11-14", 1, 0)]),
        "{ask}"
    );
    assert_eq!(
        ask["choices"][1]["days"],
        json!([day("2026-11-13", 3, 900), day("2026-11-14", 5, 1_100)]),
        "{ask}"
    );
    create_unknowns(&stage.admin, &batch).await;
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let refused = stage.admin.post(&format!("{path}/post"), &json!({})).await.expect(409);
    assert_eq!(refused["code"], "asks", "{refused}");

    let answered = stage.answer(&batch, json!({ ASK: "yes" })).await;
    assert_eq!(answered["summary"]["asks"], json!([]), "{answered}");
    assert_eq!(stage.starts().await, Vec::new(), "nothing is set before it is posted");
    let posted = post(&stage.app, &stage.admin, &answered, false).await;
    assert_eq!(posted["state"], "posted", "{posted}");
    let times = ["2026-11-13T12:05", "2026-11-13T15:40", "2026-11-13T16:40", "2026-11-13T18:10"];
    assert_eq!(stage.sold("2026-11-13").await, (json!(2_000), times.map(str::to_owned).to_vec()));
    assert_eq!(stage.sold("2026-11-14").await.0, 0);
    assert_eq!(stage.starts().await, [(json!("2026-11-13"), json!(420))]);

    // The next file is read the same way, unasked.
    let next = TOAST.replace("11/14/26", "11/16/26").replace("11/13/26", "11/15/26").replace("9000", "9100");
    let posted = stage.import("toast_next.csv", &next, json!({})).await;
    assert_eq!(posted["summary"]["asks"], json!([]), "{posted}");
    assert_eq!(
        (stage.sold("2026-11-15").await.0, stage.sold("2026-11-16").await.0),
        (json!(2_000), json!(0))
    );
    super::import_sales_product::agree(&stage.app).await;
}

#[rstest]
#[tokio::test]
async fn a_bar_whose_day_ends_at_midnight_is_not_asked_again(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    stage.import("toast_midnight.csv", TOAST, json!({ ASK: "no" })).await;
    assert_eq!(
        (stage.sold("2026-11-13").await.0, stage.sold("2026-11-14").await.0),
        (json!(900), json!(1_100))
    );
    assert_eq!(stage.starts().await, [(json!("2026-11-13"), json!(0))]);
    let next = TOAST.replace("11/14/26", "11/16/26").replace("11/13/26", "11/15/26").replace("9000", "9100");
    let batch = stage.check("toast_next.csv", &next, json!({})).await;
    assert_eq!(batch["summary"]["asks"], json!([]), "{batch}");
}

#[rstest]
#[tokio::test]
async fn a_clock_past_24_stays_on_its_date(#[from(one_engine)] on: Engine, #[values(0, 300)] minutes: i64) {
    let stage = stage(on).await;
    stage.begins("2026-11-01", minutes).await;
    let posted = stage.import("clock24.csv", CLOCK24, json!({})).await;
    let summary = &posted["summary"];
    assert_eq!((&summary["problemLines"], &summary["days"]), (&json!(0), &json!(1)), "{summary}");
    let times = ["2026-11-13T15:10", "2026-11-13T16:15", "2026-11-13T17:30"];
    assert_eq!(stage.sold("2026-11-13").await, (json!(360), times.map(str::to_owned).to_vec()));
}

#[rstest]
#[tokio::test]
async fn a_business_date_is_not_shifted(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    stage.begins("2026-11-01", 300).await;
    let rows = "2026-11-13,23:40,Larkspur Mall,1,Lager,1,100\n2026-11-13,00:40,Larkspur Mall,2,Lager,1,50\n";
    for title in ["Business Date", "Trading date", "business_day"] {
        let file = format!("{}{rows}", HEAD.replacen("Date", title, 1));
        let batch = upload(&stage.admin, "business.csv", file).await;
        let mut mapping = suggested(&batch, None);
        mapping["columns"]["date"] = json!(0);
        let batch = validate(&stage.app, &stage.admin, &batch, &mapping).await;
        create_unknowns(&stage.admin, &batch).await;
        post(&stage.app, &stage.admin, &batch, true).await;
        // 00:40 of the business day is 24:40.
        let times = ["2026-11-13T15:40", "2026-11-13T16:40"];
        assert_eq!(
            stage.sold("2026-11-13").await,
            (json!(150), times.map(str::to_owned).to_vec()),
            "{title}"
        );
        assert_eq!(stage.sold("2026-11-12").await.1, Vec::<String>::new());
    }
}

#[rstest]
#[tokio::test]
async fn days_before_the_start_keep_theirs(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let night =
        |day: &str, receipt: i32| format!("{HEAD}2026-11-{day},00:40,Larkspur Mall,{receipt},Lager,1,50\n");
    // Imported before it was set.
    import(&stage.app, &stage.admin, "before.csv", night("20", 1)).await;
    stage.begins("2026-11-20", 300).await;
    assert_eq!(stage.sold("2026-11-20").await.0, 50);
    // Of a day before it begins, and after.
    import(&stage.app, &stage.admin, "earlier.csv", night("18", 2)).await;
    import(&stage.app, &stage.admin, "later.csv", night("22", 3)).await;
    let mut seen = Vec::new();
    for day in 17..=22 {
        seen.push(stage.sold(&format!("2026-11-{day}")).await.1.len());
    }
    assert_eq!(seen, [0, 1, 0, 1, 1, 0]);
}

#[rstest]
#[tokio::test]
async fn receipts_keep_their_day_when_a_file_comes_again(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let file = |day: &str| {
        format!(
            "{HEAD}2026-11-{day},00:40,Larkspur Mall,11,Lager,1,900\n2026-11-{day},12:00,Larkspur Mall,12,Lager,1,500\n"
        )
    };
    let again = async |file: String, from: &str, minutes: i64| {
        stage.begins(from, minutes).await;
        let batch = stage.check("again.csv", &file, json!({})).await;
        let posted = post(&stage.app, &stage.admin, &batch, false).await;
        assert_eq!(posted["state"], "posted", "{posted}");
    };
    // Imported while days began at midnight, and once more since they begin at five.
    stage.begins("2026-11-01", 0).await;
    stage.import("first.csv", &file("14"), json!({})).await;
    again(file("14"), "2026-11-02", 300).await;
    assert_eq!(stage.sold("2026-11-14").await.0, 1_400);
    assert_eq!(stage.sold("2026-11-13").await.1, Vec::<String>::new());
    // The other way round.
    stage.import("second.csv", &file("17"), json!({})).await;
    assert_eq!(
        (stage.sold("2026-11-16").await.0, stage.sold("2026-11-17").await.0),
        (json!(900), json!(500))
    );
    again(file("17"), "2026-11-03", 0).await;
    assert_eq!(
        (stage.sold("2026-11-16").await.0, stage.sold("2026-11-17").await.0),
        (json!(900), json!(500))
    );
}

#[rstest]
#[tokio::test]
async fn receipts_that_run_on_under_one_date_keep_it(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    stage.begins("2026-11-01", 300).await;
    let file = format!(
        "{HEAD}2026-11-13,23:20,Larkspur Mall,0098,Lager,1,100\n2026-11-13,23:59,Larkspur Mall,0099,Lager,1,100\n\
         2026-11-13,00:01,Larkspur Mall,0100,Lager,1,50\n"
    );
    let batch = stage.check("running.csv", &file, json!({})).await;
    let ask = &batch["summary"]["asks"][0];
    assert_eq!(ask["id"], "numbering", "{batch}");
    assert_eq!(
        ask["about"],
        "Receipts of Larkspur Mall run on from 23:59 to 00:01 under the date 13 Nov 2026. Is it the date of the evening?"
    );
    let batch = stage.answer(&batch, json!({ "numbering": "evening" })).await;
    assert_eq!(batch["summary"]["asks"], json!([]), "{batch}");
    create_unknowns(&stage.admin, &batch).await;
    post(&stage.app, &stage.admin, &batch, false).await;
    let times = ["2026-11-13T15:20", "2026-11-13T15:59", "2026-11-13T16:01"];
    assert_eq!(stage.sold("2026-11-13").await, (json!(250), times.map(str::to_owned).to_vec()));
}

#[rstest]
#[tokio::test]
async fn the_hours_of_a_bar_run_past_midnight(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    stage.begins("2026-11-01", 300).await;
    let row = |day: i32, clock: &str, receipt: i32| {
        format!("2026-11-{day},{clock},Larkspur Mall,{receipt},Lager,1,50\n")
    };
    let rows = [row(13, "22:10", 1), row(14, "00:40", 2)].concat();
    import(&stage.app, &stage.admin, "hours.csv", format!("{HEAD}{rows}")).await;
    let path = "/api/tools/transaction-insights?from=2026-11-13&to=2026-11-14";
    let answer = stage.admin.get(path).await.expect(200)["answer"].clone();
    // The 13th is a Friday: open from 22:00 to 00:59.
    assert_eq!((&answer["firstHour"], &answer["figures"]["openHours"]), (&json!(22), &json!(3)), "{answer}");
    let hours: Vec<Value> = answer["hours"]
        .as_array()
        .expect("hours")
        .iter()
        .map(|cell| json!([cell["weekday"], cell["hour"], cell["tickets"]]))
        .collect();
    assert_eq!(hours, [json!([5, 0, 1]), json!([5, 22, 1]), json!([5, 23, 0])]);
}

#[rstest]
#[tokio::test]
async fn a_reading_without_a_date_is_of_the_day_it_began(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    stage.begins("2026-11-01", 300).await;
    let path = crate::sales::z_reading::PATH;
    let mut draft = json!({ "storeId": stage.mall, "terminalId": "T1", "zCounter": 1, "beganAt": "2026-11-14T01:10:00+08:00" });
    let made = stage.admin.post(path, &draft).await.expect(201);
    assert_eq!(made["businessDate"], "2026-11-13", "{made}");
    draft["zCounter"] = json!(2);
    draft["businessDate"] = json!("2026-11-14");
    let made = stage.admin.post(path, &draft).await.expect(201);
    assert_eq!(made["businessDate"], "2026-11-14", "the printed day comes first");
}
