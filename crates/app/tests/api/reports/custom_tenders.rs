//! The report builder's tenders: the same figures as the tender report's, over random days, for every user.

use std::collections::BTreeMap;

use larder_domain::Action::{self, View};
use larder_domain::{BusinessDay, Timestamp};
use larder_platform::Clock as _;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use crate::sales::{Reading, put_paid, put_reading, store};
use crate::support::{App, Client, Engine, actor, one_engine};

const REPORT: &str = "/api/sales/tender-report";
const PREVIEW: &str = "/api/reports/custom/preview";
/// Figures in both.
const FIGURES: [&str; 10] =
    ["pos", "z", "declared", "deposited", "settled", "fee", "expectedFee", "variance", "missing", "differs"];
/// Till labels of tender types, one of which is a tender type of its own.
const LABELS: [&str; 5] = ["CASH", "Visa", "GCASH", "Blue card", "Foodpanda"];
/// Days of the month used.
const DAYS: i32 = 30;

/// Three stores with a month of all tender data.
struct World {
    app: App,
    admin: Client,
    stores: Vec<String>,
    first: BusinessDay,
    random: StdRng,
}

impl World {
    async fn build(on: Engine, seed: u64) -> Self {
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        let mut stores = Vec::new();
        for (name, code) in [("Makati", "MKT"), ("Pasig", "PSG"), ("Cebu", "CEB")] {
            stores.push(store(&admin, name, code).await);
        }
        for (name, kind, percent) in [("Visa", "card", 2.5), ("Blue card", "eWallet", 1.25)] {
            let one = json!({ "name": name, "kind": kind, "feePercent": percent, "settlementDays": 2 });
            admin.post("/api/lists/tender-types", &one).await.expect(201);
        }
        let first = BusinessDay::of(Timestamp(app.clock.now().0)).plus(-DAYS - 5);
        let mut world = Self { app, admin, stores, first, random: StdRng::seed_from_u64(seed) };
        let mut lines = Vec::new();
        for at in 0..3 {
            for back in 0..DAYS {
                if world.random.random_bool(0.4) {
                    world.day(at, world.first.plus(back), &mut lines).await;
                }
            }
        }
        let file = format!("Transaction Date,TID,Gross Amount,MDR,Card Type\n{}", lines.concat());
        let taken = world
            .admin
            .upload(&format!("{REPORT}/settlements?override=true&reason=over&fileName=bank.csv"), file)
            .await
            .expect(201);
        assert_eq!(taken["unmatched"], 0, "{taken}");
        world
    }

    fn last(&self) -> BusinessDay {
        self.first.plus(DAYS - 1)
    }

    fn pesos(&mut self) -> f64 {
        f64::from(self.random.random_range(1..900_000)) / 100.0
    }

    /// Random data of a store's day.
    async fn day(&mut self, at: usize, day: BusinessDay, lines: &mut Vec<String>) {
        let store = self.stores[at].clone();
        let cash = self.pesos();
        if self.random.random_bool(0.8) {
            // Occasionally two sources report the same sales.
            let sources: &[&str] = if self.random.random_bool(0.3) { &["file", "w3p"] } else { &["file"] };
            for source in sources {
                self.sold(&store, day, source).await;
            }
        }
        for (till, state, share) in
            [("T1", "verified", 0.7), ("T2", "reconciled", 0.3), ("T3", "captured", 0.3)]
        {
            if !self.random.random_bool(share) {
                continue;
            }
            let card = self.pesos();
            let tenders = json!([{ "kind": "cash", "label": "CASH", "amount": cash },
                { "kind": "", "label": LABELS[self.random.random_range(1..5)], "amount": card }]);
            let reading = Reading { terminal: till.into(), state: state.into(), tenders, ..Reading::of(100) };
            put_reading(&self.app, &store, day, &reading).await;
        }
        if self.random.random_bool(0.6) {
            let pieces = self.random.random_range(0..300);
            let card = self.pesos();
            let body = json!({ "storeId": store, "businessDate": day.to_string(),
                "pieces": [{ "denomination": 20, "pieces": pieces }], "tenders": [{ "kind": "card", "amount": card }],
                "override": true, "reason": "A month that is over" });
            let made = self.admin.post(&format!("{REPORT}/declarations"), &body).await.expect(201);
            self.void("declarations", &made).await;
        }
        if self.random.random_bool(0.6) {
            let next = self.pesos();
            let body = json!({ "storeId": store, "depositedOn": day.plus(2).to_string(), "bank": "BPI", "reference": "S",
                "override": true, "reason": "A month that is over",
                "days": [{ "businessDate": day.to_string(), "amount": cash },
                         { "businessDate": day.plus(1).to_string(), "amount": next }] });
            let made = self.admin.post(&format!("{REPORT}/deposits"), &body).await.expect(201);
            self.void("deposits", &made).await;
        }
        for card in ["VISA", "Blue card"] {
            if self.random.random_bool(0.5) {
                let (gross, code) = (self.pesos() + 10.0, ["MKT", "PSG", "CEB"][at]);
                let fee = f64::from(self.random.random_range(1..500)) / 100.0;
                lines.push(format!("{day},{code},{gross:.2},{fee:.2},{card}\n"));
            }
        }
    }

