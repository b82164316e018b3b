//! Signing in and out, and who is signed in.

use larder_domain::Action;
use larder_platform::people::accounts;
use rstest::rstest;
use serde_json::json;

use super::{Browser, EMAIL, PASSWORD, SIGN_IN, account, code, noted, text};
use crate::support::{App, Engine, actor, http};

#[rstest]
#[tokio::test]
async fn sessions_open_and_close(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    account(&app, "Ana@Example.com").await;
    let mut browser = Browser::of(&app);
    assert!(!browser.is_in().await);

    let answer = browser.try_in(" ana@example.com ", PASSWORD).await;
    for cookie in answer.headers.get_all("set-cookie") {
        let cookie = cookie.to_str().expect("text");
        for mark in ["__Host-", "Secure", "HttpOnly", "SameSite=", "Path=/"] {
            assert!(cookie.contains(mark), "{cookie}");
        }
        assert!(!cookie.contains("__Host-sid") || cookie.contains("SameSite=Strict"), "{cookie}");
    }
    let body = answer.expect(200);
    assert_eq!(body["email"], "Ana@Example.com");
    assert!(body.get("idToken").is_none() && body.get("refreshToken").is_none(), "tokens were not requested");
    assert_eq!(browser.cookies.keys().collect::<Vec<_>>(), ["__Host-did", "__Host-sid"]);

    let me = browser.get("/api/me").await.expect(200);
    assert_eq!(me["user"]["superAdmin"], true);
    assert_eq!(me["permissions"]["lists"]["allLists"]["delete"], true);
    assert_eq!(me["apps"], json!(["backOffice", "branchOps", "storeCount"]));
    assert_eq!(me["totp"], json!({ "on": false, "required": false }));
    assert_eq!(me["providers"], json!(["password"]));
    assert_eq!(me["mustChangePassword"], false);

    assert_eq!(browser.post("/api/session/sign-out", &json!({})).await.status, 204);
    assert!(!browser.cookies.contains_key("__Host-sid") && browser.cookies.contains_key("__Host-did"));
    assert_eq!(browser.get("/api/me").await.status, 401);
    assert_eq!((noted(&app, "signedIn").await, noted(&app, "signedOut").await), (1, 1));
}

#[rstest]
#[tokio::test]
async fn every_refusal_has_its_code(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    account(&app, EMAIL).await;
    let mut browser = Browser::of(&app);
    for (body, expected) in [
        (json!({ "password": "x" }), "MISSING_EMAIL"),
        (json!({ "email": "", "password": "x" }), "MISSING_EMAIL"),
        (json!({ "email": "ana", "password": "x" }), "INVALID_EMAIL"),
        (json!({ "email": "ana@\u{0}example.com", "password": "x" }), "INVALID_EMAIL"),
        (json!({ "email": EMAIL }), "MISSING_PASSWORD"),
        (json!({ "email": EMAIL, "password": "wrong" }), "INVALID_LOGIN_CREDENTIALS"),
        (json!({ "email": "bob@example.com", "password": "wrong" }), "INVALID_LOGIN_CREDENTIALS"),
        (json!({ "email": 7 }), "INVALID_ARGUMENT"),
    ] {
        assert_eq!(code(browser.post(SIGN_IN, &body).await), expected, "{body}");
    }
    assert_eq!(noted(&app, "signInFailed").await, 2);
}

#[rstest]
#[tokio::test]
async fn a_setting_distinguishes_wrong_address_from_wrong_password(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle_with(on, |config| config.specific_sign_in_errors = true).await;
    account(&app, EMAIL).await;
    let mut browser = Browser::of(&app);
    assert_eq!(code(browser.try_in("bob@example.com", "wrong").await), "EMAIL_NOT_FOUND");
    assert_eq!(code(browser.try_in(EMAIL, "wrong").await), "INVALID_PASSWORD");
    let reset = json!({ "requestType": "PASSWORD_RESET", "email": "bob@example.com" });
    assert_eq!(code(browser.post("/v1/accounts:sendOobCode", &reset).await), "EMAIL_NOT_FOUND");
}

