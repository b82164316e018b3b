//! Replays a store's root items, on both processors.

use std::ops::Range;
use std::thread;

use larder_planning::Refusal;
use larder_planning::method::Method;
use larder_planning::replay::{Day, Figures, Forecaster, Policy, Replay, Scratch};

use super::past::StorePast;
use super::policies::ReplayPolicy;
use super::weekly::Weekly;

/// Number of threads.
const THREADS: usize = 2;

/// Forecasters of fitted policies, shared by method.
struct Fitted(Vec<(Method, Weekly)>);

impl Fitted {
    fn of(asked: &[ReplayPolicy], first_day: i32) -> Self {
        let mut made: Vec<(Method, Weekly)> = Vec::new();
        for method in asked.iter().filter(|policy| policy.is_fitted()).map(ReplayPolicy::method) {
            if made.iter().all(|(other, _)| *other != method) {
                made.push((method, Weekly::new(method, first_day)));
            }
        }
        Self(made)
    }

    fn policies(&self, asked: &[ReplayPolicy]) -> Vec<Policy<'_>> {
        let of = |method: Method| self.0.iter().find(|(other, _)| *other == method);
        asked
            .iter()
            .map(|policy| policy.policy(of(policy.method()).map(|(_, weekly)| weekly as &dyn Forecaster)))
            .collect()
    }
}

/// Results of some root items.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// Root items × policies.
    pub figures: Vec<Vec<Figures>>,
    /// Policies × replayed days: how many of the root items order.
    pub orders: Vec<Vec<u32>>,
}

impl Results {
    /// Adds the orders of other root items of the store.
    pub fn add_orders(&mut self, orders: &[Vec<u32>]) {
        if self.orders.is_empty() {
            self.orders = orders.to_vec();
            return;
        }
        for (own, other) in self.orders.iter_mut().flatten().zip(orders.iter().flatten()) {
            *own = own.saturating_add(*other);
        }
    }

    /// The days with an order, per policy.
    pub fn order_days(&self) -> impl Iterator<Item = usize> {
        self.orders.iter().map(|days| days.iter().filter(|orders| **orders > 0).count())
    }
}

/// Results of the given root items under each policy.
///
/// # Errors
/// Errors of the replay.
pub fn play(past: &StorePast, asked: &[ReplayPolicy], series: Range<usize>) -> Result<Results, Refusal> {
    let each = series.len().div_ceil(THREADS).max(1);
    thread::scope(|scope| {
        let parts: Vec<_> = series
            .clone()
            .step_by(each)
            .map(|from| from..(from + each).min(series.end))
            .map(|part| scope.spawn(move || one_part(past, asked, part)))
            .collect();
        let mut all = Results::default();
        for part in parts {
            let stopped = |_| Refusal::Invalid("The replay broke off.");
            let Results { figures, orders } = part.join().map_err(stopped)??;
            all.figures.extend(figures);
            all.add_orders(&orders);
        }
        Ok(all)
    })
}

fn one_part(past: &StorePast, asked: &[ReplayPolicy], part: Range<usize>) -> Result<Results, Refusal> {
    let fitted = Fitted::of(asked, past.from);
    let policies = fitted.policies(asked);
    let replay = Replay::new(past.past(), &policies)?;
    let result = replay.chunk(part.clone(), &mut Scratch::default())?;
    Ok(Results {
        figures: part.map(|series| result.of(series).map(<[Figures]>::to_vec).unwrap_or_default()).collect(),
        orders: (0..policies.len()).map(|policy| result.orders(policy).to_vec()).collect(),
    })
}

/// The days of one root item under every policy.
///
/// # Errors
/// As [`play`].
pub fn days(past: &StorePast, asked: &[ReplayPolicy], series: usize) -> Result<Vec<Vec<Day>>, Refusal> {
    let fitted = Fitted::of(asked, past.from);
    let policies = fitted.policies(asked);
    let replay = Replay::new(past.past(), &policies)?;
    let mut scratch = Scratch::default();
    (0..policies.len()).map(|policy| replay.path(series, policy, &mut scratch)).collect()
}
