//! The statements of the audit trail.

use larder_db::{Db, DbError, Json, Query, Tx};
use larder_domain::Timestamp;
use serde_json::Value;

/// One change, as it is kept.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Row {
    pub seq: i64,
    pub at: Timestamp,
    /// Who did it.
    pub uid: String,
    pub name: String,
    pub email: String,
    /// From where.
    pub origin: String,
    /// What was changed.
    pub kind: String,
    pub record_id: String,
    /// The store it belongs to.
    pub store_id: Option<String>,
    /// `created`, `updated` or `deleted`.
    pub action: String,
    /// `field → [before, after]`.
    pub changes: Json<Value>,
}

const ROWS: &str =
    "select seq, at, uid, name, email, origin, kind, record_id, store_id, action, changes from audit";

/// A page of a record's history, newest first, and how long it is.
///
/// # Errors
/// When the database does not answer.
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
/// When the database does not answer.
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
/// When the database does not answer.
pub async fn latest(tx: &mut Tx<'_>, kind: &str, id: &str, limit: i64) -> Result<Vec<Row>, DbError> {
    tx.sql(ROWS)
        .push(" where kind = $1 and record_id = $2 order by seq desc limit $3")
        .bind(kind)
        .bind(id)
        .bind(limit)
        .all()
        .await
}

/// How often a record was changed.
///
/// # Errors
/// When the database does not answer.
pub async fn count_of(tx: &mut Tx<'_>, kind: &str, id: &str) -> Result<i64, DbError> {
    tx.sql("select cast(count(*) as bigint) from audit where kind = $1 and record_id = $2")
        .bind(kind)
        .bind(id)
        .scalar()
        .await
}

/// What somebody limited to stores sees of the trail: changes of records that belong to a store within reach, and of
/// those that belong to none only what is named here.
#[derive(Debug, Clone, Default)]
pub struct Within {
    /// The stores within reach.
    pub stores: Vec<String>,
    /// Kinds of records that belong to the whole group.
    pub everybodys: Vec<&'static str>,
    /// Kinds whose records are seen by whoever made them.
    pub own: Vec<&'static str>,
    /// Who asks.
    pub uid: String,
    /// Kinds of records that are people, and the ids of those that are seen.
    pub people: Vec<(&'static str, Vec<String>)>,
}

/// What part of the whole trail is asked for.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Of these kinds.
    pub kinds: Vec<&'static str>,
    pub record_id: Option<String>,
    /// By this account.
    pub uid: Option<String>,
    /// `created`, `updated` or `deleted`.
    pub action: Option<String>,
    /// A folded pattern for who did it.
    pub like: Option<String>,
    /// From then on.
    pub from: Option<Timestamp>,
    /// Before then.
    pub to: Option<Timestamp>,
    /// What somebody limited to stores sees of it; everything where nobody says.
    pub within: Option<Within>,
    /// Most rows.
    pub limit: i64,
    /// Rows left out before.
    pub offset: i64,
}

/// Part of the whole trail, newest first, and how much there is.
///
/// # Errors
/// When the database does not answer.
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

/// The newest part of the trail, without how much there is.
///
/// # Errors
/// When the database does not answer.
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
