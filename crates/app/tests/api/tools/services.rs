//! The service engine: manual and scheduled runs, cancelled, interrupted, and their visibility.

use std::sync::atomic::{AtomicU32, Ordering};

use larder_app as app;
use larder_domain::{Action, BusinessDay};
use larder_platform::AppState;
use larder_platform::calculations;
use larder_platform::calculations::{Calculation, Calculations, Failed, Failures, Outcome, Work};
use larder_platform::jobs::{JobError, JobKinds};
use rstest::rstest;
use serde_json::{Value, json};

use crate::sales::{Reading, put_paid, put_reading, store};
use crate::support::{App, Engine, actor, one_engine};
use crate::tools::sold::Stage;

const HOME: &str = "/api/tools/services";
const COVERAGE: &str = "/api/tools/services/daily-sales-coverage";

fn card<'a>(cards: &'a Value, name: &str) -> &'a Value {
    cards["items"].as_array().expect("cards").iter().find(|card| card["service"] == name).expect("a card")
}

#[rstest]
#[tokio::test]
async fn a_run_goes_from_start_to_result(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::new(on, 2, 1).await;
    stage.sell(60, "file", |_, _, _| Some(30)).await;
    let cards = stage.admin.get(HOME).await.expect(200);
    let coverage = card(&cards, "daily-sales-coverage");
    assert_eq!(coverage["lastRun"], Value::Null);
    assert_eq!(
        coverage["schedule"],
        json!({ "enabled": true, "minutes": 120, "weekdays": 127, "revision": 0 })
    );
    assert_eq!((coverage["canRun"].clone(), coverage["canSchedule"].clone()), (json!(true), json!(true)));
    assert_eq!(card(&cards, "moving-average")["schedule"], Value::Null);

    let queued = stage.admin.post(&format!("{COVERAGE}/runs"), &json!({})).await.expect(202);
    assert_eq!((queued["state"].as_str(), queued["asked"].clone()), (Some("queued"), json!({})));
    let again = stage.admin.post(&format!("{COVERAGE}/runs"), &json!({})).await;
    assert_eq!((again.status, again.json()["code"].as_str()), (409, Some("running")));
    stage.app.drain().await;
    let done = stage.look("daily-sales-coverage", queued["id"].as_str().expect("an id")).await;
    assert_eq!((done["state"].as_str(), done["error"].clone()), (Some("done"), Value::Null));
    assert!(
        done["durationMs"].as_i64().is_some_and(|it| it >= 0) && done["startedBy"]["uid"] == stage.admin.uid
    );
    let figures = done["outcome"]["figures"].as_array().expect("figures");
    assert_eq!(figures[0], json!({ "label": "Complete", "value": 100.0, "unit": "%" }));
    assert_eq!(figures[1]["value"], 56.0);

    // A day goes missing: the next run reports it with the earlier ones.
    stage.app.clock.advance(86_400);
    let stage = Stage { today: stage.today.plus(1), admin: stage.app.admin().await, ..stage };
    let second = stage.run("daily-sales-coverage", json!({})).await;
    let figures = second["outcome"]["figures"].as_array().expect("figures");
    let missing = figures.iter().find(|it| it["label"] == "Missing").expect("counted");
    assert_eq!((missing["value"].clone(), missing["before"].clone()), (json!(2.0), json!(0.0)));
    assert_eq!(second["outcome"]["failedTotal"], 2);
    assert_eq!(second["outcome"]["failed"][0]["what"], "Missing: 1 day");
    let runs = stage.admin.get(&format!("{COVERAGE}/runs?limit=1")).await.expect(200);
    assert_eq!((runs["total"].clone(), runs["items"][0]["id"].clone()), (json!(2), second["id"].clone()));
    let cards = stage.admin.get(HOME).await.expect(200);
    assert_eq!(card(&cards, "daily-sales-coverage")["lastRun"]["id"], second["id"]);
}

