//! Goods that came or left so close to a count that only a person can say if they were counted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::on_hand::{EventTime, Moment};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use super::close_rows::{Answers, Counted, Goods, answers, counted, goods};
use super::products::{Content, contents};

/// Counts older than this are not asked about any more.
pub const CLOSE_DAYS: i32 = 35;

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
    let products: BTreeSet<&str> = rows.iter().map(|row| row.product_id.as_str()).collect();
    let answers = answers(db, store_id, span, &products.into_iter().collect::<Vec<_>>()).await?;
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
    let answer = |line: &str| answers.of((date, session), line, &row.product_id);
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
