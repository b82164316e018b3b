//! Changes reach the screens of users who may see them, and only those.

use std::time::Duration;

use futures::StreamExt as _;
use larder_domain::Action;
use larder_platform::jobs::NewJob;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, actor, one_engine};

struct Ear {
    body: std::pin::Pin<Box<dyn futures::Stream<Item = reqwest::Result<bytes::Bytes>> + Send>>,
    heard: String,
    /// Last event id, as remembered by a browser.
    last_id: Option<String>,
    /// Reconnection delay of a browser, in ms.
    retry: Option<u64>,
    /// Whether the server closed the stream.
    ended: bool,
}

async fn listen(client: &Client) -> Ear {
    listen_after(client, None).await
}

async fn listen_after(client: &Client, last: Option<&str>) -> Ear {
    let mut request = client.request(reqwest::Method::GET, "/api/live");
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), 200);
    let body = Box::pin(response.bytes_stream());
    Ear { body, heard: String::new(), last_id: None, retry: None, ended: false }
}

impl Ear {
    /// The next event, or `None` if the stream ends or is silent.
    async fn next(&mut self, within: Duration) -> Option<(String, Value)> {
        let deadline = tokio::time::Instant::now() + within;
        loop {
            if let Some(end) = self.heard.find("\n\n") {
                let event: String = self.heard.drain(..end + 2).collect();
                let line = |name: &str| {
                    event.lines().find_map(|l| l.strip_prefix(name)).map(|l| l.trim().to_owned())
                };
                self.last_id = line("id:").or(self.last_id.take());
                self.retry = line("retry:").and_then(|ms| ms.parse().ok()).or(self.retry);
                if let Some(data) = line("data:") {
                    let kind = line("event:").unwrap_or_else(|| "message".into());
                    return Some((kind, serde_json::from_str(&data).expect("JSON")));
                }
                continue;
            }
            let Some(chunk) = tokio::time::timeout_at(deadline, self.body.next()).await.ok()? else {
                self.ended = true;
                return None;
            };
            self.heard.push_str(&String::from_utf8_lossy(&chunk.ok()?));
        }
    }
}

/// Time limit for expected events on a busy machine; a passing test never waits for it.
const PATIENCE: Duration = Duration::from_secs(30);
const SILENCE: Duration = Duration::from_millis(400);

/// A store-limited user learns that users changed, so that lists are reloaded, but not which.
#[rstest]
#[tokio::test]
async fn user_changes_are_anonymous_for_store_limited_users(#[from(one_engine)] on: Engine) {
    let app = App::start(on).await;
    let admin = app.admin().await;
    let rights: &[(&str, &[Action])] = &[("manageUsers/users", &[Action::View])];
    let (some, every) = (app.user(rights, Some(&["far".to_owned()])).await, app.user(rights, None).await);
    let (mut limited, mut whole) = (listen(&some).await, listen(&every).await);
    let invited =
        |n: i32| json!({ "email": format!("ben{n}@example.com"), "name": "Ben", "password": "invite" });
    for n in 0..3 {
        admin.post("/api/users", &invited(n)).await.expect(201);
    }
    let named = async |ear: &mut Ear| loop {
        // The first changes may arrive as «fetch everything again», while the node starts listening.
        let (_, event) = ear.next(PATIENCE).await.expect("an event");
        if event["kind"] == "user" {
            return event["id"] != "" || event["by"] != "";
        }
    };
    assert!(named(&mut whole).await);
    assert!(!named(&mut limited).await);
}

