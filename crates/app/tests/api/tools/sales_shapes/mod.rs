//! Random sales, written as many vendors write them and with what happens at tills, come in as they were sold.
//!
//! Each shape is a file of one vendor with some kinds of mischief. It is uploaded and checked with the suggested
//! mapping. Either no question is open and its sums are those sold, or questions are open, at most one for each kind of
//! mischief, and with the right answers its sums are those sold. What is posted and what is left out is what is in the
//! file. One in [`POST_EVERY`] shapes is posted, and its store-days are compared by item and by tender.
//!
//! Layouts and questions are found by the server only, so shapes go over HTTP. `LARDER_SALES_SHAPES` sets another number
//! of them (2,000 take some minutes) and `LARDER_SALES_SEED` the first seed.

mod mischief;
mod sold;
mod vendor;
mod vendors;

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Map, Value, json};

use super::import_sales_product::HOME;
use crate::support::{App, Client, Engine, one_engine};
use mischief::Mischief;
use sold::{Day, Sales};
use vendor::{FileText, Is, Vendor};
use vendors::VENDORS;

/// The number of random shapes with mischief.
const SHAPES: u64 = 2_000;
/// Parts of them that run side by side.
const PARTS: u64 = 8;
const POST_EVERY: u64 = 5;
/// The most differences that are printed.
const PRINTED: usize = 12;

fn set_by(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// A file, and what was sold.
struct Shape {
    seed: u64,
    vendor: Vendor,
    mischief: BTreeSet<Mischief>,
    sales: Sales,
    file: FileText,
}

impl Shape {
    fn new(seed: u64, vendor: Vendor, mischief: BTreeSet<Mischief>) -> Self {
        // Each shape has stores of its own, so that no file meets sales of another.
        let at = VENDORS.iter().position(|known| known.name == vendor.name).expect("a vendor");
        let mut stores = vec![format!("Larkspur {seed}v{at}"), format!("Pasig {seed}v{at}")];
        if !vendor.names_stores() {
            stores.truncate(1);
        }
        let mut sales = Sales::random(seed, stores, vendor.shows_discounts());
        mischief.iter().for_each(|kind| kind.commit(&mut sales, seed));
        sales.number();
        let file = vendor.write(&sales);
        Self { seed, vendor, mischief, sales, file }
    }

    /// A vendor, and one to three kinds of what can happen in its files.
    fn random(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed.wrapping_mul(0x9e37_79b9));
        let vendor = *VENDORS.choose(&mut random).expect("vendors");
        let able: Vec<Mischief> = Mischief::ALL.into_iter().filter(|kind| vendor.can(*kind)).collect();
        let count = random.random_range(1..=3);
        let mischief = able.sample(&mut random, count).copied().collect();
        Self::new(seed, vendor, mischief)
    }

    fn described(&self, why: &str) -> String {
        let kinds: Vec<String> = self.mischief.iter().map(|kind| format!("{kind:?}")).collect();
        format!("seed {}: {}, {}: {why}", self.seed, self.vendor.name, kinds.join(" + "))
    }
}

/// Millionths or hundredths of a number in JSON.
#[allow(clippy::cast_possible_truncation)]
fn whole(value: &Value, parts: f64) -> i64 {
    value.as_f64().map_or(i64::MIN, |number| (number * parts).round() as i64)
}

/// Thousandths.
fn qty(value: &Value) -> i64 {
    whole(value, 1_000.0)
}

/// Centavos.
fn net(value: &Value) -> i64 {
    whole(value, 100.0)
}

/// Which choice of a question is right. What its id does not tell is told by the net amount.
fn right<'a>(shape: &Shape, ask: &'a Value) -> Option<&'a Value> {
    let choices = ask["choices"].as_array()?;
    let id = ask["id"].as_str()?;
    let sets = |choice: &Value| match id {
        _ if id.starts_with("word:") => {
            let counts =
                choice["set"]["words"].as_object().into_iter().flatten().any(|(_, word)| word == "counts");
            counts == shape.sales.unsure_counts
        }
        "splitTenders" => choice["set"]["splitTenders"] == shape.mischief.contains(&Mischief::SplitTender),
        "negativeLines" => choice["set"]["negativeLines"] == "discounts",
        // The evening's sales go on after midnight; a number that runs on does not make them those of the next day.
        "dayStart" => choice["label"].as_str().is_some_and(|label| label.starts_with("Yes")),
        _ => net(&choice["net"]) == shape.sales.sums().1,
    };
    choices.iter().find(|choice| sets(choice))
}

struct Runner<'a> {
    app: &'a App,
    admin: &'a Client,
}

