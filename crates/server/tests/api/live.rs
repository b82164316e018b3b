//! Changes reach open screens of those who may see them, and only those.

use std::time::Duration;

use futures::StreamExt as _;
use larder_domain::Action;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine};

struct Ear {
    body: std::pin::Pin<Box<dyn futures::Stream<Item = reqwest::Result<bytes::Bytes>> + Send>>,
    heard: String,
}

async fn listen(client: &Client) -> Ear {
    let response = client.request(reqwest::Method::GET, "/api/live").send().await.expect("an answer");
    assert_eq!(response.status(), 200);
    Ear { body: Box::pin(response.bytes_stream()), heard: String::new() }
}

impl Ear {
    /// The next event, or `None` when the stream ends or stays silent.
    async fn next(&mut self, within: Duration) -> Option<(String, Value)> {
        let deadline = tokio::time::Instant::now() + within;
        loop {
            if let Some(end) = self.heard.find("\n\n") {
                let event: String = self.heard.drain(..end + 2).collect();
                let line = |name: &str| {
                    event.lines().find_map(|l| l.strip_prefix(name)).map(|l| l.trim().to_owned())
                };
                if let Some(data) = line("data:") {
                    let kind = line("event:").unwrap_or_else(|| "message".into());
                    return Some((kind, serde_json::from_str(&data).expect("JSON")));
                }
                continue;
            }
            let chunk = tokio::time::timeout_at(deadline, self.body.next()).await.ok()??;
            self.heard.push_str(&String::from_utf8_lossy(&chunk.ok()?));
        }
    }
}

const SOON: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_millis(400);

#[rstest]
#[tokio::test]
async fn a_change_is_heard_by_those_who_may_see_it(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let admin = app.admin().await;
    let viewer = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let stranger = app.user(&[("stores/storeList", &[Action::View])], None).await;
    let (mut seen, mut unseen) = (listen(&viewer).await, listen(&stranger).await);
    // The first change may be told as «fetch everything again», when the node only begins to listen.
    admin.post("/api/lists/uoms", &json!({ "name": "Gram", "code": "g" })).await.expect(201);
    seen.next(SOON).await.expect("an event");
    let made = admin.post("/api/lists/uoms", &json!({ "name": "Kilogram", "code": "kg" })).await.expect(201);
    let event = loop {
        let (_, event) = seen.next(SOON).await.expect("an event");
        if event["id"] == made["id"] {
            break event;
        }
    };
    assert_eq!(
        (&event["kind"], &event["id"], &event["action"]),
        (&json!("uom"), &made["id"], &json!("created"))
    );
    while let Some((_, event)) = unseen.next(SILENCE).await {
        assert_eq!(event, json!({ "kind": "*" }), "heard without the right");
    }
}

#[rstest]
#[tokio::test]
async fn signing_out_closes_the_stream(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start(on).await;
    let person = app.user(&[("lists/allLists", &[Action::View])], None).await;
    let mut ear = listen(&person).await;
    assert_eq!(person.post("/api/session/sign-out", &json!({})).await.status, 204);
    let began = std::time::Instant::now();
    assert!(ear.next(SOON).await.is_none());
    assert!(began.elapsed() < SOON, "the stream stayed open");
}
