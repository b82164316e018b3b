//! Connectors against misbehaving servers: every line once, none lost, and a complete log.

mod bigquery;
mod feeds;
mod guard;
mod ingest;
mod past_midnight;
mod questions;
mod senders;
pub mod server;

use larder_domain::BusinessDay;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{App, Client, Engine, one_engine};
use server::{Hostile, Reply, Request};

pub const HOME: &str = "/api/tools/services/get-sales-api";

/// A server with stores «North» and «South» and the POS item «Rice».
pub struct Stage {
    pub app: App,
    pub admin: Client,
    pub north: String,
    pub south: String,
    pub today: BusinessDay,
}

pub async fn stage(on: Engine) -> Stage {
    stage_with(on, |_| ()).await
}

pub async fn stage_with(on: Engine, set_up: impl FnOnce(&mut larder_platform::Config)) -> Stage {
    let app = App::start_idle_with(on, |config| {
        config.outgoing_allow = Some("127.0.0.1".into());
        set_up(config);
    })
    .await;
    let admin = app.admin().await;
    let mut stores = Vec::new();
    for name in ["North", "South"] {
        let body = json!({ "name": name, "code": name.to_uppercase() });
        let made = admin.post("/api/stores/locations", &body).await.expect(201);
        stores.push(made["id"].as_str().expect("an id").to_owned());
    }
    admin.post("/api/lists/pos-items", &json!({ "description": "Rice" })).await.expect(201);
    let today = BusinessDay::of(app.state.now());
    let (north, south) = (stores.remove(0), stores.remove(0));
    Stage { app, admin, north, south, today }
}

impl Stage {
    /// A connector of an API paged by number.
    pub async fn connector(&self, settings: Value) -> String {
        let made = self.admin.post(HOME, &draft("Tills", settings)).await.expect(201);
        made["id"].as_str().expect("an id").to_owned()
    }

    /// Runs it over some days until it is done, including retries, and returns the run with its log.
    pub async fn run(&self, id: &str, days: i32) -> Value {
        let ask = json!({ "from": self.today.plus(-days), "to": self.today.plus(-1) });
        let run = self.admin.post(&format!("{HOME}/{id}/runs"), &ask).await.expect(202);
        self.app.drain().await;
        self.look(HOME, id, &run).await
    }

    pub async fn look(&self, home: &str, id: &str, run: &Value) -> Value {
        let run = run["id"].as_str().expect("an id");
        self.admin.get(&format!("{home}/{id}/runs/{run}")).await.expect(200)
    }

    /// Posted store-days with their lines, quantity and net.
    pub async fn posted(&self, source: &str) -> Vec<(String, BusinessDay, i64, i64, i64)> {
        self.app
            .db
            .sql("select l.name, d.business_date, d.lines, d.qty, d.net from sales_days d join locations l on l.id = d.store_id")
            .push(" where d.source = ")
            .push_bind(source.to_owned())
            .push(" order by l.name, d.business_date")
            .all()
            .await
            .expect("store-days")
    }
}

pub fn draft(name: &str, settings: Value) -> Value {
    json!({
        "name": name, "settings": settings,
        "schedule": { "enabled": false, "minutes": 180, "weekdays": 127 },
    })
}

/// Settings of an API with records in `data[]`, with or without their unique key.
pub fn api(url: &str, paging: Value, key: Option<&str>) -> Value {
    json!({
        "kind": "api", "url": url, "paging": paging,
        "reading": {
            "fields": { "date": "data[].day", "store": "data[].store", "receipt": "data[].receipt",
                        "item": "data[].item", "quantity": "data[].qty", "net": "data[].net" },
            "key": key,
        },
    })
}

/// `n` records of a day, half for each store.
pub fn records(day: &str, n: usize) -> Vec<Value> {
    (0..n)
        .map(|at| {
            json!({
                "id": format!("{day}-{at}"), "day": format!("{day}T12:00:00+08:00"),
                "store": if at % 2 == 0 { "North" } else { "South" },
                "receipt": format!("R{}", at / 4), "item": "Rice", "qty": 1 + at % 3, "net": 10.5,
            })
        })
        .collect()
}

