//! Import of any list from a file: check, commit, undo.

mod accounts;
mod cells;
mod documents;
mod documents_of_deliveries;
mod documents_of_stores;
mod files;
mod properties;
mod rights;
mod steps;
mod variants;

use serde_json::{Map, Value, json};

use crate::support::{App, Client};

pub const HOME: &str = "/api/tools/import-data";

/// Uploads a file for a list.
pub async fn upload(client: &Client, list: &str, name: &str, bytes: impl Into<Vec<u8>>) -> Value {
    client.upload(&format!("{HOME}/uploads?list={list}&fileName={name}"), bytes.into()).await.expect(201)
}

/// The suggested mapping.
pub fn suggested(batch: &Value, by: &str) -> Value {
    let layout = &batch["layout"];
    let mut columns = Map::new();
    for column in layout["columns"].as_array().expect("columns") {
        if let Some(field) = column["suggested"].as_str() {
            columns.insert(field.to_owned(), column["index"].clone());
        }
    }
    json!({
        "hasHeader": layout["hasHeader"], "columns": columns, "match": by, "decimal": layout["decimal"],
        "dateFormat": layout["dateFormat"], "missing": "ignore",
    })
}

pub fn path(batch: &Value) -> String {
    format!("{HOME}/batches/{}", batch["id"].as_str().expect("an id"))
}

/// Maps a file and waits for the check.
pub async fn check(app: &App, client: &Client, batch: &Value, mapping: &Value) -> Value {
    client.put(&format!("{}/mapping", path(batch)), mapping).await.expect(200);
    app.drain().await;
    client.get(&path(batch)).await.expect(200)
}

/// Uploads and checks a file with the suggested mapping.
pub async fn try_out(
    app: &App,
    client: &Client,
    list: &str,
    by: &str,
    name: &str,
    bytes: impl Into<Vec<u8>>,
) -> Value {
    let batch = upload(client, list, name, bytes).await;
    let mapping = suggested(&batch, by);
    let checked = check(app, client, &batch, &mapping).await;
    assert_eq!(checked["state"], "checked", "{checked}");
    checked
}

/// Commits a checked file.
pub async fn commit(app: &App, client: &Client, batch: &Value) -> Value {
    client.post(&format!("{}/commit", path(batch)), &json!({})).await.expect(200);
    app.drain().await;
    let committed = client.get(&path(batch)).await.expect(200);
    assert_eq!(committed["state"], "committed", "{committed}");
    committed
}

/// Undoes it.
pub async fn undo(app: &App, client: &Client, batch: &Value) -> Value {
    client.post(&format!("{}/undo", path(batch)), &json!({})).await.expect(200);
    app.drain().await;
    let undone = client.get(&path(batch)).await.expect(200);
    assert_eq!(undone["state"], "undone", "{undone}");
    undone
}

/// The rows with this effect.
pub async fn rows(client: &Client, batch: &Value, outcome: &str) -> Vec<Value> {
    let page = client.get(&format!("{}/rows?pageSize=1000&outcome={outcome}", path(batch))).await.expect(200);
    page["items"].as_array().expect("rows").clone()
}

/// Created, updated, unchanged, failed.
pub fn counts(batch: &Value) -> (i64, i64, i64, i64) {
    let count = |name: &str| batch["summary"][name].as_i64().unwrap_or(-1);
    (count("created"), count("updated"), count("unchanged"), count("failed"))
}

/// The first problem of a row, as `field: message`.
pub fn problem(row: &Value) -> String {
    let problem = &row["problems"][0];
    format!("{}: {}", problem["field"].as_str().unwrap_or("-"), problem["message"].as_str().unwrap_or("-"))
}

/// Creates a record of a list.
pub async fn make(client: &Client, path: &str, body: &Value) -> Value {
    client.post(path, body).await.expect(201)
}
