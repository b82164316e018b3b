//! Managing people over HTTP: users, roles, applications, and everything one may not.

mod bulk;
mod credentials;
mod grants;
mod import;
mod people;
mod reach;
mod roles;

use larder_domain::Action;
use serde_json::{Value, json};

use crate::support::{App, Client};

/// Manages users and holds some rights of their own, everywhere or in some stores.
pub async fn manager(app: &App, stores: Option<&[String]>) -> Client {
    let lists = [Action::View, Action::Edit];
    app.user(&[("manageUsers/users", Action::ALL), ("lists/allLists", &lists)], stores).await
}

/// A role of these rights.
pub async fn role(app: &App, name: &str, permissions: Value) -> String {
    let admin = app.admin().await;
    let made =
        admin.post("/api/roles", &json!({ "name": name, "permissions": permissions })).await.expect(201);
    made["id"].as_str().expect("an id").to_owned()
}

/// A store.
pub async fn store(app: &App, code: &str) -> String {
    let admin = app.admin().await;
    let made = admin.post("/api/stores/locations", &json!({ "name": code, "code": code })).await.expect(201);
    made["id"].as_str().expect("an id").to_owned()
}

/// An invited user.
pub fn invited(email: &str) -> Value {
    json!({ "email": email, "name": "Ben Reyes", "password": "invite" })
}

/// A user made by a super admin.
pub async fn user(app: &App, body: &Value) -> Value {
    app.admin().await.post("/api/users", body).await.expect(201)
}

/// The user record of somebody with a session.
pub async fn record_of(app: &App, client: &Client) -> Value {
    let page = app.admin().await.get("/api/users?pageSize=all").await.expect(200);
    let items = page["items"].as_array().expect("items").clone();
    items.into_iter().find(|user| user["uid"] == client.uid.as_str()).expect("a user")
}

/// What was noted around signing in, the newest first.
pub async fn events(app: &App, event: &str) -> Vec<Value> {
    let page = app.admin().await.get("/api/activity?kind=signIn&pageSize=all").await.expect(200);
    let items = page["items"].as_array().expect("items").clone();
    items.into_iter().filter(|item| item["event"] == event).collect()
}

/// Path of one user.
pub fn path(user: &Value) -> String {
    format!("/api/users/{}", user["id"].as_str().expect("an id"))
}
