//! Imports counts of another system as they are: windows and locks are not checked again.

use std::collections::{BTreeSet, HashMap};

use larder_db::{DbError, Tx};
use larder_domain::count::{Key, Outcome, Plan};
use larder_domain::{Qty, Timestamp};

use super::events::{self, NewEvent};
use super::rows::{Content, EVENT, Event, editor};
use super::values::{Candidate, Values};
use larder_platform::audit::Editor;

/// A count of another system.
#[derive(Debug, Clone)]
pub struct ImportedCount {
    /// Its original id.
    pub id: String,
    pub key: Key,
    pub qty: Qty,
    /// Its original time.
    pub at: Timestamp,
    /// Its author, if known.
    pub by: Option<Editor>,
}

impl ImportedCount {
    /// Each count gets a virtual device, whose later saves have larger numbers.
    fn device(&self) -> String {
        format!("former:{}", self.id)
    }

    fn seq(&self) -> i64 {
        self.at.0.max(1)
    }

    fn op(&self) -> String {
        format!("{}:{}", self.device(), self.seq())
    }
}

/// Result of importing a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportOutcome {
    /// It is the current value.
    Applied,
    /// In the history only; a later count is current.
    Superseded,
    /// Imported before.
    Known,
    /// The same id and time was imported before with other content, which stays.
    Other,
}

/// Imports counts, each once, in order. Between imported and local counts the later one is current.
///
/// # Errors
/// If the database fails.
pub async fn take_imported(tx: &mut Tx<'_>, counts: &[ImportedCount]) -> Result<Vec<ImportOutcome>, DbError> {
    let ops: Vec<String> = counts.iter().map(ImportedCount::op).collect();
    let query = tx.sql("select ").push(EVENT).push(" from store_count_events e where e.op in ");
    let found: Vec<Event> = query.push_ids(&ops).all().await?;
    let mut known: HashMap<String, (Key, Option<Qty>)> =
        found.into_iter().map(|event| (event.op.clone(), (event.key(), event.content.qty))).collect();
    let devices: Vec<String> = counts.iter().map(ImportedCount::device).collect();
    let contents: Vec<Content> =
        counts.iter().map(|count| Content { qty: Some(count.qty), ..Content::default() }).collect();
    let sender = editor(tx.actor()).0;
    let sent: BTreeSet<(&Key, &str, &str)> = counts
        .iter()
        .zip(&devices)
        .map(|(count, device)| (&count.key, device.as_str(), sender.uid.as_str()))
        .collect();
    let mut values = Values::open(tx, &sent).await?;
    let mut outcomes = Vec::with_capacity(counts.len());
    let mut new = Vec::new();
    for (((count, op), device_id), content) in counts.iter().zip(&ops).zip(&devices).zip(&contents) {
        if let Some((key, qty)) = known.get(op) {
            let same = *key == count.key && *qty == Some(count.qty);
            outcomes.push(if same { ImportOutcome::Known } else { ImportOutcome::Other });
            continue;
        }
        known.insert(op.clone(), (count.key.clone(), Some(count.qty)));
        let (key, counted_by, device_seq) = (&count.key, count.by.as_ref().unwrap_or(&sender), count.seq());
        values.written(count.at, counted_by);
        let plan = values.judge(&Candidate {
            key,
            op,
            device_id,
            sender: &sender,
            device_seq,
            base: None,
            stands_at: count.at,
            counted_at: count.at,
            content,
            late: false,
            counted_by,
        });
        let (outcome, what) = match plan {
            Plan::Apply { .. } => (Outcome::Applied, ImportOutcome::Applied),
            Plan::Supersede => (Outcome::Superseded, ImportOutcome::Superseded),
        };
        outcomes.push(what);
        new.push(NewEvent {
            op,
            key,
            content,
            at: count.at,
            stands_at: count.at,
            counted_at: count.at,
            recounted: None,
            device_id,
            device_seq,
            base: None,
            prev: None,
            late: false,
            counted_by,
            outcome,
            knowing: false,
            hold: None,
        });
    }
    events::insert(tx, new).await?;
    values.write(tx).await?;
    Ok(outcomes)
}
