//! Forgotten and changed passwords.

use larder_platform::people::links;
use larder_platform::people::links::LinkKind;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Browser, EMAIL, PASSWORD, account, code, noted};
use crate::support::{App, Engine, actor, one_engine};

const ASK: &str = "/v1/accounts:sendOobCode";
const RESET: &str = "/v1/accounts:resetPassword";
const NEW: &str = "seven purple elephants";

/// The codes of the links in the outbox.
async fn emails(app: &App) -> Vec<String> {
    app.drain().await;
    let Ok(folder) = std::fs::read_dir(app.state.config.data_dir.join("outbox")) else { return Vec::new() };
    let mut paths: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "txt"));
    paths.sort();
    let read = |path| std::fs::read_to_string(path).expect("a letter");
    let codes = paths.iter().map(read).map(|text| {
        let (_, rest) = text.split_once("oobCode=").expect("a link");
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
    });
    codes.collect()
}

/// A link's code, created as the background job does.
async fn link(app: &App, uid: &str, kind: LinkKind) -> String {
    let actor = actor(app.state.now());
    app.db
        .write(&actor, async |tx| links::make(tx, &app.state, uid, kind, None).await)
        .await
        .expect("made")
        .code
}

fn ask(email: &str) -> Value {
    json!({ "requestType": "PASSWORD_RESET", "email": email, "clientType": "CLIENT_TYPE_WEB" })
}

#[rstest]
#[tokio::test]
async fn an_emailed_link_sets_the_password_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let (mut inside, mut script) = (Browser::of(&app), Browser::script(&app));
    inside.sign_in(EMAIL).await;
    let tokens = script.tokens(EMAIL).await;
    let answer = script.post(ASK, &ask(" Ana@example.com ")).await.expect(200);
    assert_eq!(answer["email"], "Ana@example.com");
    let codes = emails(&app).await;
    let [link] = codes.as_slice() else { panic!("one letter, not {codes:?}") };

    let looked = script.post(RESET, &json!({ "oobCode": link })).await.expect(200);
    assert_eq!((&looked["email"], &looked["requestType"]), (&json!(EMAIL), &json!("PASSWORD_RESET")));
    let weak = json!({ "oobCode": link, "newPassword": "password1" });
    assert_eq!(code(script.post(RESET, &weak).await), "WEAK_PASSWORD");
    let body = json!({ "oobCode": link, "newPassword": NEW });
    script.post(RESET, &body).await.expect(200);
    assert_eq!(code(script.post(RESET, &body).await), "INVALID_OOB_CODE", "it is used up");

    assert!(!inside.is_in().await, "every session ended");
    assert!(!script.bearing(&tokens.id).is_in().await);
    assert_eq!(code(script.refresh(&tokens.refresh).await), "TOKEN_EXPIRED");
    assert_eq!(code(script.try_in(EMAIL, PASSWORD).await), "INVALID_LOGIN_CREDENTIALS");
    script.try_in(EMAIL, NEW).await.expect(200);
    assert_eq!((noted(&app, "resetAsked").await, noted(&app, "passwordSet").await), (1, 1));
}

#[rstest]
#[tokio::test]
async fn requests_do_not_reveal_whether_an_account_exists(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let mut script = Browser::script(&app);
    let answer = script.post(ASK, &ask("nobody@example.com")).await.expect(200);
    assert_eq!(answer["kind"], "identitytoolkit#GetOobConfirmationCodeResponse");
    assert!(emails(&app).await.is_empty());
    assert_eq!(code(script.post(ASK, &ask("")).await), "MISSING_EMAIL");
    assert_eq!(code(script.post(ASK, &ask("nobody")).await), "INVALID_EMAIL");
    let other = json!({ "requestType": "VERIFY_EMAIL", "email": EMAIL });
    assert_eq!(code(script.post(ASK, &other).await), "INVALID_REQ_TYPE");
}

