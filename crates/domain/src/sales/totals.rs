//! Total rows.

use super::line::FileTotals;
use super::names::key;

/// One-word names of totals.
const WORDS: [&str; 19] = [
    "total",
    "totals",
    "subtotal",
    "subtotals",
    "sub total",
    "sub totals",
    "sub-total",
    "grand total",
    "grand totals",
    "total sales",
    "net total",
    "overall",
    "overall total",
    "sum",
    "report total",
    "page total",
    "day total",
    "daily total",
    "kabuuan",
];

/// Whether a cell marks its row as a total: «Total», «Sub-total:», «Makati total», «Total for 3 Nov».
#[must_use]
pub fn says_total(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    let near = |part: &[u8]| part.windows(3).any(|three| three.eq_ignore_ascii_case(b"tot"));
    let may = cell.len() <= 120
        && (near(cell)
            || [&b"sum"[..], b"overall", b"kabuuan"].iter().any(|word| {
                cell.len() <= 12 && cell.len() >= word.len() && cell[..word.len()].eq_ignore_ascii_case(word)
            }));
    if !may {
        return false;
    }
    let text = key(&String::from_utf8_lossy(cell));
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    WORDS.contains(&text)
        || [
            "total for ",
            "subtotal for ",
            "sub total for ",
            "total of ",
            "total: ",
            "subtotal: ",
            "total - ",
            "grand total ",
        ]
        .iter()
        .any(|start| text.starts_with(start))
        || [" total", " subtotal", " sub total", " sub-total", " totals"]
            .iter()
            .any(|end| text.ends_with(end))
}

/// Total rows that were left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub rows: u64,
    /// The sum of their quantities, in millionths.
    pub qty: i64,
    /// The sum of their amounts, in centavos.
    pub net: i64,
    /// Rows called «Total» that are not the sum of rows above.
    pub doubtful: u64,
    /// The first of those.
    pub first: Option<Doubtful>,
}

/// A row called «Total» that is not the sum of the rows above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubtful {
    /// The row in the file.
    pub row: u32,
    /// Its figures.
    pub says: FileTotals,
    /// The sum of the rows above since the last total.
    pub above: FileTotals,
}

/// The cumulative sums at each total so far.
#[derive(Debug, Default)]
pub(super) struct Marks {
    marks: Vec<FileTotals>,
    rows: u64,
}

/// Totals remembered; in a file with more of them, the last ones.
const KEPT: usize = 4_000;

impl Marks {
    /// Adds a row that is no total.
    pub fn row(&mut self) {
        self.rows += 1;
    }

    /// Whether figures equal the sum of rows since some earlier total: all of them, or a group of groups.
    pub fn is_sum(&self, now: FileTotals, qty: Option<i64>, net: Option<i64>) -> bool {
        let since = |mark: FileTotals| {
            qty.is_none_or(|qty| now.qty.wrapping_sub(mark.qty) == qty)
                && net.is_none_or(|net| now.net.wrapping_sub(mark.net) == net)
        };
        self.rows > 0 && (since(FileTotals::default()) || self.marks.iter().rev().any(|mark| since(*mark)))
    }

    /// The number of rows since the last total.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The sum of the rows since the last total.
    pub fn above(&self, now: FileTotals) -> FileTotals {
        let last = self.marks.last().copied().unwrap_or_default();
        FileTotals { qty: now.qty.wrapping_sub(last.qty), net: now.net.wrapping_sub(last.net) }
    }

    /// A total ends the preceding group.
    pub fn mark(&mut self, now: FileTotals) {
        if self.marks.last() != Some(&now) {
            if self.marks.len() >= KEPT {
                self.marks.remove(0);
            }
            self.marks.push(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Total", true)]
    #[case("GRAND TOTAL:", true)]
    #[case("Makati Total", true)]
    #[case("Total for 3 Nov 2026", true)]
    #[case(" sub-total ", true)]
    #[case("Totally Fried Chicken", false)]
    #[case("Total Care Bottle", false)]
    #[case("Summer Salad", false)]
    #[case("Stotal", false)]
    #[case("", false)]
    fn totals_are_recognised_by_their_words(#[case] cell: &str, #[case] is: bool) {
        assert_eq!(says_total(cell.as_bytes()), is);
    }
}
