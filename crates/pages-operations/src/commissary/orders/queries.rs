//! SQL queries.

use larder_db::{Db, DbError};

/// Names of storage requirements and codes of units, by id.
pub(super) async fn names(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from storage_requirements union all select id, coalesce(code, name) from uoms")
        .all()
        .await
}

/// Names of root items, by id.
pub(super) async fn root_names(db: &Db, ids: &[&str]) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, name from root_items where id in ").push_ids(ids).all().await
}

/// Whether the commissary exists.
pub(super) async fn is_commissary(db: &Db, id: &str) -> Result<bool, DbError> {
    let query = db.sql("select cast(count(*) as bigint) from commissaries where id = $1").bind(id);
    Ok(query.scalar::<i64>().await? > 0)
}

/// Order and store id of the given orders.
pub(super) async fn stores_of(db: &Db, order_ids: &[String]) -> Result<Vec<(String, String)>, DbError> {
    db.sql("select id, store_id from documents where kind = 'storeOrder' and store_id is not null and id in ")
        .push_ids(order_ids)
        .push(" order by store_id, on_date, id")
        .all()
        .await
}
