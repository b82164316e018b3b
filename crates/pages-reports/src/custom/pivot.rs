//! Facts to cells: rows by columns by unit, each figure aggregated by its rule.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use larder_domain::BusinessDay;
use larder_domain::sales::names::QuickMap;

use super::fields::{Adds, Measure, What};
use super::keys::{Dim, FIGURES, Fact, OWN, Shift, Texts};
use super::left_out::LeftOut;
use super::names::Names;
use super::plan::{Lets, Plan};
use larder_engines::reports::figures::too_large;
use larder_platform::http::{ApiError, ApiResult};

/// Maximum number of cells of a table, shown or not.
const MOST_CELLS: usize = 1_000_000;

/// The keys of a row: at most three fields, then the unit.
pub type RowKey = [u32; 4];
/// The keys of a column.
pub type ColumnKey = [u32; 2];

/// A figure's value in the current and the previous period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub now: i64,
    /// On the days that both periods have, if changes leave others out.
    pub before: i64,
    /// The part of `now` that changes leave out.
    left_out: i64,
    /// The day of a first or last value.
    day: Option<i32>,
    day_before: Option<i32>,
}

impl Sum {
    /// What is compared with `before`.
    #[must_use]
    pub fn compared(self) -> i64 {
        self.now.saturating_sub(self.left_out)
    }
}

/// The figures of a cell.
pub type Cell = Vec<Sum>;

/// How a figure is combined over days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aggregation {
    Sum,
    First,
    Last,
}

/// A table under construction.
pub struct Pivot<'a> {
    plan: &'a Plan,
    names: &'a Names,
    pub rows: Vec<Dim>,
    pub columns: Vec<Dim>,
    filters: Vec<(Dim, &'a Lets, QuickMap<u32, bool>)>,
    aggregations: Vec<Aggregation>,
    /// Unit of each item, by number.
    units: Vec<Option<u32>>,
    pub cells: QuickMap<(RowKey, ColumnKey), Cell>,
    /// What changes leave out.
    pub left_out: LeftOut,
}