fn page_of(request: &Request, size: usize, n: usize) -> Value {
    let (day, page) = (request.query("date").expect("a day"), request.query("page").expect("a page"));
    let page: usize = page.parse().expect("a number");
    json!({ "data": records(&day, n).into_iter().skip((page - 1) * size).take(size).collect::<Vec<_>>() })
}

fn log(run: &Value) -> String {
    let lines = run["log"].as_array().expect("a log").iter();
    lines.map(|line| line["words"].as_str().expect("words")).collect::<Vec<_>>().join("\n")
}

const PAGES: &str = "/sales?date={date}&page={page}";

/// All faults at once: the totals are those of a faultless server, and a second run changes nothing.
#[rstest]
#[tokio::test]
async fn every_line_is_posted_once_whatever_the_server_does(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = stage(on).await;
    let server = Hostile::start(|request, before| {
        let whole = page_of(request, 5, 12).to_string();
        match before {
            0 | 9 => Reply::Drop,
            1 => Reply::Whole(429, vec![("retry-after", "1".to_owned())], "{}".to_owned()),
            3 => Reply::status(500),
            5 => Reply::Half(whole, 40),
            7 => Reply::Cut(whole, 40),
            // Once, the third page repeats the second.
            13 => Reply::json(&page_of(
                &Request { target: request.target.replace("page=3", "page=2"), ..request.clone() },
                5,
                12,
            )),
            11 => Reply::status(503),
            _ => Reply::Whole(200, Vec::new(), whole),
        }
    })
    .await;
    let settings =
        api(&format!("{}{PAGES}", server.url), json!({ "kind": "page", "first": 1 }), Some("data[].id"));
    let id = stage.connector(settings).await;
    let run = stage.run(&id, 3).await;
    assert_eq!(run["run"]["state"], "done", "{run}");
    assert_eq!((run["run"]["lines"].clone(), run["run"]["daysNew"].clone()), (json!(36), json!(6)), "{run}");
    let posted = stage.posted("api").await;
    assert_eq!(posted.len(), 6);
    for (store, day, lines, qty, net) in &posted {
        let expected: i64 =
            (0..12).filter(|at| (at % 2 == 0) == (store == "North")).map(|at| 1 + at % 3).sum();
        assert_eq!((*lines, *qty, *net), (6, expected * 1_000_000, 6 * 1_050), "{store} {day}");
    }
    let said = log(&run);
    for words in [
        "dropped the connection",
        "slow down (429)",
        "failed (500",
        "broke off after",
        "half an answer",
        "failed (503",
        "one that came before",
    ] {
        assert!(said.contains(words), "{words} is missing in\n{said}");
    }
    let again = stage.run(&id, 3).await;
    assert_eq!(
        (again["run"]["daysUnchanged"].clone(), again["run"]["daysNew"].clone()),
        (json!(6), json!(0)),
        "{again}"
    );
    assert_eq!(stage.posted("api").await, posted);
}

/// Records move between pages while being read: with a unique key, none is lost or doubled.
#[rstest]
#[tokio::test]
async fn a_changing_order_loses_nothing(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let server = Hostile::start(|request, before| {
        let day = request.query("date").expect("a day");
        let page: usize = request.query("page").and_then(|it| it.parse().ok()).expect("a page");
        let mut all = records(&day, 10);
        // The first pass sees another order on each page; then it is stable.
        if before < 4 {
            all.rotate_left(before * 3);
        }
        let data: Vec<Value> = all.into_iter().skip((page - 1) * 4).take(4).collect();
        Reply::json(&json!({ "data": data, "count": 10 }))
    })
    .await;
    let paging = json!({ "kind": "page", "first": 1, "total": "count" });
    let id = stage.connector(api(&format!("{}{PAGES}", server.url), paging, Some("data[].id"))).await;
    let run = stage.run(&id, 1).await;
    assert_eq!(
        (run["run"]["state"].clone(), run["run"]["lines"].clone()),
        (json!("done"), json!(10)),
        "{run}"
    );
    assert!(log(&run).contains("Read once more"), "{run}");
}

