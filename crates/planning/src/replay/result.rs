use larder_domain::{Money, Qty};

use super::Figures;
use super::figures::{money, qty};
use super::stock::{Day, Record};
use crate::Refusal;

/// The results of some series under every policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkResult {
    policies: usize,
    /// The series included, ascending.
    pub series: Vec<usize>,
    /// Series × policies.
    rows: Vec<Figures>,
    /// One per policy, summed over the series.
    pub totals: Vec<Figures>,
    days: usize,
    /// Policies × replayed days: stock at the end of the day and its cost, summed over series.
    stock: Vec<(Qty, Money)>,
    /// Policies × replayed days: the number of series that order.
    orders: Vec<u32>,
}

impl ChunkResult {
    /// Without series: the start of a merge.
    #[must_use]
    pub fn empty(policies: usize, days: usize, room: usize) -> Self {
        Self {
            policies,
            series: Vec::with_capacity(room),
            rows: Vec::with_capacity(room * policies),
            totals: vec![Figures::default(); policies],
            days,
            stock: vec![(Qty(0), Money(0)); policies * days],
            orders: vec![0; policies * days],
        }
    }

    /// A series' figures, one per policy; `None` for a series not included.
    #[must_use]
    pub fn of(&self, series: usize) -> Option<&[Figures]> {
        let at = self.series.binary_search(&series).ok()?;
        Some(&self.rows[at * self.policies..(at + 1) * self.policies])
    }

    /// A policy's stock at the end of each replayed day and its cost, summed over series. Quantities of series with
    /// different units cannot be added meaningfully; their costs can.
    #[must_use]
    pub fn stock(&self, policy: usize) -> &[(Qty, Money)] {
        self.stock.get(policy * self.days..(policy + 1) * self.days).unwrap_or_default()
    }

    /// The number of series that a policy orders on each replayed day. For series of one store, a day with any is a day
    /// on which that store sends an order.
    #[must_use]
    pub fn orders(&self, policy: usize) -> &[u32] {
        self.orders.get(policy * self.days..(policy + 1) * self.days).unwrap_or_default()
    }

    /// Merges both. The order of merges does not matter.
    ///
    /// # Errors
    /// A series in both, or results of different replays.
    pub fn merge(mut self, mut other: Self) -> Result<Self, Refusal> {
        if (self.policies, self.days) != (other.policies, other.days) {
            return Err(Refusal::Invalid("These are results of different replays."));
        }
        if self.series.first() > other.series.first() {
            std::mem::swap(&mut self, &mut other);
        }
        if self.series.last() >= other.series.first() && !self.series.is_empty() && !other.series.is_empty() {
            self.interleave(&other)?;
        } else {
            self.series.append(&mut other.series);
            self.rows.append(&mut other.rows);
        }
        for (own, other) in self.totals.iter_mut().zip(&other.totals) {
            own.add(other);
        }
        for (own, other) in self.stock.iter_mut().zip(&other.stock) {
            own.0.0 = own.0.0.saturating_add(other.0.0);
            own.1.0 = own.1.0.saturating_add(other.1.0);
        }
        for (own, other) in self.orders.iter_mut().zip(&other.orders) {
            *own = own.saturating_add(*other);
        }
        Ok(self)
    }

    fn interleave(&mut self, other: &Self) -> Result<(), Refusal> {
        let mut all: Vec<(usize, &[Figures])> = Vec::with_capacity(self.series.len() + other.series.len());
        for from in [&*self, other] {
            let rows =
                (0..from.series.len()).map(|at| &from.rows[at * self.policies..(at + 1) * self.policies]);
            all.extend(from.series.iter().copied().zip(rows));
        }
        all.sort_unstable_by_key(|(series, _)| *series);
        if all.windows(2).any(|two| two[0].0 == two[1].0) {
            return Err(Refusal::Invalid("A series is in both results."));
        }
        let rows = all.iter().flat_map(|(_, figures)| figures.iter().copied()).collect();
        let series = all.iter().map(|(series, _)| *series).collect();
        (self.rows, self.series) = (rows, series);
        Ok(())
    }

    pub(super) fn push(&mut self, series: usize) -> usize {
        self.series.push(series);
        self.rows.resize(self.series.len() * self.policies, Figures::default());
        self.series.len() - 1
    }

    pub(super) fn set(&mut self, place: usize, policy: usize, figures: Figures) {
        self.totals[policy].add(&figures);
        self.rows[place * self.policies + policy] = figures;
    }

    pub(super) fn path(&mut self, policy: usize) -> impl Record {
        let days = policy * self.days..(policy + 1) * self.days;
        Path { at: 0, stock: &mut self.stock[days.clone()], orders: &mut self.orders[days] }
    }
}

struct Path<'a> {
    at: usize,
    stock: &'a mut [(Qty, Money)],
    orders: &'a mut [u32],
}

impl Record for Path<'_> {
    fn day(&mut self, day: &Day, unit_cost: f64) {
        let (stock, cost) = &mut self.stock[self.at];
        stock.0 = stock.0.saturating_add(qty(day.closing).0);
        cost.0 = cost.0.saturating_add(money(day.closing * unit_cost).0);
        self.orders[self.at] += u32::from(day.ordered > 0.0);
        self.at += 1;
    }
}
