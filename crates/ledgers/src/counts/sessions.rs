//! Count sessions: leases, reopening and finishing.

use std::collections::{BTreeSet, HashSet};

use larder_db::{Change, ChangeAction, Db, DbError, Json, Tx};
use larder_domain::count::Session as Name;
use larder_domain::{BusinessDay, Timestamp};
use serde_json::json;

use super::rows::editor;
use super::sent::Placed;
use larder_platform::audit::Editor;
use larder_platform::http::ApiError;

/// A lease expires this long after its holder's last activity.
const LEASE_MS: i64 = 15 * 60_000;
/// A lease is renewed after this time; otherwise every save would be a write.
const RENEW_AFTER_MS: i64 = 60_000;

/// State of a session.
#[derive(Debug, Clone, Default, sqlx::FromRow)]
pub struct Session {
    lease_uid: Option<String>,
    lease_device: Option<String>,
    lease_name: Option<String>,
    lease_until: Option<Timestamp>,
    /// When it was reopened.
    pub unlocked_at: Option<Timestamp>,
    pub unlocked_by: Option<Json<Editor>>,
    /// Reason for reopening.
    pub unlock_reason: Option<String>,
    pub finished_at: Option<Timestamp>,
    pub finished_by: Option<Json<Editor>>,
}

/// A lease on a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Account of the holder.
    pub uid: String,
    pub name: String,
    pub device_id: String,
    /// Expiry.
    pub until: Timestamp,
}

impl Session {
    /// The active lease, if any.
    #[must_use]
    pub fn lease(&self, now: Timestamp) -> Option<Lease> {
        let until = self.lease_until.filter(|until| *until > now)?;
        Some(Lease {
            uid: self.lease_uid.clone()?,
            name: self.lease_name.clone().unwrap_or_default(),
            device_id: self.lease_device.clone()?,
            until,
        })
    }
}

const SELECT: &str = "select lease_uid, lease_device, lease_name, lease_until, unlocked_at, unlocked_by, unlock_reason, \
     finished_at, finished_by from store_count_sessions where store_id = $1 and date = $2 and session = $3";

/// The state of a session.
///
/// # Errors
/// If the database fails.
pub async fn session(db: &Db, store_id: &str, date: BusinessDay, name: Name) -> Result<Session, DbError> {
    let query = db.sql(SELECT).bind(store_id).bind(date).bind(name.as_str());
    Ok(query.optional().await?.unwrap_or_default())
}

/// Starts or continues counting a session. If another user holds the lease, only by takeover.
///
/// # Errors
/// 409 `leased` with the current `lease`.
pub async fn lease(
    tx: &mut Tx<'_>,
    (store_id, date, name): (&str, BusinessDay, Name),
    device_id: &str,
    take_over: bool,
) -> Result<Lease, ApiError> {
    let (now, by) = (tx.actor().at, editor(tx.actor()));
    let query = tx.sql(SELECT).bind(store_id).bind(date).bind(name.as_str());
    let known: Session = query.optional().await?.unwrap_or_default();
    if let Some(held) = known.lease(now)
        && held.uid != by.uid
        && !take_over
    {
        let words = format!("{} is counting here. Take over to count instead.", held.name);
        let lease =
            json!({ "uid": held.uid, "name": held.name, "deviceId": held.device_id, "until": held.until });
        return Err(ApiError::conflict("leased", words).with("lease", lease));
    }
    let until = now.plus_ms(LEASE_MS);
    tx.sql(
        "insert into store_count_sessions (store_id, date, session, lease_uid, lease_device, lease_name, lease_until) \
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (store_id, date, session) do update set \
         lease_uid = excluded.lease_uid, lease_device = excluded.lease_device, lease_name = excluded.lease_name, \
         lease_until = excluded.lease_until",
    )
    .bind(store_id)
    .bind(date)
    .bind(name.as_str())
    .bind(&by.uid)
    .bind(device_id)
    .bind(&by.name)
    .bind(until)
    .execute()
    .await?;
    tx.announce("storeCountSession", &id(store_id, date, name), Some(store_id));
    Ok(Lease { uid: by.0.uid, name: by.0.name, device_id: device_id.to_owned(), until })
}

