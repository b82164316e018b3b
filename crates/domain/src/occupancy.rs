//! The occupancy cost of a store for some days of a month: rent under its lease, and charges by floor area.

use crate::cmsr::{RentMode, Terms};
use crate::decimal::div_round;
use crate::{Money, Qty};

/// Rent for some days of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rent {
    pub fixed: Money,
    /// Percentage rent in addition.
    pub percentage: Money,
}

/// Rent for `days` of a month of `of` days, with sales of `net` including VAT. Part of a month is charged as the same
/// part of a month that continues like it, so that breakpoints and the greater of two rents apply to it too. Add-backs
/// that are a part of a figure other than net sales are left out: only a certified month has those.
///
/// `None` on overflow, or without days.
#[must_use]
pub fn rent(terms: &Terms, net: Money, days: i32, of: i32) -> Option<Rent> {
    if days <= 0 || of <= 0 {
        return None;
    }
    let (days, of) = (i128::from(days), i128::from(of));
    // Includes 12 percent VAT.
    let ex_vat = Money(div_round(i128::from(net.0) * of * 100, days * 112)?);
    let mut subject = ex_vat;
    for one in &terms.add_backs {
        let more = match (one.amount, one.percent, one.of) {
            (Some(amount), ..) => amount,
            (None, Some(percent), None) => crate::tender::fee(ex_vat, percent)?,
            _ => Money(0),
        };
        subject = subject.checked_add(more)?;
    }
    let percentage = terms.percentage_rent(subject);
    let percentage = match terms.mode {
        RentMode::Additive => percentage,
        RentMode::GreaterOf => Money(percentage.0.saturating_sub(terms.fixed.0).max(0)),
    };
    let part = |whole: Money| div_round(i128::from(whole.0) * days, of).map(Money);
    Some(Rent { fixed: part(terms.fixed)?, percentage: part(percentage)? })
}

/// Pesos per square metre and month, for an area and `days` of a month of `of` days.
#[must_use]
pub fn by_area(per_m2: Qty, area: Qty, days: i32, of: i32) -> Option<Money> {
    if of <= 0 {
        return None;
    }
    // Pesos and square metres are both in millionths: their product is in millionths of millionths, of which a centavo
    // is ten thousand million.
    let whole = i128::from(per_m2.0).checked_mul(i128::from(area.0))?.checked_mul(i128::from(days))?;
    div_round(whole, 10_000_000_000 * i128::from(of)).map(Money)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cmsr::{AddBack, Breakpoint};

    fn terms(mode: RentMode) -> Terms {
        Terms {
            fixed: Money(10_000_000),
            percent: Qty(10_000_000),
            mode,
            breakpoints: Vec::new(),
            add_backs: Vec::new(),
        }
    }

    #[test]
    fn percentage_rent_is_of_sales_without_vat() {
        let sold = Money(112_000_000);
        let both = rent(&terms(RentMode::Additive), sold, 30, 30);
        assert_eq!(both, Some(Rent { fixed: Money(10_000_000), percentage: Money(10_000_000) }));
        let greater = rent(&terms(RentMode::GreaterOf), Money(224_000_000), 30, 30);
        assert_eq!(greater, Some(Rent { fixed: Money(10_000_000), percentage: Money(10_000_000) }));
        let fixed = rent(&terms(RentMode::GreaterOf), Money(100), 30, 30);
        assert_eq!(fixed, Some(Rent { fixed: Money(10_000_000), percentage: Money(0) }));
        assert_eq!(rent(&terms(RentMode::Additive), sold, 0, 30), None);
    }

    #[test]
    fn half_a_month_pays_half_with_its_breakpoints() {
        let mut terms = terms(RentMode::Additive);
        terms.breakpoints = vec![Breakpoint { over: Money(100_000_000), percent: Qty(5_000_000) }];
        terms.add_backs = vec![AddBack {
            name: "Marketing".into(),
            amount: Some(Money(100_000_000)),
            percent: None,
            of: None,
        }];
        // A million without VAT in half a month: two a month and one added, a tenth up to one and a twentieth above.
        let half = rent(&terms, Money(112_000_000), 15, 30);
        assert_eq!(half, Some(Rent { fixed: Money(5_000_000), percentage: Money(10_000_000) }));
    }

    #[test]
    fn charges_go_by_area_and_days() {
        assert_eq!(by_area(Qty(120_500_000), Qty(10_000_000), 30, 30), Some(Money(120_500)));
        assert_eq!(by_area(Qty(120_500_000), Qty(10_000_000), 15, 30), Some(Money(60_250)));
    }

    proptest! {
        #[test]
        fn more_sales_never_cost_less(net in 0i64..1_000_000_000, more in 0i64..1_000_000_000, days in 1i32..=31) {
            for mode in [RentMode::Additive, RentMode::GreaterOf] {
                let of = |net| rent(&terms(mode), Money(net), days, 31).map(|rent| rent.fixed.0 + rent.percentage.0);
                prop_assert!(of(net) <= of(net + more));
            }
        }
    }
}
