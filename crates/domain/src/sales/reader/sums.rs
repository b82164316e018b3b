//! Total rows, which are no lines.

use super::LineReader;
use crate::sales::control::Reason;
use crate::sales::line::{FileTotals, Line, shown};
use crate::sales::mapping::{Field, PriceMeans, Totals};
use crate::sales::numbers::{centavos, millionths};
use crate::sales::totals::{Doubtful, says_total};
use crate::sheet::Row;

impl LineReader {
    /// Whether a row is a total and so no line; it is counted as such.
    pub(super) fn is_sum(
        &mut self,
        row: u32,
        cells: &impl Row,
        line: Option<&Line>,
        before: FileTotals,
    ) -> bool {
        if self.mapping.totals == Some(Totals::Keep) {
            return false;
        }
        let labels =
            [Field::Item, Field::ItemName, Field::Date, Field::Store, Field::Receipt, Field::Category];
        let labels = labels.into_iter().filter_map(|field| self.column(field)).chain(0..3);
        let label = labels.map(|column| cells.cell(column).text).find(|text| says_total(text));
        let named = label.is_some();
        let blank = |field| self.column(field).is_none_or(|at| cells.cell(at).text.trim_ascii().is_empty());
        let unnamed = self.products.is_empty() && blank(Field::Item) && blank(Field::ItemName);
        if !named && (!unnamed || line.is_some() || self.marks.rows() < 2) {
            return false;
        }
        let number = |field: Field| {
            let cell = cells.cell(self.column(field)?);
            millionths(cell.text, self.decimal(field, cell)).ok()
        };
        let amount = match self.mapping.price_means {
            PriceMeans::Line if self.column(Field::Net).is_none() => Field::UnitPrice,
            _ => Field::Net,
        };
        let wide = |column: &usize| millionths(cells.cell(*column).text, self.mapping.decimal).unwrap_or(0);
        let qty = match self.products.is_empty() {
            true => number(Field::Quantity),
            false => Some(self.products.iter().map(|(column, _)| wide(column)).fold(0, i64::saturating_add)),
        };
        let net = number(amount).map(centavos);
        let part = cells.part().and_then(|column| self.parts.get_mut(&column));
        let (marks, come_to) = match part {
            Some((marks, said)) => (marks, *said),
            None => (&mut self.marks, before),
        };
        let fits = marks.is_sum(come_to, qty, net);
        if !named && (!fits || (qty.is_none() && net.is_none())) {
            return false;
        }
        let says = FileTotals { qty: qty.unwrap_or(0), net: net.unwrap_or(0) };
        self.control.file.add(says.qty, says.net);
        self.control.leave(row, Reason::Total, says, || shown(label.unwrap_or_default()));
        self.left_out.rows += 1;
        self.left_out.qty = self.left_out.qty.saturating_add(says.qty);
        self.left_out.net = self.left_out.net.saturating_add(says.net);
        if !fits && (qty.is_some() || net.is_some()) {
            self.left_out.doubtful += 1;
            let above = marks.above(come_to);
            self.left_out.first.get_or_insert(Doubtful { row, says, above });
        }
        marks.mark(come_to);
        self.running = before;
        self.marks.mark(before);
        true
    }

    /// Whether an item has the name of a total.
    pub(super) fn names_sum(&mut self, item: u32) -> bool {
        let at = item as usize;
        while self.sums.len() <= at {
            let seen = &self.tables.items[self.sums.len()];
            let code = seen.code.as_deref().unwrap_or_default();
            self.sums.push(says_total(seen.name.as_bytes()) || says_total(code.as_bytes()));
        }
        self.sums[at]
    }
}
