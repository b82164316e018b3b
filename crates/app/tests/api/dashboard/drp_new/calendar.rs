//! The plan by a delivery calendar: its days, its sentence, and what counts as on order.

use larder_domain::BusinessDay;
use larder_ledgers::sales::{Prepared, replace_store_days};
use larder_platform::http::ApiError;
use rstest::rstest;
use serde_json::{Value, json};

use super::{PLAN, RUNS, Stage, WEEK, close, figure, number, numbers};
use crate::stores::inventory::{self, Counted};
use crate::support::{Engine, actor, one_engine};

/// What is due, as the plan and the order guide name it.
const DUE: [&str; 5] = ["inTransit", "inTransitLater", "onOrder", "later", "short"];

/// Days from today to the next trucks.
const TRUCKS: [i32; 4] = [3, 5, 10, 12];

impl Stage {
    /// Two trucks a week, the next one in three days, the one after in five.
    async fn deliver_in_three_and_five_days(&self) {
        let weekday = |days: i32| self.today().plus(days).weekday() + 1;
        self.deliver_on(&[weekday(3), weekday(5)]).await;
    }

    /// Sales of a day, as many as on every such weekday.
    async fn sold_on(&self, day: BusinessDay) {
        let kilos = WEEK[usize::from(day.weekday())];
        let days = &[Prepared::new(self.store_day(&self.store, day, kilos * 1_000))];
        self.app
            .db
            .write(&actor(self.app.state.now()), async |tx| replace_store_days(tx, days, None).await)
            .await
            .map_err(|error: ApiError| error.to_string())
            .expect("posted");
    }

    async fn grid(&self) -> Value {
        let at = format!("{PLAN}/grid?productId={}&storeId={}", self.sacks, self.store);
        self.admin.get(&at).await.expect(200)
    }
}

#[rstest]
#[tokio::test]
async fn an_order_lasts_until_the_truck_after_its_own(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    stage.deliver_in_three_and_five_days().await;
    let (today, lasts) = (stage.today(), stage.sells(4));
    stage.sold(&stage.store, lasts).await;
    stage.run(json!({ "storeIds": [stage.store] })).await;
    let line = stage.line().await;
    assert_eq!((&line["leadDays"], &line["reviewDays"]), (&json!(3), &json!(2)));
    assert_eq!((&line["neededDate"], &line["nextDate"]), (&json!(today.plus(3)), &json!(today.plus(5))));
    assert_eq!(number(&line["forecast"]), stage.sells(5) as f64);
    let packs = ((stage.sells(5) - lasts) as f64 / 5.0).ceil();
    assert_eq!(number(&line["suggested"]), packs);
    let out = today.plus(4);
    assert_eq!((&line["outWithoutOrder"], &line["outWithOrder"]), (&json!(out), &Value::Null));
    assert_eq!((&line["stockOutDate"], &line["atRisk"]), (&json!(out), &json!(false)));
    let words = format!(
        "Without this order it runs out on {}. With it, it lasts until the delivery of {}.",
        out.display(),
        today.plus(5).display()
    );
    assert_eq!(line["outlook"], json!(words));
    let lead = figure(&line["why"], "Lead days")["source"].as_str().expect("words").to_owned();
    assert_eq!(lead, format!("by the delivery calendar: the delivery of {}", today.plus(3).display()));

    // Receipts fall on truck days, releases on the days their orders close.
    let grid = stage.grid().await;
    assert_eq!(grid["outlook"], line["outlook"]);
    assert_eq!(grid["nextDate"], line["nextDate"]);
    let on = |days: &[f64]| -> Vec<i32> {
        (0..).zip(days).filter(|(_, qty)| **qty != 0.0).map(|(day, _)| day).collect()
    };
    let (receipts, releases) = (numbers(&grid["receipts"]), numbers(&grid["releases"]));
    assert_eq!(on(&receipts), TRUCKS);
    assert_eq!(on(&releases), TRUCKS.map(|day| day - 1));
    assert!(close(receipts.iter().sum(), releases.iter().sum()));
    assert_eq!(grid["pastDue"], json!([]));
    let (without, with) = (numbers(&grid["withoutOrder"]), numbers(&grid["withOrder"]));
    for (day, (without, with)) in (0..14).zip(without.iter().zip(&with)) {
        let left = (lasts - stage.sells(day + 1)) as f64;
        assert!(close(*without, left), "day {day}: {without} and {left}");
        assert!(close(*with, left + if day >= 3 { packs * 5.0 } else { 0.0 }), "day {day}");
    }
}

