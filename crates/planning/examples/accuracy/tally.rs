//! Errors, coverage and time by part, class, and method or rule.

use std::collections::BTreeMap;
use std::time::Duration;

use larder_planning::errors::{Scale, Tally, coverage};

use crate::halves::Part;

/// Part, class, kind (`method`, `rule` or `product`) and name.
pub type Key = (Part, &'static str, &'static str, String);

/// One forecast and what was sold on its days.
pub struct Forecast<'a> {
    pub sold: &'a [f64],
    pub masked: &'a [bool],
    pub scale: Scale,
    pub ahead: &'a [f64],
    pub bounds: Option<(Vec<f64>, Vec<f64>)>,
    pub took: Option<Duration>,
}

#[derive(Default)]
struct Figures {
    /// Of the series that is measured now.
    one: Tally,
    /// Σ |error|, Σ sold.
    sums: (f64, f64),
    /// Σ MASE of a series × its forecasts, Σ forecasts, number of series.
    mase: (f64, f64, usize),
    /// Σ shares of days within the interval, number of intervals.
    inside: (f64, f64),
    took: Vec<Duration>,
    refused: usize,
}

#[derive(Default)]
pub struct Table(BTreeMap<Key, Figures>);

impl Table {
    pub fn add(&mut self, key: Key, forecast: &Forecast<'_>) {
        let Forecast { sold, masked, scale, ahead, bounds, took } = forecast;
        let figures = self.0.entry(key).or_default();
        figures.one.add(sold, masked, ahead, *scale);
        for ((sold, forecast), _) in
            sold.iter().zip(ahead.iter()).zip(masked.iter()).filter(|(_, masked)| !**masked)
        {
            figures.sums.0 += (sold - forecast).abs();
            figures.sums.1 += sold;
        }
        let share = bounds.as_ref().and_then(|(lower, upper)| coverage(sold, masked, lower, upper));
        if let Some(share) = share {
            figures.inside.0 += share;
            figures.inside.1 += 1.0;
        }
        figures.took.extend(took);
    }

    pub fn refuse(&mut self, key: Key) {
        self.0.entry(key).or_default().refused += 1;
    }

    /// After the last cut-off of a series.
    pub fn end_series(&mut self) {
        for figures in self.0.values_mut() {
            let errors = std::mem::take(&mut figures.one).errors();
            if let Some(mase) = errors.mase {
                figures.mase.0 += mase * errors.origins as f64;
                figures.mase.1 += errors.origins as f64;
                figures.mase.2 += 1;
            }
        }
    }

    pub fn print(self) {
        println!(
            "part\tclass\tkind\tname\tmase\tforecasts\twrong\tsold\tinside\tintervals\tseries\trefused\tms"
        );
        for ((part, class, kind, name), mut it) in self.0 {
            it.took.sort_unstable();
            let millis = it.took.get(it.took.len() / 2).map_or(f64::NAN, |took| took.as_secs_f64() * 1e3);
            let (mase, forecasts, series) = it.mase;
            let ((wrong, sold), (inside, intervals), refused) = (it.sums, it.inside, it.refused);
            println!(
                "{}\t{class}\t{kind}\t{name}\t{mase}\t{forecasts}\t{wrong}\t{sold}\t{inside}\t{intervals}\t{series}\t\
                 {refused}\t{millis:.4}",
                part.name(),
            );
        }
    }
}
