//! What a reading is checked against: the till's settings, the previous reading, the day's imported sales.

use std::collections::BTreeMap;

use larder_db::{DbError, Query, Reader};
use larder_domain::sales::sources::{Sources, TillSales};
use larder_domain::zreading::checks::Readings;
use larder_domain::zreading::{Check, Neighbour, Side, Sold, Terms, checks};
use larder_domain::{BusinessDay, Money, Span};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reading, store, terminals};
use crate::completeness::{Completeness, Day, Held, Till, TillState};
use crate::sales_settings;

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
    /// The sales of the days that it covers, by source and till; one row per store for a source without receipts.
    pub imported: Vec<Imported>,
    pub checks: Vec<Check>,
    /// Why the imported sales are not compared, if there are any: «1 of 2 readings».
    pub uncompared: Option<String>,
}

impl AdjacentReadings {
    /// The comparison of net sales with imported ones, if they differ. Gross sales are compared too, but sources count
    /// voids and adjustments in them or not.
    #[must_use]
    pub fn net_differs(&self) -> Option<&Check> {
        self.checks.iter().find(|check| check.name == "receiptsNet" && !check.holds)
    }

    /// The imported net sales less those of the readings, if they differ.
    #[must_use]
    pub fn sales_differ(&self) -> Option<Money> {
        let check = self.net_differs()?;
        match (check.left, check.right) {
            (Side::Amount(read), Side::Amount(sold)) => Some(Money(sold.0.saturating_sub(read.0))),
            _ => None,
        }
    }
}

/// Another reading of the days that a reading covers.
#[derive(Clone, larder_db::FromRow)]
struct Other {
    terminal_id: String,
    net: Option<Money>,
    gross: Option<Money>,
    business_date: BusinessDay,
    covers_from: Option<BusinessDay>,
}

impl Other {
    fn is_within(&self, span: Span) -> bool {
        self.covers_from.unwrap_or(self.business_date) >= span.from && self.business_date <= span.to
    }
}

/// The days that a reading covers.
fn covered(reading: &Reading) -> Span {
    let to = reading.business_date;
    Span { from: reading.covers_from.unwrap_or(to).min(to), to }
}

/// Checks a reading.
///
/// # Errors
/// If the database fails.
pub async fn of(
    db: &larder_db::Db,
    reading: &Reading,
    today: BusinessDay,
) -> Result<AdjacentReadings, DbError> {
    of_from(&mut Reader::Db(db), reading, today).await
}

/// As [`of`], inside a transaction.
///
/// # Errors
/// If the database fails.
pub async fn of_in(tx: &mut larder_db::Tx<'_>, reading: &Reading) -> Result<AdjacentReadings, DbError> {
    let today = BusinessDay::of(tx.actor().at);
    of_from(&mut Reader::Tx(tx), reading, today).await
}

async fn of_from(
    on: &mut Reader<'_, '_>,
    reading: &Reading,
    today: BusinessDay,
) -> Result<AdjacentReadings, DbError> {
    let terminal: Option<terminals::Kept> = terminals::one(on.sql(""), reading).optional().await?;
    let terms = terminal.as_ref().map_or_else(Terms::default, terminals::Kept::terms);
    let before: Option<Reading> = match before(on.sql(""), reading) {
        Some(query) => query.optional().await?,
        None => None,
    };
    let mut imported: Vec<Imported> = facts(on.sql(""), reading).all().await?;
    for day in days(on.sql(""), reading).all::<Imported>().await? {
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
    let tolerance = sales_settings::read_from(on).await?.tolerance;
    let mut checks = checks::all(&reading.figures(), terms, neighbour.as_ref());
    let mut uncompared = None;
    if !imported.is_empty() {
        match against_sales(on, reading, &imported, (today, tolerance)).await? {
            Compared::With(found) => checks.extend(found),
            Compared::NotYet(words) => uncompared = Some(words),
        }
    }
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
    Ok(AdjacentReadings { terms, before, imported, checks, uncompared })
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
    let span = covered(reading);
    query
        .push(
            "select source, terminal_id, cast(sum(receipts) as bigint) as receipts, cast(sum(gross) as bigint) as gross,
               cast(sum(net) as bigint) as net, cast(sum(senior) as bigint) as senior, cast(sum(pwd) as bigint) as pwd,
               cast(sum(vatable) as bigint) as vatable, cast(sum(vat) as bigint) as vat,
               cast(sum(exempt) as bigint) as exempt, cast(sum(zero_rated) as bigint) as zero_rated,
               cast(sum(service_charge) as bigint) as service_charge, cast(sum(returns) as bigint) as returns,
               cast(sum(voids) as bigint) as voids
             from sales_day_facts where store_id = ",
        )
        .push_bind(reading.store_id.clone())
        .push(" and business_date between ")
        .push_bind(span.from)
        .push(" and ")
        .push_bind(span.to)
        .push(" group by source, terminal_id order by source, terminal_id")
}

fn days<'q>(query: Query<'q>, reading: &Reading) -> Query<'q> {
    let span = covered(reading);
    query
        .push(
            "select source, '' as terminal_id, cast(sum(receipts) as bigint) as receipts,
               cast(sum(gross) as bigint) as gross, cast(sum(net) as bigint) as net, cast(0 as bigint) as senior,
               cast(0 as bigint) as pwd, cast(0 as bigint) as vatable, cast(0 as bigint) as vat,
               cast(0 as bigint) as exempt, cast(0 as bigint) as zero_rated, cast(0 as bigint) as service_charge,
               cast(0 as bigint) as returns, cast(0 as bigint) as voids
             from sales_days where store_id = ",
        )
        .push_bind(reading.store_id.clone())
        .push(" and business_date between ")
        .push_bind(span.from)
        .push(" and ")
        .push_bind(span.to)
        .push(" group by source order by source")
}

