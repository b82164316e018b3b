//! The same pass with the derivatives by every variable, propagated with the states.

#![expect(clippy::needless_range_loop, reason = "several rows of one width are walked side by side")]

use super::recursion::{ADDED, MULTIPLIED, NO_SEASON, Pass, Smoothing};

/// Rows of the Jacobian accumulated together, so that sums stay in registers.
const BATCH: usize = 32;

impl Pass<'_> {
    /// The sum at `v`, JᵀJ in the upper triangle of `normal` and Jᵀr in `gradient`, with rows of `P` numbers: the derivatives,
    /// then the residual.
    pub(super) fn derivatives<const P: usize, const TREND: bool, const SEASON: u8, const RELATIVE: bool>(
        &mut self,
        v: &[f64],
        normal: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let Smoothing { alpha, beta, gamma, phi } = self.begin(v);
        let (places, p) = (self.places, self.places.count);
        let (mut level, mut slope) = (self.states.level, self.states.slope);
        let (mut d_level, mut d_slope) = ([0.0; P], [0.0; P]);
        d_level[places.level] = 1.0;
        if TREND {
            d_slope[places.slope] = 1.0;
        }
        self.rows.resize(BATCH * P, 0.0);
        let rows = self.rows.as_chunks_mut::<P>().0;
        let d_season = if SEASON == NO_SEASON {
            &mut [][..]
        } else {
            self.slopes.clear();
            self.slopes.resize(self.m * P, 0.0);
            let all = self.slopes.as_chunks_mut::<P>().0;
            for i in 0..self.m - 1 {
                all[i][places.season + i] = 1.0;
                all[self.m - 1][places.season + i] = -1.0;
            }
            all
        };
        normal.fill(0.0);
        let normal = normal.as_chunks_mut::<P>().0;
        let (mut logs, mut product) = (0.0, 1.0f64);
        let mut d_logs = [0.0; P];
        let mut place = 0;
        for (t, &y) in self.y.iter().enumerate() {
            let drift = if TREND { phi * slope } else { 0.0 };
            let q = level + drift;
            let mut d_q = d_level;
            if TREND {
                for i in 0..P {
                    d_slope[i] *= phi;
                }
                if places.phi < P {
                    d_slope[places.phi] += slope;
                }
                for i in 0..P {
                    d_q[i] += d_slope[i];
                }
            }
            let mut d_f = d_q;
            let (mut s, mut f) = (1.0, q);
            if SEASON == ADDED {
                s = self.season[place];
                f = q + s;
                for i in 0..P {
                    d_f[i] += d_season[place][i];
                }
            }
            if SEASON == MULTIPLIED {
                s = self.season[place];
                f = q * s;
                for i in 0..P {
                    d_f[i] = s * d_q[i] + q * d_season[place][i];
                }
            }
            let error = y - f;

            let row = &mut rows[t % BATCH];
            if RELATIVE {
                let (over, share) = (1.0 / f, error / f);
                let by = -y * over * over;
                for i in 0..P {
                    row[i] = by * d_f[i];
                    d_logs[i] += over * d_f[i];
                }
                row[p] = share;
                product *= f;
                if t % 8 == 7 {
                    logs += product.ln();
                    product = 1.0;
                }
            } else {
                for i in 0..P {
                    row[i] = -d_f[i];
                }
                row[p] = error;
            }
            if t % BATCH == BATCH - 1 {
                gram(rows, normal);
            }

            let mut pull = error;
            if SEASON == MULTIPLIED {
                // pull = y/s − q, and the season's pull is y/q − s.
                pull = error / s;
                let (by_s, by_q) = (y / (s * s), y / (q * q));
                let d_s = &mut d_season[place];
                for i in 0..P {
                    let d_pull = -d_q[i] - by_s * d_s[i];
                    d_level[i] = d_q[i] + alpha * d_pull;
                    if TREND {
                        d_slope[i] += beta * d_pull;
                    }
                    d_s[i] -= gamma * (d_s[i] + by_q * d_q[i]);
                }
                d_s[places.gamma] += error / q;
                self.season[place] = s + gamma * error / q;
            } else {
                for i in 0..P {
                    d_level[i] = d_q[i] - alpha * d_f[i];
                }
                if TREND {
                    for i in 0..P {
                        d_slope[i] -= beta * d_f[i];
                    }
                }
                if SEASON == ADDED {
                    let d_s = &mut d_season[place];
                    for i in 0..P {
                        d_s[i] -= gamma * d_f[i];
                    }
                    d_s[places.gamma] += error;
                    self.season[place] = s + gamma * error;
                }
            }
            level = q + alpha * pull;
            d_level[0] += pull;
            if TREND {
                slope = drift + beta * pull;
                d_slope[0] += v[places.beta] * pull;
                d_slope[places.beta] += alpha * pull;
            }
            if SEASON != NO_SEASON {
                place += 1;
                if place == self.m {
                    place = 0;
                }
            }
        }
        gram(&rows[..self.y.len() % BATCH], normal);
        let squares = normal[p][p];
        for i in 0..p {
            gradient[i] = normal[i][p];
        }
        if !RELATIVE {
            return squares;
        }
        // Each residual is Ge/f, whose derivative is G(d(e/f) + e/f · d log G).
        let n = self.y.len() as f64;
        let g2 = (2.0 * (logs + product.ln()) / n).exp();
        let share = |i: usize| d_logs[i] / n;
        for i in 0..p {
            for j in i..p {
                let mixed = share(i) * gradient[j] + share(j) * gradient[i] + share(i) * share(j) * squares;
                normal[i][j] = g2 * (normal[i][j] + mixed);
            }
        }
        for i in 0..p {
            gradient[i] = g2 * (gradient[i] + share(i) * squares);
        }
        g2 * squares
    }
}

