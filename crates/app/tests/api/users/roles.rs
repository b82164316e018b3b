//! Roles and the permission catalogue.

use larder_domain::Action;
use rstest::rstest;
use serde_json::json;

use super::{invited, record_of, role};
use crate::support::{App, Engine, one_engine};

#[rstest]
#[tokio::test]
async fn a_role_is_created_assigned_changed_and_counted(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body = json!({ "name": "Cashier", "description": "At the till", "requireTotp": true,
                       "permissions": { "sales": { "zReading": { "create": true, "edit": false } } } });
    let made = admin.post("/api/roles", &body).await.expect(201);
    assert_eq!(made["permissions"], json!({ "sales": { "zReading": { "create": true, "view": true } } }));
    assert_eq!((&made["users"], &made["requireTotp"]), (&json!(0), &json!(true)));
    let id = made["id"].as_str().expect("an id");
    let mut ben = invited("ben@example.com");
    ben["roleId"] = json!(id);
    admin.post("/api/users", &ben).await.expect(201);
    let path = format!("/api/roles/{id}");
    let changed = admin.patch(&path, &json!({ "revision": 1, "name": "Till" })).await.expect(200);
    assert_eq!((&changed["name"], &changed["users"]), (&json!("Till"), &json!(1)));
    assert_eq!(
        admin.patch(&path, &json!({ "revision": 1, "name": "Old" })).await.expect(409)["code"],
        "stale"
    );
    let who = admin.get(&format!("{path}/users")).await.expect(200);
    assert_eq!((&who["total"], &who["items"][0]["email"]), (&json!(1), &json!("ben@example.com")));
    // Users who approve applications can choose roles, with or without the permission to view roles.
    let approver = app.user(&[("manageUsers/applications", &[Action::View, Action::Approve])], None).await;
    let names = approver.get("/api/names/roles").await.expect(200);
    assert!(names.as_array().expect("names").contains(&json!({ "id": id, "name": "Till" })), "{names}");
    let all = admin.get("/api/roles").await.expect(200);
    let till = admin.get(&path).await.expect(200);
    assert!(all["items"].as_array().expect("items").contains(&till), "{all}");
    let twin = json!({ "name": "TILL", "permissions": {} });
    assert_eq!(admin.post("/api/roles", &twin).await.expect(409)["fields"][0]["field"], "name");
}

#[rstest]
#[tokio::test]
async fn unknown_permissions_are_refused_with_their_path(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body =
        json!({ "id": "mine", "permissions": { "lists": { "allLists": { "fly": true } }, "moon": {} } });
    let problem = admin.post("/api/roles", &body).await.expect(422);
    let fields: Vec<_> =
        problem["fields"].as_array().expect("fields").iter().map(|f| f["field"].clone()).collect();
    assert_eq!(json!(fields), json!(["name", "id", "permissions.lists.allLists.fly", "permissions.moon"]));
}

#[rstest]
#[tokio::test]
async fn the_catalogue_lists_every_permission(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let viewer = app.user(&[("reports/reports", &[Action::View])], None).await;
    let catalogue = viewer.get("/api/permissions").await.expect(200);
    let categories = catalogue["categories"].as_array().expect("categories");
    let people = categories.iter().find(|category| category["key"] == "manageUsers").expect("a category");
    assert_eq!(
        people["pages"][1],
        json!({ "key": "applications", "label": "Applications for access", "actions": ["view", "approve"] })
    );
    assert_eq!(app.newcomer().await.get("/api/permissions").await.status, 403);
}

#[rstest]
#[tokio::test]
async fn a_changed_role_applies_at_once(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let person = app.user(&[("lists/allLists", &[Action::View])], None).await;
    assert_eq!(person.get("/api/lists/uoms").await.status, 200);
    let id = record_of(&app, &person).await["roleId"].as_str().expect("a role").to_owned();
    admin.patch(&format!("/api/roles/{id}"), &json!({ "revision": 1, "permissions": {} })).await.expect(200);
    assert_eq!(person.get("/api/lists/uoms").await.status, 403);
    let other = role(&app, "Lists", json!({ "lists": { "allLists": { "view": true } } })).await;
    let me = record_of(&app, &person).await;
    admin.patch(&super::path(&me), &json!({ "revision": 1, "roleId": other })).await.expect(200);
    assert_eq!(person.get("/api/lists/uoms").await.status, 200);
}
