//! Audit and live events: the actor, the audit row, the live event.

use crate::Json;
use larder_domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as JsonValue, json};

use crate::{BulkRow, DbError, Load, Tx};

/// On whose behalf a transaction runs; recorded in every audit row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The user's id, or the name of a system actor.
    pub uid: String,
    /// The display name.
    pub name: String,
    /// The e-mail address, empty if there is none.
    pub email: String,
    /// Where the change came from: an IP address, `job` or `cli`.
    pub from: String,
    /// The time; the clock is the caller's.
    pub at: Timestamp,
}

/// What happened to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeAction {
    Created,
    Updated,
    Deleted,
}

impl ChangeAction {
    fn as_str(self) -> &'static str {
        match self {
            ChangeAction::Created => "created",
            ChangeAction::Updated => "updated",
            ChangeAction::Deleted => "deleted",
        }
    }
}

/// A change to a record, as [`Tx::record`] takes it.
#[derive(Debug, Clone)]
pub struct Change {
    /// The entity type, such as `uom`.
    pub kind: &'static str,
    pub id: String,
    /// The store it belongs to, for users limited to some stores.
    pub store_id: Option<String>,
    pub action: ChangeAction,
    /// The record before, as JSON.
    pub before: Option<JsonValue>,
    /// The record after, as JSON.
    pub after: Option<JsonValue>,
}

/// The event sent to open pages after a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveEvent {
    /// The entity type; `*` means that events may have been missed: refetch everything.
    pub kind: String,
    pub id: String,
    /// The store it belongs to.
    pub store_id: Option<String>,
    pub action: ChangeAction,
    /// The uid of its author.
    pub by: String,
    /// The audit row's number, 0 if there is none.
    pub seq: i64,
}

impl LiveEvent {
    /// «Refetch everything», sent when events may have been missed.
    pub fn refetch() -> LiveEvent {
        LiveEvent {
            kind: "*".into(),
            id: String::new(),
            store_id: None,
            action: ChangeAction::Updated,
            by: String::new(),
            seq: 0,
        }
    }
}

/// Fields that change with every save and are not shown.
const BOOKKEEPING: [&str; 3] = ["updatedAt", "updatedBy", "revision"];

/// `field → [old, new]` for the fields that differ.
fn differences(before: Option<&JsonValue>, after: Option<&JsonValue>) -> Map<String, JsonValue> {
    let nothing = Map::new();
    let fields = |value: Option<&JsonValue>| match value {
        Some(JsonValue::Object(map)) => map.clone(),
        None | Some(JsonValue::Null) => nothing.clone(),
        Some(other) => Map::from_iter([("value".to_owned(), other.clone())]),
    };
    let (before, after) = (fields(before), fields(after));
    let mut changes = Map::new();
    for name in before.keys().chain(after.keys()) {
        let old = before.get(name).unwrap_or(&JsonValue::Null);
        let new = after.get(name).unwrap_or(&JsonValue::Null);
        if old != new && !BOOKKEEPING.contains(&name.as_str()) {
            changes.insert(name.clone(), json!([old, new]));
        }
    }
    changes
}

/// A job's audit rows and events, kept until its commit.
#[derive(Default)]
pub(crate) struct Traces {
    traces: Vec<Trace>,
}

struct Trace {
    event: LiveEvent,
    /// The audit row's columns from `at` on, as a JSON array.
    row: Option<Vec<u8>>,
}

impl Traces {
    pub fn len(&self) -> usize {
        self.traces.len()
    }

    pub fn is_empty(&self) -> bool {
        self.traces.is_empty()
    }

    /// Discards those of an undone part.
    pub fn truncate(&mut self, len: usize) {
        self.traces.truncate(len);
    }

    /// Appends the changes of a part.
    pub fn append(&mut self, mut other: Traces) {
        self.traces.append(&mut other.traces);
    }