impl Runner<'_> {
    /// Checks a file with a mapping.
    async fn check(&self, id: &str, mapping: &Value) -> Result<Value, String> {
        let path = format!("{HOME}/batches/{id}");
        let answer = self.admin.put(&format!("{path}/mapping"), mapping).await;
        if answer.status != 200 {
            return Err(format!("the suggestion is refused: {}", answer.text()));
        }
        self.app.drain().await;
        let batch = self.admin.get(&path).await.expect(200);
        if batch["state"] == "validated" { Ok(batch) } else { Err(format!("not checked: {batch}")) }
    }

    /// Plays a shape to its end; posts it if wished.
    async fn play(&self, shape: &Shape, post: bool) -> Result<(), String> {
        let mut stores = Vec::new();
        for name in &shape.sales.stores {
            let store = self.admin.post("/api/stores/locations", &json!({ "name": name })).await.expect(201);
            stores.push(store["id"].as_str().expect("an id").to_owned());
        }
        let path = format!("{HOME}/uploads?fileName=shape-{}.csv", shape.seed);
        let answer = self.admin.upload(&path, shape.file.text.clone()).await;
        if answer.status != 201 {
            return Err(format!("the upload is refused: {}", answer.text()));
        }
        let batch = answer.expect(201);
        let id = batch["id"].as_str().expect("an id");
        let layout = &batch["layout"];
        let unsure = |read: &Value| read["certain"] == false;
        if layout["dateFormats"].as_array().expect("formats").iter().any(unsure) {
            return Err("its dates can be read in two ways".to_owned());
        }
        let mut mapping = layout["suggestion"].clone();
        if mapping["columns"]["store"].is_null() && !shape.vendor.names_stores() {
            mapping["store"] = json!({ "fixed": stores[0] });
        }
        let (batch, asked) = self.answer_all(shape, id, mapping).await?;
        if asked.len() > shape.mischief.len() {
            return Err(format!("asks {asked:?}"));
        }
        checked(shape, &batch["summary"])
            .map_err(|why| format!("{why}\n  asked {asked:?}\n  read as {}", batch["mapping"]))?;
        if post { self.posted(shape, id, &stores).await } else { Ok(()) }
    }

    /// Answers open questions until none is left; returns the checked batch and the questions asked.
    async fn answer_all(
        &self,
        shape: &Shape,
        id: &str,
        mut mapping: Value,
    ) -> Result<(Value, BTreeSet<String>), String> {
        let mut answers = Map::new();
        let mut asked = BTreeSet::new();
        loop {
            let batch = self.check(id, &mapping).await?;
            let asks = batch["summary"]["asks"].as_array().cloned().unwrap_or_default();
            let open: Vec<&Value> = asks
                .iter()
                .filter(|ask| batch["mapping"]["answers"][ask["id"].as_str().unwrap_or_default()].is_null())
                .collect();
            if open.is_empty() {
                return Ok((batch, asked));
            }
            for ask in open {
                let id = ask["id"].as_str().unwrap_or_default();
                let Some(choice) = right(shape, ask) else {
                    return Err(format!("no choice comes to what was sold, {:?}: {ask}", shape.sales.sums()));
                };
                if shape.mischief.len() == 1 && asks.len() == 1 && net(&choice["net"]) != shape.sales.sums().1
                {
                    return Err(format!(
                        "the right choice does not come to what was sold, {:?}: {ask}",
                        shape.sales.sums()
                    ));
                }
                if !asked.insert(id.to_owned()) {
                    return Err(format!("asks again: {ask}"));
                }
                answers.insert(id.to_owned(), choice["id"].clone());
            }
            mapping["answers"] = Value::Object(answers.clone());
        }
    }

    /// Posts a checked file and compares its store-days.
    async fn posted(&self, shape: &Shape, id: &str, stores: &[String]) -> Result<(), String> {
        let path = format!("{HOME}/batches/{id}");
        let answer = self.admin.post(&format!("{path}/post"), &json!({})).await;
        if answer.status != 200 {
            return Err(format!("posting is refused: {}", answer.text()));
        }
        self.app.drain().await;
        let batch = self.admin.get(&path).await.expect(200);
        if batch["state"] != "posted" {
            return Err(format!("not posted: {batch}"));
        }
        let days = shape.sales.days();
        for (store, store_id) in stores.iter().enumerate() {
            // Also the days around, which have no sales.
            for day in sold::FIRST_DAY..=sold::FIRST_DAY + 8 {
                let path = format!("{HOME}/days/{store_id}/2026-11-{day}");
                let seen = self.admin.get(&path).await.expect(200);
                let sold = days.get(&(store, day)).cloned().unwrap_or_default();
                differences(&sold, &seen, shape.vendor.shows_tenders())
                    .and_then(|()| families(&seen, shape.vendor.has(Is::ParentLine)))
                    .map_err(|why| format!("store {store}, November {day}: {why}"))?;
            }
        }
        Ok(())
    }
}

