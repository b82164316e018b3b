//! A table read from a file: rows of cells.

/// A cell as in the file.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a> {
    /// UTF-8 text.
    pub text: &'a [u8],
    /// Whether a workbook stored it as a number, always with a decimal point.
    pub number: bool,
}

/// A row of cells.
pub trait Row {
    /// The number of cells.
    fn width(&self) -> usize;
    /// The cell of a column; a missing one is empty.
    fn cell(&self, column: usize) -> Cell<'_>;
    /// For a row that is one of several made from a row of the file: its column in the file.
    fn part(&self) -> Option<usize> {
        None
    }
}