/// A repeated day counts once; without a unique key, a user has to decide.
#[rstest]
#[tokio::test]
async fn a_day_sent_twice_counts_once(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let server = Hostile::start(|request, _| {
        let day = request.query("date").expect("a day");
        let mut twice = records(&day, 6);
        twice.extend(records(&day, 6));
        // And a line of another day, which was not requested and would replace part of that day.
        let other: BusinessDay = day.parse().expect("a day");
        twice.extend(records(&other.plus(-9).to_string(), 1));
        Reply::json(&json!({ "data": twice }))
    })
    .await;
    let url = format!("{}/sales?date={{date}}", server.url);
    let id = stage.connector(api(&url, json!({ "kind": "none" }), Some("data[].id"))).await;
    let run = stage.run(&id, 1).await;
    assert_eq!(
        (run["run"]["state"].clone(), run["run"]["lines"].clone()),
        (json!("done"), json!(6)),
        "{run}"
    );
    assert!(log(&run).contains("1 line of another day was left out"), "{run}");
    assert_eq!(stage.posted("api").await.len(), 2);

    let plain = Hostile::start(|request, _| {
        let mut twice = records(&request.query("date").expect("a day"), 6);
        twice.extend(records(&request.query("date").expect("a day"), 6));
        Reply::json(&json!({ "data": twice }))
    })
    .await;
    let settings = api(&format!("{}/sales?date={{date}}", plain.url), json!({ "kind": "none" }), None);
    let made = stage.admin.post(HOME, &draft("No key", settings)).await.expect(201);
    let run = stage.run(made["id"].as_str().expect("an id"), 2).await;
    assert_eq!(
        (run["run"]["state"].clone(), run["run"]["putAside"].clone()),
        (json!("partly"), json!(2)),
        "{run}"
    );
    assert!(log(&run).contains("tells records apart"), "{run}");
    assert_eq!(stage.posted("api").await.len(), 2, "nothing of it was posted");
}

/// Rejected data goes to the dead letters with a reason, and is posted by a retry.
#[rstest]
#[tokio::test]
async fn dead_letters_can_be_retried(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let good = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let now = good.clone();
    let server = Hostile::start(move |request, _| {
        let mut data = records(&request.query("date").expect("a day"), 4);
        if !now.load(std::sync::atomic::Ordering::SeqCst) {
            data[2]["qty"] = json!("two");
        }
        data[1]["store"] = json!("Nord");
        Reply::json(&json!({ "data": data }))
    })
    .await;
    let url = format!("{}/sales?date={{date}}", server.url);
    let id = stage.connector(api(&url, json!({ "kind": "none" }), Some("data[].id"))).await;
    let run = stage.run(&id, 1).await;
    assert_eq!(run["run"]["state"], "partly", "{run}");
    assert!(stage.posted("api").await.is_empty());
    let aside = stage.admin.get(&format!("{HOME}/{id}/aside")).await.expect(200);
    let entry = aside["items"][0].clone();
    assert!(
        entry["reason"].as_str().is_some_and(|it| it.contains("Quantity") && it.contains("«two»")),
        "{aside}"
    );
    assert!(entry["raw"].as_str().is_some_and(|it| it.contains("two")), "{aside}");

    // The line is fixed; a store is unknown, so the day's other lines are posted and its own wait.
    good.store(true, std::sync::atomic::Ordering::SeqCst);
    let retry = async |entry: &Value| {
        let path = format!("{HOME}/{id}/aside/{}/retry", entry["id"].as_str().expect("an id"));
        let run = stage.admin.post(&path, &json!({})).await.expect(202);
        stage.app.drain().await;
        stage.look(HOME, &id, &run).await
    };
    retry(&entry).await;
    let aside = stage.admin.get(&format!("{HOME}/{id}/aside")).await.expect(200);
    assert_eq!(aside["items"][0]["stores"], json!(["Nord"]), "{aside}");
    assert_eq!(stage.posted("api").await.len(), 2, "North and South have their lines");
    let names = json!({ "stores": [{ "name": "Nord", "storeId": stage.north }] });
    stage.admin.post(&format!("{HOME}/{id}/stores"), &names).await.expect(200);
    let run = retry(&aside["items"][0]).await;
    assert_eq!(
        (run["run"]["state"].clone(), run["run"]["cause"].clone()),
        (json!("done"), json!("retry")),
        "{run}"
    );
    let lines: i64 = stage.posted("api").await.iter().map(|day| day.2).sum();
    assert_eq!(lines, 4);
    let aside = stage.admin.get(&format!("{HOME}/{id}/aside")).await.expect(200);
    assert_eq!(aside["total"], 0, "{aside}");
    let all = stage.admin.get(&format!("{HOME}/{id}/aside?all=true")).await.expect(200);
    let states: Vec<&Value> = all["items"].as_array().expect("items").iter().map(|it| &it["state"]).collect();
    assert!(!states.is_empty() && states.iter().all(|state| *state != "open"), "{all}");
}

