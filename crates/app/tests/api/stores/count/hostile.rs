//! Invalid input no correct device sends.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::io::Write as _;

use rstest::rstest;
use serde_json::{Value, json};

use super::{PATH, Shop, outcomes};
use crate::support::{Engine, one_engine};

#[rstest]
#[tokio::test]
async fn an_invalid_save_does_not_affect_the_others(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let with = |field: &str, value: Value| {
        let mut save = shop.save("bad:1", 0, 1);
        save[field] = value;
        save
    };
    let wrong = [
        ("op", json!("bad")),
        ("op", json!("server:x:1")),
        ("op", json!("bad:01")),
        ("op", json!(7)),
        ("op", json!("b\0d:1")),
        ("op", json!("bad:2")),
        ("storeId", json!("a b")),
        ("storeId", json!("\u{0}")),
        ("storeId", Value::Null),
        ("date", json!("2026-02-30")),
        ("date", json!("today")),
        ("date", json!(20_000)),
        ("session", json!("noon")),
        ("session", json!(1)),
        ("itemId", json!("../../etc")),
        ("itemId", json!("x".repeat(200))),
        ("qty", json!(-1)),
        ("qty", json!(1e300)),
        ("qty", json!("9".repeat(400))),
        ("at", json!("soon")),
        ("at", json!(1e19)),
        ("at", Value::Null),
        ("base", json!("one")),
        ("prev", json!({})),
        ("note", json!("n".repeat(501))),
        ("note", json!([])),
        ("photo", json!("../x")),
    ];
    let mut saves: Vec<Value> = wrong.iter().map(|(field, value)| with(field, value.clone())).collect();
    saves.extend([json!(null), json!([1]), json!("x"), json!({})]);
    let bad = saves.len();
    let mut good = shop.save("tab:1", 1, 3);
    good["note"] = json!("\u{202e}two\0 bags\u{feff} ");
    saves.insert(bad / 2, good);
    let results = shop.send(&ana, &saves).await;
    for (n, result) in results.iter().enumerate() {
        let expected = if n == bad / 2 { "applied" } else { "rejected" };
        assert_eq!(result["outcome"], expected, "{} → {result}", saves[n]);
        if expected == "rejected" {
            assert!(result["reason"].as_str().is_some_and(|reason| reason.len() > 5), "{result}");
        }
    }
    for ((field, value), result) in wrong.iter().zip(results.iter().take(bad / 2)) {
        // An id of another sequence number is an error of the number.
        assert_eq!(result["fields"][0]["field"], *field, "{value}");
    }
    let seen = shop.entries(&ana).await;
    assert_eq!(seen["entries"].as_array().map(Vec::len), Some(1));
    assert_eq!(seen["entries"][0]["note"], "two bags");
}

#[rstest]
#[tokio::test]
async fn oversized_batches_are_refused(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let path = format!("{PATH}/batch");
    let many: Vec<Value> = (1..=501).map(|n| json!({ "op": format!("tab:{n}") })).collect();
    assert_eq!(ana.post(&path, &shop.batch(&many)).await.expect(413)["code"], "tooLarge");
    let long = [json!({ "op": "tab:1", "note": "n".repeat(256 << 10) })];
    assert_eq!(ana.post(&path, &shop.batch(&long)).await.expect(413)["code"], "tooLarge");
    let chunks = futures::stream::iter((0..40).map(|_| Ok::<_, std::io::Error>(vec![b' '; 8 << 10])));
    let request = ana
        .request(reqwest::Method::POST, &path)
        .header("content-type", "application/json")
        .body(reqwest::Body::wrap_stream(chunks));
    assert_eq!(ana.send(request).await.expect(413)["code"], "tooLarge");

    let refusal = ana.post(&path, &json!({})).await.expect(422);
    let fields: Vec<&Value> =
        refusal["fields"].as_array().expect("fields").iter().map(|field| &field["field"]).collect();
    assert_eq!(fields, ["sentAt", "deviceId", "entries"]);
    for body in [json!([]), json!("x"), json!({ "entries": 5 }), json!({ "deviceId": {} })] {
        ana.post(&path, &body).await.expect(422);
    }
    let request = ana.request(reqwest::Method::POST, &path).header("content-type", "application/json");
    ana.send(request.body("{")).await.expect(400);
    let request = ana.request(reqwest::Method::POST, &path).header("content-type", "text/plain");
    ana.send(request.body("{}")).await.expect(415);
    shop.app.nobody().post(&path, &json!({})).await.expect(401);
    let mut silent = shop.batch(&[shop.save("tab:1", 0, 1)]);
    silent["sentAt"] = json!("noon");
    ana.post(&path, &silent).await.expect(422);
}

