//! The derivation of a figure adds up to the inventory.

use larder_domain::ledger::{Item, ItemKind, Place, PlaceKind};
use larder_domain::{Action, BusinessDay};
use rstest::rstest;
use serde_json::{Value, json};

use super::inventory::{Counted, Stage, make};
use crate::support::Engine;

const PATH: &str = "/api/stores/inventory";

impl Stage {
    fn here(&self) -> Place {
        Place { kind: PlaceKind::Store, id: self.store.clone() }
    }

    async fn ledger(&self, more: &str) -> Value {
        self.admin.get(&format!("{PATH}/ledger?storeId={}&{more}", self.store)).await.expect(200)
    }

    /// The inventory row of an item or root item on a day, by parameter name.
    async fn row(&self, kind: &str, id: &str, day: i32) -> Value {
        let by = if kind == "itemId" { "items" } else { "rootItems" };
        let page = self.rows(&format!("by={by}&date={}", BusinessDay(day))).await;
        let rows = page["items"].as_array().expect("rows");
        rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("no {id} in {page}")).clone()
    }

    /// Requests the derivation and adds it up: every day follows from the previous one, and the last day,
    /// expected stock and variance equal that day's inventory.
    async fn adds_up(&self, kind: &str, id: &str, to: i32, from: Option<i32>) -> Value {
        let from = from.map_or_else(String::new, |from| format!("&from={}", BusinessDay(from)));
        let reply = self.ledger(&format!("{kind}={id}&date={}{from}", BusinessDay(to))).await;
        let row = self.row(kind, id, to).await;
        for figure in ["onHand", "expected", "variance", "varianceValue"] {
            assert_eq!(reply[figure], row[figure], "{figure} of {reply}");
        }
        let days = reply["days"].as_array().expect("days");
        assert!(!days.is_empty(), "{reply}");
        let mut lies = millionths(&reply["start"]);
        for day in days {
            let net = |one: &Value| {
                let [moved, used] = ["moved", "used"].map(|flow| millionths(&one[flow]).expect("a figure"));
                moved - used
            };
            let mut rest = net(day);
            for count in day["counts"].as_array().expect("counts") {
                let passed = net(count);
                rest -= passed;
                let found = millionths(&count["qty"]);
                if kind == "itemId" {
                    lies = lies.map(|lies| lies + passed);
                    assert_eq!(millionths(&count["expected"]), lies, "{count} of {day}");
                    assert_eq!(
                        millionths(&count["variance"]),
                        found.zip(lies).map(|(found, lies)| found - lies)
                    );
                    lies = found;
                } else {
                    let more = millionths(&count["variance"]).or(found).unwrap_or(0);
                    lies = Some(lies.unwrap_or(0) + passed + more);
                }
            }
            lies = lies.map(|lies| lies + rest);
            assert_eq!(millionths(&day["balance"]), lies, "{day} of {reply}");
        }
        assert_eq!(millionths(&reply["onHand"]), lies, "{reply}");
        // The last count of an item is the inventory's.
        let last = days.iter().rev().find_map(|day| day["counts"].as_array().expect("counts").last());
        if let Some(last) = last.filter(|_| kind == "itemId") {
            assert_eq!(
                (&last["expected"], &last["variance"]),
                (&row["expected"], &row["variance"]),
                "{reply}"
            );
            assert_eq!((&last["at"], &last["by"]), (&row["lastCount"]["at"], &row["lastCount"]["by"]));
        }
        reply
    }
}

fn millionths(number: &Value) -> Option<i64> {
    number.as_f64().map(|number| (number * 1_000_000.0).round() as i64)
}

fn day_of(reply: &Value, day: i32) -> &Value {
    let date = json!(BusinessDay(day));
    let days = reply["days"].as_array().expect("days");
    days.iter().find(|day| day["date"] == date).unwrap_or_else(|| panic!("no {date} in {reply}"))
}

