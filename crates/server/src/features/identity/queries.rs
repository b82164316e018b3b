//! What sign-in reads and writes.

use larder_db::{Actor, Db, DbError, Tx};
use larder_domain::Timestamp;

/// An account, with what signing in needs to know.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Account {
    /// The account's id.
    pub uid: String,
    /// Address as entered.
    pub email: String,
    /// Whether the address was proved.
    pub email_verified: bool,
    /// Name.
    pub display_name: String,
    /// Hash of the password, if one was set.
    pub password_hash: Option<String>,
    /// Whether sign-in is refused.
    pub disabled: bool,
    /// The app user's status, if there is one.
    pub status: Option<String>,
}

/// Finds the account of an address (`email_key`: trimmed, lower case).
pub async fn find_account(db: &Db, email_key: &str) -> Result<Option<Account>, DbError> {
    db.sql(
        "select a.uid, a.email, a.email_verified, a.display_name, a.password_hash, a.disabled, u.status
         from accounts a left join app_users u on u.uid = a.uid
         where a.email_key = $1",
    )
    .bind(email_key)
    .optional()
    .await
}

/// When an address may be tried again, if it is locked now.
pub async fn locked_until(db: &Db, email_key: &str) -> Result<Option<Timestamp>, DbError> {
    let found: Option<(Timestamp,)> = db
        .sql("select locked_until from sign_in_failures where email_key = $1")
        .bind(email_key)
        .optional()
        .await?;
    Ok(found.map(|(until,)| until))
}

/// Counts one more failure: from the fifth on the address is locked for 30 s, doubling to 15 min.
pub async fn count_failure(db: &Db, actor: &Actor, email_key: &str) -> Result<(), DbError> {
    let now = actor.at;
    db.write(actor, async |tx| {
        let failures: i64 = tx
            .sql(
                "insert into sign_in_failures (email_key, failures, last_at, locked_until) values ($1, 1, $2, 0)
                 on conflict (email_key) do update set
                   failures = case when sign_in_failures.last_at < $3 then 1 else sign_in_failures.failures + 1 end,
                   last_at = excluded.last_at
                 returning failures",
            )
            .bind(email_key)
            .bind(now)
            .bind(now.plus_ms(-FAILURES_FORGOTTEN_MS))
            .scalar()
            .await?;
        if failures >= 5 {
            let seconds = 30i64.saturating_mul(1 << (failures - 5).min(5)).min(900);
            tx.sql("update sign_in_failures set locked_until = $1 where email_key = $2")
                .bind(now.plus_seconds(seconds))
                .bind(email_key)
                .execute()
                .await?;
        }
        Ok(())
    })
    .await
}

/// Failures older than this no longer count.
const FAILURES_FORGOTTEN_MS: i64 = 24 * 3_600_000;

/// A session about to be kept.
pub struct NewSession<'a> {
    /// Hash of the token in the cookie.
    pub token_hash: &'a str,
    /// The session's own id, for lists of sessions and ID tokens.
    pub id: &'a str,
    /// Whose it is.
    pub uid: &'a str,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
    /// The browser, as it names itself.
    pub user_agent: &'a str,
}

/// Keeps a session, notes the sign-in, forgets earlier failures.
pub async fn open_session(
    db: &Db,
    actor: &Actor,
    email_key: &str,
    new: NewSession<'_>,
) -> Result<(), DbError> {
    let new = &new;
    db.write(actor, async |tx| {
        tx.sql(
            "insert into sessions
               (token_hash, id, uid, created_at, authenticated_at, last_seen_at, expires_at, user_agent, origin)
             values ($1, $2, $3, $4, $4, $4, $5, $6, $7)",
        )
        .bind(new.token_hash)
        .bind(new.id)
        .bind(new.uid)
        .bind(actor.at)
        .bind(new.expires_at)
        .bind(new.user_agent)
        .bind(&actor.from)
        .execute()
        .await?;
        note_sign_in(tx, email_key, new.uid).await
    })
    .await
}

/// Notes a sign-in that keeps no session.
pub async fn note_token_sign_in(db: &Db, actor: &Actor, email_key: &str, uid: &str) -> Result<(), DbError> {
    db.write(actor, async |tx| note_sign_in(tx, email_key, uid).await).await
}

async fn note_sign_in(tx: &mut Tx<'_>, email_key: &str, uid: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("update accounts set last_login_at = $1 where uid = $2").bind(at).bind(uid).execute().await?;
    tx.sql("delete from sign_in_failures where email_key = $1").bind(email_key).execute().await?;
    tx.sql("delete from sessions where uid = $1 and expires_at < $2").bind(uid).bind(at).execute().await?;
    Ok(())
}

/// Ends the session behind a token, if there is one.
pub async fn close_session(db: &Db, actor: &Actor, token_hash: &str) -> Result<(), DbError> {
    db.write(actor, async |tx| {
        tx.sql("delete from sessions where token_hash = $1").bind(token_hash).execute().await?;
        tx.announce("session", token_hash, None);
        Ok(())
    })
    .await
}

