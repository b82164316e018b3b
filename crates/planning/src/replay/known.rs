use crate::Refusal;
use crate::demand::clean_into;

/// One series' sales, cleaned, with what sums over them need.
#[derive(Debug, Default)]
pub(super) struct Series {
    /// Days before the first known one.
    pub skipped: usize,
    pub y: Vec<f64>,
    pub masked: Vec<bool>,
    /// Sums of `y` and numbers of masked days before each day.
    sums: Vec<f64>,
    gaps: Vec<u32>,
}

impl Series {
    /// Takes in what was sold, day by day; NaN is a masked day.
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

    /// Values that are known before a day begins.
    pub fn before(&self, day: usize) -> usize {
        day.saturating_sub(self.skipped)
    }

    /// What the values `from..to` come to.
    pub fn sum(&self, from: usize, to: usize) -> f64 {
        self.sums[to] - self.sums[from]
    }

    /// The same where every one of them is known.
    pub fn known_sum(&self, from: usize, to: usize) -> Option<f64> {
        (self.gaps[to] == self.gaps[from]).then(|| self.sum(from, to))
    }
}
