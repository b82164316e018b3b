//! Queries outside the ledgers.

use larder_db::{Db, DbError};

/// Open stores by name, all or the given ones: id and name.
pub(crate) async fn open_stores(
    db: &Db,
    wished: Option<&[String]>,
) -> Result<Vec<(String, String)>, DbError> {
    let query = db.sql("select id, name from locations where not inactive");
    let query = match wished {
        Some(ids) => query.push(" and id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}
