//! Calendar forecasts: by whole weeks, and by months compared with the previous year.
//!
//! `first_day` is the day of `y[0]`, counted from 1970-01-01; `out` has one value for each day after the history.

use larder_domain::BusinessDay;

use crate::Refusal;
use crate::simple::{DOW_WEEKS, mean, needs, seasonal_weighted};

const WEEK: usize = 7;
/// Complete weeks whose mean is the level of the weekly forecast.
const LEVEL_WEEKS: usize = 4;
/// Complete weeks from which the shares of the weekdays are taken.
const SHARE_WEEKS: usize = 52;
/// Minimum history to compare a month with the same month of the previous year: thirteen months.
pub const YEAR_ON_YEAR_DAYS: usize = 393;
const YEAR: usize = 364;
/// Bounds of the year-on-year factor.
const FACTOR: (f64, f64) = (0.5, 2.0);

/// Monday is 0, like [`BusinessDay::weekday`], without a calendar.
#[must_use]
pub fn weekday(day: i32) -> usize {
    (i64::from(day) + 3).rem_euclid(7) as usize
}

/// Mean of the last four complete weeks (Monday to Sunday) × the share of each weekday in up to a year of them, or as
/// many as there are.
///
/// # Errors
/// [`Refusal::TooShort`] without one complete week; `need` counts the days to the end of the first.
pub fn weekly(y: &[f64], first_day: i32, out: &mut [f64]) -> Result<(), Refusal> {
    let monday = (WEEK - weekday(first_day)) % WEEK;
    needs(y, monday + WEEK)?;
    let weeks = (y.len() - monday) / WEEK;
    let whole = &y[monday..monday + weeks * WEEK];
    let level_weeks = weeks.min(LEVEL_WEEKS);
    let week = whole[whole.len() - level_weeks * WEEK..].iter().sum::<f64>() / level_weeks as f64;
    let recent = &whole[whole.len() - weeks.min(SHARE_WEEKS) * WEEK..];
    let sum: f64 = recent.iter().sum();
    let mut shares = [1.0 / WEEK as f64; WEEK];
    if sum > 0.0 {
        for (day, share) in shares.iter_mut().enumerate() {
            *share = recent[day..].iter().step_by(WEEK).sum::<f64>() / sum;
        }
    }
    let today = (y.len() - monday) % WEEK;
    out.iter_mut().enumerate().for_each(|(i, f)| *f = week * shares[(today + i) % WEEK]);
    Ok(())
}

/// The daily moving average of each day × the factor of its month: last year's same month relative to the eight weeks
/// before this day of last year, within 0.5 and 2. The forecast of a month is the sum of its days.
///
/// The factor is 1 with less than 13 months of history, where last year's month is not completely known, and where
/// nothing was sold in the weeks it is compared with.
pub fn monthly(y: &[f64], first_day: i32, out: &mut [f64]) -> Result<(), Refusal> {
    seasonal_weighted(y, WEEK, DOW_WEEKS, 1.0, out)?;
    if y.len() < YEAR_ON_YEAR_DAYS {
        return Ok(());
    }
    let a_year_ago = y.len() - YEAR;
    let before = mean(&y[a_year_ago.saturating_sub(DOW_WEEKS * WEEK)..a_year_ago])?;
    let mut month_of_factor = None;
    let mut factor = 1.0;
    for (i, f) in out.iter_mut().enumerate() {
        let day = BusinessDay(first_day.saturating_add((y.len() + i) as i32));
        let month = day.month();
        if month_of_factor != Some(month) {
            month_of_factor = Some(month);
            factor = last_year(y, first_day, month).map_or(1.0, |then| ratio(then, before));
        }
        *f *= factor;
    }
    Ok(())
}

fn ratio(then: f64, before: f64) -> f64 {
    if before > 0.0 { (then / before).clamp(FACTOR.0, FACTOR.1) } else { 1.0 }
}

/// Daily mean of the same month one year before, if all of it is known.
fn last_year(y: &[f64], first_day: i32, month: BusinessDay) -> Option<f64> {
    let date = month.date();
    let start = BusinessDay::from_ymd(date.year() - 1, date.month(), 1)?;
    let end = start.0 + i32::from(start.date().days_in_month());
    let from = usize::try_from(start.0.checked_sub(first_day)?).ok()?;
    let to = usize::try_from(end.checked_sub(first_day)?).ok()?;
    mean(y.get(from..to)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(y: i16, m: i8, d: i8) -> i32 {
        BusinessDay::from_ymd(y, m, d).expect("a day").0
    }

    #[test]
    fn a_weekday_is_what_the_calendar_says() {
        for of in [-800, -1, 0, 1, 20_000, day(2026, 3, 2)] {
            assert_eq!(weekday(of), usize::from(BusinessDay(of).weekday()), "{of}");
        }
    }

    #[test]
    fn days_outside_complete_weeks_do_not_count() {
        // Saturday and Sunday, five weeks of a level that doubles, then a Monday that is much higher.
        let mut y = vec![900.0, 900.0];
        for week in 0..5 {
            let level = if week == 0 { 100.0 } else { 10.0 };
            y.extend([0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 2.0].map(|share| share * level));
        }
        y.push(900.0);
        let mut out = [0.0; 8];
        weekly(&y, day(2026, 2, 28), &mut out).expect("five weeks");
        let expect = [10.0, 10.0, 10.0, 20.0, 30.0, 20.0, 0.0, 10.0];
        out.iter().zip(expect).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{out:?}"));
        assert_eq!(weekly(&y[..8], day(2026, 2, 28), &mut out), Err(Refusal::TooShort { have: 8, need: 9 }));
    }

    #[test]
    fn a_month_follows_last_years_and_stays_within_the_bounds() {
        let first = day(2024, 11, 1);
        // 10 a day; December of 2024 15 a day; the forecast begins with 1 December 2025.
        let n = (day(2025, 12, 1) - first) as usize;
        let mut y = vec![10.0; n];
        y[30..61].fill(15.0);
        let mut out = [0.0; 62];
        monthly(&y, first, &mut out).expect("thirteen months");
        // Of the weeks before 2 December 2024 the history has 31 days, one of them at 15.
        assert_eq!(n - YEAR, 31);
        let before = (30.0 * 10.0 + 15.0) / 31.0;
        assert!((out[0] - 10.0 * 15.0 / before).abs() < 1e-9, "{}", out[0]);
        assert!((out[31] - 10.0 * 10.0 / before).abs() < 1e-9, "January");
        y[30..61].fill(900.0);
        monthly(&y, first, &mut out).expect("thirteen months");
        assert!((out[0] - 20.0).abs() < 1e-9);
        let mut short = [0.0; 3];
        monthly(&y[n - 392..], first + n as i32 - 392, &mut short).expect("a year");
        assert_eq!(short, [10.0; 3]);
    }
}
