//! Which tills must have a reading on which days, the same on every page; days recorded as without one.

use larder_domain::Action;
use larder_platform::Clock as _;
use rstest::rstest;
use serde_json::{Value, json};

use super::z_reading::{make, take, typed};
use super::{Reading, day, put_paid, put_reading, store, z_reading};
use crate::support::{App, Client, Engine, actor, one_engine};

const PATH: &str = "/api/sales/z-reading";

/// Sales of a till as a source reports them, in centavos.
async fn put_sales(app: &App, store: &str, (date, source, till): (&str, &str, &str), net: i64) {
    let at = app.clock.now();
    let (who, date) = (actor(at), day(date));
    let written =
        app.db.write(&who, async |tx| put_paid(tx, at, (store, date, source, till), (net, &[][..])).await);
    written.await.expect("sales");
}

/// Verified readings of a till, as `(date, counter)`.
async fn put_chain(app: &App, store: &str, till: &str, readings: &[(&str, i64)]) {
    for (date, z) in readings {
        let reading = Reading { terminal: till.into(), z: *z, ..Reading::of(1_000) };
        put_reading(app, store, day(date), &reading).await;
    }
}

/// The days of the first week of February 2025 in the calendar.
async fn week(client: &Client, store: &str) -> Vec<Value> {
    let path = format!("{PATH}/calendar?from=2025-02-01&to=2025-02-07&storeIds={store}");
    let calendar = client.get(&path).await.expect(200);
    calendar["stores"][0]["days"].as_array().expect("days").clone()
}

/// What the calendar says a day of that week lacks.
async fn lacks(client: &Client, store: &str, date: &str) -> Vec<String> {
    let days = week(client, store).await;
    let of_day = days.iter().find(|one| one["date"] == date).expect("the day");
    let reasons = of_day["tills"]["reasons"].as_array().expect("reasons");
    assert_eq!(of_day["tills"]["complete"], json!(reasons.is_empty()), "{of_day}");
    reasons.iter().map(|one| one.as_str().expect("words").to_owned()).collect()
}

fn none() -> Vec<String> {
    Vec::new()
}

#[rstest]
#[tokio::test]
async fn a_till_that_sold_needs_its_reading(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_chain(&app, &makati, "01", &[("2025-02-01", 7), ("2025-02-02", 8)]).await;
    put_chain(&app, &makati, "02", &[("2025-02-01", 3)]).await;
    put_sales(&app, &makati, ("2025-02-02", "file", "01"), 112_000).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, none(), "the other one sold nothing");
    put_sales(&app, &makati, ("2025-02-02", "api", "02"), 50_000).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, ["Till 02 has no Z-reading."]);
    let second = week(&admin, &makati).await[1].clone();
    assert_eq!(
        (&second["state"], &second["missing"], &second["verified"], &second["sold"]),
        (&json!("missing"), &json!(1), &json!(1), &json!(1_620))
    );
    let tills = &second["tills"];
    assert_eq!((&tills["settled"], &tills["expected"]), (&json!(1), &json!(2)));
    assert_eq!(
        (&tills["tills"][1]["terminalId"], &tills["tills"][1]["why"], &tills["tills"][1]["state"]),
        (&json!("02"), &json!("sold"), &json!("missing"))
    );
    let waits = Reading { terminal: "02".into(), z: 4, state: "needsReview".into(), ..Reading::of(500) };
    put_reading(&app, &makati, day("2025-02-02"), &waits).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, ["Till 02 has a Z-reading that is not verified."]);
    assert_eq!(week(&admin, &makati).await[1]["state"], "waiting");
}

