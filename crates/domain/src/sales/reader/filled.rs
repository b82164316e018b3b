//! Empty cells that repeat the value above.

use crate::sheet::{Cell, Row};

/// A row whose empty cells repeat the value above.
pub(super) struct Filled<'a, R> {
    pub cells: &'a R,
    pub above: &'a [(usize, Vec<u8>)],
}

impl<R: Row> Row for Filled<'_, R> {
    fn width(&self) -> usize {
        self.cells.width()
    }

    fn part(&self) -> Option<usize> {
        self.cells.part()
    }

    fn hidden(&self) -> bool {
        self.cells.hidden()
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let own = self.cells.cell(column);
        if !own.text.trim_ascii().is_empty() {
            return own;
        }
        match self.above.iter().find(|(filled, _)| *filled == column) {
            Some((_, text)) => Cell::of(text),
            None => own,
        }
    }
}
