//! A batch on its way: the state it is in, how it is read, what it adds up to, whether it was replaced.

use larder_db::{ChangeAction, DbError, Json, Tx};
use larder_domain::sales::Mapping;
use serde_json::json;

use super::super::layout::Layout;
use super::super::model::{Batch, BatchState, Summary};
use super::batches::record;

/// Moves a batch to another state, if it still is in the one it was seen in.
pub(crate) async fn step(
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
pub(crate) async fn end(
    tx: &mut Tx<'_>,
    id: &str,
    state: BatchState,
    error: Option<&str>,
) -> Result<(), DbError> {
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
pub(crate) async fn set_mapping(
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
pub(crate) async fn set_summary(tx: &mut Tx<'_>, id: &str, summary: &Summary) -> Result<(), DbError> {
    tx.sql("update sales_batches set summary = $1 where id = $2")
        .bind(Json(summary))
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// Batches whose store-days have all been replaced by later ones are superseded.
pub(crate) async fn supersede(tx: &mut Tx<'_>) -> Result<(), DbError> {
    tx.sql(
        "update sales_batches set state = 'superseded', revision = revision + 1
         where state = 'posted' and not exists (select 1 from sales_days d where d.batch_id = sales_batches.id)",
    )
    .execute()
    .await?;
    Ok(())
}