/// The other readings of the store that cover a day of this one.
fn others<'q>(query: Query<'q>, reading: &Reading) -> Query<'q> {
    let span = covered(reading);
    query
        .push("select terminal_id, net, gross, business_date, covers_from from z_readings where store_id = ")
        .push_bind(reading.store_id.clone())
        .push(" and business_date >= ")
        .push_bind(span.from)
        .push(" and coalesce(covers_from, business_date) <= ")
        .push_bind(span.to)
        .push(" and state <> 'discarded' and id <> ")
        .push_bind(reading.id.clone())
        .push(" order by business_date, id")
}

/// The source that a user chose for the day.
fn chosen<'q>(query: Query<'q>, reading: &Reading) -> Query<'q> {
    query
        .push("select counted_source from cmsr_days where counted_source is not null and store_id = ")
        .push_bind(reading.store_id.clone())
        .push(" and business_date = ")
        .push_bind(reading.business_date)
}

/// Of sources that report the same sales, the one that counts.
fn once<'a>(
    reading: &Reading,
    rows: Vec<&'a Imported>,
    others: &[Other],
    chosen: Option<&str>,
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
    let own = (&reading.terminal_id, reading.net);
    let mut read: BTreeMap<String, Money> = BTreeMap::new();
    for (till, net) in others.iter().map(|one| (&one.terminal_id, one.net)).chain([own]) {
        let sum = read.entry(till.clone()).or_default();
        *sum = Money(sum.0.saturating_add(net.unwrap_or_default().0));
    }
    let sources = Sources::of(&till_sales, &read, chosen);
    rows.into_iter().filter(|row| sources.counts(&row.source)).collect()
}

/// The comparison with imported sales.
enum Compared {
    With(Vec<Check>),
    /// Why it is not made.
    NotYet(String),
}

/// The till's own receipts if the source distinguishes tills; else all readings of the days against the store's
/// sales, once all others are verified.
async fn against_sales(
    on: &mut Reader<'_, '_>,
    reading: &Reading,
    imported: &[Imported],
    (today, tolerance): (BusinessDay, Money),
) -> Result<Compared, DbError> {
    let others: Vec<Other> = others(on.sql(""), reading).all().await?;
    let (same_till, of_tills): (Vec<Other>, Vec<Other>) =
        others.into_iter().partition(|one| one.terminal_id == reading.terminal_id);
    let named: Vec<&Imported> = imported
        .iter()
        .filter(|row| !row.terminal_id.is_empty() && row.terminal_id == reading.terminal_id)
        .collect();
    let is_named = !named.is_empty();
    let chosen: Option<String> = chosen(on.sql(""), reading).optional::<(String,)>().await?.map(|(one,)| one);
    let (rows, others) = if is_named {
        (named, same_till)
    } else {
        (imported.iter().collect(), [same_till, of_tills].concat())
    };
    let span = covered(reading);
    if !others.iter().all(|one| one.is_within(span)) {
        return Ok(Compared::NotYet("another reading is of other days too".to_owned()));
    }
    if !is_named {
        let store = std::slice::from_ref(&reading.store_id);
        let known = Completeness::read_from(on, store, span, today).await?;
        let lacking = known.days(&reading.store_id).find_map(|(_, day)| lacking(reading, day));
        if let Some(words) = lacking {
            return Ok(Compared::NotYet(words));
        }
    }
    let rows = once(reading, rows, &others, chosen.as_deref());
    let sum = |amount: fn(&Imported) -> Money| {
        Money(rows.iter().map(|row| amount(row).0).fold(0, i64::saturating_add))
    };
    let sold = Sold { net: sum(|row| row.net), gross: sum(|row| row.gross) };
    let mut figures = reading.figures();
    let add = |own: Option<Money>, of: fn(&Other) -> Option<Money>| {
        others.iter().map(of).try_fold(own?, |sum, one| sum.checked_add(one?))
    };
    figures.net = add(figures.net, |one| one.net);
    figures.gross = add(figures.gross, |one| one.gross);
    let readings = match (is_named, others.len()) {
        (_, 0) => Readings::One,
        (true, _) => Readings::OfTill,
        (false, _) => Readings::OfStore,
    };
    Ok(Compared::With(checks::with_sales(&figures, sold, readings, tolerance)))
}

/// How many of a day's readings are in, unless all but this one are verified.
fn lacking(reading: &Reading, day: &Day) -> Option<String> {
    let is_settled = |till: &Till| {
        if *till.terminal_id == *reading.terminal_id {
            let verified = |one: &Held| one.id == reading.id || one.state == TillState::Verified;
            !till.skipped && till.readings.iter().all(verified)
        } else {
            till.is_settled()
        }
    };
    let settled = day.tills.iter().filter(|till| is_settled(till)).count();
    let expected = day.tills.len();
    let of = if expected == 1 { "reading" } else { "readings" };
    (settled < expected).then(|| format!("{settled} of {expected} {of}"))
}
