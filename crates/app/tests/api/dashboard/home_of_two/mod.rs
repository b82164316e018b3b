//! A user of two out of three stores: Home, notifications and the daily digest contain only those two, and
//! never mention the third.

mod stage;

use std::collections::BTreeMap;

use larder_domain::BusinessDay;
use larder_pages_home::notifications::send_due;
use larder_pages_home::tasks;
use larder_pages_home::tasks::Rings;
use rstest::rstest;
use serde_json::{Value, json};

use super::home::tile;
use crate::sales::z_reading_pictures::{blank, send_all};
use crate::support::{Client, Engine, testdata};
use stage::{APPLIED, Stage, meals};

const HOME: &str = "/api/dashboard/main";
const BELL: &str = "/api/notifications";

/// Whose figures are expected: of two stores, or all three.
#[derive(Clone, Copy)]
struct Visible {
    stores: i64,
    everywhere: bool,
}

/// Number of tasks, and number of overdue ones.
type Figures = (i64, i64);

/// By task type: tasks of each store, tasks of no store, and tasks only visible with access to all stores.
const PUT_IN: &[(&str, Figures, Figures, Figures)] = &[
    ("recalls", (1, 1), (1, 1), (1, 1)),
    ("ordersToApprove", (2, 1), (0, 0), (0, 0)),
    ("wasteToApprove", (2, 1), (0, 0), (0, 0)),
    ("onTheWay", (2, 1), (0, 0), (0, 0)),
    ("receiptDifferences", (2, 1), (0, 0), (0, 0)),
    ("countsMissing", (2, 2), (0, 0), (0, 0)),
    ("countsHeld", (2, 1), (0, 0), (0, 0)),
    ("stockTakesOpen", (0, 0), (2, 1), (0, 0)),
    ("batchesDue", (0, 0), (2, 1), (0, 0)),
    ("stockAtRisk", (1, 1), (0, 0), (0, 0)),
    ("ordersToShare", (0, 0), (1, 1), (0, 0)),
    ("shortAtKitchen", (2, 1), (0, 0), (0, 0)),
    ("failedWork", (1, 0), (0, 0), (1, 0)),
    ("readingsDisputed", (1, 0), (0, 0), (0, 0)),
    ("readingsToVerify", (2, 1), (0, 0), (0, 0)),
    // Sent by the user of two stores: seen by its sender, and by users of all stores.
    ("picturesWithoutStore", (0, 0), (1, 0), (0, 0)),
    // Two tills on each of the five days before the first reading, and nine that their counters or sales tell.
    ("readingsMissing", (19, 16), (0, 0), (0, 0)),
    ("cashMissing", (2, 2), (0, 0), (0, 0)),
    ("forecastMisses", (1, 0), (0, 0), (0, 0)),
    ("pricesProposed", (1, 0), (0, 0), (0, 0)),
    ("applications", (0, 0), (APPLIED as i64 + 1, APPLIED as i64), (0, 0)),
    ("papers", (0, 0), (2, 0), (0, 0)),
];

/// Urgent tasks of each store; of the other types only recalled lots are urgent, all of them.
const URGENT: &[(&str, i64)] =
    &[("onTheWay", 1), ("countsMissing", 1), ("stockAtRisk", 1), ("shortAtKitchen", 1), ("cashMissing", 1)];

impl Visible {
    fn of(self, name: &str) -> Figures {
        let (_, each, beside, everywhere) = PUT_IN
            .iter()
            .find(|(kind, ..)| *kind == name)
            .unwrap_or_else(|| panic!("the stage has nothing of the kind {name}"));
        let head = if self.everywhere { *everywhere } else { (0, 0) };
        (self.stores * each.0 + beside.0 + head.0, self.stores * each.1 + beside.1 + head.1)
    }

    /// Number of urgent tasks.
    fn urgent(self, name: &str) -> i64 {
        let of_store = URGENT.iter().find(|(kind, _)| *kind == name).map_or(0, |(_, each)| *each);
        if name == "recalls" { self.of(name).1 } else { self.stores * of_store }
    }

    /// Tasks counted in the digest: for types that only notify when overdue, the overdue ones.
    fn in_digest(self, kind: &tasks::TaskType) -> i64 {
        let (count, late) = self.of(kind.name);
        if kind.rings == Rings::WhenLate { late } else { count }
    }

