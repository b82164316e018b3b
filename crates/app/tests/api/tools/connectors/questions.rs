//! What a user would be asked about a file is put aside with its question when no one is there to be asked.

use rstest::rstest;
use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use super::feeds::{FEED, SECRET, csv, feed, push, settings};
use super::server::{Hostile, Reply};
use super::{HOME, Stage, api, stage};
use crate::support::{Engine, one_engine};

/// The reasons of what a feed put aside, and its ids.
pub(super) async fn aside(stage: &Stage, id: &str) -> Vec<(String, String)> {
    let found = stage.admin.get(&format!("{FEED}/{id}/aside")).await.expect(200);
    let entries = found["items"].as_array().expect("entries").iter();
    let text = |entry: &Value, field: &str| entry[field].as_str().expect("a text").to_owned();
    entries.map(|entry| (text(entry, "reason"), text(entry, "id"))).collect()
}

/// Store-days of the feed: store, quantity in millionths and net in centavos.
async fn sums(stage: &Stage) -> Vec<(String, i64, i64)> {
    stage.posted("w3p").await.into_iter().map(|(store, _, _, qty, net)| (store, qty, net)).collect()
}

pub(super) async fn deliver(stage: &Stage, id: &str, delivery: &str, body: &str) {
    push(stage, id, delivery, body, SECRET, 0).await.expect(202);
    stage.app.drain().await;
}

/// Retries what was put aside.
pub(super) async fn retry(stage: &Stage, id: &str, entry: &str) {
    stage.admin.post(&format!("{FEED}/{id}/aside/{entry}/retry"), &json!({})).await.expect(202);
    stage.app.drain().await;
}

#[rstest]
#[tokio::test]
async fn a_status_that_is_not_known_is_asked_about(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let day = stage.today.plus(-1);
    // No field is mapped to the status.
    let body = format!(
        "date,store,receipt,item,qty,net,status\n{day},North,1,Rice,1,10,Completed\n{day},North,2,Rice,2,20,Cancelled\n\
         {day},North,3,Rice,4,40,Preparing\n"
    );
    let plain = feed(&stage, "Plain", settings("receipts", None)).await;
    deliver(&stage, &plain, "d1", &body).await;
    assert_eq!(sums(&stage).await, []);
    let asked = aside(&stage, &plain).await;
    assert!(asked.len() == 1 && asked[0].0.contains("What does this word mean"), "{asked:?}");
    assert!(asked[0].0.contains("«Preparing»"), "{asked:?}");

    let mut told = settings("receipts", None);
    told["reading"]["words"] = json!({ "Preparing": "leaveOut" });
    let told = feed(&stage, "Told", told).await;
    deliver(&stage, &told, "d2", &body).await;
    assert_eq!(aside(&stage, &told).await, []);
    assert_eq!(
        sums(&stage).await,
        [("North".to_owned(), 1_000_000, 1_000)],
        "a cancelled sale counts nothing"
    );
}

#[rstest]
#[tokio::test]
async fn lines_repeated_for_each_tender_are_asked_about(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let mut paid = settings("receipts", None);
    paid["reading"]["fields"]["tender"] = json!("paid");
    let id = feed(&stage, "Paid", paid).await;
    let day = stage.today.plus(-1);
    let rows = ["Cash", "GCash"]
        .map(|tender| format!("{day},North,1,Rice,1,10,{tender}\n{day},North,1,Soup,2,20,{tender}\n"));
    let body = format!("date,store,receipt,item,qty,net,paid\n{}", rows.concat());
    deliver(&stage, &id, "d1", &body).await;
    assert_eq!(sums(&stage).await, []);
    let asked = aside(&stage, &id).await;
    assert!(asked.len() == 1 && asked[0].0.contains("repeated for each tender?"), "{asked:?}");
    // Who retries them has seen the question: each line was sold.
    retry(&stage, &id, &asked[0].1).await;
    assert_eq!(aside(&stage, &id).await, []);
    assert_eq!(sums(&stage).await, [("North".to_owned(), 6_000_000, 6_000)]);
}

#[rstest]
#[tokio::test]
async fn lines_known_to_be_repeated_are_not_posted_by_a_retry(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let mut paid = settings("receipts", None);
    paid["reading"]["fields"]["tender"] = json!("paid");
    paid["reading"]["fields"]["tenderAmount"] = json!("amount");
    let id = feed(&stage, "Amounts", paid).await;
    let day = stage.today.plus(-1);
    let set = format!("{day},North,1,Rice,1,10,GCash,15\n{day},North,1,Soup,2,20,GCash,15\n");
    let body = format!("date,store,receipt,item,qty,net,paid,amount\n{set}{set}");
    deliver(&stage, &id, "d1", &body).await;
    let asked = aside(&stage, &id).await;
    assert!(asked.len() == 1 && asked[0].0.contains("repeated for each tender?"), "{asked:?}");
    retry(&stage, &id, &asked[0].1).await;
    let asked = aside(&stage, &id).await;
    assert!(asked.iter().any(|(words, _)| words.contains("repeated for each tender?")), "{asked:?}");
    assert_eq!(sums(&stage).await, []);
}

