//! The figures of a row, and those that follow from them.

use super::Kind;
use super::line::{MAX_AMOUNT, MAX_QTY};
use super::mapping::PriceMeans;
use super::numbers::{centavos, extended, rounded};

/// The figures of a row as read, in millionths.
pub(super) struct Amounts {
    pub quantity: Option<i64>,
    pub price: Option<i64>,
    pub discount: Option<i64>,
    pub net: Option<i64>,
    pub kind: Option<Kind>,
}

impl Amounts {
    /// Kind, quantity, unit price, discount and net that agree with each other.
    pub(super) fn settle(self, means: PriceMeans) -> Option<(Kind, i64, i64, i64, i64)> {
        let mut qty = self.quantity.unwrap_or(1_000_000);
        let kind = self.kind.unwrap_or(if qty < 0 { Kind::Return } else { Kind::Sale });
        if kind == Kind::Return && qty > 0 {
            qty = -qty;
        }
        let sign = if qty < 0 { -1 } else { 1 };
        let discount = sign * centavos(self.discount.unwrap_or(0).abs());
        let (unit_price, net) = match (self.price, self.net) {
            (None, None) => (0, -discount),
            (Some(price), net) => {
                let (each, gross) = match means {
                    PriceMeans::Unit => (centavos(price), extended(qty, price)?),
                    PriceMeans::Line => (per_unit(price, qty), sign * centavos(price)),
                };
                (each, net.map_or_else(|| gross.checked_sub(discount), |n| Some(sign * centavos(n.abs())))?)
            }
            (None, Some(net)) => {
                let net = sign * centavos(net.abs());
                let gross = net.checked_add(discount)?;
                (rounded(i128::from(gross.abs()) * 1_000_000, i128::from(qty).abs()).unwrap_or(0), net)
            }
        };
        // Without price and amount a discount has nothing to be taken from.
        let (discount, net) =
            if self.price.is_none() && self.net.is_none() { (0, 0) } else { (discount, net) };
        if qty.abs() > MAX_QTY || net.abs().max(discount.abs()).max(unit_price) > MAX_AMOUNT {
            return None;
        }
        Some((kind, qty, unit_price, discount, net))
    }
}

/// The centavos one costs when `qty` cost `line` millionths.
fn per_unit(line: i64, qty: i64) -> i64 {
    if qty == 0 {
        return 0;
    }
    rounded(i128::from(line) * 100, i128::from(qty).abs()).unwrap_or(0)
}
