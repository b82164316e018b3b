//! `/lists/store-inventory-items`: the items each store counts, groups of stores that count the same items,
//! and how items are split over recipes. The items themselves are an ordinary list.

mod groups;
mod mixes;
mod model;
mod queries;
mod visibility;

use larder_domain::Action::{Create, Delete, Edit, View};

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

const PAGE: &str = "lists/storeInventoryItems";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(visibility::list_store_visibility))
        .can(PAGE, View, routes!(visibility::get_store_visibility))
        .can(PAGE, Edit, routes!(visibility::put_store_visibility))
        .can(PAGE, Edit, routes!(visibility::copy_store_visibility))
        .can(PAGE, View, routes!(groups::list_visibility_groups))
        .can(PAGE, View, routes!(groups::get_visibility_group))
        .can(PAGE, Create, routes!(groups::create_visibility_group))
        .can(PAGE, Edit, routes!(groups::update_visibility_group))
        .can(PAGE, Delete, routes!(groups::delete_visibility_group))
        .can(PAGE, View, routes!(mixes::list_mixes))
        .can(PAGE, View, routes!(mixes::get_mix))
        .can(PAGE, Edit, routes!(mixes::put_mix))
        .can(PAGE, Edit, routes!(mixes::delete_mix))
        .can(PAGE, Edit, routes!(mixes::set_mixes))
}
