//! SQL queries.

use larder_db::{Db, DbError, Tx};
use larder_domain::Money;

/// A root item as its prices need it.
#[derive(Debug, larder_db::FromRow)]
pub(super) struct Priced {
    /// The price of its record: that of today.
    pub price: Option<Money>,
    pub revision: i64,
}

/// A root item, if it exists.
pub(super) async fn root_item(tx: &mut Tx<'_>, id: &str) -> Result<Option<Priced>, DbError> {
    tx.sql("select price, revision from root_items where id = $1").bind(id).optional().await
}

/// Whether a root item exists.
pub(super) async fn exists(db: &Db, id: &str) -> Result<bool, DbError> {
    let query = db.sql("select cast(count(*) as bigint) from root_items where id = $1").bind(id);
    Ok(query.scalar::<i64>().await? > 0)
}
