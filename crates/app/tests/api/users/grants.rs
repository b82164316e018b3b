//! Permissions cannot be granted, received or revoked beyond one's own; attempts are audited; one super admin
//! remains.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{events, invited, manager, path, record_of, role, store, user};
use crate::support::{Answer, App, Engine, one_engine};

#[track_caller]
fn refused(answer: Answer) -> Value {
    let text = answer.text();
    let problem = answer.expect(403);
    assert_eq!(problem["code"], "grantRefused", "{text}");
    problem
}

#[rstest]
#[tokio::test]
async fn nobody_can_grant_a_permission_they_lack(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let boss = manager(&app, None).await;
    let much = role(&app, "Much", json!({ "reports": { "reports": { "export": true } } })).await;
    let little = role(&app, "Little", json!({ "lists": { "allLists": { "edit": true } } })).await;
    let with = |role: &str| {
        let mut body = invited("ben@example.com");
        body["roleId"] = json!(role);
        body
    };
    let problem = refused(boss.post("/api/users", &with(&much)).await);
    assert_eq!(problem["rights"], json!(["reports/reports:view", "reports/reports:export"]));
    assert!(problem["detail"].as_str().expect("words").contains("«Reports: export»"), "{problem}");
    let ben = boss.post("/api/users", &with(&little)).await.expect(201);
    refused(boss.patch(&path(&ben), &json!({ "revision": 1, "roleId": much })).await);
    refused(
        boss.post(
            "/api/roles",
            &json!({ "name": "Mine", "permissions": { "reports": { "reports": { "view": true } } } }),
        )
        .await,
    );
    let wider = json!({ "revision": 1, "permissions": { "lists": { "allLists": { "delete": true } } } });
    refused(boss.patch(&format!("/api/roles/{little}"), &wider).await);
    let noted = events(&app, "grantRefused").await;
    assert_eq!(noted.len(), 4, "{noted:?}");
    assert!(noted.iter().all(|event| event["by"]["uid"] == boss.uid.as_str()));
    assert_eq!(noted[3]["detail"]["rights"], json!(["reports/reports:view", "reports/reports:export"]));
}

#[rstest]
#[tokio::test]
async fn nobody_can_grant_a_store_they_lack(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let (mine, other) = (store(&app, "MKT01").await, store(&app, "PSG01").await);
    let boss = manager(&app, Some(std::slice::from_ref(&mine))).await;
    let little = role(&app, "Little", json!({ "lists": { "allLists": { "view": true } } })).await;
    let with = |stores: Value| json!({ "email": "ben@example.com", "name": "Ben", "roleId": little, "storeIds": stores, "password": "invite" });
    let problem = refused(boss.post("/api/users", &with(json!([mine, other]))).await);
    assert_eq!(problem["stores"], json!([other]));
    assert!(problem["detail"].as_str().expect("words").contains("«PSG01»"), "{problem}");
    assert_eq!(refused(boss.post("/api/users", &with(json!(null))).await)["stores"], "all");
    let ben = boss.post("/api/users", &with(json!([mine]))).await.expect(201);
    refused(boss.patch(&path(&ben), &json!({ "revision": 1, "storeIds": [other] })).await);
    // Extending a role extends its users, wherever they are.
    let wide = json!({ "email": "wide@example.com", "name": "Wide", "roleId": little, "storeIds": [mine, other], "password": "invite" });
    user(&app, &wide).await;
    let path_of_role = format!("/api/roles/{little}");
    let more = json!({ "revision": 1, "permissions": { "lists": { "allLists": { "edit": true } } } });
    let problem = refused(boss.patch(&path_of_role, &more).await);
    assert!(problem["detail"].as_str().expect("words").contains("«Little» is given to people"), "{problem}");
    for less in [json!({ "name": "Less" }), json!({ "permissions": {} }), json!({ "requireTotp": true })] {
        let mut body = less;
        body["revision"] = json!(1);
        refused(boss.patch(&path_of_role, &body).await);
    }
    let seen = boss.get(&path_of_role).await.expect(200);
    assert!(
        seen["lockedBecause"].as_str().expect("words").contains("stores that you can't access"),
        "{seen}"
    );
    // A user without a role or store list: the role would give access to every store.
    let newcomer = user(&app, &invited("new@example.com")).await;
    refused(boss.patch(&path(&newcomer), &json!({ "revision": 1, "roleId": little })).await);
    let both = json!({ "revision": 1, "roleId": little, "storeIds": [mine] });
    boss.patch(&path(&newcomer), &both).await.expect(200);
}

