//! Maps counted items of stores to root items.

use std::collections::{BTreeMap, HashMap};

use larder_db::{Db, DbError, Json};
use larder_domain::mix::{self, Batch};
use larder_domain::{Factor, Qty};
use serde::Deserialize;

use super::counted::COUNTED;
use super::mixes::mixes;

/// A counted item with the root items in one unit.
#[derive(Debug, Clone)]
pub struct CountItemMapping {
    pub item_id: String,
    pub roots: Vec<(String, Factor)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    root_item_id: String,
    qty: Qty,
}

/// Root items of each store's counted items: by the recipes of the store's mix if it has one, else the item's
/// own root item. The factor defaults to one.
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
    let batches = batches(db).await?;
    let mut mixed: HashMap<(String, String), Vec<(String, Factor)>> = HashMap::new();
    for found in mixes(db, stores, None).await? {
        let roots = mix::roots(&found.splits, |id| batches.get(id).cloned());
        let roots =
            roots.ok_or_else(|| DbError::Invalid("a mix comes to more than can be stored".to_owned()))?;
        mixed.insert((found.row.store_id, found.row.item_id), roots.into_iter().collect());
    }
    let mut all: BTreeMap<String, Vec<CountItemMapping>> = BTreeMap::new();
    for (store, item_id, root, factor) in items {
        let own = || {
            let factor = factor.filter(|factor| factor.0 > 0).unwrap_or(Factor(1_000_000_000));
            root.map(|root| (root, factor)).into_iter().collect()
        };
        let roots = mixed.remove(&(store.clone(), item_id.clone())).unwrap_or_else(own);
        all.entry(store).or_default().push(CountItemMapping { item_id, roots });
    }
    Ok(all)
}

async fn batches(db: &Db) -> Result<HashMap<String, Batch>, DbError> {
    let rows: Vec<(String, Option<Qty>, Json<Vec<Line>>)> = db
        .sql(
            "select id, yield_qty, root_items from recipes where id in \
             (select recipe_id from store_item_mix_splits)",
        )
        .all()
        .await?;
    let batch = |(id, yields, lines): (String, Option<Qty>, Json<Vec<Line>>)| {
        let lines = lines.0.into_iter().map(|line| (line.root_item_id, line.qty)).collect();
        (id, Batch { yields, lines })
    };
    Ok(rows.into_iter().map(batch).collect())
}
