//! Uploaded files: finding, adding, moving on and removing them.

use larder_db::{Change, ChangeAction, Db, DbError, Json, Tx};
use larder_domain::StoreScope;
use serde_json::{Value, json};

use super::super::layout::ImportLayout;
use super::super::model::{ImportBatch, ImportMapping, ImportState, ImportSummary};
use crate::http::Who;

// A job that failed or was stopped leaves its batch in the middle of a step: the job's end decides.
const BATCH: &str = "select b.id, b.list, b.file_name, b.size,
       case when j.state in ('failed', 'cancelled') and b.state in ('checking', 'committing', 'undoing')
            then 'failed' else b.state end as state,
       b.layout, b.mapping, b.summary, coalesce(b.error, j.error) as error, b.job_id, b.created_at, b.created_by,
       b.committed_at, b.undone_at
     from import_batches b left join jobs j on j.id = b.job_id";

/// One batch, whoever asks.
pub(crate) async fn find(db: &Db, id: &str) -> Result<Option<ImportBatch>, DbError> {
    db.sql(BATCH).push(" where b.id = $1").bind(id).optional().await
}

/// A page of batches for some lists, newest first, and how many there are. Who is limited to stores sees their own.
pub(crate) async fn list(
    db: &Db,
    who: &Who,
    lists: &[&str],
    limit: i64,
    offset: i64,
) -> Result<(Vec<ImportBatch>, i64), DbError> {
    let everybodys = who.scope == StoreScope::All;
    let total = db
        .sql("select cast(count(*) as bigint) from import_batches b where ($1 or b.created_by_uid = $2) and b.list in ")
        .bind(everybodys)
        .bind(&who.uid)
        .push_ids(lists)
        .scalar()
        .await?;
    let items = db
        .sql(BATCH)
        .push(" where ($1 or b.created_by_uid = $2) and b.list in ")
        .bind(everybodys)
        .bind(&who.uid)
        .push_ids(lists)
        .push(" order by b.created_at desc, b.id desc limit ")
        .push_bind(limit)
        .push(" offset ")
        .push_bind(offset)
        .all()
        .await?;
    Ok((items, total))
}

/// A new batch's row.
pub struct NewBatch<'a> {
    pub id: &'a str,
    pub list: &'a str,
    pub file_name: &'a str,
    pub file_key: &'a str,
    pub size: i64,
    pub layout: &'a ImportLayout,
}

/// Adds a batch.
pub(crate) async fn insert(tx: &mut Tx<'_>, new: &NewBatch<'_>) -> Result<(), DbError> {
    let actor = tx.actor().clone();
    tx.sql(
        "insert into import_batches (id, list, file_name, file_key, size, state, layout, revision, created_at,
                                     created_by, created_by_uid)
         values ($1, $2, $3, $4, $5, 'uploaded', $6, 1, $7, $8, $9)",
    )
    .bind(new.id)
    .bind(new.list)
    .bind(new.file_name)
    .bind(new.file_key)
    .bind(new.size)
    .bind(Json(new.layout))
    .bind(actor.at)
    .bind(Json(json!({ "uid": actor.uid, "name": actor.name, "email": actor.email })))
    .bind(&actor.uid)
    .execute()
    .await?;
    let after = json!({ "list": new.list, "fileName": new.file_name, "size": new.size, "state": "uploaded" });
    record(tx, new.id, ChangeAction::Created, None, Some(after)).await
}

/// Moves a batch to another state, if it still is in the one it was seen in.
pub(crate) async fn step(
    tx: &mut Tx<'_>,
    batch: &ImportBatch,
    to: ImportState,
    job_id: &str,
) -> Result<bool, DbError> {
    let rows = tx
        .sql(
            "update import_batches set state = $1, job_id = $2, error = null, revision = revision + 1
             where id = $3 and coalesce(job_id, '') = $4",
        )
        .bind(to)
        .bind(job_id)
        .bind(&batch.id)
        .bind(batch.job_id.as_deref().unwrap_or_default())
        .execute()
        .await?;
    if rows == 1 {
        let (before, after) = (json!({ "state": batch.state }), json!({ "state": to }));
        record(tx, &batch.id, ChangeAction::Updated, Some(before), Some(after)).await?;
    }
    Ok(rows == 1)
}

/// Says how a file is read.
pub(crate) async fn set_mapping(
    tx: &mut Tx<'_>,
    id: &str,
    layout: &ImportLayout,
    mapping: &ImportMapping,
) -> Result<(), DbError> {
    tx.sql("update import_batches set layout = $1, mapping = $2, summary = null where id = $3")
        .bind(Json(layout))
        .bind(Json(mapping))
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Writes how a step ended.
pub(crate) async fn end(
    tx: &mut Tx<'_>,
    id: &str,
    state: ImportState,
    summary: Option<&ImportSummary>,
    error: Option<&str>,
) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("update import_batches set state = $1, error = $2, summary = coalesce($3, summary)")
        .push(", committed_at = coalesce($4, committed_at), undone_at = coalesce($5, undone_at)")
        .push(", revision = revision + 1 where id = $6")
        .bind(state)
        .bind(error)
        .bind(summary.map(Json))
        .bind((state == ImportState::Committed).then_some(at))
        .bind((state == ImportState::Undone).then_some(at))
        .bind(id)
        .execute()
        .await?;
    record(tx, id, ChangeAction::Updated, None, Some(json!({ "state": state, "error": error }))).await
}

/// Where a batch's file is kept.
pub(crate) async fn file_key(db: &Db, id: &str) -> Result<Option<String>, DbError> {
    let row: Option<(String,)> =
        db.sql("select file_key from import_batches where id = $1").bind(id).optional().await?;
    Ok(row.map(|row| row.0))
}

/// Removes a batch and its rows.
pub(crate) async fn delete(tx: &mut Tx<'_>, batch: &ImportBatch) -> Result<(), DbError> {
    super::rows::clear(tx, &batch.id).await?;
    tx.sql("delete from import_batches where id = $1").bind(&batch.id).execute().await?;
    let before = json!({ "fileName": batch.file_name });
    record(tx, &batch.id, ChangeAction::Deleted, Some(before), None).await
}

async fn record(
    tx: &mut Tx<'_>,
    id: &str,
    action: ChangeAction,
    before: Option<Value>,
    after: Option<Value>,
) -> Result<(), DbError> {
    tx.record(Change { kind: "importBatch", id: id.to_owned(), store_id: None, action, before, after }).await
}