/// A signing key as kept.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct KeyRow {
    /// Names it in tokens.
    pub kid: String,
    /// PKCS#1.
    pub private_pem: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The keys in use, newest first.
pub async fn list_keys(db: &Db) -> Result<Vec<KeyRow>, DbError> {
    db.sql("select kid, private_pem, created_at from signing_keys where retired_at is null order by created_at desc, kid")
        .all()
        .await
}

/// Keeps a key unless another node was faster.
pub async fn add_first_key(db: &Db, actor: &Actor, key: &KeyRow) -> Result<(), DbError> {
    db.write(actor, async |tx| {
        tx.sql(
            "insert into signing_keys (kid, private_pem, created_at)
             select $1, $2, $3 where not exists (select 1 from signing_keys where retired_at is null)",
        )
        .bind(&key.kid)
        .bind(&key.private_pem)
        .bind(key.created_at)
        .execute()
        .await?;
        Ok(())
    })
    .await
}

/// A person about to be added by the administrator's command or the demo.
pub struct NewUser<'a> {
    /// The account's id.
    pub uid: &'a str,
    /// The app user's id.
    pub id: &'a str,
    /// Address.
    pub email: &'a str,
    /// Name.
    pub name: &'a str,
    /// Hash of the password.
    pub password_hash: &'a str,
    /// Role, if any.
    pub role_id: Option<&'a str>,
    /// Whether everything is allowed.
    pub super_admin: bool,
    /// The stores within reach; `None` is all.
    pub store_ids: Option<&'a [String]>,
}

/// Adds a person who can sign in with a password.
pub async fn add_user(tx: &mut Tx<'_>, new: &NewUser<'_>) -> Result<(), DbError> {
    let at = tx.actor().at;
    let by = author(tx.actor());
    let key = email_key(new.email);
    tx.sql(
        "insert into accounts (uid, email, email_key, email_verified, display_name, password_hash, disabled, valid_since, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
    )
    .bind(new.uid)
    .bind(new.email.trim())
    .bind(&key)
    .bind(true)
    .bind(new.name)
    .bind(new.password_hash)
    .bind(false)
    .bind(at)
    .execute()
    .await?;
    tx.sql(
        "insert into app_users (id, uid, email, email_key, name, role_id, status, billable, super_admin, store_ids,
                                extra, revision, created_at, updated_at, updated_by)
         values ($1, $2, $3, $4, $5, $6, 'Active', $7, $8, $9, $10, 1, $11, $11, $12)",
    )
    .bind(new.id)
    .bind(new.uid)
    .bind(new.email.trim())
    .bind(&key)
    .bind(new.name)
    .bind(new.role_id)
    .bind(false)
    .bind(new.super_admin)
    .bind(new.store_ids.map(|ids| sqlx::types::Json(ids.to_vec())))
    .bind(sqlx::types::Json(serde_json::json!({})))
    .bind(at)
    .bind(sqlx::types::Json(by))
    .execute()
    .await?;
    tx.record(larder_db::Change {
        kind: "user",
        id: new.id.to_owned(),
        store_id: None,
        action: larder_db::ChangeAction::Created,
        before: None,
        after: Some(serde_json::json!({
            "email": new.email.trim(), "name": new.name, "roleId": new.role_id,
            "superAdmin": new.super_admin, "storeIds": new.store_ids,
        })),
    })
    .await
}

/// Adds a role.
pub async fn add_role(
    tx: &mut Tx<'_>,
    id: &str,
    name: &str,
    permissions: &larder_domain::Permissions,
) -> Result<(), DbError> {
    let at = tx.actor().at;
    let by = author(tx.actor());
    tx.sql(
        "insert into app_roles (id, name, permissions, extra, revision, created_at, updated_at, updated_by)
         values ($1, $2, $3, $4, 1, $5, $5, $6)",
    )
    .bind(id)
    .bind(name)
    .bind(sqlx::types::Json(permissions.clone()))
    .bind(sqlx::types::Json(serde_json::json!({})))
    .bind(at)
    .bind(sqlx::types::Json(by))
    .execute()
    .await?;
    tx.record(larder_db::Change {
        kind: "role",
        id: id.to_owned(),
        store_id: None,
        action: larder_db::ChangeAction::Created,
        before: None,
        after: Some(serde_json::json!({ "name": name, "permissions": permissions })),
    })
    .await
}

/// How the author of a change stands in a record's `updatedBy`.
#[must_use]
pub fn author(actor: &Actor) -> serde_json::Value {
    serde_json::json!({ "uid": actor.uid, "name": actor.name, "email": actor.email })
}

/// What addresses are compared by.
#[must_use]
pub fn email_key(email: &str) -> String {
    email.trim().to_lowercase()
}
