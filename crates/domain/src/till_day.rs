//! A store-day by its verified Z-readings: all tills together, with discounts split as far as receipts allow.

use std::collections::BTreeMap;

use crate::zreading::TOLERANCE;
use crate::{BusinessDay, Money, Span};

/// What a reading says of each day that it covers: of its own day its net sales; if it covers several, of each what the
/// source reports whose sales of all of them add up to it, and nothing if none does. `sold` are the sales of its till:
/// source, day, net.
#[must_use]
pub fn net_by_day<'a>(
    covers: Span,
    net: Money,
    sold: impl Iterator<Item = (&'a str, BusinessDay, Money)>,
) -> Vec<(BusinessDay, Money)> {
    if covers.from == covers.to {
        return vec![(covers.to, net)];
    }
    let mut by_source: BTreeMap<&str, Vec<(BusinessDay, Money)>> = BTreeMap::new();
    for (source, day, sold) in sold.filter(|(_, day, _)| (covers.from..=covers.to).contains(day)) {
        by_source.entry(source).or_default().push((day, sold));
    }
    let adds_up = |days: &Vec<(BusinessDay, Money)>| {
        let sum = days.iter().fold(0_i64, |sum, (_, sold)| sum.saturating_add(sold.0));
        sum.abs_diff(net.0) <= TOLERANCE.0.unsigned_abs()
    };
    by_source.into_values().find(adds_up).unwrap_or_default()
}

/// The figures of one verified reading. Discounts, voids and returns are positive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    pub gross: Money,
    pub net: Money,
    /// As printed.
    pub vatable: Money,
    /// Whether `vatable` includes the tax.
    pub vat_inside: bool,
    pub vat: Money,
    pub exempt: Money,
    pub zero_rated: Money,
    pub senior: Money,
    pub pwd: Money,
    pub naac: Money,
    pub solo_parent: Money,
    pub valor: Money,
    pub other_discount: Money,
    pub voids: Money,
    pub returns: Money,
    pub vat_adjustment: Money,
    pub service_charge: Money,
}

/// The figures that only a day's receipts have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Receipts {
    pub employee: Money,
    pub vip: Money,
    pub promo: Money,
    pub local_tax: Money,
}

/// A store-day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TillDay {
    /// As printed by the tills, before deductions.
    pub z_gross: Money,
    /// Voids, returns and uncollected VAT: rung up and never sold.
    pub not_sold: Money,
    pub net: Money,
    /// Without the tax.
    pub vatable: Money,
    pub vat: Money,
    /// Net of the discounts given on it.
    pub exempt: Money,
    pub zero_rated: Money,
    pub senior: Money,
    pub pwd: Money,
    /// National athletes and coaches, solo parents, Medal of Valor.
    pub other_statutory: Money,
    pub naac: Money,
    pub solo_parent: Money,
    pub valor: Money,
    /// Promotions named on receipts.
    pub promo: Money,
    pub employee: Money,
    pub vip: Money,
    /// The readings' other discounts not explained by receipts.
    pub unexplained: Money,
    pub local_tax: Money,
    pub service_charge: Money,
}

impl TillDay {
    /// The sum of a day's readings, with other discounts split by its receipts: promotions first, then those of
    /// employees and VIPs, never more than the readings' discounts.
    #[must_use]
    pub fn of(readings: &[Reading], receipts: Receipts) -> Self {
        let sum = |of: fn(&Reading) -> Money| {
            Money(readings.iter().fold(0, |sum: i64, one| sum.saturating_add(of(one).0)))
        };
        let other = sum(|one| one.other_discount);
        let mut left = other.0.max(0);
        let mut take = |wished: Money| {
            let taken = wished.0.clamp(0, left);
            left -= taken;
            Money(taken)
        };
        let (promo, employee, vip) = (take(receipts.promo), take(receipts.employee), take(receipts.vip));
        let explained = promo.0 + employee.0 + vip.0;
        Self {
            z_gross: sum(|one| one.gross),
            not_sold: Money(
                sum(|one| one.voids).0 + sum(|one| one.returns).0 + sum(|one| one.vat_adjustment).0,
            ),
            net: sum(|one| one.net),
            vatable: sum(|one| if one.vat_inside { Money(one.vatable.0 - one.vat.0) } else { one.vatable }),
            vat: sum(|one| one.vat),
            exempt: sum(|one| one.exempt),
            zero_rated: sum(|one| one.zero_rated),
            senior: sum(|one| one.senior),
            pwd: sum(|one| one.pwd),
            other_statutory: Money(
                sum(|one| one.naac).0 + sum(|one| one.solo_parent).0 + sum(|one| one.valor).0,
            ),
            naac: sum(|one| one.naac),
            solo_parent: sum(|one| one.solo_parent),
            valor: sum(|one| one.valor),
            promo,
            employee,
            vip,
            unexplained: Money(other.0 - explained),
            local_tax: receipts.local_tax,
            service_charge: sum(|one| one.service_charge),
        }
    }

    /// Sales before discounts.
    #[must_use]
    pub fn gross(&self) -> Money {
        Money(self.z_gross.0 - self.not_sold.0)
    }

    /// The sum of the discounts.
    #[must_use]
    pub fn discounts(&self) -> Money {
        let each = [
            self.senior,
            self.pwd,
            self.other_statutory,
            self.promo,
            self.employee,
            self.vip,
            self.unexplained,
        ];
        Money(each.iter().map(|one| one.0).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn receipts_explain_no_more_than_readings_took_off() {
        let reading = Reading { other_discount: Money(100), ..Reading::default() };
        let receipts = Receipts { promo: Money(70), employee: Money(50), vip: Money(5), local_tax: Money(3) };
        let day = TillDay::of(&[reading], receipts);
        assert_eq!(
            (day.promo, day.employee, day.vip, day.unexplained),
            (Money(70), Money(30), Money(0), Money(0))
        );
        let alone = TillDay::of(&[reading], Receipts::default());
        assert_eq!(alone.unexplained, Money(100));
    }

    #[test]
    fn a_vatable_figure_excludes_its_tax() {
        let one =
            Reading { vatable: Money(11_200), vat: Money(1_200), vat_inside: true, ..Reading::default() };
        let two = Reading { vatable: Money(10_000), vat: Money(1_200), ..Reading::default() };
        assert_eq!(TillDay::of(&[one, two], Receipts::default()).vatable, Money(20_000));
    }

    proptest! {
        /// However they are split, discounts equal those of the readings.
        #[test]
        fn discounts_are_those_of_the_readings(
            other in 0i64..1_000_000, promo in 0i64..1_000_000, employee in 0i64..1_000_000, vip in 0i64..1_000_000,
        ) {
            let reading = Reading { other_discount: Money(other), senior: Money(7), naac: Money(2), ..Reading::default() };
            let receipts = Receipts { promo: Money(promo), employee: Money(employee), vip: Money(vip), ..Receipts::default() };
            let day = TillDay::of(&[reading, reading], receipts);
            prop_assert_eq!(day.discounts(), Money(2 * (other + 9)));
            prop_assert!(day.unexplained.0 >= 0);
        }
    }
}
