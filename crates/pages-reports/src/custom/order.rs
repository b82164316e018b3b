//! The order of rows, the sums of their parents, and the top ones.

use std::cmp::Ordering;
use std::collections::HashMap;

use larder_domain::sales::names::QuickMap;

use super::answer::Figure;
use super::definition::{CustomRule, CustomSort};
use super::fields::Of;
use super::pivot::{Cell, RowKey};
use super::plan::{Along, MeasureAt, Plan};
use super::table::{Line, Lines, Made, Totals, Whole};
use larder_platform::http::ApiResult;

/// In the key of a parent: of all units.
const ALL_UNITS: u32 = u32::MAX;

/// Sums by the keys of rows without one of their fields: of their parents, or up to a date.
pub type Sums = QuickMap<RowKey, Whole>;

/// The sum of the rows beyond the top ones, in one unit.
pub struct Others {
    /// The key of one of them.
    pub key: RowKey,
    pub line: Line,
    pub rows: usize,
    /// Whether all of them have the same parent.
    pub within: bool,
}

/// A row to show.
pub enum Shown {
    Row(RowKey),
    Other(Box<Others>),
}

/// The measure rows are sorted by, and whether descending; without a measure by name.
pub fn sorting(plan: &Plan) -> (Option<usize>, bool) {
    // Totals run in the order of dates.
    if matches!(plan.along, Some(Along::Rows(_))) {
        return (None, false);
    }
    let usual = match plan.rows.first() {
        Some(dim) if matches!(dim.of, Of::Date(_)) => CustomSort { measure: None, descending: false },
        _ => CustomSort { measure: Some(0), descending: true },
    };
    let sort = plan.definition.sort.as_ref().unwrap_or(&usual);
    (sort.measure.filter(|at| *at < plan.measures.len()), sort.descending)
}

/// Missing values come last in both directions.
fn by_figure(one: Option<f64>, other: Option<f64>, descending: bool) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) if descending => other.total_cmp(&one),
        (Some(one), Some(other)) => one.total_cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

