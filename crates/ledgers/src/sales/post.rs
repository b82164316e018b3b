//! Replaces, reverts, corrects and maps store days; sums change by the difference.
//!
//! Public functions return boxed futures, because the compiler cannot prove that the borrowing future of an
//! async closure is `Send`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use futures::future::BoxFuture;
use larder_db::{Change, ChangeAction, DbError, Tx};
use larder_domain::BusinessDay;
use larder_domain::sales::day::LineChange;
use larder_domain::sales::{BomBook, DayItem, Deltas, StoreDay, UNMAPPED};
use serde_json::json;

use super::days::{self, DayKey};
use super::items::{self, DayItems};
use super::prepared::Prepared;
use super::store::{items_of, known, remove, write, write_heads};
use super::{bom, numbers, rollups};
use larder_platform::http::{ApiError, FieldError};

/// Result of posting store days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Posted {
    /// New store days.
    pub new: u64,
    /// Store days whose content changed.
    pub replaced: u64,
    /// Store days with equal content.
    pub unchanged: u64,
}

impl Posted {
    /// Total number of store days.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.new + self.replaced + self.unchanged
    }

    /// Adds the counts of another result.
    pub fn add(&mut self, other: Self) {
        self.new += other.new;
        self.replaced += other.replaced;
        self.unchanged += other.unchanged;
    }
}

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
    let posted = replace(tx, days, batch_id).await?;
    record(tx, days, batch_id, posted).await?;
    Ok(posted)
}

pub(super) async fn replace(
    tx: &mut Tx<'_>,
    days: &[Prepared],
    batch_id: Option<&str>,
) -> Result<Posted, ApiError> {
    rollups::lock(tx, days.iter().map(|d| d.day.store_id.as_ref())).await?;
    let known = known(tx, days).await?;
    let mut posted = Posted::default();
    let mut changed: Vec<&Prepared> = Vec::new();
    let mut stale: HashSet<(&str, BusinessDay, &str)> = HashSet::new();
    for prepared in days {
        let key =
            (prepared.day.store_id.as_ref(), BusinessDay(prepared.day.day), prepared.day.source.as_ref());
        match known.get(&(key.0.to_owned(), key.1, key.2.to_owned())) {
            None => posted.new += 1,
            Some(digest) if *digest == prepared.digest => {
                posted.unchanged += 1;
                continue;
            }
            Some(_) => {
                posted.replaced += 1;
                stale.insert(key);
            }
        }
        changed.push(prepared);
    }
    let old = items_of(tx, &stale).await?;
    let names = changed.iter().flat_map(|d| &d.items).map(|(id, _)| id.as_ref());
    let numbers = numbers::assign(tx, names).await?;
    numbers::keep_written(tx, changed.iter().flat_map(|d| &d.day.items)).await?;
    let mapped = numbers.iter().filter(|(id, _)| !id.starts_with(UNMAPPED)).map(|(_, number)| *number);
    let boms = bom::load(tx, &mapped.chain(numbers_of(&old)).collect()).await?;

    let mut deltas = Deltas::default();
    take_away(&mut deltas, &old, &boms)?;
    remove(tx, &stale, known.len() == stale.len()).await?;
    let items: Vec<Vec<DayItem>> = changed.iter().map(|d| numbered(d, &numbers, &boms)).collect();
    for (prepared, items) in changed.iter().zip(&items) {
        let day = &prepared.day;
        deltas.add_day(&day.store_id, day.day, items, &boms, 1).map_err(rollups::unfit)?;
    }
    write(tx, &changed, &items).await?;
    write_heads(tx, days, batch_id).await?;
    rollups::apply(tx, &mut deltas).await?;
    Ok(posted)
}

/// The stored items of a store day, with the bills of materials in force.
fn numbered(prepared: &Prepared, numbers: &HashMap<String, u32>, boms: &BomBook) -> Vec<DayItem> {
    let items = prepared.items.iter().filter_map(|(id, figures)| {
        let item = *numbers.get(id.as_ref())?;
        Some(DayItem { item, bom: boms.at(item, prepared.day.day).map(|bom| bom.seq), figures: *figures })
    });
    let mut items: Vec<DayItem> = items.collect();
    items.sort_unstable_by_key(|item| item.item);
    items
}

fn numbers_of(days: &[DayItems]) -> impl Iterator<Item = u32> {
    days.iter().flat_map(|day| &day.items).map(|item| item.item)
}

/// Subtracts store days from the sums.
fn take_away(deltas: &mut Deltas, days: &[DayItems], boms: &BomBook) -> Result<(), ApiError> {
    for day in days {
        let store = Arc::from(day.store_id.as_str());
        deltas.add_day(&store, day.date.0, &day.items, boms, -1).map_err(rollups::unfit)?;
    }
    Ok(())
}

