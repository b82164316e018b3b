//! Deposits and declarations are recorded once, and backdated no further than movements.

use futures::future::join_all;
use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use super::store;
use crate::documents::backdating::freeze;
use crate::support::{App, Client, Engine, one_engine};

const PATH: &str = "/api/sales/tender-report";
const AT_ONCE: usize = 32;

/// A request body for a store and day.
type Make = fn(&str, BusinessDay) -> Value;

fn today(app: &App) -> BusinessDay {
    BusinessDay::of(app.state.now())
}

fn deposit(store: &str, day: BusinessDay, slip: &str) -> Value {
    json!({
        "storeId": store, "depositedOn": day, "bank": "BPI", "reference": slip,
        "days": [{ "businessDate": day.plus(-1), "amount": 900.75 }],
    })
}

fn drawer(store: &str, day: BusinessDay, hundreds: i64) -> Value {
    json!({
        "storeId": store, "businessDate": day, "terminalId": "T1",
        "pieces": [{ "denomination": 100, "pieces": hundreds }],
    })
}

/// Responses to the same request sent concurrently, lowest status first.
async fn at_once(client: &Client, path: &str, body: &Value) -> Vec<(u16, Value)> {
    let path = &format!("{PATH}/{path}");
    let all = (0..AT_ONCE).map(|_| async move {
        let answer = client.post(path, body).await;
        (answer.status, answer.json())
    });
    let mut all = join_all(all).await;
    all.sort_by_key(|(status, _)| *status);
    all
}

async fn sources(client: &Client, store: &str, day: BusinessDay) -> Value {
    client.get(&format!("{PATH}/sources?storeId={store}&date={day}&kind=cash")).await.expect(200)
}

#[rstest]
#[tokio::test]
async fn a_slip_is_recorded_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (makati, pasig) = (store(&admin, "Makati", "MKT").await, store(&admin, "Pasig", "PSG").await);
    let day = today(&app);
    let answers = at_once(&admin, "deposits", &deposit(&makati, day, "S-1")).await;
    let made: Vec<&Value> = answers.iter().filter(|(status, _)| *status == 201).map(|(_, it)| it).collect();
    assert_eq!(made.len(), 1, "one of {AT_ONCE}");
    for (status, refused) in &answers[1..] {
        assert_eq!((*status, &refused["code"], &refused["id"]), (409, &json!("slipTaken"), &made[0]["id"]));
        assert_eq!(refused["fields"][0]["field"], "reference");
        let words = refused["detail"].as_str().expect("words");
        assert!(words.starts_with("Slip S-1 is there already: ₱900.75 paid into BPI on "), "{words}");
    }
    // However the slip is written, and whatever the other fields are.
    for slip in [" s-1 ", "S1", "s\u{200b}1", "Ｓ－１"] {
        let mut again = deposit(&makati, day, slip);
        (again["bank"], again["acceptDuplicate"]) = (json!("b.p.i."), json!(true));
        again["days"][0]["amount"] = json!(5);
        let refused = admin.post(&format!("{PATH}/deposits"), &again).await.expect(409);
        assert_eq!(refused["code"], "slipTaken", "{slip:?}");
    }
    // Nothing in a deposit is ignored silently: misspelt members, unreadable numbers and implausible dates
    // are refused.
    let mut wrong = deposit(&makati, day, "S-3");
    wrong["refrence"] = json!("S-3");
    let refused = admin.post(&format!("{PATH}/deposits"), &wrong).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "refrence");
    let mut wrong = deposit(&makati, day, "S-3");
    wrong["days"][0]["amount"] = json!("12.345");
    let refused = admin.post(&format!("{PATH}/deposits"), &wrong).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "days.0.amount");
    let mut wrong = deposit(&makati, day, "S-3");
    wrong["days"][0]["businessDate"] = json!("1990-09-01");
    let refused = admin.post(&format!("{PATH}/deposits"), &wrong).await.expect(422);
    assert_eq!(
        refused["fields"][0],
        json!({ "field": "days.0.businessDate", "message": "This day is too far back." })
    );
    // The same slip number of another bank, day or store is a different slip.
    for (store, day, bank) in [(&makati, day, "BDO"), (&makati, day.plus(-1), "BPI"), (&pasig, day, "BPI")] {
        let mut other = deposit(store, day, "S-1");
        other["bank"] = json!(bank);
        admin.post(&format!("{PATH}/deposits"), &other).await.expect(201);
    }
    // A correction cannot become a duplicate, and a voided deposit frees its slip.
    let second = admin.post(&format!("{PATH}/deposits"), &deposit(&makati, day, "S-2")).await.expect(201);
    let at = format!("{PATH}/deposits/{}", second["id"].as_str().expect("an id"));
    let mut wrong = deposit(&makati, day, "S-1");
    wrong["revision"] = json!(1);
    assert_eq!(admin.patch(&at, &wrong).await.expect(409)["code"], "slipTaken");
    let mut noted = deposit(&makati, day, "S-2");
    (noted["revision"], noted["notes"]) = (json!(1), json!("By the guard"));
    admin.patch(&at, &noted).await.expect(200);
    let void = json!({ "reason": "Mistyped", "revision": 2 });
    admin.post(&format!("{at}/void"), &void).await.expect(200);
    admin.post(&format!("{PATH}/deposits"), &deposit(&makati, day, "S-2")).await.expect(201);
}

