//! Review of counts: choosing between values, applying and declining held ones.

use std::collections::HashMap;

use futures::future::BoxFuture;
use larder_db::{Change, ChangeAction, DbError, Json, Tx};
use larder_domain::count::{CountedAt, Key, Outcome, Plan};
use larder_domain::{StoreScope, Timestamp};
use serde_json::json;

use super::current::Current;
use super::events::{self, NewEvent};
use super::rows::{CHOSEN, EVENT, Event, editor};
use super::values::{Candidate, Values};
use larder_platform::http::{ApiError, scope as store_scope};

/// Result of a decision.
#[derive(Debug, Clone)]
pub struct Decided {
    /// Id of the save.
    pub op: String,
    /// Its outcome; `None` if there is no such save.
    pub outcome: Option<Outcome>,
    /// The current value.
    pub current: Option<Current>,
}

async fn find(tx: &mut Tx<'_>, ops: &[String]) -> Result<Vec<Event>, DbError> {
    let query = tx.sql("select ").push(EVENT).push(" from store_count_events e where e.op in ");
    query.push_ids(ops).push(" order by e.seq").all().await
}

/// Makes the value of another save current, as a new save by the server.
///
/// # Errors
/// 404 for an unknown save, 409 if it is held or the current value has changed since.
pub fn choose<'a>(
    tx: &'a mut Tx<'_>,
    scope: &'a StoreScope,
    op: &'a str,
    revision: i64,
    new_id: &'a str,
) -> BoxFuture<'a, Result<(Key, Option<Current>), ApiError>> {
    Box::pin(choose_in(tx, scope, op, revision, new_id))
}

async fn choose_in(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    op: &str,
    revision: i64,
    new_id: &str,
) -> Result<(Key, Option<Current>), ApiError> {
    let event = find(tx, &[op.to_owned()]).await?.pop().ok_or_else(|| ApiError::not_found("count"))?;
    store_scope::check(Some(&event.store_id), scope)?;
    if matches!(event.outcome(), Outcome::Held | Outcome::Declined) {
        return Err(ApiError::conflict("held", "This count was held; apply it instead."));
    }
    let key = event.key();
    let device_id = format!("{CHOSEN}{new_id}");
    let sender = editor(tx.actor()).0;
    let mut values = Values::open(tx, &[(&key, device_id.as_str(), sender.uid.as_str())].into()).await?;
    let current = values.get(&key).ok_or_else(|| ApiError::not_found("count"))?;
    if current.revision != revision {
        let now = Current::of(current);
        let shown = json!({ "qty": now.qty, "at": now.at, "by": now.by, "deviceId": now.device_id,
            "revision": now.revision });
        return Err(ApiError::stale(&now.by, shown));
    }
    if current.op == event.op {
        return Ok((key, Some(Current::of(current))));
    }
    let (now, new_op) = (tx.actor().at, format!("{device_id}:1"));
    let new = NewEvent {
        op: &new_op,
        key: &key,
        content: &event.content,
        at: now,
        stands_at: now,
        counted_at: event.counted_at,
        recounted: None,
        device_id: &device_id,
        device_seq: 1,
        base: Some(revision),
        prev: Some(&event.op),
        late: event.late,
        counted_by: &event.counted_by,
        outcome: Outcome::Applied,
        knowing: true,
        hold: None,
    };
    events::insert(tx, [new]).await?;
    values.set(&Candidate {
        stands_at: now,
        op: &new_op,
        device_id: &device_id,
        sender: &sender,
        device_seq: 1,
        base: Some(revision),
        ..candidate(&event, &key)
    });
    let current = values.get(&key).map(Current::of);
    values.write(tx).await?;
    Ok((key, current))
}

fn candidate<'a>(event: &'a Event, key: &'a Key) -> Candidate<'a> {
    Candidate {
        key,
        op: &event.op,
        device_id: &event.device_id,
        sender: &event.sent_by,
        device_seq: event.device_seq,
        base: event.base,
        stands_at: event.stands_at,
        counted_at: event.counted_at,
        content: &event.content,
        late: event.late,
        counted_by: &event.counted_by,
    }
}

/// The held ones among these saves, and the outcomes of the others.
async fn open(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    ops: &[String],
) -> Result<(Vec<Event>, HashMap<String, Outcome>), ApiError> {
    let mut held = Vec::new();
    let mut settled = HashMap::new();
    for event in find(tx, ops).await? {
        store_scope::check(Some(&event.store_id), scope)?;
        match event.outcome() {
            Outcome::Held => held.push(event),
            outcome => {
                settled.insert(event.op, outcome);
            }
        }
    }
    Ok((held, settled))
}

/// Applies held saves under the usual rules, so that an old count does not replace a newer one. Saves already
/// decided keep their outcome.
///
/// # Errors
/// 403 if one of them belongs to a store the user may not see; 409 if the time of one has not come yet. All stay held then.
pub fn apply<'a>(
    tx: &'a mut Tx<'_>,
    scope: &'a StoreScope,
    ops: &'a [String],
    note: Option<&'a str>,
) -> BoxFuture<'a, Result<Vec<Decided>, ApiError>> {
    Box::pin(apply_in(tx, scope, ops, note))
}

