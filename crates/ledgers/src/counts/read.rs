//! Reads days, ranges, histories and held saves.

use std::collections::{HashMap, HashSet};

use larder_db::{Db, DbError};
use larder_domain::count::{Happened, Key, Session, open_counts};
use larder_domain::{BusinessDay, Qty, StoreScope, Timestamp};

use super::rows::{CHOSEN, EVENT, Event, VALUE, Value, key_row, told_by};

/// A competing value that is not current.
#[derive(Debug, Clone)]
pub struct Other {
    /// Quantity; `None` if cleared.
    pub qty: Option<Qty>,
    pub at: Timestamp,
    pub by: String,
    /// Device it was counted on.
    pub device_id: String,
    /// Id of the save.
    pub op: String,
}

/// The current values of a day by item, competing values, and a number that grows with every change to the
/// day.
///
/// # Errors
/// If the database fails.
pub async fn day(
    db: &Db,
    store_id: &str,
    date: BusinessDay,
) -> Result<(Vec<Value>, HashMap<Key, Vec<Other>>, i64), DbError> {
    let values: Vec<Value> = db
        .sql("select ")
        .push(VALUE)
        .push(" from store_counts v where v.store_id = ")
        .push_bind(store_id)
        .push(" and v.date = ")
        .push_bind(date)
        .push(" order by v.session, v.item_id")
        .all()
        .await?;
    // Only if several devices counted.
    let events: Vec<Event> = db
        .sql("select ")
        .push(EVENT)
        .push(" from store_count_events e where e.store_id = ")
        .push_bind(store_id)
        .push(" and e.date = ")
        .push_bind(date)
        .push(
            " and exists (select 1 from store_count_events o where o.store_id = e.store_id and o.date = e.date \
             and o.session = e.session and o.item_id = e.item_id and o.device_id <> e.device_id) order by e.seq",
        )
        .all()
        .await?;
    let arrived: i64 = db
        .sql("select cast(count(*) as bigint) from store_count_events where store_id = $1 and date = $2")
        .bind(store_id)
        .bind(date)
        .scalar()
        .await?;
    let revision = arrived + values.iter().map(|value| value.revision).sum::<i64>();
    let others = others(&values, events);
    Ok((values.into_iter().filter(|value| value.content.qty.is_some()).collect(), others, revision))
}

fn others(values: &[Value], events: Vec<Event>) -> HashMap<Key, Vec<Other>> {
    let mut by_key: HashMap<Key, Vec<Event>> = HashMap::new();
    for event in events {
        by_key.entry(event.key()).or_default().push(event);
    }
    let mut others = HashMap::new();
    for value in values {
        let key = value.key();
        let Some(events) = by_key.get(&key) else { continue };
        let happened: Vec<Happened<'_>> = events
            .iter()
            .map(|event| Happened {
                op: &event.op,
                device_id: &event.device_id,
                device_seq: event.device_seq,
                outcome: event.outcome(),
                knowing: event.knowing,
                chosen: event.device_id.starts_with(CHOSEN),
            })
            .collect();
        let open: Vec<Other> = open_counts(&happened, &value.op)
            .into_iter()
            .map(|place| &events[place])
            .map(|event| Other {
                qty: event.content.qty,
                at: event.stands_at,
                by: told_by(&event.op, &event.counted_by, &event.sent_by),
                device_id: event.device_id.clone(),
                op: event.op.clone(),
            })
            .collect();
        if !open.is_empty() {
            others.insert(key, open);
        }
    }
    others
}

/// The current values of some days, in order.
///
/// # Errors
/// If the database fails.
pub async fn range(
    db: &Db,
    store_id: &str,
    start: BusinessDay,
    end: BusinessDay,
) -> Result<Vec<Value>, DbError> {
    db.sql("select ")
        .push(VALUE)
        .push(" from store_counts v where v.store_id = ")
        .push_bind(store_id)
        .push(" and v.date >= ")
        .push_bind(start)
        .push(" and v.date <= ")
        .push_bind(end)
        .push(" and v.qty is not null order by v.date, v.session, v.item_id")
        .all()
        .await
}

/// Day, session, item, time, author, whether late.
type DayRow = (BusinessDay, String, String, Timestamp, String, bool);

/// The input of day summaries.
///
/// # Errors
/// If the database fails.
pub async fn days_of(
    db: &Db,
    store_id: &str,
    start: BusinessDay,
    end: BusinessDay,
) -> Result<Vec<DayRow>, DbError> {
    db.sql(
        "select date, session, item_id, stands_at, counted_by->>'name', late from store_counts \
         where store_id = $1 and date >= $2 and date <= $3 and qty is not null order by date",
    )
    .bind(store_id)
    .bind(start)
    .bind(end)
    .all()
    .await
}

/// All saves of one value, in order of arrival.
///
/// # Errors
/// If the database fails.
pub async fn history(db: &Db, key: &Key) -> Result<Vec<Event>, DbError> {
    db.sql("select ")
        .push(EVENT)
        .push(" from store_count_events e where e.store_id = ")
        .push_bind(&key.store_id)
        .push(" and e.date = ")
        .push_bind(key.date)
        .push(" and e.session = ")
        .push_bind(key.session.as_str())
        .push(" and e.item_id = ")
        .push_bind(&key.item_id)
        .push(" order by e.seq")
        .all()
        .await
}