/// Retries what was put aside with an answer; returns the status.
async fn answer(stage: &Stage, id: &str, entry: &str, answer: &str) -> u16 {
    let path = format!("{FEED}/{id}/aside/{entry}/retry");
    let status = stage.admin.post(&path, &json!({ "answer": answer })).await.status;
    stage.app.drain().await;
    status
}

/// The answers offered for the newest entry.
async fn choices(stage: &Stage, id: &str) -> Value {
    let found = stage.admin.get(&format!("{FEED}/{id}/aside")).await.expect(200);
    found["items"][0]["choices"].clone()
}

/// A feed with tenders, and with their amounts.
async fn paid_feed(stage: &Stage, name: &str, amounts: bool) -> String {
    let mut paid = settings("receipts", None);
    paid["reading"]["fields"]["tender"] = json!("paid");
    if amounts {
        paid["reading"]["fields"]["tenderAmount"] = json!("amount");
    }
    feed(stage, name, paid).await
}

#[rstest]
#[tokio::test]
async fn one_set_of_repeated_lines_counts_where_that_is_answered(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let id = paid_feed(&stage, "Paid", false).await;
    let day = stage.today.plus(-1);
    let rows = |store: &str| {
        ["Cash", "GCash"]
            .map(|tender| format!("{day},{store},1,Rice,1,10,{tender}\n{day},{store},1,Soup,2,20,{tender}\n"))
            .concat()
    };
    let body = format!("date,store,receipt,item,qty,net,paid\n{}{}", rows("North"), rows("Nowhere"));
    deliver(&stage, &id, "d1", &body).await;
    let asked = aside(&stage, &id).await;
    assert!(
        asked[0].0.contains("One set comes to 6 pieces and ₱60.00, each line to 12 pieces and ₱120.00."),
        "{asked:?}"
    );
    assert_eq!(
        choices(&stage, &id).await,
        json!([
            { "id": "each", "label": "No, each line was sold" },
            { "id": "once", "label": "Yes, count one set" },
        ])
    );
    assert_eq!(answer(&stage, &id, &asked[0].1, "perhaps").await, 422);
    assert_eq!(answer(&stage, &id, &asked[0].1, "dated").await, 422, "the answer to another question");
    assert_eq!(answer(&stage, &id, &asked[0].1, "once").await, 202);
    assert_eq!(sums(&stage).await, [("North".to_owned(), 3_000_000, 3_000)]);

    // The lines of a store that is not known keep the answer.
    let asked = aside(&stage, &id).await;
    assert!(asked.len() == 1 && asked[0].0.contains("«Nowhere» is not known"), "{asked:?}");
    assert_eq!(choices(&stage, &id).await, json!([]));
    let named = json!({ "stores": [{ "name": "Nowhere", "storeId": stage.south }] });
    stage.admin.post(&format!("{FEED}/{id}/stores"), &named).await.expect(200);
    retry(&stage, &id, &asked[0].1).await;
    let mut all = sums(&stage).await;
    all.sort();
    let row = |store: &str| (store.to_owned(), 3_000_000, 3_000);
    assert_eq!(all, [row("North"), row("South")]);
    assert_eq!(aside(&stage, &id).await, []);
}

#[rstest]
#[case("once", 3_000_000)]
#[case("each", 6_000_000)]
#[tokio::test]
async fn lines_known_to_be_repeated_are_posted_as_answered(
    #[from(one_engine)] on: Engine,
    #[case] said: &str,
    #[case] qty: i64,
) {
    let stage = stage(on).await;
    let id = paid_feed(&stage, "Amounts", true).await;
    let day = stage.today.plus(-1);
    let set = format!("{day},North,1,Rice,1,10,GCash,15\n{day},North,1,Soup,2,20,GCash,15\n");
    let body = format!("date,store,receipt,item,qty,net,paid,amount\n{set}{set}");
    deliver(&stage, &id, "d1", &body).await;
    let asked = aside(&stage, &id).await;
    assert_eq!(answer(&stage, &id, &asked[0].1, said).await, 202);
    assert_eq!(aside(&stage, &id).await, []);
    assert_eq!(sums(&stage).await, [("North".to_owned(), qty, qty / 1_000)]);
}

#[rstest]
#[tokio::test]
async fn what_asks_nothing_takes_no_answer(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let id = feed(&stage, "Codes", settings("receipts", None)).await;
    let day = stage.today.plus(-1);
    deliver(&stage, &id, "d1", &csv(&[&format!("{day},North,1,4.80002E+12,2,20")])).await;
    let asked = aside(&stage, &id).await;
    assert_eq!(choices(&stage, &id).await, json!([]));
    assert_eq!(answer(&stage, &id, &asked[0].1, "each").await, 422);
    assert_eq!(sums(&stage).await, []);
}

