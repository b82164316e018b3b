//! Keys and connectors that send sales of the same store-day: each corrects what it sent, and nothing of the others.

use rstest::rstest;
use serde_json::{Value, json};

use super::feeds::{FEED, SECRET, feed, push, settings};
use super::ingest::{key, send};
use super::questions::{aside, deliver, retry};
use super::{Stage, stage};
use crate::support::{Engine, one_engine};

const KEYS: &str = "/api/tools/import-sales-product/ingest/keys";

/// Quantity and net of the store-days of a source.
async fn sums(stage: &Stage, source: &str) -> Vec<(i64, i64)> {
    stage.posted(source).await.into_iter().map(|(.., qty, net)| (qty / 1_000_000, net / 100)).collect()
}

/// What a key gets for a push: accepted lines, and problems.
async fn told(stage: &Stage, secret: &str, body: &str) -> (Value, String) {
    let said = send(stage, secret, body, None).await.expect(200);
    (said["accepted"].clone(), said["problems"].to_string())
}

#[rstest]
#[tokio::test]
async fn whole_days_of_a_key_leave_those_of_another(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let (first, secret) = key(&stage, "Till 1", json!([stage.north])).await;
    let (_, other) = key(&stage, "Till 2", json!([stage.north])).await;
    let day = stage.today.plus(-1);
    let body = |qty: i64| format!("date,item,quantity,net\n{day},Rice,{qty},{qty}0\n");
    assert_eq!(told(&stage, &secret, &body(5)).await, (json!(1), "[]".to_owned()));
    let (accepted, problems) = told(&stage, &other, &body(7)).await;
    assert_eq!(accepted, 0);
    assert!(
        problems.contains("by another key or connector") && problems.contains("1 line left out"),
        "{problems}"
    );
    assert_eq!(sums(&stage, "api").await, [(5, 50)]);
    // The same sales change nothing; a correction by the same key replaces them.
    assert_eq!(told(&stage, &other, &body(5)).await, (json!(1), "[]".to_owned()));
    assert_eq!(told(&stage, &secret, &body(8)).await, (json!(1), "[]".to_owned()));
    assert_eq!(sums(&stage, "api").await, [(8, 80)]);
    // A key made after another was revoked goes on with its days, and only it.
    stage.admin.post(&format!("{KEYS}/{first}/revoke"), &json!({})).await.expect(200);
    assert_eq!(told(&stage, &other, &body(7)).await.0, 0);
    stage.app.clock.advance(60);
    let (_, next) = key(&stage, "Till 1 again", json!([stage.north])).await;
    assert_eq!(told(&stage, &next, &body(9)).await, (json!(1), "[]".to_owned()));
    assert_eq!(sums(&stage, "api").await, [(9, 90)]);
}

