//! Sums of forecast errors.

/// Forecast errors, summed day by day.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    pub days: i64,
    pub actual: f64,
    pub forecast: f64,
    absolute: f64,
    /// Σ|e| and Σ scale of the days whose scale is known.
    scaled: (f64, f64),
    /// Days with an interval, and those within it.
    bounded: (i64, i64),
}

/// One day of one series.
#[derive(Debug, Clone, Copy)]
pub struct Day {
    pub actual: f64,
    pub forecast: f64,
    pub bounds: Option<(f64, f64)>,
    /// Mean change against the week before, in the history before the forecast.
    pub scale: Option<f64>,
}

impl Tally {
    /// Adds a day.
    pub fn add(&mut self, day: Day) {
        let error = (day.forecast - day.actual).abs();
        self.days += 1;
        self.actual += day.actual;
        self.forecast += day.forecast;
        self.absolute += error;
        if let Some(scale) = day.scale {
            self.scaled.0 += error;
            self.scaled.1 += scale;
        }
        if let Some((lower, upper)) = day.bounds {
            self.bounded.0 += 1;
            self.bounded.1 += i64::from((lower..=upper).contains(&day.actual));
        }
    }

    /// Adds another tally.
    pub fn join(&mut self, other: &Self) {
        self.days += other.days;
        self.actual += other.actual;
        self.forecast += other.forecast;
        self.absolute += other.absolute;
        self.scaled = (self.scaled.0 + other.scaled.0, self.scaled.1 + other.scaled.1);
        self.bounded = (self.bounded.0 + other.bounded.0, self.bounded.1 + other.bounded.1);
    }

    /// Σ|e| ÷ Σ sold; `None` without sales.
    pub fn wape(&self) -> Option<f64> {
        ratio(self.absolute, self.actual)
    }

    /// Σ(forecast − sold) ÷ Σ sold: positive if too much was forecast.
    pub fn bias(&self) -> Option<f64> {
        ratio(self.forecast - self.actual, self.actual)
    }

    /// Σ|e| ÷ Σ mean change against the week before.
    pub fn mase(&self) -> Option<f64> {
        ratio(self.scaled.0, self.scaled.1)
    }

    /// Share of days within their interval.
    pub fn coverage(&self) -> Option<f64> {
        (self.bounded.0 > 0).then(|| self.bounded.1 as f64 / self.bounded.0 as f64)
    }
}

fn ratio(a: f64, b: f64) -> Option<f64> {
    (b > 0.0).then(|| a / b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_figures() {
        let mut tally = Tally::default();
        tally.add(Day { actual: 10.0, forecast: 12.0, bounds: Some((8.0, 16.0)), scale: Some(4.0) });
        tally.add(Day { actual: 6.0, forecast: 2.0, bounds: Some((0.0, 5.0)), scale: None });
        let mut other = Tally::default();
        other.add(Day { actual: 0.0, forecast: 1.0, bounds: None, scale: Some(1.0) });
        tally.join(&other);
        assert_eq!((tally.wape(), tally.bias()), (Some(7.0 / 16.0), Some(-1.0 / 16.0)));
        assert_eq!((tally.mase(), tally.coverage(), tally.days), (Some(3.0 / 5.0), Some(0.5), 3));
        assert_eq!(Tally::default().wape(), None);
    }
}
