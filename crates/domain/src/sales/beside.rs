//! What the columns beside a line's own say of its receipt, and counting once what stands on each of its lines.

use super::Kind;
use super::facts::{self, Beside, COUNT, DISCOUNTS, Facts};
use super::line::{NONE, Tables};
use super::mapping::{Field, Mapping};
use super::names::QuickMap;
use super::numbers::{Decimal, NumberError, centavos, millionths};
use crate::sheet::{Cell, Row};

/// A receipt: store, business date, till and number, as the reader numbers them.
pub(super) type Key = (u32, i32, u32, u32);

/// Bits of what counts once beside the figures of [`facts::FIELDS`].
const TENDERS: u32 = 1 << COUNT;
const DISCOUNT: u32 = 1 << (COUNT + 1);
/// The longest reference that is one.
const MAX_REFERENCE: usize = 60;
/// More ways of paying than there are.
const MAX_TENDERS: usize = 200;

/// Reads what stands beside the lines.
#[derive(Debug)]
pub(super) struct BesideReader {
    facts: Vec<(usize, usize)>,
    channel: Option<usize>,
    tender: Option<usize>,
    amount: Option<usize>,
    reference: Option<usize>,
    columns: Vec<(usize, u32)>,
    once: u32,
    seen: QuickMap<Key, u32>,
    last: Option<(Key, [i64; COUNT])>,
    /// Lines that say something else than the first line of their receipt of what is to count once.
    pub conflicts: u64,
}

/// What a row says, before its receipt is known.
#[derive(Default)]
pub(super) struct Said {
    facts: Facts,
    tenders: Vec<(u32, Option<i64>, String)>,
    channel: Option<u32>,
}

impl BesideReader {
    /// A reader, if a mapping has any such column.
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

    /// What a row says. `fault` is told what cannot be read.
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
            // Guests of a receipt that was split may be halves.
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

    /// Takes away what an earlier line of the receipt said already; whether the line's discount is one of it.
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

    /// What is taken off by what a row says, in millionths.
    pub fn discounts(said: &Said) -> i64 {
        said.facts.0[DISCOUNTS]
            .iter()
            .fold(0i64, |sum, more| sum.saturating_add(more.saturating_abs()))
            .saturating_mul(10_000)
    }

    /// Whether any column says what was taken off.
    pub fn has_discounts(&self) -> bool {
        self.facts.iter().any(|(at, _)| DISCOUNTS.contains(at))
    }

    /// Keeps what a line says; the place where it stands, or [`NONE`].
    pub fn keep(&self, said: Said, kind: Kind, qty: i64, net: i64, tables: &mut Tables) -> u32 {
        let back = qty < 0;
        let mut facts = said.facts;
        // What was struck off before it was paid is no sale, and so nothing of it is taxed or paid.
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
