//! Session lifetimes, and ending sessions immediately.

use larder_platform::people::{accounts, sessions, upkeep};
use rstest::rstest;
use serde_json::json;

use super::{Browser, EMAIL, PASSWORD, SIGN_IN, account, code, noted, text};
use crate::support::{App, Engine, actor, one_engine};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

#[rstest]
#[tokio::test]
async fn office_sessions_last_a_day_and_tablet_sessions_a_week(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    for (device, idle, life) in [("office", 12 * HOUR, 14 * DAY), ("tablet", 7 * DAY, 30 * DAY)] {
        let app = App::start_idle(on).await;
        account(&app, EMAIL).await;
        let mut browser = Browser::of(&app);
        let body = json!({ "email": EMAIL, "password": PASSWORD, "device": device });
        let answer = browser.post(SIGN_IN, &body).await;
        let cookie = answer.headers["set-cookie"].to_str().expect("text").to_owned();
        assert!(cookie.contains(&format!("Max-Age={life}")), "{cookie}");
        answer.expect(200);
        assert_eq!(browser.get("/api/me").await.expect(200)["sessionKind"], device);

        let mut age = 0;
        while age + idle - 60 < life {
            app.clock.advance(idle - 60);
            age += idle - 60;
            app.state.sessions.clear();
            assert!(browser.is_in().await, "{device} in regular use, after {age} s");
            used(&app).await;
        }
        app.clock.advance(life - age + 1);
        assert!(!browser.is_in().await, "{device} expires at its maximum age");

        browser.post(SIGN_IN, &body).await.expect(200);
        app.clock.advance(idle + 1);
        assert!(!browser.is_in().await, "{device} expires when idle");
    }
}

