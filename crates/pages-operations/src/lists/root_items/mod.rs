//! `/lists/root-items/{id}/prices`: what a root item costs, each price from a day on. A price of past days needs a reason,
//! changes no frozen week, and has the weekly snapshots of the others made again. `/lists/root-items/proposed`: the prices
//! that receipts of supplier goods propose, which users accept or dismiss.

mod model;
mod prices;
mod proposed;
mod proposed_model;
mod queries;
mod recompute;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

const PAGE: &str = "lists/allLists";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(prices::list_root_item_prices))
        .can(PAGE, Edit, routes!(prices::set_root_item_price))
        .can(PAGE, Edit, routes!(prices::remove_root_item_price))
        .can(PAGE, Edit, routes!(prices::recompute_root_item_prices))
        .can(PAGE, View, routes!(proposed::list_price_proposals))
        .can(PAGE, Edit, routes!(proposed::accept_price_proposals))
        .can(PAGE, Edit, routes!(proposed::dismiss_price_proposals))
}