#[rstest]
#[tokio::test]
async fn sales_without_tills_need_the_active_tills(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let ago = |text: &str| z_reading::day(&app, 0).0 - day(text).0;
    z_reading::sell(&app, &makati, ago("2025-02-02"), 100_000).await;
    assert_eq!(
        lacks(&admin, &makati, "2025-02-02").await,
        ["No Z-reading is in, and no till is known."],
        "sales, and nothing that says of which till"
    );
    put_chain(&app, &makati, "01", &[("2025-02-01", 7)]).await;
    put_chain(&app, &makati, "02", &[("2025-02-02", 3)]).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, ["Till 01 has no Z-reading."]);
    assert_eq!(lacks(&admin, &makati, "2025-02-01").await, none(), "the other one had not begun");
    // A day without any sales is due as well, unless the store is closed.
    assert_eq!(
        lacks(&admin, &makati, "2025-02-03").await,
        ["Till 01 has no Z-reading.", "Till 02 has no Z-reading."]
    );
    let closed = json!({ "storeId": makati, "date": "2025-02-03", "closed": true, "reason": "Typhoon" });
    admin.put("/api/sales/cmsr/days", &closed).await.expect(200);
    assert_eq!(lacks(&admin, &makati, "2025-02-03").await, none());
    assert_eq!(week(&admin, &makati).await[2]["state"], "closed");
}

#[rstest]
#[tokio::test]
async fn a_skipped_counter_makes_its_day_incomplete(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_chain(&app, &makati, "01", &[("2025-02-01", 7), ("2025-02-03", 9), ("2025-02-04", 11)]).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, ["Till 01 has no Z-reading."]);
    // Between two days there is no day of which the counter may be.
    assert_eq!(lacks(&admin, &makati, "2025-02-04").await, ["Till 01 skips a Z-reading before this one."]);
    let chain = format!("{PATH}/chain?storeId={makati}&terminalId=01&from=2025-02-01&to=2025-02-04");
    let shown = admin.get(&chain).await.expect(200);
    let words: Vec<&Value> =
        shown["days"].as_array().expect("days").iter().map(|one| &one["words"]).collect();
    assert_eq!(
        words,
        ["2 Feb 2025: Till 01 has no Z-reading.", "4 Feb 2025: Till 01 skips a Z-reading before this one."]
    );
    assert_eq!((&shown["days"][0]["why"], &shown["days"][0]["state"]), (&json!("chain"), &json!("missing")));
    // What was skipped is entered.
    put_chain(&app, &makati, "01", &[("2025-02-02", 8)]).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, none());
}

#[rstest]
#[tokio::test]
async fn an_unbroken_chain_without_sales_needs_none(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_chain(&app, &makati, "01", &[("2025-02-01", 7), ("2025-02-03", 8)]).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, none());
    assert_eq!(week(&admin, &makati).await[1]["state"], "none");
    // Sales of the day are in no reading.
    put_sales(&app, &makati, ("2025-02-02", "file", "01"), 5_000).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, ["Till 01 has no Z-reading."]);
}

#[rstest]
#[tokio::test]
async fn a_delivery_app_needs_none(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_chain(&app, &makati, "01", &[("2025-02-01", 7), ("2025-02-02", 8)]).await;
    put_sales(&app, &makati, ("2025-02-02", "file", "01"), 112_000).await;
    put_sales(&app, &makati, ("2025-02-02", "api", "GrabFood"), 50_000).await;
    put_sales(&app, &makati, ("2025-02-02", "w3p", "WEB"), 20_000).await;
    assert_eq!(
        lacks(&admin, &makati, "2025-02-02").await,
        ["Till WEB has no Z-reading."],
        "only a name is known to be an app's"
    );
    let set = json!({ "basis": "net", "vat": "exclusive", "prints": false, "revision": 0 });
    let kept = admin.put(&format!("{PATH}/terminals/{makati}/WEB"), &set).await.expect(200);
    assert_eq!(kept["prints"], false);
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, none());
}

