//! What quantities cost, summed exactly and rounded once.

use std::iter::Sum;

use crate::{Money, Qty};

/// Millionths of a unit in one.
const UNIT: i128 = 1_000_000;

/// What quantities cost: millionths of a unit times centavos, exact. Only [`Worth::money`] rounds, so that every grouping
/// of the same quantities gives the same total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Worth(i128);

impl Worth {
    pub const ZERO: Self = Self(0);

    /// A quantity at a price per unit.
    #[must_use]
    pub fn of(qty: Qty, price: Money) -> Self {
        Self(i128::from(qty.0) * i128::from(price.0))
    }

    /// The sum of both. A sum past 128 bits stays at the limit, and so has no [`Worth::money`].
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// This less the other.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The same amount with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::ZERO.less(self)
    }

    /// The pesos for one of so many units, rounded half away from zero; `None` for none or fewer, or past 64 bits.
    #[must_use]
    pub fn each(self, units: Qty) -> Option<Money> {
        let half = i128::from(units.0) / 2;
        let raw = self.0.checked_add(half * self.0.signum()).filter(|_| units > Qty::ZERO)?;
        i64::try_from(raw / i128::from(units.0)).ok().map(Money)
    }

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// As stored: millionths times centavos; `None` past 64 bits (92 billion pesos).
    #[must_use]
    pub fn stored(self) -> Option<i64> {
        i64::try_from(self.0).ok()
    }

    /// From what [`Worth::stored`] gave.
    #[must_use]
    pub fn from_stored(raw: i64) -> Self {
        Self(raw.into())
    }

    /// From a sum of stored ones in two parts, so that neither passes 64 bits: whole centavos, and the millionths left.
    #[must_use]
    pub fn from_parts(centavos: i64, millionths: i64) -> Self {
        Self(i128::from(centavos) * UNIT + i128::from(millionths))
    }

    /// The pesos, rounded half away from zero to the centavo; `None` past 64 bits.
    #[must_use]
    pub fn money(self) -> Option<Money> {
        let (whole, rest) = (self.0 / UNIT, self.0 % UNIT);
        let more = if rest.abs() * 2 < UNIT { 0 } else { rest.signum() };
        i64::try_from(whole + more).ok().map(Money)
    }
}

impl Sum for Worth {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Self::plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn thirds_of_a_centavo_add_up() {
        let third = Worth::of(Qty(333_333), Money(1));
        assert_eq!(third.money(), Some(Money(0)));
        assert_eq!([third; 3].into_iter().sum::<Worth>().money(), Some(Money(1)));
        let half = Worth::of(Qty(500_000), Money(1));
        assert_eq!((half.money(), half.negated().money()), (Some(Money(1)), Some(Money(-1))));
        assert_eq!((half.each(Qty(1_000_000)), half.each(Qty(1_000_001))), (Some(Money(1)), Some(Money(0))));
        assert_eq!(half.each(Qty(0)), None);
        assert!(half.negated().is_negative() && !Worth::ZERO.is_negative());
    }

    #[test]
    fn parts_add_up_exactly() {
        let all = [i64::MAX, i64::MAX, -1_500_000, i64::MIN];
        let parts = (all.map(|raw| raw / 1_000_000), all.map(|raw| raw % 1_000_000));
        let sum = Worth::from_parts(parts.0.iter().sum(), parts.1.iter().sum());
        assert_eq!(sum, all.into_iter().map(Worth::from_stored).sum());
    }

    #[test]
    fn too_large_sums_have_no_pesos() {
        let most = Worth::of(Qty(i64::MIN), Money(i64::MIN));
        let sum = most.plus(most).plus(most);
        assert_eq!((sum.money(), sum.stored()), (None, None));
        assert_eq!(sum.negated().money(), None);
    }

    proptest! {
        #[test]
        fn any_order_and_grouping_gives_the_same_pesos(
            lines in proptest::collection::vec((-10_000_000_000i64..10_000_000_000, 0i64..1_000_000), 0..40),
            cut in 0usize..40,
        ) {
            let all: Vec<Worth> = lines.iter().map(|(qty, price)| Worth::of(Qty(*qty), Money(*price))).collect();
            let total: Worth = all.iter().copied().sum();
            let (some, others) = all.split_at(cut.min(all.len()));
            let grouped = others.iter().copied().sum::<Worth>().plus(some.iter().rev().copied().sum());
            prop_assert_eq!(total, grouped);
            prop_assert_eq!(total.less(some.iter().copied().sum()), others.iter().copied().sum());
            let exact: i128 = lines.iter().map(|(qty, price)| i128::from(*qty) * i128::from(*price)).sum();
            let pesos = total.money().expect("small");
            prop_assert!((i128::from(pesos.0) * UNIT - exact).abs() * 2 <= UNIT);
            prop_assert_eq!(total.stored().map(Worth::from_stored), Some(total));
        }

        #[test]
        fn one_line_rounds_as_a_quantity_does(qty in any::<i64>(), price in any::<i64>()) {
            prop_assert_eq!(Worth::of(Qty(qty), Money(price)).money(), Qty(qty).times(Money(price)));
        }
    }
}
