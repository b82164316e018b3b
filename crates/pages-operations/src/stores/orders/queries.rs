//! SQL queries.

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Factor, Qty};

/// A line of a previous order.
#[derive(larder_db::FromRow)]
pub(super) struct Before {
    pub product_id: String,
    pub qty_ordered: Qty,
    pub uom_code: String,
    pub factor: Factor,
    pub on_date: BusinessDay,
}

/// A store's orders since a day, latest first.
pub(super) async fn ordered_since(
    db: &Db,
    store_id: &str,
    from: BusinessDay,
) -> Result<Vec<Before>, DbError> {
    db.sql(
        "select l.product_id, l.qty_ordered, l.uom_code, l.factor, d.on_date
         from documents d join order_lines l on l.document_id = d.id
         where d.store_id = $1 and d.kind = 'storeOrder' and d.on_date >= $2
           and d.state not in ('draft', 'cancelled', 'rejected') and l.backorder_of is null
         order by d.on_date desc, d.id desc",
    )
    .bind(store_id)
    .bind(from)
    .all()
    .await
}

/// Names of storage requirements and codes of units, by id.
pub(super) async fn names(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from storage_requirements union all select id, coalesce(code, name) from uoms")
        .all()
        .await
}

/// A store's price level, if the store exists.
pub(super) async fn price_level(db: &Db, store_id: &str) -> Result<Option<(Option<String>,)>, DbError> {
    db.sql("select price_level_id from locations where id = $1").bind(store_id).optional().await
}
