//! Cells to rows and columns: named, sorted, limited, totalled.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use larder_domain::sales::names::QuickMap;

use super::answer::{CustomAnswer, CustomColumn, CustomFigure, CustomHead, CustomRow, Figure};
use super::definition::{CustomRule, CustomSort};
use super::keys::{Dim, Texts};
use super::names::Names;
use super::pivot::{Cell, ColumnKey, Days, Pivot, RowKey};
use super::plan::{CustomNotice, DimAt, Plan};
use larder_platform::http::ApiResult;

/// Maximum number of column groups on a page; files may have more.
pub const COLUMNS_ON_PAGE: usize = 62;
/// Maximum number of column groups in a file.
pub const COLUMNS_IN_FILE: usize = 800;
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
    /// For a file.
    pub const FILE: Self = Self { rows: larder_platform::http::export::MAX_ROWS, columns: COLUMNS_IN_FILE };
}

/// A row under construction.
#[derive(Debug, Default)]
struct Line {
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
struct Whole {
    cells: QuickMap<ColumnKey, Cell>,
    total: Cell,
    rows: usize,
    dates: HashSet<Vec<u32>>,
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
    let averages = plan.measures.iter().any(|measure| measure.rule == CustomRule::AvgPerDay);
    let days = if averages { pivot.days() } else { Days::default() };
    let mut made = Made { plan, names, pivot: &pivot, days, notices: plan.notices.clone() };
    let mut lines = made.lines()?;
    made.limit(&mut lines);
    let wholes = made.wholes(&lines)?;
    let all = made.all(&wholes)?;
    let columns = made.columns(&lines, extent.columns);
    let mut order: Vec<RowKey> = lines.keys().copied().collect();
    made.sort(&mut order, &lines, &wholes);
    let row_count = order.len();
    let others = made.top(&mut order, &mut lines)?;
    if order.len() > extent.rows {
        let words =
            format!("Only the first {} of {row_count} rows are shown. Totals are of all.", extent.rows);
        made.notices.push(CustomNotice::new("left", words));
        order.truncate(extent.rows);
    }
    let unit_of = |key: &RowKey| key[3].checked_sub(1).map(|unit| texts.units.text(unit).to_owned());
    let unit_of = |key: &RowKey| unit_of(key).filter(|unit| !unit.is_empty());
    let mut rows: Vec<CustomRow> = Vec::with_capacity(order.len());
    for key in &order {
        let (line, whole) = (&lines[key], &wholes[&key[3]]);
        let keys = pivot.rows.iter().zip(key).map(|(dim, key)| dim.text(*key).to_owned()).collect();
        rows.push(made.row(
            (&columns, whole, &all),
            (keys, line.labels.clone(), unit_of(key)),
            (&line.cells, &line.total, &line.dates),
        ));
    }
    for (key, line, many) in &others {
        let label = format!("Other ({many})");
        let mut row = made.row(
            (&columns, &wholes[&key[3]], &all),
            (Vec::new(), vec![label], unit_of(key)),
            (&line.cells, &line.total, &line.dates),
        );
        row.other = true;
        rows.push(row);
    }
    let totals = made.totals(&columns, &wholes, &all, texts);
    let head = |dim: &DimAt| CustomHead {
        key: dim.field.key.to_owned(),
        label: dim.field.label.to_owned(),
        leads: dim.field.leads.map(str::to_owned),
    };
    let shown = columns.iter().map(|key| CustomColumn {
        keys: pivot.columns.iter().zip(key).map(|(dim, key)| dim.text(*key).to_owned()).collect(),
        labels: pivot.columns.iter().zip(key).map(|(dim, key)| dim.label(*key, names)).collect(),
    });
    Ok(CustomAnswer {
        from: plan.span.from,
        to: plan.span.to,
        before: plan.before.map(|(span, _)| [span.from, span.to]),
        row_fields: plan.rows.iter().map(head).collect(),
        column_fields: plan.columns.iter().map(head).collect(),
        measures: plan
            .measures
            .iter()
            .map(|measure| CustomFigure {
                field: measure.field.key.to_owned(),
                rule: measure.rule,
                label: measure.label(),
                r#type: measure.shown_type(),
                unit: measure.measure.unit && matches!(measure.rule, CustomRule::Sum | CustomRule::AvgPerDay),
            })
            .collect(),
        columns: shown.collect(),
        rows,
        totals,
        row_count,
        units: wholes.len(),
        notices: made.notices,
        definition: plan.definition.clone(),
    })
}

struct Made<'a> {
    plan: &'a Plan,
    names: &'a Names,
    pivot: &'a Pivot<'a>,
    days: Days,
    notices: Vec<CustomNotice>,
}

type Lines = QuickMap<RowKey, Line>;
type Wholes = QuickMap<u32, Whole>;

