//! Access requests and their outcomes.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, one_engine};
use crate::users::{events, invited, path, role, store, user};

fn asking(email: &str) -> Value {
    json!({ "name": "Dina Lim", "email": email, "mobile": "0917 123 4567", "position": "Cashier",
            "store": "Makati", "reason": "I count the till." })
}

async fn pending(admin: &Client) -> Vec<Value> {
    let page = admin.get("/api/applications?state=pending&sort=createdAt").await.expect(200);
    page["items"].as_array().expect("items").clone()
}

#[rstest]
#[tokio::test]
async fn the_response_never_reveals_known_addresses(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    user(&app, &invited("ben@example.com")).await;
    let nobody = app.nobody();
    let received = json!({ "message": "Your request was received." });
    for email in [
        "new@example.com",
        "ben@example.com",
        "NEW@example.com",
        "x@example.com",
        "y@example.com",
        "z@example.com",
    ] {
        assert_eq!(nobody.post("/api/apply", &asking(email)).await.expect(202), received);
    }
    let open = pending(&admin).await;
    let emails: Vec<&Value> = open.iter().map(|application| &application["email"]).collect();
    // The third was a repeat of the first; the sixth exceeded the rate limit.
    assert_eq!(
        json!(emails),
        json!(["NEW@example.com", "ben@example.com", "x@example.com", "y@example.com"])
    );
    assert_eq!(open[0]["revision"], 2);
    app.clock.advance(3_601);
    nobody.post("/api/apply", &asking("z@example.com")).await.expect(202);
    assert_eq!(pending(&app.admin().await).await.len(), 5);
}

#[rstest]
#[tokio::test]
async fn invalid_fields_are_reported(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let nobody = app.nobody();
    let problem = nobody.post("/api/apply", &json!({ "email": "x", "mobile": "call me" })).await.expect(422);
    let fields: Vec<_> =
        problem["fields"].as_array().expect("fields").iter().map(|f| f["field"].clone()).collect();
    assert_eq!(json!(fields), json!(["name", "position", "reason", "email", "mobile"]));
    let mut long = asking("a@example.com");
    long["reason"] = json!("x".repeat(2_001));
    assert_eq!(nobody.post("/api/apply", &long).await.status, 422);
}

#[rstest]
#[tokio::test]
async fn approval_creates_a_user_and_emails_a_link(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let (admin, makati) = (app.admin().await, store(&app, "MKT01").await);
    let cashier = role(&app, "Cashier", json!({ "sales": { "zReading": { "view": true } } })).await;
    app.nobody().post("/api/apply", &asking("dina@example.com")).await.expect(202);
    let application = pending(&admin).await.remove(0);
    let approve = format!("/api/applications/{}/approve", application["id"].as_str().expect("an id"));
    let body = json!({ "roleId": cashier, "storeIds": [makati], "revision": 1 });
    let narrow = app.user(&[("manageUsers/applications", &[Action::View, Action::Approve])], None).await;
    let refused = narrow.post(&approve, &body).await.expect(403);
    assert_eq!(
        (&refused["code"], &refused["rights"]),
        (&json!("grantRefused"), &json!(["sales/zReading:view"]))
    );
    assert_eq!(events(&app, "grantRefused").await.len(), 1);
    assert_eq!(
        admin.post(&approve, &json!({ "revision": 1 })).await.expect(422)["fields"][0]["field"],
        "roleId"
    );
    let done = admin.post(&approve, &body).await.expect(200);
    assert_eq!((&done["state"], &done["decidedBy"]["uid"]), (&json!("approved"), &json!(admin.uid)));
    let made =
        admin.get(&format!("/api/users/{}", done["userId"].as_str().expect("an id"))).await.expect(200);
    assert_eq!((&made["roleId"], &made["storeIds"]), (&json!(cashier), &json!([makati])));
    app.drain().await;
    let mail = emails(&app).remove(0);
    assert!(
        mail.contains("Your request for access to Larder was approved") && mail.contains("oobCode="),
        "{mail}"
    );
    assert_eq!(admin.post(&approve, &body).await.expect(409)["code"], "stale", "both decisions succeeded");
}

#[rstest]
#[tokio::test]
async fn approval_links_an_existing_user(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let cashier = role(&app, "Cashier", json!({})).await;
    let known = user(&app, &invited("dina@example.com")).await;
    app.nobody().post("/api/apply", &asking("Dina@Example.com")).await.expect(202);
    let application = pending(&admin).await.remove(0);
    let approve = format!("/api/applications/{}/approve", application["id"].as_str().expect("an id"));
    let body = json!({ "roleId": cashier, "storeIds": null, "revision": 1 });
    assert_eq!(admin.post(&approve, &body).await.expect(200)["userId"], known["id"]);
    assert_eq!(admin.get(&path(&known)).await.expect(200)["roleId"], json!(cashier));
}

#[rstest]
#[tokio::test]
async fn of_two_concurrent_decisions_one_succeeds(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let (one, two) = (app.admin().await, app.admin().await);
    let cashier = role(&app, "Cashier", json!({ "sales": { "zReading": { "view": true } } })).await;
    app.nobody().post("/api/apply", &asking("dina@example.com")).await.expect(202);
    let application = pending(&one).await.remove(0);
    let at = format!("/api/applications/{}", application["id"].as_str().expect("an id"));
    let (yes, no) = (json!({ "roleId": cashier, "revision": 1 }), json!({ "note": "No.", "revision": 1 }));
    let (approve, reject) = (format!("{at}/approve"), format!("{at}/reject"));
    let (a, b) = tokio::join!(one.post(&approve, &yes), two.post(&reject, &no));
    let mut answers = [a.status, b.status];
    answers.sort_unstable();
    assert_eq!(answers, [200, 409]);
    let users: i64 = app
        .db
        .sql("select cast(count(*) as bigint) from app_users where email_key = 'dina@example.com'")
        .scalar()
        .await
        .expect("a count");
    assert_eq!(users, i64::from(a.status == 200));
    // A later request of that address is a new application.
    app.clock.advance(3_601);
    app.nobody().post("/api/apply", &asking("dina@example.com")).await.expect(202);
    assert_eq!(pending(&app.admin().await).await.len(), 1);
}

#[rstest]
#[tokio::test]
async fn rejection_emails_the_reason(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    app.nobody().post("/api/apply", &asking("dina@example.com")).await.expect(202);
    let application = pending(&admin).await.remove(0);
    let reject = format!("/api/applications/{}/reject", application["id"].as_str().expect("an id"));
    let done = admin.post(&reject, &json!({ "note": "Ask Ana first.", "revision": 1 })).await.expect(200);
    assert_eq!(
        (&done["state"], &done["note"], &done["userId"]),
        (&json!("rejected"), &json!("Ask Ana first."), &json!(null))
    );
    app.drain().await;
    assert!(emails(&app)[0].contains("The reason given: Ask Ana first."));
    // A later request is a new application.
    app.nobody().post("/api/apply", &asking("dina@example.com")).await.expect(202);
    assert_eq!(pending(&admin).await.len(), 1);
}

fn emails(app: &App) -> Vec<String> {
    std::fs::read_dir(app.state.config.data_dir.join("outbox"))
        .expect("an outbox")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .map(|path| std::fs::read_to_string(path).expect("text"))
        .collect()
}
