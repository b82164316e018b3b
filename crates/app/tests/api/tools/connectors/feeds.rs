//! A POS feed: pushed with a signature, or dropped into a folder.

use hmac::{Hmac, KeyInit as _, Mac as _};
use rstest::rstest;
use serde_json::{Value, json};
use sha2::Sha256;

use super::{Stage, draft, stage, stage_with};
use crate::support::{Answer, Engine, one_engine};

pub(super) const FEED: &str = "/api/tools/services/w3p-ingest";
pub(super) const SECRET: &str = "sixteen-letters-at-least";

pub(super) fn settings(holds: &str, folder: Option<&str>) -> Value {
    json!({
        "kind": "w3p", "holds": holds, "folder": folder,
        "reading": { "fields": { "date": "date", "store": "store", "receipt": "receipt", "item": "item", "quantity": "qty", "net": "net" } },
    })
}

pub(super) async fn feed(stage: &Stage, name: &str, settings: Value) -> String {
    let mut body = draft(name, settings);
    body["secrets"] = json!({ "signingSecret": SECRET });
    let made = stage.admin.post(FEED, &body).await.expect(201);
    assert!(!made.to_string().contains(SECRET));
    made["id"].as_str().expect("an id").to_owned()
}

pub(super) async fn push(
    stage: &Stage,
    id: &str,
    delivery: &str,
    body: &str,
    secret: &str,
    ago: i64,
) -> Answer {
    push_at(stage, id, delivery, body, secret, stage.app.state.now().seconds() - ago).await
}

async fn push_at(stage: &Stage, id: &str, delivery: &str, body: &str, secret: &str, at: i64) -> Answer {
    let time = at.to_string();
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
    mac.update(format!("{time}.{delivery}.{body}").as_bytes());
    let signature: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let nobody = stage.app.nobody();
    let request = nobody
        .request(reqwest::Method::POST, &format!("{FEED}/{id}/push"))
        .header("x-larder-timestamp", time)
        .header("x-larder-delivery", delivery)
        .header("x-larder-signature", format!("v1={signature}"))
        .header("content-type", "text/csv")
        .body(body.to_owned());
    nobody.send(request).await
}

pub(super) fn csv(rows: &[&str]) -> String {
    format!("date,store,receipt,item,qty,net\n{}\n", rows.join("\n"))
}

#[rstest]
#[tokio::test]
async fn a_signed_delivery_is_accepted_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let id = feed(&stage, "Receipts", settings("receipts", None)).await;
    let day = stage.today.plus(-1);
    let one = csv(&[&format!("{day},North,1,Rice,2,20"), &format!("{day},North,2,Rice,1,10")]);
    assert_eq!(
        push(&stage, &id, "d1", &one, "another-secret-altogether", 0).await.expect(401)["code"],
        "unsigned"
    );
    assert_eq!(push(&stage, &id, "d1", &one, SECRET, 301).await.expect(401)["code"], "unsigned", "too old");
    assert_eq!(push(&stage, &id, "d1", &one, SECRET, -301).await.expect(401)["code"], "unsigned", "not yet");
    for at in [i64::MIN, i64::MIN + 1, i64::MAX] {
        assert_eq!(
            push_at(&stage, &id, "d1", &one, SECRET, at).await.expect(401)["code"],
            "unsigned",
            "{at}"
        );
    }
    assert_eq!(push(&stage, "none", "d1", &one, SECRET, 0).await.expect(401)["code"], "unsigned");
    let taken = push(&stage, &id, "d1", &one, SECRET, 0).await.expect(202);
    assert_eq!(push(&stage, &id, "d1", &one, SECRET, 0).await.expect(200)["runId"], taken["runId"]);
    assert_eq!(push(&stage, &id, "d1", "date\n", SECRET, 0).await.expect(409)["code"], "deliveryReused");
    // The receipts of a day come in parts, one of them again with a correction.
    let two = csv(&[&format!("{day},North,2,Rice,3,30"), &format!("{day},North,3,Rice,1,10")]);
    push(&stage, &id, "d2", &two, SECRET, 0).await.expect(202);
    stage.app.drain().await;
    assert_eq!(stage.posted("w3p").await, [("North".to_owned(), day, 3, 6_000_000, 6_000)]);
    // The same content with another id changes nothing.
    push(&stage, &id, "d3", &two, SECRET, 0).await.expect(202);
    stage.app.drain().await;
    let runs = stage.admin.get(&format!("{FEED}/{id}/runs")).await.expect(200);
    assert_eq!(
        (runs["total"].clone(), runs["items"][0]["daysUnchanged"].clone()),
        (json!(3), json!(1)),
        "{runs}"
    );

    // An unreadable delivery goes to the dead letters and can be retried.
    push(&stage, &id, "d4", "{ \"half\": ", SECRET, 0).await.expect(202);
    stage.app.drain().await;
    let aside = stage.admin.get(&format!("{FEED}/{id}/aside")).await.expect(200);
    assert_eq!(
        (aside["total"].clone(), aside["items"][0]["unit"].clone()),
        (json!(1), json!("delivery d4")),
        "{aside}"
    );
    let entry = aside["items"][0]["id"].as_str().expect("an id").to_owned();
    stage.admin.post(&format!("{FEED}/{id}/aside/{entry}/discard"), &json!({})).await.expect(200);
    assert_eq!(stage.admin.post(&format!("{FEED}/{id}/aside/{entry}/retry"), &json!({})).await.status, 409);
    stage.admin.post(&format!("{FEED}/{id}/pause"), &json!({ "paused": true })).await.expect(200);
    assert_eq!(push(&stage, &id, "d5", &one, SECRET, 0).await.expect(503)["code"], "paused");
}

