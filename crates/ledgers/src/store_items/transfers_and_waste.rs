//! Transfers and waste per store and day.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::ledger::DocumentType;
use larder_domain::on_hand::EventTime;
use larder_domain::on_hand::movement::{MovementKind, TransfersAndWaste};
use larder_domain::{BusinessDay, Span, Timestamp};

use super::flows::{Sum, in_roots};

/// By store and root item, day by day.
type Days = HashMap<(String, String), Vec<(BusinessDay, TransfersAndWaste)>>;

#[derive(sqlx::FromRow)]
struct Row {
    store_id: String,
    item_kind: String,
    item_id: String,
    business_date: BusinessDay,
    happened_at: Option<Timestamp>,
    document_type: DocumentType,
    at_receiver: bool,
    qty: larder_domain::Qty,
}

/// Transfers and waste in some stores, in root items. Days without any are left out.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn transfers_and_waste(db: &Db, stores: &[String], span: Span) -> Result<Days, DbError> {
    let rows: Vec<Row> = db
        .sql(
            "select m.place_id as store_id, m.item_kind, m.item_id, m.business_date, m.happened_at, \
             m.document_type, coalesce(d.store_id = m.place_id, false) as at_receiver, cast(sum(m.qty) as bigint) as qty \
             from stock_movements m left join documents d on d.id = m.document_id and d.kind = 'receipt' \
             where m.place_kind = 'store' and m.business_date between $1 and $2 and (m.document_type in ('transfer', 'waste') \
             or m.document_type = 'receipt' and d.source_type = 'transfer') and m.place_id in ",
        )
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(
            " group by m.place_id, m.item_kind, m.item_id, m.business_date, m.happened_at, m.document_type, \
             coalesce(d.store_id = m.place_id, false)",
        )
        .all()
        .await?;
    let sums = rows.into_iter().map(|row| {
        let way = MovementKind::of(row.document_type, true, row.at_receiver);
        let time = EventTime { date: row.business_date, at: row.happened_at };
        Sum { store: row.store_id, kind: row.item_kind, item: row.item_id, qty: row.qty, time, of: way }
    });
    let mut days = Days::new();
    for Sum { store, item, qty, time, of: way, .. } in in_roots(db, sums.collect()).await? {
        let words = || DbError::Invalid("movements come to more than can be stored".to_owned());
        let one = TransfersAndWaste::default().plus(way, qty).ok_or_else(words)?;
        days.entry((store, item)).or_default().push((time.date, one));
    }
    Ok(days)
}

/// Source and store of a receipt.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ReceiptOf {
    pub id: String,
    pub source_type: Option<String>,
    /// The receiving store.
    pub store_id: Option<String>,
}

/// Source and store of these documents, without those that are not receipts.
///
/// # Errors
/// If the database fails.
pub async fn receipts(db: &Db, ids: &[&str]) -> Result<Vec<ReceiptOf>, DbError> {
    let query = db.sql("select id, source_type, store_id from documents where kind = 'receipt' and id in ");
    query.push_ids(ids).all().await
}
