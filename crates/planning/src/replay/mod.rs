//! What would have happened if orders had followed a rule: past demand played again, day by day, for many store × item
//! series and several rules at once.
//!
//! A day goes so: what is due arrives; where it is a review day, an order is worked out from what was known before that
//! day; the day's demand is served as far as stock goes, the rest is lost; what has reached the end of its shelf life is
//! thrown away. Units that expire first are sold first. An order of lead time 0 is on the shelf the same day.

mod check;
mod figures;
mod known;
mod policy;
mod result;
mod scratch;
mod stock;
mod track;

use std::ops::Range;

use crate::Refusal;
pub use figures::Figures;
pub use policy::{Cushion, Forecast, Forecaster, Known, Orders, Policy, Rule};
pub use result::ChunkResult;
pub use scratch::Scratch;
pub use stock::Day;

/// What happened, in flat buffers of series × days. Quantities of a series are in one unit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Past<'a> {
    /// Days per series.
    pub days: usize,
    /// The first day that is replayed. Earlier days are known when it begins; forecasts learn from them.
    pub start: usize,
    /// What was sold; NaN where nobody knows. Forecasts learn from it alone. A negative day counts as 0.
    pub sold: &'a [f64],
    /// Demand that was lost for want of stock, as estimated, beside what was sold; empty for none. It is demand that the
    /// replay serves or loses, but forecasts do not learn from it, since an estimate may rest on later days.
    pub lost: &'a [f64],
    /// What really arrived; only for [`Orders::Actual`], else empty.
    pub received: &'a [f64],
    /// What was really ordered; only to count the orders of [`Orders::Actual`], else empty. Without it every day on
    /// which something arrived counts as an order.
    pub ordered: &'a [f64],
    /// What had been ordered before `start` and arrives later, on its day; empty for none. Not for [`Orders::Actual`],
    /// whose arrivals are all in `received`.
    pub due: &'a [f64],
    /// One a series.
    pub items: &'a [Item],
}

/// A store and an item. Quantities in the series' unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    /// On hand before the first replayed day.
    pub opening: f64,
    /// Days, from the first replayed one, in which the opening stock can be sold; none for its whole shelf life.
    pub opening_life_days: Option<u32>,
    pub pack: f64,
    pub min: f64,
    pub max: Option<f64>,
    /// Days from order to shelf.
    pub lead: u32,
    /// Days from one order to the next; 0 counts as 1.
    pub review: u32,
    /// Days on which a unit can be sold, the day of its arrival among them; none where it keeps.
    pub shelf_life_days: Option<u32>,
    /// Pesos a unit.
    pub unit_cost: f64,
}

/// Past days and the policies to try on them, checked.
#[derive(Debug, Clone, Copy)]
pub struct Replay<'a> {
    past: Past<'a>,
    policies: &'a [Policy<'a>],
}

impl<'a> Replay<'a> {
    /// # Errors
    /// Buffers whose lengths do not fit together; a figure that is not finite or below nothing where it cannot be; a rule
    /// without lead and review days ([`crate::replenish::NO_DAYS`]); a service level that is not between 0 and 1.
    pub fn new(past: Past<'a>, policies: &'a [Policy<'a>]) -> Result<Self, Refusal> {
        check::past(&past)?;
        policies.iter().try_for_each(|policy| check::policy(policy, &past))?;
        Ok(Self { past, policies })
    }

    /// How many series there are.
    #[must_use]
    pub fn series(&self) -> usize {
        self.past.items.len()
    }

    /// Replays some of the series under all policies. Chunks are independent of one another: threads can share the
    /// replay, each with its own scratch, and results can be kept and [`ChunkResult::merge`]d later, in any order.
    ///
    /// # Errors
    /// Series that do not exist; a forecast of a [`Forecaster`] that is not a number or below nothing.
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
    /// The days of a series in one of the buffers; empty where the buffer is.
    fn of(&self, buffer: &'a [f64], series: usize) -> &'a [f64] {
        if buffer.is_empty() { buffer } else { &buffer[series * self.days..(series + 1) * self.days] }
    }
}
