//! Queries of the reports on counts.

use larder_db::{Db, DbError};
use larder_domain::{BusinessDay, Qty, Span, Timestamp};

pub use larder_ledgers::count_days::{Store, open_stores};

/// A person's counts.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Person {
    pub uid: String,
    pub name: Option<String>,
    /// Number of first counts.
    pub counts: i64,
    /// Number of recounts.
    pub corrections: i64,
    /// Number taken after their window.
    pub late: i64,
    /// Number of store-days.
    pub days: i64,
    /// Number of stores.
    pub stores: i64,
    /// First count.
    pub first_at: Timestamp,
    /// Last count.
    pub last_at: Timestamp,
}

/// A count of a person.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct PersonEvent {
    pub store_id: String,
    pub date: BusinessDay,
    pub session: String,
    pub item_id: String,
    /// None where a count was emptied.
    pub qty: Option<Qty>,
    /// Whether it was taken after its window.
    pub late: bool,
    /// When it was taken.
    pub stands_at: Timestamp,
    /// Name of the person.
    pub name: Option<String>,
    /// 1 for a first count, more for a recount.
    pub nth: i64,
}

/// What is a count: a choice between other people's counts is not one. Its stores follow.
const COUNTS: &str = "(select seq, counted_by->>'uid' as uid, counted_by->>'name' as name, store_id, date, session, \
     item_id, qty, late, stands_at, \
     row_number() over (partition by store_id, date, session, item_id order by seq) as nth \
     from store_count_events where outcome in ('applied', 'superseded') and device_id not like 'server:%' \
     and date between $1 and $2 and store_id in ";

/// The counts of a person, in the order in which they arrived.
pub async fn counts_of_person(
    db: &Db,
    stores: &[String],
    span: Span,
    uid: &str,
) -> Result<Vec<PersonEvent>, DbError> {
    db.sql("select store_id, date, session, item_id, qty, late, stands_at, name, nth from ")
        .push(COUNTS)
        .bind(span.from)
        .bind(span.to)
        .push_ids(stores)
        .push(") e where uid = ")
        .push_bind(uid)
        .push(" order by seq")
        .all()
        .await
}

/// Counts by person, most first.
pub async fn people(db: &Db, stores: &[String], span: Span) -> Result<Vec<Person>, DbError> {
    db.sql(
        "select uid, max(name) as name, cast(sum(case when nth = 1 then 1 else 0 end) as bigint) as counts, \
         cast(sum(case when nth > 1 then 1 else 0 end) as bigint) as corrections, \
         cast(sum(case when late then 1 else 0 end) as bigint) as late, \
         cast(count(distinct store_id || ' ' || cast(date as text)) as bigint) as days, \
         cast(count(distinct store_id) as bigint) as stores, min(stands_at) as first_at, max(stands_at) as last_at \
         from ",
    )
    .push(COUNTS)
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(") e where uid is not null group by uid order by counts desc, corrections desc, uid")
    .all()
    .await
}

/// Root items: id, name.
pub async fn root_items(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from root_items").all().await
}

/// Counted items: id, name, unit.
pub async fn items(db: &Db) -> Result<Vec<(String, String, Option<String>)>, DbError> {
    db.sql("select i.id, i.name, u.code from store_inventory_items i left join uoms u on u.id = i.uom_id")
        .all()
        .await
}

/// Id and name of every store, including closed ones.
pub(crate) async fn store_names(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from locations").all().await
}

/// Numbers of documents by id; ids that are not documents are left out.
pub async fn document_numbers(db: &Db, ids: &[&str]) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, number from documents where id in ").push_ids(ids).all().await
}
