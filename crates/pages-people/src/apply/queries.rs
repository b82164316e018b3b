//! How often an origin applied lately.

use larder_db::{DbError, Tx};
use larder_domain::Timestamp;

/// Applications taken from an origin since a moment.
pub(crate) async fn taken_since(tx: &mut Tx<'_>, network: &str, since: Timestamp) -> Result<i64, DbError> {
    tx.sql(
        "select cast(count(*) as bigint) from security_events
         where at > $1 and event = 'applied' and detail ->> 'network' = $2",
    )
    .bind(since)
    .bind(network)
    .scalar()
    .await
}
