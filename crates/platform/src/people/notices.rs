//! What the console tells somebody until they put it away.

use larder_db::{Db, DbError, Tx};

/// That letters wait in a folder.
pub const MAIL_OUTBOX: &str = "mailOutbox";

/// The notices somebody put away.
///
/// # Errors
/// When the database cannot be read.
pub async fn of(db: &Db, uid: &str) -> Result<Vec<String>, DbError> {
    let found: Vec<(String,)> =
        db.sql("select notice from notices_put_away where uid = $1 order by notice").bind(uid).all().await?;
    Ok(found.into_iter().map(|(notice,)| notice).collect())
}

/// Puts a notice away, for good.
///
/// # Errors
/// As any statement.
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
