//! Stored quantities of root items, for sales that no till reports.
//!
//! Such a store day has root items as its items, each with a bill of materials of one of itself, valid from
//! the beginning: so its quantities are summed, recounted, merged and reverted like any other.

use std::collections::BTreeSet;

use larder_db::Tx;
use larder_domain::Factor;

use super::bom::{self, BomFrom};
use super::prepared::Prepared;
use larder_platform::http::ApiError;

/// One of itself.
const ONE: Factor = Factor(1_000_000_000);

/// Creates these bills of materials for store days about to be posted.
///
/// # Errors
/// If the database fails.
pub async fn prepare(tx: &mut Tx<'_>, days: &[Prepared]) -> Result<(), ApiError> {
    let roots: BTreeSet<&str> =
        days.iter().flat_map(|day| &day.day.items).map(|item| item.pos_item_id.as_ref()).collect();
    let roots: Vec<&str> = roots.into_iter().collect();
    let known: Vec<(String,)> = tx
        .sql("select distinct pos_item_id from bom_versions where pos_item_id in ")
        .push_ids(&roots)
        .all()
        .await?;
    let known: BTreeSet<&str> = known.iter().map(|(id,)| id.as_str()).collect();
    for root in roots.into_iter().filter(|root| !known.contains(root)) {
        let itself = vec![(root.to_owned(), ONE)];
        bom::set(tx, root, &itself, BomFrom::Now).await?;
    }
    Ok(())
}
