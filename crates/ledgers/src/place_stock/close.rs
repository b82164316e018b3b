//! Goods that came so close to a count that only a person can say if they were counted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::on_hand::{EventTime, Moment};
use larder_domain::{BusinessDay, Qty, Timestamp};

use super::products::{Content, contents};
use crate::store_items::count_item_mapping;

/// A line of a receipt that came close to a count of one of its root items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseLine {
    pub line_id: String,
    pub receipt_id: String,
    /// The receipt's number.
    pub receipt_no: String,
    pub product_id: String,
    pub name: String,
    /// In the line's unit.
    pub accepted: Qty,
    pub uom_code: String,
    /// When it came, if known.
    pub happened_at: Option<Timestamp>,
    /// When the closest of its items was counted.
    pub counted_at: Timestamp,
    /// Whether the count includes it by the times.
    pub before: bool,
    /// What was answered.
    pub included: Option<bool>,
}

#[derive(larder_db::FromRow)]
struct Row {
    line_id: String,
    receipt_id: String,
    receipt_no: String,
    product_id: String,
    name: String,
    accepted: Qty,
    uom_code: String,
    business_date: BusinessDay,
    happened_at: Option<Timestamp>,
    included: Option<bool>,
}

/// The received lines close to a count, in the order of their receipts. Receipts taken back are left out.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn close_to(
    db: &Db,
    (store_id, date, session): (&str, BusinessDay, Session),
) -> Result<Vec<CloseLine>, DbError> {
    let rows: Vec<Row> = db
        .sql(
            "select l.id as line_id, d.id as receipt_id, d.number as receipt_no, l.product_id, l.name, l.accepted, \
             l.uom_code, m.business_date, m.happened_at, a.included from stock_movements m \
             join documents d on d.id = m.document_id and d.kind = 'receipt' \
             join receipt_lines l on l.document_id = d.id and m.document_line = l.position * 10 \
             left join count_answers a on a.store_id = m.place_id and a.date = $1 and a.session = $2 \
               and (a.line_id = l.id or a.line_id = l.source_line_id) \
             where m.place_kind = 'store' and m.place_id = $3 and m.document_type = 'receipt' \
               and m.business_date between $4 and $5 and m.qty > 0 and d.state in ('posted', 'reconciled') \
             order by d.number, l.position, m.seq",
        )
        .bind(date)
        .bind(session.as_str())
        .bind(store_id)
        .bind(date.plus(-1))
        .bind(date.plus(1))
        .all()
        .await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let counted = counted(db, store_id, date, session).await?;
    let contents: HashMap<String, Content> =
        contents(db).await?.into_iter().map(|content| (content.id.clone(), content)).collect();
    let mut found: Vec<CloseLine> = Vec::new();
    for row in rows {
        let time = EventTime { date: row.business_date, at: row.happened_at };
        let roots = contents.get(&row.product_id).into_iter().flat_map(|content| &content.parts);
        let moments = roots.filter_map(|(root, _)| counted.get(root)).flatten();
        let near = moments.filter(|(_, moment)| time.is_close_to(*moment));
        let distance = |at: &Timestamp| row.happened_at.map_or(0, |came| came.0.abs_diff(at.0));
        let Some((counted_at, moment)) = near.min_by_key(|(at, _)| distance(at)) else { continue };
        // A line may have moved in several postings.
        if found.iter().any(|known| known.line_id == row.line_id) {
            continue;
        }
        found.push(CloseLine {
            counted_at: *counted_at,
            before: time.is_before(*moment),
            line_id: row.line_id,
            receipt_id: row.receipt_id,
            receipt_no: row.receipt_no,
            product_id: row.product_id,
            name: row.name,
            accepted: row.accepted,
            uom_code: row.uom_code,
            happened_at: row.happened_at,
            included: row.included,
        });
    }
    Ok(found)
}

/// When the items of a count were counted, by root item.
async fn counted(
    db: &Db,
    store_id: &str,
    date: BusinessDay,
    session: Session,
) -> Result<BTreeMap<String, BTreeSet<(Timestamp, Moment)>>, DbError> {
    let rows: Vec<(String, Timestamp)> = db
        .sql(
            "select item_id, counted_at from store_counts \
             where store_id = $1 and date = $2 and session = $3 and qty is not null",
        )
        .bind(store_id)
        .bind(date)
        .bind(session.as_str())
        .all()
        .await?;
    let at: HashMap<String, Timestamp> = rows.into_iter().collect();
    let mut counted: BTreeMap<String, BTreeSet<(Timestamp, Moment)>> = BTreeMap::new();
    for item in count_item_mapping(db, &[store_id.to_owned()]).await?.remove(store_id).unwrap_or_default() {
        let Some(at) = at.get(&item.item_id).copied() else { continue };
        for (root, _) in item.roots {
            counted.entry(root).or_default().insert((at, Moment::of(session, date, at)));
        }
    }
    Ok(counted)
}
