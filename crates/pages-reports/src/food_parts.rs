//! Cost of root items at today's prices, and their counted use.

use std::collections::HashMap;

use larder_domain::on_hand::movement::Movement;
use larder_domain::{Money, Qty};
use serde::Serialize;
use utoipa::ToSchema;

use larder_engines::reports::figures::{add, share, too_large};
use larder_platform::http::ApiResult;

/// Names and prices of root items.
#[derive(Debug)]
pub struct Priced(HashMap<String, (String, Option<Money>)>);

impl Priced {
    /// From id, name and price of root items.
    pub fn of(items: Vec<(String, String, Option<Money>)>) -> Self {
        Self(items.into_iter().map(|(id, name, price)| (id, (name, price))).collect())
    }

    /// Name of a root item; its id if deleted.
    pub fn name(&self, root: &str) -> String {
        self.0.get(root).map_or_else(|| root.to_owned(), |(name, _)| name.clone())
    }

    /// Price per unit today.
    pub fn price(&self, root: &str) -> Option<Money> {
        self.0.get(root).and_then(|(_, price)| *price)
    }

    /// Cost of a quantity; `None` without a price.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn times(&self, root: &str, qty: Qty) -> ApiResult<Option<Money>> {
        self.price(root).map(|price| qty.times(price).ok_or_else(too_large)).transpose()
    }

    /// Cost of a store's week; `None` without a price.
    ///
    /// # Errors
    /// As [`Self::times`].
    pub fn cost(&self, root: &str, week: &Movement) -> ApiResult<Option<Cost>> {
        let Some(theoretical) = self.times(root, week.theoretical_use)? else { return Ok(None) };
        let actual = week.actual_use.map(|qty| self.times(root, qty)).transpose()?.flatten();
        Ok(Some(Cost { theoretical, actual }))
    }
}

/// A root item's cost in a store's week.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    theoretical: Money,
    /// `None` if it was not counted.
    actual: Option<Money>,
}

/// Results of the counted weeks.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counted {
    /// Net sales of those weeks.
    pub net: Money,
    /// Theoretical cost at today's prices.
    pub theoretical: Money,
    /// Actual cost from counts; the theoretical cost for root items not counted.
    pub actual: Money,
    /// Actual less theoretical cost.
    pub over: Money,
    /// Theoretical cost as a share of net sales.
    pub theoretical_share: Option<f64>,
    /// Actual cost as a share of net sales.
    pub actual_share: Option<f64>,
    /// Share of the theoretical cost whose root items were counted, 0 to 1.
    pub covered: Option<f64>,
}

/// Accumulates costs of counted weeks.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    net: Money,
    theoretical: Money,
    actual: Money,
    /// Theoretical cost of counted root items.
    known: Money,
    any: bool,
}

impl Costs {
    /// Adds a store's net sales of a week.
    ///
    /// # Errors
    /// 422 on overflow.
    pub fn add_net(&mut self, net: Money) -> ApiResult<()> {
        add(&mut self.net, net)
    }

    /// Adds a root item's cost.
    ///
    /// # Errors
    /// As [`Self::add_net`].
    pub fn add(&mut self, cost: &Cost) -> ApiResult<()> {
        add(&mut self.theoretical, cost.theoretical)?;
        add(&mut self.actual, cost.actual.unwrap_or(cost.theoretical))?;
        if cost.actual.is_some() {
            self.any = true;
            add(&mut self.known, cost.theoretical)?;
        }
        Ok(())
    }

    /// The totals; `None` if nothing was counted.
    ///
    /// # Errors
    /// As [`Self::add_net`].
    pub fn counted(&self) -> ApiResult<Option<Counted>> {
        if !self.any {
            return Ok(None);
        }
        let mut over = self.actual;
        add(&mut over, Money(-self.theoretical.0))?;
        Ok(Some(Counted {
            net: self.net,
            theoretical: self.theoretical,
            actual: self.actual,
            over,
            theoretical_share: share(self.theoretical, self.net),
            actual_share: share(self.actual, self.net),
            covered: share(self.known, self.theoretical),
        }))
    }
}
