//! Deriving a row's missing figures.

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
    /// Consistent kind, quantity, unit price, discount and net.
    pub(super) fn settle(self, means: PriceMeans) -> Option<(Kind, i64, i64, i64, i64)> {
        let mut qty = self.quantity.unwrap_or(1_000_000);
        let kind = self.kind.unwrap_or(if qty < 0 { Kind::Return } else { Kind::Sale });
        if kind == Kind::Return && qty > 0 {
            qty = -qty;
        }
        let sign = if qty < 0 { -1 } else { 1 };
        let discount = sign * centavos(self.discount.unwrap_or(0).checked_abs()?);
        let (unit_price, net) = match (self.price, self.net) {
            (None, None) => (0, -discount),
            (Some(price), net) => {
                let (each, gross) = match means {
                    PriceMeans::Unit => (centavos(price), extended(qty, price)?),
                    PriceMeans::Line => (per_unit(price, qty)?, sign * centavos(price)),
                };
                let net = match net {
                    None => gross.checked_sub(discount)?,
                    Some(net) => sign * centavos(net.checked_abs()?),
                };
                (each, net)
            }
            (None, Some(net)) => {
                let net = sign * centavos(net.checked_abs()?);
                let gross = net.checked_add(discount)?;
                let each = match qty {
                    0 => 0,
                    _ => rounded(i128::from(gross).abs() * 1_000_000, i128::from(qty).abs())?,
                };
                (each, net)
            }
        };
        // Without price and amount there is nothing to discount.
        let (discount, net) =
            if self.price.is_none() && self.net.is_none() { (0, 0) } else { (discount, net) };
        if qty.checked_abs()? > MAX_QTY || net.abs().max(discount.abs()).max(unit_price) > MAX_AMOUNT {
            return None;
        }
        Some((kind, qty, unit_price, discount, net))
    }
}

/// The unit price in centavos when `qty` costs `line` millionths; `None` on overflow.
fn per_unit(line: i64, qty: i64) -> Option<i64> {
    if qty == 0 {
        return Some(0);
    }
    rounded(i128::from(line) * 100, i128::from(qty).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_is_refused_and_never_a_price_of_zero() {
        let row = |quantity, price, net| Amounts { quantity, price, discount: None, net, kind: None };
        let one = Some(1_000_000);
        let ten = Some(10_000_000);
        assert_eq!(
            row(one, None, ten).settle(PriceMeans::Unit),
            Some((Kind::Sale, 1_000_000, 1_000, 0, 1_000))
        );
        assert_eq!(row(Some(0), None, ten).settle(PriceMeans::Unit), Some((Kind::Sale, 0, 0, 0, 1_000)));
        // The smallest quantity, for the largest amount.
        assert_eq!(row(Some(1), None, Some(i64::MAX)).settle(PriceMeans::Unit), None);
        assert_eq!(row(Some(1), Some(i64::MAX), None).settle(PriceMeans::Line), None);
        for least in [i64::MIN, i64::MIN + 1] {
            for means in [PriceMeans::Unit, PriceMeans::Line] {
                assert_eq!(row(Some(least), ten, None).settle(means), None, "{least}");
                assert_eq!(row(one, ten, Some(least)).settle(means), None, "{least}");
                assert_eq!(row(one, None, Some(least)).settle(means), None, "{least}");
            }
        }
    }
}