#[rstest]
#[tokio::test]
async fn a_change_is_sent_to_users_who_may_see_it(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let admin = app.admin().await;
    let viewer = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let stranger = app.user(&[("stores/storeList", &[Action::View])], None).await;
    let (mut seen, mut unseen) = (listen(&viewer).await, listen(&stranger).await);
    // The first change may arrive as «fetch everything again», while the node starts listening.
    admin.post("/api/lists/uoms", &json!({ "name": "Gram", "code": "g" })).await.expect(201);
    seen.next(PATIENCE).await.expect("an event");
    let made = admin.post("/api/lists/uoms", &json!({ "name": "Kilogram", "code": "kg" })).await.expect(201);
    let event = loop {
        let (_, event) = seen.next(PATIENCE).await.expect("an event");
        if event["id"] == made["id"] {
            break event;
        }
    };
    assert_eq!(
        (&event["kind"], &event["id"], &event["action"]),
        (&json!("uom"), &made["id"], &json!("created"))
    );
    while let Some((_, event)) = unseen.next(SILENCE).await {
        assert_eq!(event, json!({ "kind": "*" }), "received without permission");
    }
}

/// Both may see the record by permission, but it belongs to a store only one of them can access.
#[rstest]
#[tokio::test]
async fn a_change_in_another_store_is_not_sent(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let admin = app.admin().await;
    let (own, other) = (crate::users::store(&app, "OWN").await, crate::users::store(&app, "OTHER").await);
    let rights: &[(&str, &[Action])] =
        &[("lists/allLists", &[Action::View]), ("lists/storeInventoryItems", &[Action::View])];
    let near = app.user(rights, Some(std::slice::from_ref(&own))).await;
    let mut heard = listen(&near).await;
    let root = admin.post("/api/lists/root-items", &json!({ "name": "Chicken" })).await.expect(201);
    let add = async |store: &str| {
        let body = json!({ "storeId": store, "rootItemId": root["id"] });
        admin.post("/api/lists/store-root-items", &body).await.expect(201)["id"].clone()
    };
    let (far, near) = (add(&other).await, add(&own).await);
    let (_, event) = until(&mut heard, |_, event| event["kind"] == "storeRootItem").await;
    assert_eq!(event["id"], near, "their own change comes first");
    assert_ne!(far, near);
}

#[rstest]
#[tokio::test]
async fn signing_out_closes_the_stream(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let person = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let mut ear = listen(&person).await;
    assert_eq!(person.post("/api/session/sign-out", &json!({})).await.status, 204);
    assert!(ear.next(PATIENCE).await.is_none());
    assert!(ear.ended, "the stream stayed open");
}

#[tokio::test]
async fn a_user_has_a_limited_number_of_streams() {
    let app = App::start_with(Engine::Sqlite, |config| config.streams_per_person = 2).await;
    let person = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let (one, _two) = (listen(&person).await, listen(&person).await);
    let refusal = person.get("/api/live").await.expect(429);
    assert_eq!(refusal["code"], "tooManyStreams");
    let _others = listen(&app.admin().await).await;
    drop(one);
    let again = async {
        loop {
            let asked = person.request(reqwest::Method::GET, "/api/live").send().await.expect("an answer");
            if asked.status() == 200 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), again).await.expect("a stream that was closed makes room");
}

