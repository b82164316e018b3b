//! Weekly snapshots: calculated, frozen, compared with current data.

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use crate::reports::root_item_movement as movement;
use crate::reports::root_item_movement::{assert_adds_up, range};
use crate::stores::inventory::{Counted, Stage};
use crate::support::{Client, Engine, one_engine};

const PATH: &str = "/api/tools/root-item-weekly-snapshot/weeks";
const REPORT: &str = "/api/reports/root-item-weekly-snapshot";
const RUNS: &str = "/api/tools/services/root-item-weekly-snapshot/runs";

/// Last week: rice was counted before it, on its Wednesday and on its Sunday.
async fn a_week(on: Engine) -> (Stage, i32) {
    let mut stage = Stage::build(on).await;
    let monday = BusinessDay(stage.today()).week().0 - 7;
    for (day, qty) in [(monday - 1, 40_000), (monday + 2, 33_000), (monday + 6, 20_000)] {
        stage.count(&stage.loose, Counted { day, closing: true, qty }).await;
    }
    for day in monday..monday + 7 {
        stage.sell(day, 3_000).await;
    }
    stage.bring(monday + 4, 5_000).await;
    // Monday starts with a count one kilo below Sunday's closing.
    stage.count(&stage.loose, Counted { day: monday, closing: false, qty: 39_000 }).await;
    (stage, monday)
}

async fn make(stage: &Stage, client: &Client, monday: i32) -> Value {
    let run = client.post(&format!("{PATH}/{}/make", BusinessDay(monday)), &json!({})).await.expect(202);
    stage.app.drain().await;
    let id = run["id"].as_str().expect("an id");
    let run = client.get(&format!("{RUNS}/{id}")).await.expect(200);
    assert_eq!(run["state"], "done", "{run}");
    run
}

async fn week(client: &Client, monday: i32) -> Value {
    let year = BusinessDay(monday).iso_week().0;
    let weeks = client.get(&format!("{PATH}?year={year}")).await.expect(200);
    let day = json!(BusinessDay(monday));
    let weeks = weeks["items"].as_array().expect("weeks");
    weeks.iter().find(|week| week["week"] == day).cloned().unwrap_or_else(|| panic!("{day} in {weeks:?}"))
}

async fn differences(client: &Client, monday: i32) -> Vec<(String, Value, Value)> {
    let differences_found =
        client.get(&format!("{PATH}/{}/differences", BusinessDay(monday))).await.expect(200);
    let items = differences_found["items"].as_array().expect("differences");
    assert_eq!(differences_found["total"], items.len());
    let differences_found = |it: &Value| {
        (it["figure"].as_str().expect("a figure").to_owned(), it["was"].clone(), it["now"].clone())
    };
    items.iter().map(differences_found).collect()
}

async fn reported(client: &Client, monday: i32) -> Value {
    client.get(&format!("{REPORT}?{}", range(monday, monday + 6))).await.expect(200)
}

