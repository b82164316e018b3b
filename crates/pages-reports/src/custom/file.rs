//! A table as a file of any length. A table that begins with a date is read and written period by period, so
//! that memory does not grow with the range; totals that run down its rows are carried from part to part.

use axum::response::Response;
use larder_domain::{BusinessDay, Span};
use larder_platform::AppState;
use larder_platform::http::export::{self, Cell, Column, Format, Rows};
use larder_platform::http::{ApiError, ApiResult, Who};
use tokio::sync::oneshot;

use super::answer::CustomAnswer;
use super::definition::{CustomDefinition, CustomRule};
use super::fields::{Of, Part};
use super::keys::{Shift, Texts, first_alike};
use super::left_out::LeftOut;
use super::names::Names;
use super::order::{Shown, Sums, sorting};
use super::pivot::Pivot;
use super::plan::{self, Along, Plan};
use super::run::read_part;
use super::sheet::{cells, columns};
use super::table::{Against, Made, ROWS_ON_PAGE, Totals, days};

/// Maximum number of column groups in a file.
const COLUMNS: usize = 800;
/// Rows to aim for in one part.
const ROWS_OF_PART: usize = 50_000;
/// Periods of the first part.
const FIRST: usize = 7;
/// Maximum number of periods of a part.
const MOST: usize = 64;

/// Where the columns and then the rows of a file go.
struct Out {
    /// Taken when the columns are known.
    columns: Option<oneshot::Sender<Vec<Column>>>,
    rows: Rows,
}

impl Out {
    /// Passes on the columns. Without a receiver the rows are not received either.
    fn open(&mut self, columns: Vec<Column>) {
        if let Some(sender) = self.columns.take() {
            drop(sender.send(columns));
        }
    }

    /// Passes on a row; false if nobody receives it.
    async fn put(&self, cells: Vec<Cell>) -> bool {
        self.rows.send(Ok(cells)).await.is_ok()
    }
}

/// Responds with the whole table as a file `{name}-{from}-{to}`.
///
/// # Errors
/// 422 for an invalid definition, for a workbook of too many rows, or if a part is too large; 403. An error after
/// the first rows aborts a CSV download.
pub async fn respond(
    state: &AppState,
    who: &Who,
    definition: &CustomDefinition,
    name: &str,
    format: Format,
) -> ApiResult<Response> {
    let names = plan::names(state, definition).await?;
    let plan = Plan::of(definition, who, &names)?;
    let name = format!("{name}-{}-{}", plan.span.from, plan.span.to);
    let (head, heads) = oneshot::channel();
    let (sender, rows) = export::channel();
    let state = state.clone();
    let writing = tokio::spawn(async move {
        let mut out = Out { columns: Some(head), rows: sender };
        let written = write(&state, &plan, &names, Some(&mut out)).await;
        match written {
            Ok(_) => Ok(()),
            // Nothing was sent so far.
            Err(error) if out.columns.is_some() => Err(error),
            Err(error) => {
                drop(out.rows.send(Err(error)).await);
                Ok(())
            }
        }
    });
    if let Ok(columns) = heads.await {
        return export::respond(format, &name, columns, rows).await;
    }
    writing.await.map_err(ApiError::internal)??;
    Err(ApiError::internal(anyhow::anyhow!("a file without columns")))
}

/// The table with totals and its first rows, for an email.
///
/// # Errors
/// 422, 403.
pub async fn summary(state: &AppState, who: &Who, definition: &CustomDefinition) -> ApiResult<CustomAnswer> {
    let names = plan::names(state, definition).await?;
    let plan = Plan::of(definition, who, &names)?;
    write(state, &plan, &names, None).await
}