/// Marks a session as finished and releases its lease.
///
/// # Errors
/// If the database fails.
pub async fn finish(
    tx: &mut Tx<'_>,
    (store_id, date, name): (&str, BusinessDay, Name),
) -> Result<(), DbError> {
    let (now, by) = (tx.actor().at, editor(tx.actor()));
    tx.sql(
        "insert into store_count_sessions (store_id, date, session, finished_at, finished_by) \
         values ($1, $2, $3, $4, $5) on conflict (store_id, date, session) do update set \
         finished_at = excluded.finished_at, finished_by = excluded.finished_by, lease_until = null",
    )
    .bind(store_id)
    .bind(date)
    .bind(name.as_str())
    .bind(now)
    .bind(&by)
    .execute()
    .await?;
    record(tx, store_id, date, name, json!({ "finishedAt": now, "finishedBy": by.name })).await
}

/// Reopens a closed session: saves made until now are accepted.
///
/// # Errors
/// If the database fails.
pub async fn unlock(
    tx: &mut Tx<'_>,
    (store_id, date, name): (&str, BusinessDay, Name),
    reason: &str,
) -> Result<(), DbError> {
    let (now, by) = (tx.actor().at, editor(tx.actor()));
    tx.sql(
        "insert into store_count_sessions (store_id, date, session, unlocked_at, unlocked_by, unlock_reason) \
         values ($1, $2, $3, $4, $5, $6) on conflict (store_id, date, session) do update set \
         unlocked_at = excluded.unlocked_at, unlocked_by = excluded.unlocked_by, \
         unlock_reason = excluded.unlock_reason",
    )
    .bind(store_id)
    .bind(date)
    .bind(name.as_str())
    .bind(now)
    .bind(&by)
    .bind(reason)
    .execute()
    .await?;
    let after = json!({ "unlockedAt": now, "unlockedBy": by.name, "unlockReason": reason });
    record(tx, store_id, date, name, after).await
}

async fn record(
    tx: &mut Tx<'_>,
    store_id: &str,
    date: BusinessDay,
    name: Name,
    after: serde_json::Value,
) -> Result<(), DbError> {
    tx.record(Change {
        kind: "storeCountSession",
        id: id(store_id, date, name),
        store_id: Some(store_id.to_owned()),
        action: ChangeAction::Updated,
        before: None,
        after: Some(after),
    })
    .await
}

pub(super) fn id(store_id: &str, date: BusinessDay, name: Name) -> String {
    match name {
        Name::Whole => format!("{store_id}_{date}"),
        name => format!("{store_id}_{date}_{}", name.as_str()),
    }
}

#[derive(sqlx::FromRow)]
struct Touched {
    store_id: String,
    date: BusinessDay,
    session: String,
    unlocked_at: Option<Timestamp>,
    lease_uid: Option<String>,
    lease_device: Option<String>,
    lease_until: Option<Timestamp>,
}

/// The reopened sessions among these saves; renews the sender's leases.
pub(super) async fn touched(
    tx: &mut Tx<'_>,
    placed: &[Placed<'_>],
    device_id: &str,
) -> Result<HashSet<(String, BusinessDay, &'static str)>, DbError> {
    let wanted: BTreeSet<_> = placed
        .iter()
        .map(|one| (one.key.store_id.as_str(), one.key.date, one.key.session.as_str()))
        .collect();
    let found: Vec<Touched> = tx
        .sql(
            "select s.store_id, s.date, s.session, s.unlocked_at, s.lease_uid, s.lease_device, s.lease_until from ",
        )
        .push_rows(&["store_id", "date", "session"], &wanted)
        .push(
            " r cross join store_count_sessions s where s.store_id = r.store_id and s.date = r.date \
             and s.session = r.session",
        )
        .all()
        .await?;
    let (now, uid) = (tx.actor().at, tx.actor().uid.clone());
    let until = now.plus_ms(LEASE_MS);
    let mine = found.iter().filter(|one| {
        one.lease_uid.as_deref() == Some(uid.as_str())
            && one.lease_device.as_deref() == Some(device_id)
            && one.lease_until.is_some_and(|it| it > now && it.0 + RENEW_AFTER_MS < until.0)
    });
    let mine: Vec<_> = mine.map(|one| (one.store_id.as_str(), one.date, one.session.as_str())).collect();
    if !mine.is_empty() {
        tx.sql("update store_count_sessions set lease_until = ")
            .push_bind(until)
            .push(" from ")
            .push_rows(&["store_id", "date", "session"], &mine)
            .push(
                " r where store_count_sessions.store_id = r.store_id and store_count_sessions.date = r.date \
                 and store_count_sessions.session = r.session",
            )
            .execute()
            .await?;
    }
    let open = found.into_iter().filter(|one| one.unlocked_at.is_some());
    Ok(open.filter_map(|one| Some((one.store_id, one.date, Name::parse(&one.session)?.as_str()))).collect())
}
