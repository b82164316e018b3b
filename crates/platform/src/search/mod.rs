//! Full-text search over an in-memory index, the same for both database engines.
//!
//! Fifty thousand records take a dozen megabytes and some milliseconds per search, tolerating typing errors,
//! which neither engine does by itself in the same way. The index is loaded on first use, updated by the live
//! events of every node, and rebuilt when events may have been missed.

mod score;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use larder_db::{Db, DbError, LiveEvent};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;

pub use score::{Needle, Words, plain};

/// A searchable record.
#[derive(Debug, Clone)]
pub struct Entry {
    pub id: String,
    pub title: String,
    pub code: Option<String>,
    /// A second line for display.
    pub subtitle: Option<String>,
    /// The store it belongs to.
    pub store: Option<String>,
    /// Its searchable words.
    pub words: Words,
}

/// The records of one type, by id.
pub type OfKind = HashMap<String, Arc<Entry>>;

/// All searchable records, by type.
pub type Records = HashMap<&'static str, Arc<OfKind>>;

/// Loads records of a type: all of them, or some by id.
pub type Load =
    for<'a> fn(&'a Db, &'static str, Option<&'a [String]>) -> BoxFuture<'a, Result<Vec<Entry>, DbError>>;

/// The index and its pending events.
pub struct Index {
    inner: tokio::sync::Mutex<Option<Records>>,
    events: Mutex<Receiver<Arc<LiveEvent>>>,
}

/// Changes since the index was last used.
#[derive(Debug, PartialEq, Eq)]
pub enum News {
    /// These records, by type.
    Some(HashMap<String, HashSet<String>>),
    /// Unknown: rebuild.
    Everything,
}

impl Index {
    /// An empty index that subscribes to events now.
    #[must_use]
    pub fn follow(db: &Db) -> Self {
        Self { inner: tokio::sync::Mutex::new(None), events: Mutex::new(db.changes()) }
    }

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

    /// The current records.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn records(&self, db: &Db, kinds: &[&'static str], load: Load) -> Result<Records, DbError> {
        let mut inner = self.inner.lock().await;
        // Drained before reading, so that a change in between is picked up by the next call.
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

/// A search result.
#[derive(Debug, Clone)]
pub struct Hit {
    pub kind: &'static str,
    pub entry: Arc<Entry>,
    /// Relevance; higher is better.
    pub score: u32,
}

/// The best matches, best first, at most `limit`.
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
