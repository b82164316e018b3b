//! SQL queries.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Money, Timestamp};
use larder_ledgers::sales_count;

/// A user's arrangement and last visits.
#[derive(Debug, Default, larder_db::FromRow)]
pub(super) struct Kept {
    pub tiles: Json<Vec<String>>,
    pub hidden: Json<Vec<String>>,
    pub seen_at: Option<Timestamp>,
    pub since_at: Option<Timestamp>,
}

const KEPT: &str = "select tiles, hidden, seen_at, since_at from home_pages where uid = $1";

/// A user's saved page state.
pub(super) async fn kept(db: &Db, uid: &str) -> Result<Option<Kept>, DbError> {
    db.sql(KEPT).bind(uid).optional().await
}

/// As [`kept`], inside a transaction.
pub(super) async fn kept_in(tx: &mut Tx<'_>, uid: &str) -> Result<Option<Kept>, DbError> {
    tx.sql(KEPT).bind(uid).optional().await
}

/// Saves it.
pub(super) async fn keep(tx: &mut Tx<'_>, uid: &str, kept: &Kept) -> Result<(), DbError> {
    tx.sql(
        "insert into home_pages (uid, tiles, hidden, seen_at, since_at) values ($1, $2, $3, $4, $5)
         on conflict (uid) do update set tiles = excluded.tiles, hidden = excluded.hidden,
           seen_at = excluded.seen_at, since_at = excluded.since_at",
    )
    .bind(uid)
    .bind(Json(kept.tiles.0.clone()))
    .bind(Json(kept.hidden.0.clone()))
    .bind(kept.seen_at)
    .bind(kept.since_at)
    .execute()
    .await
    .map(drop)
}

/// A store, open or closed.
#[derive(Debug, larder_db::FromRow)]
pub(super) struct Store {
    pub id: String,
    pub name: String,
    pub code: Option<String>,
    pub inactive: bool,
}

/// Stores by name, all or the given ones.
pub(super) async fn stores(db: &Db, within: Option<&[String]>) -> Result<Vec<Store>, DbError> {
    let query = db.sql("select id, name, code, inactive from locations");
    let query = match within {
        Some(ids) => query.push(" where id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}

/// A store's sales on a day.
#[derive(Debug, larder_db::FromRow)]
pub(super) struct Sold {
    pub store_id: String,
    pub business_date: BusinessDay,
    pub net: Money,
    pub receipts: i64,
    pub posted_at: Timestamp,
}

/// Daily sales of the given stores in a date range.
pub(super) async fn sold(
    db: &Db,
    stores: &[String],
    from: BusinessDay,
    to: BusinessDay,
) -> Result<Vec<Sold>, DbError> {
    db.sql(
        "select store_id, business_date, cast(sum(net) as bigint) as net, cast(sum(receipts) as bigint) as receipts,
           max(posted_at) as posted_at
         from sales_days where business_date between $1 and $2 and store_id in ",
    )
    .bind(from)
    .bind(to)
    .push_ids(stores)
    .push(sales_count!("sales_days"))
    .push(" group by store_id, business_date")
    .all()
    .await
}

/// Sales lines of the given stores on two days, encoded: store, day, lines.
pub(super) async fn lines(
    db: &Db,
    stores: &[&str],
    days: [BusinessDay; 2],
) -> Result<Vec<(String, BusinessDay, Vec<u8>)>, DbError> {
    db.sql(
        "select store_id, business_date, packed from sales_lines
         where (business_date = $1 or business_date = $2) and store_id in ",
    )
    .bind(days[0])
    .bind(days[1])
    .push_ids(stores)
    .push(sales_count!("sales_lines"))
    .all()
    .await
}

/// Number of store-days imported since a point in time, for some stores or all, on business days from a day
/// on.
pub(super) async fn imported_since(
    db: &Db,
    stores: &[String],
    from: BusinessDay,
    since: Timestamp,
) -> Result<i64, DbError> {
    db.sql(
        "select cast(count(*) as bigint) from sales_days where posted_at > $1 and business_date >= $2 and store_id in ",
    )
    .bind(since)
    .bind(from)
    .push_ids(stores)
    .scalar()
    .await
}

/// How many companies, stores, active users and days of sales there are, as far as it matters.
#[derive(Debug, larder_db::FromRow)]
pub(super) struct FirstFound {
    pub companies: i64,
    pub stores: i64,
    pub people: i64,
    pub sales_through: Option<BusinessDay>,
}

/// What there is of the first steps of a group: one statement, which reads a row or two of each table and one a store.
pub(super) async fn first_steps(db: &Db) -> Result<FirstFound, DbError> {
    db.sql(
        "select (select cast(count(*) as bigint) from (select 1 as one from companies limit 1) c) as companies,
                (select cast(count(*) as bigint) from (select 1 as one from locations limit 1) l) as stores,
                (select cast(count(*) as bigint)
                   from (select 1 as one from app_users where status = 'Active' limit 2) u) as people,
                (select max(through) from (select (select max(business_date) from sales_days d where d.store_id = l.id) as through
                                             from locations l) s) as sales_through",
    )
    .one()
    .await
}

/// Whether the lists that the example fills first are empty: root items, POS items and units.
pub(super) async fn has_no_lists(db: &Db) -> Result<bool, DbError> {
    let some: Option<(i64,)> = db
        .sql(
            "select cast(1 as bigint) from (select id from root_items union all select id from pos_items
                                            union all select id from uoms) l limit 1",
        )
        .optional()
        .await?;
    Ok(some.is_none())
}
