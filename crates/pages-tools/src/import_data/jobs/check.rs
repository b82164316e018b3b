//! `importData.check`: reads a file and determines what every row would do. Writes only that.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use larder_domain::decimal::Mark;
use larder_domain::sales::names;
use larder_domain::sales::numbers::Decimal;
use larder_domain::sheet::Row;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::fields::{self, Target};
use super::super::import::DataImport;
use super::super::layout::ImportFormat;
use super::super::model::{ImportMade, ImportMapping, ImportOutcome, ImportSummary};
use super::super::plan::{self, PlanRequest, Planned, RawRow, Style};
use super::super::queries;
use larder_lists::engine::ListDef;
use larder_lists::imports::files;
use larder_lists::imports::jobs::{Work, part};
use larder_lists::imports::records::Snapshot;
use larder_platform::http::ApiResult;
use larder_platform::jobs::{JobCtx, JobError};
use larder_platform::sheets;
use larder_platform::sheets::{MAX_COLUMNS, Visitor};

/// Rows saved per transaction.
const AT_ONCE: usize = 5_000;

/// Permissions of the user who started the job.
#[derive(Deserialize)]
struct Args {
    /// Entity types that may be created implicitly.
    #[serde(default)]
    makes: Vec<String>,
}

/// Runs the step.
pub async fn check(work: Work<DataImport>) -> Result<Value, JobError> {
    let (ctx, batch, state) = (&work.ctx, &work.batch, &work.ctx.state);
    let def = super::list_of_slug(&batch.list)?;
    let mapping = batch.mapping.as_ref().map(|mapping| mapping.0.clone());
    let mapping = mapping.ok_or_else(|| JobError::Failed("Say which columns are what first.".to_owned()))?;
    let Args { makes } = ctx.args()?;
    let targets = fields::targets(&state.db, def).await?;
    let request = request(&work, def, &mapping, targets, &makes);
    let (rows, hidden) = read(&work, &mapping).await?;
    ctx.progress(0, rows.len() as u64, "Comparing rows");
    let snapshot = Snapshot::load(&state.db, def).await?;
    let planned = compare(ctx, request, snapshot, rows).await?;
    let summary = ImportSummary { hidden_rows: (hidden > 0).then_some(hidden), ..summary(def, &planned) };
    for (at, chunk) in planned.chunks(AT_ONCE).enumerate() {
        note(ctx, &batch.id, (at * AT_ONCE) as i64, chunk).await?;
    }
    let (work, summary) = (&work, &summary);
    state.db.write(&ctx.actor(), async |tx| work.end(tx, Some(summary)).await).await?;
    ctx.progress(planned.len() as u64, planned.len() as u64, "Checked");
    Ok(json!(summary))
}

/// Saves the planned rows; the first call deletes earlier ones.
async fn note(ctx: &JobCtx, id: &str, first: i64, rows: &[Planned]) -> Result<(), JobError> {
    part(ctx, json!({ "rows": first }), async |tx| {
        if first == 0 {
            queries::rows::clear(tx, id).await?;
        }
        Ok(queries::rows::insert(tx, id, first, rows).await?)
    })
    .await
}

fn request(
    work: &Work<DataImport>,
    def: &'static ListDef,
    mapping: &ImportMapping,
    targets: Vec<Target>,
    wanted: &[String],
) -> PlanRequest {
    let column = |target: Target| mapping.columns.get(&target.name).map(|column| (target, *column));
    let makes = larder_lists::catalog::ALL.iter().map(|def| def.kind);
    PlanRequest {
        def,
        columns: targets.into_iter().filter_map(column).collect(),
        by: mapping.by,
        style: Style {
            mark: match mapping.decimal {
                Decimal::Point => Mark::Point,
                Decimal::Comma => Mark::Comma,
            },
            dates: mapping.date_format,
            quoted: work.batch.layout.format == ImportFormat::Csv,
        },
        makes: makes.filter(|kind| wanted.iter().any(|made| made == kind)).collect(),
        scope: work.scope.clone(),
    }
}

