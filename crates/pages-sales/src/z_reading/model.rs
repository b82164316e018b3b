//! Z-readings: requests and responses.

use std::collections::BTreeMap;

use larder_domain::till_expectations::Why;
use larder_domain::zreading::{Check, FLOW, Gap, chain, checks};
use larder_domain::{BusinessDay, Money};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::completeness::{DayTills, TillState};
use larder_ledgers::readings::adjacent_readings;
use larder_ledgers::readings::adjacent_readings::{Before, Imported};
use larder_ledgers::readings::{Reading, Verdict, counter_holder, list, terminals};
use larder_platform::AppState;
use larder_platform::http::{ApiResult, Who};

/// Query parameters of readings.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ReadingsQuery {
    /// Store.
    pub store_id: Option<String>,
    /// Till.
    pub terminal_id: Option<String>,
    /// Comma-separated states; all but discarded by default.
    pub state: Option<String>,
    #[param(value_type = Option<String>, format = Date)]
    pub from: Option<String>,
    #[param(value_type = Option<String>, format = Date)]
    pub to: Option<String>,
    /// Part of a store's name, a till, a counter (`z21`), an invoice, a machine number.
    pub q: Option<String>,
    /// Page number, from 1.
    pub page: Option<i64>,
    /// Page size, at most 200; default 50.
    pub page_size: Option<i64>,
    /// `-date` (default), `date`, `store`, `-updatedAt`, `-net`, or `review`: those that fail first, then those with
    /// doubtful fields, then the others, oldest first.
    pub sort: Option<String>,
    /// File format: `csv` or `xlsx`.
    pub format: Option<String>,
}

/// A reading in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ZReadingRow {
    #[serde(flatten)]
    pub reading: Reading,
    pub store_name: String,
    /// Failed checks of its figures, each naming both figures.
    pub failing: Vec<String>,
    /// Whether its old grand total is not the one at which the till's previous reading ended.
    pub breaks_chain: bool,
    /// Whether its net sales differ from the imported ones of its till.
    pub sales_differ: bool,
    /// Reliability of its picture; null without one, or before it is read.
    pub verdict: Option<Verdict>,
    /// Number of uncertain fields of its picture.
    pub doubtful: i64,
    /// Advice for an unreadable picture.
    pub advice: Option<String>,
}

/// A page of readings.
#[derive(Debug, Serialize, ToSchema)]
pub struct ZReadingPage {
    pub items: Vec<ZReadingRow>,
    pub total: i64,
    /// Number of readings by state, ignoring the state filter.
    pub counts: BTreeMap<String, i64>,
}

/// A reading with everything it is compared with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ZReading {
    #[serde(flatten)]
    pub reading: Reading,
    pub store_name: String,
    pub checks: Vec<Check>,
    /// Available actions, the most likely first.
    pub can: Vec<&'static str>,
    /// What the till's grand total accumulates: `net` or `gross`.
    pub basis: &'static str,
    /// Whether the till's VATable sales include tax: `inclusive` or `exclusive`.
    pub vat_form: &'static str,
    /// The till's previous reading.
    pub before: Option<Before>,
    /// The imported sales of the days that it covers.
    pub imported: Vec<Imported>,
    /// The imported net sales less those of the readings, if they differ by more than the tolerance.
    pub sales_differ: Option<Money>,
    /// Why the imported sales are not compared: «1 of 2 readings»; null if they are, or if there are none.
    pub uncompared: Option<String>,
    /// Another reading with the counter in this one's picture.
    pub doubled: Option<Doubled>,
}

/// Another reading with the same counter.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DoubledReading)]
pub struct Doubled {
    pub id: String,
    pub z_counter: i64,
    pub business_date: BusinessDay,
    pub state: String,
}

/// A reading as a response.
///
/// # Errors
/// If the database fails.
pub async fn whole(state: &AppState, reading: Reading) -> ApiResult<ZReading> {
    let adjacent = adjacent_readings::of(&state.db, &reading, BusinessDay::of(state.now())).await?;
    let names = list::stores(&state.db, Some(std::slice::from_ref(&reading.store_id))).await?;
    let printed = reading.read.as_ref().and_then(|read| read.value("z")?.parse::<i64>().ok());
    let doubled = match (reading.z_counter, printed) {
        (None, Some(counter)) => counter_holder(&state.db, &reading, counter).await?.map(|other| Doubled {
            id: other.id,
            z_counter: counter,
            business_date: other.business_date,
            state: other.state,
        }),
        _ => None,
    };
    Ok(ZReading {
        store_name: names.into_iter().next().map(|(_, name)| name).unwrap_or_default(),
        can: FLOW
            .state(&reading.state)
            .map(|state| FLOW.steps_from(state).map(|step| step.step.as_str()).collect())
            .unwrap_or_default(),
        basis: adjacent.terms.basis.as_str(),
        vat_form: adjacent.terms.vat.as_str(),
        sales_differ: adjacent.sales_differ(),
        uncompared: adjacent.uncompared,
        checks: adjacent.checks,
        before: adjacent.before,
        imported: adjacent.imported,
        doubled,
        reading,
    })
}

