//! Exact positive fractions of arbitrary precision, with the operations units need: multiply, compare, round once.

use std::cmp::Ordering;

use crate::{Factor, Qty};

/// A positive fraction, not necessarily in lowest terms; comparison cross-multiplies.
#[derive(Debug, Clone)]
pub struct Ratio {
    above: Whole,
    below: Whole,
}

impl Ratio {
    pub(super) fn one() -> Self {
        Self::new(1, 1)
    }

    /// From two positive integers.
    pub(super) fn new(above: u64, below: u64) -> Self {
        Self { above: Whole::of(above), below: Whole::of(below) }
    }

    /// From a positive factor.
    pub(super) fn of(factor: Factor) -> Option<Self> {
        let above = u64::try_from(factor.0).ok().filter(|above| *above > 0)?;
        Some(Self::new(above, 1_000_000_000))
    }

    /// The reciprocal.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self { above: self.below.clone(), below: self.above.clone() }
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self { above: self.above.times(&other.above), below: self.below.times(&other.below) }
    }

    /// Rounded to nine decimals; `None` if it rounds to zero or overflows.
    #[must_use]
    pub fn factor(&self) -> Option<Factor> {
        self.of_count(1_000_000_000).map(Factor).filter(|factor| !factor.is_zero())
    }

    /// The product with a quantity, rounded to the millionth.
    #[must_use]
    pub fn of_qty(&self, qty: Qty) -> Option<Qty> {
        self.of_count(qty.0).map(Qty)
    }

    /// `count · above / below`, rounded half away from zero.
    fn of_count(&self, count: i64) -> Option<i64> {
        let twice = self.above.times(&Whole::of(count.unsigned_abs())).times(&Whole::of(2));
        // The rounded value is the largest n for which (2n − 1) · below does not exceed twice the product.
        let fits = |n: u64| n == 0 || self.below.times(&Whole::of(n + (n - 1))) <= twice;
        if fits(1 << 63) {
            return None;
        }
        let mut size = 0u64;
        for bit in (0..63).rev() {
            if fits(size | 1 << bit) {
                size |= 1 << bit;
            }
        }
        let size = i64::try_from(size).ok()?;
        Some(if count < 0 { -size } else { size })
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        self.above.times(&other.below).cmp(&other.above.times(&self.below))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}

/// A natural number of any length: digits of base 2^64, lowest first, the highest not zero.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Whole(Vec<u64>);

impl Whole {
    fn of(number: u64) -> Self {
        Self(if number == 0 { Vec::new() } else { vec![number] })
    }

    fn times(&self, other: &Self) -> Self {
        let mut digits = vec![0u64; self.0.len() + other.0.len()];
        for (i, mine) in self.0.iter().enumerate() {
            let mut carry = 0u128;
            for (k, theirs) in other.0.iter().enumerate() {
                carry += u128::from(*mine) * u128::from(*theirs) + u128::from(digits[i + k]);
                digits[i + k] = low(carry);
                carry >>= u64::BITS;
            }
            digits[i + other.0.len()] = low(carry);
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self(digits)
    }
}

impl PartialOrd for Whole {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Whole {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

/// The lowest digit of a carry.
fn low(carry: u128) -> u64 {
    (carry & u128::from(u64::MAX)) as u64
}
