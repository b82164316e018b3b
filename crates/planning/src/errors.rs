//! Forecast errors. Masked days are excluded.
//!
//! MASE is mean|e| ÷ mean|y_t − y_{t−m}| of the history before the forecast (Hyndman and Koehler 2006); RMSSE is √(mean
//! e² ÷ mean (y_t − y_{t−1})²), with the scale from the first sale on (the M5 competition); WAPE is Σ|e| ÷ Σ|y|; bias
//! is the mean of forecast − sold. A ratio with a zero denominator (no sales, a flat history) is `None`.

/// The error figures of a method.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Errors {
    pub wape: Option<f64>,
    /// In units per day; positive for over-forecasting.
    pub bias: Option<f64>,
    pub mae: Option<f64>,
    pub mase: Option<f64>,
    pub rmsse: Option<f64>,
    /// Number of days compared.
    pub days: usize,
    /// Number of forecasts compared.
    pub origins: usize,
}

/// The scale of errors: how much the history itself varies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Scale {
    /// Mean |y_t − y_{t−m}|.
    pub seasonal: Option<f64>,
    /// Mean (y_t − y_{t−1})² from the first sale on.
    pub squared: Option<f64>,
}

impl Scale {
    /// For a history: `y` and its mask (see [`is_masked`]), `m` days per season. Pairs with a masked day are left out.
    #[must_use]
    pub fn of(y: &[f64], masked: &[bool], m: usize) -> Self {
        let start = (0..y.len()).find(|&t| y[t] != 0.0 && !is_masked(masked, t)).unwrap_or(y.len());
        Self {
            seasonal: mean_of(y, masked, m, f64::abs),
            squared: mean_of(&y[start..], masked.get(start..).unwrap_or(&[]), 1, |d| d * d),
        }
    }
}

fn mean_of(y: &[f64], masked: &[bool], lag: usize, what: impl Fn(f64) -> f64) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_usize);
    for t in lag..y.len() {
        if !is_masked(masked, t) && !is_masked(masked, t - lag) {
            sum += what(y[t] - y[t - lag]);
            count += 1;
        }
    }
    (count > 0).then(|| sum / count as f64)
}

/// Whether day `t` is masked; an empty mask masks nothing.
#[must_use]
pub fn is_masked(masked: &[bool], t: usize) -> bool {
    masked.get(t).copied().unwrap_or(false)
}

/// Accumulates forecasts from one or more origins.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    days: usize,
    origins: usize,
    absolute: f64,
    signed: f64,
    sold: f64,
    /// Absolute and squared errors where the scale is known, and their divisors.
    scaled: (f64, f64),
    scaled_squares: (f64, f64),
}

impl Tally {
    /// Adds one forecast: actual sales of its days, their mask, the forecast, and the scale of the preceding history.
    pub fn add(&mut self, sold: &[f64], masked: &[bool], forecast: &[f64], scale: Scale) {
        let (mut days, mut absolute, mut squares) = (0, 0.0, 0.0);
        for (t, (actual, forecast)) in sold.iter().zip(forecast).enumerate() {
            if is_masked(masked, t) {
                continue;
            }
            let error = forecast - actual;
            days += 1;
            absolute += error.abs();
            squares += error * error;
            self.signed += error;
            self.sold += actual.abs();
        }
        if days == 0 {
            return;
        }
        self.days += days;
        self.origins += 1;
        self.absolute += absolute;
        if let Some(by) = scale.seasonal {
            self.scaled.0 += absolute;
            self.scaled.1 += by * days as f64;
        }
        if let Some(by) = scale.squared {
            self.scaled_squares.0 += squares;
            self.scaled_squares.1 += by * days as f64;
        }
    }

    /// The error figures. Over several origins MASE and RMSSE divide the sum of the errors by the sum of the scales, so
    /// that a flat part of the history does not dominate.
    #[must_use]
    pub fn errors(&self) -> Errors {
        let count = self.days as f64;
        Errors {
            wape: ratio(self.absolute, self.sold),
            bias: ratio(self.signed, count),
            mae: ratio(self.absolute, count),
            mase: ratio(self.scaled.0, self.scaled.1),
            rmsse: ratio(self.scaled_squares.0, self.scaled_squares.1).map(f64::sqrt),
            days: self.days,
            origins: self.origins,
        }
    }
}

