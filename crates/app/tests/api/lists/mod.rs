//! The lists over HTTP: one suite for all of them, then specifics.

mod accounts;
mod actions;
mod bodies;
mod catalogue;
mod companies;
mod names;
mod prices;
mod prices_of_weeks;
mod special;
mod store_inventory;
mod trees;
mod uses;

use serde_json::{Value, json};

use crate::support::{App, Client};

/// A list and its minimal body, made distinct by `n`.
pub struct Case {
    pub slug: &'static str,
    /// The field with a record's name.
    pub name: &'static str,
    body: fn(&str) -> Value,
}

impl Case {
    pub fn path(&self) -> String {
        match self.slug {
            "chart-of-accounts" => "/api/your-company/chart-of-accounts".to_owned(),
            slug => format!("/api/lists/{slug}"),
        }
    }

    pub fn body(&self, name: &str) -> Value {
        (self.body)(name)
    }

    pub async fn make(&self, client: &Client, name: &str) -> Value {
        client.post(&self.path(), &self.body(name)).await.expect(201)
    }
}

fn named(name: &str) -> Value {
    json!({ "name": name })
}

/// Every list of the contract.
pub const CASES: &[Case] = &[
    Case { slug: "uoms", name: "name", body: |name| json!({ "name": name, "code": name }) },
    Case { slug: "categories", name: "name", body: named },
    Case { slug: "food-types", name: "name", body: named },
    Case { slug: "product-types", name: "name", body: named },
    Case { slug: "storage-requirements", name: "name", body: named },
    Case { slug: "price-levels", name: "name", body: named },
    Case { slug: "store-formats", name: "name", body: named },
    Case { slug: "regional-areas", name: "name", body: named },
    Case { slug: "operational-areas", name: "name", body: |name| json!({ "name": name, "code": name }) },
    Case { slug: "root-items", name: "name", body: |name| json!({ "name": name, "rootProductId": name }) },
    Case {
        slug: "pos-items",
        name: "description",
        body: |name| json!({ "description": name, "posItemId": name }),
    },
    Case { slug: "companies", name: "name", body: named },
    Case { slug: "suppliers", name: "name", body: named },
    Case { slug: "commissaries", name: "name", body: named },
    Case { slug: "warehouses", name: "name", body: named },
    Case { slug: "cold-storages", name: "name", body: named },
    Case { slug: "store-inventory-items", name: "name", body: |name| json!({ "name": name, "code": name }) },
    Case { slug: "tender-types", name: "name", body: named },
    Case { slug: "recipes", name: "name", body: |name| json!({ "name": name, "code": name }) },
    Case { slug: "chart-of-accounts", name: "name", body: |name| json!({ "name": name, "type": "Bank" }) },
];

/// The names on a page, in order.
pub fn column(page: &Value, field: &str) -> Vec<String> {
    let items = page["items"].as_array().expect("items");
    items.iter().map(|item| item[field].as_str().unwrap_or_default().to_owned()).collect()
}

/// The fields with errors in a refusal.
pub fn fields(problem: &Value) -> Vec<String> {
    let fields = problem["fields"].as_array().expect("fields");
    fields.iter().map(|field| field["field"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Creates records of one list and returns their ids.
pub async fn make_all(app: &App, slug: &str, bodies: &[Value]) -> Vec<String> {
    let admin = app.admin().await;
    let mut ids = Vec::new();
    for body in bodies {
        let made = admin.post(&format!("/api/lists/{slug}"), body).await.expect(201);
        ids.push(made["id"].as_str().expect("an id").to_owned());
    }
    ids
}
