//! Tenders: declared, deposited, settled; and missing amounts.

use larder_domain::BusinessDay;
use larder_domain::{Action, Timestamp};
use larder_platform::Clock as _;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Reading, put_paid, put_reading, store};
use crate::dashboard::home::tile;
use crate::support::{App, Client, Engine, actor, one_engine};

const PATH: &str = "/api/sales/tender-report";

fn today(app: &App) -> BusinessDay {
    BusinessDay::of(Timestamp(app.clock.now().0))
}

fn row<'a>(report: &'a Value, kind: &str) -> &'a Value {
    report["items"].as_array().expect("rows").iter().find(|row| row["kind"] == kind).expect("a row")
}

/// A pair of a row.
fn pair<'a>(row: &'a Value, kind: &str) -> &'a Value {
    row["pairs"].as_array().expect("pairs").iter().find(|pair| pair["kind"] == kind).expect("a pair")
}

/// A drawer of 10 × 100 and 3 × 0.25.
fn drawer(store: &str, day: BusinessDay) -> Value {
    json!({
        "storeId": store, "businessDate": day.to_string(),
        "pieces": [{ "denomination": 100, "pieces": 10 }, { "denomination": 0.25, "pieces": 3 }],
        "tenders": [{ "kind": "card", "amount": 500 }],
    })
}

#[rstest]
#[tokio::test]
async fn tenders_are_tracked_from_the_till_to_the_bank(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let fees = json!({ "name": "Visa", "kind": "card", "feePercent": 2.5, "settlementDays": 2 });
    admin.post("/api/lists/tender-types", &fees).await.expect(201);
    let day = today(&app).plus(-5);
    let tenders = json!([
        { "kind": "cash", "label": "CASH", "amount": 1000.75 }, { "kind": "card", "label": "VISA", "amount": 500 },
    ]);
    put_reading(&app, &makati, day, &Reading { tenders, ..Reading::of(1_340) }).await;
    let asked = format!("{PATH}?from={day}&to={day}");
    let report = admin.get(&asked).await.expect(200);
    assert_eq!(row(&report, "cash")["z"], 1000.75);
    assert_eq!(
        (&row(&report, "cash")["missing"], &row(&report, "cash")["age"]),
        (&json!(1000.75), &json!(5))
    );
    assert_eq!(row(&report, "cash")["late"], true);

    let made = admin.post(&format!("{PATH}/declarations"), &drawer(&makati, day)).await.expect(201);
    assert_eq!((&made["cash"], &made["revision"]), (&json!(1000.75), &json!(1)));
    let paid = json!({
        "storeId": makati, "depositedOn": today(&app).to_string(), "bank": "BPI", "reference": "S-1",
        "days": [{ "businessDate": day.to_string(), "amount": 900.75 }, { "businessDate": day.plus(1).to_string(), "amount": 50 }],
    });
    let paid = admin.post(&format!("{PATH}/deposits"), &paid).await.expect(201);
    assert_eq!(paid["amount"], 950.75, "both days together");
    let file = format!(
        "Transaction Date,TID,Gross Amount,MDR,Net Amount,Card Type\n{day},MKT,500.00,12.50,487.50,VISA\nTotal,,500.00,12.50,487.50,\n"
    );
    let taken = admin.upload(&format!("{PATH}/settlements?fileName=bpi.csv"), file.clone()).await.expect(201);
    assert_eq!(
        (&taken["added"], &taken["unmatched"], &taken["problems"]),
        (&json!(1), &json!(0), &json!([]))
    );
    let again = admin.upload(&format!("{PATH}/settlements?fileName=again.csv"), file).await.expect(201);
    assert_eq!((&again["added"], &again["known"]), (&json!(0), &json!(1)), "the same line counts once");

    let report = admin.get(&asked).await.expect(200);
    let (cash, card) = (row(&report, "cash"), row(&report, "card"));
    assert_eq!((&cash["declared"], &cash["deposited"]), (&json!(1000.75), &json!(900.75)));
    assert_eq!(
        (&cash["compared"]["words"], &cash["missing"]),
        (&json!("Declared–deposited −₱100.00"), &json!(100))
    );
    assert_eq!(
        (&card["settled"], &card["fee"], &card["expectedFee"]),
        (&json!(500), &json!(12.5), &json!(12.5))
    );
    let settled = pair(card, "declaredSettled");
    assert_eq!((&settled["state"], &settled["by"]), (&json!("agrees"), &json!(0)));
    assert_eq!((&card["compared"]["words"], &card["missing"]), (&json!("No sales file"), &Value::Null));
    assert_eq!(
        (&report["missingCash"], &report["missingDays"], &report["oldest"]),
        (&json!(100), &json!(1), &json!(5))
    );

    let of = |kind: &str| format!("{PATH}/sources?storeId={makati}&date={day}&kind={kind}");
    let sources = admin.get(&of("cash")).await.expect(200);
    assert_eq!(sources["readings"][0]["amount"], 1000.75);
    assert_eq!(sources["deposits"][0]["days"][1]["amount"], 50);
    assert_eq!(admin.get(&of("card")).await.expect(200)["settlements"][0]["fee"], 12.5);

    // A correction, and a void.
    let at = format!("{PATH}/deposits/{}", paid["id"].as_str().expect("an id"));
    let more = json!({ "depositedOn": today(&app).to_string(), "bank": "BPI", "revision": 1,
        "days": [{ "businessDate": day.to_string(), "amount": 1000.75 }] });
    assert_eq!(admin.patch(&at, &more).await.expect(200)["amount"], 1000.75);
    assert_eq!(admin.patch(&at, &more).await.status, 409, "of an old revision");
    assert_eq!(row(&admin.get(&asked).await.expect(200), "cash")["missing"], Value::Null);
    let void = json!({ "reason": "Wrong account", "revision": 2 });
    admin.post(&format!("{at}/void"), &void).await.expect(200);
    assert_eq!(row(&admin.get(&asked).await.expect(200), "cash")["missing"], 1000.75);
    let file = admin.get(&format!("{PATH}/export?from={day}&to={day}&only=missing&kinds=cash")).await;
    assert_eq!(file.status, 200);
    assert!(file.text().contains("Makati") && !file.text().contains("Card"), "{}", file.text());
}

