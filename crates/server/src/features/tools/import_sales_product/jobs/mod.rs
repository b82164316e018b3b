//! The long steps: checking a file, posting it, taking it back, mapping what was posted.

pub mod map;
pub mod post;
pub mod revert;
pub mod validate;

use std::fs::File;
use std::ops::ControlFlow;

use larder_db::Actor;
use larder_domain::sales::line::{Line, LineReader, Problem};
use larder_domain::sales::{Field, Mapping};
use larder_domain::sheet::Row;
use serde::Deserialize;

use super::layout::Layout;
use super::model::{Batch, BatchState};
use super::queries;
use crate::AppState;
use crate::http::ApiError;
use crate::jobs::{JobCtx, JobError};
use crate::sheets::{self, Refusal, Visitor};

/// Which batch a job is about.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchArgs {
    /// The batch.
    pub batch_id: String,
    /// The only stores whoever started the job may write; absent: all.
    #[serde(default)]
    pub stores: Option<Vec<String>>,
}

/// A batch and how it is read.
pub(crate) async fn batch(state: &AppState, id: &str) -> Result<(Batch, Mapping), JobError> {
    let batch = queries::batches::find_any(&state.db, id).await?;
    let batch = batch.ok_or_else(|| JobError::Failed("The file was removed meanwhile.".to_owned()))?;
    let mapping = batch.mapping.as_ref().map(|m| m.0.clone());
    let mapping = mapping.ok_or_else(|| JobError::Failed("Say how the file is read first.".to_owned()))?;
    Ok((batch, mapping))
}

/// Where a file's lines are kept between checking and posting.
#[must_use]
pub fn lines_key(file_key: &str) -> String {
    format!("{file_key}.lines")
}

/// Takes what a file's rows say, one after the other.
pub trait Taker: Send {
    /// A row, whatever it says.
    fn row(&mut self, _: &impl Row) {}
    /// A row that is a sales line, or one product of a row that has a column for each.
    fn line(&mut self, line: Line);
    /// Something wrong with a row.
    fn problem(&mut self, problem: Problem);
}

/// Reads a batch's file by its mapping on a thread of its own; progress shows and a wish to stop is
/// heard. `then` finishes the work on that thread.
pub(crate) async fn read_lines<T: Taker + 'static, R: Send + 'static>(
    ctx: &JobCtx,
    batch: &Batch,
    mapping: Mapping,
    taker: T,
    message: &'static str,
    then: impl FnOnce(T, LineReader, u64) -> R + Send + 'static,
) -> Result<R, JobError> {
    let key = queries::batches::file_key(&ctx.state.db, &batch.id).await?.unwrap_or_default();
    let mut file: File = ctx.state.files.local_copy(&key).await?;
    let layout = batch.layout.as_ref().map(|layout| layout.0.clone());
    let width = layout.as_ref().map_or(0, |layout| layout.columns.len());
    let ctx = ctx.clone();
    let read = tokio::task::spawn_blocking(move || {
        let source = match layout.as_ref().and_then(Layout::source) {
            Some(source) => source,
            None => sheets::inspect(&mut file)?,
        };
        let products = mapping.products().iter().map(|product| product.column);
        let wanted: Vec<usize> = mapping.columns.values().copied().chain(products).collect();
        let sheet = mapping.sheet.clone();
        let mut reading = Reading {
            ctx: &ctx,
            reader: LineReader::new(mapping, width),
            taker,
            rows: 0,
            stopped: Ok(()),
            message,
        };
        sheets::read(&mut file, &source, sheet.as_deref(), Some(&wanted), &mut reading)?;
        let rows = reading.rows;
        Ok(reading.stopped.map(|()| then(reading.taker, reading.reader, rows)))
    });
    let read: Result<Result<_, JobError>, Refusal> = read.await.map_err(|e| JobError::Broken(e.into()))?;
    read.map_err(|Refusal(words)| JobError::Failed(words))?
}

struct Reading<'a, T> {
    ctx: &'a JobCtx,
    reader: LineReader,
    taker: T,
    rows: u64,
    stopped: Result<(), JobError>,
    message: &'static str,
}

impl<T: Taker> Visitor for Reading<'_, T> {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        if self.rows == 0 && self.reader.mapping().has_header {
            self.rows = 1;
            return ControlFlow::Continue(());
        }
        self.rows += 1;
        if self.rows.is_multiple_of(8_192) {
            self.ctx.progress(self.rows, 0, self.message);
            self.stopped = self.ctx.go_on();
            if self.stopped.is_err() {
                return ControlFlow::Break(());
            }
        }
        self.taker.row(row);
        let taker = std::cell::RefCell::new(&mut self.taker);
        self.reader.read_each(number, row, &mut |problem| taker.borrow_mut().problem(problem), &mut |line| {
            taker.borrow_mut().line(line)
        });
        ControlFlow::Continue(())
    }
}

/// Writes into the batch how a step ended badly; what it is to be taken up again stays as it is.
pub(crate) async fn note_failure(
    state: &AppState,
    actor: &Actor,
    id: &str,
    error: &JobError,
    stopped: BatchState,
) -> Result<(), ApiError> {
    let (to, words) = match error {
        JobError::Interrupted | JobError::Again { .. } => return Ok(()),
        JobError::Cancelled => (stopped, Some("Stopped on request.".to_owned())),
        JobError::Failed(words) => (BatchState::Failed, Some(words.clone())),
        JobError::Broken(_) => {
            (BatchState::Failed, Some("Something went wrong on our side. Try again.".to_owned()))
        }
    };
    let words = &words;
    state.db.write(actor, async |tx| queries::steps::end(tx, id, to, words.as_deref()).await).await?;
    Ok(())
}

/// How a field is called on the wire.
#[must_use]
pub fn wire(field: Field) -> String {
    serde_json::to_value(field).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}
