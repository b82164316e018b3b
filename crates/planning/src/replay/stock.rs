use super::figures::{Figures, Sums};
use super::policy::{Orders, Policy, Rule, Terms};
use super::scratch::{Scratch, Target};
use super::{Item, Past};
use crate::replenish::Limits;

/// A replayed day of one series.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Day {
    /// As in [`Past`].
    pub day: usize,
    /// Arrivals in the morning, including an order of lead time 0.
    pub arrived: f64,
    /// D and SS of the order; 0 without an order review.
    pub forecast: f64,
    pub safety_stock: f64,
    pub ordered: f64,
    /// On the shelf before the day's demand.
    pub available: f64,
    pub demand: f64,
    pub served: f64,
    /// Discarded after the day.
    pub expired: f64,
    pub closing: f64,
}

/// Records the days of a series.
pub(super) trait Record {
    fn day(&mut self, day: &Day, unit_cost: f64);
}

impl Record for Vec<Day> {
    fn day(&mut self, day: &Day, _: f64) {
        self.push(*day);
    }
}

/// Less than this is a rounding error, not stock.
const NOTHING: f64 = 1e-9;

/// Simulates one series under one policy, whose targets are computed.
pub(super) fn run(
    past: &Past<'_>,
    policy: &Policy<'_>,
    series: usize,
    at: usize,
    scratch: &mut Scratch,
    record: &mut impl Record,
) -> Figures {
    let item = &past.items[series];
    let days = past.days - past.start;
    let replayed = |buffer| past.of(buffer, series).get(past.start..).unwrap_or_default();
    let (sold, lost, ordered) = (replayed(past.sold), replayed(past.lost), replayed(past.ordered));
    let (rule, coming) = match &policy.orders {
        Orders::Advised(rule) => (Some(rule), replayed(past.due)),
        Orders::Actual => (None, replayed(past.received)),
    };
    let (mut arrivals, mut lots) = (std::mem::take(&mut scratch.arrivals), std::mem::take(&mut scratch.lots));
    arrivals.clear();
    arrivals.extend_from_slice(coming);
    arrivals.resize(days, 0.0);
    let targets = &scratch.targets(at, past.days)[past.start..];
    let terms = rule.map(|rule| (rule, Terms::of(rule, item, past)));
    let mut shelf = Shelf::new(item, days, &mut lots);
    let mut on_way: f64 = arrivals.iter().sum();
    let mut sums = Sums::default();
    for day in 0..days {
        let mut passed = Day { day: past.start + day, arrived: arrivals[day], ..Day::default() };
        on_way -= passed.arrived;
        let order = terms.and_then(|(rule, terms)| Some((rule, terms.order(past.start + day)?)));
        if let Some((rule, order)) = order {
            let position = shelf.stock + passed.arrived + on_way;
            let quantity = advise(rule, item, order.horizon, &targets[day], position);
            (passed.forecast, passed.safety_stock) = (targets[day].demand, targets[day].safety_stock);
            passed.ordered = quantity;
            if order.arrives == past.start + day {
                passed.arrived += quantity;
            } else {
                on_way += quantity;
                if let Some(arrival) = arrivals.get_mut(order.arrives - past.start) {
                    *arrival += quantity;
                }
            }
        } else if rule.is_none() {
            passed.ordered = ordered.get(day).copied().unwrap_or(passed.arrived);
        }
        shelf.receive(day, passed.arrived);
        passed.available = shelf.stock;
        let estimated = lost.get(day).copied().unwrap_or(0.0);
        let really = if sold[day].is_nan() { 0.0 } else { sold[day].max(0.0) };
        passed.demand = really + estimated;
        passed.served = shelf.take(day, passed.demand);
        passed.expired = shelf.expire(day);
        passed.closing = shelf.stock;

        let unknown = sold[day].is_nan();
        let out = passed.demand - passed.served > NOTHING || (passed.available <= 0.0 && !unknown);
        sums.unknown_days += u64::from(unknown);
        sums.out_days += u64::from(out);
        sums.sold += really;
        sums.estimated += estimated;
        sums.served += passed.served;
        sums.served_estimated += (passed.served - really).max(0.0);
        sums.orders += u64::from(passed.ordered > 0.0);
        sums.ordered += passed.ordered;
        sums.received += passed.arrived;
        sums.expired += passed.expired;
        sums.stock_days += passed.closing;
        record.day(&passed, item.unit_cost);
    }
    let closing = shelf.stock;
    (scratch.arrivals, scratch.lots) = (arrivals, lots);
    sums.figures(days, item.opening, closing, item.unit_cost)
}

fn advise(rule: &Rule<'_>, item: &Item, horizon: usize, target: &Target, position: f64) -> f64 {
    let by_days = rule.most_days.map(|days| (days * target.demand / horizon as f64).max(item.min));
    let max = match (item.max, by_days) {
        (Some(max), Some(by_days)) => Some(max.min(by_days)),
        (max, by_days) => max.or(by_days),
    };
    let limits = Limits {
        min: item.min,
        max,
        pack: rule.pack.unwrap_or(item.pack),
        shelf_life_demand: item.shelf_life_days.map(|_| target.life),
    };
    limits.order(target.demand + target.safety_stock, position).quantity
}

/// Stock on the shelf by expiry day.
struct Shelf<'a> {
    stock: f64,
    life: Option<usize>,
    lots: &'a mut Vec<f64>,
    /// All lots that expire before this day are empty.
    first: usize,
    last: usize,
}

impl<'a> Shelf<'a> {
    fn new(item: &Item, days: usize, lots: &'a mut Vec<f64>) -> Self {
        lots.clear();
        lots.resize(days + 1, 0.0);
        let life = item.shelf_life_days.map(|life| life as usize);
        let mut shelf = Self { stock: item.opening, life, lots, first: days, last: days };
        if let Some(life) = life {
            let left = item.opening_life_days.map_or(life, |left| (left as usize).min(life));
            shelf.put(left.saturating_sub(1), item.opening);
        }
        shelf
    }

    fn receive(&mut self, day: usize, quantity: f64) {
        if quantity > 0.0 {
            self.stock += quantity;
            if let Some(life) = self.life {
                self.put(day + life - 1, quantity);
            }
        }
    }

    fn put(&mut self, expires: usize, quantity: f64) {
        let expires = expires.min(self.last);
        self.lots[expires] += quantity;
        self.first = self.first.min(expires);
    }

    /// Sells first expired first. Returns the quantity served.
    fn take(&mut self, day: usize, demand: f64) -> f64 {
        let served = self.stock.min(demand);
        self.stock -= served;
        if self.life.is_some() {
            let mut open = served;
            self.first = self.first.max(day);
            while open > 0.0 && self.first <= self.last {
                let lot = &mut self.lots[self.first];
                if *lot > open {
                    *lot -= open;
                    break;
                }
                open -= *lot;
                *lot = 0.0;
                self.first += 1;
            }
        }
        if self.stock < NOTHING {
            self.stock = 0.0;
        }
        served
    }

    fn expire(&mut self, day: usize) -> f64 {
        if self.life.is_none() || day >= self.last {
            return 0.0;
        }
        let gone = std::mem::take(&mut self.lots[day]).min(self.stock);
        self.stock -= gone;
        if self.stock < NOTHING {
            self.stock = 0.0;
        }
        gone
    }
}