#[rstest]
#[tokio::test]
async fn a_repeated_declaration_is_saved_once(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app).plus(-1);
    let mut ids = Vec::new();
    for _ in 0..2 {
        let request = admin.request(reqwest::Method::POST, &format!("{PATH}/declarations"));
        let request = request.header("idempotency-key", "op1:create").json(&drawer(&makati, day));
        ids.push(admin.send(request).await.expect(201)["id"].clone());
    }
    assert_eq!(ids[0], ids[1]);
    let report = admin.get(&format!("{PATH}?from={day}&to={day}")).await.expect(200);
    assert_eq!(row(&report, "cash")["declared"], 1000.75);
    assert_eq!(row(&report, "card")["declared"], 500);
}

#[rstest]
#[tokio::test]
async fn errors_are_reported_where_they_occur(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let refused = json!({
        "storeId": makati, "businessDate": today(&app).plus(1).to_string(),
        "pieces": [{ "denomination": 3, "pieces": 1 }], "tenders": [{ "kind": "cash", "amount": 1 }],
    });
    let said = admin.post(&format!("{PATH}/declarations"), &refused).await.expect(422);
    let fields: Vec<&str> =
        said["fields"].as_array().expect("fields").iter().filter_map(|one| one["field"].as_str()).collect();
    assert_eq!(fields, ["businessDate", "pieces.0.pieces", "tenders.0.kind"]);
    let day = today(&app);
    let refused = json!({ "storeId": makati, "depositedOn": day.plus(-2).to_string(), "bank": "",
        "days": [{ "businessDate": day.to_string(), "amount": 0 }] });
    let said = admin.post(&format!("{PATH}/deposits"), &refused).await.expect(422);
    let fields: Vec<&str> =
        said["fields"].as_array().expect("fields").iter().filter_map(|one| one["field"].as_str()).collect();
    assert_eq!(fields, ["days.0.amount", "days.0.businessDate", "bank"]);
    assert_eq!(admin.get(&format!("{PATH}?from=2026-01-01&to=2026-12-31")).await.status, 422, "too long");
    let empty = admin.upload(&format!("{PATH}/settlements?fileName=x.csv"), "a,b\n1,2\n").await.expect(422);
    assert_eq!(empty["fields"][0]["field"], "mapping.date");
    let odd = format!("Date,Terminal,Gross,Fee,Net\n{day},MKT,100.00,2.50,97.00\n");
    let odd = admin.upload(&format!("{PATH}/settlements?fileName=x.csv"), odd).await.expect(422);
    assert!(
        odd["detail"].as_str().expect("words").contains("Gross 100 less fee 2.5 is not net 97")
            || odd["detail"].as_str().expect("words").contains("Gross 100.00 less fee 2.50 is not net 97.00"),
        "{odd}"
    );
}

