//! Session lists.

use larder_db::{Db, DbError};
use larder_domain::Timestamp;

use super::visible_people::VisiblePeople;

/// A session in a list.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct SessionRow {
    pub id: String,
    pub uid: String,
    pub user_name: String,
    pub user_email: String,
    /// `office`, `tablet`, `client`.
    pub kind: String,
    /// Sign-in method.
    pub provider: String,
    pub created_at: Timestamp,
    /// When they last authenticated.
    pub authenticated_at: Timestamp,
    /// Last use, to the minute.
    pub last_seen_at: Timestamp,
    /// When it expires at the latest.
    pub expires_at: Timestamp,
    pub user_agent: String,
    pub origin: String,
}

const ROW: &str =
    "select s.id, s.uid, coalesce(u.name, a.display_name) as user_name, a.email as user_email, s.kind, s.provider,
            s.created_at, s.authenticated_at, s.last_seen_at, s.expires_at, s.user_agent, s.origin";
const OPEN: &str = "
    from sessions s join accounts a on a.uid = s.uid left join app_users u on u.uid = s.uid
    where s.revoked_at is null and s.expires_at > $1 and s.last_seen_at + s.idle_ms > $1 ";

/// The open sessions of an account, last used first.
///
/// # Errors
/// If the database fails.
pub async fn list_of(db: &Db, uid: &str, now: Timestamp) -> Result<Vec<SessionRow>, DbError> {
    db.sql(ROW)
        .push(OPEN)
        .push("and s.uid = $2 order by s.last_seen_at desc, s.id limit 1000")
        .bind(now)
        .bind(uid)
        .all()
        .await
}

const LIKE: &str = "and (cast($2 as text) is null or lower(a.email) like $2 or lower(coalesce(u.name, a.display_name)) like $2
    or lower(s.user_agent) like $2 or s.origin like $2) ";

/// Open sessions of people the caller may see, with `q` in name, address, browser or origin; and their total.
///
/// # Errors
/// If the database fails.
pub async fn list_all(
    db: &Db,
    visible: &VisiblePeople,
    q: Option<&str>,
    now: Timestamp,
    (limit, offset): (i64, i64),
) -> Result<(Vec<SessionRow>, i64), DbError> {
    let q = q.map(str::trim).filter(|q| !q.is_empty());
    let q = q.map(|q| format!("%{}%", q.to_lowercase().replace(['%', '_'], " ")));
    let open = |columns| {
        let query = db.sql(columns).push(OPEN).push(LIKE).bind(now).bind(q.as_deref());
        visible.narrow_accounts(query, "s.uid")
    };
    let total = open("select cast(count(*) as bigint)").scalar().await?;
    let rows = open(ROW).push(" order by s.last_seen_at desc, s.id limit ").push_bind(limit);
    Ok((rows.push(" offset ").push_bind(offset).all().await?, total))
}
