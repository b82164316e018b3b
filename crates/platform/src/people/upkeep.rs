//! Hourly clean-up of expired records. Every node runs it; the second finds nothing to do.

use std::time::Duration;

use larder_db::DbError;
use tokio_util::sync::CancellationToken;

use super::lockout::FORGOTTEN_MS;
use crate::AppState;
use crate::http::session::system_actor;

const EVERY: Duration = Duration::from_secs(3600);
const DAY_MS: i64 = 86_400_000;

/// Runs until stopped.
pub async fn run(state: AppState, stop: CancellationToken) {
    let mut turns = tokio::time::interval(EVERY);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = turns.tick() => {}
        }
        if let Err(error) = clear(&state).await {
            tracing::warn!(%error, "could not delete expired records");
        }
    }
}

/// Deletes expired records.
///
/// # Errors
/// If the database fails.
pub async fn clear(state: &AppState) -> Result<(), DbError> {
    let now = state.now();
    let before = |ms: i64| now.plus_ms(-ms);
    state
        .db
        .write(&system_actor("upkeep", now), async |tx| {
            // An ended session is kept a day to answer its refresh tokens.
            for text in [
                "delete from refresh_tokens where session_id in (select id from sessions
                   where expires_at <= $1 or last_seen_at + idle_ms <= $1 or revoked_at < $2)",
                "delete from sessions where expires_at <= $1 or last_seen_at + idle_ms <= $1 or revoked_at < $2",
            ] {
                tx.sql(text).bind(now).bind(before(DAY_MS)).execute().await?;
            }
            for (text, until) in [
                ("delete from provider_sign_ins where expires_at <= $1", now),
                ("delete from password_links where expires_at < $1", before(7 * DAY_MS)),
                ("delete from sign_in_failures where last_at < $1 and locked_until < $1", before(FORGOTTEN_MS)),
                ("delete from known_devices where last_seen_at < $1", before(365 * DAY_MS)),
                ("delete from attested_devices where last_seen_at < $1", before(90 * DAY_MS)),
                ("delete from totp_secrets where confirmed_at is null and created_at < $1", before(DAY_MS)),
                ("delete from security_events where event = 'signInFailed' and at < $1", before(90 * DAY_MS)),
                (
                    "update app_users set temp_password = null, temp_password_at = null where temp_password_at < $1",
                    before(DAY_MS),
                ),
            ] {
                tx.sql(text).bind(until).execute().await?;
            }
            Ok(())
        })
        .await
}
