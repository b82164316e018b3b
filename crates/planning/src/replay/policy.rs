use super::{Cycle, Item, Past};
use crate::replenish::Safety;

/// A replenishment policy to replay.
#[derive(Debug, Clone, Copy)]
pub struct Policy<'a> {
    pub orders: Orders<'a>,
}

/// The source of a replay's orders.
#[derive(Debug, Clone, Copy)]
pub enum Orders<'a> {
    /// Actual orders and receipts.
    Actual,
    /// Order up to a target, computed as in [`crate::replenish`].
    Advised(Rule<'a>),
}

/// How to compute the target on each review day. `None` values are the item's.
#[derive(Debug, Clone, Copy)]
pub struct Rule<'a> {
    pub forecast: Forecast<'a>,
    pub cushion: Cushion,
    pub lead: Option<u32>,
    pub review: Option<u32>,
    /// The first review day, counted from the first replayed day.
    pub first_review: usize,
    pub pack: Option<f64>,
    /// Caps the target at the forecast usage of this many days, or at the item's minimum if that is more.
    pub most_days: Option<f64>,
}

/// The safety stock of a rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cushion {
    /// The quantile, at this service level, of the shortfalls of past forecasts summed over lead and review days; with
    /// fewer than [`crate::intervals::ORIGINS`] of them z·σ·√(L+R), σ from past forecasts of one day.
    Level(f64),
    /// The same at every review.
    Fixed(Safety),
}

/// The source of a rule's forecasts. All learn only from days before the review day.
#[derive(Debug, Clone, Copy)]
pub enum Forecast<'a> {
    /// The mean of the last days, or of as many as there are.
    Average { days: usize },
    /// For each weekday the mean of its last values, each weighted `decay` times the next newer one; 1 for a plain
    /// mean. A weekday without a value gets the mean of all days.
    Weekday { weeks: usize, decay: f64 },
    /// Supplied by the caller on every review day.
    Given(&'a dyn Forecaster),
}

/// The known data of a series before a day begins.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    pub series: usize,
    /// The review day, as in [`Past`]. It and later days are unknown.
    pub day: usize,
    /// Sales of the days up to the day before, cleaned ([`crate::demand::clean_into`]), from the first known day. May
    /// be empty.
    pub y: &'a [f64],
    /// Which days are imputed.
    pub masked: &'a [bool],
}

/// Makes forecasts for a replay.
pub trait Forecaster: Sync {
    /// Writes a forecast per day, the first for `known.day`. The number of days is that the order must last, or up to
    /// 60 for a longer shelf life. Closed days are set to 0 afterwards.
    fn forecast(&self, known: Known<'_>, out: &mut [f64]);
}

impl<F: Fn(Known<'_>, &mut [f64]) + Sync> Forecaster for F {
    fn forecast(&self, known: Known<'_>, out: &mut [f64]) {
        self(known, out);
    }
}

impl std::fmt::Debug for dyn Forecaster + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Forecaster")
    }
}

/// A rule for one item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    lead: usize,
    pub review: usize,
    /// The first review day as in [`Past`].
    pub first_review: usize,
    /// The calendar that replaces lead and review days; empty without one.
    pub cycles: &'a [Option<Cycle>],
}

/// The order of a review day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    /// As in [`Past`].
    pub arrives: usize,
    /// The days it has to last, from the review day on.
    pub horizon: usize,
}

impl<'a> Terms<'a> {
    /// A rule applied to an item, with the item's values for omitted ones.
    pub fn of(rule: &Rule<'_>, item: &Item, past: &Past<'a>) -> Self {
        let own = rule.lead.is_some() || rule.review.is_some();
        Self {
            lead: rule.lead.unwrap_or(item.lead) as usize,
            review: rule.review.unwrap_or(item.review).max(1) as usize,
            first_review: past.start.saturating_add(rule.first_review),
            cycles: if own { &[] } else { past.cycles },
        }
    }

    /// L + R, or the days from each replayed order to the truck after its own: ascending, each once.
    pub fn horizons(self, horizons: &mut Vec<usize>) {
        horizons.clear();
        if self.cycles.is_empty() {
            horizons.push(self.lead + self.review);
            return;
        }
        horizons.extend((0..self.cycles.len()).filter_map(|day| Some(self.order(day)?.horizon)));
        horizons.sort_unstable();
        horizons.dedup();
    }

    /// Whether both order for the same number of days, on every day.
    pub fn shares_horizon(self, other: Terms<'_>) -> bool {
        match (self.cycles.is_empty(), other.cycles.is_empty()) {
            (true, true) => self.lead + self.review == other.lead + other.review,
            // All rules that follow a calendar follow the same.
            (by_days, others_by_days) => by_days == others_by_days,
        }
    }

    fn planned(self, day: usize) -> Option<Order> {
        if self.cycles.is_empty() {
            return Some(Order { arrives: day + self.lead, horizon: self.lead + self.review });
        }
        let Cycle { arrives, until } = (*self.cycles.get(day)?)?;
        Some(Order { arrives, horizon: until - day })
    }

    /// The order placed on this day; `None` on other days than review days.
    pub fn order(self, day: usize) -> Option<Order> {
        let by_days = || (day - self.first_review).is_multiple_of(self.review);
        let is_review = day >= self.first_review && (!self.cycles.is_empty() || by_days());
        if is_review { self.planned(day) } else { None }
    }

    /// Whether a forecast is made on this day or, before the first replayed one, would have been.
    pub fn in_step(self, day: usize) -> bool {
        if self.cycles.is_empty() {
            return day.abs_diff(self.first_review).is_multiple_of(self.review);
        }
        self.cycles.get(day).is_some_and(Option::is_some)
    }
}