/// The save that set the current value.
///
/// # Errors
/// If the database fails.
pub async fn standing(db: &Db, key: &Key) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> = db
        .sql(
            "select op from store_counts where store_id = $1 and date = $2 and session = $3 and item_id = $4",
        )
        .bind(&key.store_id)
        .bind(key.date)
        .bind(key.session.as_str())
        .bind(&key.item_id)
        .optional()
        .await?;
    Ok(found.map(|(op,)| op))
}

/// The last count of items before a day: all sessions of the last day each was counted on.
///
/// # Errors
/// If the database fails.
pub async fn last_known<S: AsRef<str>>(
    db: &Db,
    store_id: &str,
    items: &[S],
    before: BusinessDay,
) -> Result<Vec<(String, BusinessDay, Session, Qty)>, DbError> {
    let rows: Vec<(String, BusinessDay, String, Qty)> = db
        .sql(
            "select c.item_id, c.date, c.session, c.qty from \
             (select i.id, (select max(l.date) from store_counts l where l.store_id = $1 and l.item_id = i.id \
             and l.date < $2 and l.qty is not null) as date from store_inventory_items i where i.id in ",
        )
        .bind(store_id)
        .bind(before)
        .push_ids(items)
        .push(
            ") last cross join store_counts c where c.store_id = $1 and c.item_id = last.id \
             and c.date = last.date and c.qty is not null order by c.item_id, c.session",
        )
        .all()
        .await?;
    let read = rows
        .into_iter()
        .filter_map(|(item, date, session, qty)| Some((item, date, Session::parse(&session)?, qty)));
    Ok(read.collect())
}

/// A save awaiting a decision.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct HeldRow {
    #[sqlx(flatten)]
    pub event: Event,
    pub store_name: Option<String>,
    pub item_name: Option<String>,
    pub uom_code: Option<String>,
    /// The current quantity.
    pub current_qty: Option<Qty>,
    /// When it was counted.
    pub current_at: Option<Timestamp>,
    pub current_by: Option<String>,
    /// Number of changes.
    pub current_revision: Option<i64>,
    /// Device it was counted on.
    pub current_device: Option<String>,
}

/// A page of held saves in the stores the user may see, oldest first, and their total.
///
/// # Errors
/// If the database fails.
pub async fn held(
    db: &Db,
    scope: &StoreScope,
    store_id: Option<&str>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<HeldRow>, i64), DbError> {
    let stores: Option<Vec<String>> = match (store_id, scope) {
        (Some(id), _) => Some(vec![id.to_owned()]),
        (None, StoreScope::Only(ids)) => Some(ids.iter().cloned().collect()),
        (None, StoreScope::All) => None,
    };
    let count = db.sql("select cast(count(*) as bigint) from store_count_events e where e.outcome = 'held'");
    let total: i64 = within(count, stores.as_deref()).scalar().await?;
    let query = db
        .sql("select ")
        .push(EVENT)
        .push(
            ", l.name as store_name, i.name as item_name, u.code as uom_code, v.qty as current_qty, \
             v.stands_at as current_at, v.counted_by->>'name' as current_by, v.revision as current_revision, \
             v.device_id as current_device from store_count_events e left join locations l on l.id = e.store_id \
             left join store_inventory_items i on i.id = e.item_id left join uoms u on u.id = i.uom_id \
             left join store_counts v on v.store_id = e.store_id and v.date = e.date and v.session = e.session \
             and v.item_id = e.item_id where e.outcome = 'held'",
        );
    let query = within(query, stores.as_deref()).push(" order by e.seq limit ").push_bind(limit);
    let rows = query.push(" offset ").push_bind(offset).all().await?;
    Ok((rows, total))
}

fn within<'q>(query: larder_db::Query<'q>, stores: Option<&[String]>) -> larder_db::Query<'q> {
    match stores {
        Some(ids) => query.push(" and e.store_id in ").push_ids(ids),
        None => query,
    }
}

/// Items whose quantity was saved more than once in these counts: a repeated number is intentional.
///
/// # Errors
/// If the database fails.
pub async fn said_twice(db: &Db, counts: &[(Key, Qty)]) -> Result<HashSet<String>, DbError> {
    let rows = counts.iter().map(|(key, qty)| {
        let (store, date, session, item) = key_row(key);
        (store, date, session, item, *qty)
    });
    let query = db
        .sql("select e.item_id from ")
        .push_rows(&["store_id", "date", "session", "item_id", "qty"], rows)
        .push(
            " r cross join store_count_events e where e.store_id = r.store_id and e.date = r.date \
             and e.session = r.session and e.item_id = r.item_id and e.qty = r.qty \
             and e.outcome in ('applied', 'superseded') group by e.item_id having count(*) > 1",
        );
    let found: Vec<(String,)> = query.all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}