#[rstest]
#[tokio::test]
async fn a_deposit_without_a_slip_needs_confirmation(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app);
    let answers = at_once(&admin, "deposits", &deposit(&makati, day, "")).await;
    let made: Vec<&Value> = answers.iter().filter(|(status, _)| *status == 201).map(|(_, it)| it).collect();
    assert_eq!(made.len(), 1, "one of {AT_ONCE}");
    for (status, refused) in &answers[1..] {
        assert_eq!(
            (*status, &refused["code"], &refused["id"]),
            (409, &json!("duplicateDeposit"), &made[0]["id"])
        );
    }
    // One with a slip may be the same payment, entered by another user.
    let refused = admin.post(&format!("{PATH}/deposits"), &deposit(&makati, day, "S-9")).await.expect(409);
    assert_eq!(refused["code"], "duplicateDeposit");
    let mut another = deposit(&makati, day, "");
    another["acceptDuplicate"] = json!(true);
    admin.post(&format!("{PATH}/deposits"), &another).await.expect(201);
    let reply = sources(&admin, &makati, day.plus(-1)).await;
    assert_eq!(reply["deposits"].as_array().map(Vec::len), Some(2));
    // Another amount is another payment.
    let mut other = deposit(&makati, day, "");
    other["days"][0]["amount"] = json!(900.5);
    admin.post(&format!("{PATH}/deposits"), &other).await.expect(201);
}

#[rstest]
#[tokio::test]
async fn a_declaration_replaces_the_one_before(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app);
    let answers = at_once(&admin, "declarations", &drawer(&makati, day, 10)).await;
    assert!(answers.iter().all(|(status, _)| *status == 201), "{answers:?}");
    let reply = sources(&admin, &makati, day).await;
    let all = reply["declarations"].as_array().expect("declarations");
    let counting = |all: &[Value]| all.iter().filter(|one| one["voidReason"].is_null()).count();
    assert_eq!((all.len(), counting(all)), (AT_ONCE, 1));
    let words = "Replaced by a later declaration of the same till and day.";
    assert_eq!(all.iter().filter(|one| one["voidReason"] == words).count(), AT_ONCE - 1);
    let report = admin.get(&format!("{PATH}?from={day}&to={day}")).await.expect(200);
    assert_eq!(report["items"][0]["declared"], 1000);

    // Declarations of another till or day remain, and a correction does not replace one.
    let mut other = drawer(&makati, day, 5);
    other["terminalId"] = json!("T2");
    let other = admin.post(&format!("{PATH}/declarations"), &other).await.expect(201);
    let at = format!("{PATH}/declarations/{}", other["id"].as_str().expect("an id"));
    let mut moved = drawer(&makati, day, 5);
    (moved["terminalId"], moved["revision"]) = (json!("t-1"), json!(1));
    assert_eq!(admin.patch(&at, &moved).await.expect(409)["code"], "declared");
    (moved["terminalId"], moved["revision"]) = (json!("T3"), json!(1));
    admin.patch(&at, &moved).await.expect(200);
    let reply = sources(&admin, &makati, day).await;
    assert_eq!(counting(reply["declarations"].as_array().expect("declarations")), 2);
}

#[rstest]
#[tokio::test]
async fn old_duplicates_remain_until_the_next_declaration(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app);
    for till in ["T1", "T2"] {
        let mut one = drawer(&makati, day, 1);
        one["terminalId"] = json!(till);
        admin.post(&format!("{PATH}/declarations"), &one).await.expect(201);
    }
    // As in a database from before the rule.
    let by = crate::support::actor(app.state.now());
    let text = "update cash_declarations set terminal_id = 'T1', live_key = null";
    app.db.write(&by, async |tx| tx.sql(text).execute().await).await.expect("doubles");
    let old = sources(&admin, &makati, day).await["declarations"][0].clone();
    let mut noted = drawer(&makati, day, 2);
    noted["revision"] = old["revision"].clone();
    let at = format!("{PATH}/declarations/{}", old["id"].as_str().expect("an id"));
    admin.patch(&at, &noted).await.expect(200);
    admin.post(&format!("{PATH}/declarations"), &drawer(&makati, day, 3)).await.expect(201);
    let reply = sources(&admin, &makati, day).await;
    let all = reply["declarations"].as_array().expect("declarations");
    let counting: Vec<&Value> = all.iter().filter(|one| one["voidReason"].is_null()).collect();
    assert_eq!((all.len(), counting.len(), &counting[0]["cash"]), (3, 1, &json!(300)));
}

