//! Sales by day, with rows by category, till, store or the like: quantity, net sales, share of the day and
//! change against the same weekday of the previous week. The report decides which row a sale falls into, and leaves out
//! of the changes the store-days that only one of the weeks has.

use std::collections::HashMap;

use larder_domain::sales::rollup::Grain;
use larder_domain::span::Run;
use larder_domain::{BusinessDay, Money, Qty, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::figures::{add, change, share, total};
use super::gaps::{Gap, StoreGap};
use super::sheet::{Column, Sheet};
use larder_ledgers::paired_days::Sides;
use larder_platform::http::ApiResult;

/// Days back to what a day is compared with.
pub const WEEK: i32 = 7;

/// The figure in the cells of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DailyMeasure {
    /// Net sales.
    #[default]
    Net,
    Qty,
    /// Share of the day's net sales.
    Mix,
    /// Change of net sales against the same weekday of the previous week.
    Change,
}

/// Query parameters of a sales-by-day file.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct DailyCells {
    /// Figure in the cells: `net`, `qty`, `mix` or `change`.
    #[param(inline)]
    pub measure: DailyMeasure,
}

/// The report of sales by day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailySales {
    pub from: BusinessDay,
    pub to: BusinessDay,
    /// The columns.
    pub days: Vec<BusinessDay>,
    /// The rows, largest net sales first.
    pub items: Vec<DailyRow>,
    /// Totals over all rows.
    pub total: DailyRow,
    /// Sales not mapped to a POS item.
    pub unmapped: Gap,
    /// Number of store-days left out of the changes: they or those of the week before are missing.
    pub left_out: i64,
    /// Stores with open days without sales, up to yesterday.
    pub stores_without_sales: Vec<StoreGap>,
}

/// A row of sales by day.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailyRow {
    /// Id of the row's subject; empty if unknown.
    pub id: String,
    pub name: String,
    /// Quantity sold per day.
    pub quantities: Vec<Qty>,
    /// Net sales per day.
    pub nets: Vec<Money>,
    /// Share of the day's net sales, from 0 to 1; null without sales.
    pub mixes: Vec<Option<f64>>,
    /// Change of net sales against the same weekday of the previous week, over the stores that have both days; null
    /// without sales then.
    pub changes: Vec<Option<f64>>,
    /// Quantity sold in all.
    pub qty: Qty,
    /// Net sales in all.
    pub net: Money,
    /// Share of all net sales.
    pub mix: Option<f64>,
    /// Change against the same days of the previous week, over the store-days that both have.
    pub change: Option<f64>,
}

/// Builder of [`DailySales`].
#[derive(Debug)]
pub struct Daily {
    span: Span,
    rows: Vec<Gathered>,
    all: Gathered,
    unmapped: HashMap<String, Qty>,
    left_out: i64,
    without_sales: Vec<StoreGap>,
}

impl Daily {
    /// An empty builder for these days.
    pub fn over(span: Span) -> Self {
        let all = Gathered::new("", "Total", span.days());
        Self { span, rows: Vec::new(), all, unmapped: HashMap::new(), left_out: 0, without_sales: Vec::new() }
    }

    /// The days to read: these, and the previous week for comparison.
    pub fn run(&self) -> Run {
        Run { grain: Grain::Day, first: self.span.from.plus(-WEEK), last: self.span.to }
    }

    /// Index of a row, added if new.
    pub fn row(&mut self, id: &str, name: &str) -> usize {
        self.rows.iter().position(|known| known.row.id == id).unwrap_or_else(|| {
            self.rows.push(Gathered::new(id, name, self.span.days()));
            self.rows.len() - 1
        })
    }

    /// Adds the sales of a day to the row at this index.
    ///
    /// # Errors
    /// 422 if a sum overflows.
    pub fn add(&mut self, row: usize, day: BusinessDay, qty: Qty, net: Money) -> ApiResult<()> {
        let at = day.0 - self.span.from.0;
        for row in self.rows.get_mut(row).into_iter().chain([&mut self.all]) {
            row.add(at, qty, net)?;
        }
        Ok(())
    }

