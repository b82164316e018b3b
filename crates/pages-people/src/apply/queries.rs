//! Rate limit of requests per origin.

use larder_db::{DbError, Tx};
use larder_domain::Timestamp;

/// Number of requests from an origin since a point in time.
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
