//! `/lists`: what single lists have beyond their records. The records themselves are the list engine's.

pub mod companies;
pub mod recipes;
pub mod store_inventory;

use larder_platform::AppState;
use larder_platform::http::Routes;

/// The routes of these pages.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    companies::routes(state).merge(recipes::routes(state)).merge(store_inventory::routes(state))
}
