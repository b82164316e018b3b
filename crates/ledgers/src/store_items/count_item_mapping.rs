//! Maps counted items of stores to root items.

use std::collections::{BTreeMap, HashMap};

use larder_db::{Db, DbError};
use larder_domain::on_hand::Versions;
use larder_domain::{Factor, mix};

use super::counted::COUNTED;
use super::mixes::mixes;
use super::versions::{self, BATCHES, Parts, own_parts, read_batches};

/// A counted item with the root items in one unit, now and before.
#[derive(Debug, Clone)]
pub struct CountItemMapping {
    pub item_id: String,
    pub roots: Versions<Parts>,
}

/// Root items of each store's counted items: by the recipes of the store's mix if it has one, else the item's
/// own root item. The factor defaults to one. A count is of what was in force when it was made.
///
/// # Errors
/// If the database fails, or an amount overflows.
pub async fn count_item_mapping(
    db: &Db,
    stores: &[String],
) -> Result<BTreeMap<String, Vec<CountItemMapping>>, DbError> {
    let items: Vec<(String, String, Option<String>, Option<Factor>)> = db
        .sql("select r.store_id, i.id, i.root_item_id, i.root_qty_per_unit from ")
        .push_rows(&["store_id"], stores.iter().map(|id| (id,)))
        .push(" r cross join store_inventory_items i where ")
        .push(COUNTED)
        .push(" order by r.store_id, i.id")
        .all()
        .await?;
    let query = db.sql(BATCHES).push(" where id in (select recipe_id from store_item_mix_splits)");
    let batches = read_batches(query).await?;
    let mut mixed: HashMap<(String, String), Parts> = HashMap::new();
    for found in mixes(db, stores, None).await? {
        let roots = mix::roots(&found.splits, |id| batches.get(id).cloned());
        let roots =
            roots.ok_or_else(|| DbError::Invalid("a mix comes to more than can be stored".to_owned()))?;
        mixed.insert((found.row.store_id, found.row.item_id), roots.into_iter().collect());
    }
    let former = versions::of_items(db, stores).await?;
    let mut all: BTreeMap<String, Vec<CountItemMapping>> = BTreeMap::new();
    for (store, item_id, root, factor) in items {
        let own = own_parts(root.as_deref(), factor);
        let mix = mixed.remove(&(store.clone(), item_id.clone()));
        let roots = former.with((&store, &item_id), own, mix);
        all.entry(store).or_default().push(CountItemMapping { item_id, roots });
    }
    Ok(all)
}
