//! Minimisers of the fitted methods: bounded least squares in many variables, and a function of one variable.
//!
//! Both are deterministic and allocate nothing while running. Every likelihood and error optimised here is a sum of
//! squares with cheap derivatives, so Levenberg–Marquardt reaches the optimum in some ten passes over a series where a
//! simplex search needs several hundred.

/// A sum of squares Σ rᵢ(v)² over variables within bounds.
pub trait SumOfSquares {
    /// The sum at `v`; infinite where it is not defined.
    fn value(&mut self, v: &[f64]) -> f64;

    /// The distance between rows of `normal`, at least the number of variables.
    fn stride(&self) -> usize;

    /// The sum at `v`, with JᵀJ in the upper triangle of `normal` and Jᵀr in `gradient`.
    fn normal(&mut self, v: &[f64], normal: &mut [f64], gradient: &mut [f64]) -> f64;
}

/// Workspace of [`least_squares`]; grows to the largest problem seen.
#[derive(Debug, Default)]
pub struct LeastSquares {
    normal: Vec<f64>,
    gradient: Vec<f64>,
    factor: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    free: Vec<usize>,
}

/// Maximum iterations of a search; a typical one takes under fifteen.
const MOST_STEPS: usize = 60;
/// A step with a smaller relative decrease is the last.
const TOLERANCE: f64 = 1e-8;

/// Minimises the sum from `v`, which must be within the bounds with a finite sum, and returns it. `floor` is rounding
/// noise: a sum not worth lowering further. Levenberg–Marquardt with Marquardt's scaling (SIAM J. Appl. Math. 11,
/// 1963); variables at a bound that would leave it are held, and a step that would cross a bound ends on it.
pub fn least_squares<P: SumOfSquares>(
    problem: &mut P,
    v: &mut [f64],
    lower: &[f64],
    upper: &[f64],
    floor: f64,
    work: &mut LeastSquares,
) -> f64 {
    let p = v.len();
    let stride = problem.stride();
    work.grow(p, stride);
    let mut sum = problem.normal(v, &mut work.normal[..stride * stride], &mut work.gradient);
    let mut damping = 1e-3;
    for _ in 0..MOST_STEPS {
        if sum.is_nan() || sum <= floor {
            break;
        }
        let mut lowered = None;
        while damping < 1e12 {
            if !work.step(v, lower, upper, stride, damping) {
                damping = f64::max(10.0 * damping, 1e-6);
                continue;
            }
            for i in 0..p {
                work.trial[i] = (v[i] + work.step[i]).clamp(lower[i], upper[i]);
            }
            if work.trial[..p] == *v {
                break;
            }
            let next = problem.value(&work.trial[..p]);
            if next < sum {
                lowered = Some(next);
                break;
            }
            damping *= 8.0;
        }
        let Some(next) = lowered else { break };
        v.copy_from_slice(&work.trial[..p]);
        let gain = sum - next;
        if gain <= TOLERANCE * sum {
            return next;
        }
        damping = f64::max(damping / 10.0, 1e-12);
        sum = problem.normal(v, &mut work.normal[..stride * stride], &mut work.gradient);
    }
    sum
}

impl LeastSquares {
    fn grow(&mut self, p: usize, stride: usize) {
        if self.gradient.len() < stride || self.normal.len() < stride * stride {
            self.normal.resize(stride * stride, 0.0);
            self.factor.resize(stride * stride, 0.0);
            for row in [&mut self.gradient, &mut self.step, &mut self.trial] {
                row.resize(stride, 0.0);
            }
        }
        self.free.reserve(p);
    }

    /// The damped step from `v`; false where the normal equations are not definite.
    fn step(&mut self, v: &[f64], lower: &[f64], upper: &[f64], stride: usize, damping: f64) -> bool {
        let p = v.len();
        self.step[..p].fill(0.0);
        self.free.clear();
        for i in 0..p {
            let held = (v[i] <= lower[i] && self.gradient[i] >= 0.0)
                || (v[i] >= upper[i] && self.gradient[i] <= 0.0);
            if !held {
                self.free.push(i);
            }
        }
        // A variable that would cross a bound is fixed there, and the others are solved again.
        loop {
            if !self.solve(p, stride, damping) {
                return false;
            }
            let before = self.free.len();
            let step = &mut self.step;
            self.free.retain(|&i| {
                let most = step[i].clamp(lower[i] - v[i], upper[i] - v[i]);
                let crossed = most != step[i];
                step[i] = most;
                !crossed
            });
            if self.free.len() == before {
                return true;
            }
        }
    }