#[rstest]
#[tokio::test]
async fn a_till_switched_off_is_not_missed(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_chain(&app, &makati, "01", &[("2025-02-01", 7), ("2025-02-02", 8), ("2025-02-03", 9)]).await;
    put_chain(&app, &makati, "02", &[("2025-02-01", 3)]).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-03").await, ["Till 02 has no Z-reading."]);
    let path = format!("{PATH}/terminals/{makati}/02");
    let mut set = json!({ "basis": "net", "vat": "exclusive", "offFrom": "soon", "revision": 0 });
    assert_eq!(admin.put(&path, &set).await.expect(422)["fields"][0]["field"], "offFrom");
    set["offFrom"] = json!("2025-02-03");
    assert_eq!(admin.put(&path, &set).await.expect(200)["offFrom"], "2025-02-03");
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, ["Till 02 has no Z-reading."]);
    assert_eq!(lacks(&admin, &makati, "2025-02-03").await, none());
    // What is left out stays as it is.
    let some = json!({ "basis": "gross", "vat": "exclusive", "prints": false, "revision": 1 });
    let kept = admin.put(&path, &some).await.expect(200);
    assert_eq!((&kept["offFrom"], &kept["prints"]), (&json!("2025-02-03"), &json!(false)));
    let some = json!({ "basis": "net", "vat": "exclusive", "revision": 2 });
    let kept = admin.put(&path, &some).await.expect(200);
    assert_eq!((&kept["offFrom"], &kept["prints"]), (&json!("2025-02-03"), &json!(false)));
    let on = json!({ "basis": "net", "vat": "exclusive", "offFrom": null, "prints": true, "revision": 3 });
    assert_eq!(admin.put(&path, &on).await.expect(200)["offFrom"], Value::Null);
    let off = json!({ "basis": "net", "vat": "exclusive", "offFrom": "2025-02-03", "revision": 4 });
    assert_eq!(admin.put(&path, &off).await.expect(200)["prints"], true);
    put_sales(&app, &makati, ("2025-02-03", "file", "02"), 5_000).await;
    assert_eq!(lacks(&admin, &makati, "2025-02-03").await, ["Till 02 has no Z-reading."], "it sold");
}

#[rstest]
#[tokio::test]
async fn one_reading_covers_a_weekend(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let friday = make(&admin, &typed(&app, &makati, 1, 9)).await;
    take(&admin, &friday, "verify").await;
    let mut draft = typed(&app, &makati, 2, 7);
    draft["coversFrom"] = json!(z_reading::day(&app, 15));
    let refused = admin.post(PATH, &draft).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "coversFrom");
    draft["coversFrom"] = json!(z_reading::day(&app, 9));
    let refused = admin.post(PATH, &draft).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "coversFrom", "Friday has its own: {refused}");
    draft["coversFrom"] = json!(z_reading::day(&app, 8));
    let sunday = make(&admin, &draft).await;
    assert_eq!(sunday["coversFrom"], json!(z_reading::day(&app, 8)));
    let calendar = async || -> Vec<Value> {
        let (from, to) = (z_reading::day(&app, 9), z_reading::day(&app, 7));
        let path = format!("{PATH}/calendar?from={from}&to={to}&storeIds={makati}");
        admin.get(&path).await.expect(200)["stores"][0]["days"].as_array().expect("days").clone()
    };
    let states = |days: &[Value]| days.iter().map(|one| one["state"].clone()).collect::<Vec<Value>>();
    assert_eq!(states(&calendar().await), ["verified", "waiting", "waiting"]);
    take(&admin, &sunday, "verify").await;
    let days = calendar().await;
    assert_eq!(states(&days), ["verified", "verified", "verified"]);
    let saturday = &days[1]["tills"]["tills"][0];
    assert_eq!(
        (&saturday["coveredOn"], &saturday["readings"][0], &days[1]["net"]),
        (&json!(z_reading::day(&app, 7)), &sunday["id"], &json!(0)),
        "its figures are Sunday's"
    );
    // No other reading may be of a day that one covers already.
    let refused = admin.post(PATH, &typed(&app, &makati, 3, 8)).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "coversFrom", "{refused}");
}

