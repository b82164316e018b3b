//! Moving in from the legacy system: its collections, one file each, one JSON document a line.
//!
//! Every document goes through the rules of its list under its own id and times. What cannot be followed is
//! reported with its file, line and reason while the rest arrives; what has no table yet is kept as it came.
//! A second run changes nothing: a record that stands as the document says is passed over, and of a record that
//! differs the newer one stands.

mod collections;
mod convert;
mod counted;
mod counts;
mod documents;
mod file;
mod kept;
mod lists;
mod people;
mod queries;
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

/// What to do besides importing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Mail every user who is new a link to set a password.
    pub send_reset_links: bool,
}

/// What became of a collection.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Its name.
    pub collection: String,
    /// The file it came in.
    pub file: String,
    /// Lines with something on them.
    pub documents: u64,
    /// New records.
    pub created: u64,
    /// Records that the document is newer than.
    pub updated: u64,
    /// Records that stand as the document says.
    pub unchanged: u64,
    /// Records that were changed here since, and stay.
    pub left_alone: u64,
    /// Documents without a table yet, or that cannot be followed, kept as they came.
    pub kept_for_later: u64,
    /// Documents that did not arrive.
    pub broken: u64,
}

/// A document that did not arrive, or arrived with something to know about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The document's id, as far as it can be read.
    pub id: String,
    /// What is wrong, or what to know.
    pub reason: String,
}

/// What became of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Collection by collection, in the order they were taken.
    pub collections: Vec<Tally>,
    /// Documents that did not arrive.
    pub broken: Vec<Finding>,
    /// Documents that arrived, with something to know about them.
    pub notes: Vec<Finding>,
}

/// An import under way.
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

    /// A line's number and document; what is none is reported.
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

/// Takes what earlier imports kept because it had no table then, as if it came now. `on_end` hears of each collection.
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
    match kept::write_out(&state.db, folder.path()).await? {
        0 => Ok(Report::default()),
        _ => import(state, actor, folder.path(), options, on_end).await,
    }
}

/// Imports every collection of a folder. `on_end` hears of each one.
///
/// # Errors
/// When the folder or the database cannot be read or written; what was taken until then stays.
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
            Target::Kept => kept::take(&mut run, documents).await?,
        }
        let tally = std::mem::take(&mut run.tally);
        on_end(&tally);
        run.report.collections.push(tally);
    }
    Ok(run.report)
}
