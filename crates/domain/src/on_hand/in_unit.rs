//! A root item's quantity in the unit of a product or of a counted item.

use crate::decimal::div_round;
use crate::{Factor, Qty};

/// A quantity in another unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InUnit {
    /// Rounded half away from zero to the millionth.
    pub qty: Qty,
    /// Whether nothing was rounded.
    pub exact: bool,
}

/// A quantity of a root item in a unit that contains `factor` of it. `None` for a factor that is not above zero, or on
/// overflow.
#[must_use]
pub fn in_unit(root: Qty, factor: Factor) -> Option<InUnit> {
    if factor.0 <= 0 {
        return None;
    }
    let billionths = i128::from(root.0) * 1_000_000_000;
    let qty = div_round(billionths, factor.0.into()).map(Qty)?;
    Some(InUnit { qty, exact: billionths % i128::from(factor.0) == 0 })
}

/// The most whole units that a quantity of a root item contains; zero if it is negative. `None` as for [`in_unit`].
#[must_use]
pub fn whole_units(root: Qty, factor: Factor) -> Option<i64> {
    if factor.0 <= 0 {
        return None;
    }
    let units = i128::from(root.0.max(0)) * 1_000 / i128::from(factor.0);
    i64::try_from(units).ok()
}

/// Whether the stock of a counted item is that of its root item: the item represents one root item, and no other item
/// does. Otherwise it is a share.
#[must_use]
pub const fn is_whole_stock(roots_of_item: usize, items_of_root: usize) -> bool {
    roots_of_item == 1 && items_of_root == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn factor(text: &str) -> Factor {
        Factor::parse(text).expect("a factor")
    }

    fn qty(text: &str) -> Qty {
        Qty::parse(text).expect("a quantity")
    }

    #[test]
    fn a_figure_in_another_unit_says_whether_it_is_exact() {
        let butter = |text: &str, pack: &str| in_unit(qty(text), factor(pack)).map(|it| (it.qty, it.exact));
        // A pack of 225 g: 1.5 kg are six and two thirds.
        assert_eq!(butter("1.5", "0.225"), Some((qty("6.666667"), false)));
        assert_eq!(butter("1.5", "0.25"), Some((qty("6"), true)));
        assert_eq!(butter("-3.5", "0.25"), Some((qty("-14"), true)));
        assert_eq!(butter("1", "0.3"), Some((qty("3.333333"), false)));
        assert_eq!(butter("1.5", "0"), None);
        assert_eq!(in_unit(Qty(i64::MAX), Factor(1)), None);
    }

    #[test]
    fn only_whole_units_can_be_sent() {
        assert_eq!(whole_units(qty("1.5"), factor("0.225")), Some(6));
        assert_eq!(whole_units(qty("0.224999"), factor("0.225")), Some(0));
        assert_eq!(whole_units(qty("-3.5"), factor("0.225")), Some(0));
        assert_eq!(whole_units(qty("1"), Factor(0)), None);
    }

    #[test]
    fn an_item_shows_the_stock_only_if_it_alone_represents_the_root_item() {
        assert!(is_whole_stock(1, 1));
        assert!(!is_whole_stock(1, 2) && !is_whole_stock(2, 1) && !is_whole_stock(0, 0));
    }

    proptest! {
        /// Converted back it differs by at most half a millionth of the unit, and not at all if it is exact.
        #[test]
        fn converting_back_gives_the_figure(root in -1_000_000_000_000i64..1_000_000_000_000, factor in 1_000i64..1_000_000_000_000) {
            let (root, factor) = (Qty(root), Factor(factor));
            let Some(found) = in_unit(root, factor) else { return Ok(()) };
            let exactly = i128::from(found.qty.0) * i128::from(factor.0) - i128::from(root.0) * 1_000_000_000;
            prop_assert!(exactly.abs() * 2 <= i128::from(factor.0));
            prop_assert_eq!(found.exact, exactly == 0);
            if found.exact {
                prop_assert_eq!(found.qty.scaled(factor), Some(root));
            }
        }

        /// The whole units fit, and one more does not.
        #[test]
        fn whole_units_are_the_most_that_fit(root in 0i64..1_000_000_000_000, factor in 1_000i64..1_000_000_000_000) {
            let units = i128::from(whole_units(Qty(root), Factor(factor)).expect("small numbers"));
            // Units times billionths, in millionths.
            prop_assert!(units * i128::from(factor) <= i128::from(root) * 1_000);
            prop_assert!((units + 1) * i128::from(factor) > i128::from(root) * 1_000);
        }
    }
}
