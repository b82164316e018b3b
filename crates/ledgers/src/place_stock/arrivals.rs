//! Goods that a count of now may include: what is due, what came in the last hours, and what was counted before it was
//! received.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use larder_db::{Db, DbError};
use larder_domain::count::Session;
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use super::close_rows::{Goods, answers, goods};
use super::products::{Content, contents};
use crate::store_items::{Recounts, count_item_mapping};

/// Goods in transit that a count included already.
#[derive(Debug, Clone, PartialEq, Eq, larder_db::FromRow)]
pub struct CountedEarly {
    line_id: String,
    included: bool,
    date: BusinessDay,
    session: String,
    answered_at: Timestamp,
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
            "select a.line_id, a.included, a.date, a.session, a.answered_at, d.store_id, l.product_id, l.dispatched_base - l.settled_base as qty, \
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
    let mut early: Vec<CountedEarly> = last.into_values().filter(|answer| answer.included).collect();
    let days = || early.iter().map(|answer| answer.date);
    let Some((from, to)) = days().min().zip(days().max()) else { return Ok(early) };
    let products: BTreeSet<&str> = early.iter().map(|answer| answer.product_id.as_str()).collect();
    let products: Vec<&str> = products.into_iter().collect();
    let recounts = Recounts::read(db, stores, Span { from, to }, &products).await?;
    early.retain(|one| {
        !recounts.since(&one.store_id, (one.date, &one.session), &one.product_id, one.answered_at)
    });
    Ok(early)
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

type DueRow = (String, String, String, String, String, Qty, String, Option<String>);

/// When a count was made.
struct CountTimes {
    /// By counted item.
    items: HashMap<String, Timestamp>,
    /// Of items that it did not count; `None` while it is not finished.
    rest: Option<Timestamp>,
}

impl CountTimes {
    async fn read(db: &Db, store_id: &str, (date, session): (BusinessDay, Session)) -> Result<Self, DbError> {
        let items: Vec<(String, Timestamp)> = db
            .sql(
                "select item_id, counted_at from store_counts \
                 where store_id = $1 and date = $2 and session = $3 and qty is not null",
            )
            .bind(store_id)
            .bind(date)
            .bind(session.as_str())
            .all()
            .await?;
        let finished: Option<(Option<Timestamp>,)> = db
            .sql(
                "select finished_at from store_count_sessions \
                 where store_id = $1 and date = $2 and session = $3",
            )
            .bind(store_id)
            .bind(date)
            .bind(session.as_str())
            .optional()
            .await?;
        let rest = finished.and_then(|(at,)| at);
        Ok(Self { items: items.into_iter().collect(), rest })
    }

    /// Whether any of these items was counted after goods came, or left for the store, or is still to be counted.
    fn can_include(&self, items: &BTreeSet<String>, came: Option<Timestamp>) -> bool {
        let Some(came) = came else { return true };
        let counted_at = |item: &String| self.items.get(item).copied().or(self.rest);
        items.iter().any(|item| counted_at(item).is_none_or(|counted| came <= counted))
    }
}

/// What is due at a store until the end of the day of its count, and what came in the last hours: lines with items of its
/// count. Goods that left for the store, or came, after all of that was counted are left out.
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
            "select d.id, d.number, l.id, l.product_id, l.name, l.dispatched, l.uom_code, \
               d.details->>'dispatchedAt' from documents d join shipment_lines l on l.document_id = d.id \
             where d.kind in ('delivery', 'transfer') and d.state in ('dispatched', 'partiallyReceived') \
               and d.store_id = $1 and d.on_date <= $2 and l.accepted = 0 \
               and l.dispatched_base > l.settled_base order by d.number, l.position",
        )
        .bind(store_id)
        .bind(date)
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
    let products = due.iter().map(|row| row.3.as_str()).chain(came.iter().map(|row| row.product_id.as_str()));
    let products: BTreeSet<&str> = products.collect();
    let products: Vec<&str> = products.into_iter().collect();
    let answers = answers(db, store_id, Span { from: date, to: date }, &products).await?;
    let said = |line: &str, product: &str| answers.of((date, session), line, product);
    let times = CountTimes::read(db, store_id, (date, session)).await?;
    let items = items_of_products(db, store_id).await?;
    let mut found: Vec<Arrival> = Vec::new();
    for (document_id, document_no, line_id, product, name, qty, uom_code, left) in due {
        let left = left.as_deref().and_then(Timestamp::parse);
        let Some(items) = items.get(&product).filter(|items| times.can_include(items, left)).cloned() else {
            continue;
        };
        let (included, received, happened_at) = (said(&line_id, &product), false, None);
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
        let Some(items) =
            items.get(&row.product_id).filter(|items| times.can_include(items, row.happened_at)).cloned()
        else {
            continue;
        };
        let (Some(line_id), Some(name), Some(qty), Some(uom_code)) =
            (row.line_id, row.name, row.qty, row.uom_code)
        else {
            continue;
        };
        if found.last().is_some_and(|last| last.line_id == line_id) {
            continue;
        }
        found.push(Arrival {
            included: said(&line_id, &row.product_id)
                .or_else(|| said(row.source_line_id.as_deref()?, &row.product_id)),
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
