//! Which tills owe a reading on a day, by the rules of the group and not by Larder's code: a till that sold, a till whose
//! counters skip the day, and on an open day of which Larder has heard nothing every till in use.

use std::collections::BTreeSet;

use crate::truth::{Reading, Truth};

/// The tills of a store's day as far as Larder can know them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Owed {
    /// Tills with a verified reading.
    pub read: BTreeSet<usize>,
    /// Tills that owe one and have none.
    pub missing: BTreeSet<usize>,
}

impl Owed {
    /// Number of tills with a reading, and of all that must have one.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.read.len(), self.read.len() + self.missing.len())
    }
}

impl Truth {
    /// The verified readings of a store's day.
    pub fn read_on(&self, store: usize, day: usize) -> impl Iterator<Item = &Reading> {
        self.readings.iter().filter(move |one| one.told && (one.store, one.day) == (store, day))
    }

    /// The tills of a store's day that must have a reading, on the evening of a later day or of that one.
    #[must_use]
    pub fn owed(&self, store: usize, day: usize, today: usize) -> Owed {
        let sold = |till: usize, day: usize| {
            self.receipts_of(store, day).any(|receipt| receipt.told && receipt.till == till)
        };
        let tills = 0..self.catalogue.stores[store].tills.len();
        let read: BTreeSet<usize> = self.read_on(store, day).map(|one| one.till).collect();
        let named = tills.clone().any(|till| sold(till, day));
        // Stores have no opening date, so any day may be missing.
        let is_open = named || !self.catalogue.stores[store].is_closed(day);
        let is_heard_of = named || !is_open || (day == today && read.is_empty());
        let in_use = |till: usize| {
            (0..=day).any(|day| sold(till, day) || self.read_on(store, day).any(|one| one.till == till))
        };
        let owes = |till: &usize| {
            let till = *till;
            !read.contains(&till)
                && (sold(till, day)
                    || match self.skipped(store, till, day) {
                        Some(skips) => skips,
                        None => !is_heard_of && in_use(till),
                    })
        };
        let missing = tills.clone().filter(owes).collect();
        Owed { read, missing }
    }

    /// Whether the till's counters skip a day between its readings before and after; `None` if it is not between two.
    fn skipped(&self, store: usize, till: usize, day: usize) -> Option<bool> {
        let of = || self.readings.iter().filter(|one| one.told && (one.store, one.till) == (store, till));
        let before = of().filter(|one| one.day < day).max_by_key(|one| one.day)?;
        let after = of().filter(|one| one.day > day).min_by_key(|one| one.day)?;
        let skips = usize::try_from(after.after.counter - before.after.counter - 1).unwrap_or(0);
        let sold =
            |day: &usize| self.receipts_of(store, *day).any(|receipt| receipt.told && receipt.till == till);
        let between = || before.day + 1..after.day;
        let left = skips.saturating_sub(between().filter(sold).count());
        let is_open = |day: &usize| {
            let told = self.receipts_of(store, *day).any(|receipt| receipt.told);
            told || !self.catalogue.stores[store].is_closed(*day)
        };
        let open = between().filter(|day| !sold(day)).filter(is_open).count();
        Some(if is_open(&day) { left > 0 } else { open < left })
    }
}
