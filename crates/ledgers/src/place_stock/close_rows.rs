//! What the questions about goods close to a count are read from: lines of documents with their movements, times of counts,
//! and answers.

use std::collections::{BTreeMap, HashMap};

use larder_db::{Db, DbError, Query};
use larder_domain::count::Session;
use larder_domain::on_hand::Moment;
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use crate::store_items::{Recounts, count_item_mapping};

#[derive(larder_db::FromRow)]
pub(super) struct Goods {
    pub document_type: String,
    pub document_id: String,
    pub number: String,
    pub line_id: Option<String>,
    pub source_line_id: Option<String>,
    pub product_id: String,
    pub name: Option<String>,
    pub qty: Option<Qty>,
    pub uom_code: Option<String>,
    pub business_date: BusinessDay,
    pub happened_at: Option<Timestamp>,
    pub posted_at: Timestamp,
}

/// Lines of a store's documents with their movements; those taken back are left out. The lines of a receipt move what was
/// expected and what came beyond it, those of a transfer goods with and without a lot.
const GOODS: &str = "select m.document_type, m.document_id, d.number, coalesce(r.id, t.id, w.id, b.id) as line_id, \
       r.source_line_id, m.item_id as product_id, coalesce(r.name, t.name, w.name, b.name) as name, \
       coalesce(r.accepted, t.dispatched, w.qty, b.qty) as qty, \
       coalesce(r.uom_code, t.uom_code, w.uom_code, b.uom_code) as uom_code, \
       m.business_date, m.happened_at, m.posted_at \
     from stock_movements m join documents d on d.id = m.document_id \
     left join receipt_lines r on m.document_type = 'receipt' and m.qty > 0 and r.document_id = m.document_id \
       and m.document_line in (r.position * 10, r.position * 10 + 1) \
     left join shipment_lines t on m.document_type = 'transfer' and t.document_id = m.document_id \
       and m.document_line in (t.position, t.position + 1000000) \
     left join waste_lines w on m.document_type = 'waste' and w.document_id = m.document_id \
       and m.document_line = w.position \
     left join supplier_return_lines b on m.document_type = 'supplierReturn' and b.document_id = m.document_id \
       and m.document_line = b.position \
     where m.place_kind = 'store' and m.item_kind = 'product' and m.reverses is null \
       and not exists (select 1 from stock_movements o where o.reverses = m.seq) and m.place_id = ";

pub(super) fn goods<'a>(db: &'a Db, store_id: &str, span: Span) -> Query<'a> {
    let query = db.sql(GOODS).push_bind(store_id.to_owned());
    query
        .push(" and m.business_date between ")
        .push_bind(span.from.plus(-1))
        .push(" and ")
        .push_bind(span.to.plus(1))
}

/// When an item was counted.
pub(super) struct CountedItem {
    pub date: BusinessDay,
    pub session: Session,
    pub item_id: String,
    pub at: Timestamp,
    pub moment: Moment,
}

/// By root item.
pub(super) type Counted = BTreeMap<String, Vec<CountedItem>>;

/// When the items of a store's counts were counted.
pub(super) async fn counted(db: &Db, store_id: &str, span: Span) -> Result<Counted, DbError> {
    let rows: Vec<(BusinessDay, String, String, Timestamp)> = db
        .sql(
            "select date, session, item_id, counted_at from store_counts \
             where store_id = $1 and date between $2 and $3 and qty is not null order by date, session, item_id",
        )
        .bind(store_id)
        .bind(span.from)
        .bind(span.to)
        .all()
        .await?;
    let mut counted = Counted::new();
    if rows.is_empty() {
        return Ok(counted);
    }
    let mapped = count_item_mapping(db, &[store_id.to_owned()]).await?.remove(store_id).unwrap_or_default();
    let roots: HashMap<&str, _> = mapped.iter().map(|item| (item.item_id.as_str(), &item.roots)).collect();
    for (date, session, item_id, at) in rows {
        let session = Session::parse(&session).unwrap_or_default();
        let moment = Moment::of(session, date, at);
        let parts = roots.get(item_id.as_str()).map(|roots| roots.at(moment.time()));
        for (root, _) in parts.into_iter().flatten() {
            let item = CountedItem { date, session, item_id: item_id.clone(), at, moment };
            counted.entry(root.clone()).or_default().push(item);
        }
    }
    Ok(counted)
}

/// Answers about goods close to counts.
#[derive(Default)]
pub(super) struct Answers {
    store: String,
    /// By date, session and line: whether the count included it, and when that was answered.
    given: HashMap<(BusinessDay, String, String), (bool, Timestamp)>,
    recounts: Recounts,
}

impl Answers {
    /// What was answered about a line of a product, unless an item of it was counted anew since: that may include other
    /// goods.
    pub fn of(&self, (date, session): (BusinessDay, Session), line: &str, product: &str) -> Option<bool> {
        let session = session.as_str();
        let (included, at) = *self.given.get(&(date, session.to_owned(), line.to_owned()))?;
        (!self.recounts.since(&self.store, (date, session), product, at)).then_some(included)
    }
}

/// Answers about lines of some products.
pub(super) async fn answers(
    db: &Db,
    store_id: &str,
    span: Span,
    products: &[&str],
) -> Result<Answers, DbError> {
    let rows: Vec<(BusinessDay, String, String, bool, Timestamp)> = db
        .sql(
            "select date, session, line_id, included, answered_at from count_answers \
             where store_id = $1 and date between $2 and $3",
        )
        .bind(store_id)
        .bind(span.from)
        .bind(span.to)
        .all()
        .await?;
    if rows.is_empty() {
        return Ok(Answers::default());
    }
    let given =
        rows.into_iter().map(|(date, session, line, included, at)| ((date, session, line), (included, at)));
    let store = store_id.to_owned();
    let recounts = Recounts::read(db, std::slice::from_ref(&store), span, products).await?;
    Ok(Answers { store, given: given.collect(), recounts })
}
