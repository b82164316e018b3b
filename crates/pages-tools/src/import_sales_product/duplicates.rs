//! Settles which source counts on days of several sources that were posted before this was kept.

use larder_ledgers::sales::duplicates;
use larder_platform::AppState;
use larder_platform::http::session::system_actor;
use tokio_util::sync::CancellationToken;

/// Store days settled in one transaction.
const DAYS_AT_ONCE: i64 = 200;

/// Settles the days that are not settled yet; stopped, it goes on at the next start.
pub async fn settle_duplicates(state: AppState, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let actor = system_actor("sales", state.now());
        match duplicates::settle_earlier(&state.db, &actor, DAYS_AT_ONCE).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(?error, "could not settle which source counts on earlier days");
                return;
            }
        }
    }
}
