//! Documents without a table yet, kept as they came.

use std::collections::HashSet;

use larder_db::{DbError, Tx};
use serde_json::{Map, Value};

use super::Run;
use super::file::{Documents, id_of};
use crate::features::tools::import_data::queries;

const LINES: usize = 1_000;

/// Keeps every document of a collection.
pub async fn take(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    let collection = run.tally.collection.clone();
    let mut seen = HashSet::new();
    loop {
        let lines = documents.next(LINES)?;
        if lines.is_empty() {
            return Ok(());
        }
        run.tally.documents += lines.len() as u64;
        let mut batch = Vec::with_capacity(lines.len());
        for line in lines {
            match line.document {
                Ok(document) => {
                    let id = named(&document, line.number);
                    if seen.insert(id.clone()) {
                        batch.push((id, Value::Object(document)));
                    } else {
                        run.broken(line.number, &id, "Another line has the same id.");
                    }
                }
                Err(words) => run.broken(line.number, "", words),
            }
        }
        let (collection, rows) = (collection.as_str(), batch.as_slice());
        let new = run
            .state
            .db
            .write(run.actor, async |tx| queries::documents::keep(tx, collection, rows).await)
            .await?;
        run.tally.kept_for_later += new;
        run.tally.unchanged += batch.len() as u64 - new.min(batch.len() as u64);
    }
}

/// Keeps one document beside the record made of it.
pub async fn keep_one(
    tx: &mut Tx<'_>,
    collection: &str,
    id: &str,
    document: &Map<String, Value>,
) -> Result<(), DbError> {
    let rows = [(id.to_owned(), Value::Object(document.clone()))];
    queries::documents::keep(tx, collection, &rows).await.map(drop)
}

/// What a document is told by: its id, what it is about, or its place in the file.
fn named(document: &Map<String, Value>, line: u64) -> String {
    let about = |name: &str| document.get(name).and_then(Value::as_str).map(str::to_owned);
    id_of(document).or_else(|| about("storeId")).unwrap_or_else(|| format!("line {line}"))
}
