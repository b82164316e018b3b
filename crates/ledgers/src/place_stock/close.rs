//! Goods that came or left so close to a count that only a person can say if they were counted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError, Query};
use larder_domain::count::Session;
use larder_domain::on_hand::{EventTime, Moment};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use super::products::{Content, contents};
use crate::store_items::count_item_mapping;

/// A line of goods close to a count of one of its root items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseLine {
    pub line_id: String,
    pub document_id: String,
    /// `receipt`, `transfer`, `waste` or `supplierReturn`.
    pub document_kind: String,
    pub document_no: String,
    pub product_id: String,
    pub name: String,
    /// In the line's unit.
    pub qty: Qty,
    pub uom_code: String,
    /// When they came or left, if known.
    pub happened_at: Option<Timestamp>,
    /// The count.
    pub date: BusinessDay,
    pub session: Session,
    /// When the closest of its items was counted.
    pub counted_at: Timestamp,
    /// Whether the count includes it by the times.
    pub before: bool,
    /// What was answered.
    pub included: Option<bool>,
    /// The items of that count that have any of its root items.
    pub items: BTreeSet<String>,
    /// Its root items.
    pub roots: Vec<String>,
}

#[derive(larder_db::FromRow)]
struct Goods {
    document_type: String,
    document_id: String,
    number: String,
    line_id: Option<String>,
    source_line_id: Option<String>,
    product_id: String,
    name: Option<String>,
    qty: Option<Qty>,
    uom_code: Option<String>,
    business_date: BusinessDay,
    happened_at: Option<Timestamp>,
    posted_at: Timestamp,
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

fn goods<'a>(db: &'a Db, store_id: &str, span: Span) -> Query<'a> {
    let query = db.sql(GOODS).push_bind(store_id.to_owned());
    query
        .push(" and m.business_date between ")
        .push_bind(span.from.plus(-1))
        .push(" and ")
        .push_bind(span.to.plus(1))
}

/// The lines close to a count, in the order of their documents.
///
/// # Errors
/// If the database fails.
pub async fn close_to(
    db: &Db,
    (store_id, date, session): (&str, BusinessDay, Session),
) -> Result<Vec<CloseLine>, DbError> {
    let mut found = close_in(db, store_id, Span { from: date, to: date }).await?;
    found.retain(|line| line.session == session);
    Ok(found)
}

/// The lines of a document close to a count of its store that was not answered.
///
/// # Errors
/// If the database fails.
pub async fn close_of(db: &Db, store_id: &str, document_id: &str) -> Result<Vec<CloseLine>, DbError> {
    let of_document =
        "select min(business_date), max(business_date) from stock_movements where document_id = ";
    let (from, to): (Option<BusinessDay>, Option<BusinessDay>) =
        db.sql(of_document).push_bind(document_id.to_owned()).one().await?;
    let Some((from, to)) = from.zip(to) else { return Ok(Vec::new()) };
    let mut found = close_in(db, store_id, Span { from: from.plus(-1), to: to.plus(1) }).await?;
    found.retain(|line| line.document_id == document_id && line.included.is_none());
    Ok(found)
}

/// The stores whose stock a document moved.
///
/// # Errors
/// If the database fails.
pub async fn stores_moved(db: &Db, document_id: &str) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> = db
        .sql(
            "select distinct place_id from stock_movements \
             where place_kind = 'store' and document_id = $1 order by place_id",
        )
        .bind(document_id)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The lines close to the counts of some days of a store.
///
/// # Errors
/// If the database fails.
pub async fn close_in(db: &Db, store_id: &str, span: Span) -> Result<Vec<CloseLine>, DbError> {
    let contents = by_product(db).await?;
    lines_in(db, &contents, store_id, span).await
}

