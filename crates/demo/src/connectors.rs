//! Example connectors with the results of their last runs. All are paused: a demo makes no outgoing calls.

use larder_db::{Json, Tx};
use larder_domain::Timestamp;
use larder_platform::http::ApiError;
use serde_json::{Value, json};

use super::demand::World;
use super::demo_actor::{DemoActor, moment};

struct Example {
    kind: &'static str,
    name: &'static str,
    secret: &'static str,
    settings: Value,
    runs: Vec<Past>,
}

/// A run: days back, state, counts, message and log.
struct Past {
    back: i32,
    cause: &'static str,
    state: &'static str,
    lines: i64,
    repeated: i64,
    words: &'static str,
    log: Vec<(&'static str, String)>,
    /// Unit, kind, reason and received data.
    aside: Option<(String, &'static str, &'static str, &'static str)>,
}

/// Creates the connectors.
pub async fn load(demo: &mut DemoActor<'_>, world: &World) -> Result<(), ApiError> {
    let last = world.last;
    let day = |back: i32| last.plus(-back).display();
    let api = Example {
        kind: "api",
        name: "Delivery partner's API",
        secret: "token",
        settings: json!({
            "kind": "api", "url": "https://api.delivery.example.com/v2/orders?date={date}&page={page}",
            "method": "GET", "headers": [], "auth": { "kind": "bearer" }, "paging": { "kind": "page", "first": 1, "total": "meta.total" },
            "reading": { "fields": { "date": "data[].completedAt", "store": "data[].branch", "receipt": "data[].orderNo",
                                     "item": "data[].lines[].name", "quantity": "data[].lines[].qty", "net": "data[].lines[].amount" },
                         "key": "data[].id", "dateFormat": "ymd", "decimal": ".", "priceMeans": "unit" },
            "againDays": 3, "daysAtOnce": 1,
        }),
        runs: vec![
            Past {
                back: 1,
                cause: "schedule",
                state: "done",
                lines: 412,
                repeated: 20,
                words: "412 lines taken: 8 store-days new, 0 replaced, 16 unchanged. ",
                log: vec![
                    (
                        "info",
                        format!(
                            "GET https://api.delivery.example.com/v2/orders?date={}&page=1: 200 (48 KB).",
                            last.plus(-1)
                        ),
                    ),
                    ("warning", "The server asks us to slow down (429). Asked again in 12 s.".to_owned()),
                    ("warning", format!("{}: page 3 is one that came before. Asked again.", day(1))),
                    ("info", format!("{}: 131 records on 7 pages.", day(1))),
                    ("info", format!("{}: 412 lines of 8 store-days posted.", day(1))),
                ],
                aside: None,
            },
            Past {
                back: 0,
                cause: "schedule",
                state: "partly",
                lines: 398,
                repeated: 0,
                words: "398 lines taken: 7 store-days new, 0 replaced, 16 unchanged. 1 put aside.",
                log: vec![
                    ("warning", "The server dropped the connection. Asked again in 340 ms.".to_owned()),
                    ("info", format!("{}: 127 records on 7 pages.", day(0))),
                    (
                        "error",
                        format!(
                            "{}: The store «BGC Kiosk» is not known. Say which store it is. Their lines are put aside.",
                            day(0)
                        ),
                    ),
                ],
                aside: Some((
                    last.to_string(),
                    "day",
                    "The store «BGC Kiosk» is not known. Say which store it is.",
                    "{ \"id\": \"o-88127\", \"branch\": \"BGC Kiosk\", \"orderNo\": \"8127\", \"lines\": [{ \"name\": \"Chicken adobo\", \"qty\": 2, \"amount\": 398.00 }] }",
                )),
            },
        ],
    };
    let feed = Example {
        kind: "w3p",
        name: "W3P tills",
        secret: "signingSecret",
        settings: json!({
            "kind": "w3p", "folder": "w3p", "holds": "receipts",
            "reading": { "fields": { "date": "date", "store": "store", "terminal": "till", "receipt": "or_no", "item": "plu",
                                     "quantity": "qty", "net": "amount" },
                         "dateFormat": "ymd", "decimal": ".", "priceMeans": "unit" },
        }),
        runs: vec![
            Past {
                back: 0,
                cause: "push",
                state: "done",
                lines: 57,
                repeated: 0,
                words: "57 lines taken: 0 store-days new, 1 replaced, 0 unchanged.",
                log: vec![("info", "delivery w3p-20817: 57 lines of 1 store-day posted.".to_owned())],
                aside: None,
            },
            Past {
                back: 0,
                cause: "file",
                state: "partly",
                lines: 0,
                repeated: 0,
                words: "0 lines taken: 0 store-days new, 0 replaced, 0 unchanged. 1 put aside.",
                log: vec![("error", "file till-3.csv: A line cannot be read: Quantity is not a number with a decimal point. Correct it. It says «1O». Put aside; nothing of it was posted.".to_owned())],
                aside: Some((
                    "file till-3.csv".to_owned(),
                    "file",
                    "A line cannot be read: Quantity is not a number with a decimal point. Correct it. It says «1O».",
                    "date,store,till,or_no,plu,qty,amount\n2026-11-20,Makati,3,10021,Garlic rice,1O,350.00\n",
                )),
            },
        ],
    };
    let warehouse = Example {
        kind: "bigquery",
        name: "Sales warehouse",
        secret: "serviceAccount",
        settings: json!({
            "kind": "bigquery", "project": "larder-demo", "location": "asia-southeast1", "table": "pos.sales_lines",
            "dateColumn": "business_date",
            "reading": { "fields": { "store": "branch", "receipt": "receipt_no", "item": "product", "quantity": "qty", "net": "net" },
                         "key": "line_id", "dateFormat": "ymd", "decimal": ".", "priceMeans": "unit" },
            "againDays": 3,
        }),
        runs: vec![Past {
            back: 0,
            cause: "schedule",
            state: "failed",
            lines: 0,
            repeated: 0,
            words: "The server refused the sign-in (403 Forbidden). Check the secret and what it may read.",
            log: vec![
                ("info", "Signed in as reader@larder-demo.iam.example.com.".to_owned()),
                (
                    "error",
                    "The server refused the sign-in (403 Forbidden). Check the secret and what it may read."
                        .to_owned(),
                ),
            ],
            aside: None,
        }],
    };
    for example in [api, feed, warehouse] {
        write(demo, world, &example).await?;
    }
    Ok(())
}

async fn write(demo: &mut DemoActor<'_>, world: &World, example: &Example) -> Result<(), ApiError> {
    let made = moment(world.last.plus(-20), 9, 30);
    let id = demo.id(made);
    let place = larder_platform::encryption::place("connectors", "secrets", &id);
    let encrypted = demo
        .state
        .cipher
        .encrypt(&place, &json!({ example.secret: "of-the-demo-and-good-for-nothing" }).to_string());
    let runs: Vec<(String, String, Timestamp, &Past)> = example
        .runs
        .iter()
        .map(|run| {
            let at = moment(world.last.plus(1 - run.back), 3, 0);
            (demo.id(at), demo.id(at), demo.not_later(at), run)
        })
        .collect();
    let actor = demo.actor(0, made);
    let (id, encrypted, runs, last) = (id.as_str(), encrypted.as_str(), &runs, world.last);
    demo
        .state
        .db
        .write(&actor, async |tx: &mut Tx<'_>| -> Result<(), ApiError> {
            let by = json!({ "uid": actor.uid, "name": actor.name, "email": actor.email });
            tx.sql(
                "insert into connectors (id, kind, name, name_key, settings, secrets, secrets_set, paused, scheduled, minutes,
                   weekdays, cursor_day, revision, created_at, created_by, updated_at, updated_by)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 180, 127, $10, 1, $11, $12, $11, $12)",
            )
            .bind(id)
            .bind(example.kind)
            .bind(example.name)
            .bind(example.name.to_lowercase())
            .bind(Json(&example.settings))
            .bind(encrypted)
            .bind(Json(json!({ example.secret: actor.at })))
            .bind(true)
            .bind(example.kind != "w3p")
            .bind(Some(last).filter(|_| example.kind == "api"))
            .bind(actor.at)
            .bind(Json(&by))
            .execute()
            .await?;
            for (run_id, letter, at, run) in runs {
                past(tx, id, run_id, letter, *at, run).await?;
            }
            Ok(())
        })
        .await
}

