//! Sums of quantities per unit: kilograms and pieces have no sum.

use std::collections::HashMap;

use super::figures::{Figure, add};
use larder_platform::http::ApiResult;

/// Sums of the rows with one unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitSum<N> {
    /// The unit; `None` for rows without a known unit.
    pub unit: Option<String>,
    /// Number of rows.
    pub items: usize,
    /// The sum of each column.
    pub sums: Vec<N>,
}

/// Sums per unit, the one with the most rows first. Every row has a value for each column.
///
/// # Errors
/// 422 if a sum overflows.
pub fn by_unit<'a, N: Figure>(
    rows: impl IntoIterator<Item = (Option<&'a str>, Vec<N>)>,
) -> ApiResult<Vec<UnitSum<N>>> {
    let mut units: HashMap<Option<&str>, UnitSum<N>> = HashMap::new();
    for (unit, figures) in rows {
        let of_unit = units.entry(unit).or_insert_with(|| UnitSum {
            unit: unit.map(str::to_owned),
            items: 0,
            sums: vec![N::ZERO; figures.len()],
        });
        of_unit.items += 1;
        for (sum, figure) in of_unit.sums.iter_mut().zip(figures) {
            add(sum, figure)?;
        }
    }
    let mut units: Vec<UnitSum<N>> = units.into_values().collect();
    units.sort_by(|a, b| b.items.cmp(&a.items).then_with(|| a.unit.cmp(&b.unit)));
    Ok(units)
}

/// Sums over all rows, if they share one unit.
pub fn in_one_unit<N: Figure>(units: &[UnitSum<N>], columns: usize) -> Option<Vec<N>> {
    match units {
        [] => Some(vec![N::ZERO; columns]),
        [one] => Some(one.sums.clone()),
        _ => None,
    }
}
