//! Daily demand, cleaned: a missing day is not a day without sales.
//!
//! A raw series has one figure per calendar day. NaN is a *masked* day: the store was closed, its sales were not
//! imported, or the item was out of stock all day. Zero is a trading day without sales of the item.

use crate::Refusal;

/// Maximum daily quantity; above it sums of squares lose precision.
pub const MOST: f64 = 1e12;

const WEEK: usize = 7;
const FILL_FROM: usize = 4;

/// Many cleaned series in one buffer, so that a nightly run makes a few large allocations instead of two per series.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    y: Vec<f64>,
    masked: Vec<bool>,
    /// The end of each series in `y`.
    ends: Vec<usize>,
    first_days: Vec<i32>,
}

/// One cleaned series of a [`Panel`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Series<'a> {
    /// Days since 1970-01-01 of the first value.
    pub first_day: i32,
    /// One value per day, finite, not negative.
    pub y: &'a [f64],
    /// Whether the day is masked: its value is imputed and excluded from error figures.
    pub masked: &'a [bool],
}

impl Panel {
    /// Capacity for `series` series of `days` days.
    #[must_use]
    pub fn with_capacity(series: usize, days: usize) -> Self {
        Self {
            y: Vec::with_capacity(series * days),
            masked: Vec::with_capacity(series * days),
            ends: Vec::with_capacity(series),
            first_days: Vec::with_capacity(series),
        }
    }

    /// Cleans a raw series (see [`clean_into`]), appends it and returns its index.
    pub fn push(&mut self, first_day: i32, raw: impl IntoIterator<Item = f64>) -> Result<usize, Refusal> {
        let start = self.y.len();
        match clean_into(raw, &mut self.y, &mut self.masked) {
            Ok(skipped) => {
                self.ends.push(self.y.len());
                self.first_days.push(first_day.saturating_add(i32::try_from(skipped).unwrap_or(i32::MAX)));
                Ok(self.ends.len() - 1)
            }
            Err(why) => {
                self.y.truncate(start);
                self.masked.truncate(start);
                Err(why)
            }
        }
    }

    /// The series at an index; `None` past the last.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<Series<'_>> {
        let end = *self.ends.get(at)?;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        Some(Series {
            first_day: self.first_days[at],
            y: &self.y[start..end],
            masked: &self.masked[start..end],
        })
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All series, in order.
    pub fn iter(&self) -> impl Iterator<Item = Series<'_>> {
        (0..self.len()).filter_map(|at| self.get(at))
    }
}

/// Appends the cleaned form of a raw series (NaN is a masked day) to `y` and `masked`, and returns the number of
/// leading masked days left out: the history begins with the first known day.
///
/// A masked day gets the mean of up to four previous values of its weekday, from left to right, so that imputed days
/// are used for later ones. In the first week, where its weekday has no earlier value, it gets the mean of all
/// preceding days. Later days are never used. A negative day (more returns than sales) has zero demand.
///
/// # Errors
/// [`Refusal::Invalid`] for a figure that is infinite or above [`MOST`].
pub fn clean_into(
    raw: impl IntoIterator<Item = f64>,
    y: &mut Vec<f64>,
    masked: &mut Vec<bool>,
) -> Result<usize, Refusal> {
    let start = y.len();
    let mut skipped = 0;
    for value in raw {
        let unknown = value.is_nan();
        if unknown && y.len() == start {
            skipped += 1;
            continue;
        }
        if !unknown && value.abs() > MOST {
            return Err(Refusal::Invalid("A day's quantity is out of range."));
        }
        let value = if unknown { fill(&y[start..]) } else { value.max(0.0) };
        y.push(value);
        masked.push(unknown);
    }
    Ok(skipped)
}

/// The value of a masked day after `before`, which is not empty.
fn fill(before: &[f64]) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    let mut back = WEEK;
    while count < FILL_FROM && back <= before.len() {
        sum += before[before.len() - back];
        count += 1;
        back += WEEK;
    }
    if count == 0 { before.iter().sum::<f64>() / before.len() as f64 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO: f64 = f64::NAN;

    fn clean(raw: &[f64]) -> (Vec<f64>, Vec<bool>, usize) {
        let (mut y, mut masked) = (Vec::new(), Vec::new());
        let skipped = clean_into(raw.iter().copied(), &mut y, &mut masked).expect("clean");
        (y, masked, skipped)
    }

    #[test]
    fn a_masked_day_gets_the_mean_of_up_to_four_earlier_values_of_its_weekday() {
        let mut raw: Vec<f64> = (0..42).map(f64::from).collect();
        raw[35] = NO;
        raw[14] = NO;
        let (y, masked, _) = clean(&raw);
        assert_eq!(y[14], (7.0 + 0.0) / 2.0);
        assert_eq!(y[35], (28.0 + 21.0 + y[14] + 7.0) / 4.0);
        assert_eq!(masked.iter().filter(|&&it| it).count(), 2);
    }

    #[test]
    fn the_history_begins_with_the_first_known_day() {
        let (y, masked, skipped) = clean(&[NO, NO, 4.0, NO, 8.0]);
        assert_eq!((y, masked, skipped), (vec![4.0, 4.0, 8.0], vec![false, true, false], 2));
        assert_eq!(clean(&[NO, NO]), (vec![], vec![], 2));
    }

    #[test]
    fn a_zero_is_known_and_a_negative_day_is_zero() {
        assert_eq!(clean(&[0.0, -3.0, 2.0]), (vec![0.0, 0.0, 2.0], vec![false; 3], 0));
    }

    #[test]
    fn a_panel_keeps_series_apart_and_takes_nothing_of_a_refused_one() {
        let mut panel = Panel::with_capacity(2, 3);
        assert_eq!(panel.push(10, [1.0, 2.0]), Ok(0));
        assert!(panel.push(10, [1.0, f64::INFINITY]).is_err());
        assert_eq!(panel.push(20, [NO, 5.0, NO]), Ok(1));
        let second = panel.get(1).expect("the second");
        assert_eq!((second.first_day, second.y, second.masked), (21, &[5.0, 5.0][..], &[false, true][..]));
        assert_eq!(panel.get(0).map(|it| it.y.len()), Some(2));
        assert!(panel.get(2).is_none());
        assert_eq!(panel.iter().count(), 2);
    }
}
