//! Answers about a file: those sent before their question is known, those of other files, and how long they hold.

use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, create_unknowns, post, upload, validate};
use crate::sales::store;
use crate::support::{App, Client, Engine, one_engine};

const HEAD: &str = "Date,Store,Receipt No,Status,Item Code,Item Name,Qty,Unit Price,Net Sales\n";
const UNKNOWN: &str = "2026-11-13,Larkspur Mall,1,Completed,A1,Tapsilog,1,120.00,120.00\n\
2026-11-13,Larkspur Mall,2,Cancelled,A1,Tapsilog,2,120.00,240.00\n\
2026-11-13,Larkspur Mall,3,Preparing,A1,Tapsilog,1,120.00,120.00\n\
2026-11-13,Larkspur Mall,4,Unpaid,A1,Tapsilog,1,120.00,120.00\n";

/// A file's batch after one check of the suggested mapping with these answers.
async fn told(app: &App, client: &Client, name: &str, file: &str, answers: Value) -> Value {
    let batch = upload(client, name, file).await;
    let mut mapping = batch["layout"]["suggestion"].clone();
    mapping["answers"] = answers;
    let batch = validate(app, client, &batch, &mapping).await;
    assert_eq!(batch["state"], "validated", "{batch}");
    batch
}

fn ids(batch: &Value) -> Vec<&str> {
    let asks = batch["summary"]["asks"].as_array().expect("asks");
    asks.iter().map(|ask| ask["id"].as_str().expect("an id")).collect()
}

fn path(batch: &Value) -> String {
    format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"))
}

#[rstest]
#[tokio::test]
async fn an_answer_before_its_question_counts(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = format!("{HEAD}{UNKNOWN}");
    let batch = told(&app, &admin, "early.csv", &file, json!({ "word:preparing": "counts" })).await;
    assert_eq!((&batch["summary"]["qty"], &batch["summary"]["net"]), (&json!(2), &json!(240)), "{batch}");
    assert_eq!(batch["mapping"]["words"]["preparing"], "counts", "{batch}");
    create_unknowns(&admin, &batch).await;
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
}

#[rstest]
#[tokio::test]
async fn a_choice_that_does_not_exist_answers_nothing(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = format!("{HEAD}{UNKNOWN}");
    let batch = told(&app, &admin, "odd.csv", &file, json!({ "word:preparing": "perhaps" })).await;
    assert_eq!(ids(&batch), ["word:preparing"], "{batch}");
    create_unknowns(&admin, &batch).await;
    let refused = admin.post(&format!("{}/post", path(&batch)), &json!({})).await.expect(409);
    assert_eq!(
        (&refused["code"], &refused["asks"][0]["id"]),
        (&json!("asks"), &json!("word:preparing")),
        "{refused}"
    );
}

const STARTS: &str = "/api/stores/day-starts";
const NIGHTS: &str = "Date,Time,Store,Receipt No,Item Name,Qty,Net Sales\n";
/// A bar that sells past midnight.
const MALL: &str = "2026-11-13,22:10,Larkspur Mall,1,Lager,1,100\n\
2026-11-13,23:40,Larkspur Mall,2,Lager,1,100\n\
2026-11-14,00:40,Larkspur Mall,3,Lager,1,50\n";
/// Another one.
const PASIG: &str = "2026-11-13,23:30,Pasig,1,Lager,1,100\n2026-11-14,01:10,Pasig,2,Lager,1,50\n";

/// The net sales of a store on a date.
async fn sold(client: &Client, store: &str, date: &str) -> Value {
    let found = client.get(&format!("{HOME}/days/{store}/{date}")).await;
    if found.status == 404 { Value::Null } else { found.expect(200)["totals"]["net"].clone() }
}

#[rstest]
#[tokio::test]
async fn each_store_is_asked_when_its_day_ends(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mall = store(&admin, "Larkspur Mall", "LKM").await;
    let pasig = store(&admin, "Pasig", "PSG").await;
    let batch = upload(&admin, "two.csv", format!("{NIGHTS}{MALL}{PASIG}")).await;
    let mut mapping = batch["layout"]["suggestion"].clone();
    // The question was answered when the file had one store.
    mapping["answers"] = json!({ "dayStart": "yes" });
    mapping["dayStarts"] = json!({ "larkspur mall": 360 });
    let batch = validate(&app, &admin, &batch, &mapping).await;
    assert_eq!((batch["state"].as_str(), ids(&batch)), (Some("validated"), vec!["dayStart"]), "{batch}");
    assert_eq!(
        batch["summary"]["asks"][0]["about"],
        "Pasig sold until 01:10 after midnight. Does its day end then?"
    );
    assert!(batch["mapping"]["answers"]["dayStart"].is_null(), "{batch}");
    create_unknowns(&admin, &batch).await;
    let refused = admin.post(&format!("{}/post", path(&batch)), &json!({})).await.expect(409);
    assert_eq!(refused["code"], "asks", "{refused}");

    // The suggestion with the answer is enough; what was said of the first store stays.
    let mut mapping = batch["layout"]["suggestion"].clone();
    mapping["answers"] = json!({ "dayStart": "no" });
    let batch = validate(&app, &admin, &batch, &mapping).await;
    assert_eq!(batch["summary"]["asks"], json!([]), "{batch}");
    assert_eq!(batch["mapping"]["dayStarts"], json!({ "larkspur mall": 360, "pasig": 0 }));
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
    let mut days = Vec::new();
    for (store, date) in [(&mall, 13), (&mall, 14), (&pasig, 13), (&pasig, 14)] {
        days.push(sold(&admin, store, &format!("2026-11-{date}")).await);
    }
    assert_eq!(days, [250, 0, 100, 50].map(|net| json!(net)));
    let starts = admin.get(&format!("{STARTS}?storeId={mall}")).await.expect(200);
    assert_eq!(starts["items"][0]["changes"][0]["minutes"], 360, "{starts}");
}

