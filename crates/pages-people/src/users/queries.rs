//! Queries of user management on other features' tables: stores, audit history.

use larder_db::Json;
use larder_db::{Db, DbError, Query, Tx};
use larder_domain::Timestamp;
use serde_json::Value;

use larder_platform::people::visible_people::VisiblePeople;

/// Names of stores.
pub(crate) async fn store_names(db: &Db, ids: &[String]) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> =
        db.sql("select name from locations where id in ").push_ids(ids).push(" order by name").all().await?;
    Ok(rows.into_iter().map(|(name,)| name).collect())
}

/// Those of the given stores that exist.
pub(crate) async fn known_stores(tx: &mut Tx<'_>, ids: &[String]) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> = tx.sql("select id from locations where id in ").push_ids(ids).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// All stores: id, code, name.
pub async fn stores(db: &Db) -> Result<Vec<(String, Option<String>, String)>, DbError> {
    db.sql("select id, code, name from locations order by name, id").all().await
}

/// A change in the audit history.
#[derive(Debug, sqlx::FromRow)]
pub struct AuditRow {
    pub seq: i64,
    pub at: Timestamp,
    pub uid: String,
    pub name: String,
    pub email: String,
    pub origin: String,
    pub kind: String,
    pub record_id: String,
    pub record_name: Option<String>,
    pub action: String,
    pub changes: Json<Value>,
}

/// Filter of changes.
#[derive(Debug, Default)]
pub struct AuditFilter {
    /// By this account, or to its user.
    pub uid: Option<String>,
    pub like: Option<String>,
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
    pub limit: i64,
    pub offset: i64,
}

const AUDIT: &str = "
    from audit h
    left join app_users u on h.kind = 'user' and u.id = h.record_id
    left join app_roles r on h.kind = 'role' and r.id = h.record_id
    left join applications p on h.kind = 'application' and p.id = h.record_id
    where h.kind in ('user', 'role', 'application')";

/// The user a change is about: the user itself, or the one created from an application.
const OF_USER: &str = "(case h.kind when 'user' then h.record_id when 'application' then p.user_id end)";

/// Changes to visible users, roles and applications, newest first, and their total number.
pub async fn history(
    db: &Db,
    visible: &VisiblePeople,
    filter: &AuditFilter,
) -> Result<(Vec<AuditRow>, i64), DbError> {
    let seen = |query| visible.narrow(narrowed(query, filter), OF_USER, true);
    let total = seen(db.sql("select cast(count(*) as bigint)").push(AUDIT)).scalar().await?;
    let rows = db.sql(
        "select h.seq, h.at, h.uid, h.name, h.email, h.origin, h.kind, h.record_id,
                coalesce(u.name, r.name, p.name) as record_name, h.action, h.changes",
    );
    let rows = seen(rows.push(AUDIT)).push(" order by h.seq desc limit ").push_bind(filter.limit);
    Ok((rows.push(" offset ").push_bind(filter.offset).all().await?, total))
}

fn narrowed<'q>(query: Query<'q>, filter: &AuditFilter) -> Query<'q> {
    let mut query = query;
    if let Some(uid) = &filter.uid {
        query = query.push(" and (h.uid = ").push_bind(uid).push(" or u.uid = ").push_bind(uid).push(")");
    }
    if let Some(like) = &filter.like {
        query = query.push(" and (lower(h.name) like ").push_bind(like);
        query = query.push(" escape '\\' or lower(h.email) like ").push_bind(like);
        query =
            query.push(" escape '\\' or lower(coalesce(u.name, r.name, p.name, '')) like ").push_bind(like);
        query = query.push(" escape '\\')");
    }
    if let Some(from) = filter.from {
        query = query.push(" and h.at >= ").push_bind(from);
    }
    if let Some(to) = filter.to {
        query = query.push(" and h.at < ").push_bind(to);
    }
    query
}
