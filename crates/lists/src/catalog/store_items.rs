//! Items stores count, and stock levels they keep.

use std::collections::HashSet;

use larder_db::Json;
use larder_db::Tx;
use larder_domain::{Factor, Qty};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::items::{id, read_items, repeated};
use super::products::factor;
use crate::engine::Part::{Member, Says};
use crate::engine::{FieldType, Found, Hidden, Items, Kind, MovedUses, list};
use larder_ledgers::store_items as book;
use larder_platform::http::error::ApiError;

/// A pack that an item is counted in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pack {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    pub uom_id: String,
    /// Counted units per pack.
    pub factor: Factor,
}

/// The packs of an item, as stored.
pub type Packs = Json<Vec<Pack>>;

impl FieldType for Packs {
    const KIND: Kind = Kind::Items(&Items {
        refs: &[("uomId", "uoms")],
        schema: Pack::schema,
        line: &[Says("1 "), Member("uomId"), Says(" = "), Member("factor")],
        read: read_packs,
    });
    const REQUIRED: bool = false;
}

list! {
    /// An item that store staff see and count.
    StoreInventoryItem = "storeInventoryItem" in "store_inventory_items", "lists/storeInventoryItems",
        "/api/lists/store-inventory-items" {
        name: String = "Name" [keyed, searched],
        code: Option<String> = "Code" [keyed, searched, max(50)],
        root_item_id: Option<String> = "Root item" [to("root_items")],
        root_qty_per_unit: Option<Factor> = "Root units in one unit",
        uom_id: Option<String> = "Counted in" [to("uoms")],
        packs: Packs = "Packs",
        storage_area: Option<String> = "Storage area" [searched, max(100)],
        sort_order: Option<i64> = "Order on the sheet",
        barcode: Option<String> = "Barcode" [keyed, searched, max(100)],
        image_url: Option<String> = "Picture" [web],
        production: bool = "In production" [on],
    }
    one: "store inventory item", many: "Store inventory items", icon: "IconListDetails", merges: true,
    unique: &[&["code"], &["barcode"]], code: Some("code"), tells_maker: true,
    hidden: Some(Hidden { column: "production", when: false, unless: "includeHidden" }),
    ;

    async fn after_write(
        tx: &mut Tx<'_>,
        before: Option<&Self>,
        after: &Self,
        _options: &Map<String, Value>,
    ) -> Result<(), ApiError> {
        let Some(before) = before else { return Ok(()) };
        let parts = |item: &Self| book::own_parts(item.root_item_id.as_deref(), item.root_qty_per_unit);
        book::note_item(tx, &after.id, parts(before), &parts(after)).await?;
        Ok(())
    }

    async fn before_delete(tx: &mut Tx<'_>, record: &Self) -> Result<(), ApiError> {
        book::refuse_counted(tx, &record.id).await
    }

    async fn move_uses(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<Vec<MovedUses>, ApiError> {
        listed(book::replace_item(tx, id, into).await?)
    }
}

list! {
    /// Stock settings of a root item in a store.
    StoreRootItem = "storeRootItem" in "store_root_items", "lists/storeInventoryItems",
        "/api/lists/store-root-items" {
        store_id: String = "Store" [to("locations")],
        root_item_id: String = "Root item" [to("root_items")],
        par_qty: Option<Qty> = "Par level",
        min_qty: Option<Qty> = "Minimum",
        storage_area: Option<String> = "Storage area" [searched, max(100)],
        notes: Option<String> = "Notes" [lines, searched],
    }
    one: "store root item", many: "Store root items", icon: "IconBox",
    unique: &[&["storeId", "rootItemId"]], name: "rootItemId", store: Some("store_id"),
    ;
}

/// The uses in item visibility and recipe splits that a merge moved.
pub(super) fn listed(count: i64) -> Result<Vec<MovedUses>, ApiError> {
    let moved = MovedUses { kind: "storeItemMix", label: "lists and mixes of stores", count };
    Ok((count > 0).then_some(moved).into_iter().collect())
}

fn read_packs(value: &Value) -> Result<Value, Found> {
    let mut seen = HashSet::new();
    read_items(value, "packs", |row, _| {
        let uom = id(row, "uomId", "Choose a unit.");
        let factor = factor(row, "Enter how many are in it, above zero.");
        match (uom, factor) {
            (Ok(uom), Ok(_)) if repeated(&mut seen, &uom) => {
                Err(vec![("uomId".to_owned(), "This pack is listed already.".to_owned())])
            }
            (Ok(uom), Ok(factor)) => Ok(Some(json!({ "uomId": uom, "factor": factor }))),
            (uom, factor) => Err([uom.err(), factor.err()].into_iter().flatten().collect()),
        }
    })
}