/// An unavailable server is retried later automatically; the readable days are posted meanwhile.
#[rstest]
#[tokio::test]
async fn an_unavailable_server_is_retried_later(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    let bad = stage.today.plus(-2).to_string();
    let server = Hostile::start(move |request, before| {
        let day = request.query("date").expect("a day");
        if day == bad && before < 6 {
            Reply::status(502)
        } else {
            Reply::json(&json!({ "data": records(&day, 4) }))
        }
    })
    .await;
    let url = format!("{}/sales?date={{date}}", server.url);
    let id = stage.connector(api(&url, json!({ "kind": "none" }), Some("data[].id"))).await;
    let run = stage.run(&id, 3).await;
    assert_eq!(run["run"]["state"], "waiting", "{run}");
    assert!(run["run"]["nextTryAt"].is_string() && log(&run).contains("Left for later"), "{run}");
    assert_eq!(stage.posted("api").await.len(), 4, "two days of two stores");
    let busy = stage.admin.post(&format!("{HOME}/{id}/runs"), &json!({})).await;
    assert_eq!(busy.status, 409);
    stage.app.clock.advance(6 * 60);
    stage.app.drain().await;
    let stage = Stage { admin: stage.app.admin().await, ..stage };
    let runs = stage.admin.get(&format!("{HOME}/{id}/runs")).await.expect(200);
    assert_eq!(
        (runs["total"].clone(), runs["items"][0]["state"].clone()),
        (json!(1), json!("done")),
        "{runs}"
    );
    assert_eq!(stage.posted("api").await.len(), 6);
    let kept = stage.admin.get(&format!("{HOME}/{id}")).await.expect(200);
    assert_eq!(kept["readTo"], json!(stage.today.plus(-1)));
}

