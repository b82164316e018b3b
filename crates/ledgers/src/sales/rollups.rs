//! Adds differences to the sums that reports read.

use std::collections::{BTreeSet, HashMap};

use larder_db::{DbError, Tx};
use larder_domain::BusinessDay;
use larder_domain::sales::rollup::BlockDelta;
use larder_domain::sales::sums::{self, SumsError};
use larder_domain::sales::{ALL_STORES, Deltas, Grain};

use super::numbers;
use super::sums::Table;
use larder_platform::http::ApiError;

/// Packed sums per statement: a few hundred of them are megabytes already.
const PACKED_AT_ONCE: usize = 200;

/// Locks every store and the total, in one global order: concurrent writers of the same sums neither lose
/// updates nor deadlock.
pub async fn lock<'a>(tx: &mut Tx<'_>, stores: impl Iterator<Item = &'a str>) -> Result<(), DbError> {
    let stores: BTreeSet<&str> = stores.chain([ALL_STORES]).collect();
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

/// Adds the differences in key order; zero sums are deleted. The caller holds the [`lock`] of every store
/// among them.
///
/// # Errors
/// 422 if a sum overflows.
pub async fn apply(tx: &mut Tx<'_>, deltas: &mut Deltas) -> Result<(), ApiError> {
    let (pos, root) = (deltas.pos().map_err(unfit)?, deltas.root().map_err(unfit)?);
    add_months(tx, &pos).await?;
    add_packed(tx, &super::sums::POS, &pos).await?;
    add_packed(tx, &super::sums::ROOT, &root).await
}

/// Adds to the monthly totals of all stores, which are rows so that they can be found by item.
async fn add_months(tx: &mut Tx<'_>, deltas: &[BlockDelta<4>]) -> Result<(), DbError> {
    let months: Vec<&BlockDelta<4>> = deltas
        .iter()
        .filter(|delta| delta.grain == Grain::Month && delta.store.as_ref() == ALL_STORES)
        .collect();
    let numbers = months.iter().flat_map(|month| &month.sums).map(|sum| sum.item).collect();
    let ids = numbers::ids_of(tx, &numbers).await?;
    let rows = months.iter().flat_map(|month| {
        month.sums.iter().filter_map(|sum| {
            let [qty, gross, net, lines] = sum.figures;
            Some((month.grain.code(), month.block, ids.get(&sum.item)?.as_ref(), qty, gross, net, lines))
        })
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_unstable_by_key(|row| (row.1, row.2));
    tx.insert_rows(
        "sales_rollup_pos",
        &["grain", "period", "pos_item_id", "qty", "gross", "net", "lines"],
        rows,
        "on conflict (grain, period, pos_item_id) do update set
            qty = sales_rollup_pos.qty + excluded.qty, gross = sales_rollup_pos.gross + excluded.gross,
            net = sales_rollup_pos.net + excluded.net, lines = sales_rollup_pos.lines + excluded.lines",
    )
    .await?;
    for month in months.iter().filter(|month| month.sums.iter().any(|sum| sum.figures[3] < 0)) {
        tx.sql(
            "delete from sales_rollup_pos where grain = 30 and period = $1
               and lines = 0 and qty = 0 and gross = 0 and net = 0",
        )
        .bind(i64::from(month.block))
        .execute()
        .await?;
    }
    Ok(())
}

/// Adds to packed sums: read, add in memory, write back.
async fn add_packed<const N: usize>(
    tx: &mut Tx<'_>,
    table: &Table<N>,
    deltas: &[BlockDelta<N>],
) -> Result<(), ApiError> {
    for part in deltas.chunks(PACKED_AT_ONCE) {
        let keys: Vec<_> =
            part.iter().map(|delta| (delta.store.as_ref(), delta.grain.code(), delta.block)).collect();
        let old: Vec<(String, i64, BusinessDay, Vec<u8>)> = tx
            .sql("select s.store_id, s.grain, s.block, s.packed from ")
            .push_rows(&["store_id", "grain", "block"], &keys)
            // SQLite joins a cross join's tables in the order written: each row is found by its key.
            .push(" k cross join ")
            .push(table.name)
            .push(" s where s.store_id = k.store_id and s.grain = k.grain and s.block = k.block")
            .all()
            .await?;
        let old: HashMap<(&str, i64, i32), &[u8]> = old
            .iter()
            .map(|(store, grain, block, packed)| ((store.as_str(), *grain, block.0), packed.as_slice()))
            .collect();
        let mut rows = Vec::with_capacity(part.len());
        let mut gone = Vec::new();
        for (key, delta) in keys.into_iter().zip(part) {
            let there = old.get(&key).copied().unwrap_or_default();
            let packed = sums::merge(there, &delta.sums).map_err(unfit)?;
            match packed.is_empty() {
                true => gone.push(key),
                false => rows.push((key.0, key.1, key.2, packed)),
            }
        }
        tx.insert_rows(
            table.name,
            &["store_id", "grain", "block", "packed"],
            &rows,
            "on conflict (store_id, grain, block) do update set packed = excluded.packed",
        )
        .await?;
        for (store, grain, block) in gone {
            tx.sql("delete from ")
                .push(table.name)
                .push(" where store_id = $1 and grain = $2 and block = $3")
                .bind(store)
                .bind(grain)
                .bind(i64::from(block))
                .execute()
                .await?;
        }
    }
    Ok(())
}

/// The error for sums that cannot be added.
pub fn unfit(error: SumsError) -> ApiError {
    match error {
        SumsError::TooLarge => too_large(),
        SumsError::Unreadable => ApiError::internal(error),
    }
}

/// The error for an overflowing sum.
pub fn too_large() -> ApiError {
    ApiError::unprocessable(
        "tooLarge",
        "A sum grows past what can be stored. Check the quantities and the bills of materials.",
    )
}
