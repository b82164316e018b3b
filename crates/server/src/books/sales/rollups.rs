//! Adds differences to the sums that reports read.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{DbError, Tx};
use larder_domain::sales::Deltas;

use crate::http::ApiError;

/// Takes the turn of every store, in one order for everybody: two writers of a store's sales never
/// reckon from the same old figures, and never wait for each other in a circle.
pub async fn lock<'a>(tx: &mut Tx<'_>, stores: impl Iterator<Item = &'a str>) -> Result<(), DbError> {
    let stores: BTreeSet<&str> = stores.collect();
    for store in stores {
        tx.sql(
            "insert into sales_locks (store_id, turn) values ($1, 1)
             on conflict (store_id) do update set turn = sales_locks.turn + 1",
        )
        .bind(store)
        .execute()
        .await?;
    }
    Ok(())
}

/// Adds the differences, in the order of the tables' keys; sums that come to nothing go.
pub async fn apply(tx: &mut Tx<'_>, deltas: &Deltas) -> Result<(), DbError> {
    let pos = deltas.pos_rows();
    let values: Vec<_> = pos
        .iter()
        .map(|(store, grain, period, item, sum)| {
            (store.as_ref(), grain.code(), *period, item.as_ref(), sum.qty, sum.gross, sum.net, sum.lines)
        })
        .collect();
    tx.insert_rows(
        "sales_rollup_pos",
        &["store_id", "grain", "period", "pos_item_id", "qty", "gross", "net", "lines"],
        values,
        "on conflict (store_id, grain, period, pos_item_id) do update set
            qty = sales_rollup_pos.qty + excluded.qty, gross = sales_rollup_pos.gross + excluded.gross,
            net = sales_rollup_pos.net + excluded.net, lines = sales_rollup_pos.lines + excluded.lines",
    )
    .await?;
    let shrunk =
        spans(pos.iter().filter(|row| row.4.lines < 0).map(|row| (row.0.as_ref(), row.1.code(), row.2)));
    for (store, grain, first, last) in shrunk {
        tx.sql(
            "delete from sales_rollup_pos where store_id = $1 and grain = $2 and period between $3 and $4
               and lines = 0 and qty = 0 and gross = 0 and net = 0",
        )
        .bind(store)
        .bind(grain)
        .bind(i64::from(first))
        .bind(i64::from(last))
        .execute()
        .await?;
    }
    let root = deltas.root_rows();
    let values: Vec<_> = root
        .iter()
        .map(|(store, grain, period, item, qty)| (store.as_ref(), grain.code(), *period, item.as_ref(), *qty))
        .collect();
    tx.insert_rows(
        "sales_rollup_root",
        &["store_id", "grain", "period", "root_item_id", "qty"],
        values,
        "on conflict (store_id, grain, period, root_item_id) do update set
            qty = sales_rollup_root.qty + excluded.qty",
    )
    .await?;
    let shrunk = spans(root.iter().filter(|row| row.4 < 0).map(|row| (row.0.as_ref(), row.1.code(), row.2)));
    for (store, grain, first, last) in shrunk {
        tx.sql(
            "delete from sales_rollup_root where store_id = $1 and grain = $2 and period between $3 and $4
               and qty = 0",
        )
        .bind(store)
        .bind(grain)
        .bind(i64::from(first))
        .bind(i64::from(last))
        .execute()
        .await?;
    }
    Ok(())
}

/// Per store and grain the first and last period touched.
fn spans<'a>(keys: impl Iterator<Item = (&'a str, i64, i32)>) -> Vec<(&'a str, i64, i32, i32)> {
    let mut spans: BTreeMap<(&str, i64), (i32, i32)> = BTreeMap::new();
    for (store, grain, period) in keys {
        let span = spans.entry((store, grain)).or_insert((period, period));
        *span = (span.0.min(period), span.1.max(period));
    }
    spans.into_iter().map(|((store, grain), (first, last))| (store, grain, first, last)).collect()
}

/// A sum is past what can be kept.
pub fn too_large() -> ApiError {
    ApiError::unprocessable(
        "tooLarge",
        "A sum grows past what can be kept. Check the quantities and the bills of materials.",
    )
}
