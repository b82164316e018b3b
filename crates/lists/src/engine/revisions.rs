//! Revisions of a record: restoring an earlier one, undoing the last change.

use larder_db::{ChangeAction, Tx};
use larder_domain::Timestamp;
use serde_json::{Map, Value, json};

use super::define::{Field, ListDef, Origin};
use super::record::AnyRecord;
use super::untyped::Made;
use super::{queries, write};
use larder_platform::audit;
use larder_platform::audit::Row;
use larder_platform::http::error::ApiError;

/// Restores a record to entry `seq` of its history. An existing record must have `revision`; a deleted one is
/// recreated under its id.
///
/// # Errors
/// 404, 409 if the record was changed since, 422 if the earlier version is no longer valid.
pub async fn restore(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    id: &str,
    seq: i64,
    revision: Option<i64>,
) -> Result<AnyRecord, ApiError> {
    let newer = audit::since(tx, def.kind, id, seq.saturating_sub(1)).await?;
    let Some((entry, undone)) = newer.split_last().filter(|(entry, _)| entry.seq == seq) else {
        return Err(ApiError::not_found("version"));
    };
    if entry.action == "deleted" {
        return Err(ApiError::field("seq", "Nothing was left after this change; choose an earlier one."));
    }
    rewind(tx, def, id, undone, revision).await
}

/// Result of an undo.
pub enum Undone {
    Record(AnyRecord),
    /// Deleted: the change had created it.
    Gone,
}

/// Undoes the last change of a record.
///
/// # Errors
/// As [`restore`], and 409 if something refers to a record that would be deleted.
pub async fn undo(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    id: &str,
    revision: Option<i64>,
) -> Result<Undone, ApiError> {
    let last = audit::latest(tx, def.kind, id, 1).await?;
    let Some(entry) = last.first() else { return Err(ApiError::not_found(def.one)) };
    if entry.action == action(ChangeAction::Created) {
        current(tx, def, id, revision).await?;
        write::delete(tx, def, id).await?;
        return Ok(Undone::Gone);
    }
    rewind(tx, def, id, &last, revision).await.map(Undone::Record)
}

fn action(action: ChangeAction) -> &'static str {
    match action {
        ChangeAction::Created => "created",
        ChangeAction::Updated => "updated",
        ChangeAction::Deleted => "deleted",
    }
}

/// Action of a record's last change, if any.
pub(crate) async fn last_action(
    tx: &mut Tx<'_>,
    def: &ListDef,
    id: &str,
) -> Result<Option<String>, ApiError> {
    Ok(audit::latest(tx, def.kind, id, 1).await?.into_iter().next().map(|row| row.action))
}

/// The record, if it has the expected revision.
async fn current(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    id: &str,
    revision: Option<i64>,
) -> Result<Option<AnyRecord>, ApiError> {
    let record = queries::get_in(tx, def, id).await?;
    match (&record, revision) {
        (Some(record), Some(revision)) if record.frame().revision == revision => {}
        (None, None) => {}
        (None, Some(_)) => return Err(ApiError::not_found(def.one)),
        (Some(record), _) => return Err(write::stale(tx, def, &**record).await?),
    }
    Ok(record)
}

async fn rewind(
    tx: &mut Tx<'_>,
    def: &'static ListDef,
    id: &str,
    undone: &[Row],
    revision: Option<i64>,
) -> Result<AnyRecord, ApiError> {
    let record = current(tx, def, id, revision).await?;
    let now = record.as_ref().map(|record| record.json()).and_then(|value| value.as_object().cloned());
    let then = audit::rewound(now.clone().unwrap_or_default(), undone);
    let created_at = then.get("createdAt").cloned();
    let then = writable(def, then);
    match (record, now) {
        (Some(record), Some(now)) => {
            write::update(tx, def, id, patch(writable(def, now), then, record.frame().revision)).await
        }
        _ => {
            let at = tx.actor().at;
            let created_at = created_at.and_then(|at| serde_json::from_value::<Timestamp>(at).ok());
            let revision = audit::count_of(tx, def.kind, id).await? + 1;
            let made = Made { created_at: created_at.unwrap_or(at), updated_at: at, revision, editor: None };
            write::create(tx, def, id, then, Some(made)).await
        }
    }
}

/// The members a client may set.
fn writable(def: &ListDef, mut record: Map<String, Value>) -> Map<String, Value> {
    for name in write::FRAME {
        record.remove(name);
    }
    let kept = def.fields.iter().filter(|field: &&Field| field.origin != Origin::Given);
    for field in kept {
        record.remove(field.name);
    }
    record
}

/// The patch from `now` to `then`.
fn patch(now: Map<String, Value>, then: Map<String, Value>, revision: i64) -> Map<String, Value> {
    let mut patch: Map<String, Value> = now
        .into_iter()
        .filter(|(name, _)| !then.contains_key(name))
        .map(|(name, _)| (name, Value::Null))
        .collect();
    patch.extend(then);
    patch.insert("revision".to_owned(), json!(revision));
    patch
}
