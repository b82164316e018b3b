//! Whether the lines of receipts are repeated for each tender.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::sales::mapping::{Field, Mapping};
use crate::sales::numbers::{Decimal, centavos, extended, millionths};
use crate::sheet::Row;

/// Lines of one receipt compared; longer receipts are not.
const MOST_LINES: usize = 2_000;

/// Compares the lines of receipts that are paid by several tenders, receipt by receipt as they follow each other.
#[derive(Debug, Clone)]
pub struct SplitEvidence {
    mapping: Mapping,
    receipt: u64,
    lines: Vec<Seen>,
    found: SplitFound,
}

/// Receipts whose lines are the same for each of their tenders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SplitFound {
    pub receipts: u64,
    /// Those where one set of lines comes to the sum of the tenders.
    pub proven: u64,
    /// The repeated rows.
    pub rows: u64,
    /// The amount of the repeated rows, in centavos.
    pub net: i64,
    /// Receipts whose tenders have different lines.
    uneven: u64,
    /// Receipts of several lines and one payment, and those of them whose lines come to it.
    single: u64,
    paid_whole: u64,
    /// Receipts whose lines may be a repeated set, or each paid by itself; their repeated rows and the amount of these.
    unsure: (u64, u64, i64),
    /// Other receipts of several lines, each of which is paid by itself.
    own: u64,
    /// Whether the amounts paid are known.
    amounts: bool,
    /// Whether some set has several lines.
    sets: bool,
}

impl SplitFound {
    /// Whether all of them are proven to be repeated.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.receipts > 0 && self.proven == self.receipts
    }

    /// Whether the amount paid on each line is proven to be that of the whole receipt.
    #[must_use]
    pub fn pays_receipts(&self) -> bool {
        self.amounts && self.single > 0 && self.single == self.paid_whole
    }

    /// Whether they may be repeated, so that a user has to decide.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.receipts > 0 && !self.is_proven() && (self.amounts || (self.uneven == 0 && self.sets))
    }
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    payment: u64,
    line: u64,
    net: i64,
    paid: i64,
}

/// The lines of a receipt that name one payment.
#[derive(Debug, Clone, Default)]
pub(in crate::sales) struct PaidLines {
    /// The payment, in centavos.
    paid: i64,
    /// What tells lines apart, and how many there are of each.
    lines: Vec<(u64, u32)>,
    /// Their net, in centavos.
    net: i64,
    /// Whether there are too many to be compared.
    over: bool,
}

impl PaidLines {
    /// A payment in centavos, named by no line yet.
    pub fn new(paid: i64) -> Self {
        Self { paid, ..Self::default() }
    }

    /// Adds a line; returns whether the same was there already.
    pub fn add(&mut self, line: u64, net: i64) -> bool {
        self.net = self.net.saturating_add(net);
        if self.over {
            return false;
        }
        if let Some((_, count)) = self.lines.iter_mut().find(|(known, _)| *known == line) {
            *count = count.saturating_add(1);
            return true;
        }
        self.over = self.lines.len() >= MOST_LINES;
        if !self.over {
            self.lines.push((line, 1));
        }
        false
    }

    /// How often a line is there.
    pub fn count(&self, line: u64) -> u32 {
        self.lines.iter().find(|(known, _)| *known == line).map_or(0, |(_, count)| *count)
    }

    /// How often all of its lines are there, and the lines of one time.
    fn one(&self) -> Option<(u32, Vec<(u64, u32)>)> {
        let times = self.lines.iter().fold(0, |times, (_, count)| common(times, *count));
        if times == 0 || self.over {
            return None;
        }
        let mut one: Vec<(u64, u32)> =
            self.lines.iter().map(|(line, count)| (*line, count / times)).collect();
        one.sort_unstable();
        Some((times, one))
    }
}

/// The greatest common divisor.
fn common(mut one: u32, mut other: u32) -> u32 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// How often the lines of each payment of a receipt are written, if they are one set written for each payment: all payments,
/// also those that are equal, come to the net of one set.
pub(in crate::sales) fn copies<'a>(payments: impl Iterator<Item = &'a PaidLines>) -> Option<Vec<u32>> {
    let (mut paid, mut times, mut net) = (Vec::new(), Vec::new(), 0_i64);
    let mut set: Option<Vec<(u64, u32)>> = None;
    for payment in payments {
        let (written, one) = payment.one()?;
        if set.get_or_insert_with(|| one.clone()) != &one {
            return None;
        }
        paid.push(payment.paid);
        times.push(written);
        net = net.saturating_add(payment.net);
    }
    let most = times.iter().fold(0, |most, times| common(most, *times));
    (1..=most).rev().filter(|lines| most.is_multiple_of(*lines)).find_map(|lines| {
        let copies: Vec<u32> = times.iter().map(|times| times / lines).collect();
        let sets: i64 = copies.iter().map(|copies| i64::from(*copies)).sum();
        let each = paid.iter().zip(&copies).map(|(paid, copies)| paid.saturating_mul(i64::from(*copies)));
        let paid = each.fold(0, i64::saturating_add);
        // Equal parts of an amount may be rounded.
        let off = (net / sets).saturating_sub(paid).saturating_abs();
        let fits = paid != 0 && off < sets && off.saturating_mul(100) <= paid.saturating_abs();
        (sets > 1 && fits).then_some(copies)
    })
}