/// OAuth client credentials, a cursor and a `Link` header, with the secret in no response and no row.
#[rstest]
#[tokio::test]
async fn it_signs_in_and_follows_cursors_and_links(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let server = Hostile::start(|request, before| {
        if request.target == "/token" {
            return Reply::json(&json!({ "access_token": format!("tok-{before}-zzzz"), "expires_in": 60 }));
        }
        if before == 2 || !request.headers.contains("Bearer tok-") {
            return Reply::status(401);
        }
        let all = records(&request.query("date").expect("a day"), 7);
        let from: usize = request.query("after").and_then(|it| it.parse().ok()).unwrap_or(0);
        let data: Vec<Value> = all.iter().skip(from).take(3).cloned().collect();
        let next = (from + 3 < 7).then(|| (from + 3).to_string());
        let mut headers = Vec::new();
        if request.target.contains("/linked") && from + 3 < 7 {
            headers.push((
                "link",
                format!(
                    "<{}&after={}>; rel=\"next\"",
                    request.target.split("&after").next().unwrap_or_default(),
                    from + 3
                ),
            ));
        }
        Reply::Whole(200, headers, json!({ "data": data, "meta": { "next": next } }).to_string())
    })
    .await;
    const SECRET: &str = "s3cr3t-never-to-be-seen";
    for (name, path, paging) in [
        ("Cursor", "/sales?date={date}&after={cursor}", json!({ "kind": "cursor", "path": "meta.next" })),
        ("Linked", "/linked?date={date}", json!({ "kind": "link" })),
    ] {
        let mut settings = api(&format!("{}{path}", server.url), paging, Some("data[].id"));
        settings["auth"] =
            json!({ "kind": "oAuth", "tokenUrl": format!("{}/token", server.url), "clientId": "larder" });
        let mut body = draft(name, settings);
        let missing = stage.admin.post(HOME, &body).await.expect(422);
        assert_eq!(missing["fields"][0]["field"], "secrets.clientSecret");
        body["secrets"] = json!({ "clientSecret": SECRET });
        let made = stage.admin.post(HOME, &body).await.expect(201);
        assert!(made["secrets"]["clientSecret"].is_string() && !made.to_string().contains(SECRET));
        let run = stage.run(made["id"].as_str().expect("an id"), 1).await;
        assert_eq!(
            (run["run"]["state"].clone(), run["run"]["lines"].clone()),
            (json!("done"), json!(7)),
            "{run}"
        );
        assert!(!run.to_string().contains(SECRET) && !run.to_string().contains("tok-"), "{run}");
    }
    for (table, column) in [
        ("audit", "changes"),
        ("jobs", "args"),
        ("connector_log", "words"),
        ("connectors", "secrets"),
        ("connectors", "settings"),
    ] {
        let rows: Vec<(String,)> = stage
            .app
            .db
            .sql("select coalesce(cast(")
            .push(column)
            .push(" as text), '') from ")
            .push(table)
            .all()
            .await
            .expect("rows");
        assert!(!rows.is_empty() && rows.iter().all(|(text,)| !text.contains(SECRET)), "{table}.{column}");
    }
    // With another address the stored secret is not sent and has to be entered again.
    let list = stage.admin.get(HOME).await.expect(200);
    let kept = &list["items"][0];
    let mut moved = kept["settings"].clone();
    moved["url"] = json!("https://elsewhere.example.com/sales?date={date}&after={cursor}");
    let trial = json!({ "id": kept["id"], "settings": moved });
    let refused = stage.admin.post(&format!("{HOME}/test"), &trial).await.expect(422);
    assert_eq!(refused["fields"][0]["field"], "secrets.clientSecret", "{refused}");
}

/// A trial shows the response, the available fields and the first lines, and posts nothing.
#[rstest]
#[tokio::test]
async fn a_trial_posts_nothing(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let server = Hostile::start(|request, _| {
        Reply::json(&json!({ "data": records(&request.query("date").expect("a day"), 40) }))
    })
    .await;
    let url = format!("{}/sales?date={{date}}", server.url);
    let bare = json!({ "settings": { "kind": "api", "url": url } });
    let found = stage.admin.post(&format!("{HOME}/test"), &bare).await.expect(200);
    assert_eq!(found["answer"]["data"].as_array().map(Vec::len), Some(20), "long lists are cut");
    let column = |name: &str| {
        found["columns"].as_array().expect("columns").iter().find(|it| it["column"] == name).cloned()
    };
    assert_eq!(column("data[].qty").expect("a column")["suggested"], "quantity", "{found}");
    assert_eq!(column("data[].store").expect("a column")["suggested"], "store");
    let whole = json!({ "settings": api(&url, json!({ "kind": "none" }), None) });
    let found = stage.admin.post(&format!("{HOME}/test"), &whole).await.expect(200);
    assert_eq!((found["lineCount"].clone(), found["lines"].as_array().map(Vec::len)), (json!(40), Some(20)));
    assert_eq!(
        (found["lines"][0]["storeName"].clone(), found["lines"][0]["itemKnown"].clone()),
        (json!("North"), json!(true))
    );
    assert!(stage.posted("api").await.is_empty());
    let limited = stage
        .app
        .user(&[("tools/services", larder_domain::Action::ALL)], Some(std::slice::from_ref(&stage.north)))
        .await;
    assert_eq!(limited.post(&format!("{HOME}/test"), &whole).await.expect(403)["code"], "allStores");
    assert_eq!(limited.get(HOME).await.expect(403)["code"], "allStores");
}

