//! Answers about a file: those sent before their question is known, those of other files, and how long they hold.

use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, create_unknowns, post, upload, validate};
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
