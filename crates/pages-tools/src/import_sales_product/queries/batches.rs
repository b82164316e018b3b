//! Uploaded files: access, posted store-days, and superseded files.

use std::collections::BTreeSet;

use larder_db::{Db, DbError, Query, Tx};

/// Restricts a store-limited user to their own uploads and files within their stores.
pub fn within<'q>(query: Query<'q>, uid: &str, stores: &BTreeSet<String>) -> Query<'q> {
    let stores: Vec<&String> = stores.iter().collect();
    query
        .push(" and (b.created_by_uid = ")
        .push_bind(uid)
        .push(
            " or (exists (select 1 from sales_batch_names n where n.batch_id = b.id and n.kind = 'store')
                  and not exists (select 1 from sales_batch_names n where n.batch_id = b.id and n.kind = 'store'
                                    and (n.store_id is null or n.store_id not in ",
        )
        .push_ids(&stores)
        .push("))))")
}

/// Number of store-days unchanged since a batch posted them.
pub(crate) async fn count_store_days(db: &Db, id: &str) -> Result<i64, DbError> {
    db.sql("select cast(count(*) as bigint) from sales_days where batch_id = $1").bind(id).scalar().await
}

/// Whether any store-day is unchanged since a batch posted it.
pub(crate) async fn has_store_days(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let row: Option<(String,)> =
        tx.sql("select store_id from sales_days where batch_id = $1 limit 1").bind(id).optional().await?;
    Ok(row.is_some())
}

/// Marks batches as superseded whose store-days were all replaced by later ones.
pub(crate) async fn supersede(tx: &mut Tx<'_>) -> Result<(), DbError> {
    tx.sql(
        "update sales_batches set state = 'superseded', revision = revision + 1
         where state = 'posted' and not exists (select 1 from sales_days d where d.batch_id = sales_batches.id)",
    )
    .execute()
    .await?;
    Ok(())
}