/// An interrupted run resumes with the next day, and the schedule starts a run once.
#[rstest]
#[tokio::test]
async fn the_schedule_starts_it_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = stage(on).await;
    // A run missed by more than half a day waits for its next turn, so the time of day matters here.
    stage.app.clock.advance_to_hour(3);
    let server = Hostile::start(|request, _| {
        Reply::json(&json!({ "data": records(&request.query("date").expect("a day"), 2) }))
    })
    .await;
    let url = format!("{}/sales?date={{date}}", server.url);
    let mut body = draft("Nightly", api(&url, json!({ "kind": "none" }), Some("data[].id")));
    body["schedule"] = json!({ "enabled": true, "minutes": 90, "weekdays": 127 });
    let made = stage.admin.post(HOME, &body).await.expect(201);
    let (other, _) = stage.app.second_node().await;
    assert_eq!(
        larder_engines::connectors::start_due(&stage.app.state).await.expect("looked"),
        0,
        "nothing from before"
    );
    stage.app.clock.advance(86_400);
    let (one, two) = tokio::join!(
        larder_engines::connectors::start_due(&stage.app.state),
        larder_engines::connectors::start_due(&other)
    );
    assert_eq!(one.expect("looked") + two.expect("looked"), 1);
    stage.app.drain().await;
    let admin = stage.app.admin().await;
    let id = made["id"].as_str().expect("an id");
    let runs = admin.get(&format!("{HOME}/{id}/runs")).await.expect(200);
    assert_eq!(
        (runs["items"][0]["cause"].clone(), runs["items"][0]["state"].clone()),
        (json!("schedule"), json!("done")),
        "{runs}"
    );
    assert_eq!(runs["items"][0]["startedBy"], Value::Null);
    admin.post(&format!("{HOME}/{id}/pause"), &json!({ "paused": true })).await.expect(200);
    stage.app.clock.advance(86_400);
    assert_eq!(larder_engines::connectors::start_due(&stage.app.state).await.expect("looked"), 0, "paused");
    let admin = stage.app.admin().await;
    assert_eq!(admin.delete(&format!("{HOME}/{id}")).await.status, 204);
    assert_eq!(admin.get(&format!("{HOME}/{id}")).await.status, 404);
}

/// A run ends at its limit, says so, and keeps completed days.
#[rstest]
#[tokio::test]
async fn what_a_run_reads_is_limited(#[from(one_engine)] on: Engine) {
    let stage = stage_with(on, |config| config.connector_run_mib = 1).await;
    let server = Hostile::start(|request, _| {
        let mut answer = json!({ "data": records(&request.query("date").expect("a day"), 2) });
        answer["notes"] = json!("x".repeat(600_000));
        Reply::json(&answer)
    })
    .await;
    let url = format!("{}/sales?date={{date}}", server.url);
    let id = stage.connector(api(&url, json!({ "kind": "none" }), Some("data[].id"))).await;
    let run = stage.run(&id, 3).await;
    assert_eq!(run["run"]["state"], "failed", "{run}");
    assert!(log(&run).contains("This run read more than 1 MiB"), "{run}");
    assert!(run["run"]["words"].as_str().is_some_and(|words| words.contains("more than 1 MiB")), "{run}");
    let posted = stage.posted("api").await;
    assert!(posted.iter().all(|day| day.1 == stage.today.plus(-3)) && posted.len() == 2, "{posted:?}");
}

