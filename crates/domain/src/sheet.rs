//! A table that came as a file, as its readers hand it on: rows of cells.

/// A cell as it stands in the file.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a> {
    /// UTF-8 text.
    pub text: &'a [u8],
    /// Whether a workbook kept it as a number, which always has a decimal point.
    pub number: bool,
}

/// A row of cells.
pub trait Row {
    /// How many cells it has.
    fn width(&self) -> usize;
    /// The cell of a column; an absent one is empty.
    fn cell(&self, column: usize) -> Cell<'_>;
    /// Where it is one of several rows that a row of the file was made into: the column of the file it stands for.
    fn part(&self) -> Option<usize> {
        None
    }
}
