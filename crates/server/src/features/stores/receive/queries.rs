//! The SQL of this feature.

use larder_db::{Db, DbError};

use super::expected::ExpectedDelivery;

/// Most deliveries that are told at once.
const MOST: i64 = 500;

/// Deliveries that left for some stores and were not wholly taken in, the oldest first.
pub(super) async fn expected(db: &Db, stores: Option<&[String]>) -> Result<Vec<ExpectedDelivery>, DbError> {
    let mut query = db.sql(
        "select d.id, d.number as delivery_no, d.state as status, d.store_id, d.source_type, d.source_id,
           coalesce((select name from commissaries where id = d.source_id),
                    (select name from warehouses where id = d.source_id)) as source_name,
           d.on_date as planned_date, d.line_count,
           (select min(r.id) from document_links l join documents r on r.id = l.document_id
            where l.origin_id = d.id and r.kind = 'receipt' and r.state = 'draft') as draft_id
         from documents d where d.kind = 'delivery' and d.state in ('dispatched', 'partiallyReceived')",
    );
    if let Some(stores) = stores {
        query = query.push(" and d.store_id in ").push_ids(stores);
    }
    query.push(" order by d.on_date, d.id limit ").push_bind(MOST).all().await
}