impl Made<'_> {
    /// The key of a row's parent: without the last field.
    fn parent(&self, key: &RowKey, unit: u32) -> RowKey {
        let mut parent = *key;
        if let Some(last) = self.plan.rows.len().checked_sub(1) {
            parent[last] = 0;
        }
        parent[3] = unit;
        parent
    }

    /// The key of the parent that a row's share is of: in the row's unit, or of all units.
    pub fn parent_of(&self, measure: &MeasureAt, key: &RowKey) -> RowKey {
        self.parent(key, if measure.measure.unit { key[3] } else { ALL_UNITS })
    }

    /// Sums by parent, in each unit and of all units; empty if none are needed.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn parents(&self, lines: &Lines) -> ApiResult<Sums> {
        let mut parents = Sums::default();
        let asked = self.plan.has(CustomRule::Parent) || self.plan.top_by_parent();
        if !asked || !self.plan.has_parents() {
            return Ok(parents);
        }
        for (key, line) in lines {
            for unit in [key[3], ALL_UNITS] {
                self.collect(parents.entry(self.parent(key, unit)).or_default(), line)?;
            }
        }
        Ok(parents)
    }

    /// What a row is sorted by.
    fn figure(&self, measure: &MeasureAt, line: &Line, parent: Option<&Whole>) -> Option<f64> {
        let days = self.days.of(Some(&line.dates), None);
        if measure.rule == CustomRule::Parent && self.plan.has_parents() {
            return measure.of(Some(&line.total), Some(&parent?.total), days).map(Figure::as_f64);
        }
        Self::value(measure, &line.total, days)
    }

    /// A sum for sorting. Within one column, shares sort like the values behind them.
    fn value(measure: &MeasureAt, total: &Cell, days: i64) -> Option<f64> {
        let share = matches!(measure.rule, CustomRule::Share | CustomRule::Parent);
        let by = if share { MeasureAt { rule: CustomRule::Sum, ..*measure } } else { *measure };
        by.of(Some(total), None, days).map(Figure::as_f64)
    }

    /// The keys of the rows in order.
    pub fn sorted(&self, lines: &Lines, totals: &Totals, parents: &Sums) -> Vec<RowKey> {
        let wholes = &totals.wholes;
        let (by, descending) = sorting(self.plan);
        let by = by.and_then(|at| self.plan.measures.get(at));
        let apart = by.is_some_and(|measure| measure.measure.unit) && wholes.len() > 1;
        let figure = |key: &RowKey, line: &Line| {
            by.and_then(|measure| self.figure(measure, line, parents.get(&self.parent_of(measure, key))))
        };
        let mut rows: Vec<(RowKey, &Line, Option<f64>)> =
            lines.iter().map(|(key, line)| (*key, line, figure(key, line))).collect();
        rows.sort_by(|(a, line, figure), (b, other_line, other_figure)| {
            let units = || wholes[&b[3]].rows.cmp(&wholes[&a[3]].rows).then(a[3].cmp(&b[3]));
            let names = || line.order.cmp(&other_line.order).then(a[3].cmp(&b[3]));
            let first = if apart { units() } else { Ordering::Equal };
            first
                .then_with(|| match by {
                    None if descending => names().reverse(),
                    None => names(),
                    Some(_) => by_figure(*figure, *other_figure, descending),
                })
                .then_with(names)
        });
        rows.into_iter().map(|(key, ..)| key).collect()
    }

    /// The rows to show: all, or the top ones of all rows or of each parent, per unit if there are units. The rest is
    /// combined if asked for.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn top(&self, order: Vec<RowKey>, lines: &Lines, parents: &Sums) -> ApiResult<Vec<Shown>> {
        let Some(top) = &self.plan.definition.top else {
            return Ok(order.into_iter().map(Shown::Row).collect());
        };
        let sort =
            self.plan.definition.sort.clone().unwrap_or(CustomSort { measure: Some(0), descending: true });
        let by = sort.measure.and_then(|at| self.plan.measures.get(at));
        let apart = by.is_some_and(|measure| measure.measure.unit);
        let within = self.plan.top_by_parent();
        let groups = if within { self.by_parent(order, apart, parents) } else { vec![order] };
        let mut shown = Vec::new();
        for group in groups {
            let mut seen: HashMap<u32, usize> = HashMap::new();
            let (kept, rest): (Vec<RowKey>, Vec<RowKey>) = group.into_iter().partition(|key| {
                let seen = seen.entry(if apart { key[3] } else { 0 }).or_default();
                *seen += 1;
                *seen <= top.rows
            });
            shown.extend(kept.into_iter().map(Shown::Row));
            if top.other {
                shown.extend(self.others(&rest, lines, within)?);
            }
        }
        Ok(shown)
    }

    /// Rows by parent, and by unit if units are apart; parents in the order of their own sums.
    fn by_parent(&self, order: Vec<RowKey>, apart: bool, parents: &Sums) -> Vec<Vec<RowKey>> {
        let mut places: HashMap<RowKey, usize> = HashMap::new();
        let mut groups: Vec<(RowKey, Vec<RowKey>)> = Vec::new();
        // Units keep their order.
        let mut units: HashMap<u32, usize> = HashMap::new();
        for key in order {
            let parent = self.parent(&key, if apart { key[3] } else { ALL_UNITS });
            let at = *places.entry(parent).or_insert(groups.len());
            if at == groups.len() {
                groups.push((parent, Vec::new()));
            }
            units.entry(parent[3]).or_insert(at);
            groups[at].1.push(key);
        }
        let (by, descending) = sorting(self.plan);
        if let Some(measure) = by.and_then(|at| self.plan.measures.get(at)) {
            let figure = |parent: &RowKey| {
                let whole = parents.get(parent)?;
                Self::value(measure, &whole.total, self.days.of(Some(&whole.dates), None))
            };
            let mut sorted: Vec<(Option<f64>, RowKey, Vec<RowKey>)> =
                groups.into_iter().map(|(parent, rows)| (figure(&parent), parent, rows)).collect();
            sorted.sort_by(|(one, a, _), (other, b, _)| {
                units[&a[3]].cmp(&units[&b[3]]).then_with(|| by_figure(*one, *other, descending))
            });
            return sorted.into_iter().map(|(.., rows)| rows).collect();
        }
        groups.into_iter().map(|(_, rows)| rows).collect()
    }

    /// The sums of rows that are not shown, one for each unit.
    fn others(&self, rest: &[RowKey], lines: &Lines, within: bool) -> ApiResult<Vec<Shown>> {
        let mut others: Vec<Others> = Vec::new();
        for key in rest {
            let Some(line) = lines.get(key) else { continue };
            let place = match others.iter().position(|other| other.key[3] == key[3]) {
                Some(place) => place,
                None => {
                    others.push(Others { key: *key, line: Line::default(), rows: 0, within });
                    others.len() - 1
                }
            };
            let other = &mut others[place];
            other.rows += 1;
            if other.line.labels.is_empty() {
                other.line.labels.clone_from(&line.labels);
            }
            self.pivot.join(&mut other.line.total, &line.total)?;
            other.line.dates.extend(line.dates.iter().cloned());
            for (column, cell) in &line.cells {
                self.pivot.join(other.line.cells.entry(*column).or_default(), cell)?;
            }
        }
        Ok(others.into_iter().map(|other| Shown::Other(Box::new(other))).collect())
    }
}
