//! What root items cost at today's prices, and what counts say of it.

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
    /// Of root items with id, name and price.
    pub fn of(items: Vec<(String, String, Option<Money>)>) -> Self {
        Self(items.into_iter().map(|(id, name, price)| (id, (name, price))).collect())
    }

    /// What a root item is called; its id where it is no more.
    pub fn name(&self, root: &str) -> String {
        self.0.get(root).map_or_else(|| root.to_owned(), |(name, _)| name.clone())
    }

    /// What one of it costs today.
    pub fn price(&self, root: &str) -> Option<Money> {
        self.0.get(root).and_then(|(_, price)| *price)
    }

    /// What so much of it costs; nothing without a price.
    ///
    /// # Errors
    /// 422 past what can be shown.
    pub fn times(&self, root: &str, qty: Qty) -> ApiResult<Option<Money>> {
        self.price(root).map(|price| qty.times(price).ok_or_else(too_large)).transpose()
    }

    /// What a store's week of it cost; nothing without a price.
    ///
    /// # Errors
    /// As [`Self::times`].
    pub fn cost(&self, root: &str, week: &Movement) -> ApiResult<Option<Cost>> {
        let Some(theoretical) = self.times(root, week.theoretical_use)? else { return Ok(None) };
        let actual = week.actual_use.map(|qty| self.times(root, qty)).transpose()?.flatten();
        Ok(Some(Cost { theoretical, actual }))
    }
}

/// What a root item cost in a store's week.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    theoretical: Money,
    /// Nothing where it was not counted.
    actual: Option<Money>,
}

/// What the weeks that were counted say.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counted {
    /// Net sales of those weeks.
    pub net: Money,
    /// What sales used in them by the bills of materials, at today's prices.
    pub theoretical: Money,
    /// What was used by counts; of root items that were not counted, the theoretical cost.
    pub actual: Money,
    /// What was used beyond the theoretical.
    pub over: Money,
    /// The theoretical cost of net sales.
    pub theoretical_share: Option<f64>,
    /// The actual cost of net sales.
    pub actual_share: Option<f64>,
    /// The part of the theoretical cost whose root items were counted, from 0 to 1.
    pub covered: Option<f64>,
}

/// Costs of counted weeks on their way.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    net: Money,
    theoretical: Money,
    actual: Money,
    /// The theoretical cost of what was counted.
    known: Money,
    any: bool,
}

impl Costs {
    /// Adds what a store sold in a week.
    ///
    /// # Errors
    /// 422 past what can be shown.
    pub fn add_net(&mut self, net: Money) -> ApiResult<()> {
        add(&mut self.net, net)
    }

    /// Adds what a root item cost.
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

    /// What they come to; nothing where nothing was counted.
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
