//! What root items cost, by day.

use larder_domain::{Action, BusinessDay, Timestamp};
use rstest::rstest;
use serde_json::{Value, json};

use crate::documents::{RECEIPTS, step_as};
use crate::stores::inventory::{Counted, Stage, make};
use crate::support::{Client, Engine, one_engine};

pub(super) const WEEKS: &str = "/api/tools/root-item-weekly-snapshot/weeks";
const RECOMPUTE: &str = "/api/lists/root-items/prices/recompute";
const PROPOSALS: &str = "/api/lists/price-proposals";

pub(super) fn path(root: &str) -> String {
    format!("/api/lists/root-items/{root}/prices")
}

pub(super) fn at(root: &str, from: BusinessDay) -> String {
    format!("{}/{from}", path(root))
}

/// Each price with its first day and source, newest first.
pub(super) async fn prices(client: &Client, root: &str) -> Vec<(String, Value, String)> {
    let found = client.get(&path(root)).await.expect(200);
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let items = found["items"].as_array().expect("prices");
    items.iter().map(|it| (text(&it["from"]), it["price"].clone(), text(&it["source"]))).collect()
}

/// The price of a root item's record.
async fn price_now(client: &Client, root: &str) -> Value {
    client.get(&format!("/api/lists/root-items/{root}")).await.expect(200)["price"].clone()
}

pub(super) fn kept(from: impl ToString, price: i64, source: &str) -> (String, Value, String) {
    (from.to_string(), json!(price), source.to_owned())
}

