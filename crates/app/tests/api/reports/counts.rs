//! Reports on counts: compliance, variance, people.

use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use crate::stores::inventory::{Counted, Stage};
use crate::support::Engine;

fn range(from: i32, to: i32) -> String {
    format!("from={}&to={}", BusinessDay(from), BusinessDay(to))
}

#[rstest]
#[tokio::test]
async fn counts_are_done_late_partial_or_missing(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    // Four days ago: all items in the evening. Three days ago: one of two items. The following day: none.
    for (day, items) in [(today - 4, vec![&stage.loose, &stage.sack]), (today - 3, vec![&stage.loose])] {
        for item in items {
            stage.count(item, Counted { day, closing: true, qty: 1_000 }).await;
        }
    }
    let ask = format!("/api/reports/count-compliance?{}", range(today - 4, today - 2));
    let report = stage.admin.get(&ask).await.expect(200);
    let store = &report["stores"][0];
    assert_eq!((&store["name"], &store["of"]), (&json!("Makati"), &json!(2)));
    let states: Vec<&Value> = store["days"]
        .as_array()
        .expect("days")
        .iter()
        .flat_map(|day| day.as_array().expect("sessions").iter().map(|one| &one["state"]))
        .collect();
    assert_eq!(states, ["missing", "done", "missing", "partial", "missing", "missing"]);
    let totals = json!({ "due": 6, "done": 1, "late": 0, "partial": 1, "missing": 4, "share": 0.1667 });
    assert_eq!((&report["totals"], &store["totals"]), (&totals, &totals));
    assert_eq!((&report["byDay"][0]["done"], &report["byDay"][2]["missing"]), (&json!(1), &json!(2)));
    assert_eq!(report["bySession"][1]["session"], "closing");
    assert_eq!(report["bySession"][1]["totals"]["share"], 0.3333);

    // Finishing a session counts as counted; late counts are late.
    let by = crate::support::actor(stage.app.state.now());
    let (store_id, day) = (&stage.store, i64::from(today - 3));
    stage
        .app
        .db
        .write(&by, async |tx| {
            tx.sql(
                "insert into store_count_sessions (store_id, date, session, finished_at) values ($1, $2, 'closing', 1) \
                 on conflict (store_id, date, session) do update set finished_at = 1",
            )
            .bind(store_id)
            .bind(day)
            .execute()
            .await?;
            tx.sql("update store_counts set late = true where date = $1").bind(day).execute().await
        })
        .await
        .expect("a session");
    let report = stage.admin.get(&ask).await.expect(200);
    assert_eq!(report["stores"][0]["days"][1][1]["state"], "late");
    assert_eq!(report["stores"][0]["days"][1][1]["late"], 1);

    // A whole-day count is one count, whatever its session.
    let settings = json!({ "autoSessionByTime": false });
    stage.admin.put(&format!("/api/stores/count/settings/{}", stage.store), &settings).await.expect(200);
    let report = stage.admin.get(&ask).await.expect(200);
    assert_eq!(report["totals"]["due"], 3);
    assert_eq!(report["stores"][0]["days"][0][0]["session"], "");
    assert_eq!(report["stores"][0]["days"][0][0]["state"], "done");
    // Nothing is due on future days.
    let ahead = format!("/api/reports/count-compliance?{}", range(today - 1, today + 30));
    assert_eq!(stage.admin.get(&ahead).await.expect(200)["days"].as_array().map(Vec::len), Some(2));
    let long = format!("/api/reports/count-compliance?{}", range(today - 200, today));
    assert_eq!(stage.admin.get(&long).await.expect(422)["fields"][0]["field"], "to");
    let file = stage.admin.get(&ask.replace("compliance?", "compliance/export?")).await.text();
    assert!(file.contains("Makati,") && file.contains(",Done,"), "{file}");
    let (totals, items) = (&report["totals"], |field: &str| {
        let days = report["stores"][0]["days"].as_array().expect("days").iter();
        days.flat_map(|day| day.as_array().expect("counts"))
            .filter_map(|one| one[field].as_i64())
            .sum::<i64>()
    });
    let foot = format!(
        "\r\nTotal,,,{} of {} in time,{},{},,,\r\n",
        totals["done"],
        totals["due"],
        items("counted"),
        items("late")
    );
    assert!(file.ends_with(&foot), "{foot} in {file}");
}