#[rstest]
#[tokio::test]
async fn lines_of_an_unknown_terminal_wait_for_its_assignment(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app).plus(-3);
    let file = format!(
        "Date;Merchant ID;Amount;Commission\n{day};00981;1.000,50;25,01\n{day};00981;1.000,50;25,01\n"
    );
    let look =
        admin.upload(&format!("{PATH}/settlements/look?fileName=eu.csv"), file.clone()).await.expect(200);
    assert_eq!(
        (&look["mapping"]["terminal"], &look["mapping"]["fee"], &look["total"]),
        (&json!(1), &json!(3), &json!(2))
    );
    let taken = admin.upload(&format!("{PATH}/settlements?fileName=eu.csv"), file).await.expect(201);
    assert_eq!(
        (&taken["added"], &taken["unmatched"]),
        (&json!(2), &json!(2)),
        "twice in one file is two payments"
    );
    let waiting = admin.get(&format!("{PATH}/settlements")).await.expect(200);
    assert_eq!(waiting["unknown"][0]["gross"], 2001);
    let whose = json!({ "terminal": "00981", "storeId": makati });
    let left = admin.put(&format!("{PATH}/settlements/terminals"), &whose).await.expect(200);
    assert_eq!(left["unknown"], json!([]));
    let report = admin.get(&format!("{PATH}?from={day}&to={day}")).await.expect(200);
    assert_eq!(row(&report, "card")["settled"], 2001);
}

#[rstest]
#[tokio::test]
async fn rows_beyond_the_page_are_counted(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app).plus(-3);
    let line = |terminal: &str, gross: i64, net: i64| format!("{day},{terminal},{gross}.00,1.00,{net}.00\n");
    let head = "Date,Terminal,Gross,Fee,Net\n";
    // Invalid rows are left out.
    let odd = line("MKT", 50, 50).repeat(201);
    let one = [head, &line("MKT", 100, 99), &line("MKT", 200, 199), &line("X1", 300, 299), &odd].concat();
    let two = [head, &line("MKT", 400, 399), &line("X2", 500, 499)].concat();
    let taken = admin.upload(&format!("{PATH}/settlements?fileName=one.csv"), one).await.expect(201);
    let reported = taken["problems"].as_array().expect("problems").len();
    assert_eq!((&taken["leftOut"], reported), (&json!(201), 200));
    admin.upload(&format!("{PATH}/settlements?fileName=two.csv"), two).await.expect(201);

    let newest = admin.get(&format!("{PATH}/settlements?limit=1")).await.expect(200);
    assert_eq!(newest["files"].as_array().expect("files").len(), 1);
    assert_eq!((&newest["files"][0]["fileName"], &newest["total"]), (&json!("two.csv"), &json!(2)));
    assert_eq!(newest["unknownTotal"], 2);
    let before = admin.get(&format!("{PATH}/settlements?limit=1&offset=1")).await.expect(200);
    assert_eq!(
        (&before["files"][0]["fileName"], &before["files"][0]["leftOut"]),
        (&json!("one.csv"), &json!(201))
    );

    let asked = format!("{PATH}/sources?storeId={makati}&date={day}&kind=card&limit=1");
    let sources = admin.get(&asked).await.expect(200);
    assert_eq!(sources["settlements"].as_array().expect("lines").len(), 1);
    assert_eq!((&sources["settlements"][0]["gross"], &sources["settlementTotal"]), (&json!(100), &json!(3)));
    let report = admin.get(&format!("{PATH}?from={day}&to={day}")).await.expect(200);
    assert_eq!(row(&report, "card")["settled"], 700, "of all lines");
}

