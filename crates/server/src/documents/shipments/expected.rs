//! What is on its way to stores.

use larder_db::{Db, DbError};
use larder_domain::BusinessDay;
use serde::Serialize;
use utoipa::ToSchema;

/// Most shipments that are told at once.
const MOST: i64 = 500;

/// A delivery or a transfer on its way.
#[derive(Debug, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ExpectedDelivery {
    pub id: String,
    /// `delivery` or `transfer`.
    pub kind: String,
    pub delivery_no: String,
    /// `dispatched` or `partiallyReceived`.
    pub status: String,
    pub store_id: String,
    pub store_name: Option<String>,
    pub source_type: String,
    pub source_id: String,
    pub source_name: Option<String>,
    /// The day it was to arrive.
    pub planned_date: BusinessDay,
    pub line_count: i64,
    /// A receipt of it that is being written.
    pub draft_id: Option<String>,
}

/// Deliveries and transfers that left for some stores and were not wholly taken in, the oldest first.
///
/// # Errors
/// When the database does not answer.
pub async fn expected(db: &Db, stores: Option<&[String]>) -> Result<Vec<ExpectedDelivery>, DbError> {
    let mut query = db.sql(
        "select d.id, d.kind, d.number as delivery_no, d.state as status, d.store_id, s.name as store_name,
           d.source_type, d.source_id,
           coalesce((select name from commissaries where id = d.source_id),
                    (select name from warehouses where id = d.source_id),
                    (select name from locations where id = d.source_id)) as source_name,
           d.on_date as planned_date, d.line_count,
           (select min(r.id) from document_links l join documents r on r.id = l.document_id
            where l.origin_id = d.id and r.kind = 'receipt' and r.state = 'draft') as draft_id
         from documents d left join locations s on s.id = d.store_id
         where d.kind in ('delivery', 'transfer') and (d.state = 'dispatched' or d.state = 'partiallyReceived' and exists (
             select 1 from shipment_lines l where l.document_id = d.id and l.dispatched_base > l.settled_base
               and not exists (select 1 from receipt_lines t join documents r on r.id = t.document_id
                               where t.source_line_id = l.id and r.state in ('posted', 'reconciled'))))",
    );
    if let Some(stores) = stores {
        query = query.push(" and d.store_id in ").push_ids(stores);
    }
    query.push(" order by d.on_date, d.id limit ").push_bind(MOST).all().await
}
