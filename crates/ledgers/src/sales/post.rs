//! Replaces, reverts, corrects and maps store days; sums change by the difference.
//!
//! Public functions return boxed futures, because the compiler cannot prove that the borrowing future of an
//! async closure is `Send`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use futures::future::BoxFuture;
use larder_db::{Change, ChangeAction, DbError, Reader, Tx};
use larder_domain::BusinessDay;
use larder_domain::sales::day::LineChange;
use larder_domain::sales::existing::How;
use larder_domain::sales::{Deltas, StoreDay, UNMAPPED};
use serde_json::json;

use super::days::{self, DayKey, Group};
use super::parts::{self, Grown, Part};
use super::prepared::Prepared;
use super::replace::{Posted, keys_of, numbers_of, record, replace, replace_among, take_away};
use super::store::{items_of, known, known_key, remove};
use super::{bom, duplicates, grow, items, numbers, rollups};
use larder_platform::http::{ApiError, FieldError};

/// Replaces the store days of the same store, date and source. Posting the same content again changes
/// nothing.
///
/// # Errors
/// 422 if a sum overflows.
pub fn replace_store_days<'a>(
    tx: &'a mut Tx<'_>,
    days: &'a [Prepared],
    batch_id: Option<&'a str>,
) -> BoxFuture<'a, Result<Posted, ApiError>> {
    Box::pin(replace_store_days_now(tx, days, batch_id))
}

async fn replace_store_days_now(
    tx: &mut Tx<'_>,
    days: &[Prepared],
    batch_id: Option<&str>,
) -> Result<Posted, ApiError> {
    rollups::lock(tx, days.iter().map(|d| d.day.store_id.as_ref())).await?;
    let known = known(&mut Reader::Tx(tx), &keys_of(days)).await?;
    let has_parts = |d: &&Prepared| known.get(&known_key(&d.day)).is_some_and(|known| known.parts > 0);
    let (grown, plain): (Vec<&Prepared>, Vec<&Prepared>) = days.iter().partition(has_parts);
    let mut posted = replace_among(tx, &plain, batch_id, &known).await?;
    record(tx, &plain, batch_id, posted).await?;
    if !grown.is_empty() {
        let grown: Vec<&StoreDay> = grown.iter().map(|d| &d.day).collect();
        posted.add(grow::push(tx, &grown, How::ReplaceDays, batch_id).await?);
    }
    duplicates::settle(tx, keys_of(days)).await?;
    Ok(posted)
}

/// Takes back up to `at_most` store days of a batch; returns their number. A day that only this batch made up is
/// deleted; others are composed from the parts that are left.
///
/// # Errors
/// 422 if a sum overflows.
pub fn revert_batch<'a>(
    tx: &'a mut Tx<'_>,
    batch_id: &'a str,
    at_most: i64,
) -> BoxFuture<'a, Result<u64, ApiError>> {
    Box::pin(revert_batch_now(tx, batch_id, at_most))
}

/// A store day's key, and the lines and net of it that go.
type Gone = (String, BusinessDay, String, i64, i64);

async fn revert_batch_now(tx: &mut Tx<'_>, batch_id: &str, at_most: i64) -> Result<u64, ApiError> {
    let grown = parts::days_of(tx, batch_id, at_most).await?;
    let left = at_most - i64::try_from(grown.len()).unwrap_or(at_most);
    let mut rows: Vec<Gone> = tx
        .sql(
            "select d.store_id, d.business_date, d.source, d.lines, d.net from sales_days d where d.batch_id = $1
               and not exists (select 1 from sales_day_parts p where p.store_id = d.store_id
                 and p.business_date = d.business_date and p.source = d.source)
             order by d.store_id, d.business_date limit $2",
        )
        .bind(batch_id)
        .bind(left)
        .all()
        .await?;
    let stores = rows.iter().map(|row| row.0.as_str());
    rollups::lock(tx, stores.chain(grown.iter().map(|key| key.store_id.as_ref()))).await?;
    let mut part_rows: Vec<Gone> = Vec::with_capacity(grown.len());
    let mut others: Vec<Grown> = Vec::new();
    let mut gone: Vec<DayKey> = Vec::new();
    let mut stored = parts::of_days(&mut Reader::Tx(tx), &grown).await?;
    for key in grown {
        let (own, parts): (Vec<Part>, Vec<Part>) = stored
            .remove(&key)
            .unwrap_or_default()
            .into_iter()
            .partition(|part| part.batch_id.as_deref() == Some(batch_id));
        let sums = own.iter().map(|part| part.day.totals());
        let (lines, net) =
            sums.fold((0, 0i64), |sums, day| (sums.0 + day.lines, sums.1.saturating_add(day.net)));
        let row = (key.store_id.to_string(), key.day, key.source.to_string(), lines, net);
        if parts.is_empty() {
            gone.push(key);
            rows.push(row);
        } else {
            part_rows.push(row);
            others.push(Grown { key, parts });
        }
    }
    parts::forget(tx, &gone).await?;
    delete_days(tx, &rows).await?;
    grow::settle(tx, &others).await?;
    rows.append(&mut part_rows);
    duplicates::settle(tx, rows.iter().map(|row| (row.0.as_str(), row.1))).await?;
    record_reverted(tx, batch_id, &rows).await?;
    Ok(rows.len() as u64)
}