    /// Solves (N + damping · diag N) step = −gradient for the free variables, given the steps of the others.
    fn solve(&mut self, p: usize, stride: usize, damping: f64) -> bool {
        let (normal, factor, k) = (&self.normal, &mut self.factor, self.free.len());
        let at = |i: usize, j: usize| if i <= j { normal[i * stride + j] } else { normal[j * stride + i] };
        let least = self.free.iter().map(|&i| at(i, i)).fold(0.0, f64::max) * 1e-14;
        for (row, &i) in self.free.iter().enumerate() {
            let mut right = -self.gradient[i];
            for j in 0..p {
                if self.step[j] != 0.0 && !self.free.contains(&j) {
                    right -= at(i, j) * self.step[j];
                }
            }
            self.trial[row] = right;
            for (column, &j) in self.free[..=row].iter().enumerate() {
                let mut sum = at(i, j);
                if row == column {
                    sum += damping * sum + least;
                }
                for t in 0..column {
                    sum -= factor[row * stride + t] * factor[column * stride + t];
                }
                if row == column {
                    if sum.is_nan() || sum <= 0.0 {
                        return false;
                    }
                    factor[row * stride + row] = sum.sqrt();
                } else {
                    factor[row * stride + column] = sum / factor[column * stride + column];
                }
            }
        }
        let x = &mut self.trial;
        for row in 0..k {
            for t in 0..row {
                x[row] -= factor[row * stride + t] * x[t];
            }
            x[row] /= factor[row * stride + row];
        }
        for row in (0..k).rev() {
            for t in row + 1..k {
                x[row] -= factor[t * stride + row] * x[t];
            }
            x[row] /= factor[row * stride + row];
        }
        for (row, &i) in self.free.iter().enumerate() {
            self.step[i] = x[row];
        }
        self.step[..p].iter().all(|step| step.is_finite())
    }
}

/// The minimum of `f` between `low` and `high`: the best of `points` equal steps, refined by golden section to `width`.
/// Returns its position and value.
pub fn minimise(mut f: impl FnMut(f64) -> f64, low: f64, high: f64, points: usize, width: f64) -> (f64, f64) {
    let step = (high - low) / points.max(1) as f64;
    let mut best = (low, f(low));
    for i in 1..=points.max(1) {
        let x = if i == points { high } else { low + step * i as f64 };
        let value = f(x);
        if value < best.1 {
            best = (x, value);
        }
    }
    let (mut a, mut b) = ((best.0 - step).max(low), (best.0 + step).min(high));
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut x, mut y) = (b - golden * (b - a), a + golden * (b - a));
    let (mut fx, mut fy) = (f(x), f(y));
    while b - a > width {
        if fx < fy {
            (b, y, fy) = (y, x, fx);
            x = b - golden * (b - a);
            fx = f(x);
        } else {
            (a, x, fx) = (x, y, fy);
            y = a + golden * (b - a);
            fy = f(y);
        }
    }
    for place in [(x, fx), (y, fy)] {
        if place.1 < best.1 {
            best = place;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley as a sum of squares: minimum at (1, 1), with the sum 0.
    struct Valley;

    impl SumOfSquares for Valley {
        fn value(&mut self, v: &[f64]) -> f64 {
            (10.0 * (v[1] - v[0] * v[0])).powi(2) + (1.0 - v[0]).powi(2)
        }

        fn stride(&self) -> usize {
            2
        }

        fn normal(&mut self, v: &[f64], normal: &mut [f64], gradient: &mut [f64]) -> f64 {
            let (r, j) = ([10.0 * (v[1] - v[0] * v[0]), 1.0 - v[0]], [[-20.0 * v[0], 10.0], [-1.0, 0.0]]);
            for a in 0..2 {
                gradient[a] = j[0][a] * r[0] + j[1][a] * r[1];
                for b in a..2 {
                    normal[a * 2 + b] = j[0][a] * j[0][b] + j[1][a] * j[1][b];
                }
            }
            self.value(v)
        }
    }

    #[test]
    fn least_squares_walks_a_curved_valley() {
        let mut v = [-1.2, 1.0];
        let sum =
            least_squares(&mut Valley, &mut v, &[-5.0; 2], &[5.0; 2], 0.0, &mut LeastSquares::default());
        assert!(sum < 1e-12 && (v[0] - 1.0).abs() < 1e-5 && (v[1] - 1.0).abs() < 1e-5, "{sum} at {v:?}");
    }

    /// With x ≤ 1/2 the least sum is (1 − 1/2)² at (1/2, 1/4).
    #[test]
    fn least_squares_ends_on_a_bound() {
        let mut v = [-1.2, 1.0];
        let upper = [0.5, 5.0];
        let sum = least_squares(&mut Valley, &mut v, &[-5.0; 2], &upper, 0.0, &mut LeastSquares::default());
        assert!((sum - 0.25).abs() < 1e-8 && v[0] == 0.5 && (v[1] - 0.25).abs() < 1e-4, "{sum} at {v:?}");
    }

    #[test]
    fn the_lower_of_two_minima_is_found() {
        let (x, value) = minimise(|x| (x - 0.2).powi(2).min((x - 0.81).powi(2) - 0.1), 0.0, 1.0, 20, 1e-8);
        assert!((x - 0.81).abs() < 1e-7 && (value + 0.1).abs() < 1e-12, "{value} at {x}");
    }

    #[test]
    fn an_end_of_the_range_can_be_the_minimum() {
        assert_eq!(minimise(|x| x, 0.25, 1.0, 8, 1e-6).0, 0.25);
        assert_eq!(minimise(|x| -x, 0.25, 1.0, 8, 1e-6).0, 1.0);
    }
}
