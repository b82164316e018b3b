//! A table as columns and cells of a file.

use larder_domain::BusinessDay;
use larder_platform::http::export::{Cell, Column};

use super::answer::{CustomAnswer, CustomRow, Figure};
use super::fields::CustomType;

/// The columns of a file: row fields, unit, figures by column, totals.
#[must_use]
pub fn columns(answer: &CustomAnswer) -> Vec<Column> {
    let mut columns = Vec::new();
    if answer.row_fields.is_empty() {
        columns.push(Column::new("All", 24));
    }
    for head in &answer.row_fields {
        columns.push(Column::new(&head.label, if is_day(&head.key) { 14 } else { 24 }));
    }
    if has_units(answer) {
        columns.push(Column::new("Unit", 8));
    }
    let width = |of: CustomType| if of == CustomType::Share { 12 } else { 14 };
    let many = answer.measures.len();
    for column in &answer.columns {
        let head = column.labels.join(", ");
        for measure in &answer.measures {
            let title = if many > 1 { format!("{head}: {}", measure.label) } else { head.clone() };
            columns.push(Column::new(title, width(measure.r#type)));
        }
    }
    for measure in &answer.measures {
        let title = match (answer.columns.is_empty(), many > 1) {
            (true, _) => measure.label.clone(),
            (false, true) => format!("Total: {}", measure.label),
            (false, false) => "Total".to_owned(),
        };
        columns.push(Column::new(title, width(measure.r#type)));
    }
    columns
}

/// The cells of a row, as many as [`columns`]. Days, and the first days of weeks and months, are dates.
#[must_use]
pub fn cells(answer: &CustomAnswer, row: &CustomRow) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(3 + row.values.len() + row.total.len());
    for at in 0..answer.row_fields.len().max(1) {
        let day = answer.row_fields.get(at).zip(row.keys.get(at)).and_then(|(head, key)| day(&head.key, key));
        let label = || row.labels.get(at).map_or(Cell::Empty, |label| Cell::Text(label.clone()));
        cells.push(day.map_or_else(label, Cell::Day));
    }
    if has_units(answer) {
        cells.push(row.unit.clone().map_or(Cell::Empty, Cell::Text));
    }
    cells.extend(row.values.iter().chain(&row.total).map(|figure| figure.map_or(Cell::Empty, Figure::cell)));
    cells
}

fn has_units(answer: &CustomAnswer) -> bool {
    answer.measures.iter().any(|measure| measure.unit)
}

/// Whether a row field is of days, or of periods named by their first day.
fn is_day(field: &str) -> bool {
    matches!(field, "date" | "week" | "month")
}

/// The day, or first day, of a key of such a field.
fn day(field: &str, key: &str) -> Option<BusinessDay> {
    match field {
        "month" => format!("{key}-01").parse().ok(),
        _ if is_day(field) => key.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_weeks_and_months_are_dates_and_longer_periods_text() {
        let text = |field: &str, key: &str| day(field, key).map(|day| day.to_string());
        assert_eq!(text("date", "2026-05-28").as_deref(), Some("2026-05-28"));
        assert_eq!(text("week", "2026-05-25").as_deref(), Some("2026-05-25"));
        assert_eq!(text("month", "2026-05").as_deref(), Some("2026-05-01"));
        assert_eq!(
            (text("quarter", "2026-Q2"), text("year", "2026"), text("item", "2026-05-28")),
            (None, None, None)
        );
    }
}