#[rstest]
#[tokio::test]
async fn an_absence_is_recorded_with_a_reason(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_chain(&app, &makati, "01", &[("2025-02-01", 7), ("2025-02-02", 8), ("2025-02-03", 9)]).await;
    put_chain(&app, &makati, "02", &[("2025-02-01", 3), ("2025-02-03", 5)]).await;
    let path = |date: &str, till: &str| format!("{PATH}/absences/{makati}/{date}?terminalId={till}");
    let why = json!({ "reason": "The till was stolen" });
    let rights = [("sales/zReading", &[Action::View, Action::Edit, Action::Approve][..])];
    let clerk = app.user(&rights, None).await;
    let refused = clerk.put(&path("2025-02-02", "02"), &why).await.expect(403);
    assert_eq!(refused["detail"], "You may not record that no reading exists.");
    let pasig = store(&admin, "Pasig", "PSG").await;
    let rights = [("sales/zReading", &[Action::View, Action::Override][..])];
    let far = app.user(&rights, Some(std::slice::from_ref(&pasig))).await;
    assert_eq!(far.put(&path("2025-02-02", "02"), &why).await.status, 403, "another store's");

    let refused = admin.put(&path("2025-02-02", "02"), &json!({ "reason": " " })).await.expect(422);
    assert_eq!(refused["fields"][0], json!({ "field": "reason", "message": "Say why." }));
    let refused = admin.put(&path("2025-02-02", "01"), &why).await.expect(422);
    assert_eq!(refused["fields"][0]["message"], "This till has a Z-reading on this day.");
    let refused = admin.put(&path("2025-02-02", "09"), &why).await.expect(422);
    assert_eq!(refused["fields"][0]["message"], "This till needs no Z-reading on this day.");
    let tomorrow = z_reading::day(&app, -1).to_string();
    assert_eq!(admin.put(&path(&tomorrow, "02"), &why).await.expect(422)["fields"][0]["field"], "date");

    let of_day = admin.put(&path("2025-02-02", "02"), &why).await.expect(200);
    assert_eq!(
        (&of_day["complete"], &of_day["settled"], &of_day["expected"]),
        (&json!(true), &json!(2), &json!(2))
    );
    let till = &of_day["tills"][1];
    assert_eq!((&till["state"], &till["absence"]["reason"]), (&json!("absent"), &why["reason"]));
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, none());

    // It is printed on the month and on what goes to NetSuite.
    let at = format!("storeId={makati}&month=2025-02");
    let month = admin.get(&format!("/api/sales/cmsr?{at}")).await.expect(200);
    assert_eq!(
        (&month["content"]["absences"][0]["terminalId"], &month["content"]["absences"][0]["date"]),
        (&json!("02"), &json!("2025-02-02"))
    );
    assert_eq!(month["content"]["days"][1]["missing"], false);
    let file = admin.get(&format!("/api/sales/cmsr/export?{at}")).await.text();
    let words = "2 Feb 2025, till 02: no Z-reading exists (The till was stolen). Recorded by ";
    assert!(file.contains(words), "{file}");
    let range =
        json!({ "layout": "cashSale", "from": "2025-02-02", "to": "2025-02-02", "storeIds": [makati] });
    let path_of = format!("/api/sales/netsuite?from=2025-02-02&to=2025-02-02&storeIds={makati}");
    let days = admin.get(&path_of).await.expect(200);
    let absent = "Till 02 has no Z-reading (The till was stolen).";
    assert_eq!(
        (&days["items"][0]["state"], &days["items"][0]["absences"]),
        (&json!("ready"), &json!([absent]))
    );
    let made = admin.post("/api/sales/netsuite/export", &range).await.expect(201);
    let file = format!("/api/sales/netsuite/exports/{}/file", made["id"].as_str().expect("an id"));
    let text = admin.get(&file).await.text();
    assert!(text.contains("Till 02 has no Z-reading (The till was stolen)"), "{text}");

    admin.delete(&path("2025-02-02", "02")).await.expect(200);
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, ["Till 02 has no Z-reading."]);
    assert_eq!(admin.delete(&path("2025-02-02", "02")).await.status, 404);
}

