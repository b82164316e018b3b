//! What a stock-take compares with: balances by lot, and what moved since it was counted.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{Db, DbError, Query, Tx};
use larder_domain::ledger::{DocumentType, Place};
use larder_domain::{Qty, Timestamp};

use crate::stock;

/// A product and a lot of it; `None`: what has no lot.
pub type OfLot = (String, Option<String>);

/// A movement after a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovedSince {
    /// When it was posted; what a stock-take posted counts from when it was counted.
    pub at: Timestamp,
    pub qty: Qty,
    pub document_type: DocumentType,
}

/// The ledger's view of some products at a place that keeps a balance.
#[derive(Debug, Clone, Default)]
pub struct Book {
    balances: BTreeMap<OfLot, Qty>,
    moved: BTreeMap<OfLot, Vec<MovedSince>>,
}

impl Book {
    /// The balance now, in base units.
    #[must_use]
    pub fn balance(&self, of: &OfLot) -> Qty {
        self.balances.get(of).copied().unwrap_or_default()
    }

    /// Balances other than zero, by product and lot.
    pub fn balances(&self) -> impl Iterator<Item = (&OfLot, Qty)> {
        self.balances.iter().map(|(of, qty)| (of, *qty))
    }

    /// What moved after the time it was read for.
    #[must_use]
    pub fn moved(&self, of: &OfLot) -> &[MovedSince] {
        self.moved.get(of).map_or(&[], Vec::as_slice)
    }
}

#[derive(larder_db::FromRow)]
struct Moved {
    product_id: String,
    lot: Option<String>,
    posted_at: Timestamp,
    counted_at: Option<Timestamp>,
    qty: Qty,
    document_type: DocumentType,
}

fn totals<'q>(query: Query<'q>, place: &Place) -> Query<'q> {
    query
        .push("select item_id, qty from stock_balances where item_kind = 'product' and place_kind = ")
        .push_bind(place.kind.as_str())
        .push(" and place_id = ")
        .push_bind(&place.id)
}

fn by_lot<'q>(query: Query<'q>, place: &Place) -> Query<'q> {
    query
        .push("select product_id, lot, qty from lot_balances where qty <> 0 and place_kind = ")
        .push_bind(place.kind.as_str())
        .push(" and place_id = ")
        .push_bind(&place.id)
}

fn since<'q>(query: Query<'q>, place: &Place, products: &[&str], time: Timestamp) -> Query<'q> {
    query
        .push(
            "select m.item_id as product_id, m.lot, m.posted_at, t.counted_at, m.qty, m.document_type \
             from stock_movements m left join stock_take_lines t on m.document_type = 'stockTake' \
               and t.document_id = m.document_id and t.position = m.document_line \
             where m.item_kind = 'product' and m.place_kind = ",
        )
        .push_bind(place.kind.as_str())
        .push(" and m.place_id = ")
        .push_bind(&place.id)
        .push(" and m.posted_at > ")
        .push_bind(time)
        .push(" and m.item_id in ")
        .push_ids(products)
}

/// What has no lot is the balance less its lots.
fn book(totals: Vec<(String, Qty)>, lots: Vec<(String, String, Qty)>, moved: Vec<Moved>) -> Book {
    let mut balances: BTreeMap<OfLot, Qty> =
        totals.into_iter().map(|(product, qty)| ((product, None), qty)).collect();
    for (product, lot, qty) in lots {
        let rest = balances.entry((product.clone(), None)).or_default();
        *rest = Qty(rest.0.saturating_sub(qty.0));
        balances.insert((product, Some(lot)), qty);
    }
    balances.retain(|_, qty| !qty.is_zero());
    let mut by_lot: BTreeMap<OfLot, Vec<MovedSince>> = BTreeMap::new();
    for row in moved {
        let at = row.counted_at.unwrap_or(row.posted_at);
        let moved = MovedSince { at, qty: row.qty, document_type: row.document_type };
        by_lot.entry((row.product_id, row.lot)).or_default().push(moved);
    }
    Book { balances, moved: by_lot }
}

/// What is at a place by the ledger, without what moved: for a sheet. Also the products that moved there after a time
/// and of which nothing is left.
///
/// # Errors
/// If the database fails.
pub async fn sheet(
    tx: &mut Tx<'_>,
    place: &Place,
    moved_after: Timestamp,
) -> Result<(Book, BTreeSet<String>), DbError> {
    let lots = by_lot(tx.sql(""), place).all().await?;
    let gone: Vec<(String,)> = tx
        .sql(
            "select item_id from stock_balances where item_kind = 'product' and qty = 0 and place_kind = $1 \
             and place_id = $2 and moved_at > $3",
        )
        .bind(place.kind.as_str())
        .bind(&place.id)
        .bind(moved_after)
        .all()
        .await?;
    let totals = totals(tx.sql(""), place).all().await?;
    Ok((book(totals, lots, Vec::new()), gone.into_iter().map(|(id,)| id).collect()))
}

/// What the ledger has of some products, with what moved after a time.
///
/// # Errors
/// If the database fails.
pub async fn book_of(
    db: &Db,
    place: &Place,
    products: &BTreeSet<&str>,
    time: Timestamp,
) -> Result<Book, DbError> {
    let ids: Vec<&str> = products.iter().copied().collect();
    let total = totals(db.sql(""), place).push(" and item_id in ").push_ids(&ids).all().await?;
    let lots = by_lot(db.sql(""), place).push(" and product_id in ").push_ids(&ids).all().await?;
    let moved = since(db.sql(""), place, &ids, time).all().await?;
    Ok(book(total, lots, moved))
}

/// As [`book_of`], with the balances locked in the ledger's order until the transaction ends.
///
/// # Errors
/// If the database fails.
pub async fn hold_book(
    tx: &mut Tx<'_>,
    place: &Place,
    products: &BTreeSet<&str>,
    time: Timestamp,
) -> Result<Book, DbError> {
    let ids: Vec<&str> = products.iter().copied().collect();
    let mut total = Vec::with_capacity(ids.len());
    for id in &ids {
        let qty = stock::hold_balance(tx, &stock::product(id), place).await?;
        total.push(((*id).to_owned(), qty));
    }
    let lots = by_lot(tx.sql(""), place).push(" and product_id in ").push_ids(&ids).all().await?;
    let moved = since(tx.sql(""), place, &ids, time).all().await?;
    Ok(book(total, lots, moved))
}
