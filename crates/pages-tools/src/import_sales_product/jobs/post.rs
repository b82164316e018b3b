//! `sales.post`: writes a file's store-days in chunks. One that another file posted gets this one as a further part.
//!
//! Writing a store-day again changes nothing, so a killed job simply starts over: store-days already written
//! are recognized by their digest and skipped.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::StreamExt;
use larder_db::Tx;
use larder_domain::StoreScope;
use larder_domain::sales::LineReader;
use larder_domain::sales::day::{Resolved, StoreDay, sort};
use larder_domain::sales::existing::How;
use larder_domain::sales::line::{Line, Problem, Tables};
use larder_domain::sales::{Mapping, packed};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::super::import::SalesImport;
use super::super::kept_days::keep_days;
use super::super::midnight::Ground;
use super::super::model::{Subject, Summary};
use super::super::{layout, memory, queries};
use super::{RowSink, lines_key, mapping_of, read_lines};
use larder_ledgers::day_starts;
use larder_ledgers::sales::{Posted, Prepared, Wish, post_file, root_quantities};
use larder_ledgers::sales_names::Directory;
use larder_lists::imports::jobs::{Work, part};
use larder_lists::imports::remember;
use larder_platform::AppState;
use larder_platform::jobs::JobError;

/// Lines per transaction, about 0.1 s, so that other writers get their turn.
const LINES_AT_ONCE: usize = 50_000;
/// Maximum number of store-days per transaction.
const DAYS_AT_ONCE: usize = 500;

/// What is wanted of store-days that are there.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    #[serde(default)]
    on_existing: Option<How>,
    #[serde(default)]
    all: bool,
}

#[derive(Default)]
struct Lines(Vec<Line>);

impl RowSink for Lines {
    fn line(&mut self, line: Line) {
        self.0.push(line);
    }

    fn problem(&mut self, _: Problem) {}
}

/// The stores and days of what is posted. What is left out of a store-day does not count.
#[derive(Default)]
struct Sold {
    stores: BTreeSet<Arc<str>>,
    days: BTreeSet<i32>,
    store_days: i64,
}

impl Sold {
    fn see(&mut self, day: &StoreDay) {
        if day.lines.iter().any(|line| line.counts()) {
            self.stores.insert(Arc::clone(&day.store_id));
            self.days.insert(day.day);
            self.store_days += 1;
        }
    }

    /// A file's totals with the stores and days that were posted.
    fn within(&self, summary: &Summary) -> Summary {
        let many = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        Summary {
            stores: many(self.stores.len()),
            days: many(self.days.len()),
            store_days: self.store_days,
            ..summary.clone()
        }
    }
}