#[rstest]
#[tokio::test]
async fn users_see_their_own_stores(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (makati, pasig, cebu) = (
        store(&admin, "Makati", "MKT").await,
        store(&admin, "Pasig", "PSG").await,
        store(&admin, "Cebu", "CEB").await,
    );
    let day = today(&app).plus(-1);
    for store in [&makati, &pasig, &cebu] {
        put_reading(&app, store, day, &Reading::of(100)).await;
    }
    let rights = [("sales/tenderReport", &[Action::View, Action::Edit, Action::Import][..])];
    let two = app.user(&rights, Some(&[makati.clone(), pasig.clone()])).await;
    let report = two.get(&format!("{PATH}?from={day}&to={day}")).await.expect(200);
    let seen: Vec<&str> = report["items"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row["storeName"].as_str())
        .collect();
    assert_eq!(seen, ["Makati", "Pasig"]);
    assert_eq!(two.get(&format!("{PATH}?from={day}&to={day}&storeIds={cebu}")).await.status, 403);
    assert_eq!(two.get(&format!("{PATH}/sources?storeId={cebu}&date={day}&kind=cash")).await.status, 403);
    assert_eq!(two.post(&format!("{PATH}/declarations"), &drawer(&cebu, day)).await.status, 403);
    two.post(&format!("{PATH}/declarations"), &drawer(&pasig, day)).await.expect(201);
    assert_eq!(
        two.get(&format!("{PATH}/settlements")).await.status,
        403,
        "acquirers' files are of all stores"
    );
    let viewer = app.user(&[("sales/tenderReport", &[Action::View])], None).await;
    assert_eq!(viewer.post(&format!("{PATH}/declarations"), &drawer(&pasig, day)).await.status, 403);
}

/// Sales of a till as a source reports them, in centavos.
async fn sell(app: &App, at: (&str, BusinessDay, &str, &str), tenders: &[(&str, i64)]) {
    let (now, net) = (app.clock.now(), tenders.iter().map(|(_, amount)| amount).sum::<i64>());
    let who = actor(now);
    let written = app.db.write(&who, async |tx| put_paid(tx, now, at, (net, tenders)).await);
    written.await.expect("sales");
}

/// A verified reading of a till, with cash and cards in pesos.
async fn read(app: &App, store: &str, day: BusinessDay, (till, cash, card): (&str, f64, f64)) {
    let tenders = json!([
        { "kind": "cash", "label": "CASH", "amount": cash }, { "kind": "card", "label": "VISA", "amount": card },
    ]);
    put_reading(app, store, day, &Reading { terminal: till.into(), tenders, ..Reading::of(1_000) }).await;
}

async fn deposit(admin: &Client, store: &str, day: BusinessDay, amount: f64) {
    let body = json!({ "storeId": store, "depositedOn": day.to_string(), "bank": "BPI",
        "reference": format!("S-{day}"), "days": [{ "businessDate": day.to_string(), "amount": amount }] });
    admin.post(&format!("{PATH}/deposits"), &body).await.expect(201);
}

/// The states of a row's pairs, from the till to the bank.
fn states(row: &Value) -> Vec<&str> {
    row["pairs"].as_array().expect("pairs").iter().filter_map(|pair| pair["state"].as_str()).collect()
}