#[rstest]
#[tokio::test]
async fn a_week_is_calculated_frozen_and_compared(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (stage, monday) = a_week(on).await;
    let admin = &stage.admin;
    assert_eq!(week(admin, monday).await["state"], "notMade");
    let run = make(&stage, admin, monday).await;
    assert_eq!(
        (&run["outcome"]["figures"][1]["value"], &run["outcome"]["figures"][2]["value"]),
        (&json!(1.0), &json!(0.0))
    );
    let made = week(admin, monday).await;
    assert_eq!((&made["state"], &made["rows"], &made["stores"]), (&json!("open"), &json!(1), &json!(1)));

    // By hand: 40 in stock, five received, seven days of three, 20 counted.
    let report = reported(admin, monday).await;
    let row = report["items"][0].clone();
    assert_adds_up(&row);
    let figures = ["opening", "received", "theoreticalUse", "closing", "actualUse", "variance"]
        .map(|field| row[field].as_i64());
    assert_eq!(figures, [40, 5, 21, 20, 25, -4].map(Some));
    assert_eq!((&row["varianceValue"], &made["varianceValue"]), (&json!(-200), &json!(-200)));
    // The movement of the same days is the same, and its days add up to it.
    let same = admin.get(&format!("{}?{}", movement::PATH, range(monday, monday + 6))).await.expect(200);
    assert_eq!(same["items"][0], row);

    // A late count changes an open week when recalculated, and the differences show it.
    stage.sell(monday + 1, 4_000).await;
    make(&stage, admin, monday).await;
    let differences_found = differences(admin, monday).await;
    assert_eq!(
        differences_found,
        [("theoreticalUse".into(), json!(21), json!(22)), ("variance".into(), json!(-4), json!(-3))]
    );
    assert_eq!(reported(admin, monday).await["items"][0]["theoreticalUse"], 22);

    // Freezing clears them; from then on the figures are final.
    let frozen = admin.post(&format!("{PATH}/{}/freeze", BusinessDay(monday)), &json!({})).await.expect(200);
    assert_eq!(
        (&frozen["state"], &frozen["differences"], &frozen["frozenBy"]),
        (&json!("frozen"), &json!(0), &json!("Ana Cruz"))
    );
    let before = reported(admin, monday).await;
    assert_eq!(before["weeks"][0]["frozen"], true);
    stage.sell(monday + 1, 6_000).await;
    let run = make(&stage, admin, monday).await;
    assert!(
        run["outcome"]["words"].as_str().expect("words").contains("nothing of them was changed"),
        "{run}"
    );
    let differences_found = differences(admin, monday).await;
    assert_eq!(
        differences_found,
        [("theoreticalUse".into(), json!(22), json!(24)), ("variance".into(), json!(-3), json!(-1))]
    );
    assert_eq!(
        (week(admin, monday).await["state"].clone(), reported(admin, monday).await["items"].clone()),
        (json!("frozen"), before["items"].clone())
    );
    let twice = admin.post(&format!("{PATH}/{}/freeze", BusinessDay(monday)), &json!({})).await.expect(409);
    assert_eq!(twice["detail"], "Ana Cruz has frozen this week already.");

    // Reopened with a reason, it can be recalculated; its history has both.
    let reopen = format!("{PATH}/{}/reopen", BusinessDay(monday));
    assert_eq!(admin.post(&reopen, &json!({})).await.expect(422)["fields"][0]["field"], "reason");
    let open = admin.post(&reopen, &json!({ "reason": "Sales of Tuesday were missing" })).await.expect(200);
    assert_eq!(open["state"], "open");
    make(&stage, admin, monday).await;
    assert_eq!(reported(admin, monday).await["items"][0]["theoreticalUse"], 24);
    admin.post(&reopen, &json!({ "reason": "again" })).await.expect(409);
}

#[rstest]
#[tokio::test]
async fn weeks_that_cannot_be_calculated_are_refused(#[from(one_engine)] on: Engine) {
    let (stage, monday) = a_week(on).await;
    let post = async |day: i32, what: &str| {
        stage.admin.post(&format!("{PATH}/{}/{what}", BusinessDay(day)), &json!({ "reason": "x" })).await
    };
    let refused = post(monday + 7, "make").await.expect(422);
    assert_eq!(refused["fields"][0]["message"], "This week is not over yet. Choose weeks before it.");
    post(monday + 1, "make").await.expect(404);
    post(monday, "freeze").await.expect(404);
    post(monday, "reopen").await.expect(404);
    stage.admin.get(&format!("{PATH}?year=1")).await.expect(422);
    let long = json!({ "from": BusinessDay(monday - 7 * 60), "to": BusinessDay(monday) });
    assert_eq!(
        stage.admin.post(RUNS, &long).await.expect(422)["fields"][0]["message"],
        "Choose at most 53 weeks."
    );
    let items = json!({ "itemIds": [stage.rice] });
    assert_eq!(stage.admin.post(RUNS, &items).await.expect(422)["fields"][0]["field"], "itemIds");
    // It cannot be frozen while being calculated, and a second run waits.
    post(monday, "make").await.expect(202);
    post(monday, "make").await.expect(409);
    post(monday, "freeze").await.expect(409);
    stage.app.drain().await;
    post(monday, "freeze").await.expect(200);
    let long = stage.admin.get(&format!("{REPORT}?{}", range(monday - 100, monday))).await.expect(422);
    assert_eq!(long["fields"][0]["field"], "to");
}