    /// Number of notifications of a type.
    fn rung(self, kind: &tasks::TaskType) -> i64 {
        match kind.rings {
            Rings::Never => 0,
            Rings::Together => 1,
            // One per session of a day, for any number of stores.
            _ if kind.name == "countsMissing" => 2,
            _ => self.in_digest(kind),
        }
    }
}

/// Every tile has its figures and only lists accessible stores.
fn tiles_agree(home: &Value, visible: Visible, ids: &[&str]) {
    for kind in tasks::ALL.iter().filter(|kind| kind.on_home) {
        let waits = &tile(home, kind.name)["waiting"];
        let figures = (waits["count"].as_i64().unwrap_or(-1), waits["late"].as_i64().unwrap_or(-1));
        assert_eq!(figures, visible.of(kind.name), "{}: {waits}", kind.name);
        assert_eq!(waits["urgent"].as_i64(), Some(visible.urgent(kind.name)), "{}: {waits}", kind.name);
        assert!(figures.0 > 0, "no test data for task type {}", kind.name);
        let days = waits["days"].as_array().expect("days");
        let of_days: i64 = days.iter().filter_map(|day| day["count"].as_i64()).sum();
        assert!(days.is_empty() || of_days == figures.0, "{}: {waits}", kind.name);
        let items = waits["items"].as_array().expect("items");
        assert!(!items.is_empty(), "{}: {waits}", kind.name);
        let of_items: i64 = items.iter().filter_map(|item| item["count"].as_i64()).sum();
        assert!(items.len() == 5 || of_items == figures.0, "{}: {waits}", kind.name);
        for store in items.iter().filter_map(|item| item["storeId"].as_str()) {
            assert!(ids.contains(&store), "{}: {waits}", kind.name);
        }
    }
    let stores = visible.stores;
    assert_eq!(
        tile(home, "cashMissing")["waiting"]["words"],
        format!("{} days of {stores} stores", 2 * stores)
    );
    assert_eq!(tile(home, "stockAtRisk")["waiting"]["words"], format!("at {stores} stores"));
    assert_eq!(tile(home, "countsHeld")["waiting"]["words"], format!("of {stores} stores"));
    assert_eq!(tile(home, "stockAtRisk")["waiting"]["of"], json!(stores));
    assert_eq!(tile(home, "forecastMisses")["waiting"]["of"], json!(2 * stores));
    // In each store, yesterday's closing count was taken, both days' opening counts were not.
    assert_eq!(tile(home, "countsMissing")["waiting"]["of"], json!(3 * stores));
}

/// The count and the sum of the list behind a tile's link, as its page asks the server.
async fn listed(client: &Client, list: &Value, href: &str) -> (i64, Value) {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let replaced = list["replace"].as_array().expect("replacements").iter();
    let at = replaced.fold(href.to_owned(), |href, pair| href.replace(&text(&pair[0]), &text(&pair[1])));
    let answer = client.get(&format!("/api{at}")).await.expect(200);
    let count = answer.pointer(&text(&list["count"])).unwrap_or_else(|| panic!("{at} has no list: {answer}"));
    let rows = count.as_array().map(|rows| rows.len() as i64);
    if href.starts_with("/dashboard/main/waiting") {
        let items = answer["items"].as_array().expect("items");
        assert_eq!(Some(items.len() as i64), answer["total"].as_i64(), "{at}: {answer}");
        assert!(items.iter().all(|item| item["count"] == 1), "{at}: {answer}");
    }
    let sum = list["sum"].as_str().map(|sum| answer.pointer(sum).expect("a sum").clone());
    (rows.or(count.as_i64()).expect("a count"), sum.unwrap_or_default())
}

/// Each tile counts and sums what its link lists.
async fn lists_agree(client: &Client, home: &Value) {
    let lists: Value = serde_json::from_slice(&testdata("tile-lists.json")).expect("lists");
    for kind in tasks::ALL.iter().filter(|kind| kind.on_home) {
        let waiting = &tile(home, kind.name)["waiting"];
        let href = waiting["href"].as_str().expect("a link");
        let (count, sum) = listed(client, &lists[kind.name], href).await;
        assert_eq!(json!(count), waiting["count"], "{} at {href}", kind.name);
        assert_eq!(sum, waiting["amount"], "{} at {href}", kind.name);
    }
    assert_eq!(lists.as_object().map(serde_json::Map::len), Some(tasks::ALL.len()));
    let sales = &tile(home, "sales")["sales"];
    let to = sales["day"].as_str().expect("a day");
    for (from, net) in [("day", "net"), ("weekFrom", "week")] {
        let from = sales[from].as_str().expect("a day");
        let report = client.get(&format!("/api/reports/smbcd?from={from}&to={to}")).await.expect(200);
        assert_eq!(report["total"]["net"], sales[net], "from {from} to {to}");
    }
}

