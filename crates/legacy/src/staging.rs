//! Documents without a table yet, stored unchanged.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use larder_db::{Db, DbError, Tx};
use serde_json::{Map, Value};

use super::file::{Documents, id_of};
use super::{Run, collections, queries};

/// Stored documents read at once.
const PAGE: i64 = 1_000;

/// Stores every document of a collection.
pub async fn take(run: &mut Run<'_>, mut documents: Documents) -> anyhow::Result<()> {
    let collection = run.tally.collection.clone();
    let mut seen = HashSet::new();
    while let Some(lines) = run.lines(&mut documents)? {
        let mut batch = Vec::with_capacity(lines.len());
        for line in lines {
            let Some((number, document)) = run.document(line) else { continue };
            let id = named(&document, number);
            if seen.insert(id.clone()) {
                batch.push((id, Value::Object(document)));
            } else {
                run.broken(number, &id, "Another line has the same id.");
            }
        }
        let (collection, rows) = (collection.as_str(), batch.as_slice());
        let new = run.state.db.write(run.actor, async |tx| queries::keep(tx, collection, rows).await).await?;
        run.tally.kept_for_later += new;
        run.tally.unchanged += batch.len() as u64 - new.min(batch.len() as u64);
    }
    Ok(())
}

/// Writes stored documents of collections that have a table by now to a folder in import format; returns the
/// number of files.
pub(crate) async fn write_out(db: &Db, folder: &Path) -> anyhow::Result<usize> {
    let mut files = 0;
    for collection in collections::taken_since() {
        let mut file: Option<BufWriter<File>> = None;
        let mut after = String::new();
        loop {
            let page = queries::kept(db, collection, &after, PAGE).await?;
            let Some((last, _)) = page.last() else { break };
            after.clone_from(last);
            let out = match &mut file {
                Some(out) => out,
                None => {
                    files += 1;
                    file.insert(BufWriter::new(File::create(folder.join(format!("{collection}.jsonl")))?))
                }
            };
            for (_, document) in &page {
                writeln!(out, "{}", document.0)?;
            }
        }
        if let Some(mut file) = file {
            file.flush()?;
        }
    }
    Ok(files)
}

/// Stores one document beside the record converted from it.
pub(crate) async fn keep_one(
    tx: &mut Tx<'_>,
    collection: &str,
    id: &str,
    document: &Map<String, Value>,
) -> Result<(), DbError> {
    let rows = [(id.to_owned(), Value::Object(document.clone()))];
    queries::keep(tx, collection, &rows).await.map(drop)
}

/// Identity of a document: its id, its subject, or its line in the file.
fn named(document: &Map<String, Value>, line: u64) -> String {
    let about = |name: &str| document.get(name).and_then(Value::as_str).map(str::to_owned);
    id_of(document).or_else(|| about("storeId")).unwrap_or_else(|| format!("line {line}"))
}
