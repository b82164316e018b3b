//! Temporary passwords, while they are to be shown.

use larder_db::{Db, DbError, Tx};
use larder_domain::Timestamp;

/// A temporary password is shown for so long; after that it still works, but nobody sees it.
pub const SHOWN_MS: i64 = 24 * 3_600_000;

/// The temporary password that is still to be shown, if there is one.
///
/// # Errors
/// When the database cannot be read.
pub async fn temp_password(db: &Db, id: &str, now: Timestamp) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> = db
        .sql("select temp_password from app_users where id = $1 and temp_password is not null and temp_password_at > $2")
        .bind(id)
        .bind(now.plus_ms(-SHOWN_MS))
        .optional()
        .await?;
    Ok(found.map(|(password,)| password))
}

/// Keeps a temporary password to be shown, after [`crate::people::accounts::set_password`].
///
/// # Errors
/// As any statement.
pub async fn show_temp_password(tx: &mut Tx<'_>, id: &str, password: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("update app_users set temp_password = $1, temp_password_at = $2 where id = $3")
        .bind(password)
        .bind(at)
        .bind(id)
        .execute()
        .await?;
    tx.announce("user", id, None);
    Ok(())
}

/// Forgets temporary passwords that were shown long enough.
///
/// # Errors
/// As any statement.
pub async fn forget_temp_passwords(tx: &mut Tx<'_>) -> Result<u64, DbError> {
    let before = tx.actor().at.plus_ms(-SHOWN_MS);
    tx.sql(
        "update app_users set temp_password = null, temp_password_at = null
         where temp_password is not null and temp_password_at <= $1",
    )
    .bind(before)
    .execute()
    .await
}
