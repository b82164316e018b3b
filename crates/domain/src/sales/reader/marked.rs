//! Rows whose item is marked as a part of the row above: «  - Fries», «+ Extra cheese», «> Coke».

use super::{LineReader, Numbers};
use crate::sales::mapping::Field;
use crate::sales::receipt_level_figures::Key;
use crate::sheet::Row;

/// Marks before the name of a part.
const MARKS: [char; 8] = ['-', '–', '+', '>', '»', '*', '•', '↳'];

/// Spaces before an indented name.
const INDENT: usize = 2;

/// The marked rows so far, and the row that the next ones may be parts of.
#[derive(Debug, Default)]
pub(super) struct Marked {
    /// The last row with a price and no mark, if only marked rows of its receipt follow it.
    above: Option<(Key, u32)>,
    pub found: PartsFound,
}

/// The rows of a file that look like parts of a row above, whether they are taken as such or not: a mark before the name,
/// and no amount.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartsFound {
    pub rows: u64,
    /// The first of their names, as written.
    pub first: String,
}

impl LineReader {
    /// The row that a row looks like a part of.
    pub(super) fn looks_part_of(
        &mut self,
        row: u32,
        key: Key,
        numbers: &Numbers,
        cells: &impl Row,
    ) -> Option<u32> {
        let named = self.column(Field::ItemName).or(self.column(Field::Item))?;
        // Where ids tell it, marks do not.
        if self.column(Field::ParentLine).is_some() || !self.products.is_empty() {
            return None;
        }
        let free = [numbers.price, numbers.net].into_iter().flatten().all(|amount| amount == 0);
        let text = cells.cell(named).text;
        if unmarked(text).is_none() {
            self.marked.above = (!free).then_some((key, row));
            return None;
        }
        let above = self.marked.above.filter(|(of, _)| *of == key && free)?.1;
        self.marked.found.rows += 1;
        if self.marked.found.first.is_empty() {
            self.marked.found.first = String::from_utf8_lossy(text).trim().to_owned();
        }
        Some(above)
    }
}

/// A name without the mark or the indent before it; `None` if it has none.
pub(super) fn unmarked(text: &[u8]) -> Option<&[u8]> {
    let text = std::str::from_utf8(text).ok()?;
    let bare = text.trim_start_matches(|c: char| c.is_whitespace() || MARKS.contains(&c));
    let before = &text[..text.len() - bare.len()];
    let is_marked = before.contains(MARKS) || before.chars().count() >= INDENT;
    (is_marked && bare.starts_with(char::is_alphabetic)).then_some(bare.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("  - Fries", Some("Fries"))]
    #[case("+ Extra cheese ", Some("Extra cheese "))]
    #[case(">Coke", Some("Coke"))]
    #[case("   Iced Tea", Some("Iced Tea"))]
    #[case("↳ Ñora rice", Some("Ñora rice"))]
    #[case(" Fries", None)]
    #[case("Fries - large", None)]
    #[case("-20% promo", None)]
    #[case("+1 Rice", None)]
    #[case("---", None)]
    fn a_mark_stands_before_a_name(#[case] text: &str, #[case] name: Option<&str>) {
        assert_eq!(unmarked(text.as_bytes()), name.map(str::as_bytes));
    }
}
