//! Tickets: the sales of a store-day's receipts, without voids and with returns kept separate.

use std::collections::BTreeMap;

use super::Kind;
use super::day::{DayLine, Receipt, Unpacked};

const MILLION: i64 = 1_000_000;

/// An item of a receipt, its quantity in millionths and its number.
type Taken = (u32, i64, i64);

/// A receipt with sales.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket<'a> {
    /// Index into the day's receipts.
    pub receipt: usize,
    /// Seconds since midnight (UTC+8) of its first line; `None` if the file lacks it.
    pub seconds: Option<i32>,
    /// Centavos, without returns.
    pub net: i64,
    /// Number of items; an item sold by weight or in parts counts one per line. The parts of a combo and modifiers are
    /// no items of their own, unless nothing else is on the receipt.
    pub units: i64,
    /// Indexes into the day's items, unique and unordered; the same ones.
    pub items: &'a [u32],
}

/// A receipt with returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refund {
    /// As on a [`Ticket`].
    pub seconds: Option<i32>,
    /// Centavos, positive.
    pub amount: i64,
}

/// A ticket or a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen<'a> {
    Ticket(Ticket<'a>),
    Refund(Refund),
}

/// Passes the tickets of a store-day in the order of its receipts, and the refunds among them; a receipt with sales and
/// returns is both. Voids are left out: a receipt of voids only is no ticket. So are lines without a receipt, and
/// receipts without lines.
pub fn each(day: &Unpacked, seen: impl FnMut(Seen<'_>)) {
    each_of(&day.receipts, &day.lines, seen);
}

/// As [`each`], of a day's receipts and lines.
pub fn each_of(receipts: &[Receipt], all: &[DayLine], mut seen: impl FnMut(Seen<'_>)) {
    let (ends, order) = by_receipt(receipts.len(), all);
    let mut taken: Vec<Taken> = Vec::new();
    let mut parts: Vec<Taken> = Vec::new();
    let mut items: Vec<u32> = Vec::new();
    let mut from = 0;
    for (at, (receipt, end)) in receipts.iter().zip(ends).enumerate() {
        let lines = &order[from..end];
        from = end;
        let (mut net, mut given_back, mut is_refund) = (0i64, 0i64, false);
        taken.clear();
        parts.clear();
        for line in lines.iter().map(|at| &all[*at as usize]).filter(|line| line.counts()) {
            if line.kind == Kind::Return {
                given_back = given_back.saturating_sub(line.net);
                is_refund = true;
                continue;
            }
            net = net.saturating_add(line.net);
            let units = units(line.qty);
            let among = if line.parent < 0 { &mut taken } else { &mut parts };
            match among.iter_mut().find(|(item, ..)| *item == line.item) {
                Some((_, qty, all)) => {
                    *qty = qty.saturating_add(line.qty);
                    *all = all.saturating_add(units);
                }
                None => among.push((line.item, line.qty, units)),
            }
        }
        if taken.iter().all(|(_, qty, _)| *qty <= 0) {
            std::mem::swap(&mut taken, &mut parts);
        }
        let seconds = (receipt.seconds >= 0).then_some(receipt.seconds);
        items.clear();
        items.extend(taken.iter().filter(|(_, qty, _)| *qty > 0).map(|(item, ..)| *item));
        if !items.is_empty() {
            let units =
                taken.iter().filter(|(_, qty, _)| *qty > 0).map(|(_, _, units)| (*units).max(1)).sum();
            seen(Seen::Ticket(Ticket { receipt: at, seconds, net, units, items: &items }));
        }
        if is_refund {
            seen(Seen::Refund(Refund { seconds, amount: given_back }));
        }
    }
}

/// The number of tickets of each till that has some, and their net sales in centavos.
#[must_use]
pub fn by_till<'a>(receipts: &'a [Receipt], lines: &[DayLine]) -> BTreeMap<&'a str, (i64, i64)> {
    let mut tills: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    each_of(receipts, lines, |seen| {
        let Seen::Ticket(ticket) = seen else { return };
        let (tickets, net) = tills.entry(&receipts[ticket.receipt].terminal).or_default();
        *tickets += 1;
        *net = net.saturating_add(ticket.net);
    });
    tills
}

/// The number of items of a line's quantity.
fn units(qty: i64) -> i64 {
    if qty % MILLION == 0 { qty / MILLION } else { qty.signum() }
}

/// The lines by receipt: the end of each, and the line indexes in that order.
fn by_receipt(receipts: usize, lines: &[DayLine]) -> (Vec<usize>, Vec<u32>) {
    let place = |receipt: i32| usize::try_from(receipt).ok().filter(|at| *at < receipts);
    let mut ends = vec![0usize; receipts];
    for line in lines {
        if let Some(at) = place(line.receipt) {
            ends[at] += 1;
        }
    }
    let mut sum = 0;
    let mut next: Vec<usize> = Vec::with_capacity(ends.len());
    for end in &mut ends {
        next.push(sum);
        sum += *end;
        *end = sum;
    }
    let mut order = vec![0u32; sum];
    for (at, line) in (0u32..).zip(lines) {
        if let Some(receipt) = place(line.receipt) {
            order[next[receipt]] = at;
            next[receipt] += 1;
        }
    }
    (ends, order)
}