#[rstest]
#[tokio::test]
async fn variance_is_counted_less_expected_stock(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut stage = Stage::build(on).await;
    let today = stage.today();
    for (day, qty) in [(today - 9, 30_000), (today - 5, 99_000), (today - 1, 11_000)] {
        stage.count(&stage.loose, Counted { day, closing: true, qty }).await;
    }
    for day in today - 9..today {
        stage.sell(day, 2_000).await;
    }
    stage.bring(today - 3, 4_000).await;
    // From 30, eight days of two, plus four: 18 expected, whatever was counted in between.
    let ask = format!("/api/reports/count-variance?{}", range(today - 8, today));
    let report = stage.admin.get(&ask).await.expect(200);
    let row = &report["items"][0];
    assert_eq!((&row["name"], &row["opening"], &row["counted"]), (&json!("Rice"), &json!(30), &json!(11)));
    assert_eq!((&row["moved"], &row["used"], &row["expected"]), (&json!(4), &json!(16), &json!(18)));
    assert_eq!((&row["variance"], &row["varianceValue"]), (&json!(-7), &json!(-350)));
    assert_eq!((&row["share"], &row["openingDate"]), (&json!(-0.4375), &json!(BusinessDay(today - 9))));
    assert_eq!((&report["total"], &report["loss"], &report["net"]), (&json!(1), &json!(-350), &json!(-350)));
    let items = stage.admin.get(&format!("{ask}&by=items")).await.expect(200);
    assert_eq!((&items["items"][0]["id"], &items["items"][0]["variance"]), (&json!(stage.loose), &json!(-7)));
    // The range starts with its first count if there is no earlier one.
    let ask = format!("/api/reports/count-variance?{}", range(today - 30, today - 4));
    let report = stage.admin.get(&ask).await.expect(200);
    assert_eq!(report["items"][0]["variance"], 77);
    let ask = format!("/api/reports/count-variance?{}", range(today - 30, today - 8));
    assert_eq!(stage.admin.get(&ask).await.expect(200)["total"], 0);
    let ask = format!("/api/reports/count-variance/export?format=xlsx&{}", range(today - 8, today));
    assert!(stage.admin.get(&ask).await.bytes.starts_with(b"PK"));
    let file = stage.admin.get(&ask.replace("xlsx", "csv")).await.text();
    let foot = file.trim_end().lines().last().expect("a foot");
    assert!(foot.starts_with("Total,,") && foot.ends_with(",-7,-350,"), "{file}");
    let user = stage.app.user(&[("reports/reports", Action::ALL)], Some(&["elsewhere".to_owned()])).await;
    let ask = format!("/api/reports/count-variance?{}", range(today - 8, today));
    assert_eq!(user.get(&ask).await.expect(200)["total"], 0);
    let ask = format!("{ask}&storeIds={}", stage.store);
    assert_eq!(user.get(&ask).await.expect(403)["code"], "outOfScope");
}

