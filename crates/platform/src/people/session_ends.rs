//! Ending and renewing sessions.

use larder_db::{DbError, Tx};

/// Ends the previous session of a browser that signs in again.
pub(super) async fn end_of_token(tx: &mut Tx<'_>, token_hash: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    let ended: Option<(String,)> = tx
        .sql("update sessions set revoked_at = $1 where token_hash = $2 and revoked_at is null returning uid")
        .bind(at)
        .bind(token_hash)
        .optional()
        .await?;
    if let Some((uid,)) = ended {
        tx.announce("session", &uid, None);
    }
    Ok(())
}

/// Ends every session of an account, or all but one; returns how many. Ending all also invalidates tokens
/// issued before. Call `state.sessions.clear()` after the commit, so that the next request on this node
/// notices.
///
/// # Errors
/// If the statement fails.
pub async fn end_all(tx: &mut Tx<'_>, uid: &str, except: Option<&str>) -> Result<u64, DbError> {
    let at = tx.actor().at;
    let ended = tx
        .sql(
            "update sessions set revoked_at = $1
             where uid = $2 and revoked_at is null and id <> coalesce(cast($3 as text), '')",
        )
        .bind(at)
        .bind(uid)
        .bind(except)
        .execute()
        .await?;
    if except.is_none() {
        tx.sql("update accounts set valid_since = $1 where uid = $2").bind(at).bind(uid).execute().await?;
    }
    tx.announce("session", uid, None);
    Ok(ended)
}

/// Ends one session of an account; `false` if there is no such session. Call `state.sessions.clear()` after
/// the commit.
///
/// # Errors
/// If the statement fails.
pub async fn end_one(tx: &mut Tx<'_>, uid: &str, session_id: &str) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let ended = tx
        .sql("update sessions set revoked_at = $1 where uid = $2 and id = $3 and revoked_at is null")
        .bind(at)
        .bind(uid)
        .bind(session_id)
        .execute()
        .await?;
    if ended > 0 {
        tx.announce("session", uid, None);
    }
    Ok(ended > 0)
}

/// Records that its owner authenticated again.
///
/// # Errors
/// If the statement fails.
pub async fn renew(tx: &mut Tx<'_>, uid: &str, session_id: &str) -> Result<bool, DbError> {
    let at = tx.actor().at;
    let renewed = tx
        .sql("update sessions set authenticated_at = $1 where uid = $2 and id = $3 and revoked_at is null")
        .bind(at)
        .bind(uid)
        .bind(session_id)
        .execute()
        .await?;
    tx.announce("session", uid, None);
    Ok(renewed > 0)
}
