//! Cells to rows and columns: named, sorted, limited, totalled.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use larder_domain::sales::names::QuickMap;

use super::answer::{CustomAnswer, CustomColumn, CustomFigure, CustomHead, CustomRow, Figure};
use super::definition::{CustomRule, CustomSort};
use super::keys::{Dim, Texts};
use super::names::Names;
use super::pivot::{Cell, ColumnKey, Days, Pivot, RowKey};
use super::plan::{CustomNotice, DimAt, MeasureAt, Plan};
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
    labels: Vec<String>,
    /// Sort keys.
    order: Vec<String>,
    cells: QuickMap<ColumnKey, Cell>,
    total: Cell,
    /// The date keys of its rows.
    dates: HashSet<Vec<u32>>,
}

/// The total of all rows, or of those of one unit.
#[derive(Debug, Default)]
pub struct Whole {
    cells: QuickMap<ColumnKey, Cell>,
    total: Cell,
    rows: usize,
    dates: HashSet<Vec<u32>>,
}

/// Rows by key.
pub type Lines = QuickMap<RowKey, Line>;

/// The totals of the rows seen so far.
#[derive(Debug, Default)]
pub struct Totals {
    /// By unit.
    wholes: QuickMap<u32, Whole>,
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
    let (columns, mut notices) = made.columns(&totals, extent.columns);
    let mut order = made.sorted(&lines, &totals);
    let row_count = order.len();
    let others = made.top(&mut order, &lines)?;
    if order.len() > extent.rows {
        let words =
            format!("Only the first {} of {row_count} rows are shown. Totals are of all.", extent.rows);
        notices.push(CustomNotice::new("left", words));
        order.truncate(extent.rows);
    }
    let shown = order.iter().map(|key| made.shown(key, &lines[key], &columns, &totals));
    let mut rows: Vec<CustomRow> = shown.collect();
    rows.extend(others.iter().map(|other| made.other(other, &columns, &totals)));
    Ok(CustomAnswer { rows, notices, ..made.answer(&columns, &totals) })
}

/// The days averages are taken over; none without averages.
pub fn days(plan: &Plan, pivot: &mut Pivot<'_>) -> Days {
    let averages = plan.measures.iter().any(|measure| measure.rule == CustomRule::AvgPerDay);
    if averages { pivot.days() } else { Days::default() }
}

/// The measure rows are sorted by, and whether descending; without a measure by name.
pub fn sorting(plan: &Plan) -> (Option<usize>, bool) {
    let usual = match plan.rows.first() {
        Some(dim) if matches!(dim.of, super::fields::Of::Date(_)) => {
            CustomSort { measure: None, descending: false }
        }
        _ => CustomSort { measure: Some(0), descending: true },
    };
    let sort = plan.definition.sort.as_ref().unwrap_or(&usual);
    (sort.measure.filter(|at| *at < plan.measures.len()), sort.descending)
}

/// Turns the cells of a pivot into rows.
pub struct Made<'a> {
    pub plan: &'a Plan,
    pub names: &'a Names,
    pub texts: &'a Texts,
    pub pivot: &'a Pivot<'a>,
    pub days: &'a Days,
}

