//! Links to set a password: single use, limited lifetime, only the newest of an account, stored as a hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use larder_db::{Db, DbError, Tx};
use larder_domain::Timestamp;

use crate::AppState;
use crate::http::session::token_hash;

/// Purpose of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// Forgotten password: 1 h.
    Reset,
    /// Invitation: 3 days.
    Invitation,
}

impl LinkKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::Invitation => "invitation",
        }
    }

    /// Lifetime of a link of this kind.
    fn life_ms(self) -> i64 {
        match self {
            Self::Reset => 3_600_000,
            Self::Invitation => 3 * 86_400_000,
        }
    }
}

/// A new link.
#[derive(Debug, Clone)]
pub struct NewLink {
    /// Redeems it; part of the address.
    pub code: String,
    /// Where its owner sets the password.
    pub address: String,
    pub expires_at: Timestamp,
}

/// Creates a link and invalidates older ones. `made_by` is the person who sees it, if not only its
/// owner.
///
/// # Errors
/// If the statement fails.
pub async fn make(
    tx: &mut Tx<'_>,
    state: &AppState,
    uid: &str,
    kind: LinkKind,
    made_by: Option<&str>,
) -> Result<NewLink, DbError> {
    let code = BASE64.encode(state.random_bytes::<32>());
    let at = tx.actor().at;
    let expires_at = at.plus_ms(kind.life_ms());
    end_all(tx, uid).await?;
    tx.sql(
        "insert into password_links (code_hash, uid, kind, created_at, expires_at, made_by)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(token_hash(&code))
    .bind(uid)
    .bind(kind.as_str())
    .bind(at)
    .bind(expires_at)
    .bind(made_by)
    .execute()
    .await?;
    Ok(NewLink { address: address(state, &code), code, expires_at })
}

/// Invalidates all links of an account.
///
/// # Errors
/// If the statement fails.
pub async fn end_all(tx: &mut Tx<'_>, uid: &str) -> Result<(), DbError> {
    tx.sql("delete from password_links where uid = $1").bind(uid).execute().await.map(drop)
}

/// The address to redeem a code.
fn address(state: &AppState, code: &str) -> String {
    state.config.address(&format!("/reset-password?mode=resetPassword&oobCode={code}"))
}

/// A followed link.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Link {
    /// The account whose password it sets.
    pub uid: String,
    pub email: String,
    pub name: String,
    pub expires_at: Timestamp,
    /// The person it was handed to, if it was not mailed to its owner alone.
    pub made_by: Option<String>,
    /// Whether the account is disabled.
    pub disabled: bool,
}

/// The link of a code, expired or not.
///
/// # Errors
/// If the database fails.
pub async fn find(db: &Db, code: &str) -> Result<Option<Link>, DbError> {
    db.sql(
        "select l.uid, a.email, a.display_name as name, l.expires_at, l.made_by,
                (a.disabled or coalesce(u.status, 'Active') <> 'Active') as disabled
         from password_links l
         join accounts a on a.uid = l.uid
         left join app_users u on u.uid = l.uid
         where l.code_hash = $1 and l.used_at is null",
    )
    .bind(token_hash(code))
    .optional()
    .await
}

/// Consumes a link; `false` if it was consumed already.
///
/// # Errors
/// If the statement fails.
pub async fn redeem(tx: &mut Tx<'_>, code: &str) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let used = tx
        .sql("delete from password_links where code_hash = $1 and expires_at > $2")
        .bind(token_hash(code))
        .bind(at)
        .execute()
        .await?;
    Ok(used == 1)
}