async fn past(
    tx: &mut Tx<'_>,
    id: &str,
    run_id: &str,
    letter: &str,
    at: Timestamp,
    run: &Past,
) -> Result<(), ApiError> {
    let by = json!({ "uid": "system", "name": "Larder", "email": "" });
    tx.sql(
        "insert into connector_runs (id, connector_id, job_id, state, cause, asked, lines, repeated, pages, days_new,
           days_replaced, days_unchanged, put_aside, words, created_at, created_by, finished_at)
         values ($1, $2, $1, $3, $4, '{}', $5, $6, 7, 0, 0, 0, $7, $8, $9, $10, $11)",
    )
    .bind(run_id)
    .bind(id)
    .bind(run.state)
    .bind(run.cause)
    .bind(run.lines)
    .bind(run.repeated)
    .bind(i64::from(run.aside.is_some()))
    .bind(run.words.trim())
    .bind(at)
    .bind(Json(&by))
    .bind(at.plus_seconds(41))
    .execute()
    .await?;
    let rows: Vec<(&str, i64, Timestamp, &str, &str)> = run
        .log
        .iter()
        .zip(1..)
        .map(|((level, words), seq)| (run_id, seq, at.plus_seconds(seq * 4), *level, words.as_str()))
        .collect();
    tx.insert_rows("connector_log", &["run_id", "seq", "at", "level", "words"], rows, "").await?;
    let Some((unit, what, reason, raw)) = &run.aside else { return Ok(()) };
    let stores: &[&str] = if *what == "day" { &["BGC Kiosk"] } else { &[] };
    tx.sql(
        "insert into connector_letters (id, connector_id, run_id, unit, what, reason, raw, raw_cut, stores, state, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', $10)",
    )
    .bind(letter)
    .bind(id)
    .bind(run_id)
    .bind(unit)
    .bind(*what)
    .bind(*reason)
    .bind(*raw)
    .bind(false)
    .bind(Json(stores))
    .bind(at)
    .execute()
    .await?;
    Ok(())
}
