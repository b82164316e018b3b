//! Accounts: the sign-in side of people, and the failures counted against them.

use larder_db::{Actor, Db, DbError};
use larder_domain::Timestamp;

/// An account, with what signing in needs to know.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Account {
    /// The account's id.
    pub uid: String,
    /// Address as entered.
    pub email: String,
    /// Whether the address was proved.
    pub email_verified: bool,
    /// Name.
    pub display_name: String,
    /// Hash of the password, if one was set.
    pub password_hash: Option<String>,
    /// Whether sign-in is refused.
    pub disabled: bool,
    /// The app user's status, if there is one.
    pub status: Option<String>,
}

/// Finds the account of an address (`email_key`: trimmed, lower case).
pub async fn find_account(db: &Db, email_key: &str) -> Result<Option<Account>, DbError> {
    db.sql(
        "select a.uid, a.email, a.email_verified, a.display_name, a.password_hash, a.disabled, u.status
         from accounts a left join app_users u on u.uid = a.uid
         where a.email_key = $1",
    )
    .bind(email_key)
    .optional()
    .await
}

/// When an address may be tried again, if it is locked now.
pub async fn locked_until(db: &Db, email_key: &str) -> Result<Option<Timestamp>, DbError> {
    let found: Option<(Timestamp,)> = db
        .sql("select locked_until from sign_in_failures where counted_for = $1")
        .bind(email_key)
        .optional()
        .await?;
    Ok(found.map(|(until,)| until))
}

/// Counts one more failure: from the fifth on the address is locked for 30 s, doubling to 15 min.
pub async fn count_failure(db: &Db, actor: &Actor, email_key: &str) -> Result<(), DbError> {
    let now = actor.at;
    db.write(actor, async |tx| {
        let failures: i64 = tx
            .sql(
                "insert into sign_in_failures (counted_for, failures, last_at, locked_until) values ($1, 1, $2, 0)
                 on conflict (counted_for) do update set
                   failures = case when sign_in_failures.last_at < $3 then 1 else sign_in_failures.failures + 1 end,
                   last_at = excluded.last_at
                 returning failures",
            )
            .bind(email_key)
            .bind(now)
            .bind(now.plus_ms(-FAILURES_FORGOTTEN_MS))
            .scalar()
            .await?;
        if failures >= 5 {
            let seconds = 30i64.saturating_mul(1 << (failures - 5).min(5)).min(900);
            tx.sql("update sign_in_failures set locked_until = $1 where counted_for = $2")
                .bind(now.plus_seconds(seconds))
                .bind(email_key)
                .execute()
                .await?;
        }
        Ok(())
    })
    .await
}

/// Failures older than this no longer count.
const FAILURES_FORGOTTEN_MS: i64 = 24 * 3_600_000;