#[rstest]
#[tokio::test]
async fn counts_and_recounts_by_person(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    let by = crate::support::actor(stage.app.state.now());
    let (store, loose) = (&stage.store, &stage.loose);
    // Ana counts on two days, Ben recounts once, late; a choice between counts and a held count are not
    // counts.
    let saves = [
        ("a:1", today - 2, "ana", false, "applied"),
        ("a:2", today - 1, "ana", false, "superseded"),
        ("b:1", today - 1, "ben", true, "applied"),
        ("server:x:1", today - 1, "ana", false, "applied"),
        ("b:2", today - 2, "ben", false, "held"),
    ];
    let saves = &saves;
    stage
        .app
        .db
        .write(&by, async |tx| {
            for (op, day, who, late, outcome) in saves {
                let device = op.rsplit_once(':').map_or("", |(device, _)| device);
                let who = larder_db::Json(json!({ "uid": who, "name": who.to_uppercase(), "email": "" }));
                tx.sql(
                    "insert into store_count_events (op, store_id, date, session, item_id, qty, at, received_at, \
                     stands_at, device_id, device_seq, late, counted_by, sent_by, outcome, knowing) \
                     values ($1, $2, $3, 'closing', $4, 1, $5, $5, $5, $6, 1, $7, $8, $8, $9, false)",
                )
                .bind(*op)
                .bind(store)
                .bind(i64::from(*day))
                .bind(loose)
                .bind(i64::from(*day) * 86_400_000)
                .bind(device)
                .bind(*late)
                .bind(&who)
                .bind(*outcome)
                .execute()
                .await?;
            }
            Ok::<_, larder_db::DbError>(())
        })
        .await
        .expect("saves");
    let ask = format!("/api/reports/count-people?{}", range(today - 5, today));
    let report = stage.admin.get(&ask).await.expect(200);
    let [ana, ben] = &report["items"].as_array().expect("people")[..] else { panic!("two: {report}") };
    let figures = |one: &Value| {
        ["counts", "corrections", "late", "days", "stores"].map(|field| one[field].as_i64().unwrap_or(-1))
    };
    assert_eq!((&ana["name"], figures(ana)), (&json!("ANA"), [2, 0, 0, 2, 1]));
    assert_eq!((&ben["uid"], figures(ben)), (&json!("ben"), [0, 1, 1, 1, 1]));
    assert_eq!(
        (&report["counts"], &report["corrections"], &report["late"]),
        (&json!(2), &json!(1), &json!(1))
    );
    // Each figure is the number of what is listed behind it.
    for one in [ana, ben] {
        for figure in ["counts", "corrections", "late", "days", "stores"] {
            let uid = one["uid"].as_str().expect("an id");
            let lines = ask.replace("people?", &format!("people/counts?uid={uid}&figure={figure}&"));
            let listed = stage.admin.get(&lines).await.expect(200);
            let rows = listed["items"].as_array().expect("rows");
            assert_eq!(
                (&one[figure], &json!(rows.len())),
                (&listed["total"], &listed["total"]),
                "{figure}: {listed}"
            );
            assert_eq!(listed["name"], one["name"]);
            let sum = |of: &str| rows.iter().filter_map(|row| row[of].as_i64()).sum::<i64>();
            match figure {
                "counts" | "corrections" | "late" => assert_eq!(json!(sum(figure)), one[figure]),
                _ => assert_eq!((&json!(sum("counts")), &json!(sum("late"))), (&one["counts"], &one["late"])),
            }
        }
    }
    let lines = |more: &str| ask.replace("people?", &format!("people/counts?{more}&"));
    let late = stage.admin.get(&lines("uid=ben&figure=late")).await.expect(200);
    let row = &late["items"][0];
    assert_eq!(
        (&row["storeName"], &row["date"], &row["session"], &row["itemId"]),
        (&json!("Makati"), &json!(BusinessDay(today - 1)), &json!("closing"), &json!(loose))
    );
    let second = stage.admin.get(&lines("uid=ana&pageSize=1&page=2")).await.expect(200);
    assert_eq!((&second["total"], &second["items"][0]["date"]), (&json!(2), &json!(BusinessDay(today - 2))));
    assert_eq!(stage.admin.get(&lines("figure=late")).await.expect(422)["fields"][0]["field"], "uid");
    let elsewhere =
        stage.app.user(&[("reports/reports", Action::ALL)], Some(&["elsewhere".to_owned()])).await;
    assert_eq!(elsewhere.get(&lines("uid=ana")).await.expect(200)["total"], 0);
    let file = stage.admin.get(&ask.replace("people?", "people/export?")).await.text();
    assert!(file.contains("ANA,2,0,0,2,1,"), "{file}");
    assert!(file.ends_with("\r\nTotal,2,1,1,,,,\r\n"), "days and stores may be the same ones: {file}");
}
