//! Stock due to stores, and stock reserved for others: read for all stores at once.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::document::quantity;
use larder_domain::{BusinessDay, Factor, Qty};

/// A product due to a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coming {
    pub store_id: String,
    pub product_id: String,
    /// In base units.
    pub qty: Qty,
    /// Due date: the delivery's, or the day an order is needed.
    pub due: BusinessDay,
    /// Whether it is in transit; otherwise ordered and not dispatched yet.
    pub on_the_way: bool,
}

/// Stock in transit to some stores, and their orders not dispatched yet, by store, day and product. Lines of
/// `but`, the order being written, are left out.
///
/// # Errors
/// If the database fails.
pub async fn coming(db: &Db, stores: &[String], but: Option<&str>) -> Result<Vec<Coming>, DbError> {
    let in_transit: Vec<(String, String, BusinessDay, Qty)> = db
        .sql(
            "select d.store_id, b.item_id, d.on_date, cast(sum(b.qty) as bigint) from documents d
             join stock_balances b on b.place_kind = 'inTransit' and b.place_id = d.store_id || '_' || d.id
             where d.kind in ('delivery', 'transfer') and d.state in ('dispatched', 'partiallyReceived')
               and b.item_kind = 'product' and b.qty <> 0 and d.store_id in ",
        )
        .push_ids(stores)
        .push(" group by d.store_id, b.item_id, d.on_date")
        .all()
        .await?;
    let ordered: Vec<(String, String, BusinessDay, Factor, Qty)> = db
        .sql(
            "select d.store_id, l.product_id, d.on_date, l.factor, coalesce(l.qty_approved, l.qty_ordered) \
               - l.qty_dispatched - l.qty_short_closed
             from documents d join order_lines l on l.document_id = d.id
             where d.kind = 'storeOrder' and d.state in ('submitted', 'approved', 'inFulfilment', 'partiallyReceived')
               and d.id <> ",
        )
        .push_bind(but.unwrap_or_default().to_owned())
        .push(" and d.store_id in ")
        .push_ids(stores)
        .all()
        .await?;
    let mut sums: HashMap<(String, BusinessDay, String, bool), Qty> = HashMap::new();
    let mut add = |store: String, product: String, due, on_the_way, qty: Qty| {
        let sum = sums.entry((store, due, product, on_the_way)).or_default();
        *sum = sum.checked_add(qty).unwrap_or(*sum);
    };
    for (store, product, due, qty) in in_transit {
        add(store, product, due, true, qty);
    }
    for (store, product, due, factor, qty) in ordered.into_iter().filter(|row| row.4.0 > 0) {
        add(store, product, due, false, quantity::base(qty, factor).unwrap_or_default());
    }
    let mut coming: Vec<Coming> = sums
        .into_iter()
        .map(|((store_id, due, product_id, on_the_way), qty)| Coming {
            store_id,
            product_id,
            qty,
            due,
            on_the_way,
        })
        .collect();
    coming.sort_by(|a, b| {
        let key = |it: &Coming| (it.store_id.clone(), it.due, it.product_id.clone(), it.on_the_way);
        key(a).cmp(&key(b))
    });
    Ok(coming)
}

/// Stock of some stores being prepared for another one: store, product, base units.
///
/// # Errors
/// If the database fails.
pub async fn committed(db: &Db, stores: &[String]) -> Result<Vec<(String, String, Qty)>, DbError> {
    let rows: Vec<(String, String, Factor, Qty)> = db
        .sql(
            "select d.source_id, l.product_id, l.factor, coalesce(l.picked, l.ordered)
             from documents d join shipment_lines l on l.document_id = d.id
             where d.kind = 'transfer' and d.state in ('picking', 'packed') and d.source_id in ",
        )
        .push_ids(stores)
        .push(" order by d.source_id, l.product_id, l.id")
        .all()
        .await?;
    let base = |(store, product, factor, qty): (String, String, Factor, Qty)| {
        (store, product, quantity::base(qty, factor).unwrap_or_default())
    };
    Ok(rows.into_iter().map(base).collect())
}
