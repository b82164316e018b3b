//! Allocation of shortages: how much of a product each store gets when a kitchen has less than was ordered. In whole
//! packs, never more than ordered or available, and independent of the order of stores.

use std::cmp::Ordering;

use crate::Qty;

/// A store's request, in base units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask<'a> {
    /// The store; breaks ties.
    pub store: &'a str,
    /// Ordered and not yet received.
    pub need: Qty,
    /// Base units per pack.
    pub pack: Qty,
    /// On hand and in transit; negative where usage exceeded the known stock. Only for equal cover.
    pub position: Qty,
    /// Daily usage. Only for equal cover.
    pub rate: Qty,
}

impl Ask<'_> {
    fn packs(&self) -> i64 {
        if self.pack.0 <= 0 || self.need.0 <= 0 { 0 } else { self.need.0 / self.pack.0 }
    }
}

/// In proportion to the orders, rounded down to packs; the rest goes pack by pack to the largest remainder. Returns
/// base units, in the order of the asks.
#[must_use]
pub fn proportional(asks: &[Ask<'_>], available: Qty) -> Vec<Qty> {
    let total: i128 = asks.iter().map(|ask| i128::from(ask.packs()) * i128::from(ask.pack.0)).sum();
    let there = i128::from(available.0.max(0));
    if total <= there {
        return asks.iter().map(|ask| Qty(ask.packs() * ask.pack.0)).collect();
    }
    let mut shares: Vec<i64> = Vec::with_capacity(asks.len());
    let mut rest: Vec<(usize, i128)> = Vec::with_capacity(asks.len());
    for (at, ask) in asks.iter().enumerate() {
        let (need, pack) = (i128::from(ask.packs()) * i128::from(ask.pack.0), i128::from(ask.pack.0.max(1)));
        let packs = need * there / (total * pack);
        shares.push(i64::try_from(packs).unwrap_or(0));
        rest.push((at, need * there - packs * total * pack));
    }
    let mut left = there - given(asks, &shares);
    // Largest remainder first; the store breaks ties.
    rest.sort_by(|(a, one), (b, other)| other.cmp(one).then_with(|| asks[*a].store.cmp(asks[*b].store)));
    for (at, _) in rest {
        let pack = i128::from(asks[at].pack.0);
        if shares[at] < asks[at].packs() && pack <= left {
            shares[at] += 1;
            left -= pack;
        }
    }
    in_base(asks, &shares)
}

/// Equal days of cover for all: find T with Σ clip(rate·T − position, 0, need) = available, round down to packs, and
/// give the rest pack by pack to the store with the least cover (tie: the store). Source: fair share allocation in
/// replenishment planning.
#[must_use]
pub fn equal_cover(asks: &[Ask<'_>], available: Qty) -> Vec<Qty> {
    let total: i128 = asks.iter().map(|ask| i128::from(ask.packs()) * i128::from(ask.pack.0)).sum();
    let there = i128::from(available.0.max(0));
    if total <= there {
        return asks.iter().map(|ask| Qty(ask.packs() * ask.pack.0)).collect();
    }
    let (num, den) = cover(asks, there);
    let mut shares: Vec<i64> = asks
        .iter()
        .map(|ask| {
            // Without usage, any stock lasts for ever.
            if ask.rate.0 <= 0 {
                return 0;
            }
            let exact = i128::from(ask.rate.0) * num - i128::from(ask.position.0) * den;
            let packs = exact.max(0) / (den * i128::from(ask.pack.0.max(1)));
            i64::try_from(packs).unwrap_or(i64::MAX).min(ask.packs())
        })
        .collect();
    let mut left = there - given(asks, &shares);
    while let Some(at) = (0..asks.len())
        .filter(|at| shares[*at] < asks[*at].packs() && i128::from(asks[*at].pack.0) <= left)
        .min_by(|a, b| shorter(&asks[*a], shares[*a], &asks[*b], shares[*b]))
    {
        shares[at] += 1;
        left -= i128::from(asks[at].pack.0);
    }
    in_base(asks, &shares)
}

fn given(asks: &[Ask<'_>], shares: &[i64]) -> i128 {
    asks.iter().zip(shares).map(|(ask, packs)| i128::from(*packs) * i128::from(ask.pack.0)).sum()
}

fn in_base(asks: &[Ask<'_>], shares: &[i64]) -> Vec<Qty> {
    asks.iter().zip(shares).map(|(ask, packs)| Qty(packs * ask.pack.0)).collect()
}

/// Compares days of cover: (position + share) ÷ rate; infinite without usage.
fn shorter(a: &Ask<'_>, a_packs: i64, b: &Ask<'_>, b_packs: i64) -> Ordering {
    let has =
        |ask: &Ask<'_>, packs: i64| i128::from(ask.position.0) + i128::from(packs) * i128::from(ask.pack.0);
    let by_cover = match (a.rate.0 > 0, b.rate.0 > 0) {
        (true, true) => {
            (has(a, a_packs) * i128::from(b.rate.0)).cmp(&(has(b, b_packs) * i128::from(a.rate.0)))
        }
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => Ordering::Equal,
    };
    by_cover.then_with(|| a.store.cmp(b.store))
}

/// The days of cover that the allocation aims at in a shortage; `None` if every store gets its order.
#[must_use]
pub fn days_of_cover(asks: &[Ask<'_>], available: Qty) -> Option<f64> {
    let total: i128 = asks.iter().map(|ask| i128::from(ask.packs()) * i128::from(ask.pack.0)).sum();
    let there = i128::from(available.0.max(0));
    if total <= there {
        return None;
    }
    let (num, den) = cover(asks, there);
    Some(num as f64 / den as f64)
}

/// The days T, as a fraction of integers, at which the allocation equals the available quantity.
fn cover(asks: &[Ask<'_>], there: i128) -> (i128, i128) {
    let used: Vec<&Ask<'_>> = asks.iter().filter(|ask| ask.rate.0 > 0 && ask.packs() > 0).collect();
    // Where a store starts to get something, and where it has all it needs.
    let mut ends: Vec<(i128, i128)> = Vec::with_capacity(used.len() * 2);
    for ask in &used {
        let (position, need, rate) =
            (i128::from(ask.position.0), i128::from(ask.need.0), i128::from(ask.rate.0));
        ends.extend([(position, rate), (position + need, rate)]);
    }
    ends.sort_by(|(a, b), (c, d)| (a * d).cmp(&(c * b)));
    for (num, den) in &ends {
        let given: i128 = used
            .iter()
            .map(|ask| {
                let exact = i128::from(ask.rate.0) * num - i128::from(ask.position.0) * den;
                exact.clamp(0, i128::from(ask.need.0) * den)
            })
            .sum();
        if given >= there * den {
            return between(&used, there, (*num, *den));
        }
    }
    ends.last().copied().unwrap_or((0, 1))
}

/// T within the segment that ends at `end`: the stores that get part of their need there, and those that have all.
fn between(used: &[&Ask<'_>], there: i128, (num, den): (i128, i128)) -> (i128, i128) {
    let (mut rates, mut rest) = (0, there);
    for ask in used {
        let (position, need, rate) =
            (i128::from(ask.position.0), i128::from(ask.need.0), i128::from(ask.rate.0));
        let begins = position * den < rate * num;
        let full = (position + need) * den < rate * num;
        if full {
            rest -= need;
        } else if begins {
            rates += rate;
            rest += position;
        }
    }
    if rates == 0 { (num, den) } else { (rest, rates) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ask(store: &str, position: i64, rate: i64, need: i64, pack: i64) -> Ask<'_> {
        let qty = |n: i64| Qty(n * 1_000_000);
        Ask { store, need: qty(need), pack: qty(pack), position: qty(position), rate: qty(rate) }
    }

    /// 180 available, packs of 10.
    fn case() -> [Ask<'static>; 4] {
        [
            ask("S1", 20, 10, 120, 10),
            ask("S2", 10, 20, 130, 10),
            ask("S3", 50, 5, 20, 10),
            ask("S4", 0, 8, 80, 10),
        ]
    }

    fn whole(shares: &[Qty]) -> Vec<i64> {
        shares.iter().map(|share| share.0 / 1_000_000).collect()
    }

    #[test]
    fn the_worked_case_is_met_to_the_digit() {
        let shares = whole(&equal_cover(&case(), Qty(180_000_000)));
        assert_eq!(shares, [40, 100, 0, 40]);
        let days = days_of_cover(&case(), Qty(180_000_000)).expect("short");
        assert!((days - 5.526_315_789_473_682).abs() < 1e-9, "{days}");
    }

    #[test]
    fn proportion_rounds_down_and_gives_the_rest_to_the_largest_remainder() {
        // 350 ordered, 180 available: 61.7, 66.9, 10.3 and 41.1 are 60, 60, 10 and 40; the last pack goes to S2.
        assert_eq!(whole(&proportional(&case(), Qty(180_000_000))), [60, 70, 10, 40]);
        assert_eq!(whole(&proportional(&case(), Qty(350_000_000))), [120, 130, 20, 80]);
        assert_eq!(whole(&proportional(&case(), Qty(-5))), [0, 0, 0, 0]);
        assert_eq!(whole(&equal_cover(&case(), Qty(0))), [0, 0, 0, 0]);
    }

    type Drawn = (i64, i64, i64, i64);

    fn asks(drawn: &[Drawn]) -> Vec<(String, Drawn)> {
        drawn.iter().enumerate().map(|(at, one)| (format!("store {at:02}"), *one)).collect()
    }

    proptest! {
        #[test]
        fn no_store_gets_more_than_ordered_or_available(
            drawn in prop::collection::vec((-50i64..200, 0i64..40, 0i64..300, 1i64..25), 1..9),
            available in 0i64..1_500, turn in 0usize..9,
        ) {
            let named = asks(&drawn);
            let all: Vec<Ask<'_>> =
                named.iter().map(|(store, (position, rate, need, pack))| ask(store, *position, *rate, *need, *pack)).collect();
            let there = Qty(available * 1_000_000);
            for share in [proportional, equal_cover] {
                let shares = share(&all, there);
                let sum: i64 = shares.iter().map(|share| share.0).sum();
                prop_assert!(sum <= there.0);
                for (ask, share) in all.iter().zip(&shares) {
                    prop_assert!(share.0 >= 0 && *share <= ask.need.max(Qty(0)) && share.0 % ask.pack.0 == 0);
                    // The rest is less than a pack that some store still needs, or all stores got everything.
                    let waits = share.0 + ask.pack.0 <= ask.need.0;
                    prop_assert!(!waits || there.0 - sum < ask.pack.0 || share_is_proportional(&all, there, &shares));
                }
                let mut turned = all.clone();
                turned.rotate_left(turn % all.len());
                let again = share(&turned, there);
                for (ask, share) in all.iter().zip(&shares) {
                    let at = turned.iter().position(|other| other.store == ask.store).expect("there");
                    prop_assert_eq!(again[at], *share, "{}", ask.store);
                }
            }
        }
    }

    /// A proportional share gets at most one pack of the rounding remainder.
    fn share_is_proportional(asks: &[Ask<'_>], there: Qty, shares: &[Qty]) -> bool {
        proportional(asks, there) == shares
    }
}
