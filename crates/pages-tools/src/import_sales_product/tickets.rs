//! Counts the tickets of days that were posted before tickets were kept.

use larder_ledgers::sales::tickets;
use larder_platform::AppState;
use larder_platform::http::session::system_actor;
use tokio_util::sync::CancellationToken;

/// Tills whose tickets are counted in one transaction.
const TILLS_AT_ONCE: i64 = 500;

/// Counts the tickets that are not counted yet; stopped, it goes on at the next start.
pub async fn count_tickets(state: AppState, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let actor = system_actor("tickets", state.now());
        match tickets::keep_uncounted(&state.db, &actor, TILLS_AT_ONCE).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(%error, "could not count the tickets of earlier days");
                return;
            }
        }
    }
}