pub(super) async fn change(client: &Client, root: &str, price: Value) {
    let record = format!("/api/lists/root-items/{root}");
    let revision = client.get(&record).await.expect(200)["revision"].clone();
    client.patch(&record, &json!({ "price": price, "revision": revision })).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn the_history_and_the_record_follow_each_other(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    let (admin, rice) = (&stage.admin, stage.rice.as_str());
    let today = BusinessDay(stage.today());
    // The first price holds for all days.
    let first = kept("1970-01-01", 50, "set");
    assert_eq!(prices(admin, rice).await, std::slice::from_ref(&first));

    // Saved in its form, a price counts from today on; saved again, the same row changes.
    change(admin, rice, json!(60)).await;
    change(admin, rice, json!(62)).await;
    assert_eq!(prices(admin, rice).await, [kept(today, 62, "set"), first.clone()]);
    // Fields besides the price leave the history alone.
    let record = format!("/api/lists/root-items/{rice}");
    let revision = admin.get(&record).await.expect(200)["revision"].clone();
    admin.patch(&record, &json!({ "type": "Dry", "revision": revision })).await.expect(200);
    assert_eq!(prices(admin, rice).await.len(), 2);

    // Through the history, the record follows.
    let found = admin.get(&path(rice)).await.expect(200);
    let body = json!({ "price": 65.5, "revision": found["items"][0]["revision"] });
    let after = admin.put(&at(rice, today), &body).await.expect(200);
    assert_eq!((&after["items"][0]["price"], &after["weeks"]), (&json!(65.5), &json!([])));
    assert_eq!(price_now(admin, rice).await, 65.5);
    // Of two changes made from the same revision, one is refused.
    let stale = admin.put(&at(rice, today), &body).await.expect(409);
    assert_eq!((&stale["code"], &stale["current"]["price"]), (&json!("stale"), &json!(65.5)));
    let none = json!({ "price": null, "revision": after["items"][0]["revision"] });
    let after = admin.put(&at(rice, today), &none).await.expect(200);
    assert_eq!(price_now(admin, rice).await, Value::Null);
    let revision = &after["items"][0]["revision"];
    admin.delete(&format!("{}?revision={revision}", at(rice, today))).await.expect(200);
    assert_eq!((prices(admin, rice).await, price_now(admin, rice).await), (vec![first], json!(50)));

    // A root item without a price has no history; its first price holds for all days.
    let salt = admin.post("/api/lists/root-items", &json!({ "name": "Salt" })).await.expect(201);
    let salt = salt["id"].as_str().expect("an id");
    assert!(prices(admin, salt).await.is_empty());
    change(admin, salt, json!(12)).await;
    assert_eq!(prices(admin, salt).await, [kept("1970-01-01", 12, "set")]);
    // Its prices go with it.
    admin.delete(&format!("/api/lists/root-items/{salt}")).await.expect(204);
    admin.get(&path(salt)).await.expect(404);
    let rows: i64 = stage
        .app
        .db
        .sql("select cast(count(*) as bigint) from root_item_prices where root_item_id = $1")
        .bind(salt)
        .scalar()
        .await
        .expect("a number");
    assert_eq!(rows, 0);
}

#[rstest]
#[tokio::test]
async fn a_merged_root_item_leaves_its_prices_behind(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    let (admin, rice) = (&stage.admin, stage.rice.as_str());
    let other =
        admin.post("/api/lists/root-items", &json!({ "name": "Ryce", "price": 99 })).await.expect(201);
    let kept = admin.get(&format!("/api/lists/root-items/{rice}")).await.expect(200);
    let body = json!({ "into": rice, "revision": other["revision"], "intoRevision": kept["revision"] });
    let other = other["id"].as_str().expect("an id");
    admin.post(&format!("/api/lists/root-items/{other}/merge"), &body).await.expect(200);
    assert_eq!(prices(admin, rice).await, [self::kept("1970-01-01", 50, "set")]);
    assert_eq!(price_now(admin, rice).await, 50);
}

#[rstest]
#[tokio::test]
async fn past_days_are_confirmed_with_a_reason(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    let (admin, rice) = (&stage.admin, stage.rice.as_str());
    let today = BusinessDay(stage.today());
    let past = at(rice, today.plus(-3));
    let asked = admin.put(&past, &json!({ "price": 55 })).await.expect(409);
    assert_eq!((&asked["code"], &asked["from"]), (&json!("past"), &json!(today.plus(-3))));
    let mute = admin.put(&past, &json!({ "price": 55, "recompute": true, "reason": " " })).await.expect(422);
    assert_eq!(mute["fields"][0]["field"], "reason");
    let body = json!({ "price": 55, "recompute": true, "reason": "Invoice of Monday" });
    let saved = admin.put(&past, &body).await.expect(200);
    let newest = &saved["items"][0];
    assert_eq!((&newest["reason"], &newest["source"]), (&json!("Invoice of Monday"), &json!("set")));
    assert_eq!(price_now(admin, rice).await, 55);
    // Today's price stays when an older one changes.
    change(admin, rice, json!(58)).await;
    let body = json!({ "price": 54, "revision": 1, "recompute": true, "reason": "Typed wrong" });
    admin.put(&past, &body).await.expect(200);
    assert_eq!(price_now(admin, rice).await, 58);

    let ahead = admin.put(&at(rice, today.plus(1)), &json!({ "price": 55 })).await.expect(422);
    assert_eq!(ahead["fields"][0]["message"], "Choose a day up to today.");
    let negative = admin.put(&at(rice, today), &json!({ "price": -1 })).await.expect(422);
    assert_eq!(negative["fields"][0]["field"], "price");
    admin.put(&at(rice, today), &json!({})).await.expect(422);
    admin.put(&format!("{}/yesterday", path(rice)), &json!({ "price": 1 })).await.expect(422);
    admin.put(&at("none", today), &json!({ "price": 1 })).await.expect(404);
    admin.delete(&format!("{}?revision=1", at(rice, today.plus(-9)))).await.expect(404);
    let asked = admin.delete(&format!("{past}?revision=2")).await.expect(409);
    assert_eq!(asked["code"], "past");
    admin.delete(&format!("{past}?revision=2&recompute=true&reason=Twice")).await.expect(200);
    assert_eq!(prices(admin, rice).await.len(), 2);
}

#[rstest]
#[tokio::test]
async fn users_of_the_list_see_prices_and_those_who_edit_it_set_them(#[from(one_engine)] on: Engine) {
    let stage = Stage::build(on).await;
    let today = BusinessDay(stage.today());
    let reader = stage.app.user(&[("lists/allLists", &[Action::View])], None).await;
    assert_eq!(prices(&reader, &stage.rice).await.len(), 1);
    let place = at(&stage.rice, today);
    reader.put(&place, &json!({ "price": 1 })).await.expect(403);
    reader.delete(&format!("{place}?revision=1")).await.expect(403);
    reader.post(RECOMPUTE, &json!({ "from": today })).await.expect(403);
    let editor = stage.app.user(&[("lists/allLists", &[Action::View, Action::Edit])], None).await;
    editor.put(&place, &json!({ "price": 1 })).await.expect(200);
    let other = stage.app.user(&[("stores/storeCount", &[Action::View])], None).await;
    other.get(&path(&stage.rice)).await.expect(403);
}

/// Makes the snapshot of a week.
pub(super) async fn make_week(stage: &Stage, monday: BusinessDay) {
    stage.admin.post(&format!("{WEEKS}/{monday}/make"), &json!({})).await.expect(202);
    stage.app.drain().await;
}

/// What the variance of a week is worth.
pub(super) async fn worth(stage: &Stage, monday: BusinessDay) -> i64 {
    let (value,): (i64,) = stage
        .app
        .db
        .sql("select cast(sum(variance_value) as bigint) from root_item_snapshots where week = $1")
        .bind(monday)
        .one()
        .await
        .expect("a week");
    value
}

/// Two weeks in which a kilo of rice more than expected was used each.
pub(super) async fn two_weeks(on: Engine) -> (Stage, [BusinessDay; 2]) {
    let stage = Stage::build(on).await;
    let this = BusinessDay(stage.today()).week();
    let weeks = [this.plus(-14), this.plus(-7)];
    for (day, qty) in [(-15, 40_000), (-8, 32_000), (-1, 24_000)] {
        stage.count(&stage.loose, Counted { day: this.plus(day).0, closing: true, qty }).await;
    }
    for day in -14..0 {
        stage.sell(this.plus(day).0, 1_000).await;
    }
    for week in weeks {
        make_week(&stage, week).await;
        assert_eq!(worth(&stage, week).await, -5_000, "one kilo at ₱50");
    }
    (stage, weeks)
}

#[rstest]
#[tokio::test]
async fn recompute_changes_only_unfrozen_weeks(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (stage, [older, newer]) = two_weeks(on).await;
    let (admin, rice) = (&stage.admin, stage.rice.as_str());
    admin.post(&format!("{WEEKS}/{older}/freeze"), &json!({})).await.expect(200);

    // A price that would hold in the frozen week is refused, and named.
    let body = json!({ "price": 70, "recompute": true, "reason": "Invoice" });
    for from in [older, newer.plus(-1)] {
        let frozen = admin.put(&at(rice, from), &body).await.expect(409);
        assert_eq!((&frozen["code"], &frozen["frozenWeeks"]), (&json!("frozen"), &json!([older])), "{from}");
        assert!(frozen["detail"].as_str().is_some_and(|it| it.contains("reopen it first")), "{frozen}");
    }
    let started = json!({ "price": 70, "revision": 1, "recompute": true, "reason": "Invoice" });
    admin.put(&format!("{}/1970-01-01", path(rice)), &started).await.expect(409);

    let asked = admin.put(&at(rice, newer), &json!({ "price": 70 })).await.expect(409);
    assert_eq!((&asked["code"], &asked["weeks"]), (&json!("past"), &json!([newer])));
    let saved = admin.put(&at(rice, newer), &body).await.expect(200);
    assert_eq!(saved["weeks"], json!([newer]));
    // One at a time: a second change waits until the snapshots are made.
    let body = json!({ "price": 71, "revision": 1, "recompute": true, "reason": "Invoice" });
    assert_eq!(admin.put(&at(rice, newer), &body).await.expect(409)["code"], "running");
    stage.app.drain().await;
    assert_eq!((worth(&stage, older).await, worth(&stage, newer).await), (-5_000, -7_000));

    // On request, of all weeks since a day; frozen ones stay.
    let made = admin.post(RECOMPUTE, &json!({ "from": older })).await.expect(202);
    assert_eq!((&made["weeks"], &made["frozenWeeks"]), (&json!([newer]), &json!([older])));
    stage.app.drain().await;
    assert_eq!((worth(&stage, older).await, worth(&stage, newer).await), (-5_000, -7_000));
    admin.post(&format!("{WEEKS}/{newer}/freeze"), &json!({})).await.expect(200);
    assert_eq!(admin.post(RECOMPUTE, &json!({ "from": older })).await.expect(409)["code"], "frozen");
    let none = admin.post(RECOMPUTE, &json!({ "from": newer.plus(7) })).await.expect(202);
    assert_eq!(none["weeks"], json!([]));

    // The first price of a root item holds for no frozen day.
    let salt = admin.post("/api/lists/root-items", &json!({ "name": "Salt", "price": 9 })).await.expect(201);
    let salt = salt["id"].as_str().expect("an id");
    assert_eq!(prices(admin, salt).await, [kept(newer.plus(7), 9, "set")]);
}

/// A supplier of rice in sacks of 25 kilos.
struct Supply<'a> {
    stage: &'a Stage,
    supplier: String,
    sack: String,
    rice: String,
}