#[rstest]
#[tokio::test]
async fn the_suggestion_with_an_answer_about_days_is_read_the_same_way_again(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    store(&admin, "Larkspur Mall", "LKM").await;
    let file = format!("{NIGHTS}{MALL}");
    let mut batch = told(&app, &admin, "one.csv", &file, json!({ "dayStart": "yes" })).await;
    for again in 0..3 {
        assert_eq!(batch["mapping"]["dayStarts"], json!({ "larkspur mall": 360 }), "{again}: {batch}");
        assert_eq!(
            (&batch["summary"]["asks"], &batch["summary"]["days"]),
            (&json!([]), &json!(1)),
            "{batch}"
        );
        let mut mapping = batch["layout"]["suggestion"].clone();
        mapping["answers"] = json!({ "dayStart": "yes" });
        batch = validate(&app, &admin, &batch, &mapping).await;
    }
}

#[rstest]
#[tokio::test]
async fn every_unknown_word_is_asked_about(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let rows: Vec<String> = (0..14)
        .map(|at| format!("2026-11-13,Larkspur Mall,{at},Zorbed {at:02},A1,Tapsilog,1,120.00,120.00\n"))
        .collect();
    let known = "2026-11-13,Larkspur Mall,99,Completed,A1,Tapsilog,1,120.00,120.00\n";
    let file = format!("{HEAD}{known}{}", rows.concat());
    let mut batch = told(&app, &admin, "words.csv", &file, json!({})).await;
    create_unknowns(&admin, &batch).await;
    let mut asked = Vec::new();
    for _ in 0..3 {
        let mut mapping = batch["mapping"].clone();
        let known = mapping["answers"].as_object().cloned().unwrap_or_default();
        let open: Vec<String> =
            ids(&batch).into_iter().filter(|id| !known.contains_key(*id)).map(str::to_owned).collect();
        if open.is_empty() {
            break;
        }
        asked.push(open.len());
        let refused = admin.post(&format!("{}/post", path(&batch)), &json!({})).await.expect(409);
        assert_eq!(refused["code"], "asks", "{refused}");
        let answers = open.into_iter().map(|id| (id, json!("counts"))).chain(known);
        mapping["answers"] = Value::Object(answers.collect());
        batch = validate(&app, &admin, &batch, &mapping).await;
    }
    assert_eq!(asked, [12, 2]);
    assert_eq!(batch["summary"]["net"], 1_800, "{batch}");
    assert_eq!(post(&app, &admin, &batch, false).await["state"], "posted");
}

#[rstest]
#[tokio::test]
async fn a_store_named_after_the_check_has_its_own_days(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let mall = store(&admin, "Larkspur Mall", "LKM").await;
    admin.put(&format!("{STARTS}/{mall}/2026-11-01"), &json!({ "minutes": 300 })).await.expect(200);
    let row = |day: i32, clock: &str, store: &str, receipt: i32| {
        format!("2026-11-{day},{clock},{store},{receipt},Lager,1,100\n")
    };
    let evening = [row(13, "22:10", "Larkspur Mall", 1), row(13, "23:40", "Larkspur Mall", 2)].concat();
    let first = told(&app, &admin, "evening.csv", &format!("{NIGHTS}{evening}"), json!({})).await;
    create_unknowns(&admin, &first).await;
    assert_eq!(post(&app, &admin, &first, false).await["state"], "posted");

    let night = format!("{NIGHTS}{}", row(14, "00:40", "Harbour Bar", 3));
    let batch = told(&app, &admin, "night.csv", &night, json!({})).await;
    assert_eq!(batch["summary"]["firstDay"], "2026-11-14", "as written, as its store is not known: {batch}");
    let night = format!("{NIGHTS}{}", row(14, "00:50", "Harbour Bar", 4));
    let other = told(&app, &admin, "other.csv", &night, json!({})).await;
    let wish = json!({ "stores": [{ "name": "Harbour Bar", "storeId": mall }], "items": [] });
    let batch = admin.post(&format!("{}/resolve", path(&batch)), &wish).await.expect(200);
    let summary = &batch["summary"];
    assert_eq!(
        [&summary["firstDay"], &summary["lastDay"], &summary["replaces"], &summary["asks"]],
        [&json!("2026-11-13"), &json!("2026-11-13"), &json!(1), &json!([])],
        "{batch}"
    );
    // So are those of a file that names the store too.
    for file in [&other, &batch] {
        let refused = admin.post(&format!("{}/post", path(file)), &json!({})).await.expect(409);
        assert_eq!(refused["code"], "alreadyImported", "{refused}");
        assert_eq!(refused["days"][0]["day"], "2026-11-13", "{refused}");
    }
    admin.post(&format!("{}/post", path(&batch)), &json!({ "onExisting": "add" })).await.expect(200);
    app.drain().await;
    assert_eq!(admin.get(&path(&batch)).await.expect(200)["state"], "posted");
    assert_eq!(sold(&admin, &mall, "2026-11-13").await, 300);
    assert_eq!(sold(&admin, &mall, "2026-11-14").await, 0);
}

