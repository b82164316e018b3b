//! Quantities of document lines: in the line's unit, and in base units for the ledger.

use crate::quantity::MOST;
use crate::{Factor, Qty};

/// Maximum quantity of a line, in its unit: a billion.
pub const MOST_OF_A_LINE: Qty = Qty(1_000_000_000_000_000);

/// What is wrong with a typed quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// Zero or negative.
    NotAboveZero,
    BelowZero,
    /// Past [`MOST_OF_A_LINE`], or past the ledger's range in base units.
    TooLarge,
    /// A fraction of an indivisible pack.
    NotWhole,
}

impl Wrong {
    /// The message; `unit` is the code of the line's unit.
    #[must_use]
    pub fn message(self, unit: &str) -> String {
        match self {
            Self::NotAboveZero => "Enter a quantity above zero.".to_owned(),
            Self::BelowZero => "Enter zero or more.".to_owned(),
            Self::TooLarge => "This quantity is too large.".to_owned(),
            Self::NotWhole => format!("Enter a whole number: {unit} is not split."),
        }
    }
}

/// Validates a positive quantity. `whole`: its unit is indivisible.
///
/// # Errors
/// What is wrong with it.
pub fn check(qty: Qty, factor: Factor, whole: bool) -> Result<(), Wrong> {
    if qty.0 <= 0 { Err(Wrong::NotAboveZero) } else { check_some(qty, factor, whole) }
}

/// Like [`check`], but allows zero.
///
/// # Errors
/// What is wrong with it.
pub fn check_some(qty: Qty, factor: Factor, whole: bool) -> Result<(), Wrong> {
    if qty.0 < 0 {
        Err(Wrong::BelowZero)
    } else if qty > MOST_OF_A_LINE || base(qty, factor).is_none() {
        Err(Wrong::TooLarge)
    } else if whole && qty.0 % 1_000_000 != 0 {
        Err(Wrong::NotWhole)
    } else {
        Ok(())
    }
}

/// A quantity in base units, rounded half away from zero to the millionth; `None` past the ledger's range.
#[must_use]
pub fn base(qty: Qty, factor: Factor) -> Option<Qty> {
    qty.scaled(factor).filter(|base| base.0.abs() < MOST)
}

/// A quantity of the ledger in a line's unit, at least zero and rounded down: for messages.
#[must_use]
pub fn in_units(base: Qty, factor: Factor) -> Qty {
    let units = i128::from(base.0.max(0)) * 1_000_000_000 / i128::from(factor.0.max(1));
    Qty(i64::try_from(units).unwrap_or(0))
}

/// What a line adds to the ledger when its figure goes from `before` to `after`, in base units. Parts add up exactly to
/// the whole, however often the figure grows: the figure is rounded, never the part.
#[must_use]
pub fn moved(before: Qty, after: Qty, factor: Factor) -> Option<Qty> {
    base(after, factor)?.checked_sub(base(before, factor)?)
}

/// The least quantity of a unit that holds at least these base units, in whole units where it comes `whole`.
///
/// # Errors
/// `None` on overflow, or for a unit that holds nothing.
#[must_use]
pub fn covering(base: Qty, factor: Factor, whole: bool) -> Option<Qty> {
    let (factor, step) = (i128::from(factor.0), if whole { 1_000_000 } else { 1 });
    if factor <= 0 {
        return None;
    }
    let least = (i128::from(base.0.max(0)) * 1_000_000_000 + factor - 1) / factor;
    i64::try_from((least + step - 1) / step * step).ok().map(Qty)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_ordered_quantity_is_positive_whole_and_in_range() {
        let factor = Factor(24_000_000_000);
        assert_eq!(check(Qty(0), factor, true), Err(Wrong::NotAboveZero));
        assert_eq!(check(Qty(-1), factor, true), Err(Wrong::NotAboveZero));
        assert_eq!(check(Qty(1_500_000), factor, true), Err(Wrong::NotWhole));
        assert_eq!(check(Qty(1_500_000), factor, false), Ok(()));
        assert_eq!(check(Qty(i64::MAX), factor, true), Err(Wrong::TooLarge));
        assert_eq!(check(Qty(1_000_000_000_000_000), factor, true), Err(Wrong::TooLarge));
        assert_eq!(check_some(Qty(0), factor, true), Ok(()));
    }

    #[test]
    fn what_to_order_covers_the_shortfall_in_whole_packs() {
        let (case, kilo) = (Factor(24_000_000_000), Factor(1_500_000_000));
        assert_eq!(covering(Qty(49_000_000), case, true), Some(Qty(3_000_000)));
        assert_eq!(covering(Qty(48_000_000), case, true), Some(Qty(2_000_000)));
        assert_eq!(covering(Qty(3_000_000), kilo, false), Some(Qty(2_000_000)));
        assert_eq!(covering(Qty(-1), case, true), Some(Qty(0)));
        assert_eq!(covering(Qty(1), Factor(0), true), None);
    }

    proptest! {
        #[test]
        fn covering_is_enough_and_a_step_less_is_not(
            wanted in 0i64..1_000_000_000_000, factor in 1_000_000i64..100_000_000_000, whole in any::<bool>(),
        ) {
            let (step, factor) = (if whole { 1_000_000 } else { 1 }, Factor(factor));
            let found = covering(Qty(wanted), factor, whole).expect("in range");
            let holds = |qty: i64| i128::from(qty) * i128::from(factor.0) >= i128::from(wanted) * 1_000_000_000;
            prop_assert!(holds(found.0) && found.0 % step == 0);
            prop_assert!(found.0 == 0 || !holds(found.0 - step));
        }

        #[test]
        fn parts_add_up_to_the_whole(
            parts in prop::collection::vec(0i64..5_000_000_000, 1..8),
            factor in 1i64..100_000_000_000_000,
        ) {
            let factor = Factor(factor);
            let (mut figure, mut total) = (Qty::ZERO, 0);
            for part in parts {
                let after = Qty(figure.0 + part);
                let Some(step) = moved(figure, after, factor) else { return Ok(()) };
                total += step.0;
                figure = after;
            }
            prop_assert_eq!(Some(Qty(total)), base(figure, factor));
        }
    }
}
