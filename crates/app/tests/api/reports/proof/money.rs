//! Tenders and the certified month, over random readings, declarations, deposits and settlements: every
//! figure by plain addition, and the reports agree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use larder_domain::tender::DENOMINATIONS;
use larder_domain::{BusinessDay, Money};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use super::world::{centavos, some_centavos};
use crate::sales::{Reading, put_reading, store};
use crate::support::{App, Client, Engine};

const TENDERS: &str = "/api/sales/tender-report";
const CMSR: &str = "/api/sales/cmsr";
const KINDS: [&str; 5] = ["cash", "card", "eWallet", "voucher", "onAccount"];
/// Percent of card payments.
const FEE: i64 = 2;
/// In centavos.
const TOLERANCE: i64 = 100;

/// Store, day, tender type.
type Key = (usize, i32, &'static str);

/// A cell of the tender report, in centavos.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Cell {
    z: Option<i64>,
    declared: Option<i64>,
    deposited: Option<i64>,
    settled: Option<i64>,
    fee: Option<i64>,
}

impl Cell {
    /// The differences of its pairs by name, where both figures are known. Every reading says how its sales were paid.
    fn differences(self, kind: &str) -> BTreeMap<&'static str, i64> {
        let read = self.z.unwrap_or(0);
        let mut found = BTreeMap::new();
        if let Some(declared) = self.declared {
            found.insert("readingDeclared", declared - read);
        }
        let (name, came) = match kind {
            "cash" => ("declaredDeposited", self.deposited),
            "card" | "eWallet" => ("declaredSettled", self.settled),
            _ => return found,
        };
        let whole = self.declared.unwrap_or(read);
        if came.is_some() || whole <= TOLERANCE {
            found.insert(name, came.unwrap_or(0) - whole);
        }
        found
    }

    fn missing(self, kind: &str) -> Option<i64> {
        let (whole, came) = match kind {
            "cash" => (self.declared.or(self.z)?, self.deposited),
            "card" | "eWallet" => (self.z.or(self.declared)?, self.settled.or(self.deposited)),
            _ => return None,
        };
        Some(whole - came.unwrap_or(0)).filter(|left| *left > 0)
    }
}

struct World {
    app: App,
    admin: Client,
    stores: Vec<String>,
    /// First day of the past month.
    first: BusinessDay,
    days: i32,
    /// Verified readings with their day, by store.
    readings: Vec<Vec<(i32, Reading)>>,
    cells: BTreeMap<Key, Cell>,
}

fn more(sum: &mut Option<i64>, amount: i64) {
    *sum = Some(sum.unwrap_or(0) + amount);
}

fn pesos(centavos: i64) -> Value {
    json!(Money(centavos))
}

impl World {
    async fn build(on: Engine, chance: &mut StdRng) -> Self {
        let app = App::start_idle(on).await;
        let admin = app.admin().await;
        let card = json!({ "name": "Card", "kind": "card", "feePercent": FEE, "settlementDays": 3 });
        admin.post("/api/lists/tender-types", &card).await.expect(201);
        let mut stores = Vec::new();
        for (name, code) in [("Makati", "MKT"), ("Pasig", "PSG"), ("Cebu", "CEB")] {
            stores.push(store(&admin, name, code).await);
        }
        let first = BusinessDay::of(app.state.now()).month().plus(-1).month();
        let days = first.plus(31).month().0 - first.0;
        let mut world =
            Self { app, admin, stores, first, days, readings: vec![Vec::new(); 3], cells: BTreeMap::new() };
        for store in 0..3 {
            for day in 0..days {
                world.read(chance, store, day).await;
                world.declare(chance, store, day).await;
            }
            world.deposit(chance, store).await;
        }
        world.settle(chance).await;
        world
    }

    fn cell(&mut self, store: usize, day: i32, kind: &'static str) -> &mut Cell {
        self.cells.entry((store, day, kind)).or_default()
    }

    fn day(&self, day: i32) -> BusinessDay {
        self.first.plus(day)
    }