#[cfg(test)]
mod tests {
    use super::super::day::{DayLine, Receipt, SoldItem};
    use super::*;

    fn line(receipt: i32, item: u32, kind: Kind, qty: i64, net: i64) -> DayLine {
        DayLine {
            line_no: 1,
            receipt,
            seconds: 0,
            item,
            kind,
            qty,
            unit_price: 0,
            discount: 0,
            net,
            parent: -1,
        }
    }

    fn seen(receipts: &[i32], lines: Vec<DayLine>) -> Vec<String> {
        let item = |at: u32| SoldItem { pos_item_id: format!("p{at}").into(), source_item: "x".into() };
        let day = Unpacked {
            items: (0..5).map(item).collect(),
            receipts: receipts
                .iter()
                .map(|seconds| Receipt { seconds: *seconds, ..Receipt::default() })
                .collect(),
            lines,
            facts: Vec::new(),
        };
        let mut all = Vec::new();
        each(&day, |seen| {
            all.push(match seen {
                Seen::Ticket(it) => format!("{:?} {} {} {:?}", it.seconds, it.net, it.units, it.items),
                Seen::Refund(it) => format!("{:?} back {}", it.seconds, it.amount),
            });
        });
        all
    }

    #[test]
    fn lines_form_tickets_in_any_order() {
        let lines = vec![
            line(1, 0, Kind::Sale, 2 * MILLION, 200),
            line(0, 1, Kind::Sale, MILLION, 50),
            line(1, 2, Kind::Sale, 350_000, 70),
            line(1, 0, Kind::Sale, MILLION, 100),
            line(-1, 3, Kind::Sale, MILLION, 9),
        ];
        let all = seen(&[39_600, -1], lines);
        assert_eq!(all, ["Some(39600) 50 1 [1]", "None 370 4 [0, 2]"]);
    }

    #[test]
    fn what_belongs_to_an_item_is_no_item_of_its_own() {
        let part =
            |receipt, item, net| DayLine { parent: 0, ..line(receipt, item, Kind::Sale, MILLION, net) };
        let lines = vec![
            line(0, 0, Kind::Sale, 2 * MILLION, 200),
            part(0, 1, 0),
            part(0, 2, 20),
            line(0, 1, Kind::Sale, MILLION, 50),
            part(1, 2, 30),
        ];
        assert_eq!(seen(&[1, 2], lines), ["Some(1) 270 3 [0, 1]", "Some(2) 30 1 [2]"]);
    }

    #[test]
    fn voids_are_left_out() {
        let lines = vec![
            line(0, 0, Kind::Sale, MILLION, 100),
            line(0, 1, Kind::Sale, MILLION, 60),
            line(0, 1, Kind::Void, -MILLION, -60),
            line(0, 2, Kind::Void, MILLION, 30),
            line(1, 0, Kind::Sale, MILLION, 100),
            line(1, 0, Kind::Void, -MILLION, -100),
            line(2, 0, Kind::Void, MILLION, 100),
        ];
        assert_eq!(seen(&[1, 2, 3, 4], lines), ["Some(1) 100 1 [0]"]);
    }

    #[test]
    fn tickets_are_summed_by_till() {
        let on = |terminal: &str| Receipt { terminal: terminal.to_owned(), ..Receipt::default() };
        let receipts = [on("T1"), on("T1"), on("T2"), on("T1"), on("T3")];
        let lines = [
            line(0, 0, Kind::Sale, MILLION, 100),
            // A sale and a return on one receipt.
            line(1, 0, Kind::Sale, 2 * MILLION, 200),
            line(1, 1, Kind::Return, -MILLION, -25),
            line(2, 0, Kind::Sale, MILLION, 70),
            // Only voids, and only returns.
            line(3, 0, Kind::Sale, MILLION, 100),
            line(3, 0, Kind::Void, -MILLION, -100),
            line(4, 0, Kind::Return, -MILLION, -60),
            line(-1, 0, Kind::Sale, MILLION, 9),
        ];
        let tills: Vec<_> = by_till(&receipts, &lines).into_iter().collect();
        assert_eq!(tills, [("T1", (2, 300)), ("T2", (1, 70))]);
    }

    #[test]
    fn returns_are_kept_separate() {
        let lines = vec![
            line(0, 0, Kind::Return, -MILLION, -100),
            line(1, 0, Kind::Sale, MILLION, 100),
            line(1, 1, Kind::Return, -MILLION, -25),
        ];
        assert_eq!(seen(&[5, 6], lines), ["Some(5) back 100", "Some(6) 100 1 [0]", "Some(6) back 25"]);
    }
}
