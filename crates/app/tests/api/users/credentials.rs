//! Temporary passwords, reset links, sessions, invitations.

use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use super::{events, invited, path, record_of, user};
use crate::support::{App, Client, Engine, one_engine};

async fn sign_in(app: &App, email: &str, password: &str) -> (u16, Value) {
    let body = json!({ "email": email, "password": password, "returnSecureToken": true });
    let answer = app.nobody().post("/v1/accounts:signInWithPassword", &body).await;
    (answer.status, answer.json())
}

#[rstest]
#[tokio::test]
async fn a_temporary_password_is_shown_until_its_first_use(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body = json!({ "email": "ben@example.com", "name": "Ben Reyes", "password": "temporary" });
    let made = admin.post("/api/users", &body).await.expect(201);
    assert_eq!(made["hasTempPassword"], false, "a job creates it");
    app.drain().await;
    let shown = admin.get(&path(&made)).await.expect(200);
    let password = shown["tempPassword"].as_str().expect("a password").to_owned();
    assert_eq!((password.len(), &shown["hasTempPassword"]), (14, &json!(true)));
    // Nowhere else: not in lists, not for viewers, not in the history, not in jobs.
    let viewer = app.user(&[("manageUsers/users", &[Action::View])], None).await;
    for (client, place) in [
        (&admin, "/api/users"),
        (&admin, "/api/users/export"),
        (&viewer, path(&made).as_str()),
        (&admin, "/api/activity?kind=people"),
        (&admin, "/api/activity?kind=signIn"),
    ] {
        let answer = client.get(place).await;
        let (status, text) = (answer.status, answer.text());
        assert_eq!(status, 200, "{place}: {text}");
        assert!(!text.contains(&password) && !text.contains("tempPassword"), "{place}: {text}");
    }
    let jobs: Vec<(String,)> = app
        .db
        .sql("select cast(args as text) || coalesce(cast(result as text), '') from jobs")
        .all()
        .await
        .expect("text");
    assert!(!jobs.is_empty() && jobs.iter().all(|(text,)| !text.contains(&password)), "{jobs:?}");
    let (status, answer) = sign_in(&app, "ben@example.com", &password).await;
    assert_eq!(status, 200, "{answer}");
    let after = admin.get(&path(&made)).await.expect(200);
    assert_eq!((after.get("tempPassword"), &after["hasTempPassword"]), (None, &json!(false)));
    let kept: Option<String> = app
        .db
        .sql("select temp_password from app_users where email_key = 'ben@example.com'")
        .scalar()
        .await
        .expect("a row");
    assert_eq!(kept, None);
}

#[rstest]
#[tokio::test]
async fn a_temporary_password_is_shown_for_a_day(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = user(&app, &invited("ben@example.com")).await;
    for _ in 0..2 {
        let asked = admin.post(&format!("{}/temporary-password", path(&made)), &json!({})).await;
        assert_eq!(asked.status, 202, "a repeated request creates one");
    }
    app.drain().await;
    assert!(admin.get(&path(&made)).await.expect(200)["tempPassword"].is_string());
    app.clock.advance(24 * 3600 + 1);
    let later = app.admin().await.get(&path(&made)).await.expect(200);
    assert_eq!((later.get("tempPassword"), &later["hasTempPassword"]), (None, &json!(false)));
    larder_pages_people::users::tidy(app.state.clone(), {
        let stop = tokio_util::sync::CancellationToken::new();
        stop.cancel();
        stop
    })
    .await;
    let kept: i64 = app
        .db
        .sql("select cast(count(*) as bigint) from app_users where temp_password is not null")
        .scalar()
        .await
        .expect("a count");
    assert_eq!(kept, 0);
}

#[rstest]
#[tokio::test]
async fn a_reset_link_sets_a_password_once(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = user(&app, &invited("ben@example.com")).await;
    app.drain().await;
    let ask = async |mail: bool| {
        let made =
            admin.post(&format!("{}/reset-link", path(&made)), &json!({ "mail": mail })).await.expect(200);
        made["link"].as_str().expect("a link").to_owned()
    };
    let (old, link) = (ask(false).await, ask(true).await);
    app.drain().await;
    let outbox: Vec<String> = std::fs::read_dir(app.state.config.data_dir.join("outbox"))
        .expect("an outbox")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .map(|path| std::fs::read_to_string(path).expect("text"))
        .collect();
    assert_eq!(outbox.len(), 2, "an invitation and one reset");
    assert!(outbox.iter().any(|text| text.contains(&link)) && !outbox.iter().any(|text| text.contains(&old)));
    assert!(outbox.iter().any(|text| text.contains("Ana Cruz made an account for you")), "{outbox:?}");
    let redeem = async |link: &str| {
        let code = link.split("oobCode=").nth(1).expect("a code").to_owned();
        let body = json!({ "oobCode": code, "newPassword": "plovers wade at the mudflat" });
        app.nobody().post("/v1/accounts:resetPassword", &body).await.status
    };
    assert_eq!((redeem(&old).await, redeem(&link).await, redeem(&link).await), (400, 200, 400));
    assert_eq!(sign_in(&app, "ben@example.com", "plovers wade at the mudflat").await.0, 200);
    assert!(!admin.get("/api/activity?kind=signIn").await.text().contains("oobCode"));
}

