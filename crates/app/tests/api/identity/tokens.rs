//! ID tokens and refresh tokens: they end with their session, and a stolen one ends it.

use larder_platform::people::limits::TOKENS;
use rstest::rstest;
use serde_json::json;

use super::{Browser, EMAIL, Tokens, account, code, noted};
use crate::support::{App, Engine, http};

#[rstest]
#[tokio::test]
async fn an_id_token_opens_the_api_to_scripts(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let mut script = Browser::script(&app);
    let token = script.tokens(EMAIL).await.id;
    assert!(script.bearing(&token).is_in().await);
    let mut forged = token.clone().into_bytes();
    let last = forged.len() - 5;
    forged[last] = if forged[last] == b'A' { b'B' } else { b'A' };
    assert!(!script.bearing(&String::from_utf8_lossy(&forged)).is_in().await);
    assert!(!script.bearing("nonsense").is_in().await);
    app.clock.advance(3601);
    assert!(!script.bearing(&token).is_in().await, "valid for an hour");
    let lookup = script.post("/v1/accounts:lookup", &json!({ "idToken": token })).await;
    assert_eq!(code(lookup), "TOKEN_EXPIRED");
    let lookup = script.post("/v1/accounts:lookup", &json!({ "idToken": "nonsense" })).await;
    assert_eq!(code(lookup), "INVALID_ID_TOKEN");
    assert_eq!(code(script.post("/v1/accounts:lookup", &json!({})).await), "MISSING_ID_TOKEN");
}

#[rstest]
#[tokio::test]
async fn a_refresh_token_is_valid_once_with_a_ten_second_grace(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    let uid = account(&app, EMAIL).await;
    let mut script = Browser::script(&app);
    let first = script.tokens(EMAIL).await;
    app.clock.advance(1800);
    let answer = script.refresh(&first.refresh).await.expect(200);
    assert_eq!((&answer["user_id"], &answer["token_type"]), (&json!(uid), &json!("Bearer")));
    assert_eq!((&answer["expires_in"], &answer["project_id"]), (&json!("3600"), &json!("larder")));
    assert_eq!(answer["access_token"], answer["id_token"]);
    let second = Tokens::of(&answer);
    assert_ne!(first.refresh, second.refresh);
    assert!(script.bearing(&second.id).is_in().await);

    app.clock.advance(8);
    let again = Tokens::of(&script.refresh(&first.refresh).await.expect(200));
    assert_eq!(again.refresh, second.refresh, "a late tab");
    let third = Tokens::of(&script.refresh(&second.refresh).await.expect(200));

    app.clock.advance(5);
    assert_eq!(code(script.refresh(&first.refresh).await), "TOKEN_EXPIRED");
    assert_eq!(noted(&app, "tokenReused").await, 1);
    assert_eq!(code(script.refresh(&third.refresh).await), "TOKEN_EXPIRED", "the token family is revoked");
    assert!(!script.bearing(&third.id).is_in().await, "its ID tokens too");
    assert!(script.tokens(EMAIL).await.id.len() > 100, "signing in again is all it takes");
}

#[rstest]
#[tokio::test]
async fn six_tabs_that_refresh_at_once_stay_signed_in(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let mut script = Browser::script(&app);
    let first = script.tokens(EMAIL).await;
    let tabs = (0..6).map(|_| {
        let (tab, mut token) = (script.clone(), first.refresh.clone());
        tokio::spawn(async move {
            for _ in 0..10 {
                token = Tokens::of(&tab.refresh(&token).await.expect(200)).refresh;
            }
            token
        })
    });
    let mut ends = Vec::new();
    for tab in tabs.collect::<Vec<_>>() {
        ends.push(tab.await.expect("a tab that is still signed in"));
    }
    ends.dedup();
    assert_eq!(ends.len(), 1, "all tabs got the same token");
    assert_eq!(noted(&app, "tokenReused").await, 0);
}

#[rstest]
#[tokio::test]
async fn invalid_refresh_tokens_are_refused(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let script = Browser::script(&app);
    assert_eq!(code(script.refresh("nonsense").await), "TOKEN_EXPIRED");
    assert_eq!(code(script.refresh("").await), "MISSING_REFRESH_TOKEN");
    let wrong = http()
        .post(format!("{}/securetoken.googleapis.com/v1/token?key=k", app.url))
        .header("content-type", "application/x-www-form-urlencoded")
        .body("grant_type=password&refresh_token=x");
    assert_eq!(code(app.nobody().send(wrong).await), "INVALID_GRANT_TYPE");
}

#[rstest]
#[tokio::test]
async fn rate_limit_errors_are_plain_text(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let mut script = Browser::script(&app);
    let tokens = script.tokens(EMAIL).await;
    let ahead = app.state.now().plus_seconds(60);
    while app.state.limits.take("tokens 127.0.0.1", TOKENS, ahead) {}
    let hosted = "/identitytoolkit.googleapis.com/v1/accounts:lookup";
    let body = json!({ "idToken": tokens.id });
    for answer in [
        script.refresh(&tokens.refresh).await,
        script.post("/v1/accounts:lookup", &body).await,
        script.post(hosted, &body).await,
    ] {
        assert_eq!(answer.status, 429);
        assert_eq!(answer.headers["content-type"], "text/plain; charset=utf-8");
        assert!(!answer.text().contains('{'), "{}", answer.text());
    }
    app.clock.advance(120);
    assert_eq!(script.refresh(&tokens.refresh).await.status, 200, "nobody was signed out");
}