#[rstest]
#[tokio::test]
async fn each_pair_is_compared_by_itself(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app).plus(-5);
    sell(&app, (&makati, day, "file", "T1"), &[("CASH", 100_075), ("VISA", 50_000)]).await;
    sell(&app, (&makati, day, "api", "GrabFood"), &[("Foodpanda", 30_000)]).await;
    read(&app, &makati, day, ("T1", 1000.75, 450.0)).await;
    admin.post(&format!("{PATH}/declarations"), &drawer(&makati, day)).await.expect(201);
    deposit(&admin, &makati, day, 980.75).await;
    let asked = format!("{PATH}?from={day}&to={day}");
    let report = admin.get(&asked).await.expect(200);
    let cash = row(&report, "cash");
    assert_eq!(states(cash), ["agrees", "agrees", "differs"]);
    assert_eq!(
        (&cash["compared"]["state"], &cash["compared"]["words"]),
        (&json!("differs"), &json!("Declared–deposited −₱20.00"))
    );
    assert_eq!(
        pair(cash, "declaredDeposited"),
        &json!({ "kind": "declaredDeposited", "state": "differs", "left": 1000.75, "right": 980.75, "by": -20,
            "base": null, "words": "Declared–deposited −₱20.00" })
    );
    let card = row(&report, "card");
    assert_eq!(states(card), ["differs", "differs", "missing"]);
    assert_eq!(card["compared"]["words"], "File–reading −₱50.00, Reading–declared ₱50.00");
    assert_eq!(pair(card, "declaredSettled")["words"], "Not settled");
    // No till reads what an app sells.
    let apps = row(&report, "onAccount");
    assert_eq!((&apps["pos"], states(apps)), (&json!(300), vec!["agrees", "unknown"]));
    assert_eq!((&pair(apps, "fileReading")["left"], &apps["tills"]), (&json!(0), &cash["tills"]));
    let differs = admin.get(&format!("{asked}&only=differs")).await.expect(200);
    assert_eq!(differs["items"].as_array().map(Vec::len), Some(2));
    let file = admin.get(&format!("{PATH}/export?from={day}&to={day}")).await.text();
    assert!(file.contains("Compared") && file.contains("Declared–deposited −₱20.00"), "{file}");
}

#[rstest]
#[tokio::test]
async fn half_a_day_is_not_compared(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app).plus(-1);
    sell(&app, (&makati, day, "file", "T1"), &[("CASH", 100_075)]).await;
    sell(&app, (&makati, day, "api", "T2"), &[("CASH", 50_000)]).await;
    read(&app, &makati, day, ("T1", 1000.75, 0.0)).await;
    let mut counted = drawer(&makati, day);
    counted["terminalId"] = json!("T1");
    admin.post(&format!("{PATH}/declarations"), &counted).await.expect(201);
    let asked = format!("{PATH}?from={day}&to={day}");
    let report = admin.get(&asked).await.expect(200);
    let cash = row(&report, "cash");
    assert_eq!(states(cash), ["incomplete", "incomplete", "incomplete"]);
    assert_eq!(cash["tills"], json!({ "settled": 1, "expected": 2 }));
    assert_eq!(pair(cash, "fileReading")["words"], "1 of 2 readings");
    assert_eq!(pair(cash, "declaredDeposited")["words"], "1 of 2 drawers");
    assert!(cash["pairs"].as_array().expect("pairs").iter().all(|pair| pair["by"].is_null()), "{cash}");
    let sources = format!("{PATH}/sources?storeId={makati}&date={day}&kind=cash");
    let told = admin.get(&sources).await.expect(200);
    assert_eq!(told["tills"]["reasons"], json!(["Till T2 has no Z-reading."]));

    read(&app, &makati, day, ("T2", 500.0, 0.0)).await;
    let report = admin.get(&asked).await.expect(200);
    let cash = row(&report, "cash");
    assert_eq!(states(cash), ["agrees", "incomplete", "incomplete"]);
    assert_eq!(cash["compared"]["words"], "1 of 2 drawers");
    let second = json!({ "storeId": makati, "businessDate": day.to_string(), "terminalId": "t2",
        "pieces": [{ "denomination": 100, "pieces": 5 }] });
    admin.post(&format!("{PATH}/declarations"), &second).await.expect(201);
    let report = admin.get(&asked).await.expect(200);
    assert_eq!(states(row(&report, "cash")), ["agrees", "agrees", "pending"]);
    assert_eq!(row(&report, "cash")["declared"], 1500.75);
}