impl SplitEvidence {
    /// For a file that has receipts and tenders.
    #[must_use]
    pub fn of(mapping: &Mapping) -> Option<Self> {
        let has = |field| mapping.column(field).is_some();
        let found = SplitFound { amounts: has(Field::TenderAmount), ..SplitFound::default() };
        let may = has(Field::Receipt) && has(Field::Tender) && mapping.products().is_empty();
        may.then(|| Self { mapping: mapping.clone(), receipt: 0, lines: Vec::new(), found })
    }

    /// Adds a row.
    pub fn see(&mut self, cells: &impl Row) {
        let text = |field: Field| {
            self.mapping.column(field).map_or(&b""[..], |column| cells.cell(column).text.trim_ascii())
        };
        let hash = |fields: &[Field]| {
            let mut hasher = DefaultHasher::new();
            fields.iter().for_each(|field| text(*field).hash(&mut hasher));
            hasher.finish()
        };
        let number = |field: Field| {
            let cell = cells.cell(self.mapping.column(field)?);
            let decimal = if cell.number { Decimal::Point } else { self.mapping.decimal_of(field) };
            millionths(cell.text, decimal).ok()
        };
        if text(Field::Receipt).is_empty() {
            return self.finish();
        }
        let receipt = hash(&[Field::Store, Field::Terminal, Field::Receipt]);
        if text(Field::Tender).is_empty() {
            return;
        }
        let net = number(Field::Net).map(centavos).or_else(|| {
            let gross = extended(number(Field::Quantity).unwrap_or(1_000_000), number(Field::UnitPrice)?)?;
            Some(gross - centavos(number(Field::Discount).unwrap_or(0)))
        });
        let seen = Seen {
            payment: hash(&[Field::Tender, Field::TenderAmount, Field::TenderReference]),
            line: hash(&[
                Field::Item,
                Field::ItemName,
                Field::Variant,
                Field::Quantity,
                Field::UnitPrice,
                Field::Net,
            ]),
            net: net.unwrap_or(0),
            paid: number(Field::TenderAmount).map_or(0, centavos),
        };
        if receipt != self.receipt {
            self.finish();
            self.receipt = receipt;
        }
        if self.lines.len() < MOST_LINES {
            self.lines.push(seen);
        }
    }

    /// What was found, once all rows were seen.
    #[must_use]
    pub fn found(mut self) -> SplitFound {
        self.finish();
        let found = &mut self.found;
        let (receipts, rows, net) = found.unsure;
        // The other receipts tell.
        if found.is_proven() {
            found.proven += receipts;
        } else if found.receipts > 0 || found.own > 0 {
            return self.found;
        }
        found.receipts += receipts;
        found.rows += rows;
        found.net = found.net.saturating_add(net);
        self.found
    }

    /// Whether a receipt's lines are a set that its payments come to; it is counted as such.
    fn paid_by_sets(&mut self, lines: &[Seen]) -> bool {
        let mut sets: Vec<(u64, PaidLines)> = Vec::new();
        for line in lines {
            let known = sets.iter().position(|(payment, _)| *payment == line.payment);
            let at = known.unwrap_or(sets.len());
            if known.is_none() {
                sets.push((line.payment, PaidLines::new(line.paid)));
            }
            sets[at].1.add(line.line, line.net);
        }
        let copies = copies(sets.iter().map(|(_, lines)| lines));
        let own = lines.iter().all(|line| line.paid == line.net);
        let Some(copies) = copies else {
            self.found.own += u64::from(own);
            return false;
        };
        let sets: u32 = copies.iter().sum();
        let (count, net) = (lines.len() as u64, lines.iter().map(|line| line.net).sum::<i64>());
        let (rows, net) = (count - count / u64::from(sets), net - net / i64::from(sets));
        let found = &mut self.found;
        if own {
            let (receipts, all_rows, all_net) = found.unsure;
            found.unsure = (receipts + 1, all_rows + rows, all_net.saturating_add(net));
        } else {
            found.receipts += 1;
            found.proven += 1;
            found.rows += rows;
            found.net = found.net.saturating_add(net);
        }
        true
    }