/// The incomplete days of the first week of February 2025, as each page names them.
async fn incomplete(admin: &Client, store: &str) -> Vec<(&'static str, Vec<String>)> {
    let dates = |found: Vec<&Value>| -> Vec<String> {
        found.into_iter().map(|one| one.as_str().expect("a day").to_owned()).collect()
    };
    let within = |date: &Value| date.as_str().is_some_and(|date| date < "2025-02-08");
    let of_week = week(admin, store).await;
    let calendar = of_week.iter().filter(|one| one["tills"]["complete"] == false).map(|one| &one["date"]);
    let month = admin.get(&format!("/api/sales/cmsr?storeId={store}&month=2025-02")).await.expect(200);
    let missing = month["missing"].as_array().expect("days").iter().filter(|one| within(one));
    let path = format!("/api/sales/netsuite?from=2025-02-01&to=2025-02-07&storeIds={store}");
    let netsuite = admin.get(&path).await.expect(200);
    let blocked = netsuite["items"].as_array().expect("days").iter();
    let blocked = blocked.filter(|one| one["reasons"][0] == "Z not verified.").map(|one| &one["date"]);
    let mut chains: Vec<String> = Vec::new();
    for till in ["01", "02"] {
        let path = format!("{PATH}/chain?storeId={store}&terminalId={till}&from=2025-02-01&to=2025-02-07");
        let chain = admin.get(&path).await.expect(200);
        chains
            .extend(dates(chain["days"].as_array().expect("days").iter().map(|one| &one["date"]).collect()));
    }
    chains.sort();
    chains.dedup();
    let path = format!("/api/sales/tender-report?from=2025-02-01&to=2025-02-07&kinds=cash&storeIds={store}");
    let paid = admin.get(&path).await.expect(200);
    let half = paid["items"].as_array().expect("days").iter();
    let half = half.filter(|one| one["pairs"][0]["state"] == "incomplete").map(|one| &one["date"]);
    vec![
        ("tender report", dates(half.collect())),
        ("calendar", dates(calendar.collect())),
        ("month", dates(missing.collect())),
        ("netsuite", dates(blocked.collect())),
        ("chains", chains),
    ]
}

#[rstest]
#[tokio::test]
async fn all_pages_name_the_same_days(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let first =
        [("2025-02-01", 7), ("2025-02-02", 8), ("2025-02-03", 9), ("2025-02-05", 11), ("2025-02-07", 12)];
    put_chain(&app, &makati, "01", &first).await;
    put_chain(&app, &makati, "02", &[("2025-02-01", 3), ("2025-02-03", 4), ("2025-02-07", 5)]).await;
    // 02 sold on the 2nd without a reading; 01 skips the 4th; nobody sold on the 6th.
    put_sales(&app, &makati, ("2025-02-02", "file", "02"), 5_000).await;
    let waits = Reading { terminal: "02".into(), z: 6, state: "disputed".into(), ..Reading::of(1) };
    put_reading(&app, &makati, day("2025-02-07"), &waits).await;
    for (page, days) in incomplete(&admin, &makati).await {
        assert_eq!(days, ["2025-02-02", "2025-02-04", "2025-02-07"], "{page}");
    }
    // The year counts the whole month: these and the days after the last readings.
    let month = admin.get(&format!("/api/sales/cmsr?storeId={makati}&month=2025-02")).await.expect(200);
    let year = admin.get(&format!("/api/sales/cmsr/year?year=2025&storeIds={makati}")).await.expect(200);
    let february = &year["items"][0]["months"][1];
    assert_eq!(february["missingDays"], json!(month["missing"].as_array().expect("days").len()));
    assert_eq!(february["says"], month["blocker"]);
}

#[rstest]
#[tokio::test]
async fn more_stores_and_days_need_no_more_statements(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    // Other work may run beside a request: the least of three counts.
    let asked = async |to: &str| {
        let mut least = u64::MAX;
        for _ in 0..3 {
            let before = app.db.statements();
            admin.get(&format!("{PATH}/calendar?from=2025-02-01&to={to}")).await.expect(200);
            least = least.min(app.db.statements() - before);
        }
        least
    };
    store(&admin, "Makati", "MKT").await;
    let few = asked("2025-02-01").await;
    for (name, code) in [("Pasig", "PSG"), ("Cubao", "CUB"), ("Ayala", "AYA")] {
        store(&admin, name, code).await;
    }
    assert_eq!(asked("2025-03-31").await, few);
}

