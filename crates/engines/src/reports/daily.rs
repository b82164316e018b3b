//! Sales by day: rows of any kind (categories, tills, stores), each with quantity, net sales, its share of the day and
//! its change against the same weekday a week before. Whoever declares such a report says which row a sale falls into.

use std::collections::HashMap;

use larder_domain::sales::rollup::Grain;
use larder_domain::span::Run;
use larder_domain::{BusinessDay, Money, Qty, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::figures::{add, change, share, total};
use super::gaps::Gap;
use super::sheet::{Column, Sheet};
use larder_platform::http::ApiResult;

/// Days back to the same weekday.
const WEEK: i32 = 7;

/// What the cells of a file hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DailyMeasure {
    /// For how much.
    #[default]
    Net,
    Qty,
    /// The share of the day's net sales.
    Mix,
    /// The change of net sales against the same weekday a week before.
    Change,
}

/// What a file of sales by day is asked.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct DailyCells {
    /// Cells: `net`, `qty`, `mix` or `change`.
    #[param(inline)]
    pub measure: DailyMeasure,
}

/// Sales by day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailySales {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// The columns.
    pub days: Vec<BusinessDay>,
    /// The rows, the largest net sales first.
    pub items: Vec<DailyRow>,
    /// All rows together.
    pub total: DailyRow,
    /// What is sold but not mapped to a POS item.
    pub unmapped: Gap,
}

/// A row of sales by day.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailyRow {
    /// What the row is of; empty where that is not known.
    pub id: String,
    pub name: String,
    /// How many were sold, by day.
    pub quantities: Vec<Qty>,
    /// For how much, by day.
    pub nets: Vec<Money>,
    /// The share of the day's net sales, from 0 to 1; null where there were none.
    pub mixes: Vec<Option<f64>>,
    /// The change of net sales against the same weekday a week before; null where there were none then.
    pub changes: Vec<Option<f64>>,
    /// How many were sold on all days.
    pub qty: Qty,
    /// For how much.
    pub net: Money,
    /// The share of all net sales.
    pub mix: Option<f64>,
    /// The change against the same days a week before.
    pub change: Option<f64>,
}

/// Sales on their way into [`DailySales`].
#[derive(Debug)]
pub struct Daily {
    span: Span,
    rows: Vec<Gathered>,
    all: Gathered,
    unmapped: HashMap<String, Qty>,
}

impl Daily {
    /// Nothing sold yet on these days.
    pub fn over(span: Span) -> Self {
        let all = Gathered::new("", "Total", span.days());
        Self { span, rows: Vec::new(), all, unmapped: HashMap::new() }
    }

    /// The days whose sales are wanted: these, and the week before that they are compared with.
    pub fn run(&self) -> Run {
        Run { grain: Grain::Day, first: self.span.from.plus(-WEEK), last: self.span.to }
    }

    /// The place of a row, which begins with nothing where it is new.
    pub fn row(&mut self, id: &str, name: &str) -> usize {
        self.rows.iter().position(|known| known.row.id == id).unwrap_or_else(|| {
            self.rows.push(Gathered::new(id, name, self.span.days()));
            self.rows.len() - 1
        })
    }

    /// Adds the sales of a day to a row, by its place.
    ///
    /// # Errors
    /// 422 where sums are past what can be shown.
    pub fn add(&mut self, row: usize, day: BusinessDay, qty: Qty, net: Money) -> ApiResult<()> {
        let at = day.0 - self.span.from.0;
        for row in self.rows.get_mut(row).into_iter().chain([&mut self.all]) {
            row.add(at, qty, net)?;
        }
        Ok(())
    }

