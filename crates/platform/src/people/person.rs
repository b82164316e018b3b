//! The user behind a request: session, account, role, and pending requirements.

use larder_db::Json;
use larder_db::{Db, DbError};
use larder_domain::{Permissions, Timestamp};

/// A session with its owner and their permissions.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Person {
    pub uid: String,
    pub user_id: String,
    /// Display name.
    pub name: String,
    pub email: String,
    pub role_id: Option<String>,
    pub role_name: Option<String>,
    pub super_admin: bool,
    /// Permissions of the role.
    pub permissions: Option<Json<Permissions>>,
    /// The stores they may see; `None` is all.
    pub store_ids: Option<Json<Vec<String>>>,
    /// Whether sign-in is refused.
    pub disabled: bool,
    /// Whether the password was set by another user.
    pub must_change_password: bool,
    /// Whether a second factor is set up.
    pub totp_on: bool,
    /// Whether the role requires one.
    pub totp_required: bool,
    pub session_id: String,
    /// `office`, `tablet`, `client`.
    pub session_kind: String,
    /// Sign-in method.
    pub provider: String,
    /// When they last authenticated.
    pub authenticated_at: Timestamp,
    /// When the session expires at the latest.
    pub expires_at: Timestamp,
    /// Last use, to the minute.
    pub last_seen_at: Timestamp,
    /// Idle timeout in milliseconds.
    pub idle_ms: i64,
}

impl Person {
    /// Whether the session has expired at this time.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.expires_at || now.0 - self.last_seen_at.0 >= self.idle_ms
    }
}

const PERSON: &str = "select a.uid as uid, u.id as user_id, u.name as name, u.email as email, u.role_id as role_id,
        r.name as role_name, u.super_admin as super_admin, r.permissions as permissions, u.store_ids as store_ids,
        (a.disabled or u.status <> 'Active') as disabled, a.must_change_password as must_change_password,
        (t.uid is not null) as totp_on, coalesce(r.require_totp, false) as totp_required,
        s.id as session_id, s.kind as session_kind, s.provider as provider, s.authenticated_at as authenticated_at,
        s.expires_at as expires_at, s.last_seen_at as last_seen_at, s.idle_ms as idle_ms
    from sessions s
    join accounts a on a.uid = s.uid
    join app_users u on u.uid = a.uid
    left join app_roles r on r.id = u.role_id
    left join totp_secrets t on t.uid = a.uid and t.confirmed_at is not null
    where s.revoked_at is null ";

/// The user of a cookie by its hash.
///
/// # Errors
/// If the database fails.
pub async fn by_cookie(db: &Db, token_hash: &str) -> Result<Option<Person>, DbError> {
    db.sql(PERSON).push("and s.token_hash = $1").bind(token_hash).optional().await
}

/// The user of a session.
///
/// # Errors
/// If the database fails.
pub async fn by_session(db: &Db, session_id: &str) -> Result<Option<Person>, DbError> {
    db.sql(PERSON).push("and s.id = $1").bind(session_id).optional().await
}

/// The account of a user; `None` before their first sign-in.
///
/// # Errors
/// If the database fails.
pub(crate) async fn account_of(db: &Db, user_id: &str) -> Result<Option<String>, DbError> {
    let found: Option<(Option<String>,)> =
        db.sql("select uid from app_users where id = $1").bind(user_id).optional().await?;
    Ok(found.and_then(|(uid,)| uid))
}

/// A user without a session.
///
/// # Errors
/// If the database fails.
pub async fn standing(db: &Db, uid: &str) -> Result<Option<Person>, DbError> {
    db.sql(
        "select a.uid as uid, u.id as user_id, u.name as name, u.email as email, u.role_id as role_id,
           r.name as role_name, u.super_admin as super_admin, r.permissions as permissions, u.store_ids as store_ids,
           (a.disabled or u.status <> 'Active') as disabled, a.must_change_password as must_change_password,
           (t.uid is not null) as totp_on, coalesce(r.require_totp, false) as totp_required,
           '' as session_id, '' as session_kind, '' as provider, cast(0 as bigint) as authenticated_at,
           cast(0 as bigint) as expires_at, cast(0 as bigint) as last_seen_at, cast(0 as bigint) as idle_ms
         from accounts a
         join app_users u on u.uid = a.uid
         left join app_roles r on r.id = u.role_id
         left join totp_secrets t on t.uid = a.uid and t.confirmed_at is not null
         where a.uid = $1",
    )
    .bind(uid)
    .optional()
    .await
}