#[rstest]
#[tokio::test]
async fn a_user_is_signed_out_everywhere_or_of_one_session(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let person = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let record = record_of(&app, &person).await;
    let sessions = admin.get(&format!("{}/sessions", path(&record))).await.expect(200);
    assert_eq!((&sessions["total"], &sessions["items"][0]["current"]), (&json!(1), &json!(false)));
    let id = sessions["items"][0]["id"].as_str().expect("an id");
    let all = admin
        .get(&format!("/api/sessions?q={}", record["email"].as_str().expect("an address")))
        .await
        .expect(200);
    assert_eq!((&all["total"], &all["items"][0]["id"]), (&json!(1), &json!(id)));
    assert_eq!(admin.delete(&format!("{}/sessions/{id}", path(&record))).await.status, 204);
    assert_eq!(person.get("/api/me").await.status, 401);
    assert_eq!(admin.delete(&format!("{}/sessions/{id}", path(&record))).await.status, 404);
    let other = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let record = record_of(&app, &other).await;
    assert_eq!(admin.post(&format!("{}/sign-out", path(&record)), &json!({})).await.expect(200)["ended"], 1);
    assert_eq!(other.get("/api/me").await.status, 401);
    assert_eq!(events(&app, "signedOut").await[0]["by"]["uid"], other.uid.as_str());
    assert_eq!(admin.delete(&format!("{}/totp", path(&record))).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn disabled_users_get_no_credentials(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let made = user(&app, &invited("ben@example.com")).await;
    admin.patch(&path(&made), &json!({ "revision": 1, "status": "Disabled" })).await.expect(200);
    for what in ["temporary-password", "reset-link"] {
        let problem = admin.post(&format!("{}/{what}", path(&made)), &json!({})).await.expect(409);
        assert_eq!(problem["code"], "disabled");
    }
}

/// A link or password gives the permissions its owner had when it was created, even if the owner later gets
/// more.
#[rstest]
#[tokio::test]
async fn credentials_give_no_more_than_their_creators_permissions(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let (admin, clerk) = (app.admin().await, super::manager(&app, None).await);
    let much = super::role(&app, "Much", json!({ "reports": { "reports": { "export": true } } })).await;
    let link = link_by(&clerk, &user(&app, &invited("ben@example.com")).await).await;
    let cat = user(&app, &invited("cat@example.com")).await;
    assert_eq!(clerk.post(&format!("{}/temporary-password", path(&cat)), &json!({})).await.status, 202);
    app.drain().await;
    let password =
        clerk.get(&path(&cat)).await.expect(200)["tempPassword"].as_str().expect("shown").to_owned();
    assert!(admin.get(&path(&cat)).await.expect(200)["tempPassword"].is_string());
    let other = super::manager(&app, None).await;
    assert!(
        other.get(&path(&cat)).await.expect(200).get("tempPassword").is_none(),
        "the caller may not receive it"
    );

    let ben = record(&admin, "ben@example.com").await;
    for person in [&ben, &cat] {
        admin.patch(&path(person), &json!({ "revision": 1, "roleId": much })).await.expect(200);
    }
    assert_eq!(follow(&app, &link).await, 400, "it would exceed the clerk's permissions");
    assert_eq!(sign_in(&app, "cat@example.com", &password).await.0, 400);
    // Those created by a user with at least the same permissions are valid.
    let link = link_by(&admin, &ben).await;
    assert_eq!(follow(&app, &link).await, 200);
    admin.patch(&path(&cat), &json!({ "revision": 2, "roleId": null })).await.expect(200);
    assert_eq!(sign_in(&app, "cat@example.com", &password).await.0, 200);
    // Nor are those created by a former user.
    let dan = user(&app, &invited("dan@example.com")).await;
    let link = link_by(&clerk, &dan).await;
    let gone = record_of(&app, &clerk).await;
    admin.patch(&path(&gone), &json!({ "revision": 1, "status": "Disabled" })).await.expect(200);
    assert_eq!(follow(&app, &link).await, 400);
}

/// The console offers a link if the password is delayed; both are valid until one of them is used.
#[rstest]
#[tokio::test]
async fn a_link_created_with_a_temporary_password_is_valid(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let body = json!({ "email": "ben@example.com", "name": "Ben Reyes", "password": "temporary" });
    let ben = admin.post("/api/users", &body).await.expect(201);
    let link = link_by(&admin, &ben).await;
    app.drain().await;
    let password = admin.get(&path(&ben)).await.expect(200)["tempPassword"].as_str().expect("one").to_owned();
    assert_eq!(follow(&app, &link).await, 200);
    assert_eq!(sign_in(&app, "ben@example.com", &password).await.0, 400, "the other one ended");
    // A password set by a link is not replaced by one requested earlier.
    let earlier = link_by(&admin, &ben).await;
    admin.post(&format!("{}/temporary-password", path(&ben)), &json!({})).await;
    assert_eq!(follow(&app, &earlier).await, 400, "new credentials revoke earlier ones");
    let link = link_by(&admin, &ben).await;
    assert_eq!(follow(&app, &link).await, 200);
    app.drain().await;
    assert_eq!(sign_in(&app, "ben@example.com", NEW).await.0, 200);
}

const NEW: &str = "plovers wade at the mudflat";

async fn link_by(by: &Client, user: &Value) -> String {
    let made = by.post(&format!("{}/reset-link", path(user)), &json!({})).await.expect(200);
    made["link"].as_str().expect("a link").to_owned()
}

async fn follow(app: &App, link: &str) -> u16 {
    let code = link.split("oobCode=").nth(1).expect("a code").to_owned();
    let body = json!({ "oobCode": code, "newPassword": NEW });
    app.nobody().post("/v1/accounts:resetPassword", &body).await.status
}

async fn record(admin: &Client, email: &str) -> Value {
    admin.get(&format!("/api/users?q={email}")).await.expect(200)["items"][0].clone()
}