/// Sales of the day and the stores' day, compared with the sales entered.
fn sales_agree(home: &Value, times: &[i64], names: &[&str]) {
    let stores = times.len() as i64;
    let sold = |ago: i32| -> f64 {
        let meals: i64 = times.iter().map(|times| meals(*times, ago, 0) + meals(*times, ago, 1)).sum();
        (meals * 10) as f64
    };
    let sales = &tile(home, "sales")["sales"];
    assert_eq!(
        (sales["net"].as_f64(), sales["before"].as_f64(), &sales["stores"], &sales["of"]),
        (Some(sold(0)), Some(sold(7)), &json!(stores), &json!(stores))
    );
    let days: Vec<f64> = sales["days"].as_array().expect("days").iter().filter_map(Value::as_f64).collect();
    assert_eq!(days, (0..14).rev().map(sold).collect::<Vec<_>>());
    let today: BusinessDay = home["today"].as_str().expect("a day").parse().expect("a day");
    let since_monday = today.0 - today.week().0;
    assert_eq!(sales["week"].as_f64(), Some((0..=since_monday).map(sold).sum()));
    assert_eq!(sales["weekBefore"].as_f64(), Some((7..=7 + since_monday).map(sold).sum()));
    let day = &tile(home, "stores")["stores"];
    let reported: Vec<(&str, Option<f64>)> = (day["stores"].as_array().expect("stores").iter())
        .map(|store| (store["name"].as_str().expect("a name"), store["net"].as_f64()))
        .collect();
    let expected: Vec<(&str, Option<f64>)> =
        names.iter().zip(times).map(|(name, times)| (*name, Some((200 * times) as f64))).collect();
    assert_eq!(reported, expected);
    assert_eq!((&day["salesMissing"], &day["countsMissing"]), (&json!(0), &json!(stores)));
}

/// Since the last visit: new tasks of all tiles, and what others did in these stores.
fn since_agrees(home: &Value, visible: Visible) {
    let stores = visible.stores;
    let mut expected: Vec<String> = Vec::new();
    for (each, words) in [
        (3, "orders approved"),
        (3, "deliveries sent"),
        (3, "deliveries taken in"),
        (5, "store-days of sales came in"),
    ] {
        expected.push(format!("{} {words}", each * stores));
    }
    for (title, count) in [
        ("Recalled lots in stock", visible.of("recalls").0),
        ("Orders to approve", stores),
        ("Waste to approve", stores),
        ("Differences to settle", stores),
        // Of today: yesterday's were missing before.
        ("Counts missing", stores),
        ("Counts held", stores),
        ("Stock-takes to finish", 1),
        ("Batches to make", 1),
        ("Stock at risk", stores),
        ("Short at the kitchen", stores),
        ("Failed jobs", visible.of("failedWork").0),
        ("Z-readings disputed", stores),
        ("Z-readings to verify", 2 * stores),
        ("Proposed prices", stores),
        ("Requests for access", 1),
    ] {
        expected.push(format!("{title}: {count}"));
    }
    if visible.everywhere {
        // New to others than its sender.
        expected.push("Till pictures without a store: 1".to_owned());
    }
    let items = home["since"]["items"].as_array().expect("what changed");
    let mut reported: Vec<&str> = items.iter().map(|item| item["text"].as_str().expect("words")).collect();
    reported.sort_unstable();
    expected.sort_unstable();
    assert_eq!(reported, expected);
}