/// Reads events until one matches.
async fn until(ear: &mut Ear, wanted: impl Fn(&str, &Value) -> bool) -> (String, Value) {
    loop {
        let (kind, event) = ear.next(PATIENCE).await.expect("an event");
        if wanted(&kind, &event) {
            return (kind, event);
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_reconnecting_client_gets_missed_events(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let admin = app.admin().await;
    let viewer = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let mut ear = listen(&viewer).await;
    let make = async |code: &str| {
        admin.post("/api/lists/uoms", &json!({ "name": code, "code": code })).await.expect(201)["id"].clone()
    };
    let first = make("a").await;
    until(&mut ear, |_, event| event["id"] == first).await;
    let last = ear.last_id.clone().expect("an id");
    assert!(ear.retry.is_some_and(|ms| (1_000..5_000).contains(&ms)), "{:?}", ear.retry);
    drop(ear);
    let missed = [make("b").await, make("c").await];
    let mut back = listen_after(&viewer, Some(&last)).await;
    for id in &missed {
        let (_, event) = back.next(PATIENCE).await.expect("what was missed");
        assert_eq!(&event["id"], id);
    }
    let new = make("d").await;
    assert_eq!(back.next(PATIENCE).await.expect("what is new").1["id"], new);
    // An unknown id: fetch everything again.
    for forgotten in ["1000000", "0", "-5", "x"] {
        let mut lost = listen_after(&viewer, Some(forgotten)).await;
        assert_eq!(lost.next(PATIENCE).await.expect("an event").1, json!({ "kind": "*" }), "{forgotten}");
    }
    // Missed events are only sent to users who may see them.
    let stranger = app.user(&[("reports/reports", &[Action::View])], None).await;
    let mut unseen = listen_after(&stranger, Some(&last)).await;
    while let Some((kind, event)) = unseen.next(SILENCE).await {
        assert!(kind == "rights", "{kind} {event}");
    }
}

#[rstest]
#[tokio::test]
async fn user_changes_are_sent_to_user_managers(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let manager = app.user(&[("manageUsers/users", &[Action::View])], None).await;
    let approver = app.user(&[("manageUsers/applications", &[Action::View])], None).await;
    let viewer = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let (mut managing, mut approving, mut viewing) =
        (listen(&manager).await, listen(&approver).await, listen(&viewer).await);
    let body = json!({ "email": "ben@example.com", "name": "Ben", "password": "temporary" });
    let made = app.admin().await.post("/api/users", &body).await.expect(201);
    until(&mut managing, |_, event| event["kind"] == "user" && event["id"] == made["id"]).await;
    // Again when the temporary password is created.
    until(&mut managing, |_, event| event["kind"] == "user" && event["id"] == made["id"]).await;
    let asked = json!({ "name": "Dina", "email": "dina@example.com", "mobile": "09171234567", "position": "Cook",
                        "store": "", "reason": "Recipes" });
    app.nobody().post("/api/apply", &asked).await.expect(202);
    until(&mut approving, |_, event| event["kind"] == "application").await;
    while let Some((_, event)) = viewing.next(SILENCE).await {
        assert!(
            !["user", "role", "application", "session"].contains(&event["kind"].as_str().unwrap_or_default()),
            "{event}"
        );
    }
}

#[rstest]
#[tokio::test]
async fn a_role_change_is_sent_to_its_users(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let admin = app.admin().await;
    let person = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let other = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let (mut ear, mut others) = (listen(&person).await, listen(&other).await);
    let record = crate::users::record_of(&app, &person).await;
    let role = format!("/api/roles/{}", record["roleId"].as_str().expect("a role"));
    admin.patch(&role, &json!({ "revision": 1, "permissions": {} })).await.expect(200);
    until(&mut ear, |kind, _| kind == "rights").await;
    admin.post("/api/lists/uoms", &json!({ "name": "Gram", "code": "g" })).await.expect(201);
    while let Some((_, event)) = ear.next(SILENCE).await {
        assert_ne!(event["kind"], "uom", "received without permission");
    }
    let (kind, event) = others.next(PATIENCE).await.expect("an event");
    assert_eq!((kind.as_str(), &event["kind"]), ("message", &json!("uom")), "permissions unchanged");
}

/// Ways of ending a user's access.
#[derive(Debug, Clone, Copy)]
enum Out {
    Disabled,
    SignedOutEverywhere,
    SessionEnded,
}

#[rstest]
#[tokio::test]
async fn a_stream_ends_with_the_users_access(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
    #[values(Out::Disabled, Out::SignedOutEverywhere, Out::SessionEnded)] how: Out,
) {
    let app = App::start(on).await;
    let admin = app.admin().await;
    let person = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let record = crate::users::record_of(&app, &person).await;
    let user = crate::users::path(&record);
    let mut ears = vec![listen(&person).await];
    if on == Engine::Postgres {
        // A separate node that only learns of it through the database.
        let (_state, url) = app.other_machine().await;
        let mut there = person.clone();
        there.url = url;
        ears.push(listen(&there).await);
    }
    let status = match how {
        Out::Disabled => admin.patch(&user, &json!({ "revision": 1, "status": "Disabled" })).await.status,
        Out::SignedOutEverywhere => admin.post(&format!("{user}/sign-out"), &json!({})).await.status,
        Out::SessionEnded => {
            let sessions = admin.get(&format!("{user}/sessions")).await.expect(200);
            let id = sessions["items"][0]["id"].as_str().expect("an id").to_owned();
            admin.delete(&format!("{user}/sessions/{id}")).await.status
        }
    };
    assert!(matches!(status, 200 | 204), "{status}");
    for ear in &mut ears {
        while ear.next(PATIENCE).await.is_some() {}
        assert!(ear.ended, "the stream stayed open");
    }
}

/// Changes of a list without events would only show after a reload.
#[test]
fn changes_of_every_list_are_sent() {
    for def in larder_lists::catalog::ALL {
        assert_eq!(larder_app::entity_types::all().heard_with(def.kind), Some(def.page), "{}", def.kind);
    }
}

/// Queues a job no server can run, as the given user.
async fn begin_in_vain(app: &App, who: &Client) -> String {
    let mut by = actor(app.state.now());
    by.uid.clone_from(&who.uid);
    let (id, state) = (app.state.new_id(), &app.state);
    let id = &id;
    let queued = app.db.write(&by, async |tx| {
        let new = NewJob { kind: "unheard-of", unique_key: None, args: json!({ "to": 3 }) };
        state.jobs.enqueue(tx, id.clone(), new).await
    });
    queued.await.expect("queued")
}

/// Ids of the jobs reported as failed, until the stream is silent.
async fn failures(ear: &mut Ear) -> Vec<Value> {
    let mut ids = Vec::new();
    while let Some((_, event)) = ear.next(SILENCE).await {
        if event["kind"] == "jobFailed" {
            ids.push(event["id"].clone());
        }
    }
    ids
}

#[rstest]
#[tokio::test]
async fn a_failed_job_is_sent_to_users_who_may_see_it(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let rights: &[(&str, &[Action])] = &[("tools/services", &[Action::View])];
    let (owner, other, admin) =
        (app.user(rights, None).await, app.user(rights, None).await, app.admin().await);
    let rung = async |who: &Client| {
        let reply = who.get("/api/notifications").await.expect(200);
        let ids = reply["items"].as_array().expect("items").iter().map(|one| one["id"].clone());
        ids.collect::<Vec<_>>()
    };
    let mut ears = [listen(&owner).await, listen(&other).await, listen(&admin).await];
    let first = json!(begin_in_vain(&app, &owner).await);
    assert_eq!(rung(&owner).await, [] as [Value; 0]);
    app.drain().await;
    let (_, event) = until(&mut ears[0], |_, event| event["kind"] == "jobFailed").await;
    assert_eq!(event["id"], first);
    until(&mut ears[2], |_, event| event["kind"] == "jobFailed").await;
    assert_eq!(rung(&owner).await, vec![first.clone()]);
    assert_eq!((rung(&other).await, rung(&admin).await), (vec![], vec![first.clone()]));
    for (ear, whose) in ears.iter_mut().zip(["owner", "other", "admin"]) {
        assert_eq!(failures(ear).await, [] as [Value; 0], "sent once, to those two: {whose}");
    }

    // The same job is started again by another user: the failure disappears, and returns when it fails again.
    let second = json!(begin_in_vain(&app, &other).await);
    let (_, event) = until(&mut ears[0], |_, event| event["kind"] == "jobFailed").await;
    assert_eq!(event["id"], first);
    assert_eq!((rung(&owner).await, rung(&admin).await), (vec![], vec![]));
    app.drain().await;
    let (_, event) = until(&mut ears[1], |_, event| event["kind"] == "jobFailed").await;
    assert_eq!(event["id"], second);
    assert_eq!((rung(&owner).await, rung(&other).await), (vec![], vec![second]));
}
