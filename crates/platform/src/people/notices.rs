//! Notices the console shows until a user dismisses them.

use larder_db::{Db, DbError, Tx};

/// Emails go to the outbox folder.
pub const MAIL_OUTBOX: &str = "mailOutbox";

/// The notices a user dismissed.
///
/// # Errors
/// If the database fails.
pub async fn of(db: &Db, uid: &str) -> Result<Vec<String>, DbError> {
    let found: Vec<(String,)> =
        db.sql("select notice from notices_put_away where uid = $1 order by notice").bind(uid).all().await?;
    Ok(found.into_iter().map(|(notice,)| notice).collect())
}

/// Dismisses a notice for good.
///
/// # Errors
/// If the statement fails.
pub async fn put_away(tx: &mut Tx<'_>, uid: &str, notice: &str) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("insert into notices_put_away (uid, notice, at) values ($1, $2, $3) on conflict (uid, notice) do nothing")
        .bind(uid)
        .bind(notice)
        .bind(at)
        .execute()
        .await
        .map(drop)
}
