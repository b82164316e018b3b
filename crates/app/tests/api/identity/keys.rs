//! Signing keys of ID tokens are rotated on all nodes without signing anyone out.

use rstest::rstest;
use serde_json::Value;

use super::{Browser, EMAIL, Tokens, account};
use crate::support::{App, Engine};

const MONTH: i64 = 30 * 86_400;

async fn kids(url: &str) -> Vec<String> {
    let keys = Browser::at(url).get("/v1/jwks").await.expect(200);
    let keys = keys["keys"].as_array().expect("keys").clone();
    let said = |key: &Value| {
        assert_eq!((key["alg"].as_str(), key["kty"].as_str()), (Some("RS256"), Some("RSA")));
        assert!(key.get("d").is_none(), "public keys only");
        key["kid"].as_str().expect("a name").to_owned()
    };
    keys.iter().map(said).collect()
}

fn signed_by(token: &str) -> String {
    use base64::Engine as _;
    let head = token.split('.').next().expect("a header");
    let head = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(head).expect("base64");
    let head: Value = serde_json::from_slice(&head).expect("JSON");
    head["kid"].as_str().expect("a name").to_owned()
}

#[rstest]
#[tokio::test]
async fn keys_rotate_after_a_month_and_old_ones_still_verify(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let app = App::start_idle(on).await;
    account(&app, EMAIL).await;
    let (_other, url) = app.second_node().await;
    let mut script = Browser::script(&app);
    let first = kids(&app.url).await;
    assert_eq!((first.len(), kids(&url).await), (1, first.clone()), "nodes share their keys");

    app.clock.advance(MONTH - 600);
    let old = script.tokens(EMAIL).await;
    assert_eq!(signed_by(&old.id), first[0]);
    app.clock.advance(601);
    let new = script.tokens(EMAIL).await;
    assert_ne!(signed_by(&new.id), first[0]);
    for node in [&app.url, &url] {
        assert!(Browser::at(node).bearing(&old.id).is_in().await, "the old key still verifies");
        tokio::time::sleep(std::time::Duration::from_millis(250)).await;
        assert!(Browser::at(node).bearing(&new.id).is_in().await, "the new one is known everywhere");
        assert_eq!(kids(node).await, [signed_by(&new.id), first[0].clone()]);
    }
    let elsewhere = Browser::at(&url).tokens(EMAIL).await;
    assert_eq!(signed_by(&elsewhere.id), signed_by(&new.id), "the other node created no key");

    app.clock.advance(3600 + 601);
    assert_eq!(kids(&app.url).await, [signed_by(&new.id)], "all tokens of the old key have expired");
    let refreshed = Tokens::of(&script.refresh(&new.refresh).await.expect(200));
    assert_eq!(signed_by(&refreshed.id), signed_by(&new.id));
}

#[rstest]
#[tokio::test]
async fn concurrent_nodes_agree_on_the_first_key(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let (_other, url) = app.second_node().await;
    let (here, there) = tokio::join!(kids(&app.url), kids(&url));
    assert_eq!(kids(&app.url).await.len(), 1);
    assert!(here.len() == 1 && here == there, "{here:?} {there:?}");
}
