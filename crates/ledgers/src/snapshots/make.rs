//! Stores the figures of a store's week, or compares them with stored ones.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{DbError, Tx};
use larder_domain::on_hand::movement::Movement;
use larder_domain::{BusinessDay, Money, Qty, Worth};

use super::figures::changed;
use super::{read, weeks};

/// A root item of a store's week.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotRow {
    pub root_item_id: String,
    pub figures: Movement,
    /// The variance at the root item's price on the last day; `None` without either.
    pub variance_worth: Option<Worth>,
    /// The theoretical use at the root item's price of each day; `None` without a price.
    pub theoretical_worth: Option<Worth>,
}

/// Result of making a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Made {
    /// Whether the week was frozen, so that its rows stayed.
    pub frozen: bool,
    /// Number of figures that differ from the stored ones.
    pub differences: usize,
}

const COLUMNS: &[&str] = &[
    "week",
    "store_id",
    "root_item_id",
    "opening",
    "received",
    "transfers_in",
    "transfers_out",
    "waste",
    "theoretical_use",
    "closing",
    "actual_use",
    "variance",
    "variance_value",
    "variance_worth",
    "theoretical_worth",
];

/// Replaces the rows of a store's week and stores the differences. Rows of a frozen week stay; only the
/// differences are stored.
///
/// # Errors
/// If the statement fails, or a worth is too large to store.
pub async fn make(
    tx: &mut Tx<'_>,
    week: BusinessDay,
    store_id: &str,
    rows: &[SnapshotRow],
) -> Result<Made, DbError> {
    let frozen = weeks::begin(tx, week).await?;
    let before: BTreeMap<String, Movement> = read::of_store(tx, week, store_id).await?.into_iter().collect();
    // A store's first snapshot has no differences, unless the week was closed without it.
    let known = frozen || !before.is_empty();
    let differences = if known { compare(&before, rows) } else { Vec::new() };
    let found = differences.len();
    tx.sql("delete from snapshot_differences where week = $1 and store_id = $2")
        .bind(week)
        .bind(store_id)
        .execute()
        .await?;
    let differences = differences
        .into_iter()
        .map(|(root, figure, was, now)| (week, store_id.to_owned(), root, figure.to_owned(), was, now));
    let columns = &["week", "store_id", "root_item_id", "figure", "was", "now"];
    tx.insert_rows("snapshot_differences", columns, differences.collect::<Vec<_>>(), "").await?;
    if !frozen {
        tx.sql("delete from root_item_snapshots where week = $1 and store_id = $2")
            .bind(week)
            .bind(store_id)
            .execute()
            .await?;
        let rows: Option<Vec<_>> = rows.iter().map(|row| columns_of(week, store_id, row)).collect();
        let rows = rows.ok_or_else(|| {
            DbError::Invalid("The figures of this week are worth more than can be stored.".into())
        })?;
        tx.insert_rows("root_item_snapshots", COLUMNS, rows, "").await?;
    }
    Ok(Made { frozen, differences: found })
}

type Columns = (
    BusinessDay,
    String,
    String,
    Option<Qty>,
    Qty,
    Qty,
    Qty,
    Qty,
    Qty,
    Option<Qty>,
    Option<Qty>,
    Option<Qty>,
    Option<Money>,
    Option<i64>,
    Option<i64>,
);

/// The columns of a row; `None` if its worth is too large to store.
fn columns_of(week: BusinessDay, store_id: &str, row: &SnapshotRow) -> Option<Columns> {
    let it = &row.figures;
    let stored = |worth: Option<Worth>| match worth {
        Some(worth) => worth.stored().map(Some),
        None => Some(None),
    };
    Some((
        week,
        store_id.to_owned(),
        row.root_item_id.clone(),
        it.opening,
        it.received,
        it.transfers_in,
        it.transfers_out,
        it.waste,
        it.theoretical_use,
        it.closing,
        it.actual_use,
        it.variance,
        row.variance_worth.and_then(Worth::money),
        stored(row.variance_worth)?,
        stored(row.theoretical_worth)?,
    ))
}

/// Compares figures of every root item on either side.
fn compare(
    before: &BTreeMap<String, Movement>,
    rows: &[SnapshotRow],
) -> Vec<(String, &'static str, Option<Qty>, Option<Qty>)> {
    let now: BTreeMap<&str, &Movement> =
        rows.iter().map(|row| (row.root_item_id.as_str(), &row.figures)).collect();
    let roots: BTreeSet<&str> = before.keys().map(String::as_str).chain(now.keys().copied()).collect();
    let of_root = |root: &str| {
        let changed = changed(before.get(root), now.get(root).copied());
        changed.into_iter().map(|(figure, was, now)| (root.to_owned(), figure, was, now)).collect::<Vec<_>>()
    };
    roots.into_iter().flat_map(of_root).collect()
}
