//! A month with one incomplete, one closed, one half-verified and one amended day, from till files and typed slips to
//! the certificate and NetSuite. `fixtures/hard-month` is the sheet by hand; every page must say what it says.

use std::fmt::Write as _;

use rstest::rstest;
use serde_json::{Value, json};

use super::z_reading::{make, take};
use crate::support::{App, Client, Engine};
use crate::tools::import_sales_product::import;

const SHEET: &str = include_str!("../../fixtures/hard-month/sheet.csv");
const RANGE: &str = "from=2025-02-17&to=2025-02-28";

/// A day of the sheet; pesos.
struct Day {
    date: String,
    /// Cash and card of both tills.
    sold: [[i64; 2]; 2],
    settled: i64,
    expected: i64,
    net: i64,
    state: String,
}

impl Day {
    fn sum(&self) -> i64 {
        self.sold.iter().flatten().sum()
    }

    /// Net sales of the slips that are in, verified or not: what the calendar shows.
    fn read(&self) -> i64 {
        if self.state == "waiting" { self.sum() } else { self.net }
    }

    fn cash(&self) -> i64 {
        self.sold[0][0] + self.sold[1][0]
    }
}

fn sheet() -> Vec<Day> {
    let lines = SHEET.lines().filter(|line| !line.starts_with('#')).skip(1);
    let of = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let pesos = |at: usize| cells[at].parse::<i64>().expect("pesos");
        Day {
            date: cells[0].to_owned(),
            sold: [[pesos(1), pesos(2)], [pesos(3), pesos(4)]],
            settled: pesos(5),
            expected: pesos(6),
            net: pesos(7),
            state: cells[8].to_owned(),
        }
    };
    lines.map(of).collect()
}

/// The tills' file: a receipt for each till and way of paying.
fn file(days: &[Day]) -> String {
    let mut file = String::from("Date,Time,Store,Register,Receipt,Item,Quantity,Price,Payment Type\n");
    let mut number = 0;
    for day in days {
        for (till, sold) in ["T1", "T2"].iter().zip(&day.sold) {
            for (paid, pesos) in ["Cash", "Visa"].iter().zip(sold).filter(|(_, pesos)| **pesos > 0) {
                number += 1;
                let date = &day.date;
                let _ = writeln!(file, "{date},12:00:00,Makati,{till},{number:05},Meal,1,{pesos},{paid}");
            }
        }
    }
    file
}

/// The group while a month is worked through.
struct Month {
    admin: Client,
    app: App,
    store: String,
    days: Vec<Day>,
}

impl Month {
    async fn start(on: Engine) -> Self {
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        let body = json!({
            "name": "Makati", "code": "MKT", "posCode": "MKT", "lessor": "Baywalk Malls", "rentPercent": 5,
            "netsuiteCustomerName": "Makati walk-in", "netsuiteLocationName": "Makati", "openingDate": "2025-02-17",
        });
        let made = admin.post("/api/stores/locations", &body).await.expect(201);
        let store = made["id"].as_str().expect("an id").to_owned();
        Self { admin, app, store, days: sheet() }
    }

    async fn get(&self, path: &str) -> Value {
        self.admin.get(path).await.expect(200)
    }

    /// Types a till's slip of a day. Its counter is the number of days on which the till was used.
    async fn slip(&self, till: usize, at: usize) -> Value {
        let used = |days: &[Day]| -> Vec<i64> {
            let sums = days.iter().map(|day| day.sold[till].iter().sum::<i64>());
            sums.filter(|sum| *sum > 0).collect()
        };
        let (before, day) = (used(&self.days[..at]), &self.days[at]);
        let [cash, card] = day.sold[till];
        let (counter, begun, net) = (before.len() as i64 + 1, before.iter().sum::<i64>(), cash + card);
        let (vatable, name) = (net * 100 / 112, ["T1", "T2"][till]);
        let draft = json!({
            "storeId": self.store, "terminalId": name, "businessDate": day.date, "zCounter": counter,
            "firstSi": format!("{:08}", counter * 2 - 1), "lastSi": format!("{:08}", counter * 2),
            "transactions": 2, "previousTotal": begun, "presentTotal": begun + net, "gross": net, "net": net,
            "vatable": vatable, "vat": net - vatable, "exempt": 0, "zeroRated": 0,
            "tenders": [{ "kind": "cash", "label": "CASH", "amount": cash },
                        { "kind": "card", "label": "VISA", "amount": card }],
        });
        make(&self.admin, &draft).await
    }

    /// Declares a day's money and brings the cash to the bank.
    async fn bank(&self, day: &Day) {
        let (late, reason) = (true, "Typed in for the month's end");
        let card = day.sum() - day.cash();
        let drawer = json!({
            "storeId": self.store, "businessDate": day.date, "pieces": [{ "denomination": 1, "pieces": day.cash() }],
            "tenders": [{ "kind": "card", "amount": card }], "override": late, "reason": reason,
        });
        self.admin.post("/api/sales/tender-report/declarations", &drawer).await.expect(201);
        let bank = json!({
            "storeId": self.store, "depositedOn": day.date, "bank": "BPI", "reference": format!("S-{}", day.date),
            "days": [{ "businessDate": day.date, "amount": day.cash() }], "override": late, "reason": reason,
        });
        self.admin.post("/api/sales/tender-report/deposits", &bank).await.expect(201);
    }

