//! Receipt-level figures: columns about a line's receipt, and counting once the values repeated on each of its lines.

use super::Kind;
use super::facts::{self, Beside, COUNT, DISCOUNTS, Facts};
use super::line::{NONE, Tables};
use super::mapping::{Field, Mapping};
use super::names::QuickMap;
use super::numbers::{Decimal, NumberError, centavos, millionths};
use crate::sheet::{Cell, Row};

/// A receipt: store, business date, till and number, by the reader's numbers.
pub(super) type Key = (u32, i32, u32, u32);

/// Bits of the values that count once, after those of [`facts::FIELDS`].
const TENDERS: u32 = 1 << COUNT;
const DISCOUNT: u32 = 1 << (COUNT + 1);
/// Maximum length of a reference.
const MAX_REFERENCE: usize = 60;
/// Maximum number of tender names.
const MAX_TENDERS: usize = 200;

/// Reads receipt-level columns.
#[derive(Debug)]
pub(super) struct ReceiptLevelReader {
    facts: Vec<(usize, usize)>,
    channel: Option<usize>,
    tender: Option<usize>,
    amount: Option<usize>,
    reference: Option<usize>,
    columns: Vec<(usize, u32)>,
    once: u32,
    seen: QuickMap<Key, u32>,
    last: Option<(Key, [i64; COUNT])>,
    /// Lines whose receipt-level value differs from the receipt's first line.
    pub conflicts: u64,
}

/// A row's values, before its receipt is known.
#[derive(Default)]
pub(super) struct Said {
    facts: Facts,
    /// Tender, amount in centavos and reference.
    pub tenders: Vec<(u32, Option<i64>, String)>,
    channel: Option<u32>,
}

impl Said {
    /// Keeps nothing but what was paid.
    pub fn only_tenders(&mut self) {
        (self.facts, self.channel) = (Facts::default(), None);
    }
}

impl ReceiptLevelReader {
    /// A reader, if the mapping has any such column.
    pub fn new(mapping: &Mapping, tables: &mut Tables) -> Option<Self> {
        let facts: Vec<(usize, usize)> = facts::FIELDS
            .iter()
            .enumerate()
            .filter_map(|(at, field)| Some((at, mapping.column(*field)?)))
            .collect();
        let columns: Vec<(usize, u32)> = mapping
            .tenders
            .iter()
            .map(|tender| (tender.column, tables.tenders.intern(tender.name.trim().as_bytes())))
            .collect();
        let once = mapping.once.iter().flatten().fold(0, |bits, field| {
            bits | match field {
                // What was paid for repeated lines counts once a receipt and tender.
                Field::TenderAmount if mapping.split_tenders == Some(true) => 0,
                Field::TenderAmount => TENDERS,
                Field::Discount => DISCOUNT,
                field => facts::place(*field).map_or(0, |at| 1 << at),
            }
        });
        let reader = Self {
            facts,
            channel: mapping.column(Field::Channel),
            tender: mapping.column(Field::Tender),
            amount: mapping.column(Field::TenderAmount),
            reference: mapping.column(Field::TenderReference),
            columns,
            once,
            seen: QuickMap::default(),
            last: None,
            conflicts: 0,
        };
        let any = !reader.facts.is_empty()
            || reader.channel.is_some()
            || reader.tender.is_some()
            || reader.amount.is_some()
            || !reader.columns.is_empty()
            || once != 0;
        any.then_some(reader)
    }

