//! A record as rows of a file.

use larder_domain::netsuite::Line;
use larder_domain::{BusinessDay, Money};

use super::days::{Day, Made};
use super::model::{NetsuiteDates, NetsuiteField, NetsuiteMapping};
use larder_platform::http::export::Cell;

/// The rows of a record, one per line, consecutive. Amounts are numbers, never quoted text.
pub(super) fn of(day: &Day, made: &Made, mapping: &NetsuiteMapping) -> Vec<Vec<Cell>> {
    let row = |(at, line): (usize, &Line)| {
        mapping
            .columns
            .iter()
            .map(|column| match column.field {
                NetsuiteField::Constant => text(&column.value),
                field => cell(field, (day, made), (at, line), mapping),
            })
            .collect()
    };
    made.record.lines.iter().enumerate().map(row).collect()
}

fn text(text: &str) -> Cell {
    if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) }
}

fn cell(
    field: NetsuiteField,
    (day, made): (&Day, &Made),
    (at, line): (usize, &Line),
    mapping: &NetsuiteMapping,
) -> Cell {
    use NetsuiteField as F;
    let store = &day.store;
    let maybe = |value: &Option<String>| text(value.as_deref().unwrap_or_default());
    match field {
        F::Constant => Cell::Empty,
        F::ExternalId => text(day.external_id.as_deref().unwrap_or_default()),
        F::Date => text(&written(day.date, mapping.dates)),
        F::DueDate => text(&written(day.date.plus(mapping.due_days), mapping.dates)),
        F::CustomerName => maybe(&store.netsuite_customer_name),
        F::CustomerId => maybe(&store.netsuite_customer_id),
        F::CustomerInternalId => maybe(&store.netsuite_customer_internal_id),
        F::CompanyName => maybe(&store.netsuite_company_name),
        F::LocationName => maybe(&store.netsuite_location_name),
        F::LocationInternalId => maybe(&store.netsuite_location_internal_id),
        F::ClassName => maybe(&store.netsuite_class_name),
        F::ClassInternalId => maybe(&store.netsuite_class_internal_id),
        F::StoreName => text(&store.name),
        F::StoreCode => maybe(&store.code),
        F::PosCode => maybe(&store.pos_code),
        F::Terminals => text(&made.terminals.join(" ")),
        F::Memo => text(&memo(day)),
        F::LineNumber => Cell::Int(i64::try_from(at + 1).unwrap_or(i64::MAX)),
        F::LineName => {
            let named = mapping.names.get(&line.kind).filter(|name| !name.trim().is_empty());
            text(named.map_or(line.kind.title(), String::as_str))
        }
        F::LineKind => text(line.kind.title()),
        F::Quantity => Cell::Int(1),
        F::Rate | F::Amount => Cell::Money(line.amount),
        F::TaxCode => text(mapping.tax_codes.get(&line.tax_kind).map_or("", String::as_str)),
        F::TaxAmount => Cell::Money(line.tax),
        F::GrossAmount => Cell::Money(Money(line.amount.0 + line.tax.0)),
        F::Debit if line.amount.0 > 0 => Cell::Money(line.amount),
        F::Credit if line.amount.0 < 0 => Cell::Money(Money(-line.amount.0)),
        F::Debit | F::Credit => Cell::Empty,
    }
}

/// «Sales of 1 Feb 2025, Makati», and the tills without a reading.
fn memo(day: &Day) -> String {
    let mut words = format!("Sales of {}, {}", day.date.display(), day.store.name);
    for absence in &day.absences {
        words.push_str(". ");
        words.push_str(absence.trim_end_matches('.'));
    }
    words
}

/// A date in the format NetSuite's importer expects.
fn written(day: BusinessDay, dates: NetsuiteDates) -> String {
    let form = match dates {
        NetsuiteDates::Mdy => "%m/%d/%Y",
        NetsuiteDates::Dmy => "%d/%m/%Y",
        NetsuiteDates::Ymd => "%Y-%m-%d",
    };
    day.date().strftime(form).to_string()
}
