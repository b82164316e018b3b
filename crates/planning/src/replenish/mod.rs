//! How much to order of one item for one store: periodic review, order up to a target, in whole packs.

pub mod fair;
pub mod normal;
pub mod products;
mod safety;
pub mod storage;
mod why;

use crate::Refusal;
pub use normal::quantile;
pub use safety::Safety;
pub use why::Why;

/// Neither a lead time nor a review period was set; the caller names the store.
pub const NO_DAYS: Refusal = Refusal::Invalid("Set lead and review days.");

/// The inputs of an order. Quantities in one unit, such as root units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question<'a> {
    /// Demand per day; the first day is the one after the last day with known sales.
    pub forecast: &'a [f64],
    /// Days from order to shelf.
    pub lead: u32,
    /// Days from one order to the next; 0 counts as 1.
    pub review: u32,
    pub safety: Safety,
    /// The target is at least `min` and at most `max`.
    pub min: f64,
    pub max: Option<f64>,
    /// Negative where more was used than recorded.
    pub on_hand: f64,
    /// Dispatched to the store.
    pub in_transit: f64,
    /// Ordered and not yet dispatched.
    pub on_order: f64,
    /// On hand and promised to another store.
    pub committed: f64,
    /// Units per pack; orders are whole packs.
    pub pack: f64,
    /// Days in which a unit can be sold.
    pub shelf_life_days: Option<u32>,
}

/// Which limits changed a target or a quantity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Caps {
    /// The target was raised to the minimum.
    pub min: bool,
    /// The target was lowered to the maximum.
    pub max: bool,
    /// The quantity was rounded down to what can be sold in time.
    pub shelf_life: bool,
    /// Packs were removed for lack of space ([`storage`]).
    pub storage: bool,
}

/// The order, and the figures it is based on, in the question's unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advice {
    /// D: the forecast summed over lead and review days.
    pub demand: f64,
    /// SS.
    pub safety_stock: f64,
    /// S = clamp(D + SS, min, max).
    pub target: f64,
    /// IP = on hand + in transit + on order − committed.
    pub position: f64,
    /// max(0, S − IP).
    pub need: f64,
    /// Whole packs.
    pub quantity: f64,
    /// Demand within the shelf life; `None` without one.
    pub shelf_life_demand: Option<f64>,
    /// (IP + quantity) ÷ (D ÷ days); `None` without usage.
    pub cover_days: Option<f64>,
    pub caps: Caps,
}

impl Question<'_> {
    /// L + R: the days the order must last.
    #[must_use]
    pub fn days(&self) -> usize {
        self.lead as usize + self.review.max(1) as usize
    }

    /// Computes the order: q = ceil(max(0, S − IP) ÷ pack) · pack, rounded down instead where more could not be sold
    /// within the shelf life.
    ///
    /// # Errors
    /// [`NO_DAYS`]; a pack size of zero; a figure that is not finite, or negative where it cannot be; a forecast
    /// shorter than lead and review days; a minimum target above the maximum.
    pub fn advise(&self) -> Result<Advice, Refusal> {
        self.check()?;
        let days = self.days();
        let demand: f64 = self.forecast[..days].iter().sum();
        let safety_stock = self.safety.over(days);
        let position = self.on_hand + self.in_transit + self.on_order - self.committed;
        let shelf_life_demand = self.shelf_life_days.map(|life| demand_within(self.forecast, life as usize));
        let limits = Limits { min: self.min, max: self.max, pack: self.pack, shelf_life_demand };
        let Order { target, need, quantity, caps } = limits.order(demand + safety_stock, position);
        if !(quantity.is_finite() && target.is_finite() && position.is_finite()) {
            return Err(Refusal::Invalid("The figures are past what can be worked out."));
        }
        let cover_days = cover_days(position + quantity, demand / days as f64);
        Ok(Advice {
            demand,
            safety_stock,
            target,
            position,
            need,
            quantity,
            shelf_life_demand,
            cover_days,
            caps,
        })
    }

    fn check(&self) -> Result<(), Refusal> {
        if self.lead == 0 && self.review == 0 {
            return Err(NO_DAYS);
        }
        if !(self.pack.is_finite() && self.pack > 0.0) {
            return Err(Refusal::Invalid("A pack has to hold more than nothing."));
        }
        if self.forecast.len() < self.days() {
            return Err(Refusal::Invalid("The forecast is shorter than lead and review days."));
        }
        if !self.forecast.iter().all(|day| at_least_nothing(*day)) {
            return Err(Refusal::Invalid("A day's forecast is not a number, or below nothing."));
        }
        if !self.safety.is_sound() {
            return Err(Refusal::Invalid("The safety stock is not a number."));
        }
        if !(at_least_nothing(self.min) && self.max.is_none_or(at_least_nothing)) {
            return Err(Refusal::Invalid("The least or the most is not a number, or below nothing."));
        }
        if self.max.is_some_and(|max| max < self.min) {
            return Err(Refusal::Invalid("The least is above the most."));
        }
        if !(self.on_hand.is_finite()
            && [self.in_transit, self.on_order, self.committed].into_iter().all(at_least_nothing))
        {
            return Err(Refusal::Invalid("Stock, or what is on its way, is not a number, or below nothing."));
        }
        Ok(())
    }
}

/// The limits of an order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub min: f64,
    pub max: Option<f64>,
    pub pack: f64,
    pub shelf_life_demand: Option<f64>,
}

/// The order, and the limits that changed it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    pub target: f64,
    pub need: f64,
    pub quantity: f64,
    pub caps: Caps,
}

impl Limits {
    /// From D + SS and IP to whole packs.
    pub fn order(&self, wanted: f64, position: f64) -> Order {
        let mut caps = Caps::default();
        let mut target = wanted;
        if target < self.min {
            (target, caps.min) = (self.min, true);
        }
        if let Some(max) = self.max.filter(|max| target > *max) {
            (target, caps.max) = (max, true);
        }
        let need = (target - position).max(0.0);
        let mut quantity = packs_up(need, self.pack) * self.pack;
        if let Some(sold_in_time) = self.shelf_life_demand {
            let most = packs_down(sold_in_time - position, self.pack) * self.pack;
            if most < quantity {
                (quantity, caps.shelf_life) = (most, true);
            }
        }
        Order { target, need, quantity, caps }
    }
}

/// Usage within a number of days; days after the forecast's end count as the mean of its days.
pub(crate) fn demand_within(forecast: &[f64], days: usize) -> f64 {
    let known = days.min(forecast.len());
    let sum: f64 = forecast[..known].iter().sum();
    if days == known || known == 0 { sum } else { sum + sum / known as f64 * (days - known) as f64 }
}

/// Days of cover of a stock at a daily rate; `None` without usage.
#[must_use]
pub fn cover_days(stock: f64, rate: f64) -> Option<f64> {
    (rate > 0.0).then(|| stock / rate)
}

/// The fewest packs of at least `need`. A need that exceeds a pack by a rounding error only does not take another.
pub(crate) fn packs_up(need: f64, pack: f64) -> f64 {
    (need / pack - SLACK).ceil().max(0.0)
}

/// The most packs that fit into `room`.
pub(crate) fn packs_down(room: f64, pack: f64) -> f64 {
    (room / pack + SLACK).floor().max(0.0)
}

/// Share of a pack, or of a whole, that counts as a rounding error.
pub(crate) const SLACK: f64 = 1e-9;

pub(crate) fn at_least_nothing(figure: f64) -> bool {
    figure.is_finite() && figure >= 0.0
}
