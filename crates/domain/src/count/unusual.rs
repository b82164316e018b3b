//! Which counts need a second look.

use crate::{Factor, Qty};

/// A small difference is not unusual, even if its ratio is.
const LEAST: Qty = Qty(5_000_000);

/// Whether a count is so far from the previous one that it needs a second look: by five or more, and by this factor or
/// more.
#[must_use]
pub fn is_unusual(before: Qty, now: Qty, factor: Factor) -> bool {
    let (small, big) = (before.min(now), before.max(now));
    let far = big.0.saturating_sub(small.0) >= LEAST.0;
    far && small.scaled(factor).is_some_and(|times| times <= big)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_by_ratio_and_not_by_a_small_difference() {
        let thrice = Factor(3_000_000_000);
        let of = |before: i64, now: i64| is_unusual(Qty(before * 1_000_000), Qty(now * 1_000_000), thrice);
        for (before, now, unusual) in [
            (12, 120, true),
            (120, 12, true),
            (12, 14, false),
            (1, 4, false),
            (40, 0, true),
            (0, 40, true),
            (10, 30, true),
            (10, 29, false),
            (7, 7, false),
        ] {
            assert_eq!(of(before, now), unusual, "{before} → {now}");
        }
    }
}
