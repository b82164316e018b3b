//! The weekdays on which stores open, each from a day on. The only writer of `opening_days`.

use std::collections::HashMap;

use larder_db::{Db, DbError, Json, Reader, Tx};
use larder_domain::opening_days::{Change, OpeningDays, PROPOSED_AFTER_WEEKS, proposed};
use larder_domain::{BusinessDay, Timestamp};

use larder_platform::audit::Editor;

/// A stored change.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Kept {
    pub store_id: String,
    pub from_date: BusinessDay,
    pub weekdays: i64,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Json<Editor>,
}

impl Kept {
    /// The domain change.
    #[must_use]
    pub fn change(&self) -> Change {
        Change { from: self.from_date, weekdays: u8::try_from(self.weekdays & 127).unwrap_or(0) }
    }
}

const SELECT: &str =
    "select store_id, from_date, weekdays, revision, updated_at, updated_by from opening_days";
/// Proposals are made from sales no older than this, in days.
const RECENT: i32 = 14;
const ONE: &str = " where store_id = $1 and from_date = $2";

/// All changes, or those of some stores, by store and day.
///
/// # Errors
/// If the database fails.
pub async fn all(db: &Db, stores: Option<&[String]>) -> Result<Vec<Kept>, DbError> {
    all_from(&mut Reader::Db(db), stores).await
}

async fn all_from(on: &mut Reader<'_, '_>, stores: Option<&[String]>) -> Result<Vec<Kept>, DbError> {
    let mut query = on.sql(SELECT);
    if let Some(stores) = stores {
        query = query.push(" where store_id in ").push_ids(stores);
    }
    query.push(" order by store_id, from_date").all().await
}

/// Opening days of stores; a store that opens every day may be missing.
#[derive(Debug, Clone, Default)]
pub struct OfStores(HashMap<String, OpeningDays>);

impl OfStores {
    /// Reads those of all stores, or of some.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(db: &Db, stores: Option<&[String]>) -> Result<Self, DbError> {
        Self::read_from(&mut Reader::Db(db), stores).await
    }

    /// As [`read`](Self::read), outside or inside a transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read_from(on: &mut Reader<'_, '_>, stores: Option<&[String]>) -> Result<Self, DbError> {
        let kept = all_from(on, stores).await?;
        let of_store = |rows: &[Kept]| OpeningDays::new(rows.iter().map(Kept::change));
        let by_store = kept.chunk_by(|a, b| a.store_id == b.store_id);
        Ok(Self(by_store.map(|rows| (rows[0].store_id.clone(), of_store(rows))).collect()))
    }

    /// A store's opening days.
    #[must_use]
    pub fn of(&self, store_id: &str) -> OpeningDays {
        self.0.get(store_id).cloned().unwrap_or_default()
    }

    /// Whether the setting has a store closed on a day.
    #[must_use]
    pub fn is_closed(&self, store_id: &str, day: BusinessDay) -> bool {
        self.0.get(store_id).is_some_and(|days| days.is_closed(day))
    }
}

/// The weekdays that stores seem to open on, where they are fewer than those set today: by the sales of eight weeks up
/// to each store's last day with sales, if that is at most two weeks ago. Weekdays that were set within these weeks, or
/// confirmed by setting them again, are not asked about.
///
/// # Errors
/// If the database fails.
pub async fn proposals(
    db: &Db,
    stores: &[String],
    set: &OfStores,
    today: BusinessDay,
) -> Result<HashMap<String, u8>, DbError> {
    let since = today.plus(-RECENT);
    let days = 7 * PROPOSED_AFTER_WEEKS;
    let back = i32::try_from(days).unwrap_or(i32::MAX);
    let rows: Vec<(String, BusinessDay)> = db
        .sql("select store_id, business_date from sales_days where lines > 0 and business_date >= ")
        .push_bind(since.plus(-back))
        .push(" and store_id in ")
        .push_ids(stores)
        .push(" group by store_id, business_date order by store_id, business_date")
        .all()
        .await?;
    let mut found = HashMap::new();
    for of_store in rows.chunk_by(|a, b| a.0 == b.0) {
        let Some((store, last)) = of_store.last().filter(|(_, last)| *last >= since) else { continue };
        let first = last.plus(1 - back);
        let days_set = set.of(store);
        if days_set.since(today).is_some_and(|since| since > first) {
            continue;
        }
        let mut sold = vec![false; days];
        for (_, day) in of_store {
            let at = usize::try_from(day.0 - first.0).ok();
            if let Some(sold) = at.and_then(|at| sold.get_mut(at)) {
                *sold = true;
            }
        }
        if let Some(weekdays) = proposed(&sold, *last, days_set.weekdays(today)) {
            found.insert(store.clone(), weekdays);
        }
    }
    Ok(found)
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
    let at = tx.actor().at;
    let by = Json(Editor::from(tx.actor()));
    let written = tx
        .sql(
            "insert into opening_days (store_id, from_date, weekdays, revision, created_at, updated_at, updated_by)
             values ($1, $2, $3, 1, $4, $4, $5)
             on conflict (store_id, from_date) do update set weekdays = excluded.weekdays,
               revision = opening_days.revision + 1, updated_at = excluded.updated_at,
               updated_by = excluded.updated_by
             where opening_days.revision = $6",
        )
        .bind(store_id)
        .bind(change.from)
        .bind(i64::from(change.weekdays))
        .bind(at)
        .bind(by)
        .bind(seen.unwrap_or(-1))
        .execute()
        .await?;
    Ok(written == 1)
}

/// Removes a change; returns whether there was one.
///
/// # Errors
/// If the statement fails.
pub async fn remove(tx: &mut Tx<'_>, store_id: &str, from: BusinessDay) -> Result<bool, DbError> {
    Ok(tx.sql("delete from opening_days").push(ONE).bind(store_id).bind(from).execute().await? == 1)
}