/// The lines close to the counts of some days of stores that were not answered, by store.
///
/// # Errors
/// If the database fails.
pub async fn unanswered(
    db: &Db,
    days: &BTreeMap<String, BTreeSet<BusinessDay>>,
) -> Result<HashMap<String, Vec<CloseLine>>, DbError> {
    let contents = by_product(db).await?;
    let mut found = HashMap::with_capacity(days.len());
    for (store, days) in days {
        let mut lines = Vec::new();
        for date in days {
            let close = lines_in(db, &contents, store, Span { from: *date, to: *date }).await?;
            lines.extend(close.into_iter().filter(|line| line.included.is_none()));
        }
        found.insert(store.clone(), lines);
    }
    Ok(found)
}

async fn by_product(db: &Db) -> Result<HashMap<String, Content>, DbError> {
    Ok(contents(db).await?.into_iter().map(|content| (content.id.clone(), content)).collect())
}

async fn lines_in(
    db: &Db,
    contents: &HashMap<String, Content>,
    store_id: &str,
    span: Span,
) -> Result<Vec<CloseLine>, DbError> {
    let counted = counted(db, store_id, span).await?;
    if counted.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<Goods> =
        goods(db, store_id, span).push(" order by d.number, m.document_line, m.seq").all().await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let answers = answers(db, store_id, span).await?;
    // A line may have moved in several postings.
    let mut known: BTreeSet<(String, BusinessDay, &'static str)> = BTreeSet::new();
    let mut found = Vec::new();
    for row in rows {
        let Some(content) = contents.get(&row.product_id) else { continue };
        for ((date, session), at) in near(&row, content, &counted) {
            let Some(line) = line(&row, content, (date, session), at, &answers) else { continue };
            if known.insert((line.line_id.clone(), date, session.as_str())) {
                found.push(line);
            }
        }
    }
    Ok(found)
}

/// The closest time that the goods were counted at in a count, and the items of it.
struct Near {
    counted_at: Timestamp,
    moment: Moment,
    items: BTreeSet<String>,
}

/// The counts that goods are close to. Who enters what left after the count is asked about it.
fn near(row: &Goods, content: &Content, counted: &Counted) -> BTreeMap<(BusinessDay, Session), Near> {
    let time = EventTime { date: row.business_date, at: row.happened_at };
    let distance = |at: Timestamp| row.happened_at.map_or(0, |came| came.0.abs_diff(at.0));
    let mut near: BTreeMap<(BusinessDay, Session), Near> = BTreeMap::new();
    for count in content.parts.iter().filter_map(|(root, _)| counted.get(root)).flatten() {
        let entered_after = row.document_type == "receipt" || row.posted_at >= count.at;
        if !entered_after || !time.is_close_to(count.moment) {
            continue;
        }
        let first = || Near { counted_at: count.at, moment: count.moment, items: BTreeSet::new() };
        let of_count = near.entry((count.date, count.session)).or_insert_with(first);
        of_count.items.insert(count.item_id.clone());
        if distance(count.at) < distance(of_count.counted_at) {
            (of_count.counted_at, of_count.moment) = (count.at, count.moment);
        }
    }
    near
}

fn line(
    row: &Goods,
    content: &Content,
    (date, session): (BusinessDay, Session),
    near: Near,
    answers: &Answers,
) -> Option<CloseLine> {
    let line_id = row.line_id.clone()?;
    let answer = |line: &str| answers.get(&(date, session.as_str().to_owned(), line.to_owned())).copied();
    let included = answer(&line_id).or_else(|| answer(row.source_line_id.as_deref()?));
    Some(CloseLine {
        before: EventTime { date: row.business_date, at: row.happened_at }.is_before(near.moment),
        line_id,
        document_id: row.document_id.clone(),
        document_kind: row.document_type.clone(),
        document_no: row.number.clone(),
        product_id: row.product_id.clone(),
        name: row.name.clone()?,
        qty: row.qty?,
        uom_code: row.uom_code.clone()?,
        happened_at: row.happened_at,
        date,
        session,
        counted_at: near.counted_at,
        included,
        items: near.items,
        roots: content.parts.iter().map(|(root, _)| root.clone()).collect(),
    })
}

/// When an item was counted.
struct CountedItem {
    date: BusinessDay,
    session: Session,
    item_id: String,
    at: Timestamp,
    moment: Moment,
}

/// By root item.
type Counted = BTreeMap<String, Vec<CountedItem>>;

/// When the items of a store's counts were counted.
async fn counted(db: &Db, store_id: &str, span: Span) -> Result<Counted, DbError> {
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

/// By date, session and line.
type Answers = HashMap<(BusinessDay, String, String), bool>;

async fn answers(db: &Db, store_id: &str, span: Span) -> Result<Answers, DbError> {
    let rows: Vec<(BusinessDay, String, String, bool)> = db
        .sql(
            "select date, session, line_id, included from count_answers \
             where store_id = $1 and date between $2 and $3",
        )
        .bind(store_id)
        .bind(span.from)
        .bind(span.to)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(date, session, line, included)| ((date, session, line), included)).collect())
}