/// Posts a checked file with the first choice of all questions that are still open.
async fn posted(app: &App, client: &Client, batch: &Value) {
    let mut mapping = batch["mapping"].clone();
    let mut answers = mapping["answers"].as_object().cloned().unwrap_or_default();
    for ask in batch["summary"]["asks"].as_array().expect("asks") {
        answers.entry(ask["id"].as_str().expect("an id")).or_insert_with(|| ask["choices"][0]["id"].clone());
    }
    mapping["answers"] = Value::Object(answers);
    let batch = validate(app, client, batch, &mapping).await;
    create_unknowns(client, &batch).await;
    assert_eq!(post(app, client, &batch, false).await["state"], "posted", "{batch}");
}

#[rstest]
#[tokio::test]
async fn repeated_lines_that_a_file_proves_count_once_whatever_was_said(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let head =
        "Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales,Payment Type,Payment Amount\n";
    let set = |day: i32, tender: &str, paid: i32| {
        format!(
            "2026-11-{day},Larkspur Mall,1,A1,Tapsilog,1,120.00,120.00,{tender},{paid}.00\n\
             2026-11-{day},Larkspur Mall,1,A2,Coke,1,60.00,60.00,{tender},{paid}.00\n"
        )
    };
    // What was paid is neither that of one set nor of both.
    let open = [set(12, "Cash", 100), set(12, "GCash", 90)].concat();
    let answers = json!({ "splitTenders": "each" });
    let batch = told(&app, &admin, "open.csv", &format!("{head}{open}"), answers).await;
    assert_eq!(batch["summary"]["net"], 360, "{batch}");
    posted(&app, &admin, &batch).await;

    let proven = [set(13, "Cash", 100), set(13, "GCash", 80)].concat();
    let next = upload(&admin, "proven.csv", format!("{head}{proven}")).await;
    assert_eq!(next["layout"]["rememberedFrom"], "open.csv", "{next}");
    let next = validate(&app, &admin, &next, &next["mapping"]).await;
    assert_eq!((&next["summary"]["qty"], &next["summary"]["net"]), (&json!(2), &json!(180)), "{next}");
}

#[rstest]
#[tokio::test]
async fn dates_and_decimal_marks_that_a_file_proves_win(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let head = "Date;Store;Receipt No;Item Name;Qty;Net Sales\n";
    let unclear = "01/02/2026;Larkspur Mall;1;Tapsilog;1;120\n03/04/2026;Larkspur Mall;2;Tapsilog;1;130\n";
    let batch = upload(&admin, "unclear.csv", format!("{head}{unclear}")).await;
    let mut mapping = batch["layout"]["suggestion"].clone();
    (mapping["dateFormat"], mapping["decimal"]) = (json!("mdy"), json!(","));
    let batch = validate(&app, &admin, &batch, &mapping).await;
    assert_eq!(batch["summary"]["firstDay"], "2026-01-02", "{batch}");
    posted(&app, &admin, &batch).await;

    // It is remembered where nothing speaks against it.
    let like = upload(&admin, "like.csv", format!("{head}{}", unclear.replace("2026", "2025"))).await;
    assert_eq!(
        (&like["mapping"]["dateFormat"], &like["mapping"]["decimal"]),
        (&json!("mdy"), &json!(",")),
        "{like}"
    );
    let clear =
        "13/11/2026;Larkspur Mall;3;Tapsilog;1;1,250.50\n12/11/2026;Larkspur Mall;4;Tapsilog;1;120.00\n";
    let next = upload(&admin, "clear.csv", format!("{head}{clear}")).await;
    assert_eq!(next["layout"]["rememberedFrom"], "unclear.csv", "{next}");
    let next = validate(&app, &admin, &next, &next["mapping"]).await;
    let summary = &next["summary"];
    assert_eq!(
        (&summary["firstDay"], &summary["lastDay"], &summary["net"]),
        (&json!("2026-11-12"), &json!("2026-11-13"), &json!(1_370.5)),
        "{next}"
    );
}
