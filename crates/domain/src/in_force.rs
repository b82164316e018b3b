//! Settings that change from a day on.

use crate::BusinessDay;

/// Values by the day from which each is in force, ascending, one per day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct InForce<T>(Vec<(BusinessDay, T)>);

impl<T: Copy> InForce<T> {
    /// From changes in any order; of several from the same day the last one given counts.
    pub(crate) fn new(changes: impl IntoIterator<Item = (BusinessDay, T)>) -> Self {
        let mut sorted: Vec<(BusinessDay, T)> = Vec::new();
        for change in changes {
            match sorted.binary_search_by_key(&change.0, |other| other.0) {
                Ok(at) => sorted[at] = change,
                Err(at) => sorted.insert(at, change),
            }
        }
        Self(sorted)
    }

    /// Whether there was no change.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The days from which its values are in force, ascending.
    pub(crate) fn days(&self) -> impl Iterator<Item = BusinessDay> + '_ {
        self.0.iter().map(|change| change.0)
    }

    /// The value on a day, and the day from which it is in force; `None` before the first change.
    pub(crate) fn on(&self, day: BusinessDay) -> Option<(BusinessDay, T)> {
        let after = self.0.partition_point(|change| change.0 <= day);
        after.checked_sub(1).map(|at| self.0[at])
    }
}
