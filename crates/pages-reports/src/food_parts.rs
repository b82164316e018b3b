//! Cost of root items, and their counted use.

use std::collections::{BTreeSet, HashMap};

use larder_domain::prices::Prices;
use larder_domain::{BusinessDay, Money, Qty, Span, Worth};
use serde::Serialize;
use utoipa::ToSchema;

use larder_engines::reports::figures::{add, share};
use larder_engines::reports::worths::pesos;
use larder_ledgers::snapshots::Kept;
use larder_platform::http::ApiResult;

/// Names of root items, and their prices over a range.
#[derive(Debug)]
pub struct Priced {
    names: HashMap<String, String>,
    prices: Prices,
    span: Span,
}

impl Priced {
    /// From ids and names of root items, and prices.
    pub fn of(names: Vec<(String, String)>, prices: Prices, span: Span) -> Self {
        Self { names: names.into_iter().collect(), prices, span }
    }

    /// Name of a root item; its id if deleted.
    pub fn name(&self, root: &str) -> String {
        self.names.get(root).map_or_else(|| root.to_owned(), Clone::clone)
    }

    /// Price per unit on the last day.
    pub fn price(&self, root: &str) -> Option<Money> {
        self.prices.on(root, self.span.to)
    }

    /// Whether its price changes within the range.
    pub fn changes(&self, root: &str) -> bool {
        self.prices.changes(root, self.span)
    }

    /// The days within the range from which the price of any of these is another.
    pub fn change_days<'a>(&self, roots: impl IntoIterator<Item = &'a str>) -> BTreeSet<BusinessDay> {
        self.prices.change_days(roots, self.span)
    }

    /// Cost of what was used on a day, or on several with one price.
    pub fn cost(&self, root: &str, day: BusinessDay, qty: Qty) -> UsedCost {
        match self.prices.on(root, day) {
            Some(price) => UsedCost { worth: Worth::of(qty, price), unpriced: false },
            None => UsedCost { worth: Worth::ZERO, unpriced: !qty.is_zero() },
        }
    }
}

/// Cost of a root item's theoretical use.
#[derive(Debug, Clone, Copy, Default)]
pub struct UsedCost {
    /// Of what was used while it had a price.
    pub worth: Worth,
    /// Whether some was used while it had none.
    pub unpriced: bool,
}

impl UsedCost {
    /// The sum of both.
    pub fn plus(self, other: Self) -> Self {
        Self { worth: self.worth.plus(other.worth), unpriced: self.unpriced || other.unpriced }
    }
}

/// A root item's cost in a store's week.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    theoretical: Worth,
    /// Actual less theoretical cost; `None` if it was not counted.
    over: Option<Worth>,
}

impl Cost {
    /// From the snapshot of a store's week; `None` without a price. What was used too much is what the variance lacks,
    /// so that food cost, snapshots, movement and scorecard show one figure.
    pub fn of(week: &Kept) -> Option<Self> {
        let over = week.variance_worth().map(Worth::negated);
        let theoretical = match over {
            Some(_) => week.theoretical_worth().unwrap_or_default(),
            None => week.theoretical_worth()?,
        };
        Some(Self { theoretical, over })
    }
}

/// Results of the counted weeks.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counted {
    /// Net sales of those weeks.
    pub net: Money,
    /// Theoretical cost, at the prices of the snapshots.
    pub theoretical: Money,
    /// Theoretical cost plus `over`.
    pub actual: Money,
    /// What the counts say was used beyond the theoretical use: the variances of the snapshots with the other sign. Root
    /// items that were not counted add nothing.
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
    theoretical: Worth,
    /// `None` if nothing was counted.
    over: Option<Worth>,
    /// Theoretical cost of counted root items.
    known: Worth,
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
    pub fn add(&mut self, cost: &Cost) {
        self.theoretical = self.theoretical.plus(cost.theoretical);
        if let Some(over) = cost.over {
            self.over = Some(self.over.unwrap_or_default().plus(over));
            self.known = self.known.plus(cost.theoretical);
        }
    }

    /// The totals; `None` if nothing was counted.
    ///
    /// # Errors
    /// As [`Self::add_net`].
    pub fn counted(&self) -> ApiResult<Option<Counted>> {
        let Some(over) = pesos(self.over)? else { return Ok(None) };
        let theoretical = pesos(Some(self.theoretical))?.unwrap_or_default();
        let known = pesos(Some(self.known))?.unwrap_or_default();
        let mut actual = theoretical;
        add(&mut actual, over)?;
        Ok(Some(Counted {
            net: self.net,
            theoretical,
            actual,
            over,
            theoretical_share: share(theoretical, self.net),
            actual_share: share(actual, self.net),
            covered: share(known, theoretical),
        }))
    }
}
