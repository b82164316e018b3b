//! Lines repeated for each tender of their receipt.

use crate::sales::names::QuickMap;
use crate::sales::receipt_level_figures::{Key, Said};

/// A payment as a row writes it: tender, amount, reference.
type Payment = (u32, Option<i64>, String);

/// The payments of the receipts so far.
#[derive(Debug, Default)]
pub(super) struct Split {
    paid: QuickMap<Key, Vec<Payment>>,
}

/// What a row of a receipt with repeated lines is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A line, with its tender if it is the first of its set.
    Line,
    /// A repeated line that names another tender for the first time.
    Payment,
    /// A repeated line.
    Repeat,
}

impl Split {
    /// Which part of its receipt a row is. A payment counts on the first row that has it; others lose it.
    pub fn part(&mut self, key: Key, said: &mut Said) -> Part {
        let Some(payment) = said.tenders.first().cloned() else { return Part::Line };
        let paid = self.paid.entry(key).or_default();
        let place = paid.iter().position(|known| *known == payment);
        let first = place.is_none();
        if first {
            paid.push(payment.clone());
        }
        let at = place.unwrap_or(paid.len() - 1);
        // Without an amount, a tender pays the lines of its set.
        let stated = payment.1.is_some();
        if !first && stated {
            said.tenders.clear();
        }
        match (at, first && stated) {
            (0, _) => Part::Line,
            (_, true) => Part::Payment,
            (_, false) => Part::Repeat,
        }
    }
}
