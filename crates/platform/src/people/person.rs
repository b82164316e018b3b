//! A person as requests meet them: the session, its owner, the role, what is still asked of them.

use larder_db::Json;
use larder_db::{Db, DbError};
use larder_domain::{Permissions, Timestamp};

/// A session with its owner and what they may do.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Person {
    pub uid: String,
    /// The app user.
    pub user_id: String,
    /// Name as shown to colleagues.
    pub name: String,
    pub email: String,
    /// Role, if one was given.
    pub role_id: Option<String>,
    pub role_name: Option<String>,
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// What the role allows.
    pub permissions: Option<Json<Permissions>>,
    /// The stores within reach; `None` is all.
    pub store_ids: Option<Json<Vec<String>>>,
    /// Whether they may not sign in.
    pub disabled: bool,
    /// Whether the password was made by somebody else.
    pub must_change_password: bool,
    /// Whether a second factor is in force.
    pub totp_on: bool,
    /// Whether the role asks for one.
    pub totp_required: bool,
    pub session_id: String,
    /// `office`, `tablet`, `client`.
    pub session_kind: String,
    /// How they proved who they are.
    pub provider: String,
    /// When they last did.
    pub authenticated_at: Timestamp,
    /// When the session ends at the latest.
    pub expires_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_seen_at: Timestamp,
    /// How long it may lie unused.
    pub idle_ms: i64,
}

impl Person {
    /// Whether the session is over at this time.
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

/// Who holds the cookie with this hash.
///
/// # Errors
/// When the database cannot be read.
pub async fn by_cookie(db: &Db, token_hash: &str) -> Result<Option<Person>, DbError> {
    db.sql(PERSON).push("and s.token_hash = $1").bind(token_hash).optional().await
}

/// Whose session this is.
///
/// # Errors
/// When the database cannot be read.
pub async fn by_session(db: &Db, session_id: &str) -> Result<Option<Person>, DbError> {
    db.sql(PERSON).push("and s.id = $1").bind(session_id).optional().await
}

/// The account of a user; none for somebody who was invited and never came.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn account_of(db: &Db, user_id: &str) -> Result<Option<String>, DbError> {
    let found: Option<(Option<String>,)> =
        db.sql("select uid from app_users where id = $1").bind(user_id).optional().await?;
    Ok(found.and_then(|(uid,)| uid))
}

/// Somebody without a session of theirs.
///
/// # Errors
/// When the database cannot be read.
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