/// Adds the products of all pairs of columns, four by four, to the upper triangle.
fn gram<const P: usize>(rows: &[[f64; P]], normal: &mut [[f64; P]]) {
    for left in (0..P).step_by(4) {
        for right in (left..P).step_by(4) {
            let mut sums = [[0.0; 4]; 4];
            for row in rows {
                let (a, b) = (&row[left..left + 4], &row[right..right + 4]);
                for i in 0..4 {
                    for j in 0..4 {
                        sums[i][j] += a[i] * b[j];
                    }
                }
            }
            for i in 0..4 {
                for j in 0..4 {
                    normal[left + i][right + j] += sums[i][j];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Model;
    use super::super::recursion::{Pass, Places, States};
    use crate::optimise::SumOfSquares;

    /// Against central differences, for every model and two seasons of which one pads its rows much.
    #[test]
    fn the_gradient_is_that_of_the_sum() {
        for (model, m) in Model::all().flat_map(|model| [(model, 4), (model, 7)]) {
            let places = Places::of(model, m);
            let y: Vec<f64> =
                (0..50).map(|t| 1.0 + 0.3 * (t as f64).sin() + 0.2 * ((t % m) as f64).cos()).collect();
            let (mut season, mut slopes, mut rows) = (vec![], vec![], vec![]);
            let mut pass = Pass {
                model,
                m,
                places,
                y: &y,
                season: &mut season,
                slopes: &mut slopes,
                rows: &mut rows,
                states: States::default(),
            };
            let middle = if model.is_for_positive() && model.to_string().ends_with('M') { 1.0 } else { 0.0 };
            let mut v: Vec<f64> = (0..places.count).map(|i| middle + 0.005 * (i as f64 + 1.0)).collect();
            for (place, value) in [
                (0, 0.3),
                (places.beta, 0.2),
                (places.gamma, 0.1),
                (places.phi, 0.9),
                (places.level, 1.1),
                (places.slope, 0.01),
            ] {
                if place < v.len() {
                    v[place] = value;
                }
            }
            let stride = pass.stride();
            let (mut normal, mut gradient) = (vec![0.0; stride * stride], vec![0.0; stride]);
            let sum = pass.normal(&v, &mut normal, &mut gradient);
            let plain = pass.value(&v);
            assert!((sum - plain).abs() <= 1e-12 * sum, "{model}: {sum} is not {plain}");
            for i in 0..v.len() {
                let mut around = [v.clone(), v.clone()];
                around[0][i] -= 1e-6;
                around[1][i] += 1e-6;
                let wanted = (pass.value(&around[1]) - pass.value(&around[0])) / 4e-6;
                assert!(
                    (gradient[i] - wanted).abs() <= 1e-6 * (sum + wanted.abs()),
                    "{model} {i}: {} is not {wanted}",
                    gradient[i]
                );
            }
        }
    }
}