    /// Compares the lines of the receipt seen last.
    fn finish(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        self.receipt = 0;
        let Some(first) = lines.first() else { return };
        if lines.len() < 2 || lines.len() >= MOST_LINES {
            return;
        }
        if self.found.amounts && self.paid_by_sets(&lines) {
            return;
        }
        if lines.iter().all(|line| line.payment == first.payment) {
            let net: i64 = lines.iter().map(|line| line.net).sum();
            self.found.single += 1;
            self.found.paid_whole += u64::from((net - first.paid).abs() <= 1);
            return;
        }
        let mut payments: Vec<Seen> = Vec::new();
        for line in &lines {
            if payments.iter().all(|known| known.payment != line.payment) {
                payments.push(*line);
            }
        }
        let set = |payment: u64| {
            let mut set: Vec<u64> =
                lines.iter().filter(|line| line.payment == payment).map(|line| line.line).collect();
            set.sort_unstable();
            set
        };
        let one = set(first.payment);
        let net = |payment: u64| -> i64 {
            lines.iter().filter(|line| line.payment == payment).map(|line| line.net).sum()
        };
        let paid: i64 = payments.iter().map(|line| line.paid).sum();
        let all: i64 = lines.iter().map(|line| line.net).sum();
        let alike = payments.iter().all(|line| set(line.payment) == one);
        // Each line may have been paid by itself.
        if !alike || (self.found.amounts && paid == all) {
            self.found.uneven += 1;
            return;
        }
        self.found.receipts += 1;
        self.found.sets |= one.len() > 1;
        self.found.proven += u64::from(self.found.amounts && (paid - net(first.payment)).abs() <= 1);
        self.found.rows += (lines.len() - one.len()) as u64;
        self.found.net = self.found.net.saturating_add(all - net(first.payment));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Cell;
    use rstest::rstest;

    struct Texts<'a>(Vec<&'a str>);

    impl Row for Texts<'_> {
        fn width(&self) -> usize {
            self.0.len()
        }
        fn cell(&self, column: usize) -> Cell<'_> {
            Cell::of(self.0.get(column).map_or(b"", |text| text.as_bytes()))
        }
    }

    const REPEATED: [&str; 5] =
        ["1|A|120|Cash|100", "1|B|60|Cash|100", "1|A|120|GCash|80", "1|B|60|GCash|80", "2|A|120|Cash|120"];

    #[rstest]
    #[case(&REPEATED, true, false)]
    #[case(&["1|A|120|Cash|100", "1|B|60|Cash|100", "1|A|120|GCash|90", "1|B|60|GCash|90"], false, true)]
    #[case(&["1|A|120|GCash|90", "1|B|60|GCash|90", "1|A|120|GCash|90", "1|B|60|GCash|90"], true, false)]
    #[case(&["1|A|120|GCash|90", "1|A|120|GCash|90", "1|B|60|GCash|90", "1|B|60|GCash|90"], true, false)]
    #[case(&["1|A|90|GCash|30", "1|A|90|GCash|30", "1|A|90|GCash|30"], true, false)]
    #[case(&["1|A|90|GCash|90", "1|B|90|GCash|90", "1|A|90|GCash|90", "1|B|90|GCash|90"], false, true)]
    #[case(&["1|A|60|GCash|60", "1|A|60|GCash|60", "1|A|60|GCash|60", "1|A|60|GCash|60", "2|A|60|Cash|60", "2|B|40|Cash|40"], false, false)]
    #[case(&["1|A|60|Cash|60", "1|A|60|GCash|60"], false, false)]
    #[case(&["1|A|60|Cash|60", "1|B|60|GCash|60"], false, false)]
    #[case(&["1|A|60|Cash|120", "1|A|60|Cash|120"], false, false)]
    fn repeated_lines_are_proven_by_what_was_paid(
        #[case] rows: &[&str],
        #[case] proven: bool,
        #[case] open: bool,
    ) {
        let fields = [Field::Receipt, Field::Item, Field::Net, Field::Tender, Field::TenderAmount];
        let mapping = Mapping { columns: fields.into_iter().zip(0..).collect(), ..Mapping::default() };
        let mut evidence = SplitEvidence::of(&mapping).expect("receipts and tenders");
        rows.iter().for_each(|row| evidence.see(&Texts(row.split('|').collect())));
        let found = evidence.found();
        assert_eq!((found.is_proven(), found.is_open()), (proven, open), "{found:?}");
        assert_eq!(found.pays_receipts(), rows.len() == 2 && rows[1].ends_with("Cash|120"), "{found:?}");
        if proven {
            assert_eq!((found.rows, found.net), (2, 18_000));
        }
    }
}
