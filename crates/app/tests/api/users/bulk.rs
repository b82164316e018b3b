//! Bulk changes of users.

use rstest::rstest;
use serde_json::json;

use super::{events, invited, manager, path, record_of, role, store, user};
use crate::support::{App, Engine, one_engine};

#[rstest]
#[tokio::test]
async fn each_user_has_a_separate_result(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let boss = manager(&app, None).await;
    let admin = record_of(&app, &app.admin().await).await;
    let (ben, cat) =
        (user(&app, &invited("ben@example.com")).await, user(&app, &invited("cat@example.com")).await);
    let users = json!([
        { "id": ben["id"], "revision": 1 },
        { "id": cat["id"], "revision": 7 },
        { "id": admin["id"], "revision": 1 },
        { "id": "none", "revision": 1 },
    ]);
    let body = json!({ "users": users, "change": { "status": "Disabled" } });
    let answer = boss.post("/api/users/bulk", &body).await.expect(200);
    let outcome =
        |nth: usize| (answer["items"][nth]["ok"].clone(), answer["items"][nth]["problem"]["code"].clone());
    assert_eq!(outcome(0), (json!(true), json!(null)));
    assert_eq!(outcome(1), (json!(false), json!("stale")));
    assert_eq!(outcome(2), (json!(false), json!("grantRefused")));
    assert_eq!(outcome(3), (json!(false), json!("notFound")));
    assert_eq!(boss.get(&path(&ben)).await.expect(200)["status"], "Disabled");
    assert_eq!(events(&app, "grantRefused").await.len(), 1);
}

#[rstest]
#[tokio::test]
async fn stores_are_added_and_removed(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let stores = [store(&app, "A1").await, store(&app, "B1").await, store(&app, "C1").await];
    let little = role(&app, "Little", json!({})).await;
    let body = json!({ "email": "ben@example.com", "name": "Ben", "roleId": little, "storeIds": stores[..2], "password": "invite" });
    let ben = user(&app, &body).await;
    let all = user(&app, &invited("all@example.com")).await;
    let send = async |revision: i64, change: serde_json::Value| {
        let users = json!([{ "id": ben["id"], "revision": revision }, { "id": all["id"], "revision": 1 }]);
        admin.post("/api/users/bulk", &json!({ "users": users, "change": change })).await.expect(200)
    };
    let done = send(1, json!({ "addStoreIds": [stores[2]], "removeStoreIds": [stores[0]] })).await;
    assert_eq!((&done["items"][0]["ok"], &done["items"][1]["ok"]), (&json!(true), &json!(false)));
    assert_eq!(done["items"][1]["problem"]["fields"][0]["field"], "removeStoreIds");
    let now = admin.get(&path(&ben)).await.expect(200);
    let mut kept = stores[1..].to_vec();
    kept.sort();
    assert_eq!(now["storeIds"], json!(kept));
    let wrong = json!({ "users": [], "change": { "superAdmin": true } });
    let problem = admin.post("/api/users/bulk", &wrong).await.expect(422);
    assert_eq!(problem["fields"][0]["field"], "change.superAdmin");
}
