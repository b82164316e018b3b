//! Allocates a receipt's amount to lines without amounts.

use std::collections::HashSet;

use super::line::Line;
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
        if self.key != Some(key) || key.3 == super::line::NONE {
            self.release(take);
            let first = key.3 == super::line::NONE || self.seen.insert(key);
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
