//! SQL queries outside the ledger.

use larder_db::{Db, DbError, Tx};
use larder_domain::StoreScope;

/// Whether all given stores exist; expects no duplicates.
pub(crate) async fn stores_exist(tx: &mut Tx<'_>, stores: &[&str]) -> Result<bool, DbError> {
    let known: i64 = tx
        .sql("select cast(count(*) as bigint) from locations where id in ")
        .push_ids(stores)
        .scalar()
        .await?;
    Ok(usize::try_from(known).is_ok_and(|known| known == stores.len()))
}

/// Whether a store exists.
pub(crate) async fn store_exists(db: &Db, store: &str) -> Result<bool, DbError> {
    let found: Option<(String,)> =
        db.sql("select id from locations where id = $1").bind(store).optional().await?;
    Ok(found.is_some())
}

/// The accessible stores.
pub(crate) async fn stores_within(db: &Db, scope: &StoreScope) -> Result<Vec<String>, DbError> {
    let query = db.sql("select id from locations where true");
    let query = match scope {
        StoreScope::All => query,
        StoreScope::Only(ids) => query.push(" and id in ").push_ids(&ids.iter().collect::<Vec<_>>()),
    };
    let found: Vec<(String,)> = query.push(" order by id").all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}