#[rstest]
#[tokio::test]
async fn a_file_is_read_once_it_stops_growing(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let id = feed(&stage, "Folder", settings("days", Some("till-feed"))).await;
    let folder = stage.app.state.config.incoming_dir().join("till-feed");
    let look = async || larder_engines::connectors::start_due(&stage.app.state).await.expect("looked");
    assert_eq!(look().await, 0, "the folder is created");
    let day = stage.today.plus(-1);
    std::fs::write(folder.join("a.csv"), csv(&[&format!("{day},North,,Rice,2,20")])).expect("written");
    std::fs::write(folder.join("b.csv"), "nothing of use\n").expect("written");
    assert_eq!(look().await, 0, "it may still grow");
    std::fs::write(
        folder.join("a.csv"),
        csv(&[&format!("{day},North,,Rice,2,20"), &format!("{day},North,,Rice,5,50")]),
    )
    .expect("written");
    stage.app.clock.advance(11);
    assert_eq!(look().await, 1, "the one that did not grow");
    stage.app.clock.advance(11);
    assert_eq!(look().await, 1);
    stage.app.drain().await;
    assert_eq!(stage.posted("w3p").await, [("North".to_owned(), day, 2, 7_000_000, 7_000)]);
    assert!(folder.join("done/a.csv").exists() && folder.join("failed/b.csv").exists());
    let reason = std::fs::read_to_string(folder.join("failed/b.csv.reason.txt")).expect("a reason");
    assert!(reason.len() > 10, "{reason}");
    let aside = stage.admin.get(&format!("{FEED}/{id}/aside")).await.expect(200);
    assert_eq!(aside["items"][0]["unit"], "file b.csv", "{aside}");
    let wrong = draft("Out", settings("days", Some("../../etc")));
    let mut wrong = wrong;
    wrong["secrets"] = json!({ "signingSecret": SECRET });
    assert_eq!(stage.admin.post(FEED, &wrong).await.expect(422)["fields"][0]["field"], "settings.folder");
}

/// A feed writes recent days; older ones go to the dead letters until a user retries them.
#[rstest]
#[tokio::test]
async fn old_days_wait_for_a_user(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let id = feed(&stage, "Receipts", settings("receipts", None)).await;
    let old: larder_domain::BusinessDay = stage.today.plus(-36);
    push(&stage, &id, "d1", &csv(&[&format!("{old},North,1,Rice,2,20")]), SECRET, 0).await.expect(202);
    stage.app.drain().await;
    assert_eq!(stage.posted("w3p").await, []);
    let aside = stage.admin.get(&format!("{FEED}/{id}/aside")).await.expect(200);
    let entry = &aside["items"][0];
    assert!(entry["reason"].as_str().is_some_and(|words| words.contains("left out")), "{aside}");
    let entry = entry["id"].as_str().expect("an id");
    stage.admin.post(&format!("{FEED}/{id}/aside/{entry}/retry"), &json!({})).await.expect(202);
    stage.app.drain().await;
    assert_eq!(stage.posted("w3p").await, [("North".to_owned(), old, 1, 2_000_000, 2_000)]);
}

#[rstest]
#[tokio::test]
async fn an_unreadable_delivery_does_not_count_against_the_hourly_limit(#[from(one_engine)] on: Engine) {
    let stage = stage_with(on, |config| config.feed_lines_per_hour = 3).await;
    let id = feed(&stage, "Receipts", settings("receipts", None)).await;
    let day = stage.today.plus(-1);
    let [one, two] = [1, 2].map(|receipt| format!("{day},North,{receipt},Rice,2,20"));
    let bad = format!("{day},North,3,Rice,much,20");
    push(&stage, &id, "d1", &csv(&[&one, &two, &bad]), SECRET, 0).await.expect(202);
    stage.app.drain().await;
    assert_eq!(stage.posted("w3p").await, []);
    push(&stage, &id, "d2", &csv(&[&one, &two]), SECRET, 0).await.expect(202);
    stage.app.drain().await;
    assert_eq!(stage.posted("w3p").await, [("North".to_owned(), day, 2, 4_000_000, 4_000)]);
}
