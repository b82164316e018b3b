//! Stored documents of the legacy system that have no table yet.

use std::collections::{HashMap, HashSet};

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::Factor;
use serde_json::Value;

/// Stores documents unchanged; returns how many are new or different.
pub async fn keep(tx: &mut Tx<'_>, collection: &str, documents: &[(String, Value)]) -> Result<u64, DbError> {
    let at = tx.actor().at;
    let rows: Vec<_> =
        documents.iter().map(|(id, document)| (collection, id.as_str(), Json(document), at)).collect();
    tx.insert_rows(
        "imported_documents",
        &["collection", "id", "document", "imported_at"],
        rows,
        "on conflict (collection, id) do update set document = excluded.document, imported_at = excluded.imported_at
         where imported_documents.document <> excluded.document",
    )
    .await
}

/// Item mapping of root items: item, root item, how much of it is in a unit.
pub(crate) async fn count_item_mapping(db: &Db) -> Result<Vec<(String, String, Option<Factor>)>, DbError> {
    db.sql(
        "select id, root_item_id, root_qty_per_unit from store_inventory_items \
         where root_item_id is not null order by id",
    )
    .all()
    .await
}

/// Stored documents of a collection by id.
pub(crate) async fn kept_of(
    tx: &mut Tx<'_>,
    collection: &str,
    ids: &[&str],
) -> Result<HashMap<String, Value>, DbError> {
    let found: Vec<(String, Json<Value>)> = tx
        .sql("select id, document from imported_documents where collection = ")
        .push_bind(collection)
        .push(" and id in ")
        .push_ids(ids)
        .all()
        .await?;
    Ok(found.into_iter().map(|(id, document)| (id, document.0)).collect())
}

/// Which of these ids are documents.
pub async fn written(tx: &mut Tx<'_>, ids: &[&str]) -> Result<HashSet<String>, DbError> {
    let found: Vec<(String,)> = tx.sql("select id from documents where id in ").push_ids(ids).all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Stored documents of a collection in a fixed order, paged after an id.
pub async fn kept(
    db: &Db,
    collection: &str,
    after: &str,
    most: i64,
) -> Result<Vec<(String, Json<Value>)>, DbError> {
    db.sql(
        "select id, document from imported_documents where collection = $1 and id > $2 order by id limit $3",
    )
    .bind(collection)
    .bind(after)
    .bind(most)
    .all()
    .await
}
