//! The review of readings: imported sales that differ, what comes first, what a new reading follows.

use rstest::rstest;
use serde_json::{Value, json};

use super::z_reading::{PATH, at, day, make, sell, take, typed};
use crate::support::{App, Engine, one_engine};
use crate::users::store;

/// Sales of a till from a source that names it, as posted.
async fn sell_at(app: &App, (store, till): (&str, &str), ago: i32, net: i64) {
    let on = day(app, ago);
    let actor = crate::support::actor(app.state.now());
    let written = app.db.write(&actor, async |tx| {
        tx.sql(
            "insert into sales_day_facts (store_id, business_date, source, terminal_id, receipts, pax, gross, net, senior,
               pwd, naac, solo_parent, valor, employee, vip, promo, other_discount, vatable, vat, exempt, zero_rated,
               service_charge, local_tax, returns, voids)
             values ($1, $2, 'file', $3, 10, 0, $4, $5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
        )
        .bind(store)
        .bind(on)
        .bind(till)
        .bind(net + 8_000)
        .bind(net)
        .execute()
        .await
    });
    written.await.expect("sales of a till");
}

#[rstest]
#[tokio::test]
async fn sales_that_differ_are_asked_once(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    sell(&app, &shop, 3, 150_000).await;
    let made = make(&admin, &typed(&app, &shop, 1, 3)).await;
    assert_eq!((&made["salesDiffer"], &made["uncompared"]), (&json!(380), &Value::Null));
    let verify = format!("{}/verify", at(&made));
    let refused = admin.post(&verify, &json!({ "revision": 1 })).await.expect(409);
    assert_eq!((&refused["code"], &refused["by"]), (&json!("salesDiffer"), &json!(380)));
    assert_eq!(refused["detail"], "Imported sales differ by ₱380.00. Verify anyway?");
    let names: Vec<&Value> =
        refused["checks"].as_array().expect("checks").iter().map(|check| &check["name"]).collect();
    assert_eq!(names, ["receiptsNet"]);
    // A reason for the slip's own sums is no answer to it.
    let reason = json!({ "revision": 1, "reason": "As printed" });
    assert_eq!(admin.post(&verify, &reason).await.expect(409)["code"], "salesDiffer");
    let verified = admin.post(&verify, &json!({ "revision": 1, "salesSeen": true })).await.expect(200);
    assert_eq!((&verified["state"], &verified["steps"][0]["sales"]), (&json!("verified"), &json!(380)));
    // The same difference is not asked about again; another one is.
    let reopened = take(&admin, &verified, "reopen").await;
    let again = admin.post(&verify, &json!({ "revision": reopened["revision"] })).await.expect(200);
    assert_eq!(again["state"], "verified");
    let reopened = take(&admin, &again, "reopen").await;
    let body = json!({ "revision": reopened["revision"], "gross": 1_210, "net": 1_130 });
    let changed = admin.patch(&at(&made), &body).await.expect(200);
    assert_eq!(changed["salesDiffer"], 370);
    let reason = json!({ "revision": changed["revision"], "reason": "As printed" });
    assert_eq!(admin.post(&verify, &reason).await.expect(409)["by"], 370);

    // A peso is tolerated.
    let near = store(&app, "NEAR").await;
    sell(&app, &near, 3, 112_100).await;
    let made = make(&admin, &typed(&app, &near, 1, 3)).await;
    assert_eq!(made["salesDiffer"], Value::Null);
    admin.post(&format!("{}/verify", at(&made)), &json!({})).await.expect(200);

    // Sales of all tills are compared once the other readings of the day are verified.
    let two = store(&app, "TWO").await;
    sell(&app, &two, 3, 300_000).await;
    let first = make(&admin, &typed(&app, &two, 1, 3)).await;
    let mut other = typed(&app, &two, 1, 3);
    other["terminalId"] = json!("T2");
    let other = make(&admin, &other).await;
    assert_eq!((&other["salesDiffer"], &other["uncompared"]), (&Value::Null, &json!("1 of 2 readings")));
    let none: Vec<&Value> =
        other["checks"].as_array().expect("checks").iter().map(|check| &check["name"]).collect();
    assert!(!none.contains(&&json!("receiptsNet")), "{none:?}");
    admin.post(&format!("{}/verify", at(&first)), &json!({})).await.expect(200);
    let refused = admin.post(&format!("{}/verify", at(&other)), &json!({})).await.expect(409);
    assert_eq!((&refused["code"], &refused["by"]), (&json!("salesDiffer"), &json!(760)));

    // Those of a named till are compared at once.
    let named = store(&app, "NAMED").await;
    sell_at(&app, (&named, "T2"), 3, 112_000).await;
    sell_at(&app, (&named, "T1"), 3, 100_000).await;
    let made = make(&admin, &typed(&app, &named, 1, 3)).await;
    assert_eq!((&made["salesDiffer"], &made["uncompared"]), (&json!(-120), &Value::Null));
}

