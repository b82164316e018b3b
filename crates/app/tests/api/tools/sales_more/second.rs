//! A second file of a store-day (case 01): added, asked about, or the same.

use rstest::rstest;
use serde_json::{Value, json};

use super::{check, near, stage, suggestion, text};
use crate::support::{App, Client, Engine, one_engine};
use crate::tools::import_sales_product::HOME;

/// What posting the second file does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Then {
    /// It is posted unasked.
    Unasked,
    /// It is asked about; this choice is made, of those that are offered.
    Asked(&'static str),
}

/// Two files of 13 November, and the day's quantity and net after both.
struct Pair {
    name: &'static str,
    files: [String; 2],
    then: Then,
    qty: f64,
    net: f64,
}

/// Rows of till, receipt, quantity and amount, as a file; no till column if no row has a till.
fn till(rows: &[(&str, &str, u32, u32)]) -> String {
    let tilled = rows.iter().any(|(till, ..)| !till.is_empty());
    let mut file = vec![format!(
        "Date,Store,{}Receipt No,Item Name,Qty,Net Sales",
        if tilled { "Terminal," } else { "" }
    )];
    for (till, receipt, qty, net) in rows {
        let till = if tilled { format!("{till},") } else { String::new() };
        file.push(format!("2026-11-13,Larkspur Mall,{till}{receipt},Tapsilog,{qty},{net}.00"));
    }
    file.join("\n") + "\n"
}

fn pairs() -> Vec<Pair> {
    let one = till(&[("T1", "1", 1, 120), ("T1", "2", 2, 240)]);
    let bare = till(&[("", "1", 1, 120), ("", "2", 2, 240)]);
    let totals = text(&["Date,Store,Item Name,Qty,Net Sales", "2026-11-13,Larkspur Mall,Tapsilog,3,360.00"]);
    let with_semicolons = text(&[
        "Store;Date;Receipt No;Terminal;Item Name;Qty;Net Sales",
        "Larkspur Mall;13/11/2026;1;T1;Tapsilog;1;120,00",
        "Larkspur Mall;13/11/2026;2;T1;Tapsilog;2;240,00",
    ]);
    let channel = |name: &str, receipt: &str, qty: u32, net: u32| {
        text(&[
            "Date,Store,Channel,Receipt No,Item Name,Qty,Net Sales",
            &format!("2026-11-13,Larkspur Mall,{name},{receipt},Tapsilog,{qty},{net}.00"),
        ])
    };
    let tender = text(&[
        "Date,Store,Terminal,Receipt No,Item Name,Qty,Net Sales,Payment Type",
        "2026-11-13,Larkspur Mall,T1,1,Tapsilog,1,120.00,Cash",
        "2026-11-13,Larkspur Mall,T1,2,Tapsilog,3,450.00,foodpanda",
    ]);
    let pair = |name, first: &str, second: String, then, qty: f64, net: f64| Pair {
        name,
        files: [first.to_owned(), second],
        then,
        qty,
        net,
    };
    vec![
        pair("another till", &one, till(&[("T2", "1", 5, 600)]), Then::Unasked, 8.0, 960.0),
        pair(
            "two more tills, one of them with the same numbers",
            &one,
            till(&[("T2", "1", 5, 600), ("T2", "2", 1, 120), ("T3", "9", 1, 60)]),
            Then::Unasked,
            10.0,
            1_140.0,
        ),
        pair(
            "the rest of an export that was cut",
            &one,
            till(&[("T1", "3", 1, 120), ("T1", "4", 4, 480)]),
            Then::Unasked,
            8.0,
            960.0,
        ),
        pair("the same content in another form", &one, with_semicolons, Then::Unasked, 3.0, 360.0),
        pair("the same file", &one, one.clone(), Then::Unasked, 3.0, 360.0),
        pair(
            "receipts that overlap, corrected",
            &one,
            till(&[("T1", "2", 1, 120), ("T1", "3", 4, 480)]),
            Then::Asked("replaceReceipts"),
            6.0,
            720.0,
        ),
        pair(
            "a whole till again",
            &till(&[("T1", "1", 1, 120), ("T1", "2", 2, 240), ("T2", "1", 5, 600)]),
            till(&[("T1", "1", 1, 120), ("T1", "5", 3, 300)]),
            Then::Asked("replaceTills"),
            9.0,
            1_020.0,
        ),
        pair(
            "numbers with zeros and letters before",
            &one,
            till(&[("T1", "R0001", 1, 120), ("T1", "R0002", 2, 240), ("T1", "R0003", 2, 240)]),
            Then::Asked("replaceReceipts"),
            5.0,
            600.0,
        ),
        pair(
            "receipts without tills",
            &bare,
            till(&[("", "7", 4, 480), ("", "8", 1, 60)]),
            Then::Asked("add"),
            8.0,
            900.0,
        ),
        pair("totals after receipts", &one, totals.clone(), Then::Asked("replaceDays"), 3.0, 360.0),
        pair("receipts after totals", &totals, till(&[("T2", "1", 5, 600)]), Then::Asked("add"), 8.0, 960.0),
        pair("a delivery app", &one, channel("GrabFood", "GF-1", 3, 450), Then::Asked("add"), 6.0, 810.0),
        pair(
            "an app that the till has as a tender",
            &tender,
            channel("foodpanda", "fp-9", 3, 440),
            // A user who adds it nevertheless has both.
            Then::Asked("add"),
            7.0,
            1_010.0,
        ),
        pair(
            "another till, nearly the same amount",
            &one,
            till(&[("T2", "1", 3, 355)]),
            Then::Asked("add"),
            6.0,
            715.0,
        ),
    ]
}

