//! Methods for intermittent demand: each gives one daily rate.
//!
//! Croston, "Forecasting and stock control for intermittent demands" (1972); Syntetos and Boylan (2005) for SBA;
//! Teunter, Syntetos and Babai (2011) for TSB; Nikolopoulos et al. (2011) for ADIDA; Petropoulos and Kourentzes (2015)
//! for IMAPA. A series without sales has the rate 0.

use crate::Refusal;
use crate::simple::{moving_average, needs, ses_optimised};

/// α of Croston's smoothing of demand sizes and intervals.
pub const ALPHA: f64 = 0.1;
/// SBA's correction of Croston's rate: 1 − α ⁄ 2.
pub const SBA: f64 = 0.95;
/// Bounds of an optimised α.
const BOUNDS: (f64, f64) = (0.1, 0.3);

/// Smoothed demand size ÷ smoothed interval. The first interval is the 1-based index of the first sale.
pub fn croston(y: &[f64]) -> Result<f64, Refusal> {
    needs(y, 1)?;
    let (mut size, mut interval, mut before) = (0.0, 0.0, 0);
    for (at, &value) in y.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let days = (at + 1 - before) as f64;
        if before == 0 {
            (size, interval) = (value, days);
        } else {
            size += ALPHA * (value - size);
            interval += ALPHA * (days - interval);
        }
        before = at + 1;
    }
    if before == 0 { moving_average(y, 1) } else { Ok(size / interval) }
}

/// Croston with bias correction (Syntetos–Boylan).
pub fn sba(y: &[f64]) -> Result<f64, Refusal> {
    Ok(croston(y)? * SBA)
}

/// Croston with α optimised for sizes and for intervals separately. `scratch` is overwritten.
pub fn croston_optimised(y: &[f64], scratch: &mut Vec<f64>) -> Result<f64, Refusal> {
    if is_idle(y)? {
        return moving_average(y, 1);
    }
    let size = ses_optimised(collect(sizes(y), scratch), BOUNDS)?;
    let interval = ses_optimised(collect(intervals(y), scratch), BOUNDS)?;
    Ok(size / interval)
}

/// Smoothed size × smoothed probability of a sale: unlike Croston it falls while nothing is sold.
pub fn tsb(y: &[f64], alpha_size: f64, alpha_chance: f64) -> Result<f64, Refusal> {
    needs(y, 1)?;
    let (mut size, mut sold) = (0.0, false);
    let mut chance = if y[0] > 0.0 { 1.0 } else { 0.0 };
    for &value in y {
        if value > 0.0 {
            size = if sold { size + alpha_size * (value - size) } else { value };
            sold = true;
            chance += alpha_chance * (1.0 - chance);
        } else {
            chance -= alpha_chance * chance;
        }
    }
    Ok(size * chance)
}

/// Smooths sums of `k` days, k the rounded mean interval, and disaggregates to days. `scratch` is overwritten.
pub fn adida(y: &[f64], scratch: &mut Vec<f64>) -> Result<f64, Refusal> {
    if is_idle(y)? {
        return Ok(0.0);
    }
    of_blocks(y, mean_interval(y), scratch)
}

/// The mean of [`adida`] for blocks of 1, 2, … k days. `scratch` is overwritten.
pub fn imapa(y: &[f64], scratch: &mut Vec<f64>) -> Result<f64, Refusal> {
    if is_idle(y)? {
        return Ok(0.0);
    }
    let most = mean_interval(y);
    let mut sum = 0.0;
    for block in 1..=most {
        sum += of_blocks(y, block, scratch)?;
    }
    Ok(sum / most as f64)
}

fn is_idle(y: &[f64]) -> Result<bool, Refusal> {
    needs(y, 1)?;
    Ok(y.iter().all(|&value| value <= 0.0))
}

fn sizes(y: &[f64]) -> impl Iterator<Item = f64> {
    y.iter().copied().filter(|&value| value > 0.0)
}

/// Days from one sale to the next.
fn intervals(y: &[f64]) -> impl Iterator<Item = f64> {
    let mut before = 0;
    y.iter().enumerate().filter(|(_, value)| **value > 0.0).map(move |(at, _)| {
        let days = at + 1 - before;
        before = at + 1;
        days as f64
    })
}

/// Mean of the intervals, ties rounded to even; at least 1.
fn mean_interval(y: &[f64]) -> usize {
    let (mut last, mut count) = (0, 0);
    for (at, _) in y.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        (last, count) = (at + 1, count + 1);
    }
    (last as f64 / count as f64).round_ties_even() as usize
}

/// Sums blocks of days (dropping the oldest incomplete block), smooths the sums, and returns the daily rate.
fn of_blocks(y: &[f64], block: usize, scratch: &mut Vec<f64>) -> Result<f64, Refusal> {
    if block == 1 {
        return ses_optimised(y, BOUNDS);
    }
    let sums = collect(y[y.len() % block..].chunks_exact(block).map(|days| days.iter().sum()), scratch);
    Ok(ses_optimised(sums, BOUNDS)? / block as f64)
}

fn collect(values: impl Iterator<Item = f64>, into: &mut Vec<f64>) -> &[f64] {
    into.clear();
    into.extend(values);
    into
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simple::ses;

    #[test]
    fn an_item_that_sells_every_day_is_smoothed_every_day() {
        let y = [3.0, 5.0, 4.0, 6.0];
        let rate = croston(&y).expect("a rate");
        assert!((rate - ses(&y, ALPHA).expect("a rate")).abs() < 1e-12);
        assert!((tsb(&y, ALPHA, ALPHA).expect("a rate") - rate).abs() < 1e-12);
    }

    #[test]
    fn nothing_sold_is_nothing_expected() {
        let mut scratch = Vec::new();
        let y = [0.0; 9];
        for rate in
            [croston(&y), sba(&y), tsb(&y, 0.1, 0.1), adida(&y, &mut scratch), imapa(&y, &mut scratch)]
        {
            assert_eq!(rate, Ok(0.0));
        }
        assert_eq!(croston(&[]), Err(Refusal::TooShort { have: 0, need: 1 }));
    }

    #[test]
    fn the_probability_of_a_sale_falls_while_nothing_is_sold() {
        let sold = [0.0, 2.0, 0.0, 2.0];
        let dead = [0.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0];
        let rate = |y: &[f64]| tsb(y, 0.1, 0.1).expect("a rate");
        assert!(rate(&dead) < rate(&sold));
        assert_eq!(croston(&dead), croston(&sold));
    }
}
