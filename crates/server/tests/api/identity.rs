//! Signing in and out, and who is signed in.

use larder_domain::Action;
use larder_server::people::{password, users};
use rstest::rstest;
use serde_json::json;

use crate::support::{App, Engine, actor};

const SIGN_IN: &str = "/v1/accounts:signInWithPassword";

async fn with_password(app: &App, email: &str, password: &str) {
    let hash = password::hash(password.into(), [1; 16]).await.expect("hashed");
    let (uid, id) = (app.state.new_id(), app.state.new_id());
    let new = users::NewUser {
        uid: &uid,
        id: &id,
        email,
        name: "Ana Cruz",
        password_hash: &hash,
        role_id: None,
        super_admin: true,
        store_ids: None,
    };
    let new = &new;
    app.db.write(&actor(app.state.now()), async |tx| users::add_user(tx, new).await).await.expect("added");
}

#[rstest]
#[tokio::test]
async fn a_session_begins_and_ends(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    with_password(&app, "Ana@Example.com", "correct horse").await;
    let mut browser = app.nobody();
    assert_eq!(browser.get("/api/me").await.status, 401);

    let answer =
        browser.post(SIGN_IN, &json!({ "email": " ana@example.com ", "password": "correct horse" })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let cookie = answer.headers["set-cookie"].to_str().expect("text").to_owned();
    for mark in ["__Host-sid=", "Secure", "HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(mark), "{cookie}");
    }
    assert_eq!(answer.json()["email"], "Ana@Example.com");
    assert!(answer.json().get("idToken").is_none(), "a token nobody asked for");

    browser.token = cookie.split(['=', ';']).nth(1).map(str::to_owned);
    let me = browser.get("/api/me").await.expect(200);
    assert_eq!(me["user"]["superAdmin"], true);
    assert_eq!(me["permissions"]["lists"]["allLists"]["delete"], true);
    assert_eq!(me["apps"], json!(["backOffice", "branchOps", "storeCount"]));

    assert_eq!(browser.post("/api/session/sign-out", &json!({})).await.status, 204);
    assert_eq!(browser.get("/api/me").await.status, 401);
}

#[rstest]
#[tokio::test]
async fn every_refusal_has_its_code(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    with_password(&app, "ana@example.com", "correct horse").await;
    let browser = app.nobody();
    for (body, code) in [
        (json!({ "password": "x" }), "MISSING_EMAIL"),
        (json!({ "email": "", "password": "x" }), "MISSING_EMAIL"),
        (json!({ "email": "ana", "password": "x" }), "INVALID_EMAIL"),
        (json!({ "email": "ana@example.com" }), "MISSING_PASSWORD"),
        (json!({ "email": "ana@example.com", "password": "wrong" }), "INVALID_LOGIN_CREDENTIALS"),
        (json!({ "email": "bob@example.com", "password": "wrong" }), "INVALID_LOGIN_CREDENTIALS"),
    ] {
        let answer = browser.post(SIGN_IN, &body).await.expect(400);
        assert_eq!(answer["error"]["message"], code, "{body}");
        assert_eq!(answer["error"]["code"], 400);
    }
}

#[rstest]
#[tokio::test]
async fn guessing_is_slowed_down(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    with_password(&app, "ana@example.com", "correct horse").await;
    let browser = app.nobody();
    for _ in 0..5 {
        browser.post(SIGN_IN, &json!({ "email": "ana@example.com", "password": "wrong" })).await.expect(400);
    }
    let answer = browser
        .post(SIGN_IN, &json!({ "email": "ana@example.com", "password": "correct horse" }))
        .await
        .expect(400);
    assert!(
        answer["error"]["message"].as_str().is_some_and(|m| m.starts_with("TOO_MANY_ATTEMPTS_TRY_LATER")),
        "{answer}"
    );
}

#[rstest]
#[tokio::test]
async fn an_id_token_opens_the_api_to_scripts(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    with_password(&app, "ana@example.com", "correct horse").await;
    let script = app.nobody();
    let body = json!({ "email": "ana@example.com", "password": "correct horse", "returnSecureToken": true });
    let token =
        script.post(SIGN_IN, &body).await.expect(200)["idToken"].as_str().expect("a token").to_owned();
    let with = |token: &str| script.request(reqwest::Method::GET, "/api/me").bearer_auth(token);
    assert_eq!(script.send(with(&token)).await.status, 200);
    let mut forged = token.clone().into_bytes();
    let last = forged.len() - 5;
    forged[last] = if forged[last] == b'A' { b'B' } else { b'A' };
    assert_eq!(script.send(with(&String::from_utf8_lossy(&forged))).await.status, 401);
    assert_eq!(script.send(with("nonsense")).await.status, 401);
    let keys = script.get("/v1/jwks").await.expect(200);
    assert_eq!(keys["keys"][0]["alg"], "RS256");
}

#[rstest]
#[tokio::test]
async fn another_sites_page_cannot_use_the_cookie(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let admin = app.admin().await;
    let cookie = format!("__Host-sid={}", admin.token.clone().expect("a session"));
    let bare = || {
        reqwest::Client::new()
            .post(format!("{}/api/session/sign-out", app.url))
            .header("cookie", &cookie)
            .json(&json!({}))
    };
    for forged in [
        bare(),
        bare().header("sec-fetch-site", "cross-site").header("x-larder", "1"),
        bare().header("sec-fetch-site", "same-origin"),
        bare().header("origin", "https://evil.example").header("x-larder", "1"),
    ] {
        assert_eq!(admin.send(forged).await.status, 403);
    }
    assert_eq!(admin.get("/api/me").await.status, 200);
    let own = bare().header("origin", app.url.as_str()).header("x-larder", "1");
    assert_eq!(admin.send(own).await.status, 204);
}

#[rstest]
#[tokio::test]
async fn no_role_means_no_rights_whatever_the_stores(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let newcomer = app.newcomer().await;
    let me = newcomer.get("/api/me").await.expect(200);
    assert_eq!(me["permissions"], json!({}));
    assert_eq!(me["apps"], json!([]));
    let scoped = app.user(&[("lists/allLists", &[Action::View])], Some(&["a".into()])).await;
    assert_eq!(scoped.get("/api/me").await.expect(200)["user"]["storeIds"], json!(["a"]));
}