#[rstest]
#[tokio::test]
async fn a_day_with_sales_cannot_be_closed(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_sales(&app, &makati, ("2025-02-04", "file", "01"), 12_195_500).await;
    put_chain(&app, &makati, "01", &[("2025-02-05", 7)]).await;
    let close = async |date: &str| {
        let body = json!({ "storeId": makati, "date": date, "closed": true, "reason": "Typhoon" });
        admin.put("/api/sales/cmsr/days", &body).await
    };
    let refused = close("2025-02-04").await.expect(422);
    let words = "₱121,955.00 was sold on 4 Feb 2025. A day with sales cannot be closed.";
    assert_eq!((&refused["code"], &refused["detail"]), (&json!("hasSales"), &json!(words)));
    assert_eq!(refused["fields"][0], json!({ "field": "closed", "message": words }));
    let refused = close("2025-02-05").await.expect(422);
    assert_eq!(
        refused["detail"],
        "There is a Z-reading of 5 Feb 2025. A day with readings cannot be closed."
    );

    // Sales that come after the mark contradict it.
    close("2025-02-06").await.expect(200);
    put_sales(&app, &makati, ("2025-02-06", "file", "01"), 5_000).await;
    put_chain(&app, &makati, "01", &[("2025-02-06", 8)]).await;
    let words = "The day is marked as closed, but ₱50.00 was sold.";
    assert_eq!(lacks(&admin, &makati, "2025-02-06").await, [words]);
    let month = admin.get(&format!("/api/sales/cmsr?storeId={makati}&month=2025-02")).await.expect(200);
    let of_day = &month["content"]["days"][5];
    assert_eq!(
        (&of_day["closed"], &of_day["contradicted"], &of_day["missing"], &of_day["reasons"]),
        (&json!(false), &json!(true), &json!(true), &json!([words]))
    );
    let blocker = month["blocker"].as_str().expect("words");
    assert!(blocker.ends_with("1 day is marked as closed but had sales or readings."), "{blocker}");
    let open = json!({ "storeId": makati, "date": "2025-02-06", "revision": 1 });
    admin.put("/api/sales/cmsr/days", &open).await.expect(200);
    assert_eq!(lacks(&admin, &makati, "2025-02-06").await, none());
}

#[rstest]
#[tokio::test]
async fn a_day_sold_without_any_reading_is_named(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_chain(&app, &makati, "01", &[("2025-02-01", 7), ("2025-02-03", 9)]).await;
    put_sales(&app, &makati, ("2025-02-02", "file", "01"), 5_000_000).await;
    let path = format!("{PATH}/absences/{makati}/2025-02-02?terminalId=01");
    admin.put(&path, &json!({ "reason": "The till was stolen" })).await.expect(200);
    assert_eq!(lacks(&admin, &makati, "2025-02-02").await, none());

    let path = format!("/api/sales/netsuite?from=2025-02-02&to=2025-02-02&storeIds={makati}");
    let days = admin.get(&path).await.expect(200).to_string();
    assert!(days.contains("No Z-reading exists, so there is nothing to export."), "{days}");
    let path = format!("/api/sales/cmsr?storeId={makati}&month=2025-02");
    let month = admin.get(&path).await.expect(200);
    let words =
        "Something was sold on 2 Feb 2025, and no Z-reading exists: its figures are zero. Correct them.";
    assert!(month["warnings"].to_string().contains(words), "{}", month["warnings"]);
}

#[rstest]
#[tokio::test]
async fn a_reading_may_cover_a_closed_day(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_chain(&app, &makati, "01", &[("2025-02-01", 7)]).await;
    let reading = Reading { terminal: "01".into(), z: 8, ..Reading::of(1_000) };
    put_reading(&app, &makati, day("2025-02-04"), &reading).await;
    let from = day("2025-02-02").0;
    let covers = "update z_readings set covers_from = $1 where business_date = $2";
    app.db
        .write(&actor(app.clock.now()), async |tx| {
            tx.sql(covers).bind(larder_domain::BusinessDay(from)).bind(day("2025-02-04")).execute().await
        })
        .await
        .expect("a reading of three days");
    let closed = json!({ "storeId": makati, "date": "2025-02-03", "closed": true, "reason": "Typhoon" });
    admin.put("/api/sales/cmsr/days", &closed).await.expect(200);
    let of_days = week(&admin, &makati).await;
    assert!(of_days[1..4].iter().all(|one| one["tills"]["complete"] == true), "{of_days:?}");
    let own = json!({ "storeId": makati, "date": "2025-02-04", "closed": true, "reason": "Typhoon" });
    assert_eq!(admin.put("/api/sales/cmsr/days", &own).await.expect(422)["code"], "hasSales");
}