    /// The audit rows as one JSON array, if there are any.
    pub fn rows(&self) -> Option<String> {
        let rows = self.traces.iter().filter_map(|trace| trace.row.as_deref());
        let rows: Vec<&[u8]> = rows.collect();
        let text = [b"[".as_slice(), &rows.join(b",".as_slice()), b"]"].concat();
        // Serialised by serde_json, so it is valid UTF-8.
        (!rows.is_empty()).then(|| String::from_utf8(text).unwrap_or_default())
    }

    /// The events, numbered from `last` on where they have an audit row.
    pub fn events(self, last: i64) -> impl Iterator<Item = LiveEvent> {
        let mut seq = last;
        self.traces.into_iter().map(move |Trace { mut event, row }| {
            if row.is_some() {
                seq += 1;
                event.seq = seq;
            }
            event
        })
    }

    /// All of it as a JSON array of `[event, row or null]`.
    pub fn document(&self) -> JsonValue {
        let row = |row: &Option<Vec<u8>>| -> JsonValue {
            row.as_deref().and_then(|row| serde_json::from_slice(row).ok()).unwrap_or_default()
        };
        self.traces.iter().map(|trace| json!([trace.event, row(&trace.row)])).collect()
    }
}

impl Tx<'_> {
    /// Writes the audit row of a change and its live event, both when the job is committed: the
    /// job itself does not see the row.
    pub async fn record(&mut self, change: Change) -> Result<(), DbError> {
        let changes = differences(change.before.as_ref(), change.after.as_ref());
        let actor = self.actor();
        let row = (
            actor.at,
            actor.uid.as_str(),
            actor.name.as_str(),
            actor.email.as_str(),
            actor.from.as_str(),
            change.kind,
            change.id.as_str(),
            change.store_id.as_deref(),
            change.action.as_str(),
            Json(changes),
        );
        let mut load = Load::default();
        row.write(&mut load)?;
        self.leave_trace(Some(load.json), change.kind, change.id, change.store_id, change.action);
        Ok(())
    }

    /// A live event without an audit row, for what is not a record's change (a job's progress).
    pub fn announce(&mut self, kind: &'static str, id: &str, store_id: Option<&str>) {
        self.leave_trace(None, kind, id.into(), store_id.map(str::to_owned), ChangeAction::Updated);
    }

    /// A live event for work that another user started: `whose` is given as its author.
    pub fn announce_for(&mut self, kind: &'static str, id: &str, whose: &str) {
        let event = LiveEvent {
            kind: kind.to_owned(),
            id: id.to_owned(),
            store_id: None,
            action: ChangeAction::Updated,
            by: whose.to_owned(),
            seq: 0,
        };
        self.session.traces.traces.push(Trace { event, row: None });
    }

    fn leave_trace(
        &mut self,
        row: Option<Vec<u8>>,
        kind: &'static str,
        id: String,
        store_id: Option<String>,
        action: ChangeAction,
    ) {
        let by = self.actor().uid.clone();
        let event = LiveEvent { kind: kind.to_owned(), id, store_id, action, by, seq: 0 };
        self.session.traces.traces.push(Trace { event, row });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_that_differ_are_kept() {
        let before = json!({"name": "Box", "code": "BX", "size": 1, "revision": 1, "gone": true});
        let after = json!({"name": "Box", "code": "BOX", "size": null, "revision": 2, "new": [1]});
        assert_eq!(
            JsonValue::Object(differences(Some(&before), Some(&after))),
            json!({"code": ["BX", "BOX"], "size": [1, null], "gone": [true, null], "new": [null, [1]]})
        );
        assert!(differences(Some(&before), Some(&before)).is_empty());
    }

    #[test]
    fn a_new_record_shows_what_it_has() {
        let after = json!({"name": "Box", "note": null});
        assert_eq!(JsonValue::Object(differences(None, Some(&after))), json!({"name": [null, "Box"]}));
    }
}