/// Two bytes of JSON can take seventy in memory.
#[rstest]
#[tokio::test]
async fn the_number_of_values_in_a_response_is_limited(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    let body = format!("{{\"data\":[],\"pad\":[{}0]}}", "0,".repeat(2_000_001));
    let server = Hostile::start(move |_, _| Reply::Whole(200, Vec::new(), body.clone())).await;
    let url = format!("{}/sales?date={{date}}", server.url);
    let id = stage.connector(api(&url, json!({ "kind": "none" }), Some("data[].id"))).await;
    let run = stage.run(&id, 1).await;
    assert_eq!(run["run"]["state"], "failed", "{run}");
    assert!(log(&run).contains("more than 2000000 values"), "{run}");
}

/// A scheduled run reads recent days; a manual run reads older ones. It ends with yesterday, whatever the
/// first day.
#[rstest]
#[tokio::test]
async fn a_scheduled_run_reads_no_old_days(#[from(one_engine)] on: Engine, #[values(100, 500)] back: i32) {
    let stage = stage(on).await;
    stage.app.clock.advance_to_hour(3);
    let server = Hostile::start(|_, _| Reply::json(&json!({ "data": [] }))).await;
    let url = format!("{}/sales?date={{date}}", server.url);
    let mut body = draft("Nightly", api(&url, json!({ "kind": "none" }), Some("data[].id")));
    body["schedule"] = json!({ "enabled": true, "minutes": 90, "weekdays": 127 });
    body["settings"]["firstDay"] = json!(stage.today.plus(-back));
    let made = stage.admin.post(HOME, &body).await.expect(201);
    stage.app.clock.advance(86_400);
    assert_eq!(larder_engines::connectors::start_due(&stage.app.state).await.expect("looked"), 1);
    stage.app.drain().await;
    let today = BusinessDay::of(stage.app.state.now());
    let seen = server.seen();
    let first = seen.first().and_then(|request| request.query("date"));
    assert_eq!((first, seen.len()), (Some(today.plus(-35).to_string()), 35));
    let admin = stage.app.admin().await;
    let ask = json!({ "from": today.plus(-60), "to": today.plus(-59) });
    let id = made["id"].as_str().expect("an id");
    let run = admin.post(&format!("{HOME}/{id}/runs"), &ask).await.expect(202);
    stage.app.drain().await;
    let run =
        admin.get(&format!("{HOME}/{id}/runs/{}", run["id"].as_str().expect("an id"))).await.expect(200);
    assert_eq!(run["run"]["state"], "done", "{run}");
}

/// An API without days in its URL sends everything: a scheduled run posts recent days, a manual one all.
#[rstest]
#[tokio::test]
async fn a_scheduled_run_posts_no_old_days_of_an_api_without_days(#[from(one_engine)] on: Engine) {
    let stage = stage(on).await;
    stage.app.clock.advance_to_hour(3);
    let near = BusinessDay::of(stage.app.state.now());
    let far = near.plus(-60);
    let server = Hostile::start(move |_, _| {
        let all = [near, far].map(|day| records(&day.to_string(), 2)).concat();
        Reply::json(&json!({ "data": all }))
    })
    .await;
    let url = format!("{}/sales", server.url);
    let mut body = draft("Nightly", api(&url, json!({ "kind": "none" }), Some("data[].id")));
    body["schedule"] = json!({ "enabled": true, "minutes": 90, "weekdays": 127 });
    let made = stage.admin.post(HOME, &body).await.expect(201);
    let posted = async || -> Vec<BusinessDay> { stage.posted("api").await.iter().map(|day| day.1).collect() };
    stage.app.clock.advance(86_400);
    assert_eq!(larder_engines::connectors::start_due(&stage.app.state).await.expect("looked"), 1);
    stage.app.drain().await;
    assert_eq!(posted().await, [near, near]);
    let admin = stage.app.admin().await;
    let path = format!("{HOME}/{}/runs", made["id"].as_str().expect("an id"));
    admin.post(&path, &json!({ "from": near, "to": near })).await.expect(202);
    stage.app.drain().await;
    assert_eq!(posted().await, [far, near, far, near]);
}