/// As [`summary`], with the whole table as a workbook.
///
/// # Errors
/// 422, also for more rows than a sheet can have; 403.
pub async fn summary_and_workbook(
    state: &AppState,
    who: &Who,
    definition: &CustomDefinition,
    name: &str,
) -> ApiResult<(CustomAnswer, Vec<u8>)> {
    let names = plan::names(state, definition).await?;
    let plan = Plan::of(definition, who, &names)?;
    let (head, heads) = oneshot::channel();
    let (sender, rows) = export::channel();
    let writing = async {
        let mut out = Out { columns: Some(head), rows: sender };
        write(state, &plan, &names, Some(&mut out)).await
    };
    let book = async {
        match heads.await {
            Ok(columns) => export::workbook(name, &columns, rows).await,
            // Writing failed and says why.
            Err(_) => Ok(Vec::new()),
        }
    };
    let (answer, book) = tokio::join!(writing, book);
    Ok((answer?, book?))
}

/// Writes all rows and the totals. Returns the table with the first rows.
async fn write(
    state: &AppState,
    plan: &Plan,
    names: &Names,
    mut out: Option<&mut Out>,
) -> ApiResult<CustomAnswer> {
    let mut texts = Texts::default();
    let mut pivot = Pivot::new(plan, names);
    pivot.left_out = LeftOut::read(state, (plan, names), (&mut texts, &mut pivot)).await?;
    let days = days(plan, &mut pivot);
    let mut totals = Totals::default();
    let periods = periods(plan);
    // Columns, and what shares are of, must be known before the first row.
    let shares = plan.has(CustomRule::Share) || plan.has(CustomRule::Parent) && !plan.has_parents();
    let twice = periods.len() > 1 && (shares || !plan.columns.is_empty());
    if twice {
        let mut parts = Parts::of(&periods);
        while let Some(part) = parts.take() {
            read(state, plan, names, (&mut texts, &mut pivot), part).await?;
            let made = Made { plan, names, texts: &texts, pivot: &pivot, days: &days };
            let lines = made.lines()?;
            made.add(&mut totals, &lines)?;
            parts.had(lines.len());
            pivot.cells.clear();
        }
    }
    let mut first = Vec::new();
    let mut heads = None;
    let mut so_far = Sums::default();
    let mut parts = Parts::of(&periods);
    'parts: while let Some(part) = parts.take() {
        read(state, plan, names, (&mut texts, &mut pivot), part).await?;
        let made = Made { plan, names, texts: &texts, pivot: &pivot, days: &days };
        let mut lines = made.lines()?;
        parts.had(lines.len());
        if !twice {
            made.add(&mut totals, &lines)?;
        }
        if heads.is_none() {
            let (keys, notices) = made.columns(&totals, COLUMNS);
            let head = made.answer(&keys, &totals)?;
            if let Some(out) = &mut out {
                out.open(columns(&head));
            }
            heads = Some((keys, notices, head));
        }
        let Some((keys, _, head)) = &heads else { break };
        let parents = made.parents(&lines)?;
        let order = made.sorted(&lines, &totals, &parents);
        let against = Against { columns: keys, totals: &totals, parents: &parents };
        // Totals that begin anew with each first value end with it; a part has whole ones.
        if plan.along != Some(Along::Rows(0)) {
            so_far.clear();
        }
        for one in made.top(order, &lines, &parents)? {
            let row = match one {
                Shown::Row(key) => {
                    let line = lines.remove(&key).unwrap_or_default();
                    made.shown(&key, &line, against, &mut so_far)?
                }
                Shown::Other(other) => made.other(&other, against)?,
            };
            let cells = cells(head, &row);
            if first.len() < ROWS_ON_PAGE {
                first.push(row);
            }
            if let Some(out) = &out
                && !out.put(cells).await
            {
                break 'parts;
            }
        }
        pivot.cells.clear();
    }
    let made = Made { plan, names, texts: &texts, pivot: &pivot, days: &days };
    let Some((keys, notices, head)) = heads else { return made.answer(&[], &totals) };
    let answer = CustomAnswer { rows: first, notices, ..made.answer(&keys, &totals)? };
    for row in &answer.totals {
        if let Some(out) = &out
            && !out.put(cells(&head, row)).await
        {
            break;
        }
    }
    Ok(answer)
}