/// The rows beyond the top ones: the key of one of them, their sum and their number.
type Others = (RowKey, Line, usize);

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
            if measure.rule == CustomRule::Share {
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
            let whole = wholes.entry(key[3]).or_default();
            whole.rows += 1;
            self.pivot.join(&mut whole.total, &line.total)?;
            whole.dates.extend(line.dates.iter().cloned());
            for (column, cell) in &line.cells {
                self.pivot.join(whole.cells.entry(*column).or_default(), cell)?;
            }
        }
        for (unit, whole) in wholes {
            self.join(&mut totals.all, &whole)?;
            self.join(totals.wholes.entry(unit).or_default(), &whole)?;
            totals.columns.extend(whole.cells.keys());
        }
        totals.rows += lines.len();
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

    /// The columns to show, at most `most`, and the table's notices.
    pub fn columns(&self, totals: &Totals, most: usize) -> (Vec<ColumnKey>, Vec<CustomNotice>) {
        let mut notices = self.plan.notices.clone();
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

    fn figure(&self, at: usize, line: &Line) -> Option<f64> {
        let measure = self.plan.measures.get(at)?;
        // Within one column, shares sort like the values behind them.
        let by = if measure.rule == CustomRule::Share {
            MeasureAt { rule: CustomRule::Sum, ..*measure }
        } else {
            *measure
        };
        by.of(Some(&line.total), None, self.days.of(Some(&line.dates), None)).map(Figure::as_f64)
    }

    /// The keys of the rows in order.
    pub fn sorted(&self, lines: &Lines, totals: &Totals) -> Vec<RowKey> {
        let wholes = &totals.wholes;
        let (by, descending) = sorting(self.plan);
        let apart = by.is_some_and(|at| self.plan.measures[at].measure.unit) && wholes.len() > 1;
        let mut rows: Vec<(RowKey, &Line, Option<f64>)> =
            lines.iter().map(|(key, line)| (*key, line, by.and_then(|at| self.figure(at, line)))).collect();
        rows.sort_by(|(a, line, figure), (b, other_line, other_figure)| {
            let units = || wholes[&b[3]].rows.cmp(&wholes[&a[3]].rows).then(a[3].cmp(&b[3]));
            let names = || line.order.cmp(&other_line.order).then(a[3].cmp(&b[3]));
            let first = if apart { units() } else { Ordering::Equal };
            first
                .then_with(|| match by {
                    None if descending => names().reverse(),
                    None => names(),
                    // Missing values come last in both directions.
                    Some(_) => match (figure, other_figure) {
                        (Some(one), Some(other)) if descending => other.total_cmp(one),
                        (Some(one), Some(other)) => one.total_cmp(other),
                        (one, other) => other.is_some().cmp(&one.is_some()),
                    },
                })
                .then_with(names)
        });
        rows.into_iter().map(|(key, ..)| key).collect()
    }

    /// Keeps the top rows, per unit if there are units, and combines the rest.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn top(&self, order: &mut Vec<RowKey>, lines: &Lines) -> ApiResult<Vec<Others>> {
        let Some(top) = &self.plan.definition.top else { return Ok(Vec::new()) };
        let sort =
            self.plan.definition.sort.clone().unwrap_or(CustomSort { measure: Some(0), descending: true });
        let by = sort.measure.and_then(|at| self.plan.measures.get(at));
        let apart = by.is_some_and(|measure| measure.measure.unit);
        let mut seen: HashMap<u32, usize> = HashMap::new();
        let (kept, rest): (Vec<RowKey>, Vec<RowKey>) = order.iter().copied().partition(|key| {
            let seen = seen.entry(if apart { key[3] } else { 0 }).or_default();
            *seen += 1;
            *seen <= top.rows
        });
        *order = kept;
        if !top.other {
            return Ok(Vec::new());
        }
        let mut others: Vec<Others> = Vec::new();
        for key in rest {
            let Some(line) = lines.get(&key) else { continue };
            let place = match others.iter().position(|(other, ..)| other[3] == key[3]) {
                Some(place) => place,
                None => {
                    others.push((key, Line::default(), 0));
                    others.len() - 1
                }
            };
            let (_, other, many) = &mut others[place];
            *many += 1;
            self.pivot.join(&mut other.total, &line.total)?;
            other.dates.extend(line.dates.iter().cloned());
            for (column, cell) in &line.cells {
                self.pivot.join(other.cells.entry(*column).or_default(), cell)?;
            }
        }
        Ok(others)
    }

    /// A row as shown.
    pub fn shown(&self, key: &RowKey, line: &Line, columns: &[ColumnKey], totals: &Totals) -> CustomRow {
        let keys = self.pivot.rows.iter().zip(key).map(|(dim, key)| dim.text(*key).to_owned()).collect();
        self.row(
            (columns, &totals.wholes[&key[3]], &totals.all),
            (keys, line.labels.clone(), self.unit_of(key[3])),
            (&line.cells, &line.total, &line.dates),
        )
    }

    /// The row of those beyond the top ones.
    pub fn other(&self, (key, line, many): &Others, columns: &[ColumnKey], totals: &Totals) -> CustomRow {
        let row = self.row(
            (columns, &totals.wholes[&key[3]], &totals.all),
            (Vec::new(), vec![format!("Other ({many})")], self.unit_of(key[3])),
            (&line.cells, &line.total, &line.dates),
        );
        CustomRow { other: true, ..row }
    }

    /// The table without rows; its notices are those of the definition.
    pub fn answer(&self, columns: &[ColumnKey], totals: &Totals) -> CustomAnswer {
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
            label: measure.label(),
            r#type: measure.shown_type(),
            unit: measure.measure.unit && matches!(measure.rule, CustomRule::Sum | CustomRule::AvgPerDay),
        };
        CustomAnswer {
            from: plan.span.from,
            to: plan.span.to,
            before: plan.before.map(|(span, _)| [span.from, span.to]),
            row_fields: plan.rows.iter().map(head).collect(),
            column_fields: plan.columns.iter().map(head).collect(),
            measures: plan.measures.iter().map(figure).collect(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
            totals: self.totals(columns, totals),
            row_count: totals.rows,
            units: totals.wholes.len(),
            notices: plan.notices.clone(),
            definition: plan.definition.clone(),
        }
    }

    fn unit_of(&self, unit: u32) -> Option<String> {
        let unit = unit.checked_sub(1).map(|unit| self.texts.units.text(unit).to_owned());
        unit.filter(|unit| !unit.is_empty())
    }

    fn row(
        &self,
        (columns, whole, all): (&[ColumnKey], &Whole, &Whole),
        (keys, labels, unit): (Vec<String>, Vec<String>, Option<String>),
        (cells, total, dates): (&QuickMap<ColumnKey, Cell>, &Cell, &HashSet<Vec<u32>>),
    ) -> CustomRow {
        let mut values = Vec::with_capacity(columns.len() * self.plan.measures.len());
        for column in columns {
            let of_column: HashSet<Vec<u32>> = [self.pivot.column_dates(column)].into();
            let days = self.days.of(Some(dates), Some(&of_column));
            for measure in &self.plan.measures {
                let of = if measure.measure.unit { whole } else { all };
                values.push(measure.of(cells.get(column), of.cells.get(column), days));
            }
        }
        let days = self.days.of(Some(dates), None);
        let total = self
            .plan
            .measures
            .iter()
            .map(|measure| {
                let of = if measure.measure.unit { whole } else { all };
                measure.of(Some(total), Some(&of.total), days)
            })
            .collect();
        CustomRow { keys, labels, unit, values, total, other: false }
    }

    fn totals(&self, columns: &[ColumnKey], Totals { wholes, all, .. }: &Totals) -> Vec<CustomRow> {
        if wholes.is_empty() {
            return Vec::new();
        }
        let mut units: Vec<(&u32, &Whole)> = wholes.iter().collect();
        units.sort_by(|a, b| b.1.rows.cmp(&a.1.rows).then(a.0.cmp(b.0)));
        // Totals are averaged over the whole range, not only over dates with data.
        let every: HashSet<Vec<u32>> = self.days.row_dates();
        let made = |unit: u32, whole: &Whole| {
            self.row(
                (columns, whole, all),
                (Vec::new(), vec!["Total".to_owned()], self.unit_of(unit)),
                (&whole.cells, &whole.total, &every),
            )
        };
        let mut totals: Vec<CustomRow> = units.iter().map(|(unit, whole)| made(**unit, whole)).collect();
        let several = units.len() > 1;
        if several && self.plan.measures.iter().any(|measure| !measure.measure.unit) {
            let mut row = self.row(
                (columns, all, all),
                (Vec::new(), vec!["All units".to_owned()], None),
                (&all.cells, &all.total, &every),
            );
            // Different units are not added up.
            let many = self.plan.measures.len();
            for (at, value) in row.values.iter_mut().chain(&mut row.total).enumerate() {
                if self.plan.measures[at % many].measure.unit {
                    *value = None;
                }
            }
            totals.push(row);
        }
        totals
    }
}

/// Dates sort chronologically, everything else by name.
fn order_of(dim: &Dim, key: u32, label: &str) -> String {
    if dim.is_date() { dim.text(key).to_owned() } else { label.to_lowercase() }
}
