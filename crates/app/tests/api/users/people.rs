//! Users: list, read, create, change.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{events, invited, path, record_of, role, store, user};
use crate::support::{App, Engine, one_engine};

#[rstest]
#[tokio::test]
async fn a_user_is_created_read_changed_and_audited(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (cashier, makati) = (role(&app, "Cashier", json!({})).await, store(&app, "MKT01").await);
    let body = json!({
        "email": " Ben@Example.com ", "name": "Ben Reyes", "roleId": cashier, "storeIds": [makati, makati],
        "billable": true, "password": "invite", "badge": "B-17",
    });
    let made = admin.post("/api/users", &body).await.expect(201);
    assert_eq!((&made["email"], &made["status"]), (&json!("Ben@Example.com"), &json!("Active")));
    assert_eq!((&made["storeIds"], &made["badge"]), (&json!([makati]), &json!("B-17")));
    assert_eq!((&made["roleName"], &made["revision"]), (&json!("Cashier"), &json!(1)));
    assert_eq!(admin.get(&path(&made)).await.expect(200), made);
    let patch = json!({ "revision": 1, "name": "Benjamin", "badge": null, "status": "Disabled" });
    let changed = admin.patch(&path(&made), &patch).await.expect(200);
    assert_eq!((&changed["name"], &changed["revision"]), (&json!("Benjamin"), &json!(2)));
    assert!(changed.get("badge").is_none() && changed["billable"] == true);
    let history = admin.get("/api/activity?kind=people&q=benjamin").await.expect(200);
    let [second, first] = history["items"].as_array().expect("items").as_slice() else { panic!("{history}") };
    assert_eq!((&second["action"], &first["action"]), (&json!("updated"), &json!("created")));
    let reported = second["changes"].as_array().expect("changes");
    let name = json!({ "field": "name", "before": "Ben Reyes", "after": "Benjamin" });
    assert!(reported.contains(&name) && reported.len() == 3, "{second}");
}

#[rstest]
#[tokio::test]
async fn an_email_filter_matches_exactly_one_user(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let ben = user(&app, &invited("ben@example.com")).await;
    user(&app, &invited("reuben@example.com")).await;
    let found = admin.get("/api/users?email=%20BEN%40example.com%20").await.expect(200);
    assert_eq!((&found["total"], &found["items"][0]["id"]), (&json!(1), &ben["id"]));
    assert_eq!(admin.get("/api/users?email=en%40example.com").await.expect(200)["total"], 0);
    let refused = admin.get("/api/users?mail=ben%40example.com").await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "mail");
    assert!(refused["detail"].as_str().is_some_and(|words| words.contains("email")), "{refused}");
}

#[rstest]
#[tokio::test]
async fn all_errors_in_a_body_are_reported_at_once(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body = json!({ "email": "nobody", "name": " ", "status": "Gone", "billable": "x", "storeIds": [5] });
    let refused = admin.post("/api/users", &body).await.expect(422);
    let fields: Vec<_> =
        refused["fields"].as_array().expect("fields").iter().map(|f| f["field"].clone()).collect();
    assert_eq!(json!(fields), json!(["password", "email", "name", "storeIds", "status", "billable"]));
    let taken = user(&app, &invited("ben@example.com")).await;
    let again = admin.post("/api/users", &invited("BEN@example.com")).await.expect(409);
    assert_eq!((&again["code"], &again["fields"][0]["field"]), (&json!("duplicate"), &json!("email")));
    let lost = json!({ "revision": 1, "roleId": "nowhere" });
    assert_eq!(admin.patch(&path(&taken), &lost).await.expect(422)["fields"][0]["field"], "roleId");
    let lost = json!({ "revision": 1, "storeIds": ["nowhere"] });
    assert_eq!(admin.patch(&path(&taken), &lost).await.expect(422)["fields"][0]["field"], "storeIds");
    assert_eq!(admin.get("/api/users/none").await.status, 404);
}

