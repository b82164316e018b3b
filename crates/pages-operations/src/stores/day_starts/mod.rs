//! When the business days of stores begin.

mod model;
mod queries;
mod routes;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::http::{Routes, routes};

const PAGE: &str = "stores/storeList";

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, routes!(routes::list_day_starts))
        .can(PAGE, Edit, routes!(routes::set_day_start))
        .can(PAGE, Edit, routes!(routes::remove_day_start))
}
