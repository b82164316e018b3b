//! Temporary passwords, while they are to be shown.

use larder_db::{Db, DbError, Tx};

use crate::http::Who;
use crate::seal::{Seal, place};

/// A temporary password is shown for so long; after that it still works, but nobody sees it.
pub const SHOWN_MS: i64 = 24 * 3_600_000;

/// The temporary password that is still to be shown, if there is one: to whoever had it made, and to super admins.
///
/// # Errors
/// When the database cannot be read.
pub async fn temp_password(db: &Db, seal: &Seal, id: &str, who: &Who) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> = db
        .sql(
            "select temp_password from app_users
             where id = $1 and temp_password is not null and temp_password_at > $2
               and ($3 or temp_password_by is null or temp_password_by = $4)",
        )
        .bind(id)
        .bind(who.at.plus_ms(-SHOWN_MS))
        .bind(who.super_admin)
        .bind(&who.uid)
        .optional()
        .await?;
    let Some((sealed,)) = found else { return Ok(None) };
    Ok(Some(seal.open(&place("app_users", "temp_password", id), &sealed)?))
}

/// Keeps a temporary password to be shown to whoever had it made, after [`crate::people::accounts::set_password`].
///
/// # Errors
/// As any statement.
pub async fn show_temp_password(
    tx: &mut Tx<'_>,
    seal: &Seal,
    id: &str,
    password: &str,
) -> Result<(), DbError> {
    let (at, by) = (tx.actor().at, tx.actor().uid.clone());
    tx.sql(
        "update app_users set temp_password = $1, temp_password_at = $2, temp_password_by = $3 where id = $4",
    )
    .bind(seal.seal(&place("app_users", "temp_password", id), password))
    .bind(at)
    .bind(by)
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