#[rstest]
#[tokio::test]
async fn users_are_searched_filtered_sorted_and_paged(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let (cashier, makati) = (role(&app, "Cashier", json!({})).await, store(&app, "MKT01").await);
    for (email, name, stores) in [
        ("zed@example.com", "ÑANA Peña", json!([makati])),
        ("abe@example.com", "Abe 100%", json!([])),
        ("cat@example.com", "Cat_", json!(null)),
    ] {
        let body = json!({ "email": email, "name": name, "roleId": cashier, "storeIds": stores, "password": "invite" });
        user(&app, &body).await;
    }
    let names = async |query: &str| {
        let page = admin.get(&format!("/api/users?roleId={cashier}&{query}")).await.expect(200);
        page["items"].as_array().expect("items").iter().map(|u| u["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("").await, ["Abe 100%", "Cat_", "ÑANA Peña"]);
    assert_eq!(names("sort=-email&pageSize=2").await, ["ÑANA Peña", "Cat_"]);
    assert_eq!(names("sort=email&pageSize=2&page=2").await, ["ÑANA Peña"]);
    assert_eq!(names("q=%C3%B1ana").await, ["ÑANA Peña"]);
    assert_eq!(names("q=100%25").await, ["Abe 100%"]);
    assert_eq!(names("q=_").await, ["Cat_"]);
    assert_eq!(names(&format!("storeId={makati}")).await, ["Cat_", "ÑANA Peña"], "users with access to it");
    assert_eq!(admin.get("/api/users?roleId=none").await.expect(200)["total"], 6, "the admins have no role");
    assert_eq!(admin.get("/api/users?status=Disabled").await.expect(200)["total"], 0);
    assert_eq!(admin.get("/api/users?sort=password").await.expect(422)["fields"][0]["field"], "sort");
    let file = admin.get(&format!("/api/users/export?roleId={cashier}&sort=email")).await;
    let lines: Vec<String> = file.text().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[1].starts_with("abe@example.com,Abe 100%,Cashier,none,Active,no,no,no,"), "{}", lines[1]);
    assert!(lines[3].starts_with("zed@example.com,ÑANA Peña,Cashier,MKT01,Active"), "{}", lines[3]);
    assert_eq!(admin.get("/api/users/export?format=xlsx").await.status, 200);
}

#[rstest]
#[tokio::test]
async fn an_old_revision_is_refused_and_audited(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = user(&app, &invited("ben@example.com")).await;
    admin.patch(&path(&made), &json!({ "revision": 1, "name": "First" })).await.expect(200);
    let refused = admin.patch(&path(&made), &json!({ "revision": 1, "name": "Second" })).await.expect(409);
    assert_eq!((&refused["code"], &refused["current"]["name"]), (&json!("stale"), &json!("First")));
    for revision in [json!("2"), json!(2.5), json!(-1)] {
        let body = json!({ "revision": revision, "name": "Trick" });
        let status = admin.patch(&path(&made), &body).await.status;
        assert!(matches!(status, 409 | 422), "{revision}: {status}");
    }
    assert_eq!(admin.get(&path(&made)).await.expect(200)["name"], "First");
    assert!(!events(&app, "changeRefused").await.is_empty(), "a replayed revision leaves no trace");
}

#[rstest]
#[tokio::test]
async fn a_repeated_create_makes_one_user(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let send = || {
        let request = admin.request(reqwest::Method::POST, "/api/users").header("idempotency-key", "once");
        admin.send(request.json(&invited("ben@example.com")))
    };
    let (first, second) = tokio::join!(send(), send());
    assert_eq!(first.expect(201), second.expect(201));
    let other = admin.request(reqwest::Method::POST, "/api/users").header("idempotency-key", "once");
    let other = admin.send(other.json(&invited("cat@example.com"))).await.expect(422);
    assert_eq!(other["code"], "keyReused");
}

#[rstest]
#[tokio::test]
async fn disabling_a_user_ends_their_sessions(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let person = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let record = record_of(&app, &person).await;
    assert_eq!(person.get("/api/me").await.status, 200);
    admin.patch(&path(&record), &json!({ "revision": 1, "status": "Disabled" })).await.expect(200);
    assert_eq!(person.get("/api/me").await.status, 401);
    admin.patch(&path(&record), &json!({ "revision": 2, "status": "Active" })).await.expect(200);
    assert_eq!(person.get("/api/me").await.status, 401, "an ended session stays ended");
}

#[rstest]
#[tokio::test]
async fn changing_users_needs_reauthentication(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = user(&app, &invited("ben@example.com")).await;
    app.clock.advance(16 * 60);
    let (user, body) = (path(&made), json!({ "revision": 1, "name": "Later" }));
    let tries = [
        admin.post("/api/users", &invited("cat@example.com")).await,
        admin.patch(&user, &body).await,
        admin.post("/api/users/bulk", &json!({ "users": [], "change": {} })).await,
        admin.post(&format!("{user}/temporary-password"), &json!({})).await,
        admin.post(&format!("{user}/reset-link"), &json!({})).await,
        admin.post(&format!("{user}/sign-out"), &json!({})).await,
        admin.delete(&format!("{user}/sessions/none")).await,
        admin.delete(&format!("{user}/totp")).await,
        admin.post("/api/roles", &json!({ "name": "New", "permissions": {} })).await,
        admin.patch("/api/roles/none", &json!({})).await,
        admin.post("/api/applications/none/approve", &json!({ "revision": 1 })).await,
        admin.post("/api/applications/none/reject", &json!({ "revision": 1 })).await,
        admin.upload("/api/users/import", "email\n").await,
    ];
    for (nth, answer) in tries.into_iter().enumerate() {
        assert_eq!((answer.status, answer.json()["code"].as_str()), (403, Some("reauthenticate")), "{nth}");
    }
    assert_eq!(admin.get("/api/users").await.status, 200, "viewing is not editing");
}

/// SPEC 7: users are merged by id; changing their list of stores needs the revision.
#[rstest]
#[tokio::test]
async fn single_values_are_merged_without_a_revision(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let ben = user(&app, &invited("ben@example.com")).await;
    let merged = admin.patch(&path(&ben), &json!({ "name": "Benjamin", "badge": "B-17" })).await.expect(200);
    assert_eq!((&merged["name"], &merged["revision"]), (&json!("Benjamin"), &json!(2)));
    let refused = admin.patch(&path(&ben), &json!({ "storeIds": [], "name": "Ben" })).await.expect(422);
    let fields: Vec<_> = refused["fields"].as_array().expect("fields").iter().map(|f| &f["field"]).collect();
    assert_eq!(fields, ["revision", "storeIds"]);
    let old = admin.patch(&path(&ben), &json!({ "name": "Ben", "revision": 1 })).await.expect(409);
    assert_eq!(old["code"], "stale");
    let cashier = role(&app, "Cashier", json!({})).await;
    let at = format!("/api/roles/{cashier}");
    assert_eq!(admin.patch(&at, &json!({ "name": "Till" })).await.expect(200)["name"], "Till");
    let refused = admin.patch(&at, &json!({ "permissions": {} })).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "revision");
}

/// A role with the work of a store needs the stores, however the user is saved.
#[rstest]
#[tokio::test]
async fn a_role_of_a_store_needs_chosen_stores(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let counts = json!({ "stores": { "storeCount": { "view": true, "count": true } } });
    let (crew, makati) = (role(&app, "Crew", counts).await, store(&app, "MKT01").await);
    let looks = role(&app, "Looks", json!({ "stores": { "storeCount": { "view": true } } })).await;
    let roles = admin.get("/api/roles").await.expect(200);
    let needs = |id: &str| {
        let items = roles["items"].as_array().expect("items");
        items.iter().find(|item| item["id"] == id).expect("a role")["needsStores"].clone()
    };
    assert_eq!((needs(&crew), needs(&looks)), (json!(true), json!(false)));

    let words = json!([{ "field": "storeIds", "message": "Choose the stores." }]);
    let ben = |role: &str, stores: Value| json!({ "email": "ben@example.com", "name": "Ben", "roleId": role, "storeIds": stores, "password": "invite" });
    for stores in [json!(null), json!([])] {
        let refused = admin.post("/api/users", &ben(&crew, stores)).await.expect(422);
        assert_eq!(refused["fields"], words);
    }
    let made = user(&app, &ben(&looks, json!(null))).await;
    let at = path(&made);
    let refused = admin.patch(&at, &json!({ "revision": 1, "roleId": crew })).await.expect(422);
    assert_eq!(refused["fields"], words);
    let users = json!([{ "id": made["id"], "revision": 1 }]);
    let bulk = json!({ "users": users, "change": { "roleId": crew } });
    let bulk = admin.post("/api/users/bulk", &bulk).await.expect(200);
    assert_eq!(bulk["items"][0]["problem"]["fields"], words);
    let both = json!({ "revision": 1, "roleId": crew, "storeIds": [makati] });
    assert_eq!(admin.patch(&at, &both).await.expect(200)["storeIds"], json!([makati]));
    let none = admin.patch(&at, &json!({ "revision": 2, "storeIds": [] })).await.expect(422);
    assert_eq!(none["fields"], words);

    let file = "email,name,role,stores\nnew@example.com,New,Crew,all\nthis@example.com,This,Crew,MKT01\n";
    let request =
        admin.request(reqwest::Method::POST, "/api/users/import").header("content-type", "text/csv");
    let done = admin.send(request.body(file)).await.expect(200);
    assert_eq!((&done["created"], &done["failed"]), (&json!(1), &json!(1)));
    let column = json!([{ "field": "stores", "message": "Choose the stores." }]);
    assert_eq!(done["rows"][0]["fields"], column);

    // One saved before the role became a store's can still be renamed.
    let wide = json!({ "email": "wide@example.com", "name": "Wide", "roleId": looks, "storeIds": null, "password": "invite" });
    let wide = user(&app, &wide).await;
    let more = json!({ "revision": 1, "permissions": { "stores": { "storeCount": { "count": true } } } });
    admin.patch(&format!("/api/roles/{looks}"), &more).await.expect(200);
    let renamed = admin.patch(&path(&wide), &json!({ "revision": 1, "name": "Wider" })).await.expect(200);
    assert_eq!((&renamed["name"], &renamed["storeIds"]), (&json!("Wider"), &Value::Null));
}
