//! SQL queries; counts are read through their ledger.

use larder_db::{Db, DbError};

/// How many of these stores exist.
///
/// # Errors
/// When the database does not answer.
pub async fn stores(db: &Db, ids: &[&str]) -> Result<i64, DbError> {
    db.sql("select cast(count(*) as bigint) from locations where id in ").push_ids(ids).scalar().await
}

/// A store's name.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn store_name(db: &Db, id: &str) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> =
        db.sql("select name from locations where id = $1").bind(id).optional().await?;
    Ok(found.map(|(name,)| name))
}
