//! A manager of some stores only sees the users of those stores, in every view.

use std::collections::BTreeSet;

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{path, record_of, role, store};
use crate::support::{App, Client, Engine};

const MANAGES: &[(&str, &[Action])] = &[
    ("manageUsers/users", Action::ALL),
    ("manageUsers/applications", Action::ALL),
    ("stores/storeCount", &[Action::View]),
];

/// The values of a field in all items.
fn all(page: &Value, field: &str) -> BTreeSet<String> {
    let items = page["items"].as_array().expect("items").iter();
    items.filter_map(|item| item[field].as_str().map(str::to_owned)).collect()
}

struct Stage {
    app: App,
    admin: Client,
    boss: Client,
    /// The user records the manager sees, and those they do not.
    seen: Vec<Value>,
    hidden: Vec<Value>,
    far: String,
}

impl Stage {
    async fn build(on: Engine) -> Self {
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        let [near, far] = [store(&app, "NEAR").await, store(&app, "FAR").await];
        let counts: &[(&str, &[Action])] = &[("stores/storeCount", &[Action::View])];
        let boss = app.user(MANAGES, Some(std::slice::from_ref(&near))).await;
        let mut seen = vec![record_of(&app, &boss).await];
        for stores in [vec![near.clone()], vec![near.clone(), far.clone()], vec![]] {
            seen.push(record_of(&app, &app.user(counts, Some(&stores)).await).await);
        }
        seen.push(record_of(&app, &app.newcomer().await).await);
        let mut hidden = vec![record_of(&app, &admin).await];
        for stores in [Some(std::slice::from_ref(&far)), None] {
            hidden.push(record_of(&app, &app.user(counts, stores).await).await);
        }
        // A user without a role belongs to the store they were invited for.
        let invited =
            json!({ "email": "far@example.com", "name": "Fe Far", "storeIds": [far], "password": "invite" });
        hidden.push(admin.post("/api/users", &invited).await.expect(201));
        Self { app, admin, boss, seen, hidden, far }
    }

    fn fields(people: &[Value], field: &str) -> BTreeSet<String> {
        people.iter().filter_map(|person| person[field].as_str().map(str::to_owned)).collect()
    }
}

#[rstest]
#[tokio::test]
async fn lists_files_and_search_only_show_visible_users(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let Stage { app: _app, admin, boss, seen, hidden, .. } = Stage::build(on).await;
    let ids = Stage::fields(&seen, "id");
    let users = boss.get("/api/users?pageSize=all").await.expect(200);
    assert_eq!((all(&users, "id"), users["total"].as_u64()), (ids.clone(), Some(ids.len() as u64)));
    let everybody = admin.get("/api/users?pageSize=all").await.expect(200);
    assert!(all(&everybody, "id").is_superset(&Stage::fields(&hidden, "id")));

    let file = boss.get("/api/users/export").await.text();
    let found = boss.get("/api/search?q=example.com&limit=50").await.expect(200);
    for person in &seen {
        assert!(file.contains(person["email"].as_str().expect("an address")), "{file}");
        boss.get(&path(person)).await.expect(200);
        boss.get(&format!("{}/sessions", path(person))).await.expect(200);
    }
    assert_eq!(all(&found, "id"), ids);
    for person in &hidden {
        let address = person["email"].as_str().expect("an address");
        assert!(!file.contains(address), "{file}");
        assert_eq!(boss.get(&format!("/api/search?q={address}")).await.expect(200)["items"], json!([]));
        boss.get(&path(person)).await.expect(404);
        boss.get(&format!("{}/sessions", path(person))).await.expect(404);
        let change = json!({ "revision": person["revision"], "status": "Disabled" });
        let refused = boss.patch(&path(person), &change).await.expect(403);
        let words = refused["detail"].as_str().expect("words");
        assert!(!words.contains(person["name"].as_str().expect("a name")), "{words}");
        if let Some(role) = person["roleId"].as_str() {
            let of_role = boss.get(&format!("/api/roles/{role}/users")).await.expect(200);
            assert_eq!((&of_role["items"], &of_role["total"]), (&json!([]), &json!(0)));
        }
    }
}

