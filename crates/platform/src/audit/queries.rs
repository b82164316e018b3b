//! Queries of the audit trail.

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::Timestamp;
use serde_json::Value;

/// A stored change.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Row {
    pub seq: i64,
    pub at: Timestamp,
    pub uid: String,
    pub name: String,
    pub email: String,
    /// Its origin: an IP address, `job` or `cli`.
    pub origin: String,
    /// The record type.
    pub kind: String,
    pub record_id: String,
    /// The store the record belongs to.
    pub store_id: Option<String>,
    /// `created`, `updated` or `deleted`.
    pub action: String,
    /// `field → [before, after]`.
    pub changes: Json<Value>,
}

const ROWS: &str =
    "select seq, at, uid, name, email, origin, kind, record_id, store_id, action, changes from audit";

/// A page of a record's history, newest first, and its total.
///
/// # Errors
/// If the database fails.
pub async fn of_record(
    db: &Db,
    kind: &str,
    id: &str,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Row>, i64), DbError> {
    let rows = db
        .sql(ROWS)
        .push(" where kind = $1 and record_id = $2 order by seq desc limit $3 offset $4")
        .bind(kind)
        .bind(id)
        .bind(limit)
        .bind(offset)
        .all()
        .await?;
    let total = db
        .sql("select cast(count(*) as bigint) from audit where kind = $1 and record_id = $2")
        .bind(kind)
        .bind(id)
        .scalar()
        .await?;
    Ok((rows, total))
}

/// The changes of a record after one of them, newest first.
///
/// # Errors
/// If the database fails.
pub async fn since(tx: &mut Tx<'_>, kind: &str, id: &str, seq: i64) -> Result<Vec<Row>, DbError> {
    tx.sql(ROWS)
        .push(" where kind = $1 and record_id = $2 and seq > $3 order by seq desc")
        .bind(kind)
        .bind(id)
        .bind(seq)
        .all()
        .await
}

/// The newest changes of a record.
///
/// # Errors
/// If the database fails.
pub async fn latest(tx: &mut Tx<'_>, kind: &str, id: &str, limit: i64) -> Result<Vec<Row>, DbError> {
    tx.sql(ROWS)
        .push(" where kind = $1 and record_id = $2 order by seq desc limit $3")
        .bind(kind)
        .bind(id)
        .bind(limit)
        .all()
        .await
}

/// Number of changes of a record.
///
/// # Errors
/// If the database fails.
pub async fn count_of(tx: &mut Tx<'_>, kind: &str, id: &str) -> Result<i64, DbError> {
    tx.sql("select cast(count(*) as bigint) from audit where kind = $1 and record_id = $2")
        .bind(kind)
        .bind(id)
        .scalar()
        .await
}

/// What a user limited to stores sees of the trail: changes to records of their stores, and of records
/// without a store only the types listed here.
#[derive(Debug, Clone, Default)]
pub struct Within {
    pub stores: Vec<String>,
    /// Types whose records belong to the whole group.
    pub everybodys: Vec<&'static str>,
    /// Types whose records are visible to their author.
    pub own: Vec<&'static str>,
    /// The user.
    pub uid: String,
    /// Types whose records are people, with the ids the user may see.
    pub people: Vec<(&'static str, Vec<String>)>,
}

/// Filter of the whole trail.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Record types.
    pub kinds: Vec<&'static str>,
    pub record_id: Option<String>,
    /// Account id of the author.
    pub uid: Option<String>,
    /// `created`, `updated` or `deleted`.
    pub action: Option<String>,
    /// A case-folded pattern for the author.
    pub like: Option<String>,
    /// Inclusive.
    pub from: Option<Timestamp>,
    /// Exclusive.
    pub to: Option<Timestamp>,
    /// Limits for a user of some stores; `None` shows everything.
    pub within: Option<Within>,
    pub limit: i64,
    pub offset: i64,
}

/// A page of the whole trail, newest first, and its total.
///
/// # Errors
/// If the database fails.
pub async fn everything(db: &Db, filter: &Filter) -> Result<(Vec<Row>, i64), DbError> {
    let rows = narrowed(db.sql(ROWS), filter)
        .push(" order by seq desc limit ")
        .push_bind(filter.limit)
        .push(" offset ")
        .push_bind(filter.offset)
        .all()
        .await?;
    let total = narrowed(db.sql("select cast(count(*) as bigint) from audit"), filter).scalar().await?;
    Ok((rows, total))
}

/// The newest changes, without a total.
///
/// # Errors
/// If the database fails.
pub async fn newest(db: &Db, filter: &Filter) -> Result<Vec<Row>, DbError> {
    narrowed(db.sql(ROWS), filter).push(" order by seq desc limit ").push_bind(filter.limit).all().await
}

fn narrowed<'q>(query: Query<'q>, filter: &Filter) -> Query<'q> {
    let mut query = query.push(" where kind in ").push_ids(&filter.kinds);
    if let Some(id) = &filter.record_id {
        query = query.push(" and record_id = ").push_bind(id.clone());
    }
    if let Some(uid) = &filter.uid {
        query = query.push(" and uid = ").push_bind(uid.clone());
    }
    if let Some(action) = &filter.action {
        query = query.push(" and action = ").push_bind(action.clone());
    }
    if let Some(like) = &filter.like {
        query = query
            .push(" and (lower(name) like ")
            .push_bind(like.clone())
            .push(" escape '\\' or lower(email) like ")
            .push_bind(like.clone())
            .push(" escape '\\')");
    }
    if let Some(from) = filter.from {
        query = query.push(" and at >= ").push_bind(from);
    }
    if let Some(to) = filter.to {
        query = query.push(" and at < ").push_bind(to);
    }
    if let Some(within) = &filter.within {
        query = query
            .push(" and (store_id in ")
            .push_ids(&within.stores)
            .push(" or (store_id is null and (kind in ")
            .push_ids(&within.everybodys)
            .push(" or (uid = ")
            .push_bind(within.uid.clone())
            .push(" and kind in ")
            .push_ids(&within.own)
            .push(")");
        for (kind, ids) in &within.people {
            query = query
                .push(" or (kind = ")
                .push_bind(*kind)
                .push(" and record_id in ")
                .push_ids(ids)
                .push(")");
        }
        query = query.push(")))");
    }
    query
}
