//! SQL queries.

use larder_db::{Db, DbError, Json};
use larder_domain::{BusinessDay, Factor, Qty};

use larder_documents::orders::Share;

/// An order not fully sent.
#[derive(larder_db::FromRow)]
pub(super) struct OpenOrder {
    pub id: String,
    pub number: String,
    pub store_id: String,
    pub store: String,
    pub state: String,
    pub on_date: BusinessDay,
    pub revision: i64,
}

/// Orders to a commissary needed up to a day and not fully sent, by store and day. Selected by status: few
/// are open, however long the history. `CROSS JOIN` fixes SQLite's join order; otherwise it starts with the
/// stores and reads every order they ever placed.
pub(super) async fn open_orders(
    db: &Db,
    commissary_id: &str,
    until: BusinessDay,
    stores: Option<&[String]>,
) -> Result<Vec<OpenOrder>, DbError> {
    let mut query = db
        .sql(
            "select d.id, d.number, d.store_id, l.name as store, d.state, d.on_date, d.revision
             from documents d cross join locations l
             where l.id = d.store_id and d.kind = 'storeOrder' and d.state in ('submitted', 'approved', 'inFulfilment', 'partiallyReceived')
               and d.on_date <= ",
        )
        .push_bind(until)
        .push(" and coalesce(d.source_id, '') = ")
        .push_bind(commissary_id)
        .push(" and d.source_type = 'commissary'");
    if let Some(stores) = stores {
        query = query.push(" and d.store_id in ").push_ids(stores);
    }
    query.push(" order by l.name_key, d.store_id, d.on_date, d.id").all().await
}

/// A line of an open order.
#[derive(larder_db::FromRow)]
pub(super) struct OpenLine {
    pub id: String,
    pub document_id: String,
    pub product_id: String,
    pub uom_id: String,
    pub uom_code: String,
    pub factor: Factor,
    pub qty_ordered: Qty,
    pub qty_approved: Option<Qty>,
    pub qty_dispatched: Qty,
    pub qty_short_closed: Qty,
    pub share: Option<Json<Share>>,
}

pub(super) async fn lines(db: &Db, order_ids: &[&str]) -> Result<Vec<OpenLine>, DbError> {
    db.sql(
        "select id, document_id, product_id, uom_id, uom_code, factor, qty_ordered, qty_approved, qty_dispatched,
           qty_short_closed, share
         from order_lines where document_id in ",
    )
    .push_ids(order_ids)
    .push(" order by document_id, position")
    .all()
    .await
}

/// Names of storage requirements and codes of units, by id.
pub(super) async fn names(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from storage_requirements union all select id, coalesce(code, name) from uoms")
        .all()
        .await
}

/// Names of root items, by id.
pub(super) async fn root_names(db: &Db, ids: &[&str]) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from root_items where id in ").push_ids(ids).all().await
}

/// Whether the commissary exists.
pub(super) async fn is_commissary(db: &Db, id: &str) -> Result<bool, DbError> {
    let query = db.sql("select cast(count(*) as bigint) from commissaries where id = $1").bind(id);
    Ok(query.scalar::<i64>().await? > 0)
}

/// Order and store id of the given orders.
pub(super) async fn stores_of(db: &Db, order_ids: &[String]) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, store_id from documents where kind = 'storeOrder' and store_id is not null and id in ")
        .push_ids(order_ids)
        .push(" order by store_id, on_date, id")
        .all()
        .await
}