#[rstest]
#[tokio::test]
async fn a_file_that_says_of_a_part_how_it_was_paid_is_not_compared(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app).plus(-5);
    // Of ₱900 and of ₱600 that no tender is named for.
    sell(&app, (&makati, day, "file", "T1"), &[("CASH", 60_000), ("VISA", 30_000)]).await;
    let (now, who) = (app.clock.now(), actor(app.clock.now()));
    let silent =
        app.db.write(&who, async |tx| put_paid(tx, now, (&makati, day, "api", "T2"), (60_000, &[])).await);
    silent.await.expect("sales");
    read(&app, &makati, day, ("T1", 600.0, 300.0)).await;
    read(&app, &makati, day, ("T2", 600.0, 0.0)).await;
    let report = admin.get(&format!("{PATH}?from={day}&to={day}")).await.expect(200);
    let of_file = |kind: &str| {
        let pair = pair(row(&report, kind), "fileReading");
        (pair["state"].clone(), pair["words"].clone(), pair["by"].clone())
    };
    let words = json!("Payments of ₱900.00 of ₱1,500.00");
    assert_eq!(of_file("cash"), (json!("incomplete"), words, Value::Null));
    // The till that names none took no cards, so those of the other are all.
    assert_eq!(of_file("card"), (json!("agrees"), json!("Agrees"), json!(0)));
}

#[rstest]
#[tokio::test]
async fn what_apps_settle_is_missing_until_they_do(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let apps = json!({ "name": "Foodpanda", "kind": "eWallet", "settlementDays": 2 });
    admin.post("/api/lists/tender-types", &apps).await.expect(201);
    let day = today(&app).plus(-5);
    sell(&app, (&makati, day, "file", "T1"), &[("CASH", 60_000), ("GCASH", 20_000)]).await;
    sell(&app, (&makati, day, "api", "GrabFood"), &[("Foodpanda", 30_000)]).await;
    let tenders = json!([
        { "kind": "cash", "label": "CASH", "amount": 600 }, { "kind": "eWallet", "label": "GCASH", "amount": 200 },
    ]);
    put_reading(&app, &makati, day, &Reading { tenders, ..Reading::of(700) }).await;
    let report = admin.get(&format!("{PATH}?from={day}&to={day}")).await.expect(200);
    let wallet = row(&report, "eWallet");
    assert_eq!((&wallet["pos"], &wallet["z"]), (&json!(500), &json!(200)));
    assert_eq!((&pair(wallet, "declaredSettled")["left"], &wallet["missing"]), (&json!(500), &json!(500)));
}