/// Waits until the session's use is recorded.
async fn used(app: &App) {
    for _ in 0..200 {
        let fresh: i64 = app
            .db
            .sql("select cast(count(*) as bigint) from sessions where last_seen_at > $1")
            .bind(app.state.now().plus_seconds(-60))
            .scalar()
            .await
            .expect("counted");
        if fresh > 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the session's use was not recorded");
}

#[rstest]
#[tokio::test]
async fn users_list_and_end_their_own_sessions(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    account(&app, "bob@example.com").await;
    let (mut here, mut there, mut script) = (Browser::of(&app), Browser::of(&app), Browser::script(&app));
    let mut stranger = Browser::of(&app);
    here.headers.insert("user-agent", "Office browser".into());
    here.sign_in(EMAIL).await;
    there.sign_in(EMAIL).await;
    stranger.sign_in("bob@example.com").await;
    let tokens = script.tokens(EMAIL).await;

    let listed = here.get("/api/me/sessions").await.expect(200);
    assert_eq!(listed["total"], 3);
    let items = listed["items"].as_array().expect("items");
    let find =
        |what: &dyn Fn(&serde_json::Value) -> bool| items.iter().find(|i| what(i)).expect("one").clone();
    let current = find(&|i| i["current"] == true);
    assert_eq!((&current["userAgent"], &current["kind"]), (&json!("Office browser"), &json!("office")));
    assert_eq!((&current["provider"], &current["origin"]), (&json!("password"), &json!("127.0.0.1")));
    let client = text(&find(&|i| i["kind"] == "client"), "id");

    let path = format!("/api/me/sessions/{client}");
    assert_eq!(stranger.delete(&path).await.status, 404, "it is not theirs");
    assert_eq!(here.delete(&path).await.status, 204);
    assert_eq!(here.delete(&path).await.status, 404);
    assert!(!script.bearing(&tokens.id).is_in().await);
    assert_eq!(code(script.refresh(&tokens.refresh).await), "TOKEN_EXPIRED");

    assert_eq!(here.post("/api/me/sessions/end-others", &json!({})).await.expect(200)["ended"], 1);
    assert!(here.is_in().await && !there.is_in().await && stranger.is_in().await);
}

#[rstest]
#[tokio::test]
async fn signing_in_again_replaces_the_browser_session(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let mut browser = Browser::of(&app);
    browser.sign_in(EMAIL).await;
    let mut before = browser.clone();
    browser.sign_in(EMAIL).await;
    assert!(browser.is_in().await && !before.is_in().await);
    assert_eq!(browser.get("/api/me/sessions").await.expect(200)["total"], 1);
}

#[rstest]
#[tokio::test]
async fn a_disabled_account_is_refused_at_the_next_request(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let uid = account(&app, EMAIL).await;
    let (mut browser, mut script) = (Browser::of(&app), Browser::script(&app));
    browser.sign_in(EMAIL).await;
    let tokens = script.tokens(EMAIL).await;
    assert!(browser.is_in().await && script.bearing(&tokens.id).is_in().await);
    let actor = actor(app.state.now());
    app.db.write(&actor, async |tx| accounts::set_disabled(tx, &uid, true).await).await.expect("disabled");
    app.state.sessions.clear();
    assert!(!browser.is_in().await && !script.bearing(&tokens.id).is_in().await);
    assert_eq!(code(script.refresh(&tokens.refresh).await), "USER_DISABLED");
    let lookup = script.post("/v1/accounts:lookup", &json!({ "idToken": tokens.id })).await;
    assert_eq!(code(lookup), "USER_DISABLED");
}

#[rstest]
#[tokio::test]
async fn a_session_ends_on_all_nodes(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let uid = account(&app, EMAIL).await;
    let (_other, url) = app.second_node().await;
    let mut here = Browser::of(&app);
    here.sign_in(EMAIL).await;
    let mut there = Browser::at(&url);
    there.headers.clone_from(&here.headers);
    there.cookies.clone_from(&here.cookies);
    assert!(there.is_in().await);
    let actor = actor(app.state.now());
    app.db.write(&actor, async |tx| sessions::end_all(tx, &uid, None).await).await.expect("ended");
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    assert!(!there.is_in().await && !here.is_in().await);
}

#[rstest]
#[tokio::test]
async fn a_recent_token_opens_a_browser_session(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let mut script = Browser::script(&app);
    let tokens = script.tokens(EMAIL).await;
    let mut page = Browser::of(&app);
    assert_eq!(page.post("/session", &json!({})).await.status, 401);
    let mut bearing = page.bearing(&tokens.id);
    assert_eq!(bearing.post("/session", &json!({})).await.status, 204);
    page.cookies.clone_from(&bearing.cookies);
    assert!(page.is_in().await);
    let again = bearing.post("/session", &json!({})).await;
    assert!(again.status == 204 && again.headers.get("set-cookie").is_none(), "its current session is valid");

    app.clock.advance(301);
    let old = bearing.post("/session", &json!({})).await.expect(401);
    assert_eq!(old["code"], "tokenTooOld");
    assert_eq!(bearing.delete("/session").await.status, 401);
    let fresh = super::Tokens::of(&script.refresh(&tokens.refresh).await.expect(200));
    assert!(script.bearing(&fresh.id).is_in().await);
    assert_eq!(page.bearing(&fresh.id).delete("/session").await.status, 204);
    assert!(!page.is_in().await);
    assert!(!script.bearing(&fresh.id).is_in().await, "the tokens ended, too");
    assert_eq!(super::code(script.refresh(&fresh.refresh).await), "TOKEN_EXPIRED");

    let tokens = script.tokens(EMAIL).await;
    let (mut bearing, mut other) = (script.bearing(&tokens.id), Browser::of(&app));
    other.sign_in(EMAIL).await;
    assert_eq!(bearing.post("/api/session/sign-out", &json!({})).await.status, 204);
    assert!(!bearing.is_in().await);
    assert_eq!(super::code(script.refresh(&tokens.refresh).await), "TOKEN_EXPIRED");
    assert!(other.is_in().await, "other sessions remain");
    assert_eq!(script.bearing("nonsense").post("/api/session/sign-out", &json!({})).await.status, 401);
}

#[rstest]
#[tokio::test]
async fn the_console_gets_a_token_if_session_sync_is_configured(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let mut page = Browser::of(&app);
    page.sign_in(EMAIL).await;
    assert_eq!(page.get("/api/me").await.expect(200).get("sessionSync"), None);
    assert_eq!(
        page.post("/api/session/token", &json!({})).await.status,
        404,
        "no session sync is configured"
    );

    let app = App::start_idle_with(on, |config| config.session_sync = Some("/session".into())).await;
    account(&app, EMAIL).await;
    let mut page = Browser::of(&app);
    assert_eq!(page.post("/api/session/token", &json!({})).await.status, 401);
    page.sign_in(EMAIL).await;
    assert_eq!(page.get("/api/me").await.expect(200)["sessionSync"], "/session");
    let answer = page.post("/api/session/token", &json!({})).await.expect(200);
    let mut bearing = Browser::script(&app).bearing(&super::text(&answer, "idToken"));
    assert!(bearing.is_in().await);
    assert_eq!(
        bearing.post("/api/session/token", &json!({})).await.status,
        404,
        "a token cannot create a token"
    );
    page.post("/api/session/sign-out", &json!({})).await;
    assert!(!bearing.is_in().await, "it ends with the session");
}

#[rstest]
#[tokio::test]
async fn sensitive_actions_need_reauthentication_after_15_minutes(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let mut browser = Browser::of(&app);
    browser.sign_in(EMAIL).await;
    app.clock.advance(15 * 60 - 5);
    browser.post("/api/me/totp", &json!({})).await.expect(200);
    app.clock.advance(10);
    let refused = browser.post("/api/me/totp", &json!({})).await.expect(403);
    assert_eq!(refused["code"], "reauthenticate");
    assert_eq!(refused["detail"], "Enter your password again to continue.");

    let again = "/api/session/reauthenticate";
    assert_eq!(browser.post(again, &json!({})).await.expect(422)["fields"][0]["field"], "password");
    assert_eq!(
        browser.post(again, &json!({ "password": "wrong" })).await.expect(422)["fields"][0]["message"],
        "Incorrect password. Please try again."
    );
    assert_eq!(browser.post(again, &json!({ "password": PASSWORD })).await.status, 204);
    browser.post("/api/me/totp", &json!({})).await.expect(200);
    assert_eq!(noted(&app, "reauthenticated").await, 1);
    for _ in 0..5 {
        browser.post(again, &json!({ "password": "wrong" })).await.expect(422);
    }
    assert_eq!(browser.post(again, &json!({ "password": PASSWORD })).await.expect(429)["code"], "tooMany");

    let mut script = Browser::script(&app);
    let tokens = script.tokens(EMAIL).await;
    app.clock.advance(15 * 60 + 1);
    let refreshed = super::Tokens::of(&script.refresh(&tokens.refresh).await.expect(200));
    let refused = script.bearing(&refreshed.id).post("/api/me/totp", &json!({})).await.expect(403);
    assert_eq!(refused["code"], "reauthenticate", "a refresh is no reauthentication");
}

#[rstest]
#[tokio::test]
async fn a_temporary_password_must_be_changed_first(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let uid = account(&app, EMAIL).await;
    let mut browser = Browser::of(&app);
    let hash = larder_platform::people::password::hash(PASSWORD.into(), [2; 16]).await.expect("hashed");
    let actor = actor(app.state.now());
    app.db.write(&actor, async |tx| accounts::set_password(tx, &uid, &hash, true).await).await.expect("set");
    browser.sign_in(EMAIL).await;
    assert_eq!(browser.get("/api/me").await.expect(200)["mustChangePassword"], true);
    assert_eq!(browser.get("/api/lists").await.expect(403)["code"], "mustChangePassword");
    assert_eq!(browser.get("/api/me/sessions").await.status, 200);
    let body = json!({ "currentPassword": PASSWORD, "newPassword": "seven purple elephants" });
    assert_eq!(browser.put("/api/me/password", &body).await.status, 204);
    assert_eq!(browser.get("/api/lists").await.status, 200);
}

#[rstest]
#[tokio::test]
async fn expired_records_are_deleted(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let (mut old, mut script) = (Browser::of(&app), Browser::script(&app));
    old.sign_in(EMAIL).await;
    script.tokens(EMAIL).await;
    app.clock.advance(13 * HOUR);
    let mut new = Browser::of(&app);
    new.sign_in(EMAIL).await;
    let clear = async || upkeep::clear(&app.state).await.expect("cleared");
    let count = async |text: &'static str| app.db.sql(text).scalar::<i64>().await.expect("counted");
    clear().await;
    assert_eq!(count("select cast(count(*) as bigint) from sessions").await, 1);
    assert_eq!(count("select cast(count(*) as bigint) from refresh_tokens").await, 0);
    assert!(new.is_in().await && !old.is_in().await);
    app.clock.advance(400 * DAY);
    clear().await;
    assert_eq!(count("select cast(count(*) as bigint) from known_devices").await, 0);
}

#[rstest]
#[tokio::test]
async fn a_dismissed_notice_stays_dismissed_for_that_user(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    account(&app, "ben@example.com").await;
    let (mut one, mut other, mut ben) = (Browser::of(&app), Browser::of(&app), Browser::of(&app));
    one.sign_in(EMAIL).await;
    other.sign_in(EMAIL).await;
    ben.sign_in("ben@example.com").await;
    for _ in 0..2 {
        assert_eq!(one.put("/api/me/notices/mailOutbox", &json!({})).await.status, 204);
    }
    assert_eq!(one.put("/api/me/notices/else", &json!({})).await.status, 404);
    for (browser, away) in
        [(&mut one, json!(["mailOutbox"])), (&mut other, json!(["mailOutbox"])), (&mut ben, json!([]))]
    {
        let me = browser.get("/api/me").await.expect(200);
        assert_eq!((&me["notices"], &me["putAway"]), (&json!(["mailOutbox"]), &away));
    }
}
