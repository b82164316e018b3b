//! Receipt data besides lines, and whether it agrees with them.

use std::collections::BTreeMap;

use larder_domain::sales::facts::{Beside, FIELDS, Facts};
use larder_domain::sales::mapping::NegativeLines;
use larder_domain::sales::{Field, LineReader, Mapping};
use larder_domain::{Money, plural};

use super::super::model::Figure;
use super::super::questions::Raised;

/// Tolerance between two totals of a file, because each receipt rounds.
const NEAR: i64 = 100;

/// Figures, tenders, and disagreements with `net`, the total of the lines.
pub(super) fn summary(reader: &LineReader, net: i64) -> (Vec<Figure>, Vec<Figure>, Vec<String>) {
    let mut sums = Facts::default();
    let mut paid: BTreeMap<u32, i64> = BTreeMap::new();
    for beside in Beside::all(&reader.tables.beside) {
        sums.add(&beside.facts);
        for (kind, amount, _) in beside.tenders {
            let sum = paid.entry(kind).or_default();
            *sum = sum.saturating_add(amount);
        }
    }
    let mapping = reader.mapping();
    let facts = FIELDS.iter().filter(|field| mapping.column(**field).is_some()).map(|field| {
        let amount = sums.get(*field);
        // Guests are a count, not an amount.
        let amount = if *field == Field::Pax { amount.saturating_mul(100) } else { amount };
        Figure { name: field.label().to_owned(), amount: Money(amount) }
    });
    let tenders: Vec<Figure> = paid
        .iter()
        .map(|(kind, amount)| Figure {
            name: reader.tables.tenders.text(*kind).into_owned(),
            amount: Money(*amount),
        })
        .collect();
    let notes = notes(
        reader,
        &sums,
        paid.values().fold(0i64, |sum, more| sum.saturating_add(*more)),
        !paid.is_empty(),
        net,
    );
    (facts.collect(), tenders, notes)
}

/// What was decided about rows without asking.
pub(super) fn raised(raised: &Raised, mapping: &Mapping) -> Vec<String> {
    let mut notes = Vec::new();
    if mapping.split_tenders == Some(true) && raised.split.receipts > 0 {
        notes.push(format!(
            "The lines of {} are repeated for each tender and count once: {} less.",
            plural(raised.split.receipts, "receipt", "receipts"),
            Money(raised.split.net).pesos()
        ));
    }
    let found = raised.negatives;
    if found.lines > 0 && mapping.negative_lines != Some(NegativeLines::Returns) {
        notes.push(format!(
            "{} of other items below zero: {}. Taken off as discounts.",
            plural(found.lines, "line", "lines"),
            Money(found.net).pesos()
        ));
    }
    notes
}

fn notes(reader: &LineReader, sums: &Facts, paid: i64, tendered: bool, net: i64) -> Vec<String> {
    let mut notes = Vec::new();
    let apart = |figure: i64, others: &[i64]| others.iter().all(|other| (figure - other).abs() > NEAR);
    let vat = sums.get(Field::Vat);
    let taxed = sums.taxed();
    let all = |field| reader.mapping().column(field).is_some();
    if all(Field::Vatable) && apart(taxed, &[net, net.saturating_add(vat)]) {
        notes.push(format!(
            "VATable, VAT, exempt and zero-rated sales come to {}, the net amounts to {}.",
            Money(taxed).pesos(),
            Money(net).pesos()
        ));
    }
    let more = sums.get(Field::ServiceCharge);
    let due = [net, net + vat, net + more, net + more + sums.get(Field::LocalTax), net + vat + more];
    if tendered && apart(paid, &due) {
        notes.push(format!(
            "What was paid comes to {}, the net amounts to {}.",
            Money(paid).pesos(),
            Money(net).pesos()
        ));
    }
    if reader.left_out.doubtful > 0 && reader.mapping().totals.is_none() {
        let row = reader.left_out.first.map_or(0, |first| first.row);
        notes.push(format!(
            "{} not the sum of the rows above, first row {row}. Left out.",
            plural(reader.left_out.doubtful, "row called total is", "rows called totals are")
        ));
    }
    match reader.conflicts() {
        0 => {}
        n => notes.push(format!(
            "{} from the first line of the receipt in an amount that counts once. The first line's amount counts.",
            plural(n, "line differs", "lines differ")
        )),
    }
    notes
}
