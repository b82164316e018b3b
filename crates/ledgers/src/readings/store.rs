//! Reading and writing one reading.

use larder_db::{Db, DbError, Query, Tx};

use larder_domain::BusinessDay;
use larder_domain::zreading::{Terms, checks};

use super::{Reading, Verdict, terminals};
use larder_platform::http::text::fold;

/// The columns of a [`Reading`] after `select`; `read` is large and omitted in lists.
pub(super) fn select(mut query: Query<'_>, whole: bool) -> Query<'_> {
    query = query.push("select ");
    for (at, column) in Reading::COLUMNS.iter().enumerate() {
        query = query.push(if at == 0 { "" } else { ", " });
        query = if *column == "read" && !whole {
            query.push("null as read")
        } else {
            query.push("r.").push(column)
        };
    }
    query.push(" from z_readings r")
}

/// A reading by id.
///
/// # Errors
/// If the database fails.
pub async fn find(db: &Db, id: &str) -> Result<Option<Reading>, DbError> {
    select(db.sql(""), true).push(" where r.id = ").push_bind(id).optional().await
}

/// A reading, locked until the transaction ends.
///
/// # Errors
/// If the database fails.
pub async fn hold(tx: &mut Tx<'_>, id: &str) -> Result<Option<Reading>, DbError> {
    let held =
        tx.sql("update z_readings set revision = revision where id = ").push_bind(id).execute().await?;
    if held == 0 {
        return Ok(None);
    }
    select(tx.sql(""), true).push(" where r.id = ").push_bind(id).optional().await
}

/// The reading created from a picture for a store, unless it was discarded.
///
/// # Errors
/// If the database fails.
pub async fn of_picture(tx: &mut Tx<'_>, store_id: &str, picture: &str) -> Result<Option<Reading>, DbError> {
    select(tx.sql(""), true)
        .push(" where r.store_id = ")
        .push_bind(store_id)
        .push(" and r.picture = ")
        .push_bind(picture)
        .push(" and r.state <> 'discarded'")
        .optional()
        .await
}

/// Another reading of the till with the same counter.
pub(super) async fn same_counter(tx: &mut Tx<'_>, reading: &Reading) -> Result<Option<Reading>, DbError> {
    let Some(counter) = reading.z_counter.filter(|_| !reading.terminal_id.is_empty()) else {
        return Ok(None);
    };
    select(tx.sql(""), false)
        .push(" where r.store_id = ")
        .push_bind(&reading.store_id)
        .push(" and r.terminal_id = ")
        .push_bind(&reading.terminal_id)
        .push(" and r.reset_counter = ")
        .push_bind(reading.reset_counter)
        .push(" and r.z_counter = ")
        .push_bind(counter)
        .push(" and r.state <> 'discarded' and r.id <> ")
        .push_bind(&reading.id)
        .optional()
        .await
}

/// The reading that has this counter of a till.
///
/// # Errors
/// If the database fails.
pub async fn counter_holder(db: &Db, reading: &Reading, counter: i64) -> Result<Option<Reading>, DbError> {
    if reading.terminal_id.is_empty() {
        return Ok(None);
    }
    select(db.sql(""), false)
        .push(" where r.store_id = ")
        .push_bind(reading.store_id.clone())
        .push(" and r.terminal_id = ")
        .push_bind(reading.terminal_id.clone())
        .push(" and r.reset_counter = ")
        .push_bind(reading.reset_counter)
        .push(" and r.z_counter = ")
        .push_bind(counter)
        .push(" and r.state <> 'discarded' and r.id <> ")
        .push_bind(reading.id.clone())
        .optional()
        .await
}

/// The days of another reading of the till that covers a day of this one, or of which this one covers a day. Several
/// readings of one day are none.
pub(super) async fn overlapping(
    tx: &mut Tx<'_>,
    reading: &Reading,
) -> Result<Option<(BusinessDay, BusinessDay)>, DbError> {
    if reading.terminal_id.is_empty() {
        return Ok(None);
    }
    let (from, to) = (reading.covers_from.unwrap_or(reading.business_date), reading.business_date);
    let query = tx
        .sql("select coalesce(covers_from, business_date), business_date from z_readings where store_id = ")
        .push_bind(&reading.store_id)
        .push(" and terminal_id = ")
        .push_bind(&reading.terminal_id)
        .push(" and state <> 'discarded' and id <> ")
        .push_bind(&reading.id)
        .push(" and ((covers_from < business_date and covers_from <= ")
        .push_bind(to)
        .push(" and business_date > ")
        .push_bind(from)
        .push(")");
    let query = if from < to {
        let query = query.push(" or (business_date >= ").push_bind(from);
        query.push(" and coalesce(covers_from, business_date) < ").push_bind(to).push(")")
    } else {
        query
    };
    query.push(") order by business_date limit 1").optional().await
}

/// Search text of a reading: till, counters, invoices, machine, names of its store.
async fn search_key(tx: &mut Tx<'_>, reading: &Reading) -> Result<String, DbError> {
    let name: Option<(String, Option<String>)> = tx
        .sql("select name, code from locations where id = ")
        .push_bind(&reading.store_id)
        .optional()
        .await?;
    let (name, code) = name.unwrap_or_default();
    let parts = [
        Some(name),
        code,
        Some(reading.terminal_id.clone()),
        reading.z_counter.map(|counter| format!("z{counter}")),
        reading.first_si.clone(),
        reading.last_si.clone(),
        reading.min.clone(),
        reading.tin.clone(),
        Some(reading.business_date.to_string()),
    ];
    Ok(fold(&parts.into_iter().flatten().collect::<Vec<_>>().join(" ")))
}

/// Writes a new or locked reading.
pub(super) async fn save(tx: &mut Tx<'_>, reading: &mut Reading) -> Result<(), DbError> {
    reading.search_key = search_key(tx, reading).await?;
    let till: Option<terminals::Kept> = terminals::one(tx.sql(""), reading).optional().await?;
    let terms = till.as_ref().map_or_else(Terms::default, terminals::Kept::terms);
    reading.sums_failing = Some(sums_failing(reading, terms));
    reading.fields_doubtful = Some(reading.read.as_ref().map_or(0, |seen| {
        let least = usize::from(seen.verdict == Verdict::Unreadable);
        i64::try_from(seen.doubtful().max(least)).unwrap_or(i64::MAX)
    }));
    let mut query = tx.sql("insert into z_readings (");
    for (at, column) in Reading::COLUMNS.iter().enumerate() {
        query = query.push(if at == 0 { "" } else { ", " }).push(column);
    }
    query = query.push(") select * from ").push_rows(Reading::COLUMNS, [&*reading]);
    query = query.push(" loaded where true on conflict (id) do update set ");
    for (at, column) in Reading::COLUMNS.iter().filter(|column| **column != "id").enumerate() {
        query = query.push(if at == 0 { "" } else { ", " }).push(column).push(" = excluded.").push(column);
    }
    query.execute().await.map(drop)
}

fn sums_failing(reading: &Reading, terms: Terms) -> i64 {
    let failing = checks::of_itself(&reading.figures(), terms).into_iter().filter(|check| !check.holds);
    i64::try_from(failing.count()).unwrap_or(i64::MAX)
}

/// Counts again which sums fail of a till's unverified readings, after its calculation rules changed.
pub(super) async fn count_failing(tx: &mut Tx<'_>, till: &terminals::Kept) -> Result<(), DbError> {
    let open: Vec<Reading> = select(tx.sql(""), false)
        .push(" where r.store_id = ")
        .push_bind(&till.store_id)
        .push(" and r.terminal_id = ")
        .push_bind(&till.terminal_id)
        .push(" and r.state in ('captured', 'needsReview', 'disputed')")
        .all()
        .await?;
    for reading in open {
        tx.sql("update z_readings set sums_failing = $1 where id = $2")
            .bind(sums_failing(&reading, till.terms()))
            .bind(&reading.id)
            .execute()
            .await?;
    }
    Ok(())
}