    /// Net sales of each day as the calendar, the monthly report and NetSuite say, with how complete each page says it
    /// is: `(date, net, settled, expected)`.
    async fn pages(&self) -> [Vec<(String, i64, i64, i64)>; 3] {
        let store = &self.store;
        let calendar = self.get(&format!("/api/sales/z-reading/calendar?{RANGE}&storeIds={store}")).await;
        let month = self.get(&format!("/api/sales/cmsr?storeId={store}&month=2025-02")).await;
        let netsuite =
            self.get(&format!("/api/sales/netsuite?{RANGE}&storeIds={store}&layout=cashSale")).await;
        let of = |day: &Value, net: &Value, tills: &Value| {
            let number = |value: &Value| value.as_i64().unwrap_or_default();
            let date = day["date"].as_str().expect("a date").to_owned();
            (
                date,
                net.as_f64().unwrap_or_default() as i64,
                number(&tills["settled"]),
                number(&tills["expected"]),
            )
        };
        let days = |list: &Value| list.as_array().cloned().expect("days");
        let read = days(&calendar["stores"][0]["days"]);
        let certified = days(&month["content"]["days"]);
        let since = |day: &&Value| day["date"].as_str().is_some_and(|date| date >= "2025-02-17");
        let exported = days(&netsuite["items"]);
        [
            read.iter().map(|day| of(day, &day["net"], &day["tills"])).collect(),
            certified.iter().filter(since).map(|day| of(day, &day["figures"]["net"], day)).collect(),
            exported.iter().map(|day| of(day, &day["total"], &day["tills"])).collect(),
        ]
    }

    /// Holds the pages against the sheet. A closed day is nothing to be exported.
    async fn agrees(&self) {
        let sheet = |day: &Day| (day.date.clone(), day.net, day.settled, day.expected);
        let all: Vec<_> = self.days.iter().map(sheet).collect();
        let open: Vec<_> = all.iter().filter(|day| day.3 > 0).cloned().collect();
        let [calendar, month, netsuite] = self.pages().await;
        let read: Vec<_> =
            all.iter().zip(&self.days).map(|(all, day)| (all.0.clone(), day.read(), all.2, all.3)).collect();
        assert_eq!(calendar, read, "the calendar");
        assert_eq!(month, all, "the monthly report");
        assert_eq!(netsuite, open, "NetSuite");
        let path = format!("/api/sales/cmsr?storeId={}&month=2025-02", self.store);
        let foot = self.get(&path).await["content"]["foot"]["netSales"].clone();
        assert_eq!(foot, json!(self.days.iter().map(|day| day.net).sum::<i64>()), "the certificate's foot");
    }

    /// What the tender report says of a day's cash: its pairs and what it is all in all.
    async fn cash(&self, date: &str) -> (Vec<String>, String) {
        let path = format!("/api/sales/tender-report?from={date}&to={date}&storeIds={}", self.store);
        let report = self.get(&path).await;
        let rows = report["items"].as_array().expect("rows");
        let Some(cash) = rows.iter().find(|row| row["kind"] == "cash") else {
            return (Vec::new(), String::new());
        };
        let text = |value: &Value| value.as_str().expect("words").to_owned();
        let pairs = cash["pairs"].as_array().expect("pairs").iter().map(|pair| text(&pair["state"]));
        (pairs.collect(), text(&cash["compared"]["state"]))
    }
}

