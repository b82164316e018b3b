//! Legacy import: one file per collection, one JSON document per line.
//!
//! Every document passes its list's rules under its own id and times. One that cannot be converted is
//! reported with file, line and reason while the rest is imported; documents without a table yet are stored
//! unchanged. A second run changes nothing: equal records are skipped, and of differing ones the newer wins.

mod collections;
mod convert;
mod counted;
mod counts;
mod documents;
mod file;
mod lists;
mod people;
mod queries;
mod staging;
mod stock;
mod store_items;

use std::io;
use std::path::Path;

use anyhow::Context as _;
use larder_db::Actor;
use serde::Serialize;
use serde_json::{Map, Value};

use collections::{Target, found};
use file::{Documents, Line};
use larder_documents::orders::StoreOrder;
use larder_documents::receipts::Receipt;
use larder_documents::shipments::Delivery;
use larder_platform::AppState;

/// Options of an import.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Email new users a link to set a password.
    pub send_reset_links: bool,
}

/// Result per collection.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    pub collection: String,
    pub file: String,
    /// Lines that are not blank.
    pub documents: u64,
    /// New records.
    pub created: u64,
    /// Records older than their document.
    pub updated: u64,
    /// Records equal to their document.
    pub unchanged: u64,
    /// Records changed here since, left as they are.
    pub left_alone: u64,
    /// Documents without a table, or that cannot be converted, stored unchanged.
    pub kept_for_later: u64,
    /// Documents that failed.
    pub broken: u64,
}

/// An error or note about a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The document's id, if readable.
    pub id: String,
    /// The error or note.
    pub reason: String,
}

/// Result of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Collections in import order.
    pub collections: Vec<Tally>,
    /// Documents that failed.
    pub broken: Vec<Finding>,
    /// Notes about imported documents.
    pub notes: Vec<Finding>,
}

/// A running import.
struct Run<'a> {
    state: &'a AppState,
    actor: &'a Actor,
    options: Options,
    report: Report,
    tally: Tally,
}

/// Lines read at once.
const LINES: usize = 1_000;

impl Run<'_> {
    /// The next lines of a collection; `None` at its end.
    fn lines(&mut self, documents: &mut Documents) -> io::Result<Option<Vec<Line>>> {
        let lines = documents.next(LINES)?;
        self.tally.documents += lines.len() as u64;
        Ok((!lines.is_empty()).then_some(lines))
    }

    /// A line's number and document; invalid ones are reported.
    fn document(&mut self, line: Line) -> Option<(u64, Map<String, Value>)> {
        match line.document {
            Ok(document) => Some((line.number, document)),
            Err(words) => {
                self.broken(line.number, "", words);
                None
            }
        }
    }

    fn broken(&mut self, line: u64, id: &str, reason: impl Into<String>) {
        self.tally.broken += 1;
        let finding = self.finding(line, id, reason.into());
        self.report.broken.push(finding);
    }

    fn note(&mut self, line: u64, id: &str, reason: impl Into<String>) {
        let finding = self.finding(line, id, reason.into());
        self.report.notes.push(finding);
    }

    fn finding(&self, line: u64, id: &str, reason: String) -> Finding {
        Finding { file: self.tally.file.clone(), line, id: id.to_owned(), reason }
    }
}

/// Imports documents that earlier imports stored for lack of a table. `on_end` is called per collection.
///
/// # Errors
/// As [`import`].
pub async fn take_over(
    state: &AppState,
    actor: &Actor,
    options: Options,
    on_end: impl FnMut(&Tally),
) -> anyhow::Result<Report> {
    let folder = tempfile::tempdir().context("there is no room for what was kept")?;
    match staging::write_out(&state.db, folder.path()).await? {
        0 => Ok(Report::default()),
        _ => import(state, actor, folder.path(), options, on_end).await,
    }
}

/// Imports every collection of a folder. `on_end` is called for each one.
///
/// # Errors
/// If the folder or the database cannot be read or written; what was imported until then stays.
pub async fn import(
    state: &AppState,
    actor: &Actor,
    folder: &Path,
    options: Options,
    mut on_end: impl FnMut(&Tally),
) -> anyhow::Result<Report> {
    let files = found(folder).with_context(|| format!("the folder {} cannot be read", folder.display()))?;
    anyhow::ensure!(
        !files.is_empty(),
        "there is no file of documents (.jsonl, .ndjson) in {}",
        folder.display()
    );
    let mut run = Run { state, actor, options, report: Report::default(), tally: Tally::default() };
    for found in files {
        run.tally =
            Tally { collection: found.collection.clone(), file: found.file.clone(), ..Tally::default() };
        let documents = Documents::open(&found.path)
            .with_context(|| format!("the file {} cannot be read", found.path.display()))?;
        match found.target {
            Target::List(def) => lists::take(&mut run, def, documents).await?,
            Target::Roles => people::take_roles(&mut run, documents).await?,
            Target::Users => people::take_users(&mut run, documents).await?,
            Target::Groups => store_items::take_groups(&mut run, documents).await?,
            Target::Visibility => store_items::take_visibility(&mut run, documents).await?,
            Target::Mixes => store_items::take_mixes(&mut run, documents).await?,
            Target::CountSettings => counts::take_settings(&mut run, documents).await?,
            Target::Counts => counts::take(&mut run, documents).await?,
            Target::Orders => documents::take::<StoreOrder>(&mut run, documents).await?,
            Target::Deliveries => documents::take::<Delivery>(&mut run, documents).await?,
            Target::Receipts => documents::take::<Receipt>(&mut run, documents).await?,
            Target::Kept => staging::take(&mut run, documents).await?,
        }
        let tally = std::mem::take(&mut run.tally);
        on_end(&tally);
        run.report.collections.push(tally);
    }
    Ok(run.report)
}
