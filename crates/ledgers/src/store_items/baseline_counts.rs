//! Baseline counts: the counts that stock on hand is computed from.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError, Query};
use larder_domain::count::Session;
use larder_domain::on_hand::{BaselineCount, Moment};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

use super::counted::COUNTED;

/// Days before a range in which its baseline count is looked for.
const BEFORE: i32 = 31;

/// A current count.
#[derive(Debug, Clone)]
pub struct Count {
    /// Its business date.
    pub date: BusinessDay,
    pub session: Session,
    /// When it was counted.
    pub at: Timestamp,
    /// Whether that time was assumed.
    pub assumed: bool,
    pub by: Option<String>,
    pub qty: Qty,
}

impl Count {
    /// As a baseline of stock on hand.
    #[must_use]
    pub fn baseline(&self) -> BaselineCount {
        BaselineCount { moment: Moment::of(self.session, self.date, self.at), qty: self.qty }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    store_id: String,
    item_id: String,
    date: BusinessDay,
    session: String,
    qty: Qty,
    counted_at: Timestamp,
    counted_assumed: bool,
    by: Option<String>,
}

const SELECT: &str = "select c.store_id, c.item_id, c.date, c.session, c.qty, c.counted_at, c.counted_assumed, \
     c.counted_by->>'name' as by from ";

/// By store and item, in order of date and time. Of two counts at the same moment the last one wins.
type Counts = HashMap<(String, String), Vec<Count>>;

async fn read(query: Query<'_>) -> Result<Counts, DbError> {
    let rows: Vec<Row> = query.all().await?;
    let mut counts = Counts::new();
    for row in rows {
        let session = Session::parse(&row.session).unwrap_or_default();
        let (at, assumed) = (row.counted_at, row.counted_assumed);
        let count = Count { date: row.date, session, at, assumed, by: row.by, qty: row.qty };
        counts.entry((row.store_id, row.item_id)).or_default().push(count);
    }
    for of_item in counts.values_mut() {
        of_item.sort_by_key(|count| count.baseline().moment);
        let mut kept: Vec<Count> = Vec::with_capacity(of_item.len());
        for count in of_item.drain(..) {
            match kept.last_mut() {
                Some(last) if last.baseline().moment == count.baseline().moment => *last = count,
                _ => kept.push(count),
            }
        }
        *of_item = kept;
    }
    Ok(counts)
}

/// The last count of each item, and the one before it.
pub type LastTwo = HashMap<String, (Count, Option<Count>)>;

/// The last two counts of each item of a store up to a day.
///
/// # Errors
/// If the database fails.
pub async fn last_two(db: &Db, store_id: &str, day: BusinessDay) -> Result<LastTwo, DbError> {
    let query = db
        .sql(SELECT)
        .push("(select r.store_id, i.id, ")
        .push(
            "(select min(l.date) from (select distinct d.date from store_counts d where d.store_id = r.store_id \
             and d.item_id = i.id and d.qty is not null and d.date <= ",
        )
        .push_bind(day)
        .push(" order by d.date desc limit 2) l) as since from ")
        .push_rows(&["store_id"], [(store_id,)])
        .push(" r cross join store_inventory_items i where ")
        .push(COUNTED)
        .push(
            ") k cross join store_counts c where c.store_id = k.store_id and c.item_id = k.id \
             and c.date >= k.since and c.qty is not null and c.date <= ",
        )
        .push_bind(day);
    let last = |((_, item), mut counts): ((String, String), Vec<Count>)| {
        let last = counts.pop()?;
        Some((item, (last, counts.pop())))
    };
    Ok(read(query).await?.into_iter().filter_map(last).collect())
}

/// The last count of some items in some stores up to a day, by store and item.
///
/// # Errors
/// If the database fails.
pub async fn last_of_stores(
    db: &Db,
    stores: &[String],
    items: &BTreeSet<&str>,
    day: BusinessDay,
) -> Result<HashMap<(String, String), Count>, DbError> {
    if stores.is_empty() || items.is_empty() {
        return Ok(HashMap::new());
    }
    let items: Vec<&str> = items.iter().copied().collect();
    let query = db
        .sql(SELECT)
        .push(
            "(select r.store_id, i.id, (select max(d.date) from store_counts d where d.store_id = r.store_id \
             and d.item_id = i.id and d.qty is not null and d.date <= ",
        )
        .push_bind(day)
        .push(") as last from ")
        .push_rows(&["store_id"], stores.iter().map(|id| (id,)))
        .push(" r cross join store_inventory_items i where i.id in ")
        .push_ids(&items)
        .push(
            ") k cross join store_counts c where c.store_id = k.store_id and c.item_id = k.id \
             and c.date = k.last and c.qty is not null",
        );
    let last = |(key, mut counts): (_, Vec<Count>)| Some((key, counts.pop()?));
    Ok(read(query).await?.into_iter().filter_map(last).collect())
}

/// Counts of some items of a store in a range, after at least the last three days with counts of each up to
/// its first day. By item, in order of time.
///
/// # Errors
/// If the database fails.
pub async fn counts_of(
    db: &Db,
    store_id: &str,
    items: &[&str],
    span: Span,
) -> Result<HashMap<String, Vec<Count>>, DbError> {
    // One scan of the store's days for all items, from the first day any of them needs.
    let query = db
        .sql(SELECT)
        .push("store_counts c where c.store_id = ")
        .push_bind(store_id)
        .push(" and c.item_id in ")
        .push_ids(items)
        .push(" and c.qty is not null and c.date <= ")
        .push_bind(span.to)
        .push(" and c.date >= (select coalesce(min(k.since), ")
        .push_bind(span.from)
        .push(
            ") from (select (select min(l.date) from (select distinct d.date from store_counts d \
             where d.store_id = r.store_id and d.item_id = i.id and d.qty is not null and d.date <= ",
        )
        .push_bind(span.from)
        .push(" order by d.date desc limit 3) l) as since from ")
        .push_rows(&["store_id"], [(store_id,)])
        .push(" r cross join store_inventory_items i where i.id in ")
        .push_ids(items)
        .push(") k)");
    Ok(read(query).await?.into_iter().map(|((_, item), counts)| (item, counts)).collect())
}

/// Counts of a store's items in a range, after at least the last two days with counts of each before it. By item, in
/// order of time.
///
/// # Errors
/// If the database fails.
pub async fn recent(db: &Db, store_id: &str, span: Span) -> Result<HashMap<String, Vec<Count>>, DbError> {
    let query = db
        .sql(SELECT)
        .push("(select r.store_id, i.id, ")
        .push(
            "(select min(l.date) from (select distinct d.date from store_counts d where d.store_id = r.store_id \
             and d.item_id = i.id and d.qty is not null and d.date < ",
        )
        .push_bind(span.from)
        .push(" order by d.date desc limit 2) l) as since from ")
        .push_rows(&["store_id"], [(store_id,)])
        .push(" r cross join store_inventory_items i where ")
        .push(COUNTED)
        .push(
            ") k cross join store_counts c where c.store_id = k.store_id and c.item_id = k.id \
             and c.qty is not null and c.date >= coalesce(k.since, ",
        )
        .push_bind(span.from)
        .push(") and c.date <= ")
        .push_bind(span.to);
    Ok(read(query).await?.into_iter().map(|((_, item), counts)| (item, counts)).collect())
}

/// Closing and opening count of each item of some stores in a range: the last one within it, and the last one
/// of the month before, else the first within. By store, then by item.
///
/// # Errors
/// If the database fails.
pub async fn compared(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<HashMap<(String, String), (Count, Count)>, DbError> {
    let of_item = "from store_counts d where d.store_id = r.store_id and d.item_id = i.id and d.qty is not null \
         and d.date between ";
    let (before, first) = (span.from.plus(-BEFORE), span.from.plus(-1));
    // Starting from days and sessions, every count is found by its key; joined to days alone, all of its
    // store's are scanned.
    let query = db
        .sql("with k as materialized (select r.store_id, i.id, (select max(d.date) ")
        .push(of_item)
        .push_bind(span.from)
        .push(" and ")
        .push_bind(span.to)
        .push(") as last, coalesce((select max(d.date) ")
        .push(of_item)
        .push_bind(before)
        .push(" and ")
        .push_bind(first)
        .push("), (select min(d.date) ")
        .push(of_item)
        .push_bind(span.from)
        .push(" and ")
        .push_bind(span.to)
        .push(")) as base from ")
        .push_rows(&["store_id"], stores.iter().map(|id| (id,)))
        .push(" r cross join store_inventory_items i where ")
        .push(COUNTED)
        .push(
            "), e as materialized (select d.store_id, d.id, d.date, s.session from (\
             select store_id, id, last as date from k where last is not null \
             union select store_id, id, base from k where last is not null) d \
             cross join (select '' as session union all select 'opening' union all select 'closing') s) ",
        )
        .push(SELECT)
        .push(
            "e cross join store_counts c where c.store_id = e.store_id and c.item_id = e.id \
             and c.date = e.date and c.session = e.session and c.qty is not null",
        );
    let pair = |(key, mut counts): ((String, String), Vec<Count>)| {
        let last = counts.pop()?;
        let before = counts.iter().rposition(|count| count.date < span.from);
        let base = match before {
            Some(at) => counts.swap_remove(at),
            None => counts.into_iter().next()?,
        };
        Some((key, (base, last)))
    };
    Ok(read(query).await?.into_iter().filter_map(pair).collect())
}