#[rstest]
#[tokio::test]
async fn one_of_two_nodes_starts_a_due_run(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let (other, _) = app.second_node().await;
    let admin = app.admin().await;
    // Nothing for the nights before the server existed.
    assert!(app.state.calculations.start_due(&app.state).await.expect("started").is_empty());
    let draft = json!({ "enabled": true, "minutes": 90, "weekdays": 127, "revision": 0 });
    admin.put(&format!("{HOME}/moving-average/schedule"), &draft).await.expect(200);
    for name in app.state.calculations.nightly() {
        let off = json!({ "enabled": false, "minutes": 0, "weekdays": 127, "revision": 0 });
        admin.put(&format!("{HOME}/{name}/schedule"), &off).await.expect(200);
    }
    app.clock.advance_to_hour(1);
    app.clock.advance(3_600);
    let (one, two) =
        tokio::join!(app.state.calculations.start_due(&app.state), other.calculations.start_due(&other));
    let started = one.expect("looked").len() + two.expect("looked").len();
    assert_eq!(started, 1);
    assert!(app.state.calculations.start_due(&app.state).await.expect("looked").is_empty(), "once a night");
    app.drain().await;
    let admin = app.admin().await;
    let runs = admin.get(&format!("{HOME}/moving-average/runs")).await.expect(200);
    assert_eq!((runs["total"].clone(), runs["items"][0]["scheduled"].clone()), (json!(1), json!(true)));
    assert_eq!(runs["items"][0]["startedBy"], Value::Null);
    assert_eq!(runs["items"][0]["state"], "done");
    app.clock.advance(86_400);
    assert_eq!(app.state.calculations.start_due(&app.state).await.expect("looked").len(), 1);
}

#[rstest]
#[tokio::test]
async fn changing_a_schedule_needs_all_stores_and_the_revision(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let path = format!("{HOME}/moving-average/schedule");
    let draft = |minutes: i64, weekdays: i64, revision: i64| json!({ "enabled": true, "minutes": minutes, "weekdays": weekdays, "revision": revision });
    let set = admin.put(&path, &draft(150, 31, 0)).await.expect(200);
    assert_eq!(set, json!({ "enabled": true, "minutes": 150, "weekdays": 31, "revision": 1 }));
    assert_eq!(admin.put(&path, &draft(10, 1, 0)).await.expect(409)["current"]["minutes"], 150);
    assert_eq!(admin.put(&path, &draft(1_440, 1, 1)).await.expect(422)["fields"][0]["field"], "minutes");
    assert_eq!(admin.put(&path, &draft(0, 0, 1)).await.expect(422)["fields"][0]["field"], "weekdays");
    assert_eq!(admin.put(&format!("{HOME}/nothing/schedule"), &draft(0, 1, 0)).await.status, 404);
    let some =
        app.user(&[(calculations::PAGE, &[Action::View, Action::Edit])], Some(&["x".to_owned()])).await;
    assert_eq!(some.put(&path, &draft(0, 1, 1)).await.expect(403)["code"], "allStores");
    let next = card(&admin.get(HOME).await.expect(200), "moving-average")["nextRunAt"].clone();
    assert!(next.as_str().is_some_and(|it| it.contains("T18:30:00")), "{next}");
}