#[rstest]
#[tokio::test]
async fn what_fails_comes_first(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    // Eight days ago the sums agree, the day after a grand total does not go on, then a sum fails, then sales differ.
    let clean = make(&admin, &typed(&app, &shop, 1, 8)).await;
    let mut jumps = typed(&app, &shop, 2, 7);
    (jumps["previousTotal"], jumps["presentTotal"]) = (json!(50_000), json!(51_120));
    let jumps = make(&admin, &jumps).await;
    let mut wrong = typed(&app, &shop, 5, 6);
    wrong["net"] = json!(1_121);
    let wrong = make(&admin, &wrong).await;
    let apart = make(&admin, &typed(&app, &shop, 9, 5)).await;
    sell_at(&app, (&shop, "T1"), 5, 100_000).await;
    let fine = make(&admin, &typed(&app, &shop, 20, 4)).await;
    sell_at(&app, (&shop, "T1"), 4, 112_000).await;
    let order = async |query: &str| -> Vec<Value> {
        let page = admin.get(&format!("{PATH}?{query}")).await.expect(200);
        page["items"].as_array().expect("items").iter().map(|row| row["id"].clone()).collect()
    };
    let ids = |all: [&Value; 5]| all.map(|one| one["id"].clone());
    assert_eq!(order("sort=review&state=needsReview").await, ids([&jumps, &wrong, &apart, &clean, &fine]));
    assert_eq!(order("sort=review&pageSize=1&page=3").await, [apart["id"].clone()]);
    let rows = admin.get(&format!("{PATH}?sort=review")).await.expect(200);
    let why: Vec<_> = rows["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|row| {
            (
                row["breaksChain"] == true,
                !row["failing"].as_array().expect("words").is_empty(),
                row["salesDiffer"] == true,
            )
        })
        .collect();
    let none = (false, false, false);
    assert_eq!(why, [(true, false, false), (false, true, false), (false, false, true), none, none]);

    // One with doubtful fields, as from a picture, comes after those that fail.
    let actor = crate::support::actor(app.state.now());
    let id = fine["id"].as_str().expect("an id");
    let doubted = app.db.write(&actor, async |tx| {
        tx.sql("update z_readings set fields_doubtful = 2 where id = $1").bind(id).execute().await
    });
    assert_eq!(doubted.await.expect("a change"), 1);
    assert_eq!(order("sort=review").await, ids([&jumps, &wrong, &apart, &fine, &clean]));
    // Another rule of the till: its sums are checked again.
    let path = format!("{PATH}/terminals/{shop}/T1");
    let set = json!({ "basis": "gross", "vat": "exclusive", "revision": 0 });
    admin.put(&path, &set).await.expect(200);
    let now = order("sort=review").await;
    assert_eq!(now[0], clean["id"], "the oldest of those that fail now");
}

#[rstest]
#[tokio::test]
async fn a_past_day_follows_the_reading_before_it(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    for (counter, ago) in [(1, 9), (2, 8), (4, 6)] {
        make(&admin, &typed(&app, &shop, counter, ago)).await;
    }
    let before = async |ago: i32| {
        let to = day(&app, ago + 1);
        admin.get(&format!("{PATH}/chain?storeId={shop}&terminalId=T1&to={to}")).await.expect(200)
    };
    let seventh = before(7).await;
    assert_eq!(
        (&seventh["next"]["zCounter"], &seventh["next"]["previousTotal"], &seventh["next"]["firstSi"]),
        (&json!(3), &json!(12_240), &json!("00000021"))
    );
    assert_eq!(
        (&seventh["after"]["zCounter"], &seventh["after"]["businessDate"]),
        (&json!(4), &json!(day(&app, 6)))
    );
    // Between the first two no counter is left.
    let ninth = before(8).await;
    assert_eq!((&ninth["next"]["zCounter"], &ninth["after"]["zCounter"]), (&json!(2), &json!(2)));
    let newest = before(1).await;
    assert_eq!((&newest["next"]["zCounter"], &newest["after"]), (&json!(5), &Value::Null));
}

#[rstest]
#[tokio::test]
async fn sales_of_all_covered_days_are_compared(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let shop = store(&app, "AYA").await;
    for (ago, net) in [(4, 60_000), (3, 60_000)] {
        sell(&app, &shop, ago, net).await;
    }
    let mut draft = typed(&app, &shop, 1, 3);
    draft["coversFrom"] = json!(day(&app, 4));
    let made = make(&admin, &draft).await;
    assert_eq!((&made["imported"][0]["net"], &made["salesDiffer"]), (&json!(1_200), &json!(80)));
    // A second till of one of these days alone, then of both.
    let mut other = typed(&app, &shop, 1, 3);
    other["terminalId"] = json!("T2");
    let other = make(&admin, &other).await;
    assert_eq!(other["uncompared"], "another reading is of other days too");
    let body = json!({ "revision": other["revision"], "coversFrom": day(&app, 4) });
    let other = admin.patch(&at(&other), &body).await.expect(200);
    assert_eq!(other["uncompared"], "1 of 2 readings");
    admin.post(&format!("{}/verify", at(&made)), &json!({})).await.expect(200);
    let shown = admin.get(&at(&other)).await.expect(200);
    assert_eq!((&shown["uncompared"], &shown["salesDiffer"]), (&Value::Null, &json!(-1_040)));

    // The first one cannot be reconciled before the other one is verified, unless a reason is given.
    let reconcile = format!("{}/reconcile", at(&made));
    assert_eq!(admin.post(&reconcile, &json!({})).await.expect(422)["code"], "notComplete");
    admin.post(&reconcile, &json!({ "reason": "Held against the paper" })).await.expect(200);
}
