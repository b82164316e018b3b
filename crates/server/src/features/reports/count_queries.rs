//! What the reports about counts read.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::count::{Hours, Settings};
use larder_domain::{BusinessDay, Money, Span, Timestamp};

/// A store that is open.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Store {
    pub id: String,
    pub name: String,
    /// Since when.
    pub opening_date: Option<BusinessDay>,
}

/// Open stores by name: those asked for, or all.
pub(crate) async fn open_stores(db: &Db, wished: Option<&[String]>) -> Result<Vec<Store>, DbError> {
    let query = db.sql("select id, name, opening_date from locations where not inactive");
    let query = match wished {
        Some(ids) => query.push(" and id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}

/// What the counts of a store's session come to. A count without a session is told apart by the time of day.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct SessionSum {
    pub store_id: String,
    pub date: BusinessDay,
    /// `opening`, `closing` or empty.
    pub session: String,
    /// Whether it was made in the afternoon.
    pub afternoon: bool,
    /// How many items were counted.
    pub counted: i64,
    /// How many of them came after the window.
    pub late: i64,
    /// When the first was counted.
    pub first_at: Timestamp,
    /// When the last was.
    pub last_at: Timestamp,
}

/// What the sessions of some stores come to.
pub(crate) async fn sessions(db: &Db, stores: &[String], span: Span) -> Result<Vec<SessionSum>, DbError> {
    // 14:00 by the house's clock is six hours into the day of UTC.
    db.sql(
        "select store_id, date, session, afternoon, cast(count(*) as bigint) as counted, \
         cast(sum(case when late then 1 else 0 end) as bigint) as late, min(stands_at) as first_at, \
         max(stands_at) as last_at from (select store_id, date, session, late, stands_at, \
         stands_at >= date * 86400000 + 21600000 as afternoon from store_counts \
         where qty is not null and date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(") c group by store_id, date, session, afternoon")
    .all()
    .await
}

/// The sessions that somebody said are done: store, day, session, when.
pub(crate) async fn finished(
    db: &Db,
    stores: &[String],
    span: Span,
) -> Result<Vec<(String, BusinessDay, String, Timestamp)>, DbError> {
    db.sql(
        "select store_id, date, session, finished_at from store_count_sessions \
         where finished_at is not null and date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .all()
    .await
}

#[derive(sqlx::FromRow)]
struct SettingsRow {
    store_id: String,
    auto_session_by_time: bool,
    opening_from: i64,
    opening_to: i64,
    closing_from: i64,
    closing_to: i64,
}

/// When stores count, of those that differ from the house.
pub(crate) async fn settings(db: &Db, stores: &[String]) -> Result<Vec<(String, Settings)>, DbError> {
    let rows: Vec<SettingsRow> = db
        .sql(
            "select store_id, auto_session_by_time, opening_from, opening_to, closing_from, closing_to \
             from store_count_settings where store_id in ",
        )
        .push_ids(stores)
        .all()
        .await?;
    let settings = |row: SettingsRow| {
        let settings = Settings {
            auto_session_by_time: row.auto_session_by_time,
            opening: Hours { from: row.opening_from, to: row.opening_to },
            closing: Hours { from: row.closing_from, to: row.closing_to },
            ..Settings::default()
        };
        (row.store_id, settings)
    };
    Ok(rows.into_iter().map(settings).collect())
}

/// What one person counted.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Person {
    pub uid: String,
    pub name: Option<String>,
    /// What they counted first.
    pub counts: i64,
    /// What they counted that had been counted before.
    pub corrections: i64,
    /// What came after its window.
    pub late: i64,
    /// On how many days of a store.
    pub days: i64,
    /// In how many stores.
    pub stores: i64,
    /// When they counted first.
    pub first_at: Timestamp,
    /// When they counted last.
    pub last_at: Timestamp,
}

/// Who counted, the most first. What somebody chose among the counts of others is nobody's count.
pub(crate) async fn people(db: &Db, stores: &[String], span: Span) -> Result<Vec<Person>, DbError> {
    db.sql(
        "select uid, max(name) as name, cast(sum(case when nth = 1 then 1 else 0 end) as bigint) as counts, \
         cast(sum(case when nth > 1 then 1 else 0 end) as bigint) as corrections, \
         cast(sum(case when late then 1 else 0 end) as bigint) as late, \
         cast(count(distinct store_id || ' ' || cast(date as text)) as bigint) as days, \
         cast(count(distinct store_id) as bigint) as stores, min(stands_at) as first_at, max(stands_at) as last_at \
         from (select counted_by->>'uid' as uid, counted_by->>'name' as name, store_id, date, late, stands_at, \
         row_number() over (partition by store_id, date, session, item_id order by seq) as nth \
         from store_count_events where outcome in ('applied', 'superseded') and device_id not like 'server:%' \
         and date between $1 and $2 and store_id in ",
    )
    .bind(span.from)
    .bind(span.to)
    .push_ids(stores)
    .push(") e where uid is not null group by uid order by counts desc, corrections desc, uid")
    .all()
    .await
}

/// Root items: id, name, price.
pub(crate) async fn root_items(db: &Db) -> Result<Vec<(String, String, Option<Money>)>, DbError> {
    db.sql("select id, name, price from root_items").all().await
}

/// Counted items: id, name, unit.
pub(crate) async fn items(db: &Db) -> Result<Vec<(String, String, Option<String>)>, DbError> {
    db.sql("select i.id, i.name, u.code from store_inventory_items i left join uoms u on u.id = i.uom_id")
        .all()
        .await
}

/// The last day each of some stores has sales of, up to a day.
pub(crate) async fn sold_until(
    db: &Db,
    stores: &[String],
    day: BusinessDay,
) -> Result<HashMap<String, BusinessDay>, DbError> {
    let rows: Vec<(String, BusinessDay)> = db
        .sql("select store_id, max(business_date) from sales_days where business_date <= $1 and store_id in ")
        .bind(day)
        .push_ids(stores)
        .push(" group by store_id")
        .all()
        .await?;
    Ok(rows.into_iter().collect())
}

/// Every store's id and name, closed ones too.
pub(crate) async fn store_names(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from locations").all().await
}

/// Numbers of documents by their ids. What is no document is left out.
pub(crate) async fn document_numbers(db: &Db, ids: &[&str]) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, number from documents where id in ").push_ids(ids).all().await
}
