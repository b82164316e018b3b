//! Safety stock.

/// How safety stock is determined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Safety {
    /// The safety stock itself, from errors of forecasts summed over lead and review days, as by
    /// [`crate::intervals::summed_shortfall`].
    Quantile(f64),
    /// z·σ·√(L+R): `z` of a service level ([`super::quantile`]), `sigma` the standard deviation of one day's error.
    Normal { z: f64, sigma: f64 },
}

impl Safety {
    /// The safety stock for a number of days, never negative.
    #[must_use]
    pub fn over(self, days: usize) -> f64 {
        match self {
            Self::Quantile(stock) => stock.max(0.0),
            Self::Normal { z, sigma } => (z * sigma * (days as f64).sqrt()).max(0.0),
        }
    }

    pub(crate) fn is_sound(self) -> bool {
        match self {
            Self::Quantile(stock) => stock.is_finite(),
            Self::Normal { z, sigma } => z.is_finite() && super::at_least_nothing(sigma),
        }
    }
}