    /// Each till's reading of a day; occasionally an additional, discarded one.
    async fn read(&mut self, chance: &mut StdRng, store: usize, day: i32) {
        for till in ["T1", "T2"] {
            let mut one = random(chance, till);
            let parts = split(chance, one.net);
            one.tenders = parts
                .iter()
                .map(|(kind, amount)| json!({ "kind": kind, "label": kind.to_uppercase(), "amount": pesos(*amount) }))
                .collect();
            put_reading(&self.app, &self.stores[store], self.day(day), &one).await;
            for (kind, amount) in parts {
                more(&mut self.cell(store, day, kind).z, amount);
            }
            self.readings[store].push((day, one));
        }
        if chance.random_bool(0.1) {
            let one = Reading { state: "discarded".to_owned(), ..random(chance, "T3") };
            put_reading(&self.app, &self.stores[store], self.day(day), &one).await;
        }
    }

    /// The store's declaration.
    async fn declare(&mut self, chance: &mut StdRng, store: usize, day: i32) {
        if !chance.random_bool(0.6) {
            return;
        }
        let piece = DENOMINATIONS[chance.random_range(0..DENOMINATIONS.len())];
        let pieces = chance.random_range(0..90);
        let mut tenders = Vec::new();
        more(&mut self.cell(store, day, "cash").declared, piece.0 * pieces);
        for kind in &KINDS[1..] {
            if chance.random_bool(0.4) {
                let amount = chance.random_range(0..90_000);
                more(&mut self.cell(store, day, kind).declared, amount);
                tenders.push(json!({ "kind": kind, "amount": pesos(amount) }));
            }
        }
        let body = json!({
            "storeId": self.stores[store], "businessDate": self.day(day), "tenders": tenders,
            "pieces": [{ "denomination": piece, "pieces": pieces }], "override": true, "reason": "A month that is over",
        });
        self.admin.post(&format!("{TENDERS}/declarations"), &body).await.expect(201);
    }

    /// Cash of some days, deposited together; voided deposits do not count.
    async fn deposit(&mut self, chance: &mut StdRng, store: usize) {
        let mut day = 0;
        while day < self.days {
            let to = (day + chance.random_range(1..4)).min(self.days);
            let struck = chance.random_bool(0.2);
            let mut parts = Vec::new();
            for day in day..to {
                let amount = chance.random_range(1..200_000);
                parts.push(json!({ "businessDate": self.day(day), "amount": pesos(amount) }));
                if !struck {
                    more(&mut self.cell(store, day, "cash").deposited, amount);
                }
            }
            let body = json!({
                "storeId": self.stores[store], "depositedOn": self.day(to), "bank": "BPI", "days": parts,
                "reference": format!("S{store}-{day}"), "override": true, "reason": "A month that is over",
            });
            let made = self.admin.post(&format!("{TENDERS}/deposits"), &body).await.expect(201);
            if struck {
                let at = format!("{TENDERS}/deposits/{}/void", made["id"].as_str().expect("an id"));
                let why = json!({ "reason": "Wrong account", "revision": made["revision"] });
                self.admin.post(&at, &why).await.expect(200);
            }
            day = to + chance.random_range(0..3);
        }
    }

    /// The acquirer's payments, in one file.
    async fn settle(&mut self, chance: &mut StdRng) {
        let mut file = String::from("Transaction Date,TID,Gross Amount,MDR,Net Amount,Card Type\n");
        for store in 0..3 {
            for day in 0..self.days {
                if !chance.random_bool(0.7) {
                    continue;
                }
                let gross = chance.random_range(1..90_000);
                let fee = gross * FEE / 100;
                let cell = self.cell(store, day, "card");
                more(&mut cell.settled, gross);
                more(&mut cell.fee, fee);
                let code = ["MKT", "PSG", "CEB"][store];
                let (day, net) = (self.day(day), Money(gross - fee));
                writeln!(file, "{day},{code},{},{},{net},VISA", Money(gross), Money(fee)).expect("a line");
            }
        }
        let path = format!("{TENDERS}/settlements?override=true&reason=over&fileName=bpi.csv");
        let taken = self.admin.upload(&path, file).await.expect(201);
        assert_eq!((&taken["unmatched"], &taken["problems"]), (&json!(0), &json!([])));
    }

    /// A sum over a store's verified readings.
    fn sum(&self, store: usize, of: impl Fn(&Reading) -> i64) -> i64 {
        self.readings[store].iter().map(|(_, one)| of(one)).sum()
    }
}

