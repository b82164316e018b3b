//! Lines repeated for each tender of their receipt.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::modifiers::Named;
use super::{About, LineReader};
use crate::sales::detect::{PaidLines, copies};
use crate::sales::line::{Line, NONE};
use crate::sales::names::QuickMap;
use crate::sales::receipt_level_figures::{Key, Said};

/// A payment as a row writes it: tender, amount, reference.
type Payment = (u32, Option<i64>, String);

/// The payments of the receipts so far, and the lines they are written on.
#[derive(Debug, Default)]
pub(super) struct Split {
    paid: QuickMap<Key, Vec<(Payment, PaidLines)>>,
    /// Rows with a line and a payment that are there already: sold twice, or repeated for an equal payment. The whole
    /// receipt tells which.
    held: Vec<Held>,
}

/// A row that is held until its receipt is known.
#[derive(Debug)]
struct Held {
    line: Line,
    about: About,
    added: Option<Named>,
    receipt_total: i64,
    part: Part,
    /// What tells its line from others.
    name: u64,
}

/// What a row of a receipt with repeated lines is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A line, with its tender if it is the first of its set.
    Line,
    /// A repeated line that names another payment for the first time.
    Payment,
    /// A repeated line.
    Repeat,
}

/// The receipt of a line.
fn receipt_of(line: &Line) -> Key {
    (line.store, line.day, line.terminal, line.receipt)
}

impl Split {
    /// Which part of its receipt a row is, and which of the receipt's payments it names. A payment counts on the first row
    /// that has it; others lose it.
    pub fn part(&mut self, key: Key, said: &mut Said) -> (Part, usize) {
        let Some(payment) = said.tenders.first().cloned() else { return (Part::Line, 0) };
        let paid = self.paid.entry(key).or_default();
        let place = paid.iter().position(|(known, _)| *known == payment);
        // Without an amount, a tender pays the lines of its set.
        let stated = payment.1.is_some();
        let first = place.is_none();
        let at = place.unwrap_or(paid.len());
        if first {
            let lines = PaidLines::new(payment.1.unwrap_or(0));
            paid.push((payment, lines));
        } else if stated {
            said.tenders.clear();
        }
        let part = match (at, first && stated) {
            (0, _) => Part::Line,
            (_, true) => Part::Payment,
            (_, false) => Part::Repeat,
        };
        (part, at)
    }

    /// Holds a row whose payment has the same line already; returns whether it does.
    pub fn hold(&mut self, line: Line, about: About, added: Option<&Named>, receipt_total: i64) -> bool {
        let Some(part) = about.part else { return false };
        let paid = self.paid.get_mut(&receipt_of(&line)).and_then(|paid| paid.get_mut(about.payment));
        let Some((_, lines)) = paid.filter(|(payment, _)| payment.1.is_some()) else { return false };
        let mut hasher = DefaultHasher::new();
        (line.item, line.qty, line.unit_price, line.net).hash(&mut hasher);
        let name = hasher.finish();
        let again = lines.add(name, line.net);
        if again {
            self.held.push(Held { line, about, added: added.cloned(), receipt_total, part, name });
        }
        again
    }

    /// What the rows held are; a repeated row comes with its payment if that counts besides.
    fn release(self) -> impl Iterator<Item = (Held, Option<Payment>)> {
        let mut proven: BTreeMap<Key, Option<Vec<u32>>> = BTreeMap::new();
        // The lines of each name that are posted, and the payments that are.
        let mut posted: BTreeMap<(Key, usize, u64), u32> = BTreeMap::new();
        let mut counted: BTreeMap<(Key, usize), u32> = BTreeMap::new();
        let Self { paid, held } = self;
        held.into_iter().map(move |mut held| {
            let (key, at) = (receipt_of(&held.line), held.about.payment);
            let Some(paid) = paid.get(&key) else { return (held, None) };
            let times = proven.entry(key).or_insert_with(|| copies(paid.iter().map(|(_, lines)| lines)));
            let Some(times) = times.as_ref().and_then(|times| times.get(at)).copied() else {
                return (held, None);
            };
            let (payment, lines) = &paid[at];
            let posted = posted.entry((key, at, held.name)).or_insert(1);
            if held.part == Part::Line && *posted < lines.count(held.name) / times {
                *posted += 1;
                return (held, None);
            }
            let counted = counted.entry((key, at)).or_insert(1);
            if *counted < times {
                *counted += 1;
                held.part = Part::Payment;
                return (held, Some(payment.clone()));
            }
            held.part = Part::Repeat;
            (held, None)
        })
    }
}

impl LineReader {
    /// Emits the rows held by [`Split`].
    pub(super) fn release_split(&mut self, take: &mut impl FnMut(Line)) {
        let Some(split) = self.split.take() else { return };
        for (held, payment) in split.release() {
            let Held { mut line, about, added, receipt_total, part, .. } = held;
            if let Some((beside, payment)) = self.beside.as_ref().zip(payment) {
                let mut said = Said::default();
                said.tenders.push(payment);
                line.beside = beside.keep(said, line.kind, line.qty, line.net, &mut self.tables);
            } else if part != Part::Line {
                line.beside = NONE;
            }
            self.receipt_total = receipt_total;
            self.take_row(line, About { part: Some(part), ..about }, added, take);
        }
    }
}
