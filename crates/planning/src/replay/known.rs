use crate::Refusal;
use crate::demand::clean_into;

/// One series' cleaned sales, with prefix sums.
#[derive(Debug, Default)]
pub(super) struct Series {
    /// Days before the first known one.
    pub skipped: usize,
    pub y: Vec<f64>,
    pub masked: Vec<bool>,
    /// Prefix sums of `y` and of masked days.
    sums: Vec<f64>,
    gaps: Vec<u32>,
    /// Prefix sums of imputed values of closed days.
    closed_sums: Vec<f64>,
    /// Prefix sums of closed days, from the first day of the past on; empty if there are none.
    closed: Vec<u32>,
}

impl Series {
    /// Loads sales day by day; NaN is a masked day. `closed`: as in [`super::Past`].
    pub fn fill(&mut self, sold: &[f64], closed: &[bool]) -> Result<(), Refusal> {
        self.y.clear();
        self.masked.clear();
        self.skipped = clean_into(sold.iter().copied(), &mut self.y, &mut self.masked)?;
        self.closed.clear();
        if closed.contains(&true) {
            let mut days = 0;
            self.closed.push(days);
            self.closed.extend(closed.iter().map(|closed| {
                days += u32::from(*closed);
                days
            }));
        }
        let (mut sum, mut gaps, mut closed_sum) = (0.0, 0, 0.0);
        self.sums.clear();
        self.gaps.clear();
        self.closed_sums.clear();
        self.sums.push(sum);
        self.gaps.push(gaps);
        self.closed_sums.push(closed_sum);
        for (t, (value, masked)) in self.y.iter().zip(&self.masked).enumerate() {
            let closed = *masked && self.is_closed(self.skipped + t);
            sum += value;
            gaps += u32::from(*masked && !closed);
            closed_sum += if closed { *value } else { 0.0 };
            self.sums.push(sum);
            self.gaps.push(gaps);
            self.closed_sums.push(closed_sum);
        }
        Ok(())
    }

    /// Whether the store is closed on a day of the past.
    pub fn is_closed(&self, day: usize) -> bool {
        self.open_days(day, 1) == 0
    }

    /// Whether the store is ever closed.
    pub fn ever_closed(&self) -> bool {
        !self.closed.is_empty()
    }

    /// The number of open days among the `days` days from a day of the past on.
    pub fn open_days(&self, day: usize, days: usize) -> usize {
        let Some(last) = self.closed.len().checked_sub(1) else { return days };
        let before = |day: usize| self.closed[day.min(last)];
        days - (before(day + days) - before(day)) as usize
    }

    /// Number of values known before a day begins.
    pub fn before(&self, day: usize) -> usize {
        day.saturating_sub(self.skipped)
    }

    /// The sum of the values `from..to`.
    pub fn sum(&self, from: usize, to: usize) -> f64 {
        self.sums[to] - self.sums[from]
    }

    /// The sum of what was sold, if all of them are known; a closed day without sales is 0.
    pub fn known_sum(&self, from: usize, to: usize) -> Option<f64> {
        let closed = self.closed_sums[to] - self.closed_sums[from];
        (self.gaps[to] == self.gaps[from]).then(|| self.sum(from, to) - closed)
    }
}
