//! The tender report: for each store, day and tender type, how far the money has come, and what is missing.

use larder_domain::tender::{KINDS, Kind, Pair, PairState, summary};
use larder_domain::{BusinessDay, Money, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::queries;
use larder_engines::reports::figures::add;
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::paid;
use larder_ledgers::paid::{Line, Types};
use larder_ledgers::sales_settings;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult};

/// Maximum number of days.
const MOST_DAYS: i32 = 92;

/// Row filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Only {
    /// Money not in the bank yet.
    Missing,
    /// Of these, longer than usual.
    Late,
    /// Two figures that are compared differ by more than the tolerance.
    Differs,
    /// Cash not declared.
    Undeclared,
}

/// Query parameters besides range and stores.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct TenderQuery {
    /// Comma-separated tender types: `cash`, `card`, `eWallet`, `voucher`, `onAccount`.
    kinds: Option<String>,
    #[param(inline)]
    only: Option<Only>,
}

/// A store's day and tender type. Unknown amounts are null.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderRow {
    pub store_id: String,
    pub store_name: String,
    pub date: BusinessDay,
    /// `cash`, `card`, `eWallet`, `voucher` or `onAccount`.
    pub kind: String,
    /// From imported sales, each sale once.
    pub pos: Option<Money>,
    /// Sources that report the same sales and are not included in `pos`.
    pub pos_left: Vec<String>,
    /// From verified Z-readings.
    pub z: Option<Money>,
    pub declared: Option<Money>,
    pub deposited: Option<Money>,
    /// Date of the last deposit.
    pub deposited_on: Option<BusinessDay>,
    /// Before the acquirer's fee.
    pub settled: Option<Money>,
    /// The acquirer's fee.
    pub fee: Option<Money>,
    /// Fee expected from the tender type's percentage.
    pub expected_fee: Option<Money>,
    /// The first day of those that one reading covers, if they are compared together here.
    pub covers_from: Option<BusinessDay>,
    /// Its figures compared, from the till to the bank; those of all days that one reading covers.
    pub pairs: Vec<TenderPair>,
    pub compared: TenderCompared,
    pub tills: TenderTills,
    /// Amount not in the bank yet; of all days of a reading on the last of them.
    pub missing: Option<Money>,
    /// Days since the business date while something is missing.
    pub age: Option<i64>,
    /// Whether that is longer than usual.
    pub late: bool,
}

/// Two figures of a row, compared.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderPair {
    /// `fileReading`, `readingDeclared`, `declaredDeposited` or `declaredSettled`.
    pub kind: String,
    /// `agrees`; `differs` by more than the tolerance; `pending`: not due yet; `incomplete`: of some of the day's tills
    /// only, or of a file that does not say how all of its sales were paid; `missing`: due and not there; `readLater`: a
    /// later day's reading covers the day, and all its days are compared on the last; `unknown`: there is nothing to
    /// compare with.
    pub state: String,
    /// Sales of delivery apps are left out of the file's, as no till reads them.
    pub left: Option<Money>,
    pub right: Option<Money>,
    /// `right` less `left`, if they were compared.
    pub by: Option<Money>,
    /// `reading` or `file`: what stands in for a declaration that is not there.
    pub base: Option<String>,
    /// The later day where it is compared, if it is not here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<BusinessDay>,
    /// The state in words: «Reading–declared −₱20.00», «1 of 2 readings», «In the reading of 8 Nov 2026».
    pub words: String,
}

impl From<&Pair> for TenderPair {
    fn from(pair: &Pair) -> Self {
        Self {
            kind: pair.kind.as_str().to_owned(),
            state: pair.state.as_str().to_owned(),
            left: pair.left,
            right: pair.right,
            by: pair.by,
            base: pair.base.map(|base| base.as_str().to_owned()),
            on: pair.on,
            words: pair.words(),
        }
    }
}

/// The state of a row: of its pairs the one to act on first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TenderCompared {
    /// As of its pairs.
    pub state: String,
    /// «Reading–declared −₱20.00», «1 of 2 readings», «Not deposited».
    pub words: String,
}

/// Readings of a row's day.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct TenderTills {
    /// Tills with verified readings, or of which it is recorded that none exists.
    pub settled: i64,
    /// Tills that must have a reading.
    pub expected: i64,
}

/// The tender report.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tenders {
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// Sorted by store, day and tender type.
    pub items: Vec<TenderRow>,
    /// What is missing of `items`.
    pub listed: TenderSums,
    /// Cash of `items` that is not in the bank.
    pub missing_cash: Money,
    /// Store-days of `items` with cash not fully in the bank.
    pub missing_days: i64,
    /// Age of the oldest of them, in days.
    pub oldest: Option<i64>,
    /// The largest difference between figures that agree.
    pub tolerance: Money,
}

/// What is not in the bank of some rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderSums {
    pub missing: Money,
    /// Number of rows with something missing.
    pub rows: i64,
    /// Number of stores of these rows.
    pub stores: i64,
    /// Age of the oldest of them, in days.
    pub oldest: Option<i64>,
}

impl TenderSums {
    /// Rows are sorted by store.
    fn of(rows: &[TenderRow]) -> ApiResult<Self> {
        let mut sums = Self { missing: Money(0), rows: 0, stores: 0, oldest: None };
        let mut last = None;
        for row in rows {
            let Some(missing) = row.missing else { continue };
            add(&mut sums.missing, missing)?;
            sums.rows += 1;
            sums.stores += i64::from(last != Some(&row.store_id));
            sums.oldest = sums.oldest.max(row.age);
            last = Some(&row.store_id);
        }
        Ok(sums)
    }
}

