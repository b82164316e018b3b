//! The second factor.

use larder_domain::Permissions;
use larder_platform::people::roles;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use super::{Browser, EMAIL, account, code, noted, text};
use crate::support::{App, Engine, actor, one_engine};

const FINISH: &str = "/v2/accounts/mfaSignIn:finalize";

/// The code shown by an authenticator app.
fn app_shows(app: &App, secret: &str) -> String {
    let secret = Secret::try_from_base32(secret).expect("base32");
    let seconds = u64::try_from(app.state.now().seconds()).expect("after 1970");
    Builder::new().with_secret(secret).build().expect("a generator").generate(seconds).to_string()
}

/// Signs in and activates a second factor: returns the secret and the recovery codes.
async fn put_in_force(app: &App, browser: &mut Browser) -> (String, Vec<String>) {
    let begun = browser.post("/api/me/totp", &json!({})).await.expect(200);
    let secret = text(&begun, "secret");
    assert!(text(&begun, "uri").contains(&secret) && text(&begun, "qrSvg").contains("<svg"), "{begun}");
    assert_eq!(browser.get("/api/me").await.expect(200)["totp"]["on"], false, "not before it was confirmed");
    let confirm = "/api/me/totp/confirm";
    let refused = browser.post(confirm, &json!({ "code": "000000" })).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "code");
    let confirmed = browser.post(confirm, &json!({ "code": app_shows(app, &secret) })).await.expect(200);
    let codes = confirmed["recoveryCodes"].as_array().expect("codes");
    (secret, codes.iter().map(|c| c.as_str().expect("text").to_owned()).collect())
}

fn finish(pending: &str, typed: &str) -> Value {
    json!({
        "mfaPendingCredential": pending, "mfaEnrollmentId": "totp",
        "totpVerificationInfo": { "verificationCode": typed },
    })
}

#[rstest]
#[tokio::test]
async fn a_code_is_required_and_valid_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let uid = account(&app, EMAIL).await;
    let mut browser = Browser::of(&app);
    browser.sign_in(EMAIL).await;
    let (secret, codes) = put_in_force(&app, &mut browser).await;
    assert_eq!((codes.len(), noted(&app, "totpOn").await), (10, 1));
    assert_eq!(browser.get("/api/me").await.expect(200)["totp"]["on"], true);
    assert_eq!(browser.post("/api/me/totp", &json!({})).await.expect(409)["code"], "totpOn");

    let mut other = Browser::of(&app);
    let asked = other.sign_in(EMAIL).await;
    assert_eq!((&asked["localId"], &asked["mfaInfo"][0]["mfaEnrollmentId"]), (&json!(uid), &json!("totp")));
    assert!(asked["mfaInfo"][0]["totpInfo"].is_object() && asked.get("idToken").is_none());
    assert!(other.cookies.is_empty(), "no session is open yet");
    let pending = text(&asked, "mfaPendingCredential");
    let used = app_shows(&app, &secret);
    assert_eq!(
        code(other.post(FINISH, &finish(&pending, &used)).await),
        "INVALID_CODE",
        "the code was already used"
    );
    assert_eq!(code(other.post(FINISH, &finish(&pending, "000000")).await), "INVALID_CODE");
    assert_eq!(code(other.post(FINISH, &finish("x", &used)).await), "INVALID_MFA_PENDING_CREDENTIAL");
    assert_eq!(code(other.post(FINISH, &json!({})).await), "INVALID_MFA_PENDING_CREDENTIAL");
    app.clock.advance(30);
    let next = app_shows(&app, &secret);
    other.post(FINISH, &finish(&pending, &format!("{} {}", &next[..3], &next[3..]))).await.expect(200);
    assert!(other.is_in().await);

    let mut script = Browser::script(&app);
    let pending = text(&script.sign_in(EMAIL).await, "mfaPendingCredential");
    assert_eq!(code(script.post(FINISH, &finish(&pending, &next)).await), "INVALID_CODE", "a stolen code");
    app.clock.advance(30);
    let hosted = format!("/identitytoolkit.googleapis.com{FINISH}?key=k");
    let tokens = script.post(&hosted, &finish(&pending, &app_shows(&app, &secret))).await.expect(200);
    assert!(script.bearing(&text(&tokens, "idToken")).is_in().await);
    assert!(tokens["refreshToken"].is_string());

    let pending = text(&script.sign_in(EMAIL).await, "mfaPendingCredential");
    app.clock.advance(301);
    let late = finish(&pending, &app_shows(&app, &secret));
    assert_eq!(code(script.post(FINISH, &late).await), "INVALID_MFA_PENDING_CREDENTIAL");
}

