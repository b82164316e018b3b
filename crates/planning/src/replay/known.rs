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
}

impl Series {
    /// Loads sales day by day; NaN is a masked day.
    pub fn fill(&mut self, sold: &[f64]) -> Result<(), Refusal> {
        self.y.clear();
        self.masked.clear();
        self.skipped = clean_into(sold.iter().copied(), &mut self.y, &mut self.masked)?;
        let (mut sum, mut gaps) = (0.0, 0);
        self.sums.clear();
        self.gaps.clear();
        self.sums.push(sum);
        self.gaps.push(gaps);
        for (value, masked) in self.y.iter().zip(&self.masked) {
            sum += value;
            gaps += u32::from(*masked);
            self.sums.push(sum);
            self.gaps.push(gaps);
        }
        Ok(())
    }

    /// Number of values known before a day begins.
    pub fn before(&self, day: usize) -> usize {
        day.saturating_sub(self.skipped)
    }

    /// The sum of the values `from..to`.
    pub fn sum(&self, from: usize, to: usize) -> f64 {
        self.sums[to] - self.sums[from]
    }

    /// The same if all of them are known.
    pub fn known_sum(&self, from: usize, to: usize) -> Option<f64> {
        (self.gaps[to] == self.gaps[from]).then(|| self.sum(from, to))
    }
}
