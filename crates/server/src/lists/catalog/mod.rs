//! Which lists there are: one declaration each.

mod locations;
mod plain;
mod pos_items;
mod root_items;
mod trees;

pub use locations::{Location, Terminal};
pub use plain::{FoodType, PriceLevel, ProductType, RegionalArea, StorageRequirement, StoreFormat, Uom};
pub use pos_items::{BomLine, PosItem};
pub use root_items::RootItem;
pub use trees::{Category, OperationalArea};

use super::engine::{self, ListDef};
use crate::AppState;
use crate::http::guard::Routes;

/// Every list, the stores included; they are served by a feature of their own.
pub const ALL: &[&ListDef] = &[
    &Uom::DEF,
    &Category::DEF,
    &FoodType::DEF,
    &ProductType::DEF,
    &StorageRequirement::DEF,
    &PriceLevel::DEF,
    &StoreFormat::DEF,
    &RegionalArea::DEF,
    &OperationalArea::DEF,
    &RootItem::DEF,
    &PosItem::DEF,
    &Location::DEF,
];

/// The list served at `/api/lists/{slug}`, or the stores as `stores`.
#[must_use]
pub fn by_slug(slug: &str) -> Option<&'static ListDef> {
    ALL.iter().copied().find(|def| if def.stores { slug == "stores" } else { def.slug() == slug })
}

/// The routes of every list but the stores.
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
}
