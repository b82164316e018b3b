//! What is counted in a store.

use std::collections::{BTreeSet, HashSet};

use larder_db::{Db, DbError, Json, Tx};
use larder_domain::Factor;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::take::Placed;

/// A pack that an item is counted in.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CountPack)]
pub struct Pack {
    /// Its unit.
    pub uom_id: String,
    /// What that is called for short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// How many counted units are in it.
    pub factor: Factor,
}

/// Something that is counted.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CountItem)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The same for short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The unit it is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_id: Option<String>,
    /// What that is called for short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uom_code: Option<String>,
    /// The packs it comes in.
    pub packs: Vec<Pack>,
    /// Where it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_area: Option<String>,
    /// Its place on the sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort_order: Option<i64>,
    /// What a scanner reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barcode: Option<String>,
    /// Its picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    /// The ingredient it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_item_id: Option<String>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    name: String,
    code: Option<String>,
    uom_id: Option<String>,
    uom_code: Option<String>,
    packs: Json<Vec<StoredPack>>,
    storage_area: Option<String>,
    sort_order: Option<i64>,
    barcode: Option<String>,
    image_url: Option<String>,
    root_item_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredPack {
    uom_id: String,
    factor: Factor,
}

/// What is counted in a store, in the order of its sheet.
///
/// # Errors
/// When the database does not answer.
pub async fn visible(db: &Db, _store_id: &str) -> Result<Vec<Item>, DbError> {
    let rows: Vec<Row> = db
        .sql(
            "select i.id, i.name, i.code, i.uom_id, u.code as uom_code, i.packs, i.storage_area, i.sort_order, \
             i.barcode, i.image_url, i.root_item_id from store_inventory_items i \
             left join uoms u on u.id = i.uom_id where i.production \
             order by case when i.sort_order is null then 1 else 0 end, i.sort_order, i.name_key, i.id",
        )
        .all()
        .await?;
    let units: Vec<(String, Option<String>)> = db.sql("select id, code from uoms").all().await?;
    let code = |id: &str| units.iter().find(|(known, _)| known == id).and_then(|(_, code)| code.clone());
    let item = |row: Row| Item {
        packs: row
            .packs
            .0
            .into_iter()
            .map(|pack| Pack { code: code(&pack.uom_id), uom_id: pack.uom_id, factor: pack.factor })
            .collect(),
        id: row.id,
        name: row.name,
        code: row.code,
        uom_id: row.uom_id,
        uom_code: row.uom_code,
        storage_area: row.storage_area,
        sort_order: row.sort_order,
        barcode: row.barcode,
        image_url: row.image_url,
        root_item_id: row.root_item_id,
    };
    Ok(rows.into_iter().map(item).collect())
}

/// Which of the items that saves name are counted in their stores.
pub(super) async fn counted_here(
    tx: &mut Tx<'_>,
    placed: &[Placed<'_>],
) -> Result<HashSet<(String, String)>, DbError> {
    let wanted: BTreeSet<(&str, &str)> =
        placed.iter().map(|one| (one.key.store_id.as_str(), one.key.item_id.as_str())).collect();
    let found: Vec<(String, String)> = tx
        .sql("select r.store_id, i.id from ")
        .push_rows(&["store_id", "item_id"], &wanted)
        .push(" r cross join store_inventory_items i where i.id = r.item_id and i.production")
        .all()
        .await?;
    Ok(found.into_iter().collect())
}