/// When root items of some products were counted in a store: after `from`, until `to`.
///
/// # Errors
/// If the database fails.
pub async fn counted_between(
    db: &Db,
    store_id: &str,
    products: &BTreeSet<&str>,
    (from, to): (Timestamp, Timestamp),
) -> Result<BTreeSet<Timestamp>, DbError> {
    let span = Span { from: BusinessDay::of(from).plus(-1), to: BusinessDay::of(to).plus(1) };
    let counted = counted(db, store_id, span).await?;
    if counted.is_empty() {
        return Ok(BTreeSet::new());
    }
    let contents = contents(db).await?;
    let parts = contents.iter().filter(|content| products.contains(content.id.as_str()));
    let parts = parts.flat_map(|content| &content.parts);
    let times = parts.filter_map(|(root, _)| counted.get(root)).flatten().map(|item| item.at);
    Ok(times.filter(|at| *at > from && *at <= to).collect())
}

/// Goods in transit that a count included already.
#[derive(Debug, Clone, PartialEq, Eq, larder_db::FromRow)]
pub struct CountedEarly {
    line_id: String,
    included: bool,
    pub store_id: String,
    pub product_id: String,
    /// In base units.
    pub qty: Qty,
    /// The day they were due.
    pub due: BusinessDay,
    pub source_type: Option<String>,
    pub source_id: Option<String>,
}

/// What was counted before it was received, by the last answer about each line. It is part of the stock, so it is not
/// due any more. Once a receipt says what came of a line, that decides.
///
/// # Errors
/// If the database fails.
pub async fn counted_early(db: &Db, stores: &[String]) -> Result<Vec<CountedEarly>, DbError> {
    let answers: Vec<CountedEarly> = db
        .sql(
            "select a.line_id, a.included, d.store_id, l.product_id, l.dispatched_base - l.settled_base as qty, \
               d.on_date as due, d.source_type, d.source_id \
             from count_answers a join shipment_lines l on l.id = a.line_id \
             join documents d on d.id = l.document_id and d.store_id = a.store_id \
             where d.kind in ('delivery', 'transfer') and d.state in ('dispatched', 'partiallyReceived') \
               and l.accepted = 0 and l.dispatched_base > l.settled_base and a.store_id in ",
        )
        .push_ids(stores)
        .push(" order by a.answered_at, a.date, a.session, a.line_id")
        .all()
        .await?;
    let last: BTreeMap<String, CountedEarly> =
        answers.into_iter().map(|answer| (answer.line_id.clone(), answer)).collect();
    Ok(last.into_values().filter(|answer| answer.included).collect())
}

/// Hours in which what was received is asked about when a store is counted.
const RECEIVED_HOURS: i64 = 12;

/// A line of goods that a count of now may include.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    pub document_id: String,
    pub document_no: String,
    /// Whether it was received; else it is due.
    pub received: bool,
    /// When it came, if known.
    pub happened_at: Option<Timestamp>,
    /// Line of the receipt, or of the delivery or transfer that is due.
    pub line_id: String,
    pub name: String,
    /// In the line's unit.
    pub qty: Qty,
    pub uom_code: String,
    /// The counted items that have any of its root items.
    pub items: BTreeSet<String>,
    /// What was answered about it for this count.
    pub included: Option<bool>,
}