    /// Takes a store's sales of a day, added before, out of the changes: as a day of the range that is not compared, as
    /// the week before of such a day, or both.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn leave_out(&mut self, row: usize, day: BusinessDay, net: Money, sides: Sides) -> ApiResult<()> {
        let at = day.0 - self.span.from.0;
        for row in self.rows.get_mut(row).into_iter().chain([&mut self.all]) {
            if sides.now {
                row.compare(at, Side::Now, Money(-net.0))?;
            }
            if sides.before {
                row.compare(at + WEEK, Side::Before, Money(-net.0))?;
            }
        }
        Ok(())
    }

    /// Says how many store-days are left out of the changes.
    pub fn count_left_out(&mut self, days: i64) {
        self.left_out = days;
    }

    /// Says which stores have open days without sales.
    pub fn say_without_sales(&mut self, stores: Vec<StoreGap>) {
        self.without_sales = stores;
    }

    /// Adds sales of an unmapped item.
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

    /// The rows with sales, with shares and changes.
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
            left_out: self.left_out,
            stores_without_sales: self.without_sales,
        })
    }
}

/// A row with the net sales that each day is compared by, and those of the week before it.
#[derive(Debug)]
struct Gathered {
    row: DailyRow,
    compared: Vec<Money>,
    before: Vec<Money>,
}

/// A side of the comparison of a day.
#[derive(Debug, Clone, Copy)]
enum Side {
    Now,
    Before,
}

impl Gathered {
    fn new(id: &str, name: &str, days: i32) -> Self {
        let days = usize::try_from(days).unwrap_or_default();
        let (quantities, nets) = (vec![Qty::ZERO; days], vec![Money::ZERO; days]);
        let row = DailyRow { id: id.into(), name: name.into(), quantities, nets, ..DailyRow::default() };
        Self { row, compared: vec![Money::ZERO; days], before: vec![Money::ZERO; days] }
    }

    /// Adds sales `at` days after the first; those of the week before serve comparison only.
    fn add(&mut self, at: i32, qty: Qty, net: Money) -> ApiResult<()> {
        self.compare(at + WEEK, Side::Before, net)?;
        self.compare(at, Side::Now, net)?;
        let Some(at) = self.place(at) else { return Ok(()) };
        add(&mut self.row.quantities[at], qty)?;
        add(&mut self.row.nets[at], net)?;
        add(&mut self.row.qty, qty)?;
        add(&mut self.row.net, net)
    }

    /// The index of a day of the range.
    fn place(&self, at: i32) -> Option<usize> {
        usize::try_from(at).ok().filter(|at| *at < self.before.len())
    }

    /// Adds to one side of the comparison of the day `at` days after the first.
    fn compare(&mut self, at: i32, side: Side, net: Money) -> ApiResult<()> {
        let Some(at) = self.place(at) else { return Ok(()) };
        let side = match side {
            Side::Now => &mut self.compared,
            Side::Before => &mut self.before,
        };
        add(&mut side[at], net)
    }

    fn sold(&self) -> bool {
        let row = &self.row;
        row.nets.iter().any(|net| !net.is_zero()) || row.quantities.iter().any(|qty| !qty.is_zero())
    }

    /// The row with its shares of these totals, and its changes.
    fn against(self, nets: &[Money], net: Money) -> ApiResult<DailyRow> {
        let Self { mut row, compared, before } = self;
        row.mixes = row.nets.iter().zip(nets).map(|(part, whole)| share(*part, *whole)).collect();
        row.changes = compared.iter().zip(&before).map(|(now, then)| change(*now, *then)).collect();
        row.mix = share(row.net, net);
        row.change = change(total(compared)?, total(before)?);
        Ok(row)
    }
}

impl DailySales {
    /// The rows by one figure, with a column per day.
    ///
    /// # Errors
    /// 422 if a total overflows.
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
