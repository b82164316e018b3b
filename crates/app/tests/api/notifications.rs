//! Notifications: open tasks, read marks, settings, and the daily digest.

use larder_domain::Action;
use larder_pages_home::notifications::send_due;
use larder_platform::config::Secret;
use rstest::rstest;
use serde_json::{Value, json};

use crate::documents::{ORDERS, Site, made};
use crate::mail::Server;
use crate::sales::{Reading, put_reading, z_reading};
use crate::support::{App, Client, Engine, one_engine};

const BELL: &str = "/api/notifications";
const APPROVES: &[(&str, &[Action])] = &[("stores/storeOrders", &[Action::View, Action::Approve])];
const COUNTS: &[(&str, &[Action])] = &[("stores/storeCount", &[Action::View])];

async fn bell(client: &Client) -> Value {
    client.get(BELL).await.expect(200)
}

fn unread(bell: &Value) -> Vec<&str> {
    let items = bell["items"].as_array().expect("items");
    items
        .iter()
        .filter(|one| one["read"] == false)
        .map(|one| one["title"].as_str().expect("a title"))
        .collect()
}

async fn submitted(site: &Site, days: i32) -> Value {
    let mut body = site.order(json!([{ "productId": site.buns, "uomId": site.case, "qty": 1 }]));
    body["neededDate"] = json!(site.soon().plus(days));
    let order = site.admin.post(ORDERS, &body).await.expect(201);
    site.step(ORDERS, &order, "submit", json!({})).await.expect(200)
}

#[rstest]
#[tokio::test]
async fn a_task_is_notified_until_it_is_done(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let far = made(&site.admin, "/api/stores/locations", json!({ "name": "Makati", "code": "MKT" })).await;
    let boss = site.app.user(APPROVES, Some(std::slice::from_ref(&site.store))).await;
    let away = site.app.user(APPROVES, Some(&[far])).await;
    let (first, second) = (submitted(&site, 0).await, submitted(&site, 1).await);
    let reply = bell(&boss).await;
    assert_eq!(
        (reply["unread"].as_i64(), reply["items"][0]["kind"].as_str()),
        (Some(2), Some("ordersToApprove"))
    );
    assert_eq!(bell(&away).await["items"], json!([]));

    // First one is read, then all.
    let id = first["id"].clone();
    boss.post(&format!("{BELL}/read"), &json!({ "items": [{ "kind": "ordersToApprove", "id": id }] }))
        .await
        .expect(204);
    let reply = bell(&boss).await;
    let number = second["orderNo"].as_str().expect("a number");
    assert_eq!(unread(&reply), [format!("{number} · Cubao")]);
    boss.post(&format!("{BELL}/read"), &json!({ "allUntil": reply["at"] })).await.expect(204);
    let reply = bell(&boss).await;
    assert_eq!((&reply["unread"], reply["items"].as_array().map(Vec::len)), (&json!(0), Some(2)));

    // A resubmitted order is unread again; an approved one is gone.
    site.app.clock.advance(60);
    let rejected = json!({ "reason": "Too many" });
    let first = site.step(ORDERS, &first, "reject", rejected).await.expect(200);
    let first = site.step(ORDERS, &first, "reopen", json!({})).await.expect(200);
    site.step(ORDERS, &first, "submit", json!({})).await.expect(200);
    assert_eq!(bell(&boss).await["unread"], json!(1));
    site.step(ORDERS, &second, "approve", json!({})).await.expect(200);
    assert!(!bell(&boss).await.to_string().contains(number));
}

#[rstest]
#[tokio::test]
async fn a_reading_to_verify_rings_when_it_is_late(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let verifies = site.app.user(&[("sales/zReading", &[Action::View, Action::Approve])], None).await;
    z_reading::make(&site.admin, &z_reading::typed(&site.app, &site.store, 1, 2)).await;
    let unread_picture = Reading { state: "captured".into(), terminal: "T2".into(), ..Reading::of(100) };
    put_reading(&site.app, &site.store, z_reading::day(&site.app, 2), &unread_picture).await;
    // What other days lack rings at once, together.
    let reply = bell(&verifies).await;
    let kinds: Vec<&Value> =
        reply["items"].as_array().expect("items").iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["readingsMissing"], "two days are given");
    site.app.clock.advance(24 * 3_600);
    let verifies = site.app.user(&[("sales/zReading", &[Action::View, Action::Approve])], None).await;
    let reply = bell(&verifies).await;
    let items = reply["items"].as_array().expect("items").iter();
    let late = items.filter(|item| item["kind"] == "readingsToVerify");
    let mut titles: Vec<&str> = late.filter_map(|item| item["title"].as_str()).collect();
    titles.sort_unstable();
    assert_eq!(titles, ["Cubao, till T1", "Cubao, till T2"]);
}