/// A reading whose net equals gross less all deductions.
fn random(chance: &mut StdRng, till: &str) -> Reading {
    let mut some = |most: i64| chance.random_range(0..most);
    let mut one = Reading {
        terminal: till.to_owned(),
        state: "verified".to_owned(),
        gross: 500_000 + some(900_000),
        vatable: some(300_000),
        vat: some(30_000),
        exempt: some(50_000),
        zero: some(5_000),
        senior: some(9_000),
        pwd: some(5_000),
        naac: some(500),
        solo: some(500),
        valor: some(100),
        other: some(9_000),
        voids: some(5_000),
        returns: some(5_000),
        vadj: some(2_000),
        service: some(4_000),
        ..Reading::default()
    };
    let off =
        [one.senior, one.pwd, one.naac, one.solo, one.valor, one.other, one.voids, one.returns, one.vadj];
    one.net = one.gross - off.iter().sum::<i64>();
    one
}

/// Splits an amount over tender types.
fn split(chance: &mut StdRng, whole: i64) -> Vec<(&'static str, i64)> {
    let mut left = whole;
    let mut parts = Vec::new();
    for kind in &KINDS[1..] {
        if chance.random_bool(0.5) {
            let part = chance.random_range(0..=left / 2);
            left -= part;
            parts.push((*kind, part));
        }
    }
    parts.push((KINDS[0], left));
    parts
}

#[rstest]
#[tokio::test]
async fn every_figure_of_money_matches_readings_and_declarations(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let mut chance = StdRng::seed_from_u64(20_261_125);
    let world = World::build(on, &mut chance).await;
    paid(&world).await;
    certified(&world).await;
    readings(&world).await;
}

/// The tender report.
async fn paid(world: &World) {
    let (from, to) = (world.first, world.day(world.days - 1));
    let report = world.admin.get(&format!("{TENDERS}?from={from}&to={to}")).await.expect(200);
    let rows = report["items"].as_array().expect("rows");
    assert_eq!(rows.len(), world.cells.len());
    let (mut missing, mut days) = (0, 0);
    for ((store, day, kind), cell) in &world.cells {
        let (date, id) = (json!(world.day(*day)), json!(world.stores[*store]));
        let row = rows.iter().find(|row| row["storeId"] == id && row["date"] == date && row["kind"] == *kind);
        let row = row.unwrap_or_else(|| panic!("no {kind} of {date}"));
        let seen = ["z", "declared", "deposited", "settled", "fee", "missing"]
            .map(|figure| some_centavos(&row[figure]));
        let reported = [cell.z, cell.declared, cell.deposited, cell.settled, cell.fee, cell.missing(kind)];
        assert_eq!(seen, reported.map(|figure| json!(figure)), "{row}");
        let pairs = row["pairs"].as_array().expect("pairs").iter().filter(|pair| !pair["by"].is_null());
        let differences: BTreeMap<&str, i64> =
            pairs.map(|pair| (pair["kind"].as_str().expect("a kind"), centavos(&pair["by"]))).collect();
        assert_eq!(differences, cell.differences(kind), "{row}");
        let differs = differences.values().any(|by| by.abs() > TOLERANCE);
        assert_eq!(row["compared"]["state"] == "differs", differs, "{row}");
        if *kind == "cash" && cell.missing(kind).is_some() {
            (missing, days) = (missing + cell.missing(kind).unwrap_or(0), days + 1);
        }
    }
    assert_eq!((centavos(&report["missingCash"]), &report["missingDays"]), (missing, &json!(days)));
    // The report for one store is its part of the whole.
    for (at, store) in world.stores.iter().enumerate() {
        let one =
            world.admin.get(&format!("{TENDERS}?from={from}&to={to}&storeIds={store}")).await.expect(200);
        let own = rows.iter().filter(|row| row["storeId"] == json!(store)).cloned().collect::<Vec<_>>();
        assert_eq!(one["items"], json!(own), "store {at}");
    }
}

