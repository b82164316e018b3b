use larder_domain::{Money, Qty};

/// The results of a policy. Each series is rounded once, to the millionth or the centavo; sums of series are then
/// exact, and independent of order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Number of series.
    pub series: u64,
    /// Days, summed over series.
    pub days: u64,
    /// Days with unknown sales: only estimated demand is simulated there.
    pub unknown_days: u64,
    /// Demand: sold, and estimated as lost.
    pub demand: Qty,
    /// The estimated part of the demand.
    pub estimated: Qty,
    /// Demand served.
    pub served: Qty,
    /// The estimated part of `served`. Actual sales are served first.
    pub served_estimated: Qty,
    /// Demand not served; there are no backorders.
    pub lost: Qty,
    /// Days with lost demand, or an empty shelf from the morning on.
    pub out_days: u64,
    /// Days with an order.
    pub orders: u64,
    pub ordered: Qty,
    pub received: Qty,
    /// Discarded at the end of shelf life, and its cost.
    pub expired: Qty,
    pub expired_cost: Money,
    /// Stock at the end of a day, averaged over the days and summed over series, and its cost.
    pub average_stock: Qty,
    pub average_stock_cost: Money,
    pub opening: Qty,
    pub closing: Qty,
}

impl Figures {
    /// The share of demand served; `None` without demand.
    #[must_use]
    pub fn service_level(&self) -> Option<f64> {
        share(self.served, self.demand)
    }

    /// The same for actual sales, without the estimated part.
    #[must_use]
    pub fn service_level_of_sold(&self) -> Option<f64> {
        share(
            Qty(self.served.0.saturating_sub(self.served_estimated.0)),
            Qty(self.demand.0.saturating_sub(self.estimated.0)),
        )
    }

    /// Adds other series, saturating on overflow.
    pub fn add(&mut self, other: &Self) {
        for (own, other) in [
            (&mut self.series, other.series),
            (&mut self.days, other.days),
            (&mut self.unknown_days, other.unknown_days),
            (&mut self.out_days, other.out_days),
            (&mut self.orders, other.orders),
        ] {
            *own = own.saturating_add(other);
        }
        for (own, other) in [
            (&mut self.demand, other.demand),
            (&mut self.estimated, other.estimated),
            (&mut self.served, other.served),
            (&mut self.served_estimated, other.served_estimated),
            (&mut self.lost, other.lost),
            (&mut self.ordered, other.ordered),
            (&mut self.received, other.received),
            (&mut self.expired, other.expired),
            (&mut self.average_stock, other.average_stock),
            (&mut self.opening, other.opening),
            (&mut self.closing, other.closing),
        ] {
            own.0 = own.0.saturating_add(other.0);
        }
        for (own, other) in [
            (&mut self.expired_cost, other.expired_cost),
            (&mut self.average_stock_cost, other.average_stock_cost),
        ] {
            own.0 = own.0.saturating_add(other.0);
        }
    }
}

fn share(part: Qty, whole: Qty) -> Option<f64> {
    (whole.0 > 0).then(|| part.0 as f64 / whole.0 as f64)
}

/// Running sums of one series.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub unknown_days: u64,
    pub sold: f64,
    pub estimated: f64,
    pub served: f64,
    pub served_estimated: f64,
    pub out_days: u64,
    pub orders: u64,
    pub ordered: f64,
    pub received: f64,
    pub expired: f64,
    pub stock_days: f64,
}

impl Sums {
    /// The figures of a series over `days` days.
    pub fn figures(&self, days: usize, opening: f64, closing: f64, unit_cost: f64) -> Figures {
        let average = self.stock_days / days as f64;
        let estimated = qty(self.estimated);
        let demand = Qty(qty(self.sold).0.saturating_add(estimated.0));
        let served = qty(self.served).min(demand);
        Figures {
            series: 1,
            days: days as u64,
            unknown_days: self.unknown_days,
            demand,
            estimated,
            served,
            served_estimated: qty(self.served_estimated).min(estimated).min(served),
            lost: Qty(demand.0 - served.0),
            out_days: self.out_days,
            orders: self.orders,
            ordered: qty(self.ordered),
            received: qty(self.received),
            expired: qty(self.expired),
            expired_cost: money(self.expired * unit_cost),
            average_stock: qty(average),
            average_stock_cost: money(average * unit_cost),
            opening: qty(opening),
            closing: qty(closing),
        }
    }
}

/// The nearest millionth of a non-negative figure.
pub(super) fn qty(figure: f64) -> Qty {
    Qty((figure * 1e6 + 0.5) as i64)
}

/// The nearest centavo of a non-negative figure.
pub(super) fn money(figure: f64) -> Money {
    Money((figure * 100.0 + 0.5) as i64)
}