#[rstest]
#[tokio::test]
async fn users_choose_their_notifications(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let site = Site::start(on).await;
    let boss = site.app.user(APPROVES, None).await;
    submitted(&site, 0).await;
    let path = format!("{BELL}/settings");
    let settings = boss.get(&path).await.expect(200);
    let names: Vec<&Value> =
        settings["kinds"].as_array().expect("kinds").iter().map(|kind| &kind["name"]).collect();
    assert_eq!(json!(names), json!(["ordersToApprove", "failedWork"]), "only visible task types");
    assert_eq!(
        (&settings["digest"], &settings["digestHour"]),
        (&json!(false), &json!(7)),
        "no digest by default"
    );
    let changed = boss.patch(&path, &json!({ "muted": ["ordersToApprove"] })).await.expect(200);
    assert_eq!(changed["kinds"][0]["on"], json!(false));
    assert_eq!(bell(&boss).await["items"], json!([]));
    let other = site.app.user(APPROVES, None).await;
    assert_eq!(bell(&other).await["unread"], json!(1));
    let changed =
        boss.patch(&path, &json!({ "muted": [], "digest": true, "digestHour": 23 })).await.expect(200);
    assert_eq!((&changed["digest"], &changed["digestHour"]), (&json!(true), &json!(23)));
    assert_eq!(bell(&boss).await["unread"], json!(1));
    for (field, body) in [
        ("digestHour", json!({ "digestHour": 24 })),
        ("digestHour", json!({ "digestHour": -1 })),
        ("muted", json!({ "muted": ["weather"] })),
    ] {
        let refused = boss.patch(&path, &body).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], json!(field));
    }
    let refused = boss.post(&format!("{BELL}/read"), &json!({ "items": [{ "kind": "x", "id": "1" }] })).await;
    assert_eq!(refused.expect(422)["fields"][0]["field"], json!("items.0.kind"));
    site.app.newcomer().await.get(BELL).await.expect(403);
    site.app.nobody().get(BELL).await.expect(401);
}

#[rstest]
#[tokio::test]
async fn the_digest_is_sent_once_and_covers_accessible_stores(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let server = Server::start("plain");
    let url = format!("smtp://127.0.0.1:{}", server.port);
    let app = App::start_idle_with(on, |config| {
        config.smtp_url = Some(Secret(url));
        config.mail_from = Some("Larder <larder@example.com>".into());
        config.public_url = Some("https://larder.example".into());
    })
    .await;
    app.clock.advance_to_hour(9);
    let admin = app.admin().await;
    let mut stores = Vec::new();
    for name in ["Cubao", "Ortigas", "Makati"] {
        stores.push(made(&admin, "/api/stores/locations", json!({ "name": name, "code": name })).await);
    }
    let unit = made(&admin, "/api/lists/uoms", json!({ "name": "Piece", "code": "pc" })).await;
    made(&admin, "/api/lists/store-inventory-items", json!({ "name": "Buns", "uomId": unit })).await;
    let theirs = app.user(COUNTS, Some(&stores[..2])).await;
    let idle = app.user(APPROVES, None).await;
    let quiet = app.user(COUNTS, None).await;
    let path = format!("{BELL}/settings");
    for client in [&theirs, &idle] {
        client.patch(&path, &json!({ "digest": true, "digestHour": 10 })).await.expect(200);
    }
    quiet.get(&path).await.expect(200);
    assert_eq!(send_due(&app.state).await.expect("looked"), 0, "not yet ten");

    app.clock.advance_to_hour(10);
    let (second, _) = app.other_machine().await;
    let (one, two) = tokio::join!(send_due(&app.state), send_due(&second));
    assert_eq!(one.expect("looked") + two.expect("looked"), 1, "one of two nodes sends the digest");
    app.drain().await;
    let mail = server.email_received().await;
    let text = mail.to_string();
    let email = theirs.get("/api/me").await.expect(200)["user"]["email"].clone();
    assert_eq!(mail["to"], json!([email]));
    assert!(text.contains("Counts missing: 4") && text.contains("Cubao, Ortigas"), "{text}");
    assert!(!text.contains("Makati"), "{text}");
    assert!(text.contains("https://larder.example/dashboard/main"), "{text}");
    let list = "https://larder.example/dashboard/main/waiting?of=countsMissing";
    assert!(mail["text"].as_str().expect("words").lines().any(|line| line == list), "{text}");

    assert_eq!(send_due(&app.state).await.expect("looked"), 0, "once a day");
    app.clock.advance_to_hour(9);
    assert_eq!(send_due(&app.state).await.expect("looked"), 0, "not before its hour");
    app.clock.advance_to_hour(11);
    assert_eq!(
        send_due(&app.state).await.expect("looked"),
        1,
        "and again the next day, late rather than never"
    );
}

#[rstest]
#[tokio::test]
async fn a_disabled_user_gets_no_digest(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    app.clock.advance_to_hour(9);
    let admin = app.admin().await;
    made(&admin, "/api/stores/locations", json!({ "name": "Cubao", "code": "C" })).await;
    let unit = made(&admin, "/api/lists/uoms", json!({ "name": "Piece", "code": "pc" })).await;
    made(&admin, "/api/lists/store-inventory-items", json!({ "name": "Buns", "uomId": unit })).await;
    let theirs = app.user(COUNTS, None).await;
    theirs.patch(&format!("{BELL}/settings"), &json!({ "digest": true, "digestHour": 10 })).await.expect(200);
    // An hour that has passed today applies from tomorrow.
    let late = app.user(COUNTS, None).await;
    late.patch(&format!("{BELL}/settings"), &json!({ "digest": true, "digestHour": 8 })).await.expect(200);
    let actor = crate::support::actor(app.state.now());
    let uid = theirs.uid.as_str();
    let done = app.db.write(&actor, async |tx| {
        tx.sql("update app_users set status = 'Disabled' where uid = $1").bind(uid).execute().await
    });
    assert_eq!(done.await.expect("written"), 1);
    app.clock.advance_to_hour(10);
    assert_eq!(send_due(&app.state).await.expect("looked"), 0);
}
