//! Adds differences to the sums that reports read.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{DbError, Tx};
use larder_domain::BusinessDay;
use larder_domain::sales::rollup::PeriodDelta;
use larder_domain::sales::sums::{self, SumsError};
use larder_domain::sales::{ALL_STORES, Deltas};

use super::sums::Table;
use crate::http::ApiError;

/// Packed sums a statement: a few hundred of them are megabytes already.
const PACKED_AT_ONCE: usize = 200;

/// Takes the turn of every store, in one order for everybody: two writers of a store's sales never
/// reckon from the same old figures, and never wait for each other in a circle.
pub async fn lock<'a>(tx: &mut Tx<'_>, stores: impl Iterator<Item = &'a str>) -> Result<(), DbError> {
    let stores: BTreeSet<&str> = stores.collect();
    let turns: Vec<_> = stores.into_iter().map(|store| (store, 1i64)).collect();
    tx.insert_rows(
        "sales_locks",
        &["store_id", "turn"],
        turns,
        "on conflict (store_id) do update set turn = sales_locks.turn + 1",
    )
    .await?;
    Ok(())
}

/// Adds the differences, in the order of the tables' keys; sums that come to nothing go. Whoever
/// calls holds the [`lock`] of every store among them.
///
/// # Errors
/// 422 when a sum grows past what can be kept.
pub async fn apply(tx: &mut Tx<'_>, deltas: &Deltas) -> Result<(), ApiError> {
    let (pos, root) = (deltas.pos(), deltas.root());
    // All stores together sort first.
    let of_all = |store: &str| store == ALL_STORES;
    let (pos_of_all, pos) = pos.split_at(pos.partition_point(|delta| of_all(&delta.store)));
    let (root_of_all, root) = root.split_at(root.partition_point(|delta| of_all(&delta.store)));
    add_pos(tx, pos_of_all).await?;
    add_root(tx, root_of_all).await?;
    add_packed(tx, &super::sums::POS, pos).await?;
    add_packed(tx, &super::sums::ROOT, root).await
}

async fn add_pos(tx: &mut Tx<'_>, deltas: &[PeriodDelta<4>]) -> Result<(), DbError> {
    let rows: Vec<_> = deltas
        .iter()
        .flat_map(|delta| {
            delta.items.iter().map(|(item, [qty, gross, net, lines])| {
                (delta.grain.code(), delta.period, item.as_ref(), *qty, *gross, *net, *lines)
            })
        })
        .collect();
    tx.insert_rows(
        "sales_rollup_pos",
        &["grain", "period", "pos_item_id", "qty", "gross", "net", "lines"],
        rows,
        "on conflict (grain, period, pos_item_id) do update set
            qty = sales_rollup_pos.qty + excluded.qty, gross = sales_rollup_pos.gross + excluded.gross,
            net = sales_rollup_pos.net + excluded.net, lines = sales_rollup_pos.lines + excluded.lines",
    )
    .await?;
    for (grain, first, last) in shrunk(deltas, |[_, _, _, lines]| *lines < 0) {
        tx.sql(
            "delete from sales_rollup_pos where grain = $1 and period between $2 and $3
               and lines = 0 and qty = 0 and gross = 0 and net = 0",
        )
        .bind(grain)
        .bind(i64::from(first))
        .bind(i64::from(last))
        .execute()
        .await?;
    }
    Ok(())
}

async fn add_root(tx: &mut Tx<'_>, deltas: &[PeriodDelta<1>]) -> Result<(), DbError> {
    let rows: Vec<_> = deltas
        .iter()
        .flat_map(|delta| {
            delta.items.iter().map(|(item, [qty])| (delta.grain.code(), delta.period, item.as_ref(), *qty))
        })
        .collect();
    tx.insert_rows(
        "sales_rollup_root",
        &["grain", "period", "root_item_id", "qty"],
        rows,
        "on conflict (grain, period, root_item_id) do update set qty = sales_rollup_root.qty + excluded.qty",
    )
    .await?;
    for (grain, first, last) in shrunk(deltas, |[qty]| *qty < 0) {
        tx.sql("delete from sales_rollup_root where grain = $1 and period between $2 and $3 and qty = 0")
            .bind(grain)
            .bind(i64::from(first))
            .bind(i64::from(last))
            .execute()
            .await?;
    }
    Ok(())
}

/// Per grain the first and last period in which a sum may have come to nothing.
fn shrunk<const N: usize>(
    deltas: &[PeriodDelta<N>],
    shrinks: impl Fn(&[i64; N]) -> bool,
) -> Vec<(i64, i32, i32)> {
    let mut spans: BTreeMap<i64, (i32, i32)> = BTreeMap::new();
    for delta in deltas.iter().filter(|delta| delta.items.iter().any(|(_, figures)| shrinks(figures))) {
        let span = spans.entry(delta.grain.code()).or_insert((delta.period, delta.period));
        *span = (span.0.min(delta.period), span.1.max(delta.period));
    }
    spans.into_iter().map(|(grain, (first, last))| (grain, first, last)).collect()
}

/// Adds to the packed sums of single stores: reads what is touched, adds in memory, writes it back.
async fn add_packed<const N: usize>(
    tx: &mut Tx<'_>,
    table: &Table<N>,
    deltas: &[PeriodDelta<N>],
) -> Result<(), ApiError> {
    for part in deltas.chunks(PACKED_AT_ONCE) {
        let keys: Vec<_> =
            part.iter().map(|delta| (delta.store.as_ref(), delta.grain.code(), delta.period)).collect();
        let old: Vec<(String, i64, BusinessDay, String)> = tx
            .sql("select s.store_id, s.grain, s.period, s.packed from ")
            .push_rows(&["store_id", "grain", "period"], &keys)
            // SQLite takes the tables of a cross join in the order written: each row is found by its key.
            .push(" k cross join ")
            .push(table.name)
            .push(" s where s.store_id = k.store_id and s.grain = k.grain and s.period = k.period")
            .all()
            .await?;
        let old: HashMap<(&str, i64, i32), &str> = old
            .iter()
            .map(|(store, grain, period, packed)| ((store.as_str(), *grain, period.0), packed.as_str()))
            .collect();
        let mut rows = Vec::with_capacity(part.len());
        let mut gone = Vec::new();
        for (key, delta) in keys.into_iter().zip(part) {
            let there = old.get(&key).copied().unwrap_or_default();
            let packed = sums::merge(there, &delta.items).map_err(unfit)?;
            match packed.is_empty() {
                true => gone.push(key),
                false => rows.push((key.0, key.1, key.2, packed)),
            }
        }
        tx.insert_rows(
            table.name,
            &["store_id", "grain", "period", "packed"],
            &rows,
            "on conflict (store_id, grain, period) do update set packed = excluded.packed",
        )
        .await?;
        for (store, grain, period) in gone {
            tx.sql("delete from ")
                .push(table.name)
                .push(" where store_id = $1 and grain = $2 and period = $3")
                .bind(store)
                .bind(grain)
                .bind(i64::from(period))
                .execute()
                .await?;
        }
    }
    Ok(())
}

fn unfit(error: SumsError) -> ApiError {
    match error {
        SumsError::TooLarge => too_large(),
        SumsError::Unreadable => ApiError::internal(error),
    }
}

/// A sum is past what can be kept.
pub fn too_large() -> ApiError {
    ApiError::unprocessable(
        "tooLarge",
        "A sum grows past what can be kept. Check the quantities and the bills of materials.",
    )
}
