//! Count settings of stores. Stores without their own use the defaults.

use std::collections::HashMap;

use larder_db::{Change, ChangeAction, Db, DbError, Json, Tx};
use larder_domain::count::{Hours, Settings};
use larder_domain::{Factor, Timestamp};
use serde_json::{Value, json};

use super::rows::editor;
use larder_platform::audit::Editor;
use larder_platform::http::{ApiError, FieldError};

/// Stored settings of a store.
#[derive(Debug, Clone, Default)]
pub struct Stored {
    pub settings: Settings,
    /// Number of changes.
    pub revision: i64,
    /// Time and author of the last change.
    pub updated: Option<(Timestamp, Editor)>,
}

#[derive(sqlx::FromRow)]
struct Row {
    store_id: String,
    restrict_date: bool,
    time_lock_enabled: bool,
    enforce_time_window: bool,
    auto_session_by_time: bool,
    user_lock_enabled: bool,
    blind: bool,
    opening_from: i64,
    opening_to: i64,
    closing_from: i64,
    closing_to: i64,
    outlier_factor: Factor,
    revision: i64,
    updated_at: Timestamp,
    updated_by: Json<Editor>,
}

impl From<Row> for Stored {
    fn from(row: Row) -> Self {
        let settings = Settings {
            restrict_date: row.restrict_date,
            time_lock_enabled: row.time_lock_enabled,
            enforce_time_window: row.enforce_time_window,
            auto_session_by_time: row.auto_session_by_time,
            user_lock_enabled: row.user_lock_enabled,
            blind: row.blind,
            opening: Hours { from: row.opening_from, to: row.opening_to },
            closing: Hours { from: row.closing_from, to: row.closing_to },
            outlier_factor: row.outlier_factor,
        };
        Self { settings, revision: row.revision, updated: Some((row.updated_at, row.updated_by.0)) }
    }
}

const SELECT: &str = "select store_id, restrict_date, time_lock_enabled, enforce_time_window, auto_session_by_time, \
     user_lock_enabled, blind, opening_from, opening_to, closing_from, closing_to, outlier_factor, revision, \
     updated_at, updated_by from store_count_settings where store_id in ";

/// The count settings of a store.
///
/// # Errors
/// If the database fails.
pub async fn of(db: &Db, store_id: &str) -> Result<Stored, DbError> {
    let row: Option<Row> = db.sql(SELECT).push_ids(&[store_id]).optional().await?;
    Ok(row.map(Stored::from).unwrap_or_default())
}

/// Count settings of stores that differ from the default.
pub(super) async fn of_stores(tx: &mut Tx<'_>, ids: &[&str]) -> Result<HashMap<String, Settings>, DbError> {
    let rows: Vec<Row> = tx.sql(SELECT).push_ids(ids).all().await?;
    Ok(rows.into_iter().map(|row| (row.store_id.clone(), Stored::from(row).settings)).collect())
}

/// Changes count settings of stores. Omitted settings stay.
///
/// # Errors
/// 422 if a store's settings would be inconsistent, 409 if `revision` is not the store's.
pub async fn change<F>(
    tx: &mut Tx<'_>,
    ids: &[&str],
    revision: Option<i64>,
    change: F,
) -> Result<(), ApiError>
where
    F: Fn(&mut Settings),
{
    let rows: Vec<Row> = tx.sql(SELECT).push_ids(ids).all().await?;
    let mut known: HashMap<String, Stored> =
        rows.into_iter().map(|row| (row.store_id.clone(), row.into())).collect();
    let mut rows = Vec::with_capacity(ids.len());
    let (at, by) = (tx.actor().at, editor(tx.actor()));
    let mut changed = Vec::new();
    for &id in ids {
        let before = known.remove(id).unwrap_or_default();
        if revision.is_some_and(|revision| revision != before.revision) {
            let name = before.updated.as_ref().map_or("someone", |(_, by)| by.name.as_str());
            return Err(ApiError::stale(name, wire(&before.settings, before.revision)));
        }
        let mut after = before.settings.clone();
        change(&mut after);
        let faults = after.faults();
        if !faults.is_empty() {
            let faults = faults.into_iter().map(|(field, message)| FieldError::new(field, message));
            return Err(ApiError::invalid(faults.collect()));
        }
        if after == before.settings && before.revision > 0 {
            continue;
        }
        let revision = before.revision + 1;
        changed.push((id, (before.revision > 0).then_some(before), wire(&after, revision)));
        rows.push((
            id,
            after.restrict_date,
            after.time_lock_enabled,
            after.enforce_time_window,
            after.auto_session_by_time,
            after.user_lock_enabled,
            after.blind,
            after.opening.from,
            after.opening.to,
            after.closing.from,
            after.closing.to,
            after.outlier_factor,
            revision,
            at,
            by.clone(),
        ));
    }
    tx.insert_rows(
        "store_count_settings",
        &[
            "store_id",
            "restrict_date",
            "time_lock_enabled",
            "enforce_time_window",
            "auto_session_by_time",
            "user_lock_enabled",
            "blind",
            "opening_from",
            "opening_to",
            "closing_from",
            "closing_to",
            "outlier_factor",
            "revision",
            "updated_at",
            "updated_by",
        ],
        &rows,
        "on conflict (store_id) do update set restrict_date = excluded.restrict_date, \
         time_lock_enabled = excluded.time_lock_enabled, enforce_time_window = excluded.enforce_time_window, \
         auto_session_by_time = excluded.auto_session_by_time, user_lock_enabled = excluded.user_lock_enabled, \
         blind = excluded.blind, opening_from = excluded.opening_from, opening_to = excluded.opening_to, \
         closing_from = excluded.closing_from, closing_to = excluded.closing_to, \
         outlier_factor = excluded.outlier_factor, revision = excluded.revision, updated_at = excluded.updated_at, \
         updated_by = excluded.updated_by",
    )
    .await?;
    for (id, before, after) in changed {
        let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
        let before = before.map(|before| wire(&before.settings, before.revision));
        let (id, store_id) = (id.to_owned(), Some(id.to_owned()));
        tx.record(Change { kind: "storeCountSettings", id, store_id, action, before, after: Some(after) })
            .await?;
    }
    Ok(())
}

/// As in the history and in errors.
fn wire(settings: &Settings, revision: i64) -> Value {
    json!({
        "restrictDate": settings.restrict_date,
        "timeLockEnabled": settings.time_lock_enabled,
        "enforceTimeWindow": settings.enforce_time_window,
        "autoSessionByTime": settings.auto_session_by_time,
        "userLockEnabled": settings.user_lock_enabled,
        "blind": settings.blind,
        "openingFrom": settings.opening.from,
        "openingTo": settings.opening.to,
        "closingFrom": settings.closing.from,
        "closingTo": settings.closing.to,
        "outlierFactor": settings.outlier_factor,
        "revision": revision,
    })
}