type DueRow = (String, String, String, String, String, Qty, String);

/// What is due at a store until the end of today, and what came in the last hours: lines with items of its count.
///
/// # Errors
/// If the database fails.
pub async fn arrivals(
    db: &Db,
    store_id: &str,
    (date, session): (BusinessDay, Session),
    now: Timestamp,
) -> Result<Vec<Arrival>, DbError> {
    let today = BusinessDay::of(now);
    let due: Vec<DueRow> = db
        .sql(
            "select d.id, d.number, l.id, l.product_id, l.name, l.dispatched, l.uom_code \
             from documents d join shipment_lines l on l.document_id = d.id \
             where d.kind in ('delivery', 'transfer') and d.state in ('dispatched', 'partiallyReceived') \
               and d.store_id = $1 and d.on_date <= $2 and l.accepted = 0 \
               and l.dispatched_base > l.settled_base order by d.number, l.position",
        )
        .bind(store_id)
        .bind(today)
        .all()
        .await?;
    let came: Vec<Goods> = goods(db, store_id, Span { from: today, to: today })
        .push(" and m.document_type = 'receipt' and coalesce(m.happened_at, m.posted_at) >= ")
        .push_bind(now.plus_ms(-RECEIVED_HOURS * 3_600_000))
        .push(" order by d.number, m.document_line, m.seq")
        .all()
        .await?;
    if due.is_empty() && came.is_empty() {
        return Ok(Vec::new());
    }
    let answers = answers(db, store_id, Span { from: date, to: date }).await?;
    let said = |line: &str| answers.get(&(date, session.as_str().to_owned(), line.to_owned())).copied();
    let items = items_of_products(db, store_id).await?;
    let mut found: Vec<Arrival> = Vec::new();
    for (document_id, document_no, line_id, product, name, qty, uom_code) in due {
        let Some(items) = items.get(&product).cloned() else { continue };
        let (included, received, happened_at) = (said(&line_id), false, None);
        found.push(Arrival {
            document_id,
            document_no,
            received,
            happened_at,
            line_id,
            name,
            qty,
            uom_code,
            items,
            included,
        });
    }
    for row in came {
        let Some(items) = items.get(&row.product_id).cloned() else { continue };
        let (Some(line_id), Some(name), Some(qty), Some(uom_code)) =
            (row.line_id, row.name, row.qty, row.uom_code)
        else {
            continue;
        };
        if found.last().is_some_and(|last| last.line_id == line_id) {
            continue;
        }
        found.push(Arrival {
            included: said(&line_id).or_else(|| said(row.source_line_id.as_deref()?)),
            document_id: row.document_id,
            document_no: row.number,
            received: true,
            happened_at: row.happened_at,
            line_id,
            name,
            qty,
            uom_code,
            items,
        });
    }
    Ok(found)
}

/// The counted items of a store that have any root item of a product, by product.
async fn items_of_products(db: &Db, store_id: &str) -> Result<HashMap<String, BTreeSet<String>>, DbError> {
    let mut by_root: HashMap<String, BTreeSet<String>> = HashMap::new();
    for item in count_item_mapping(db, &[store_id.to_owned()]).await?.remove(store_id).unwrap_or_default() {
        for (root, _) in item.roots.now() {
            by_root.entry(root.clone()).or_default().insert(item.item_id.clone());
        }
    }
    let of = |content: Content| {
        let roots = content.parts.iter().filter_map(|(root, _)| by_root.get(root));
        let items: BTreeSet<String> = roots.flatten().cloned().collect();
        (!items.is_empty()).then_some((content.id, items))
    };
    Ok(contents(db).await?.into_iter().filter_map(of).collect())
}
