//! Stores and item names for sales reports.

use std::collections::HashMap;

use larder_db::{Db, DbError};
use larder_domain::sales::UNMAPPED;

/// Name and type of an item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ItemName {
    pub id: String,
    pub name: String,
    /// A root item's type or a POS item's category.
    pub kind: Option<String>,
}

/// Item names by id.
#[derive(Debug, Default)]
pub struct ItemNames(HashMap<String, ItemName>);

impl ItemNames {
    /// Name of an item; unmapped ones keep the till's name.
    pub fn name(&self, id: &str) -> String {
        let unmapped = || format!("{} (not mapped)", id.strip_prefix(UNMAPPED).unwrap_or(id));
        self.0.get(id).map_or_else(unmapped, |item| item.name.clone())
    }

    /// Its type or category.
    pub fn kind(&self, id: &str) -> Option<String> {
        self.0.get(id).and_then(|item| item.kind.clone())
    }

    /// The name and type of an item by id.
    pub fn get(&self, id: &str) -> Option<&ItemName> {
        self.0.get(id)
    }
}

/// Names of all root items by id.
pub async fn root_names(db: &Db) -> Result<ItemNames, DbError> {
    by_id(db.sql("select id, name, item_type as kind from root_items").all().await?)
}

/// Names of all POS items by id.
pub async fn pos_names(db: &Db) -> Result<ItemNames, DbError> {
    by_id(
        db.sql(
            "select id, description as name, category as kind from pos_items
             union all select id, name, 'Root item' as kind from root_items",
        )
        .all()
        .await?,
    )
}

fn by_id(items: Vec<ItemName>) -> Result<ItemNames, DbError> {
    Ok(ItemNames(items.into_iter().map(|item| (item.id.clone(), item)).collect()))
}

/// Id and name of stores with sales, by name.
pub async fn stores(db: &Db, wished: Option<&[String]>) -> Result<Vec<(String, String)>, DbError> {
    let query = db.sql(
        "select id, name from locations l
         where exists (select 1 from sales_days d where d.store_id = l.id)",
    );
    let query = match wished {
        Some(ids) => query.push(" and id in ").push_ids(ids),
        None => query,
    };
    query.push(" order by name_key, id").all().await
}

/// Stores in regional areas, or in operational areas and their descendants.
pub(crate) async fn stores_in_areas(db: &Db, areas: &[String]) -> Result<Vec<String>, DbError> {
    let found: Vec<(String,)> = db
        .sql(
            "with recursive area (id) as (
               select id from operational_areas where id in ",
        )
        .push_ids(areas)
        .push(
            " union select o.id from operational_areas o join area on o.parent_id = area.id
             )
             select id from locations
             where operational_area_id in (select id from area) or regional_area_id in ",
        )
        .push_ids(areas)
        .push(" order by id")
        .all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}