    /// Remembers that an item is sold but not mapped.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn add_unmapped(&mut self, item: &str, day: BusinessDay, qty: Qty) -> ApiResult<()> {
        if day < self.span.from {
            return Ok(());
        }
        match self.unmapped.get_mut(item) {
            Some(sum) => add(sum, qty),
            None => {
                self.unmapped.insert(item.to_owned(), qty);
                Ok(())
            }
        }
    }

    /// The rows that sold something, with shares and changes.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn finish(self) -> ApiResult<DailySales> {
        let (nets, net) = (self.all.row.nets.clone(), self.all.row.net);
        let rows = self.rows.into_iter().filter(Gathered::sold).map(|row| row.against(&nets, net));
        let mut items = rows.collect::<ApiResult<Vec<DailyRow>>>()?;
        items.sort_by(|a, b| b.net.cmp(&a.net).then_with(|| a.name.cmp(&b.name)));
        Ok(DailySales {
            from: self.span.from,
            to: self.span.to,
            days: (0..self.span.days()).map(|n| self.span.from.plus(n)).collect(),
            items,
            total: self.all.against(&nets, net)?,
            unmapped: Gap::of(&self.unmapped)?,
        })
    }
}

/// A row with the net sales of the week before each day.
#[derive(Debug)]
struct Gathered {
    row: DailyRow,
    before: Vec<Money>,
}

impl Gathered {
    fn new(id: &str, name: &str, days: i32) -> Self {
        let days = usize::try_from(days).unwrap_or_default();
        let (quantities, nets) = (vec![Qty::ZERO; days], vec![Money::ZERO; days]);
        let row = DailyRow { id: id.into(), name: name.into(), quantities, nets, ..DailyRow::default() };
        Self { row, before: vec![Money::ZERO; days] }
    }

    /// Sales so many days after the first one; those of the week before it are only compared with.
    fn add(&mut self, at: i32, qty: Qty, net: Money) -> ApiResult<()> {
        let days = self.before.len();
        let place = |at: i32| usize::try_from(at).ok().filter(|at| *at < days);
        if let Some(later) = place(at + WEEK) {
            add(&mut self.before[later], net)?;
        }
        let Some(at) = place(at) else { return Ok(()) };
        add(&mut self.row.quantities[at], qty)?;
        add(&mut self.row.nets[at], net)?;
        add(&mut self.row.qty, qty)?;
        add(&mut self.row.net, net)
    }

    fn sold(&self) -> bool {
        let row = &self.row;
        row.nets.iter().any(|net| !net.is_zero()) || row.quantities.iter().any(|qty| !qty.is_zero())
    }

    /// The row with its shares of these sums, and its changes.
    fn against(self, nets: &[Money], net: Money) -> ApiResult<DailyRow> {
        let Self { mut row, before } = self;
        row.mixes = row.nets.iter().zip(nets).map(|(part, whole)| share(*part, *whole)).collect();
        row.changes = row.nets.iter().zip(&before).map(|(now, then)| change(*now, *then)).collect();
        row.mix = share(row.net, net);
        row.change = change(row.net, total(before)?);
        Ok(row)
    }
}

impl DailySales {
    /// The rows by one measure, with a column for each day.
    ///
    /// # Errors
    /// 422 where totals are past what can be shown.
    pub fn sheet(&self, rows_are: &str, cells: DailyCells) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, DailyRow>;
        let days = self.days.iter().map(BusinessDay::to_string).enumerate();
        let mut columns = vec![Col::text(rows_are, 24, |row| row.name.clone())];
        columns.extend(days.map(|(at, day)| match cells.measure {
            DailyMeasure::Net => Col::money(day, 12, move |row| row.nets[at]),
            DailyMeasure::Qty => Col::qty(day, 12, move |row| row.quantities[at]),
            DailyMeasure::Mix => Col::share(day, 12, move |row| row.mixes[at]),
            DailyMeasure::Change => Col::share(day, 12, move |row| row.changes[at]),
        }));
        columns.push(match cells.measure {
            DailyMeasure::Net => Col::money("Total", 14, |row| row.net),
            DailyMeasure::Qty => Col::qty("Total", 14, |row| row.qty),
            DailyMeasure::Mix => Col::share("Total", 14, |row| row.mix),
            DailyMeasure::Change => Col::share("Total", 14, |row| row.change),
        });
        Sheet::of(Span { from: self.from, to: self.to }, &self.items, columns).with_totals()
    }
}
