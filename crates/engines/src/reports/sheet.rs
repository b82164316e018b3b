//! A report as a table of rows, typed columns and totals, for files.

use axum::response::Response;
use larder_domain::{BusinessDay, Money, Qty, Span, Timestamp};

use super::units::by_unit;
use larder_platform::http::ApiResult;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Format};

/// Type of a column, which decides whether it is summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text, dates and times.
    Text,
    /// The unit of the row's quantities.
    Unit,
    /// A number of things.
    Count,
    Money,
    /// A quantity: in the row's unit, or as sold without a unit column.
    Qty,
    /// A price, share or rate.
    Rate,
}

impl Kind {
    /// Money and counts are summed, quantities per unit; text, dates, prices and shares are not.
    #[must_use]
    pub const fn adds_up(self) -> bool {
        matches!(self, Self::Count | Self::Money | Self::Qty)
    }
}

/// A column of a table of `R`.
pub struct Column<'a, R> {
    title: String,
    width: u16,
    kind: Kind,
    cell: Box<dyn Fn(&R) -> Cell + 'a>,
}

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident($holds:ty) = $kind:ident, $cell:ident;)+) => {
        impl<'a, R> Column<'a, R> {
            $(
                $(#[$doc])*
                pub fn $name<V: Into<Option<$holds>>>(
                    title: impl Into<String>,
                    width: u16,
                    value: impl Fn(&R) -> V + 'a,
                ) -> Self {
                    let cell = move |row: &R| value(row).into().map_or(Cell::Empty, Cell::$cell);
                    Self { title: title.into(), width, kind: Kind::$kind, cell: Box::new(cell) }
                }
            )+
        }
    };
}

columns! {
    text(String) = Text, Text;
    /// The unit of the row's quantities.
    unit(String) = Unit, Text;
    /// A whole number.
    count(i64) = Count, Int;
    qty(Qty) = Qty, Qty;
    /// A stock level; not additive over time or places.
    level(Qty) = Rate, Qty;
    money(Money) = Money, Money;
    /// A unit price.
    price(Money) = Rate, Money;
    /// A part of a whole.
    share(f64) = Rate, Number;
    day(BusinessDay) = Text, Day;
    time(Timestamp) = Text, Time;
}

impl<'a, R> Column<'a, R> {
    /// Any cell; never summed.
    pub fn any(title: impl Into<String>, width: u16, cell: impl Fn(&R) -> Cell + 'a) -> Self {
        Self { title: title.into(), width, kind: Kind::Rate, cell: Box::new(cell) }
    }
}

/// A table of typed columns.
#[derive(Debug)]
pub struct Sheet {
    span: Span,
    columns: Vec<export::Column>,
    kinds: Vec<Kind>,
    rows: Vec<Vec<Cell>>,
}

impl Sheet {
    /// A table of these rows; the days covered appear in the file's name.
    pub fn of<R>(span: Span, rows: &[R], columns: Vec<Column<'_, R>>) -> Self {
        let cells = |row: &R| columns.iter().map(|column| (column.cell)(row)).collect();
        Self {
            span,
            rows: rows.iter().map(cells).collect(),
            kinds: columns.iter().map(|column| column.kind).collect(),
            columns: columns
                .into_iter()
                .map(|column| export::Column::new(column.title, column.width))
                .collect(),
        }
    }

    /// A table with totals the report computes itself, because shares and prices are not additive.
    pub fn of_whole<R>(span: Span, rows: &[R], whole: &R, columns: Vec<Column<'_, R>>) -> Self {
        let mut foot: Vec<Cell> = columns.iter().map(|column| (column.cell)(whole)).collect();
        foot[0] = Cell::Text("Total".into());
        let mut sheet = Self::of(span, rows, columns);
        sheet.rows.push(foot);
        sheet
    }

    /// Puts text in the total of a column that is not summed.
    #[must_use]
    pub fn in_total(mut self, title: &str, words: String) -> Self {
        let at = self.columns.iter().position(|column| column.title == title);
        debug_assert!(at.is_some(), "there is no column {title}");
        if let (Some(at), Some(foot)) = (at, self.rows.last_mut())
            && let Some(cell) = foot.get_mut(at)
        {
            *cell = Cell::Text(words);
        }
        self
    }

