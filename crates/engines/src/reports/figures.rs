//! Sums, shares and changes: summed exactly, rounded once.

use larder_domain::{Money, Qty};

use larder_platform::http::{ApiError, ApiResult};

/// A number that is summed exactly.
pub trait Figure: Copy + Send + Sync {
    const ZERO: Self;
    /// In its smallest unit.
    fn raw(self) -> i64;
    /// From its smallest unit.
    fn of(raw: i64) -> Self;
}

impl Figure for i64 {
    const ZERO: Self = 0;
    fn raw(self) -> i64 {
        self
    }
    fn of(raw: i64) -> Self {
        raw
    }
}

impl Figure for Qty {
    const ZERO: Self = Qty(0);
    fn raw(self) -> i64 {
        self.0
    }
    fn of(raw: i64) -> Self {
        Qty(raw)
    }
}

impl Figure for Money {
    const ZERO: Self = Money(0);
    fn raw(self) -> i64 {
        self.0
    }
    fn of(raw: i64) -> Self {
        Money(raw)
    }
}

/// Adds to a sum.
///
/// # Errors
/// 422 past 64 bits.
pub fn add<N: Figure>(sum: &mut N, more: N) -> ApiResult<()> {
    *sum = sum.raw().checked_add(more.raw()).map(N::of).ok_or_else(too_large)?;
    Ok(())
}

/// The sum of all values.
///
/// # Errors
/// 422 past 64 bits.
pub fn total<N: Figure>(all: impl IntoIterator<Item = N>) -> ApiResult<N> {
    let mut sum = N::ZERO;
    all.into_iter().try_for_each(|one| add(&mut sum, one))?;
    Ok(sum)
}

/// `part / whole`; `None` for a whole of zero. For display, rounded to four places: not used in further
/// calculations.
pub fn share<N: Figure>(part: N, whole: N) -> Option<f64> {
    ratio(part.raw(), whole.raw())
}

/// `(now - before) / |before|`, 0.1 for a tenth more; `before` may be negative (more returns than sales),
/// `None` if it is zero. As [`share`].
pub fn change<N: Figure>(now: N, before: N) -> Option<f64> {
    ratio(now.raw().saturating_sub(before.raw()), before.raw().saturating_abs())
}

fn ratio(part: i64, whole: i64) -> Option<f64> {
    (whole != 0).then(|| ((part as f64 / whole as f64) * 10_000.0).round() / 10_000.0)
}

/// Sums past 64 bits: nine billion cases.
pub fn too_large() -> ApiError {
    ApiError::unprocessable(
        "tooLarge",
        "These quantities add up to more than can be shown. Choose a shorter range.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_changes_are_rounded_and_have_a_whole() {
        assert_eq!(share(Qty(1), Qty(3)), Some(0.3333));
        assert_eq!(share(1, 0), None);
        assert_eq!(change(Money(110), Money(100)), Some(0.1));
        assert_eq!(change(5, 0), None);
        assert_eq!(change(Money(-5), Money(-10)), Some(0.5), "less was given back");
    }

    #[test]
    fn overflowing_sums_are_refused() {
        assert!(total([Qty(i64::MAX), Qty(1)]).is_err());
        assert_eq!(total([1, 2, 3]).ok(), Some(6));
    }
}