/// The attack: empty a role beyond one's own, manage its users, join it, and wait until it is filled again.
#[rstest]
#[tokio::test]
async fn a_role_beyond_ones_own_cannot_be_changed(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let clerk = app.user(&[("manageUsers/users", Action::ALL)], None).await;
    let admin = app.admin().await;
    let owner = admin
        .post(
            "/api/roles",
            &json!({ "name": "Owner", "requireTotp": true, "permissions": { "stores": { "storeCount": { "unlock": true } } } }),
        )
        .await
        .expect(201);
    let role = owner["id"].as_str().expect("an id");
    let at_role = format!("/api/roles/{role}");
    let mut ben = invited("ben@example.com");
    ben["roleId"] = json!(role);
    let ben = user(&app, &ben).await;
    let me = record_of(&app, &clerk).await;
    for change in [
        json!({ "permissions": {} }),
        json!({ "permissions": { "stores": { "storeCount": { "view": true } } } }),
        json!({ "permissions": { "manageUsers": { "users": { "edit": true } } } }),
        json!({ "requireTotp": false }),
        json!({ "name": "Nobody" }),
        json!({ "description": "Mine" }),
        json!({}),
    ] {
        let mut body = change;
        body["revision"] = json!(1);
        let problem = refused(clerk.patch(&at_role, &body).await);
        assert_eq!(problem["rights"], json!(["stores/storeCount:view", "stores/storeCount:unlock"]));
        assert!(
            problem["detail"].as_str().expect("words").starts_with("«Owner» has rights you don't have"),
            "{problem}"
        );
    }
    let unchanged = admin.get(&at_role).await.expect(200);
    assert_eq!((&unchanged["revision"], &unchanged["permissions"]), (&json!(1), &owner["permissions"]));
    refused(clerk.post(&format!("{}/reset-link", path(&ben)), &json!({})).await);
    refused(clerk.patch(&path(&me), &json!({ "revision": 1, "roleId": role })).await);
    let many = json!({ "users": [{ "id": me["id"], "revision": 1 }], "change": { "roleId": role } });
    let bulk = clerk.post("/api/users/bulk", &many).await.expect(200);
    assert_eq!(bulk["items"][0]["problem"]["code"], "grantRefused");
    // They see it, and why they cannot change it.
    let roles = clerk.get("/api/roles").await.expect(200);
    let of = |name: &str| {
        let items = roles["items"].as_array().expect("roles");
        items.iter().find(|role| role["name"] == name).expect("a role").clone()
    };
    assert_eq!(of("Owner")["lockedBecause"], clerk.get(&at_role).await.expect(200)["lockedBecause"]);
    assert!(
        of("Owner")["lockedBecause"].is_string()
            && me["roleName"].as_str().is_some_and(|own| of(own)["lockedBecause"].is_null())
    );
    assert!(clerk.get(&path(&ben)).await.expect(200)["lockedBecause"].is_string());
    assert!(clerk.get(&path(&me)).await.expect(200).get("lockedBecause").is_none());
    // A super admin's role can be changed, whatever it allows.
    let small = json!({ "name": "Small", "permissions": { "manageUsers": { "users": { "view": true } } } });
    let small = clerk.post("/api/roles", &small).await.expect(201)["id"].clone();
    let boss = record_of(&app, &admin).await;
    admin.patch(&path(&boss), &json!({ "revision": 1, "roleId": small })).await.expect(200);
    let at_small = format!("/api/roles/{}", small.as_str().expect("an id"));
    refused(clerk.patch(&at_small, &json!({ "revision": 1, "name": "X" })).await);
    admin.patch(&at_small, &json!({ "revision": 1, "name": "X" })).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn users_with_more_permissions_cannot_be_edited(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let boss = manager(&app, None).await;
    let more = app.user(&[("reports/reports", &[Action::View])], None).await;
    for person in [record_of(&app, &more).await, record_of(&app, &app.admin().await).await] {
        let user = path(&person);
        refused(boss.patch(&user, &json!({ "revision": 1, "name": "X" })).await);
        refused(boss.patch(&user, &json!({ "revision": 1, "status": "Disabled" })).await);
        refused(boss.post(&format!("{user}/temporary-password"), &json!({})).await);
        refused(boss.post(&format!("{user}/reset-link"), &json!({ "mail": true })).await);
        refused(boss.post(&format!("{user}/sign-out"), &json!({})).await);
        refused(boss.delete(&format!("{user}/sessions/none")).await);
        refused(boss.delete(&format!("{user}/totp")).await);
    }
    assert_eq!(more.get("/api/me").await.status, 200);
}

#[rstest]
#[tokio::test]
async fn users_cannot_raise_their_own_permissions(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let (mine, other) = (store(&app, "MKT01").await, store(&app, "PSG01").await);
    let boss = manager(&app, Some(std::slice::from_ref(&mine))).await;
    let me = record_of(&app, &boss).await;
    let much = role(&app, "Much", json!({ "reports": { "reports": { "export": true } } })).await;
    for change in [
        json!({ "superAdmin": true }),
        json!({ "roleId": much }),
        json!({ "storeIds": null }),
        json!({ "storeIds": [mine, other] }),
    ] {
        let mut body = change.clone();
        body["revision"] = json!(1);
        refused(boss.patch(&path(&me), &body).await);
    }
    let own = format!("/api/roles/{}", me["roleId"].as_str().expect("a role"));
    let wider = json!({ "revision": 1, "permissions": { "tools": { "testApi": { "view": true } } } });
    refused(boss.patch(&own, &wider).await);
    let unchanged = record_of(&app, &boss).await;
    assert_eq!((&unchanged["revision"], &unchanged["storeIds"]), (&json!(1), &json!([mine])));
    assert_eq!(events(&app, "grantRefused").await.len(), 5);
}

#[rstest]
#[tokio::test]
async fn fields_set_by_the_server_are_refused(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = user(&app, &invited("ben@example.com")).await;
    let fields = [
        "id",
        "uid",
        "createdAt",
        "updatedBy",
        "tempPassword",
        "passwordResetLink",
        "passwordHash",
        "permissions",
        "roleName",
        "totp",
        "providers",
        "mustChangePassword",
        "extra",
        "prototype",
    ];
    for field in fields {
        let problem = admin.patch(&path(&made), &json!({ "revision": 1, field: "x" })).await.expect(422);
        assert_eq!(
            (&problem["code"], &problem["fields"][0]["field"]),
            (&json!("protectedField"), &json!(field))
        );
        let mut body = invited("cat@example.com");
        body[field] = json!("x");
        assert_eq!(admin.post("/api/users", &body).await.status, 422, "{field}");
    }
    let sent = json!({ "revision": 1, "password": "correct horse battery" });
    assert_eq!(admin.patch(&path(&made), &sent).await.status, 422);
    assert_eq!(admin.get(&path(&made)).await.expect(200), made);
    assert_eq!(events(&app, "grantRefused").await.len(), fields.len() * 2 + 1);
}

#[rstest]
#[tokio::test]
async fn the_last_super_admin_cannot_be_removed(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let page = admin.get("/api/users").await.expect(200);
    let me = page["items"][0].clone();
    for change in [json!({ "superAdmin": false }), json!({ "status": "Disabled" })] {
        let mut body = change;
        body["revision"] = json!(1);
        let problem = admin.patch(&path(&me), &body).await.expect(409);
        assert_eq!(problem["code"], "lastSuperAdmin");
        assert_eq!(problem["detail"], "Ana Cruz is the last active super admin.");
    }
    // A disabled super admin does not count.
    let mut second = invited("second@example.com");
    second["superAdmin"] = json!(true);
    second["status"] = json!("Disabled");
    admin.post("/api/users", &second).await.expect(201);
    assert_eq!(admin.patch(&path(&me), &json!({ "revision": 1, "superAdmin": false })).await.status, 409);
}

/// Two super admins demote each other concurrently: one remains.
#[rstest]
#[tokio::test]
async fn concurrent_demotions_leave_one_super_admin(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    for round in 0..5 {
        let app = App::start_idle(on).await;
        let (one, two) = (app.admin().await, app.admin().await);
        let page = one.get("/api/users").await.expect(200);
        let find = |uid: &str| {
            let items = page["items"].as_array().expect("items");
            items.iter().find(|user| user["uid"] == uid).expect("a user").clone()
        };
        let (first, second) = (find(&one.uid), find(&two.uid));
        let body = json!({ "revision": 1, "superAdmin": false });
        let (user_one, user_two) = (path(&first), path(&second));
        let (a, b) = tokio::join!(one.patch(&user_two, &body), two.patch(&user_one, &body));
        let won = [a.status, b.status].into_iter().filter(|status| *status == 200).count();
        assert_eq!(won, 1, "round {round}: {} {} / {} {}", a.status, a.text(), b.status, b.text());
        let left: i64 = app
            .db
            .sql("select cast(count(*) as bigint) from app_users where super_admin and status = 'Active'")
            .scalar()
            .await
            .expect("a count");
        assert_eq!(left, 1);
    }
}