#[rstest]
#[tokio::test]
async fn receipts_of_two_keys_are_told_apart_by_their_tills(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = stage(on).await;
    let (_, secret) = key(&stage, "Till 1", json!([stage.north])).await;
    let (_, other) = key(&stage, "Till 2", json!([stage.north])).await;
    let day = stage.today.plus(-1);
    let body = |till: &str, rows: &[(i64, i64)]| {
        let rows = rows.iter().map(|(receipt, qty)| format!("{day},{till},{receipt},Rice,{qty},{qty}0\n"));
        format!("date,terminal,receipt,item,quantity,net\n{}", rows.collect::<String>())
    };
    // Both tills number from 1.
    for (secret, till, rows) in [
        (&secret, "T1", [(1, 1), (2, 2)]),
        (&other, "T2", [(1, 40), (2, 5)]),
        (&secret, "T1", [(2, 3), (3, 100)]),
        (&other, "T2", [(1, 40), (2, 5)]),
    ] {
        let (accepted, problems) = told(&stage, secret, &body(till, &rows)).await;
        assert_eq!((accepted, problems.as_str()), (json!(2), "[]"));
    }
    assert_eq!(sums(&stage, "api").await, [(149, 1_490)]);

    // The same takings at each till, through one channel, are no sign of the same sales.
    let (third, fourth) = (stage.today.plus(-3), stage.today.plus(-4));
    let channel = |day, till: &str, qty: i64| {
        format!("date,terminal,receipt,channel,item,quantity,net\n{day},{till},1,Dine In,Rice,{qty},{qty}0\n")
    };
    for (secret, till) in [(&secret, "T1"), (&other, "T2")] {
        assert_eq!(told(&stage, secret, &channel(third, till, 1)).await, (json!(1), "[]".to_owned()));
    }
    // Another key corrects a receipt; what the first sends after that leaves it corrected.
    for (secret, number, qty) in [(&secret, 5, 10), (&other, 5, 8), (&secret, 6, 5)] {
        let body =
            format!("date,terminal,receipt,item,quantity,net\n{fourth},T1,{number},Rice,{qty},{qty}0\n");
        assert_eq!(told(&stage, secret, &body).await, (json!(1), "[]".to_owned()));
    }
    assert_eq!(sums(&stage, "api").await, [(13, 130), (2, 20), (149, 1_490)]);

    // Without tills, numbers of another key would be taken for its receipts.
    let day = stage.today.plus(-2);
    let bare = |rows: &[(i64, i64)]| {
        let rows = rows.iter().map(|(receipt, qty)| format!("{day},{receipt},Rice,{qty},{qty}0\n"));
        format!("date,receipt,item,quantity,net\n{}", rows.collect::<String>())
    };
    assert_eq!(told(&stage, &secret, &bare(&[(1, 1), (2, 2)])).await.0, 2);
    let (accepted, problems) = told(&stage, &other, &bare(&[(1, 40)])).await;
    assert_eq!(accepted, 0);
    assert!(problems.contains("names the till"), "{problems}");
    assert_eq!(told(&stage, &secret, &bare(&[(2, 4)])).await, (json!(1), "[]".to_owned()));
    assert_eq!(sums(&stage, "api").await, [(13, 130), (2, 20), (5, 50), (149, 1_490)]);
}

#[rstest]
#[tokio::test]
async fn a_feed_puts_aside_the_days_of_another(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let (one, two) = (
        feed(&stage, "Tills", settings("days", None)).await,
        feed(&stage, "Delivery app", settings("days", None)).await,
    );
    let (day, before) = (stage.today.plus(-1), stage.today.plus(-2));
    let body = |day, qty: i64| format!("date,store,receipt,item,qty,net\n{day},North,,Rice,{qty},{qty}0\n");
    deliver(&stage, &one, "d1", &body(day, 5)).await;
    let both = format!("{}{before},North,,Rice,1,10\n", body(day, 7));
    push(&stage, &two, "d1", &both, SECRET, 0).await.expect(202);
    stage.app.drain().await;
    // What can only be its own is posted.
    assert_eq!(sums(&stage, "w3p").await, [(1, 10), (5, 50)]);
    let asked = aside(&stage, &two).await;
    assert!(
        asked.len() == 1 && asked[0].0.contains("Another connector or key sent sales of North"),
        "{asked:?}"
    );
    // Each goes on with what it sent.
    deliver(&stage, &one, "d2", &body(day, 6)).await;
    assert_eq!((sums(&stage, "w3p").await, aside(&stage, &one).await.len()), (vec![(1, 10), (6, 60)], 0));
    retry(&stage, &two, &asked[0].1).await;
    assert_eq!(sums(&stage, "w3p").await, [(1, 10), (13, 130)]);
    assert_eq!(aside(&stage, &two).await, []);
    // Once told apart, each corrects its own unasked.
    deliver(&stage, &two, "d2", &body(day, 8)).await;
    assert_eq!((sums(&stage, "w3p").await, aside(&stage, &two).await.len()), (vec![(1, 10), (14, 140)], 0));

    // What was put aside for another reason is asked about when it is tried again.
    let three = feed(&stage, "By another name", settings("days", None)).await;
    deliver(&stage, &three, "d1", &body(day, 9).replace("North", "Nth")).await;
    let (reason, entry) = aside(&stage, &three).await.remove(0);
    assert!(reason.contains("«Nth»"), "{reason}");
    let names = json!({ "stores": [{ "name": "Nth", "storeId": stage.north }] });
    stage.admin.post(&format!("{FEED}/{three}/stores"), &names).await.expect(200);
    retry(&stage, &three, &entry).await;
    assert_eq!(sums(&stage, "w3p").await, [(1, 10), (14, 140)], "nothing was added");
}
