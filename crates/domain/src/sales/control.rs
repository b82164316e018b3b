//! Control sums: what is in a file, and what of it is left out and why.

use super::line::FileTotals;

/// Why a row is not posted, or not as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It has an error.
    Problem,
    /// It is the sum of others.
    Total,
    /// It was cancelled, voided or not paid.
    Void,
    /// Its status is a word that is not known.
    UnknownWord,
    /// It repeats a line for another tender of the receipt.
    RepeatedForTender,
    /// Its amount is that of the receipt, which counts once.
    RepeatedOnLines,
    /// A return written with figures of a sale.
    ReturnSign,
    /// It is hidden in the workbook.
    Hidden,
    /// It is a discount of its receipt; its quantity counts nothing.
    Discount,
    /// Its modifiers are posted besides, and no cell has their quantity.
    Modifier,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Problem,
        Self::Total,
        Self::Void,
        Self::UnknownWord,
        Self::RepeatedForTender,
        Self::RepeatedOnLines,
        Self::ReturnSign,
        Self::Hidden,
        Self::Discount,
        Self::Modifier,
    ];

    /// Its name in the API.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Problem => "problem",
            Self::Total => "total",
            Self::Void => "void",
            Self::UnknownWord => "unknownWord",
            Self::RepeatedForTender => "repeatedForTender",
            Self::RepeatedOnLines => "repeatedOnLines",
            Self::ReturnSign => "returnSign",
            Self::Hidden => "hidden",
            Self::Discount => "discount",
            Self::Modifier => "modifier",
        }
    }

    /// Its name for users.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Problem => "Rows with problems",
            Self::Total => "Totals and subtotals",
            Self::Void => "Cancelled, voided or not paid",
            Self::UnknownWord => "Status not known",
            Self::RepeatedForTender => "Repeated for another tender",
            Self::RepeatedOnLines => "Receipt amounts repeated on lines",
            Self::ReturnSign => "Returns written without minus",
            Self::Hidden => "Hidden rows",
            Self::Discount => "Quantity of discount lines",
            Self::Modifier => "Modifiers, counted beside their item",
        }
    }
}

/// The sums of the rows left out for one reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub rows: u64,
    /// What is written less what is posted, in millionths and centavos.
    pub left: FileTotals,
}

/// A row left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftRow {
    /// The row in the file (from 1).
    pub row: u32,
    pub reason: Reason,
    /// What it is about, such as the item.
    pub text: String,
    /// What is written less what is posted.
    pub left: FileTotals,
}

/// Rows remembered; of the others only the sums.
const KEPT: usize = 10_000;

/// The sums of a file's own cells, and of what of them is left out. Posted and left out come to what is in the file.
#[derive(Debug, Clone, Default)]
pub struct Control {
    /// The sum of the cells as written.
    pub file: FileTotals,
    sums: [Sum; Reason::ALL.len()],
    /// The first rows left out.
    pub rows: Vec<LeftRow>,
}

impl Control {
    /// The sums by reason, only of reasons with rows.
    pub fn sums(&self) -> impl Iterator<Item = (Reason, Sum)> + '_ {
        Reason::ALL.into_iter().zip(self.sums).filter(|(_, sum)| sum.rows > 0)
    }

    /// The sums of one reason.
    #[must_use]
    pub fn of(&self, reason: Reason) -> Sum {
        self.sums[reason as usize]
    }

    pub(super) fn leave(
        &mut self,
        row: u32,
        reason: Reason,
        left: FileTotals,
        text: impl FnOnce() -> String,
    ) {
        let sum = &mut self.sums[reason as usize];
        sum.rows += 1;
        sum.left.add(left.qty, left.net);
        if self.rows.len() < KEPT {
            self.rows.push(LeftRow { row, reason, text: text(), left });
        }
    }

    /// Leaves out what is written beyond what is posted, if anything.
    pub(super) fn leave_rest(
        &mut self,
        row: u32,
        reason: Reason,
        written: FileTotals,
        posted: FileTotals,
        text: impl FnOnce() -> String,
    ) {
        let left = written.less(posted);
        if left != FileTotals::default() {
            self.leave(row, reason, left, text);
        }
    }
}
