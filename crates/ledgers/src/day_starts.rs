//! When the business days of stores begin, each from a day on. The only writer of `store_day_starts`.

use std::collections::HashMap;
use std::sync::Arc;

use larder_db::{Change as Changed, ChangeAction, Db, DbError, Json, Tx};
use larder_domain::day_starts::{Change, DayStarts, clock};
use larder_domain::{BusinessDay, Timestamp};
use serde_json::{Value, json};

use larder_platform::audit::Editor;

/// A stored change.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Kept {
    pub store_id: String,
    pub from_date: BusinessDay,
    /// After midnight (UTC+8).
    pub minutes: i64,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

impl Kept {
    /// The domain change.
    #[must_use]
    pub fn change(&self) -> Change {
        Change { from: self.from_date, minutes: i32::try_from(self.minutes).unwrap_or(0) }
    }
}

const SELECT: &str =
    "select store_id, from_date, minutes, revision, updated_at, updated_by from store_day_starts";
const ONE: &str = " where store_id = $1 and from_date = $2";

/// All changes, or those of some stores, by store and day.
///
/// # Errors
/// If the database fails.
pub async fn all(db: &Db, stores: Option<&[String]>) -> Result<Vec<Kept>, DbError> {
    let mut query = db.sql(SELECT);
    if let Some(stores) = stores {
        query = query.push(" where store_id in ").push_ids(stores);
    }
    query.push(" order by store_id, from_date").all().await
}

/// The starts of stores by id; a store whose days were never set is missing.
pub type OfStores = HashMap<Arc<str>, DayStarts>;

/// Reads those of all stores, or of some.
///
/// # Errors
/// If the database fails.
pub async fn of_stores(db: &Db, stores: Option<&[String]>) -> Result<OfStores, DbError> {
    let kept = all(db, stores).await?;
    let of_store = |rows: &[Kept]| {
        (Arc::<str>::from(rows[0].store_id.as_str()), DayStarts::new(rows.iter().map(Kept::change)))
    };
    Ok(kept.chunk_by(|a, b| a.store_id == b.store_id).map(of_store).collect())
}

/// Those of one store, inside a transaction.
///
/// # Errors
/// If the database fails.
pub async fn of_store_in(tx: &mut Tx<'_>, store_id: &str) -> Result<DayStarts, DbError> {
    let query = tx.sql(SELECT).push(" where store_id = $1 order by from_date").bind(store_id);
    Ok(DayStarts::new(query.all::<Kept>().await?.iter().map(Kept::change)))
}

/// A change, inside a transaction.
///
/// # Errors
/// If the database fails.
pub async fn of_in(tx: &mut Tx<'_>, store_id: &str, from: BusinessDay) -> Result<Option<Kept>, DbError> {
    tx.sql(SELECT).push(ONE).bind(store_id).bind(from).optional().await
}

/// Writes a change; `seen` is the revision being changed, `None` for a new one. Returns `false` if it has changed
/// meanwhile.
///
/// # Errors
/// If the statement fails.
pub async fn set(
    tx: &mut Tx<'_>,
    store_id: &str,
    change: Change,
    seen: Option<i64>,
) -> Result<bool, DbError> {
    let before = of_in(tx, store_id, change.from).await?;
    let at = tx.actor().at;
    let by = Json(Editor::from(tx.actor()));
    let written = tx
        .sql(
            "insert into store_day_starts (store_id, from_date, minutes, revision, created_at, updated_at, updated_by)
             values ($1, $2, $3, 1, $4, $4, $5)
             on conflict (store_id, from_date) do update set minutes = excluded.minutes,
               revision = store_day_starts.revision + 1, updated_at = excluded.updated_at,
               updated_by = excluded.updated_by
             where store_day_starts.revision = $6",
        )
        .bind(store_id)
        .bind(change.from)
        .bind(i64::from(change.minutes))
        .bind(at)
        .bind(by)
        .bind(seen.unwrap_or(-1))
        .execute()
        .await?;
    if written != 1 {
        return Ok(false);
    }
    let action = if before.is_some() { ChangeAction::Updated } else { ChangeAction::Created };
    record(tx, store_id, change.from, action, before.map(|it| it.change()), Some(change)).await?;
    Ok(true)
}

/// Answers for a store when its days begin, from a day on. A store whose days were set before keeps them.
///
/// # Errors
/// If a statement fails.
pub async fn settle(tx: &mut Tx<'_>, store_id: &str, change: Change) -> Result<(), DbError> {
    let known =
        tx.sql("select cast(count(*) as bigint) from store_day_starts where store_id = $1").bind(store_id);
    if known.scalar::<i64>().await? == 0 {
        set(tx, store_id, change, None).await?;
    }
    Ok(())
}

/// Removes a change; returns whether there was one.
///
/// # Errors
/// If the statement fails.
pub async fn remove(tx: &mut Tx<'_>, store_id: &str, from: BusinessDay) -> Result<bool, DbError> {
    let Some(before) = of_in(tx, store_id, from).await? else { return Ok(false) };
    tx.sql("delete from store_day_starts").push(ONE).bind(store_id).bind(from).execute().await?;
    record(tx, store_id, from, ChangeAction::Deleted, Some(before.change()), None).await?;
    Ok(true)
}

fn audit_snapshot(change: Change) -> Value {
    json!({ "from": change.from, "begins": clock(change.minutes) })
}

async fn record(
    tx: &mut Tx<'_>,
    store_id: &str,
    from: BusinessDay,
    action: ChangeAction,
    before: Option<Change>,
    after: Option<Change>,
) -> Result<(), DbError> {
    tx.record(Changed {
        kind: "dayStart",
        id: format!("{store_id}_{from}"),
        store_id: Some(store_id.to_owned()),
        action,
        before: before.map(audit_snapshot),
        after: after.map(audit_snapshot),
    })
    .await?;
    Ok(())
}
