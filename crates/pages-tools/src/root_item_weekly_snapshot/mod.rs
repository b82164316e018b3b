//! `/tools/root-item-weekly-snapshot`: the weeks of a year, made by a service, looked at, frozen.

mod model;
mod queries;
mod routes;
mod service;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::http::{Routes, routes as handlers};
use larder_platform::services::{PAGE, Services};

/// The routes of this page.
#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, handlers!(routes::list_snapshot_weeks))
        .can(PAGE, View, handlers!(routes::list_snapshot_differences))
        .can(PAGE, Edit, handlers!(routes::make_snapshot_week))
        .can(PAGE, Edit, handlers!(routes::freeze_snapshot_week))
        .can(PAGE, Edit, handlers!(routes::reopen_snapshot_week))
}

/// The service of this page.
#[must_use]
pub fn services(services: Services) -> Services {
    services.with::<service::WeeklySnapshot>()
}