impl<'a> Pivot<'a> {
    /// An empty table.
    pub fn new(plan: &'a Plan, names: &'a Names) -> Self {
        let dim = |at: &super::plan::DimAt| Dim::new(at.of, at.own);
        let aggregation = |field: &&'static super::fields::Field| match field.what {
            What::Measure(Measure { adds: Adds::First(_), .. }) => Aggregation::First,
            What::Measure(Measure { adds: Adds::Last(_), .. }) => Aggregation::Last,
            _ => Aggregation::Sum,
        };
        Self {
            plan,
            names,
            rows: plan.rows.iter().map(dim).collect(),
            columns: plan.columns.iter().map(dim).collect(),
            filters: plan.filters.iter().map(|(at, lets)| (dim(at), lets, QuickMap::default())).collect(),
            aggregations: plan.figures.iter().map(aggregation).collect(),
            units: Vec::new(),
            cells: QuickMap::default(),
            left_out: LeftOut::default(),
        }
    }

    /// Adds a fact of the current period or, with a shift, of the previous one.
    ///
    /// # Errors
    /// 422 if the table becomes too large or a sum overflows.
    pub fn take(&mut self, fact: &Fact, texts: &mut Texts, shift: Option<Shift>) -> ApiResult<()> {
        let Some(place) = self.place(fact, texts, shift.unwrap_or(Shift::Days(0))) else { return Ok(()) };
        let held = self.cells.len();
        let cell = match self.cells.entry(place) {
            Entry::Occupied(cell) => cell.into_mut(),
            Entry::Vacant(_) if held >= MOST_CELLS => {
                return Err(ApiError::unprocessable(
                    "tooManyCells",
                    "This makes more than a million cells. Choose fewer fields, a coarser date or a filter.",
                ));
            }
            Entry::Vacant(cell) => cell.insert(vec![Sum::default(); self.aggregations.len()]),
        };
        for ((sum, aggregation), figure) in cell.iter_mut().zip(&self.aggregations).zip(fact.figures) {
            let (so_far, day) = match shift {
                None => (&mut sum.now, &mut sum.day),
                Some(_) => (&mut sum.before, &mut sum.day_before),
            };
            (*so_far, *day) = match aggregation {
                Aggregation::Sum => {
                    (so_far.checked_add(figure).ok_or_else(too_large)?, day.or(Some(fact.day)))
                }
                _ => put((*so_far, *day), (figure, Some(fact.day)), *aggregation)?,
            };
        }
        Ok(())
    }

    /// Takes a fact of a single day that was added out of the changes.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn leave_out(&mut self, fact: &Fact, texts: &mut Texts, shift: Option<Shift>) -> ApiResult<()> {
        if !self.left_out.has(fact, texts, shift) {
            return Ok(());
        }
        let Some(place) = self.place(fact, texts, shift.unwrap_or(Shift::Days(0))) else { return Ok(()) };
        let Some(cell) = self.cells.get_mut(&place) else { return Ok(()) };
        for (sum, figure) in cell.iter_mut().zip(fact.figures) {
            if shift.is_some() {
                sum.before = sum.before.checked_sub(figure).ok_or_else(too_large)?;
            } else {
                sum.left_out = sum.left_out.checked_add(figure).ok_or_else(too_large)?;
            }
        }
        Ok(())
    }

    /// The cell of a fact; `None` if a filter excludes it.
    fn place(&mut self, fact: &Fact, texts: &mut Texts, moved: Shift) -> Option<(RowKey, ColumnKey)> {
        if !self.passes(fact, texts, moved, |_| true) {
            return None;
        }
        let mut row: RowKey = [0; 4];
        for (place, dim) in row.iter_mut().zip(&mut self.rows) {
            *place = dim.key(fact, texts, self.names, moved);
        }
        row[3] = self.unit(fact, texts);
        let mut column: ColumnKey = [0; 2];
        for (place, dim) in column.iter_mut().zip(&mut self.columns) {
            *place = dim.key(fact, texts, self.names, moved);
        }
        Some((row, column))
    }

    /// Whether the filters by these dimensions accept a fact.
    fn passes(&mut self, fact: &Fact, texts: &Texts, moved: Shift, by: impl Fn(&Dim) -> bool) -> bool {
        let names = self.names;
        self.filters.iter_mut().filter(|(dim, ..)| by(dim)).all(|(dim, lets, known)| {
            let key = dim.key(fact, texts, names, moved);
            *known.entry(key).or_insert_with(|| match lets {
                Lets::Keys(keys) => keys.contains(dim.text(key)),
                Lets::NotKeys(keys) => !keys.contains(dim.text(key)),
                Lets::Text(text) => dim.label(key, names).to_lowercase().contains(text),
            })
        })
    }

    /// Whether the filters by date and store accept a store's day of the range.
    pub fn has_store_day(&mut self, store: &str, day: BusinessDay, texts: &mut Texts) -> bool {
        let store = texts.stores.of(store);
        let fact = Fact { day: day.0, store, item: 0, unit: 0, own: [0; OWN], figures: [0; FIGURES] };
        self.passes(&fact, texts, Shift::Days(0), |dim| dim.is_date() || dim.is_store())
    }

    /// Adds a cell to another.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn join(&self, into: &mut Cell, more: &Cell) -> ApiResult<()> {
        if into.is_empty() {
            into.clone_from(more);
            return Ok(());
        }
        for ((sum, aggregation), more) in into.iter_mut().zip(&self.aggregations).zip(more) {
            *sum = joined(*sum, *more, *aggregation)?;
        }
        Ok(())
    }

    /// The number of a fact's unit; 0 if nothing has a unit.
    fn unit(&mut self, fact: &Fact, texts: &mut Texts) -> u32 {
        if !self.plan.has_units() {
            return 0;
        }
        if !texts.units.text(fact.unit).is_empty() || self.plan.dataset.own_unit() {
            return fact.unit + 1;
        }
        let at = fact.item as usize;
        if at >= self.units.len() {
            self.units.resize(at + 1, None);
        }
        if let Some(unit) = self.units[at] {
            return unit;
        }
        let unit = self.names.item(texts.items.text(fact.item)).map_or("", |item| &item.unit).to_owned();
        let number = texts.units.of(&unit) + 1;
        self.units[at] = Some(number);
        number
    }

    /// The number of days averages are taken over, by the date keys of rows and columns.
    pub fn days(&mut self) -> Days {
        let last =
            if self.plan.dataset.ahead { self.plan.span.to } else { self.plan.span.to.min(self.plan.today) };
        let mut days = Days::default();
        for day in self.plan.span.from.0..=last.0 {
            let passes = self.filters.iter_mut().all(|(dim, lets, _)| match dim.of_day(day) {
                None => true,
                Some(key) => match lets {
                    Lets::Keys(keys) => keys.contains(dim.text(key)),
                    Lets::NotKeys(keys) => !keys.contains(dim.text(key)),
                    Lets::Text(text) => dim.label(key, self.names).to_lowercase().contains(text),
                },
            });
            if !passes {
                continue;
            }
            let row: Vec<u32> = self.rows.iter_mut().filter_map(|dim| dim.of_day(day)).collect();
            let column: Vec<u32> = self.columns.iter_mut().filter_map(|dim| dim.of_day(day)).collect();
            *days.0.entry((row, column)).or_default() += 1;
        }
        days
    }

    /// The date keys of a row.
    pub fn row_dates(&self, row: &RowKey) -> Vec<u32> {
        self.rows.iter().zip(row).filter(|(dim, _)| dim.is_date()).map(|(_, key)| *key).collect()
    }

    /// The date keys of a column.
    pub fn column_dates(&self, column: &ColumnKey) -> Vec<u32> {
        self.columns.iter().zip(column).filter(|(dim, _)| dim.is_date()).map(|(_, key)| *key).collect()
    }
}

