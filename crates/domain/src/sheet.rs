//! A table read from a file: rows of cells.

/// What a workbook says about a cell beside its text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CellState {
    /// Nothing.
    #[default]
    Plain,
    /// A number shown as a date or time: as a code, one that a spreadsheet took for a date.
    Date,
    /// A formula whose value is not kept: its text is empty.
    NoValue,
}

/// What a quote (`"`) at the start of a cell means in delimited text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Quotes {
    /// Everything up to the closing quote is one cell, line breaks included.
    #[default]
    Cells,
    /// Each line is a row: a quote that is not closed on its line is text.
    Rows,
}

/// A cell as in the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cell<'a> {
    /// UTF-8 text.
    pub text: &'a [u8],
    /// Whether a workbook stored it as a number, always with a decimal point.
    pub number: bool,
    /// What a workbook says about it.
    pub state: CellState,
}

impl<'a> Cell<'a> {
    /// A cell of text.
    #[must_use]
    pub fn of(text: &'a [u8]) -> Self {
        Self { text, number: false, state: CellState::Plain }
    }
}

/// A row of cells.
pub trait Row {
    /// The number of cells.
    fn width(&self) -> usize;
    /// The cell of a column; a missing one is empty.
    fn cell(&self, column: usize) -> Cell<'_>;
    /// Whether a workbook hides it, by a filter or by hand.
    fn hidden(&self) -> bool {
        false
    }
    /// For a row that is one of several made from a row of the file: its column in the file.
    fn part(&self) -> Option<usize> {
        None
    }
}