#[rstest]
#[tokio::test]
async fn sessions_and_activity_only_show_visible_users(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let Stage { app: _app, admin, boss, seen, hidden, .. } = Stage::build(on).await;
    let (ids, uids) = (Stage::fields(&seen, "id"), Stage::fields(&seen, "uid"));
    let sessions = boss.get("/api/sessions?pageSize=all").await.expect(200);
    assert_eq!((all(&sessions, "uid"), sessions["total"].as_u64()), (uids.clone(), Some(uids.len() as u64)));
    assert!(all(&admin.get("/api/sessions?pageSize=all").await.expect(200), "uid").len() > uids.len());

    for person in [&seen[1], &hidden[1]] {
        let change = json!({ "revision": person["revision"], "billable": true });
        admin.patch(&path(person), &change).await.expect(200);
    }
    let changes = boss.get("/api/activity?kind=people&pageSize=all").await.expect(200);
    let of_users: Vec<&Value> =
        changes["items"].as_array().expect("items").iter().filter(|item| item["kind"] == "user").collect();
    assert!(of_users.iter().any(|item| item["recordId"] == seen[1]["id"] && item["action"] == "updated"));
    for item in &of_users {
        assert!(ids.contains(item["recordId"].as_str().expect("an id")), "{item}");
        let by = item["by"]["uid"].as_str().expect("an account");
        // The author of a change is named; its origin is only shown for visible users.
        assert_eq!(item["origin"] == "", !uids.contains(by), "{item}");
    }
    let events = boss.get("/api/activity?kind=signIn&pageSize=all").await.expect(200);
    for event in events["items"].as_array().expect("items") {
        assert!(uids.contains(event["by"]["uid"].as_str().expect("an account")), "{event}");
    }
    let history = boss.get("/api/history?kind=user&pageSize=200").await.expect(200);
    assert!(all(&history, "recordId").is_subset(&ids), "{history}");
    assert!(all(&history, "recordId").contains(seen[1]["id"].as_str().expect("an id")));
    let all_of_it = admin.get("/api/history?kind=user&pageSize=200").await.expect(200);
    assert!(all(&all_of_it, "recordId").contains(hidden[1]["id"].as_str().expect("an id")));
}

#[rstest]
#[tokio::test]
async fn applications_are_visible_until_approved_for_other_stores(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let Stage { app, admin, boss, far, .. } = Stage::build(on).await;
    for n in 0..2 {
        let form = json!({ "name": format!("Dina {n}"), "email": format!("dina{n}@example.com"),
            "position": "Cashier", "mobile": "0917 123 4567", "store": "Makati", "reason": "I count the till." });
        app.nobody().post("/api/apply", &form).await.expect(202);
    }
    let open = boss.get("/api/applications").await.expect(200);
    assert_eq!(open["total"], 2);
    let role = role(&app, "Counts", json!({ "stores": { "storeCount": { "view": true } } })).await;
    let one = &open["items"][0];
    let body = json!({ "revision": one["revision"], "roleId": role, "storeIds": [far] });
    let at = format!("/api/applications/{}/approve", one["id"].as_str().expect("an id"));
    admin.post(&at, &body).await.expect(200);
    assert_eq!(admin.get("/api/applications").await.expect(200)["total"], 2);
    let left = boss.get("/api/applications").await.expect(200);
    assert_eq!((left["total"].as_i64(), &left["items"][0]["id"]), (Some(1), &open["items"][1]["id"]));
    for reported in ["/api/history?kind=application&pageSize=200", "/api/activity?kind=people&pageSize=all"] {
        let reported = all(&boss.get(reported).await.expect(200), "recordId");
        assert!(!reported.contains(one["id"].as_str().expect("an id")), "{reported:?}");
        assert!(reported.contains(open["items"][1]["id"].as_str().expect("an id")), "{reported:?}");
    }
}