    /// Adds totals of additive columns: one line per unit, if there is a unit column. Without additive
    /// columns there are none.
    ///
    /// # Errors
    /// 422 if a sum overflows.
    pub fn with_totals(mut self) -> ApiResult<Self> {
        let unit_at = self.kinds.iter().position(|kind| *kind == Kind::Unit);
        let adding: Vec<usize> = (0..self.kinds.len()).filter(|at| self.kinds[*at].adds_up()).collect();
        if adding.is_empty() {
            return Ok(self);
        }
        let figures = |row: &Vec<Cell>| adding.iter().map(|at| raw(&row[*at])).collect::<Vec<i64>>();
        let unit = |row: &Vec<Cell>| match unit_at.and_then(|at| row.get(at)) {
            Some(Cell::Text(unit)) => Some(unit.clone()),
            _ => None,
        };
        let units: Vec<Option<String>> = self.rows.iter().map(unit).collect();
        let rows = units.iter().map(Option::as_deref).zip(self.rows.iter().map(figures));
        let mut sums: Vec<(Option<String>, Vec<i64>)> =
            by_unit(rows)?.into_iter().map(|sum| (sum.unit, sum.sums)).collect();
        if sums.is_empty() && unit_at.is_none() {
            sums.push((None, vec![0; adding.len()]));
        }
        for (unit, sums) in sums {
            let mut foot = vec![Cell::Empty; self.kinds.len()];
            foot[0] = Cell::Text("Total".into());
            if let Some(at) = unit_at {
                foot[at] = unit.map_or(Cell::Empty, Cell::Text);
            }
            for (at, sum) in adding.iter().zip(sums) {
                foot[*at] = match self.kinds[*at] {
                    Kind::Money => Cell::Money(Money(sum)),
                    Kind::Qty => Cell::Qty(Qty(sum)),
                    _ => Cell::Int(sum),
                };
            }
            self.rows.push(foot);
        }
        Ok(self)
    }

    /// Responds as a file named after the report and its days.
    ///
    /// # Errors
    /// 422 if there are more rows than fit a file.
    pub async fn respond(self, report: &str, format: Format) -> ApiResult<Response> {
        export::check_rows(i64::try_from(self.rows.len()).unwrap_or(i64::MAX))?;
        let name = format!("{report}-{}-{}", self.span.from, self.span.to);
        let rows = futures::stream::iter(self.rows.into_iter().map(Ok));
        export::respond(format, &name, self.columns, rows).await
    }
}

fn raw(cell: &Cell) -> i64 {
    match cell {
        Cell::Int(number) => *number,
        Cell::Qty(qty) => qty.0,
        Cell::Money(amount) => amount.0,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    struct Row {
        unit: Option<&'static str>,
        qty: i64,
        net: Option<i64>,
        count: i64,
    }

    fn row() -> impl Strategy<Value = Row> {
        let unit = prop_oneof![Just(None), Just(Some("kg")), Just(Some("pc"))];
        let figure = || -1_000_000_000i64..1_000_000_000;
        (unit, figure(), proptest::option::of(figure()), figure()).prop_map(|(unit, qty, net, count)| Row {
            unit,
            qty,
            net,
            count,
        })
    }

    fn table(rows: &[Row], units: bool) -> Vec<Vec<Cell>> {
        let day = BusinessDay(20_000);
        let mut columns = vec![
            Column::text("Item", 8, |_: &Row| "x".to_owned()),
            Column::qty("Qty", 8, |row: &Row| Qty(row.qty)),
            Column::money("Net", 8, |row: &Row| row.net.map(Money)),
            Column::count("Lines", 8, |row: &Row| row.count),
            Column::share("Share", 8, |_: &Row| 0.5),
            Column::price("Price", 8, |_: &Row| Money(100)),
            Column::day("Day", 8, move |_: &Row| day),
            Column::time("At", 8, |_: &Row| Timestamp(0)),
        ];
        if units {
            columns.push(Column::unit("Unit", 8, |row: &Row| row.unit.map(str::to_owned)));
        }
        Sheet::of(Span { from: day, to: day }, rows, columns).with_totals().expect("small").rows
    }

    proptest! {
        /// Money and counts are summed, quantities per unit; shares, prices and dates are not.
        #[test]
        fn only_additive_columns_are_summed(rows in vec(row(), 0..40)) {
            let feet = table(&rows, true).split_off(rows.len());
            let mut left: Vec<Option<&str>> = rows.iter().map(|row| row.unit).collect();
            left.sort_unstable();
            left.dedup();
            prop_assert_eq!(feet.len(), left.len());
            for foot in &feet {
                let unit = match &foot[8] { Cell::Text(unit) => Some(unit.as_str()), _ => None };
                let of = || rows.iter().filter(|row| row.unit == unit);
                prop_assert_eq!(&foot[0], &Cell::Text("Total".into()));
                prop_assert_eq!(&foot[1], &Cell::Qty(Qty(of().map(|row| row.qty).sum())));
                prop_assert_eq!(&foot[2], &Cell::Money(Money(of().filter_map(|row| row.net).sum())));
                prop_assert_eq!(&foot[3], &Cell::Int(of().map(|row| row.count).sum()));
                prop_assert!(foot[4..8].iter().all(|cell| *cell == Cell::Empty));
            }
            let sizes: Vec<usize> = feet
                .iter()
                .map(|foot| match &foot[8] { Cell::Text(unit) => Some(unit.as_str()), _ => None })
                .map(|unit| rows.iter().filter(|row| row.unit == unit).count())
                .collect();
            prop_assert!(sizes.is_sorted_by(|a, b| a >= b), "the unit of the most rows comes first");
        }

        #[test]
        fn without_a_unit_there_is_one_total(rows in vec(row(), 0..40)) {
            let feet = table(&rows, false).split_off(rows.len());
            prop_assert_eq!(feet.len(), 1);
            prop_assert_eq!(&feet[0][1], &Cell::Qty(Qty(rows.iter().map(|row| row.qty).sum())));
        }
    }
}
