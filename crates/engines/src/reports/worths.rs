//! Sums of what quantities are worth: exact, rounded once.

use larder_domain::{Money, Worth};
use serde::Serialize;
use utoipa::ToSchema;

use super::figures::too_large;
use larder_platform::http::ApiResult;

/// The pesos of a sum, if there is one.
///
/// # Errors
/// 422 if they are too many to show.
pub fn pesos(worth: Option<Worth>) -> ApiResult<Option<Money>> {
    worth.map(|worth| worth.money().ok_or_else(too_large)).transpose()
}

/// Value of the rows' variances, each sum rounded once. All are null if no row has a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementValue {
    /// Total shortage, as a negative amount.
    pub loss: Option<Money>,
    /// Total surplus.
    pub gain: Option<Money>,
    /// Net of both.
    pub net: Option<Money>,
}

impl MovementValue {
    /// From what the rows' variances are worth; `None` for a row without a count or a price.
    ///
    /// # Errors
    /// 422 if a sum is too large to show.
    pub fn of(rows: impl Iterator<Item = Option<Worth>>) -> ApiResult<Self> {
        let known: Vec<Worth> = rows.flatten().collect();
        if known.is_empty() {
            return Ok(Self::default());
        }
        let (loss, gain): (Vec<Worth>, Vec<Worth>) =
            known.iter().copied().partition(|worth| worth.is_negative());
        let sum = |all: Vec<Worth>| pesos(Some(all.into_iter().sum()));
        Ok(Self { loss: sum(loss)?, gain: sum(gain)?, net: sum(known)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use larder_domain::Qty;

    #[test]
    fn without_a_value_there_is_no_sum() {
        let third = Some(Worth::of(Qty(333_333), Money(1)));
        let loss = Some(Worth::of(Qty(-2_000_000), Money(1)));
        let found = MovementValue::of([None, third, third, loss].into_iter()).expect("small");
        let money = |centavos| Some(Money(centavos));
        assert_eq!(found, MovementValue { loss: money(-2), gain: money(1), net: money(-1) });
        let none = MovementValue::of([None].into_iter()).expect("nothing");
        assert_eq!(none, MovementValue::default());
    }
}
