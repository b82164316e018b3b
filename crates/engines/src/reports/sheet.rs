//! A report as a table: rows, typed columns, totals, on its way into a file.

use axum::response::Response;
use larder_domain::{BusinessDay, Money, Qty, Span, Timestamp};

use super::units::by_unit;
use larder_platform::http::ApiResult;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Format};

/// What stands in a column, and so whether it adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Words, dates and moments.
    Text,
    /// The unit that the row's quantities are reckoned in.
    Unit,
    /// How many of something.
    Count,
    /// Pesos and centavos.
    Money,
    /// A quantity: of the row's unit, or as sold where no column tells a unit.
    Qty,
    /// A price, a share, a rate.
    Rate,
}

impl Kind {
    /// Money and counts add up, quantities within their unit; words, dates, prices and shares never do.
    #[must_use]
    pub const fn adds_up(self) -> bool {
        matches!(self, Self::Count | Self::Money | Self::Qty)
    }
}

/// A column of rows of this kind.
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
    /// Words.
    text(String) = Text, Text;
    /// The unit of the row's quantities.
    unit(String) = Unit, Text;
    /// A whole number of something.
    count(i64) = Count, Int;
    qty(Qty) = Qty, Qty;
    /// What lies there at a moment: of several moments or places it is no sum.
    level(Qty) = Rate, Qty;
    /// An amount.
    money(Money) = Money, Money;
    /// An amount for one.
    price(Money) = Rate, Money;
    /// A part of a whole.
    share(f64) = Rate, Number;
    /// A date.
    day(BusinessDay) = Text, Day;
    /// A moment.
    time(Timestamp) = Text, Time;
}

impl<'a, R> Column<'a, R> {
    /// Whatever stands there; it is never added up.
    pub fn any(title: impl Into<String>, width: u16, cell: impl Fn(&R) -> Cell + 'a) -> Self {
        Self { title: title.into(), width, kind: Kind::Rate, cell: Box::new(cell) }
    }
}

/// A table.
#[derive(Debug)]
pub struct Sheet {
    span: Span,
    columns: Vec<export::Column>,
    kinds: Vec<Kind>,
    rows: Vec<Vec<Cell>>,
}

impl Sheet {
    /// These rows by these columns; the days covered stand in the file's name.
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

    /// These rows, and at the foot the totals that the report works out itself: shares and prices do not add up.
    pub fn of_whole<R>(span: Span, rows: &[R], whole: &R, columns: Vec<Column<'_, R>>) -> Self {
        let mut foot: Vec<Cell> = columns.iter().map(|column| (column.cell)(whole)).collect();
        foot[0] = Cell::Text("Total".into());
        let mut sheet = Self::of(span, rows, columns);
        sheet.rows.push(foot);
        sheet
    }

    /// Words at the foot of a column that does not add up.
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

    /// With what adds up added up at the foot: a line for each unit, where a column tells units. Where nothing adds up
    /// there is no foot.
    ///
    /// # Errors
    /// 422 where a sum is past what can be shown.
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

    /// As a file called by the report's name and its days.
    ///
    /// # Errors
    /// 422 where there are more rows than a file holds.
    pub async fn respond(self, report: &str, format: Format) -> ApiResult<Response> {
        export::check_rows(i64::try_from(self.rows.len()).unwrap_or(i64::MAX))?;
        let name = format!("{report}-{}-{}", self.span.from, self.span.to);
        let rows = futures::stream::iter(self.rows.into_iter().map(Ok));
        export::respond(format, &name, self.columns, rows).await
    }

    /// As a workbook, for a letter.
    ///
    /// # Errors
    /// 422 where there are more rows than a file holds.
    pub async fn workbook(self, name: &str) -> ApiResult<Vec<u8>> {
        export::check_rows(i64::try_from(self.rows.len()).unwrap_or(i64::MAX))?;
        export::workbook(name, &self.columns, futures::stream::iter(self.rows.into_iter().map(Ok))).await
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
        /// Money and counts add up, quantities only within one unit; shares, prices and dates never do.
        #[test]
        fn only_what_adds_up_is_added(rows in vec(row(), 0..40)) {
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
