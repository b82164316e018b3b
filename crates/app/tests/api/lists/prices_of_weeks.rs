//! Weekly snapshots after a price of past days changes.

use larder_domain::BusinessDay;
use rstest::rstest;
use serde_json::json;

use super::prices::{at, kept, make_week, prices, two_weeks, worth};
use crate::stores::inventory::Stage;
use crate::support::{Engine, actor};

/// The number of rows that a week's snapshot has.
async fn rows(stage: &Stage, monday: BusinessDay) -> i64 {
    let query = "select cast(count(*) as bigint) from root_item_snapshots where week = $1";
    stage.app.db.sql(query).bind(monday).scalar().await.expect("a number")
}

#[rstest]
#[tokio::test]
async fn weeks_of_stores_closed_since_are_made_again(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (stage, [older, newer]) = two_weeks(on).await;
    let admin = &stage.admin;
    let store = format!("/api/stores/locations/{}", stage.store);
    let revision = admin.get(&store).await.expect(200)["revision"].clone();
    admin.patch(&store, &json!({ "inactive": true, "revision": revision })).await.expect(200);

    let body = json!({ "price": 70, "recompute": true, "reason": "Invoice" });
    let saved = admin.put(&at(&stage.rice, newer), &body).await.expect(200);
    assert_eq!(saved["weeks"], json!([newer]));
    stage.app.drain().await;
    assert_eq!((worth(&stage, older).await, worth(&stage, newer).await), (-5_000, -7_000));

    // A closed store gets no snapshot of a week that has none of it.
    make_week(&stage, older.plus(-7)).await;
    assert_eq!((rows(&stage, older.plus(-7)).await, rows(&stage, newer).await), (0, 1));
}

/// Renames a column that only starting a calculation writes.
async fn rename(stage: &Stage, statement: &'static str) {
    let who = actor(stage.app.state.now());
    let renamed = stage.app.db.write(&who, async |tx| tx.sql(statement).execute().await);
    renamed.await.expect("renamed");
}

#[rstest]
#[tokio::test]
async fn a_price_is_kept_only_with_the_run_that_makes_its_weeks_again(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let (stage, [older, newer]) = two_weeks(on).await;
    let (admin, rice) = (&stage.admin, stage.rice.as_str());
    let body = json!({ "price": 70, "recompute": true, "reason": "Invoice" });
    rename(&stage, "alter table service_runs rename column due_at to due").await;
    assert_eq!(admin.put(&at(rice, newer), &body).await.status, 500);
    assert_eq!(prices(admin, rice).await, [kept("1970-01-01", 50, "set")]);
    rename(&stage, "alter table service_runs rename column due to due_at").await;

    admin.put(&at(rice, newer), &body).await.expect(200);
    // Another server finds the run.
    let other = stage.app.restarted().await;
    other.jobs.drain(&other).await.expect("jobs run");
    assert_eq!((worth(&stage, older).await, worth(&stage, newer).await), (-5_000, -7_000));
    let runs = admin.get("/api/tools/services/root-item-weekly-snapshot/runs").await.expect(200);
    assert_eq!(
        (&runs["items"][0]["state"], &runs["items"][0]["startedBy"]["name"]),
        (&json!("done"), &json!("Ana Cruz"))
    );
}
