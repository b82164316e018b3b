//! SQL queries.

use larder_db::Tx;

use larder_ledgers::delivery_calendar::Source;
use larder_platform::http::{ApiError, ApiResult};

/// Types of sources and their tables.
const SOURCES: &[(&str, &str)] =
    &[("commissary", "commissaries"), ("warehouse", "warehouses"), ("supplier", "suppliers")];

/// Refuses a store or source that does not exist.
pub(super) async fn check_source(tx: &mut Tx<'_>, source: Source<'_>) -> ApiResult<()> {
    let stores = tx.sql("select cast(count(*) as bigint) from locations where id = $1").bind(source.store_id);
    if stores.scalar::<i64>().await? == 0 {
        return Err(ApiError::not_found("store"));
    }
    let Some((_, table)) = SOURCES.iter().find(|(kind, _)| *kind == source.source_type) else {
        return Err(ApiError::field("sourceType", "Choose a commissary, a warehouse or a supplier."));
    };
    let query = tx.sql("select cast(count(*) as bigint) from ").push(table).push(" where id = ");
    match query.push_bind(source.source_id).scalar::<i64>().await? {
        0 => Err(ApiError::field("sourceId", "Choose where it comes from.")),
        _ => Ok(()),
    }
}
