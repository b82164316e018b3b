//! Uploaded files: finding, adding and removing them.

use larder_db::{Change, ChangeAction, Db, DbError, Json, Tx};
use larder_domain::StoreScope;
use larder_domain::sales::Mapping;
use serde_json::json;

use super::super::layout::Layout;
use super::super::model::Batch;
use super::findings;
use crate::http::session::Who;

// A job that failed or was stopped leaves its batch in the middle of a step: the job's end decides.
const BATCH: &str = "select b.id, b.file_name, b.size, b.sha256,
       case when j.state in ('failed', 'cancelled') and b.state in ('validating', 'posting')
            then 'failed' else b.state end as state,
       b.layout, b.mapping, b.summary, coalesce(b.error, j.error) as error, b.job_id, b.created_at, b.created_by,
       b.posted_at, b.reverted_at
     from sales_batches b left join jobs j on j.id = b.job_id";

/// What a person limited to stores may see: what they uploaded, and what lies within their stores.
const REACH: &str = "(b.created_by_uid = $1
     or (exists (select 1 from sales_batch_names n where n.batch_id = b.id and n.kind = 'store')
         and not exists (select 1 from sales_batch_names n where n.batch_id = b.id and n.kind = 'store'
                           and (n.store_id is null or n.store_id not in ";

/// One batch, if `who` may see it.
pub(crate) async fn find(db: &Db, who: &Who, id: &str) -> Result<Option<Batch>, DbError> {
    match &who.scope {
        StoreScope::All => db.sql(BATCH).push(" where b.id = $1").bind(id).optional().await,
        StoreScope::Only(stores) => {
            let stores: Vec<&String> = stores.iter().collect();
            db.sql(BATCH)
                .push(" where ")
                .push(REACH)
                .bind(&who.uid)
                .push_ids(&stores)
                .push(")))) and b.id = ")
                .push_bind(id)
                .optional()
                .await
        }
    }
}

/// One batch, whoever asks (for jobs).
pub(crate) async fn find_any(db: &Db, id: &str) -> Result<Option<Batch>, DbError> {
    db.sql(BATCH).push(" where b.id = $1").bind(id).optional().await
}

/// A page of batches, newest first, and how many there are.
pub(crate) async fn list(db: &Db, who: &Who, limit: i64, offset: i64) -> Result<(Vec<Batch>, i64), DbError> {
    const ORDER: &str = " order by b.created_at desc, b.id desc limit ";
    match &who.scope {
        StoreScope::All => {
            let total = db.sql("select cast(count(*) as bigint) from sales_batches").scalar().await?;
            let items =
                db.sql(BATCH).push(ORDER).push_bind(limit).push(" offset ").push_bind(offset).all().await?;
            Ok((items, total))
        }
        StoreScope::Only(stores) => {
            let stores: Vec<&String> = stores.iter().collect();
            let total = db
                .sql("select cast(count(*) as bigint) from sales_batches b where ")
                .push(REACH)
                .bind(&who.uid)
                .push_ids(&stores)
                .push("))))")
                .scalar()
                .await?;
            let items = db
                .sql(BATCH)
                .push(" where ")
                .push(REACH)
                .bind(&who.uid)
                .push_ids(&stores)
                .push("))))")
                .push(ORDER)
                .push_bind(limit)
                .push(" offset ")
                .push_bind(offset)
                .all()
                .await?;
            Ok((items, total))
        }
    }
}

/// A new batch's row.
pub struct NewBatch<'a> {
    pub id: &'a str,
    pub file_name: &'a str,
    pub file_key: &'a str,
    pub size: i64,
    pub sha256: &'a str,
    pub layout: &'a Layout,
    pub mapping: Option<&'a Mapping>,
}

/// Adds a batch.
pub(crate) async fn insert(tx: &mut Tx<'_>, new: &NewBatch<'_>) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "insert into sales_batches (id, file_name, file_key, size, sha256, state, layout, mapping, problem_count,
                                    created_at, created_by, created_by_uid, revision)
         values ($1, $2, $3, $4, $5, 'uploaded', $6, $7, 0, $8, $9, $10, 1)",
    )
    .bind(new.id)
    .bind(new.file_name)
    .bind(new.file_key)
    .bind(new.size)
    .bind(new.sha256)
    .bind(Json(new.layout))
    .bind(new.mapping.map(Json))
    .bind(actor.at)
    .bind(Json(json!({ "uid": actor.uid, "name": actor.name, "email": actor.email })))
    .bind(&actor.uid)
    .execute()
    .await?;
    let after =
        json!({ "fileName": new.file_name, "size": new.size, "sha256": new.sha256, "state": "uploaded" });
    record(tx, new.id, ChangeAction::Created, None, Some(after)).await
}

/// Notes a change of a batch.
pub(super) async fn record(
    tx: &mut Tx<'_>,
    id: &str,
    action: ChangeAction,
    before: Option<serde_json::Value>,
    after: Option<serde_json::Value>,
) -> Result<(), DbError> {
    tx.record(Change { kind: "salesBatch", id: id.to_owned(), store_id: None, action, before, after }).await
}

/// Where a batch's file is kept.
pub(crate) async fn file_key(db: &Db, id: &str) -> Result<Option<String>, DbError> {
    let row: Option<(String,)> =
        db.sql("select file_key from sales_batches where id = $1").bind(id).optional().await?;
    Ok(row.map(|row| row.0))
}

/// How many store-days stand as a batch posted them.
pub(crate) async fn count_store_days(db: &Db, id: &str) -> Result<i64, DbError> {
    db.sql("select cast(count(*) as bigint) from sales_days where batch_id = $1").bind(id).scalar().await
}

/// Whether any store-day stands as a batch posted it.
pub(crate) async fn has_store_days(tx: &mut Tx<'_>, id: &str) -> Result<bool, DbError> {
    let row: Option<(String,)> =
        tx.sql("select store_id from sales_days where batch_id = $1 limit 1").bind(id).optional().await?;
    Ok(row.is_some())
}

/// Removes a batch that nothing was posted from.
pub(crate) async fn delete(tx: &mut Tx<'_>, batch: &Batch) -> Result<(), DbError> {
    findings::clear(tx, &batch.id).await?;
    tx.sql("delete from sales_batches where id = $1").bind(&batch.id).execute().await?;
    record(tx, &batch.id, ChangeAction::Deleted, Some(json!({ "fileName": batch.file_name })), None).await
}
