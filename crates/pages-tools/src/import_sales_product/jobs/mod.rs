//! The long-running steps: check, post, revert, map.

pub mod map;
pub mod post;
mod receipts;
pub mod revert;
pub mod validate;

use std::ops::ControlFlow;
use std::sync::Arc;

use larder_domain::BusinessDay;
use larder_domain::sales::line::{Line, Problem};
use larder_domain::sales::{Field, KnownItems, LineReader, Mapping};
use larder_domain::sheet::Row;

use super::import::LINES;
use super::layout::Layout;
use super::model::Batch;
use super::reading;
use larder_lists::imports::files;
use larder_platform::jobs::{JobCtx, JobError};
use larder_platform::sheets::Visitor;

/// The mapping of a batch.
fn mapping_of(batch: &Batch) -> Result<Mapping, JobError> {
    let mapping = batch.mapping.as_ref().map(|m| m.0.clone());
    mapping.ok_or_else(|| JobError::Failed("Say how the file is read first.".to_owned()))
}

/// Storage key of a file's parsed lines between checking and posting.
fn lines_key(batch: &Batch) -> String {
    format!("{}{LINES}", batch.file_key)
}

/// Receives a file's rows one by one.
pub trait RowSink: Send {
    /// Any row.
    fn row(&mut self, _: &impl Row) {}
    /// A sales line, or one product of a row with a column per product.
    fn line(&mut self, line: Line);
    /// An error in a row.
    fn problem(&mut self, problem: Problem);
}

/// Reads a batch's file on a separate thread, reporting progress and checking for cancellation. `known` are the
/// items that its names are known to mean. `then` finishes the work on that thread.
pub(crate) async fn read_lines<T: RowSink + 'static, R: Send + 'static>(
    ctx: &JobCtx,
    batch: &Batch,
    mapping: Mapping,
    known: Arc<KnownItems>,
    sink: T,
    message: &'static str,
    then: impl FnOnce(T, LineReader, u64) -> R + Send + 'static,
) -> Result<R, JobError> {
    let layout = batch.layout.as_ref().map(|layout| &layout.0);
    let width = layout.map_or(0, |layout| layout.columns.len());
    let shape = layout.map(|layout| layout.shape.clone()).unwrap_or_default();
    let names = layout.map(|layout| layout.read_sheets(&mapping)).unwrap_or_default();
    let reading = ctx.clone();
    files::read(&ctx.state, &batch.file_key, layout.and_then(Layout::source), move |file, source| {
        let ctx = reading;
        // The first columns may mark a row as a total.
        let wanted: Vec<usize> = mapping.read_columns().chain(0..3).collect();
        let today = BusinessDay::of(ctx.state.now());
        let source = &reading::as_read(source, &mapping);
        let mut reading = Reading {
            ctx: &ctx,
            reader: LineReader::new(mapping, width).asking(today).knowing(known),
            sink,
            rows: u64::from(!shape.is_plain()),
            plain: shape.is_plain(),
            stopped: Ok(()),
            message,
        };
        reading::each(file, source, &shape, &names, Some(&wanted), &mut reading)?;
        let sink = &mut reading.sink;
        reading.reader.finish(&mut |line| sink.line(line));
        let rows = reading.rows;
        Ok(reading.stopped.map(|()| then(reading.sink, reading.reader, rows)))
    })
    .await?
}

struct Reading<'a, T> {
    ctx: &'a JobCtx,
    reader: LineReader,
    sink: T,
    rows: u64,
    /// Whether the header is the first row.
    plain: bool,
    stopped: Result<(), JobError>,
    message: &'static str,
}

impl<T: RowSink> Visitor for Reading<'_, T> {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        if self.plain && self.rows == 0 && self.reader.mapping().has_header {
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
        self.sink.row(row);
        let sink = std::cell::RefCell::new(&mut self.sink);
        self.reader.read_each(number, row, &mut |problem| sink.borrow_mut().problem(problem), &mut |line| {
            sink.borrow_mut().line(line)
        });
        ControlFlow::Continue(())
    }

    fn sheet(&mut self, _: &str) {
        self.reader.next_sheet();
    }
}

/// Name of a field in the API.
#[must_use]
pub fn wire(field: Field) -> String {
    serde_json::to_value(field).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}