#[rstest]
#[tokio::test]
async fn a_recovery_code_is_valid_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let mut browser = Browser::of(&app);
    browser.sign_in(EMAIL).await;
    let (_, codes) = put_in_force(&app, &mut browser).await;
    let mut other = Browser::of(&app);
    let pending = text(&other.sign_in(EMAIL).await, "mfaPendingCredential");
    other.post(FINISH, &finish(&pending, &codes[3].to_uppercase())).await.expect(200);
    let pending = text(&other.sign_in(EMAIL).await, "mfaPendingCredential");
    assert_eq!(code(other.post(FINISH, &finish(&pending, &codes[3])).await), "INVALID_CODE");
    other.post(FINISH, &finish(&pending, &codes[4])).await.expect(200);

    assert_eq!(other.send(Method::DELETE, "/api/me/totp", None).await.status, 204);
    assert_eq!(noted(&app, "totpOff").await, 1);
    let plain = other.sign_in(EMAIL).await;
    assert!(plain.get("mfaPendingCredential").is_none());
}

#[rstest]
#[tokio::test]
async fn codes_cannot_be_guessed(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    app.clock.stand_still();
    account(&app, EMAIL).await;
    let mut browser = Browser::of(&app);
    browser.sign_in(EMAIL).await;
    let (secret, codes) = put_in_force(&app, &mut browser).await;
    let pending = text(&browser.sign_in(EMAIL).await, "mfaPendingCredential");
    for n in 0..5 {
        let wrong = finish(&pending, &format!("{n:06}"));
        assert_eq!(code(browser.post(FINISH, &wrong).await), "INVALID_CODE");
    }
    app.clock.advance(29);
    for typed in [app_shows(&app, &secret), codes[0].clone()] {
        let answer = browser.post(FINISH, &finish(&pending, &typed)).await;
        assert_eq!(code(answer), "TOO_MANY_ATTEMPTS_TRY_LATER");
    }
    app.clock.advance(2);
    browser.post(FINISH, &finish(&pending, &app_shows(&app, &secret))).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn a_role_can_require_a_second_factor(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let uid = account(&app, EMAIL).await;
    let role = app.state.new_id();
    let (state, actor) = (&app.state, actor(app.state.now()));
    app.db
        .write(&actor, async |tx| {
            roles::add_role(tx, &role, "Careful", &Permissions::default()).await?;
            tx.sql("update app_roles set require_totp = $1 where id = $2")
                .bind(true)
                .bind(&role)
                .execute()
                .await?;
            tx.sql("update app_users set role_id = $1 where uid = $2").bind(&role).bind(&uid).execute().await
        })
        .await
        .expect("a role");
    state.sessions.clear();
    let mut browser = Browser::of(&app);
    browser.sign_in(EMAIL).await;
    assert_eq!(browser.get("/api/me").await.expect(200)["totp"], json!({ "on": false, "required": true }));
    assert_eq!(browser.get("/api/lists").await.expect(403)["code"], "totpRequired");
    put_in_force(&app, &mut browser).await;
    assert_eq!(browser.get("/api/lists").await.status, 200);
}
