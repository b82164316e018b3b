//! What can be said of an item with little history.

use crate::Refusal;
use crate::method::Method;

/// Days from which on an item is forecast from its own history.
pub const OWN_DAYS: usize = 7;
/// Days from which on its weekdays are told apart.
pub const WEEKDAY_DAYS: usize = 28;
/// Days from which on a history is not short.
pub const FULL_DAYS: usize = 56;

/// How much of its own history an item has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum History {
    /// Under 7 known days: other stores must say (see [`from_similar`]).
    None,
    /// 7 to 27: the mean of what there is.
    Days,
    /// 28 to 55: weekdays, four of each.
    Weeks,
    /// 56 and more.
    Full,
}

impl History {
    /// Of so many known days; masked days are not known.
    #[must_use]
    pub fn of(known: usize) -> Self {
        match known {
            FULL_DAYS.. => Self::Full,
            WEEKDAY_DAYS.. => Self::Weeks,
            OWN_DAYS.. => Self::Days,
            _ => Self::None,
        }
    }

    /// Whether a screen marks the forecast as one of a short history.
    #[must_use]
    pub fn is_short(self) -> bool {
        self != Self::Full
    }

    /// The method it is good for; `None` where the history is full and there is a choice.
    ///
    /// # Errors
    /// [`Refusal::TooShort`] of under 7 days.
    pub fn method(self, known: usize) -> Result<Option<Method>, Refusal> {
        match self {
            Self::None => Err(Refusal::TooShort { have: known, need: OWN_DAYS }),
            Self::Days => Ok(Some(Method::Mean)),
            Self::Weeks => Ok(Some(Method::DowAverageOf(4))),
            Self::Full => Ok(None),
        }
    }
}

/// A similar store: what it sells of the item a day, and its scale (such as its sales of everything a day).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Similar {
    pub item_mean: f64,
    pub scale: f64,
}

/// The daily demand of an item new to a store of scale `own_scale`: what similar stores sell of it for their scale, Σ
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