fn ratio(a: f64, b: f64) -> Option<f64> {
    (b > 0.0).then(|| a / b)
}

/// Mean pinball loss of the forecast quantile `q`: under-forecasting costs q per unit, over-forecasting 1 − q. `None`
/// without a known day.
#[must_use]
pub fn pinball(sold: &[f64], masked: &[bool], quantile: &[f64], q: f64) -> Option<f64> {
    over_known(sold, masked, |t, actual| {
        let short = actual - quantile[t];
        if short >= 0.0 { q * short } else { (q - 1.0) * short }
    })
}

/// Share of known days within their interval. `None` without a known day.
#[must_use]
pub fn coverage(sold: &[f64], masked: &[bool], lower: &[f64], upper: &[f64]) -> Option<f64> {
    over_known(sold, masked, |t, actual| if actual >= lower[t] && actual <= upper[t] { 1.0 } else { 0.0 })
}

fn over_known(sold: &[f64], masked: &[bool], what: impl Fn(usize, f64) -> f64) -> Option<f64> {
    let known = sold.iter().enumerate().filter(|(t, _)| !is_masked(masked, *t));
    let (sum, count) = known.fold((0.0, 0_usize), |(sum, count), (t, &it)| (sum + what(t, it), count + 1));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(sold: &[f64], masked: &[bool], forecast: &[f64], scale: Scale) -> Errors {
        let mut tally = Tally::default();
        tally.add(sold, masked, forecast, scale);
        tally.errors()
    }

    #[test]
    fn figures_worked_by_hand() {
        let scale = Scale::of(&[0.0, 0.0, 2.0, 4.0, 1.0, 3.0], &[], 2);
        assert_eq!(scale, Scale { seasonal: Some((2.0 + 4.0 + 1.0 + 1.0) / 4.0), squared: Some(17.0 / 3.0) });
        let found = errors(&[4.0, 0.0], &[], &[3.0, 3.0], scale);
        assert_eq!(
            (found.wape, found.bias, found.mae, found.mase),
            (Some(1.0), Some(1.0), Some(2.0), Some(1.0))
        );
        assert!((found.rmsse.expect("a scale") - (5.0 / (17.0 / 3.0_f64)).sqrt()).abs() < 1e-12);
        assert_eq!((found.days, found.origins), (2, 1));
    }

    #[test]
    fn a_masked_day_is_never_counted() {
        let scale = Scale { seasonal: Some(1.0), squared: Some(1.0) };
        let with = errors(&[4.0, 99.0, 1.0], &[false, true, false], &[3.0, 0.0, 1.0], scale);
        assert_eq!(with, errors(&[4.0, 1.0], &[], &[3.0, 1.0], scale));
        let masked = [false, false, false, true, false];
        assert_eq!(Scale::of(&[1.0, 5.0, 1.0, 77.0, 4.0], &masked, 1).seasonal, Some(4.0));
        let first = [true, false, false, false];
        assert_eq!(Scale::of(&[9.0, 0.0, 2.0, 3.0], &first, 9), Scale { seasonal: None, squared: Some(1.0) });
        assert_eq!(errors(&[1.0], &[true], &[5.0], scale), Errors::default());
    }

    #[test]
    fn a_ratio_to_zero_is_none() {
        let flat = Scale::of(&[2.0; 9], &[], 7);
        let found = errors(&[0.0], &[], &[1.0], flat);
        assert_eq!((found.wape, found.mase, found.rmsse, found.mae), (None, None, None, Some(1.0)));
        assert_eq!(Scale::of(&[0.0; 5], &[], 7), Scale::default());
    }

    #[test]
    fn pinball_and_coverage() {
        let (sold, masked) = ([10.0, 4.0, 50.0], [false, false, true]);
        assert_eq!(pinball(&sold, &masked, &[8.0, 8.0, 8.0], 0.75), Some((0.75 * 2.0 + 0.25 * 4.0) / 2.0));
        assert_eq!(coverage(&sold, &masked, &[9.0, 5.0, 0.0], &[11.0, 6.0, 1.0]), Some(0.5));
        assert_eq!(coverage(&sold, &[true; 3], &[0.0; 3], &[0.0; 3]), None);
    }
}