impl Made<'_> {
    fn lines(&self) -> ApiResult<Lines> {
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
        Ok(lines)
    }

    /// Removes rows whose measures fail the limits.
    fn limit(&mut self, lines: &mut Lines) {
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

    fn wholes(&self, lines: &Lines) -> ApiResult<Wholes> {
        let mut wholes = Wholes::default();
        for (key, line) in lines {
            let whole = wholes.entry(key[3]).or_default();
            whole.rows += 1;
            self.pivot.join(&mut whole.total, &line.total)?;
            whole.dates.extend(line.dates.iter().cloned());
            for (column, cell) in &line.cells {
                self.pivot.join(whole.cells.entry(*column).or_default(), cell)?;
            }
        }
        Ok(wholes)
    }

    fn all(&self, wholes: &Wholes) -> ApiResult<Whole> {
        let mut all = Whole::default();
        for whole in wholes.values() {
            all.rows += whole.rows;
            self.pivot.join(&mut all.total, &whole.total)?;
            all.dates.extend(whole.dates.iter().cloned());
            for (column, cell) in &whole.cells {
                self.pivot.join(all.cells.entry(*column).or_default(), cell)?;
            }
        }
        Ok(all)
    }

    fn columns(&mut self, lines: &Lines, most: usize) -> Vec<ColumnKey> {
        if self.plan.columns.is_empty() {
            return Vec::new();
        }
        let keys: HashSet<ColumnKey> = lines.values().flat_map(|line| line.cells.keys().copied()).collect();
        let dims = &self.pivot.columns;
        let order = |key: &ColumnKey| -> Vec<String> {
            dims.iter().zip(key).map(|(dim, key)| order_of(dim, *key, &dim.label(*key, self.names))).collect()
        };
        let mut keys: Vec<(Vec<String>, ColumnKey)> =
            keys.into_iter().map(|key| (order(&key), key)).collect();
        keys.sort();
        let all = keys.len();
        if all > most {
            // For dates, the latest come first.
            let dates = dims.first().is_some_and(Dim::is_date);
            let kept = if dates { keys.split_off(all - most) } else { keys.into_iter().take(most).collect() };
            keys = kept;
            let end = if dates { "last" } else { "first" };
            let words = format!("Only the {end} {most} of {all} columns are shown. Totals are of all.");
            self.notices.push(CustomNotice::new("left", words));
        }
        keys.into_iter().map(|(_, key)| key).collect()
    }

    fn figure(&self, at: usize, line: &Line) -> Option<f64> {
        let measure = self.plan.measures.get(at)?;
        // Within one column, shares sort like the values behind them.
        let by = if measure.rule == CustomRule::Share {
            super::plan::MeasureAt { rule: CustomRule::Sum, ..*measure }
        } else {
            *measure
        };
        by.of(Some(&line.total), None, self.days.of(Some(&line.dates), None)).map(Figure::as_f64)
    }

    fn sort(&self, order: &mut [RowKey], lines: &Lines, wholes: &Wholes) {
        let usual = match self.plan.rows.first() {
            Some(dim) if matches!(dim.of, super::fields::Of::Date(_)) => {
                CustomSort { measure: None, descending: false }
            }
            _ => CustomSort { measure: Some(0), descending: true },
        };
        let sort = self.plan.definition.sort.clone().unwrap_or(usual);
        let by =
            sort.measure.and_then(|at| self.plan.measures.get(at).map(|measure| (at, measure.measure.unit)));
        let apart = by.is_some_and(|(_, unit)| unit) && wholes.len() > 1;
        let row = |key: &RowKey| {
            let line = &lines[key];
            (*key, line, by.and_then(|(at, _)| self.figure(at, line)))
        };
        let mut rows: Vec<(RowKey, &Line, Option<f64>)> = order.iter().map(row).collect();
        rows.sort_by(|(a, line, figure), (b, other_line, other_figure)| {
            let units = || wholes[&b[3]].rows.cmp(&wholes[&a[3]].rows).then(a[3].cmp(&b[3]));
            let names = || line.order.cmp(&other_line.order).then(a[3].cmp(&b[3]));
            let first = if apart { units() } else { Ordering::Equal };
            first
                .then_with(|| match by {
                    None if sort.descending => names().reverse(),
                    None => names(),
                    // Missing values come last in both directions.
                    Some(_) => match (figure, other_figure) {
                        (Some(one), Some(other)) if sort.descending => other.total_cmp(one),
                        (Some(one), Some(other)) => one.total_cmp(other),
                        (one, other) => other.is_some().cmp(&one.is_some()),
                    },
                })
                .then_with(names)
        });
        for (place, (key, ..)) in order.iter_mut().zip(rows) {
            *place = key;
        }
    }

    /// Keeps the top rows, per unit if there are units, and combines the rest.
    fn top(&mut self, order: &mut Vec<RowKey>, lines: &mut Lines) -> ApiResult<Vec<(RowKey, Line, usize)>> {
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
        let mut others: Vec<(RowKey, Line, usize)> = Vec::new();
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

    fn totals(&self, columns: &[ColumnKey], wholes: &Wholes, all: &Whole, texts: &Texts) -> Vec<CustomRow> {
        if wholes.is_empty() {
            return Vec::new();
        }
        let mut units: Vec<(&u32, &Whole)> = wholes.iter().collect();
        units.sort_by(|a, b| b.1.rows.cmp(&a.1.rows).then(a.0.cmp(b.0)));
        // Totals are averaged over the whole range, not only over dates with data.
        let every: HashSet<Vec<u32>> = self.days.row_dates();
        let made = |unit: u32, whole: &Whole| {
            let unit = unit.checked_sub(1).map(|unit| texts.units.text(unit).to_owned());
            let unit = unit.filter(|unit| !unit.is_empty());
            self.row(
                (columns, whole, all),
                (Vec::new(), vec!["Total".to_owned()], unit),
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
