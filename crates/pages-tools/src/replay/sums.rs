//! Totals of policies over root items and stores.

use larder_domain::{Money, Qty};
use larder_planning::replay::Figures;
use serde::{Deserialize, Serialize};

/// Results of a policy. Root items of different units have no common quantity, so demand and service are
/// given by cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sums {
    pub series: i64,
    /// Days, summed over root items.
    pub days: i64,
    /// Of them, days with unknown sales, on which nothing can be out of stock.
    #[serde(default)]
    pub unknown_days: i64,
    pub out_days: i64,
    pub orders: i64,
    /// Days on which a store orders anything, summed over stores.
    #[serde(default)]
    pub order_days: i64,
    /// In centavos: demand, its estimated part, and demand served.
    pub demand: i64,
    pub estimated: i64,
    pub served: i64,
    /// In centavos: average closing stock, and waste.
    pub stock: i64,
    pub waste: i64,
    /// Root items without a price, missing from all amounts.
    pub unpriced: i64,
}

impl Sums {
    /// For one root item in one store, without the days on which the store orders.
    #[must_use]
    pub fn of(figures: &Figures, price: Option<Money>) -> Self {
        let whole = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let worth = |qty: Qty| price.and_then(|price| qty.times(price)).unwrap_or_default().0;
        Self {
            series: whole(figures.series),
            days: whole(figures.days),
            unknown_days: whole(figures.unknown_days),
            order_days: 0,
            out_days: whole(figures.out_days),
            orders: whole(figures.orders),
            demand: worth(figures.demand),
            estimated: worth(figures.estimated),
            served: worth(figures.served),
            stock: figures.average_stock_cost.0,
            waste: figures.expired_cost.0,
            unpriced: i64::from(price.is_none()),
        }
    }

    /// Adds others, saturating.
    pub fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.series, other.series),
            (&mut self.days, other.days),
            (&mut self.unknown_days, other.unknown_days),
            (&mut self.order_days, other.order_days),
            (&mut self.out_days, other.out_days),
            (&mut self.orders, other.orders),
            (&mut self.demand, other.demand),
            (&mut self.estimated, other.estimated),
            (&mut self.served, other.served),
            (&mut self.stock, other.stock),
            (&mut self.waste, other.waste),
            (&mut self.unpriced, other.unpriced),
        ];
        for (own, other) in pairs {
            *own = own.saturating_add(other);
        }
    }

    /// Share of demand served, by cost; `None` without demand.
    #[must_use]
    pub fn fill_rate(&self) -> Option<f64> {
        (self.demand > 0).then(|| ((self.served as f64 / self.demand as f64) * 1e6).round() / 1e6)
    }

    /// Unserved demand.
    #[must_use]
    pub fn lost(&self) -> Money {
        Money(self.demand.saturating_sub(self.served).max(0))
    }

    /// Whether it had fewer days out of stock than another with no more stock.
    #[must_use]
    pub fn beats(&self, other: &Self) -> bool {
        self.out_days < other.out_days && self.stock <= other.stock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_need_a_price() {
        let figures = Figures {
            series: 1,
            days: 7,
            demand: Qty(10_000_000),
            served: Qty(8_000_000),
            out_days: 2,
            ..Figures::default()
        };
        let mut sum = Sums::of(&figures, Some(Money(150)));
        assert_eq!(
            (sum.demand, sum.served, sum.lost(), sum.fill_rate()),
            (1_500, 1_200, Money(300), Some(0.8))
        );
        sum.add(&Sums::of(&figures, None));
        assert_eq!((sum.series, sum.demand, sum.unpriced, sum.out_days), (2, 1_500, 1, 4));
        assert_eq!(Sums::default().fill_rate(), None);
    }

    #[test]
    fn less_stock_with_more_days_out_does_not_beat() {
        let of = |out_days, stock| Sums { out_days, stock, ..Sums::default() };
        assert!(of(3, 100).beats(&of(4, 100)));
        assert!(!of(4, 90).beats(&of(4, 100)) && !of(3, 101).beats(&of(4, 100)));
    }
}
