//! Files as tills, reports and people write them, each with its true figures: read as suggested they come to these,
//! or somebody is asked, and one of the answers does.

mod files;

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::import_sales_product::{HOME, upload};
use crate::support::{App, Client, Engine, one_engine};
use files::{Truth, files};

/// What a file comes to when it is read by a mapping; nothing where it is refused.
async fn summary(app: &App, client: &Client, batch: &Value, mapping: &Value) -> Result<Value, Value> {
    let path = format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"));
    let answer = client.put(&format!("{path}/mapping"), mapping).await;
    if answer.status != 200 {
        return Err(serde_json::from_str(&answer.text()).expect("a problem"));
    }
    app.drain().await;
    let checked = client.get(&path).await.expect(200);
    assert_eq!(checked["state"], "validated", "{checked}");
    Ok(checked["summary"].clone())
}

fn merged(mapping: &Value, set: &Value) -> Value {
    let mut all = mapping.clone();
    for (name, value) in set.as_object().expect("members") {
        match value.as_object().filter(|_| name == "columns") {
            Some(columns) => {
                for (field, at) in columns {
                    let kept = all["columns"].as_object_mut().expect("columns");
                    kept.retain(|_, taken| taken != at);
                    if at.is_null() {
                        kept.remove(field);
                    } else {
                        kept.insert(field.clone(), at.clone());
                    }
                }
            }
            None => all[name] = value.clone(),
        }
    }
    all
}

/// Every way of answering the questions of a file.
fn ways(suggestion: &Value, asks: &[Value]) -> Vec<Value> {
    let mut ways = vec![suggestion.clone()];
    for ask in asks {
        let answers = ask["answers"].as_array().expect("answers");
        ways = ways
            .iter()
            .flat_map(|way| answers.iter().map(|answer| merged(way, &answer["set"])).collect::<Vec<_>>())
            .collect();
    }
    let ids: Vec<Value> = asks.iter().map(|ask| ask["id"].clone()).collect();
    ways.iter_mut().for_each(|way| way["answered"] = json!(ids));
    ways
}

fn fits(truth: &Truth, summary: &Value) -> bool {
    let near = |a: &Value, b: f64| (a.as_f64().expect("a number") - b).abs() < 0.000_01;
    summary["goodLines"] == truth.lines
        && near(&summary["qty"], truth.qty)
        && near(&summary["net"], truth.net)
        && summary["days"] == truth.days
        && summary["stores"] == truth.stores
}

#[rstest]
#[tokio::test]
async fn every_layout_gives_its_true_figures_or_asks(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let store = admin.post("/api/stores/locations", &json!({ "name": "Ortigas" })).await.expect(201);
    let mut wrong = Vec::new();
    let files = files();
    assert!(files.len() >= 30, "{}", files.len());
    for file in &files {
        let name = format!("{}.{}", file.name.replace(' ', "-"), file.ending);
        let answer = admin.upload(&format!("{HOME}/uploads?fileName={name}"), file.bytes.clone()).await;
        if answer.status != 201 {
            wrong.push(format!("{}: refused: {}", file.name, answer.text()));
            continue;
        }
        let batch = answer.expect(201);
        let layout = &batch["layout"];
        let mut suggestion = layout["suggestion"].clone();
        if suggestion["columns"]["store"].is_null() {
            suggestion["store"] = json!({ "fixed": store["id"] });
        }
        let mut asks: Vec<Value> = layout["asks"].as_array().expect("asks").clone();
        if layout["productColumns"].as_array().is_some_and(|columns| !columns.is_empty()) {
            let names = |yes: bool| {
                match yes {
                true => layout["productColumns"].as_array().expect("columns").iter().map(|at| {
                    let at = at.as_u64().expect("a place");
                    json!({ "column": at, "name": layout["columns"][usize::try_from(at).expect("small")]["header"] })
                }).collect::<Vec<_>>(),
                false => Vec::new(),
            }
            };
            asks.push(json!({ "id": "products", "question": "Products?", "answers": [{ "set": { "products": names(true) } }] }));
        }
        let unsure =
            layout["dateFormats"].as_array().expect("formats").iter().any(|read| read["certain"] == false);
        if unsure {
            let set = |format: &str| json!({ "set": { "dateFormat": format } });
            asks.push(json!({ "id": "dates", "question": "Dates?", "answers": [set("dmy"), set("mdy")] }));
        }
        let questions: Vec<&str> = asks.iter().filter_map(|ask| ask["question"].as_str()).collect();
        let mut seen = Vec::new();
        let mut right = false;
        for way in ways(&suggestion, &asks) {
            match summary(&app, &admin, &batch, &way).await {
                Ok(summary) => {
                    right |= fits(&file.truth, &summary);
                    let keys = ["goodLines", "qty", "net", "days", "stores", "problemLines", "leftOutRows"];
                    seen.push(keys.map(|key| format!("{key} {}", summary[key])).join(" "));
                }
                Err(refusal) => seen.push(format!("refused {refusal}")),
            }
        }
        if !right || (asks.len() > file.truth.questions) {
            let columns = &suggestion["columns"];
            wrong.push(format!(
                "{}: true {:?}\n  asked {questions:?}\n  {columns} shape {}\n  {}",
                file.name,
                file.truth,
                layout["shape"],
                seen.join("\n  ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

#[rstest]
#[tokio::test]
async fn a_question_must_be_answered_before_the_file_is_read(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let file = "Receipt No,Date,Store,Item,Qty,Total\n1,2026-11-01,Makati,Rice,1,70\n1,2026-11-01,Makati,Tea,2,70\n\
                2,2026-11-01,Makati,Rice,1,50\n3,2026-11-02,Makati,Egg,1,12\n3,2026-11-02,Makati,Tea,3,12\n";
    let batch = upload(&admin, "once.csv", file).await;
    let layout = &batch["layout"];
    assert_eq!(layout["asks"][0]["id"], "once", "{layout}");
    let nets: Vec<&Value> =
        layout["asks"][0]["answers"].as_array().expect("two").iter().map(|a| &a["net"]).collect();
    assert_eq!(nets, [&json!(132), &json!(214)]);
    let suggestion = layout["suggestion"].clone();
    let refusal = summary(&app, &admin, &batch, &suggestion).await.expect_err("asked first");
    assert!(refusal.to_string().contains("Count them once?"), "{refusal}");
    let mut mapping = merged(&suggestion, &layout["asks"][0]["answers"][0]["set"]);
    mapping["answered"] = json!(["once"]);
    let summary = summary(&app, &admin, &batch, &mapping).await.expect("read");
    assert_eq!((&summary["net"], &summary["fileNet"]), (&json!(132), &json!(132)));
    let viewer = app.user(&[("tools/importSalesProduct", &[Action::View])], None).await;
    let path = format!("{HOME}/batches/{}/mapping", batch["id"].as_str().expect("an id"));
    assert_eq!(viewer.put(&path, &mapping).await.status, 403);
}
