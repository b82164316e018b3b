//! Delivery calendar: the overview of all stores, a store's rules, and available delivery dates.

mod model;
mod queries;
mod read;
mod write;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

const PAGE: &str = "stores/storeList";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(read::list_delivery_calendar))
        .can("stores/storeOrders", View, routes!(read::list_delivery_dates))
        .can(PAGE, Edit, routes!(write::set_delivery_rule))
        .can(PAGE, Edit, routes!(write::remove_delivery_rule))
        .can(PAGE, Edit, routes!(write::apply_delivery_rule))
}
