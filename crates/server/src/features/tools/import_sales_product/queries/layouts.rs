//! How files of some columns were read before.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::sales::Mapping;
use serde_json::json;

use super::super::model::Batch;

/// How a file with these columns was read last time: the mapping and the file's name.
pub(crate) async fn remembered(
    db: &Db,
    fingerprint: &str,
) -> Result<Option<(Json<Mapping>, String)>, DbError> {
    db.sql("select mapping, file_name from sales_layouts where fingerprint = $1")
        .bind(fingerprint)
        .optional()
        .await
}

/// Remembers how a file with these columns was read.
pub(crate) async fn remember(
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
