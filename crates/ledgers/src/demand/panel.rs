//! Store × root item × day in one flat buffer.

use std::sync::Arc;

use larder_domain::Span;

use super::NOT_YET_DAYS;

/// Use of root items by some stores within a span.
#[derive(Debug, Clone)]
pub struct Panel {
    span: Span,
    days: usize,
    /// Stores in request order, each with its open days.
    stores: Vec<(Arc<str>, Vec<bool>)>,
    /// By store, then item id.
    rows: Vec<(usize, Arc<str>)>,
    values: Vec<f64>,
}

/// A series of one store and root item.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    pub store_id: &'a str,
    pub root_item_id: &'a str,
    /// One value per day in the item's unit; NaN is a masked day.
    pub values: &'a [f64],
    /// Whether the store sold anything on the day.
    pub open: &'a [bool],
}

impl Panel {
    pub(super) fn new(span: Span, stores: Vec<(Arc<str>, Vec<bool>)>) -> Self {
        let days = usize::try_from(span.days()).unwrap_or(0);
        Self { span, days, stores, rows: Vec::new(), values: Vec::new() }
    }

    /// Adds a store's use of an item: millionths per day, 0 for none.
    pub(super) fn push(&mut self, store: usize, item: Arc<str>, used: &[i64]) {
        let open = &self.stores[store].1;
        let begins = begins(used, open);
        self.rows.push((store, item));
        self.values.extend(used.iter().enumerate().map(|(day, &qty)| {
            let known = day >= begins && (open[day] || qty != 0);
            if known { qty as f64 / 1e6 } else { f64::NAN }
        }));
    }

    /// First and last day.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Number of series.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Every series, by store, then item id.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().zip(self.values.chunks_exact(self.days.max(1))).map(|((store, item), values)| {
            let (store_id, open) = &self.stores[*store];
            Row { store_id, root_item_id: item, values, open }
        })
    }

    /// The open days of each requested store.
    pub fn stores(&self) -> impl Iterator<Item = (&str, &[bool])> {
        self.stores.iter().map(|(id, open)| (&**id, open.as_slice()))
    }
}

/// Start of an item's history: the store's first open day, or the item's first sale if that is more than
/// [`NOT_YET_DAYS`] open days later.
fn begins(used: &[i64], open: &[bool]) -> usize {
    let first = used.iter().position(|&qty| qty != 0).unwrap_or(used.len());
    let without = open[..first].iter().filter(|&&open| open).count();
    if without > NOT_YET_DAYS { first } else { 0 }
}

#[cfg(test)]
mod tests {
    use larder_domain::BusinessDay;

    use super::*;

    fn panel(open: Vec<bool>, used: &[i64]) -> Vec<f64> {
        let days = i32::try_from(open.len()).expect("few");
        let span = Span { from: BusinessDay(0), to: BusinessDay(days - 1) };
        let mut panel = Panel::new(span, vec![("s".into(), open)]);
        panel.push(0, "i".into(), used);
        panel.rows().next().expect("a row").values.to_vec()
    }

    #[test]
    fn a_closed_day_is_unknown_and_an_open_one_without_a_sale_is_zero() {
        let values = panel(vec![false, true, true, false], &[0, 2_500_000, 0, 0]);
        assert!(values[0].is_nan() && values[3].is_nan());
        assert_eq!(values[1..3], [2.5, 0.0]);
    }

    #[test]
    fn an_item_that_came_later_has_no_zeros_before_its_first_sale() {
        let mut used = vec![0; 40];
        used[35] = 1_000_000;
        let values = panel(vec![true; 40], &used);
        assert!(values[34].is_nan());
        assert_eq!(values[35..37], [1.0, 0.0]);
        used[20] = 1_000_000;
        assert_eq!(panel(vec![true; 40], &used)[0], 0.0);
    }
}
