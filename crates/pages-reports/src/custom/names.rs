//! Names of keys: stores with areas and formats, items with types and units.

use std::collections::HashMap;

use larder_db::DbError;
use larder_domain::sales::UNMAPPED;

use super::fields::{Dataset, Items};
use super::queries;
use larder_engines::reports::queries::unmapped_name;
use larder_ledgers::sales::numbers;
use larder_ledgers::store_items;
use larder_platform::AppState;

/// A store with its areas and format.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Store {
    pub id: String,
    pub name: String,
    pub regional: String,
    pub regional_name: String,
    pub operational: String,
    pub operational_name: String,
    pub format: String,
    pub format_name: String,
}

/// An item with its type and unit.
#[derive(Debug, Clone, larder_db::FromRow)]
pub struct Item {
    pub id: String,
    pub name: String,
    pub kind: String,
    pub unit: String,
}

/// The names a dataset needs.
#[derive(Debug, Default)]
pub struct Names {
    stores: HashMap<String, Store>,
    items: HashMap<String, Item>,
    /// Unmapped names as files and tills wrote them, by item id.
    written: HashMap<String, String>,
}

impl Names {
    /// Names for a dataset; items only if `items` is set.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn load(state: &AppState, dataset: &Dataset, items: bool) -> Result<Self, DbError> {
        let db = &state.db;
        let stores = queries::stores(db).await?.into_iter().map(|store| (store.id.clone(), store)).collect();
        let mut all = Vec::new();
        let mut written = HashMap::new();
        if let Some(of) = dataset.items.filter(|_| items) {
            all = queries::items(db, of).await?;
            if of == Items::Pos {
                written = numbers::written(db).await?;
            }
            if matches!(of, Items::Root | Items::Stocked) {
                let units = store_items::root_units(db).await?;
                for item in all.iter_mut().filter(|item| item.unit.is_empty()) {
                    item.unit = units.get(&item.id).cloned().unwrap_or_default();
                }
            }
        }
        let items = all.into_iter().map(|item| (item.id.clone(), item)).collect();
        Ok(Self { stores, items, written })
    }

    /// A store by id.
    pub fn store(&self, id: &str) -> Option<&Store> {
        self.stores.get(id)
    }

    /// Every store.
    pub fn stores(&self) -> impl Iterator<Item = &Store> {
        self.stores.values()
    }

    /// An item by id.
    pub fn item(&self, id: &str) -> Option<&Item> {
        self.items.get(id)
    }

    /// Every item.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.values()
    }

    /// Name of a store.
    pub fn store_name(&self, id: &str) -> String {
        match self.store(id) {
            Some(store) => store.name.clone(),
            None if id.is_empty() => "No store".to_owned(),
            None => "A store that is gone".to_owned(),
        }
    }

    /// Name of an item; unmapped ones go by the name as a file or till wrote it.
    pub fn item_name(&self, id: &str) -> String {
        if let Some(item) = self.item(id) {
            return item.name.clone();
        }
        if id.starts_with(UNMAPPED) {
            return unmapped_name(id, self.written.get(id).map(String::as_str));
        }
        "An item that is gone".to_owned()
    }
}
