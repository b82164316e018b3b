//! Intervals from a method's own past errors (split conformal: Vovk et al. 2005; Lei et al. 2018).
//!
//! The absolute errors of at least twelve rolling origins are pooled by week of the horizon: 1–7, 8–14, and so on. The
//! half-width for a level is the ⌈(N+1)·level⌉-th smallest of the N errors of the pool, the largest where N is too
//! small for the level.

use crate::method::Input;
use crate::rolling::Roll;

/// Minimum origins for meaningful errors.
pub const ORIGINS: usize = 12;
const POOL: usize = 7;

/// Absolute errors by week of the horizon, each ascending.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Residuals {
    pools: Vec<Vec<f64>>,
}

impl Residuals {
    /// The errors of a roll against `input`, without masked days; `None` with fewer than twelve origins or where a week
    /// of the horizon has no known day.
    #[must_use]
    pub fn of(roll: &Roll, input: &Input<'_>) -> Option<Self> {
        if roll.cuts.len() < ORIGINS {
            return None;
        }
        let mut pools = vec![Vec::new(); roll.horizon.div_ceil(POOL)];
        for (step, error) in roll.residuals(input) {
            pools[step / POOL].push(error.abs());
        }
        pools.iter_mut().for_each(|pool| pool.sort_unstable_by(f64::total_cmp));
        (!pools.is_empty() && pools.iter().all(|pool| !pool.is_empty())).then_some(Self { pools })
    }

    /// Half-width of the interval `step` days ahead (from 0) for a share `level` of the days. Beyond the last rolled
    /// week it is that of the last week.
    #[must_use]
    pub fn half_width(&self, level: f64, step: usize) -> f64 {
        self.pools.get(step / POOL).or(self.pools.last()).map_or(0.0, |pool| rank(pool, level))
    }

    /// Lower and upper bounds around a forecast; the lower is never negative.
    pub fn around(&self, forecast: &[f64], level: f64, lower: &mut Vec<f64>, upper: &mut Vec<f64>) {
        lower.clear();
        upper.clear();
        for (step, f) in forecast.iter().enumerate() {
            let half = self.half_width(level, step);
            lower.push((f - half).max(0.0));
            upper.push(f + half);
        }
    }
}

/// The ⌈(N+1)·q⌉-th smallest of ascending values, or the largest.
fn rank(ascending: &[f64], q: f64) -> f64 {
    let n = ascending.len();
    // Fifteenths of a level such as 0.8 are not exact: 15 × 0.8 must give 12 and not slightly more.
    let place = ((n + 1) as f64 * q - 1e-9).ceil() as usize;
    ascending[place.clamp(1, n) - 1]
}

/// The stock needed besides the forecast of the next `days` days so that their summed demand is met with probability
/// `q`: the ⌈(N+1)·q⌉-th smallest of Σ sold − Σ forecast over the origins, at least 0. Windows with a masked day are
/// left out, since their sum is unknown. `None` with fewer than twelve windows, or beyond the rolled horizon.
#[must_use]
pub fn summed_shortfall(roll: &Roll, input: &Input<'_>, days: usize, q: f64) -> Option<f64> {
    summed_shortfall_of_open_days(roll, input, days, q, |_| false)
}

/// The same for a store that is closed on some days, by index in `input`: a closed day is forecast 0. Without sales it
/// is known to have sold nothing, and its window counts.
#[must_use]
pub fn summed_shortfall_of_open_days(
    roll: &Roll,
    input: &Input<'_>,
    days: usize,
    q: f64,
    closed: impl Fn(usize) -> bool,
) -> Option<f64> {
    if days == 0 || days > roll.horizon {
        return None;
    }
    let masked = |t: usize| input.masked.get(t).copied().unwrap_or(false);
    let known =
        |cut: usize| cut + days <= input.y.len() && !(cut..cut + days).any(|t| masked(t) && !closed(t));
    let error = |t: usize, f: f64| match (closed(t), masked(t)) {
        (true, true) => 0.0,
        (true, false) => input.y[t],
        (false, _) => input.y[t] - f,
    };
    let mut sums: Vec<f64> = roll
        .iter()
        .filter(|(cut, _)| known(*cut))
        .map(|(cut, forecast)| (cut..cut + days).zip(forecast).map(|(t, f)| error(t, *f)).sum::<f64>())
        .collect();
    sums.sort_unstable_by(f64::total_cmp);
    (sums.len() >= ORIGINS).then(|| rank(&sums, q).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::{Method, Workspace};
    use crate::rolling::cuts;

    #[test]
    fn the_rank_is_the_one_defined() {
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        assert_eq!(
            (rank(&ten, 0.8), rank(&ten, 0.5), rank(&ten, 0.95), rank(&ten, 0.01)),
            (9.0, 6.0, 10.0, 1.0)
        );
        let fourteen: Vec<f64> = (1..=14).map(f64::from).collect();
        assert_eq!(rank(&fourteen, 0.8), 12.0);
    }

    /// Days that rise by one, so that the naive forecast errs by the step.
    fn rolled(horizon: usize, count: usize) -> (Vec<f64>, Roll) {
        let y: Vec<f64> = (0..100).map(f64::from).collect();
        let mut roll = Roll::default();
        let input = Input::new(&y, 0);
        roll.run(Method::Naive, &input, cuts(100, horizon, 1, count, 7), horizon, &mut Workspace::default())
            .expect("forecasts");
        (y, roll)
    }

    #[test]
    fn errors_are_pooled_by_the_week_ahead() {
        let (y, roll) = rolled(14, 12);
        let input = Input::new(&y, 0);
        let residuals = Residuals::of(&roll, &input).expect("twelve origins");
        // 84 errors of 1..=7, twelve each: the ⌈85 × 0.8⌉ = 68th is a 6, in the second week a 13.
        assert_eq!((residuals.half_width(0.8, 0), residuals.half_width(0.8, 6)), (6.0, 6.0));
        assert_eq!((residuals.half_width(0.8, 7), residuals.half_width(0.8, 40)), (13.0, 13.0));
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        residuals.around(&[4.0, 8.0], 0.8, &mut lower, &mut upper);
        assert_eq!((lower, upper), (vec![0.0, 2.0], vec![10.0, 14.0]));
        let (y, roll) = rolled(14, 11);
        assert_eq!(Residuals::of(&roll, &Input::new(&y, 0)), None);
    }

    #[test]
    fn a_shortfall_is_of_sums_and_of_whole_windows() {
        let (y, roll) = rolled(5, 14);
        let mut masked = vec![false; 100];
        let input = Input { masked: &masked, ..Input::new(&y, 0) };
        assert_eq!(summed_shortfall(&roll, &input, 3, 0.95), Some(6.0));
        assert_eq!(summed_shortfall(&roll, &input, 6, 0.95), None);
        masked[95] = true;
        let input = Input { masked: &masked, ..Input::new(&y, 0) };
        assert_eq!(summed_shortfall(&roll, &input, 3, 0.95), None);
        // On a closed day nothing was sold and nothing was forecast: 1 + 2 + 3 without one of them.
        let closed = |t: usize| t == 95;
        assert_eq!(summed_shortfall_of_open_days(&roll, &input, 3, 0.95, closed), Some(6.0));
        let every_third = |t: usize| t % 3 == 2;
        for t in (2..100).step_by(3) {
            masked[t] = true;
        }
        masked[95] = true;
        let input = Input { masked: &masked, ..Input::new(&y, 0) };
        assert_eq!(summed_shortfall_of_open_days(&roll, &input, 3, 0.95, every_third), Some(5.0));
    }
}
