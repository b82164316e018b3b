//! Sheets with one column per product.

use super::header::{Header, ITEM_WORDS, THINGS, WORDS, beside, is_tender};
use super::profile::ColumnProfile;
use super::together::Together;

/// Fewer quantity columns do not make such a sheet, unless another column is their sum.
const LEAST_PRODUCTS: usize = 4;
/// Minimum number of columns for a sum.
const LEAST_SUMMED: usize = 2;

/// The columns of a sheet that has one for each product. Their names are not used by tills, and their cells are empty
/// or a small number; the columns before and between hold time, place and amount.
pub(super) fn product_columns(
    headers: &[Header],
    columns: &[ColumnProfile],
    together: &Together,
) -> Vec<usize> {
    let counts = |at: usize| {
        let (header, column) = (&headers[at], &columns[at]);
        let named = header.bare.is_empty()
            || header.bare.chars().all(|c| c.is_ascii_digit())
            || header.is_code()
            || header.is_about()
            || beside(header).is_some()
            || is_tender(header)
            || WORDS.iter().any(|(_, words)| words.contains(&header.bare.as_str()));
        !named && !column.is_date() && column.mostly(column.numbers) && column.mostly(column.small)
    };
    let width = headers.len().min(columns.len());
    let found: Vec<usize> = (0..width).filter(|at| counts(*at)).collect();
    let dated = columns.iter().any(ColumnProfile::is_date);
    // A column with items gives the numbers beside it another meaning.
    let said = (0..width).any(|at| {
        let header = &headers[at];
        columns[at].is_text()
            && !header.is_about()
            && (header.has(&THINGS) || ITEM_WORDS.contains(&header.bare.as_str()))
    });
    let summed = || (0..width).any(|at| !found.contains(&at) && together.is_sum(at, &found));
    let enough = found.len() >= LEAST_PRODUCTS || (found.len() >= LEAST_SUMMED && summed());
    if !enough || !dated || said {
        return Vec::new();
    }
    // A product without sales has an empty column among the others, or after them.
    let Some(&first) = found.first() else { return Vec::new() };
    let empty = |at: usize| {
        let header = &headers[at];
        columns[at].filled == 0 && !header.bare.is_empty() && !header.is_about() && !header.is_code()
    };
    (first..width).filter(|at| found.contains(at) || empty(*at)).collect()
}
