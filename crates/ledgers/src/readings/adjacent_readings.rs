//! What a reading is checked against: the till's settings, the previous reading, the day's imported sales.

use std::collections::BTreeMap;

use larder_db::{DbError, Query};
use larder_domain::sales::sources::{Sources, TillSales};
use larder_domain::zreading::{Check, Neighbour, Sold, Terms, checks};
use larder_domain::{BusinessDay, Money};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reading, store, terminals};

/// Sales of a store day from one source, and of the till where the source distinguishes tills.
#[derive(Debug, Clone, Default, larder_db::FromRow, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportedSales)]
pub struct Imported {
    pub source: String,
    /// Empty if the source does not distinguish tills.
    pub terminal_id: String,
    pub receipts: i64,
    pub gross: Money,
    pub net: Money,
    pub senior: Money,
    pub pwd: Money,
    pub vatable: Money,
    pub vat: Money,
    pub exempt: Money,
    pub zero_rated: Money,
    pub service_charge: Money,
    pub returns: Money,
    pub voids: Money,
}

/// The previous reading of the same till.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReadingBefore)]
pub struct Before {
    pub id: String,
    pub z_counter: i64,
    pub business_date: BusinessDay,
    pub state: String,
    pub present_total: Option<Money>,
    pub last_si: Option<String>,
}

/// Everything a reading is checked against, and the results.
#[derive(Debug, Clone, Default)]
pub struct AdjacentReadings {
    pub terms: Terms,
    pub before: Option<Before>,
    /// The day's sales by source and till; one row per store for a source without receipts.
    pub imported: Vec<Imported>,
    pub checks: Vec<Check>,
}

/// Reads it. `ask` creates a query on a connection or in a transaction.
///
/// # Errors
/// If the database fails.
macro_rules! gather {
    ($on:expr, $reading:expr) => {{
        let reading: &Reading = $reading;
        let terminal: Option<terminals::Kept> = terminals::one($on.sql(""), reading).optional().await?;
        let terms = terminal.as_ref().map_or_else(Terms::default, terminals::Kept::terms);
        let before: Option<Reading> = match before($on.sql(""), reading) {
            Some(query) => query.optional().await?,
            None => None,
        };
        let facts: Vec<Imported> = facts($on.sql(""), reading).all().await?;
        let days: Vec<Imported> = days($on.sql(""), reading).all().await?;
        let others: Vec<(Option<Money>, Option<Money>)> = others($on.sql(""), reading).all().await?;
        Ok(judged(reading, terms, before, facts, days, &others))
    }};
}

/// Checks a reading.
///
/// # Errors
/// If the database fails.
pub async fn of(db: &larder_db::Db, reading: &Reading) -> Result<AdjacentReadings, DbError> {
    gather!(db, reading)
}

/// As [`of`], inside a transaction.
///
/// # Errors
/// If the database fails.
pub async fn of_in(tx: &mut larder_db::Tx<'_>, reading: &Reading) -> Result<AdjacentReadings, DbError> {
    gather!(tx, reading)
}

/// A reading without a known till has no previous one.
fn before<'q>(query: Query<'q>, reading: &Reading) -> Option<Query<'q>> {
    if reading.terminal_id.is_empty() {
        return None;
    }
    let query = store::select(query, false)
        .push(" where r.store_id = ")
        .push_bind(reading.store_id.clone())
        .push(" and r.terminal_id = ")
        .push_bind(reading.terminal_id.clone())
        .push(" and r.reset_counter = ")
        .push_bind(reading.reset_counter)
        .push(" and r.z_counter < ")
        .push_bind(reading.z_counter?)
        .push(" and r.state <> 'discarded' order by r.z_counter desc limit 1");
    Some(query)
}

fn facts<'q>(query: Query<'q>, reading: &Reading) -> Query<'q> {
    query
        .push(
            "select source, terminal_id, receipts, gross, net, senior, pwd, vatable, vat, exempt, zero_rated,
               service_charge, returns, voids from sales_day_facts where store_id = ",
        )
        .push_bind(reading.store_id.clone())
        .push(" and business_date = ")
        .push_bind(reading.business_date)
        .push(" order by source, terminal_id")
}

