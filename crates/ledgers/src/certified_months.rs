//! Which months of stores are certified, so that their inputs may not be changed. Read-only.

use larder_db::Tx;
use larder_domain::BusinessDay;
use serde_json::json;

use larder_platform::http::{ApiError, ApiResult};

/// Refuses changes to the inputs of a certified month.
///
/// # Errors
/// 409 «October 2026 is certified. Amend it first.»
pub async fn refuse_locked(tx: &mut Tx<'_>, store: &str, day: BusinessDay) -> ApiResult<()> {
    let month = day.month();
    let latest = tx.sql(
        "select state from cmsr_versions where store_id = $1 and month = $2 order by version desc limit 1",
    );
    let latest: Option<(String,)> = latest.bind(store).bind(month).optional().await?;
    match latest {
        Some((state,)) if state != "amended" => {
            let words = format!("{} is {state}. Amend it first.", month.date().strftime("%B %Y"));
            Err(ApiError::conflict("locked", words).with("month", json!(month.to_string()[..7])))
        }
        _ => Ok(()),
    }
}
