//! Products: units, stock and pictures.

mod barcodes;
mod ledger;
pub mod pictures;
mod prices;
mod stock;
mod units;

use serde_json::{Value, json};

use crate::support::Client;

const PATH: &str = "/api/products";

/// Creates a record of a list by path.
async fn make(client: &Client, path: &str, body: Value) -> Value {
    client.post(path, &body).await.expect(201)
}

async fn make_product(client: &Client, name: &str) -> Value {
    make(client, PATH, json!({ "name": name, "type": "Non-inventory" })).await
}

async fn make_commissary(client: &Client, name: &str) -> Value {
    make(client, "/api/lists/commissaries", json!({ "name": name })).await
}

async fn make_uom(client: &Client, name: &str) -> String {
    id(&make(client, "/api/lists/uoms", json!({ "name": name, "code": name })).await)
}

fn id(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}

fn path_of(record: &Value) -> String {
    format!("{PATH}/{}", id(record))
}
