//! SQL queries.

use larder_db::{Db, DbError, Tx};

use larder_platform::http::{ApiError, ApiResult};

/// Stores by name, including closed ones, because their days remain.
pub(super) async fn stores(db: &Db, wished: Option<&[String]>) -> Result<Vec<(String, String)>, DbError> {
    let query = db.sql("select id, name from locations");
    let query = match wished {
        Some(ids) => query.push(" where id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}

/// Refuses a store that does not exist, and locks it until the transaction ends: a store's declarations and
/// deposits are written one after another, so that each sees the earlier ones.
pub(super) async fn hold_store(tx: &mut Tx<'_>, store_id: &str) -> ApiResult<()> {
    let held = tx.sql("update locations set revision = revision where id = $1").bind(store_id).execute();
    if held.await? == 0 { Err(ApiError::field("storeId", "Choose a store.")) } else { Ok(()) }
}

/// Refuses a store that does not exist.
pub(super) async fn check_store(tx: &mut Tx<'_>, store_id: &str) -> ApiResult<()> {
    let found = tx.sql("select cast(count(*) as bigint) from locations where id = $1").bind(store_id);
    match found.scalar::<i64>().await? {
        0 => Err(ApiError::field("storeId", "Choose a store.")),
        _ => Ok(()),
    }
}