impl<'a> Supply<'a> {
    async fn start(stage: &'a Stage) -> Self {
        let admin = &stage.admin;
        let kilo = make(admin, "/api/lists/uoms", json!({ "code": "kg", "name": "Kilogram" })).await;
        let sack = make(admin, "/api/lists/uoms", json!({ "code": "sack", "name": "Sack" })).await;
        let supplier = make(admin, "/api/lists/suppliers", json!({ "name": "Mega Mills" })).await;
        let rice = json!({
            "name": "Rice in sacks", "sku": "SAC", "baseUom": kilo, "otherUoms": [{ "uomId": sack }],
            "conversions": [{ "fromUomId": sack, "toUomId": kilo, "factor": 25 }],
            "rootItemConversions": [{ "rootItemId": stage.rice, "factor": 1 }],
        });
        let rice = make(admin, "/api/products", rice).await;
        Self { stage, supplier, sack, rice }
    }

    /// A posted receipt of these lines, at noon of its day if that is past.
    async fn receive(&self, day: BusinessDay, lines: Value) -> Value {
        let admin = &self.stage.admin;
        let body = json!({
            "storeId": self.stage.store, "sourceType": "supplier", "sourceId": self.supplier, "businessDate": day,
            "lines": lines,
        });
        let receipt = admin.post(RECEIPTS, &body).await.expect(201);
        let noon = Timestamp((i64::from(day.0) * 24 + 12 - 8) * 3_600_000);
        let body = if day.0 < self.stage.today() { json!({ "happenedAt": noon }) } else { json!({}) };
        step_as(admin, RECEIPTS, &receipt, "post", body).await.expect(200)
    }