#[rstest]
#[tokio::test]
async fn only_what_a_truck_brings_in_time_counts_as_on_order(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.deliver_in_three_and_five_days().await;
    stage.sold(&stage.store, 20).await;
    stage.order(2, 3).await;
    stage.order(1, 5).await;
    stage.run(json!({})).await;
    let line = stage.line().await;
    assert_eq!((&line["onOrder"], &line["later"], &line["short"]), (&json!(10), &json!(5), &json!(0)));
    assert_eq!(line["position"], json!(30));
    let words = line["outlook"].as_str().expect("words");
    let later = format!("Not counted: 5 kg arriving on {} or later.", stage.today().plus(5).display());
    assert!(words.ends_with(&later), "{words}");
    // The order guide suggests the same: what the plan left aside was not ordered since.
    let guide = format!("{}/guide?storeId={}", crate::documents::ORDERS, stage.store);
    let item = stage.admin.get(&guide).await.expect(200)["items"][0].clone();
    assert_eq!((&item["suggested"], &item["why"]), (&line["suggested"], &line["why"]));
    for figure in DUE {
        assert_eq!(item[figure], line[figure], "{figure}");
    }

    // Both trucks went without them, and no sales are known since.
    let (today, used) = (stage.today(), stage.sells(6));
    stage.app.clock.advance(6 * 86_400);
    let later = stage.app.admin().await;
    later.post(RUNS, &json!({})).await.expect(202);
    stage.app.drain().await;
    let plan = later.get(&format!("{PLAN}?storeId={}", stage.store)).await.expect(200);
    let line = &plan["lines"][0];
    assert_eq!((&line["onOrder"], &line["later"], &line["short"]), (&json!(0), &json!(0), &json!(15)));
    assert_eq!((&line["estimatedDays"], number(&line["estimatedUse"])), (&json!(6), used as f64));
    assert_eq!(number(&line["position"]), 20.0 - used as f64);
    assert_eq!(figure(&line["why"], "Short")["value"], json!(15));
    let item = later.get(&guide).await.expect(200)["items"][0].clone();
    for figure in DUE {
        assert_eq!(item[figure], line[figure], "{figure}");
    }
    let words = line["outlook"].as_str().expect("words");
    assert!(
        words.ends_with("Includes 6 estimated days. Short: 15 kg ordered that no truck brings."),
        "{words}"
    );
    let note = plan["notes"].to_string();
    let known =
        format!("Sales are known until {}: what was used since is estimated.", today.plus(-1).display());
    assert!(note.contains(&known), "{note}");
}

#[rstest]
#[tokio::test]
async fn what_trucks_carry_is_in_transit_whenever_it_arrives(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    stage.deliver_in_three_and_five_days().await;
    stage.sold(&stage.store, 20).await;
    // Two sacks leave for the next truck, four for the one after; ten more are ordered for that one.
    stage.send_for(2, 3).await;
    stage.send_for(4, 5).await;
    stage.order(10, 5).await;
    let guide = format!("{}/guide?storeId={}", crate::documents::ORDERS, stage.store);
    let without_a_plan = stage.admin.get(&guide).await.expect(200)["items"][0].clone();
    stage.run(json!({})).await;
    let line = stage.line().await;
    assert_eq!(DUE.map(|figure| line[figure].clone()), [30, 20, 0, 50, 0].map(|qty| json!(qty)));
    let item = stage.admin.get(&guide).await.expect(200)["items"][0].clone();
    for figure in DUE {
        assert_eq!(item[figure], line[figure], "{figure}");
        assert_eq!(without_a_plan[figure], line[figure], "{figure} without a plan");
    }
    assert_eq!((&item["suggested"], &item["why"]), (&line["suggested"], &line["why"]));
    let inventory = format!("/api/stores/inventory?storeId={}&by=rootItems", stage.store);
    let inventory = stage.admin.get(&inventory).await.expect(200);
    assert_eq!(inventory["items"][0]["inTransit"], line["inTransit"]);

    // What comes too late does not count, and the plan says so.
    assert_eq!(line["position"], json!(20 + 10));
    assert_eq!(figure(&line["why"], "In transit")["value"], json!(30));
    assert_eq!(figure(&line["why"], "In transit, later")["value"], json!(20));
    let position = figure(&line["why"], "Position")["source"].clone();
    assert_eq!(position, "on hand + in transit − in transit, later + on order − committed");
    let words = line["outlook"].as_str().expect("words");
    let later = format!("Not counted: 70 kg arriving on {} or later.", stage.today().plus(5).display());
    assert!(words.ends_with(&later), "{words}");
}