/// Definition of the scheduled calculation.
pub struct TenderReport;

impl Report for TenderReport {
    const NAME: &'static str = "tender-report";
    const BASE: &'static str = "/api/sales";
    const PAGE: &'static str = super::PAGE;
    const SUMMARY: &'static str = "How days were paid: till, Z-reading, declared, deposited, settled.";
    const MOST_DAYS: i32 = MOST_DAYS;
    type Params = TenderQuery;
    type ExportParams = NoParams;
    type Answer = Tenders;

    async fn answer(state: &AppState, question: &Question, query: &TenderQuery) -> ApiResult<Tenders> {
        answer(state, question, query).await
    }

    fn sheet(report: &Tenders, _: &TenderQuery, _: &NoParams) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, TenderRow>;
        let columns = vec![
            Col::text("Store", 24, |row| row.store_name.clone()),
            Col::day("Date", 12, |row| row.date),
            Col::text("Tender", 12, |row| title(&row.kind).to_owned()),
            Col::money("POS", 14, |row| row.pos),
            Col::money("Z-reading", 14, |row| row.z),
            Col::money("Declared", 14, |row| row.declared),
            Col::money("Deposited", 14, |row| row.deposited),
            Col::money("Settled", 14, |row| row.settled),
            Col::money("Fee", 12, |row| row.fee),
            Col::money("Fee expected", 12, |row| row.expected_fee),
            Col::text("Compared", 28, |row| Some(row.compared.words.clone())),
            Col::money("Missing", 14, |row| row.missing),
            Col::text("Days missing", 12, |row| row.age.map(|age| age.to_string())),
        ];
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
}

fn title(kind: &str) -> &'static str {
    Kind::parse(kind).map_or("", Kind::title)
}

async fn answer(state: &AppState, question: &Question, query: &TenderQuery) -> ApiResult<Tenders> {
    let (db, span) = (&state.db, question.span);
    let wished = kinds(query.kinds.as_deref())?;
    let stores = queries::stores(db, question.stores.as_deref()).await?;
    let ids: Vec<String> = stores.iter().map(|(id, _)| id.clone()).collect();
    let types = Types::read(db).await?;
    let today = BusinessDay::of(question.at);
    let lines = paid::days(db, &types, &ids, span, today).await?;
    let mut items: Vec<TenderRow> = Vec::new();
    for (id, name) in &stores {
        let from = (id.clone(), span.from, Kind::Cash);
        let to = (id.clone(), span.to, Kind::OnAccount);
        for ((_, date, kind), line) in lines.range(from..=to) {
            let wished = wished.is_empty() || wished.contains(kind);
            if wished && is_asked(query.only, *kind, line) {
                items.push(row((id, name, *date, *kind), line, today));
            }
        }
    }
    let mut report = Tenders {
        from: span.from,
        to: span.to,
        listed: TenderSums::of(&items)?,
        missing_cash: Money(0),
        missing_days: 0,
        oldest: None,
        tolerance: sales_settings::read(db).await?.tolerance,
        items,
    };
    for row in report.items.iter().filter(|row| row.kind == Kind::Cash.as_str()) {
        let Some(missing) = row.missing else { continue };
        add(&mut report.missing_cash, missing)?;
        report.missing_days += 1;
        report.oldest = report.oldest.max(row.age);
    }
    Ok(report)
}

fn is_asked(only: Option<Only>, kind: Kind, line: &Line) -> bool {
    match only {
        None => true,
        Some(Only::Missing) => line.missing.is_some(),
        Some(Only::Late) => line.late,
        Some(Only::Differs) => line.pairs.iter().any(|pair| pair.state == PairState::Differs),
        Some(Only::Undeclared) => kind == Kind::Cash && line.is_undeclared(),
    }
}

fn row(
    (id, name, date, kind): (&str, &str, BusinessDay, Kind),
    line: &Line,
    today: BusinessDay,
) -> TenderRow {
    let (cell, figures) = (&line.cell, &line.cell.figures);
    let days = i64::from(today.0) - i64::from(date.0);
    let (state, words) = summary(&line.pairs);
    let (settled, expected) = line.readings;
    TenderRow {
        store_id: id.to_owned(),
        store_name: name.to_owned(),
        date,
        kind: kind.as_str().to_owned(),
        pos: figures.pos,
        pos_left: cell.pos_left.clone(),
        z: figures.z,
        declared: figures.declared,
        deposited: figures.deposited,
        deposited_on: cell.deposited_on,
        settled: figures.settled,
        fee: figures.fee,
        expected_fee: cell.expected_fee,
        covers_from: Some(line.from).filter(|from| *from < date),
        pairs: line.pairs.iter().map(TenderPair::from).collect(),
        compared: TenderCompared { state: state.as_str().to_owned(), words },
        tills: TenderTills {
            settled: i64::try_from(settled).unwrap_or(i64::MAX),
            expected: i64::try_from(expected).unwrap_or(i64::MAX),
        },
        missing: line.missing,
        age: line.missing.map(|_| days.max(0)),
        late: line.late,
    }
}

fn kinds(text: Option<&str>) -> ApiResult<Vec<Kind>> {
    let names = text.unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty());
    let read = |name: &str| {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.as_str()).collect();
        let words = || format!("Choose from {}.", known.join(", "));
        Kind::parse(name).ok_or_else(|| ApiError::field("kinds", words()))
    };
    names.map(read).collect()
}
