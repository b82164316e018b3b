//! Internal addresses are not called, however they are written and wherever redirects lead.

use rstest::rstest;
use serde_json::{Value, json};

use super::server::{Hostile, Reply};
use super::{HOME, api, draft, stage};
use crate::support::{App, Client, Engine, one_engine};

async fn trial(admin: &Client, url: &str) -> String {
    let body = json!({ "settings": { "kind": "api", "url": url } });
    let answer = admin.post(&format!("{HOME}/test"), &body).await;
    let body: Value = answer.json();
    assert!(matches!(answer.status, 200 | 422), "{url}: {body}");
    assert_eq!(body.get("answer"), None, "{url} was called: {body}");
    body["problem"].as_str().or(body["detail"].as_str()).unwrap_or_default().to_owned()
}

#[rstest]
#[tokio::test]
async fn internal_addresses_are_refused(#[from(one_engine)] on: Engine) {
    // A server that would answer if called.
    let inside = Hostile::start(|_, _| Reply::json(&json!({ "data": [] }))).await;
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let port = inside.port;
    for host in [
        "127.0.0.1",
        "localhost",
        "localhost.",
        "LOCALHOST",
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "017700000001",
        "127.1",
        "127.0.1",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
        "[fd00::1]",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "１２７.0.0.1",
        "127。0。0。1",
    ] {
        for scheme in ["http", "https"] {
            let said = trial(&admin, &format!("{scheme}://{host}:{port}/sales")).await;
            assert!(
                said.contains("private network") || said.contains("not known"),
                "{scheme}://{host}: {said}"
            );
        }
    }
    for (url, words) in [
        ("file:///etc/passwd", "https://"),
        ("ftp://example.com/x", "https://"),
        ("gopher://127.0.0.1:70/x", "https://"),
        ("http://8.8.8.8/x", "without encryption"),
        ("https://user:pass@example.com/x", "user name and password"),
        ("//example.com", "no address"),
    ] {
        let said = trial(&admin, url).await;
        assert!(said.contains(words), "{url}: {said}");
    }
    let kept =
        draft("Inside", api(&format!("{}/x?date={{date}}", inside.url), json!({ "kind": "none" }), None));
    let refused = admin.post(HOME, &kept).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "settings.url", "{refused}");
    assert!(inside.seen().is_empty(), "{:?}", inside.seen());
}

/// A permitted server redirects to an internal address: it is not followed, and gets no secrets of another
/// server.
#[rstest]
#[tokio::test]
async fn redirects_are_checked_like_addresses(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let inner = Hostile::start(|_, _| Reply::json(&json!({ "data": [] }))).await;
    let port = inner.port;
    let private = "private network";
    for (place, words) in [
        (format!("http://[::1]:{port}/x"), private),
        (format!("http://2130706434:{port}/x"), private),
        (format!("http://[::ffff:127.0.0.1]:{port}/x"), private),
        ("http://169.254.169.254/latest/meta-data".to_owned(), private),
        ("file:///etc/passwd".to_owned(), "https://"),
    ] {
        let to = place.clone();
        let outer =
            Hostile::start(move |_, _| Reply::Whole(302, vec![("location", to.clone())], String::new()))
                .await;
        let said = trial(&stage.admin, &format!("{}/sales", outer.url)).await;
        assert!(said.contains(words), "{place}: {said}");
        assert_eq!(outer.seen().len(), 1);
    }
    assert!(inner.seen().is_empty());
    // In a loop, and to another permitted server: without credentials.
    let round =
        Hostile::start(|_, n| Reply::Whole(302, vec![("location", format!("/again/{n}"))], String::new()))
            .await;
    assert!(trial(&stage.admin, &format!("{}/sales", round.url)).await.contains("more than 5 times"));
    let target = inner.url.clone();
    let outer = Hostile::start(move |_, _| {
        Reply::Whole(307, vec![("location", format!("{target}/on"))], String::new())
    })
    .await;
    let body = json!({
        "settings": { "kind": "api", "url": format!("{}/sales", outer.url), "auth": { "kind": "bearer" } },
        "secrets": { "token": "only-for-the-first" },
    });
    let found = stage.admin.post(&format!("{HOME}/test"), &body).await.expect(200);
    assert_eq!(found["answer"], json!({ "data": [] }));
    assert!(
        outer.seen()[0].headers.contains("only-for-the-first")
            && !inner.seen()[0].headers.contains("only-for")
    );
}

/// An endless response is not buffered, compressed or not.
#[rstest]
#[tokio::test]
async fn responses_are_limited(#[from(one_engine)] on: Engine) {
    use std::io::Write as _;
    let stage = stage(on).await;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..70 {
        packer.write_all(&vec![b' '; 1 << 20]).expect("packed");
    }
    let bomb = packer.finish().expect("packed");
    assert!(bomb.len() < 200_000);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/sales", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut asked = [0; 2_000];
            let _ = stream.read(&mut asked).await;
            let head = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
                bomb.len()
            );
            let _ = stream.write_all(head.as_bytes()).await;
            let _ = stream.write_all(&bomb).await;
        }
    });
    let said = trial(&stage.admin, &url).await;
    assert!(said.contains("longer than 64 MiB"), "{said}");
}
