//! Accounts: the sign-in side of users.

use larder_db::{Actor, Db, DbError, Tx};
use larder_domain::Timestamp;

use super::{links, session_ends};
use crate::http::Origin;

/// An account with what sign-in needs.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Account {
    pub uid: String,
    /// Address as entered.
    pub email: String,
    /// Whether the address was verified.
    pub email_verified: bool,
    pub display_name: String,
    pub photo_url: String,
    pub password_hash: Option<String>,
    pub password_changed_at: Option<Timestamp>,
    /// Whether sign-in is refused.
    pub disabled: bool,
    /// Sessions opened earlier are invalid.
    pub valid_since: Timestamp,
    pub created_at: Timestamp,
    pub last_login_at: Option<Timestamp>,
    /// The app user's status, if there is one.
    pub status: Option<String>,
    /// Account that created the temporary password currently in use.
    pub temp_password_by: Option<String>,
}

impl Account {
    /// Whether sign-in is refused.
    #[must_use]
    pub fn is_out(&self) -> bool {
        self.disabled || self.status.as_deref().is_some_and(|s| s != "Active")
    }

    /// Its owner as the author of a change.
    #[must_use]
    pub fn actor(&self, origin: &Origin, at: Timestamp) -> Actor {
        Actor {
            uid: self.uid.clone(),
            name: self.display_name.clone(),
            email: self.email.clone(),
            from: origin.address.clone(),
            at,
        }
    }
}

const ACCOUNT: &str = "select a.uid, a.email, a.email_verified, a.display_name, a.photo_url, a.password_hash,
        a.password_changed_at, a.disabled, a.valid_since, a.created_at, a.last_login_at, u.status,
        u.temp_password_by
    from accounts a left join app_users u on u.uid = a.uid ";

/// Finds an account by address (`email_key`: trimmed, lower case).
///
/// # Errors
/// If the database fails.
pub async fn find_account(db: &Db, email_key: &str) -> Result<Option<Account>, DbError> {
    db.sql(ACCOUNT).push("where a.email_key = $1").bind(email_key).optional().await
}

/// Finds an account by id.
///
/// # Errors
/// If the database fails.
pub async fn account(db: &Db, uid: &str) -> Result<Option<Account>, DbError> {
    db.sql(ACCOUNT).push("where a.uid = $1").bind(uid).optional().await
}

/// As [`account`], inside a transaction.
///
/// # Errors
/// If the statement fails.
pub async fn account_in(tx: &mut Tx<'_>, uid: &str) -> Result<Option<Account>, DbError> {
    tx.sql(ACCOUNT).push("where a.uid = $1").bind(uid).optional().await
}

/// Identities at providers: (provider, subject id, address there).
///
/// # Errors
/// If the database fails.
pub async fn identities(db: &Db, uid: &str) -> Result<Vec<(String, String, String)>, DbError> {
    db.sql("select provider, subject, email from account_providers where uid = $1 order by provider, subject")
        .bind(uid)
        .all()
        .await
}

/// Whether there are no accounts yet.
///
/// # Errors
/// If the database fails.
pub async fn none_yet(db: &Db) -> Result<bool, DbError> {
    let some: i64 = db
        .sql("select cast(count(*) as bigint) from (select uid from accounts limit 1) as some_account")
        .scalar()
        .await?;
    Ok(some == 0)
}

/// Sets a password. Ends the display of a temporary password and all reset links, unless this one is
/// temporary itself: a link sent along stays valid, and the first of the two to be used ends the other.
/// Sessions are kept.
///
/// # Errors
/// If the statement fails.
pub async fn set_password(tx: &mut Tx<'_>, uid: &str, hash: &str, must_change: bool) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "update accounts set password_hash = $1, must_change_password = $2, password_changed_at = $3 where uid = $4",
    )
    .bind(hash)
    .bind(must_change)
    .bind(at)
    .bind(uid)
    .execute()
    .await?;
    forget_temporary(tx, uid).await?;
    tx.sql("update app_users set temp_password_by = null where uid = $1 and temp_password_by is not null")
        .bind(uid)
        .execute()
        .await?;
    if must_change { Ok(()) } else { links::end_all(tx, uid).await }
}

/// Marks the address as verified: its owner followed a link sent to it.
///
/// # Errors
/// If the statement fails.
pub async fn set_verified(tx: &mut Tx<'_>, uid: &str) -> Result<(), DbError> {
    tx.sql("update accounts set email_verified = $1 where uid = $2")
        .bind(true)
        .bind(uid)
        .execute()
        .await
        .map(drop)
}

/// Disables or enables sign-in. Disabling ends every session.
///
/// # Errors
/// If the statement fails.
pub async fn set_disabled(tx: &mut Tx<'_>, uid: &str, disabled: bool) -> Result<(), DbError> {
    tx.sql("update accounts set disabled = $1 where uid = $2").bind(disabled).bind(uid).execute().await?;
    if disabled {
        links::end_all(tx, uid).await?;
        session_ends::end_all(tx, uid, None).await?;
    }
    Ok(())
}

/// Records a sign-in; ends the display of a temporary password.
///
/// # Errors
/// If the statement fails.
pub async fn note_sign_in(tx: &mut Tx<'_>, uid: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("update accounts set last_login_at = $1 where uid = $2").bind(at).bind(uid).execute().await?;
    forget_temporary(tx, uid).await
}

async fn forget_temporary(tx: &mut Tx<'_>, uid: &str) -> Result<(), DbError> {
    tx.sql(
        "update app_users set temp_password = null, temp_password_at = null
         where uid = $1 and temp_password is not null",
    )
    .bind(uid)
    .execute()
    .await
    .map(drop)
}

/// Sign-in methods of an account: `password`, `google.com`.
///
/// # Errors
/// If the database fails.
pub async fn providers(db: &Db, uid: &str) -> Result<Vec<String>, DbError> {
    let rows: Vec<(String,)> = db
        .sql(
            "select 'password' as provider from accounts where uid = $1 and coalesce(password_hash, '') <> ''
             union select provider from account_providers where uid = $1 order by 1 desc",
        )
        .bind(uid)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(provider,)| provider).collect())
}
