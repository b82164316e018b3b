//! SQL queries.

use larder_db::{Db, DbError, Tx};

/// Active stores by name: all, or those given.
pub(super) async fn active(db: &Db, stores: Option<&[String]>) -> Result<Vec<String>, DbError> {
    let mut query = db.sql("select id from locations where inactive = ").push_bind(false);
    if let Some(stores) = stores {
        query = query.push(" and id in ").push_ids(stores);
    }
    let rows: Vec<(String,)> = query.push(" order by name_key, id").all().await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Whether a store exists.
pub(super) async fn is_store(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let query = tx.sql("select cast(count(*) as bigint) from locations where id = $1").bind(id);
    Ok(query.scalar::<i64>().await? > 0)
}
