//! Allocates a receipt's amount to lines without amounts.

use std::collections::{BTreeMap, HashSet};

use super::Kind;
use super::line::{Line, NONE};
use super::receipt_level_figures::Key;

/// Buffers the lines of a receipt until it is complete.
#[derive(Debug, Default)]
pub(super) struct Spread {
    key: Option<Key>,
    total: i64,
    lines: Vec<Line>,
    seen: HashSet<Key>,
}

impl Spread {
    /// Adds a line and its receipt's amount in centavos; emits the buffered lines of the previous receipt. Returns what
    /// the line adds to the total of all receipts: a receipt in two parts is counted with the first.
    pub fn hold(&mut self, key: Key, total: i64, line: Line, take: &mut impl FnMut(Line)) -> i64 {
        let mut more = 0;
        // A line without a receipt number is a receipt of its own.
        if self.key != Some(key) || key.3 == NONE {
            self.release(take);
            let first = key.3 == NONE || self.seen.insert(key);
            more = if first { total } else { 0 };
            (self.key, self.total) = (Some(key), more);
        }
        self.lines.push(line);
        more
    }

    /// Emits the buffered lines, each with its part of the amount: by its own amount, else by quantity.
    pub fn release(&mut self, take: &mut impl FnMut(Line)) {
        self.key = None;
        let weigh = |by: fn(&Line) -> i64| -> Vec<i128> {
            self.lines.iter().map(|line| i128::from(by(line).abs())).collect()
        };
        let mut weights = weigh(|line| line.net);
        if weights.iter().sum::<i128>() == 0 {
            weights = weigh(|line| line.qty);
        }
        let all = weights.iter().sum::<i128>();
        let (mut before, mut given) = (0, 0);
        let total = i128::from(self.total);
        for (at, (line, weight)) in self.lines.drain(..).zip(weights).enumerate() {
            before += weight;
            let upto = if all == 0 { if at == 0 { total } else { given } } else { total * before / all };
            let net = i64::try_from(upto - given).unwrap_or(0);
            given = if all == 0 { total } else { upto };
            let price = if line.qty == 0 {
                0
            } else {
                i128::from(net + line.discount).abs() * 1_000_000 / i128::from(line.qty).abs()
            };
            let unit_price =
                if line.unit_price == 0 { i64::try_from(price).unwrap_or(0) } else { line.unit_price };
            take(Line { net, unit_price, ..line });
        }
        self.total = 0;
    }
}

/// Takes discount lines off the other lines of their receipt, in proportion to their amounts. What is more than these
/// lines, or has no receipt, stays a line.
pub(super) fn discounts(lines: &mut [Line]) {
    let mut receipts: BTreeMap<(u32, u32), (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.receipt != NONE) {
        let (sales, off) = receipts.entry((line.terminal, line.receipt)).or_default();
        if line.is_discount() {
            off.push(at);
        } else if line.kind == Kind::Sale && line.net > 0 {
            sales.push(at);
        }
    }
    for (sales, off) in receipts.into_values().filter(|(_, off)| !off.is_empty()) {
        let all: i128 = sales.iter().map(|at| i128::from(lines[*at].net)).sum();
        let total: i128 = off.iter().map(|at| i128::from(lines[*at].discount)).sum();
        if all < total || all == 0 {
            continue;
        }
        let (mut before, mut given) = (0, 0);
        for at in sales {
            before += i128::from(lines[at].net);
            let upto = total * before / all;
            let part = i64::try_from(upto - given).unwrap_or(0);
            given = upto;
            lines[at].net -= part;
            lines[at].discount += part;
        }
        for at in off {
            lines[at] = lines[at].carrier();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discount_lines_reduce_the_lines_of_their_receipt() {
        let line = |receipt, kind, qty, discount, net| Line {
            row: 2,
            day: 0,
            seconds: -1,
            store: NONE,
            terminal: NONE,
            receipt,
            item: 0,
            service: NONE,
            kind,
            qty,
            unit_price: 0,
            discount,
            net,
            beside: 7,
            parent: NONE,
        };
        let sale = |receipt, net| line(receipt, Kind::Sale, 1_000_000, 0, net);
        let off = |receipt, less| line(receipt, Kind::Sale, 0, less, -less);
        let mut lines =
            [sale(1, 100), sale(1, 200), off(1, 50), off(1, 1), sale(2, 10), off(2, 11), off(NONE, 5)];
        discounts(&mut lines);
        let seen = lines.map(|line| (line.discount, line.net));
        assert_eq!(seen, [(17, 83), (34, 166), (0, 0), (0, 0), (0, 10), (11, -11), (5, -5)]);
        assert!(lines[2].is_carrier() && lines[2].beside == 7, "what was paid with it stays");
    }
}
