//! Display of temporary passwords.

use larder_db::{Db, DbError, Tx};

use crate::encryption::{Cipher, place};
use crate::http::Who;

/// A temporary password is displayed this long; it works after that, but is no longer shown.
pub const SHOWN_MS: i64 = 24 * 3_600_000;

/// The temporary password still on display, if any: for its creator and super admins.
///
/// # Errors
/// If the database fails.
pub async fn temp_password(db: &Db, cipher: &Cipher, id: &str, who: &Who) -> Result<Option<String>, DbError> {
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
    let Some((encrypted,)) = found else { return Ok(None) };
    Ok(Some(cipher.decrypt(&place("app_users", "temp_password", id), &encrypted)?))
}

/// Stores a temporary password for display to its creator, after [`crate::people::accounts::set_password`].
///
/// # Errors
/// If the statement fails.
pub async fn show_temp_password(
    tx: &mut Tx<'_>,
    cipher: &Cipher,
    id: &str,
    password: &str,
) -> Result<(), DbError> {
    let (at, by) = (tx.actor().at, tx.actor().uid.clone());
    tx.sql(
        "update app_users set temp_password = $1, temp_password_at = $2, temp_password_by = $3 where id = $4",
    )
    .bind(cipher.encrypt(&place("app_users", "temp_password", id), password))
    .bind(at)
    .bind(by)
    .bind(id)
    .execute()
    .await?;
    tx.announce("user", id, None);
    Ok(())
}

/// Deletes temporary passwords past their display time.
///
/// # Errors
/// If the statement fails.
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
