//! Opening days: proposed from sales, and what follows from them.

use larder_domain::BusinessDay;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PLAN, Stage};
use crate::documents::said;
use crate::support::{Engine, one_engine};

const AT: &str = "/api/stores/opening-days";

#[rstest]
#[tokio::test]
async fn opening_days_are_set_from_a_day_on(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let (today, admin) = (stage.today(), &stage.admin);
    let of_store = async || {
        let found = admin.get(&format!("{AT}?storeId={}", stage.store)).await.expect(200);
        found["items"][0].clone()
    };
    let before = of_store().await;
    assert_eq!((&before["weekdays"], &before["changes"]), (&json!([1, 2, 3, 4, 5, 6, 7]), &json!([])));

    let from = |day: BusinessDay| format!("{AT}/{}/{day}", stage.store);
    let without = json!({ "weekdays": [1, 2, 3, 4, 5, 6] });
    let set = admin.put(&from(today.plus(3)), &without).await.expect(200);
    assert_eq!(
        (&set["weekdays"], &set["changes"][0]["weekdays"]),
        (&before["weekdays"], &without["weekdays"])
    );
    let set = admin.put(&from(today), &json!({ "weekdays": [1, 2] })).await.expect(200);
    assert_eq!((&set["weekdays"], set["changes"].as_array().map(Vec::len)), (&json!([1, 2]), Some(2)));
    // What was changed since is not overwritten.
    let stale = admin.put(&from(today), &without).await.expect(409);
    assert_eq!((&stale["code"], &stale["current"]["weekdays"]), (&json!("stale"), &json!([1, 2])));
    admin.put(&from(today), &json!({ "weekdays": [7], "revision": 1 })).await.expect(200);
    let left = admin.delete(&from(today)).await.expect(200);
    assert_eq!((&left["weekdays"], left["changes"].as_array().map(Vec::len)), (&before["weekdays"], Some(1)));
    admin.delete(&from(today)).await.expect(404);

    for (days, words) in [(json!([]), "Choose at least one day."), (json!([8]), "Monday is 1, Sunday 7.")] {
        let refused = admin.put(&from(today), &json!({ "weekdays": days })).await.expect(422);
        assert_eq!(said(&refused, "weekdays"), words);
    }
    let history = admin.get("/api/history?kind=openingDays").await.expect(200);
    assert_eq!(history["items"].as_array().map(Vec::len), Some(4), "{history}");
    let others = Some(std::slice::from_ref(&stage.other));
    let scoped = stage.app.user(&[("stores/storeList", larder_domain::Action::ALL)], others).await;
    scoped.put(&from(today), &without).await.expect(403);
}

#[rstest]
#[tokio::test]
async fn a_closed_weekday_is_proposed_and_is_neither_missing_nor_forecast(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    let (today, admin) = (stage.today(), &stage.admin);
    stage.sold_but(&stage.store, 0, |day| day.weekday() == 6).await;
    let found = admin.get(&format!("{AT}?storeId={}", stage.store)).await.expect(200);
    let open = json!([1, 2, 3, 4, 5, 6]);
    assert_eq!(found["items"][0]["proposed"], open);

    // Turned down by confirming what is set, it is not asked again.
    let every_day = json!({ "weekdays": [1, 2, 3, 4, 5, 6, 7] });
    let kept = admin.put(&format!("{AT}/{}/{today}", stage.store), &every_day).await.expect(200);
    assert_eq!((&kept["proposed"], &kept["weekdays"]), (&Value::Null, &every_day["weekdays"]));
    let again = admin.delete(&format!("{AT}/{}/{today}", stage.store)).await.expect(200);
    assert_eq!(again["proposed"], open);
    // Confirmed longer ago than eight weeks, it is.
    let long_ago = format!("{AT}/{}/{}", stage.store, today.plus(-70));
    assert_eq!(admin.put(&long_ago, &every_day).await.expect(200)["proposed"], open);
    admin.delete(&long_ago).await.expect(200);

    let ahead = async || -> Vec<(BusinessDay, f64)> {
        stage.run(json!({})).await;
        let heat = admin.get(&format!("{PLAN}/heat?storeId={}", stage.store)).await.expect(200);
        let days = (0..14).map(|n| today.plus(n));
        let forecast = heat["rows"][0]["forecast"].as_array().expect("days").iter();
        days.zip(forecast.map(|it| it.as_f64().expect("a number"))).collect()
    };
    let before = ahead().await;
    assert!(before.iter().all(|(_, used)| *used > 0.0), "{before:?}");
    let set =
        admin.put(&format!("{AT}/{}/{today}", stage.store), &json!({ "weekdays": open })).await.expect(200);
    assert_eq!((&set["weekdays"], &set["proposed"]), (&open, &Value::Null));
    for ((day, before), (_, after)) in before.into_iter().zip(ahead().await) {
        assert_eq!(after, if day.weekday() == 6 { 0.0 } else { before }, "{day}");
    }

    let since = json!({ "weekdays": open });
    admin.put(&format!("{AT}/{}/{}", stage.store, today.plus(-60)), &since).await.expect(200);
    let days = format!(
        "/api/tools/services/daily-sales-coverage/days?storeId={}&from={}&to={}",
        stage.store,
        today.plus(-14),
        today.plus(-1)
    );
    let days = admin.get(&days).await.expect(200);
    for (n, day) in (0..).zip(days["stores"][0]["days"].as_array().expect("days")) {
        let closed = today.plus(n - 14).weekday() == 6;
        assert_eq!(day["state"], if closed { "closed" } else { "complete" }, "{day}");
        if closed {
            assert_eq!(day["why"], "The store is closed on this day.");
        }
    }
}
