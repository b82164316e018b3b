//! Finding records by a few letters: an index in memory, the same for every engine.
//!
//! Fifty thousand records are a dozen megabytes here and some milliseconds to look through, with typing errors
//! forgiven, which neither engine does by itself in the same way. The index is derived: it is filled from the
//! database when it is first asked, follows what changes by the live events of every node, and begins anew when
//! events may have been missed.

mod score;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use larder_db::{Db, DbError, LiveEvent};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;

pub use score::{Needle, Words};

/// A record that can be found.
#[derive(Debug, Clone)]
pub struct Entry {
    pub id: String,
    pub title: String,
    /// Its code, if it has one.
    pub code: Option<String>,
    /// What else is shown of it.
    pub subtitle: Option<String>,
    /// The store it belongs to.
    pub store: Option<String>,
    /// What it is found by.
    pub words: Words,
}

/// The records of one kind.
pub type OfKind = HashMap<String, Arc<Entry>>;

/// Everything that can be found, by kind.
pub type Records = HashMap<&'static str, Arc<OfKind>>;

/// Reads the records of a kind: all of them, or some by their ids.
pub type Load =
    for<'a> fn(&'a Db, &'static str, Option<&'a [String]>) -> BoxFuture<'a, Result<Vec<Entry>, DbError>>;

/// The index, and what it has still to hear of.
pub struct Index {
    inner: tokio::sync::Mutex<Option<Records>>,
    events: Mutex<Receiver<Arc<LiveEvent>>>,
}

/// What changed since the index was last asked.
#[derive(Debug, PartialEq, Eq)]
pub enum News {
    /// These records, by kind.
    Some(HashMap<String, HashSet<String>>),
    /// Nobody knows: begin anew.
    Everything,
}

impl Index {
    /// An empty index that listens from now on.
    #[must_use]
    pub fn follow(db: &Db) -> Self {
        Self { inner: tokio::sync::Mutex::new(None), events: Mutex::new(db.changes()) }
    }

    /// What changed since the last call.
    fn news(&self) -> News {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed: HashMap<String, HashSet<String>> = HashMap::new();
        let mut everything = false;
        loop {
            match events.try_recv() {
                Ok(event) if event.kind == "*" => everything = true,
                Ok(event) => {
                    changed.entry(event.kind.clone()).or_default().insert(event.id.clone());
                }
                Err(TryRecvError::Lagged(_)) => everything = true,
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        if everything { News::Everything } else { News::Some(changed) }
    }

    /// The records as they are now.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn records(&self, db: &Db, kinds: &[&'static str], load: Load) -> Result<Records, DbError> {
        let mut inner = self.inner.lock().await;
        // Heard before anything is read, so that what changes meanwhile is heard the next time.
        let news = self.news();
        let known = inner.take().filter(|_| news != News::Everything);
        let mut records = known.clone().unwrap_or_default();
        for kind in kinds.iter().copied() {
            let fresh = match (&news, records.contains_key(kind)) {
                (News::Some(changed), true) => match changed.get(kind) {
                    None => continue,
                    Some(ids) => Some(ids),
                },
                _ => None,
            };
            let of_kind = match fresh {
                None => by_id(load(db, kind, None).await?),
                Some(ids) => {
                    let wanted: Vec<String> = ids.iter().cloned().collect();
                    let found = by_id(load(db, kind, Some(&wanted)).await?);
                    let mut of_kind =
                        records.get(kind).map(|of_kind| of_kind.as_ref().clone()).unwrap_or_default();
                    of_kind.retain(|id, _| !ids.contains(id));
                    of_kind.extend(found);
                    of_kind
                }
            };
            records.insert(kind, Arc::new(of_kind));
        }
        *inner = Some(records.clone());
        Ok(records)
    }
}

fn by_id(entries: Vec<Entry>) -> OfKind {
    entries.into_iter().map(|entry| (entry.id.clone(), Arc::new(entry))).collect()
}

/// A record that was found.
#[derive(Debug, Clone)]
pub struct Hit {
    pub kind: &'static str,
    /// The record.
    pub entry: Arc<Entry>,
    /// How well it fits; more is better.
    pub score: u32,
}

/// The best finds among some records, best first, at most `limit`.
#[must_use]
pub fn find(
    records: &[(&'static str, Arc<OfKind>)],
    needle: &Needle,
    limit: usize,
    within: impl Fn(&'static str, &Entry) -> bool,
) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    for (kind, of_kind) in records {
        for entry in of_kind.values() {
            let Some(score) = needle.score(&entry.words) else { continue };
            if within(kind, entry) {
                hits.push(Hit { kind, entry: entry.clone(), score });
            }
        }
    }
    let order = |a: &Hit, b: &Hit| {
        b.score
            .cmp(&a.score)
            .then_with(|| a.entry.title.len().cmp(&b.entry.title.len()))
            .then_with(|| a.entry.title.cmp(&b.entry.title))
            .then_with(|| a.entry.id.cmp(&b.entry.id))
    };
    if hits.len() > limit {
        hits.select_nth_unstable_by(limit, order);
        hits.truncate(limit);
    }
    hits.sort_unstable_by(order);
    hits
}