/// One audit row and live event per store: one per store day would be thousands for one file.
async fn record(
    tx: &mut Tx<'_>,
    days: &[Prepared],
    batch_id: Option<&str>,
    posted: Posted,
) -> Result<(), DbError> {
    let mut stores: BTreeMap<&str, (i32, i32, i64, i64, i64)> = BTreeMap::new();
    for d in days {
        let sums = stores.entry(&d.day.store_id).or_insert((d.day.day, d.day.day, 0, 0, 0));
        sums.0 = sums.0.min(d.day.day);
        sums.1 = sums.1.max(d.day.day);
        sums.2 += 1;
        sums.3 += d.totals.lines;
        sums.4 = sums.4.saturating_add(d.totals.net);
    }
    for (store, (first, last, count, lines, net)) in stores {
        tx.record(Change {
            kind: "sales",
            id: batch_id.unwrap_or(store).to_owned(),
            store_id: Some(store.to_owned()),
            action: if posted.new > 0 { ChangeAction::Created } else { ChangeAction::Updated },
            before: None,
            after: Some(json!({
                "from": BusinessDay(first),
                "to": BusinessDay(last),
                "days": count,
                "lines": lines,
                "net": larder_domain::Money(net),
            })),
        })
        .await?;
    }
    Ok(())
}

/// Deletes up to `at_most` store days still as this batch posted them; returns their number.
///
/// # Errors
/// If the database fails.
pub fn revert_batch<'a>(
    tx: &'a mut Tx<'_>,
    batch_id: &'a str,
    at_most: i64,
) -> BoxFuture<'a, Result<u64, ApiError>> {
    Box::pin(revert_batch_now(tx, batch_id, at_most))
}

async fn revert_batch_now(tx: &mut Tx<'_>, batch_id: &str, at_most: i64) -> Result<u64, ApiError> {
    let rows: Vec<(String, BusinessDay, String, i64, i64)> = tx
        .sql(
            "select store_id, business_date, source, lines, net from sales_days where batch_id = $1
             order by store_id, business_date limit $2",
        )
        .bind(batch_id)
        .bind(at_most)
        .all()
        .await?;
    rollups::lock(tx, rows.iter().map(|row| row.0.as_str())).await?;
    let keys: HashSet<(&str, BusinessDay, &str)> =
        rows.iter().map(|row| (row.0.as_str(), row.1, row.2.as_str())).collect();
    let old = items_of(tx, &keys).await?;
    let boms = bom::load(tx, &numbers_of(&old).collect()).await?;
    let mut deltas = Deltas::default();
    take_away(&mut deltas, &old, &boms)?;
    remove(tx, &keys, false).await?;
    for (store, day, source) in &keys {
        tx.sql("delete from sales_days where store_id = $1 and business_date = $2 and source = $3")
            .bind(*store)
            .bind(*day)
            .bind(*source)
            .execute()
            .await?;
    }
    rollups::apply(tx, &mut deltas).await?;
    let mut stores: BTreeMap<&str, (u64, i64, i64)> = BTreeMap::new();
    for (store, _, _, lines, net) in &rows {
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
    Ok(rows.len() as u64)
}

/// Corrects lines of a posted store day.
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
    day.correct(changes).map_err(|(line_no, message)| {
        let at = changes.iter().position(|change| change.line_no == line_no).unwrap_or(0);
        ApiError::invalid(vec![FieldError::new(format!("lines.{at}"), message)])
    })?;
    if day == before {
        return Ok(());
    }
    let corrected = Prepared { corrected_at: Some(tx.actor().at), ..Prepared::new(day.clone()) };
    replace(tx, &[corrected], found.batch_id.as_deref()).await?;
    let touched: HashSet<u32> = changes.iter().map(|change| change.line_no).collect();
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
    let mut of_batch: BTreeMap<Option<String>, Vec<Prepared>> = BTreeMap::new();
    for key in keys {
        let Some(mut found) = days::read(tx, key).await? else { continue };
        for item in &mut found.day.items {
            let target = item.pos_item_id.strip_prefix(UNMAPPED).and_then(|name| targets.get(name));
            if let Some(target) = target {
                item.pos_item_id = target.clone();
            }
        }
        let mapped = Prepared { corrected_at: found.corrected_at, ..Prepared::new(found.day) };
        of_batch.entry(found.batch_id).or_default().push(mapped);
    }
    let mut posted = Posted::default();
    for (batch_id, days) in of_batch {
        let done = replace(tx, &days, batch_id.as_deref()).await?;
        record(tx, &days, batch_id.as_deref(), done).await?;
        posted.add(done);
    }
    Ok(posted)
}