/// Compares the sums of a checked file.
fn checked(shape: &Shape, summary: &Value) -> Result<(), String> {
    let days = shape.sales.days();
    let same = |what: &str, is: i64, should: i64| match is == should {
        true => Ok(()),
        false => Err(format!("{what} is {is}, should be {should}: {summary}")),
    };
    let (sold_qty, sold_net) = shape.sales.sums();
    same("problemLines", summary["problemLines"].as_i64().unwrap_or(-1), 0)?;
    same("qty", qty(&summary["qty"]), sold_qty)?;
    same("net", net(&summary["net"]), sold_net)?;
    let many = |n: usize| i64::try_from(n).expect("few");
    same("stores", summary["stores"].as_i64().unwrap_or(-1), many(shape.sales.stores.len()))?;
    let dates: BTreeSet<u32> = shape.sales.receipts.iter().map(|receipt| receipt.day).collect();
    same("days", summary["days"].as_i64().unwrap_or(-1), many(dates.len()))?;

    let left_out = summary["leftOut"].as_array().cloned().unwrap_or_default();
    let (left_qty, left_net) =
        left_out.iter().fold((0, 0), |(q, n), sum| (q + qty(&sum["qty"]), n + net(&sum["net"])));
    same("qty + left out", qty(&summary["qty"]) + left_qty, qty(&summary["fileQty"]))?;
    same("net + left out", net(&summary["net"]) + left_net, net(&summary["fileNet"]))?;
    same("fileQty", qty(&summary["fileQty"]), shape.file.qty)?;
    if let Some(written) = shape.file.net {
        same("fileNet", net(&summary["fileNet"]), written)?;
    }
    if shape.vendor.shows_tenders() {
        let mut sold: BTreeMap<String, i64> = BTreeMap::new();
        for (tender, amount) in days.values().flat_map(|day| &day.tenders) {
            *sold.entry((*tender).to_owned()).or_default() += amount;
        }
        sold.retain(|_, amount| *amount != 0);
        let seen = tenders(&summary["tenders"]);
        if seen != sold {
            return Err(format!("tenders are {seen:?}, should be {sold:?}: {summary}"));
        }
    }
    Ok(())
}

/// Amounts by name; those of zero are left out.
fn tenders(list: &Value) -> BTreeMap<String, i64> {
    let mut all: BTreeMap<String, i64> = BTreeMap::new();
    for tender in list.as_array().into_iter().flatten() {
        *all.entry(tender["name"].as_str().unwrap_or_default().to_owned()).or_default() +=
            net(&tender["amount"]);
    }
    all.retain(|_, amount| *amount != 0);
    all
}

/// Compares a posted store-day with what was sold.
fn differences(sold: &Day, seen: &Value, with_tenders: bool) -> Result<(), String> {
    let totals = (qty(&seen["totals"]["qty"]), net(&seen["totals"]["net"]));
    if totals != (sold.qty, sold.net) {
        return Err(format!("totals are {totals:?}, should be {:?}", (sold.qty, sold.net)));
    }
    let mut items: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for line in seen["lines"].as_array().into_iter().flatten() {
        let (qty, net) = (qty(&line["qty"]), net(&line["net"]));
        // A void that cancels nothing was never sold.
        if line["kind"] == "void" && qty >= 0 {
            continue;
        }
        let item = items.entry(line["sourceItem"].as_str().unwrap_or_default().to_owned()).or_default();
        *item = (item.0 + qty, item.1 + net);
    }
    let mut should: BTreeMap<String, (i64, i64)> =
        sold.items.iter().map(|(name, sums)| ((*name).to_owned(), *sums)).collect();
    if sold.spread {
        // A discount of the receipt may stay a line or be spread over the others: quantities tell.
        items.values_mut().chain(should.values_mut()).for_each(|sums| sums.1 = 0);
    }
    items.retain(|_, sums| *sums != (0, 0));
    should.retain(|_, sums| *sums != (0, 0));
    if items != should {
        return Err(format!("items are {items:?}, should be {should:?}"));
    }
    if with_tenders {
        let seen = tenders(&seen["tenders"]);
        let should: BTreeMap<String, i64> =
            sold.tenders.iter().map(|(name, amount)| ((*name).to_owned(), *amount)).collect();
        if seen != should {
            return Err(format!("tenders are {seen:?}, should be {should:?}"));
        }
    }
    Ok(())
}