/// Notifications contain the accessible tasks of each type, all unread.
fn bell_agrees(bell: &Value, visible: Visible) {
    assert_eq!(bell["failed"], json!([]));
    let items = bell["items"].as_array().expect("items");
    let mut of_kind: BTreeMap<&str, i64> = BTreeMap::new();
    for item in items {
        *of_kind.entry(item["kind"].as_str().expect("a kind")).or_default() += 1;
    }
    for kind in tasks::ALL {
        let rung = of_kind.get(kind.name).copied().unwrap_or_default();
        assert_eq!(rung, visible.rung(kind), "{}: {bell}", kind.name);
    }
    assert_eq!(bell["unread"].as_i64(), Some(of_kind.values().sum()));
    let together = |kind: &str| items.iter().find(|item| item["kind"] == kind).expect("one")["title"].clone();
    assert_eq!(together("stockAtRisk"), format!("Stock at risk: {}", visible.stores));
    assert_eq!(together("countsHeld"), format!("Counts held: {}", 2 * visible.stores));
    assert_eq!(together("cashMissing"), format!("Cash not deposited: {}", 2 * visible.stores));
    let cash = items.iter().find(|item| item["kind"] == "cashMissing").expect("one");
    assert!(cash["amount"].as_f64().is_some_and(|amount| amount > 0.0), "{cash}");
    assert!(items.iter().all(|item| item["kind"] == "cashMissing" || item.get("amount").is_none()), "{bell}");
    assert_eq!(together("readingsMissing"), format!("Z-readings missing: {}", 19 * visible.stores));
}

/// The digest counts the accessible tasks of each type.
fn email_agrees(mail: &Value, visible: Visible) {
    let text = mail["text"].as_str().expect("words").replace("\r\n", "\n");
    for kind in tasks::ALL.iter().filter(|kind| kind.rings != Rings::Never) {
        let line = format!("{}: {}", kind.title, visible.in_digest(kind));
        assert!(text.lines().any(|one| one == line), "{line} in {text}");
    }
}

async fn home(client: &Client) -> Value {
    let home = client.get(HOME).await.expect(200);
    for tile in home["tiles"].as_array().expect("tiles") {
        assert!(tile.get("failed").is_none(), "{tile}");
    }
    home
}

#[rstest]
#[tokio::test]
async fn a_two_store_user_sees_only_those_stores(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let stage = Stage::build(on).await;
    let [first, hidden, last] = &stage.stores[..] else { panic!("three stores") };
    let ids: Vec<&str> = stage.stores.iter().map(|store| store.id.as_str()).collect();
    let theirs = stage.person(Some(&[first, last])).await;
    let everywhere = stage.person(None).await;
    for client in [&theirs, &everywhere] {
        client.post(&format!("{HOME}/visit"), &json!({})).await.expect(204);
    }
    stage.site.app.clock.advance(3_600);
    stage.news().await;
    send_all(&theirs, "", &[("till.png", blank())]).await;
    stage.site.app.drain().await;
    // The day's opening count is over, the closing count is not.
    stage.site.app.clock.advance_to_hour(15);

    let (two, three) = (Visible { stores: 2, everywhere: false }, Visible { stores: 3, everywhere: true });
    let silent = |reported: &Value| {
        let text = reported.to_string();
        assert!(!text.contains(hidden.name) && !text.contains(&hidden.id), "{text}");
    };
    let seen = home(&theirs).await;
    tiles_agree(&seen, two, &[ids[0], ids[2]]);
    sales_agree(&seen, &[1, 4], &["Cubao", "Pasay"]);
    silent(&seen);
    lists_agree(&theirs, &seen).await;
    for tile in ["failedWork", "forecastMisses", "papers", "countsMissing", "ordersToShare", "stockAtRisk"] {
        silent(&theirs.get(&format!("{HOME}/waiting?of={tile}")).await.expect(200));
    }
    let whole = home(&everywhere).await;
    tiles_agree(&whole, three, &ids);
    lists_agree(&everywhere, &whole).await;
    sales_agree(&whole, &[1, 2, 4], &["Cubao", "Makati", "Pasay"]);

    since_agrees(&seen, two);
    since_agrees(&whole, three);

    let bell = async |client: &Client| client.get(BELL).await.expect(200);
    let rung = bell(&theirs).await;
    bell_agrees(&rung, two);
    silent(&rung);
    bell_agrees(&bell(&everywhere).await, three);

    for (client, hidden) in [(&theirs, true), (&everywhere, false)] {
        let hour = if hidden { 16 } else { 17 };
        let settings = json!({ "digest": true, "digestHour": hour });
        client.patch(&format!("{BELL}/settings"), &settings).await.expect(200);
        stage.site.app.clock.advance_to_hour(hour);
        assert_eq!(send_due(&stage.site.app.state).await.expect("looked"), 1);
        stage.site.app.drain().await;
        let mail = stage.mail.email_received().await;
        email_agrees(&mail, if hidden { two } else { three });
        if hidden {
            silent(&mail);
        }
    }
}