    /// Voids some of them.
    async fn void(&mut self, of: &str, made: &Value) {
        if self.random.random_bool(0.2) {
            let at = format!("{REPORT}/{of}/{}/void", made["id"].as_str().expect("an id"));
            self.admin.post(&at, &json!({ "reason": "Wrong", "revision": 1 })).await.expect(200);
        }
    }

    /// A source's receipts of a till.
    async fn sold(&mut self, store: &str, day: BusinessDay, source: &str) {
        let payments: Vec<(&str, i64)> = (0..self.random.random_range(1..6))
            .map(|_| (LABELS[self.random.random_range(0..5)], self.random.random_range(-2_000..90_000)))
            .collect();
        let (at, net) = (self.app.clock.now(), payments.iter().map(|(_, amount)| amount).sum::<i64>());
        let (payments, who) = (&payments, actor(at));
        let written = self.app.db.write(&who, async |tx| {
            put_paid(tx, at, (store, day, source, "T1"), (net, payments.as_slice())).await
        });
        written.await.expect("sales");
    }
}

fn cents(value: &Value) -> i64 {
    (value.as_f64().unwrap_or_default() * 100.0).round() as i64
}

/// A figure of the tender report's row, in centavos; for «differs» 100 if any of its pairs does.
fn figure_of(row: &Value, name: &str) -> i64 {
    let pairs = row["pairs"].as_array().expect("pairs");
    match name {
        "variance" => {
            pairs.iter().rev().find(|pair| !pair["by"].is_null()).map_or(0, |pair| cents(&pair["by"]))
        }
        "differs" => i64::from(pairs.iter().any(|pair| pair["state"] == "differs")) * 100,
        name => cents(&row[name]),
    }
}

/// Sums of each figure in centavos, by row keys.
type Sums = BTreeMap<Vec<String>, Vec<i64>>;

/// The tender report's rows, summed by `key`.
async fn reported(
    who: &Client,
    (from, to): (BusinessDay, BusinessDay),
    key: fn(&Value) -> Vec<String>,
) -> Sums {
    let report = who.get(&format!("{REPORT}?from={from}&to={to}")).await.expect(200);
    let mut sums = Sums::new();
    for row in report["items"].as_array().expect("rows") {
        let sum = sums.entry(key(row)).or_insert_with(|| vec![0; FIGURES.len()]);
        sum.iter_mut().zip(FIGURES).for_each(|(sum, figure)| *sum += figure_of(row, figure));
    }
    sums
}

fn question((from, to): (BusinessDay, BusinessDay), rows: &[&str], figures: &[&str]) -> Value {
    let measures: Vec<Value> = figures.iter().map(|field| json!({ "field": field })).collect();
    json!({ "dataset": "tenders", "range": { "from": from, "to": to }, "rows": rows, "measures": measures })
}

async fn answer(who: &Client, body: &Value) -> Value {
    who.post(PREVIEW, body).await.expect(200)["answer"].clone()
}

/// The builder's, by row keys; a table has at most six figures.
async fn built(who: &Client, span: (BusinessDay, BusinessDay), rows: &[&str]) -> Sums {
    let mut sums = Sums::new();
    for part in FIGURES.chunks(5) {
        let answer = answer(who, &question(span, rows, part)).await;
        for row in answer["rows"].as_array().expect("rows") {
            let keys = row["keys"].as_array().expect("keys").iter().filter_map(|key| key.as_str());
            let sum = sums.entry(keys.map(str::to_owned).collect()).or_default();
            sum.extend(row["total"].as_array().expect("figures").iter().map(cents));
        }
    }
    sums
}

fn text(row: &Value, field: &str) -> String {
    row[field].as_str().expect("text").to_owned()
}

const RIGHTS: [(&str, &[Action]); 2] = [("reports/reports", &[View]), ("sales/tenderReport", &[View])];