/// Arbitrary field values.
fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        "[a-z]{1,8}:[0-9]{1,4}".prop_map(Value::from),
        "20[0-9]{2}-[01][0-9]-[0-3][0-9]".prop_map(Value::from),
        Just(json!([1, { "a": [] }])),
        Just(json!({ "uid": 7 })),
    ]
}

/// Whatever is sent, each save gets a result and the server does not fail.
#[rstest]
#[tokio::test]
async fn arbitrary_input_never_fails_the_server(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    const FIELDS: [&str; 12] =
        ["op", "seq", "storeId", "date", "session", "itemId", "qty", "at", "base", "prev", "note", "photo"];
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let cases: usize = std::env::var("LARDER_COUNT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let mut runner = TestRunner::deterministic();
    let change = (0..FIELDS.len(), anything());
    let saves = prop::collection::vec((prop::collection::vec(change, 0..3), 1i64..60), 1..20);
    for case in 0..cases {
        let wishes = saves.new_tree(&mut runner).expect("saves").current();
        let saves: Vec<Value> = wishes
            .into_iter()
            .map(|(changes, seq)| {
                let mut save = shop.save(&format!("dev{case}:{seq}"), (seq % 3) as usize, seq);
                for (field, value) in changes {
                    save[FIELDS[field]] = value;
                }
                save
            })
            .collect();
        let results = shop.send(&ana, &saves).await;
        for outcome in outcomes(&results) {
            assert!(["applied", "superseded", "duplicate", "held", "rejected"].contains(&outcome));
        }
        // Sent again, nothing changes: stored saves are duplicates, others are rejected again.
        let again = shop.send(&ana, &saves).await;
        assert!(
            outcomes(&again).iter().all(|outcome| ["duplicate", "rejected"].contains(outcome)),
            "{saves:#?} {again:#?}"
        );
    }
}

#[rstest]
#[tokio::test]
async fn a_compressed_batch_is_accepted_and_a_bomb_is_not(#[from(one_engine)] on: Engine) {
    let shop = Shop::open(on).await;
    let ana = shop.counter().await;
    let pack = |bytes: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(bytes).expect("packed");
        packer.finish().expect("packed")
    };
    let send = async |bytes: Vec<u8>, kind: &str| {
        let request = ana.request(reqwest::Method::POST, &format!("{PATH}/batch"));
        let request = request.header("content-type", "application/json").header("content-encoding", kind);
        ana.send(request.body(bytes)).await
    };
    let batch = shop.batch(&[shop.save("tab:1", 0, 12)]).to_string();
    let answer = send(pack(batch.as_bytes()), "gzip").await.expect(200);
    assert_eq!(answer["results"][0]["outcome"], "applied");
    // A thousandth of its decompressed size.
    send(pack(&vec![b' '; 100 << 20]), "gzip").await.expect(413);
    send(batch.clone().into_bytes(), "gzip").await.expect(400);
    let cut = pack(batch.as_bytes());
    send(cut[..cut.len() / 2].to_vec(), "gzip").await.expect(400);
    send(batch.into_bytes(), "br").await.expect(415);
}