fn days<'q>(query: Query<'q>, reading: &Reading) -> Query<'q> {
    query
        .push(
            "select source, '' as terminal_id, receipts, gross, net, cast(0 as bigint) as senior, cast(0 as bigint) as pwd, cast(0 as bigint) as vatable, cast(0 as bigint) as vat,
               cast(0 as bigint) as exempt, cast(0 as bigint) as zero_rated, cast(0 as bigint) as service_charge, cast(0 as bigint) as returns, cast(0 as bigint) as voids
             from sales_days where store_id = ",
        )
        .push_bind(reading.store_id.clone())
        .push(" and business_date = ")
        .push_bind(reading.business_date)
        .push(" order by source")
}

/// Net and gross of the other readings of the store day.
fn others<'q>(query: Query<'q>, reading: &Reading) -> Query<'q> {
    query
        .push("select net, gross from z_readings where store_id = ")
        .push_bind(reading.store_id.clone())
        .push(" and business_date = ")
        .push_bind(reading.business_date)
        .push(" and state <> 'discarded' and id <> ")
        .push_bind(reading.id.clone())
}

fn judged(
    reading: &Reading,
    terms: Terms,
    before: Option<Reading>,
    facts: Vec<Imported>,
    days: Vec<Imported>,
    others: &[(Option<Money>, Option<Money>)],
) -> AdjacentReadings {
    let mut imported = facts;
    for day in days {
        if !imported.iter().any(|known| known.source == day.source) {
            imported.push(day);
        }
    }
    let neighbour = before.as_ref().and_then(|before| {
        Some(Neighbour {
            z_counter: before.z_counter?,
            reset_counter: before.reset_counter,
            last_si: before.last_si.clone(),
            present_total: before.present_total,
        })
    });
    let figures = reading.figures();
    let mut checks = checks::all(&figures, terms, neighbour.as_ref(), None);
    checks.extend(against_sales(reading, &imported, others));
    let before = before.and_then(|before| {
        Some(Before {
            z_counter: before.z_counter?,
            id: before.id,
            business_date: before.business_date,
            state: before.state,
            present_total: before.present_total,
            last_si: before.last_si,
        })
    });
    AdjacentReadings { terms, before, imported, checks }
}

/// Of sources that report the same sales, the one that counts.
fn once<'a>(
    reading: &Reading,
    rows: Vec<&'a Imported>,
    others: &[(Option<Money>, Option<Money>)],
) -> Vec<&'a Imported> {
    let till_sales: Vec<TillSales> = rows
        .iter()
        .map(|row| TillSales {
            source: row.source.clone(),
            terminal: row.terminal_id.clone(),
            net: row.net,
            figures: Vec::new(),
        })
        .collect();
    let other = (0..).zip(others).map(|(at, (net, _))| (format!("\u{0}{at}"), net.unwrap_or_default()));
    let mut read: BTreeMap<String, Money> = other.collect();
    read.insert(reading.terminal_id.clone(), reading.net.unwrap_or_default());
    let sources = Sources::of(&till_sales, &read, None);
    rows.into_iter().filter(|row| sources.counts(&row.source)).collect()
}

/// The till's own receipts if the source distinguishes tills; else all tills of the day against the store's
/// sales.
fn against_sales(
    reading: &Reading,
    imported: &[Imported],
    others: &[(Option<Money>, Option<Money>)],
) -> Vec<Check> {
    let sum = |rows: &[&Imported], amount: fn(&Imported) -> Money| {
        Money(rows.iter().map(|row| amount(row).0).fold(0, i64::saturating_add))
    };
    let own: Vec<&Imported> = imported
        .iter()
        .filter(|row| !row.terminal_id.is_empty() && row.terminal_id == reading.terminal_id)
        .collect();
    let (rows, tills) = if own.is_empty() { (imported.iter().collect(), 1 + others.len()) } else { (own, 1) };
    let rows = once(reading, rows, others);
    if rows.is_empty() {
        return Vec::new();
    }
    let sold = Sold { net: sum(&rows, |row| row.net), gross: sum(&rows, |row| row.gross) };
    let mut figures = reading.figures();
    if tills > 1 {
        let add = |own: Option<Money>, all: Vec<Option<Money>>| {
            all.into_iter().try_fold(own?, |sum, one| sum.checked_add(one?))
        };
        figures.net = add(figures.net, others.iter().map(|(net, _)| *net).collect());
        figures.gross = add(figures.gross, others.iter().map(|(_, gross)| *gross).collect());
    }
    checks::with_sales(&figures, sold, tills)
}
