//! `/tools/root-item-weekly-snapshot`: weekly snapshots of a year: creating, viewing and freezing them.

mod calculation;
mod model;
mod queries;
mod routes;

use larder_domain::Action::{Edit, View};

use larder_platform::AppState;
use larder_platform::calculations::{Calculations, PAGE};
use larder_platform::http::{Routes, routes as handlers};

#[must_use]
pub fn routes(state: &AppState) -> Routes {
    Routes::new(state)
        .can(PAGE, View, handlers!(routes::list_snapshot_weeks))
        .can(PAGE, View, handlers!(routes::list_snapshot_differences))
        .can(PAGE, Edit, handlers!(routes::make_snapshot_week))
        .can(PAGE, Edit, handlers!(routes::freeze_snapshot_week))
        .can(PAGE, Edit, handlers!(routes::reopen_snapshot_week))
}

/// Registers the snapshot calculation.
#[must_use]
pub fn calculations(calculations: Calculations) -> Calculations {
    calculations.with::<calculation::WeeklySnapshot>()
}
