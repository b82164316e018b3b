//! Slots per key: connections of an address, open streams of a user.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A fixed number of slots per key.
#[derive(Debug, Clone)]
pub struct Slots<K> {
    most: usize,
    taken: Arc<Mutex<HashMap<K, usize>>>,
}

/// A slot, freed on drop.
#[derive(Debug)]
pub struct Slot<K: Eq + Hash> {
    whose: K,
    taken: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Eq + Hash + Clone> Slots<K> {
    /// With this many slots per key.
    #[must_use]
    pub fn of(most: usize) -> Self {
        Self { most, taken: Arc::default() }
    }

    /// Takes a slot if one is free.
    #[must_use]
    pub fn take(&self, whose: K) -> Option<Slot<K>> {
        let mut taken = lock(&self.taken);
        let count = taken.entry(whose.clone()).or_insert(0);
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Slot { whose, taken: Arc::clone(&self.taken) })
    }
}

impl<K: Eq + Hash> Drop for Slot<K> {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        if let Some(count) = taken.get_mut(&self.whose) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.whose);
            }
        }
    }
}

fn lock<K>(taken: &Mutex<HashMap<K, usize>>) -> MutexGuard<'_, HashMap<K, usize>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_slot_is_free_again() {
        let slots = Slots::of(2);
        let (one, _two) = (slots.take("ana"), slots.take("ana"));
        assert!(slots.take("ana").is_none() && slots.take("ben").is_some());
        drop(one);
        assert!(slots.take("ana").is_some());
        drop(slots.take("ben"));
        assert!(!lock(&slots.taken).contains_key("ben"), "nothing is kept of who has none");
    }
}