/// Parts of combos belong to a line of their receipt where the file says so, and nothing else does to any.
fn families(seen: &Value, said: bool) -> Result<(), String> {
    let lines = seen["lines"].as_array().expect("lines");
    for line in lines {
        let is_part = said && line["sourceItem"].as_str().is_some_and(|name| name.contains("Combo Drink"));
        let parent = lines.iter().find(|other| !line["parent"].is_null() && other["place"] == line["parent"]);
        let fits = |parent: &Value| parent["receiptNo"] == line["receiptNo"] && parent["parent"].is_null();
        if parent.is_some() != is_part || !parent.is_none_or(fits) {
            return Err(format!("belongs to {parent:?}: {line}"));
        }
    }
    Ok(())
}

/// Plays shapes on one server, and fails with the differences and their files.
async fn play_all(on: Engine, shapes: impl Iterator<Item = (Shape, bool)>) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let runner = Runner { app: &app, admin: &admin };
    let (mut played, mut wrong) = (0, Vec::new());
    for (shape, post) in shapes {
        played += 1;
        if let Err(why) = runner.play(&shape, post).await {
            wrong.push((shape.described(&why), shape));
        }
    }
    let mut by_kind: BTreeMap<String, u32> = BTreeMap::new();
    for (_, shape) in &wrong {
        *by_kind.entry(shape.vendor.name.to_owned()).or_default() += 1;
        for kind in &shape.mischief {
            *by_kind.entry(format!("{kind:?}")).or_default() += 1;
        }
    }
    let told: Vec<String> =
        wrong.iter().take(PRINTED).map(|(why, shape)| format!("{why}\n{}", shape.file.text)).collect();
    assert!(wrong.is_empty(), "{} of {played} shapes, {by_kind:?}:\n{}", wrong.len(), told.join("\n"));
}

#[rstest]
#[tokio::test]
async fn clean_files_of_every_vendor_are_read_without_a_question(#[from(one_engine)] on: Engine) {
    let first = set_by("LARDER_SALES_SEED", 1);
    let shapes = VENDORS
        .iter()
        .flat_map(|vendor| [(vendor, first, true), (vendor, first + 1, false)])
        .map(|(vendor, seed, post)| (Shape::new(seed, *vendor, BTreeSet::new()), post));
    play_all(on, shapes).await;
}

#[rstest]
#[tokio::test]
async fn each_kind_of_mischief_is_read_rightly_or_asked_about(#[from(one_engine)] on: Engine) {
    let seed = set_by("LARDER_SALES_SEED", 1);
    let mut shapes = Vec::new();
    for kind in Mischief::ALL {
        let able: Vec<&Vendor> = VENDORS.iter().filter(|vendor| vendor.can(kind)).collect();
        assert!(!able.is_empty(), "no vendor's files can have {kind:?}");
        // Another seed for each kind keeps the stores of a vendor's shapes apart.
        let seed = seed + 1_000 * (1 + shapes.len() as u64);
        let shape = |(n, vendor): (usize, &&Vendor)| (Shape::new(seed, **vendor, [kind].into()), n < 3);
        shapes.extend(able.iter().enumerate().map(shape));
    }
    play_all(on, shapes.into_iter()).await;
}

#[rstest]
#[tokio::test]
async fn random_files_come_in_as_sold_or_are_asked_about(
    #[from(one_engine)] on: Engine,
    #[values(0, 1, 2, 3, 4, 5, 6, 7)] part: u64,
) {
    assert!(part < PARTS, "all parts are played");
    let first = set_by("LARDER_SALES_SEED", 1);
    let count = set_by("LARDER_SALES_SHAPES", SHAPES);
    let seeds = (first..first + count).filter(|seed| seed % PARTS == part);
    play_all(on, seeds.map(|seed| (Shape::random(seed), seed % POST_EVERY == 0))).await;
}

#[test]
fn a_shape_is_the_same_for_the_same_seed_and_its_receipts_are_paid() {
    for seed in 1..200 {
        let shape = Shape::random(seed);
        assert_eq!(shape.file.text, Shape::random(seed).file.text, "seed {seed}");
        for receipt in &shape.sales.receipts {
            let paid: i64 = receipt.paid.iter().map(|(_, amount)| amount).sum();
            assert_eq!(paid, receipt.total(), "seed {seed}: {receipt:?}");
            for line in receipt.lines.iter().filter(|line| line.sold) {
                assert_eq!(line.qty * line.price % 1_000, 0, "seed {seed}: {line:?} is not whole centavos");
            }
        }
        let sold = shape.sales.days();
        let tendered: i64 = sold.values().flat_map(|day| day.tenders.values()).sum();
        assert_eq!(tendered, shape.sales.sums().1, "seed {seed}");
    }
}
