use super::{Item, Past};
use crate::replenish::Safety;

/// A way to order, to be tried on the past.
#[derive(Debug, Clone, Copy)]
pub struct Policy<'a> {
    pub orders: Orders<'a>,
}

/// Where the orders of a replay come from.
#[derive(Debug, Clone, Copy)]
pub enum Orders<'a> {
    /// What was really ordered and received.
    Actual,
    /// Order up to a target, as [`crate::replenish`] works it out.
    Advised(Rule<'a>),
}

/// How a target is worked out on each review day. What is none stays as the item has it.
#[derive(Debug, Clone, Copy)]
pub struct Rule<'a> {
    pub forecast: Forecast<'a>,
    pub cushion: Cushion,
    pub lead: Option<u32>,
    pub review: Option<u32>,
    /// The first review day, counted from the first replayed day.
    pub first_review: usize,
    pub pack: Option<f64>,
    /// The target is not above what is forecast to be used in so many days, or the item's least where that is more.
    pub most_days: Option<f64>,
}

/// The safety stock of a rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cushion {
    /// The quantile, at this service level, of what past forecasts summed over lead and review days missed; with fewer
    /// than [`crate::intervals::ORIGINS`] of them z·σ·√(L+R), σ from past forecasts of one day.
    Level(f64),
    /// The same at every review.
    Fixed(Safety),
}

/// Where a rule's forecasts come from. All learn only from days before the review day.
#[derive(Debug, Clone, Copy)]
pub enum Forecast<'a> {
    /// The mean of the last so many days; of what there is in a shorter history.
    Average { days: usize },
    /// For each weekday the mean of its last so many values, the weight of each `decay` times that of the next newer
    /// one; 1 for a plain mean. A weekday without a value gets the mean of all days.
    Weekday { weeks: usize, decay: f64 },
    /// From outside; asked anew on every review day.
    Given(&'a dyn Forecaster),
}

/// What is known of a series before a day begins.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    pub series: usize,
    /// The review day, as in [`Past`]. It and later days are not known.
    pub day: usize,
    /// Sales of the days up to the day before, cleaned ([`crate::demand::clean_into`]); the first is that of the first
    /// day that something is known of. May be empty.
    pub y: &'a [f64],
    /// Of which days the value is filled in.
    pub masked: &'a [bool],
}

/// Makes forecasts for a replay.
pub trait Forecaster: Sync {
    /// Writes a forecast a day, the first for `known.day`. As many days are asked for as the order has to last, or up to
    /// 60 where its shelf life is longer.
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
pub(super) struct Terms {
    pub lead: usize,
    pub review: usize,
    /// The first review day as in [`Past`].
    pub first_review: usize,
}

impl Terms {
    /// A rule as it holds for an item; what it leaves open is the item's.
    pub fn of(rule: &Rule<'_>, item: &Item, past: &Past<'_>) -> Self {
        Self {
            lead: rule.lead.unwrap_or(item.lead) as usize,
            review: rule.review.unwrap_or(item.review).max(1) as usize,
            first_review: past.start.saturating_add(rule.first_review),
        }
    }

    /// L + R.
    pub fn horizon(self) -> usize {
        self.lead + self.review
    }

    /// Whether orders are placed on this day.
    pub fn is_review(self, day: usize) -> bool {
        day >= self.first_review && (day - self.first_review).is_multiple_of(self.review)
    }

    /// Whether a forecast is made on this day or, before the first replayed one, would have been.
    pub fn in_step(self, day: usize) -> bool {
        day.abs_diff(self.first_review).is_multiple_of(self.review)
    }
}