#[rstest]
#[tokio::test]
async fn a_spoiled_code_is_put_aside(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let id = feed(&stage, "Codes", settings("receipts", None)).await;
    let day = stage.today.plus(-1);
    deliver(&stage, &id, "d1", &csv(&[&format!("{day},North,1,4.80002E+12,2,20")])).await;
    assert_eq!(sums(&stage).await, []);
    let asked = aside(&stage, &id).await;
    assert!(asked.len() == 1 && asked[0].0.contains("spoiled this code"), "{asked:?}");
}

#[rstest]
#[tokio::test]
async fn a_store_that_sells_past_midnight_is_asked_about_once(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let id = feed(&stage, "Nights", settings("receipts", None)).await;
    let day = stage.today.plus(-1);
    let body = csv(&[
        &format!("{day}T00:40:00+08:00,North,1,Rice,2,20"),
        &format!("{day}T12:00:00+08:00,North,2,Rice,1,10"),
        &format!("{day}T05:30:00+08:00,South,1,Rice,3,30"),
    ]);
    deliver(&stage, &id, "d1", &body).await;
    let asked = aside(&stage, &id).await;
    let question = "North sold until 00:40 after midnight. Does its day end then?";
    assert!(asked.len() == 1 && asked[0].0.starts_with(question), "{asked:?}");
    // A store that opens early is not asked about.
    assert_eq!(sums(&stage).await, [("South".to_owned(), 3_000_000, 3_000)]);

    let path = format!("/api/stores/day-starts/{}/{}", stage.north, stage.today.plus(-30));
    stage.admin.put(&path, &json!({ "minutes": 300 })).await.expect(200);
    retry(&stage, &id, &asked[0].1).await;
    assert_eq!(aside(&stage, &id).await, []);
    let posted: Vec<_> = stage.posted("w3p").await.into_iter().map(|it| (it.0, it.1, it.3)).collect();
    let row = |store: &str, day, qty| (store.to_owned(), day, qty);
    assert_eq!(
        posted,
        [row("North", day.plus(-1), 2_000_000), row("North", day, 1_000_000), row("South", day, 3_000_000)]
    );
}

#[rstest]
#[tokio::test]
async fn sales_after_today_are_asked_about(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let future = stage.today.plus(7);
    let server = Hostile::start(move |_, _| {
        let sale = json!({ "id": "1", "day": format!("{future}T12:00:00+08:00"), "store": "North", "receipt": "1",
            "item": "Rice", "qty": 1, "net": 10 });
        Reply::json(&json!({ "data": [sale] }))
    })
    .await;
    // Its address has no day, so it answers with all it has.
    let settings = api(&format!("{}/sales", server.url), json!({ "kind": "none" }), Some("data[].id"));
    let id = stage.connector(settings).await;
    let run = stage.run(&id, 2).await;
    assert_eq!(run["run"]["state"], "partly", "{run}");
    assert_eq!(stage.posted("api").await, []);
    let found = stage.admin.get(&format!("{HOME}/{id}/aside")).await.expect(200);
    let words = found["items"][0]["reason"].as_str().expect("a reason");
    assert!(words.contains(&future.display()) && words.contains("Is that date right?"), "{words}");
}

#[rstest]
#[tokio::test]
async fn hidden_rows_of_a_pushed_workbook_are_asked_about(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let home = "/api/tools/import-sales-product/ingest";
    let body = json!({ "name": "North till", "storeIds": [stage.north] });
    let key = stage.admin.post(&format!("{home}/keys"), &body).await.expect(201);
    let bearer = format!("Bearer {}", key["key"].as_str().expect("a key"));
    let day = stage.today.plus(-1).to_string();
    for hidden in [true, false] {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        let rows = [
            "date|receipt|item|quantity|net".to_owned(),
            format!("{day}|1|Rice|1|10"),
            format!("{day}|2|Rice|2|20"),
        ];
        for (row, line) in (0u32..).zip(&rows) {
            for (column, text) in (0u16..).zip(line.split('|')) {
                sheet.write_string(row, column, text).expect("a cell");
            }
        }
        if hidden {
            sheet.set_row_hidden(2).expect("a row");
        }
        let file = book.save_to_buffer().expect("a workbook");
        let nobody = stage.app.nobody();
        let request = nobody.request(reqwest::Method::POST, home).header("authorization", &bearer).body(file);
        let answer = nobody.send(request).await;
        if hidden {
            let refused = answer.expect(422);
            assert_eq!(refused["code"], "asks", "{refused}");
            assert!(
                refused["detail"].as_str().is_some_and(|it| it.starts_with("1 row is hidden")),
                "{refused}"
            );
            assert_eq!(stage.posted("api").await, []);
        } else {
            assert_eq!(answer.expect(200)["accepted"], 2);
        }
    }
}