/// Readings as list rows.
///
/// # Errors
/// If the database fails.
pub async fn rows(state: &AppState, who: &Who, readings: Vec<Reading>) -> ApiResult<Vec<ZReadingRow>> {
    let within = who.stores(None)?;
    let names: BTreeMap<String, String> =
        list::stores(&state.db, within.as_deref()).await?.into_iter().collect();
    let kept = terminals::all(&state.db, within.as_deref()).await?;
    let terms: BTreeMap<(&str, &str), _> =
        kept.iter().map(|kept| ((kept.store_id.as_str(), kept.terminal_id.as_str()), kept.terms())).collect();
    let ids: Vec<String> = readings.iter().map(|reading| reading.id.clone()).collect();
    let apart: BTreeMap<String, (bool, bool)> = list::apart(&state.db, &ids)
        .await?
        .into_iter()
        .map(|(id, breaks, differs)| (id, (breaks, differs)))
        .collect();
    let row = |mut reading: Reading| {
        // Rows contain the result of reading the picture, not its full text.
        let read = reading.read.take().map(|read| read.0);
        let terms = terms
            .get(&(reading.store_id.as_str(), reading.terminal_id.as_str()))
            .copied()
            .unwrap_or_default();
        let failing = checks::of_itself(&reading.figures(), terms).into_iter().filter(|check| !check.holds);
        let (breaks_chain, sales_differ) = apart.get(&reading.id).copied().unwrap_or_default();
        ZReadingRow {
            store_name: names.get(&reading.store_id).cloned().unwrap_or_default(),
            failing: failing.map(|check| check.words).collect(),
            breaks_chain,
            sales_differ,
            verdict: read.as_ref().map(|read| read.verdict),
            doubtful: read.as_ref().map_or(0, |read| i64::try_from(read.doubtful()).unwrap_or(i64::MAX)),
            advice: read.and_then(|read| read.advice),
            reading,
        }
    };
    Ok(readings.into_iter().map(row).collect())
}

/// Query parameters: till and range.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ChainQuery {
    #[param(required)]
    pub store_id: Option<String>,
    #[param(required)]
    pub terminal_id: Option<String>,
    /// First day; defaults to 90 days before the last one.
    #[param(value_type = Option<String>, format = Date)]
    pub from: Option<String>,
    /// Last day; defaults to today.
    #[param(value_type = Option<String>, format = Date)]
    pub to: Option<String>,
}

/// A till's readings in counter order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ZReadingChain {
    pub store_id: String,
    pub store_name: String,
    pub terminal_id: String,
    pub links: Vec<ChainLink>,
    pub gaps: Vec<Gap>,
    /// Days from its first reading on for which the till has no verified reading and must have one.
    pub days: Vec<ChainDay>,
    /// Expected start of the reading after the last link.
    pub next: Option<ChainNext>,
    /// The reading after the last link, if there is one on a later day than asked: a new one has to have room before
    /// it.
    pub after: Option<ChainLink>,
}

/// A day for which a till must have a verified reading and has none.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChainDay {
    pub date: BusinessDay,
    pub why: Why,
    pub state: TillState,
    /// A sentence: «4 Feb 2025: Till 02 has no Z-reading.»
    pub words: String,
}

/// A reading in counter order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChainLink {
    pub id: String,
    pub business_date: BusinessDay,
    pub state: String,
    pub z_counter: Option<i64>,
    pub reset_counter: i64,
    pub previous_total: Option<Money>,
    pub present_total: Option<Money>,
    pub net: Option<Money>,
    pub first_si: Option<String>,
    pub last_si: Option<String>,
}

/// Expected start of a till's next reading.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChainNext {
    pub z_counter: Option<i64>,
    pub previous_total: Option<Money>,
    pub first_si: Option<String>,
}

impl ChainLink {
    /// A link with its reading's state.
    #[must_use]
    pub fn of((link, state): (chain::Link, String)) -> Self {
        Self {
            id: link.id,
            business_date: link.business_date,
            state,
            z_counter: link.figures.z_counter,
            reset_counter: link.figures.reset_counter,
            previous_total: link.figures.previous_total,
            present_total: link.figures.present_total,
            net: link.figures.net,
            first_si: link.figures.first_si,
            last_si: link.figures.last_si,
        }
    }
}

impl ChainNext {
    /// After the given reading.
    #[must_use]
    pub fn after(link: &chain::Link) -> Self {
        let (z_counter, previous_total, first) = chain::expected_after(&link.figures);
        let width = link
            .figures
            .last_si
            .as_deref()
            .map_or(0, |last| last.chars().filter(char::is_ascii_digit).count());
        Self { z_counter, previous_total, first_si: first.map(|first| format!("{first:0width$}")) }
    }
}

/// Query parameters: range and stores.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CalendarQuery {
    /// First day; defaults to two weeks before the last one.
    #[param(value_type = Option<String>, format = Date)]
    pub from: Option<String>,
    /// Last day; defaults to yesterday. At most 62 days.
    #[param(value_type = Option<String>, format = Date)]
    pub to: Option<String>,
    /// Comma-separated store ids; all accessible stores by default.
    pub store_ids: Option<String>,
}

/// Store × day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ZReadingCalendar {
    pub from: BusinessDay,
    pub to: BusinessDay,
    pub stores: Vec<CalendarStore>,
    /// Number of store-days by state.
    pub counts: BTreeMap<&'static str, i64>,
    /// Tills without a reading of days that are over, each day's counted: `missing` of all days.
    pub missing_tills: i64,
}

/// The days of a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalendarStore {
    pub store_id: String,
    pub store_name: String,
    pub days: Vec<CalendarDay>,
}

/// A store-day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalendarDay {
    pub date: BusinessDay,
    /// The worst state: `disputed`, `missing`, `waiting`, `verified`; `notDue` before the day is over, `closed` if the
    /// store was, `none` if nothing is expected.
    pub state: &'static str,
    pub verified: i64,
    pub waiting: i64,
    pub disputed: i64,
    /// Tills that must have a reading and have none.
    pub missing: i64,
    /// Total of the readings of this day, verified or not.
    pub net: Money,
    /// Imported net sales of the day, if any.
    pub sold: Option<Money>,
    /// Id of the reading, if there is exactly one.
    pub id: Option<String>,
    pub tills: DayTills,
}
