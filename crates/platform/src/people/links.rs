//! Links to set a password: one use, a stated life, only the newest of an account, only the hash kept.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use larder_db::{Db, DbError, Tx};
use larder_domain::Timestamp;

use crate::AppState;
use crate::http::session::token_hash;

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// The password was forgotten: 1 h.
    Reset,
    /// Somebody is new here: 3 days.
    Invitation,
}

impl LinkKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::Invitation => "invitation",
        }
    }

    /// How long a link of this kind is good for.
    #[must_use]
    pub fn life_ms(self) -> i64 {
        match self {
            Self::Reset => 3_600_000,
            Self::Invitation => 3 * 86_400_000,
        }
    }
}

/// Makes a link's code; older ones of the account end. `made_by` is whoever gets to see it, where that is not its
/// owner alone.
///
/// # Errors
/// As any statement.
pub async fn make(
    tx: &mut Tx<'_>,
    state: &AppState,
    uid: &str,
    kind: LinkKind,
    made_by: Option<&str>,
) -> Result<String, DbError> {
    let code = BASE64.encode(state.random_bytes::<32>());
    let at = tx.actor().at;
    end_all(tx, uid).await?;
    tx.sql(
        "insert into password_links (code_hash, uid, kind, created_at, expires_at, made_by)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(token_hash(&code))
    .bind(uid)
    .bind(kind.as_str())
    .bind(at)
    .bind(at.plus_ms(kind.life_ms()))
    .bind(made_by)
    .execute()
    .await?;
    Ok(code)
}

/// Ends every link of an account.
///
/// # Errors
/// As any statement.
pub async fn end_all(tx: &mut Tx<'_>, uid: &str) -> Result<(), DbError> {
    tx.sql("delete from password_links where uid = $1").bind(uid).execute().await.map(drop)
}

/// Where a code is redeemed.
#[must_use]
pub fn address(state: &AppState, code: &str) -> String {
    state.config.address(&format!("/reset-password?mode=resetPassword&oobCode={code}"))
}

/// A link that was followed.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Link {
    /// Whose password it sets.
    pub uid: String,
    pub email: String,
    pub name: String,
    /// When it ends.
    pub expires_at: Timestamp,
    /// Who was handed it, where it was not mailed to its owner alone.
    pub made_by: Option<String>,
    /// Whether the account may not sign in.
    pub disabled: bool,
}

/// The link of a code, expired or not.
///
/// # Errors
/// When the database cannot be read.
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

/// Uses a link up; `false` when somebody was faster.
///
/// # Errors
/// As any statement.
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
