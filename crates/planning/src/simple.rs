//! Averages and simple exponential smoothing.
//!
//! `y` is a cleaned series, `m` the days of a season, `out` one value for each day ahead. Nothing here allocates. A
//! method with too little history returns [`Refusal::TooShort`] and leaves `out` unchanged.

use crate::Refusal;
use crate::alpha::best_alpha;

/// Number of same weekdays in a daily moving average.
pub const DOW_WEEKS: usize = 8;
/// The weight of a week relative to the next newer one in the weighted daily moving average.
pub const DOW_WEIGHT: f64 = 0.8;

/// Days for computing weekday shares: 52 weeks.
const YEAR: usize = 364;

/// Requires `need` values.
pub fn needs(y: &[f64], need: usize) -> Result<(), Refusal> {
    if y.len() >= need { Ok(()) } else { Err(Refusal::TooShort { have: y.len(), need }) }
}

/// The last value.
pub fn naive(y: &[f64], out: &mut [f64]) -> Result<(), Refusal> {
    needs(y, 1)?;
    out.fill(y[y.len() - 1]);
    Ok(())
}

/// The line through the first and the last value.
pub fn drift(y: &[f64], out: &mut [f64]) -> Result<(), Refusal> {
    needs(y, 2)?;
    let last = y[y.len() - 1];
    let slope = (last - y[0]) / (y.len() - 1) as f64;
    out.iter_mut().enumerate().for_each(|(i, f)| *f = last + slope * (i + 1) as f64);
    Ok(())
}

/// The value one season ago.
pub fn seasonal_naive(y: &[f64], m: usize, out: &mut [f64]) -> Result<(), Refusal> {
    needs(y, m)?;
    let season = &y[y.len() - m..];
    out.iter_mut().enumerate().for_each(|(i, f)| *f = season[i % m]);
    Ok(())
}

/// The mean of all values.
pub fn mean(y: &[f64]) -> Result<f64, Refusal> {
    needs(y, 1)?;
    Ok(y.iter().sum::<f64>() / y.len() as f64)
}

/// The mean of the last `w` values.
pub fn moving_average(y: &[f64], w: usize) -> Result<f64, Refusal> {
    needs(y, w)?;
    mean(&y[y.len() - w..])
}

/// For each day of the season the mean of its last `k` values, all required.
pub fn seasonal_average(y: &[f64], m: usize, k: usize, out: &mut [f64]) -> Result<(), Refusal> {
    needs(y, m * k)?;
    seasonal_weighted(y, m, k, 1.0, out)
}

/// For each day of the season the weighted mean Σλⁱy ⁄ Σλⁱ of its last `k` values, i = 0 the newest, or of as many as
/// there are. `m` = 7 and λ = 1 is the daily moving average of weekdays.
pub fn seasonal_weighted(y: &[f64], m: usize, k: usize, lambda: f64, out: &mut [f64]) -> Result<(), Refusal> {
    needs(y, m)?;
    for i in 0..out.len().min(m) {
        let (mut sum, mut weights, mut weight) = (0.0, 0.0, 1.0);
        let mut back = m - i;
        for _ in 0..k {
            let Some(at) = y.len().checked_sub(back) else { break };
            sum += weight * y[at];
            weights += weight;
            weight *= lambda;
            back += m;
        }
        out[i] = sum / weights;
    }
    repeat(m, out);
    Ok(())
}

/// Repeats the first season of `out`.
fn repeat(m: usize, out: &mut [f64]) {
    for i in m..out.len() {
        out[i] = out[i - m];
    }
}

/// Level after simple exponential smoothing: l₀ = y₀, l = αy + (1−α)l.
pub fn ses(y: &[f64], alpha: f64) -> Result<f64, Refusal> {
    needs(y, 1)?;
    Ok(smooth(y.iter().copied(), alpha))
}

/// The same over an iterator; 0 if empty.
fn smooth(mut values: impl Iterator<Item = f64>, alpha: f64) -> f64 {
    let Some(first) = values.next() else { return 0.0 };
    values.fold(first, |level, value| alpha * value + (1.0 - alpha) * level)
}

