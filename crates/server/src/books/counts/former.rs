//! Takes what another system counted, as it was taken there: its windows and locks are not judged again.

use std::collections::{BTreeSet, HashMap};

use larder_db::{DbError, Json, Tx};
use larder_domain::count::{Key, Outcome, Plan};
use larder_domain::{Qty, Timestamp};

use super::rows::{EVENT, Event, editor};
use super::shelf::{Candidate, Shelf};
use crate::audit::Editor;

/// A count as another system kept it.
#[derive(Debug, Clone)]
pub struct Former {
    /// The id it had there.
    pub id: String,
    /// What it is a count of.
    pub key: Key,
    /// How many.
    pub qty: Qty,
    /// When it was written there.
    pub at: Timestamp,
    /// By whom, where that is known.
    pub by: Option<Editor>,
}

impl Former {
    /// Each of them came from a device of its own, as it were, whose later words have larger numbers.
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

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Became {
    /// It stands.
    Applied,
    /// It is in the history; what was counted later stands.
    Superseded,
    /// It came before.
    Known,
    /// One of this id and time came before, and said something else. That stays.
    Other,
}

/// Takes counts of another system, each once, in their order. They stand beside what was counted here by when they were
/// written.
///
/// # Errors
/// When the database does not answer.
pub async fn take_former(tx: &mut Tx<'_>, counts: &[Former]) -> Result<Vec<Became>, DbError> {
    let ops: Vec<String> = counts.iter().map(Former::op).collect();
    let query = tx.sql("select ").push(EVENT).push(" from store_count_events e where e.op in ");
    let found: Vec<Event> = query.push_ids(&ops).all().await?;
    let mut known: HashMap<String, (Key, Option<Qty>)> =
        found.into_iter().map(|event| (event.op.clone(), (event.key(), event.qty))).collect();
    let devices: Vec<String> = counts.iter().map(Former::device).collect();
    let sender = editor(tx.actor()).0;
    let sent: BTreeSet<(&Key, &str, &str)> = counts
        .iter()
        .zip(&devices)
        .map(|(count, device)| (&count.key, device.as_str(), sender.uid.as_str()))
        .collect();
    let mut shelf = Shelf::open(tx, &sent).await?;
    let mut became = Vec::with_capacity(counts.len());
    let mut new = Vec::new();
    for ((count, op), device) in counts.iter().zip(&ops).zip(&devices) {
        if let Some((key, qty)) = known.get(op) {
            let same = *key == count.key && *qty == Some(count.qty);
            became.push(if same { Became::Known } else { Became::Other });
            continue;
        }
        known.insert(op.clone(), (count.key.clone(), Some(count.qty)));
        let by = count.by.as_ref().unwrap_or(&sender);
        shelf.written(count.at, by);
        let plan = shelf.judge(&Candidate {
            key: &count.key,
            op,
            device_id: device,
            sender: &sender,
            device_seq: count.seq(),
            base: None,
            stands_at: count.at,
            qty: Some(count.qty),
            note: None,
            photo: None,
            late: false,
            counted_by: by,
        });
        let (outcome, what) = match plan {
            Plan::Apply { .. } => (Outcome::Applied, Became::Applied),
            Plan::Supersede => (Outcome::Superseded, Became::Superseded),
        };
        became.push(what);
        new.push((
            op,
            &count.key.store_id,
            count.key.date,
            count.key.session.as_str(),
            &count.key.item_id,
            count.qty,
            count.at,
            count.at,
            tx.actor().at,
            device,
            count.seq(),
            false,
            Json(by),
            Json(&sender),
            outcome.as_str(),
            false,
        ));
    }
    let columns = [
        "op",
        "store_id",
        "date",
        "session",
        "item_id",
        "qty",
        "at",
        "stands_at",
        "received_at",
        "device_id",
        "device_seq",
        "late",
        "counted_by",
        "sent_by",
        "outcome",
        "knowing",
    ];
    tx.insert_rows("store_count_events", &columns, &new, "").await?;
    shelf.write(tx).await?;
    Ok(became)
}