/// Deletes store days and subtracts them from the sums.
async fn delete_days(tx: &mut Tx<'_>, rows: &[Gone]) -> Result<(), ApiError> {
    if rows.is_empty() {
        return Ok(());
    }
    let key =
        |row: &Gone| DayKey { store_id: row.0.as_str().into(), day: row.1, source: row.2.as_str().into() };
    let keys: Vec<DayKey> = rows.iter().map(key).collect();
    let old = items_of(tx, &keys).await?;
    let boms = bom::load(tx, &numbers_of(&old).collect()).await?;
    let mut deltas = Deltas::default();
    take_away(&mut deltas, &old, &boms)?;
    remove(tx, &keys).await?;
    duplicates::forget(tx, &keys).await?;
    for group in Group::all(&keys) {
        group.narrow(tx.sql("delete from sales_days where source = $1")).execute().await?;
    }
    rollups::apply(tx, &mut deltas).await
}

async fn record_reverted(tx: &mut Tx<'_>, batch_id: &str, rows: &[Gone]) -> Result<(), DbError> {
    let mut stores: BTreeMap<&str, (u64, i64, i64)> = BTreeMap::new();
    for (store, _, _, lines, net) in rows {
        let sums = stores.entry(store).or_default();
        *sums = (sums.0 + 1, sums.1 + lines, sums.2.saturating_add(*net));
    }
    for (store, (days, lines, net)) in stores {
        tx.record(Change {
            kind: "sales",
            id: batch_id.to_owned(),
            store_id: Some(store.to_owned()),
            action: ChangeAction::Deleted,
            before: Some(json!({ "days": days, "lines": lines, "net": larder_domain::Money(net) })),
            after: None,
        })
        .await?;
    }
    Ok(())
}

/// Corrects lines of a posted store day; on a day of several parts, in the part that each came from.
///
/// # Errors
/// 404, 409 if the revision is not the latest, 422 at `lines.{n}`.
pub fn correct_lines<'a>(
    tx: &'a mut Tx<'_>,
    key: &'a DayKey,
    revision: i64,
    changes: &'a [LineChange],
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(correct_lines_now(tx, key, revision, changes))
}

async fn correct_lines_now(
    tx: &mut Tx<'_>,
    key: &DayKey,
    revision: i64,
    changes: &[LineChange],
) -> Result<(), ApiError> {
    rollups::lock(tx, std::iter::once(key.store_id.as_ref())).await?;
    let Some(found) = days::read(tx, key).await? else { return Err(ApiError::not_found("store-day")) };
    if found.revision != revision {
        return Err(ApiError::stale("someone else", json!({ "revision": found.revision })));
    }
    let before = found.day.clone();
    let mut day = found.day;
    let refused = |(line_no, message): (u32, &'static str)| {
        let at = changes.iter().position(|change| change.line_no == line_no).unwrap_or(0);
        ApiError::invalid(vec![FieldError::new(format!("lines.{at}"), message)])
    };
    day.correct(changes).map_err(refused)?;
    if day == before {
        return Ok(());
    }
    let at = tx.actor().at;
    let mut parts = parts::of_day(tx, key).await?;
    if parts.is_empty() {
        let corrected = Prepared { corrected_at: Some(at), ..Prepared::new(day.clone()) };
        replace(tx, &[corrected], found.batch_id.as_deref()).await?;
    } else {
        parts::drop_copies(&mut parts);
        parts::correct(&mut parts, changes, at).map_err(refused)?;
        grow::settle(tx, &[Grown { key: key.clone(), parts }]).await?;
    }
    duplicates::settle(tx, [(key.store_id.as_ref(), key.day)]).await?;
    // What belongs to a line follows it.
    let touched = before.places(changes).map_err(refused)?;
    let touched = touched.iter().flat_map(|at| before.children(*at).chain([*at]));
    let touched: HashSet<u32> = touched.map(|at| before.lines[at].line_no).collect();
    tx.record(Change {
        kind: "salesDay",
        id: format!("{}_{}_{}", key.store_id, key.day, key.source),
        store_id: Some(key.store_id.to_string()),
        action: ChangeAction::Updated,
        before: Some(audit_snapshot(&before, &touched)),
        after: Some(audit_snapshot(&day, &touched)),
    })
    .await?;
    Ok(())
}