/// Runs the step.
pub async fn post(work: Work<SalesImport>) -> Result<Value, JobError> {
    let (work, ctx, state, batch) = (&work, &work.ctx, &work.ctx.state, &work.batch);
    let id = batch.id.as_str();
    let Args { on_existing, all: replaces_all } = ctx.args()?;
    let wish = Wish { how: on_existing, all: replaces_all };
    let mapping = mapping_of(batch)?;
    let directory = Directory::of(&state.db, batch.subject).await?;
    let (mut lines, tables) = match kept_lines(state, &lines_key(batch)).await? {
        Some(kept) => kept,
        None => {
            let then = |Lines(lines): Lines, reader: LineReader, _| (lines, reader.tables);
            let known = directory.known_items().into();
            read_lines(ctx, batch, mapping.clone(), known, Lines::default(), "Reading rows", then).await?
        }
    };
    let mut resolved = resolve(&lines, &tables, &mapping, &directory, &work.scope)?;
    let layout = batch.layout.as_ref().map(|layout| &layout.0);
    let ground = Ground { mapping: &mapping, layout, tables: &tables, directory: &directory };
    ground.place(&lines, &mut resolved);
    let starts = &ground.answers(&lines);
    let all = lines.len() as u64;
    let subject = batch.subject;
    let source: Arc<str> = subject.source().into();
    keep_days(&state.db, &mut lines, &tables, &mut resolved, &source).await?;

    // One thread encodes store-days while the database writes the previous ones.
    let (sender, mut chunks) = mpsc::channel::<Vec<Prepared>>(2);
    let packing = tokio::task::spawn_blocking(move || {
        let sorted = sort(lines, &tables, &resolved);
        let mut chunk = Vec::new();
        let mut size = 0;
        for at in 0..sorted.len() {
            size += sorted.lines_of(at);
            chunk.push(Prepared::new(sorted.store_day(at, &tables, &source)));
            if size >= LINES_AT_ONCE || chunk.len() >= DAYS_AT_ONCE {
                size = 0;
                if sender.blocking_send(std::mem::take(&mut chunk)).is_err() {
                    return;
                }
            }
        }
        if !chunk.is_empty() {
            let _ = sender.blocking_send(chunk);
        }
    });
    let mut posted = Posted::default();
    let mut sold = Sold::default();
    let mut written = 0;
    while let Some(chunk) = chunks.recv().await {
        let chunk = &chunk;
        let checkpoint = json!({ "storeDays": posted.all() + chunk.len() as u64 });
        let write = async |tx: &mut Tx<'_>| {
            if subject == Subject::RootItems {
                root_quantities::prepare(tx, chunk).await?;
            }
            Ok(post_file(tx, chunk, id, wish).await?)
        };
        posted.add(part(ctx, checkpoint, write).await?);
        written += chunk.iter().map(|d| d.day().lines.len() as u64).sum::<u64>();
        chunk.iter().for_each(|prepared| sold.see(prepared.day()));
        ctx.progress(written, all, "Posting store-days");
    }
    packing.await.map_err(|e| JobError::Broken(e.into()))?;
    let fingerprint = batch.layout.as_ref().map(|known| layout::fingerprint(&known.0));
    let summary = batch.summary.as_ref().map(|summary| sold.within(&summary.0));
    let (mapping, fingerprint, summary) = (&mapping, &fingerprint, summary.as_ref());
    state
        .db
        .write(&ctx.actor(), async |tx| -> Result<(), JobError> {
            work.end(tx, summary).await?;
            // What was answered about a file holds for its stores once the file is posted.
            for (store, change) in starts {
                day_starts::settle(tx, store, *change).await?;
            }
            queries::batches::supersede(tx).await?;
            if let Some(fingerprint) = fingerprint {
                remember::<SalesImport>(tx, fingerprint, batch, mapping).await?;
                if let Some(known) = &batch.layout {
                    queries::layouts::set_titles(tx, fingerprint, &memory::titles(&known.0)).await?;
                }
            }
            Ok(())
        })
        .await?;
    ctx.progress(all, all, "Posted");
    Ok(
        json!({ "storeDays": posted.all(), "new": posted.new, "replaced": posted.replaced, "unchanged": posted.unchanged }),
    )
}

/// The parsed lines from the check, if stored: much faster than parsing the file again. They are kept with the file, for
/// posting it again and for what is asked before.
pub(crate) async fn kept_lines(state: &AppState, key: &str) -> Result<Option<(Vec<Line>, Tables)>, JobError> {
    let Ok(mut stream) = state.files.open(key).await else { return Ok(None) };
    let mut bytes = Vec::new();
    while let Some(part) = stream.next().await {
        bytes.extend_from_slice(&part.map_err(|e| JobError::Broken(e.into()))?);
    }
    tokio::task::spawn_blocking(move || packed::unpack(&bytes)).await.map_err(|e| JobError::Broken(e.into()))
}

/// Resolves the file's names; all stores with lines must be known and accessible. A total row has a name too, and no
/// lines.
pub(crate) fn resolve(
    lines: &[Line],
    tables: &Tables,
    mapping: &Mapping,
    directory: &Directory,
    scope: &StoreScope,
) -> Result<Resolved, JobError> {
    let fixed: Option<Arc<str>> = mapping.store.as_ref().map(|store| store.fixed.as_str().into());
    let stores: Vec<Option<Arc<str>>> =
        tables.coded_stores().map(|(name, code)| directory.store_with_code(name, code)).collect();
    let mut used = vec![false; stores.len()];
    lines.iter().filter_map(|line| usize::try_from(line.store).ok()).for_each(|at| {
        if let Some(used) = used.get_mut(at) {
            *used = true;
        }
    });
    if let Some(at) = (0..stores.len()).find(|at| used[*at] && stores[*at].is_none()) {
        let words =
            format!("The store «{}» is not known any more. Say which store it is.", tables.stores[at]);
        return Err(JobError::Failed(words));
    }
    let reached = stores.iter().zip(&used).filter(|(_, used)| **used).filter_map(|(id, _)| id.as_ref());
    if reached.chain(&fixed).any(|id| !scope.contains(id)) {
        return Err(JobError::Failed("You don't have access to this store.".to_owned()));
    }
    let items = tables.items.iter().map(|item| directory.item(item)).collect();
    Ok(Resolved { stores, fixed, items, ..Resolved::default() })
}
