//! User management over HTTP: users, roles, access requests, and refusals.

mod bulk;
mod credentials;
mod grants;
mod import;
mod people;
mod roles;
mod visible_people;

use larder_domain::Action;
use serde_json::{Value, json};

use crate::support::{App, Client};

/// A user manager with some permissions of their own, in all or some stores.
pub async fn manager(app: &App, stores: Option<&[String]>) -> Client {
    let lists = [Action::View, Action::Edit];
    app.user(&[("manageUsers/users", Action::ALL), ("lists/allLists", &lists)], stores).await
}

/// Creates a role with these permissions.
pub async fn role(app: &App, name: &str, permissions: Value) -> String {
    let admin = app.admin().await;
    let made =
        admin.post("/api/roles", &json!({ "name": name, "permissions": permissions })).await.expect(201);
    made["id"].as_str().expect("an id").to_owned()
}

/// Creates a store.
pub async fn store(app: &App, code: &str) -> String {
    let admin = app.admin().await;
    let made = admin.post("/api/stores/locations", &json!({ "name": code, "code": code })).await.expect(201);
    made["id"].as_str().expect("an id").to_owned()
}

/// Body of an invited user.
pub fn invited(email: &str) -> Value {
    json!({ "email": email, "name": "Ben Reyes", "password": "invite" })
}

/// Creates a user as super admin.
pub async fn user(app: &App, body: &Value) -> Value {
    app.admin().await.post("/api/users", body).await.expect(201)
}

/// The user record of a client's user.
pub async fn record_of(app: &App, client: &Client) -> Value {
    let page = app.admin().await.get("/api/users?pageSize=all").await.expect(200);
    let items = page["items"].as_array().expect("items").clone();
    items.into_iter().find(|user| user["uid"] == client.uid.as_str()).expect("a user")
}

/// Recorded sign-in events, newest first.
pub async fn events(app: &App, event: &str) -> Vec<Value> {
    let page = app.admin().await.get("/api/activity?kind=signIn&pageSize=all").await.expect(200);
    let items = page["items"].as_array().expect("items").clone();
    items.into_iter().filter(|item| item["event"] == event).collect()
}

/// Path of a user.
pub fn path(user: &Value) -> String {
    format!("/api/users/{}", user["id"].as_str().expect("an id"))
}