#[rstest]
#[tokio::test]
async fn store_limited_users_calculate_their_stores_and_freeze_none(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let (stage, monday) = a_week(on).await;
    let rights: &[(&str, &[Action])] =
        &[("tools/services", &[Action::View, Action::Edit]), ("reports/reports", &[Action::View])];
    let here = stage.app.user(rights, Some(std::slice::from_ref(&stage.store))).await;
    let far = crate::stores::inventory::make(
        &stage.admin,
        "/api/stores/locations",
        json!({ "name": "Pasay", "code": "P" }),
    )
    .await;
    let there = stage.app.user(rights, Some(&[far])).await;
    make(&stage, &here, monday).await;
    assert_eq!(week(&here, monday).await["rows"], 1);
    let unseen = week(&there, monday).await;
    assert_eq!((&unseen["rows"], &unseen["varianceValue"]), (&json!(0), &Value::Null));
    assert_eq!(reported(&there, monday).await["total"], 0);
    let freeze = format!("{PATH}/{}/freeze", BusinessDay(monday));
    assert_eq!(here.post(&freeze, &json!({})).await.expect(403)["code"], "allStores");
    // What a week would be now is only shown to users with access to the store.
    stage.admin.post(&freeze, &json!({})).await.expect(200);
    stage.sell(monday, 9_000).await;
    make(&stage, &stage.admin, monday).await;
    assert_eq!((differences(&here, monday).await.len(), differences(&there, monday).await.len()), (2, 0));
    let viewer = stage.app.user(&[("tools/services", &[Action::View])], None).await;
    viewer.post(&format!("{PATH}/{}/make", BusinessDay(monday)), &json!({})).await.expect(403);
    stage.app.user(&[("reports/reports", &[Action::View])], None).await.get(PATH).await.expect(403);
}

#[rstest]
#[tokio::test]
async fn a_killed_run_resumes_with_the_same_result(#[from(one_engine)] on: Engine) {
    let (stage, monday) = a_week(on).await;
    for at in 0..3 {
        let body = json!({ "name": format!("Store {at}"), "code": format!("S{at}") });
        crate::stores::inventory::make(&stage.admin, "/api/stores/locations", body).await;
    }
    let before = {
        make(&stage, &stage.admin, monday).await;
        reported(&stage.admin, monday).await
    };
    // Half of the stores are done when the server dies; another one resumes the run.
    stage.admin.post(&format!("{PATH}/{}/make", BusinessDay(monday)), &json!({})).await.expect(202);
    let stores = json!({ "done": [stage.store], "rows": 1, "failures": { "named": [], "total": 0 } });
    let by = crate::support::actor(stage.app.state.now());
    let checkpoint = &larder_db::Json(stores);
    stage
        .app
        .db
        .write(&by, async |tx| {
            tx.sql("update jobs set checkpoint = $1 where kind = 'services.run' and state = 'queued'")
                .bind(checkpoint)
                .execute()
                .await
        })
        .await
        .expect("a checkpoint");
    stage.app.drain().await;
    let runs = stage.admin.get(RUNS).await.expect(200);
    assert_eq!(
        (&runs["items"][0]["state"], &runs["items"][0]["outcome"]["figures"][1]["value"]),
        (&json!("done"), &json!(1.0))
    );
    assert_eq!(reported(&stage.admin, monday).await["items"], before["items"]);
}

#[rstest]
#[tokio::test]
async fn last_week_is_calculated_on_mondays(#[from(one_engine)] on: Engine) {
    let (stage, monday) = a_week(on).await;
    // To next Monday morning, after 04:00 business time.
    let week = BusinessDay(stage.today()).week();
    let due = i64::from(week.plus(7).0) * 86_400 + (4 - 8) * 3_600 + 60;
    stage.app.clock.advance(due - stage.app.state.now().0 / 1_000);
    let state = &stage.app.state;
    let started = state.calculations.start_due(state).await.expect("started");
    stage.app.drain().await;
    let admin = stage.app.admin().await;
    // Other services are due by then, too.
    let runs = admin.get(RUNS).await.expect(200);
    let of_these = |run: &&serde_json::Value| started.iter().any(|id| run["id"] == id.as_str());
    assert_eq!(runs["items"].as_array().into_iter().flatten().filter(of_these).count(), 1);
    assert_eq!(self::week(&admin, monday + 7).await["state"], "open");
    assert_eq!(self::week(&admin, monday).await["state"], "notMade");
}