/// Level of simple exponential smoothing with the α in `bounds` that has the least squared one-step error.
pub fn ses_optimised(y: &[f64], bounds: (f64, f64)) -> Result<f64, Refusal> {
    needs(y, 1)?;
    ses(y, best_alpha(y, bounds))
}

/// Each day of the season smoothed separately.
pub fn seasonal_ses(y: &[f64], m: usize, alpha: f64, out: &mut [f64]) -> Result<(), Refusal> {
    needs(y, m)?;
    let first = y.len() % m;
    for (i, f) in out.iter_mut().take(m).enumerate() {
        *f = smooth(y[first + i..].iter().copied().step_by(m), alpha);
    }
    repeat(m, out);
    Ok(())
}

/// The current level × the usual share of each day of the season. Shares need many weeks and use up to a year; the
/// level is Σwy ÷ Σws, with s the share of a day and w = (1−α)ⁱ of the i-th newest, so that a busy weekday is not taken
/// for a rise. `shares` is overwritten.
pub fn seasonal_level(
    y: &[f64],
    m: usize,
    alpha: f64,
    shares: &mut Vec<f64>,
    out: &mut [f64],
) -> Result<(), Refusal> {
    needs(y, m)?;
    let seasons = (y.len() / m).min((YEAR / m).max(1));
    let year = &y[y.len() - seasons * m..];
    let mean = year.iter().sum::<f64>() / year.len() as f64;
    shares.clear();
    shares.extend((0..m).map(|day| {
        let usual = year[day..].iter().step_by(m).sum::<f64>() / seasons as f64;
        if mean > 0.0 { (usual / mean).max(0.0) } else { 1.0 }
    }));
    let (mut sold, mut expected, mut weight) = (0.0, 0.0, 1.0);
    for (value, share) in y.iter().rev().zip(shares.iter().rev().cycle()) {
        sold += weight * value;
        expected += weight * share;
        weight *= 1.0 - alpha;
    }
    let level = if expected > 0.0 { sold / expected } else { 0.0 };
    out.iter_mut().enumerate().for_each(|(i, f)| *f = level * shares[i % m]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daily_moving_average_uses_a_short_history() {
        let y = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 11.0];
        let mut out = [0.0; 9];
        seasonal_weighted(&y, 7, 8, 1.0, &mut out).expect("eight days");
        assert_eq!(out, [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 6.0, 2.0, 3.0]);
        assert_eq!(
            seasonal_weighted(&y[..6], 7, 8, 1.0, &mut out),
            Err(Refusal::TooShort { have: 6, need: 7 })
        );
    }

    #[test]
    fn newer_weeks_count_more_in_the_weighted_one() {
        let mut y = vec![10.0; 7];
        y.extend([20.0; 7]);
        let mut out = [0.0; 1];
        seasonal_weighted(&y, 7, 8, 0.8, &mut out).expect("two weeks");
        assert!((out[0] - (20.0 + 0.8 * 10.0) / 1.8).abs() < 1e-12);
    }

    #[test]
    fn a_level_follows_a_rise_and_keeps_the_shares() {
        let week = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0];
        let mut y: Vec<f64> = (0..70).map(|t| week[t % 7]).collect();
        y.extend((70..140).map(|t| week[t % 7] * 2.0));
        y.extend([2.0, 4.0, 6.0]);
        let (mut shares, mut out) = (Vec::new(), [0.0; 9]);
        seasonal_level(&y, 7, 0.2, &mut shares, &mut out).expect("twenty weeks");
        for (i, f) in out.iter().enumerate() {
            // The rise within the year, which affects the shares too, changes them slightly.
            let expect = week[(3 + i) % 7] * 2.0;
            assert!((f - expect).abs() <= 0.06 * expect.max(0.01), "{out:?}");
        }
        seasonal_level(&[0.0; 9], 7, 0.2, &mut shares, &mut out).expect("nine days");
        assert_eq!(out, [0.0; 9]);
    }
}
