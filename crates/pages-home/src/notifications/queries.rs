//! SQL queries.

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::{BusinessDay, Timestamp};

/// How long read marks are kept; a task still open after that is unread again.
const KEPT_MS: i64 = 180 * 86_400_000;

/// A user's read marks: type, task, time.
pub(super) async fn reads(db: &Db, uid: &str) -> Result<Vec<(String, String, Timestamp)>, DbError> {
    db.sql("select kind, item, read_at from notification_reads where uid = $1").bind(uid).all().await
}

/// Adds read marks and deletes old ones.
pub(super) async fn mark(tx: &mut Tx<'_>, uid: &str, items: &[(String, String)]) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql("delete from notification_reads where uid = $1 and read_at < $2")
        .bind(uid)
        .bind(Timestamp(at.0 - KEPT_MS))
        .execute()
        .await?;
    let rows: Vec<_> = items.iter().map(|(kind, item)| (uid, kind.as_str(), item.as_str(), at)).collect();
    tx.insert_rows(
        "notification_reads",
        &["uid", "kind", "item", "read_at"],
        rows,
        "on conflict (uid, kind, item) do update set read_at = excluded.read_at",
    )
    .await?;
    Ok(())
}

/// Stored notification settings.
#[derive(Debug, Clone, larder_db::FromRow)]
pub(super) struct Kept {
    pub muted: Json<Vec<String>>,
    pub digest: bool,
    pub digest_hour: i64,
    pub last_digest: Option<BusinessDay>,
}

impl Default for Kept {
    /// No digest.
    fn default() -> Self {
        Self { muted: Json(Vec::new()), digest: false, digest_hour: 7, last_digest: None }
    }
}

const KEPT: &str = "select muted, digest, digest_hour, last_digest from notification_settings where uid = $1";

/// A user's notification settings.
pub(super) async fn settings(db: &Db, uid: &str) -> Result<Kept, DbError> {
    Ok(db.sql(KEPT).bind(uid).optional().await?.unwrap_or_default())
}

/// As [`settings`], inside a transaction.
pub(super) async fn settings_in(tx: &mut Tx<'_>, uid: &str) -> Result<Kept, DbError> {
    Ok(tx.sql(KEPT).bind(uid).optional().await?.unwrap_or_default())
}

/// Saves them.
pub(super) async fn keep(tx: &mut Tx<'_>, uid: &str, kept: &Kept) -> Result<(), DbError> {
    let at = tx.actor().at;
    tx.sql(
        "insert into notification_settings (uid, muted, digest, digest_hour, last_digest, updated_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (uid) do update set muted = excluded.muted, digest = excluded.digest,
           digest_hour = excluded.digest_hour, last_digest = excluded.last_digest, updated_at = excluded.updated_at",
    )
    .bind(uid)
    .bind(Json(kept.muted.0.clone()))
    .bind(kept.digest)
    .bind(kept.digest_hour)
    .bind(kept.last_digest)
    .bind(at)
    .execute()
    .await
    .map(drop)
}

/// Users whose digest is due at an hour, with their disabled types.
pub(super) async fn due(
    db: &Db,
    today: BusinessDay,
    hour: i64,
) -> Result<Vec<(String, Json<Vec<String>>)>, DbError> {
    db.sql(
        "select uid, muted from notification_settings
         where digest = $1 and digest_hour <= $2 and (last_digest is null or last_digest < $3)
         order by uid limit 500",
    )
    .bind(true)
    .bind(hour)
    .bind(today)
    .all()
    .await
}

/// Claims a user's daily digest; returns false if another worker has it.
pub(super) async fn claim(tx: &mut Tx<'_>, uid: &str, today: BusinessDay) -> Result<bool, DbError> {
    let done = tx
        .sql(
            "update notification_settings set last_digest = $2
             where uid = $1 and digest = $3 and (last_digest is null or last_digest < $2)",
        )
        .bind(uid)
        .bind(today)
        .bind(true)
        .execute()
        .await?;
    Ok(done == 1)
}
