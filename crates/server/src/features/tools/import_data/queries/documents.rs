//! Documents of the former system that have no table yet.

use larder_db::{DbError, Json, Tx};
use serde_json::Value;

/// Keeps documents as they came; how many are new or different.
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