/// The rows of a file below the header, and the number of filled ones that the workbook hides.
async fn read(work: &Work<DataImport>, mapping: &ImportMapping) -> ApiResult<(Vec<RawRow>, i64)> {
    let (layout, mapping) = (work.batch.layout.0.clone(), mapping.clone());
    files::read(&work.ctx.state, &work.batch.file_key, layout.source(), move |file, source| {
        // A header may be set manually where none was detected: then it is the first row.
        let header = mapping.has_header.then(|| layout.header_row.unwrap_or(0));
        let leave_hidden = mapping.hidden_rows == Some(false);
        let mut rows = Rows { rows: Vec::new(), header, seen: 0, leave_hidden, hidden: 0 };
        let sheet = mapping.sheet.as_deref().or(layout.sheet.as_deref());
        sheets::read(file, source, sheet, None, &mut rows)?;
        Ok((rows.rows, rows.hidden))
    })
    .await
}

struct Rows {
    rows: Vec<RawRow>,
    /// The header row; 0 for the first row.
    header: Option<u32>,
    seen: u32,
    /// Whether rows that the workbook hides are left out.
    leave_hidden: bool,
    /// The filled ones among them.
    hidden: i64,
}

impl Visitor for Rows {
    fn row<R: Row>(&mut self, number: u32, row: &R) -> ControlFlow<()> {
        self.seen += 1;
        let above = self.header.is_some_and(|header| number <= header || (header == 0 && self.seen == 1));
        let filled = |at| !row.cell(at).text.trim_ascii().is_empty();
        let hidden = !above && row.hidden() && (0..row.width()).any(filled);
        self.hidden += i64::from(hidden);
        if !(above || (hidden && self.leave_hidden)) {
            let width = row.width().min(MAX_COLUMNS);
            let text = |at| names::composed(&String::from_utf8_lossy(row.cell(at).text)).into_owned();
            self.rows.push(RawRow {
                number,
                cells: (0..width).map(text).collect(),
                numbers: (0..width).map(|at| row.cell(at).number).collect(),
                states: (0..width).map(|at| row.cell(at).state).collect(),
            });
        }
        ControlFlow::Continue(())
    }
}

/// Plans on a separate thread, reporting progress and checking for cancellation.
async fn compare(
    ctx: &JobCtx,
    request: PlanRequest,
    snapshot: Snapshot,
    rows: Vec<RawRow>,
) -> Result<Vec<Planned>, JobError> {
    let ctx = ctx.clone();
    let planned = tokio::task::spawn_blocking(move || {
        let all = rows.len() as u64;
        let mut new_id = || ctx.state.new_id();
        let mut stopped = Ok(());
        let planned = plan::plan(&request, snapshot, &rows, &mut new_id, &mut |done| {
            ctx.progress(done, all, "Comparing rows");
            stopped = ctx.go_on();
            stopped.is_ok()
        });
        stopped.map(|()| planned.unwrap_or_default())
    });
    planned.await.map_err(|e| JobError::Broken(e.into()))?
}

fn summary(def: &'static ListDef, planned: &[Planned]) -> ImportSummary {
    let rows: Vec<&Planned> = planned.iter().filter(|row| row.row > 0).collect();
    let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count() as i64;
    let mut made: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in planned.iter().filter(|row| row.row == 0) {
        made.entry(fields::slug(if row.def.kind == def.kind { def } else { row.def }))
            .or_default()
            .push(row.name.clone());
    }
    ImportSummary {
        rows: rows.len() as i64,
        created: count(ImportOutcome::Created),
        updated: count(ImportOutcome::Updated),
        unchanged: count(ImportOutcome::Unchanged),
        failed: count(ImportOutcome::Failed),
        will_create: made
            .into_iter()
            .map(|(list, names)| ImportMade { list: list.to_owned(), names })
            .collect(),
        ..ImportSummary::default()
    }
}