#[rstest]
#[tokio::test]
async fn the_derivation_adds_up_to_the_figure(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut stage = Stage::build(on).await;
    let today = stage.today();
    let third = json!({ "name": "Rice, cup", "rootItemId": stage.rice, "rootQtyPerUnit": 0.3 });
    let cup = make(&stage.admin, "/api/lists/store-inventory-items", third).await;
    // All three together, twice on one day, then one of them alone.
    for (day, closing, loose, sack, cups) in [
        (today - 6, true, 20_000, 3_000, 7_000),
        (today - 4, false, 15_111, 2_500, 9_000),
        (today - 4, true, 9_000, 2_000, 8_500),
    ] {
        for (item, qty) in [(&stage.loose, loose), (&stage.sack, sack), (&cup, cups)] {
            stage.count(item, Counted { day, closing, qty }).await;
        }
    }
    stage.count(&stage.sack, Counted { day: today - 2, closing: false, qty: 1_000 }).await;
    for day in today - 8..=today {
        stage.sell(day, 1_370 + i64::from(day % 5) * 113).await;
    }
    stage.bring(today - 5, 10_001).await;
    stage.bring(today - 1, 7_003).await;
    let check = async |stage: &Stage| {
        for day in [today - 7, today - 4, today - 2, today] {
            for (kind, id) in [
                ("itemId", &stage.loose),
                ("itemId", &stage.sack),
                ("itemId", &cup),
                ("rootItemId", &stage.rice),
            ] {
                for from in [None, Some(today - 10)] {
                    stage.adds_up(kind, id, day, from).await;
                }
            }
        }
    };
    check(&stage).await;
    // By default it starts with the count before the last one.
    let reply = stage.ledger(&format!("itemId={}", stage.loose)).await;
    assert_eq!((&reply["from"], &reply["to"]), (&json!(BusinessDay(today - 4)), &json!(BusinessDay(today))));
    let reply = stage.ledger(&format!("itemId={}", stage.sack)).await;
    assert_eq!(reply["from"], json!(BusinessDay(today - 4)));
    // A late document, after the last count and before it.
    let was = stage.adds_up("itemId", &stage.loose, today, Some(today - 6)).await;
    stage.bring(today - 3, 3_333).await;
    stage.bring(today - 5, -2_000).await;
    check(&stage).await;
    let reply = stage.adds_up("itemId", &stage.loose, today, Some(today - 6)).await;
    let late = day_of(&reply, today - 3);
    assert_eq!(
        (&late["movements"][0]["kind"], &late["movements"][0]["qty"], &late["movedInAll"]),
        (&json!("receipt"), &json!(3.333), &json!(3.333))
    );
    assert!(millionths(&late["moved"]) < Some(3_333_000), "its share: {late}");
    assert_eq!(late["movements"][0]["documentId"], "receipt3");
    assert_ne!(was["onHand"], reply["onHand"]);
    // Use by sales, and of what.
    let sales = &late["sales"][0];
    assert_eq!(sales["rootItemId"], json!(stage.rice));
    assert_eq!(sales["posItems"], 1);
    assert_eq!(millionths(&sales["sold"]), millionths(&sales["rootQty"]).map(|rice| rice * 4));
    // A sack's figures are a fifth of the root item's.
    let sack = stage.ledger(&format!("itemId={}&from={}", stage.sack, BusinessDay(today - 3))).await;
    assert_eq!(day_of(&sack, today - 3)["movements"][0]["qty"], json!(0.6666));
    assert_eq!(sack["item"]["roots"], json!([{ "id": stage.rice, "name": "Rice", "factor": 5 }]));
    assert_eq!(sack["item"]["beside"].as_array().map(Vec::len), Some(2));
}

#[rstest]
#[tokio::test]
async fn an_item_of_two_root_items_has_one_derivation(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    let egg = make(&stage.admin, "/api/lists/root-items", json!({ "name": "Egg", "price": 7 })).await;
    let lines = json!([{ "rootItemId": stage.rice, "qty": 6 }, { "rootItemId": egg, "qty": 3 }]);
    let bowl = json!({ "name": "Bowl", "yieldQty": 10, "rootItems": lines });
    let bowl = make(&stage.admin, "/api/lists/recipes", bowl).await;
    let mix = format!("/api/lists/store-inventory-items/mixes/{}_{}", stage.store, stage.sack);
    stage.admin.put(&mix, &json!({ "splits": [{ "recipeId": bowl, "percent": 70 }] })).await.expect(200);
    let product = json!({
        "name": "Egg tray", "sku": "TRAY", "type": "Non-inventory",
        "rootItemConversions": [{ "rootItemId": egg, "factor": 30 }],
    });
    let tray = make(&stage.admin, "/api/products", product).await;
    for (day, qty) in [(today - 5, 11_000), (today - 2, 9_500)] {
        stage.count(&stage.sack, Counted { day, closing: true, qty }).await;
        stage.count(&stage.loose, Counted { day, closing: true, qty: qty / 3 }).await;
    }
    for day in today - 5..=today {
        stage.sell(day, 777).await;
    }
    let eggs = Item { kind: ItemKind::RootItem, id: egg.clone() };
    stage.post_of("eggs", today - 3, (eggs, stage.here()), 1_001).await;
    let trays = Item { kind: ItemKind::Product, id: tray.clone() };
    stage.post_of("trays", today - 1, (trays, stage.here()), 2_000).await;
    for day in [today - 2, today] {
        for (kind, id) in [
            ("itemId", &stage.sack),
            ("itemId", &stage.loose),
            ("rootItemId", &stage.rice),
            ("rootItemId", &egg),
        ] {
            stage.adds_up(kind, id, day, None).await;
            stage.adds_up(kind, id, day, Some(today - 8)).await;
        }
    }
    let reply = stage.ledger(&format!("itemId={}", stage.sack)).await;
    assert_eq!(reply["item"]["roots"].as_array().map(Vec::len), Some(2));
    // 60 eggs, at 0.63 root units each.
    let trays = &day_of(&reply, today - 1)["movements"][0];
    assert_eq!((&trays["productName"], &trays["rootItemId"]), (&json!("Egg tray"), &json!(egg)));
    assert_eq!((&trays["rootQty"], &trays["qty"]), (&json!(60), &json!(95.238095)));
}

