//! `sales.post`: writes a file's store-days, some at a time, each whole.
//!
//! Writing a store-day again changes nothing, so a job that was killed half-way simply begins
//! again: what it had written is recognised by its digest and passed over.

use std::collections::HashSet;
use std::sync::Arc;

use futures::StreamExt;
use larder_domain::sales::day::{Resolved, sort};
use larder_domain::sales::line::{Line, LineReader, Problem, Tables};
use larder_domain::sales::{Mapping, packed};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::super::directory::Directory;
use super::super::model::BatchState;
use super::super::{layout, queries};
use super::{BatchArgs, Taker, lines_key, note_failure, read_lines};
use crate::AppState;
use crate::books::sales::{Posted, Prepared, replace_store_days};
use crate::jobs::{JobCtx, JobError};

/// A transaction takes about this many lines: a tenth of a second, so that others get their turn.
const LINES_AT_ONCE: usize = 50_000;
/// And at most this many store-days.
const DAYS_AT_ONCE: usize = 500;

#[derive(Default)]
struct Lines(Vec<Line>);

impl Taker for Lines {
    fn line(&mut self, line: Line) {
        self.0.push(line);
    }

    fn problem(&mut self, _: Problem) {}
}

/// Runs the job.
pub(crate) async fn run(ctx: JobCtx) -> Result<Value, JobError> {
    let args: BatchArgs = ctx.args()?;
    let done = post(&ctx, &args).await;
    if let Err(error) = &done {
        note_failure(&ctx.state, &ctx.actor(), &args.batch_id, error, BatchState::Failed).await?;
    }
    done
}

async fn post(ctx: &JobCtx, args: &BatchArgs) -> Result<Value, JobError> {
    let state = &ctx.state;
    let id = args.batch_id.as_str();
    let (batch, mapping) = super::batch(state, id).await?;
    let key = queries::batches::file_key(&state.db, id).await?.unwrap_or_default();
    let (lines, tables) = match kept_lines(state, &lines_key(&key)).await? {
        Some(kept) => kept,
        None => {
            let then = |Lines(lines): Lines, reader: LineReader, _| (lines, reader.tables);
            read_lines(ctx, &batch, mapping.clone(), Lines::default(), "Reading rows", then).await?
        }
    };
    let directory = Directory::load(&state.db).await?;
    let resolved = resolve(&tables, &mapping, &directory, args.stores.as_deref())?;
    let all = lines.len() as u64;
    let source: Arc<str> = mapping.source.as_str().into();

    // One thread packs store-days while the database writes those before.
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
    let mut written = 0;
    while let Some(chunk) = chunks.recv().await {
        ctx.go_on()?;
        let chunk = &chunk;
        let checkpoint = &json!({ "storeDays": posted.all() + chunk.len() as u64 });
        let done = state
            .db
            .write(&ctx.actor(), async |tx| -> Result<Posted, JobError> {
                if !ctx.checkpoint(tx, checkpoint).await? {
                    return Err(JobError::Interrupted);
                }
                Ok(replace_store_days(tx, chunk, Some(id)).await?)
            })
            .await?;
        posted.add(done);
        written += chunk.iter().map(|d| d.day().lines.len() as u64).sum::<u64>();
        ctx.progress(written, all, "Posting store-days");
    }
    packing.await.map_err(|e| JobError::Broken(e.into()))?;
    let fingerprint = batch.layout.as_ref().map(|known| layout::fingerprint(&known.0));
    let (batch, mapping, fingerprint) = (&batch, &mapping, &fingerprint);
    state
        .db
        .write(&ctx.actor(), async |tx| -> Result<(), JobError> {
            queries::steps::end(tx, id, BatchState::Posted, None).await?;
            queries::steps::supersede(tx).await?;
            if let Some(fingerprint) = fingerprint {
                queries::layouts::remember(tx, fingerprint, batch, mapping).await?;
            }
            Ok(())
        })
        .await?;
    // Posting once more, after a revert, reads the file itself.
    state.files.delete(&lines_key(&key)).await?;
    ctx.progress(all, all, "Posted");
    Ok(
        json!({ "storeDays": posted.all(), "new": posted.new, "replaced": posted.replaced, "unchanged": posted.unchanged }),
    )
}

/// The lines as they were checked, if they are still kept: reading them takes a fraction of the time.
async fn kept_lines(state: &AppState, key: &str) -> Result<Option<(Vec<Line>, Tables)>, JobError> {
    let Ok(mut stream) = state.files.open(key).await else { return Ok(None) };
    let mut bytes = Vec::new();
    while let Some(part) = stream.next().await {
        bytes.extend_from_slice(&part.map_err(|e| JobError::Broken(e.into()))?);
    }
    tokio::task::spawn_blocking(move || packed::unpack(&bytes)).await.map_err(|e| JobError::Broken(e.into()))
}

/// What the file's names stand for now; stores must all be known and allowed.
fn resolve(
    tables: &Tables,
    mapping: &Mapping,
    directory: &Directory,
    allowed: Option<&[String]>,
) -> Result<Resolved, JobError> {
    let fixed: Option<Arc<str>> = mapping.store.as_ref().map(|store| store.fixed.as_str().into());
    let stores: Vec<Option<Arc<str>>> = tables.stores.iter().map(|name| directory.store(name)).collect();
    if let Some(at) = stores.iter().position(Option::is_none) {
        let words =
            format!("The store «{}» is not known any more. Say which store it is.", tables.stores[at]);
        return Err(JobError::Failed(words));
    }
    if let Some(allowed) = allowed {
        let allowed: HashSet<&str> = allowed.iter().map(String::as_str).collect();
        if stores.iter().flatten().chain(&fixed).any(|id| !allowed.contains(id.as_ref())) {
            return Err(JobError::Failed("You don't have access to this store.".to_owned()));
        }
    }
    let items = tables.items.iter().map(|item| directory.item(item)).collect();
    Ok(Resolved { stores, fixed, items })
}
