//! Items counted in a store.

use std::collections::{BTreeSet, HashSet};

use larder_db::{DbError, Tx};

use super::sent::Placed;
use crate::store_items::COUNTED;

/// Which items of these saves are counted in their stores.
pub(super) async fn counted_here(
    tx: &mut Tx<'_>,
    placed: &[Placed<'_>],
) -> Result<HashSet<(String, String)>, DbError> {
    let wanted: BTreeSet<(&str, &str)> =
        placed.iter().map(|one| (one.key.store_id.as_str(), one.key.item_id.as_str())).collect();
    let found: Vec<(String, String)> = tx
        .sql("select r.store_id, i.id from ")
        .push_rows(&["store_id", "item_id"], &wanted)
        .push(" r cross join store_inventory_items i where i.id = r.item_id and ")
        .push(COUNTED)
        .all()
        .await?;
    Ok(found.into_iter().collect())
}