#[rstest]
#[tokio::test]
async fn an_uncounted_item_has_a_derivation_without_balance(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let mut stage = Stage::build(on).await;
    let today = stage.today();
    let empty = stage.ledger(&format!("itemId={}", stage.loose)).await;
    assert_eq!((&empty["days"], &empty["onHand"], &empty["start"]), (&json!([]), &json!(null), &json!(null)));
    assert_eq!(empty["from"], json!(BusinessDay(today - 28)));
    stage.bring(today - 1, 4_000).await;
    stage.sell(today, 1_000).await;
    let reply = stage.adds_up("rootItemId", &stage.rice, today, None).await;
    assert_eq!(reply["days"].as_array().map(Vec::len), Some(2));
    assert_eq!((&reply["days"][0]["moved"], &reply["days"][0]["balance"]), (&json!(4), &json!(null)));
    let file = |format: &str| {
        format!("{PATH}/ledger/export?storeId={}&itemId={}&format={format}", stage.store, stage.loose)
    };
    let csv = stage.admin.get(&file("csv")).await;
    assert!(csv.text().contains("receipt1") && csv.text().contains("Used by sales"), "{}", csv.text());
    assert!(stage.admin.get(&file("xlsx")).await.bytes.starts_with(b"PK"));
}

#[rstest]
#[tokio::test]
async fn invalid_queries_are_refused(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let today = stage.today();
    let ask = |more: String| format!("{PATH}/ledger?storeId={}&{more}", stage.store);
    let (item, day) = (&stage.loose, |n: i32| BusinessDay(today + n));
    for (more, field) in [
        (String::new(), "itemId"),
        (format!("itemId={item}&rootItemId={}", stage.rice), "itemId"),
        (format!("itemId={item}&date={}", day(1)), "date"),
        (format!("itemId={item}&from=soon"), "from"),
        (format!("itemId={item}&from={}&date={}", day(-2), day(-3)), "from"),
        (format!("itemId={item}&from={}", day(-400)), "from"),
    ] {
        let refused = stage.admin.get(&ask(more.clone())).await;
        assert_eq!(refused.expect(422)["fields"][0]["field"], field, "{more}");
    }
    stage.admin.get(&ask(format!("itemId={item}&from={}", day(-399)))).await.expect(200);
    for more in ["itemId=nothing", "rootItemId=nothing", "itemId=a'b"] {
        assert_eq!(stage.admin.get(&ask(more.to_owned())).await.status, 404, "{more}");
    }
    // Items the store does not count are not in its inventory.
    let choice = format!("/api/lists/store-inventory-items/visibility/{}", stage.store);
    stage.admin.put(&choice, &json!({ "itemIds": [stage.sack] })).await.expect(200);
    assert_eq!(stage.admin.get(&ask(format!("itemId={item}"))).await.status, 404);
    let far = make(&stage.admin, "/api/stores/locations", json!({ "name": "Far" })).await;
    let user = stage.app.user(&[("stores/storeInventory", Action::ALL)], Some(&[far])).await;
    let refused = user.get(&ask(format!("itemId={}", stage.sack))).await;
    assert_eq!(refused.expect(403)["code"], "outOfScope");
}