fn joined(a: Sum, b: Sum, aggregation: Aggregation) -> ApiResult<Sum> {
    let (now, day) = put((a.now, a.day), (b.now, b.day), aggregation)?;
    let (before, day_before) = put((a.before, a.day_before), (b.before, b.day_before), aggregation)?;
    let left_out = a.left_out.checked_add(b.left_out).ok_or_else(too_large)?;
    Ok(Sum { now, before, left_out, day, day_before })
}

fn put(
    a: (i64, Option<i32>),
    b: (i64, Option<i32>),
    aggregation: Aggregation,
) -> ApiResult<(i64, Option<i32>)> {
    let sum = || a.0.checked_add(b.0).ok_or_else(too_large);
    match (a.1, b.1) {
        (None, _) if aggregation != Aggregation::Sum => Ok(b),
        (_, None) if aggregation != Aggregation::Sum => Ok(a),
        (Some(one), Some(other)) if aggregation == Aggregation::Last && one != other => {
            Ok(if one > other { a } else { b })
        }
        (Some(one), Some(other)) if aggregation == Aggregation::First && one != other => {
            Ok(if one < other { a } else { b })
        }
        _ => Ok((sum()?, a.1.or(b.1))),
    }
}

/// Days by the date keys of rows and columns.
#[derive(Debug, Default)]
pub struct Days(HashMap<(Vec<u32>, Vec<u32>), i64>);

impl Days {
    /// All date keys of rows in the range.
    pub fn row_dates(&self) -> HashSet<Vec<u32>> {
        self.0.keys().map(|(row, _)| row.clone()).collect()
    }

    /// Number of days in the given rows and columns; `None` for all of them.
    pub fn of(&self, rows: Option<&HashSet<Vec<u32>>>, columns: Option<&HashSet<Vec<u32>>>) -> i64 {
        let within =
            |set: Option<&HashSet<Vec<u32>>>, key: &Vec<u32>| set.is_none_or(|set| set.contains(key));
        self.0
            .iter()
            .filter(|((row, column), _)| within(rows, row) && within(columns, column))
            .map(|(_, days)| days)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum() -> impl Strategy<Value = Sum> {
        let part = || (-1_000i64..1_000, proptest::option::of(0i32..6));
        (part(), part()).prop_map(|((now, day), (before, day_before))| Sum {
            now: if day.is_some() { now } else { 0 },
            before: if day_before.is_some() { before } else { 0 },
            left_out: 0,
            day,
            day_before,
        })
    }

    proptest! {
        /// Totals are combined from cells, so the order must not matter.
        #[test]
        fn cells_combine_in_any_order(a in sum(), b in sum(), c in sum()) {
            for aggregation in [Aggregation::Sum, Aggregation::First, Aggregation::Last] {
                let put = |a, b| joined(a, b, aggregation).expect("small");
                let (left, right) = (put(put(a, b), c), put(a, put(b, c)));
                prop_assert_eq!((left.now, left.before), (right.now, right.before));
                let (one, other) = (put(a, b), put(b, a));
                prop_assert_eq!((one.now, one.before), (other.now, other.before));
            }
        }
    }

    #[test]
    fn a_level_is_the_last_day_value() {
        let of = |now, day| Sum { now, day: Some(day), ..Sum::default() };
        let joined = |aggregation| {
            [of(5, 1), of(7, 2), of(3, 2), of(9, 1)]
                .into_iter()
                .try_fold(Sum::default(), |all, one| joined(all, one, aggregation))
                .expect("small")
                .now
        };
        assert_eq!(
            (joined(Aggregation::Last), joined(Aggregation::First), joined(Aggregation::Sum)),
            (10, 14, 24)
        );
    }
}
