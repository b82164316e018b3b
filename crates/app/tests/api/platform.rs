//! Properties of all responses: up-to-date contract, headers, errors, limits, assets.

use std::io::Read as _;

use larder_app as app;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::support::{App, Engine, one_engine};

#[tokio::test]
async fn the_committed_contract_is_up_to_date() {
    let fresh = app::openapi_text().await.expect("a contract");
    let committed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json"))
        .unwrap_or_default();
    assert!(fresh == committed, "openapi.json is stale; run `make generate`");
}

#[rstest]
#[tokio::test]
async fn health_needs_no_sign_in(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    assert_eq!(app.nobody().get("/healthz").await.text(), "ok");
    assert_eq!(app.nobody().get("/readyz").await.text(), "ready");
}

#[rstest]
#[tokio::test]
async fn every_response_has_the_security_headers(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    for path in ["/", "/healthz", "/api/me", "/assets/gone.js", "/nowhere"] {
        let headers = app.nobody().get(path).await.headers;
        let csp = headers["content-security-policy"].to_str().expect("text").to_owned();
        assert!(
            csp.contains("default-src 'self'") && csp.contains("frame-ancestors 'none'"),
            "{path}: {csp}"
        );
        assert!(!csp.contains("unsafe-inline"), "{path}: {csp}");
        for name in [
            "strict-transport-security",
            "x-content-type-options",
            "referrer-policy",
            "x-request-id",
            "cache-control",
        ] {
            assert!(headers.contains_key(name), "{path} lacks {name}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn an_unknown_api_path_is_a_problem_not_a_page(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    for path in ["/assets/gone.js", "/api/nothing", "/v1/nothing", "/favicon.png.bak"] {
        let answer = app.nobody().get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.json()["code"], "notFound", "{path}: {}", answer.text());
    }
    // A browser requesting a page gets the console, which explains what is wrong with the URL.
    for path in ["/products/..%2f..%2fetc", "/stores/a.b", "/tools/import-sales-product/import/a/b/c.d"] {
        let asked = app.nobody().request(reqwest::Method::GET, path);
        let answer = asked.header("accept", "text/html,*/*;q=0.8").send().await.expect("an answer");
        let kind = answer.headers()["content-type"].to_str().expect("text").to_owned();
        assert!(!kind.contains("json"), "{path}: {kind}");
    }
    let answer = app.nobody().get("/products/..%2f..%2fetc").await;
    assert!(!answer.text().starts_with('{'), "{}", answer.text());
    for path in ["/api/me", "/api/me?nonsense=1"] {
        let answer = app.admin().await.delete(path).await;
        assert_eq!(
            (answer.status, answer.json()["code"].as_str()),
            (405, Some("methodNotAllowed")),
            "{path}"
        );
    }
}

#[rstest]
#[tokio::test]
async fn invalid_or_too_long_json_bodies_are_refused(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let nobody = app.nobody();
    let path = "/api/device/attest";
    let post = || nobody.request(reqwest::Method::POST, path);
    let cases = [
        (post().body("{}"), 415, "unsupported"),
        (post().header("content-type", "application/json").body("{"), 400, "invalid"),
        (post().json(&json!({ "nonce": "x".repeat(2 << 20) })), 413, "tooLarge"),
        (post().json(&json!({ "nonce": 5 })), 422, "invalid"),
        (post().json(&json!(["a list", "by", "order"])), 422, "invalid"),
        (post().header("content-type", "application/json").body(r#"{"nonce": tru}"#), 400, "invalid"),
    ];
    for (request, status, code) in cases {
        let answer = nobody.send(request).await;
        assert_eq!(
            (answer.status, answer.json()["code"].as_str()),
            (status, Some(code)),
            "{}",
            answer.text()
        );
    }
}

#[rstest]
#[tokio::test]
async fn shutdown_lets_running_requests_finish(#[from(one_engine)] on: Engine) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let app = App::start_idle(on).await;
    let stop = tokio_util::sync::CancellationToken::new();
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let serving =
        tokio::spawn(larder_platform::http::serve::serve(listener, app::service(&app.state), stop.clone()));
    let mut sender = tokio::net::TcpStream::connect(address).await.expect("a connection");
    sender
        .write_all(b"POST /api/session/sign-out HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n")
        .await
        .expect("sent");
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    stop.cancel();
    sender.write_all(b"{}").await.expect("sent");
    let mut answer = String::new();
    sender.read_to_string(&mut answer).await.expect("answered");
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    serving.await.expect("the server ended");
    assert!(tokio::net::TcpStream::connect(address).await.is_err(), "the server no longer listens");
}

#[rstest]
#[tokio::test]
async fn long_responses_are_compressed_if_accepted(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    for n in 0..60 {
        admin.post("/api/lists/uoms", &json!({ "name": format!("Unit {n}"), "code": format!("u{n}") })).await;
    }
    let long = "/api/lists/uoms?pageSize=all";
    let plain = admin.get(long).await;
    assert!(!plain.headers.contains_key("content-encoding"));
    let packed = admin.send(admin.request(Method::GET, long).header("accept-encoding", "gzip, br")).await;
    assert_eq!(packed.headers["content-encoding"], "gzip");
    assert!(packed.bytes.len() * 4 < plain.bytes.len(), "{} of {}", packed.bytes.len(), plain.bytes.len());
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(packed.bytes.as_slice()).read_to_end(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, plain.bytes);
    // Short responses, and files already compressed, are sent uncompressed.
    for path in ["/api/lists/uoms?pageSize=1", "/api/lists/uoms/export?format=xlsx"] {
        let answer = admin.send(admin.request(Method::GET, path).header("accept-encoding", "gzip")).await;
        assert!(!answer.headers.contains_key("content-encoding"), "{path}");
    }
}

#[rstest]
#[tokio::test]
async fn text_assets_are_decompressed_for_clients_without_brotli(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let client = app.nobody();
    let asset = "/favicon.svg";
    let plain = client.get(asset).await;
    assert_eq!(plain.headers["content-type"], "image/svg+xml");
    assert!(!plain.headers.contains_key("content-encoding"));
    assert!(plain.text().contains("<svg"), "{}", plain.text());
    let small = client.send(client.request(Method::GET, asset).header("accept-encoding", "gzip, br")).await;
    assert_eq!(small.headers["content-encoding"], "br");
    assert!(small.bytes.len() < plain.bytes.len());
    assert_eq!(small.headers["etag"], plain.headers["etag"]);
    let known = client.request(Method::GET, asset).header("if-none-match", &plain.headers["etag"]);
    assert_eq!(client.send(known).await.status, 304);
    assert_eq!(client.get("/favicon.svg.br").await.status, 404);
}
