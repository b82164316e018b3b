//! `/lists`: features of single lists beyond the list engine.

pub mod companies;
pub mod recipes;
pub mod root_items;
pub mod store_inventory;

use larder_platform::AppState;
use larder_platform::http::Routes;

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    companies::routes(state)
        .merge(recipes::routes(state))
        .merge(root_items::routes(state))
        .merge(store_inventory::routes(state))
}