#[rstest]
#[tokio::test]
async fn a_disabled_account_is_reported_only_after_the_correct_password(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let uid = account(&app, EMAIL).await;
    let actor = actor(app.state.now());
    app.db.write(&actor, async |tx| accounts::set_disabled(tx, &uid, true).await).await.expect("disabled");
    let mut browser = Browser::of(&app);
    assert_eq!(code(browser.try_in(EMAIL, "wrong").await), "INVALID_LOGIN_CREDENTIALS");
    assert_eq!(code(browser.try_in(EMAIL, PASSWORD).await), "USER_DISABLED");
}

#[rstest]
#[tokio::test]
async fn clients_of_the_hosted_interface_work(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let uid = account(&app, EMAIL).await;
    let mut client = Browser::script(&app).with("x-client-version", "Chrome/JsCore/12.0.0/FirebaseCore-web");
    let hosted = "/identitytoolkit.googleapis.com/v1";
    let body = json!({
        "returnSecureToken": true, "email": EMAIL, "password": PASSWORD, "clientType": "CLIENT_TYPE_WEB",
        "captchaResponse": "x", "recaptchaVersion": "RECAPTCHA_ENTERPRISE", "tenantId": null,
    });
    let path = format!("{hosted}/accounts:signInWithPassword?key=anything");
    let answer = client.post(&path, &body).await.expect(200);
    assert_eq!(answer["kind"], "identitytoolkit#VerifyPasswordResponse");
    assert_eq!((&answer["localId"], &answer["registered"]), (&json!(uid), &json!(true)));
    assert_eq!(answer["expiresIn"], "3600");
    let token = text(&answer, "idToken");

    let found = client.post(&format!("{hosted}/accounts:lookup?key=k"), &json!({ "idToken": token })).await;
    let user = &found.expect(200)["users"][0];
    assert_eq!((&user["localId"], &user["email"]), (&json!(uid), &json!(EMAIL)));
    assert_eq!(user["providerUserInfo"][0]["providerId"], "password");
    let ms = |name: &str| text(user, name).parse::<i64>().expect("a number as text");
    assert!(ms("lastLoginAt") >= ms("createdAt") && ms("createdAt") > 1_000_000_000_000);

    let project = client.get(&format!("{hosted}/projects?key=k")).await.expect(200);
    assert_eq!(project["projectId"], "larder");
    assert!(project["authorizedDomains"].as_array().is_some_and(|d| d.contains(&json!("localhost"))));
    assert_eq!(client.get(&format!("{hosted}/nonsense")).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn the_sign_in_page_gets_the_company_settings(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let mut browser = Browser::of(&app);
    let info = browser.get("/api/sign-in").await.expect(200);
    assert_eq!((&info["google"], &info["firstStart"]), (&json!(false), &json!(true)));
    assert_eq!((&info["companyDomain"], &info["passwordMinimum"]), (&json!("example.com"), &json!(8)));
    account(&app, EMAIL).await;
    assert_eq!(browser.get("/api/sign-in").await.expect(200)["firstStart"], false);
}

#[rstest]
#[tokio::test]
async fn another_sites_page_cannot_use_the_cookie(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let admin = app.admin().await;
    let cookie = format!("__Host-sid={}", admin.token.clone().expect("a session"));
    let bare = || {
        http().post(format!("{}/api/session/sign-out", app.url)).header("cookie", &cookie).json(&json!({}))
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
async fn no_role_means_no_permissions_whatever_the_stores(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start(on).await;
    let newcomer = app.newcomer().await;
    let me = newcomer.get("/api/me").await.expect(200);
    assert_eq!(me["permissions"], json!({}));
    assert_eq!(me["apps"], json!([]));
    let scoped = app.user(&[("lists/allLists", &[Action::View])], Some(&["a".into()])).await;
    assert_eq!(scoped.get("/api/me").await.expect(200)["user"]["storeIds"], json!(["a"]));
}