/// Audit snapshot of the corrected lines, one field per line.
fn audit_snapshot(day: &StoreDay, lines: &HashSet<u32>) -> serde_json::Value {
    let fields = day.lines.iter().filter(|line| lines.contains(&line.line_no)).map(|line| {
        let item = &day.items[line.item as usize];
        let value = json!({
            "posItemId": item.pos_item_id.as_ref(),
            "qty": larder_domain::Qty(line.qty),
            "unitPrice": larder_domain::Money(line.unit_price),
            "discount": larder_domain::Money(line.discount),
            "net": larder_domain::Money(line.net),
        });
        (format!("line {}", line.line_no), value)
    });
    serde_json::Value::Object(fields.collect())
}

/// The store days with any of these unmapped names.
///
/// # Errors
/// If the database fails.
pub async fn unmapped_days(db: &larder_db::Db, keys: &[String]) -> Result<Vec<DayKey>, DbError> {
    let ids: Vec<String> = keys.iter().map(|key| format!("{UNMAPPED}{key}")).collect();
    let numbers: BTreeSet<u32> = numbers::of_all(db, &ids).await?;
    let days = items::unmapped(db, |item| numbers.contains(&item.item)).await?;
    Ok(days
        .into_iter()
        .map(|day| DayKey { store_id: day.store_id.into(), day: day.date, source: day.source.into() })
        .collect())
}

/// Assigns POS items to unmapped names of some posted store days.
///
/// # Errors
/// 422 if a sum overflows.
pub fn map_items<'a>(
    tx: &'a mut Tx<'_>,
    targets: &'a HashMap<String, Arc<str>>,
    keys: &'a [DayKey],
) -> BoxFuture<'a, Result<Posted, ApiError>> {
    Box::pin(map_items_now(tx, targets, keys))
}

async fn map_items_now(
    tx: &mut Tx<'_>,
    targets: &HashMap<String, Arc<str>>,
    keys: &[DayKey],
) -> Result<Posted, ApiError> {
    rollups::lock(tx, keys.iter().map(|key| key.store_id.as_ref())).await?;
    let target = |id: &str| id.strip_prefix(UNMAPPED).and_then(|name| targets.get(name)).cloned();
    let mut of_batch: BTreeMap<Option<String>, Vec<Prepared>> = BTreeMap::new();
    let mut grown: Vec<Grown> = Vec::new();
    let mut stored = parts::of_days(&mut Reader::Tx(tx), keys).await?;
    let plain: Vec<DayKey> = keys.iter().filter(|key| !stored.contains_key(key)).cloned().collect();
    let mut whole = days::read_all(&mut Reader::Tx(tx), &plain).await?;
    for key in keys {
        if let Some(mut parts) = stored.remove(key) {
            parts.iter_mut().for_each(|part| parts::rename(&mut part.day, target));
            grown.push(Grown { key: key.clone(), parts });
            continue;
        }
        let Some(mut found) = whole.remove(key) else { continue };
        parts::rename(&mut found.day, target);
        let mapped = Prepared { corrected_at: found.corrected_at, ..Prepared::new(found.day) };
        of_batch.entry(found.batch_id).or_default().push(mapped);
    }
    let mut posted = Posted::default();
    for (batch_id, days) in of_batch {
        let done = replace(tx, &days, batch_id.as_deref()).await?;
        record(tx, &days.iter().collect::<Vec<_>>(), batch_id.as_deref(), done).await?;
        posted.add(done);
    }
    posted.add(grow::settle_and_record(tx, &grown).await?);
    Ok(posted)
}