/// Reads the facts of a part and, if compared, those of the days before it is compared with.
async fn read(
    state: &AppState,
    plan: &Plan,
    names: &Names,
    (texts, pivot): (&mut Texts, &mut Pivot<'_>),
    part: Span,
) -> ApiResult<()> {
    if plan.measures.is_empty() {
        return Ok(());
    }
    read_part(state, plan, names, (&mut *texts, &mut *pivot), (part, None)).await?;
    if let Some((_, shift)) = plan.before
        && let Some(before) = shift.before(part)
    {
        read_part(state, plan, names, (texts, pivot), (before, Some(shift))).await?;
    }
    Ok(())
}

/// The periods that can be written one after the other, in the order of the rows: the first row field's, if rows
/// are sorted by it; else the whole range is one.
fn periods(plan: &Plan) -> Vec<Span> {
    let (measure, descending) = sorting(plan);
    let apart = measure.is_none() && plan.definition.top.is_none();
    let part = match plan.rows.first().map(|dim| dim.of) {
        Some(Of::Date(part)) if apart && part != Part::Weekday => part,
        _ => return vec![plan.span],
    };
    let mut periods = split(plan.span, part);
    if descending {
        periods.reverse();
    }
    periods
}

/// The periods of a range; the first and the last may be incomplete.
fn split(span: Span, part: Part) -> Vec<Span> {
    let first = |day: BusinessDay| first_alike(part, day, Shift::Days(0));
    let mut periods: Vec<Span> = Vec::new();
    for day in (span.from.0..=span.to.0).map(BusinessDay) {
        match periods.last_mut() {
            Some(last) if first(last.from) == first(day) => last.to = day,
            _ => periods.push(Span { from: day, to: day }),
        }
    }
    periods
}

/// Adjacent periods, as many at once as make about [`ROWS_OF_PART`] rows.
struct Parts<'a> {
    left: &'a [Span],
    most: usize,
}

impl<'a> Parts<'a> {
    fn of(periods: &'a [Span]) -> Self {
        Self { left: periods, most: FIRST }
    }

    fn take(&mut self) -> Option<Span> {
        let (part, left) = self.left.split_at(self.most.min(self.left.len()));
        self.left = left;
        let (one, other) = (part.first()?, part.last()?);
        Some(Span { from: one.from.min(other.from), to: one.to.max(other.to) })
    }

    /// The last part had so many rows.
    fn had(&mut self, rows: usize) {
        if rows > ROWS_OF_PART {
            self.most = (self.most / 2).max(1);
        } else if rows < ROWS_OF_PART / 2 {
            self.most = (self.most * 2).min(MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from: &str, to: &str) -> Span {
        Span { from: from.parse().expect("a date"), to: to.parse().expect("a date") }
    }

    #[test]
    fn parts_grow_and_shrink_with_their_rows_and_cover_every_day() {
        let range = span("2026-01-01", "2026-06-30");
        for descending in [false, true] {
            let mut periods = split(range, Part::Day);
            assert_eq!(periods.len(), 181);
            if descending {
                periods.reverse();
            }
            let mut parts = Parts::of(&periods);
            let (mut days, mut seen) = (Vec::new(), 0);
            while let Some(part) = parts.take() {
                days.push(part.days());
                seen += part.days();
                parts.had(if days.len() < 3 { 100 } else { 60_000 });
            }
            assert_eq!((&days[..5], seen), (&[7, 14, 28, 14, 7][..], 181), "{descending}");
        }
    }

    #[test]
    fn weeks_and_months_stay_whole() {
        let weeks = split(span("2026-05-27", "2026-06-09"), Part::Week);
        assert_eq!(
            weeks,
            [
                span("2026-05-27", "2026-05-31"),
                span("2026-06-01", "2026-06-07"),
                span("2026-06-08", "2026-06-09")
            ]
        );
        let months = split(span("2026-02-10", "2026-03-02"), Part::Month);
        assert_eq!(months, [span("2026-02-10", "2026-02-28"), span("2026-03-01", "2026-03-02")]);
    }
}
