//! Cells to rows and columns: named, sorted, limited, totalled.

use std::collections::HashSet;

use larder_domain::sales::names::QuickMap;

use super::answer::{CustomAnswer, CustomColumn, CustomFigure, CustomHead, CustomRow, Figure};
use super::definition::CustomRule;
use super::fields::CustomType;
use super::keys::{Dim, Texts};
use super::names::Names;
use super::order::{Others, Shown, Sums};
use super::pivot::{Cell, ColumnKey, Days, Pivot, RowKey};
use super::plan::{Along, CustomNotice, DimAt, MeasureAt, Plan};
use larder_platform::http::ApiResult;

/// Maximum number of column groups on a page; files may have more.
pub const COLUMNS_ON_PAGE: usize = 62;
/// Maximum number of rows on a page.
pub const ROWS_ON_PAGE: usize = 500;

/// The part of a table to show.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    pub rows: usize,
    pub columns: usize,
}

impl Extent {
    /// For a page.
    pub const PAGE: Self = Self { rows: ROWS_ON_PAGE, columns: COLUMNS_ON_PAGE };
}

/// A row under construction.
#[derive(Debug, Default)]
pub struct Line {
    pub labels: Vec<String>,
    /// Sort keys.
    pub order: Vec<String>,
    pub cells: QuickMap<ColumnKey, Cell>,
    pub total: Cell,
    /// The date keys of its rows.
    pub dates: HashSet<Vec<u32>>,
}

/// The total of all rows, or of some: of one unit, of a parent, up to a date.
#[derive(Debug, Default)]
pub struct Whole {
    pub cells: QuickMap<ColumnKey, Cell>,
    pub total: Cell,
    pub rows: usize,
    pub dates: HashSet<Vec<u32>>,
}

/// Rows by key.
pub type Lines = QuickMap<RowKey, Line>;

/// The totals of the rows seen so far.
#[derive(Debug, Default)]
pub struct Totals {
    /// By unit.
    pub wholes: QuickMap<u32, Whole>,
    /// Of all units.
    all: Whole,
    columns: HashSet<ColumnKey>,
    rows: usize,
}

/// The table of a pivot.
///
/// # Errors
/// 422 on overflow.
pub fn table(
    plan: &Plan,
    names: &Names,
    texts: &Texts,
    mut pivot: Pivot<'_>,
    extent: Extent,
) -> ApiResult<CustomAnswer> {
    let days = days(plan, &mut pivot);
    let made = Made { plan, names, texts, pivot: &pivot, days: &days };
    let lines = made.lines()?;
    let mut totals = Totals::default();
    made.add(&mut totals, &lines)?;
    let parents = made.parents(&lines)?;
    let (columns, mut notices) = made.columns(&totals, extent.columns);
    let order = made.sorted(&lines, &totals, &parents);
    let row_count = order.len();
    let mut shown = made.top(order, &lines, &parents)?;
    if shown.iter().filter(|one| matches!(one, Shown::Row(_))).count() > extent.rows {
        let words =
            format!("Only the first {} of {row_count} rows are shown. Totals are of all.", extent.rows);
        notices.push(CustomNotice::new("left", words));
        let mut left = extent.rows;
        shown.retain(|one| match one {
            Shown::Other(other) => left > 0 || !other.within,
            Shown::Row(_) => {
                let fits = left > 0;
                left = left.saturating_sub(1);
                fits
            }
        });
    }
    let against = Against { columns: &columns, totals: &totals, parents: &parents };
    let mut so_far = Sums::default();
    let mut rows = Vec::with_capacity(shown.len());
    for one in &shown {
        rows.push(match one {
            Shown::Row(key) => made.shown(key, &lines[key], against, &mut so_far)?,
            Shown::Other(other) => made.other(other, against)?,
        });
    }
    Ok(CustomAnswer { rows, notices, ..made.answer(&columns, &totals)? })
}

/// The days averages are taken over; none without averages.
pub fn days(plan: &Plan, pivot: &mut Pivot<'_>) -> Days {
    let averages = plan.measures.iter().any(|measure| measure.rule == CustomRule::AvgPerDay);
    if averages { pivot.days() } else { Days::default() }
}

/// Turns the cells of a pivot into rows.
pub struct Made<'a> {
    pub plan: &'a Plan,
    pub names: &'a Names,
    pub texts: &'a Texts,
    pub pivot: &'a Pivot<'a>,
    pub days: &'a Days,
}

/// What rows are shown with: the columns, and what their shares are of.
#[derive(Clone, Copy)]
pub struct Against<'t> {
    pub columns: &'t [ColumnKey],
    pub totals: &'t Totals,
    pub parents: &'t Sums,
}

