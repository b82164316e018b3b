//! Items a store counts.

use std::collections::HashMap;

use larder_db::{Db, DbError, Json};
use larder_domain::Factor;
use serde::Deserialize;

/// Whether item `i` is counted in store `r.store_id`: the store's own items if it has any, else those of its
/// group, else all; only items in production. A condition for statements over `store_inventory_items i` and
/// any rows `r` with a `store_id`.
pub const COUNTED: &str = "i.production and case \
     when exists (select 1 from store_item_visibility v where v.store_id = r.store_id and v.own) \
     then exists (select 1 from store_item_choices c where c.store_id = r.store_id and c.item_id = i.id) \
     when exists (select 1 from store_item_visibility v where v.store_id = r.store_id and v.group_id is not null) \
     then exists (select 1 from store_item_visibility v join store_item_group_items g on g.group_id = v.group_id \
     where v.store_id = r.store_id and g.item_id = i.id) else true end";

/// A pack that an item is counted in.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pack {
    pub uom_id: String,
    /// Code of its unit.
    #[serde(skip)]
    pub uom_code: Option<String>,
    /// Whether only whole numbers are allowed; absent if the unit was deleted.
    #[serde(skip)]
    pub whole: Option<bool>,
    /// Counted units per pack.
    pub factor: Factor,
}

/// An item a store counts.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct CountedItem {
    pub id: String,
    pub name: String,
    pub code: Option<String>,
    /// The unit it is counted in.
    pub uom_id: Option<String>,
    /// Code of the unit.
    pub uom_code: Option<String>,
    /// Whether only whole numbers are allowed.
    pub whole: Option<bool>,
    /// Its packs.
    pub packs: Json<Vec<Pack>>,
    pub storage_area: Option<String>,
    /// Position on the count sheet.
    pub sort_order: Option<i64>,
    pub barcode: Option<String>,
    pub image_url: Option<String>,
    /// The root item it is mapped to, unless the store's mix says otherwise.
    pub root_item_id: Option<String>,
    /// How much of that is in one unit.
    pub root_qty_per_unit: Option<Factor>,
}

/// The items a store counts in the order of its sheet: by position, then by name.
///
/// # Errors
/// If the database fails.
pub async fn visible(db: &Db, store_id: &str) -> Result<Vec<CountedItem>, DbError> {
    let mut items: Vec<CountedItem> = db
        .sql(
            "select i.id, i.name, i.code, i.uom_id, u.code as uom_code, u.whole_only as whole, i.packs, i.storage_area, i.sort_order, \
             i.barcode, i.image_url, i.root_item_id, i.root_qty_per_unit from ",
        )
        .push_rows(&["store_id"], [(store_id,)])
        .push(" r cross join store_inventory_items i left join uoms u on u.id = i.uom_id where ")
        .push(COUNTED)
        .push(" order by case when i.sort_order is null then 1 else 0 end, i.sort_order, i.name_key, i.id")
        .all()
        .await?;
    let units: HashMap<String, (String, bool)> = {
        let rows: Vec<(String, String, bool)> = db.sql("select id, code, whole_only from uoms").all().await?;
        rows.into_iter().map(|(id, code, whole)| (id, (code, whole))).collect()
    };
    for pack in items.iter_mut().flat_map(|item| &mut item.packs.0) {
        let Some((code, whole)) = units.get(&pack.uom_id) else { continue };
        pack.uom_code = Some(code.clone());
        pack.whole = Some(*whole);
    }
    Ok(items)
}

/// Number of items counted per store.
///
/// # Errors
/// If the database fails.
pub async fn how_many(db: &Db, stores: &[String]) -> Result<HashMap<String, i64>, DbError> {
    let rows: Vec<(String, i64)> = db
        .sql("select r.store_id, cast(count(*) as bigint) from ")
        .push_rows(&["store_id"], stores.iter().map(|id| (id,)))
        .push(" r cross join store_inventory_items i where ")
        .push(COUNTED)
        .push(" group by r.store_id")
        .all()
        .await?;
    Ok(rows.into_iter().collect())
}