    /// A posted receipt of one sack at this price.
    async fn sack_at(&self, day: BusinessDay, price: i64) -> Value {
        let line = json!({ "productId": self.rice, "uomId": self.sack, "received": 1, "unitPrice": price });
        self.receive(day, json!([line])).await
    }
}

async fn proposed(client: &Client, state: &str) -> Vec<Value> {
    let found = client.get(&format!("{PROPOSALS}?state={state}")).await.expect(200);
    let items = found["items"].as_array().expect("proposals").clone();
    assert_eq!(found["total"], items.len());
    items
}

/// A request that decides these.
fn these(proposals: &[Value]) -> Value {
    let known = proposals.iter().map(|it| json!({ "id": it["id"], "revision": it["revision"] }));
    json!({ "items": known.collect::<Vec<_>>() })
}

#[rstest]
#[tokio::test]
async fn receipts_propose_and_a_user_accepts(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let (admin, rice) = (&stage.admin, stage.rice.as_str());
    let today = BusinessDay(stage.today());
    let supply = Supply::start(&stage).await;
    let towels = make(admin, "/api/products", json!({ "name": "Towels", "baseUom": supply.sack })).await;
    let lines = json!([
        { "productId": supply.rice, "uomId": supply.sack, "received": 2, "unitPrice": 1400 },
        // It stands for no root item.
        { "productId": towels, "received": 1, "unitPrice": 10 },
    ]);
    let receipt = supply.receive(today, lines).await;
    assert_eq!(receipt["lines"][0]["unitPrice"], 1400);
    let cost =
        "select cast(unit_cost as bigint) from stock_movements where item_id = $1 and unit_cost is not null";
    let costs: Vec<(i64,)> = stage.app.db.sql(cost).bind(&supply.rice).all().await.expect("movements");
    assert_eq!(costs, [(5_600,)]);

    // Proposed, it changes no price.
    let open = proposed(admin, "open").await;
    assert_eq!(open.len(), 1, "{open:?}");
    let fields = ["price", "priceThen", "unitPrice", "uomCode", "onDate", "from", "since", "productName"];
    let expected = json!([56, 50, 1400, "sack", today, today, "receipt", "Rice in sacks"]);
    assert_eq!(json!(fields.map(|field| open[0][field].clone())), expected);
    assert_eq!(price_now(admin, rice).await, 50);
    let reader = stage.app.user(&[("lists/allLists", &[Action::View])], None).await;
    assert_eq!(proposed(&reader, "open").await.len(), 1);
    for step in ["accept", "dismiss"] {
        reader.post(&format!("{PROPOSALS}/{step}"), &these(&open)).await.expect(403);
    }
    // Users of other stores do not see it.
    let pasay = make(admin, "/api/stores/locations", json!({ "name": "Pasay", "code": "P" })).await;
    let rights: &[(&str, &[Action])] = &[("lists/allLists", &[Action::View, Action::Edit])];
    let far = stage.app.user(rights, Some(&[pasay])).await;
    assert_eq!(proposed(&far, "open").await, Vec::<Value>::new());
    assert_eq!(
        far.post(&format!("{PROPOSALS}/accept"), &these(&open)).await.expect(403)["code"],
        "outOfScope"
    );

    let near = stage.app.user(rights, Some(std::slice::from_ref(&stage.store))).await;
    let mut old = these(&open);
    old["items"][0]["revision"] = json!(7);
    assert_eq!(near.post(&format!("{PROPOSALS}/accept"), &old).await.expect(409)["code"], "stale");
    let done = near.post(&format!("{PROPOSALS}/accept"), &these(&open)).await.expect(200);
    assert_eq!(done, json!({ "decided": 1, "weeks": [] }));
    assert_eq!(prices(admin, rice).await, [kept(today, 56, "receipt"), kept("1970-01-01", 50, "set")]);
    let history = admin.get(&path(rice)).await.expect(200);
    assert_eq!(history["items"][0]["receiptNo"], receipt["receiptNo"]);
    assert_eq!(price_now(admin, rice).await, 56);
    near.post(&format!("{PROPOSALS}/accept"), &these(&open)).await.expect(404);
    assert_eq!(proposed(admin, "accepted").await.len(), 1);

    // The price in force proposes nothing, and neither do free goods; another can be dismissed.
    supply.sack_at(today, 1400).await;
    supply.sack_at(today, 0).await;
    assert_eq!(proposed(admin, "open").await.len(), 0);
    supply.sack_at(today, 1500).await;
    let open = proposed(admin, "open").await;
    admin.post(&format!("{PROPOSALS}/dismiss"), &these(&open)).await.expect(200);
    assert_eq!((price_now(admin, rice).await, proposed(admin, "dismissed").await.len()), (json!(56), 1));

    // A reversed receipt withdraws its own.
    let wrong = supply.sack_at(today, 1600).await;
    assert_eq!(proposed(admin, "open").await.len(), 1);
    step_as(admin, RECEIPTS, &wrong, "reverse", json!({ "reason": "Twice" })).await.expect(200);
    assert_eq!((proposed(admin, "open").await.len(), proposed(admin, "withdrawn").await.len()), (0, 1));

    // A price that a user set since is not changed for the days before today.
    change(admin, rice, json!(70)).await;
    supply.sack_at(today.plus(-1), 1300).await;
    let open = proposed(admin, "open").await;
    assert_eq!((&open[0]["from"], &open[0]["since"]), (&json!(today), &json!("setLater")));
    admin.post(&format!("{PROPOSALS}/accept"), &these(&open)).await.expect(200);
    assert_eq!(prices(admin, rice).await, [kept(today, 52, "receipt"), kept("1970-01-01", 50, "set")]);
    admin.post(&format!("{PROPOSALS}/accept"), &json!({ "items": [] })).await.expect(422);
    admin.get(&format!("{PROPOSALS}?state=new")).await.expect(422);
}