async fn apply_in(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    ops: &[String],
    note: Option<&str>,
) -> Result<Vec<Decided>, ApiError> {
    let (held, mut settled) = open(tx, scope, ops).await?;
    for event in &held {
        refuse_ahead(event, tx.actor().at)?;
    }
    let keys: Vec<Key> = held.iter().map(Event::key).collect();
    let sent = keys
        .iter()
        .zip(&held)
        .map(|(key, event)| (key, event.device_id.as_str(), event.sent_by.uid.as_str()));
    let mut values = Values::open(tx, &sent.collect()).await?;
    let mut rows = Vec::with_capacity(held.len());
    for (event, key) in held.iter().zip(&keys) {
        let (outcome, knowing) = match values.judge(&candidate(event, key)) {
            Plan::Apply { knowing } => (Outcome::Applied, knowing),
            Plan::Supersede => (Outcome::Superseded, false),
        };
        settled.insert(event.op.clone(), outcome);
        rows.push((event.op.as_str(), outcome.as_str(), knowing));
    }
    settle(tx, &rows, note).await?;
    audit(tx, &held, &settled, note).await?;
    let mut current: HashMap<&str, Current> = HashMap::new();
    for (event, key) in held.iter().zip(&keys) {
        if let Some(value) = values.get(key) {
            current.insert(&event.op, Current::of(value));
        }
    }
    let decided = ops.iter().map(|op| Decided {
        op: op.clone(),
        outcome: settled.get(op).copied(),
        current: current.remove(op.as_str()),
    });
    let decided = decided.collect();
    values.write(tx).await?;
    Ok(decided)
}

/// Refuses a save of a day that had not begun when it was made, until the time it is given: what moves before that
/// would come before the count.
fn refuse_ahead(event: &Event, now: Timestamp) -> Result<(), ApiError> {
    let Key { date, session, .. } = event.key();
    if CountedAt::of(session, date, event.counted_at).at <= now {
        return Ok(());
    }
    let words = format!(
        "The {} of {} cannot be applied yet: its time has not come. Decline it, or apply it then.",
        session.title(),
        date.display()
    );
    Err(ApiError::conflict("ahead", words).with("op", event.op.clone().into()))
}

/// Declines held saves. They stay in the history.
///
/// # Errors
/// 403 if one of them belongs to a store the user may not see.
pub fn decline<'a>(
    tx: &'a mut Tx<'_>,
    scope: &'a StoreScope,
    ops: &'a [String],
    note: Option<&'a str>,
) -> BoxFuture<'a, Result<Vec<Decided>, ApiError>> {
    Box::pin(decline_in(tx, scope, ops, note))
}

async fn decline_in(
    tx: &mut Tx<'_>,
    scope: &StoreScope,
    ops: &[String],
    note: Option<&str>,
) -> Result<Vec<Decided>, ApiError> {
    let (held, mut settled) = open(tx, scope, ops).await?;
    let rows: Vec<_> =
        held.iter().map(|event| (event.op.as_str(), Outcome::Declined.as_str(), false)).collect();
    settle(tx, &rows, note).await?;
    settled.extend(held.iter().map(|event| (event.op.clone(), Outcome::Declined)));
    audit(tx, &held, &settled, note).await?;
    let decided =
        ops.iter().map(|op| Decided { op: op.clone(), outcome: settled.get(op).copied(), current: None });
    Ok(decided.collect())
}

async fn settle(
    tx: &mut Tx<'_>,
    rows: &[(&str, &'static str, bool)],
    note: Option<&str>,
) -> Result<(), DbError> {
    if rows.is_empty() {
        return Ok(());
    }
    let (now, by): (Timestamp, Json<_>) = (tx.actor().at, editor(tx.actor()));
    tx.sql("update store_count_events set outcome = r.outcome, knowing = r.knowing, decided_at = ")
        .push_bind(now)
        .push(", decided_by = ")
        .push_bind(by)
        .push(", decision_note = ")
        .push_bind(note)
        .push(" from ")
        .push_rows(&["op", "outcome", "knowing"], rows)
        .push(" r where store_count_events.op = r.op")
        .execute()
        .await?;
    Ok(())
}

/// Audit records of decisions; a changed value has its own.
async fn audit(
    tx: &mut Tx<'_>,
    held: &[Event],
    settled: &HashMap<String, Outcome>,
    note: Option<&str>,
) -> Result<(), DbError> {
    for event in held {
        tx.record(Change {
            kind: "storeCountHeld",
            id: event.op.clone(),
            store_id: Some(event.store_id.clone()),
            action: ChangeAction::Updated,
            before: Some(json!({ "outcome": Outcome::Held, "heldFor": event.held_for })),
            after: Some(json!({
                "outcome": settled.get(&event.op),
                "heldFor": event.held_for,
                "count": event.key().id(),
                "qty": event.content.qty,
                "reason": note,
            })),
        })
        .await?;
    }
    Ok(())
}