#[rstest]
#[tokio::test]
async fn what_was_used_since_an_opening_count_is_estimated_from_its_day_on(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.deliver_in_three_and_five_days().await;
    stage.sold(&stage.store, 20).await;
    // No sales are known of three days; the last of them is counted, once before its sales and once after them.
    let day = stage.today().plus(2);
    stage.app.clock.advance(3 * 86_400);
    let later = stage.app.admin().await;
    let used = WEEK[usize::from(day.weekday())];
    for (closing, days, used) in [(false, 1, used), (true, 0, 0)] {
        let counted = Counted { day: day.0, closing, qty: 60_000 };
        inventory::count(&stage.app, &stage.store, &stage.counted, counted).await;
        later.post(RUNS, &json!({})).await.expect(202);
        stage.app.drain().await;
        let plan = later.get(&format!("{PLAN}?storeId={}", stage.store)).await.expect(200);
        let line = &plan["lines"][0];
        assert_eq!((&line["onHand"], &line["estimatedDays"]), (&json!(60), &json!(days)), "{plan}");
        assert_eq!(number(&line["estimatedUse"]), used as f64);
    }
}

#[rstest]
#[tokio::test]
async fn a_missing_day_before_days_with_sales_is_estimated(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let mut stage = Stage::build(on).await;
    // 100 kilos are counted in the evening. Of the four days since, the sales of the third are known only.
    stage.sold(&stage.store, 100).await;
    let first = stage.today();
    stage.app.clock.advance(4 * 86_400);
    stage.admin = stage.app.admin().await;
    stage.sold_on(first.plus(2)).await;
    let usual = |days: &[i32]| -> f64 {
        days.iter().map(|day| WEEK[usize::from(first.plus(*day).weekday())] as f64).sum()
    };
    let estimated = async |stage: &Stage, missing: &[i32], on_hand: f64| {
        stage.run(json!({ "storeIds": [stage.store] })).await;
        let line = stage.line().await;
        assert_eq!(line["estimatedDays"], json!(missing.len()), "{line}");
        assert_eq!(number(&line["estimatedUse"]), usual(missing));
        assert_eq!(number(&line["onHand"]), on_hand);
        assert_eq!(number(&line["position"]), on_hand - usual(missing));
        // What is planned begins today.
        assert_eq!(number(&line["forecast"]), stage.sells(3) as f64);
        let grid = stage.grid().await;
        assert_eq!(number(&grid["opening"]), on_hand - usual(missing));
    };
    estimated(&stage, &[0, 1, 3], 100.0 - usual(&[2])).await;
    // A count before the sales of the second day includes what was used on the first.
    let counted = |closing: bool, kilos: i64| Counted { day: first.0 + 1, closing, qty: kilos * 1_000 };
    inventory::count(&stage.app, &stage.store, &stage.counted, counted(false, 90)).await;
    estimated(&stage, &[1, 3], 90.0 - usual(&[2])).await;
    inventory::count(&stage.app, &stage.store, &stage.counted, counted(true, 80)).await;
    estimated(&stage, &[3], 80.0 - usual(&[2])).await;
    // The files of these days come.
    for day in [0, 1, 3] {
        stage.sold_on(first.plus(day)).await;
    }
    estimated(&stage, &[], 80.0 - usual(&[2, 3])).await;
}

#[rstest]
#[tokio::test]
async fn closed_days_and_long_gaps_are_not_estimated(#[from(one_engine)] on: Engine) {
    let mut stage = Stage::build(on).await;
    stage.sold(&stage.store, 100).await;
    let (first, store) = (stage.today(), stage.store.clone());
    let estimated_days = async |stage: &Stage| {
        stage.run(json!({ "storeIds": [stage.store] })).await;
        stage.line().await["estimatedDays"].clone()
    };
    stage.app.clock.advance(3 * 86_400);
    stage.admin = stage.app.admin().await;
    stage.sold_on(first.plus(2)).await;
    assert_eq!(estimated_days(&stage).await, 2);
    let open: Vec<u8> = (1..=7).filter(|day| *day != first.weekday() + 1).collect();
    let at = format!("/api/stores/opening-days/{store}/{first}");
    stage.admin.put(&at, &json!({ "weekdays": open })).await.expect(200);
    assert_eq!(estimated_days(&stage).await, 1);
    // Eighteen days later sales come in again: of so many days nothing is known.
    stage.app.clock.advance(18 * 86_400);
    stage.admin = stage.app.admin().await;
    stage.sold_on(first.plus(20)).await;
    assert_eq!(estimated_days(&stage).await, 0);
}