#[rstest]
#[tokio::test]
async fn a_late_receipt_changes_no_frozen_week(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let (stage, [older, newer]) = two_weeks(on).await;
    let (admin, rice) = (&stage.admin, stage.rice.as_str());
    let supply = Supply::start(&stage).await;
    // A kilo each: with it, one more than expected is missing.
    for day in [older.plus(5), newer.plus(2)] {
        let line = json!({ "productId": supply.rice, "received": 1, "unitPrice": 60 });
        supply.receive(day, json!([line])).await;
    }
    for week in [older, newer] {
        make_week(&stage, week).await;
        assert_eq!(worth(&stage, week).await, -10_000, "two kilos at ₱50");
    }
    admin.post(&format!("{WEEKS}/{older}/freeze"), &json!({})).await.expect(200);

    let open = proposed(admin, "open").await;
    let late: Vec<Value> = open.iter().filter(|it| it["onDate"] == json!(older.plus(5))).cloned().collect();
    assert_eq!((open.len(), late.len()), (2, 1));
    assert_eq!((&late[0]["from"], &late[0]["since"]), (&json!(newer), &json!("frozen")));
    // Not even if a user sets it from the day.
    let chosen = json!({ "price": 60, "recompute": true, "reason": "Late receipt" });
    let frozen = admin.put(&at(rice, older.plus(5)), &chosen).await.expect(409);
    assert_eq!((&frozen["code"], &frozen["frozenWeeks"]), (&json!("frozen"), &json!([older])));

    let done = admin.post(&format!("{PROPOSALS}/accept"), &these(&late)).await.expect(200);
    assert_eq!(done, json!({ "decided": 1, "weeks": [newer] }));
    stage.app.drain().await;
    assert_eq!(prices(admin, rice).await[0], kept(newer, 60, "receipt"));
    assert_eq!((worth(&stage, older).await, worth(&stage, newer).await), (-10_000, -12_000));
}

