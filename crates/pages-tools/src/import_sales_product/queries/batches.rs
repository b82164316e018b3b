//! Uploaded files: access, posted store-days, and superseded files.

use std::collections::{BTreeSet, HashMap};

use larder_db::{Db, DbError, Query, Tx};

use super::super::model::PostedBy;

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

/// Number of store-days of which a batch is a part, or the whole.
pub(crate) async fn count_store_days(db: &Db, id: &str) -> Result<i64, DbError> {
    db.sql(
        "select cast(count(*) as bigint) from (
           select store_id, business_date, source from sales_days where batch_id = $1
           union select store_id, business_date, source from sales_day_parts where batch_id = $1) d",
    )
    .bind(id)
    .scalar()
    .await
}

/// Whether a batch is a part of any store-day, or the whole.
pub(crate) async fn has_store_days(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let row: Option<(String,)> = tx
        .sql(
            "select store_id from sales_days where batch_id = $1
             union all select store_id from sales_day_parts where batch_id = $1 limit 1",
        )
        .bind(id)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// The files that count on store-days of which a batch brought a copy, within some stores; the most store-days first.
pub(crate) async fn posted_by(
    db: &Db,
    id: &str,
    stores: Option<&BTreeSet<String>>,
) -> Result<Vec<PostedBy>, DbError> {
    let query = db
        .sql(
            "select d.batch_id, b.file_name, cast(count(*) as bigint) as store_days,
                    min(d.business_date) as first_day, max(d.business_date) as last_day
             from sales_days d join sales_batches b on b.id = d.batch_id
             where d.batch_id <> $1 and exists (
               select 1 from sales_day_parts copy join sales_day_parts own
                 on own.store_id = copy.store_id and own.business_date = copy.business_date
                 and own.source = copy.source and own.seq > copy.seq and own.packed = copy.packed
               where copy.batch_id = $1 and own.batch_id = d.batch_id and copy.store_id = d.store_id
                 and copy.business_date = d.business_date and copy.source = d.source)",
        )
        .bind(id);
    let query = match stores {
        Some(stores) => query.push(" and d.store_id in ").push_ids(&stores.iter().collect::<Vec<_>>()),
        None => query,
    };
    query.push(" group by d.batch_id, b.file_name order by 3 desc, 2, 1").all().await
}

/// Marks batches as superseded of which no store-day has anything any more, and those as posted of which one has again.
pub(crate) async fn supersede(tx: &mut Tx<'_>) -> Result<(), DbError> {
    tx.sql(
        "update sales_batches set state = 'superseded', revision = revision + 1
         where state = 'posted'
           and not exists (select 1 from sales_days d where d.batch_id = sales_batches.id)
           and not exists (select 1 from sales_day_parts p where p.batch_id = sales_batches.id and p.kept > 0)",
    )
    .execute()
    .await?;
    tx.sql(
        "update sales_batches set state = 'posted', revision = revision + 1
         where state = 'superseded'
           and (exists (select 1 from sales_days d where d.batch_id = sales_batches.id)
             or exists (select 1 from sales_day_parts p where p.batch_id = sales_batches.id and p.kept > 0))",
    )
    .execute()
    .await?;
    Ok(())
}

/// Names of the files of some batches, by id.
pub(crate) async fn file_names(db: &Db, ids: &[&str]) -> Result<HashMap<String, String>, DbError> {
    let rows: Vec<(String, String)> =
        db.sql("select id, file_name from sales_batches where id in ").push_ids(ids).all().await?;
    Ok(rows.into_iter().collect())
}
