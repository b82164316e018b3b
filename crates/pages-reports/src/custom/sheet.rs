//! A table as a file.

use super::answer::{CustomAnswer, CustomRow, Figure};
use super::fields::CustomType;
use larder_domain::Span;
use larder_engines::reports::{Column, Sheet};

/// The table with totals at the bottom; rows for the remainder are labelled.
#[must_use]
pub fn sheet(answer: &CustomAnswer) -> Sheet {
    type Col<'a> = Column<'a, CustomRow>;
    let mut columns: Vec<Col<'_>> = Vec::new();
    let names: Vec<String> = match answer.row_fields.as_slice() {
        [] => vec!["All".to_owned()],
        heads => heads.iter().map(|head| head.label.clone()).collect(),
    };
    for (at, name) in names.into_iter().enumerate() {
        columns.push(Col::text(name, 24, move |row| row.labels.get(at).cloned()));
    }
    if answer.measures.iter().any(|measure| measure.unit) {
        columns.push(Col::text("Unit", 8, |row| row.unit.clone()));
    }
    let many = answer.measures.len();
    for (nth, column) in answer.columns.iter().enumerate() {
        for (at, measure) in answer.measures.iter().enumerate() {
            let head = column.labels.join(", ");
            let title = if many > 1 { format!("{head}: {}", measure.label) } else { head };
            let place = nth * many + at;
            columns.push(figure(title, measure.r#type, move |row| row.values.get(place).copied().flatten()));
        }
    }
    for (at, measure) in answer.measures.iter().enumerate() {
        let title = match (answer.columns.is_empty(), many > 1) {
            (true, _) => measure.label.clone(),
            (false, true) => format!("Total: {}", measure.label),
            (false, false) => "Total".to_owned(),
        };
        columns.push(figure(title, measure.r#type, move |row| row.total.get(at).copied().flatten()));
    }
    let rows: Vec<CustomRow> = answer.rows.iter().chain(&answer.totals).cloned().collect();
    Sheet::of(Span { from: answer.from, to: answer.to }, &rows, columns)
}

fn figure<'a>(
    title: String,
    of: CustomType,
    value: impl Fn(&CustomRow) -> Option<Figure> + 'a,
) -> Column<'a, CustomRow> {
    // Totals are already among the rows; the sheet adds up nothing.
    match of {
        CustomType::Share => Column::share(title, 12, move |row| value(row).map(Figure::as_f64)),
        _ => Column::any(title, 14, move |row| {
            value(row).map_or(larder_platform::http::export::Cell::Empty, Figure::cell)
        }),
    }
}