/// Uploads, checks and posts a file of the day; returns its batch's id, and the status and answer of posting.
async fn post(
    app: &App,
    admin: &Client,
    store: &str,
    file: &str,
    name: &str,
) -> Result<(String, u16, Value), String> {
    let (id, mapping) = suggestion(admin, name, file.as_bytes().to_vec(), store).await?;
    let batch = check(app, admin, &id, &mapping).await?;
    let open = super::open(&batch);
    if !open.is_empty() {
        return Err(format!("{name} is asked about: {open:?}"));
    }
    let answer = admin.post(&format!("{HOME}/batches/{id}/post"), &json!({})).await;
    app.drain().await;
    Ok((id, answer.status, answer.json()))
}

/// The day's quantity and net.
async fn day(admin: &Client, store: &str) -> (f64, f64) {
    let seen = admin.get(&format!("{HOME}/days/{store}/2026-11-13")).await.expect(200);
    let of = |what: &str| seen["totals"][what].as_f64().unwrap_or(f64::NAN);
    (of("qty"), of("net"))
}

async fn play(on: Engine, pair: &Pair) -> Result<(), String> {
    let (app, admin, store) = stage(on).await;
    let (first, status, answer) = post(&app, &admin, &store, &pair.files[0], "first.csv").await?;
    if status != 200 {
        return Err(format!("the first file is refused: {answer}"));
    }
    let before = day(&admin, &store).await;
    let (second, status, answer) = post(&app, &admin, &store, &pair.files[1], "second.csv").await?;
    match (pair.then, status) {
        (Then::Unasked, 200) => {}
        (Then::Asked(choice), 409) if answer["code"] == "alreadyImported" => {
            if day(&admin, &store).await != before {
                return Err("a question changed the day".to_owned());
            }
            if answer["storeDays"] != 1 {
                return Err(format!("asks about another number of days: {answer}"));
            }
            let choices = answer["days"][0]["choices"].as_array().cloned().unwrap_or_default();
            let Some(chosen) = choices.iter().find(|offered| offered["id"] == choice) else {
                return Err(format!("«{choice}» is not offered: {answer}"));
            };
            if !near(&chosen["qty"], pair.qty) || !near(&chosen["net"], pair.net) {
                return Err(format!(
                    "«{choice}» is not said to come to {} and ₱{}: {answer}",
                    pair.qty, pair.net
                ));
            }
            let wish = json!({ "onExisting": choice });
            admin.post(&format!("{HOME}/batches/{second}/post"), &wish).await.expect(200);
            app.drain().await;
        }
        _ => return Err(format!("posting answers {status}: {answer}")),
    }
    let after = day(&admin, &store).await;
    if !near(&json!(after.0), pair.qty) || !near(&json!(after.1), pair.net) {
        return Err(format!("the day is {after:?}, should be {} and ₱{}", pair.qty, pair.net));
    }
    taken_back(&app, &admin, &store, [&first, &second], before).await
}

/// With the second file taken back, the day is as before; with both, it is empty.
async fn taken_back(
    app: &App,
    admin: &Client,
    store: &str,
    [first, second]: [&String; 2],
    before: (f64, f64),
) -> Result<(), String> {
    let revert = async |id: &str| {
        let status = admin.post(&format!("{HOME}/batches/{id}/revert"), &json!({})).await.status;
        app.drain().await;
        status
    };
    let status = revert(second.as_str()).await;
    if status != 200 || day(admin, store).await != before {
        return Err(format!(
            "taken back ({status}), the day is {:?}, was {before:?}",
            day(admin, store).await
        ));
    }
    revert(first.as_str()).await;
    let left = day(admin, store).await;
    if left == (0.0, 0.0) { Ok(()) } else { Err(format!("with both files taken back, the day is {left:?}")) }
}

#[rstest]
#[tokio::test]
async fn a_second_file_of_a_day_neither_doubles_nor_loses_sales(#[from(one_engine)] on: Engine) {
    let mut wrong = Vec::new();
    let pairs = pairs();
    for pair in &pairs {
        if let Err(why) = play(on, pair).await {
            wrong.push(format!("{}: {why}\n{}---\n{}", pair.name, pair.files[0], pair.files[1]));
        }
    }
    assert!(wrong.is_empty(), "{} of {} pairs:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
}
