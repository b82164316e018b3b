//! The declarations of all lists.

mod accounts;
mod barcodes;
mod items;
mod locations;
mod order_templates;
mod partners;
mod places;
mod plain;
mod pos_items;
mod products;
mod recipes;
mod root_items;
mod store_items;
mod tenders;
mod trees;
mod uses;

pub use accounts::Account;
pub use barcodes::Barcode;
pub use locations::{Location, Terminal};
pub use order_templates::OrderTemplate;
pub use partners::{Company, Supplier};
pub use places::{ColdStorage, Commissary, Warehouse};
pub use plain::{FoodType, PriceLevel, ProductType, RegionalArea, StorageRequirement, StoreFormat, Uom};
pub use pos_items::{BomLine, PosItem};
pub(crate) use pos_items::{HAS_VARIANTS, IS_VARIANT};
pub use products::{Conversion, OtherUom, PriceLevelPrice, Product, RootItemConversion};
pub use recipes::{Recipe, RecipeLine};
pub use root_items::RootItem;
pub use store_items::{Pack, StoreInventoryItem, StoreRootItem};
pub use tenders::TenderType;
pub use trees::{Category, OperationalArea};

use super::engine::{self, Catalogue, ListDef};
use larder_platform::AppState;
use larder_platform::http::guard::Routes;

/// Every list, including the stores, which are served by their own feature.
pub const ALL: &[&ListDef] = &[
    &Uom::DEF,
    &Category::DEF,
    &FoodType::DEF,
    &ProductType::DEF,
    &StorageRequirement::DEF,
    &PriceLevel::DEF,
    &StoreFormat::DEF,
    &Company::DEF,
    &Supplier::DEF,
    &Commissary::DEF,
    &Warehouse::DEF,
    &ColdStorage::DEF,
    &RegionalArea::DEF,
    &OperationalArea::DEF,
    &PosItem::DEF,
    &RootItem::DEF,
    &StoreRootItem::DEF,
    &StoreInventoryItem::DEF,
    &Recipe::DEF,
    &TenderType::DEF,
    &Location::DEF,
    &Product::DEF,
    &Account::DEF,
    &OrderTemplate::DEF,
];

/// The same, with other references to their records.
#[must_use]
pub fn catalogue() -> &'static Catalogue {
    const { &Catalogue { lists: ALL, uses: uses::uses } }
}

/// The list served at `/api/lists/{slug}`, or the stores as `stores`.
#[must_use]
pub fn by_slug(slug: &str) -> Option<&'static ListDef> {
    ALL.iter().copied().find(|def| if def.stores { slug == "stores" } else { def.slug() == slug })
}

/// The routes of every list except the stores.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .merge(engine::routes::<Uom>(state))
        .merge(engine::routes::<Category>(state))
        .merge(engine::routes::<FoodType>(state))
        .merge(engine::routes::<ProductType>(state))
        .merge(engine::routes::<StorageRequirement>(state))
        .merge(engine::routes::<PriceLevel>(state))
        .merge(engine::routes::<StoreFormat>(state))
        .merge(engine::routes::<RegionalArea>(state))
        .merge(engine::routes::<OperationalArea>(state))
        .merge(engine::routes::<RootItem>(state))
        .merge(engine::routes::<PosItem>(state))
        .merge(engine::routes::<Company>(state))
        .merge(engine::routes::<Supplier>(state))
        .merge(engine::routes::<Commissary>(state))
        .merge(engine::routes::<Warehouse>(state))
        .merge(engine::routes::<ColdStorage>(state))
        .merge(engine::routes::<StoreRootItem>(state))
        .merge(engine::routes::<StoreInventoryItem>(state))
        .merge(engine::routes::<Recipe>(state))
        .merge(engine::routes::<TenderType>(state))
        .merge(engine::routes::<Account>(state))
        .merge(engine::routes::<OrderTemplate>(state))
}
