//! How much to order for one item of one store: periodic review, order up to a target, in whole packs.

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

/// What is known when an order is worked out. Quantities in one unit, such as root units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question<'a> {
    /// Demand a day; the first day is the one after the last whose sales are known.
    pub forecast: &'a [f64],
    /// Days from order to shelf.
    pub lead: u32,
    /// Days from one order to the next; 0 counts as 1.
    pub review: u32,
    pub safety: Safety,
    /// The target is not below `min` and not above `max`.
    pub min: f64,
    pub max: Option<f64>,
    /// Below nothing where more was used than known of.
    pub on_hand: f64,
    /// Dispatched to the store.
    pub in_transit: f64,
    /// Ordered and not dispatched yet.
    pub on_order: f64,
    /// On hand and promised to somebody else.
    pub committed: f64,
    /// What one pack has; orders are whole packs.
    pub pack: f64,
    /// Days in which a unit can be sold.
    pub shelf_life_days: Option<u32>,
}

/// What changed a target or a quantity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Caps {
    /// The target was raised to the least.
    pub min: bool,
    /// The target was lowered to the most.
    pub max: bool,
    /// The quantity was rounded down to what can be sold in time.
    pub shelf_life: bool,
    /// Packs were taken off for want of room ([`storage`]).
    pub storage: bool,
}

/// What to order, and the figures it comes from, in the question's unit.
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
    /// What can be sold within the shelf life; none without one.
    pub shelf_life_demand: Option<f64>,
    /// (IP + quantity) ÷ (D ÷ days); none where nothing is used.
    pub cover_days: Option<f64>,
    pub caps: Caps,
}

impl Question<'_> {
    /// L + R: the days that the order has to last.
    #[must_use]
    pub fn days(&self) -> usize {
        self.lead as usize + self.review.max(1) as usize
    }

    /// Works out the order: q = ceil(max(0, S − IP) ÷ pack) · pack, rounded down instead where more could not be sold
    /// within the shelf life.
    ///
    /// # Errors
    /// [`NO_DAYS`]; a pack that holds nothing; a figure that is not finite or below nothing where it cannot be; a
    /// forecast that is shorter than lead and review days; a least target above the most.
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

/// What holds an order between bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub min: f64,
    pub max: Option<f64>,
    pub pack: f64,
    pub shelf_life_demand: Option<f64>,
}

/// What to order, and what changed it.
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

/// How much is used within so many days; days after the forecast's end count as the mean of its days.
pub(crate) fn demand_within(forecast: &[f64], days: usize) -> f64 {
    let known = days.min(forecast.len());
    let sum: f64 = forecast[..known].iter().sum();
    if days == known || known == 0 { sum } else { sum + sum / known as f64 * (days - known) as f64 }
}

/// Days that a stock lasts at so much a day; none where nothing is used.
#[must_use]
pub fn cover_days(stock: f64, rate: f64) -> Option<f64> {
    (rate > 0.0).then(|| stock / rate)
}

/// The least packs that hold at least `need`. A need that is over a pack by a rounding error only does not take another.
pub(crate) fn packs_up(need: f64, pack: f64) -> f64 {
    (need / pack - SLACK).ceil().max(0.0)
}

/// The most packs that fit into `room`.
pub(crate) fn packs_down(room: f64, pack: f64) -> f64 {
    (room / pack + SLACK).floor().max(0.0)
}

/// Part of a pack, or of a whole, that is a rounding error.
pub(crate) const SLACK: f64 = 1e-9;

pub(crate) fn at_least_nothing(figure: f64) -> bool {
    figure.is_finite() && figure >= 0.0
}
