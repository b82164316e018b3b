//! Stock that cannot be used: recalled and expired lots.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::ledger::Place;
use larder_domain::{BusinessDay, Qty};

use super::lots::unusable;
use super::products::{Content, balances, contents};
use super::without_lot::Key;
use crate::stock::left_of_lots::{WITH_STOCK, left_of_lots};

/// A product at a place that keeps a balance, in base units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance {
    pub qty: Qty,
    /// What of it is recalled or expired.
    pub unusable: Qty,
}

impl Balance {
    /// What can be sent or used.
    #[must_use]
    pub const fn usable(self) -> Qty {
        Qty(self.qty.0 - self.unusable.0)
    }
}

/// The balances of products at a place that keeps one, with what of them cannot be used on a day. Lots without an expiry
/// date count as usable, as they do for picking.
///
/// # Errors
/// If the database fails.
pub async fn usable_balances(
    db: &Db,
    place: &Place,
    day: BusinessDay,
) -> Result<HashMap<String, Balance>, DbError> {
    let rows: Vec<(String, String, Qty)> = db
        .sql(
            "select b.product_id, b.lot, b.qty from lot_balances b \
             join lots l on l.product_id = b.product_id and l.lot = b.lot \
             where b.place_kind = $1 and b.place_id = $2 and b.qty > 0 \
             and (l.recalled_at is not null or l.expiry < $3)",
        )
        .bind(place.kind.as_str())
        .bind(&place.id)
        .bind(day)
        .all()
        .await?;
    let products: BTreeSet<&str> = rows.iter().map(|(product, ..)| product.as_str()).collect();
    let left = left_of_lots(db.sql(WITH_STOCK), products.into_iter().map(|id| (id, place))).await?;
    let mut lots: HashMap<String, Qty> = HashMap::new();
    for (product, lot, qty) in rows {
        let key = (product.clone(), place.clone(), lot);
        let qty = left.get(&key).map_or(qty, |left| qty.min(*left));
        let sum = lots.entry(product).or_default();
        *sum = Qty(sum.0.saturating_add(qty.0));
    }
    let of_product = |(id, qty): (String, Qty)| {
        let unusable = lots.get(&id).copied().unwrap_or_default();
        let unusable = unusable.min(qty.max(Qty::ZERO));
        (id, Balance { qty, unusable })
    };
    Ok(balances(db, place).await?.into_iter().map(of_product).collect())
}

/// Stock that cannot be used in some stores on a day, by store and root item, in root units: what is likely there of
/// recalled and expired lots. Only root items with such lots are looked at.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn unusable_of_stores(
    db: &Db,
    stores: &[String],
    day: BusinessDay,
) -> Result<HashMap<String, HashMap<String, Qty>>, DbError> {
    let mut found: HashMap<String, HashMap<String, Qty>> = HashMap::new();
    if stores.is_empty() {
        return Ok(found);
    }
    // A lot without an expiry date expires by the product's shelf life.
    let with_lots: Vec<(String, String)> = db
        .sql(
            "select distinct b.place_id, b.product_id from lot_balances b \
             join lots l on l.product_id = b.product_id and l.lot = b.lot \
             where b.place_kind = 'store' and b.qty > 0 and (l.recalled_at is not null or l.expiry is null or l.expiry < ",
        )
        .push_bind(day)
        .push(") and b.place_id in ")
        .push_ids(stores)
        .all()
        .await?;
    if with_lots.is_empty() {
        return Ok(found);
    }
    let contents: HashMap<String, Content> =
        contents(db).await?.into_iter().map(|content| (content.id.clone(), content)).collect();
    let mut wanted: BTreeSet<Key> = BTreeSet::new();
    for (store, product) in &with_lots {
        let parts = contents.get(product).map(|content| content.parts.as_slice());
        wanted.extend(parts.unwrap_or_default().iter().map(|(root, _)| (store.clone(), root.clone())));
    }
    for ((store, root), qty) in unusable(db, &wanted, day).await? {
        found.entry(store).or_default().insert(root, qty);
    }
    Ok(found)
}
