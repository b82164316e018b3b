//! Batches, their problems and names, and what was decided about names.

use larder_db::{Change, ChangeAction, Db, DbError, Json, Tx};
use larder_domain::sales::Mapping;
use larder_domain::{BusinessDay, StoreScope, Timestamp};
use serde_json::json;

use super::model::{Batch, BatchState, RowProblem, Summary};
use super::parse::Layout;
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
pub async fn find(db: &Db, who: &Who, id: &str) -> Result<Option<Batch>, DbError> {
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
pub async fn find_any(db: &Db, id: &str) -> Result<Option<Batch>, DbError> {
    db.sql(BATCH).push(" where b.id = $1").bind(id).optional().await
}

/// A page of batches, newest first, and how many there are.
pub async fn list(db: &Db, who: &Who, limit: i64, offset: i64) -> Result<(Vec<Batch>, i64), DbError> {
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
pub async fn insert(tx: &mut Tx<'_>, new: &NewBatch<'_>) -> Result<(), DbError> {
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

async fn record(
    tx: &mut Tx<'_>,
    id: &str,
    action: ChangeAction,
    before: Option<serde_json::Value>,
    after: Option<serde_json::Value>,
) -> Result<(), DbError> {
    tx.record(Change { kind: "salesBatch", id: id.to_owned(), store_id: None, action, before, after }).await
}

/// Where a batch's file is kept.
pub async fn file_key(db: &Db, id: &str) -> Result<Option<String>, DbError> {
    let row: Option<(String,)> =
        db.sql("select file_key from sales_batches where id = $1").bind(id).optional().await?;
    Ok(row.map(|row| row.0))
}

/// Moves a batch to another state, if it still is in the one it was seen in.
pub async fn step(
    tx: &mut Tx<'_>,
    batch: &Batch,
    to: BatchState,
    job_id: Option<&str>,
) -> Result<bool, DbError> {
    let rows = tx
        .sql(
            "update sales_batches set state = $1, job_id = coalesce($2, job_id), error = null, revision = revision + 1
             where id = $3 and coalesce(job_id, '') = $4 and posted_at is not distinct from $5
               and reverted_at is not distinct from $6",
        )
        .bind(to)
        .bind(job_id)
        .bind(&batch.id)
        .bind(batch.job_id.as_deref().unwrap_or_default())
        .bind(batch.posted_at)
        .bind(batch.reverted_at)
        .execute()
        .await?;
    if rows == 1 {
        record(
            tx,
            &batch.id,
            ChangeAction::Updated,
            Some(json!({ "state": batch.state })),
            Some(json!({ "state": to })),
        )
        .await?;
    }
    Ok(rows == 1)
}

/// Writes how a step ended.
pub async fn end(tx: &mut Tx<'_>, id: &str, state: BatchState, error: Option<&str>) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("update sales_batches set state = $1, error = $2, revision = revision + 1")
        .push(", posted_at = coalesce($3, posted_at), reverted_at = coalesce($4, reverted_at) where id = $5")
        .bind(state)
        .bind(error)
        .bind((state == BatchState::Posted).then_some(at))
        .bind((state == BatchState::Reverted).then_some(at))
        .bind(id)
        .execute()
        .await?;
    record(tx, id, ChangeAction::Updated, None, Some(json!({ "state": state, "error": error }))).await
}

/// Confirms how a file is read.
pub async fn set_mapping(
    tx: &mut Tx<'_>,
    id: &str,
    layout: &Layout,
    mapping: &Mapping,
) -> Result<(), DbError> {
    tx.sql(
        "update sales_batches set layout = $1, mapping = $2, summary = null, problem_count = 0 where id = $3",
    )
    .bind(Json(layout))
    .bind(Json(mapping))
    .bind(id)
    .execute()
    .await?;
    record(tx, id, ChangeAction::Updated, None, Some(json!({ "mapping": mapping }))).await
}

/// Writes what a file's rows add up to.
pub async fn set_summary(tx: &mut Tx<'_>, id: &str, summary: &Summary) -> Result<(), DbError> {
    tx.sql("update sales_batches set summary = $1 where id = $2")
        .bind(Json(summary))
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Forgets problems and names of a file about to be checked again.
pub async fn clear_findings(tx: &mut Tx<'_>, id: &str) -> Result<(), DbError> {
    tx.sql("delete from sales_batch_problems where batch_id = $1").bind(id).execute().await?;
    tx.sql("delete from sales_batch_names where batch_id = $1").bind(id).execute().await?;
    Ok(())
}

/// Notes how many problems a file has.
pub async fn set_problem_count(tx: &mut Tx<'_>, id: &str, count: i64) -> Result<(), DbError> {
    tx.sql("update sales_batches set problem_count = $1 where id = $2")
        .bind(count)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Removes a batch that nothing was posted from.
pub async fn delete(tx: &mut Tx<'_>, batch: &Batch) -> Result<(), DbError> {
    clear_findings(tx, &batch.id).await?;
    tx.sql("delete from sales_batches where id = $1").bind(&batch.id).execute().await?;
    record(tx, &batch.id, ChangeAction::Deleted, Some(json!({ "fileName": batch.file_name })), None).await
}

/// A page of a file's problems.
pub async fn problems(db: &Db, id: &str, limit: i64, offset: i64) -> Result<(Vec<RowProblem>, i64), DbError> {
    let total = db.sql("select problem_count from sales_batches where id = $1").bind(id).scalar().await?;
    let items = db
        .sql(
            "select row_no as \"row\", field as \"column\", value, code, message from sales_batch_problems
             where batch_id = $1 order by seq limit $2 offset $3",
        )
        .bind(id)
        .bind(limit)
        .bind(offset)
        .all()
        .await?;
    Ok((items, total))
}

/// A name a file uses.
#[derive(Debug, sqlx::FromRow)]
pub struct NameRow {
    pub kind: String,
    pub name_key: String,
    pub name: String,
    pub code: Option<String>,
    pub category: Option<String>,
    pub price: Option<i64>,
    pub store_id: Option<String>,
    pub lines: i64,
    pub qty: i64,
    pub net: i64,
    pub first_day: BusinessDay,
    pub last_day: BusinessDay,
    pub days: Option<Json<Vec<i32>>>,
}

/// The names a file uses.
pub async fn names(db: &Db, id: &str) -> Result<Vec<NameRow>, DbError> {
    db.sql(
        "select kind, name_key, name, code, category, price, store_id, lines, qty, net, first_day, last_day, days
         from sales_batch_names where batch_id = $1 order by net desc, lines desc, name_key",
    )
    .bind(id)
    .all()
    .await
}

/// Notes which store a name of a file stands for; it decides who may see the batch.
pub async fn set_name_store(
    tx: &mut Tx<'_>,
    id: &str,
    key: &str,
    store_id: Option<&str>,
) -> Result<(), DbError> {
    tx.sql(
        "update sales_batch_names set store_id = $1 where batch_id = $2 and kind = 'store' and name_key = $3",
    )
    .bind(store_id)
    .bind(id)
    .bind(key)
    .execute()
    .await?;
    Ok(())
}

/// The store-days of a store and source that another batch (or none) posted.
pub async fn imported_days(
    db: &Db,
    batch_id: &str,
    store_id: &str,
    source: &str,
    first: BusinessDay,
    last: BusinessDay,
) -> Result<Vec<BusinessDay>, DbError> {
    let rows: Vec<(BusinessDay,)> = db
        .sql(
            "select business_date from sales_days where store_id = $1 and source = $2
               and business_date between $3 and $4 and coalesce(batch_id, '') <> $5",
        )
        .bind(store_id)
        .bind(source)
        .bind(first)
        .bind(last)
        .bind(batch_id)
        .all()
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// How a file with these columns was read last time: the mapping and the file's name.
pub async fn remembered(db: &Db, fingerprint: &str) -> Result<Option<(Json<Mapping>, String)>, DbError> {
    db.sql("select mapping, file_name from sales_layouts where fingerprint = $1")
        .bind(fingerprint)
        .optional()
        .await
}

/// Remembers how a file with these columns was read.
pub async fn remember(
    tx: &mut Tx<'_>,
    fingerprint: &str,
    batch: &Batch,
    mapping: &Mapping,
) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "insert into sales_layouts (fingerprint, mapping, batch_id, file_name, updated_at, updated_by)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (fingerprint) do update set mapping = excluded.mapping, batch_id = excluded.batch_id,
           file_name = excluded.file_name, updated_at = excluded.updated_at, updated_by = excluded.updated_by",
    )
    .bind(fingerprint)
    .bind(Json(mapping))
    .bind(&batch.id)
    .bind(&batch.file_name)
    .bind(actor.at)
    .bind(Json(json!({ "uid": actor.uid, "name": actor.name, "email": actor.email })))
    .execute()
    .await?;
    Ok(())
}

/// Decides what a name stands for, from now on.
pub async fn set_alias(
    tx: &mut Tx<'_>,
    kind: &'static str,
    key: &str,
    name: &str,
    target: &str,
) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "insert into sales_aliases (kind, name_key, name, target_id, created_at, created_by)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (kind, name_key) do update set name = excluded.name, target_id = excluded.target_id,
           created_at = excluded.created_at, created_by = excluded.created_by",
    )
    .bind(kind)
    .bind(key)
    .bind(name)
    .bind(target)
    .bind(actor.at)
    .bind(Json(json!({ "uid": actor.uid, "name": actor.name, "email": actor.email })))
    .execute()
    .await?;
    tx.record(Change {
        kind: "salesAlias",
        id: format!("{kind}:{key}"),
        store_id: None,
        action: ChangeAction::Updated,
        before: None,
        after: Some(json!({ "name": name, "target": target })),
    })
    .await
}

/// Whether there is such a record.
pub async fn exists(tx: &mut Tx<'_>, kind: &'static str, id: &str) -> Result<bool, DbError> {
    let text = if kind == "store" {
        "select id from locations where id = $1"
    } else {
        "select id from pos_items where id = $1"
    };
    let row: Option<(String,)> = tx.sql(text).bind(id).optional().await?;
    Ok(row.is_some())
}

/// Batches whose store-days have all been replaced by later ones are superseded.
pub async fn supersede(tx: &mut Tx<'_>) -> Result<(), DbError> {
    tx.sql(
        "update sales_batches set state = 'superseded', revision = revision + 1
         where state = 'posted' and not exists (select 1 from sales_days d where d.batch_id = sales_batches.id)",
    )
    .execute()
    .await?;
    Ok(())
}

/// A moment of a business date.
#[must_use]
pub fn moment(day: BusinessDay, seconds: i32) -> Option<Timestamp> {
    let midnight = (i64::from(day.0) * 24 - larder_domain::business_day::HOUSE_UTC_OFFSET_HOURS) * 3_600_000;
    (seconds >= 0).then(|| Timestamp(midnight + i64::from(seconds) * 1_000))
}
