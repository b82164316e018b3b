//! Replays of past demand under replenishment policies, day by day, for many store × item series and several policies
//! at once.
//!
//! A day: due orders arrive; on a review day an order is computed from data known before that day; demand is served
//! from stock, the rest is lost; stock at the end of its shelf life is discarded. First expired, first out. An order of
//! lead time 0 is on the shelf the same day.
//!
//! With a delivery calendar orders are placed on the days on which they close, arrive with their truck, and have to last
//! until the next one; rules with lead or review days of their own ignore it.

mod check;
mod conclusion;
mod cycles;
mod figures;
mod known;
mod policy;
mod result;
mod scratch;
mod stock;
mod track;

use std::ops::Range;

use crate::Refusal;
pub use conclusion::{Compared, LeftOut};
pub use cycles::cycles;
pub use figures::Figures;
pub use policy::{Cushion, Forecast, Forecaster, Known, Orders, Policy, Rule};
pub use result::ChunkResult;
pub use scratch::Scratch;
pub use stock::Day;

/// Historical data, in flat buffers of series × days. Quantities of a series are in one unit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Past<'a> {
    /// Days per series.
    pub days: usize,
    /// The first replayed day. Earlier days are known when it begins; forecasts learn from them.
    pub start: usize,
    /// Sales; NaN where unknown. Forecasts learn from them alone. A negative day counts as 0.
    pub sold: &'a [f64],
    /// Estimated demand lost to stock-outs, besides sales; empty for none. The replay serves or loses it, but forecasts
    /// do not learn from it, since an estimate may use later days.
    pub lost: &'a [f64],
    /// Actual receipts; only for [`Orders::Actual`], else empty.
    pub received: &'a [f64],
    /// Actual orders; only to count the orders of [`Orders::Actual`], else empty. Without it every day with receipts
    /// counts as an order.
    pub ordered: &'a [f64],
    /// Orders placed before `start`, on their day of arrival; empty for none. Not for [`Orders::Actual`], whose
    /// arrivals are all in `received`.
    pub due: &'a [f64],
    /// One per series.
    pub items: &'a [Item],
    /// The delivery calendar of all series: per day the order that closes on it, if any. Empty without a calendar, else
    /// one per day.
    pub cycles: &'a [Option<Cycle>],
    /// The days on which the store of all series is closed by its opening days; empty if it opens every day, else at
    /// least one per day. Later days are those that forecasts reach. A closed day is forecast 0; with unknown sales it
    /// is known to have sold nothing.
    pub closed: &'a [bool],
}

/// The order that closes on a day. Days are counted as in [`Past`] and may lie after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle {
    /// The day of its truck; not before the order's own.
    pub arrives: usize,
    /// The day of the next truck.
    pub until: usize,
}

/// A store and an item. Quantities in the series' unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    /// On hand before the first replayed day.
    pub opening: f64,
    /// Days from the first replayed one in which the opening stock can be sold; `None` for its whole shelf life.
    pub opening_life_days: Option<u32>,
    pub pack: f64,
    pub min: f64,
    pub max: Option<f64>,
    /// Days from order to shelf.
    pub lead: u32,
    /// Days from one order to the next; 0 counts as 1.
    pub review: u32,
    /// Days on which a unit can be sold, including the day of arrival; `None` if it does not expire.
    pub shelf_life_days: Option<u32>,
    /// Pesos per unit.
    pub unit_cost: f64,
}

/// Validated historical data and policies.
#[derive(Debug, Clone, Copy)]
pub struct Replay<'a> {
    past: Past<'a>,
    policies: &'a [Policy<'a>],
}

impl<'a> Replay<'a> {
    /// # Errors
    /// Buffers with inconsistent lengths; a figure that is not finite, or negative where it cannot be; a rule without
    /// lead and review days ([`crate::replenish::NO_DAYS`]); a service level that is not between 0 and 1.
    pub fn new(past: Past<'a>, policies: &'a [Policy<'a>]) -> Result<Self, Refusal> {
        check::past(&past)?;
        policies.iter().try_for_each(|policy| check::policy(policy, &past))?;
        Ok(Self { past, policies })
    }

    /// The number of series.
    #[must_use]
    pub fn series(&self) -> usize {
        self.past.items.len()
    }

    /// Replays some of the series under all policies. Chunks are independent: threads can share the replay, each with
    /// its own scratch, and results can be stored and [`ChunkResult::merge`]d later, in any order.
    ///
    /// # Errors
    /// Series that do not exist; a forecast of a [`Forecaster`] that is NaN or negative.
    pub fn chunk(&self, range: Range<usize>, scratch: &mut Scratch) -> Result<ChunkResult, Refusal> {
        if range.start > range.end || range.end > self.series() {
            return Err(Refusal::Invalid("There are fewer series."));
        }
        let mut result =
            ChunkResult::empty(self.policies.len(), self.past.days - self.past.start, range.len());
        for series in range {
            scratch.learn(&self.past, self.policies, series)?;
            let place = result.push(series);
            for at in 0..self.policies.len() {
                let figures =
                    stock::run(&self.past, &self.policies[at], series, at, scratch, &mut result.path(at));
                result.set(place, at, figures);
            }
        }
        Ok(result)
    }

    /// The days of one series under one policy.
    ///
    /// # Errors
    /// As [`Self::chunk`].
    pub fn path(&self, series: usize, policy: usize, scratch: &mut Scratch) -> Result<Vec<Day>, Refusal> {
        let (Some(_), Some(chosen)) = (self.past.items.get(series), self.policies.get(policy)) else {
            return Err(Refusal::Invalid("There is no such series or policy."));
        };
        scratch.learn(&self.past, self.policies, series)?;
        let mut days = Vec::with_capacity(self.past.days - self.past.start);
        stock::run(&self.past, chosen, series, policy, scratch, &mut days);
        Ok(days)
    }
}

impl<'a> Past<'a> {
    /// The days of a series in one of the buffers; empty if the buffer is.
    fn of(&self, buffer: &'a [f64], series: usize) -> &'a [f64] {
        if buffer.is_empty() { buffer } else { &buffer[series * self.days..(series + 1) * self.days] }
    }
}