#[rstest]
#[tokio::test]
async fn a_day_lacks_the_same_whatever_span_is_asked(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    // Two spare tills, quiet for four months: one skips a counter, one does not.
    put_chain(&app, &makati, "02", &[("2024-12-20", 5), ("2025-04-25", 7)]).await;
    put_chain(&app, &makati, "03", &[("2024-12-20", 5), ("2025-04-25", 6)]).await;
    put_chain(&app, &makati, "01", &[("2025-02-03", 9)]).await;
    let second = |days: &Value| {
        let found = days.as_array().expect("days").iter().find(|one| one["date"] == "2025-02-03");
        found.expect("the day")["tills"]["reasons"].clone()
    };
    let mut said = Vec::new();
    for span in
        ["from=2025-02-03&to=2025-02-03", "from=2025-02-01&to=2025-02-07", "from=2025-01-15&to=2025-03-10"]
    {
        let path = format!("{PATH}/calendar?{span}&storeIds={makati}");
        let calendar = admin.get(&path).await.expect(200);
        said.push(second(&calendar["stores"][0]["days"]));
    }
    let path = format!("/api/sales/cmsr?storeId={makati}&month=2025-02");
    said.push(admin.get(&path).await.expect(200)["content"]["days"][2]["reasons"].clone());
    assert_eq!(said, vec![json!(["Till 02 has no Z-reading."]); 4]);
}

/// What the certified month and the record for NetSuite print of tills without a reading on a day.
async fn printed(client: &Client, store: &str, date: &str) -> (Vec<String>, Vec<String>) {
    let month = format!("/api/sales/cmsr/export?storeId={store}&month=2025-02");
    let day = day(date).display();
    let month = client.get(&month).await.text();
    let month = month.lines().filter(|line| line.contains(&day) && line.contains("Recorded by"));
    let words = |line: &str| line.trim_matches('"').split(". Recorded").next().unwrap_or_default().to_owned();
    let path = format!("/api/sales/netsuite?from={date}&to={date}&storeIds={store}");
    let netsuite = client.get(&path).await.expect(200)["items"][0]["absences"].clone();
    let netsuite = netsuite.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    (month.map(words).collect(), netsuite.collect())
}

#[rstest]
#[tokio::test]
async fn an_absence_is_printed_for_what_it_is_of(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    put_chain(&app, &makati, "01", &[("2025-02-01", 7), ("2025-02-03", 9), ("2025-02-04", 11)]).await;
    let other = ["2025-02-01", "2025-02-02", "2025-02-03", "2025-02-04"];
    put_chain(&app, &makati, "02", &[(other[0], 1), (other[1], 2), (other[2], 3), (other[3], 4)]).await;
    let why = json!({ "reason": "Stolen" });
    for date in ["2025-02-02", "2025-02-04"] {
        let path = format!("{PATH}/absences/{makati}/{date}?terminalId=01");
        assert_eq!(admin.put(&path, &why).await.expect(200)["complete"], true, "{date}");
    }
    let one = |text: &str| vec![text.to_owned()];
    assert_eq!(
        printed(&admin, &makati, "2025-02-02").await,
        (one("2 Feb 2025, till 01: no Z-reading exists (Stolen)"), one("Till 01 has no Z-reading (Stolen)."))
    );
    // The reading of the 4th is in the record; what does not exist is the one before it.
    assert_eq!(
        printed(&admin, &makati, "2025-02-04").await,
        (
            one("4 Feb 2025, till 01: a Z-reading before this one does not exist (Stolen)"),
            one("A Z-reading of till 01 before this one does not exist (Stolen).")
        )
    );
    // The slip of the 2nd is found.
    put_chain(&app, &makati, "01", &[("2025-02-02", 8)]).await;
    assert_eq!(printed(&admin, &makati, "2025-02-02").await, (vec![], vec![]));
}
