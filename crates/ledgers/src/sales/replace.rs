//! Writes store days as a whole; sums change by the difference.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use larder_db::{Change, ChangeAction, DbError, Reader, Tx};
use larder_domain::BusinessDay;
use larder_domain::sales::{BomBook, DayItem, Deltas, UNMAPPED};
use serde_json::json;

use super::days::DayKey;
use super::items::DayItems;
use super::prepared::Prepared;
use super::store::{KnownDays, items_of, known, known_key, remove, write, write_heads};
use super::{bom, numbers, rollups};
use larder_platform::http::ApiError;

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

/// Stores and days of store days.
pub(super) fn keys_of(days: &[Prepared]) -> Vec<(&str, BusinessDay)> {
    days.iter().map(|d| (d.day.store_id.as_ref(), BusinessDay(d.day.day))).collect()
}

/// Writes store days as a whole. The caller writes the parts of days that have any.
pub(super) async fn replace(
    tx: &mut Tx<'_>,
    days: &[Prepared],
    batch_id: Option<&str>,
) -> Result<Posted, ApiError> {
    rollups::lock(tx, days.iter().map(|d| d.day.store_id.as_ref())).await?;
    let known = known(&mut Reader::Tx(tx), &keys_of(days)).await?;
    let days: Vec<&Prepared> = days.iter().collect();
    replace_among(tx, &days, batch_id, &known).await
}

/// As [`replace`], with the locks taken and the store days there `known`.
pub(super) async fn replace_among(
    tx: &mut Tx<'_>,
    days: &[&Prepared],
    batch_id: Option<&str>,
    known: &KnownDays,
) -> Result<Posted, ApiError> {
    let mut posted = Posted::default();
    let mut changed: Vec<&Prepared> = Vec::new();
    let mut stale: Vec<DayKey> = Vec::new();
    for &prepared in days {
        match known.get(&known_key(&prepared.day)) {
            None => posted.new += 1,
            Some(known) if known.digest == prepared.digest => {
                posted.unchanged += 1;
                continue;
            }
            Some(_) => {
                posted.replaced += 1;
                stale.push(DayKey::of(&prepared.day));
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
    remove(tx, &stale).await?;
    let items: Vec<Vec<DayItem>> = changed.iter().map(|d| numbered(d, &numbers, &boms)).collect();
    for (prepared, items) in changed.iter().zip(&items) {
        let day = &prepared.day;
        if known.get(&known_key(day)).is_some_and(|known| known.left_out) {
            continue;
        }
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

/// The numbers of the items of store days.
pub(super) fn numbers_of(days: &[DayItems]) -> impl Iterator<Item = u32> {
    days.iter().flat_map(|day| &day.items).map(|item| item.item)
}

/// Subtracts the store days that count from the sums.
pub(super) fn take_away(deltas: &mut Deltas, days: &[DayItems], boms: &BomBook) -> Result<(), ApiError> {
    for day in days.iter().filter(|day| day.counts) {
        let store = Arc::from(day.store_id.as_str());
        deltas.add_day(&store, day.date.0, &day.items, boms, -1).map_err(rollups::unfit)?;
    }
    Ok(())
}

/// One audit row and live event per store: one per store day would be thousands for one file.
pub(super) async fn record(
    tx: &mut Tx<'_>,
    days: &[&Prepared],
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