/// The certified month, its year, and the occupancy cost from it.
async fn certified(world: &World) {
    let month = &world.first.to_string()[..7];
    let terms =
        json!({ "fixed": 50_000, "percent": 6, "mode": "greaterOf", "breakpoints": [], "addBacks": [] });
    let mut rents = 0;
    for (at, id) in world.stores.iter().enumerate() {
        let lease = json!({ "storeId": id, "validFrom": world.first.plus(-400), "terms": terms });
        world.admin.post("/api/stores/leases", &lease).await.expect(201);
        let certify = json!({ "storeId": id, "month": month, "name": "Ana Cruz", "position": "Finance" });
        let shown = world.admin.post(&format!("{CMSR}/certify"), &certify).await.expect(200);
        let total = &shown["content"]["total"];
        let sum = |of: fn(&Reading) -> i64| world.sum(at, of);
        let not_sold = sum(|one| one.voids + one.returns + one.vadj);
        for (figure, reported) in [
            ("zGross", sum(|one| one.gross)),
            ("notSold", not_sold),
            ("gross", sum(|one| one.gross) - not_sold),
            ("vatable", sum(|one| one.vatable)),
            ("vat", sum(|one| one.vat)),
            ("exempt", sum(|one| one.exempt)),
            ("zeroRated", sum(|one| one.zero)),
            ("senior", sum(|one| one.senior)),
            ("pwd", sum(|one| one.pwd)),
            ("otherStatutory", sum(|one| one.naac + one.solo + one.valor)),
            ("unapprovedPromo", sum(|one| one.other)),
            ("serviceDistributed", sum(|one| one.service)),
            ("net", sum(|one| one.net)),
        ] {
            assert_eq!(centavos(&total[figure]), reported, "{figure} of store {at}");
        }
        let days = shown["content"]["days"].as_array().expect("days");
        assert!(days.len() >= 28, "{} days of the month", days.len());
        for day in days {
            let of_day = |(n, one): &(i32, Reading)| (json!(world.day(*n)) == day["date"]).then_some(one.net);
            let net: i64 = world.readings[at].iter().filter_map(of_day).sum();
            assert_eq!(centavos(&day["figures"]["net"]), net, "{day}");
        }
        let foot = &shown["content"]["foot"];
        let off = sum(|one| one.exempt + one.zero + one.service);
        let net_sales = sum(|one| one.net) - off;
        let without_tax = (net_sales * 200 + 112) / 224;
        let rent = ((without_tax * 12 + 100) / 200).max(5_000_000);
        assert_eq!(
            ["netSales", "exVat", "rent"].map(|figure| centavos(&foot[figure])),
            [net_sales, without_tax, rent],
            "{foot}"
        );
        rents += rent;
        let year = world.admin.get(&format!("{CMSR}/year?year={}", &month[..4])).await.expect(200);
        let row = year["items"].as_array().expect("stores").iter().find(|row| row["storeId"] == json!(id));
        let months = row.expect("the store")["months"].as_array().expect("months");
        let glance = months.iter().find(|one| one["month"] == month).expect("the month");
        assert_eq!(
            (centavos(&glance["netSales"]), centavos(&glance["rent"])),
            (net_sales, rent),
            "the year and the month"
        );
    }
    let (from, to) = (world.first, world.day(world.days - 1));
    let place = world.admin.get(&format!("/api/reports/occupancy?from={from}&to={to}")).await.expect(200);
    let total = &place["total"];
    assert_eq!(
        centavos(&total["fixed"]) + centavos(&total["percentage"]),
        rents,
        "occupancy, rent, and the certified months: {place}"
    );
}

/// Readings in the report builder and in the certified month.
async fn readings(world: &World) {
    type Figure = (&'static str, fn(&Reading) -> i64);
    let figures: [Figure; 6] = [
        ("gross", |one| one.gross),
        ("net", |one| one.net),
        ("vat", |one| one.vat),
        ("exempt", |one| one.exempt),
        ("senior", |one| one.senior),
        ("otherDiscount", |one| one.other),
    ];
    let measures: Vec<Value> = figures.iter().map(|(field, _)| json!({ "field": field })).collect();
    let body = json!({
        "dataset": "readings", "rows": ["store"], "measures": measures,
        "range": { "from": world.first, "to": world.day(world.days - 1) },
        "filters": [{ "field": "state", "op": "is", "values": ["verified"] }],
    });
    let answer = world.admin.post("/api/reports/custom/preview", &body).await.expect(200)["answer"].clone();
    let rows = answer["rows"].as_array().expect("rows");
    for (at, id) in world.stores.iter().enumerate() {
        let row = rows.iter().find(|row| row["keys"][0] == json!(id)).expect("the store");
        for (n, (figure, of)) in figures.iter().enumerate() {
            let reported = centavos(&row["total"][n]);
            assert_eq!(reported, world.sum(at, of), "builder: readings, {figure}, and the certified month");
        }
    }
}