#[rstest]
#[tokio::test]
async fn an_older_receipt_displaces_no_newer_price(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let (admin, rice) = (&stage.admin, stage.rice.as_str());
    let today = BusinessDay(stage.today());
    let supply = Supply::start(&stage).await;
    // Both are moved behind the price that a user set; accepted together, the newer receipt's stays.
    change(admin, rice, json!(70)).await;
    supply.sack_at(today.plus(-1), 1500).await;
    supply.sack_at(today.plus(-3), 1300).await;
    let open = proposed(admin, "open").await;
    assert_eq!(json!([open[0]["from"], open[1]["from"]]), json!([today, today]));
    admin.post(&format!("{PROPOSALS}/accept"), &these(&open)).await.expect(200);
    let newer = [kept(today, 60, "receipt"), kept("1970-01-01", 50, "set")];
    assert_eq!(prices(admin, rice).await, newer);

    // Accepted one after the other, the newer receipt's stays as well.
    change(admin, rice, json!(70)).await;
    supply.sack_at(today.plus(-3), 1300).await;
    admin.post(&format!("{PROPOSALS}/accept"), &these(&proposed(admin, "open").await)).await.expect(200);
    assert_eq!(price_now(admin, rice).await, 52);
    supply.sack_at(today.plus(-1), 1525).await;
    admin.post(&format!("{PROPOSALS}/accept"), &these(&proposed(admin, "open").await)).await.expect(200);
    assert_eq!(price_now(admin, rice).await, 61);

    // One that comes in later, of a day before, changes nothing, and says so before it is accepted.
    let set = json!({ "price": 65, "recompute": true, "reason": "Invoice" });
    admin.put(&at(rice, today.plus(-2)), &set).await.expect(200);
    let before = prices(admin, rice).await;
    supply.sack_at(today.plus(-2), 1400).await;
    let open = proposed(admin, "open").await;
    assert_eq!((open.len(), &open[0]["since"]), (1, &json!("superseded")));
    admin.post(&format!("{PROPOSALS}/accept"), &these(&open)).await.expect(200);
    assert_eq!(prices(admin, rice).await, before);
    assert_eq!((proposed(admin, "open").await.len(), proposed(admin, "withdrawn").await.len()), (0, 1));

    // What many receipts propose alike is accepted once.
    for _ in 0..3 {
        supply.sack_at(today, 1700).await;
    }
    let open = proposed(admin, "open").await;
    assert_eq!(open.len(), 3);
    admin.post(&format!("{PROPOSALS}/accept"), &these(&open[..1])).await.expect(200);
    assert_eq!((price_now(admin, rice).await, proposed(admin, "open").await.len()), (json!(68), 0));
}