    /// Reads a row's values. `fault` receives unreadable cells.
    pub fn read(
        &self,
        cells: &impl Row,
        decimal: Decimal,
        tables: &mut Tables,
        fault: &mut impl FnMut(Field, Cell<'_>, NumberError),
    ) -> Said {
        let mut said = Said::default();
        let mut amount = |field: Field, column: usize| -> Option<i64> {
            let cell = cells.cell(column);
            let decimal = if cell.number { Decimal::Point } else { decimal };
            match millionths(cell.text, decimal) {
                Ok(read) => Some(read),
                Err(NumberError::Empty) => None,
                Err(error) => {
                    fault(field, cell, error);
                    None
                }
            }
        };
        for &(at, column) in &self.facts {
            let field = facts::FIELDS[at];
            let read = amount(field, column).unwrap_or(0);
            // Guests of a split receipt may be halves.
            said.facts.0[at] = if field == Field::Pax { read / 1_000_000 } else { centavos(read) };
        }
        for &(column, kind) in &self.columns {
            if let Some(read) = amount(Field::TenderAmount, column).filter(|read| *read != 0) {
                said.tenders.push((kind, Some(centavos(read)), String::new()));
            }
        }
        if self.tender.is_some() || self.amount.is_some() {
            let text = |column: Option<usize>| column.map_or(&b""[..], |at| cells.cell(at).text.trim_ascii());
            let paid = self.amount.map(|column| amount(Field::TenderAmount, column).map_or(0, centavos));
            let kind = text(self.tender);
            let kind = if kind.is_empty() { &b"Other"[..] } else { &kind[..kind.len().min(60)] };
            let there = paid.map_or(!text(self.tender).is_empty(), |paid| paid != 0);
            if there && (tables.tenders.len() < MAX_TENDERS || tables.tenders.find(kind).is_some()) {
                let reference = text(self.reference);
                let reference = String::from_utf8_lossy(&reference[..reference.len().min(MAX_REFERENCE)]);
                let reference = reference.chars().filter(|c| !c.is_control()).collect();
                said.tenders.push((tables.tenders.intern(kind), paid, reference));
            }
        }
        if let Some(column) = self.channel {
            let text = cells.cell(column).text.trim_ascii();
            let fits = !text.is_empty() && text.len() <= 200 && !text.contains(&0);
            if fits && (tables.channels.len() < 1_000 || tables.channels.find(text).is_some()) {
                said.channel = Some(tables.channels.intern(text));
            }
        }
        said
    }

    /// Removes values an earlier line of the receipt already had; returns whether the line's discount is one of them.
    pub fn count_once(&mut self, key: Key, said: &mut Said) -> bool {
        if self.once == 0 || key.3 == NONE {
            return false;
        }
        if let Some((_, first)) = self.last.filter(|(last, _)| *last == key) {
            let differs = first.iter().zip(said.facts.0).enumerate();
            let differs = differs.filter(|(at, (first, now))| self.once & 1 << at != 0 && *first != now);
            self.conflicts += u64::from(differs.count() > 0);
        } else {
            self.last = Some((key, said.facts.0));
        }
        let taken = self.seen.entry(key).or_default();
        let again = *taken & self.once;
        for (at, value) in said.facts.0.iter_mut().enumerate() {
            let bit = 1 << at;
            if self.once & bit == 0 {
                continue;
            }
            if again & bit != 0 {
                *value = 0;
            } else if *value != 0 {
                *taken |= bit;
            }
        }
        if self.once & TENDERS != 0 {
            if again & TENDERS != 0 {
                said.tenders.clear();
            } else if !said.tenders.is_empty() {
                *taken |= TENDERS;
            }
        }
        let discounted = again & DISCOUNT != 0;
        *taken |= self.once & DISCOUNT;
        discounted
    }

    /// The discounts of a row's values, in millionths.
    pub fn discounts(said: &Said) -> i64 {
        said.facts.0[DISCOUNTS]
            .iter()
            .fold(0i64, |sum, more| sum.saturating_add(more.saturating_abs()))
            .saturating_mul(10_000)
    }

    /// Whether any column contains discounts.
    pub fn has_discounts(&self) -> bool {
        self.facts.iter().any(|(at, _)| DISCOUNTS.contains(at))
    }

    /// Stores a line's values; returns their position, or [`NONE`].
    pub fn keep(&self, said: Said, kind: Kind, qty: i64, net: i64, tables: &mut Tables) -> u32 {
        let back = qty < 0;
        let mut facts = said.facts;
        // A voided line is no sale, so nothing of it is taxed or paid.
        let struck = kind == Kind::Void && !back;
        for (at, value) in facts.0.iter_mut().enumerate() {
            *value = match () {
                () if struck => 0,
                () if DISCOUNTS.contains(&at) => {
                    if back {
                        -value.saturating_abs()
                    } else {
                        value.saturating_abs()
                    }
                }
                () if back && *value > 0 => -*value,
                () => *value,
            };
        }
        let tenders = said.tenders.into_iter().filter(|_| !struck).map(|(tender, amount, reference)| {
            let amount = amount.map_or(net, |amount| if back && amount > 0 { -amount } else { amount });
            (tender, amount, reference)
        });
        let beside = Beside { facts, tenders: tenders.collect(), channel: said.channel.unwrap_or(NONE) };
        if beside.is_empty() {
            return NONE;
        }
        let Some(at) = u32::try_from(tables.beside.len()).ok().filter(|at| *at != NONE) else { return NONE };
        beside.write(&mut tables.beside);
        at
    }
}
