//! Failed attempts, counted in the database so that all nodes agree: the fifth locks for 30 s, each further
//! one twice as long, up to 15 min. The key decides what is locked: an account for unknown browsers, an
//! account for one known browser, or a second factor.

use larder_db::{Db, DbError, Tx};
use larder_domain::Timestamp;

/// Failures without a lock, as typing errors.
const FREE: i64 = 5;
const FIRST_S: i64 = 30;
const LONGEST_S: i64 = 900;
/// Older failures no longer count.
pub const FORGOTTEN_MS: i64 = 24 * 3_600_000;
const HOUR_MS: i64 = 3_600_000;

/// The key for failures at an address: a browser its owner has used before has its own.
#[must_use]
pub fn sign_in_key(email_key: &str, known_device: Option<&str>) -> String {
    match known_device {
        Some(hash) => format!("device:{email_key}:{hash}"),
        None => format!("account:{email_key}"),
    }
}

/// Whether attempts are locked out now.
///
/// # Errors
/// If the database fails.
pub async fn is_locked(db: &Db, counted_for: &str, now: Timestamp) -> Result<bool, DbError> {
    let until: Option<(Timestamp,)> = db
        .sql("select locked_until from sign_in_failures where counted_for = $1")
        .bind(counted_for)
        .optional()
        .await?;
    Ok(until.is_some_and(|(until,)| until > now))
}

/// Counts a failure; returns the lock in seconds, if any.
///
/// # Errors
/// If the statement fails.
pub async fn fail(tx: &mut Tx<'_>, counted_for: &str) -> Result<Option<i64>, DbError> {
    let now = tx.actor().at;
    let failures: i64 = tx
        .sql(
            "insert into sign_in_failures (counted_for, failures, last_at, locked_until) values ($1, 1, $2, 0)
             on conflict (counted_for) do update set
               failures = case when sign_in_failures.last_at < $3 then 1 else sign_in_failures.failures + 1 end,
               last_at = excluded.last_at
             returning failures",
        )
        .bind(counted_for)
        .bind(now)
        .bind(now.plus_ms(-FORGOTTEN_MS))
        .scalar()
        .await?;
    let seconds = lasts(failures);
    tx.sql("update sign_in_failures set locked_until = $1 where counted_for = $2")
        .bind(now.plus_seconds(seconds.unwrap_or(0)))
        .bind(counted_for)
        .execute()
        .await?;
    Ok(seconds)
}

fn lasts(failures: i64) -> Option<i64> {
    let doubled = u32::try_from(failures - FREE).ok()?;
    Some(FIRST_S.checked_shl(doubled.min(10)).unwrap_or(LONGEST_S).min(LONGEST_S))
}

/// Clears the failures after a success.
///
/// # Errors
/// If the statement fails.
pub async fn forgive(tx: &mut Tx<'_>, counted_for: &str) -> Result<(), DbError> {
    tx.sql("delete from sign_in_failures where counted_for = $1").bind(counted_for).execute().await.map(drop)
}

/// Counts one attempt per key, at most `at_most` an hour; `false` if any key has reached it, and then none is
/// counted.
///
/// # Errors
/// If the statement fails.
pub async fn hourly(tx: &mut Tx<'_>, counted_for: &[&str], at_most: i64) -> Result<bool, DbError> {
    // Counted first and rolled back if it is one too many: concurrent attempts wait for the row.
    let counted = tx.savepoint(async |tx| {
        for key in counted_for {
            if count_in_hour(tx, key).await? > at_most {
                return Err(Refused::OneTooMany);
            }
        }
        Ok(())
    });
    match counted.await {
        Ok(()) => Ok(true),
        Err(Refused::OneTooMany) => Ok(false),
        Err(Refused::Failed(error)) => Err(error),
    }
}

enum Refused {
    OneTooMany,
    Failed(DbError),
}

impl From<DbError> for Refused {
    fn from(error: DbError) -> Self {
        Self::Failed(error)
    }
}

async fn count_in_hour(tx: &mut Tx<'_>, counted_for: &str) -> Result<i64, DbError> {
    let now = tx.actor().at;
    tx
        .sql(
            "insert into sign_in_failures (counted_for, failures, last_at, locked_until) values ($1, 1, $2, $3)
             on conflict (counted_for) do update set
               failures = case when sign_in_failures.locked_until <= $2 then 1 else sign_in_failures.failures + 1 end,
               locked_until = case when sign_in_failures.locked_until <= $2 then $3 else sign_in_failures.locked_until end,
               last_at = $2
             returning failures",
        )
        .bind(counted_for)
        .bind(now)
        .bind(now.plus_ms(HOUR_MS))
        .scalar()
        .await
}

/// Whether an account's owner has signed in from this browser before.
///
/// # Errors
/// If the database fails.
pub async fn is_known_device(db: &Db, uid: &str, hash: &str) -> Result<bool, DbError> {
    let found: Option<(String,)> = db
        .sql("select uid from known_devices where uid = $1 and device_hash = $2")
        .bind(uid)
        .bind(hash)
        .optional()
        .await?;
    Ok(found.is_some())
}

#[cfg(test)]
mod tests {
    use super::lasts;

    #[test]
    fn the_fifth_failure_locks_and_each_further_one_twice_as_long() {
        let said: Vec<Option<i64>> = (1..=12).map(lasts).collect();
        let locked = [30, 60, 120, 240, 480, 900, 900, 900].map(Some);
        assert_eq!(said, [vec![None; 4], locked.to_vec()].concat());
        assert_eq!(lasts(1_000_000), Some(900));
    }
}