#[rstest]
#[case(Some("opening"), 10, true)]
#[case(None, 10, true)]
#[case(None, 15, false)]
#[case(Some("closing"), 19, false)]
#[tokio::test]
async fn todays_sales_are_forecast_if_the_last_count_lacks_them(
    #[from(one_engine)] on: Engine,
    #[case] session: Option<&str>,
    #[case] hour: i64,
    #[case] lacks: bool,
) {
    let mut stage = Stage::build(on).await;
    stage.sold(&stage.store, 20).await;
    stage.app.clock.advance_to_hour(hour);
    stage.admin = stage.app.admin().await;
    let settings =
        json!({ "enforceTimeWindow": false, "timeLockEnabled": false, "autoSessionByTime": false });
    let at = format!("/api/stores/count/settings/{}", stage.store);
    stage.admin.put(&at, &settings).await.expect(200);
    let now = stage.app.state.now();
    let save = json!({
        "op": "tab:1", "seq": 1, "storeId": stage.store, "itemId": stage.counted, "date": stage.today(),
        "session": session, "qty": 20, "at": now,
    });
    let batch = json!({ "deviceId": "tab", "sentAt": now, "entries": [save] });
    let taken = stage.admin.post("/api/stores/count/batch", &batch).await.expect(200);
    assert_eq!(taken["results"][0]["outcome"], "applied");
    stage.run(json!({ "storeIds": [stage.store] })).await;
    let heat = stage.admin.get(&format!("{PLAN}/heat?storeId={}", stage.store)).await.expect(200);
    let today = if lacks { stage.sells(1) } else { 0 };
    assert_eq!(numbers(&heat["rows"][0]["forecast"])[0], today as f64);
    let line = stage.line().await;
    assert_eq!((&line["onHand"], &line["estimatedDays"]), (&json!(20), &json!(0)));
    assert_eq!(number(&line["forecast"]), (stage.sells(3) - stage.sells(1) + today) as f64);
}

#[rstest]
#[tokio::test]
async fn without_a_calendar_lead_and_review_days_apply(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    stage.sold(&stage.store, 0).await;
    let plans = async |rule: Value| {
        let at = format!("/api/stores/delivery-calendar/{}/commissary/{}", stage.store, stage.kitchen);
        let kept = stage.admin.get("/api/stores/delivery-calendar").await.expect(200);
        let mut rule = rule;
        rule["revision"] = kept["items"][0]["revision"].clone();
        stage.admin.put(&at, &rule).await.expect(200);
        stage.run(json!({})).await;
        stage.line().await
    };
    let weekdays = [1, 2, 3, 4, 5, 6, 7];
    let daily = plans(json!({ "weekdays": weekdays, "cutoffTime": "16:00", "cutoffDays": 1 })).await;
    let day = |days: i32| -> Value { json!(BusinessDay(stage.today().0 + days)) };
    assert_eq!((&daily["leadDays"], &daily["reviewDays"]), (&json!(1), &json!(1)));
    assert_eq!((&daily["neededDate"], &daily["nextDate"]), (&day(1), &day(2)));
    // At 09:00 the truck of today can no longer be made if orders closed at 08:00, and can until 10:00.
    let today = plans(json!({ "weekdays": weekdays, "cutoffTime": "10:00", "cutoffDays": 0 })).await;
    assert_eq!((&today["leadDays"], &today["neededDate"]), (&json!(0), &day(0)));
    let missed = plans(json!({ "weekdays": weekdays, "cutoffTime": "08:00", "cutoffDays": 0 })).await;
    assert_eq!((&missed["leadDays"], &missed["neededDate"]), (&json!(1), &day(1)));

    let at = format!("/api/stores/delivery-calendar/{}/commissary/{}", stage.store, stage.kitchen);
    stage.admin.delete(&at).await;
    stage.run(json!({})).await;
    let without = stage.line().await;
    assert_eq!((&without["leadDays"], &without["reviewDays"]), (&json!(1), &json!(2)));
    assert_eq!((&without["nextDate"], &without["outlook"]), (&Value::Null, &Value::Null));
}
