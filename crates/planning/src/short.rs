//! Forecasts for items with little history.

use crate::Refusal;
use crate::method::Method;

/// Minimum days to forecast an item from its own history.
pub const OWN_DAYS: usize = 7;
/// Minimum days to distinguish weekdays.
pub const WEEKDAY_DAYS: usize = 28;
/// Minimum days of a full history.
pub const FULL_DAYS: usize = 56;

/// How much of its own history an item has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum History {
    /// Under 7 known days: forecast from other stores (see [`from_similar`]).
    None,
    /// 7 to 27: the mean of all days.
    Days,
    /// 28 to 55: weekdays, four of each.
    Weeks,
    /// 56 and more.
    Full,
}

impl History {
    /// For a number of known days; masked days are not known.
    #[must_use]
    pub fn of(known: usize) -> Self {
        match known {
            FULL_DAYS.. => Self::Full,
            WEEKDAY_DAYS.. => Self::Weeks,
            OWN_DAYS.. => Self::Days,
            _ => Self::None,
        }
    }

    /// Whether screens flag the forecast as based on a short history.
    #[must_use]
    pub fn is_short(self) -> bool {
        self != Self::Full
    }

    /// The suitable method; `None` where the history is full and there is a choice.
    ///
    /// # Errors
    /// [`Refusal::TooShort`] with less than 7 days.
    pub fn method(self, known: usize) -> Result<Option<Method>, Refusal> {
        match self {
            Self::None => Err(Refusal::TooShort { have: known, need: OWN_DAYS }),
            Self::Days => Ok(Some(Method::Mean)),
            Self::Weeks => Ok(Some(Method::DowAverageOf(4))),
            Self::Full => Ok(None),
        }
    }
}

/// A similar store: its daily sales of the item, and its scale (such as its total daily sales).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Similar {
    pub item_mean: f64,
    pub scale: f64,
}

/// The daily demand of an item new to a store of scale `own_scale`: similar stores' sales relative to their scale, Σ
/// means ÷ Σ scales, times its own.
///
/// # Errors
/// [`Refusal::TooShort`] (with the store's own `known` days) where no similar store has a scale.
pub fn from_similar(similar: &[Similar], own_scale: f64, known: usize) -> Result<f64, Refusal> {
    let usable = |it: &&Similar| it.scale > 0.0 && it.scale.is_finite() && it.item_mean.is_finite();
    let (means, scales) = similar
        .iter()
        .filter(usable)
        .fold((0.0, 0.0), |(means, scales), it| (means + it.item_mean.max(0.0), scales + it.scale));
    let rate = means / scales * own_scale;
    if scales > 0.0 && own_scale >= 0.0 && rate.is_finite() {
        Ok(rate)
    } else {
        Err(Refusal::TooShort { have: known, need: OWN_DAYS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_a_short_history() {
        let of = |known| History::of(known).method(known).map(|it| it.map(|it| it.to_string()));
        assert_eq!(of(6).expect_err("none").to_string(), "Not enough history: 6 of 7 days");
        for (known, name) in [(7, "hist_avg"), (27, "hist_avg"), (28, "dow_ma4"), (55, "dow_ma4")] {
            assert_eq!(of(known).expect("a method").as_deref(), Some(name));
            assert!(History::of(known).is_short());
        }
        assert_eq!(of(56), Ok(None));
        assert!(!History::of(56).is_short());
    }

    #[test]
    fn a_new_item_sells_as_in_similar_stores_for_their_size() {
        let stores = [Similar { item_mean: 10.0, scale: 1000.0 }, Similar { item_mean: 8.0, scale: 500.0 }];
        assert_eq!(from_similar(&stores, 750.0, 3), Ok(9.0));
        let unknown = [Similar { item_mean: 10.0, scale: 0.0 }];
        assert_eq!(from_similar(&unknown, 750.0, 3), Err(Refusal::TooShort { have: 3, need: 7 }));
        assert!(from_similar(&[], 750.0, 0).is_err());
    }
}
