use super::Past;
use super::known::Series;
use super::policy::{Cushion, Forecast, Orders, Policy, Rule, Terms};
use super::track::{Aim, Track};
use crate::Refusal;

/// The inputs of a review day's order.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Target {
    pub demand: f64,
    pub safety_stock: f64,
    /// Demand within the shelf life.
    pub life: f64,
}

/// Workspace, reused from series to series; one per thread.
#[derive(Debug, Default)]
pub struct Scratch {
    series: Series,
    track: Track,
    /// Policies × days.
    targets: Vec<Target>,
    learnt: Vec<bool>,
    /// Policies that share a track, and their cushions.
    followers: Vec<(usize, Cushion)>,
    horizons: Vec<usize>,
    pub(super) arrivals: Vec<f64>,
    /// What expires at the end of each replayed day; the last for all later ones.
    pub(super) lots: Vec<f64>,
}

impl Scratch {
    /// Computes the targets of every policy on every review day of a series. Orders and stock do not affect forecasts,
    /// so this comes first; each day's figures use only earlier days.
    pub(super) fn learn(
        &mut self,
        past: &Past<'_>,
        policies: &[Policy<'_>],
        series: usize,
    ) -> Result<(), Refusal> {
        self.targets.clear();
        self.targets.resize(policies.len() * past.days, Target::default());
        self.learnt.clear();
        self.learnt.resize(policies.len(), false);
        if policies.iter().any(|policy| matches!(policy.orders, Orders::Advised(_))) {
            self.series.fill(past.of(past.sold, series), past.closed)?;
        }
        for first in 0..policies.len() {
            if let Some(rule) = advised(&policies[first])
                && !self.learnt[first]
            {
                self.follow(past, policies, series, first, rule)?;
            }
        }
        Ok(())
    }

    pub(super) fn targets(&self, policy: usize, days: usize) -> &[Target] {
        &self.targets[policy * days..(policy + 1) * days]
    }

    /// Learns the forecasts of one policy, for all that share them.
    fn follow(
        &mut self,
        past: &Past<'_>,
        policies: &[Policy<'_>],
        series: usize,
        first: usize,
        rule: &Rule<'_>,
    ) -> Result<(), Refusal> {
        let item = &past.items[series];
        let terms = Terms::of(rule, item, past);
        self.followers.clear();
        for (at, policy) in policies.iter().enumerate().skip(first) {
            let Some(other) = advised(policy) else { continue };
            if same(rule, terms, other, Terms::of(other, item, past)) {
                self.learnt[at] = true;
                self.followers.push((at, other.cushion));
            }
        }
        let life = item.shelf_life_days.map(|days| days as usize);
        let errors = self.followers.iter().any(|(_, cushion)| matches!(cushion, Cushion::Level(_)));
        terms.horizons(&mut self.horizons);
        for nth in 0..self.horizons.len() {
            let horizon = self.horizons[nth];
            let aim = Aim { forecast: rule.forecast, horizon, life, terms, series, errors };
            self.track.begin(past.days);
            for day in 0..past.days {
                self.track.learn(day, &self.series, &aim)?;
                let outlook = self.track.outlooks[day];
                if day < past.start || outlook.demand.is_nan() {
                    continue;
                }
                let open_days = self.series.open_days(day, horizon);
                for (at, cushion) in &self.followers {
                    let Some(rule) = advised(&policies[*at]) else { continue };
                    let order = Terms::of(rule, item, past).order(day);
                    if order.is_some_and(|order| order.horizon == horizon) {
                        let safety_stock = self.track.safety_stock(day, *cushion, open_days);
                        self.targets[at * past.days + day] =
                            Target { demand: outlook.demand, safety_stock, life: outlook.life };
                    }
                }
            }
        }
        Ok(())
    }
}

fn advised<'p>(policy: &'p Policy<'p>) -> Option<&'p Rule<'p>> {
    match &policy.orders {
        Orders::Advised(rule) => Some(rule),
        Orders::Actual => None,
    }
}

/// Whether two policies have the same forecasts.
fn same(one: &Rule<'_>, its: Terms<'_>, other: &Rule<'_>, others: Terms<'_>) -> bool {
    if !its.shares_horizon(others) {
        return false;
    }
    match (one.forecast, other.forecast) {
        (Forecast::Average { days }, Forecast::Average { days: other }) => days == other,
        (Forecast::Weekday { weeks, decay }, Forecast::Weekday { weeks: others, decay: other }) => {
            weeks == others && decay == other
        }
        // Policies can share a forecaster if they use it on the same days.
        (Forecast::Given(given), Forecast::Given(other)) => {
            std::ptr::eq(given, other)
                && (!its.cycles.is_empty()
                    || (its.review == others.review
                        && its.first_review % its.review == others.first_review % others.review))
        }
        _ => false,
    }
}