#[rstest]
#[tokio::test]
async fn tenders_equal_the_tender_report(#[values(Engine::Sqlite, Engine::Postgres)] on: Engine) {
    let seed = 20_261_126;
    let mut world = World::build(on, seed).await;
    let month = (world.first, world.last());
    let by_store = |row: &Value| vec![text(row, "storeId"), text(row, "kind")];
    let said = reported(&world.admin, month, by_store).await;
    for at in 0..FIGURES.len() {
        assert!(said.values().any(|sums| sums[at] != 0), "no data covers {}", FIGURES[at]);
    }
    assert_eq!(built(&world.admin, month, &["store", "tender"]).await, said);
    let by_day = reported(&world.admin, month, |row| vec![text(row, "date")]).await;
    assert_eq!(built(&world.admin, month, &["date"]).await, by_day);

    // Random ranges, and the whole month.
    for _ in 0..6 {
        let day = world.first.plus(world.random.random_range(0..DAYS));
        let said = reported(&world.admin, (day, day), by_store).await;
        assert_eq!(built(&world.admin, (day, day), &["store", "tender"]).await, said, "{day}, seed {seed}");
    }
    let whole =
        answer(&world.admin, &question(month, &["store"], &["missing", "missingDays", "undeclared"])).await;
    let report = world.admin.get(&format!("{REPORT}?from={}&to={}", month.0, month.1)).await.expect(200);
    let rows = report["items"].as_array().expect("rows");
    let missing = rows.iter().filter(|row| !row["missing"].is_null());
    let undeclared = rows.iter().filter(|row| row["kind"] == "cash" && row["declared"].is_null());
    let total = &whole["totals"][0]["total"];
    assert_eq!((&total[1], &total[2]), (&json!(missing.clone().count()), &json!(undeclared.count())));
    assert_eq!(cents(&total[0]), missing.map(|row| cents(&row["missing"])).sum::<i64>());
    let mut cash = question(month, &["tender"], &["missing", "missingDays"]);
    cash["filters"] = json!([{ "field": "tender", "op": "is", "values": ["cash"] }]);
    let cash = answer(&world.admin, &cash).await;
    assert_eq!(cash["rows"][0]["labels"], json!(["Cash"]));
    assert_eq!(cash["rows"][0]["total"], json!([report["missingCash"], report["missingDays"]]));

    // Receipt amounts are the same by label and by tender type, combined with other figures or alone.
    let amounts = async |rows: &[&str], figures: &[&str]| {
        let answer = answer(&world.admin, &question(month, rows, figures)).await;
        let total = &answer["totals"][0]["total"];
        (cents(&total[0]), total[1].clone())
    };
    let by_label = amounts(&["kind"], &["amount", "payments"]).await;
    assert_eq!(amounts(&["tender"], &["amount", "payments"]).await, by_label);
    assert_eq!(amounts(&["store"], &["amount", "payments", "declared"]).await, by_label);
    assert_eq!(amounts(&["kind", "tender"], &["amount", "payments"]).await, by_label);

    // A user of one store gets its figures, and no total reveals the others.
    let pasig = &world.stores[1];
    let limited = world.app.user(&RIGHTS, Some(std::slice::from_ref(pasig))).await;
    let said: Sums = said_of(&said, pasig);
    assert!(!said.is_empty(), "the store has figures");
    assert_eq!(built(&limited, month, &["store", "tender"]).await, said);
    let mut theirs = vec![0; FIGURES.len()];
    said.values().for_each(|sums| theirs.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum));
    assert_eq!(built(&limited, month, &[]).await.into_values().collect::<Vec<_>>(), [theirs]);
    let mut others = question(month, &["store"], &["declared"]);
    others["filters"] = json!([{ "field": "store", "op": "is", "values": [world.stores[0]] }]);
    let answer = answer(&limited, &others).await;
    assert_eq!((&answer["rows"], &answer["notices"][0]["code"]), (&json!([]), &json!("scope")));
}

fn said_of(said: &Sums, store: &String) -> Sums {
    said.iter()
        .filter(|(keys, _)| keys[0] == *store)
        .map(|(keys, sums)| (keys.clone(), sums.clone()))
        .collect()
}

#[rstest]
#[tokio::test]
async fn receipt_dimensions_do_not_split_other_figures(#[from(one_engine)] on: Engine) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let day = BusinessDay::of(Timestamp(app.clock.now().0));
    let span = (day.plus(-6), day);
    for (field, words) in [("kind", "Tender in the till’s words"), ("source", "Source of the sales")] {
        let refused =
            admin.post(PREVIEW, &question(span, &[field], &["amount", "deposited"])).await.expect(422);
        assert_eq!(
            refused["fields"][0],
            json!({ "field": "measures.1.field",
                "message": format!("«Deposited» is not known by «{words}». Leave one of the two out.") })
        );
        let mut filtered = question(span, &["store"], &["z"]);
        filtered["filters"] = json!([{ "field": field, "op": "is", "values": ["w3p"] }]);
        let refused = admin.post(PREVIEW, &filtered).await.expect(422);
        assert_eq!(refused["fields"][0]["field"], "measures.0.field");
        // An incomplete filter is ignored.
        filtered["filters"][0]["values"] = json!([]);
        admin.post(PREVIEW, &filtered).await.expect(200);
    }
    let offered = admin.get("/api/reports/custom/values?dataset=tenders&field=tender").await.expect(200);
    assert_eq!(offered["items"].as_array().map(Vec::len), Some(5));

    // The dataset needs the permission for the tender report.
    let clerk = app.user(&RIGHTS[..1], None).await;
    let seen = clerk.get("/api/reports/custom/datasets").await.expect(200).to_string();
    assert!(!seen.contains("deposited"), "{seen}");
    clerk.post(PREVIEW, &question(span, &["store"], &["deposited"])).await.expect(403);
    let reader = app.user(&RIGHTS, None).await;
    assert!(reader.get("/api/reports/custom/datasets").await.expect(200).to_string().contains("deposited"));
}