#[rstest]
#[tokio::test]
async fn concurrent_uploads_of_a_file_count_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app).plus(-2);
    let file = format!("Date,Terminal,Gross,Fee\n{day},MKT,100.00,2.50\n{day},MKT,80.00,2.00\n");
    let whose = json!({ "terminal": "MKT", "storeId": makati });
    admin.put(&format!("{PATH}/settlements/terminals"), &whose).await.expect(200);
    let path = &format!("{PATH}/settlements?fileName=bpi.csv");
    let taken = join_all((0..8).map(|_| admin.upload(path, file.clone()))).await;
    let added: i64 = taken.into_iter().filter_map(|it| it.expect(201)["added"].as_i64()).sum();
    assert_eq!(added, 2);
    let report = admin.get(&format!("{PATH}?from={day}&to={day}&kinds=card")).await.expect(200);
    assert_eq!(report["items"][0]["settled"], 180);
}

#[rstest]
#[tokio::test]
async fn cash_follows_the_backdating_rules_of_movements(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let day = today(&app);
    let rights = [("sales/tenderReport", &[Action::View, Action::Edit, Action::Import][..])];
    let clerk = app.user(&rights, None).await;
    let makes: [(&str, &str, Make); 2] = [
        ("deposits", "depositedOn", |store, day| deposit(store, day, &format!("S-{}", day.0))),
        ("declarations", "businessDate", |store, day| drawer(store, day, 4)),
    ];
    for (what, field, make) in makes {
        let path = &format!("{PATH}/{what}");
        let refused = clerk.post(path, &make(&makati, day.plus(1))).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], field);
        let refused = clerk.post(path, &make(&makati, day.plus(-36))).await.expect(422);
        assert_eq!((&refused["code"], &refused["fields"][0]["field"]), (&json!("invalid"), &json!(field)));
        clerk.post(path, &make(&makati, day.plus(-35))).await.expect(201);

        let mut far = make(&makati, day.plus(-60));
        assert_eq!(admin.post(path, &far).await.expect(422)["code"], "backdated");
        far["override"] = json!(true);
        assert_eq!(admin.post(path, &far).await.expect(422)["fields"][0]["field"], "reason");
        far["reason"] = json!("The slip was lost");
        clerk.post(path, &far).await.expect(403);
        let made = admin.post(path, &far).await.expect(201);
        // A user without the permission can neither correct nor void cash of a day that far back.
        let at = format!("{path}/{}", made["id"].as_str().expect("an id"));
        let mut moved = make(&makati, day);
        moved["revision"] = json!(1);
        clerk.patch(&at, &moved).await.expect(422);
        let void = json!({ "reason": "Twice", "revision": 1 });
        clerk.post(&format!("{at}/void"), &void).await.expect(422);
        admin.post(&format!("{at}/void"), &void).await.expect(200);

        let week = day.plus(-14).week();
        let made = clerk.post(path, &make(&makati, week)).await.expect(201);
        freeze(&app, week, true).await;
        let mut frozen = make(&makati, week.plus(1));
        (frozen["override"], frozen["reason"]) = (json!(true), json!("Late"));
        let refused = admin.post(path, &frozen).await.expect(409);
        assert_eq!((&refused["code"], &refused["week"]), (&json!("frozenWeek"), &json!(week)));
        let at = format!("{path}/{}", made["id"].as_str().expect("an id"));
        assert_eq!(admin.post(&format!("{at}/void"), &void).await.expect(409)["code"], "frozenWeek");
        freeze(&app, week, false).await;
        admin.post(&format!("{at}/void"), &void).await.expect(200);
    }

    let row = |day: BusinessDay| format!("{day},MKT,100.00,2.50\n");
    let week = day.plus(-14).week();
    freeze(&app, week, true).await;
    let rows: String = [day, day.plus(-60), week, day.plus(1)].map(row).concat();
    let file = format!("Date,Terminal,Gross,Fee\n{rows}");
    let upload = format!("{PATH}/settlements?fileName=bpi.csv");
    let taken = clerk.upload(&upload, file.clone()).await.expect(201);
    let lines: Vec<&Value> =
        taken["problems"].as_array().expect("problems").iter().map(|it| &it["line"]).collect();
    assert_eq!((&taken["added"], lines), (&json!(1), vec![&json!(3), &json!(4), &json!(5)]));
    let forced = format!("{upload}&override=true&reason=Late+file");
    clerk.upload(&forced, file.clone()).await.expect(403);
    let refused = admin.upload(&format!("{upload}&override=true"), file.clone()).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "reason");
    let taken = admin.upload(&forced, file).await.expect(201);
    assert_eq!((&taken["added"], &taken["known"]), (&json!(1), &json!(1)));
}
