//! Device attestation.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use rstest::rstest;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Browser, EMAIL, account, code, text};
use crate::support::{App, Engine, one_engine};

const NONCE: &str = "/api/device/nonce";
const ATTEST: &str = "/api/device/attest";
const TOO_MANY: &str = "TOO_MANY_ATTEMPTS_TRY_LATER";

fn key(seed: u8) -> SigningKey {
    SigningKey::from_slice(&[seed; 32]).expect("a key")
}

/// The proof of a device with this key for a nonce.
fn proof(key: &SigningKey, nonce: &str, difficulty: u64) -> Value {
    let signature: Signature = key.sign(nonce.as_bytes());
    let point = key.verifying_key().to_encoded_point(false);
    let half = |bytes: Option<&p256::FieldBytes>| BASE64.encode(bytes.expect("a point"));
    let works = |n: &u64| {
        let digest = Sha256::digest(format!("{nonce}:{n}").as_bytes());
        let head = u64::from_be_bytes(digest[..8].try_into().expect("eight bytes"));
        u64::from(head.leading_zeros()) >= difficulty
    };
    json!({
        "nonce": nonce,
        "publicKey": { "kty": "EC", "crv": "P-256", "x": half(point.x()), "y": half(point.y()), "ext": true },
        "signature": BASE64.encode(signature.to_bytes()),
        "proof": (0..).find(works).expect("found").to_string(),
    })
}

async fn attest(browser: &mut Browser, seed: u8) -> String {
    let asked = browser.post(NONCE, &json!({})).await.expect(200);
    let body = proof(&key(seed), &text(&asked, "nonce"), asked["difficulty"].as_u64().expect("a number"));
    let answer = browser.post(ATTEST, &body).await.expect(200);
    assert_eq!(answer["expiresIn"], 3600);
    text(&answer, "token")
}

#[rstest]
#[tokio::test]
async fn a_proof_is_valid_once_for_its_nonce(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    app.clock.stand_still();
    let mut browser = Browser::of(&app);
    let asked = browser.post(NONCE, &json!({})).await.expect(200);
    assert_eq!(asked["difficulty"], 0, "no proof of work unless under attack");
    let nonce = text(&asked, "nonce");
    let good = proof(&key(1), &nonce, 0);
    let mut stolen = good.clone();
    stolen["publicKey"] = proof(&key(2), &nonce, 0)["publicKey"].clone();
    let mut other = good.clone();
    other["nonce"] = json!(format!("{nonce}x"));
    let mut off_curve = good.clone();
    off_curve["publicKey"]["y"] = good["publicKey"]["x"].clone();
    let mut short = good.clone();
    short["signature"] = json!("AAAA");
    for bad in [stolen, other, off_curve, short] {
        assert_eq!(browser.post(ATTEST, &bad).await.expect(422)["code"], "attestation", "{bad}");
    }
    browser.post(ATTEST, &good).await.expect(200);
    assert_eq!(browser.post(ATTEST, &good).await.status, 422, "a nonce is valid once");
    let late = proof(&key(1), &text(&browser.post(NONCE, &json!({})).await.expect(200), "nonce"), 0);
    app.clock.advance(301);
    assert_eq!(browser.post(ATTEST, &late).await.status, 422, "and for five minutes");
    let kept: i64 =
        app.db.sql("select cast(count(*) as bigint) from attested_devices").scalar().await.expect("counted");
    assert_eq!(kept, 1);
}

#[rstest]
#[tokio::test]
async fn an_attested_device_has_its_own_limits(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    app.clock.stand_still();
    account(&app, EMAIL).await;
    let mut bare = Browser::of(&app);
    let first = attest(&mut bare, 1).await;
    let second = attest(&mut bare, 2).await;
    for n in 0..10 {
        code(bare.try_in(&format!("a{n}@example.com"), "wrong").await);
    }
    assert_eq!(code(bare.try_in("b@example.com", "wrong").await), TOO_MANY);
    let forged = bare.with("x-device-attestation", format!("{first}x"));
    assert_eq!(code(forged.clone().try_in("b@example.com", "wrong").await), TOO_MANY);
    let mut device = bare.with("x-device-attestation", first);
    for n in 0..10 {
        let answer = device.try_in(&format!("c{n}@example.com"), "wrong").await;
        assert_eq!(code(answer), "INVALID_LOGIN_CREDENTIALS");
    }
    assert_eq!(code(device.try_in("d@example.com", "wrong").await), TOO_MANY);
    bare.with("x-device-attestation", second).sign_in(EMAIL).await;
}

#[rstest]
#[tokio::test]
async fn a_limited_device_does_not_use_up_its_address_limit(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    app.clock.stand_still();
    account(&app, EMAIL).await;
    let mut bare = Browser::of(&app);
    let [first, second] = [attest(&mut bare, 1).await, attest(&mut bare, 2).await];
    let mut device = bare.with("x-device-attestation", first);
    let mut checked = 0;
    for n in 0..120 {
        let said = code(device.try_in(&format!("a{n}@example.com"), "wrong").await);
        checked += usize::from(said != TOO_MANY);
    }
    assert_eq!(checked, 10);
    bare.with("x-device-attestation", second).sign_in(EMAIL).await;
}

#[rstest]
#[tokio::test]
async fn under_attack_devices_need_a_proof_of_work(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    app.clock.stand_still();
    account(&app, EMAIL).await;
    let mut known = Browser::of(&app);
    known.sign_in(EMAIL).await;
    let mut stranger = Browser::of(&app);
    let easy = attest(&mut stranger, 1).await;
    for _ in 0..60 {
        app.state.limits.failed(app.state.now());
    }
    assert_eq!(code(stranger.try_in(EMAIL, super::PASSWORD).await), TOO_MANY, "no proof");
    let lazy = stranger.with("x-device-attestation", easy);
    assert_eq!(code(lazy.clone().try_in(EMAIL, super::PASSWORD).await), TOO_MANY, "a proof without work");
    let asked = stranger.post(NONCE, &json!({})).await.expect(200);
    assert!(asked["difficulty"].as_u64().is_some_and(|d| d > 0));
    let mut idle = proof(&key(1), &text(&asked, "nonce"), 0);
    idle["proof"] = json!("no work");
    assert_eq!(stranger.post(ATTEST, &idle).await.status, 422);
    let worked = attest(&mut stranger, 1).await;
    stranger.with("x-device-attestation", worked).sign_in(EMAIL).await;
    known.sign_in(EMAIL).await; // a browser its owner has used before needs no proof
    app.clock.advance(301);
    Browser::of(&app).sign_in(EMAIL).await;
}