#[rstest]
#[tokio::test]
async fn links_are_limited_to_five_per_hour(#[from(one_engine)] on: Engine) {
    let app = App::start_idle_with(on, |config| config.proxy_hops = 1).await;
    account(&app, EMAIL).await;
    let from = |n: usize| Browser::script(&app).with("x-forwarded-for", format!("10.0.0.{n}"));
    for n in 0..5 {
        from(n).post(ASK, &ask(EMAIL)).await.expect(200);
    }
    assert_eq!(code(from(9).post(ASK, &ask(EMAIL)).await), "RESET_PASSWORD_EXCEED_LIMIT", "the account");
    for n in 0..4 {
        from(1).post(ASK, &ask(&format!("other{n}@example.com"))).await.expect(200);
    }
    let one_more = ask("other9@example.com");
    assert_eq!(code(from(1).post(ASK, &one_more).await), "RESET_PASSWORD_EXCEED_LIMIT", "the address");
    app.clock.advance(3601);
    from(1).post(ASK, &ask(EMAIL)).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn refused_requests_do_not_count_against_the_account(#[from(one_engine)] on: Engine) {
    let app = App::start_idle_with(on, |config| config.proxy_hops = 1).await;
    account(&app, EMAIL).await;
    let from = |n: usize| Browser::script(&app).with("x-forwarded-for", format!("10.0.0.{n}"));
    for n in 0..5 {
        from(1).post(ASK, &ask(&format!("other{n}@example.com"))).await.expect(200);
    }
    for _ in 0..6 {
        assert_eq!(code(from(1).post(ASK, &ask(EMAIL)).await), "RESET_PASSWORD_EXCEED_LIMIT", "the address");
    }
    from(2).post(ASK, &ask(EMAIL)).await.expect(200);
    // Nor do refused requests for an account count against an address.
    for n in 3..7 {
        from(n).post(ASK, &ask(EMAIL)).await.expect(200);
    }
    for _ in 0..6 {
        assert_eq!(code(from(8).post(ASK, &ask(EMAIL)).await), "RESET_PASSWORD_EXCEED_LIMIT", "the account");
    }
    from(8).post(ASK, &ask("other@example.com")).await.expect(200);
    // A browser the owner signed in from, and the signed-in owner, have their own limits.
    let mut own = Browser::of(&app);
    own.sign_in(EMAIL).await;
    assert_eq!(own.post("/api/me/password-reset", &json!({})).await.status, 202);
    own.post("/api/session/sign-out", &json!({})).await;
    own.post(ASK, &ask(EMAIL)).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn only_the_latest_link_is_valid_until_it_expires(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let uid = account(&app, EMAIL).await;
    let mut script = Browser::script(&app);
    let (old, new) = (link(&app, &uid, LinkKind::Reset).await, link(&app, &uid, LinkKind::Reset).await);
    assert_eq!(code(script.post(RESET, &json!({ "oobCode": old })).await), "INVALID_OOB_CODE");
    script.post(RESET, &json!({ "oobCode": new })).await.expect(200);
    app.clock.advance(3601);
    let late = json!({ "oobCode": new, "newPassword": NEW });
    assert_eq!(code(script.post(RESET, &late).await), "EXPIRED_OOB_CODE");
    assert_eq!(code(script.post(RESET, &json!({ "oobCode": "x" })).await), "INVALID_OOB_CODE");
    assert_eq!(code(script.post(RESET, &json!({})).await), "INVALID_OOB_CODE");

    let invitation = link(&app, &uid, LinkKind::Invitation).await;
    app.clock.advance(2 * 86_400);
    script.post(RESET, &json!({ "oobCode": invitation })).await.expect(200);
    app.clock.advance(86_401);
    assert_eq!(code(script.post(RESET, &json!({ "oobCode": invitation })).await), "EXPIRED_OOB_CODE");
}

#[rstest]
#[tokio::test]
async fn of_two_concurrent_uses_of_a_link_one_succeeds(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let uid = account(&app, EMAIL).await;
    let link = link(&app, &uid, LinkKind::Reset).await;
    let (mut one, mut two) = (Browser::script(&app), Browser::script(&app));
    let bodies = ["seven purple elephants", "eleven yellow walruses"]
        .map(|new| json!({ "oobCode": link, "newPassword": new }));
    let (a, b) = tokio::join!(one.post(RESET, &bodies[0]), two.post(RESET, &bodies[1]));
    let mut statuses = [a.status, b.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400]);
}

#[rstest]
#[tokio::test]
async fn a_weak_password_is_refused_with_advice(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let mut browser = Browser::of(&app);
    browser.sign_in(EMAIL).await;
    let mut set = async |current: &str, new: &str| {
        browser.put("/api/me/password", &json!({ "currentPassword": current, "newPassword": new })).await
    };
    for (new, words) in [
        ("short", "Use at least 8 characters."),
        ("Password1", "attackers try first"),
        ("anacruz2024", "guessed first"),
        ("abcdefgh123", "easy to guess"),
        (&"long ".repeat(60), "Use at most 256 characters."),
        (PASSWORD, "another password"),
    ] {
        let refused = set(PASSWORD, new).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], "newPassword", "{refused}");
        assert!(refused["detail"].as_str().is_some_and(|d| d.contains(words)), "{new}: {refused}");
    }
    let refused = set("wrong", NEW).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "currentPassword");
}

#[rstest]
#[tokio::test]
async fn changing_ones_own_password_ends_the_other_sessions(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let (mut here, mut there) = (Browser::of(&app), Browser::of(&app));
    here.sign_in(EMAIL).await;
    there.sign_in(EMAIL).await;
    let body = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
    assert_eq!(here.put("/api/me/password", &body).await.status, 204);
    assert!(here.is_in().await && !there.is_in().await);

    let sent = here.post("/api/me/password-reset", &json!({})).await.expect(202);
    assert_eq!(sent["email"], EMAIL);
    assert_eq!(emails(&app).await.len(), 1);
    for _ in 0..4 {
        here.post("/api/me/password-reset", &json!({})).await.expect(202);
    }
    assert_eq!(here.post("/api/me/password-reset", &json!({})).await.expect(429)["code"], "tooMany");
}
