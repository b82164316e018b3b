//! SQL queries.

use larder_db::{Db, DbError, Json};
use larder_documents::orders::OrderDetails;
use larder_domain::{BusinessDay, Span, Timestamp};

/// A store's name, if it exists.
pub(super) async fn store_name(db: &Db, store_id: &str) -> Result<Option<(String,)>, DbError> {
    db.sql("select name from locations where id = $1").bind(store_id).optional().await
}

/// Number of items counted in a session.
pub(super) async fn counted(
    db: &Db,
    store_id: &str,
    date: BusinessDay,
    session: &str,
) -> Result<i64, DbError> {
    db.sql(
        "select cast(count(*) as bigint) from store_counts
         where store_id = $1 and date = $2 and session = $3 and qty is not null",
    )
    .bind(store_id)
    .bind(date)
    .bind(session)
    .scalar()
    .await
}

/// Names of commissaries, warehouses and suppliers, by id.
pub(super) async fn sources(db: &Db, ids: &[&str]) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from commissaries where id in ")
        .push_ids(ids)
        .push(" union all select id, name from warehouses where id in ")
        .push_ids(ids)
        .push(" union all select id, name from suppliers where id in ")
        .push_ids(ids)
        .all()
        .await
}

/// A store's order that was not cancelled.
#[derive(larder_db::FromRow)]
pub(super) struct Order {
    pub id: String,
    pub number: String,
    pub state: String,
    pub source_type: Option<String>,
    pub source_id: Option<String>,
    pub on_date: BusinessDay,
}

/// A store's orders for a date range; drafts first within each day.
pub(super) async fn orders(db: &Db, store_id: &str, days: Span) -> Result<Vec<Order>, DbError> {
    db.sql(
        "select id, number, state, source_type, source_id, on_date from documents
         where store_id = $1 and kind = 'storeOrder' and on_date between $2 and $3 and state <> 'cancelled'
         order by on_date, case state when 'draft' then 0 when 'rejected' then 1 else 2 end, id",
    )
    .bind(store_id)
    .bind(days.from)
    .bind(days.to)
    .all()
    .await
}

/// An order of a store, as the phone lists it.
#[derive(larder_db::FromRow)]
pub(super) struct Placed {
    pub id: String,
    pub number: String,
    pub state: String,
    pub source_type: Option<String>,
    pub source_id: Option<String>,
    pub on_date: BusinessDay,
    pub line_count: i64,
    pub details: Json<OrderDetails>,
    /// Number of lines granted less than was ordered.
    pub cut: i64,
}

/// A store's open orders, and settled ones needed since a day, the latest needed first.
pub(super) async fn placed(db: &Db, store_id: &str, since: BusinessDay) -> Result<Vec<Placed>, DbError> {
    db.sql(
        "select d.id, d.number, d.state, d.source_type, d.source_id, d.on_date, d.line_count, d.details,
           (select cast(count(*) as bigint) from order_lines l
            where l.document_id = d.id and l.qty_approved < l.qty_ordered) as cut
         from documents d
         where d.store_id = $1 and d.kind = 'storeOrder'
           and (d.state in ('draft', 'submitted', 'rejected', 'approved', 'inFulfilment', 'partiallyReceived')
             or (d.state in ('received', 'closed') and d.on_date >= $2))
         order by d.on_date desc, d.id desc limit 100",
    )
    .bind(store_id)
    .bind(since)
    .all()
    .await
}

/// Deliveries of some orders that were not cancelled: order, number, state.
pub(super) async fn deliveries(db: &Db, orders: &[&str]) -> Result<Vec<(String, String, String)>, DbError> {
    db.sql(
        "select l.origin_id, d.number, d.state from document_links l join documents d on d.id = l.document_id
         where d.kind = 'delivery' and d.state <> 'cancelled' and l.origin_id in ",
    )
    .push_ids(orders)
    .push(" order by d.number")
    .all()
    .await
}

/// Number of a store's unposted waste documents, by status.
pub(super) async fn open_waste(db: &Db, store_id: &str) -> Result<Vec<(String, i64)>, DbError> {
    db.sql(
        "select state, cast(count(*) as bigint) from documents
         where kind = 'waste' and state in ('draft', 'submitted', 'rejected') and store_id = $1 group by state",
    )
    .bind(store_id)
    .all()
    .await
}

/// When a store's sales of a day last changed; `None` if there are none.
pub(super) async fn sales_known(
    db: &Db,
    store_id: &str,
    date: BusinessDay,
) -> Result<Option<Timestamp>, DbError> {
    let found: Option<(Option<Timestamp>,)> = db
        .sql("select max(posted_at) from sales_days where store_id = $1 and business_date = $2")
        .bind(store_id)
        .bind(date)
        .optional()
        .await?;
    Ok(found.and_then(|(at,)| at))
}
