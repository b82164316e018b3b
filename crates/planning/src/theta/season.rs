//! Classical decomposition: deviations from a centred moving average, by index in the season.

/// How a seasonal figure combines with the level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Additive; the indices sum to 0.
    Added,
    /// Multiplicative; the indices have the mean 1.
    Multiplied,
}

/// Writes the seasonal index of each position into `out`, whose length is the season's; `out[0]` is that of `y[0]`. `y`
/// has at least two seasons, and only positive values for [`Join::Multiplied`].
///
/// As `seasonal_decompose` of statsmodels: an average over one season (half of each end where its length is even), the
/// mean deviation by position, normalised to sum to zero.
pub(crate) fn indices(y: &[f64], join: Join, out: &mut [f64]) {
    let (n, m) = (y.len(), out.len());
    let half = m / 2;
    for (place, index) in out.iter_mut().enumerate() {
        let first = if place < half { place + m } else { place };
        let (mut sum, mut count) = (0.0, 0.0);
        for t in (first..n - half).step_by(m) {
            let mut around: f64 = y[t - half..=t + half].iter().sum();
            if m.is_multiple_of(2) {
                around -= (y[t - half] + y[t + half]) / 2.0;
            }
            let average = around / m as f64;
            sum += match join {
                Join::Added => y[t] - average,
                Join::Multiplied => y[t] / average,
            };
            count += 1.0;
        }
        *index = sum / count;
    }
    let mean = out.iter().sum::<f64>() / m as f64;
    for index in out.iter_mut() {
        match join {
            Join::Added => *index -= mean,
            Join::Multiplied => *index /= mean,
        }
    }
}

/// Whether the autocorrelation at one season is significant at 90% against those before it, as statsforecast decides
/// whether a theta method removes the season first: always false for a season under 4 or with less than two seasons of
/// values.
pub fn is_seasonal(y: &[f64], m: usize) -> bool {
    if m < 4 || y.len() < 2 * m {
        return false;
    }
    let n = y.len() as f64;
    let mean = y.iter().sum::<f64>() / n;
    let spread: f64 = y.iter().map(|v| (v - mean) * (v - mean)).sum();
    let at = |lag: usize| y.iter().zip(&y[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / spread;
    let before: f64 = (1..m).map(|lag| at(lag).powi(2)).sum();
    at(m).abs() / ((1.0 + 2.0 * before) / n).sqrt() > 1.644_853_626_951_472_6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_of_a_pure_season_are_that_season() {
        let season = [3.0, -1.0, 0.5, -2.5];
        let y: Vec<f64> = (0..20).map(|t| 10.0 + 0.25 * t as f64 + season[t % 4]).collect();
        let mut out = [0.0; 4];
        indices(&y, Join::Added, &mut out);
        for (found, wanted) in out.iter().zip(season) {
            assert!((found - wanted).abs() < 1e-12, "{out:?}");
        }
        assert!(is_seasonal(&y, 4));
    }

    #[test]
    fn multiplied_indices_have_the_mean_one() {
        let y: Vec<f64> = (0..15).map(|t| (50.0 + t as f64) * [0.8, 1.1, 0.9, 1.2, 1.0][t % 5]).collect();
        let mut out = [0.0; 5];
        indices(&y, Join::Multiplied, &mut out);
        assert!((out.iter().sum::<f64>() - 5.0).abs() < 1e-12);
        assert!(out[3] > out[1] && out[1] > out[4] && out[4] > out[2] && out[2] > out[0], "{out:?}");
    }

    #[test]
    fn nothing_varies_in_constants_and_short_series() {
        assert!(!is_seasonal(&[4.0; 60], 7));
        assert!(!is_seasonal(&[1.0, 9.0, 1.0, 9.0, 1.0, 9.0], 4));
        assert!(!is_seasonal(&[1.0, 9.0, 1.0, 9.0, 1.0, 9.0], 2));
    }
}
