//! Opening days: the weekdays on which stores open, and proposals from their sales.

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
        .can(PAGE, View, routes!(read::list_opening_days))
        .can(PAGE, Edit, routes!(write::set_opening_days))
        .can(PAGE, Edit, routes!(write::remove_opening_days))
}