#[rstest]
#[tokio::test]
async fn a_hard_month_reads_alike_on_every_page(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let mut month = Month::start(on).await;
    import(&month.app, &month.admin, "february.csv", file(&month.days)).await;
    let closed = json!({ "storeId": month.store, "date": "2025-02-21", "closed": true, "reason": "Typhoon" });
    month.admin.put("/api/sales/cmsr/days", &closed).await.expect(200);
    let mut half = Value::Null;
    for at in 0..month.days.len() {
        let day = &month.days[at];
        for till in (0..2).filter(|till| day.sold[*till] != [0, 0]) {
            match (day.date.as_str(), till) {
                ("2025-02-19", 1) => {}
                ("2025-02-24", 1) => half = month.slip(till, at).await,
                _ => {
                    let slip = month.slip(till, at).await;
                    take(&month.admin, &slip, "verify").await;
                }
            }
        }
        if day.sum() > 0 {
            month.bank(day).await;
        }
    }

    // Before the month's end: one till's slip is missing, another's is not verified.
    assert_eq!(month.days.iter().map(|day| day.net).sum::<i64>(), 35_448);
    month.agrees().await;
    let store = &month.store;
    let calendar = month.get(&format!("/api/sales/z-reading/calendar?{RANGE}&storeIds={store}")).await;
    let states = calendar["stores"][0]["days"].as_array().expect("days").iter();
    let states: Vec<&str> = states.map(|day| day["state"].as_str().expect("a state")).collect();
    assert_eq!(states, month.days.iter().map(|day| day.state.as_str()).collect::<Vec<_>>());
    let chain = format!("/api/sales/z-reading/chain?storeId={store}&terminalId=T2&{RANGE}");
    let chain = month.get(&chain).await;
    let lacking = |chain: &Value| {
        let days = chain["days"].as_array().expect("days").iter();
        days.map(|day| (day["date"].clone(), day["state"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(
        lacking(&chain),
        [(json!("2025-02-19"), json!("missing")), (json!("2025-02-24"), json!("waiting"))]
    );
    let whole = ["agrees", "agrees", "agrees"].map(str::to_owned).to_vec();
    for day in &month.days {
        let (pairs, state) = month.cash(&day.date).await;
        match day.date.as_str() {
            "2025-02-19" | "2025-02-24" => {
                assert_eq!(pairs, ["incomplete", "incomplete", "agrees"], "{}", day.date);
                assert_eq!(state, "incomplete");
            }
            "2025-02-21" => assert_eq!((pairs, state), (vec![], String::new())),
            _ => assert_eq!((pairs, state), (whole.clone(), "agrees".to_owned()), "{}", day.date),
        }
    }
    let path = format!("/api/sales/netsuite?{RANGE}&storeIds={store}&layout=cashSale");
    assert_eq!(month.get(&path).await["counts"]["blocked"], 2);
    let year = month.get(&format!("/api/sales/cmsr/year?year=2025&storeIds={store}")).await;
    assert_eq!(year["items"][0]["months"][1]["missingDays"], 2);
    let certify = json!({ "storeId": store, "month": "2025-02", "name": "Ana", "position": "Accountant" });
    let refused = month.admin.post("/api/sales/cmsr/certify", &certify).await.expect(422);
    assert!(refused.to_string().contains("2 days lack"), "{refused}");

    // The lost slip is recorded, the other one is verified, and the month is certified and exported.
    let path = format!("/api/sales/z-reading/absences/{store}/2025-02-19?terminalId=T2");
    month.admin.put(&path, &json!({ "reason": "The slip is lost" })).await.expect(200);
    take(&month.admin, &half, "verify").await;
    (month.days[2].settled, month.days[7].settled, month.days[7].net) = (2, 2, 3_640);
    assert_eq!(month.days.iter().map(|day| day.net).sum::<i64>(), 36_624);
    month.agrees().await;
    assert_eq!(month.cash("2025-02-24").await, (whole.clone(), "agrees".to_owned()));
    let certified = month.admin.post("/api/sales/cmsr/certify", &certify).await.expect(200);
    assert_eq!(certified["content"]["absences"].as_array().map(Vec::len), Some(1), "{certified}");
    let export = json!({ "layout": "cashSale", "from": "2025-02-17", "to": "2025-02-28" });
    let made = month.admin.post("/api/sales/netsuite/export", &export).await.expect(201);
    assert_eq!((&made["records"], &made["left"]), (&json!(11), &json!([])));

    // A slip turns out to be wrong: the month differs until it is amended, the record goes out again, the bank differs.
    let list =
        month.get(&format!("/api/sales/z-reading?from=2025-02-26&to=2025-02-26&storeId={store}")).await;
    let slip = list["items"].as_array().expect("readings").iter().find(|one| one["terminalId"] == "T2");
    let slip = take(&month.admin, slip.expect("the slip"), "reopen").await;
    let change = json!({
        "revision": slip["revision"], "gross": 1_400, "net": 1_400, "vatable": 1_250, "vat": 150, "presentTotal": null,
        "tenders": [{ "kind": "cash", "label": "CASH", "amount": 1_176 },
                    { "kind": "card", "label": "VISA", "amount": 224 }],
    });
    let path = format!("/api/sales/z-reading/{}", slip["id"].as_str().expect("an id"));
    let changed = month.admin.patch(&path, &change).await.expect(200);
    let seen = json!({ "revision": changed["revision"], "reason": "Seen on paper", "salesSeen": true });
    month.admin.post(&format!("{path}/verify"), &seen).await.expect(200);
    let shown = month.get(&format!("/api/sales/cmsr?storeId={store}&month=2025-02")).await;
    assert_ne!(shown["differs"], Value::Null, "the certified month differs from its readings");
    let why = json!({ "storeId": store, "month": "2025-02", "reason": "A slip of T2 was misread" });
    month.admin.post("/api/sales/cmsr/amend", &why).await.expect(200);
    month.days[9].net = 4_088;
    assert_eq!(month.days.iter().map(|day| day.net).sum::<i64>(), 36_736);
    month.agrees().await;
    let (pairs, state) = month.cash("2025-02-26").await;
    assert_eq!(
        (pairs, state.as_str()),
        (vec!["differs".into(), "differs".into(), "agrees".into()], "differs")
    );
    let again = month.admin.post("/api/sales/netsuite/export", &export).await.expect(201);
    assert_eq!(again["records"], 1, "the changed day alone");
}