#[rstest]
#[tokio::test]
async fn a_peso_is_tolerated_and_the_setting_changes_it(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app).plus(-1);
    read(&app, &makati, day, ("T1", 1001.75, 0.0)).await;
    admin.post(&format!("{PATH}/declarations"), &drawer(&makati, day)).await.expect(201);
    let declared = async || {
        let report = admin.get(&format!("{PATH}?from={day}&to={day}")).await.expect(200);
        let pair = pair(row(&report, "cash"), "readingDeclared");
        (report["tolerance"].clone(), pair["state"].clone(), pair["by"].clone())
    };
    assert_eq!(declared().await, (json!(1), json!("agrees"), json!(-1)));
    let at = format!("{PATH}/settings");
    let known = admin.get(&at).await.expect(200);
    assert_eq!((&known["tolerance"], &known["revision"]), (&json!(1), &json!(0)));
    let kept = admin.put(&at, &json!({ "tolerance": 0.99, "revision": 0 })).await.expect(200);
    assert_eq!((&kept["tolerance"], &kept["revision"]), (&json!(0.99), &json!(1)));
    assert_eq!(admin.get(&at).await.expect(200), kept);
    assert_eq!(declared().await, (json!(0.99), json!("differs"), json!(-1)));

    let refused = admin.put(&at, &json!({ "tolerance": 5, "revision": 0 })).await.expect(409);
    assert_eq!(refused["current"], kept);
    let refused = admin.put(&at, &json!({ "tolerance": -1, "revision": 1 })).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "tolerance");
    let rights = [("sales/tenderReport", &[Action::View, Action::Override][..])];
    let of_one = app.user(&rights, Some(std::slice::from_ref(&makati))).await;
    let more = json!({ "tolerance": 5, "revision": 1 });
    assert_eq!(of_one.put(&at, &more).await.expect(403)["code"], "allStores");
    let viewer = app.user(&[("sales/tenderReport", &[Action::View])], None).await;
    viewer.get(&at).await.expect(200);
    viewer.put(&at, &more).await.expect(403);
}

#[rstest]
#[tokio::test]
async fn what_is_not_due_is_pending(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let today = today(&app);
    for ago in 0..3 {
        read(&app, &makati, today.plus(-ago), ("T1", 1000.75, 0.0)).await;
        admin.post(&format!("{PATH}/declarations"), &drawer(&makati, today.plus(-ago))).await.expect(201);
    }
    let of = async |ago: i32| {
        let day = today.plus(-ago);
        let report = admin.get(&format!("{PATH}?from={day}&to={day}")).await.expect(200);
        let cash = row(&report, "cash");
        states(cash).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    // Sales of today and cash of yesterday may still come.
    assert_eq!(of(0).await, ["pending", "agrees", "pending"]);
    assert_eq!(of(1).await, ["missing", "agrees", "pending"]);
    assert_eq!(of(2).await, ["missing", "agrees", "missing"]);
    for ago in 1..3 {
        deposit(&admin, &makati, today.plus(-ago), 500.0).await;
    }
    assert_eq!(of(1).await[2], "pending");
    assert_eq!(of(2).await[2], "differs");
}

#[rstest]
#[tokio::test]
async fn the_tile_and_its_list_are_the_same_money(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (makati, pasig) = (store(&admin, "Makati", "MKT").await, store(&admin, "Pasig", "PSG").await);
    let today = today(&app);
    for ago in 1..20 {
        read(&app, &makati, today.plus(-ago), ("T1", 1000.75, 300.0)).await;
        read(&app, &pasig, today.plus(-ago), ("T1", 400.25, 300.0)).await;
    }
    deposit(&admin, &makati, today.plus(-4), 900.75).await;
    deposit(&admin, &pasig, today.plus(-5), 400.25).await;
    let home = admin.get("/api/dashboard/main").await.expect(200);
    let waiting = &tile(&home, "cashMissing")["waiting"];
    // 13 days of Makati, of one of which ₱100 is missing, and 12 of Pasig.
    let money = 12 * 1_401 + 100;
    assert_eq!((&waiting["amount"], &waiting["count"]), (&json!(money), &json!(25)));
    let listed = waiting["href"].as_str().expect("a link").replace("kind=", "kinds=");
    let list = admin.get(&format!("/api{listed}")).await.expect(200);
    assert_eq!((&list["missingCash"], &list["missingDays"]), (&waiting["amount"], &waiting["count"]));
    let sums = json!({ "missing": money, "rows": 25, "stores": 2, "oldest": 14 });
    assert_eq!(list["listed"], sums, "its head sums its rows");
    assert_eq!(list["items"].as_array().map(Vec::len), Some(25));
    let bell = admin.get("/api/notifications").await.expect(200).to_string();
    assert!(bell.contains("Cash not deposited: 25"), "{bell}");
}
