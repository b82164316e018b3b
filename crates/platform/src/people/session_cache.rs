//! Sessions read within the last second. Changes of users, roles and sessions clear the cache at once on
//! every node (through the database's change feed); the second is only a fallback.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use larder_domain::Timestamp;

use super::person::Person;

/// Cached sessions by key.
#[derive(Default)]
pub struct SessionCache {
    inner: Mutex<Cached>,
}

#[derive(Default)]
struct Cached {
    generation: u64,
    people: HashMap<String, (Instant, Person)>,
}

const FRESH: Duration = Duration::from_secs(1);
const AT_MOST: usize = 10_000;

impl SessionCache {
    fn lock(&self) -> MutexGuard<'_, Cached> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of times it was cleared; entries read before a clear are not stored.
    pub(super) fn generation(&self) -> u64 {
        self.lock().generation
    }

    pub(super) fn get(&self, key: &str) -> Option<Person> {
        let inner = self.lock();
        inner.people.get(key).filter(|(at, _)| at.elapsed() < FRESH).map(|(_, p)| p.clone())
    }

    /// Stores an entry, unless the cache was cleared while it was read.
    pub(super) fn put(&self, key: String, person: Person, generation: u64) {
        let mut inner = self.lock();
        if inner.generation != generation {
            return;
        }
        if inner.people.len() >= AT_MOST {
            inner.people.clear();
        }
        inner.people.insert(key, (Instant::now(), person));
    }

    /// Marks a session as in use; `false` if that was recorded recently.
    pub(super) fn saw(&self, key: &str, now: Timestamp, every_ms: i64) -> bool {
        let mut inner = self.lock();
        let Some((_, person)) = inner.people.get_mut(key) else { return true };
        let due = now.0 - person.last_seen_at.0 > every_ms;
        if due {
            person.last_seen_at = now;
        }
        due
    }

    /// Empties the cache.
    pub fn clear(&self) {
        let mut inner = self.lock();
        inner.generation += 1;
        inner.people.clear();
    }
}