#[rstest]
#[tokio::test]
async fn invalid_parameters_are_field_errors(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on, 2, 1).await;
    let post =
        async |service: &str, ask: Value| stage.admin.post(&format!("{HOME}/{service}/runs"), &ask).await;
    for (service, ask, field) in [
        ("moving-average", json!({ "storeIds": ["nowhere"] }), "storeIds"),
        ("moving-average", json!({ "storeIds": [] }), "storeIds"),
        ("moving-average", json!({ "itemIds": ["nothing"] }), "itemIds"),
        ("moving-average", json!({ "from": "2026-02-30" }), "from"),
        ("moving-average", json!({ "from": "2026-02-02", "to": "2026-02-01" }), "to"),
        ("moving-average", json!({ "horizon": 0 }), "horizon"),
        ("moving-average", json!({ "method": "dow_ma" }), "method"),
        ("advanced-forecast", json!({ "method": "magic" }), "method"),
        ("advanced-forecast", json!({ "level": 2 }), "level"),
        ("moving-average", json!({ "policies": [] }), "policies"),
        ("daily-sales-coverage", json!({ "from": "2025-01-01", "to": "2026-01-01" }), "to"),
    ] {
        let answer = post(service, ask.clone()).await.expect(422);
        assert_eq!(answer["fields"][0]["field"], field, "{service} {ask}: {answer}");
    }
    assert_eq!(post("nothing", json!({})).await.status, 404);
    assert_eq!(stage.admin.get(&format!("{HOME}/nothing/runs")).await.status, 404);
    assert_eq!(stage.admin.get(&format!("{COVERAGE}/runs/none")).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn store_limited_users_run_and_see_their_own(#[from(one_engine)] on: Engine) {
    let stage = Stage::new(on, 2, 1).await;
    stage.sell(60, "file", |_, _, _| Some(30)).await;
    let rights: &[(&str, &[Action])] = &[(calculations::PAGE, &[Action::View, Action::Edit])];
    let [mine, theirs] = [&stage.stores[0], &stage.stores[1]];
    let person = stage.app.user(rights, Some(std::slice::from_ref(mine))).await;
    let own = person.post(&format!("{COVERAGE}/runs"), &json!({})).await.expect(202);
    assert_eq!(own["asked"]["storeIds"], json!([mine]));
    stage.app.drain().await;
    let own =
        person.get(&format!("{COVERAGE}/runs/{}", own["id"].as_str().expect("an id"))).await.expect(200);
    assert_eq!(own["outcome"]["figures"][1]["value"], 28.0);
    let ask = json!({ "storeIds": [theirs] });
    assert_eq!(person.post(&format!("{COVERAGE}/runs"), &ask).await.expect(403)["code"], "outOfScope");

    let far = stage.admin.post(&format!("{COVERAGE}/runs"), &ask).await.expect(202);
    let far = format!("{COVERAGE}/runs/{}", far["id"].as_str().expect("an id"));
    assert_eq!(person.get(&far).await.status, 404);
    assert_eq!(person.post(&format!("{far}/cancel"), &json!({})).await.status, 404);
    assert_eq!(person.get(&format!("{COVERAGE}/runs")).await.expect(200)["total"], 1);
    assert_eq!(
        stage.admin.post(&format!("{far}/cancel"), &json!({})).await.expect(200)["state"],
        "cancelled"
    );
    assert_eq!(stage.admin.post(&format!("{far}/cancel"), &json!({})).await.expect(409)["code"], "state");

    // A run for all stores is visible, but only others may stop it.
    let all = stage.admin.post(&format!("{COVERAGE}/runs"), &json!({})).await.expect(202);
    let all = format!("{COVERAGE}/runs/{}", all["id"].as_str().expect("an id"));
    assert_eq!(person.get(&all).await.expect(200)["state"], "queued");
    assert_eq!(person.post(&format!("{all}/cancel"), &json!({})).await.expect(403)["code"], "outOfScope");
    // Its totals would reveal the others.
    stage.app.drain().await;
    let (whole, part) = (stage.admin.get(&all).await.expect(200), person.get(&all).await.expect(200));
    assert_eq!((&part["state"], &part["outcome"]["figures"]), (&json!("done"), &json!([])));
    assert_ne!(
        (&whole["outcome"]["words"], &whole["outcome"]["figures"]),
        (&part["outcome"]["words"], &json!([]))
    );
    let cards = person.get(HOME).await.expect(200);
    assert_eq!(card(&cards, "daily-sales-coverage")["lastRun"]["outcome"]["figures"], json!([]));
    let viewer = stage.app.user(&[(calculations::PAGE, &[Action::View])], None).await;
    assert_eq!(viewer.post(&format!("{COVERAGE}/runs"), &json!({})).await.status, 403);
    assert_eq!(card(&viewer.get(HOME).await.expect(200), "moving-average")["canRun"], false);
}

/// How often the parts of [`Counting`] were run.
static PARTS: AtomicU32 = AtomicU32::new(0);
static CUT_OFF: AtomicU32 = AtomicU32::new(0);

/// Counts to six, is interrupted after two and after four, and fails the third part.
struct Counting;

impl Calculation for Counting {
    const NAME: &'static str = "counting";
    const TITLE: &'static str = "Counting";
    const ANSWERS: &'static str = "How far does it get?";
    const PAGE: &'static str = "/tools/services";

    async fn run(work: Work) -> Result<Outcome, JobError> {
        let (from, mut failures): (u32, Failures) = work.checkpoint().unwrap_or_default();
        for part in from..6 {
            if part == 2 {
                let why = "Two is not counted.".to_owned();
                failures.add(Failed { what: "2".to_owned(), store_id: None, root_item_id: None, why });
            }
            work.progress(part as usize, 6, "Counting");
            work.part(json!((part + 1, &failures)), async |_| Ok(())).await?;
            PARTS.fetch_add(1, Ordering::SeqCst);
            if [2, 4].contains(&(part + 1)) && CUT_OFF.fetch_add(1, Ordering::SeqCst) < 2 {
                return Err(JobError::Interrupted);
            }
        }
        Ok(Outcome::of("Counted.", failures).count("Parts", 6).figure("Nothing", f64::NAN, None))
    }
}

/// The same database with a server that has other services.
fn knowing(app: &App, calculations: Calculations) -> AppState {
    let kinds = calculations::job_kinds(JobKinds::default());
    let config = app.state.config.clone();
    app::assemble_of(config, app.db.clone(), kinds, calculations, app.clock.clone()).expect("valid server")
}

#[rstest]
#[tokio::test]
async fn an_interrupted_run_resumes_where_it_stopped(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let state = knowing(&app, Calculations::default().with::<Counting>());
    let id =
        state.calculations.start(&state, "counting", calculations::Ask::default()).await.expect("started");
    assert!(
        state.calculations.start(&state, "counting", calculations::Ask::default()).await.is_err(),
        "one at a time"
    );
    state.jobs.drain(&state).await.expect("jobs run");
    let runs = state.calculations.last_runs(&state, 5).await.expect("runs");
    let run = json!(runs[0]);
    assert_eq!((run["id"].as_str(), run["state"].as_str()), (Some(id.as_str()), Some("done")), "{run}");
    assert_eq!(PARTS.load(Ordering::SeqCst), 6, "every part exactly once");
    assert_eq!(run["outcome"]["failed"], json!([{ "what": "2", "why": "Two is not counted." }]));
    assert_eq!(run["outcome"]["figures"].as_array().map(Vec::len), Some(1), "only numbers are figures");
    assert_eq!((run["done"].clone(), run["total"].clone()), (json!(6), json!(6)));
    let latest = state.calculations.latest_done(&state, "counting").await.expect("looked");
    assert_eq!(latest.map(|it| it.0), Some(id));
    // A server without the service fails the run with a message.
    let other = knowing(&app, Calculations::default());
    state.calculations.start(&state, "counting", calculations::Ask::default()).await.expect("started");
    other.jobs.drain(&other).await.expect("jobs run");
    let runs = state.calculations.last_runs(&state, 1).await.expect("runs");
    assert_eq!(json!(runs[0])["error"], "This server does not know the service any more.");
}

#[rstest]
#[tokio::test]
async fn missing_sales_are_reported_by_day(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::new(on, 2, 1).await;
    // The second store is closed on one weekday, and its sales of three days ago are missing.
    let weekday = stage.today.plus(-5).weekday();
    let today = stage.today;
    stage
        .sell(80, "file", |store, ago, _| match (store, today.plus(-ago).weekday() == weekday) {
            (1, true) => None,
            (1, false) if ago == 3 => None,
            _ => Some(40),
        })
        .await;
    let closure = json!({ "name": "Fiesta", "kind": "closure", "from": today.plus(-2), "to": today.plus(-2), "storeIds": [stage.stores[1]] });
    stage.admin.post("/api/tools/forecast/events", &closure).await.expect(201);
    let days = stage.admin.get(&format!("{COVERAGE}/days")).await.expect(200);
    let dates = days["dates"].as_array().expect("dates");
    assert_eq!((dates.len(), &dates[27]), (28, &json!(today.plus(-1))));
    let store = |id: &str| {
        days["stores"].as_array().expect("stores").iter().find(|it| it["storeId"] == id).expect("there")
    };
    let (first, second) = (store(&stage.stores[0]), store(&stage.stores[1]));
    assert_eq!((first["complete"].clone(), first["percent"].clone()), (json!(28), json!(100.0)));
    let state = |ago: usize| second["days"][28 - ago]["state"].as_str();
    assert_eq!((state(3), state(5), state(1)), (Some("missing"), Some("closed"), Some("complete")));
    assert_eq!((second["expected"].clone(), second["complete"].clone()), (json!(24), json!(23)));
    assert_eq!(second["days"][27]["net"].as_f64(), Some(400.0));
    let path =
        format!("{COVERAGE}/days?storeId={}&from={}&to={}", stage.stores[1], today.plus(-2), today.plus(-2));
    let one = stage.admin.get(&path).await;
    // Sales on a closed day are still present.
    assert_eq!(one.expect(200)["stores"][0]["days"][0]["state"], "complete");
    let wrong = stage.admin.get(&format!("{COVERAGE}/days?from=2020-01-01&to=2021-01-01")).await.expect(422);
    assert_eq!(wrong["fields"][0]["field"], "to");
    let viewer = stage.app.user(&[(calculations::PAGE, &[Action::View])], Some(&stage.stores[..1])).await;
    assert_eq!(
        viewer.get(&format!("{COVERAGE}/days")).await.expect(200)["stores"].as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(viewer.get(&format!("{COVERAGE}/days?storeId={}", stage.stores[1])).await.status, 403);
}

#[rstest]
#[tokio::test]
async fn sales_are_expected_of_tills_with_readings(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let makati = store(&admin, "Makati", "MKT").await;
    let (now, today) = (app.state.now(), BusinessDay::of(app.state.now()));
    // Each reading says ₱1,120; the second till's sales differ, differ within the tolerance, and are not in.
    for (ago, second) in [(3, Some(100_000)), (2, Some(111_900)), (1, None)] {
        let day = today.plus(-ago);
        let sales = [("file", "T1", Some(112_000)), ("api", "T2", second), ("w3p", "GrabFood", Some(50_000))];
        for (source, till, net) in sales {
            let Some(net) = net else { continue };
            let at = (makati.as_str(), day, source, till);
            let who = actor(now);
            let sold = app.db.write(&who, async |tx| put_paid(tx, now, at, (net, &[][..])).await);
            sold.await.expect("sales");
        }
        for till in ["T1", "T2"] {
            let reading = Reading { terminal: till.into(), ..Reading::of(1_000) };
            put_reading(&app, &makati, day, &reading).await;
        }
    }
    let path = format!("{COVERAGE}/days?from={}&to={}", today.plus(-3), today.plus(-1));
    let covered = admin.get(&path).await.expect(200);
    let said = |at: usize| {
        let day = &covered["stores"][0]["days"][at];
        (day["state"].as_str().expect("a state"), day["why"].as_str())
    };
    assert_eq!(said(0), ("mismatch", Some("The Z-readings say ₱120.00 more.")));
    assert_eq!(said(1), ("complete", None));
    assert_eq!(said(2), ("partial", Some("Till T2 is missing.")));
}

#[rstest]
#[tokio::test]
async fn a_run_with_an_abandoned_job_has_failed(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let run = admin.post(&format!("{COVERAGE}/runs"), &json!({})).await.expect(202);
    let gave_up = async |tx: &mut larder_db::Tx<'_>| {
        tx.sql("update jobs set state = 'failed', error = 'Stopped after 5 attempts.' where kind = 'services.run'")
            .execute()
            .await
    };
    app.db.write(&actor(app.state.now()), gave_up).await.expect("written");
    let path = format!("{COVERAGE}/runs/{}", run["id"].as_str().expect("an id"));
    let run = admin.get(&path).await.expect(200);
    assert_eq!(
        (run["state"].as_str(), run["error"].as_str()),
        (Some("failed"), Some("Stopped after 5 attempts."))
    );
    assert_eq!(
        admin.post(&format!("{COVERAGE}/runs"), &json!({})).await.status,
        202,
        "it does not block new runs"
    );
}
