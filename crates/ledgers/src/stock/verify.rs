//! Recounts balances from movements, and quantities from balances.

use larder_db::{Db, DbError};

/// A difference found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The item and place.
    pub what: String,
    /// Stored value.
    pub kept: i64,
    /// Recounted value.
    pub counted: i64,
}

type Row = (String, i64, i64);

/// All differences; empty if the ledger is consistent.
///
/// # Errors
/// If the database fails.
pub async fn verify(db: &Db) -> Result<Vec<Difference>, DbError> {
    let mut found = Vec::new();
    for text in [BALANCES, UNKEPT, RUNNING, QUANTITIES, LOTS, CAME, RECEIVED] {
        let rows: Vec<Row> = db.sql(text).all().await?;
        found.extend(rows.into_iter().map(|(what, kept, counted)| Difference { what, kept, counted }));
    }
    Ok(found)
}

const BALANCES: &str =
    "select 'balance ' || b.item_id || ' ' || b.place_id, b.qty, cast(coalesce(m.qty, 0) as bigint)
     from stock_balances b left join (
       select item_kind, item_id, place_kind, place_id, sum(qty) as qty from stock_movements
       group by item_kind, item_id, place_kind, place_id
     ) m on m.item_kind = b.item_kind and m.item_id = b.item_id
        and m.place_kind = b.place_kind and m.place_id = b.place_id
     where b.qty <> coalesce(m.qty, 0)";

const UNKEPT: &str =
    "select 'no balance ' || m.item_id || ' ' || m.place_id, cast(0 as bigint), cast(sum(m.qty) as bigint)
     from stock_movements m where not exists (
       select 1 from stock_balances b where b.item_kind = m.item_kind and b.item_id = m.item_id
         and b.place_kind = m.place_kind and b.place_id = m.place_id)
     group by m.item_id, m.place_id";

const RUNNING: &str = "select 'after movement ' || cast(seq as text), balance, cast(counted as bigint) from (
       select seq, balance, sum(qty) over (
         partition by item_kind, item_id, place_kind, place_id order by seq
       ) as counted from stock_movements
     ) m where balance <> counted";

const QUANTITIES: &str = "select 'product ' || p.id, p.quantity, cast(coalesce(b.qty, 0) as bigint)
     from products p left join (
       select item_id, sum(qty) as qty from stock_balances
       where item_kind = 'product' and place_kind in ('commissary', 'warehouse', 'coldStorage') group by item_id
     ) b on b.item_id = p.id
     where p.quantity <> coalesce(b.qty, 0)";

const LOTS: &str = "select 'lot ' || coalesce(b.lot, m.lot) || ' ' || coalesce(b.product_id, m.item_id) || ' ' \
     || coalesce(b.place_id, m.place_id), coalesce(b.qty, 0), cast(coalesce(m.qty, 0) as bigint)
     from lot_balances b full outer join (
       select item_id, place_kind, place_id, lot, sum(qty) as qty from stock_movements
       where lot is not null and item_kind = 'product' group by item_id, place_kind, place_id, lot
     ) m on m.item_id = b.product_id and m.place_kind = b.place_kind and m.place_id = b.place_id and m.lot = b.lot
     where coalesce(b.qty, 0) <> coalesce(m.qty, 0)";

/// What came of each lot to each place, and when it first did.
const CAME: &str = "select 'came of lot ' || b.lot || ' ' || b.product_id || ' ' || b.place_id, b.came, \
     cast(coalesce(m.came, 0) as bigint)
     from lot_balances b left join (
       select item_id, place_kind, place_id, lot, sum(qty) as came from stock_movements
       where lot is not null and item_kind = 'product' and (qty > 0) = (reverses is null)
       group by item_id, place_kind, place_id, lot
     ) m on m.item_id = b.product_id and m.place_kind = b.place_kind and m.place_id = b.place_id and m.lot = b.lot
     where b.came <> coalesce(m.came, 0)";

const RECEIVED: &str = "select 'first arrival of lot ' || b.lot || ' ' || b.product_id || ' ' || b.place_id, \
     coalesce(b.received, -1), coalesce(m.received, -1)
     from lot_balances b left join (
       select item_id, place_kind, place_id, lot, min(business_date) as received from stock_movements
       where lot is not null and item_kind = 'product' and qty > 0 and reverses is null
       group by item_id, place_kind, place_id, lot
     ) m on m.item_id = b.product_id and m.place_kind = b.place_kind and m.place_id = b.place_id and m.lot = b.lot
     where coalesce(b.received, -1) <> coalesce(m.received, -1)";
