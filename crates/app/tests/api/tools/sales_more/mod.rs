//! Files of the kinds that once came in wrongly, as other vendors write them, each with what is right: its sums, its
//! questions, and what is left out.

mod cells;
mod days;
mod names;
mod rows;
mod second;

use std::collections::BTreeMap;

use rstest::rstest;
use serde_json::{Map, Value, json};

use super::import_sales_product::HOME;
use crate::support::{App, Client, Engine, one_engine};

/// The store of all files.
const STORE: &str = "Larkspur Mall";

/// A file and what is right.
pub struct Case {
    name: &'static str,
    file_name: String,
    bytes: Vec<u8>,
    /// Members of the mapping that a user sets, over the suggested ones.
    set: Value,
    /// The questions that are open after the file was checked as suggested, in any order, each with a part of the
    /// right choice: its id, the beginning of its label, or a member or value that it sets. An empty text stands for
    /// the choice that comes to the right sums.
    asks: Vec<(&'static str, &'static str)>,
    qty: f64,
    net: f64,
    days: i64,
    problems: i64,
    /// Reason, quantity and net of what is left out; sums of zero are not listed.
    left_out: Vec<(&'static str, f64, f64)>,
    /// Quantity and net of days of November 2026, after posting.
    posted: Vec<(u32, f64, f64)>,
    /// The names of all items.
    items: Vec<&'static str>,
    tenders: Vec<(&'static str, f64)>,
}

impl Case {
    /// A text file of one day, without questions.
    pub fn new(name: &'static str, text: &str, qty: f64, net: f64) -> Self {
        Self::file(name, "sales.csv", text.as_bytes().to_vec(), qty, net)
    }

    pub fn file(name: &'static str, file_name: &str, bytes: Vec<u8>, qty: f64, net: f64) -> Self {
        Self {
            name,
            file_name: file_name.to_owned(),
            bytes,
            set: json!({}),
            asks: Vec::new(),
            qty,
            net,
            days: 1,
            problems: 0,
            left_out: Vec::new(),
            posted: Vec::new(),
            items: Vec::new(),
            tenders: Vec::new(),
        }
    }

    pub fn called(self, file_name: &str) -> Self {
        Self { file_name: file_name.to_owned(), ..self }
    }

    pub fn set(self, set: Value) -> Self {
        Self { set, ..self }
    }

    pub fn asks(self, asks: &[(&'static str, &'static str)]) -> Self {
        Self { asks: asks.to_vec(), ..self }
    }

    pub fn days(self, days: i64) -> Self {
        Self { days, ..self }
    }

    pub fn problems(self, problems: i64) -> Self {
        Self { problems, ..self }
    }

    pub fn left_out(self, left_out: &[(&'static str, f64, f64)]) -> Self {
        Self { left_out: left_out.to_vec(), ..self }
    }

    pub fn posted(self, posted: &[(u32, f64, f64)]) -> Self {
        Self { posted: posted.to_vec(), days: i64::try_from(posted.len()).expect("few"), ..self }
    }

    pub fn items(self, items: &[&'static str]) -> Self {
        Self { items: items.to_vec(), ..self }
    }

    pub fn tenders(self, tenders: &[(&'static str, f64)]) -> Self {
        Self { tenders: tenders.to_vec(), ..self }
    }
}

/// The text of a file.
pub fn text(rows: &[&str]) -> String {
    rows.join("\n") + "\n"
}

fn near(value: &Value, number: f64) -> bool {
    value.as_f64().is_some_and(|is| (is - number).abs() < 0.000_01)
}

/// A server with the store, its user, and the store's id.
async fn stage(on: Engine) -> (App, Client, String) {
    let app = App::start_idle(on).await;
    let admin = app.admin().await;
    let store = admin.post("/api/stores/locations", &json!({ "name": STORE })).await.expect(201);
    let id = store["id"].as_str().expect("an id").to_owned();
    (app, admin, id)
}

/// Uploads a file; returns its batch's id and the suggested mapping, with the store if the file names none.
async fn suggestion(
    admin: &Client,
    file_name: &str,
    bytes: Vec<u8>,
    store: &str,
) -> Result<(String, Value), String> {
    let path = format!("{HOME}/uploads?fileName={}", file_name.replace(' ', "%20"));
    let answer = admin.upload(&path, bytes).await;
    if answer.status != 201 {
        return Err(format!("the upload is refused: {}", answer.text()));
    }
    let batch = answer.expect(201);
    let mut mapping = batch["layout"]["suggestion"].clone();
    if mapping["columns"]["store"].is_null() && mapping["store"].is_null() {
        mapping["store"] = json!({ "fixed": store });
    }
    Ok((batch["id"].as_str().expect("an id").to_owned(), mapping))
}

/// Checks a file with a mapping; the error is the refusal.
async fn check(app: &App, admin: &Client, id: &str, mapping: &Value) -> Result<Value, String> {
    let path = format!("{HOME}/batches/{id}");
    let answer = admin.put(&format!("{path}/mapping"), mapping).await;
    if answer.status != 200 {
        return Err(format!("refused: {}", answer.text()));
    }
    app.drain().await;
    let batch = admin.get(&path).await.expect(200);
    if batch["state"] == "validated" { Ok(batch) } else { Err(format!("not checked: {batch}")) }
}

/// The questions of a checked file that its mapping leaves open.
fn open(batch: &Value) -> Vec<Value> {
    let asks = batch["summary"]["asks"].as_array().cloned().unwrap_or_default();
    let answers = &batch["mapping"]["answers"];
    asks.into_iter().filter(|ask| answers[ask["id"].as_str().unwrap_or_default()].is_null()).collect()
}

/// The choice of a question that a case names.
fn chosen<'a>(case: &Case, ask: &'a Value, said: &str) -> Option<&'a Value> {
    let is = |choice: &Value| {
        if said.is_empty() {
            return near(&choice["qty"], case.qty) && near(&choice["net"], case.net);
        }
        choice["id"] == said
            || choice["label"].as_str().is_some_and(|label| label.starts_with(said))
            || choice["set"].to_string().contains(said)
    };
    ask["choices"].as_array()?.iter().find(|choice| is(choice))
}

/// Plays a case; the error says what is not right.
async fn play(on: Engine, case: &Case) -> Result<(), String> {
    let (app, admin, store) = stage(on).await;
    let (id, mut mapping) = suggestion(&admin, &case.file_name, case.bytes.clone(), &store).await?;
    for (name, value) in case.set.as_object().expect("members") {
        mapping[name] = value.clone();
    }
    let mut batch = check(&app, &admin, &id, &mapping).await?;
    let asks = open(&batch);
    let mut ids: Vec<&str> = asks.iter().filter_map(|ask| ask["id"].as_str()).collect();
    let mut should: Vec<&str> = case.asks.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    should.sort_unstable();
    if ids != should {
        return Err(format!("asks {ids:?}, should ask {should:?}: {asks:?}\n  read as {}", batch["mapping"]));
    }
    if !asks.is_empty() {
        let refused = admin.post(&format!("{HOME}/batches/{id}/post"), &json!({})).await;
        let code = refused.json()["code"].clone();
        if refused.status != 409 || code != "asks" {
            return Err(format!("an open question does not hold the file: {} {code}", refused.status));
        }
        let mut answers = Map::new();
        for ask in &asks {
            let said = case.asks.iter().find(|(id, _)| ask["id"] == *id).map_or("", |(_, said)| *said);
            let choice = chosen(case, ask, said).ok_or_else(|| format!("«{said}» is not offered: {ask}"))?;
            answers.insert(ask["id"].as_str().expect("an id").to_owned(), choice["id"].clone());
        }
        mapping["answers"] = Value::Object(answers);
        batch = check(&app, &admin, &id, &mapping).await?;
        let more = open(&batch);
        if !more.is_empty() {
            return Err(format!("asks after all was answered: {more:?}"));
        }
    }
    sums(case, &batch["summary"]).map_err(|why| format!("{why}\n  read as {}", batch["mapping"]))?;
    items(case, &admin, &id).await?;
    if case.posted.is_empty() { Ok(()) } else { posted(case, &app, &admin, &id, &store).await }
}

fn sums(case: &Case, summary: &Value) -> Result<(), String> {
    let mut wrong = Vec::new();
    for (what, should) in [("qty", case.qty), ("net", case.net)] {
        if !near(&summary[what], should) {
            wrong.push(format!("{what} is {}, should be {should}", summary[what]));
        }
    }
    for (what, should) in [("days", case.days), ("problemLines", case.problems)] {
        if summary[what] != should {
            wrong.push(format!("{what} is {}, should be {should}", summary[what]));
        }
    }
    let left_out = summary["leftOut"].as_array().cloned().unwrap_or_default();
    let of = |sum: &Value| (sum["qty"].as_f64().unwrap_or(0.0), sum["net"].as_f64().unwrap_or(0.0));
    let seen: BTreeMap<&str, (f64, f64)> = left_out
        .iter()
        .map(|sum| (sum["reason"].as_str().unwrap_or_default(), of(sum)))
        .filter(|(_, (qty, net))| qty.abs() + net.abs() > 0.000_01)
        .collect();
    let should: BTreeMap<&str, (f64, f64)> =
        case.left_out.iter().map(|(reason, qty, net)| (*reason, (*qty, *net))).collect();
    let same = |reason: &&str| {
        let (is, should) = (seen.get(*reason), should.get(*reason));
        let close = |(a, b): (&(f64, f64), &(f64, f64))| (a.0 - b.0).abs() + (a.1 - b.1).abs() < 0.000_01;
        is.zip(should).is_some_and(close)
    };
    if !seen.keys().chain(should.keys()).all(same) {
        wrong.push(format!("left out is {seen:?}, should be {should:?}"));
    }
    let (left_qty, left_net) =
        left_out.iter().map(of).fold((0.0, 0.0), |sum, more| (sum.0 + more.0, sum.1 + more.1));
    if !near(&summary["fileQty"], case.qty + left_qty) || !near(&summary["fileNet"], case.net + left_net) {
        wrong.push("posted and left out are not what is in the file".to_owned());
    }
    let paid = |name: &str| {
        let tenders = summary["tenders"].as_array().into_iter().flatten();
        tenders
            .filter(|tender| tender["name"] == name)
            .filter_map(|tender| tender["amount"].as_f64())
            .sum::<f64>()
    };
    if case.tenders.iter().any(|(name, amount)| (paid(name) - amount).abs() > 0.001) {
        wrong.push(format!("tenders are {}, should be {:?}", summary["tenders"], case.tenders));
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}: {summary}", wrong.join("; "))) }
}

/// Compares the names of items; none is mapped.
async fn items(case: &Case, admin: &Client, id: &str) -> Result<(), String> {
    if case.items.is_empty() {
        return Ok(());
    }
    let unknowns = admin.get(&format!("{HOME}/batches/{id}/unknowns")).await.expect(200);
    let mut seen: Vec<&str> =
        unknowns["items"].as_array().into_iter().flatten().filter_map(|item| item["name"].as_str()).collect();
    let mut should = case.items.clone();
    seen.sort_unstable();
    should.sort_unstable();
    if seen == should { Ok(()) } else { Err(format!("items are {seen:?}, should be {should:?}")) }
}

/// Posts a checked file and compares its days, and those before and after.
async fn posted(case: &Case, app: &App, admin: &Client, id: &str, store: &str) -> Result<(), String> {
    let answer = admin.post(&format!("{HOME}/batches/{id}/post"), &json!({})).await;
    if answer.status != 200 {
        return Err(format!("posting is refused: {}", answer.text()));
    }
    app.drain().await;
    for day in 1..=20 {
        let seen = admin.get(&format!("{HOME}/days/{store}/2026-11-{day:02}")).await.expect(200);
        let totals = &seen["totals"];
        let (_, qty, net) = case.posted.iter().find(|(at, ..)| *at == day).copied().unwrap_or_default();
        if !near(&totals["qty"], qty) || !near(&totals["net"], net) {
            return Err(format!("{day} November is {totals}, should be {qty} and ₱{net}"));
        }
    }
    Ok(())
}

#[rstest]
#[case::cancelled(rows::cancelled())]
#[case::split_tenders(rows::split_tenders())]
#[case::negative_lines(rows::negative_lines())]
#[case::online_orders(rows::online_orders())]
#[case::after_midnight(days::after_midnight())]
#[case::no_date(days::no_date())]
#[case::in_the_future(days::in_the_future())]
#[case::order_of_dates(days::order_of_dates())]
#[case::open_quotes(cells::open_quotes())]
#[case::decimal_marks(cells::decimal_marks())]
#[case::spellings(cells::spellings())]
#[case::variants(names::variants())]
#[case::spoiled_codes(names::spoiled_codes())]
#[case::hidden_rows(names::hidden_rows())]
#[case::letters(names::letters())]
#[tokio::test]
async fn files_of_the_kind_come_in_rightly(#[from(one_engine)] on: Engine, #[case] cases: Vec<Case>) {
    assert!(cases.len() >= 4, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        if let Err(why) = play(on, case).await {
            wrong.push(format!("{}: {why}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