/// The sums behind the figures of a row.
struct Behind<'r> {
    cells: &'r QuickMap<ColumnKey, Cell>,
    total: &'r Cell,
    dates: &'r HashSet<Vec<u32>>,
    /// Up to the row's date, if totals run down the rows.
    so_far: Option<&'r Whole>,
}

impl Made<'_> {
    /// The rows that pass the limits on measures.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn lines(&self) -> ApiResult<Lines> {
        let mut lines = Lines::default();
        for ((row, column), cell) in &self.pivot.cells {
            let line = lines.entry(*row).or_default();
            self.pivot.join(&mut line.total, cell)?;
            line.cells.insert(*column, cell.clone());
        }
        // Each key's name is looked up once, however many rows use it.
        let mut called: Vec<QuickMap<u32, (String, String)>> =
            vec![QuickMap::default(); self.pivot.rows.len()];
        for (key, line) in &mut lines {
            for ((dim, key), called) in self.pivot.rows.iter().zip(key).zip(&mut called) {
                let (label, order) = called.entry(*key).or_insert_with(|| {
                    let label = dim.label(*key, self.names);
                    let order = order_of(dim, *key, &label);
                    (label, order)
                });
                line.order.push(order.clone());
                line.labels.push(label.clone());
            }
            line.dates.insert(self.pivot.row_dates(key));
        }
        self.limit(&mut lines);
        Ok(lines)
    }

    /// Removes rows whose measures fail the limits.
    fn limit(&self, lines: &mut Lines) {
        for (at, least, text) in &self.plan.limits {
            let (Some(measure), Ok(bound)) = (self.plan.measures.get(*at), text.parse::<f64>()) else {
                continue;
            };
            if matches!(measure.rule, CustomRule::Share | CustomRule::Parent) {
                continue;
            }
            lines.retain(|_, line| {
                let days = self.days.of(Some(&line.dates), None);
                let figure = measure.of(Some(&line.total), None, days).map(Figure::as_f64);
                figure.is_some_and(|figure| if *least { figure >= bound } else { figure <= bound })
            });
        }
    }

    /// Adds rows to the totals.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn add(&self, totals: &mut Totals, lines: &Lines) -> ApiResult<()> {
        let mut wholes: QuickMap<u32, Whole> = QuickMap::default();
        for (key, line) in lines {
            self.collect(wholes.entry(key[3]).or_default(), line)?;
        }
        for (unit, whole) in wholes {
            self.join(&mut totals.all, &whole)?;
            self.join(totals.wholes.entry(unit).or_default(), &whole)?;
            totals.columns.extend(whole.cells.keys());
        }
        totals.rows += lines.len();
        Ok(())
    }

    /// Adds a row to a sum.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn collect(&self, into: &mut Whole, line: &Line) -> ApiResult<()> {
        into.rows += 1;
        self.pivot.join(&mut into.total, &line.total)?;
        into.dates.extend(line.dates.iter().cloned());
        for (column, cell) in &line.cells {
            self.pivot.join(into.cells.entry(*column).or_default(), cell)?;
        }
        Ok(())
    }

    fn join(&self, into: &mut Whole, more: &Whole) -> ApiResult<()> {
        into.rows += more.rows;
        self.pivot.join(&mut into.total, &more.total)?;
        into.dates.extend(more.dates.iter().cloned());
        for (column, cell) in &more.cells {
            self.pivot.join(into.cells.entry(*column).or_default(), cell)?;
        }
        Ok(())
    }

    /// What is said of the definition, and of the days that changes leave out.
    fn notices(&self) -> Vec<CustomNotice> {
        self.plan.notices.iter().cloned().chain(self.pivot.left_out.notice()).collect()
    }

    /// The columns to show, at most `most`, and the table's notices.
    pub fn columns(&self, totals: &Totals, most: usize) -> (Vec<ColumnKey>, Vec<CustomNotice>) {
        let mut notices = self.notices();
        if self.plan.columns.is_empty() {
            return (Vec::new(), notices);
        }
        let dims = &self.pivot.columns;
        let order = |key: &ColumnKey| -> Vec<String> {
            dims.iter().zip(key).map(|(dim, key)| order_of(dim, *key, &dim.label(*key, self.names))).collect()
        };
        let mut keys: Vec<(Vec<String>, ColumnKey)> =
            totals.columns.iter().map(|key| (order(key), *key)).collect();
        keys.sort();
        let all = keys.len();
        if all > most {
            // For dates, the latest come first.
            let dates = dims.first().is_some_and(Dim::is_date);
            let kept = if dates { keys.split_off(all - most) } else { keys.into_iter().take(most).collect() };
            keys = kept;
            let end = if dates { "last" } else { "first" };
            let words = format!("Only the {end} {most} of {all} columns are shown. Totals are of all.");
            notices.push(CustomNotice::new("left", words));
        }
        (keys.into_iter().map(|(_, key)| key).collect(), notices)
    }

    /// A row as shown. `so_far`: the sums of the rows shown before it, if totals run down the rows.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn shown(
        &self,
        key: &RowKey,
        line: &Line,
        against: Against<'_>,
        so_far: &mut Sums,
    ) -> ApiResult<CustomRow> {
        let mut up_to_here = None;
        if let Some(Along::Rows(at)) = self.plan.along {
            let mut others = *key;
            others[at] = 0;
            let sum = so_far.entry(others).or_default();
            self.collect(sum, line)?;
            up_to_here = Some(&*sum);
        }
        let keys = self.pivot.rows.iter().zip(key).map(|(dim, key)| dim.text(*key).to_owned()).collect();
        self.row(
            against.columns,
            |measure| self.whole(measure, key, against),
            (keys, line.labels.clone(), self.unit_of(key[3])),
            Behind { cells: &line.cells, total: &line.total, dates: &line.dates, so_far: up_to_here },
        )
    }

    /// The row of those beyond the top ones. Rows of several parents have no share of a parent.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn other(&self, other: &Others, against: Against<'_>) -> ApiResult<CustomRow> {
        let Others { key, line, rows, within } = other;
        let above = if *within { self.pivot.rows.len().saturating_sub(1) } else { 0 };
        let dims = self.pivot.rows.iter().zip(key).take(above);
        let keys = dims.map(|(dim, key)| dim.text(*key).to_owned()).collect();
        let mut labels: Vec<String> = line.labels.iter().take(above).cloned().collect();
        labels.push(format!("Other ({rows})"));
        let row = self.row(
            against.columns,
            |measure| self.whole(measure, key, against).filter(|_| *within || !self.of_parent(measure)),
            (keys, labels, self.unit_of(key[3])),
            Behind { cells: &line.cells, total: &line.total, dates: &line.dates, so_far: None },
        )?;
        Ok(CustomRow { other: true, ..row })
    }

    /// Whether a measure is a share of the rows of a parent.
    fn of_parent(&self, measure: &MeasureAt) -> bool {
        measure.rule == CustomRule::Parent && self.plan.has_parents()
    }

    /// What the share of a row is of: all rows, or those of its parent.
    fn whole<'t>(&self, measure: &MeasureAt, key: &RowKey, against: Against<'t>) -> Option<&'t Whole> {
        if self.of_parent(measure) {
            against.parents.get(&self.parent_of(measure, key))
        } else if measure.measure.unit {
            against.totals.wholes.get(&key[3])
        } else {
            Some(&against.totals.all)
        }
    }

    /// The table without rows; its notices are those of the definition.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn answer(&self, columns: &[ColumnKey], totals: &Totals) -> ApiResult<CustomAnswer> {
        let plan = self.plan;
        let head = |dim: &DimAt| CustomHead {
            key: dim.field.key.to_owned(),
            label: dim.field.label.to_owned(),
            leads: dim.field.leads.map(str::to_owned),
        };
        let dims = &self.pivot.columns;
        let column = |key: &ColumnKey| CustomColumn {
            keys: dims.iter().zip(key).map(|(dim, key)| dim.text(*key).to_owned()).collect(),
            labels: dims.iter().zip(key).map(|(dim, key)| dim.label(*key, self.names)).collect(),
        };
        let figure = |measure: &MeasureAt| CustomFigure {
            field: measure.field.key.to_owned(),
            rule: measure.rule,
            label: measure.label(plan),
            r#type: measure.shown_type(),
            unit: measure.measure.unit && measure.shown_type() != CustomType::Share,
        };
        Ok(CustomAnswer {
            from: plan.span.from,
            to: plan.span.to,
            before: plan.before.map(|(span, _)| [span.from, span.to]),
            left_out: self.pivot.left_out.days,
            row_fields: plan.rows.iter().map(head).collect(),
            column_fields: plan.columns.iter().map(head).collect(),
            measures: plan.measures.iter().map(figure).collect(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
            totals: self.totals(columns, totals)?,
            row_count: totals.rows,
            units: totals.wholes.len(),
            notices: self.notices(),
            definition: plan.definition.clone(),
        })
    }

    fn unit_of(&self, unit: u32) -> Option<String> {
        let unit = unit.checked_sub(1).map(|unit| self.texts.units.text(unit).to_owned());
        unit.filter(|unit| !unit.is_empty())
    }

    /// A row's figures, with the sum that the share of each measure is of.
    fn row<'w>(
        &self,
        columns: &[ColumnKey],
        whole: impl Fn(&MeasureAt) -> Option<&'w Whole>,
        (keys, labels, unit): (Vec<String>, Vec<String>, Option<String>),
        Behind { cells, total, dates, so_far }: Behind<'_>,
    ) -> ApiResult<CustomRow> {
        let across = match self.plan.along {
            Some(Along::Columns(at)) => Some(self.running(at, columns, cells)?),
            _ => None,
        };
        let mut values = Vec::with_capacity(columns.len() * self.plan.measures.len());
        for column in columns {
            let of_column: HashSet<Vec<u32>> = [self.pivot.column_dates(column)].into();
            let days = self.days.of(Some(dates), Some(&of_column));
            for measure in &self.plan.measures {
                let cell = match (measure.rule, &across, so_far) {
                    (CustomRule::Running, Some(across), _) => across.get(column),
                    (CustomRule::Running, None, Some(so_far)) => so_far.cells.get(column),
                    _ => cells.get(column),
                };
                let all = whole(measure).and_then(|whole| whole.cells.get(column));
                values.push(measure.of(cell, all, days));
            }
        }
        let days = self.days.of(Some(dates), None);
        let figure = |measure: &MeasureAt| {
            let total = match (measure.rule, so_far) {
                (CustomRule::Running, Some(so_far)) => &so_far.total,
                _ => total,
            };
            measure.of(Some(total), whole(measure).map(|whole| &whole.total), days)
        };
        let total = self.plan.measures.iter().map(figure).collect();
        Ok(CustomRow { keys, labels, unit, values, total, other: false })
    }

    /// The sums of a row's cells up to each shown column, along the date at `at`. A column without a cell has the
    /// sum before it.
    fn running(
        &self,
        at: usize,
        columns: &[ColumnKey],
        cells: &QuickMap<ColumnKey, Cell>,
    ) -> ApiResult<QuickMap<ColumnKey, Cell>> {
        let dim = &self.pivot.columns[at];
        let others = |column: &ColumnKey| {
            let mut others = *column;
            others[at] = 0;
            others
        };
        // The keys of dates sort by time.
        let mut own: Vec<(&str, &ColumnKey, &Cell)> =
            cells.iter().map(|(column, cell)| (dim.text(column[at]), column, cell)).collect();
        own.sort_unstable_by_key(|(date, ..)| *date);
        let mut asked: Vec<(&str, &ColumnKey)> =
            columns.iter().map(|column| (dim.text(column[at]), column)).collect();
        asked.sort_unstable_by_key(|(date, _)| *date);
        let mut own = own.into_iter().peekable();
        let mut sums: QuickMap<ColumnKey, Cell> = QuickMap::default();
        let mut running = QuickMap::default();
        for (date, column) in asked {
            while let Some((_, earlier, cell)) = own.next_if(|(day, ..)| *day <= date) {
                self.pivot.join(sums.entry(others(earlier)).or_default(), cell)?;
            }
            if let Some(sum) = sums.get(&others(column)) {
                running.insert(*column, sum.clone());
            }
        }
        Ok(running)
    }

    fn totals(
        &self,
        columns: &[ColumnKey],
        Totals { wholes, all, .. }: &Totals,
    ) -> ApiResult<Vec<CustomRow>> {
        if wholes.is_empty() {
            return Ok(Vec::new());
        }
        let mut units: Vec<(&u32, &Whole)> = wholes.iter().collect();
        units.sort_by(|a, b| b.1.rows.cmp(&a.1.rows).then(a.0.cmp(b.0)));
        // Totals are averaged over the whole range, not only over dates with data.
        let every: HashSet<Vec<u32>> = self.days.row_dates();
        let made = |label: &str, unit: Option<String>, whole: &Whole| {
            self.row(
                columns,
                |measure| {
                    let of = if measure.measure.unit { whole } else { all };
                    (!self.of_parent(measure)).then_some(of)
                },
                (Vec::new(), vec![label.to_owned()], unit),
                Behind { cells: &whole.cells, total: &whole.total, dates: &every, so_far: None },
            )
        };
        let mut totals = Vec::with_capacity(units.len() + 1);
        for (unit, whole) in &units {
            totals.push(made("Total", self.unit_of(**unit), whole)?);
        }
        let several = units.len() > 1;
        if several && self.plan.measures.iter().any(|measure| !measure.measure.unit) {
            let mut row = made("All units", None, all)?;
            // Different units are not added up.
            let many = self.plan.measures.len();
            for (at, value) in row.values.iter_mut().chain(&mut row.total).enumerate() {
                if self.plan.measures[at % many].measure.unit {
                    *value = None;
                }
            }
            totals.push(row);
        }
        Ok(totals)
    }
}

/// Dates sort chronologically, everything else by name.
fn order_of(dim: &Dim, key: u32, label: &str) -> String {
    if dim.is_date() { dim.text(key).to_owned() } else { label.to_lowercase() }
}
