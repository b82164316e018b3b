//! Shipments in transit to stores.

use std::collections::HashMap;

use larder_db::{Db, DbError, Query};
use larder_domain::document::receipt::{self, Reason, Resolution};
use larder_domain::{BusinessDay, Factor, Qty};
use serde::Serialize;
use utoipa::ToSchema;

/// Dispatched and not fully received.
const ON_THE_WAY: &str = " from documents d left join locations s on s.id = d.store_id
     where d.kind in ('delivery', 'transfer') and (d.state = 'dispatched' or d.state = 'partiallyReceived' and exists (
         select 1 from shipment_lines l where l.document_id = d.id and l.dispatched_base > l.settled_base
           and not exists (select 1 from receipt_lines t join documents r on r.id = t.document_id
                           where t.source_line_id = l.id and r.state in ('posted', 'reconciled'))))";

/// With goods in transit: still to arrive, or missing from a receipt and waiting for a decision.
const IN_TRANSIT: &str = " from documents d left join locations s on s.id = d.store_id
     where d.kind in ('delivery', 'transfer') and d.state in ('dispatched', 'partiallyReceived') and exists (
         select 1 from shipment_lines l where l.document_id = d.id
           and l.dispatched + l.overage - l.accepted - l.returned - l.written_off <> 0)";

/// A delivery or transfer in transit.
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
    /// Expected arrival date.
    pub planned_date: BusinessDay,
    pub line_count: i64,
    /// A draft receipt of it.
    pub draft_id: Option<String>,
}

/// Quantity of a line still to be received, in its unit.
#[derive(Debug, Serialize, ToSchema, larder_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ExpectedLine {
    /// The line of the delivery or transfer: a receipt's `sourceLineId`.
    pub id: String,
    #[serde(skip)]
    pub document_id: String,
    pub product_id: String,
    pub sku: Option<String>,
    pub name: String,
    pub uom_id: String,
    pub uom_code: String,
    /// Whether only whole numbers are allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<bool>,
    /// Base units in one unit.
    pub factor: Factor,
    pub expected: Qty,
    pub lot: Option<String>,
    pub expiry: Option<BusinessDay>,
}

/// A posted receipt's figures for a line.
#[derive(larder_db::FromRow)]
struct TakenIn {
    source_line_id: String,
    expected: Qty,
    received: Qty,
    rejected: Qty,
    reason: Option<String>,
    resolution: Option<String>,
}

/// Quantities to receive by shipment: in transit, less what posted receipts have still to settle.
///
/// # Errors
/// If the database fails.
pub async fn expected_lines(db: &Db, ids: &[&str]) -> Result<HashMap<String, Vec<ExpectedLine>>, DbError> {
    let lines: Vec<ExpectedLine> = db
        .sql(
            "select id, document_id, product_id, sku, name, uom_id, uom_code,
               (select u.whole_only from uoms u where u.id = shipment_lines.uom_id) as whole, factor,
               dispatched + overage - accepted - returned - written_off as expected, lot, expiry
             from shipment_lines
             where dispatched + overage - accepted - returned - written_off > 0 and document_id in ",
        )
        .push_ids(ids)
        .push(" order by document_id, position")
        .all()
        .await?;
    let mut pending: HashMap<String, i64> = HashMap::new();
    let taken: Vec<TakenIn> = db
        .sql(
            "select t.source_line_id, t.expected, t.received, t.rejected, t.reason, t.resolution
             from shipment_lines l join receipt_lines t on t.source_line_id = l.id
             join documents r on r.id = t.document_id and r.state = 'posted' where l.document_id in ",
        )
        .push_ids(ids)
        .all()
        .await?;
    for line in taken {
        let figures = receipt::Line {
            expected: line.expected,
            received: line.received,
            rejected: line.rejected,
            reason: line.reason.as_deref().and_then(Reason::parse),
            resolution: line.resolution.as_deref().and_then(Resolution::parse),
        };
        let open = figures.effect(Qty::ZERO, true).map(|effect| effect.pending.0).unwrap_or_default();
        *pending.entry(line.source_line_id).or_default() += open;
    }
    let mut of_shipment: HashMap<String, Vec<ExpectedLine>> = HashMap::new();
    for mut line in lines {
        line.expected = Qty(line.expected.0 - pending.get(&line.id).copied().unwrap_or_default());
        if line.expected.0 > 0 {
            of_shipment.entry(line.document_id.clone()).or_default().push(line);
        }
    }
    Ok(of_shipment)
}

/// Deliveries and transfers to some stores that are not fully received, oldest first.
///
/// # Errors
/// If the database fails.
pub async fn expected(db: &Db, stores: Option<&[String]>) -> Result<Vec<ExpectedDelivery>, DbError> {
    shipments(db, ON_THE_WAY, stores).await
}

/// Shipments with goods in transit, oldest first, with those whose receipt is posted but leaves a difference to settle.
///
/// # Errors
/// If the database fails.
pub async fn in_transit(db: &Db, stores: Option<&[String]>) -> Result<Vec<ExpectedDelivery>, DbError> {
    shipments(db, IN_TRANSIT, stores).await
}

async fn shipments(
    db: &Db,
    which: &'static str,
    stores: Option<&[String]>,
) -> Result<Vec<ExpectedDelivery>, DbError> {
    let query = db.sql(
        "select d.id, d.kind, d.number as delivery_no, d.state as status, d.store_id, s.name as store_name,
           d.source_type, d.source_id,
           coalesce((select name from commissaries where id = d.source_id),
                    (select name from warehouses where id = d.source_id),
                    (select name from locations where id = d.source_id)) as source_name,
           d.on_date as planned_date, d.line_count,
           (select min(r.id) from document_links l join documents r on r.id = l.document_id
            where l.origin_id = d.id and r.kind = 'receipt' and r.state = 'draft') as draft_id",
    );
    within(query, which, stores).push(" order by d.on_date, d.id").all().await
}

fn within<'q>(query: Query<'q>, which: &'static str, stores: Option<&[String]>) -> Query<'q> {
    let query = query.push(which);
    match stores {
        Some(stores) => query.push(" and d.store_id in ").push_ids(stores),
        None => query,
    }
}
